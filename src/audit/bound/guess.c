/* SPDX-License-Identifier: MIT */
#include "audit/bound/guess.h"
#include "number/scoped.h"

#include <math.h>

static double log_factorial(uint64_t n)
{
    int sign;
    return (double)lgammal_r((long double)n + 1, &sign);
}

double pby_guess_mass(uint64_t n, double p, uint64_t x)
{
    return log_factorial(n) - log_factorial(x) - log_factorial(n - x) + (double)x * log(p) +
           (double)(n - x) * log1p(-p);
}

double pby_guess_above(uint64_t n, double p, uint64_t x)
{
    if (x == 0 || p >= 1)
        return 0;
    if (p <= 0)
        return -INFINITY;
    if ((double)x < (double)n * p - 4 * sqrt((double)n * p * (1 - p)))
        return 0;
    const double first = pby_guess_mass(n, p, x);
    double term = 1, sum = 1;
    for (uint64_t j = x; j < n && (term > sum * 1e-9 || (double)j < (double)n * p); j++) {
        term *= (double)(n - j) / (double)(j + 1) * (p / (1 - p));
        sum += term;
    }
    return fmin(0, first + log(sum));
}

double pby_guess_below(uint64_t n, double p, uint64_t x)
{
    return pby_guess_above(n, 1 - p, n - x);
}

/* A quantile of the gamma law of shape k, thinned to the binomial's variance. */
static double cube_root(double k, double spread, double z)
{
    const double root = 1 - 1 / (9 * k) + z * spread / (3 * sqrt(k));
    return root <= 0 ? 0 : k * root * root * root;
}

/* For the smaller half of the counts; the larger half is its mirror image. */
static double upper(double n, double x, double z)
{
    return fmin(1, cube_root(x + 1, sqrt(1 - x / n), z) / n);
}

static double lower(double n, double x, double z)
{
    return x <= 0 ? 0 : cube_root(x, sqrt(1 - x / n), -z) / n;
}

double pby_guess_lower(double n, double x, double z)
{
    if (n <= 0)
        return 0;
    return x > n / 2 ? 1 - upper(n, n - x, z) : lower(n, x, z);
}

double pby_guess_upper(double n, double x, double z)
{
    if (n <= 0)
        return 1;
    return x > n / 2 ? 1 - lower(n, n - x, z) : upper(n, x, z);
}

double pby_guess_z(double log_tail)
{
    double z = sqrt(fmax(0, -2 * log_tail));
    for (int i = 0; i < 4; i++)
        z = sqrt(fmax(0, -2 * (log_tail + log(z + 1) + 0.9)));
    return z;
}

double pby_guess_of(const fmpq_t x)
{
    PBY_MPQ(q);
    fmpq_get_mpq(q, x);
    return mpq_get_d(q);
}
