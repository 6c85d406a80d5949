/* SPDX-License-Identifier: MIT */
/* Decimal digits of any script, in UTF-8. */
#ifndef PBY_TABLE_ROW_FIELD_DIGITS_H
#define PBY_TABLE_ROW_FIELD_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if a text of valid UTF-8 holds a decimal digit: a character of the general category Nd in Unicode 15.
 */
bool pby_has_digit(const uint8_t *text, size_t size);

#endif
