/* SPDX-License-Identifier: MIT */
/* Local numbers that clear themselves.
 *
 * PBY_FMPQ(a, b) declares and initialises up to twelve numbers of a type. Each is cleared when its block
 * ends, by whichever way, so that a function may return early. The macros declare: they stand in a block,
 * never alone behind an if and never in a switch. A scoped name is not cleared by hand and not handed over to
 * a caller. The kernel has none of this: Frama-C reads it, and it allocates nothing. */
#ifndef PBY_NUMBER_SCOPED_H
#define PBY_NUMBER_SCOPED_H

#include <acb.h>
#include <flint/fmpq.h>
#include <flint/fmpz_poly.h>
#include <gmp.h>
#include <mpfr.h>

#define PBY_SCOPED(clear) __attribute__((cleanup(clear)))

/* clang-format off */
/* PBY_EACH(f, a, b, c) is f(a); f(b); f(c). */
#define PBY_EACH_1(f, a)       f(a)
#define PBY_EACH_2(f, a, ...)  f(a); PBY_EACH_1(f, __VA_ARGS__)
#define PBY_EACH_3(f, a, ...)  f(a); PBY_EACH_2(f, __VA_ARGS__)
#define PBY_EACH_4(f, a, ...)  f(a); PBY_EACH_3(f, __VA_ARGS__)
#define PBY_EACH_5(f, a, ...)  f(a); PBY_EACH_4(f, __VA_ARGS__)
#define PBY_EACH_6(f, a, ...)  f(a); PBY_EACH_5(f, __VA_ARGS__)
#define PBY_EACH_7(f, a, ...)  f(a); PBY_EACH_6(f, __VA_ARGS__)
#define PBY_EACH_8(f, a, ...)  f(a); PBY_EACH_7(f, __VA_ARGS__)
#define PBY_EACH_9(f, a, ...)  f(a); PBY_EACH_8(f, __VA_ARGS__)
#define PBY_EACH_10(f, a, ...) f(a); PBY_EACH_9(f, __VA_ARGS__)
#define PBY_EACH_11(f, a, ...) f(a); PBY_EACH_10(f, __VA_ARGS__)
#define PBY_EACH_12(f, a, ...) f(a); PBY_EACH_11(f, __VA_ARGS__)
#define PBY_THIRTEENTH(a, b, c, d, e, f, g, h, i, j, k, l, m, ...) m
#define PBY_EACH_OF(...)                                                                        \
    PBY_THIRTEENTH(__VA_ARGS__, PBY_EACH_12, PBY_EACH_11, PBY_EACH_10, PBY_EACH_9, PBY_EACH_8, PBY_EACH_7, \
                PBY_EACH_6, PBY_EACH_5, PBY_EACH_4, PBY_EACH_3, PBY_EACH_2, PBY_EACH_1, 0)
#define PBY_EACH(f, ...) PBY_EACH_OF(__VA_ARGS__)(f, __VA_ARGS__)
/* clang-format on */

#define PBY_SCOPED_CLEAR(type)                        \
    static inline void pby_scoped_##type(type##_t *x) \
    {                                                 \
        type##_clear(*x);                             \
    }
PBY_SCOPED_CLEAR(fmpz)
PBY_SCOPED_CLEAR(fmpq)
PBY_SCOPED_CLEAR(fmpz_poly)
PBY_SCOPED_CLEAR(arf)
PBY_SCOPED_CLEAR(mag)
PBY_SCOPED_CLEAR(arb)
PBY_SCOPED_CLEAR(acb)
PBY_SCOPED_CLEAR(mpz)
PBY_SCOPED_CLEAR(mpq)
PBY_SCOPED_CLEAR(mpfr)

#define PBY_SCOPED_NUMBERS(type, ...)                   \
    PBY_SCOPED(pby_scoped_##type) type##_t __VA_ARGS__; \
    PBY_EACH(type##_init, __VA_ARGS__)

#define PBY_FMPZ(...)      PBY_SCOPED_NUMBERS(fmpz, __VA_ARGS__)
#define PBY_FMPQ(...)      PBY_SCOPED_NUMBERS(fmpq, __VA_ARGS__)
#define PBY_FMPZ_POLY(...) PBY_SCOPED_NUMBERS(fmpz_poly, __VA_ARGS__)
#define PBY_ARF(...)       PBY_SCOPED_NUMBERS(arf, __VA_ARGS__)
#define PBY_MAG(...)       PBY_SCOPED_NUMBERS(mag, __VA_ARGS__)
#define PBY_ARB(...)       PBY_SCOPED_NUMBERS(arb, __VA_ARGS__)
#define PBY_ACB(...)       PBY_SCOPED_NUMBERS(acb, __VA_ARGS__)
#define PBY_MPZ(...)       PBY_SCOPED_NUMBERS(mpz, __VA_ARGS__)
#define PBY_MPQ(...)       PBY_SCOPED_NUMBERS(mpq, __VA_ARGS__)

/* One number of so many bits. */
#define PBY_MPFR(bits, name)                 \
    PBY_SCOPED(pby_scoped_mpfr) mpfr_t name; \
    mpfr_init2(name, bits)

#endif
