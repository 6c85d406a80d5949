/* SPDX-License-Identifier: MIT */
/* Estimates of small surveys against the law of their reports, which is enumerated. */
#include "probity/experimental/estimate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/spec.h"

enum { USERS = 12, ANSWERS_MAX = 8 };

static pby_reports *reports_of(const char *text, const uint64_t *cells, size_t answers)
{
    pby_spec *spec = spec_of(text);
    pby_reports *reports;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_reports_new(&reports, spec, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    for (size_t v = 0; v < answers; v++)
        for (uint64_t i = 0; i < cells[v]; i++) {
            const char report[] = {(char)('0' + v), '\0'};
            cr_assert_eq(pby_reports_add(reports, report, &err), PBY_OK, "%s", err.text);
        }
    return reports;
}

static pby_estimates *estimates_of(const char *text, const uint64_t *cells, size_t answers, const char *error)
{
    pby_estimates *estimates;
    pby_error err = PBY_NO_ERROR;
    pby_reports *reports = reports_of(text, cells, answers);
    cr_assert_eq(pby_estimates_new(&estimates, reports, pby_value_text(error), 0, &err), PBY_OK, "%s",
                 err.text);
    pby_reports_free(reports);
    return estimates;
}

/* law[j]: the chance of j in n trials, one more trial at a time. */
static void add_trial(double *law, int n, double p)
{
    for (int j = n + 1; j >= 0; j--)
        law[j] = (j <= n ? law[j] * (1 - p) : 0) + (j > 0 ? law[j - 1] * p : 0);
}

static double low(const pby_enclosure *x)
{
    return mpfr_get_d(x->lo, MPFR_RNDN);
}

static double high(const pby_enclosure *x)
{
    return mpfr_get_d(x->hi, MPFR_RNDN);
}

static double middle(const pby_enclosure *x)
{
    return (low(x) + high(x)) / 2;
}

/* A mechanism of these odds, and one of its answers. */
struct survey {
    const char *spec;
    double odds;
    size_t answers, at, place;
    const char *error;
    double allowed; /* of one answer */
};

/* The estimates for every number of reports of the answer. */
static void estimate_all(pby_estimates **out, const struct survey *s)
{
    for (uint64_t j = 0; j <= USERS; j++) {
        uint64_t cells[ANSWERS_MAX] = {0};
        cells[s->at] = j;
        cells[s->at == 0 ? 1 : 0] = USERS - j;
        out[j] = estimates_of(s->spec, cells, s->answers, s->error);
    }
}

/* For every number of users whose truth is the answer: the mean of the estimate is the share, its variance
 * the one that is stated, and the interval fails no more often than it may. */
static void expect_honest(const struct survey *s)
{
    const double norm = s->odds + (double)s->answers - 1, p = s->odds / norm, q = 1 / norm;
    pby_estimates *estimates[USERS + 1];
    estimate_all(estimates, s);
    for (int c = 0; c <= USERS; c++) {
        double law[USERS + 2] = {1}, mean = 0, square = 0, failed = 0;
        const double share = (double)c / USERS;
        for (int i = 0; i < USERS; i++)
            add_trial(law, i, i < c ? p : q);
        for (int j = 0; j <= USERS; j++) {
            const pby_estimate *e = pby_estimates_at(estimates[j], s->place);
            const double value = middle(&e->value);
            cr_assert_eq(e->seen, (uint64_t)j);
            mean += law[j] * value;
            square += law[j] * (value - share) * (value - share);
            if (e->empty || low(&e->interval) > share + 1e-12 || high(&e->interval) < share - 1e-12)
                failed += law[j];
        }
        const pby_estimate *e = pby_estimates_at(estimates[0], s->place);
        const double variance = (1 - share) * middle(&e->none) + share * middle(&e->all);
        cr_assert_float_eq(mean, share, 1e-6);
        cr_assert_float_eq(square, variance, 1e-6 * variance);
        cr_assert(square <= high(&e->most) * (1 + 1e-6) && square >= low(&e->least) * (1 - 1e-6));
        cr_assert(failed <= s->allowed + 1e-12, "%s: fails with %g of %d", s->spec, failed, c);
        for (int j = 0; j <= USERS; j++) {
            const pby_estimate *x = pby_estimates_at(estimates[j], s->place);
            if (!x->empty && low(&x->interval) <= share && share <= high(&x->interval))
                cr_assert(low(&x->variance) <= variance * (1 + 1e-6) &&
                          variance <= high(&x->variance) * (1 + 1e-6));
        }
    }
    for (int j = 0; j <= USERS; j++)
        pby_estimates_free(estimates[j]);
}

Test(estimate, is_unbiased_and_its_interval_holds)
{
    expect_honest(&(struct survey){"rr:odds=3", 3, 2, 1, 0, "1/20", 0.05});
    expect_honest(&(struct survey){"rr:odds=20", 20, 2, 1, 0, "1/3", 1.0 / 3});
    expect_honest(&(struct survey){"rr:eps=1", exp(1), 2, 1, 0, "0.9", 0.9});
    expect_honest(&(struct survey){"krr:eps=2,k=5", exp(2), 5, 3, 3, "1/4", 0.05});
    expect_honest(&(struct survey){"krr:eps=2,k=2", exp(2), 2, 0, 0, "1/4", 0.25});
}

/* The users are a random sample: the count is binomial, whatever the share of the population is. */
Test(estimate, the_interval_of_the_population_holds)
{
    const struct survey s = {"rr:odds=3", 3, 2, 1, 0, "1/10", 0.1};
    pby_estimates *estimates[USERS + 1];
    estimate_all(estimates, &s);
    for (int i = 0; i <= 100; i++) {
        const double share = i / 100.0, r = 0.25 + share / 2;
        double law[USERS + 2] = {1}, failed = 0;
        for (int j = 0; j < USERS; j++)
            add_trial(law, j, r);
        for (int j = 0; j <= USERS; j++) {
            const pby_enclosure *x = &pby_estimates_at(estimates[j], 0)->population;
            failed += low(x) > share || high(x) < share ? law[j] : 0;
        }
        cr_assert(failed <= s.allowed, "fails with %g at %g", failed, share);
    }
    for (int j = 0; j <= USERS; j++)
        pby_estimates_free(estimates[j]);
}

/* An interval that is no wider than it must be: the next number of users is refuted by the law itself. */
Test(estimate, the_interval_is_the_exact_one)
{
    const struct survey s = {"rr:odds=3", 3, 2, 1, 0, "1/20", 0.05};
    pby_estimates *estimates[USERS + 1];
    estimate_all(estimates, &s);
    for (int j = 0; j <= USERS; j++) {
        int least = USERS + 1, most = -1;
        for (int c = 0; c <= USERS; c++) {
            double law[USERS + 2] = {1}, above = 0, below = 0;
            for (int i = 0; i < USERS; i++)
                add_trial(law, i, i < c ? 0.75 : 0.25);
            for (int i = 0; i <= USERS; i++) {
                above += i >= j ? law[i] : 0;
                below += i <= j ? law[i] : 0;
            }
            least = above > 0.025 && c < least ? c : least;
            most = below > 0.025 ? c : most;
        }
        const pby_estimate *e = pby_estimates_at(estimates[j], 0);
        cr_assert_eq(e->empty, least > most);
        if (!e->empty) {
            cr_assert_float_eq(low(&e->interval), (double)least / USERS, 1e-9);
            cr_assert_float_eq(high(&e->interval), (double)most / USERS, 1e-9);
        }
    }
    for (int j = 0; j <= USERS; j++)
        pby_estimates_free(estimates[j]);
}

/* With odds that are a rational the estimate is exact, 0 included. */
Test(estimate, is_exact_where_odds_are_rational)
{
    pby_estimate_words words;
    pby_estimates *e = estimates_of("rr:odds=3", (const uint64_t[]){30, 10}, 2, "1/20");
    pby_estimates_at_text(&words, e, 0, 0);
    cr_assert_str_eq(words.name, "1");
    cr_assert_eq(words.seen, 10);
    cr_assert_str_eq(words.value.lo, "0");
    cr_assert_str_eq(words.value.hi, "0");
    pby_estimates_free(e);
    e = estimates_of("rr:odds=3", (const uint64_t[]){16, 16}, 2, "1/20");
    pby_estimates_at_text(&words, e, 0, 0);
    cr_assert_str_eq(words.variance.lo, "0.0234375"); /* 3/(32 (3 - 1)^2) */
    cr_assert_str_eq(words.variance.hi, "0.0234375");
    pby_estimates_free(e);
}

/* All reports are one answer, which 3 : 1 odds do not explain. */
Test(estimate, reports_that_no_truth_explains)
{
    pby_estimate_words words;
    pby_estimates *e = estimates_of("rr:odds=3", (const uint64_t[]){0, 40}, 2, "1/20");
    pby_estimates_at_text(&words, e, 0, 0);
    cr_assert(words.empty);
    cr_assert_str_eq(words.interval.lo, "1");
    cr_assert_str_eq(words.interval.hi, "1");
    cr_assert_str_eq(words.value.lo, "1.5");
    pby_estimates_free(e);
}

static void expect_refused(const char *text, const char *report)
{
    pby_error err = PBY_NO_ERROR;
    pby_reports *r = reports_of("krr:eps=1,k=5", (const uint64_t[]){0}, 0);
    cr_assert_eq(pby_reports_add(r, report, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, text), "%s", err.text);
    cr_assert_eq(pby_reports_count(r), 0);
    pby_reports_free(r);
}

Test(estimate, refuses_what_is_no_report)
{
    static const char *const others[] = {"5", "-1", "", "1.0", "x", "00000000000000000001", " 1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_refused("a report of krr, a whole number from 0 to 4", others[i]);
}

Test(estimate, refuses_other_mechanisms_and_errors)
{
    pby_error err = PBY_NO_ERROR;
    pby_reports *r;
    pby_estimates *e;
    static const char *const specs[] = {"geometric:eps=1", "2*rr:eps=1"};
    for (size_t i = 0; i < 2; i++) {
        pby_spec *spec = spec_of(specs[i]);
        cr_assert_eq(pby_reports_new(&r, spec, &err), PBY_BAD);
        cr_assert_null(r);
        pby_spec_free(spec);
    }
    r = reports_of("rr:eps=1", (const uint64_t[]){1, 0}, 2);
    static const char *const errors[] = {"0", "1", "-1/2", "x"};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        cr_assert_eq(pby_estimates_new(&e, r, pby_value_text(errors[i]), 0, &err), PBY_BAD);
        cr_assert_null(e);
    }
    pby_reports_free(r);
    r = reports_of("rr:eps=1", (const uint64_t[]){0, 0}, 2);
    cr_assert_eq(pby_estimates_new(&e, r, pby_value_text("1/20"), 0, &err), PBY_BAD);
    pby_reports_free(r);
}
