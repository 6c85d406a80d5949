/* SPDX-License-Identifier: MIT */
/* Truth values; stdint.h beside this file says why these headers are here. */
#ifndef PBY_C11_STDBOOL_H
#define PBY_C11_STDBOOL_H

#define bool _Bool
#define true 1
#define false 0

_Static_assert(sizeof(_Bool) == 1 && (_Bool)2 == 1, "a truth value is 0 or 1");

#endif
