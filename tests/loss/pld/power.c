/* Powers of plds that take long. */
#include <criterion/criterion.h>
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
    cr_assert_eq(pby_pld_power(&power, &base, (uint64_t)1 << 30, LOG_BUDGET, &err), PBY_BAD);
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
    cr_assert_eq(pby_pld_power(&power, &base, (uint64_t)times, LOG_BUDGET, &err), PBY_OK);
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
