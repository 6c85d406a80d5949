/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "mechanism/run/noise_bars.h"
#include "probity/experimental/accuracy.h"
#include "probity/experimental/estimate.h"
#include "probity/experimental/parts.h"
#include "tests/claims/decide.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

enum { STEPS = 5, ODDS = 3 };

/* The report of a step, from the definition: 1 where the value is rounded up and told truly, or rounded down
 * and not. */
static void report(arb_ptr out, slong step)
{
    fmpq_t up;
    fmpq_init(up);
    fmpq_set_si(up, step * ODDS + (STEPS - step), STEPS * (ODDS + 1));
    arb_set_fmpq(out + 1, up, OUTCOMES_PREC);
    arb_sub_ui(out, out + 1, 1, OUTCOMES_PREC);
    arb_neg(out, out);
    fmpq_clear(up);
}

/* No two values lose more than is told, and the least and the greatest lose just that.
 * claims: Survey/Lemma 7.5 */
Test(onebit, no_two_values_are_worse_than_the_pair)
{
    static const char *const at[] = {"0", "1/2", "1", "-1/3", "6/5"};
    arb_ptr p = _arb_vec_init(2), r = _arb_vec_init(2);
    arb_t bound, worst;
    fmpq_t q;
    arb_init(bound);
    arb_init(worst);
    fmpq_init(q);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        set_text(q, at[i]);
        ask_delta_for(bound, "onebit:odds=3,hi=5", PBY_LOCAL, q, 40);
        for (slong x = 0; x <= STEPS; x++)
            for (slong y = 0; y <= STEPS; y++) {
                report(p, x);
                report(r, y);
                outcomes_divergence(worst, &p, &r, 1, 2, q);
                cr_assert(claims_may_le_arb(CLAIMS_ALL, worst, bound), "values %ld and %ld at %s", x, y,
                          at[i]);
                if (labs(x - y) == STEPS)
                    cr_assert(arb_overlaps(worst, bound), "the ends at %s", at[i]);
            }
    }
    fmpq_clear(q);
    arb_clear(worst);
    arb_clear(bound);
    _arb_vec_clear(r, 2);
    _arb_vec_clear(p, 2);
}

/* A count of n reports is beyond n p by so much with a chance of at most 2 exp(-2 d^2/n) (Hoeffding): d =
 * 2500 of n = 200000 is below 1e-26 for each of the six. */
Test(onebit, a_release_reports_with_the_chances_of_its_step)
{
    enum { N = 200000, FAR = 2500 };
    pby_spec *spec = spec_of("onebit:odds=3,hi=5");
    pby_release *release;
    static int64_t values[N], given[N];
    cr_assert_eq(pby_release_with(&release, spec, PBY_LOCAL, seeded(8), NULL), PBY_OK);
    cr_assert_eq(pby_release_most(release), STEPS);
    for (int64_t step = 0; step <= STEPS; step++) {
        int64_t ones = 0;
        for (size_t i = 0; i < N; i++)
            values[i] = step;
        cr_assert_eq(pby_release_counts(release, values, given, N, NULL), PBY_OK);
        for (size_t i = 0; i < N; i++) {
            cr_assert(given[i] == 0 || given[i] == 1);
            ones += given[i];
        }
        const double chance = ((double)step / STEPS * ODDS + 1 - (double)step / STEPS) / (ODDS + 1);
        cr_assert_lt(fabs((double)ones - N * chance), FAR, "step %ld", (long)step);
    }
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(onebit, a_step_that_there_is_not_is_refused)
{
    pby_spec *spec = spec_of("onebit:eps=1,hi=5");
    pby_release *release;
    pby_error err;
    const int64_t values[2] = {0, 6};
    int64_t given[2] = {5, 5};
    cr_assert_eq(pby_release_with(&release, spec, PBY_LOCAL, seeded(7), NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, values, given, 2, &err), PBY_BAD);
    cr_assert(given[0] == 0 && given[1] == 0, "nothing is left of it");
    cr_assert_str_eq(err.text, "values: expected steps from 0 to 5, those of onebit");
    cr_assert_eq(pby_release_timing_safe(release, &err), PBY_BAD);
    pby_release_free(release);
    pby_spec_free(spec);
}

/* ---- the mean ------------------------------------------------------------------------------------ */

enum { USERS = 10 };

/* onebit:odds=3,hi=5,lo=-5,grid=2 has the values -5, -3, ..., 5: steps 0 to 5. */
static void estimate_all(pby_estimates **out, const char *error)
{
    pby_spec *spec = spec_of("onebit:odds=3,hi=5,lo=-5,grid=2");
    for (int ones = 0; ones <= USERS; ones++) {
        pby_reports *reports;
        cr_assert_eq(pby_reports_new(&reports, spec, NULL), PBY_OK);
        for (int i = 0; i < USERS; i++)
            cr_assert_eq(pby_reports_add(reports, i < ones ? "1" : "0", NULL), PBY_OK);
        cr_assert_eq(pby_reports_add(reports, "2", NULL), PBY_BAD, "a report is 0 or 1");
        cr_assert_eq(pby_estimates_new(&out[ones], reports, pby_value_text(error), 0, NULL), PBY_OK);
        cr_assert_eq(pby_estimates_count(out[ones]), 1);
        pby_reports_free(reports);
    }
    pby_spec_free(spec);
}

/* law[j]: the chance of j reports of 1. */
static void law_of(double *law, const int *step)
{
    memset(law, 0, (USERS + 1) * sizeof *law);
    law[0] = 1;
    for (int i = 0; i < USERS; i++) {
        const double p = 0.25 + step[i] / 10.0;
        for (int j = i + 1; j >= 0; j--)
            law[j] = law[j] * (1 - p) + (j > 0 ? law[j - 1] * p : 0);
    }
}

static double low(const pby_enclosure *x)
{
    return mpfr_get_d(x->lo, MPFR_RNDN);
}

static double high(const pby_enclosure *x)
{
    return mpfr_get_d(x->hi, MPFR_RNDN);
}

/* Checks for these values that the estimate is unbiased, its variance within the stated one, and the interval
 * valid. */
static void expect_honest(const int *step, pby_estimates *const *estimates, double error)
{
    double law[USERS + 1], truth = 0, mean = 0, variance = 0, failed = 0;
    law_of(law, step);
    for (int i = 0; i < USERS; i++)
        truth += (-5.0 + 2 * step[i]) / USERS;
    for (int j = 0; j <= USERS; j++) {
        const pby_estimate *e = pby_estimates_at(estimates[j], 0);
        const double value = (low(&e->value) + high(&e->value)) / 2;
        mean += law[j] * value;
        variance += law[j] * (value - truth) * (value - truth);
        failed += e->empty || low(&e->interval) > truth + 1e-9 || high(&e->interval) < truth - 1e-9 ? law[j]
                                                                                                    : 0;
    }
    cr_assert(claims_le_d(CLAIMS_ALL, fabs(mean - truth), 1e-6));
    cr_assert(failed <= error + 1e-12, "fails with %g", failed);
    for (int j = 0; j <= USERS; j++) {
        const pby_estimate *e = pby_estimates_at(estimates[j], 0);
        cr_assert(variance >= low(&e->least) - 1e-6 && variance <= high(&e->most) + 1e-6);
        if (!e->empty && low(&e->interval) <= truth && truth <= high(&e->interval))
            cr_assert(variance >= low(&e->variance) - 1e-6 && variance <= high(&e->variance) + 1e-6);
    }
}

/* Users of all kinds: at the ends, all alike, and 2000 random ones from a fixed start.
 * claims: Survey/Section 7.4.2, unbiased; Survey/Theorem 7.9 */
Test(onebit, the_estimate_of_the_mean_holds_for_all_users)
{
    static const char *const errors[] = {"1/20", "1/2"};
    for (size_t e = 0; e < 2; e++) {
        pby_estimates *estimates[USERS + 1];
        int step[USERS] = {0};
        uint32_t seed = 1;
        const double error = e == 0 ? 0.05 : 0.5;
        estimate_all(estimates, errors[e]);
        cr_assert_str_eq(pby_estimates_at(estimates[0], 0)->name, "mean");
        for (int top = 0; top <= USERS; top++) {
            for (int i = 0; i < USERS; i++)
                step[i] = i < top ? STEPS : 0;
            expect_honest(step, estimates, error);
        }
        for (int round = 0; round < 2000; round++) {
            const bool alike = round % 7 == 0;
            for (int i = 0; i < USERS; i++) {
                seed = seed * 1664525u + 1013904223u;
                step[i] = alike && i > 0 ? step[0] : (int)(seed >> 16) % (STEPS + 1);
            }
            expect_honest(step, estimates, error);
        }
        for (int j = 0; j <= USERS; j++)
            pby_estimates_free(estimates[j]);
    }
}

static void refuses(const char *text, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
}

Test(onebit, refusals)
{
    refuses("onebit:hi=1", "eps=E or odds=G");
    refuses("onebit:eps=1", "hi");
    refuses("onebit:eps=1,hi=0", "hi above lo by a multiple of grid");
    refuses("onebit:eps=1,hi=-1", "hi above lo");
    refuses("onebit:eps=1,hi=1,grid=2/3", "a multiple of grid");
    refuses("onebit:eps=1,hi=2147483648", "at most 2147483647 steps");
    refuses("onebit:eps=1,hi=x", "onebit:hi 'x'");
}

/* ---- accuracy ------------------------------------------------------------------------------------ */

/* The chance that the estimate is farther than beta off, of `counts` users at each of three steps: the count
 * of ones must be farther than beta n (p - q)/2 from its mean. */
static double chance_off(const int *counts, double beta, double *variance)
{
    double law[USERS + 1] = {1}, mean = 0, chance = 0;
    int n = 0;
    *variance = 0;
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < counts[s]; i++, n++) {
            const double p = 0.25 + s / 4.0;
            for (int j = n + 1; j >= 0; j--)
                law[j] = law[j] * (1 - p) + (j > 0 ? law[j - 1] * p : 0);
            mean += p;
        }
    for (int j = 0; j <= n; j++) {
        const double off = fabs(j - mean) / n / 0.5 * 2;
        *variance += law[j] * off * off;
        chance += off > beta + 1e-12 ? law[j] : 0;
    }
    return chance;
}

/* The worst chance and the worst deviation over all users with values 0, 1 and 2 are within the stated
 * ones. */
Test(onebit, accuracy_holds_for_all_users)
{
    enum { N = 8 };
    static const char *const betas[] = {"1/4", "1/2", "9/10", "3/2"};
    pby_spec *spec = spec_of("onebit:odds=3,hi=2");
    for (size_t b = 0; b < 4; b++) {
        const pby_accuracy_request request = {.n = N, .support = 1, .beta = {.text = betas[b]}, .digits = 9};
        pby_accuracy_answer found;
        double worst = 0, spread = 0, variance;
        fmpq_t beta;
        fmpq_init(beta);
        set_text(beta, betas[b]);
        const double at = fmpz_get_d(fmpq_numref(beta)) / fmpz_get_d(fmpq_denref(beta));
        pby_accuracy_answer_init(&found);
        cr_assert_eq(pby_accuracy_ask(&found, spec, &request, NULL), PBY_OK);
        cr_assert_float_eq(low(&found.truth), 0.75, 1e-9);
        for (int none = 0; none <= N; none++)
            for (int half = 0; none + half <= N; half++) {
                worst = fmax(worst, chance_off((const int[]){none, half, N - none - half}, at, &variance));
                spread = fmax(spread, variance);
            }
        cr_assert(worst <= atof(found.chance.hi) + 1e-9 && worst >= atof(found.chance.lo) - 1e-9,
                  "%s: %g in [%s, %s]", betas[b], worst, found.chance.lo, found.chance.hi);
        cr_assert_float_eq(sqrt(spread), low(&found.deviation), 1e-8);
        pby_accuracy_answer_clear(&found);
        fmpq_clear(beta);
    }
    pby_spec_free(spec);
}
