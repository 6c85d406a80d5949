/* SPDX-License-Identifier: MIT */
/* Estimates by least squares against the law of the reports, which is enumerated from the definition. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/rappor/respond.h"
#include "probity/experimental/estimate.h"
#include "tests/spec.h"

enum { BITS = 4, COHORTS = 2, CANDIDATES = 2, REPORTS = COHORTS << BITS };

static double middle(const pby_enclosure *x)
{
    return (mpfr_get_d(x->lo, MPFR_RNDN) + mpfr_get_d(x->hi, MPFR_RNDN)) / 2;
}

static double low(const pby_enclosure *x)
{
    return mpfr_get_d(x->lo, MPFR_RNDN);
}

static double high(const pby_enclosure *x)
{
    return mpfr_get_d(x->hi, MPFR_RNDN);
}

static const char *const candidates[] = {"a", "b"};

static pby_estimates *estimates_of(const pby_spec *spec, const char *const *reports, size_t n,
                                   const char *const *values, size_t count, const char *error)
{
    pby_reports *all;
    pby_estimates *out;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_reports_new(&all, spec, &err), PBY_OK, "%s", err.text);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(pby_reports_add(all, reports[i], &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_estimates_candidates(&out, all, values, count, pby_value_text(error), 20, &err), PBY_OK,
                 "%s", err.text);
    pby_reports_free(all);
    return out;
}

/* Report number i, and its chance for a user of the value. */
static double report(char *text, int i, const pby_rappor *r, const char *value, double kept, double p,
                     double q)
{
    const uint64_t cohort = (uint64_t)i >> BITS, seen = (uint64_t)i & ((1 << BITS) - 1);
    uint64_t bits;
    double chance = 1.0 / COHORTS;
    cr_assert_eq(pby_rappor_encode(&bits, r, cohort, value, 1, NULL), PBY_OK);
    pby_rappor_text(text, r, cohort, &seen);
    for (int b = 0; b < BITS; b++) {
        const double permanent = bits >> b & 1 ? kept : 1 - kept, one = permanent * p + (1 - permanent) * q;
        chance *= seen >> b & 1 ? one : 1 - one;
    }
    return chance;
}

/* The mean and the variance of the estimate of the first candidate over all reports of two users. */
static void check(const char *text, const char *first, const char *second, double kept, double p, double q)
{
    pby_spec *spec = spec_of(text);
    pby_rappor r;
    double mean = 0, square = 0, total = 0, least = 0, most = 0, all = 0, none = 0, beyond = 0;
    const double share = (strcmp(first, "a") == 0) / 2.0 + (strcmp(second, "a") == 0) / 2.0;
    pby_rappor_of(&r, &spec->use[0].mechanism);
    for (int i = 0; i < REPORTS; i++)
        for (int j = 0; j < REPORTS; j++) {
            char one[20], two[20];
            const char *const both[] = {one, two};
            const double chance = report(one, i, &r, first, kept, p, q) *
                                  report(two, j, &r, second, kept, p, q);
            pby_estimates *out = estimates_of(spec, both, 2, candidates, CANDIDATES, "1/2");
            const pby_estimate *e = pby_estimates_at(out, 0);
            cr_assert_str_eq(e->name, "a");
            const double value = middle(&e->value);
            total += chance;
            mean += chance * value;
            square += chance * value * value;
            if (e->empty || low(&e->interval) > share || high(&e->interval) < share)
                beyond += chance;
            least = low(&e->least);
            most = high(&e->most);
            all = middle(&e->all);
            none = middle(&e->none);
            pby_estimates_free(out);
        }
    const double variance = square - mean * mean;
    cr_assert(fabs(total - 1) < 1e-12);
    cr_assert(fabs(mean - share) < 1e-9, "%s: %g for %g", text, mean, share);
    cr_assert(variance > least - 1e-9 && variance < most + 1e-9, "%s", text);
    cr_assert(fabs(variance - (share * all + (1 - share) * none)) < 1e-9, "%s: %g, %g and %g", text, variance,
              all, none);
    cr_assert(beyond < 0.5, "%s", text);
    pby_spec_free(spec);
}

Test(rappor_candidates, the_estimate_is_unbiased_and_has_its_variance)
{
    static const char more[] = "rappor:bits=4,hashes=2,f=1/2,p=3/4,q=1/8,reports=1,cohorts=2,seed=2";
    static const char less[] = "rappor:bits=4,hashes=2,f=1/4,p=1/4,q=1/2,reports=1,cohorts=2,seed=2";
    check(more, "a", "a", 0.75, 0.75, 0.125);
    check(more, "a", "b", 0.75, 0.75, 0.125);
    check(more, "b", "b", 0.75, 0.75, 0.125);
    check(less, "b", "a", 0.875, 0.25, 0.5);
}

/* The residual is orthogonal to the bits of every candidate: no other shares have a smaller sum of
 * squares. */
Test(rappor_candidates, the_estimate_is_least_squares)
{
    enum { N = 6, WIDE = 16, VALUES = 3 };
    static const char *const values[VALUES] = {"red", "green", "blue"};
    static const char *const reports[N] = {"0:0110100100010011", "1:1100110001010101", "1:0000000000000001",
                                           "2:1111111111111111", "0:0000111100001111", "2:1010101010101010"};
    pby_spec *spec = spec_of("rappor:bits=16,hashes=3,f=1/2,p=3/4,q=1/8,reports=1,cohorts=3,seed=5");
    pby_rappor r;
    pby_rappor_of(&r, &spec->use[0].mechanism);
    pby_estimates *out = estimates_of(spec, reports, N, values, VALUES, "1/2");
    double rest[3][WIDE] = {{0}};
    uint64_t x[3][VALUES];
    for (uint64_t c = 0; c < 3; c++)
        for (size_t v = 0; v < VALUES; v++)
            cr_assert_eq(pby_rappor_encode(&x[c][v], &r, c, values[v], strlen(values[v]), NULL), PBY_OK);
    const double with = 0.75 * 0.75 + 0.25 * 0.125, without = 0.25 * 0.75 + 0.75 * 0.125;
    for (size_t i = 0; i < N; i++)
        for (size_t b = 0; b < WIDE; b++)
            rest[reports[i][0] - '0'][b] += (reports[i][2 + b] - '0' - without) / (with - without);
    for (size_t c = 0; c < 3; c++)
        for (size_t v = 0; v < VALUES; v++)
            for (size_t b = 0; b < WIDE; b++)
                rest[c][b] -= (double)(x[c][v] >> b & 1) * (N / 3.0) *
                              middle(&pby_estimates_at(out, v)->value);
    for (size_t v = 0; v < VALUES; v++) {
        double product = 0;
        for (size_t c = 0; c < 3; c++)
            for (size_t b = 0; b < WIDE; b++)
                product += (double)(x[c][v] >> b & 1) * rest[c][b];
        cr_assert(fabs(product) < 1e-9, "%s: %g", values[v], product);
    }
    pby_estimates_free(out);
    pby_spec_free(spec);
}

/* Reports of 20000 users of four values: each interval holds the share, but for a chance of 1e-10. */
Test(rappor_candidates, the_intervals_hold)
{
    enum { N = 20000, VALUES = 5 };
    static const char *const values[VALUES] = {"red", "green", "blue", "white", "black"};
    static const int least[VALUES + 1] = {0, 8000, 13000, 18000, 20000, 20000};
    static const uint8_t seed[PBY_SEED_SIZE] = {6};
    pby_spec *spec = spec_of("rappor:bits=64,hashes=2,f=1/3,p=3/4,q=1/4,reports=1,cohorts=4");
    pby_rappor r;
    pby_responder x;
    pby_entropy *source;
    pby_reports *reports;
    pby_estimates *out;
    pby_error err = PBY_NO_ERROR;
    pby_rappor_of(&r, &spec->use[0].mechanism);
    cr_assert_eq(pby_responder_init(&x, &r, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
    cr_assert_eq(pby_reports_new(&reports, spec, NULL), PBY_OK);
    char *text = malloc(pby_rappor_text_size(&r));
    for (int i = 0, v = 0; i < N; i++) {
        uint64_t cohort, bits;
        while (i >= least[v + 1])
            v++;
        cr_assert_eq(pby_rappor_cohort(&cohort, &r, source, NULL), PBY_OK);
        cr_assert_eq(pby_rappor_encode(&bits, &r, cohort, values[v], strlen(values[v]), NULL), PBY_OK);
        cr_assert_eq(pby_responder_permanent(&x, source, false, &bits, &bits, 1, NULL), PBY_OK);
        cr_assert_eq(pby_responder_report(&x, source, false, &bits, &bits, 1, NULL), PBY_OK);
        pby_rappor_text(text, &r, cohort, &bits);
        cr_assert_eq(pby_reports_add(reports, text, &err), PBY_OK, "%s", err.text);
    }
    cr_assert_eq(pby_estimates_candidates(&out, reports, values, VALUES, pby_value_text("1e-10"), 9, &err),
                 PBY_OK, "%s", err.text);
    for (size_t v = 0; v < VALUES; v++) {
        const pby_estimate *e = pby_estimates_at(out, v);
        const double share = (least[v + 1] - least[v]) / (double)N;
        cr_assert(!e->empty && low(&e->interval) <= share && share <= high(&e->interval), "%s", values[v]);
        cr_assert(low(&e->population) <= low(&e->interval) && high(&e->interval) <= high(&e->population));
        cr_assert(high(&e->interval) - low(&e->interval) < 0.4, "%s", values[v]);
    }
    pby_estimates_free(out);
    pby_reports_free(reports);
    free(text);
    pby_entropy_free(source);
    pby_responder_clear(&x);
    pby_spec_free(spec);
}

/* Basic RAPPOR: bits of one report are drawn apart, and two bits share the error as more do. */
Test(rappor_candidates, bits_without_candidates)
{
    pby_spec *spec = spec_of("rappor:bits=2,f=1/2,p=1/4,q=3/4,reports=1");
    pby_reports *reports;
    pby_estimates *half, *whole;
    cr_assert_eq(pby_reports_new(&reports, spec, NULL), PBY_OK);
    for (int i = 0; i < 90; i++)
        cr_assert_eq(pby_reports_add(reports, i < 60 ? "01" : "10", NULL), PBY_OK);
    cr_assert_eq(pby_estimates_new(&whole, reports, pby_value_text("1/10"), 9, NULL), PBY_OK);
    cr_assert_eq(pby_estimates_candidates(&half, reports, (const char *const[]){"0", "1"}, 2,
                                          pby_value_text("1/10"), 9, NULL),
                 PBY_OK);
    cr_assert_eq(pby_estimates_count(whole), 2);
    /* A zero speaks for a bit, with chance 5/8 or 3/8: (2/3 - 3/8)/(1/4) */
    for (size_t i = 0; i < 2; i++) {
        cr_assert(fabs(middle(&pby_estimates_at(whole, i)->value) - (i == 0 ? 7.0 / 6 : -1.0 / 6)) < 1e-8);
        cr_assert(fabs(middle(&pby_estimates_at(half, i)->value) - (i == 0 ? 7.0 / 6 : -1.0 / 6)) < 1e-8);
        cr_assert(fabs(middle(&pby_estimates_at(whole, i)->all) - middle(&pby_estimates_at(half, i)->all)) <
                  1e-8);
        cr_assert(fabs(middle(&pby_estimates_at(whole, i)->none) - middle(&pby_estimates_at(half, i)->none)) <
                  1e-8);
    }
    pby_estimates_free(half);
    pby_estimates_free(whole);
    pby_reports_free(reports);
    pby_spec_free(spec);
}

static void refuses(const char *text, const char *report, const char *const *values, size_t count,
                    const char *expected)
{
    pby_spec *spec = spec_of(text);
    pby_reports *reports;
    pby_estimates *out;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_reports_new(&reports, spec, NULL), PBY_OK);
    cr_assert_eq(pby_reports_add(reports, report, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(values == NULL
                     ? pby_estimates_new(&out, reports, pby_value_text("1/2"), 9, &err)
                     : pby_estimates_candidates(&out, reports, values, count, pby_value_text("1/2"), 9, &err),
                 PBY_BAD);
    cr_assert_null(out);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
    pby_reports_free(reports);
    pby_spec_free(spec);
}

Test(rappor_candidates, refusals)
{
    static const char *const twice[] = {"a", "b", "a"}, *const numbers[] = {"0", "4"};
    static const char spec[] = "rappor:bits=8,hashes=2,f=1/2,reports=1,cohorts=2";
    refuses(spec, "1:01010101", NULL, 0, "several cohorts");
    refuses(spec, "1:01010101", twice, 3, "tell apart");
    refuses(spec, "1:01010101", twice, 0, "1 to 256");
    refuses("rappor:bits=4,f=1/2,reports=1", "0101", numbers, 2, "can be reported");
    refuses("rappor:bits=4,f=1,reports=1", "0101", NULL, 0, "that say something");
    refuses("rappor:bits=4,f=1,reports=1", "0101", numbers, 1, "that say something");
    refuses("rr:eps=1", "1", numbers, 2, "candidates");
}
