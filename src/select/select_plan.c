/* SPDX-License-Identifier: MIT */
/* Chooses the width of buckets. */
#include "number/integer.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/buckets.h"
#include "probity/select.h"

enum { DIMENSION_MAX = 64 };

void pby_plan_init(pby_plan *plan)
{
    mpz_init(plan->side);
    mpq_inits(plan->width, plan->alpha, plan->beta, (mpq_ptr)0);
}

void pby_plan_clear(pby_plan *plan)
{
    mpz_clear(plan->side);
    mpq_clears(plan->width, plan->alpha, plan->beta, (mpq_ptr)0);
}

static pby_status check(const pby_bucketed *points, pby_error *err)
{
    if (mpq_sgn(points->bound) <= 0)
        return pby_refuse_mpq(err, "bound", points->bound, "a rational above 0");
    if (points->n == 0)
        return pby_fail(err, PBY_BAD, "records: expected at least 1");
    if (points->dimension == 0 || points->dimension > DIMENSION_MAX)
        return pby_fail(err, PBY_BAD, "dimension: expected an integer from 1 to %d", DIMENSION_MAX);
    return PBY_OK;
}

/* alpha = min(1, occupied q/n), where at most n of the side^dimension buckets are occupied. */
static void set_alpha(pby_plan *plan, const pby_bucketed *points)
{
    PBY_MPQ(n);
    pby_integer_set(mpq_numref(n), points->n);
    mpq_set_ui(plan->alpha, 0, 1);
    mpz_pow_ui(mpq_numref(plan->alpha), plan->side, (unsigned long)points->dimension);
    if (mpq_cmp(plan->alpha, n) > 0)
        mpq_set(plan->alpha, n);
    mpq_mul(plan->alpha, plan->alpha, points->q);
    mpq_div(plan->alpha, plan->alpha, n);
    if (mpq_cmp_ui(plan->alpha, 1, 1) > 0)
        mpq_set_ui(plan->alpha, 1, 1);
}

static void set_width(pby_plan *plan, const pby_bucketed *points, mpq_srcptr width)
{
    mpq_set(plan->width, width);
    mpq_div_2exp(plan->beta, width, 1);
    set_alpha(plan, points);
}

pby_status pby_plan_side(pby_plan *plan, const pby_bucketed *points, mpz_srcptr side, pby_error *err)
{
    const pby_status status = check(points, err);
    if (status != PBY_OK)
        return status;
    if (mpz_sgn(side) <= 0)
        return pby_fail(err, PBY_BAD, "side: expected at least one bucket");
    PBY_MPQ(width);
    mpq_set_z(width, side);
    mpq_div(width, points->bound, width);
    mpz_set(plan->side, side);
    set_width(plan, points, width);
    return PBY_OK;
}

/* The width is 2 beta, and the last bucket may stick out; never wider than the bound. */
pby_status pby_plan_beta(pby_plan *plan, const pby_bucketed *points, mpq_srcptr beta, pby_error *err)
{
    const pby_status status = check(points, err);
    if (status != PBY_OK)
        return status;
    if (mpq_sgn(beta) <= 0)
        return pby_refuse_mpq(err, "beta", beta, "a rational above 0");
    mpq_t width, sides;
    mpq_inits(width, sides, (mpq_ptr)0);
    mpq_mul_2exp(width, beta, 1);
    if (mpq_cmp(width, points->bound) > 0)
        mpq_set(width, points->bound);
    mpq_div(sides, points->bound, width);
    mpz_cdiv_q(plan->side, mpq_numref(sides), mpq_denref(sides));
    set_width(plan, points, width);
    mpq_clears(width, sides, (mpq_ptr)0);
    return PBY_OK;
}

/* side^dimension q <= alpha n */
pby_status pby_plan_alpha(pby_plan *plan, const pby_bucketed *points, mpq_srcptr alpha, pby_error *err)
{
    pby_status status = check(points, err);
    if (status != PBY_OK)
        return status;
    if (mpq_sgn(alpha) < 0 || mpq_cmp_ui(alpha, 1, 1) > 0)
        return pby_refuse_mpq(err, "alpha", alpha, "a rational from 0 to 1");
    PBY_MPQ(buckets);
    PBY_MPZ(side);
    pby_integer_set(mpq_numref(buckets), points->n);
    mpq_mul(buckets, buckets, alpha);
    mpq_div(buckets, buckets, points->q);
    mpz_fdiv_q(side, mpq_numref(buckets), mpq_denref(buckets));
    mpz_root(side, side, (unsigned long)points->dimension);
    return mpz_sgn(side) > 0
               ? pby_plan_side(plan, points, side, err)
               : pby_refuse_mpq(err, "alpha", alpha,
                                "at least q/n, what a single bucket may lose: the records bind");
}
