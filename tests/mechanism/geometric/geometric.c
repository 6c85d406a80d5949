/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "mechanism/run/noise_bars.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

/* Every bar gets noise, the empty ones too: one word each, and the mean of the noise is near 0. */
Test(geometric_mechanism, a_million_bars)
{
    enum { N = 1000000 };
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_release *release = NULL;
    pby_entropy *source = seeded(24);
    int64_t *x = calloc(N, sizeof *x), *y = malloc(N * sizeof *y), sum = 0;
    size_t moved = 0;
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, source, NULL), PBY_OK);
    cr_assert_eq(pby_release_form_of(release), PBY_RELEASE_COUNTS);
    cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++) {
        sum += y[i];
        moved += y[i] != 0;
    }
    /* variance 2a/(1-a)^2 = 1.84; the chance of 0 is (1-a)/(1+a) = 0.462; six and a half standard deviations
     */
    cr_assert(llabs(sum) < 8900, "%lld", (long long)sum);
    cr_assert(moved > 534600 && moved < 541200, "%zu", moved);
    pby_release_free(release);
    free(y);
    free(x);
    pby_spec_free(spec);
}

/* ---- a histogram ------------------------------------------------------------------------------ */

enum { BARS = 3, D = 3, OUTCOMES = D + 1 };

/* A bar of that count, from 0 to D. Below 1 the ratio of two counts no longer changes, nor from D on. */
static void bar_law(arb_ptr out, const fmpq_t rate, slong count)
{
    outcomes_geometric_from(out, rate, count);
    for (slong v = 1; v < D; v++)
        outcomes_geometric(out + v, rate, v - count);
    outcomes_geometric_from(out + D, rate, D - count);
}

static void worst_histogram(arb_t worst, const arb_ptr *law, const fmpq_t epsilon)
{
    arb_t ball;
    arb_init(ball);
    arb_zero(worst);
    for (int code = 0; code < 16 * 16 * 16; code++) {
        const int digit[BARS] = {code % 16, code / 16 % 16, code / 256};
        arb_ptr p[BARS], q[BARS];
        int apart = 0;
        for (int b = 0; b < BARS; b++) {
            p[b] = law[digit[b] / 4];
            q[b] = law[digit[b] % 4];
            apart += abs(digit[b] / 4 - digit[b] % 4);
        }
        if (apart > D)
            continue;
        outcomes_divergence(ball, p, q, BARS, OUTCOMES, epsilon);
        arb_max(worst, worst, ball, OUTCOMES_PREC);
    }
    arb_clear(ball);
}

/* D spread over bars, some up and some down, is no worse than a single bar that moves by D. */
Test(geometric_mechanism, one_bar_is_the_worst_of_a_histogram)
{
    static const char *const at[] = {"-1/2", "0", "1/3", "1"};
    arb_ptr law[D + 1];
    fmpq_t rate, epsilon;
    arb_t bound, worst;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(bound);
    arb_init(worst);
    set_text(rate, "2/3");
    for (slong c = 0; c <= D; c++) {
        law[c] = _arb_vec_init(OUTCOMES);
        bar_law(law[c], rate, c);
    }
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        set_text(epsilon, at[i]);
        outcomes_bound(bound, "geometric:eps=2,sensitivity=3", PBY_ADD_REMOVE, epsilon);
        worst_histogram(worst, law, epsilon);
        outcomes_check(bound, worst, 1, at[i]);
    }
    for (slong c = 0; c <= D; c++)
        _arb_vec_clear(law[c], OUTCOMES);
    arb_clear(worst);
    arb_clear(bound);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}
