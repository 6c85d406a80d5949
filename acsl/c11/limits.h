/* SPDX-License-Identifier: MIT */
/* The limits of C's own integers, and no others: PATH_MAX is a system's. stdint.h beside this file says why
 * these headers are here. */
#ifndef PBY_C11_LIMITS_H
#define PBY_C11_LIMITS_H

#define CHAR_BIT   8
#define SCHAR_MIN  (-128)
#define SCHAR_MAX  127
#define UCHAR_MAX  255
#define CHAR_MIN   (-128)
#define CHAR_MAX   127
#define SHRT_MIN   (-32768)
#define SHRT_MAX   32767
#define USHRT_MAX  65535
#define INT_MIN    (-2147483647 - 1)
#define INT_MAX    2147483647
#define UINT_MAX   4294967295U
#define LONG_MIN   (-9223372036854775807L - 1L)
#define LONG_MAX   9223372036854775807L
#define ULONG_MAX  18446744073709551615UL
#define LLONG_MIN  (-9223372036854775807LL - 1LL)
#define LLONG_MAX  9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL

_Static_assert(sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8 && sizeof(long long) == 8, "LP64");
_Static_assert((unsigned char)-1 == UCHAR_MAX && (unsigned short)-1 == USHRT_MAX, "no bit is padding");
_Static_assert((unsigned)-1 == UINT_MAX && (unsigned long)-1 == ULONG_MAX &&
                   (unsigned long long)-1 == ULLONG_MAX,
               "no bit is padding");

#endif
