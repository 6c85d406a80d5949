/* SPDX-License-Identifier: MIT */
/* Losses that have a density, gathered at the points of a grid and offset to it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "loss/compose/compose.h"
#include "loss/divergence/divergence.h"
#include "loss/loss.h"
#include "loss/pld/pld.h"
#include "probity/experimental/losses.h"
#include "tests/spec.h"

enum { PREC = 256, BITS = 80 };

static const char *const dense[] = {"gauss:sigma2=2", "gauss:sigma2=1/2,sample=1/5000",
                                    "gauss:sigma2=9,sample=1/3", "gauss:sigma2=1/4,sample=1/2",
                                    "gauss:sigma2=1,sample=99/100"};

static pby_parts parts_of(const char *text)
{
    pby_spec *spec = spec_of(text);
    pby_parts parts;
    pby_error err;
    cr_assert_eq(pby_parts_of_spec(&parts, spec, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return parts;
}

/* The two plds of a pair whose losses are raised by an offset, and the epsilon and the truth that they are
 * held against. */
struct sides {
    pby_pld lower, upper;
    fmpq_t step, offset, slack, at, raised;
    arb_t truth, below, above;
};

static void sides_init(struct sides *s, const pby_pair *pair, slong num, ulong den, slong offset_percent)
{
    pby_tails tails;
    slong low, high;
    pby_error err;
    fmpq_init(s->step);
    fmpq_init(s->offset);
    fmpq_init(s->slack);
    fmpq_init(s->at);
    fmpq_init(s->raised);
    arb_init(s->truth);
    arb_init(s->below);
    arb_init(s->above);
    fmpq_set_si(s->step, num, den);
    fmpq_div_2exp(s->slack, s->step, 20);
    cr_assert(pby_pair_dense(pair));
    cr_assert_eq(pby_loss_range(&low, &high, pair, s->step, BITS, &err), PBY_OK, "%s", err.text);
    low -= 2;
    high += 2;
    if (offset_percent >= 0) {
        fmpq_set_si(s->raised, offset_percent, 100);
        fmpq_mul(s->offset, s->step, s->raised);
    } else {
        cr_assert_eq(pby_loss_offset(s->offset, pair, s->step, low, high, &err), PBY_OK, "%s", err.text);
    }
    cr_assert_eq(pby_tails_init(&tails, pair, s->step, s->offset, low, high, BITS + 24, &err), PBY_OK);
    pby_pld_init(&s->lower, BITS, false);
    pby_pld_init(&s->upper, BITS, true);
    cr_assert_eq(pby_pld_from_tails(&s->lower, &tails, 1, s->step, s->slack, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_pld_from_tails(&s->upper, &tails, 1, s->step, s->slack, &err), PBY_OK, "%s", err.text);
    pby_tails_clear(&tails);
}

static void sides_clear(struct sides *s)
{
    pby_pld_clear(&s->lower);
    pby_pld_clear(&s->upper);
    arb_clear(s->above);
    arb_clear(s->below);
    arb_clear(s->truth);
    fmpq_clear(s->raised);
    fmpq_clear(s->at);
    fmpq_clear(s->slack);
    fmpq_clear(s->offset);
    fmpq_clear(s->step);
}

static void read_sides(struct sides *s, const pby_pair *pair, slong num, ulong den)
{
    pby_error err;
    fmpq_set_si(s->at, num, den);
    cr_assert_eq(pby_curve_hockey_stick(s->truth, pair->curve, s->at, PREC, &err), PBY_OK, "%s", err.text);
    fmpq_add(s->raised, s->at, s->offset);
    pby_pld_deltas(s->above, &s->upper, s->step, s->raised, 1);
    fmpq_add(s->raised, s->raised, s->slack);
    pby_pld_deltas(s->below, &s->lower, s->step, s->raised, 1);
}

/* Steps from far below the spread of the losses to far above it, and any offset. */
Test(gather, each_side_is_kept)
{
    flint_rand_t state;
    flint_randinit(state);
    for (size_t i = 0; i < sizeof dense / sizeof *dense; i++) {
        pby_parts parts = parts_of(dense[i]);
        for (size_t j = 0; j < parts.part[0].pairs.count; j++)
            for (int round = 0; round < 6; round++) {
                const pby_pair *pair = &parts.part[0].pairs.pair[j];
                struct sides s;
                const slong percent = round % 2 == 0 ? -1 : (slong)n_randint(state, 100);
                sides_init(&s, pair, 1 + (slong)n_randint(state, 9), 10 + n_randint(state, 400), percent);
                for (int k = 0; k < 20; k++) {
                    read_sides(&s, pair, (slong)n_randint(state, 601) - 300, 100);
                    cr_assert(!arb_lt(s.above, s.truth), "%s: the upper bound is below the truth", dense[i]);
                    cr_assert(!arb_gt(s.below, s.truth), "%s: the lower bound is above the truth", dense[i]);
                }
                sides_clear(&s);
            }
        pby_parts_clear(&parts);
    }
    flint_randclear(state);
}

/* With most losses within 2e-4 of each other and a step of 1/1000, the mass from below is nearly all there,
 * and so is the chance of a large loss. Without an offset no pair on the grid comes close. */
Test(gather, close_losses_meet_a_point_of_the_grid)
{
    pby_parts parts = parts_of("gauss:sigma2=1/2,sample=1/5000");
    int large = 0; /* pairs of large losses: one, the other's are at most -log(1 - 1/5000) */
    for (size_t j = 0; j < parts.part[0].pairs.count; j++) {
        const pby_pair *pair = &parts.part[0].pairs.pair[j];
        struct sides s;
        arb_t ratio;
        arb_init(ratio);
        sides_init(&s, pair, 1, 1000, -1);
        read_sides(&s, pair, 1, 100);
        arb_div(ratio, s.below, s.truth, PREC);
        cr_assert(arf_cmp_d(arb_midref(s.truth), 1e-12) < 0 || arf_cmp_d(arb_midref(ratio), 0.95) > 0);
        large += arf_cmp_d(arb_midref(s.truth), 1e-6) > 0;
        fmpz_t whole;
        fmpz_init(whole);
        for (slong i = 0; i < fmpz_poly_length(s.lower.mass); i++)
            fmpz_add(whole, whole, s.lower.mass->coeffs + i);
        arb_set_fmpz(ratio, whole);
        arb_mul_2exp_si(ratio, ratio, -BITS);
        cr_assert(arf_cmp_d(arb_midref(ratio), 0.999999) > 0);
        fmpz_clear(whole);
        sides_clear(&s);
        arb_clear(ratio);
    }
    cr_assert_eq(large, 1);
    pby_parts_clear(&parts);
}

/* ---- a composition by another route ------------------------------------------------------------ */

/* The removal of a record from a sample of rate q with noise of variance v: P(L > t), in doubles. */
static double upper_tail(double t, double q, double v)
{
    const double e = expm1(t) / q;
    if (e <= -1)
        return 1;
    const double y = v * log1p(e) + 0.5, s = sqrt(2 * v);
    return (1 - q) * 0.5 * erfc(y / s) + q * 0.5 * erfc((y - 1) / s);
}

enum { CELLS = 3000, BEFORE = 40, DOUBLINGS = 4 };

/* P's masses of sixteen uses by squaring, on a grid of the step h from -BEFORE h on, of losses that are
 * rounded up or down to it; what comes out at either end stays at the end. */
static void square_up(double *mass)
{
    double *out = calloc(CELLS, sizeof *out);
    cr_assert_not_null(out);
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; mass[i] > 0 && k < CELLS; k++) {
            const int at = i + k - BEFORE;
            out[at < 0 ? 0 : at >= CELLS ? CELLS - 1 : at] += mass[i] * mass[k];
        }
    for (int i = 0; i < CELLS; i++)
        mass[i] = out[i];
    free(out);
}

static double delta_of(double epsilon, double h, double q, double v, bool up)
{
    static double mass[CELLS];
    double delta = 0;
    for (int i = 0; i < CELLS; i++) {
        const double t = (i - BEFORE) * h;
        mass[i] = up ? upper_tail(t - h, q, v) - upper_tail(t, q, v)
                     : upper_tail(t, q, v) - upper_tail(t + h, q, v);
    }
    for (int i = 0; i < DOUBLINGS; i++)
        square_up(mass);
    for (int i = 0; i < CELLS; i++)
        if ((i - BEFORE) * h > epsilon)
            delta += mass[i] * -expm1(epsilon - (i - BEFORE) * h);
    return delta;
}

/* Sixteen uses of a rare sample. Losses that are rounded to a grid of 1/1000 in doubles, up and down, have
 * deltas on both sides of the truth, which the enclosure must meet. */
Test(gather, sixteen_uses_between_two_sums)
{
    pby_spec *spec = spec_of("16*gauss:sigma2=1/2,sample=1/1000");
    static const char *const epsilons[] = {"1/20", "1/4", "1/2", "1"};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        pby_enclosure delta;
        pby_error err;
        mpq_t at;
        mpq_init(at);
        pby_enclosure_init(&delta);
        mpq_set_str(at, epsilons[i], 10);
        cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, at, 10, &err), PBY_OK, "%s", err.text);
        const double least = delta_of(mpq_get_d(at), 1e-3, 1e-3, 0.5, false);
        const double most = delta_of(mpq_get_d(at), 1e-3, 1e-3, 0.5, true);
        const double lo = mpfr_get_d(delta.lo, MPFR_RNDD), hi = mpfr_get_d(delta.hi, MPFR_RNDU);
        cr_assert(lo <= most * (1 + 1e-9) && hi >= least * (1 - 1e-9), "%s: [%g, %g] beside [%g, %g]",
                  epsilons[i], lo, hi, least, most);
        cr_assert(hi <= lo * 1.0101, "%s: [%g, %g]", epsilons[i], lo, hi);
        pby_enclosure_clear(&delta);
        mpq_clear(at);
    }
    pby_spec_free(spec);
}

static void check_within(const char *text, const char *level, double least, double most)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure epsilon;
    pby_error err;
    mpq_t delta;
    mpq_init(delta);
    mpq_set_str(delta, level, 10);
    pby_enclosure_init(&epsilon);
    cr_assert_eq(pby_loss_epsilon(&epsilon, spec, PBY_ADD_REMOVE, delta, 9, &err), PBY_OK, "%s", err.text);
    const double lo = mpfr_get_d(epsilon.lo, MPFR_RNDD), hi = mpfr_get_d(epsilon.hi, MPFR_RNDU);
    cr_assert(lo <= most && hi >= least && hi <= lo * 1.0101, "%s: [%g, %g]", text, lo, hi);
    pby_enclosure_clear(&epsilon);
    mpq_clear(delta);
    pby_spec_free(spec);
}

/* These took 50 and 100 seconds on grids so fine that most losses are far apart on them; the bounds that they
 * must meet are of such a grid. */
Test(gather, many_uses_of_rare_samples)
{
    check_within("50000*gauss:sigma2=1/2,sample=1/5000", "1/10000000", 0.752830, 0.768382);
}
