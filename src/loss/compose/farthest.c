/* SPDX-License-Identifier: MIT */
#include "loss/compose/farthest.h"

#include "number/scoped.h"

/* The digits only choose among neighbours: a bad choice costs width and no truth. */
enum { PRECISION = 128, DIRECTIONS = 3 };

pby_status pby_pairs_diverge(pby_pairs *attained, const pby_mechanism *m, pby_neighbours relation,
                             pby_error *err)
{
    PBY_FMPQ(two);
    fmpq_set_si(two, 2, 1);
    const pby_wanted wanted = {PBY_DIVERGING, relation, .order = two};
    pby_product product;
    if (!pby_mechanism_lists(m, PBY_DIVERGING) || pby_mechanism_fixed(m) || pby_mechanism_truncated(m))
        return PBY_OK;
    PBY_TRY(pby_product_of(&product, m, &wanted, err));
    pby_pairs *more = &product.factor->pairs;
    if (product.count == 1 && product.factor->times == 1 && more->count > 0) {
        const pby_pairs few = *attained;
        *attained = *more;
        *more = few;
        for (size_t i = 0; i < attained->count; i++)
            pby_pair_merge(&attained->pair[i]);
    }
    pby_product_clear(&product);
    return PBY_OK;
}

/* x = a/b */
static void ratio(arb_t x, const pby_expsum_t a, const pby_expsum_t b)
{
    PBY_ARB(under);
    pby_expsum_get_arb(x, a, PRECISION);
    pby_expsum_get_arb(under, b, PRECISION);
    arb_div(x, x, under, PRECISION);
}

/* The sum of (p - q)^2/q over the outcomes; one that Q does not have counts p. */
static void pearson(arb_t sum, const pby_pair *pair)
{
    PBY_ARB(p, q);
    arb_zero(sum);
    for (size_t i = 0; i < pair->count; i++) {
        ratio(p, pair->atoms[i].p, pair->norm_p);
        ratio(q, pair->atoms[i].q, pair->norm_q);
        if (!pby_expsum_is_zero(pair->atoms[i].q)) {
            arb_sub(p, p, q, PRECISION);
            arb_sqr(p, p, PRECISION);
            arb_div(p, p, q, PRECISION);
        }
        arb_add(sum, sum, p, PRECISION);
    }
}

/* Moves the pair to the place, and what was there to its own. */
static void move_to(pby_pairs *pairs, size_t place, size_t from)
{
    const pby_pair moved = pairs->pair[from];
    pairs->pair[from] = pairs->pair[place];
    pairs->pair[place] = moved;
}

static void cut(pby_pairs *pairs, size_t count)
{
    for (; pairs->count > count; pairs->count--)
        pby_pair_clear(&pairs->pair[pairs->count - 1]);
}

static bool has_curve(const pby_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->pair[i].curve != NULL)
            return true;
    return false;
}

/* The farthest pair of a direction from `first` on; pairs->count if there is none. */
static size_t farthest(const pby_pairs *pairs, size_t first, pby_direction direction)
{
    size_t best = pairs->count;
    PBY_ARB(greatest, at);
    for (size_t i = first; i < pairs->count; i++) {
        if (pairs->pair[i].direction != direction)
            continue;
        pearson(at, &pairs->pair[i]);
        if (best < pairs->count && arf_cmp(arb_midref(at), arb_midref(greatest)) <= 0)
            continue;
        best = i;
        arb_swap(greatest, at);
    }
    return best;
}

void pby_pairs_keep_farthest(pby_pairs *pairs)
{
    static const pby_direction direction[DIRECTIONS] = {PBY_BOTH, PBY_FORWARD, PBY_BACKWARD};
    size_t kept = 0;
    if (has_curve(pairs)) {
        move_to(pairs, 0, pairs->count / 2);
        cut(pairs, 1);
        return;
    }
    for (size_t i = 0; i < DIRECTIONS; i++) {
        const size_t best = farthest(pairs, kept, direction[i]);
        if (best < pairs->count)
            move_to(pairs, kept++, best);
    }
    cut(pairs, kept);
}
