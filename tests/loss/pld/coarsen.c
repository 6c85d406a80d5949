/* SPDX-License-Identifier: MIT */
/* Plds that go over to a grid of twice the step. */
#include <criterion/criterion.h>

#include "loss/pld/pld.h"
#include "tests/kernel/stream.h"

enum { BITS = 80, POINTS = 300, PREC = 256, LOG_BUDGET = 40 };

/* Masses of a hump around low + POINTS/2, each up to twice or half as large; or any, where it is rough. */
static void make(pby_pld *pld, bool upper, slong low, bool rough, uint64_t *stream)
{
    pby_pld_init(pld, BITS, upper);
    pld->low = low;
    fmpz_set_ui(pld->infinite, stream_next(stream) >> 1);
    for (slong i = 0; i < POINTS; i++) {
        const uint64_t far = (uint64_t)labs(i - POINTS / 2), word = stream_next(stream) >> 8;
        fmpz_poly_set_coeff_ui(pld->mass, i, rough && word % 3 == 0 ? 0 : (word | 1ULL << 54) >> far / 8);
    }
}

static void sum(fmpz_t out, const pby_pld *pld)
{
    fmpz_zero(out);
    for (slong i = 0; i < fmpz_poly_length(pld->mass); i++)
        fmpz_add(out, out, pld->mass->coeffs + i);
}

/* No mass is lost or made, and the potential moves to its side at every epsilon, at grid points and between.
 */
static void expect_sided(bool upper, slong low, bool rough, const char *step_text, uint64_t *stream)
{
    pby_pld fine, coarse;
    fmpz_t before, after;
    fmpq_t step, at;
    arb_t was, is;
    fmpz_init(before);
    fmpz_init(after);
    fmpq_init(step);
    fmpq_init(at);
    arb_init(was);
    arb_init(is);
    fmpq_set_str(step, step_text, 10);
    make(&fine, upper, low, rough, stream);
    pby_pld_init(&coarse, BITS, upper);
    fmpz_poly_set(coarse.mass, fine.mass);
    fmpz_set(coarse.infinite, fine.infinite);
    coarse.low = low;
    for (slong grain = 1; grain < 8; grain *= 2) {
        cr_assert_eq(coarse.grain, grain);
        pby_pld_coarsen(&coarse, step);
    }
    sum(before, &fine);
    sum(after, &coarse);
    cr_assert(fmpz_equal(before, after));
    for (slong e = 3 * low - 40; e < 3 * (low + POINTS) + 40; e++) {
        fmpq_set_si(at, e, 3);
        fmpq_mul(at, at, step);
        pby_pld_deltas(was, &fine, step, at, 1);
        pby_pld_deltas(is, &coarse, step, at, 1);
        arb_sub(is, is, was, PREC);
        cr_assert(upper ? !arb_is_negative(is) : !arb_is_positive(is), "%s, low %ld, epsilon %ld/3 steps",
                  upper ? "upper" : "lower", (long)low, (long)e);
    }
    pby_pld_clear(&coarse);
    pby_pld_clear(&fine);
    arb_clear(is);
    arb_clear(was);
    fmpq_clear(at);
    fmpq_clear(step);
    fmpz_clear(after);
    fmpz_clear(before);
}

Test(coarsen, the_potential_moves_to_its_side)
{
    static const char *const steps[] = {"1/1000", "1/10", "1", "7/2", "1000"};
    uint64_t stream = 20;
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (int kind = 0; kind < 16; kind++)
            expect_sided(kind & 1, -POINTS / 2 - 1 + (kind >> 2), (kind & 2) != 0, steps[s], &stream);
}

/* Both sides of a smooth hump stay near: at half of its height within the h^2/2 that a change to a grid of 2
 * h moves half of the losses by, three of them: 1, 4 and 16 times step^2/4, and as much again for the hump's
 * own roughness, below 11 step^2 in all. */
Test(coarsen, of_a_smooth_hump_little_moves)
{
    fmpq_t step, level;
    arf_t was, is;
    fmpz_t mass;
    fmpz_init(mass);
    fmpq_init(step);
    fmpq_init(level);
    arf_init(was);
    arf_init(is);
    fmpq_set_si(step, 1, 100);
    for (int upper = 0; upper < 2; upper++) {
        pby_pld pld;
        pby_pld_init(&pld, BITS, upper != 0);
        pld.low = -31;
        for (slong i = 0; i < 4 * POINTS; i++)
            fmpz_poly_set_coeff_ui(pld.mass, i, (ulong)(i + 1) * (ulong)(4 * POINTS - i) << 32);
        sum(mass, &pld);
        fmpz_set(fmpq_numref(level), mass);
        fmpz_one(fmpq_denref(level));
        fmpq_div_2exp(level, level, BITS + 1);
        pby_pld_epsilon(was, &pld, step, level);
        for (int i = 0; i < 3; i++)
            pby_pld_coarsen(&pld, step);
        pby_pld_epsilon(is, &pld, step, level);
        arf_sub(is, is, was, PREC, ARF_RND_NEAR);
        const double moved = arf_get_d(is, ARF_RND_NEAR) * (upper != 0 ? 1 : -1);
        cr_assert(moved >= 0 && moved < 11e-4, "%g", moved);
        pby_pld_clear(&pld);
    }
    arf_clear(is);
    arf_clear(was);
    fmpq_clear(level);
    fmpq_clear(step);
    fmpz_clear(mass);
}
