/* SPDX-License-Identifier: MIT */
#include "tests/number/random.h"

void random_rational(fmpq_t q, flint_rand_t state, slong size)
{
    const slong numerator = (slong)n_randint(state, (ulong)(2 * size + 1)) - size;
    fmpq_set_si(q, numerator, 1 + n_randint(state, (ulong)size));
}

void random_expsum(pby_expsum_t x, flint_rand_t state, slong terms)
{
    fmpq_t c, r;
    fmpq_init(c);
    fmpq_init(r);
    pby_expsum_zero(x);
    for (ulong n = n_randint(state, (ulong)terms + 1); n > 0; n--) {
        random_rational(c, state, 20);
        random_rational(r, state, 6);
        pby_expsum_add_term(x, c, r);
    }
    fmpq_clear(r);
    fmpq_clear(c);
}
