/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_atom.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "number/ball.h"
#include "number/scoped.h"

/* More coordinates and values than these are left out: they would only raise the bound. */
enum { PATHS_MAX = 32, VALUES_MAX = 256, PREC = 192, STEPS = 44 };

void pby_trace_atoms_clear(pby_trace_atoms *x)
{
    for (size_t i = 0; i < x->count; i++)
        mpq_clears(x->item[i].least, x->item[i].most, NULL);
    free(x->item);
    *x = (pby_trace_atoms){.count = 0};
}

/* ---- the law of one coordinate ----------------------------------------------------------------- */

/* A value, and the chance of the probes that lead to it. */
struct value {
    const pby_trace_output *is;
    mpq_t chance;
};

struct law {
    struct value value[VALUES_MAX];
    size_t count;
    mpq_t open; /* the chance of probes in which the coordinate may have any value */
};

static void law_init(struct law *l)
{
    l->count = 0;
    mpq_init(l->open);
}

static void law_clear(struct law *l)
{
    for (size_t i = 0; i < l->count; i++)
        mpq_clear(l->value[i].chance);
    mpq_clear(l->open);
}

/* The product of the chances of what was chosen; false if one of them is not known. */
static bool chance_of(mpq_t out, const pby_trace_run *probe)
{
    PBY_MPQ(sum);
    mpq_set_ui(out, 1, 1);
    for (size_t i = 0; i < probe->noise_count; i++) {
        const pby_trace_noise *n = &probe->noise[i];
        if (n->seed >= 0)
            return false;
        if (n->law != PBY_TRACE_CHOICE)
            continue;
        mpq_set_ui(sum, 0, 1);
        for (size_t j = 0; j < n->labels_count; j++) {
            if (!pby_trace_number_finite(&n->p[j]))
                return false;
            mpq_add(sum, sum, n->p[j].q);
        }
        mpq_mul(out, out, n->p[n->chosen].q);
        mpq_div(out, out, sum);
    }
    return true;
}

static const pby_trace_output *coordinate(const pby_trace_run *run, const char *path)
{
    for (size_t i = 0; i < run->outputs_count; i++)
        if (strcmp(run->outputs[i].path, path) == 0)
            return &run->outputs[i];
    return NULL;
}

/* True if the coordinate is a y + b for a sum y of Laplace or normal noise: each value has the chance 0. */
static bool is_continuous(const pby_trace_run *run, const pby_trace_output *o)
{
    if (o->sum < 0 || !pby_trace_number_finite(&o->a) || !pby_trace_number_finite(&o->b) ||
        mpq_sgn(o->a.q) == 0)
        return false;
    const pby_trace_sum *s = &run->sums[o->sum];
    const pby_trace_noise *n = &run->noise[s->noise];
    return (n->law == PBY_TRACE_LAPLACE || n->law == PBY_TRACE_GAUSS) &&
           pby_trace_number_finite(&s->centre) && mpq_sgn(s->factor.q) != 0 &&
           mpq_sgn(pby_trace_scale(n, s->element)->q) > 0;
}

/* True if the run calls a mechanism that is known by a guarantee alone. A probe does not make the call, and a
 * text of it may stand for what the call would give. */
static bool has_guarantee(const pby_trace_run *run)
{
    for (size_t i = 0; i < run->noise_count; i++)
        if (run->noise[i].law == PBY_TRACE_GUARANTEE)
            return true;
    return false;
}

static void add_value(struct law *l, const pby_trace_output *o, mpq_srcptr chance)
{
    size_t i = 0;
    while (i < l->count && !pby_trace_same_value(l->value[i].is, o))
        i++;
    if (i == VALUES_MAX) {
        mpq_add(l->open, l->open, chance);
        return;
    }
    if (i == l->count) {
        mpq_init(l->value[i].chance);
        l->value[l->count++].is = o;
    }
    mpq_add(l->value[i].chance, l->value[i].chance, chance);
}

/* True if no noise is in the coordinate, so that it is the same in every run with these choices. */
static bool has_value(const pby_trace_run *run, const pby_trace_output *o)
{
    return o->text != NULL ? !has_guarantee(run) : o->sum < 0 && o->value.kind != PBY_TRACE_NOISY;
}

/* The law of a coordinate, as far as no noise is in it; false if a chance is not known. */
static bool law_of(struct law *l, const pby_trace_side *side, const char *path)
{
    PBY_MPQ(chance);
    for (size_t i = 0; i < side->probes_count; i++) {
        const pby_trace_run *probe = &side->probes[i];
        const pby_trace_output *o = coordinate(probe, path);
        if (!chance_of(chance, probe))
            return false;
        if (o != NULL && has_value(probe, o))
            add_value(l, o, chance);
        else if (o == NULL || !is_continuous(probe, o))
            mpq_add(l->open, l->open, chance);
    }
    return true;
}

/* ---- both sides -------------------------------------------------------------------------------- */

/* Adds the values of one law that the other has less often; one of `more` may be any close one of `less`. */
static pby_status add_atoms(pby_trace_atoms *out, const struct law *more, const struct law *less,
                            pby_error *err)
{
    PBY_MPQ(most);
    bool any = false;
    for (size_t i = 0; i < more->count; i++) {
        mpq_set(most, less->open);
        for (size_t j = 0; j < less->count; j++)
            if (pby_trace_same_value(more->value[i].is, less->value[j].is))
                mpq_add(most, most, less->value[j].chance);
        if (mpq_cmp(more->value[i].chance, most) <= 0)
            continue;
        PBY_RESERVE(out->item, out->room, out->count + 1, err);
        pby_trace_atom *a = &out->item[out->count++];
        mpq_inits(a->least, a->most, NULL);
        mpq_set(a->least, more->value[i].chance);
        mpq_set(a->most, most);
        a->group = out->groups;
        any = true;
    }
    out->groups += any;
    return PBY_OK;
}

/* The laws are large for a stack. */
static pby_status compare_path(pby_trace_atoms *out, const pby_trace_side side[2], const char *path,
                               pby_error *err)
{
    struct law *l = malloc(2 * sizeof *l);
    if (l == NULL)
        return pby_no_memory(err);
    law_init(&l[0]);
    law_init(&l[1]);
    pby_status status = PBY_OK;
    if (law_of(&l[0], &side[0], path) && law_of(&l[1], &side[1], path)) {
        status = add_atoms(out, &l[0], &l[1], err);
        if (status == PBY_OK)
            status = add_atoms(out, &l[1], &l[0], err);
    }
    law_clear(&l[0]);
    law_clear(&l[1]);
    free(l);
    return status;
}

/* A path that begins with # tells the form of the output, which refutes nothing. */
static bool is_new(const char *const *path, size_t count, const char *name)
{
    bool known = name[0] == '#';
    for (size_t i = 0; i < count && !known; i++)
        known = strcmp(path[i], name) == 0;
    return !known;
}

pby_status pby_trace_atoms_find(pby_trace_atoms *out, const pby_trace_side side[2], pby_error *err)
{
    const char *path[PATHS_MAX];
    size_t count = 0;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < side[s].probes_count; i++)
            for (size_t j = 0; j < side[s].probes[i].outputs_count && count < PATHS_MAX; j++)
                if (is_new(path, count, side[s].probes[i].outputs[j].path))
                    path[count++] = side[s].probes[i].outputs[j].path;
    for (size_t i = 0; i < count; i++)
        PBY_TRY(compare_path(out, side, path[i], err));
    return PBY_OK;
}

/* ---- both ends --------------------------------------------------------------------------------- */

/* ball = the sum over a group of max(0, least - exp(epsilon) most) */
static void group_delta(arb_t ball, const pby_trace_atoms *x, size_t group, const arb_t factor)
{
    PBY_ARB(term, most, zero);
    PBY_FMPQ(q);
    arb_zero(ball);
    for (size_t i = 0; i < x->count; i++) {
        if (x->item[i].group != group)
            continue;
        fmpq_set_mpq(q, x->item[i].most);
        arb_set_fmpq(most, q, PREC);
        fmpq_set_mpq(q, x->item[i].least);
        arb_set_fmpq(term, q, PREC);
        arb_submul(term, factor, most, PREC);
        arb_max(term, term, zero, PREC);
        arb_add(ball, ball, term, PREC);
    }
}

void pby_trace_atoms_delta(arb_t ball, const pby_trace_atoms *x, const fmpq_t epsilon)
{
    PBY_ARB(factor, one);
    arb_zero(ball);
    arb_set_fmpq(factor, epsilon, PREC);
    arb_exp(factor, factor, PREC);
    for (size_t i = 0; i < x->groups; i++) {
        group_delta(one, x, i, factor);
        pby_raise_to(ball, one, PREC);
    }
}

/* True if values that the other input never gives have a chance above the level: then no epsilon holds. */
static bool never(const pby_trace_atoms *x, mpq_srcptr level)
{
    PBY_MPQ(sum);
    for (size_t group = 0; group < x->groups; group++) {
        mpq_set_ui(sum, 0, 1);
        for (size_t i = 0; i < x->count; i++)
            if (x->item[i].group == group && mpq_sgn(x->item[i].most) == 0)
                mpq_add(sum, sum, x->item[i].least);
        if (mpq_cmp(sum, level) > 0)
            return true;
    }
    return false;
}

static bool exceeds(const pby_trace_atoms *x, const fmpq_t epsilon, const arb_t level)
{
    PBY_ARB(ball);
    pby_trace_atoms_delta(ball, x, epsilon);
    return arb_gt(ball, level);
}

/* Doubles an epsilon until nothing is shown there, and bisects: what remains is shown at the last `from`. */
void pby_trace_atoms_epsilon(arb_t ball, const pby_trace_atoms *x, const fmpq_t delta)
{
    PBY_FMPQ(from, to, middle);
    PBY_ARB(level);
    PBY_MPQ(exact);
    arb_set_fmpq(level, delta, PREC);
    fmpq_get_mpq(exact, delta);
    arb_zero(ball);
    if (x->count == 0)
        return;
    if (never(x, exact)) {
        arb_pos_inf(ball);
        return;
    }
    fmpq_set_si(to, 1, 1);
    for (int i = 0; i < STEPS && exceeds(x, to, level); i++) {
        fmpq_set(from, to);
        fmpq_mul_2exp(to, to, 1);
    }
    for (int i = 0; i < STEPS; i++) {
        fmpq_add(middle, from, to);
        fmpq_div_2exp(middle, middle, 1);
        fmpq_swap(exceeds(x, middle, level) ? from : to, middle);
    }
    arb_set_fmpq(ball, from, PREC);
}
