/* SPDX-License-Identifier: MIT */
/* Integers that a user gives as text. */
#ifndef PBY_NUMBER_INTEGER_H
#define PBY_NUMBER_INTEGER_H

#include "base/status.h"

/* An integer from `from` to `to`, written as a rational that is one (1000, 1e3); NULL gives the fallback. A
 * refusal names the argument. */
PBY_CHECKED
pby_status pby_integer_parse(unsigned long *out, const char *name, const char *value, unsigned long from,
                             unsigned long to, unsigned long fallback, pby_error *err);

#endif
