/* SPDX-License-Identifier: MIT */
/* Propose-test-release of every small histogram against every neighbour, by the definition and in doubles:
 * none loses more than the pairs, and together they lose as much. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "probity.h"
#include "probity/experimental/losses.h"
#include "tests/spec.h"

enum { BARS = 3, TALL = 7, ANSWERS = BARS + 1 };

/* P(R > t) of the two-sided geometric law of rate eps */
static double beyond(double eps, long t)
{
    const double a = exp(-eps);
    return t >= 0 ? pow(a, (double)(t + 1)) / (1 + a) : 1 - pow(a, (double)-t) / (1 + a);
}

static void law(double *out, const pby_statistic *s, pby_neighbours relation, const int64_t *x, double eps,
                long threshold)
{
    int64_t radius;
    size_t bars[BARS], found;
    cr_assert_eq(pby_statistic_bars(bars, &found, s, x, BARS, NULL), PBY_OK);
    cr_assert_eq(pby_statistic_radius(&radius, s, relation, x, BARS, NULL), PBY_OK);
    const double shown = radius > 1000 ? 1 : beyond(eps, threshold - (long)radius);
    for (size_t i = 0; i < ANSWERS; i++)
        out[i] = (1 - shown) / ANSWERS + (i == (found == 0 ? BARS : bars[0]) ? shown : 0);
}

static double divergence(const double *p, const double *q, double e)
{
    double sum = 0;
    for (int i = 0; i < ANSWERS; i++)
        sum += fmax(0, p[i] - exp(e) * q[i]);
    return sum;
}

/* The greatest divergence of all neighbours, in both orders. */
static double worst(const pby_statistic *s, pby_neighbours relation, double eps, long threshold, double e)
{
    double most = 0, p[ANSWERS], q[ANSWERS];
    for (int code = 0; code < TALL * TALL * TALL; code++)
        for (int to = 0; to < BARS; to++)
            for (int from = -1; from < BARS; from++) {
                int64_t x[BARS] = {code % TALL, code / TALL % TALL, code / TALL / TALL}, y[BARS];
                for (int i = 0; i < BARS; i++)
                    y[i] = x[i] + (i == to) - (i == from);
                if ((relation == PBY_ADD_REMOVE) != (from == -1) || (from >= 0 && y[from] < 0))
                    continue;
                law(p, s, relation, x, eps, threshold);
                law(q, s, relation, y, eps, threshold);
                most = fmax(most, fmax(divergence(p, q, e), divergence(q, p, e)));
            }
    return most;
}

static void check(const pby_statistic *s, pby_neighbours relation, const char *eps, long threshold)
{
    static const char *const at[] = {"0", "1/4", "1/2", "3/4", "1", "3/2"};
    char text[64];
    mpq_t rate, epsilon;
    pby_enclosure delta;
    mpq_inits(rate, epsilon, NULL);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_rational_parse(rate, "eps", eps, NULL), PBY_OK);
    snprintf(text, sizeof text, "ptr:eps=%s,T=%ld,answers=%d", eps, threshold, ANSWERS);
    pby_spec *spec = spec_of(text);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        cr_assert_eq(pby_rational_parse(epsilon, "epsilon", at[i], NULL), PBY_OK);
        cr_assert_eq(pby_loss_delta(&delta, spec, relation, epsilon, 12, NULL), PBY_OK);
        const double seen = worst(s, relation, mpq_get_d(rate), threshold, mpq_get_d(epsilon));
        cr_assert_float_eq(seen, mpfr_get_d(delta.hi, MPFR_RNDN), 1e-10, "%s of %s at %s: %.12g for %.12g",
                           text, pby_statistic_text(s->name), at[i], seen, mpfr_get_d(delta.hi, MPFR_RNDN));
    }
    pby_spec_free(spec);
    pby_enclosure_clear(&delta);
    mpq_clears(rate, epsilon, NULL);
}

Test(ptr, the_pairs_are_what_the_worst_neighbours_lose)
{
    const pby_statistic max = {.name = PBY_STATISTIC_MAX, .k = 1},
                        second = {.name = PBY_STATISTIC_MAX_K, .k = 2};
    for (long threshold = 1; threshold <= 3; threshold++) {
        check(&max, PBY_ADD_REMOVE, "1/2", threshold);
        check(&second, PBY_ADD_REMOVE, "1", threshold);
    }
    check(&max, PBY_SUBSTITUTE, "1", 2);
}

Test(ptr, a_mode_loses_as_much)
{
    const pby_statistic mode = {.name = PBY_STATISTIC_MODE};
    check(&mode, PBY_ADD_REMOVE, "1", 1);
    check(&mode, PBY_ADD_REMOVE, "1/2", 2);
    check(&mode, PBY_SUBSTITUTE, "1", 1);
}

/* T = 3 is enough where the usual threshold is 14. */
Test(ptr, a_small_threshold_is_chosen)
{
    pby_spec *spec = spec_of("ptr:eps=1,T=3,answers=101"), *less = spec_of("ptr:eps=1,T=2,answers=101");
    mpq_t one;
    pby_enclosure delta;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, one, 9, NULL), PBY_OK);
    cr_assert(mpfr_zero_p(delta.hi));
    cr_assert_eq(pby_loss_delta(&delta, less, PBY_ADD_REMOVE, one, 9, NULL), PBY_OK);
    cr_assert(mpfr_cmp_d(delta.lo, 0.02) > 0);
    pby_enclosure_clear(&delta);
    mpq_clear(one);
    pby_spec_free(less);
    pby_spec_free(spec);
}

Test(ptr, one_answer_is_no_choice)
{
    pby_spec *spec;
    pby_error err;
    const char *text = "ptr:eps=1,T=3,answers=1";
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "SPEC 'ptr:eps=1,T=3,answers=1': expected answers=B, at least 2 that the "
                               "answer may be");
}

/* All histograms that are at most `size` records apart: their worst is between the ends, and the lower end is
 * that of some of them. */
static double worst_group(const pby_statistic *s, double eps, long threshold, int size, double e)
{
    double most = 0;
    static double laws[TALL * TALL * TALL][ANSWERS];
    for (int code = 0; code < TALL * TALL * TALL; code++) {
        const int64_t x[BARS] = {code % TALL, code / TALL % TALL, code / TALL / TALL};
        law(laws[code], s, PBY_ADD_REMOVE, x, eps, threshold);
    }
    for (int one = 0; one < TALL * TALL * TALL; one++)
        for (int two = 0; two < TALL * TALL * TALL; two++) {
            const int apart = abs(one % TALL - two % TALL) + abs(one / TALL % TALL - two / TALL % TALL) +
                              abs(one / TALL / TALL - two / TALL / TALL);
            if (apart <= size)
                most = fmax(most, divergence(laws[one], laws[two], e));
        }
    return most;
}

Test(ptr, a_group_loses_what_some_histograms_lose)
{
    const pby_statistic max = {.name = PBY_STATISTIC_MAX, .k = 1}, mode = {.name = PBY_STATISTIC_MODE};
    static const struct {
        const char *spec;
        double eps;
        long threshold;
        unsigned long size;
    } cases[] = {{"ptr:eps=1,T=2,answers=4", 1, 2, 2}, {"ptr:eps=1/2,T=1,answers=4", 0.5, 1, 3}};
    mpq_t at;
    pby_enclosure delta;
    mpq_init(at);
    pby_enclosure_init(&delta);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int halves = 0; halves < 5; halves++) {
            pby_spec *spec = spec_of(cases[i].spec);
            mpq_set_ui(at, (unsigned long)halves, 2);
            mpq_canonicalize(at);
            cr_assert_eq(
                pby_loss_group_delta(&delta, NULL, spec, PBY_ADD_REMOVE, cases[i].size, at, 12, NULL),
                PBY_OK);
            const double a = worst_group(&max, cases[i].eps, cases[i].threshold, (int)cases[i].size,
                                         halves / 2.0),
                         b = worst_group(&mode, cases[i].eps, cases[i].threshold, (int)cases[i].size,
                                         halves / 2.0),
                         lo = mpfr_get_d(delta.lo, MPFR_RNDD), hi = mpfr_get_d(delta.hi, MPFR_RNDU);
            cr_assert(lo <= fmax(a, b) + 1e-10, "%s: %g above %g and %g", cases[i].spec, lo, a, b);
            cr_assert(lo >= 0.97 * fmax(a, b) - 1e-10, "%s: %g below %g and %g", cases[i].spec, lo, a, b);
            cr_assert(hi >= fmax(a, b) - 1e-10);
            pby_spec_free(spec);
        }
    pby_enclosure_clear(&delta);
    mpq_clear(at);
}
