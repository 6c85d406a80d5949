/* SPDX-License-Identifier: MIT */
#include "tests/mechanism/outcomes.h"
#include "tests/claims/decide.h"

#include <criterion/criterion.h>

#include "loss/divergence/divergence.h"
#include "loss/loss.h"
#include "tests/spec.h"

/* Adds max(0, P - e Q) over all outcomes of the first bars, x and y being the masses of those of the others.
 */
static void add_outcomes(arb_t out, const arb_ptr *p, const arb_ptr *q, int bars, slong outcomes,
                         const arb_t e, const arb_t x, const arb_t y)
{
    arb_t next_x, next_y;
    arb_init(next_x);
    arb_init(next_y);
    for (slong i = 0; i < outcomes; i++) {
        arb_mul(next_x, x, p[bars - 1] + i, OUTCOMES_PREC);
        if (arb_is_zero(next_x))
            continue;
        arb_mul(next_y, y, q[bars - 1] + i, OUTCOMES_PREC);
        if (bars > 1) {
            add_outcomes(out, p, q, bars - 1, outcomes, e, next_x, next_y);
        } else {
            arb_submul(next_x, e, next_y, OUTCOMES_PREC);
            arb_nonnegative_part(next_x, next_x);
            arb_add(out, out, next_x, OUTCOMES_PREC);
        }
    }
    arb_clear(next_y);
    arb_clear(next_x);
}

void outcomes_divergence(arb_t out, const arb_ptr *p, const arb_ptr *q, int bars, slong outcomes,
                         const fmpq_t epsilon)
{
    arb_t one, e;
    arb_init(one);
    arb_init(e);
    arb_one(one);
    arb_set_fmpq(e, epsilon, OUTCOMES_PREC);
    arb_exp(e, e, OUTCOMES_PREC);
    arb_zero(out);
    add_outcomes(out, p, q, bars, outcomes, e, one, one);
    arb_clear(e);
    arb_clear(one);
}

void outcomes_bound(arb_t out, const char *text, pby_neighbours relation, const fmpq_t epsilon)
{
    pby_spec *spec = spec_of(text);
    pby_pairs pairs;
    arb_t ball;
    arb_init(ball);
    arb_zero(out);
    cr_assert_eq(pby_loss_pairs(&pairs, spec, relation, false, NULL), PBY_OK);
    for (size_t i = 0; i < pairs.count; i++) {
        pby_hockey_stick_direct(ball, &pairs.pair[i], epsilon, OUTCOMES_PREC);
        arb_max(out, out, ball, OUTCOMES_PREC);
    }
    pby_pairs_clear(&pairs);
    arb_clear(ball);
    pby_spec_free(spec);
}

void outcomes_check(const arb_t bound, const arb_t worst, int reached, const char *spec)
{
    arb_t gap;
    arb_init(gap);
    arb_sub(gap, bound, worst, OUTCOMES_PREC);
    cr_assert(claims_may_le_arb(CLAIMS_ALL, worst, bound), "%s: a neighbour is worse than the pairs", spec);
    mag_zero(arb_radref(gap));
    cr_assert(!reached || arf_cmpabs_2exp_si(arb_midref(gap), -180) < 0, "%s: the pairs are not reached",
              spec);
    arb_clear(gap);
}

static void power(arb_t out, const fmpq_t rate, slong k)
{
    arb_set_fmpq(out, rate, OUTCOMES_PREC);
    arb_mul_si(out, out, -k, OUTCOMES_PREC);
    arb_exp(out, out, OUTCOMES_PREC);
}

void outcomes_geometric(arb_t out, const fmpq_t rate, slong k)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    power(a, rate, 1);
    power(out, rate, k < 0 ? -k : k);
    arb_sub_ui(b, a, 1, OUTCOMES_PREC);
    arb_neg(b, b);
    arb_mul(out, out, b, OUTCOMES_PREC);
    arb_add_ui(a, a, 1, OUTCOMES_PREC);
    arb_div(out, out, a, OUTCOMES_PREC);
    arb_clear(b);
    arb_clear(a);
}

void outcomes_geometric_from(arb_t out, const fmpq_t rate, slong k)
{
    arb_t a;
    arb_init(a);
    power(a, rate, 1);
    arb_add_ui(a, a, 1, OUTCOMES_PREC);
    power(out, rate, k > 0 ? k : 1 - k);
    arb_div(out, out, a, OUTCOMES_PREC);
    if (k <= 0) {
        arb_sub_ui(out, out, 1, OUTCOMES_PREC);
        arb_neg(out, out);
    }
    arb_clear(a);
}

void outcomes_threshold(arb_ptr out, const fmpq_t rate, slong threshold, slong count, slong span)
{
    for (slong i = 0; i < span + 2; i++)
        arb_zero(out + i);
    arb_one(out);
    if (count == 0)
        return;
    outcomes_geometric_from(out, rate, threshold - count);
    arb_sub_ui(out, out, 1, OUTCOMES_PREC);
    arb_neg(out, out);
    for (slong i = 0; i < span; i++)
        outcomes_geometric(out + 1 + i, rate, threshold + i - count);
    outcomes_geometric_from(out + 1 + span, rate, threshold + span - count);
}

void outcomes_range(arb_ptr out, const fmpq_t rate, slong reach, slong count, slong most, slong span)
{
    arb_one(out);
    for (slong i = 0; i < span; i++) {
        const slong noise = i - most - count;
        arb_zero(out + 1 + i);
        if (noise < -reach || noise > reach)
            continue;
        outcomes_geometric(out + 1 + i, rate, noise);
        arb_sub(out, out, out + 1 + i, OUTCOMES_PREC);
    }
}
