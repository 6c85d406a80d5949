/* SPDX-License-Identifier: MIT */
/* The tables of a ledger, by version. A later version has what an earlier one has, and more; the unit of
 * privacy of versions 4 and 6 is a user, and versions from 5 on keep sums (kept_sums.h). */
#ifndef PBY_CERTIFICATE_LEDGER_SCHEMA_H
#define PBY_CERTIFICATE_LEDGER_SCHEMA_H

#include <sqlite3.h>

#include "base/status.h"

enum {
    PBY_LEDGER_ID = 0x5042594c /* "PBYL" */,
    PBY_LEDGER_OLD = 2,
    PBY_LEDGER_VERSION = 3,
    PBY_LEDGER_USERS = 4,
    PBY_LEDGER_SUMS = 5,
    PBY_LEDGER_USERS_SUMS = 6
};

/* The version that the file says it has; PBY_BAD for a file that is no ledger, and for a version not known
 * here. */
PBY_CHECKED
pby_status pby_ledger_schema_version(int *out, sqlite3 *db, pby_error *err);

/* Refuses a file whose tables and triggers are not exactly those of this version. */
PBY_CHECKED
pby_status pby_ledger_schema_check(sqlite3 *db, int version, pby_error *err);

/* Makes of a file of version `from` (0: an empty one) one of version `to`, inside the caller's transaction.
 */
PBY_CHECKED
pby_status pby_ledger_schema_make(sqlite3 *db, int from, int to, pby_error *err);

#endif
