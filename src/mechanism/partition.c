/* partition:eps=e,delta=d: which bars are there at all, each shown with the largest chance p_k that (e, d)
 * allows a bar of k records, and nothing else (001 eq. 11, law/partition.c).
 *
 * The output is a set of names. Neighbours differ by one in one bar, so that the pairs are the two coins
 * (p_k, p_(k+1)) in both orders, for every k up to where p_k is 1. When a record is changed one bar gains
 * it and another loses it: the products of two of them.
 */
#include "kernel/partition.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/noise.h"

enum { EPS, DELTA };

/* The most pairs that are enumerated. */
enum { PAIRS_MAX = 1 << 16 };

static pby_status partition_check(const pby_mechanism *m, pby_error *err)
{
    if (fmpq_is_zero(&m->value[DELTA]))
        return pby_refuse(err, "partition:delta", "0", "a rational above 0: without it no bar could ever be shown");
    return PBY_OK;
}

static pby_status partition_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_partition(out, &m->value[EPS], &m->value[DELTA], err);
}

static pby_status append_outcome(pby_pair *pair, const pby_law *law, int64_t from, int64_t to, bool shown,
                                 pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_law_below(p, law, -from);
    pby_law_below(q, law, -to);
    if (shown) {
        pby_expsum_sub(p, law->norm, p);
        pby_expsum_sub(q, law->norm, q);
    }
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* A bar of `from` records against one of `to`. */
static pby_status coin(pby_pair *pair, const pby_law *law, int64_t from, int64_t to, pby_error *err)
{
    pby_expsum_set(pair->norm_p, law->norm);
    pby_expsum_set(pair->norm_q, law->norm);
    const pby_status status = append_outcome(pair, law, from, to, true, err);
    return status == PBY_OK ? append_outcome(pair, law, from, to, false, err) : status;
}

static pby_status one_bar(pby_pairs *out, const pby_law *law, int64_t sure, pby_error *err)
{
    pby_status status = pby_pairs_init(out, (size_t)(2 * sure), err);
    for (int64_t i = 0; i < 2 * sure && status == PBY_OK; i++) {
        const int64_t k = i / 2;
        const bool forward = i % 2 == 0;
        out->pair[i].direction = forward ? PBY_FORWARD : PBY_BACKWARD;
        status = coin(&out->pair[i], law, forward ? k : k + 1, forward ? k + 1 : k, err);
    }
    return status;
}

/* One bar goes from i to i + 1, another from j + 1 to j. */
static pby_status two_bars(pby_pairs *out, const pby_law *law, int64_t sure, pby_error *err)
{
    pby_status status = pby_pairs_init(out, (size_t)(sure * sure), err);
    for (int64_t i = 0; i < sure * sure && status == PBY_OK; i++) {
        pby_pair up, down;
        pby_pair_init(&up);
        pby_pair_init(&down);
        status = coin(&up, law, i / sure, i / sure + 1, err);
        if (status == PBY_OK)
            status = coin(&down, law, i % sure + 1, i % sure, err);
        if (status == PBY_OK)
            status = pby_pair_product(&out->pair[i], &up, &down, err);
        pby_pair_clear(&down);
        pby_pair_clear(&up);
    }
    return status;
}

static pby_status partition_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    pby_law *law;
    pby_status status = partition_law(&law, m, err);
    if (status != PBY_OK)
        return status;
    const int64_t sure = 1 - law->lo;
    const bool substitute = relation == PBY_SUBSTITUTE;
    if ((substitute ? sure * sure : 2 * sure) > PAIRS_MAX)
        status = pby_fail(err, PBY_BAD, "partition: more than %d pairs of counts to compare: expected larger eps or delta",
                          PAIRS_MAX);
    else
        status = (substitute ? two_bars : one_bar)(out, law, sure, err);
    pby_law_free(law);
    return status;
}

static bool partition_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                            slong prec)
{
    if (relation != PBY_ADD_REMOVE || fmpq_cmp(epsilon, &m->value[EPS]) < 0)
        return false;
    arb_set_fmpq(delta, &m->value[DELTA], prec);
    return true;
}

static pby_status partition_release(const pby_mechanism *m, pby_sampler *sampler, pby_entropy *source,
                                    const int64_t *counts, int64_t *noisy, size_t n, pby_error *err)
{
    (void)m;
    return pby_noise_occupied(pby_present, sampler, source, counts, noisy, n, err);
}

const pby_family pby_family_partition = {
    .name = "partition",
    .summary = "which bars are there, optimal partition selection",
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, a rational above 0"},
                   {"delta", PBY_PROBABILITY, NULL, "delta=D, a rational above 0 and at most 1"}},
    .check = partition_check,
    .law = partition_law,
    .pairs = partition_pairs,
    .claim = partition_claim,
    .claim_source = "001 eq. 11, delta",
    .form = PBY_RELEASE_PRESENT,
    .release = partition_release,
};
