/* SPDX-License-Identifier: MIT */
/* Sensitivities on every histogram of up to three records on four points, and where the printed ones fail. */
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>

#include "tests/accuracy/make.h"
#include "tests/claims/decide.h"
#include "tests/claims/report.h"

enum { BARS = 4, SIZE = 3, ALL = 35, NONE = 16, VALUES = 17 };

static const long AT[BARS] = {0, 1, 2, 3};

/* Every histogram of at most SIZE records, the empty one first. */
static int64_t histogram[ALL][BARS];

static void list_histograms(void)
{
    size_t n = 0;
    for (int code = 0; code < 256; code++) {
        const int64_t x[BARS] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3};
        if (x[0] + x[1] + x[2] + x[3] <= SIZE)
            memcpy(histogram[n++], x, sizeof x);
    }
    cr_assert_eq(n, ALL);
}

static pby_measure *measure_of(size_t h)
{
    unsigned long mass[BARS];
    for (int i = 0; i < BARS; i++)
        mass[i] = (unsigned long)histogram[h][i];
    return make_measure(AT, 1, mass, BARS);
}

typedef pby_status distortion(pby_distance *, const pby_measure *, const pby_measure *, pby_error *);

static pby_distance *all_distances(distortion *between)
{
    flint_rand_t unused;
    flint_randinit(unused);
    pby_distance *d = random_distances(unused, ALL, 0, 1, 0);
    flint_randclear(unused);
    for (size_t i = 0; i < ALL; i++)
        for (size_t j = 0; j < ALL; j++) {
            pby_measure *x = measure_of(i), *y = measure_of(j);
            cr_assert_eq(between(&d[i * ALL + j], x, y, NULL), PBY_OK);
            pby_measure_free(x);
            pby_measure_free(y);
        }
    return d;
}

/* ---- statistics ------------------------------------------------------------------------------- */

/* A value is a set of bars, as bits; NONE is a value of its own unless the statistic is the support. */
static size_t value_of(const pby_statistic *s, size_t h)
{
    size_t bars[BARS], found, value = 0;
    cr_assert_eq(pby_statistic_bars(bars, &found, s, histogram[h], BARS, NULL), PBY_OK);
    for (size_t i = 0; i < found; i++)
        value |= (size_t)1 << bars[i];
    return found == 0 ? NONE : value;
}

static long top(size_t set)
{
    long last = 0;
    for (int i = 0; i < BARS; i++)
        last = set >> i & 1 ? AT[i] : last;
    return last;
}

static long bottom(size_t set)
{
    for (int i = 0; i < BARS; i++)
        if (set >> i & 1)
            return AT[i];
    return 0;
}

/* The farthest of a point of one set from the other set. */
static long one_sided(size_t a, size_t b)
{
    long farthest = 0;
    for (int i = 0; i < BARS; i++) {
        long nearest = 100;
        for (int j = 0; j < BARS; j++)
            if (b >> j & 1 && labs(AT[i] - AT[j]) < nearest)
                nearest = labs(AT[i] - AT[j]);
        if (a >> i & 1 && nearest > farthest)
            farthest = nearest;
    }
    return farthest;
}

static long hausdorff(size_t a, size_t b)
{
    const long there = one_sided(a, b), back = one_sided(b, a);
    return there > back ? there : back;
}

static pby_distance *value_metric(const pby_statistic *s)
{
    flint_rand_t unused;
    flint_randinit(unused);
    pby_distance *d = random_distances(unused, VALUES, 0, 1, 0);
    flint_randclear(unused);
    for (size_t a = 1; a < VALUES; a++)
        for (size_t b = 1; b < VALUES; b++) {
            pby_distance *here = &d[a * VALUES + b];
            here->infinite = (a == NONE) != (b == NONE);
            if (a == NONE || b == NONE)
                continue;
            const long width = labs((top(a) - bottom(a)) - (top(b) - bottom(b)));
            mpq_set_si(here->value, s->name == PBY_STATISTIC_RANGE ? width : hausdorff(a, b), 1);
        }
    return d;
}

/* The metric sensitivity of a statistic at beta, from its definition, between histograms of one size. */
static void enumerate(pby_distance *out, const pby_statistic *s, const pby_distance *move,
                      const pby_distance *beta)
{
    size_t f[ALL];
    for (size_t h = 0; h < ALL; h++)
        f[h] = value_of(s, h);
    pby_distance *values = value_metric(s);
    const pby_finite_function table = {f, ALL, VALUES};
    cr_assert_eq(pby_metric_sensitivity(out, &table, move, values, beta, NULL), PBY_OK);
    free_distances(values, VALUES * VALUES);
}

/* claims: Flex/Theorem 5; Flex/Corollary 1; Flex/Corollary 2 */
Test(sensitivity, of_each_statistic_is_the_enumerated_one)
{
    static const struct {
        const char *name, *k, *q;
        int bounded;
    } rows[] = {{"max", NULL, NULL, 1},    {"min", NULL, NULL, 1},     {"max_k", "1", NULL, 1},
                {"min_k", "1", NULL, 1},   {"max_k", "2", NULL, 0},    {"min_k", "3", NULL, 0},
                {"range", NULL, NULL, 1},  {"support", NULL, NULL, 1}, {"mode", NULL, NULL, 0},
                {"median", NULL, NULL, 1}, {"quantile", NULL, "0", 1}, {"quantile", NULL, "2/3", 1},
                {"quantile", NULL, "1", 1}};
    pby_distance found, stated, beta;
    pby_distance_init(&found);
    pby_distance_init(&stated);
    pby_distance_init(&beta);
    list_histograms();
    pby_distance *move = all_distances(pby_distortion_move);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        pby_statistic s;
        cr_assert_eq(pby_statistic_parse(&s, rows[r].name, rows[r].k, rows[r].q, NULL), PBY_OK);
        for (unsigned long b = 0; b <= 1; b++) {
            mpq_set_ui(beta.value, b, 1);
            enumerate(&found, &s, move, &beta);
            pby_statistic_sensitivity(&stated, &s, PBY_METRIC_POINTS, &beta);
            if (b == 0 || rows[r].bounded)
                cr_assert(claims_eq_text(CLAIMS_ALL, text_of(&stated), text_of(&found)), "%s at %lu",
                          rows[r].name, b);
            else /* as far as the points reach, or from a bar to none */
                cr_assert(stated.infinite &&
                          (found.infinite || mpq_cmp_si(found.value, AT[BARS - 1], 1) == 0));
        }
    }
    free_distances(move, ALL * ALL);
    pby_distance_clear(&beta);
    pby_distance_clear(&stated);
    pby_distance_clear(&found);
}

/* The greatest difference of a count, between every two. */
static pby_distance *count_distances(void)
{
    flint_rand_t unused;
    flint_randinit(unused);
    pby_distance *d = random_distances(unused, ALL, 0, 1, 0);
    flint_randclear(unused);
    for (size_t i = 0; i < ALL; i++)
        for (size_t j = 0; j < ALL; j++)
            for (int b = 0; b < BARS; b++) {
                const long apart = labs(histogram[i][b] - histogram[j][b]);
                if (mpq_cmp_si(d[i * ALL + j].value, apart, 1) < 0)
                    mpq_set_si(d[i * ALL + j].value, apart, 1);
            }
    return d;
}

/* Where an error is one of counts, every statistic stays at 0, and at 1 each goes as far as the points reach,
 * or from a bar to none. */
Test(sensitivity, to_counts_is_all_or_nothing)
{
    static const char *const names[] = {"max", "min", "range", "support", "mode", "median"};
    pby_distance found, stated, beta;
    pby_distance_init(&found);
    pby_distance_init(&stated);
    pby_distance_init(&beta);
    list_histograms();
    pby_distance *counts = count_distances();
    for (size_t r = 0; r < sizeof names / sizeof *names; r++) {
        pby_statistic s;
        cr_assert_eq(pby_statistic_parse(&s, names[r], NULL, NULL, NULL), PBY_OK);
        for (unsigned long halves = 0; halves <= 2; halves++) {
            mpq_set_ui(beta.value, halves, 2);
            mpq_canonicalize(beta.value);
            enumerate(&found, &s, counts, &beta);
            pby_statistic_sensitivity(&stated, &s, PBY_METRIC_COUNTS, &beta);
            cr_assert_eq(stated.infinite, halves == 2);
            cr_assert(halves == 2 ? found.infinite || mpq_cmp_si(found.value, AT[BARS - 1], 1) == 0
                                  : mpq_sgn(found.value) == 0 && mpq_sgn(stated.value) == 0);
        }
    }
    free_distances(counts, ALL * ALL);
    pby_distance_clear(&beta);
    pby_distance_clear(&stated);
    pby_distance_clear(&found);
}

/* The metric of the ends is not the metric of the sets: {0, 1, 2} and {0, 2} have the same ends.
 * claims: Flex/Section 5.2.2, distance of supports */
Test(sensitivity, the_ends_of_a_support_do_not_measure_it)
{
    cr_assert(claims_eq_si(CLAIMS_ALL, (long)hausdorff(1 | 2 | 4, 1 | 4), 1));
    cr_assert(bottom(7) == bottom(5) && top(7) == top(5));
}

/* One record at 0 and two records at 0 are in proportion, at distance 0 as laws: not a metric, and a
 * statistic that counts, such as max_2, has no bound even at beta 0. */
Test(sensitivity, laws_forget_the_size_that_max_k_reads)
{
    const long at[1] = {0};
    const unsigned long one[1] = {1}, two[1] = {2};
    const int64_t x[1] = {1}, y[1] = {2};
    pby_measure *a = make_measure(at, 1, one, 1), *b = make_measure(at, 1, two, 1);
    pby_statistic s;
    size_t bar, found;
    mpq_t w, zero;
    mpq_inits(w, zero, NULL);
    cr_assert_eq(pby_lossy_distance(w, a, b, zero, NULL), PBY_OK);
    cr_assert_eq(mpq_sgn(w), 0);
    cr_assert_eq(pby_statistic_parse(&s, "max_k", "2", NULL, NULL), PBY_OK);
    cr_assert_eq(pby_statistic_bars(&bar, &found, &s, x, 1, NULL), PBY_OK);
    cr_assert_eq(found, 0);
    cr_assert_eq(pby_statistic_bars(&bar, &found, &s, y, 1, NULL), PBY_OK);
    cr_assert_eq(found, 1);
    mpq_clears(w, zero, NULL);
    pby_measure_free(a);
    pby_measure_free(b);
}

/* ---- distortion and error sensitivity ---------------------------------------------------------
 * claims: Flex/Section 4.1.1, sensitivity of the histogram */
Test(sensitivity, dropping_costs_the_identity_what_it_costs)
{
    size_t id[ALL];
    pby_distance found, alpha;
    pby_distance_init(&found);
    pby_distance_init(&alpha);
    list_histograms();
    for (size_t h = 0; h < ALL; h++)
        id[h] = h;
    const pby_finite_function table = {id, ALL, ALL};
    pby_distance *drop = all_distances(pby_distortion_drop);
    static const struct {
        unsigned long num, den;
        const char *sigma;
    } rows[] = {{0, 1, "0"}, {1, 3, "1/3"}, {2, 5, "1/3"}, {1, 2, "1/2"}, {3, 4, "2/3"}, {1, 1, "1"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        mpq_set_ui(alpha.value, rows[r].num, rows[r].den);
        cr_assert_eq(pby_distortion_sensitivity(&found, &table, drop, drop, &alpha, NULL), PBY_OK);
        cr_assert(claims_eq_text(CLAIMS_ALL, text_of(&found), rows[r].sigma));
    }
    free_distances(drop, ALL * ALL);
    pby_distance_clear(&alpha);
    pby_distance_clear(&found);
}

/* 0 -> 0, 1 -> 0, 2 -> 1 of three values; the third value is reached by nothing. */
Test(sensitivity, a_value_without_an_input_costs_everything)
{
    const size_t f[3] = {0, 0, 1};
    const pby_finite_function table = {f, 3, 3};
    flint_rand_t state;
    pby_distance found, alpha;
    flint_randinit(state);
    pby_distance_init(&found);
    pby_distance_init(&alpha);
    pby_distance *domain = random_distances(state, 3, 0, 1, 0),
                 *codomain = random_distances(state, 3, 0, 1, 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            mpq_set_ui(domain[3 * i + j].value, (unsigned long)(10 * i + j) * (i != j), 1);
            mpq_set_ui(codomain[3 * i + j].value, (unsigned long)labs(i - j), 1);
        }
    cr_assert_eq(pby_distortion_sensitivity(&found, &table, domain, codomain, &alpha, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "0"); /* each input has its own value at no cost */
    codomain[5].infinite = 1;               /* from value 1 to value 2 */
    mpq_set_ui(alpha.value, 1, 1);
    cr_assert_eq(pby_distortion_sensitivity(&found, &table, domain, codomain, &alpha, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "20"); /* input 2 into value 0: by 20 into input 0 */
    mpq_set_ui(alpha.value, 2, 1);
    cr_assert_eq(pby_distortion_sensitivity(&found, &table, domain, codomain, &alpha, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "inf");
    const size_t wrong[3] = {0, 3, 0};
    const pby_finite_function bad = {wrong, 3, 3};
    cr_assert_eq(pby_distortion_sensitivity(&found, &bad, domain, codomain, &alpha, NULL), PBY_BAD);
    free_distances(domain, 9);
    free_distances(codomain, 9);
    pby_distance_clear(&alpha);
    pby_distance_clear(&found);
    flint_randclear(state);
}

/* Remark 2 has beta = tau(0, 0) for every (alpha, beta, gamma)-accurate mechanism. A mechanism that is right
 * is (0, 1, 0)-accurate as well as (0, 0, 0)-accurate, and tau(0, 0) is 0.
 * claims: Flex/Remark 2 */
Test(sensitivity, an_accuracy_may_be_more_than_the_error)
{
    size_t id[ALL];
    pby_distance tau, zero;
    mpq_t none;
    pby_distance_init(&tau);
    pby_distance_init(&zero);
    mpq_init(none);
    list_histograms();
    for (size_t h = 0; h < ALL; h++)
        id[h] = h;
    const pby_finite_function right = {id, ALL, ALL};
    pby_distance *drop = all_distances(pby_distortion_drop), *move = all_distances(pby_distortion_move);
    const pby_error_sensitivity_at at = {drop, move, move, &zero, &zero, none, none};
    cr_assert_eq(pby_error_sensitivity(&tau, &right, &right, &at, NULL), PBY_OK);
    cr_assert(claims_eq_text(CLAIMS_ALL, text_of(&tau), "0"));
    mpq_set_ui(zero.value, 1, 1);
    for (size_t h = 0; h < ALL; h++) /* the definition at beta = 1, with x' = x */
        cr_assert_leq(pby_distance_cmp(&move[h * ALL + id[h]], &zero), 0);
    claims_tell("Flex/Remark 2", tau.value, zero.value);
    free_distances(drop, ALL * ALL);
    free_distances(move, ALL * ALL);
    mpq_clear(none);
    pby_distance_clear(&zero);
    pby_distance_clear(&tau);
}

/* max as a mechanism for max: the metric sensitivity without allowances; less when a record may be dropped
 * on the other side; everything when more is lost on the way in than may be lost on the way out. */
Test(sensitivity, of_the_error_follows_its_allowances)
{
    pby_statistic max;
    size_t f[ALL];
    pby_distance found, alpha, beta;
    mpq_t none, some, all;
    pby_distance_init(&found);
    pby_distance_init(&alpha);
    pby_distance_init(&beta);
    mpq_inits(none, some, all, NULL);
    list_histograms();
    cr_assert_eq(pby_statistic_parse(&max, "max", NULL, NULL, NULL), PBY_OK);
    for (size_t h = 0; h < ALL; h++)
        f[h] = value_of(&max, h);
    const pby_finite_function table = {f, ALL, VALUES};
    pby_distance *drop = all_distances(pby_distortion_drop), *move = all_distances(pby_distortion_move);
    pby_distance *values = value_metric(&max);
    pby_error_sensitivity_at at = {drop, move, values, &alpha, &beta, none, none};
    mpq_set_ui(some, 1, 2);
    mpq_set_ui(all, 1, 1);
    mpq_set_ui(beta.value, 1, 1);
    cr_assert_eq(pby_error_sensitivity(&found, &table, &table, &at, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "1");
    at.gamma1 = some;
    cr_assert_eq(pby_error_sensitivity(&found, &table, &table, &at, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "inf"); /* the empty histogram against any other */
    at.gamma2 = some;
    cr_assert_eq(pby_error_sensitivity(&found, &table, &table, &at, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "1");
    at.gamma2 = all;
    cr_assert_eq(pby_error_sensitivity(&found, &table, &table, &at, NULL), PBY_OK);
    cr_assert_str_eq(text_of(&found), "0");
    const pby_finite_function other = {f, ALL - 1, VALUES};
    cr_assert_eq(pby_error_sensitivity(&found, &table, &other, &at, NULL), PBY_BAD);
    free_distances(drop, ALL * ALL);
    free_distances(move, ALL * ALL);
    free_distances(values, VALUES * VALUES);
    mpq_clears(none, some, all, NULL);
    pby_distance_clear(&beta);
    pby_distance_clear(&alpha);
    pby_distance_clear(&found);
}
