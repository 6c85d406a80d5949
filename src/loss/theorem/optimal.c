/* SPDX-License-Identifier: MIT */
/* The optimal composition of k mechanisms of one epsilon and delta: that of k randomised responses, each of
 * which fails openly with probability delta. */
#include "loss/compose/limits.h"
#include "loss/theorem/advanced.h"
#include "number/ball.h"
#include "number/scoped.h"

static const pby_parts *parts_of(const pby_profile *p)
{
    return &((const pby_theorem *)p)->parts;
}

/* ball = the sum over i of C(k,i) max(0, exp((k-i) e) - exp(epsilon + i e)) / (1 + exp(e))^k: the delta of
 * k randomised responses. Its terms fall off to zero and stay there. */
static void responses(arb_t ball, const arb_t e, uint64_t k, const fmpq_t epsilon, slong prec)
{
    PBY_ARB(weight, gap, ratio, term);
    arb_neg(ratio, e);
    arb_exp(ratio, ratio, prec);
    arb_log1p(weight, ratio, prec);
    arb_mul_ui(weight, weight, k, prec);
    arb_neg(weight, weight);
    arb_exp(weight, weight, prec);
    arb_zero(ball);
    for (uint64_t i = 0; i <= k; i++) {
        arb_set_fmpq(gap, epsilon, prec);
        arb_mul_si(term, e, (slong)(2 * i) - (slong)k, prec);
        arb_add(gap, gap, term, prec);
        if (arb_is_nonnegative(gap))
            break;
        arb_expm1(gap, gap, prec);
        arb_neg(gap, gap);
        arb_nonnegative_part(gap, gap);
        arb_addmul(ball, weight, gap, prec);
        arb_mul_ui(weight, weight, k - i, prec);
        arb_div_ui(weight, weight, i + 1, prec);
        arb_mul(weight, weight, ratio, prec);
    }
}

/* 1 - (1-d)^k (1 - responses) */
static pby_status optimal_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                                pby_error *err)
{
    (void)err;
    const pby_part *part = &parts_of(p)->part[0];
    const slong working = prec + 2 * (slong)FLINT_BIT_COUNT(part->times) + 32;
    arb_t e, d;
    arb_init(e);
    arb_init(d);
    pby_part_guarantee(e, d, part, working);
    if (pby_parts_beyond(parts_of(p), epsilon))
        arb_zero(ball);
    else
        responses(ball, e, part->times, epsilon, working);
    if (arb_is_one(d)) {
        arb_one(ball);
        arb_clear(d);
        arb_clear(e);
        return PBY_OK;
    }
    arb_neg(d, d);
    arb_log1p(d, d, working);
    arb_mul_ui(d, d, part->times, working);
    arb_exp(e, d, working);
    arb_mul(ball, ball, e, working);
    pby_expm1(d, d, working);
    arb_sub(ball, ball, d, prec);
    arb_clear(d);
    arb_clear(e);
    return PBY_OK;
}

static pby_status optimal_limit(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)err;
    pby_parts_limit(ball, parts_of(p), prec);
    return PBY_OK;
}

static pby_status optimal_limit_sign(int *sign, const pby_profile *p, const fmpq_t level, pby_error *err)
{
    slong bits;
    return pby_parts_limit_sign(sign, &bits, parts_of(p), level, err);
}

static pby_status optimal_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)err;
    pby_parts_largest(ball, parts_of(p), prec);
    return PBY_OK;
}

static const pby_profile_class OPTIMAL = {.delta = optimal_delta,
                                          .limit = optimal_limit,
                                          .limit_sign = optimal_limit_sign,
                                          .largest = optimal_largest,
                                          .free = pby_theorem_free};

pby_status pby_profile_optimal(pby_profile **out, pby_parts *parts, pby_error *err)
{
    if (parts->count != 1 || parts->part[0].times > PBY_OPTIMAL_TIMES_MAX) {
        pby_parts_clear(parts);
        *out = NULL;
        return pby_fail(err, PBY_BAD, "the optimal composition: expected one mechanism, at most %d times",
                        PBY_OPTIMAL_TIMES_MAX);
    }
    return pby_theorem_new(out, &OPTIMAL, parts, err);
}
