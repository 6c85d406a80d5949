/* SPDX-License-Identifier: MIT */
/* Truncated Poisson samples: every sample of small data, and every choice out of it, in one use and in two.
 */
#include "mechanism/privacy/truncation.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "probity/loss.h"
#include "probity/rational.h"
#include "tests/spec.h"

enum { RECORDS = 3, MEANS = 2 * RECORDS + 1, POINTS = 2400 };

/* Adds the chances of each sum of a batch: of the sets of n records, each with chance q a record, those
 * larger than `batch` are cut to any of their parts of that size alike, or to the first so many. */
static void sums(double chance[MEANS], const int *value, int n, int batch, double q, bool first)
{
    for (int i = 0; i < MEANS; i++)
        chance[i] = 0;
    for (int set = 0; set < 1 << n; set++) {
        const int size = __builtin_popcount((unsigned)set);
        const double of_set = pow(q, size) * pow(1 - q, n - size);
        const int kept = size < batch ? size : batch;
        double parts = 1; /* binomial(size, kept) */
        for (int i = 0; i < kept && !first; i++)
            parts = parts * (size - i) / (i + 1);
        for (int part = 0; part < 1 << n; part++) {
            const bool begins = (set & ~part) == 0 || (set & ~part & -(set & ~part)) > part;
            if ((part & ~set) != 0 || __builtin_popcount((unsigned)part) != kept || (first && !begins))
                continue;
            int sum = RECORDS;
            for (int i = 0; i < n; i++)
                sum += part >> i & 1 ? value[i] : 0;
            chance[sum] += of_set / parts;
        }
    }
}

/* The masses of two mixtures of normal distributions of variance 1 in a cell of a fine grid. */
struct cell {
    double p, q;
};

static int by_ratio(const void *one, const void *other)
{
    const struct cell *a = one, *b = other;
    const double left = a->p * b->q, right = b->p * a->q;
    return (left > right) - (left < right);
}

/* By rising ratios of p to q. */
static void fill(struct cell cell[POINTS], const double p[MEANS], const double q[MEANS])
{
    const double step = 24.0 / POINTS;
    for (int k = 0; k < POINTS; k++) {
        cell[k] = (struct cell){0, 0};
        for (int i = 0; i < MEANS; i++) {
            const double z = -12 + (k + 0.5) * step - (i - RECORDS);
            const double mass = exp(-z * z / 2) * step / sqrt(2 * M_PI);
            cell[k].p += p[i] * mass;
            cell[k].q += q[i] * mass;
        }
    }
    qsort(cell, POINTS, sizeof *cell, by_ratio);
}

/* The hockey-stick divergence of one use, or of two: for each outcome of the first, those of the second from
 * a ratio on, which falls as that of the first rises. */
static double divergence(const struct cell cell[POINTS], double x, int uses)
{
    double sum = 0;
    if (uses == 1) {
        for (int k = 0; k < POINTS; k++)
            sum += fmax(0, cell[k].p - x * cell[k].q);
        return sum;
    }
    double p = 0, q = 0;
    for (int k = 0, from = POINTS; k < POINTS; k++) {
        for (; from > 0 && cell[k].p * cell[from - 1].p > x * cell[k].q * cell[from - 1].q; from--) {
            p += cell[from - 1].p;
            q += cell[from - 1].q;
        }
        sum += cell[k].p * p - x * cell[k].q * q;
    }
    return sum;
}

static void reverse(struct cell cell[POINTS])
{
    for (int i = 0; i < POINTS; i++) {
        const struct cell c = cell[i];
        cell[i] = (struct cell){c.q, c.p};
    }
    qsort(cell, POINTS, sizeof *cell, by_ratio);
}

/* Returns the divergence of two neighbours: the others, and these with a record of 1 at a place among
 * them. */
static double of_neighbours(const int *other, int others, int place, int batch, double q, double x,
                            bool first, int uses)
{
    static struct cell cell[POINTS];
    int value[RECORDS];
    double with[MEANS], without[MEANS];
    for (int i = 0; i <= others; i++)
        value[i] = i == place ? 1 : other[i < place ? i : i - 1];
    sums(without, other, others, batch, q, first);
    sums(with, value, others + 1, batch, q, first);
    fill(cell, with, without);
    const double removal = divergence(cell, x, uses);
    reverse(cell);
    return fmax(removal, divergence(cell, x, uses));
}

/* The worst neighbours: up to two other records of -1, 0 or 1, and one of 1 more or fewer. */
static double worst(int batch, double q, double x, bool first, int uses)
{
    double most = 0;
    for (int others = 0; others < RECORDS; others++)
        for (int code = 0; code < (int)pow(3, others); code++)
            for (int place = 0; place <= (first ? others : 0); place++) {
                const int other[RECORDS] = {code % 3 - 1, code / 3 - 1, 0};
                most = fmax(most, of_neighbours(other, others, place, batch, q, x, first, uses));
            }
    return most;
}

static void enclose(double *lo, double *hi, const char *text, const char *epsilon)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure found;
    pby_error err;
    mpq_t at;
    mpq_init(at);
    pby_enclosure_init(&found);
    cr_assert_eq(pby_rational_parse(at, "epsilon", epsilon, NULL), PBY_OK);
    cr_assert_eq(pby_loss_delta(&found, spec, PBY_ADD_REMOVE, at, 9, &err), PBY_OK, "%s", err.text);
    *lo = mpfr_get_d(found.lo, MPFR_RNDD);
    *hi = mpfr_get_d(found.hi, MPFR_RNDU);
    pby_enclosure_clear(&found);
    mpq_clear(at);
    pby_spec_free(spec);
}

Test(truncated, no_neighbour_is_worse_than_the_upper_end)
{
    static const struct {
        const char *spec, *epsilon;
        int batch;
        double q, x;
        bool cut; /* whether some neighbours are worse than those of the sample as it is */
    } cases[] = {
        {"gauss:sigma2=1,sample=1/2,batch=1,records=3", "0", 1, 0.5, 1, false},
        {"gauss:sigma2=1,sample=1/2,batch=1,records=3", "1/2", 1, 0.5, 1.6487212707001282, true},
        {"gauss:sigma2=1,sample=1/2,batch=1,records=3", "3", 1, 0.5, 20.085536923187668, true},
        {"gauss:sigma2=1,sample=1/2,batch=2,records=3", "1/2", 2, 0.5, 1.6487212707001282, false},
        {"gauss:sigma2=1,sample=4/5,batch=2,records=3", "3", 2, 0.8, 20.085536923187668, true},
        {"gauss:sigma2=1,sample=1/5,batch=1,records=3", "1", 1, 0.2, 2.718281828459045, true},
        {"gauss:sigma2=1,sample=1/5,batch=3,records=3", "1", 3, 0.2, 2.718281828459045, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double lo, hi;
        enclose(&lo, &hi, cases[i].spec, cases[i].epsilon);
        const double most = worst(cases[i].batch, cases[i].q, cases[i].x, false, 1);
        cr_assert(lo <= most + 1e-7 && most <= hi + 1e-7, "%s at %s: %g in [%g, %g]", cases[i].spec,
                  cases[i].epsilon, most, lo, hi);
        cr_assert(!cases[i].cut || most > lo + 1e-4, "%s at %s: %g is the lower end", cases[i].spec,
                  cases[i].epsilon, most);
        cr_assert(cases[i].batch < RECORDS || hi - lo < 1e-6, "nothing is cut");
        const double in_order = worst(cases[i].batch, cases[i].q, cases[i].x, true, 1);
        cr_assert(in_order <= hi + 1e-7, "%s at %s: %g is above %g", cases[i].spec, cases[i].epsilon,
                  in_order, hi);
    }
}

/* The first records of an order are worse than random ones: r is among them for sure. */
Test(truncated, two_uses_are_no_worse_either)
{
    static const struct {
        const char *spec, *epsilon;
        int batch;
        double q, x;
    } cases[] = {
        {"2*gauss:sigma2=1,sample=1/2,batch=1,records=3", "0", 1, 0.5, 1},
        {"2*gauss:sigma2=1,sample=1/2,batch=1,records=3", "1", 1, 0.5, 2.718281828459045},
        {"2*gauss:sigma2=1,sample=4/5,batch=2,records=3", "3", 2, 0.8, 20.085536923187668},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double lo, hi;
        enclose(&lo, &hi, cases[i].spec, cases[i].epsilon);
        const double random = worst(cases[i].batch, cases[i].q, cases[i].x, false, 2);
        const double in_order = worst(cases[i].batch, cases[i].q, cases[i].x, true, 2);
        cr_assert(lo <= random + 1e-5 && fmax(random, in_order) <= hi + 1e-5,
                  "%s at %s: %g and %g in [%g, %g]", cases[i].spec, cases[i].epsilon, random, in_order, lo,
                  hi);
        cr_assert_gt(in_order, 1.5 * lo, "%s at %s: truncation costs", cases[i].spec, cases[i].epsilon);
    }
}

/* The chance of a full batch of the others, from above and closely. */
Test(truncated, the_chance_is_the_binomial_tail)
{
    static const struct {
        const char *spec;
        double chance;
    } cases[] = {
        {"gauss:sigma2=1,sample=1/2,batch=1,records=3", 0.75},
        {"gauss:sigma2=1,sample=1/5,batch=2,records=3", 0.04},
        {"gauss:sigma2=1,sample=1/5,batch=3,records=3", 0},
        {"gauss:sigma2=4,sample=1/100,batch=650,records=60000", 0.022146660489530744},
        {"gauss:sigma2=4,sample=1/100,batch=700,records=60000", 3.375752631289257e-05},
        {"gauss:sigma2=4,sample=1/100,batch=1,records=2000000000", 1},
    };
    fmpq_t chance;
    fmpq_init(chance);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of(cases[i].spec);
        pby_truncation_chance(chance, &spec->use[0].mechanism);
        const double found = fmpq_get_d(chance);
        cr_assert(fabs(found - cases[i].chance) <= 1e-9 * cases[i].chance, "%s: %g", cases[i].spec, found);
        pby_spec_free(spec);
    }
    fmpq_clear(chance);
}

Test(truncated, refused)
{
    static const char *const cases[][2] = {
        {"gauss:sigma2=1,sample=1/2,batch=1", "batch and records, or neither"},
        {"gauss:sigma2=1,sample=1/2,records=3", "batch and records, or neither"},
        {"gauss:sigma2=1,batch=1,records=3", "sample with batch"},
        {"gauss:sigma2=1,fixed=1/2,batch=1,records=3", "sample with batch"},
        {"gauss:sigma2=1,sample=1/2,batch=0,records=3", "batch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec;
        pby_error err;
        cr_assert_eq(pby_spec_parse(&spec, &cases[i][0], 1, &err), PBY_BAD, "%s", cases[i][0]);
        cr_assert_not_null(strstr(err.text, cases[i][1]), "%s", err.text);
    }
}
