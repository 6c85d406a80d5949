/* SPDX-License-Identifier: MIT */
/* The chain of digests of a memo, as the ledger has one.
 *
 * The head of a memo holds the digest of its state: what it is about, and every value with its response and
 * the number of its reports. A second digest covers this one, the number of all reports, and the digest
 * before it. So no bit of a response or a count can change unseen, and no two states of a memo have the same
 * digest. There is no key: the chain shows damage, not a forgery. A memo without a head was never paid for.
 */
#ifndef PBY_SESSION_MEMO_CHAIN_H
#define PBY_SESSION_MEMO_CHAIN_H

#include <sqlite3.h>

#include "base/status.h"

enum { PBY_MEMO_ID = 0x70624d31 /* pbM1 */, PBY_MEMO_OLD = 1, PBY_MEMO_VERSION = 2 };

/* Makes the tables of a new memo, without a head, inside the caller's transaction. */
PBY_CHECKED
pby_status pby_memo_tables(sqlite3 *db, pby_error *err);

/* PBY_BAD for another kind of file, for tables that are not those of the version, and where the state is not
 * what the head says. A memo of version 1 has no head, and is taken as it is. */
PBY_CHECKED
pby_status pby_memo_whole(sqlite3 *db, pby_error *err);

/* Inside the caller's transaction: brings a memo of version 1 to version 2, and then checks it. */
PBY_CHECKED
pby_status pby_memo_enter(sqlite3 *db, pby_error *err);

/* Inside the caller's transaction: the head of the state as it is now, behind the one before, if any. */
PBY_CHECKED
pby_status pby_memo_seal(sqlite3 *db, pby_error *err);

#endif
