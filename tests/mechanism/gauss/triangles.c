/* SPDX-License-Identifier: MIT */
/* Samples of fixed size of records in a ball, against integrals over the plane of the three points: no
 * triangle has more than its bound, and one cell dominates it at every epsilon. Compositions are compared
 * with integrals over the first output, of the worse of what a second use can do. Integrals are in doubles,
 * over squares, and their errors are far below the differences that are looked at. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "mechanism/gauss/triangles.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "probity/spec.h"
#include "tests/cli/run.h"

static const double FINE = 1e-7;

struct place {
    double x, y;
};

static double density(struct place z, struct place at)
{
    return exp(-((z.x - at.x) * (z.x - at.x) + (z.y - at.y) * (z.y - at.y)) / 2) / (2 * acos(-1));
}

/* The potential at x of (1-g) N(u) + g N(r) against (1-g) N(u) + g N(r2), in the plane. */
static double potential(struct place u, struct place r, struct place r2, double g, double x)
{
    enum { HALF = 90 };
    const double step = 0.1;
    double sum = 0;
    for (int i = -HALF; i <= HALF; i++)
        for (int j = -HALF; j <= HALF; j++) {
            const struct place z = {i * step, j * step};
            const double rest = (1 - g) * density(z, u);
            sum += fmax(0, rest + g * density(z, r) - x * (rest + g * density(z, r2)));
        }
    return sum * step * step;
}

static double distance(struct place a, struct place b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/* A point of the disk, of which every other lies on its edge. */
static struct place place_of(unsigned *seed, double radius)
{
    *seed = *seed * 1103515245u + 12345u;
    const double angle = (*seed >> 8) * 0x1p-24 * 2 * acos(-1);
    *seed = *seed * 1103515245u + 12345u;
    const double far = *seed >> 31 ? radius : radius * sqrt((*seed >> 8 & 0x7fffff) * 0x1p-23);
    return (struct place){far * cos(angle), far * sin(angle)};
}

static double bound_of(double first, double last, double g, double x)
{
    PBY_FMPQ(value, at, share);
    PBY_ARB(a, b);
    PBY_ARF(end);
    arf_set_d(end, x);
    arf_get_fmpq(at, end);
    arf_set_d(end, g);
    arf_get_fmpq(share, end);
    arb_set_d(a, first);
    arb_set_d(b, last);
    pby_triangle_bound(value, at, a, b, share);
    return fmpq_get_d(value);
}

Test(triangles, none_has_more_than_its_bound)
{
    unsigned seed = 7;
    for (int i = 0; i < 24; i++) {
        const struct place u = place_of(&seed, 1), r = place_of(&seed, 1), r2 = place_of(&seed, 1);
        const double g = i % 2 ? 0.125 : 0.5, x = 1 + (i % 5) * 0.25;
        if (distance(r, u) < 1e-3 || distance(r, r2) < 1e-3)
            continue;
        const double bound = bound_of(distance(r, u), distance(r, r2), g, x), has = potential(u, r, r2, g, x);
        cr_assert(has <= bound + 1e-4, "triangle %d at %g: %.12g, above %.12g", i, x, has, bound);
    }
}

/* If u and r' are one point, the bound is what one use has: g G(1 + (x-1)/g). */
Test(triangles, the_bound_of_a_removal_is_exact)
{
    for (int i = 0; i < 8; i++) {
        const double g = 0.125, m = 1.5, x = 1 + i * 0.25, y = 1 + (x - 1) / g;
        const double gauss = erfc((log(y) / m - m / 2) / sqrt(2)) / 2 -
                             y * erfc((log(y) / m + m / 2) / sqrt(2)) / 2;
        cr_assert_float_eq(bound_of(m, m, g, x), g * gauss, FINE, "at %g", x);
    }
}

/* The potential of a curve at exp(t), t a number of sixteenths. */
static double potential_of(const pby_pair *pair, long sixteenths)
{
    pby_error err;
    PBY_ARB(p, q);
    PBY_FMPQ(t);
    fmpq_set_si(t, sixteenths, 16);
    cr_assert_eq(pair->curve->class->tails(p, q, pair->curve, t, 96, &err), PBY_OK);
    return arf_get_d(arb_midref(p), ARF_RND_NEAR) -
           exp((double)sixteenths / 16) * arf_get_d(arb_midref(q), ARF_RND_NEAR);
}

static const long places[] = {-24, -12, -6, -3, -1, 0, 1, 3, 6, 12, 24};

enum { PLACES = sizeof places / sizeof *places };

/* Returns true if a cell has as much as the triangle at every place, but for errors of the integral. */
static bool is_covered(const pby_pairs *cells, const double has[PLACES])
{
    for (size_t c = 0; c < cells->count; c++) {
        bool covers = true;
        for (int i = 0; i < PLACES && covers; i++)
            covers = potential_of(&cells->pair[c], places[i]) >= has[i] - 1e-4;
        if (covers)
            return true;
    }
    return false;
}

Test(triangles, one_cell_dominates_each_triangle_of_the_ball)
{
    pby_error err;
    pby_pairs cells = {NULL, 0};
    unsigned seed = 11;
    PBY_FMPQ(ratio, share);
    fmpq_set_si(ratio, 4, 1);
    fmpq_set_si(share, 1, 4);
    cr_assert_eq(pby_triangles_pairs(&cells, ratio, share, &err), PBY_OK);
    cr_assert_gt(cells.count, 1u);
    for (int i = 0; i < 16; i++) {
        const struct place u = place_of(&seed, 1), r = place_of(&seed, 1), r2 = place_of(&seed, 1);
        double has[PLACES];
        for (int k = 0; k < PLACES; k++)
            has[k] = potential(u, r, r2, 0.25, exp((double)places[k] / 16));
        cr_assert(is_covered(&cells, has), "triangle %d: (%g, %g) (%g, %g) (%g, %g)", i, u.x, u.y, r.x, r.y,
                  r2.x, r2.y);
    }
    pby_pairs_clear(&cells);
}

/* ---- two uses ----------------------------------------------------------------------------------- */

static double normal(double z)
{
    return erfc(-z / sqrt(2)) / 2;
}

/* The potential of one use that is a removal, by a shift of 1, and of an addition: its reverse. */
static double removal(double g, double x)
{
    const double y = 1 + (x - 1) / g;
    if (y <= 0)
        return 1 - x;
    return g * (normal(0.5 - log(y)) - y * normal(-0.5 - log(y)));
}

static double addition(double g, double x)
{
    return x == 0 ? 1 : 1 - x + x * removal(g, 1 / x);
}

/* Two uses, the first a removal or an addition, and the second the worse of them after each output. */
static double two_uses(double g, double x, bool removes)
{
    const double step = 1.0 / 512;
    double sum = 0;
    for (double z = -12; z <= 13; z += step) {
        const double alone = exp(-z * z / 2), moved = (1 - g) * alone + g * exp(-(z - 1) * (z - 1) / 2);
        const double p = removes ? moved : alone, q = removes ? alone : moved, rest = x * q / p;
        sum += p * fmax(removal(g, rest), addition(g, rest));
    }
    return sum * step / sqrt(2 * acos(-1));
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

/* The lower end is what neighbours have that choose after each output, and the upper end comes near it if
 * records are clipped. */
Test(triangles, two_uses_are_enclosed)
{
    static const struct {
        const char *epsilon;
        double x;
    } asked[] = {{"0", 1}, {"1/4", 1.2840254166877414}, {"1", 2.7182818284590452}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        double lo, hi, wide;
        const double truth = fmax(two_uses(0.25, asked[i].x, true), two_uses(0.25, asked[i].x, false));
        delta_of(&lo, &hi, "2*gauss:sigma2=1,fixed=1/4,clipped=yes", asked[i].epsilon);
        cr_assert(lo <= truth + FINE && truth <= hi + FINE, "%s: %.12g .. %.12g, not %.12g", asked[i].epsilon,
                  lo, hi, truth);
        cr_assert(lo >= 0.985 * truth, "%s: %.12g is far below %.12g", asked[i].epsilon, lo, truth);
        delta_of(&lo, &wide, "2*gauss:sigma2=1,fixed=1/4", asked[i].epsilon);
        cr_assert(lo >= 0.985 * truth && wide >= truth - FINE, "%s: not clipped, %.12g .. %.12g",
                  asked[i].epsilon, lo, wide);
        cr_assert(hi <= wide * 1.001, "%s: clipped has %.12g, else %.12g", asked[i].epsilon, hi, wide);
    }
}

/* In longer lists clipped records gain more: at epsilon 2, 18 % of delta in twelve uses. */
Test(triangles, clipped_records_lose_less)
{
    double lo, hi, wide;
    delta_of(&lo, &hi, "12*gauss:sigma2=1,fixed=1/10,clipped=yes", "2");
    delta_of(&lo, &wide, "12*gauss:sigma2=1,fixed=1/10", "2");
    cr_assert(lo <= hi && hi < 0.9 * wide, "%g .. %g, and %g", lo, hi, wide);
}

Test(triangles, are_refused)
{
    PBY_REFUSED(2, "expected clipped beside fixed alone", NULL, "loss", "gauss:sigma2=4,clipped=yes",
                "--epsilon", "1");
    PBY_REFUSED(2, "expected clipped beside fixed alone", NULL, "loss",
                "gauss:sigma2=4,sample=1/2,clipped=yes", "--epsilon", "1");
    PBY_REFUSED(2, "clipped", NULL, "loss", "gauss:sigma2=4,fixed=1/2,clipped=maybe", "--epsilon", "1");
    PBY_REFUSED(2, "clipped", NULL, "loss", "dgauss:sigma2=4,fixed=1/2,clipped=yes", "--epsilon", "1");
    PBY_REFUSED(2, "Renyi divergences of such samples are not enclosed", NULL, "loss",
                "gauss:sigma2=4,fixed=1/2,clipped=yes", "--order", "2");
}
