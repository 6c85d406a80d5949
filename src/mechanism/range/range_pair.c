/* SPDX-License-Identifier: MIT */
#include "mechanism/range/range_pair.h"

#include "number/scoped.h"
#include "pair/product.h"

static void between(pby_expsum_t out, const pby_law *law, int64_t from, int64_t to)
{
    pby_expsum_t before;
    pby_expsum_init(before);
    pby_law_below(out, law, to);
    pby_law_below(before, law, from - 1);
    pby_expsum_sub(out, out, before);
    pby_expsum_clear(before);
}

/* The outcomes from .. to as one atom, for the bars 0 and s; each side has its own reach. */
static pby_status append_run(pby_pair *pair, const pby_law *law, int64_t reach, int64_t s, int64_t from,
                             int64_t to, pby_error *err)
{
    if (from > to)
        return PBY_OK;
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    if (to <= reach)
        between(p, law, from, to);
    if (from >= s - reach)
        between(q, law, from - s, to - s);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

static pby_status append_nothing(pby_pair *pair, const pby_law *law, int64_t reach, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    between(p, law, -reach, reach);
    pby_expsum_sub(p, law->norm, p);
    pby_expsum_set(q, p);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* Both possible: one atom up to 0, one from s on, and one for each outcome between. */
static pby_status append_common(pby_pair *pair, const pby_law *law, int64_t reach, int64_t s, pby_error *err)
{
    const int64_t from = s - reach, to = reach;
    pby_status status = append_run(pair, law, reach, s, from, FLINT_MIN(0, to), err);
    for (int64_t v = FLINT_MAX(from, 1); v < s && v <= to && status == PBY_OK; v++)
        status = append_run(pair, law, reach, s, v, v, err);
    return status == PBY_OK ? append_run(pair, law, reach, s, FLINT_MAX(from, s), to, err) : status;
}

static pby_status bar_pair(pby_pair *pair, const pby_law *law, int64_t reach, int64_t s, pby_error *err)
{
    const int64_t distance = FLINT_MIN(s, 2 * reach + 1);
    pby_expsum_set(pair->norm_p, law->norm);
    pby_expsum_set(pair->norm_q, law->norm);
    pby_status status = append_run(pair, law, reach, distance, -reach, distance - reach - 1, err);
    if (status == PBY_OK)
        status = append_common(pair, law, reach, distance, err);
    if (status == PBY_OK)
        status = append_run(pair, law, reach, distance, reach + 1, distance + reach, err);
    return status == PBY_OK ? append_nothing(pair, law, reach, err) : status;
}

pby_status pby_range_pair(pby_pair *pair, const pby_law *law, int64_t reach, const pby_division *d,
                          pby_error *err)
{
    pby_status status = bar_pair(pair, law, reach, d->part[0], err);
    pby_pair_merge(pair);
    for (int64_t i = 1; i < d->count && status == PBY_OK; i++) {
        pby_pair bar;
        pby_pair_init(&bar);
        status = bar_pair(&bar, law, reach, d->part[i], err);
        pby_pair_merge(&bar);
        if (status == PBY_OK)
            status = pby_pair_multiply(pair, &bar, err);
        pby_pair_clear(&bar);
    }
    return status;
}

/* ---- coins ------------------------------------------------------------------------------------ */

/* Gives the input away unless `quiet` of `norm`. */
static pby_status coin(pby_pair *pair, const pby_expsum_t quiet, const pby_expsum_t norm, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_set(pair->norm_p, norm);
    pby_expsum_set(pair->norm_q, norm);
    pby_expsum_sub(p, norm, quiet);
    pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_zero(p);
    pby_expsum_sub(q, norm, quiet);
    if (status == PBY_OK)
        status = pby_pair_append(pair, p, q, err);
    pby_expsum_set(p, quiet);
    pby_expsum_set(q, quiet);
    if (status == PBY_OK)
        status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* No bar of the division shows what the other side cannot. */
pby_status pby_range_coin(pby_pair *pair, const pby_law *law, int64_t reach, const pby_division *d,
                          pby_error *err)
{
    pby_expsum_t quiet, norm, one;
    pby_expsum_init(quiet);
    pby_expsum_init(norm);
    pby_expsum_init(one);
    pby_expsum_one(quiet);
    pby_expsum_one(norm);
    for (int64_t i = 0; i < d->count; i++) {
        between(one, law, -reach, FLINT_MIN(d->part[i], 2 * reach + 1) - reach - 1);
        pby_expsum_sub(one, law->norm, one);
        pby_expsum_mul(quiet, quiet, one);
        pby_expsum_mul(norm, norm, law->norm);
    }
    const pby_status status = coin(pair, quiet, norm, err);
    pby_expsum_clear(one);
    pby_expsum_clear(norm);
    pby_expsum_clear(quiet);
    return status;
}

pby_status pby_slack_coin(pby_pair *pair, const fmpq_t chance, pby_error *err)
{
    pby_expsum_t quiet, norm;
    pby_expsum_init(quiet);
    pby_expsum_init(norm);
    PBY_FMPQ(zero, less);
    fmpq_neg(less, chance);
    pby_expsum_one(norm);
    pby_expsum_one(quiet);
    pby_expsum_add_term(quiet, less, zero);
    const pby_status status = coin(pair, quiet, norm, err);
    pby_expsum_clear(norm);
    pby_expsum_clear(quiet);
    return status;
}
