/* SPDX-License-Identifier: MIT */
/* Integers that a user gives as text. */
#ifndef PBY_NUMBER_INTEGER_H
#define PBY_NUMBER_INTEGER_H

#include <gmp.h>
#include <stdint.h>

#include "base/status.h"

/* An integer from `from` to `to`, written as a rational that is one (1000, 1e3); NULL gives the fallback. A
 * refusal names the argument. */
PBY_CHECKED
pby_status pby_integer_parse(unsigned long *out, const char *name, const char *value, unsigned long from,
                             unsigned long to, unsigned long fallback, pby_error *err);

/* pby_integer_parse of numbers that a long of 32 bits may not hold. */
PBY_CHECKED
pby_status pby_integer_parse_wide(uint64_t *out, const char *name, const char *value, uint64_t from,
                                  uint64_t to, uint64_t fallback, pby_error *err);

/* The value of an integer of at most 64 bits, and of one of at most 63 bits and a sign. mpz_get_ui and
 * mpz_get_si cut it where a long has 32 bits. */
uint64_t pby_integer_unsigned(mpz_srcptr x);
int64_t pby_integer_signed(mpz_srcptr x);

/* x = value, as mpz_set_ui does where a long has 64 bits. */
void pby_integer_set(mpz_ptr x, uint64_t value);

#endif
