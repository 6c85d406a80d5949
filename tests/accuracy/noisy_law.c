/* SPDX-License-Identifier: MIT */
/* Accuracies that fail with a chance, against the law of the outputs, enumerated on tiny inputs. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "kernel/histogram.h"
#include "kernel/range.h"
#include "kernel/threshold.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "tests/accuracy/explain.h"
#include "tests/accuracy/make.h"
#include "tests/spec.h"

enum { BARS = 2, FAR = 24, PREC = 256, UNPUBLISHED = -1000 };

/* ---- the law of the outputs ---------------------------------------------------------------------- */

/* A mechanism on tiny inputs: the gate's noise and the noise of the count, each from -FAR to FAR
 * or within the law's support. */
struct machine {
    pby_law *gate, *main;     /* NULL where there is none */
    int64_t threshold, reach; /* 0 where there is none */
    bool clamps;              /* below 0, as stlap does */
};

/* Returns the count published for an occupied bar, by the kernel functions that a release runs. */
static int64_t publish(const struct machine *m, int64_t x, int64_t gate, int64_t main)
{
    int64_t y = x;
    if (m->threshold > 0)
        pby_threshold(&y, &x, 1, &gate, m->threshold);
    if (y == PBY_SUPPRESSED)
        return 0;
    if (m->main == NULL)
        return y;
    if (m->clamps)
        pby_shrink(&y, &x, 1, &main, -m->main->lo);
    else if (m->reach > 0)
        pby_ranges(&y, &x, 1, &main, m->reach);
    else
        pby_perturb(&y, &x, 1, &main);
    return y == PBY_SUPPRESSED ? UNPUBLISHED : y;
}

static int64_t end_of(const pby_law *law, bool low)
{
    if (law == NULL)
        return 0;
    return low ? FLINT_MAX(law->lo, -FAR) : FLINT_MIN(law->hi, FAR);
}

static void mass_of(arb_t out, const pby_law *law, int64_t k)
{
    if (law == NULL)
        arb_one(out);
    else
        pby_law_mass_arb(out, law, k, PREC);
}

enum { DROPS = 64 };

/* Adds to share[d] the chance that d records must go, and to share[DROPS] the chance that nothing helps. With
 * whole, a bar is there with its true count or not at all, and beta does not matter. */
static void share_out(arb_ptr share, const struct machine *m, int64_t x, int64_t beta, bool whole)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    for (int64_t g = end_of(m->gate, true); g <= end_of(m->gate, false); g++)
        for (int64_t r = end_of(m->main, true); r <= end_of(m->main, false); r++) {
            const bool kept = x + g >= m->threshold;
            const int64_t drop = whole ? (kept ? 0 : x) : least_drop(x, publish(m, x, g, r), beta);
            mass_of(a, m->gate, g);
            mass_of(b, m->main, r);
            arb_mul(a, a, b, PREC);
            arb_ptr here = share + (drop < 0 || drop >= DROPS ? DROPS : drop);
            arb_add(here, here, a, PREC);
        }
    arb_clear(b);
    arb_clear(a);
}

/* The chance that more than `allowed` records must go in all, of one or two bars. */
static void failing(arb_t out, const struct machine *m, const int64_t *x, int bars, int64_t allowed,
                    int64_t beta, bool whole)
{
    arb_ptr first = _arb_vec_init(DROPS + 1), second = _arb_vec_init(DROPS + 1);
    share_out(first, m, x[0], beta, whole);
    if (bars == 1)
        arb_one(second);
    else
        share_out(second, m, x[1], beta, whole);
    arb_zero(out);
    for (int i = 0; i <= DROPS; i++)
        for (int j = 0; j <= DROPS; j++)
            if (i == DROPS || j == DROPS || i + j > allowed)
                arb_addmul(out, first + i, second + j, PREC);
    _arb_vec_clear(first, DROPS + 1);
    _arb_vec_clear(second, DROPS + 1);
}

/* ---- the promise against it ---------------------------------------------------------------------- */

/* Bounds the mass beyond FAR, for two bars with two noises each. */
static void beyond(arb_t out, const struct machine *m)
{
    arb_t tail;
    arb_init(tail);
    arb_zero(out);
    for (int i = 0; i < 2; i++) {
        const pby_law *law = i == 0 ? m->gate : m->main;
        if (law == NULL)
            continue;
        pby_law_cdf_arb(tail, law, -FAR - 1, PREC);
        arb_addmul_ui(out, tail, 4, PREC);
    }
    arb_clear(tail);
}

/* chance.hi is not below the chance of failing; returns whether it is the chance itself, up to what was left
 * out. */
static bool covers(const pby_enclosure *chance, const struct machine *m, const arb_t fails)
{
    arb_t hi, rest;
    arb_init(hi);
    arb_init(rest);
    arf_set_mpfr(arb_midref(hi), chance->hi);
    cr_assert(!arb_gt(fails, hi));
    beyond(rest, m);
    arb_add(rest, rest, fails, PREC);
    arf_set_mpfr(arb_midref(hi), chance->lo);
    const bool equal = !arb_lt(rest, hi);
    arb_clear(rest);
    arb_clear(hi);
    return equal;
}

/* A promise for one or two bars of up to `most` records each, at beta. Counts the inputs on which the
 * release, and what a threshold keeps, fail as often as told. */
static void enumerate(int *reached, int *kept_reached, const pby_spec *spec, const struct machine *m,
                      int64_t beta, int bars, int64_t most)
{
    char text[32];
    pby_noisy_accuracy a;
    arb_t fails;
    arb_init(fails);
    pby_noisy_accuracy_init(&a);
    snprintf(text, sizeof text, "%d", (int)beta);
    *reached = *kept_reached = 0;
    for (int64_t first = 1; first <= most; first++)
        for (int64_t second = bars - 1; second <= (bars == 1 ? 0 : most); second++) {
            const int64_t x[BARS] = {first, second}, n = first + second;
            cr_assert_eq(ask_noisy(&a, spec, (uint64_t)n, (uint64_t)bars, text, NULL), PBY_OK);
            const int64_t error = mpz_get_si(mpq_numref(a.release.beta.value));
            cr_assert(error <= beta && (!m->clamps || error == 0));
            failing(fails, m, x, bars, allowed_of(&a.release, (uint64_t)n), error, false);
            *reached += covers(&a.chance, m, fails);
            if (!a.gated)
                continue;
            cr_assert_eq(mpq_sgn(a.kept.beta.value), 0);
            failing(fails, m, x, bars, allowed_of(&a.kept, (uint64_t)n), 0, true);
            *kept_reached += covers(&a.lost, m, fails);
        }
    pby_noisy_accuracy_clear(&a);
    arb_clear(fails);
}

static pby_law *law_of(const pby_spec *spec, size_t i)
{
    pby_law *law;
    const pby_mechanism *m = &spec->use[i].mechanism;
    cr_assert_eq(m->family->law(&law, m, NULL), PBY_OK);
    return law;
}

/* Noise on every bar fails as often as told, on every input. */
Test(noisy_law, additive_noise_fails_exactly_so_often)
{
    static const struct {
        const char *spec;
        int64_t reach;
    } rows[] = {{"geometric:eps=2", 0},
                {"tgeometric:eps=1/2,bound=3", 0},
                {"dgauss:sigma2=2", 0},
                {"range:eps=2,L=2", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_spec *spec = spec_of(rows[i].spec);
        const struct machine m = {.main = law_of(spec, 0), .reach = rows[i].reach};
        for (int64_t beta = 0; beta <= 4; beta++)
            for (int bars = 1; bars <= BARS; bars++) {
                int reached, unused;
                enumerate(&reached, &unused, spec, &m, beta, bars, 2);
                cr_assert_eq(reached, bars == 1 ? 2 : 4, "%s at %d", rows[i].spec, (int)beta);
            }
        pby_law_free(m.main);
        pby_spec_free(spec);
    }
}

/* A threshold never fails more often than told; one bar of T + beta records does so as often. */
Test(noisy_law, a_threshold_fails_no_more_often_than_told)
{
    pby_spec *spec = spec_of("threshold:eps=2,T=3");
    const struct machine m = {.gate = law_of(spec, 0), .threshold = 3};
    for (int64_t beta = 0; beta <= 3; beta++) {
        int reached, kept;
        enumerate(&reached, &kept, spec, &m, beta, 1, 8);
        cr_assert(reached >= 1 && kept >= 1, "at %d", (int)beta);
        enumerate(&reached, &kept, spec, &m, beta, 2, 6);
    }
    pby_law_free(m.gate);
    pby_spec_free(spec);
}

Test(noisy_law, a_threshold_in_front_fails_no_more_often_than_told)
{
    static const char *const behind[] = {"geometric:eps=3", "stlap:eps=2,q=3", "stlap:eps=2,q=9"};
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        pby_spec *spec = spec_of_both("threshold:eps=3,T=2", behind[i]);
        const struct machine m = {law_of(spec, 0), law_of(spec, 1), 2, 0, i > 0};
        for (int64_t beta = 0; beta <= 2; beta++) {
            int reached, kept;
            enumerate(&reached, &kept, spec, &m, beta, 1, 6);
            cr_assert(kept >= 1);
            enumerate(&reached, &kept, spec, &m, beta, 2, 3);
        }
        pby_law_free(m.gate);
        pby_law_free(m.main);
        pby_spec_free(spec);
    }
}

/* Queries x/8 of a grid of 1: the answer n + R, n the query rounded. At no multiple of 1/2 does any fail more
 * often than told, and some fail as often; in between the beta below is told. */
Test(noisy_law, rounding_to_a_grid_is_part_of_the_error)
{
    static const char *const betas[] = {"1/2", "1", "3/2", "2", "9/4", "5/2"}, *const told[] = {"1/2", "1",
                                                                                                "3/2", "2",
                                                                                                "2",   "5/2"};
    static const int64_t eighths[] = {4, 8, 12, 16, 16, 20};
    pby_spec *spec = spec_of("laplace:scale=1/2,grid=1");
    const struct machine m = {.main = law_of(spec, 0)};
    pby_noisy_accuracy a;
    arb_t fails, mass;
    arb_init(fails);
    arb_init(mass);
    pby_noisy_accuracy_init(&a);
    for (size_t i = 0; i < sizeof betas / sizeof *betas; i++) {
        cr_assert_eq(ask_noisy(&a, spec, 1, 1, betas[i], NULL), PBY_OK);
        cr_assert_str_eq(text_of(&a.release.beta), told[i]);
        int reached = 0;
        for (int64_t x = 0; x < 8; x++) {
            arb_zero(fails);
            for (int64_t r = -FAR; r <= FAR; r++)
                if (labs(8 * ((x + 4) / 8 + r) - x) > eighths[i]) {
                    pby_law_mass_arb(mass, m.main, r, PREC);
                    arb_add(fails, fails, mass, PREC);
                }
            reached += covers(&a.chance, &m, fails);
        }
        cr_assert(reached >= 1, "at %s", betas[i]);
    }
    cr_assert_eq(ask_noisy(&a, spec, 1, 1, NULL, "3/20"), PBY_OK);
    cr_assert_str_eq(text_of(&a.release.beta), "1");
    cr_assert_eq(ask_noisy(&a, spec, 1, 1, NULL, "1"), PBY_OK);
    cr_assert_str_eq(text_of(&a.release.beta), "1/2");
    cr_assert_eq(ask_noisy(&a, spec, 1, 1, "1/4", NULL), PBY_BAD); /* less than the rounding */
    pby_noisy_accuracy_clear(&a);
    arb_clear(mass);
    arb_clear(fails);
    pby_law_free(m.main);
    pby_spec_free(spec);
}
