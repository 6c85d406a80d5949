/* Truncated Poisson samples: every sample of small data, and every choice out of it. */
#include "mechanism/truncation.h"

#include <criterion/criterion.h>
#include <math.h>

#include "probity/loss.h"
#include "probity/rational.h"
#include "tests/spec.h"

enum { RECORDS = 3, MEANS = 2 * RECORDS + 1, POINTS = 2400 };

/* Adds the chances of each sum of a batch: of the sets of n records, each with chance q a record, those
 * larger than `batch` are cut to any of their parts of that size alike. A part is reached from each larger
 * set. */
static void sums(double chance[MEANS], const int *value, int n, int batch, double q)
{
    for (int i = 0; i < MEANS; i++)
        chance[i] = 0;
    for (int set = 0; set < 1 << n; set++) {
        const int size = __builtin_popcount((unsigned)set);
        const double of_set = pow(q, size) * pow(1 - q, n - size);
        const int kept = size < batch ? size : batch;
        double parts = 1; /* binomial(size, kept) */
        for (int i = 0; i < kept; i++)
            parts = parts * (size - i) / (i + 1);
        for (int part = 0; part < 1 << n; part++) {
            if ((part & ~set) != 0 || __builtin_popcount((unsigned)part) != kept)
                continue;
            int sum = RECORDS;
            for (int i = 0; i < n; i++)
                sum += part >> i & 1 ? value[i] : 0;
            chance[sum] += of_set / parts;
        }
    }
}

/* The hockey-stick divergence of two mixtures of normal distributions of variance 1. */
static double divergence(const double p[MEANS], const double q[MEANS], double x)
{
    const double step = 24.0 / POINTS;
    double sum = 0;
    for (int k = 0; k < POINTS; k++) {
        const double y = -12 + (k + 0.5) * step;
        double d = 0;
        for (int i = 0; i < MEANS; i++)
            d += (p[i] - x * q[i]) * exp(-(y - (i - RECORDS)) * (y - (i - RECORDS)) / 2);
        sum += fmax(0, d) * step;
    }
    return sum / sqrt(2 * M_PI);
}

/* The worst neighbours: up to two other records of -1, 0 or 1, and one of 1 more or fewer. */
static double worst(int batch, double q, double x)
{
    double most = 0;
    for (int others = 0; others < RECORDS; others++)
        for (int code = 0; code < (int)pow(3, others); code++) {
            int value[RECORDS] = {code % 3 - 1, code / 3 - 1, 0};
            double with[MEANS], without[MEANS];
            value[others] = 1;
            sums(without, value, others, batch, q);
            sums(with, value, others + 1, batch, q);
            most = fmax(most, fmax(divergence(with, without, x), divergence(without, with, x)));
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
        const double most = worst(cases[i].batch, cases[i].q, cases[i].x);
        cr_assert(lo <= most + 1e-7 && most <= hi + 1e-7, "%s at %s: %g in [%g, %g]", cases[i].spec,
                  cases[i].epsilon, most, lo, hi);
        cr_assert(!cases[i].cut || most > lo + 1e-4, "%s at %s: %g is the lower end", cases[i].spec,
                  cases[i].epsilon, most);
        cr_assert(cases[i].batch < RECORDS || hi - lo < 1e-6, "nothing is cut");
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
