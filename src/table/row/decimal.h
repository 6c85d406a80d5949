/* SPDX-License-Identifier: MIT */
/* Whole numbers as decimal digits. */
#ifndef PBY_TABLE_ROW_DECIMAL_H
#define PBY_TABLE_ROW_DECIMAL_H

#include <stdint.h>

enum { PBY_DIGITS = 20 };

/* Writes the digits of value at out, PBY_DIGITS bytes at most, and returns their end. */
uint8_t *pby_put_number(uint8_t *out, int64_t value);

#endif
