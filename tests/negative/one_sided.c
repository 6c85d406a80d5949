/* SPDX-License-Identifier: MIT */
#include "tests/negative/one_sided.h"

enum { LAST = 40 };

void one_sided_chance(fmpq_t least, fmpq_t most, one_sided_winner *winner, const int64_t x[2])
{
    fmpq_t mass;
    fmpq_init(mass);
    fmpq_zero(least);
    for (int64_t i = 0; i <= LAST; i++)
        for (int64_t j = 0; j <= LAST; j++) {
            const int64_t z[2] = {i, j};
            fmpq_one(mass);
            fmpq_div_2exp(mass, mass, (flint_bitcnt_t)(i + j + 2));
            if (winner(x, z) == 0)
                fmpq_add(least, least, mass);
        }
    fmpq_one(mass);
    fmpq_div_2exp(mass, mass, LAST); /* either noise is beyond LAST */
    fmpq_add(most, least, mass);
    fmpq_clear(mass);
}
