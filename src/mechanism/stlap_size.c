#include "mechanism/stlap_size.h"

#include "law/laws.h"
#include "mechanism/product.h"

/* The product of the bars is written out while its sums have no more terms than this. */
enum { TERMS_MAX = 6000 };

pby_status pby_stlap_size_law(pby_law **out, const pby_stlap_size *s, int64_t records, pby_error *err)
{
    fmpq_t q;
    fmpz_t size;
    fmpq_init(q);
    fmpz_init_set_si(size, records);
    fmpq_mul_fmpz(q, s->tau, size);
    const pby_status status = pby_law_stlap(out, s->eps, q, err);
    fmpz_clear(size);
    fmpq_clear(q);
    return status;
}

/* P = one bounded law, Q = another shifted. */
static pby_status between(pby_pair *pair, const pby_law *one, const pby_law *other, int64_t shift, pby_error *err)
{
    pby_expsum_t p, q;
    pby_status status = PBY_OK;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_set(pair->norm_p, one->norm);
    pby_expsum_set(pair->norm_q, other->norm);
    const int64_t from = FLINT_MIN(one->lo, other->lo + shift), to = FLINT_MAX(one->hi, other->hi + shift);
    for (int64_t k = from; k <= to && status == PBY_OK; k++) {
        pby_law_mass(p, one, k);
        pby_law_mass(q, other, k - shift);
        status = pby_pair_append(pair, p, q, err);
    }
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    pby_pair_merge(pair);
    return status;
}

pby_status pby_stlap_size_bar(pby_pairs *out, const pby_stlap_size *s, bool touched, pby_error *err)
{
    pby_law *small = NULL, *large = NULL;
    pby_status status = pby_pairs_init(out, 2, err);
    if (status == PBY_OK)
        status = pby_stlap_size_law(&small, s, s->n, err);
    if (status == PBY_OK)
        status = pby_stlap_size_law(&large, s, s->n + 1, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        out->pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
        status = between(&out->pair[i], small, large, touched ? 1 : 0, err);
        if (i == 1)
            pby_pair_reverse(&out->pair[i]);
    }
    pby_law_free(large);
    pby_law_free(small);
    if (status != PBY_OK)
        pby_pairs_clear(out);
    return status;
}

/* all *= other^(bars - 1); *small is false when that grows too large. A bar of one likelihood ratio, which is then 1,
 * shows nothing; any other makes the product grow at every step. */
static pby_status spread(pby_pair *all, bool *small, const pby_pair *other, int64_t bars, pby_error *err)
{
    pby_status status = PBY_OK;
    for (int64_t i = 1; other->count > 1 && i < bars && *small && status == PBY_OK; i++) {
        *small = pby_pair_terms(all) * other->count <= TERMS_MAX;
        if (*small)
            status = pby_pair_multiply(all, other, err);
    }
    return status;
}

pby_status pby_stlap_size_pairs(pby_pairs *out, const pby_stlap_size *s, pby_error *err)
{
    pby_pairs other = {NULL, 0};
    bool small = true;
    pby_status status = pby_stlap_size_bar(out, s, true, err);
    if (status == PBY_OK && s->bars > 1)
        status = pby_stlap_size_bar(&other, s, false, err);
    for (size_t i = 0; i < other.count && status == PBY_OK && small; i++)
        status = spread(&out->pair[i], &small, &other.pair[i], s->bars, err);
    pby_pairs_clear(&other);
    if (status != PBY_OK || !small)
        pby_pairs_clear(out);
    return status;
}
