/* SPDX-License-Identifier: MIT */
/* The machine that the proofs are about. The kernel is compiled with the headers of acsl/c11 and everything
 * else with the system's; here a compiler checks that both mean the same types, so that a call between them
 * passes what was proved. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* NOLINTBEGIN: the two sides of a comparison are the same here, which is what is checked. */
#define IS(type, kernel) _Generic((type)0, kernel : 1, default : 0)

_Static_assert(IS(int8_t, signed char) && IS(int16_t, short) && IS(int32_t, int) && IS(int64_t, long),
               "signed integers are those of acsl/c11/stdint.h");
_Static_assert(IS(uint8_t, unsigned char) && IS(uint16_t, unsigned short) && IS(uint32_t, unsigned int) &&
                   IS(uint64_t, unsigned long),
               "unsigned integers are those of acsl/c11/stdint.h");
_Static_assert(IS(size_t, unsigned long) && SIZE_MAX == 18446744073709551615UL,
               "sizes are those of acsl/c11/stddef.h");
_Static_assert(INT64_MIN == -9223372036854775807L - 1 && INT64_MAX == 9223372036854775807L &&
                   UINT64_MAX == 18446744073709551615UL,
               "64-bit limits are those of acsl/c11/stdint.h");
_Static_assert(INT32_MIN == -2147483647 - 1 && INT32_MAX == 2147483647 && UINT32_MAX == 4294967295U,
               "32-bit limits are those of acsl/c11/stdint.h");
_Static_assert(CHAR_BIT == 8 && INT_MAX == 2147483647 && LONG_MAX == 9223372036854775807L,
               "C's own limits are those of acsl/c11/limits.h");
/* NOLINTEND */
