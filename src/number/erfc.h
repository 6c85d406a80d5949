/* SPDX-License-Identifier: MIT */
/* The complementary error function, far out. */
#ifndef PBY_NUMBER_ERFC_H
#define PBY_NUMBER_ERFC_H

#include <arb.h>

/* out = erfc(x). At an x that is itself a ball, the relative width of the answer is about 2 x times the width
 * of x, however small erfc(x) is. */
void pby_erfc(arb_t out, const arb_t x, slong prec);

#endif
