/* SPDX-License-Identifier: MIT */
/* Samples of fixed size, enumerated: n records, of which every m are drawn alike, a query that sums the
 * values of those drawn, and geometric noise; each use may ask a query of its own, also after the outputs of
 * earlier uses. In doubles, of which the smallest difference that is looked at is far above their errors. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "probity/spec.h"
#include "tests/cli/run.h"

enum { RECORDS = 3, REACH = 60, OUTCOMES = 2 * REACH + RECORDS + 1, QUERIES = 4 << (RECORDS - 1) };

static const double rate = 1;

struct law {
    double mass[OUTCOMES];
};

/* The noisy sum of m of the records, whose values are the bits. */
static struct law sampled(unsigned bits, int m)
{
    struct law out = {{0}};
    double samples = 0;
    for (unsigned s = 0; s < 1u << RECORDS; s++)
        samples += __builtin_popcount(s) == m;
    for (unsigned s = 0; s < 1u << RECORDS; s++)
        for (int k = 0; k < OUTCOMES && __builtin_popcount(s) == m; k++)
            out.mass[k] += exp(-rate * abs(k - REACH - __builtin_popcount(s & bits))) * tanh(rate / 2) /
                           samples;
    return out;
}

/* A query gives the record that is changed one value on either input, and each other record one. */
struct query {
    struct law p, q;
};

static void ask_all(struct query out[QUERIES], int m)
{
    for (unsigned i = 0; i < QUERIES; i++) {
        const unsigned others = i >> 2 << 1;
        out[i] = (struct query){sampled(others | (i & 1), m), sampled(others | (i >> 1 & 1), m)};
    }
}

static double excess(const struct query *a, double x)
{
    double sum = 0;
    for (int k = 0; k < OUTCOMES; k++)
        sum += fmax(0, a->p.mass[k] - x * a->q.mass[k]);
    return sum;
}

/* The worst of one use. */
static double worst(const struct query all[QUERIES], double x)
{
    double most = 0;
    for (unsigned i = 0; i < QUERIES; i++)
        most = fmax(most, excess(&all[i], x));
    return most;
}

/* The worst of two uses, of which the second query is chosen after the first output. */
static double worst_of_two(const struct query all[QUERIES], double x)
{
    double most = 0;
    for (unsigned i = 0; i < QUERIES; i++) {
        double sum = 0;
        for (int k = 0; k < OUTCOMES; k++)
            sum += all[i].p.mass[k] * worst(all, x * all[i].q.mass[k] / all[i].p.mass[k]);
        most = fmax(most, sum);
    }
    return most;
}

static void delta_of(double *lo, double *hi, const char *text, const char *epsilon)
{
    pby_error err;
    pby_spec *spec;
    pby_enclosure delta;
    mpq_t e;
    mpq_init(e);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_rational_parse(e, "epsilon", epsilon, &err), PBY_OK);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_SUBSTITUTE, e, 15, &err), PBY_OK, "%s", err.text);
    *lo = mpfr_get_d(delta.lo, MPFR_RNDD);
    *hi = mpfr_get_d(delta.hi, MPFR_RNDU);
    pby_spec_free(spec);
    pby_enclosure_clear(&delta);
    mpq_clear(e);
}

static const struct {
    const char *text;
    double value;
} epsilons[] = {{"0", 0}, {"1/10", 0.1}, {"1/2", 0.5}, {"9/10", 0.9}, {"-1/5", -0.2}, {"-3/4", -0.75}};

enum { EPSILONS = sizeof epsilons / sizeof *epsilons };

/* One use loses exactly what the worst neighbours lose. */
Test(fixed, one_use_is_exact)
{
    static struct query all[QUERIES];
    for (int m = 1; m < RECORDS; m++) {
        char text[64];
        ask_all(all, m);
        snprintf(text, sizeof text, "geometric:eps=1,fixed=%d/%d", m, RECORDS);
        for (size_t i = 0; i < EPSILONS; i++) {
            double lo, hi;
            const double truth = worst(all, exp(epsilons[i].value));
            delta_of(&lo, &hi, text, epsilons[i].text);
            cr_assert(fabs(hi - truth) < 1e-12 && fabs(lo - truth) < 1e-12,
                      "%s at %s: %.15g .. %.15g, not %.15g", text, epsilons[i].text, lo, hi, truth);
        }
    }
}

/* Two uses lie within the enclosure, whose ends are apart. */
Test(fixed, two_uses_are_enclosed)
{
    static struct query all[QUERIES];
    double below = 0;
    ask_all(all, 1);
    for (size_t i = 0; i < EPSILONS; i++) {
        double lo, hi;
        const double truth = worst_of_two(all, exp(epsilons[i].value));
        delta_of(&lo, &hi, "2*geometric:eps=1,fixed=1/3", epsilons[i].text);
        cr_assert(lo <= truth + 1e-12 && truth <= hi + 1e-12, "%s: %.15g .. %.15g, not %.15g",
                  epsilons[i].text, lo, hi, truth);
        below = fmax(below, hi - truth);
    }
    cr_assert(below > 1e-3, "the ends are apart, by %g", below);
}

/* A curve and the atoms of a fine grid agree: both forms of the pair are the same. */
Test(fixed, curves_and_atoms_agree)
{
    for (size_t i = 0; i < EPSILONS; i++) {
        double curve, atoms, hi;
        delta_of(&curve, &hi, "laplace:scale=2,fixed=1/5", epsilons[i].text);
        delta_of(&atoms, &hi, "laplace:scale=2,grid=1/64,fixed=1/5", epsilons[i].text);
        cr_assert(fabs(curve - atoms) < 1e-2 * (curve + 1e-3), "%s: %g and %g", epsilons[i].text, curve,
                  atoms);
    }
}

Test(fixed, is_refused)
{
    PBY_REFUSED(2, "neighbours 'add-remove': expected substitute", NULL, "loss", "gauss:sigma2=4,fixed=1/2",
                "--epsilon", "1", "--neighbours", "add-remove");
    PBY_REFUSED(2, "expected sample or fixed, and not both", NULL, "loss",
                "gauss:sigma2=4,fixed=1/2,sample=1/2", "--epsilon", "1");
    PBY_REFUSED(2, "expected sample, fixed or allocate", NULL, "loss", "gauss:sigma2=4,fixed=1/2,allocate=3",
                "--epsilon", "1");
    PBY_REFUSED(2, "expected theta or fixed, and not both", NULL, "loss",
                "geometric:eps=1,fixed=1/2,theta=1/9", "--epsilon", "1");
    PBY_REFUSED(2, "no sample of fixed size is drawn here", "a,1\n", "release",
                "geometric:eps=1,sensitivity=2,fixed=1/2");
    PBY_REFUSED(2, "Renyi divergences of such samples are not enclosed", NULL, "loss",
                "gauss:sigma2=4,fixed=1/2", "--order", "2");
}
