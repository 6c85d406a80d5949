/* SPDX-License-Identifier: MIT */
/* FLINT and Arb count in 64 bits. Where a long and a size_t have 32, clang would cut what they hand to GMP, to MPFR and to
 * malloc, and a shift by 2^32 + 1 would be one by 1. reached.py puts this header before each of their sources for such a
 * target: a count that does not fit ends the program. */
#ifndef PBY_PORTS_NARROW_H
#define PBY_PORTS_NARROW_H

#include <limits.h>

/* flint.h makes ulong a macro, and sources take it away again before they include flint.h; sys/types.h has another. */
#define ulong ulong_of_the_system
#include <stdio.h> /* gmp.h declares what writes to a file behind it alone */
#include <sys/types.h>
#undef ulong
#include "flint/flint.h"
#undef ulong
typedef mp_limb_t ulong;

static inline unsigned long pby_narrow(unsigned long long n)
{
    if (n > LONG_MAX)
        __builtin_trap();
    return (unsigned long)n;
}

#undef mpz_init2
#undef mpz_realloc2
#undef mpz_mul_2exp
#undef mpz_cdiv_q_2exp
#undef mpz_fdiv_q_2exp
#undef mpz_fdiv_r_2exp
#undef mpz_tdiv_q_2exp
#undef mpz_tstbit
#undef mpz_root
#define mpz_init2(z, n)          __gmpz_init2(z, pby_narrow(n))
#define mpz_realloc2(z, n)       __gmpz_realloc2(z, pby_narrow(n))
#define mpz_mul_2exp(z, x, n)    __gmpz_mul_2exp(z, x, pby_narrow(n))
#define mpz_cdiv_q_2exp(z, x, n) __gmpz_cdiv_q_2exp(z, x, pby_narrow(n))
#define mpz_fdiv_q_2exp(z, x, n) __gmpz_fdiv_q_2exp(z, x, pby_narrow(n))
#define mpz_fdiv_r_2exp(z, x, n) __gmpz_fdiv_r_2exp(z, x, pby_narrow(n))
#define mpz_tdiv_q_2exp(z, x, n) __gmpz_tdiv_q_2exp(z, x, pby_narrow(n))
#define mpz_tstbit(x, n)         __gmpz_tstbit(x, pby_narrow(n))
#define mpz_root(z, x, n)        __gmpz_root(z, x, pby_narrow(n))

#define flint_malloc(n)     flint_malloc(pby_narrow(n))
#define flint_realloc(p, n) flint_realloc(p, pby_narrow(n))
#define flint_calloc(n, m)  flint_calloc(pby_narrow(n), pby_narrow(m))

#endif
