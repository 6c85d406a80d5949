/* SPDX-License-Identifier: MIT */
/* The unit of privacy of a certificate or a ledger: a record, or a user, whom a column names.
 *
 * A user is written as that column's name, and NULL stands for a record. */
#ifndef PBY_CERTIFICATE_UNIT_H
#define PBY_CERTIFICATE_UNIT_H

#include <stdbool.h>

#include "probity/status.h"

/* Refuses what is no name of a column: valid UTF-8 of 1 to 1000 bytes without control characters. */
PBY_CHECKED
pby_status pby_unit_check(const char *argument, const char *user, pby_error *err);

bool pby_unit_same(const char *user, const char *other);

/* PBY_BAD: what `argument` names is about one unit, and the release about another. */
PBY_CHECKED
pby_status pby_unit_refuse(pby_error *err, const char *argument, const char *user, const char *release);

#endif
