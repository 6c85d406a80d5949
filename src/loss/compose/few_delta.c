/* SPDX-License-Identifier: MIT */
/* The numbers of a composition of few outcomes, in balls. */
#include "loss/compose/few.h"
#include "loss/divergence/divergence.h"
#include "number/ball.h"
#include "number/scoped.h"

/* ---- what does not depend on epsilon ---------------------------------------------------------- */

static void set_masses(pby_few_pair *f, slong prec)
{
    pby_expsum_t impossible;
    pby_expsum_init(impossible);
    PBY_ARB(norm);
    pby_expsum_get_arb(norm, f->pair->norm_p, prec);
    for (size_t i = 0; i < f->count; i++) {
        pby_expsum_get_arb(f->mass + i, f->pair->atoms[f->outcome[i].atom].p, prec);
        arb_div(f->mass + i, f->mass + i, norm, prec);
    }
    pby_impossible_mass(impossible, f->pair);
    pby_expsum_get_arb(f->infinite, impossible, prec);
    arb_div(f->infinite, f->infinite, norm, prec);
    pby_expsum_clear(impossible);
}

/* 1 - the product of (1 - infinite)^times, of the parts of one pair. */
static void set_infinite(pby_few_way *w, slong prec)
{
    PBY_ARB(part);
    arb_zero(w->infinite);
    for (size_t i = 0; i < w->count; i++)
        if (w->part[i].count == 1) {
            arb_neg(part, w->part[i].pair[0].infinite);
            arb_log1p(part, part, prec);
            arb_addmul_ui(w->infinite, part, w->part[i].times, prec);
        }
    pby_expm1(w->infinite, w->infinite, prec);
    arb_neg(w->infinite, w->infinite);
}

struct walk {
    pby_few_way *way;
    size_t next; /* of the tallies */
    slong prec;
};

/* The tallies in the same order as they were made in, each with its chance: the number n of uses that come
 * out like this among the rest has a binomial one. */
static void weigh(struct walk *walk, size_t part, size_t outcome, uint64_t rest, const arb_t chance)
{
    pby_few_way *w = walk->way;
    while (part < w->count && w->part[part].count > 1)
        if (++part < w->count)
            rest = w->part[part].times;
    if (part == w->count) {
        arb_ptr weight = w->weight + w->tally[walk->next++];
        arb_add(weight, weight, chance, walk->prec);
        return;
    }
    const pby_few_pair *pair = &w->part[part].pair[0];
    PBY_ARB(here);
    if (outcome + 1 == pair->count) {
        arb_pow_ui(here, pair->mass + outcome, rest, walk->prec);
        arb_mul(here, here, chance, walk->prec);
        weigh(walk, part + 1, 0, part + 1 < w->count ? w->part[part + 1].times : 0, here);
    } else {
        arb_set(here, chance);
        for (uint64_t n = 0; n <= rest; n++) {
            weigh(walk, part, outcome + 1, rest - n, here);
            arb_mul(here, here, pair->mass + outcome, walk->prec);
            arb_mul_ui(here, here, rest - n, walk->prec);
            arb_div_ui(here, here, n + 1, walk->prec);
        }
    }
}

static void prepare(pby_few_way *w, slong prec)
{
    struct walk walk = {w, 0, prec};
    if (w->prec == prec)
        return;
    PBY_ARB(one);
    arb_one(one);
    for (size_t i = 0; i < w->count; i++)
        for (size_t c = 0; c < w->part[i].count; c++)
            set_masses(&w->part[i].pair[c], prec);
    for (size_t a = 0; a < w->axes.count; a++)
        pby_axis_loss(w->loss + a, &w->axes, a, prec);
    set_infinite(w, prec);
    _arb_vec_zero(w->weight, (slong)w->starts);
    weigh(&walk, 0, 0, w->part[0].times, one);
    w->prec = prec;
}

/* ---- the recursion ---------------------------------------------------------------------------- */

/* max(0, 1 - exp(epsilon - loss)), all uses being done. */
static void end_value(arb_t value, const pby_few_way *w, const int32_t *key, const arb_t epsilon)
{
    arb_set(value, epsilon);
    for (size_t a = 0; a < w->axes.count; a++)
        if (key[a] != 0)
            arb_submul_si(value, w->loss + a, key[a], w->prec);
    if (arb_is_nonnegative(value)) {
        arb_zero(value);
        return;
    }
    arb_expm1(value, value, w->prec);
    arb_neg(value, value);
    arb_nonnegative_part(value, value);
}

/* Raises the value to that of the worst pair of a part, whose outcomes lead to the children from `first` on.
 */
static void raise_value(arb_t value, const pby_few_way *w, const pby_few_part *part, size_t first)
{
    PBY_ARB(sum);
    for (size_t c = 0; c < part->count; c++) {
        arb_set(sum, part->pair[c].infinite);
        for (size_t i = 0; i < part->pair[c].count; i++)
            arb_addmul(sum, part->pair[c].mass + i, w->value + w->child[first++], w->prec);
        arb_max(value, value, sum, w->prec);
    }
}

static size_t outcomes(const pby_few_part *part)
{
    size_t n = 0;
    for (size_t c = 0; c < part->count; c++)
        n += part->pair[c].count;
    return n;
}

/* A child comes after what leads to it. */
static void set_values(pby_few_way *w, const arb_t epsilon)
{
    size_t first = w->children;
    for (size_t s = w->state.count; s-- > 0;) {
        const int32_t *key = pby_states_at(&w->state, s);
        bool end = true;
        arb_zero(w->value + s);
        for (size_t i = w->count; i-- > 0;)
            if (key[w->axes.count + i] > 0) {
                end = false;
                first -= outcomes(&w->part[i]);
                raise_value(w->value + s, w, &w->part[i], first);
            }
        if (end)
            end_value(w->value + s, w, key, epsilon);
    }
}

void pby_few_delta(arb_t delta, pby_few *few, const fmpq_t epsilon, slong prec)
{
    enum { GUARD = 64 };
    PBY_ARB(at, sum);
    arb_zero(delta);
    arb_set_fmpq(at, epsilon, prec + GUARD);
    for (size_t i = 0; i < few->count; i++) {
        pby_few_way *w = &few->way[i];
        prepare(w, prec + GUARD);
        set_values(w, at);
        arb_dot(sum, w->infinite, 0, w->weight, 1, w->value, 1, (slong)w->starts, prec + GUARD);
        arb_max(delta, delta, sum, prec);
    }
}
