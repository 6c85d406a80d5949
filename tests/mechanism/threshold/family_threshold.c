/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "loss/divergence/divergence.h"
#include "mechanism/family.h"
#include "mechanism/run/noise_bars.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

enum { BARS = 3, MOST = 4, SPAN = 12 };

static int apart(const int *x, const int *y, bool monotone)
{
    int d = 0;
    for (int b = 0; b < BARS; b++) {
        if (monotone && x[b] > y[b])
            return -1;
        d += abs(x[b] - y[b]);
    }
    return d;
}

static void set_counts(int *x, int code)
{
    for (int b = 0; b < BARS; b++, code /= MOST + 1)
        x[b] = code % (MOST + 1);
}

/* True if the bars, each with its two counts, stand in order: of all orders of them, whose losses are the
 * same, one. */
static bool in_order(const int *x, const int *y)
{
    for (int b = 1; b < BARS; b++)
        if (x[b - 1] > x[b] || (x[b - 1] == x[b] && y[b - 1] > y[b]))
            return false;
    return true;
}

/* The worst of all neighbouring histograms of three bars of 0 .. MOST, up to the order of the bars. */
static void enumerate(arb_t worst, const fmpq_t rate, slong threshold, int sensitivity, bool monotone,
                      const fmpq_t epsilon)
{
    arb_ptr law[MOST + 1], p[BARS], q[BARS];
    arb_t ball;
    int all = 1, x[BARS], y[BARS];
    arb_init(ball);
    arb_zero(worst);
    for (int c = 0; c <= MOST; c++) {
        law[c] = _arb_vec_init(SPAN + 2);
        outcomes_threshold(law[c], rate, threshold, c, SPAN);
    }
    for (int b = 0; b < BARS; b++)
        all *= MOST + 1;
    for (int i = 0; i < all; i++)
        for (int j = 0; j < all; j++) {
            set_counts(x, i);
            set_counts(y, j);
            const int d = apart(x, y, monotone);
            if (d < 1 || d > sensitivity || !in_order(x, y))
                continue;
            for (int b = 0; b < BARS; b++) {
                p[b] = law[x[b]];
                q[b] = law[y[b]];
            }
            outcomes_divergence(ball, p, q, BARS, SPAN + 2, epsilon);
            arb_max(worst, worst, ball, OUTCOMES_PREC);
            outcomes_divergence(ball, q, p, BARS, SPAN + 2, epsilon);
            arb_max(worst, worst, ball, OUTCOMES_PREC);
        }
    for (int c = 0; c <= MOST; c++)
        _arb_vec_clear(law[c], SPAN + 2);
    arb_clear(ball);
}

static void check(const char *spec, const char *rate_text, slong threshold, int sensitivity,
                  pby_neighbours relation, const char *at, int reached)
{
    fmpq_t rate, epsilon;
    arb_t bound, worst;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(bound);
    arb_init(worst);
    set_text(rate, rate_text);
    set_text(epsilon, at);
    outcomes_bound(bound, spec, relation, epsilon);
    enumerate(worst, rate, threshold, sensitivity, relation == PBY_ADD_REMOVE, epsilon);
    outcomes_check(bound, worst, reached, spec);
    arb_clear(worst);
    arb_clear(bound);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

/* claims: Thresh/Theorem 5 */
Test(threshold_mechanism, no_neighbour_is_worse_than_the_pairs)
{
    check("threshold:eps=1,T=3", "1", 3, 1, PBY_ADD_REMOVE, "1", 1);
    check("threshold:eps=1,T=3", "1", 3, 1, PBY_ADD_REMOVE, "1/2", 1);
    check("threshold:eps=1,T=3", "1", 3, 1, PBY_ADD_REMOVE, "0", 1);
    check("threshold:eps=1,T=2,sensitivity=2", "1/2", 2, 2, PBY_ADD_REMOVE, "1", 1);
    check("threshold:eps=1/2,T=2,sensitivity=2", "1/4", 2, 2, PBY_ADD_REMOVE, "1/2", 1);
    check("threshold:eps=3,T=3,sensitivity=3", "1", 3, 3, PBY_ADD_REMOVE, "3", 1);
    check("threshold:eps=1/3,T=3,sensitivity=3", "1/9", 3, 3, PBY_ADD_REMOVE, "1/3", 1);
    check("threshold:eps=1,T=2,sensitivity=2", "1/2", 2, 2, PBY_SUBSTITUTE, "1/4", 0);
    check("threshold:eps=1,T=2,sensitivity=2", "1/2", 2, 2, PBY_SUBSTITUTE, "2", 1);
}

static void expect_delta(const char *spec, const char *at, const char *value, const char *within)
{
    fmpq_t epsilon, want, gap;
    arb_t ball, y;
    fmpq_init(epsilon);
    fmpq_init(want);
    fmpq_init(gap);
    arb_init(ball);
    arb_init(y);
    set_text(epsilon, at);
    set_text(want, value);
    set_text(gap, within);
    ask_delta(ball, spec, epsilon, 30);
    arb_set_fmpq(y, want, 256);
    arb_sub(ball, ball, y, 256);
    arb_abs(ball, ball);
    arb_set_fmpq(y, gap, 256);
    cr_assert(arb_lt(ball, y), "%s", spec);
    arb_clear(y);
    arb_clear(ball);
    fmpq_clear(gap);
    fmpq_clear(want);
    fmpq_clear(epsilon);
}

Test(threshold_mechanism, the_known_value)
{
    expect_delta("threshold:eps=1/10,T=150", "1/10", "1.774819967255030237e-07", "1e-24");
}

/* A small rate makes many new bars of one worse than one new bar of many, a large rate the reverse. */
Test(threshold_mechanism, both_spreads_of_new_bars_occur)
{
    fmpq_t rate;
    arb_t one, many;
    fmpq_init(rate);
    arb_init(one);
    arb_init(many);
    for (int large = 0; large <= 1; large++) {
        set_text(rate, large ? "2" : "1/10");
        outcomes_geometric_from(one, rate, 10 - 3);
        outcomes_geometric_from(many, rate, 10 - 1);
        arb_sub_ui(many, many, 1, 256);
        arb_pow_ui(many, many, 3, 256);
        arb_add_ui(many, many, 1, 256);
        cr_assert(large ? arb_gt(one, many) : arb_lt(one, many));
    }
    arb_clear(many);
    arb_clear(one);
    fmpq_clear(rate);
}

/* The worst of the pairs of all divisions. */
static void worst_of_all(arb_t worst, const pby_spec *spec, pby_neighbours relation, const fmpq_t epsilon)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    pby_pairs pairs;
    arb_t ball;
    arb_init(ball);
    arb_zero(worst);
    cr_assert_eq(pby_mechanism_pairs(&pairs, m, relation, NULL), PBY_OK);
    for (size_t i = 0; i < pairs.count; i++) {
        pby_hockey_stick_direct(ball, &pairs.pair[i], epsilon, OUTCOMES_PREC);
        arb_max(worst, worst, ball, OUTCOMES_PREC);
    }
    pby_pairs_clear(&pairs);
    arb_clear(ball);
}

static void three_are_enough(const char *text, pby_neighbours relation)
{
    static const char *const at[] = {"-1", "-1/5", "0", "1/7", "1/2", "9/10", "99/100", "1", "2", "5"};
    pby_spec *spec = spec_of(text);
    fmpq_t epsilon;
    arb_t worst, found;
    fmpq_init(epsilon);
    arb_init(worst);
    arb_init(found);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        set_text(epsilon, at[i]);
        worst_of_all(worst, spec, relation, epsilon);
        ask_delta_for(found, text, relation, epsilon, 40);
        cr_assert(arb_overlaps(worst, found) && (arb_is_zero(found) || arb_rel_accuracy_bits(found) > 120),
                  "%s at %s", text, at[i]);
    }
    arb_clear(found);
    arb_clear(worst);
    fmpq_clear(epsilon);
    pby_spec_free(spec);
}

/* Rates and thresholds at which new bars hardly show, show often, and show more than a bar that moves by as
 * much. */
Test(threshold_mechanism, three_pairs_are_as_bad_as_all_divisions)
{
    static const char *const spec[] = {
        "threshold:eps=1,T=1,sensitivity=4", "threshold:eps=1/2,T=3,sensitivity=5",
        "threshold:eps=1,T=6,sensitivity=4", "threshold:eps=4,T=2,sensitivity=3",
        "threshold:eps=4,T=9,sensitivity=6", "threshold:eps=1/9,T=40,sensitivity=3",
        "threshold:eps=1,T=60,sensitivity=7"};
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        three_are_enough(spec[i], PBY_ADD_REMOVE);
        three_are_enough(spec[i], PBY_SUBSTITUTE);
    }
}

/* At eps and beyond all that is lost is the chance that some of D new bars of 1 shows. */
Test(threshold_mechanism, any_sensitivity)
{
    enum { D = 1000, T = 20000 };
    fmpq_t rate, epsilon;
    arb_t ball, shown;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(ball);
    arb_init(shown);
    fmpq_set_si(rate, 1, D);
    fmpq_one(epsilon);
    outcomes_geometric_from(shown, rate, T - 1);
    arb_neg(shown, shown);
    arb_log1p(shown, shown, OUTCOMES_PREC);
    arb_mul_si(shown, shown, D, OUTCOMES_PREC);
    arb_expm1(shown, shown, OUTCOMES_PREC);
    arb_neg(shown, shown);
    ask_delta(ball, "threshold:eps=1,T=20000,sensitivity=1000", epsilon, 30);
    cr_assert(arb_overlaps(ball, shown) && arb_rel_accuracy_bits(ball) > 90);
    arb_clear(shown);
    arb_clear(ball);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

Test(threshold_mechanism, a_composition_of_a_large_sensitivity_is_refused_by_its_value)
{
    ask_refused("2*threshold:eps=1,T=200,sensitivity=49", "threshold:sensitivity '49': expected at most 48");
}

/* Every output of a million bars: nothing below the threshold, nothing of an empty bar, one word an occupied
 * bar. */
Test(threshold_mechanism, a_million_bars)
{
    enum { N = 1000000 };
    pby_spec *spec = spec_of("threshold:eps=1,T=20");
    pby_release *release = NULL;
    pby_entropy *source = seeded(21);
    int64_t *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    for (size_t i = 0; i < N; i++)
        x[i] = i % 5 == 0 ? 0 : (int64_t)(i % 41);
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, source, NULL), PBY_OK);
    cr_assert_eq(pby_release_form_of(release), PBY_RELEASE_PASSED);
    cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
    size_t shown = 0;
    for (size_t i = 0; i < N; i++) {
        cr_assert(y[i] == PBY_SUPPRESSED || y[i] >= 20);
        cr_assert(x[i] != 0 || y[i] == PBY_SUPPRESSED);
        shown += y[i] != PBY_SUPPRESSED;
    }
    cr_assert(shown > N / 4 && shown < N / 2, "%zu", shown);
    pby_release_free(release);
    free(y);
    free(x);
    pby_spec_free(spec);
}
