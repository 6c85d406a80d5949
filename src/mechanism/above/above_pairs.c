/* SPDX-License-Identifier: MIT */
/* The pairs that dominate above threshold (docs/theory/above.md).
 *
 * With c = exp(-rate d), rate that of an answer's noise, the losses are multiples of rate d, and the masses
 * polynomials in c over a norm. */
#include "mechanism/above/above_pairs.h"
#include "law/law_exponential.h"

enum { DEGREE = 4 };

/* Coefficients of 1, c, c^2, ... */
typedef slong polynomial[DEGREE + 1];

static void set_polynomial(pby_expsum_t x, const polynomial a, const fmpq_t rate, int64_t d)
{
    pby_expsum_zero(x);
    for (int k = 0; k <= DEGREE; k++)
        pby_add_power(x, a[k], rate, k * d);
}

struct outcome {
    polynomial p, q;
};

static pby_status make_pair(pby_pair *pair, const polynomial norm, const struct outcome *outcome, size_t n,
                            const fmpq_t rate, int64_t d, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    set_polynomial(pair->norm_p, norm, rate, d);
    set_polynomial(pair->norm_q, norm, rate, d);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        set_polynomial(p, outcome[i].p, rate, d);
        set_polynomial(q, outcome[i].q, rate, d);
        status = pby_pair_append(pair, p, q, err);
    }
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* Losses 4, 2, 1, 0 and their reverses, over (1 + c + c^2)(1 + c)^2. */
pby_status pby_above_pairs_general(pby_pairs *out, const fmpq_t rate, int64_t d, pby_error *err)
{
    static const polynomial norm = {1, 3, 4, 3, 1};
    static const struct outcome outcome[] = {
        {{1}, {0, 0, 0, 0, 1}},       {{0, 1}, {0, 0, 0, 1}},    {{0, 1, 1}, {0, 0, 1, 1}},
        {{0, 1, 2, 1}, {0, 1, 2, 1}}, {{0, 0, 1, 1}, {0, 1, 1}}, {{0, 0, 0, 1}, {0, 1}},
        {{0, 0, 0, 0, 1}, {1}},
    };
    const pby_status status = pby_pairs_init(out, 1, err);
    return status == PBY_OK
               ? make_pair(&out->pair[0], norm, outcome, sizeof outcome / sizeof *outcome, rate, d, err)
               : status;
}

/* Losses 2, 0 and -2, over 1 + c + c^2. */
pby_status pby_above_pairs_group(pby_pairs *out, const fmpq_t rate, int64_t d, pby_error *err)
{
    static const polynomial norm = {1, 1, 1};
    static const struct outcome outcome[] = {{{1}, {0, 0, 1}}, {{0, 1}, {0, 1}}, {{0, 0, 1}, {1}}};
    const pby_status status = pby_pairs_init(out, 1, err);
    return status == PBY_OK
               ? make_pair(&out->pair[0], norm, outcome, sizeof outcome / sizeof *outcome, rate, d, err)
               : status;
}

/* Losses 2, 0 and -1, over (1 + c)^2, where answers rise from P to Q; and the reverse. */
pby_status pby_above_pairs_monotone(pby_pairs *out, const fmpq_t rate, int64_t d, pby_error *err)
{
    static const polynomial norm = {1, 2, 1};
    static const struct outcome outcome[] = {{{1}, {0, 0, 1}}, {{0, 1}, {0, 1}}, {{0, 1, 1}, {1, 1}}};
    pby_status status = pby_pairs_init(out, 2, err);
    for (size_t i = 0; i < 2 && status == PBY_OK; i++) {
        status = make_pair(&out->pair[i], norm, outcome, sizeof outcome / sizeof *outcome, rate, d, err);
        out->pair[i].direction = i == 0 ? PBY_FORWARD : PBY_BACKWARD;
    }
    if (status == PBY_OK)
        pby_pair_reverse(&out->pair[1]);
    return status;
}
