/* SPDX-License-Identifier: MIT */
/* The least count that any mechanism shows, against the recursion of what (epsilon, delta) allows. */
#include "select/shown.h"

#include <criterion/criterion.h>
#include <math.h>

#include "probity.h"

static uint64_t by_steps(double epsilon, double delta, uint64_t sensitivity)
{
    const double e = exp(epsilon);
    uint64_t k = 0;
    for (double p = 0; p < 0.5; k++)
        p = fmin(fmin(e * p + delta, 1 - (1 - p - delta) / e), 1);
    return (k - 1) * sensitivity + 1;
}

Test(select_shown, no_mechanism_shows_fewer)
{
    static const char *const epsilons[] = {"1/10", "1", "3", "10"}, *const deltas[] = {"1/1000000", "1/100",
                                                                                       "2/5", "3/5"};
    mpq_t epsilon, delta;
    mpq_inits(epsilon, delta, (mpq_ptr)0);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            for (uint64_t d = 1; d <= 3; d++) {
                uint64_t count = 0;
                cr_assert_eq(mpq_set_str(epsilon, epsilons[i], 10), 0);
                cr_assert_eq(mpq_set_str(delta, deltas[j], 10), 0);
                cr_assert_eq(pby_least_shown(&count, epsilon, delta, d, NULL), PBY_OK);
                cr_assert_eq(count, by_steps(mpq_get_d(epsilon), mpq_get_d(delta), d), "%s, %s, %lu: %lu",
                             epsilons[i], deltas[j], (unsigned long)d, (unsigned long)count);
            }
    mpq_clears(epsilon, delta, (mpq_ptr)0);
}
