/* SPDX-License-Identifier: MIT */
/* A number out of its digits of base 256. */
#ifndef PBY_KERNEL_DIGITS_H
#define PBY_KERNEL_DIGITS_H

#include <stddef.h>
#include <stdint.h>

#include "acsl/digits.h"

/* Appends n digits, the highest first, to *value; returns 0, and leaves it as it is, where that would exceed
 * 2^62 - 1. */
/*@ requires valid:  \valid(value) && \valid_read(digit + (0 .. n - 1));
    requires apart:  \separated(value, digit + (0 .. n - 1));
    requires digits: AllDigits(digit, n);
    requires value:  0 <= *value < 0x4000000000000000;
    terminates \true;
    assigns *value;
    behavior fits:
      assumes room: Number(digit, *value, n) < 0x4000000000000000;
      ensures whole: \result == 1 && *value == Number{Pre}(digit, \old(*value), n);
    behavior beyond:
      assumes more: Number(digit, *value, n) >= 0x4000000000000000;
      ensures kept: \result == 0 && *value == \old(*value);
    complete behaviors;
    disjoint behaviors;
*/
int pby_number(int64_t *value, const int64_t *digit, size_t n);

#endif
