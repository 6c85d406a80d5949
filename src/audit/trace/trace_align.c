/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_align.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "number/ball.h"
#include "number/exact.h"
#include "number/scoped.h"

void pby_alignment_init(pby_alignment *a)
{
    *a = (pby_alignment){.count = 0};
}

void pby_alignment_clear(pby_alignment *a)
{
    pby_findings_clear(&a->findings);
    for (size_t i = 0; i < a->count; i++)
        mpq_clears(a->noise[i].ratio, a->noise[i].scale, NULL);
    for (size_t i = 0; i < a->sites_count; i++) {
        pby_trace_number_clear(&a->sites[i].shift);
        pby_trace_number_clear(&a->sites[i].scale);
        pby_trace_number_clear(&a->sites[i].declared);
    }
    free(a->noise);
    free(a->sites);
    *a = (pby_alignment){.count = 0};
}

/* Two runs that are compared, and what is found. */
struct pair {
    pby_alignment *a;
    const pby_trace_run *run[2];
    mpq_srcptr slack;
    pby_error *err;
    size_t offset;       /* of the elements of this noise in a->noise */
    ptrdiff_t *first[2]; /* the first sum of each element of all noise, -1 without one */
    ptrdiff_t *next[2];  /* the next sum of the same element */
    bool whole;          /* all sums so far are aligned, and nothing was open */
    bool probes;         /* these are probes, whose sums and noisy coordinates have no values */
};

static pby_status found(struct pair *p, pby_finding_kind kind, const char *site, const char *message)
{
    return pby_findings_add(&p->a->findings, kind, site, message, p->err);
}

static pby_status unaligned(struct pair *p, pby_finding_kind kind, const char *site, const char *message)
{
    p->a->unaligned = true;
    p->whole = false;
    return found(p, kind, site, message);
}

/* ---- sites ------------------------------------------------------------------------------------- */

static pby_status note_site(struct pair *p, const pby_trace_noise *n, mpq_srcptr scale,
                            const pby_trace_number *shift)
{
    pby_alignment *a = p->a;
    size_t i = 0;
    while (i < a->sites_count && (strcmp(a->sites[i].site, n->site) != 0 || a->sites[i].law != n->law))
        i++;
    if (i == a->sites_count) {
        if (i == 1000)
            return PBY_OK;
        PBY_RESERVE(a->sites, a->sites_room, a->sites_count + 1, p->err);
        pby_trace_site *s = &a->sites[a->sites_count++];
        *s = (pby_trace_site){.site = n->site, .law = n->law, .has_declared = n->has_declared};
        pby_trace_number_init(&s->shift);
        pby_trace_number_init(&s->scale);
        pby_trace_number_init(&s->declared);
        pby_trace_number_set(&s->declared, &n->declared);
        mpq_set(s->scale.q, scale);
    }
    pby_trace_site *s = &a->sites[i];
    PBY_MPQ(size);
    mpq_abs(size, shift->q);
    if (s->shift.kind != PBY_TRACE_FINITE)
        return PBY_OK;
    if (shift->kind != PBY_TRACE_FINITE) {
        pby_trace_number_set(&s->shift, shift);
    } else if (mpq_cmp(size, s->shift.q) > 0) {
        mpq_set(s->shift.q, size);
        mpq_set(s->scale.q, scale);
    }
    return PBY_OK;
}

/* ---- one element ------------------------------------------------------------------------------- */

static pby_status aligned_at(pby_aligned **out, struct pair *p, size_t i)
{
    pby_alignment *a = p->a;
    while (a->count <= i) {
        PBY_RESERVE(a->noise, a->room, a->count + 1, p->err);
        a->noise[a->count] = (pby_aligned){.seen = false};
        mpq_inits(a->noise[a->count].ratio, a->noise[a->count].scale, NULL);
        a->count++;
    }
    *out = &a->noise[i];
    return PBY_OK;
}

/* x is an integer but for rounding; then it becomes that. */
static bool round_integer(mpq_t x)
{
    PBY_MPQ(whole, half);
    mpq_set_ui(half, 1, 2);
    mpq_add(half, half, x);
    mpz_fdiv_q(mpq_numref(whole), mpq_numref(half), mpq_denref(half));
    if (!pby_trace_close(whole, x))
        return false;
    mpq_set(x, whole);
    return true;
}

/* Adds a finite shift of an element whose noise has that parameter and that factor in the sum. */
static void add_shift(struct pair *p, pby_aligned *n, pby_trace_law law, mpq_srcptr scale, mpq_srcptr factor,
                      mpq_srcptr shift)
{
    PBY_MPQ(ratio);
    mpq_div(ratio, shift, factor);
    mpq_abs(ratio, ratio);
    const bool continuous = law == PBY_TRACE_LAPLACE || law == PBY_TRACE_GAUSS;
    if (n->seen && n->law != law)
        n->no_end = true;
    if (continuous && mpq_sgn(scale) == 0) {
        p->a->moved = p->a->moved || mpq_sgn(ratio) != 0;
        mpq_set_ui(ratio, 0, 1);
    } else if (continuous) {
        mpq_div(ratio, ratio, scale);
    } else {
        if (!round_integer(ratio))
            n->no_end = true;
        if (n->seen && (!mpq_equal(n->ratio, ratio) || !mpq_equal(n->scale, scale)))
            n->varies = true;
        if (!n->seen || mpq_cmp(scale, n->scale) > 0)
            mpq_set(n->scale, scale);
        if (n->varies && law == PBY_TRACE_DGAUSS)
            n->no_end = true;
    }
    if (!n->seen || mpq_cmp(ratio, n->ratio) > 0)
        mpq_set(n->ratio, ratio);
    n->law = law;
    n->seen = true;
}

/* c / factor as the place of the noise itself */
static void place(mpq_t out, const pby_trace_sum *s)
{
    mpq_div(out, s->centre.q, s->factor.q);
}

/* A second sum of one element: the difference of the two places is a constant that both outputs may show. */
static pby_status compare_reuse(struct pair *p, const pby_trace_sum *first[2], const pby_trace_sum *again[2])
{
    PBY_MPQ(left, right, other);
    if (p->probes && (first[0]->centre.kind == PBY_TRACE_NOISY || again[0]->centre.kind == PBY_TRACE_NOISY))
        return PBY_OK; /* the runs show it */
    for (int s = 0; s < 2; s++)
        if (!pby_trace_number_finite(&first[s]->centre) || !pby_trace_number_finite(&again[s]->centre))
            return unaligned(p, PBY_FOUND_REUSE, again[0]->site, "one draw of noise is used in two sums");
    place(left, first[0]);
    place(other, again[0]);
    mpq_sub(left, left, other);
    place(right, first[1]);
    place(other, again[1]);
    mpq_sub(right, right, other);
    if (pby_trace_close(left, right))
        return PBY_OK;
    return unaligned(p, PBY_FOUND_REUSE, again[0]->site,
                     "one draw of noise is used in two sums, whose difference shows the data");
}

/* One sum of an element beside its replay. *shift is NaN where it is not finite. */
static pby_status compare_sum(struct pair *p, pby_trace_number *shift, const pby_trace_sum *left,
                              const pby_trace_sum *right)
{
    shift->kind = PBY_TRACE_FINITE;
    mpq_set_ui(shift->q, 0, 1);
    if (strcmp(left->site, right->site) != 0)
        PBY_TRY(found(p, PBY_FOUND_BRANCH, left->site, "the noise is added elsewhere on the other side"));
    if (!pby_trace_close(left->factor.q, right->factor.q))
        PBY_TRY(found(p, PBY_FOUND_LAW, left->site, "the factor of the noise depends on the data"));
    if (!pby_trace_number_equal(&left->value, &right->value))
        PBY_TRY(unaligned(p, PBY_FOUND_CALLS, left->site, "the replay does not give a sum its value"));
    if (pby_trace_number_finite(&left->centre) && pby_trace_number_finite(&right->centre)) {
        mpq_sub(shift->q, left->centre.q, right->centre.q);
        return PBY_OK;
    }
    if (pby_trace_number_equal(&left->centre, &right->centre))
        return PBY_OK;
    if (left->centre.kind == PBY_TRACE_NOISY && right->centre.kind == PBY_TRACE_NOISY) {
        p->whole = false; /* the runs show shifts of a centre that other noise is in */
        return PBY_OK;
    }
    shift->kind = PBY_TRACE_NAN;
    p->whole = false;
    return found(p, PBY_FOUND_VALUE, left->site, "noise is added to NaN or to an infinity on one side");
}

static pby_status compare_element(struct pair *p, size_t noise, size_t element)
{
    const pby_trace_noise *n[2] = {&p->run[0]->noise[noise], &p->run[1]->noise[noise]};
    ptrdiff_t at[2] = {p->first[0][p->offset + element], p->first[1][p->offset + element]};
    const pby_trace_sum *first[2] = {NULL, NULL};
    pby_aligned *aligned = NULL;
    pby_status status = aligned_at(&aligned, p, p->offset + element);
    pby_trace_number shift;
    pby_trace_number_init(&shift);
    while (at[0] >= 0 && at[1] >= 0 && status == PBY_OK) {
        const pby_trace_sum *sum[2] = {&p->run[0]->sums[at[0]], &p->run[1]->sums[at[1]]};
        status = compare_sum(p, &shift, sum[0], sum[1]);
        if (status == PBY_OK && first[0] != NULL) {
            status = compare_reuse(p, first, sum);
        } else if (status == PBY_OK) {
            const pby_trace_number *scale = pby_trace_scale(n[0], element);
            if (shift.kind != PBY_TRACE_FINITE)
                aligned->no_end = true;
            else
                add_shift(p, aligned, n[0]->law, scale->q, sum[0]->factor.q, shift.q);
            status = note_site(p, n[0], scale->q, &shift);
            first[0] = sum[0];
            first[1] = sum[1];
        }
        at[0] = p->next[0][at[0]];
        at[1] = p->next[1][at[1]];
    }
    pby_trace_number_clear(&shift);
    if (status == PBY_OK && (at[0] >= 0 || at[1] >= 0))
        status = unaligned(p, PBY_FOUND_CALLS, n[0]->site, "noise is used more often on one side");
    return status;
}

/* ---- one draw ---------------------------------------------------------------------------------- */

static pby_status compare_choice(struct pair *p, size_t noise)
{
    const pby_trace_noise *n[2] = {&p->run[0]->noise[noise], &p->run[1]->noise[noise]};
    pby_aligned *x = NULL;
    PBY_TRY(aligned_at(&x, p, p->offset));
    if (strcmp(n[0]->labels[n[0]->chosen], n[1]->labels[n[1]->chosen]) != 0)
        return unaligned(p, PBY_FOUND_CALLS, n[0]->site, "a choice has other values on one side");
    if (x->seen && x->law != PBY_TRACE_CHOICE)
        x->no_end = true;
    for (int s = 0; s < 2 && x->choice[s] != NULL; s++) {
        bool same = x->choice[s]->labels_count == n[s]->labels_count;
        for (size_t i = 0; i < n[s]->labels_count && same; i++)
            same = pby_trace_number_equal(&n[s]->p[i], &x->choice[s]->p[i]) &&
                   strcmp(n[s]->labels[i], x->choice[s]->labels[i]) == 0;
        x->varies = x->varies || !same;
    }
    x->law = PBY_TRACE_CHOICE;
    x->seen = true;
    x->no_end = x->no_end || x->varies;
    for (int s = 0; s < 2; s++)
        x->choice[s] = n[s];
    return PBY_OK;
}

static pby_status compare_guarantee(struct pair *p, size_t noise)
{
    const pby_trace_noise *n = &p->run[0]->noise[noise];
    pby_aligned *x = NULL;
    if (p->probes) /* such a call is not made: its spec stands for nothing */
        return PBY_OK;
    PBY_TRY(aligned_at(&x, p, p->offset));
    if (x->seen && (x->law != PBY_TRACE_GUARANTEE || strcmp(x->spec, n->spec) != 0))
        x->no_end = true;
    if (strcmp(n->spec, p->run[1]->noise[noise].spec) != 0)
        PBY_TRY(found(p, PBY_FOUND_LAW, n->site, "the guarantee depends on the data"));
    x->law = PBY_TRACE_GUARANTEE;
    x->seen = true;
    x->spec = n->spec;
    return PBY_OK;
}

/* The shifts of a call in the norm of its law exceed the sensitivity that both sides declare. */
static pby_status compare_declared(struct pair *p, size_t noise)
{
    const pby_trace_noise *n[2] = {&p->run[0]->noise[noise], &p->run[1]->noise[noise]};
    const bool squares = n[0]->law == PBY_TRACE_GAUSS || n[0]->law == PBY_TRACE_DGAUSS;
    PBY_MPQ(norm, shift, most);
    if (!n[0]->has_declared || !n[1]->has_declared || !mpq_equal(n[0]->declared.q, n[1]->declared.q) ||
        strcmp(n[0]->site, n[1]->site) != 0 || !p->whole)
        return PBY_OK;
    for (size_t e = 0; e < n[0]->count; e++) {
        const ptrdiff_t at[2] = {p->first[0][p->offset + e], p->first[1][p->offset + e]};
        if (at[0] < 0 || at[1] < 0)
            return PBY_OK;
        mpq_sub(shift, p->run[0]->sums[at[0]].centre.q, p->run[1]->sums[at[1]].centre.q);
        mpq_abs(shift, shift);
        if (squares)
            mpq_mul(shift, shift, shift);
        mpq_add(norm, norm, shift);
    }
    mpq_set_ui(most, 1, 1);
    mpq_add(most, most, p->slack);
    mpq_mul(most, most, n[0]->declared.q);
    if (squares)
        mpq_mul(most, most, most);
    return mpq_cmp(norm, most) <= 0
               ? PBY_OK
               : found(p, PBY_FOUND_SENSITIVITY, n[0]->site, "the shift exceeds the declared sensitivity");
}

static pby_status compare_scales(struct pair *p, size_t noise)
{
    const pby_trace_noise *n[2] = {&p->run[0]->noise[noise], &p->run[1]->noise[noise]};
    for (size_t e = 0; e < n[0]->count; e++)
        if (!pby_trace_close(pby_trace_scale(n[0], e)->q, pby_trace_scale(n[1], e)->q))
            return found(p, PBY_FOUND_LAW, n[0]->site, "the scale of the noise depends on the data");
    return PBY_OK;
}

/* *ended: the replay has gone another way, so that what comes behind says nothing. */
static pby_status compare_noise(struct pair *p, bool *ended, size_t noise)
{
    const pby_trace_noise *n[2] = {&p->run[0]->noise[noise], &p->run[1]->noise[noise]};
    *ended = n[0]->law != n[1]->law || strcmp(n[0]->shape, n[1]->shape) != 0;
    if (n[0]->law != n[1]->law)
        return unaligned(p, PBY_FOUND_CALLS, n[0]->site, "another kind of noise is drawn on one side");
    if (strcmp(n[0]->shape, n[1]->shape) != 0)
        return unaligned(p, PBY_FOUND_SHAPE, n[0]->site, "the number of draws depends on the data");
    if (strcmp(n[0]->site, n[1]->site) != 0)
        PBY_TRY(found(p, PBY_FOUND_BRANCH, n[0]->site, "the noise is drawn elsewhere on the other side"));
    if (n[0]->law == PBY_TRACE_CHOICE)
        return compare_choice(p, noise);
    if (n[0]->law == PBY_TRACE_OTHER)
        return found(p, PBY_FOUND_OPEN, n[0]->site, "noise of a law that is not known is drawn");
    if (n[0]->law == PBY_TRACE_GUARANTEE)
        return compare_guarantee(p, noise);
    PBY_TRY(compare_scales(p, noise));
    for (size_t e = 0; e < n[0]->count; e++)
        PBY_TRY(compare_element(p, noise, e));
    return compare_declared(p, noise);
}

/* ---- outputs ----------------------------------------------------------------------------------- */

static bool same_coordinate(const pby_trace_output *x, const pby_trace_output *y)
{
    return strcmp(x->path, y->path) == 0 && (x->text == NULL) == (y->text == NULL) &&
           (x->text == NULL ? pby_trace_number_equal(&x->value, &y->value) : strcmp(x->text, y->text) == 0);
}

/* Numbers of two probes that may be the same; those that noise is in are left to the runs. */
static bool may_equal(const pby_trace_number *x, const pby_trace_number *y)
{
    if (pby_trace_number_finite(x) && pby_trace_number_finite(y))
        return pby_trace_close(x->q, y->q);
    return x->kind == y->kind && (x->kind == PBY_TRACE_NOISY || pby_trace_number_equal(x, y));
}

/* Coordinates of two probes: the same value without noise, or the same sum taken alike. */
static bool same_probed(const pby_trace_output *x, const pby_trace_output *y)
{
    if (x->text != NULL || y->text != NULL)
        return same_coordinate(x, y);
    return strcmp(x->path, y->path) == 0 && x->sum == y->sum && may_equal(&x->value, &y->value) &&
           (x->sum < 0 || (may_equal(&x->a, &y->a) && may_equal(&x->b, &y->b)));
}

static pby_status compare_outputs(struct pair *p)
{
    const pby_trace_run *l = p->run[0], *r = p->run[1];
    bool same = l->outputs_count == r->outputs_count && (l->error == NULL) == (r->error == NULL) &&
                (l->error == NULL || strcmp(l->error, r->error) == 0);
    for (size_t i = 0; i < l->outputs_count && same; i++)
        same = (p->probes ? same_probed : same_coordinate)(&l->outputs[i], &r->outputs[i]);
    return same ? PBY_OK
                : found(p, PBY_FOUND_OUTPUT, "", "the output differs although every noisy value is the same");
}

/* ---- pairs ------------------------------------------------------------------------------------- */

/* The sums of each element in the order of the run. */
static pby_status index_sums(struct pair *p, int side)
{
    const pby_trace_run *run = p->run[side];
    size_t elements = 0;
    size_t *from = calloc(run->noise_count + 1, sizeof *from);
    for (size_t i = 0; i < run->noise_count && from != NULL; i++) {
        from[i] = elements;
        elements += run->noise[i].count;
    }
    p->first[side] = malloc((elements + 1) * sizeof *p->first[side]);
    p->next[side] = malloc((run->sums_count + 1) * sizeof *p->next[side]);
    if (from == NULL || p->first[side] == NULL || p->next[side] == NULL) {
        free(from);
        return pby_no_memory(p->err);
    }
    for (size_t i = 0; i < elements; i++)
        p->first[side][i] = -1;
    for (size_t i = run->sums_count; i-- > 0;) {
        const size_t at = from[run->sums[i].noise] + run->sums[i].element;
        p->next[side][i] = p->first[side][at];
        p->first[side][at] = (ptrdiff_t)i;
    }
    free(from);
    return PBY_OK;
}

static pby_status compare_runs(struct pair *p)
{
    const size_t count[2] = {p->run[0]->noise_count, p->run[1]->noise_count};
    const size_t least = count[0] < count[1] ? count[0] : count[1];
    bool ended = false;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < p->run[s]->opens_count; i++) {
            PBY_TRY(found(p, PBY_FOUND_OPEN, p->run[s]->opens[i].site, "noise is read other than by a sum"));
            p->whole = false;
        }
    for (size_t i = 0; i < least && !ended; i++) {
        PBY_TRY(compare_noise(p, &ended, i));
        p->offset += p->run[0]->noise[i].count;
    }
    if (ended)
        return PBY_OK;
    if (count[0] != count[1])
        return unaligned(p, PBY_FOUND_CALLS,
                         count[0] > least ? p->run[0]->noise[least].site : p->run[1]->noise[least].site,
                         "noise is drawn more often on one side");
    return compare_outputs(p);
}

static pby_status compare_pair(struct pair *p)
{
    pby_status status = index_sums(p, 0);
    if (status == PBY_OK)
        status = index_sums(p, 1);
    if (status == PBY_OK)
        status = compare_runs(p);
    for (int s = 0; s < 2; s++) {
        free(p->first[s]);
        free(p->next[s]);
    }
    return status;
}

/* The probe in which every choice has the value that it has in the given one; NULL if there is none. */
static const pby_trace_run *probe_like(const pby_trace_side *side, const pby_trace_run *probe, size_t guess)
{
    for (size_t i = 0; i < side->probes_count; i++) {
        const pby_trace_run *other = &side->probes[(guess + i) % side->probes_count];
        if (pby_trace_same_choices(probe, other))
            return other;
    }
    return NULL;
}

/* Compares what the choices lead to on both sides, however rare it is in runs. */
static pby_status align_probes(pby_alignment *a, const pby_trace_side side[2], mpq_srcptr slack,
                               pby_error *err)
{
    for (size_t i = 0; i < side[0].probes_count; i++) {
        const pby_trace_run *left = &side[0].probes[i], *right = probe_like(&side[1], left, i);
        struct pair p = {
            .a = a, .run = {left, right}, .slack = slack, .err = err, .whole = true, .probes = true};
        PBY_TRY(right != NULL
                    ? compare_pair(&p)
                    : unaligned(&p, PBY_FOUND_CALLS, left->noise_count > 0 ? left->noise[0].site : "",
                                "some choices are made on one side alone"));
    }
    return PBY_OK;
}

pby_status pby_align(pby_alignment *a, const pby_trace_side side[2], mpq_srcptr slack, pby_error *err)
{
    for (int s = 0; s < 2; s++)
        if (side[s].unrecorded)
            PBY_TRY(pby_findings_add(&a->findings, PBY_FOUND_UNRECORDED, side[s].unrecorded_site,
                                     "a second run on the same input and noise differs", err));
    for (size_t i = 0; i < side[0].count; i++) {
        struct pair p = {
            .a = a, .run = {&side[0].runs[i], &side[1].runs[i]}, .slack = slack, .err = err, .whole = true};
        PBY_TRY(compare_pair(&p));
    }
    return pby_trace_probed(&side[0]) && pby_trace_probed(&side[1]) ? align_probes(a, side, slack, err)
                                                                    : PBY_OK;
}

/* ---- the upper end ----------------------------------------------------------------------------- */

/* The greatest loss of integer noise whose shifts vary: rate times shift, as pure:eps. */
static pby_status add_pure(pby_trace_terms *out, const pby_aligned *n, pby_error *err)
{
    PBY_MPQ(eps);
    mpq_mul(eps, n->ratio, n->scale);
    char *number = pby_exact_text(eps), *text = NULL;
    if (number == NULL || asprintf(&text, "pure:eps=%s", number) < 0) {
        free(number);
        return pby_no_memory(err);
    }
    const pby_status status = mpq_sgn(eps) == 0 ? PBY_OK : pby_trace_terms_spec(out, text, err);
    free(number);
    free(text);
    return status;
}

static pby_status add_term(pby_trace_terms *out, const pby_aligned *n, pby_error *err)
{
    switch (n->law) {
    case PBY_TRACE_LAPLACE:
        return pby_trace_terms_laplace(out, n->ratio, err);
    case PBY_TRACE_GAUSS:
        pby_trace_terms_gauss(out, n->ratio);
        return PBY_OK;
    case PBY_TRACE_GEOMETRIC:
    case PBY_TRACE_DGAUSS:
        return mpq_sgn(n->ratio) == 0 ? PBY_OK
               : n->varies            ? add_pure(out, n, err)
                                      : pby_trace_terms_integer(out, n->law, n->scale, n->ratio, err);
    case PBY_TRACE_CHOICE:
        return pby_trace_terms_choice(out, n->choice[0], n->choice[1], err);
    default:
        return pby_trace_terms_spec(out, n->spec, err);
    }
}

pby_status pby_alignment_terms(pby_trace_terms *out, bool *known, const pby_alignment *a, pby_error *err)
{
    const bool *found = a->findings.found;
    *known = !a->unaligned && !a->moved && !found[PBY_FOUND_LAW] && !found[PBY_FOUND_OPEN] &&
             !found[PBY_FOUND_VALUE] && !found[PBY_FOUND_OUTPUT];
    for (size_t i = 0; i < a->count && *known; i++)
        if (a->noise[i].no_end)
            *known = false;
    for (size_t i = 0; i < a->count && *known; i++)
        if (a->noise[i].seen)
            PBY_TRY(add_term(out, &a->noise[i], err));
    return PBY_OK;
}
