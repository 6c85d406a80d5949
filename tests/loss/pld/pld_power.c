/* SPDX-License-Identifier: MIT */
/* Powers of plds that take long. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "loss/pld/pld.h"

enum { BITS = 80, POINTS = 64, LOG_BUDGET = 40 };

/* All losses from -32 to 31 steps alike. */
static void uniform(pby_pld *pld)
{
    pby_pld_init(pld, BITS, true);
    pld->low = -POINTS / 2;
    for (slong i = 0; i < POINTS; i++) {
        fmpz_poly_set_coeff_ui(pld->mass, i, 1);
        fmpz_mul_2exp(pld->mass->coeffs + i, pld->mass->coeffs + i, BITS - 6);
    }
}

/* The most memory that this process has held so far, in MiB. */
static long most_held(void)
{
    struct rusage usage;
    cr_assert_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss / 1024;
}

/* The products before the one that does not fit take half a gibibyte, and nine seconds. */
Test(power, a_power_that_cannot_fit_is_refused_before_the_work)
{
    const long before = most_held();
    pby_pld base, power;
    pby_error err;
    uniform(&base);
    pby_pld_init(&power, BITS, true);
    cr_assert_eq(pby_pld_power(&power, &base, (uint64_t)1 << 30, NULL, LOG_BUDGET, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "needs more than 2048 MiB of memory"), "%s", err.text);
    cr_assert_lt(most_held() - before, 256, "from %ld MiB to %ld", before, most_held());
    pby_pld_clear(&power);
    pby_pld_clear(&base);
}

/* A power that looks ahead, of an odd number of uses: the mass is 1 and what rounding and trimming add, and
 * the mean -1/2 for each use. */
Test(power, a_long_power_that_fits_is_worked_out)
{
    const slong times = (1 << 20) + 1;
    pby_pld base, power;
    pby_error err;
    fmpz_t mass, mean;
    fmpz_init(mass);
    fmpz_init(mean);
    uniform(&base);
    pby_pld_init(&power, BITS, true);
    cr_assert_eq(pby_pld_power(&power, &base, (uint64_t)times, NULL, LOG_BUDGET, &err), PBY_OK);
    const slong length = fmpz_poly_length(power.mass);
    cr_assert_gt(length, 1 << 17);
    fmpz_set(mass, power.infinite);
    for (slong i = 0; i < length; i++) {
        fmpz_add(mass, mass, power.mass->coeffs + i);
        fmpz_addmul_si(mean, power.mass->coeffs + i, 2 * (power.low + i) + times);
    }
    fmpz_fdiv_q_2exp(mean, mean, BITS);
    cr_assert(fmpz_cmp_si(mean, -2) >= 0 && fmpz_cmp_si(mean, 2) <= 0);
    fmpz_sub_ui(mass, mass, 1);
    cr_assert_eq(fmpz_bits(mass), BITS + 1);
    fmpz_fdiv_r_2exp(mass, mass, BITS);
    cr_assert_lt(fmpz_bits(mass), LOG_BUDGET + 4);
    pby_pld_clear(&power);
    pby_pld_clear(&base);
    fmpz_clear(mean);
    fmpz_clear(mass);
}

/* A power that may go over to coarser grids stays short, and on its side of the one that may not, but for
 * what either of them has trimmed. */
Test(power, a_coarser_power_is_short_and_on_its_side)
{
    enum { TIMES = (1 << 17) + 3 };
    fmpq_t step, ease, at;
    arb_t was, is;
    pby_error err;
    fmpq_init(step);
    fmpq_init(ease);
    fmpq_init(at);
    arb_init(was);
    arb_init(is);
    fmpq_set_si(step, 1, 1000);
    fmpq_set_si(ease, 1, 8);
    const pby_coarser by = {step, ease};
    for (int upper = 0; upper < 2; upper++) {
        pby_pld base, whole, coarse;
        uniform(&base);
        base.upper = upper != 0;
        pby_pld_init(&whole, BITS, base.upper);
        pby_pld_init(&coarse, BITS, base.upper);
        cr_assert_eq(pby_pld_power(&whole, &base, TIMES, NULL, LOG_BUDGET, &err), PBY_OK);
        cr_assert_eq(pby_pld_power(&coarse, &base, TIMES, &by, LOG_BUDGET, &err), PBY_OK);
        cr_assert_eq(whole.grain, 1);
        cr_assert_gt(fmpz_poly_length(whole.mass), 1 << 15);
        cr_assert_gt(coarse.grain, 1);
        cr_assert_lt(3 * fmpz_poly_length(coarse.mass), 2 * fmpz_poly_length(whole.mass));
        for (slong e = -160; e <= 20; e += 3) {
            fmpq_set_si(at, e, 2);
            pby_pld_deltas(was, &whole, step, at, 1);
            pby_pld_deltas(is, &coarse, step, at, 1);
            arb_sub(is, is, was, BITS);
            const double moved = arf_get_d(arb_midref(is), ARF_RND_NEAR) * (upper != 0 ? 1 : -1);
            cr_assert(moved > -ldexp(1, LOG_BUDGET + 1 - BITS) && moved < 1e-3, "%g at %ld/2", moved,
                      (long)e);
        }
        pby_pld_clear(&coarse);
        pby_pld_clear(&whole);
        pby_pld_clear(&base);
    }
    arb_clear(is);
    arb_clear(was);
    fmpq_clear(at);
    fmpq_clear(ease);
    fmpq_clear(step);
}
