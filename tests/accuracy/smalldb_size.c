/* SPDX-License-Identifier: MIT */
/* The size of a small database and its error, against all databases of all data of a few records. */
#include "accuracy/smalldb_size.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { KINDS = 3, QUERIES = 2, MOST = 3 };

static const double answer[QUERIES][KINDS] = {{0, 0.5, 1}, {1, 0, 0}};

static uint64_t size_of(uint64_t queries, long num, ulong den)
{
    uint64_t size = 0;
    fmpq_t alpha;
    pby_error err;
    fmpq_init(alpha);
    fmpq_set_si(alpha, num, den);
    cr_assert_eq(pby_smalldb_size(&size, queries, alpha, &err), PBY_OK, "%s", err.text);
    fmpq_clear(alpha);
    return size;
}

/* The next whole number above log(2 |Q|)/(2 alpha^2). */
Test(smalldb_size, the_least_that_is_enough)
{
    for (uint64_t queries = 1; queries < 3000; queries += 1 + queries / 3)
        for (long num = 1; num <= 10; num++)
            for (ulong den = (ulong)num; den < 100; den += 7) {
                const long double alpha = (long double)num / (long double)den;
                const long double least = logl(2 * (long double)queries) / (2 * alpha * alpha);
                cr_assert_eq(size_of(queries, num, den), (uint64_t)floorl(least) + 1);
            }
    cr_assert_eq(size_of(1, 1, 1), 1);
    fmpq_t alpha;
    uint64_t size;
    pby_error err;
    fmpq_init(alpha);
    fmpq_set_si(alpha, 1, 10000);
    cr_assert_eq(pby_smalldb_size(&size, 2, alpha, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "alpha '0.0001': expected one for which 1000000 records are enough");
    fmpq_clear(alpha);
}

static double error_of(const long *data, const long *database)
{
    double worst = 0;
    for (int f = 0; f < QUERIES; f++) {
        double x = 0, y = 0, n = 0, m = 0;
        for (int u = 0; u < KINDS; u++) {
            x += (double)data[u] * answer[f][u];
            y += (double)database[u] * answer[f][u];
            n += (double)data[u];
            m += (double)database[u];
        }
        worst = fmax(worst, fabs(x / n - y / m));
    }
    return worst;
}

/* Returns the chance of an error above `most`, and sets *best to the least error. */
static double beyond(double *best, const long *data, const pby_smalldb *x, double most)
{
    const double rate = fmpq_get_d(x->rate) * (double)x->records;
    const long m = (long)x->size;
    double sum = 0, bad = 0;
    *best = INFINITY;
    for (long a = 0; a <= m; a++)
        for (long b = 0; a + b <= m; b++) {
            const double error = error_of(data, (const long[]){a, b, m - a - b});
            const double weight = exp(-rate * error);
            *best = fmin(*best, error);
            sum += weight;
            bad += error > most + 1e-12 ? weight : 0;
        }
    return bad / sum;
}

static void check(const pby_smalldb *x, const long *data, double *nearest)
{
    for (int b = 0; b < PBY_SMALLDB_BOUNDS; b++) {
        pby_enclosure error;
        pby_error err;
        double best;
        pby_enclosure_init(&error);
        cr_assert_eq(pby_smalldb_error(&error, x, (pby_smalldb_bound)b, 12, &err), PBY_OK, "%s", err.text);
        const double chance = beyond(&best, data, x, mpfr_get_d(error.hi, MPFR_RNDU));
        cr_assert(best <= fmpq_get_d(x->alpha) + 1e-12, "no database is within alpha");
        cr_assert(chance <= fmpq_get_d(x->beta) + 1e-9, "%d: %.9f", b, chance);
        *nearest = fmax(*nearest, chance / fmpq_get_d(x->beta));
        pby_enclosure_clear(&error);
    }
}

/* For all data of up to three records of each kind some database of that size is within alpha, and the chance
 * of an error above each of the bounds is at most beta. */
Test(smalldb_size, all_data_of_a_few_records)
{
    static const long alphas[][2] = {{1, 2}, {2, 5}, {3, 10}}, rates[] = {1, 4, 16}, betas[] = {2, 20};
    pby_smalldb x = {.kinds = KINDS, .queries = QUERIES};
    double nearest = 0;
    fmpq_init(x.alpha);
    fmpq_init(x.rate);
    fmpq_init(x.beta);
    for (long k = 1; k < 64; k++)
        for (size_t i = 0; i < 18; i++) {
            const long data[KINDS] = {k % 4, k / 4 % 4, k / 16};
            const long *alpha = alphas[i % 3];
            x.records = (uint64_t)(data[0] + data[1] + data[2]);
            x.size = size_of(QUERIES, alpha[0], (ulong)alpha[1]);
            fmpq_set_si(x.alpha, alpha[0], (ulong)alpha[1]);
            fmpq_set_si(x.rate, rates[i / 3 % 3], 4);
            fmpq_set_si(x.beta, 1, (ulong)betas[i / 9]);
            check(&x, data, &nearest);
        }
    cr_assert_gt(nearest, 0.01, "%.9f", nearest);
    fmpq_clear(x.beta);
    fmpq_clear(x.rate);
    fmpq_clear(x.alpha);
}

/* One database at the best score and all others t below it: at the sharp bound the others have the chance
 * beta. Where they have less at any t, the bound is alpha. */
Test(smalldb_size, the_sharp_bound_is_reached)
{
    pby_smalldb x = {.kinds = 4, .queries = 7, .size = 9, .records = 50}; /* C(12, 9) = 220 databases */
    pby_enclosure error;
    pby_error err;
    fmpq_init(x.alpha);
    fmpq_init(x.rate);
    fmpq_init(x.beta);
    pby_enclosure_init(&error);
    fmpq_set_si(x.alpha, 1, 3);
    fmpq_set_si(x.rate, 1, 4);
    fmpq_set_si(x.beta, 1, 20);
    cr_assert_eq(pby_smalldb_error(&error, &x, PBY_SMALLDB_SHARP, 15, &err), PBY_OK);
    const double t = (mpfr_get_d(error.lo, MPFR_RNDN) - 1.0 / 3) * 50, w = 219 * exp(-t / 4);
    cr_assert(fabs(w / (1 + w) - 0.05) < 1e-9);
    fmpq_set_si(x.beta, 999, 1000);
    cr_assert_eq(pby_smalldb_error(&error, &x, PBY_SMALLDB_SHARP, 15, &err), PBY_OK);
    cr_assert(fabs(mpfr_get_d(error.lo, MPFR_RNDN) - 1.0 / 3) < 1e-12);
    pby_enclosure_clear(&error);
    fmpq_clear(x.beta);
    fmpq_clear(x.rate);
    fmpq_clear(x.alpha);
}
