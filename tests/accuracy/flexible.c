/* SPDX-License-Identifier: MIT */
/* Compositions, and the accuracy statement held against a million releases. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "mechanism/run/noise_bars.h"
#include "tests/accuracy/make.h"
#include "tests/law/fit.h"
#include "tests/spec.h"

Test(flexible, statistics_of_a_bucketed_release)
{
    static const struct {
        const char *name, *k, *q, *beta;
    } rows[] = {{"max", NULL, NULL, "1/4"},       {"range", NULL, NULL, "1/2"},
                {"support", NULL, NULL, "1/4"},   {"median", NULL, NULL, "1/4"},
                {"quantile", NULL, "1/3", "1/4"}, {"mode", NULL, NULL, "inf"},
                {"max_k", "500", NULL, "inf"},    {"max_k", "1", NULL, "1/4"}};
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_accuracy release, a;
    pby_distance tau;
    uint64_t loss;
    mpq_t width;
    pby_distance_init(&tau);
    pby_accuracy_init(&release);
    pby_accuracy_init(&a);
    mpq_init(width);
    mpq_set_ui(width, 1, 2);
    const pby_input_class inputs = {3000, 3, width};
    cr_assert_eq(pby_accuracy_release(&release, &loss, spec, &inputs, NULL), PBY_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_statistic s;
        cr_assert_eq(pby_statistic_parse(&s, rows[i].name, rows[i].k, rows[i].q, NULL), PBY_OK);
        pby_accuracy_statistic(&a, &tau, &release, &s, PBY_METRIC_POINTS);
        cr_assert_str_eq(text_of(&tau), rows[i].beta);
        cr_assert_str_eq(text_of(&a.alpha), "1/25");
        cr_assert_str_eq(text_of(&a.beta), rows[i].beta, "%s", rows[i].name);
        cr_assert_eq(mpq_sgn(a.gamma), 0);
    }
    mpq_set_ui(width, 1, 3); /* now eta */
    pby_accuracy_drop_move(&a, &release, width);
    cr_assert_str_eq(text_of(&a.alpha), "37/300"); /* 1/25 + 1/3 1/4 */
    cr_assert_str_eq(text_of(&a.beta), "0");
    mpq_clear(width);
    pby_distance_clear(&tau);
    pby_accuracy_clear(&a);
    pby_accuracy_clear(&release);
    pby_spec_free(spec);
}

Test(flexible, composition_adds_distortions_and_takes_the_error_of_the_second)
{
    pby_accuracy a;
    pby_distance sigma, tau;
    mpq_t gamma;
    pby_accuracy_init(&a);
    pby_distance_init(&sigma);
    pby_distance_init(&tau);
    mpq_init(gamma);
    mpq_set_ui(a.alpha.value, 1, 10);
    mpq_set_ui(a.beta.value, 7, 1);
    mpq_set_ui(a.gamma, 1, 100);
    mpq_set_ui(sigma.value, 1, 15);
    mpq_set_ui(tau.value, 3, 1);
    mpq_set_ui(gamma, 1, 50);
    pby_accuracy_compose(&a, &a, &sigma, &tau, gamma);
    cr_assert_str_eq(text_of(&a.alpha), "1/6");
    cr_assert_str_eq(text_of(&a.beta), "3");
    cr_assert_str_eq(text_of_q(a.gamma), "1/50");
    sigma.infinite = 1;
    pby_accuracy_compose(&a, &a, &sigma, &tau, gamma);
    cr_assert_str_eq(text_of(&a.alpha), "inf");
    mpq_clear(gamma);
    pby_distance_clear(&tau);
    pby_distance_clear(&sigma);
    pby_accuracy_clear(&a);
}

/* ---- a million releases -------------------------------------------------------------------------- */

enum { RELEASES = 1000000, BARS = 4, POINTS = 32 };

/* The data: points in hundredths of a bucket's width, in increasing order, and the bucket of each. */
struct data {
    int64_t at[POINTS], count[BARS];
    int bar[POINTS];
};

/* Evenly spread in each bucket, from its one border to next to the other. */
static void make_data(struct data *d, const int64_t *count)
{
    int i = 0;
    for (int b = 0; b < BARS; b++) {
        d->count[b] = count[b];
        for (int64_t j = 0; j < count[b]; j++, i++) {
            d->bar[i] = b;
            d->at[i] = 100 * b + (count[b] == 1 ? 50 : 99 * j / (count[b] - 1));
        }
    }
    cr_assert_eq(i, POINTS);
}

/* The points that are left, in increasing order: the last y[b] of each bucket, or, whole, all of those that
 * are seen. y is part of the counts. */
static size_t leave(int64_t *left, const struct data *d, const int64_t *y, bool whole)
{
    int64_t skipped[BARS] = {0};
    size_t n = 0;
    for (int b = 0; b < BARS; b++)
        cr_assert(0 <= y[b] && y[b] <= d->count[b]);
    for (int i = 0; i < POINTS; i++) {
        const int b = d->bar[i];
        const int64_t kept = whole && y[b] > 0 ? d->count[b] : y[b];
        if (skipped[b] < d->count[b] - kept)
            skipped[b]++;
        else
            left[n++] = d->at[i];
    }
    return n;
}

/* The Hausdorff distance of the points from the middles of the bars. */
static int64_t hausdorff(const int64_t *left, size_t n, const size_t *bars, size_t found)
{
    int64_t farthest = 0, nearest_bar[POINTS], nearest_point[BARS];
    for (size_t i = 0; i < n; i++)
        nearest_bar[i] = INT64_MAX;
    for (size_t j = 0; j < found; j++) {
        nearest_point[j] = INT64_MAX;
        for (size_t i = 0; i < n; i++) {
            const int64_t apart = labs(left[i] - 100 * (int64_t)bars[j] - 50);
            nearest_point[j] = apart < nearest_point[j] ? apart : nearest_point[j];
            nearest_bar[i] = apart < nearest_bar[i] ? apart : nearest_bar[i];
        }
        farthest = nearest_point[j] > farthest ? nearest_point[j] : farthest;
    }
    for (size_t i = 0; i < n; i++)
        farthest = nearest_bar[i] > farthest ? nearest_bar[i] : farthest;
    return farthest;
}

/* The point that a statistic of one bar is, of n in increasing order. */
static int64_t point_of(const pby_statistic *s, const int64_t *left, size_t n)
{
    switch (s->name) {
    case PBY_STATISTIC_MAX:
        return left[n - 1];
    case PBY_STATISTIC_MIN:
        return left[0];
    default:
        return left[(n * (size_t)s->num + (size_t)s->den - 1) / (size_t)s->den - 1];
    }
}

/* Returns the distance of a statistic of the release from that of the points. */
static int64_t error_of(const pby_statistic *s, const int64_t *left, size_t n, const int64_t *y)
{
    size_t bars[BARS], found;
    cr_assert_eq(pby_statistic_bars(bars, &found, s, y, BARS, NULL), PBY_OK);
    cr_assert(found >= 1);
    if (s->name == PBY_STATISTIC_SUPPORT)
        return hausdorff(left, n, bars, found);
    if (s->name == PBY_STATISTIC_RANGE)
        return labs(left[n - 1] - left[0] - 100 * (int64_t)(bars[found - 1] - bars[0]));
    return labs(point_of(s, left, n) - 100 * (int64_t)bars[0] - 50);
}

enum { STATISTICS = 6 };

/* The promise for a spec on these data, in whole records and in hundredths of a width. */
struct promise {
    pby_statistic statistic[STATISTICS];
    int64_t dropped, hidden, beta[STATISTICS];
};

static int64_t times(mpq_srcptr q, unsigned long factor)
{
    mpq_t scaled;
    mpq_init(scaled);
    mpq_set_ui(scaled, factor, 1);
    mpq_mul(scaled, scaled, q);
    cr_assert_eq(mpz_cmp_ui(mpq_denref(scaled), 1), 0);
    const int64_t whole = mpz_get_si(mpq_numref(scaled));
    mpq_clear(scaled);
    return whole;
}

static struct promise promise_of(const pby_spec *spec, const char *width)
{
    static const char *const names[STATISTICS] = {"max", "min", "range", "support", "median", "quantile"};
    struct promise p;
    pby_accuracy release, seen, behind;
    pby_distance tau;
    uint64_t bar_loss;
    mpq_t w;
    mpq_init(w);
    pby_accuracy_init(&release);
    pby_accuracy_init(&seen);
    pby_accuracy_init(&behind);
    pby_distance_init(&tau);
    cr_assert_eq(mpq_set_str(w, width, 10), 0);
    const pby_input_class inputs = {POINTS, BARS, w};
    cr_assert_eq(pby_accuracy_release(&release, &bar_loss, spec, &inputs, NULL), PBY_OK);
    cr_assert_eq(pby_accuracy_seen(&seen, spec, &inputs, NULL), PBY_OK);
    p.dropped = times(release.alpha.value, POINTS);
    p.hidden = times(seen.alpha.value, POINTS);
    for (int i = 0; i < STATISTICS; i++) {
        cr_assert_eq(pby_statistic_parse(&p.statistic[i], names[i], NULL, i == 5 ? "1/3" : NULL, NULL),
                     PBY_OK);
        pby_accuracy_statistic(&behind, &tau, &release, &p.statistic[i], PBY_METRIC_POINTS);
        cr_assert(mpq_sgn(behind.gamma) == 0 && !behind.beta.infinite);
        p.beta[i] = times(behind.beta.value, 100);
    }
    pby_distance_clear(&tau);
    pby_accuracy_clear(&behind);
    pby_accuracy_clear(&seen);
    pby_accuracy_clear(&release);
    mpq_clear(w);
    return p;
}

/* No bar grows, no more is dropped than told, and each statistic is within its beta of that of the points
 * that are left: of those that the release has, and, where only the support is read, of all in the bars that
 * it has. Returns how many are not left. */
static int64_t check_release(const struct promise *p, const struct data *d, const int64_t *y, bool whole)
{
    int64_t left[POINTS];
    const size_t n = leave(left, d, y, whole);
    const int64_t dropped = POINTS - (int64_t)n;
    cr_assert_leq(dropped, whole ? p->hidden : p->dropped);
    for (int i = 0; i < STATISTICS; i++)
        if (!whole || pby_statistic_of_support(&p->statistic[i]))
            cr_assert_leq(error_of(&p->statistic[i], left, n, y), p->beta[i]);
    return dropped;
}

/* Every one of a million seeded releases, as gamma is 0; and in each of these streams some drop, and some
 * hide, as many as can be of these counts. */
static void hold(const char *text, const char *width, uint8_t seed, const int64_t *count, int64_t dropped,
                 int64_t hidden)
{
    struct data d;
    pby_release *release;
    pby_spec *spec = spec_of(text);
    int64_t *y = malloc(RELEASES * BARS * sizeof *y), most[2] = {0, 0};
    cr_assert_not_null(y);
    make_data(&d, count);
    for (size_t i = 0; i < RELEASES * BARS; i++)
        y[i] = d.count[i % BARS];
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(seed), NULL), PBY_OK);
    cr_assert_eq(pby_release_size(release, POINTS, BARS, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, y, y, RELEASES * BARS, NULL), PBY_OK);
    const struct promise p = promise_of(spec, width);
    for (size_t r = 0; r < RELEASES; r++)
        for (int whole = 0; whole < 2; whole++) {
            const int64_t here = check_release(&p, &d, y + r * BARS, whole);
            most[whole] = here > most[whole] ? here : most[whole];
        }
    cr_assert_eq(most[0], dropped);
    cr_assert_eq(most[1], hidden);
    pby_release_free(release);
    pby_spec_free(spec);
    free(y);
}

static const int64_t EVEN[BARS] = {8, 8, 8, 8}, UNEVEN[BARS] = {2, 14, 3, 13};

Test(flexible, holds_on_every_one_of_a_million_releases)
{
    hold("stlap:eps=1/2,q=5", "1", 1, EVEN, 20, 0);
}

/* Two of the bars may be emptied. */
Test(flexible, holds_on_a_million_releases_that_empty_bars)
{
    hold("stlap:eps=1/2,q=5", "1", 4, UNEVEN, 15, 5);
}

Test(flexible, holds_on_a_million_releases_with_a_threshold_from_the_size)
{
    hold("stlap:eps=1/2,tau=1/8,n=32,bars=4", "1", 2, EVEN, 16, 0);
}

Test(flexible, holds_on_a_million_releases_of_buckets)
{
    hold("buckethist:eps=1/2,q=7/2,bound=4,width=1", "0", 3, UNEVEN, 11, 5);
}
