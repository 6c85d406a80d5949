/* Compositions, and the accuracy statement held against a million releases. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "make.h"
#include "mechanism/release.h"
#include "tests/law/fit.h"

Test(flexible, statistics_of_a_bucketed_release)
{
    static const struct {
        const char *name, *k, *q, *beta;
    } rows[] = {{"max", NULL, NULL, "1/4"},     {"range", NULL, NULL, "1/2"},   {"support", NULL, NULL,
                                                                                 "1/4"},
                {"median", NULL, NULL, "1/4"},  {"quantile", NULL, "1/3", "1/4"}, {"mode", NULL, NULL, "inf"},
                {"max_k", "500", NULL, "inf"},  {"max_k", "1", NULL, "1/4"}};
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40", NULL);
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
        pby_accuracy_statistic(&a, &tau, &release, &s, PBY_ERROR_IN_POINTS);
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

/* The data: points in hundredths of a bucket's width, in increasing order. */
struct data {
    int64_t at[POINTS], count[BARS];
};

/* Eight points in each of four buckets, some on their borders. */
static void make_data(struct data *d)
{
    static const int64_t within[POINTS / BARS] = {0, 1, 10, 49, 50, 51, 98, 99};
    for (int64_t i = 0; i < POINTS; i++)
        d->at[i] = i / 8 * 100 + within[i % 8];
    for (int b = 0; b < BARS; b++)
        d->count[b] = POINTS / BARS;
}

/* What a statistic is of the points that are left, in increasing order, and of the release. */
static int64_t of_points(pby_statistic_name name, const int64_t *left, size_t n)
{
    switch (name) {
    case PBY_STATISTIC_MAX:
        return left[n - 1];
    case PBY_STATISTIC_MIN:
        return left[0];
    case PBY_STATISTIC_MEDIAN:
        return left[(n + 1) / 2 - 1];
    default:
        return left[n - 1] - left[0];
    }
}

static int64_t of_release(const pby_statistic *s, const int64_t *y)
{
    size_t bars[BARS], found;
    cr_assert_eq(pby_statistic_bars(bars, &found, s, y, BARS, NULL), PBY_OK);
    cr_assert(found >= 1);
    if (s->name == PBY_STATISTIC_RANGE)
        return 100 * (int64_t)(bars[found - 1] - bars[0]);
    return 100 * (int64_t)bars[0] + 50;
}

/* The part of the data that is left, the last y[b] of each bucket; y is part of the counts. */
static size_t leave(int64_t *left, const struct data *d, const int64_t *y)
{
    size_t n = 0;
    for (int i = 0; i < POINTS; i++) {
        const int b = i / (POINTS / BARS);
        cr_assert(0 <= y[b] && y[b] <= d->count[b]);
        if (i % 8 >= 8 - y[b])
            left[n++] = d->at[i];
    }
    return n;
}

enum { STATISTICS = 4 };

/* What is told of a spec on these data, in whole records and in hundredths of a width. */
struct promise {
    pby_statistic statistic[STATISTICS];
    int64_t dropped, beta[STATISTICS];
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
    static const char *const names[STATISTICS] = {"max", "min", "median", "range"};
    struct promise p;
    pby_accuracy release, behind;
    pby_distance tau;
    uint64_t bar_loss;
    mpq_t w;
    mpq_init(w);
    pby_accuracy_init(&release);
    pby_accuracy_init(&behind);
    pby_distance_init(&tau);
    cr_assert_eq(mpq_set_str(w, width, 10), 0);
    const pby_input_class inputs = {POINTS, BARS, w};
    cr_assert_eq(pby_accuracy_release(&release, &bar_loss, spec, &inputs, NULL), PBY_OK);
    p.dropped = times(release.alpha.value, POINTS);
    for (int i = 0; i < STATISTICS; i++) {
        cr_assert_eq(pby_statistic_parse(&p.statistic[i], names[i], NULL, NULL, NULL), PBY_OK);
        pby_accuracy_statistic(&behind, &tau, &release, &p.statistic[i], PBY_ERROR_IN_POINTS);
        cr_assert(mpq_sgn(behind.gamma) == 0 && !behind.beta.infinite);
        p.beta[i] = times(behind.beta.value, 100);
    }
    pby_distance_clear(&tau);
    pby_accuracy_clear(&behind);
    pby_accuracy_clear(&release);
    mpq_clear(w);
    return p;
}

/* No bar grows, no more is dropped than told, and each statistic is within its beta of that of the points that are
 * left. Returns how many are not. */
static int64_t check_release(const struct promise *p, const struct data *d, const int64_t *y)
{
    int64_t left[POINTS];
    const size_t n = leave(left, d, y);
    cr_assert_leq(POINTS - (int64_t)n, p->dropped);
    for (int i = 0; i < STATISTICS; i++)
        cr_assert_leq(labs(of_points(p->statistic[i].name, left, n) - of_release(&p->statistic[i], y)), p->beta[i]);
    return POINTS - (int64_t)n;
}

/* Every one of a million seeded releases, as gamma is 0; and in each of these streams some drop all that is told. */
static void hold(const char *text, const char *width, uint8_t seed)
{
    struct data d;
    pby_release *release;
    pby_spec *spec = spec_of(text, NULL);
    int64_t *y = malloc(RELEASES * BARS * sizeof *y), most = 0;
    cr_assert_not_null(y);
    make_data(&d);
    for (size_t i = 0; i < RELEASES * BARS; i++)
        y[i] = d.count[i % BARS];
    cr_assert_eq(pby_release_with(&release, spec, seeded(seed), NULL), PBY_OK);
    cr_assert_eq(pby_release_size(release, POINTS, BARS, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, y, y, RELEASES * BARS, NULL), PBY_OK);
    const struct promise p = promise_of(spec, width);
    for (size_t r = 0; r < RELEASES; r++) {
        const int64_t dropped = check_release(&p, &d, y + r * BARS);
        most = dropped > most ? dropped : most;
    }
    cr_assert_eq(most, p.dropped);
    pby_release_free(release);
    pby_spec_free(spec);
    free(y);
}

Test(flexible, holds_on_every_one_of_a_million_releases)
{
    hold("stlap:eps=1/2,q=5", "1", 1);
}

Test(flexible, holds_on_a_million_releases_with_a_threshold_from_the_size)
{
    hold("stlap:eps=1/2,tau=1/8,n=32,bars=4", "1", 2);
}

Test(flexible, holds_on_a_million_releases_of_buckets)
{
    hold("buckethist:eps=1/2,q=7/2,bound=4,width=1", "0", 3);
}
