/* SPDX-License-Identifier: MIT */
/* Thresholds with discrete Gaussian noise: all neighbours of two bars, in doubles, against the pairs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "loss/divergence/divergence.h"
#include "mechanism/family.h"
#include "mechanism/run/noise_bars.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "probity/release.h"
#include "probity/select.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

/* Noise beyond FAR has a chance below 1e-20 at sigma2 up to 2. A bar has an outcome for nothing, one for each
 * published value, and none beyond: what is left out is as unlikely. */
enum { BARS = 2, FAR = 14, NEAR = 3, VALUES = 2 * NEAR, SPAN = 2 * FAR + 8, ALL = 36 };

static double weight(double sigma2, int k)
{
    return exp(-k * k / (2 * sigma2));
}

static double total(double sigma2)
{
    double sum = 0;
    for (int k = -60; k <= 60; k++)
        sum += weight(sigma2, k);
    return sum;
}

/* One bar: outcome 0 is nothing, and 1 + i is the noisy count T + i. */
static void bar_law(double *out, double sigma2, int T, int count)
{
    const double all = total(sigma2);
    for (int i = 0; i < SPAN; i++)
        out[1 + i] = count == 0 ? 0 : weight(sigma2, T + i - count) / all;
    out[0] = 1;
    if (count > 0) {
        out[0] = 0;
        for (int k = -60; k < T - count; k++)
            out[0] += weight(sigma2, k) / all;
    }
}

/* Counts that a bar may have: none to NEAR - 1, and as many far above T. */
static int count_of(int code, int T)
{
    return code < NEAR ? code : T + FAR + code - NEAR;
}

static bool neighbours(const int *x, const int *y, int bars, int each, bool one_way)
{
    int rises = 0, falls = 0;
    for (int b = 0; b < BARS; b++) {
        if (abs(x[b] - y[b]) > each)
            return false;
        rises += y[b] > x[b];
        falls += y[b] < x[b];
    }
    return rises <= bars && falls <= (one_way ? 0 : bars);
}

static double apart(double *const *p, double *const *q, double growth)
{
    double sum = 0;
    for (int i = 0; i <= SPAN; i++)
        for (int j = 0; j <= SPAN; j++)
            sum += fmax(0, p[0][i] * p[1][j] - growth * q[0][i] * q[1][j]);
    return sum;
}

static double worst_of_all(double sigma2, int T, int bars, int each, bool one_way, double epsilon)
{
    double *law[VALUES], worst = 0;
    for (int c = 0; c < VALUES; c++) {
        law[c] = malloc((SPAN + 1) * sizeof **law);
        bar_law(law[c], sigma2, T, count_of(c, T));
    }
    for (int i = 0; i < ALL; i++)
        for (int j = 0; j < ALL; j++) {
            const int a[] = {i % VALUES, i / VALUES}, b[] = {j % VALUES, j / VALUES};
            const int x[] = {count_of(a[0], T), count_of(a[1], T)},
                      y[] = {count_of(b[0], T), count_of(b[1], T)};
            double *const p[] = {law[a[0]], law[a[1]]}, *const q[] = {law[b[0]], law[b[1]]};
            if (!neighbours(x, y, bars, each, one_way))
                continue;
            worst = fmax(worst, apart(p, q, exp(epsilon)));
            worst = fmax(worst, apart(q, p, exp(epsilon)));
        }
    for (int c = 0; c < VALUES; c++)
        free(law[c]);
    return worst;
}

static void set_double(fmpq_t out, double x)
{
    fmpq_set_si(out, lround(x * 1024), 1024);
}

/* The loss is that of the worst neighbours, which some with bars far above T reach. */
static void check(const char *spec, double sigma2, int T, int bars, int each, pby_neighbours relation,
                  bool one_way)
{
    static const double at[] = {0, 0.25, 1, 2};
    fmpq_t epsilon;
    arb_t ball;
    fmpq_init(epsilon);
    arb_init(ball);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        set_double(epsilon, at[i]);
        ask_delta_for(ball, spec, relation, epsilon, 20);
        const double bound = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
        const double worst = worst_of_all(sigma2, T, bars, each, one_way, at[i]);
        cr_assert(fabs(worst - bound) < 1e-12, "%s at %g: %.17g and %.17g", spec, at[i], worst, bound);
    }
    arb_clear(ball);
    fmpq_clear(epsilon);
}

Test(gthreshold, no_neighbour_is_worse_than_the_pairs)
{
    check("gthreshold:sigma2=1,T=3,bars=1", 1, 3, 1, 1, PBY_ADD_REMOVE, true);
    check("gthreshold:sigma2=2,T=2,bars=2", 2, 2, 2, 1, PBY_ADD_REMOVE, true);
    check("gthreshold:sigma2=2,T=4,bars=2", 2, 4, 2, 1, PBY_ADD_REMOVE, true);
    check("gthreshold:sigma2=1/2,T=1,bars=2,sensitivity=2", 0.5, 1, 2, 2, PBY_ADD_REMOVE, true);
    check("gthreshold:sigma2=2,T=5,bars=2,sensitivity=2", 2, 5, 2, 2, PBY_ADD_REMOVE, true);
}

/* One bar rises and one falls: two bars are enough. */
Test(gthreshold, no_record_changed_is_worse_than_the_pairs)
{
    check("gthreshold:sigma2=1,T=3,bars=1", 1, 3, 1, 1, PBY_SUBSTITUTE, false);
    check("gthreshold:sigma2=2,T=2,bars=1,sensitivity=2", 2, 2, 1, 2, PBY_SUBSTITUTE, false);
    check("gthreshold:sigma2=2,T=2,bars=1,sensitivity=2,moves=both-ways", 2, 2, 1, 2, PBY_ADD_REMOVE, false);
}

/* docs/theory/gthreshold.md has a number for each J; the two routes of a curve agree on it. */
Test(gthreshold, every_division_has_its_delta)
{
    static const double record_first[] = {0.00677355754, 0.00251318939, 3.90495305e-4, 8.35833603e-6,
                                          7.07086393e-6};
    pby_spec *spec = spec_of("threshold:sigma2=16,T=20,bars=4");
    pby_pairs pairs;
    fmpq_t epsilon;
    arb_t ball, other;
    fmpq_init(epsilon);
    arb_init(ball);
    arb_init(other);
    fmpq_one(epsilon);
    cr_assert_eq(pby_mechanism_pairs(&pairs, &spec->use[0].mechanism, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pairs.count, 9);
    for (size_t i = 0; i < pairs.count; i++) {
        const pby_curve *curve = pairs.pair[i].curve;
        cr_assert_eq(pby_curve_hockey_stick(ball, curve, epsilon, 128, NULL), PBY_OK);
        cr_assert_eq(curve->class->direct(other, curve, epsilon, 128, NULL), PBY_OK);
        cr_assert(arb_overlaps(ball, other));
        cr_assert(arb_rel_accuracy_bits(ball) > 100 && arb_rel_accuracy_bits(other) > 100);
        if (i % 2 == 0)
            cr_assert_float_eq(arf_get_d(arb_midref(ball), ARF_RND_NEAR) / record_first[i / 2], 1, 1e-8);
    }
    pby_pairs_clear(&pairs);
    arb_clear(other);
    arb_clear(ball);
    fmpq_clear(epsilon);
    pby_spec_free(spec);
}

/* The loss of two bars that move has a delta below 1e-10000 here, which is not listed to its digits; that of
 * two new bars is far greater. */
Test(gthreshold, what_is_next_to_nothing_does_not_hide_the_rest)
{
    double all = 0, beyond = 0;
    for (int k = -5000; k <= 5000; k++) {
        all += weight(1e5, k);
        beyond += k >= 999 ? weight(1e5, k) : 0;
    }
    const double published = beyond / all;
    fmpq_t one;
    arb_t ball;
    fmpq_init(one);
    arb_init(ball);
    fmpq_one(one);
    ask_delta(ball, "gthreshold:sigma2=100000,T=1000,bars=2", one, 9);
    cr_expect_float_eq(arf_get_d(arb_midref(ball), ARF_RND_NEAR) / (published * (2 - published)), 1, 1e-8);
    ask_delta(ball, "dgauss:sigma2=100000,norm2=2,dimensions=2", one, 9);
    cr_expect(arb_contains_zero(ball) && mag_cmp_2exp_si(arb_radref(ball), -30000) < 0);
    arb_clear(ball);
    fmpq_clear(one);
}

/* Cells are the differences of tails, on a grid that lies anywhere. */
Test(gthreshold, cells_are_differences_of_tails)
{
    enum { N = 40 };
    pby_spec *spec = spec_of("gthreshold:sigma2=3,T=4,bars=2");
    pby_pairs pairs;
    fmpq_t from, step, t;
    arb_t p, q, next_p, next_q;
    arb_ptr cell_p = _arb_vec_init(N), cell_q = _arb_vec_init(N);
    fmpq_init(from);
    fmpq_init(step);
    fmpq_init(t);
    arb_init(p);
    arb_init(q);
    arb_init(next_p);
    arb_init(next_q);
    fmpq_set_si(from, -3, 1);
    fmpq_set_si(step, 1, 7);
    cr_assert_eq(pby_mechanism_pairs(&pairs, &spec->use[0].mechanism, PBY_SUBSTITUTE, NULL), PBY_OK);
    cr_assert_eq(pairs.count, 9);
    for (size_t i = 0; i < pairs.count; i++) {
        const pby_curve *curve = pairs.pair[i].curve;
        cr_assert_eq(curve->class->cells(cell_p, cell_q, curve, from, step, N, 128, NULL), PBY_OK);
        fmpq_set(t, from);
        curve->class->tails(p, q, curve, t, 128, NULL);
        for (slong k = 0; k < N; k++) {
            fmpq_add(t, t, step);
            curve->class->tails(next_p, next_q, curve, t, 128, NULL);
            arb_sub(p, p, next_p, 256);
            arb_sub(q, q, next_q, 256);
            cr_assert(arb_overlaps(p, cell_p + k) && arb_overlaps(q, cell_q + k), "%zu %ld", i, (long)k);
            cr_assert(mag_cmp_2exp_si(arb_radref(cell_p + k), -100) < 0);
            arb_swap(p, next_p);
            arb_swap(q, next_q);
        }
    }
    pby_pairs_clear(&pairs);
    _arb_vec_clear(cell_p, N);
    _arb_vec_clear(cell_q, N);
    arb_clear(next_q);
    arb_clear(next_p);
    arb_clear(q);
    arb_clear(p);
    fmpq_clear(t);
    fmpq_clear(step);
    fmpq_clear(from);
    pby_spec_free(spec);
}

/* ---- two uses ------------------------------------------------------------------------------------ */

/* The outcomes of a record in one bar: it moves far above T, or it is new; the record first or second. */
struct table {
    double p[2][SPAN + 1], q[2][SPAN + 1];
};

static void fill(struct table *t, double sigma2, int T, bool first)
{
    const int count[2][2] = {{T + FAR, T + FAR + 1}, {0, 1}};
    for (int way = 0; way < 2; way++) {
        bar_law(t->p[way], sigma2, T, count[way][first]);
        bar_law(t->q[way], sigma2, T, count[way][!first]);
    }
}

static double potential(const struct table *t, double x)
{
    double worst = 0;
    for (int way = 0; way < 2; way++) {
        double sum = 0;
        for (int i = 0; i <= SPAN; i++)
            sum += fmax(0, t->p[way][i] - x * t->q[way][i]);
        worst = fmax(worst, sum);
    }
    return worst;
}

/* Behind each outcome of the first use the worse way of the second is taken. */
static double recursion(double sigma2, int T, double epsilon)
{
    struct table *t = malloc(sizeof *t);
    double worst = 0;
    for (int first = 0; first < 2; first++) {
        fill(t, sigma2, T, first);
        for (int way = 0; way < 2; way++) {
            double sum = 0;
            for (int i = 0; i <= SPAN; i++)
                if (t->p[way][i] > 0)
                    sum += t->p[way][i] * potential(t, exp(epsilon) * t->q[way][i] / t->p[way][i]);
            worst = fmax(worst, sum);
        }
    }
    free(t);
    return worst;
}

/* Infinite losses compose with the others: at T = 3 they are most of delta, at T = 8 few. */
Test(gthreshold, two_uses_are_the_recursion_over_all_outcomes)
{
    static const int T[] = {3, 5, 8};
    static const double at[] = {0.5, 1, 2};
    fmpq_t epsilon;
    arb_t ball;
    fmpq_init(epsilon);
    arb_init(ball);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            char spec[64];
            snprintf(spec, sizeof spec, "2*gthreshold:sigma2=2,T=%d,bars=1", T[i]);
            set_double(epsilon, at[k]);
            ask_delta(ball, spec, epsilon, 10);
            const double exact = recursion(2, T[i], at[k]);
            const double middle = arf_get_d(arb_midref(ball), ARF_RND_NEAR),
                         radius = mag_get_d(arb_radref(ball));
            cr_assert(fabs(exact - middle) <= radius + 1e-12, "%s at %g: %.12g not in %.12g +- %.2g", spec,
                      at[k], exact, middle, radius);
            cr_assert(radius < 0.006 * exact);
        }
    arb_clear(ball);
    fmpq_clear(epsilon);
}

/* The search terms of docs/theory/gthreshold.md: T = 83 suffices, and 80 does not. */
Test(gthreshold, a_week_of_three_terms)
{
    fmpq_t epsilon;
    arb_t ball;
    fmpq_init(epsilon);
    arb_init(ball);
    fmpq_one(epsilon);
    ask_delta(ball, "4*threshold:sigma2=228.7,T=83,bars=3", epsilon, 6);
    cr_assert(arf_get_d(arb_midref(ball), ARF_RND_NEAR) + mag_get_d(arb_radref(ball)) < 1e-6);
    ask_delta(ball, "4*threshold:sigma2=228.7,T=80,bars=3", epsilon, 6);
    cr_assert(arf_get_d(arb_midref(ball), ARF_RND_NEAR) - mag_get_d(arb_radref(ball)) > 1e-6);
    arb_clear(ball);
    fmpq_clear(epsilon);
}

/* A side that may give itself away has no finite divergence of an order from 1 on. */
Test(gthreshold, divergences_are_infinite)
{
    pby_spec *spec = spec_of("gthreshold:sigma2=4,T=10,bars=2");
    pby_enclosure answer;
    mpq_t order, xi;
    mpq_init(order);
    mpq_init(xi);
    mpq_set_ui(order, 2, 1);
    pby_enclosure_init(&answer);
    cr_assert_eq(pby_loss_renyi(&answer, NULL, spec, PBY_ADD_REMOVE, order, 9, NULL), PBY_OK);
    cr_assert(mpfr_inf_p(answer.lo) && mpfr_inf_p(answer.hi));
    cr_assert_eq(pby_loss_renyi(&answer, NULL, spec, PBY_ADD_REMOVE, NULL, 9, NULL), PBY_OK);
    cr_assert(mpfr_inf_p(answer.lo) && mpfr_inf_p(answer.hi));
    cr_assert_eq(pby_loss_zcdp(&answer, NULL, spec, PBY_ADD_REMOVE, xi, 9, NULL), PBY_OK);
    cr_assert(mpfr_inf_p(answer.lo) && mpfr_inf_p(answer.hi));
    pby_enclosure_clear(&answer);
    mpq_clear(xi);
    mpq_clear(order);
    pby_spec_free(spec);
}

/* ---- release, selection, refusals ----------------------------------------------------------------- */

/* About P(Z >= 2) of 100,000 bars of one at T = 3 pass, and empty ones never do. The chance of a false alarm
 * is below 1e-9. */
Test(gthreshold, bars_pass_by_their_noise)
{
    enum { N = 100000 };
    double share = 0;
    for (int k = 2; k <= 60; k++)
        share += weight(1, k) / total(1);
    int64_t *x = calloc(N, sizeof *x), *y = malloc(N * sizeof *y);
    pby_spec *spec = spec_of("threshold:sigma2=1,T=3,bars=1");
    for (int count = 0; count < 2; count++) {
        pby_release *release = NULL;
        size_t passed = 0;
        for (size_t i = 0; i < N; i++)
            x[i] = count;
        cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(9), NULL), PBY_OK);
        cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
        for (size_t i = 0; i < N; i++) {
            passed += y[i] != PBY_SUPPRESSED;
            cr_assert(y[i] == PBY_SUPPRESSED || y[i] >= 3);
        }
        cr_assert(count == 0 ? passed == 0 : fabs((double)passed - N * share) < 6.2 * sqrt(N * share));
        pby_release_free(release);
    }
    pby_spec_free(spec);
    free(y);
    free(x);
}

/* The least T by the enumeration is the one that is chosen. */
Test(gthreshold, the_least_threshold_is_chosen)
{
    const pby_target_words target = {
        .epsilon = "3/2", .delta = "1/10", .relation = PBY_ADD_REMOVE, .uses = 1};
    pby_choice *choice;
    pby_error err;
    char expected[64];
    int T = 1;
    while (T < 20 && worst_of_all(2, T, 2, 1, true, 1.5) > 0.1)
        T++;
    snprintf(expected, sizeof expected, "gthreshold:sigma2=2,T=%d,bars=2", T);
    cr_assert_eq(pby_select_text(&choice, "gthreshold:sigma2=2,bars=2", &target, &err), PBY_OK, "%s",
                 err.text);
    cr_assert_str_eq(pby_spec_text(pby_choice_spec(choice, PBY_CHOSEN)), expected);
    pby_choice_free(choice);
}

static void parse_refused(const char *text, const char *expected)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_BAD);
    cr_assert_str_eq(err.text, expected);
}

Test(gthreshold, bad_parameters_are_refused)
{
    parse_refused("threshold:sigma2=1,T=3",
                  "gthreshold:bars '': expected bars=K, the most bars that a record is in");
    parse_refused("threshold:sigma2=1,T=0,bars=1",
                  "gthreshold:T '0': expected an integer from 1 to 2147483647");
    ask_refused("gthreshold:sigma2=1,T=3,bars=33", "gthreshold:bars '33': expected at most 32");
    ask_refused("gthreshold:sigma2=10000000,T=3,bars=2",
                "gthreshold:sigma2 '10000000': expected from 2^-16 on, and bars sensitivity^2 sigma2 up to "
                "2^23: the losses of the bars that move are listed");
}
