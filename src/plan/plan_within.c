/* SPDX-License-Identifier: MIT */
#include "plan/plan_within.h"

#include <math.h>

#include "number/scoped.h"
#include "plan/plan_error.h"
#include "select/select_bisect.h"

/* Candidates are decimals of 4 digits from 1e-9 on, numbered from 1 on; of others their inverses, so that
 * noise grows with the number. */
enum { MANTISSA = 1000, DECADE = 9 * MANTISSA, DECADES_BELOW = 9, DECADES = 30, LAST = DECADES * DECADE };

static void noise_of(pby_plan_quantity *q, int64_t i)
{
    const int64_t exponent = (i - 1) / DECADE - DECADES_BELOW - 3;
    PBY_MPZ(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)(exponent < 0 ? -exponent : exponent));
    mpq_set_ui(q->noise, (unsigned long)(MANTISSA + (i - 1) % DECADE), 1);
    mpz_mul(exponent < 0 ? mpq_denref(q->noise) : mpq_numref(q->noise),
            exponent < 0 ? mpq_denref(q->noise) : mpq_numref(q->noise), power);
    mpq_canonicalize(q->noise);
    if (q->family != PBY_PLAN_DGAUSS)
        mpq_inv(q->noise, q->noise);
}

static pby_status judge(pby_decision *verdict, int64_t i, const void *what, pby_error *err)
{
    pby_plan_quantity q = *(const pby_plan_quantity *)what;
    PBY_MPQ(error);
    mpq_init(q.noise);
    noise_of(&q, i);
    const pby_status status = pby_plan_error(error, &q, q.cells, 20, err);
    mpq_clear(q.noise);
    *verdict = mpq_cmp(error, q.within) <= 0 ? PBY_WITHIN : PBY_BEYOND;
    return status;
}

/* About where the change is: of cells^-1/20 the tail of the noise is exp(-x^2/2) or exp(-eps x/d). No claim
 * rests on it. */
static int64_t first_candidate(const pby_plan_quantity *q)
{
    const size_t outcomes = q->candidates > 0 ? q->cells * q->candidates : q->cells;
    const double tail = log(20.0 * (double)outcomes), within = mpq_get_d(q->within);
    const double size = (double)q->moves.size[0] / (double)q->unit * (q->general ? 2 : 1);
    const double noise = q->family == PBY_PLAN_DGAUSS ? within * within / (2 * tail) : within / (tail * size);
    const double decade = floor(log10(noise));
    const double i = (decade + DECADES_BELOW) * DECADE + (noise / pow(10, decade) - 1) * MANTISSA + 1;
    return i < 1 ? 1 : i > LAST ? LAST : (int64_t)i;
}

pby_status pby_plan_set_within(pby_plan_quantity *q, pby_error *err)
{
    pby_edge edge;
    const int64_t start = first_candidate(q);
    const pby_candidates candidates = {
        .first = start > DECADE ? start - DECADE : 1, .stride = 1, .last = start + DECADE, .start = start};
    PBY_TRY(pby_edge_find(&edge, judge, q, &candidates, false, err));
    if (edge.within == 0)
        return pby_fail(err, PBY_NO, "within: no noise that is tried is as small");
    noise_of(q, edge.within);
    return PBY_OK;
}
