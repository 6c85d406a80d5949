/* SPDX-License-Identifier: MIT */
/* The compiler reads this header before every source outside the kernel (the Makefile's INCLUDES).
 *
 * FLINT 3 declares what takes numbers of MPFR only behind MPFR's header.
 *
 * Sources put 64-bit counts into limbs, slong and ulong without looking again. GMP and FLINT can be built
 * with words of 32 bits, and such a build compiles, links and computes wrong bounds: these assertions stop
 * it. */
#ifndef PBY_BASE_WIDTHS_H
#define PBY_BASE_WIDTHS_H

#include <limits.h>
#include <mpfr.h>
#include <stdint.h>

_Static_assert(CHAR_BIT == 8, "a byte has 8 bits");
_Static_assert(GMP_NUMB_BITS == 64, "a limb of GMP is a word of 64 bits");
_Static_assert(sizeof(mp_limb_t) == 8, "FLINT's ulong and slong are GMP's limb, with and without a sign");
_Static_assert(sizeof(size_t) >= 4 && sizeof(int) >= 4, "sizes and int have at least 32 bits");

#endif
