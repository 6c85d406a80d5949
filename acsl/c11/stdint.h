/* SPDX-License-Identifier: MIT */
/* The exact-width integers and their limits, as 64-bit Unix has them. The text of the kernel, and of every
 * mechanism that is proved, is made with the headers of this folder and no others: Frama-C and the compiler
 * have one definition of each word, and a type whose width they may choose, such as int_fast32_t, has none.
 *
 * Code outside of the kernel has the system's header of this name; src/base/model.c compares the two. */
#ifndef PBY_C11_STDINT_H
#define PBY_C11_STDINT_H

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;

#define INT8_MIN   (-128)
#define INT8_MAX   127
#define INT16_MIN  (-32768)
#define INT16_MAX  32767
#define INT32_MIN  (-2147483647 - 1)
#define INT32_MAX  2147483647
#define INT64_MIN  (-9223372036854775807L - 1L)
#define INT64_MAX  9223372036854775807L
#define UINT8_MAX  255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX   18446744073709551615UL

_Static_assert(sizeof(int8_t) == 1 && sizeof(uint8_t) == 1 && (uint8_t)-1 == UINT8_MAX, "8 bits");
_Static_assert(sizeof(int16_t) == 2 && sizeof(uint16_t) == 2 && (uint16_t)-1 == UINT16_MAX, "16 bits");
_Static_assert(sizeof(int32_t) == 4 && sizeof(uint32_t) == 4 && (uint32_t)-1 == UINT32_MAX, "32 bits");
_Static_assert(sizeof(int64_t) == 8 && sizeof(uint64_t) == 8 && (uint64_t)-1 == UINT64_MAX, "64 bits");
_Static_assert((char)-1 < 0 && -1 >> 1 == -1 && (int8_t)UINT8_MAX == -1,
               "signed characters, two's complement");

#endif
