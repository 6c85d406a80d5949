/* SPDX-License-Identifier: MIT */
#include "mechanism/stlap/size.h"

#include "law/laws.h"
#include "number/scoped.h"
#include "pair/product.h"

/* The product of the bars is written out while its sums have no more terms than this: five full bars. */
enum { TERMS_MAX = 20000 };

pby_status pby_stlap_size_law(pby_law **out, const pby_stlap_size *s, int64_t records, pby_error *err)
{
    PBY_FMPQ(q);
    fmpq_mul_si(q, s->tau, records);
    return pby_law_stlap(out, s->eps, q, err);
}

int64_t pby_stlap_size_reach(const pby_stlap_size *s, int64_t records)
{
    PBY_FMPQ(q, half);
    PBY_FMPZ(reach);
    fmpq_mul_si(q, s->tau, records);
    fmpq_set_si(half, 1, 2);
    fmpq_sub(q, q, half);
    fmpz_cdiv_q(reach, fmpq_numref(q), fmpq_denref(q));
    return fmpz_get_si(reach);
}

/* The chance of max(0, x + R) = y, over the law's norm. */
static void outcome(pby_expsum_t out, const pby_law *law, int64_t x, int64_t y)
{
    if (y == 0)
        pby_law_below(out, law, -x);
    else
        pby_law_mass(out, law, y - x);
}

pby_status pby_stlap_bar(pby_pair *pair, const pby_law *one, int64_t x, const pby_law *other, int64_t y,
                         pby_error *err)
{
    pby_expsum_t p, q;
    pby_status status = PBY_OK;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_set(pair->norm_p, one->norm);
    pby_expsum_set(pair->norm_q, other->norm);
    const int64_t from = FLINT_MAX(0, FLINT_MIN(x + one->lo, y + other->lo)), to = FLINT_MAX(x, y);
    for (int64_t k = from; k <= to && status == PBY_OK; k++) {
        outcome(p, one, x, k);
        outcome(q, other, y, k);
        status = pby_pair_append(pair, p, q, err);
    }
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    pby_pair_merge(pair);
    return status;
}

pby_status pby_stlap_size_bar(pby_pairs *out, const pby_stlap_size *s, int64_t x, int64_t y, pby_error *err)
{
    pby_law *small = NULL, *large = NULL;
    pby_status status = pby_pairs_init(out, 2, err);
    if (status == PBY_OK)
        status = pby_stlap_size_law(&small, s, s->n, err);
    if (status == PBY_OK)
        status = pby_stlap_size_law(&large, s, s->n + 1, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        out->pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
        status = pby_stlap_bar(&out->pair[i], small, x, large, y, err);
        if (i == 1)
            pby_pair_reverse(&out->pair[i]);
    }
    pby_law_free(large);
    pby_law_free(small);
    if (status != PBY_OK)
        pby_pairs_clear(out);
    return status;
}

int64_t pby_stlap_size_filled(const pby_stlap_size *s)
{
    const int64_t rest = s->n - pby_stlap_size_reach(s, s->n), each = pby_stlap_size_reach(s, s->n + 1);
    return each == 0 ? s->bars - 1 : FLINT_MIN(s->bars - 1, rest / each);
}

/* A bar of one likelihood ratio, which is then 1, shows nothing; any other makes the product grow. */
pby_status pby_stlap_multiply(pby_pair *all, bool *small, const pby_pair *factor, pby_error *err)
{
    if (factor->count <= 1)
        return PBY_OK;
    *small = pby_pair_terms(all) * factor->count <= TERMS_MAX;
    return *small ? pby_pair_multiply(all, factor, err) : PBY_OK;
}

/* all *= other^(bars - 1) */
static pby_status spread(pby_pair *all, bool *small, const pby_pair *other, int64_t bars, pby_error *err)
{
    for (int64_t i = 1; other->count > 1 && i < bars && *small; i++)
        PBY_TRY(pby_stlap_multiply(all, small, other, err));
    return PBY_OK;
}

pby_status pby_stlap_full(pby_pairs *out, bool *small, const pby_stlap_size *s, pby_error *err)
{
    pby_pairs other = {NULL, 0};
    const int64_t full = pby_stlap_size_reach(s, s->n + 1);
    *small = true;
    pby_status status = pby_stlap_size_bar(out, s, full, full + 1, err);
    if (status == PBY_OK && s->bars > 1)
        status = pby_stlap_size_bar(&other, s, full, full, err);
    for (size_t i = 0; i < other.count && status == PBY_OK && *small; i++)
        status = spread(&out->pair[i], small, &other.pair[i], s->bars, err);
    pby_pairs_clear(&other);
    if (status != PBY_OK || !*small)
        pby_pairs_clear(out);
    return status;
}
