/* SPDX-License-Identifier: MIT */
/* Sizes; stdint.h beside this file says why these headers are here. */
#ifndef PBY_C11_STDDEF_H
#define PBY_C11_STDDEF_H

typedef unsigned long size_t;

#define NULL 0

_Static_assert(sizeof(sizeof(int)) == sizeof(size_t) && sizeof(size_t) == 8, "a size has 64 bits");
_Static_assert((size_t)-1 == 18446744073709551615UL, "a size has no sign");

#endif
