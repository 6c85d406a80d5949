/* SPDX-License-Identifier: MIT */
/* A ledger in a PostgreSQL database (server_schema.h), under the name that server_name.h reads.
 *
 * A charge is one serialisable transaction that holds the lock of the ledger's row. It has a key of its own:
 * where the answer to its commit is lost, the next connection waits for that lock, which the lost transaction
 * keeps until its end, and then looks for the key. A charge is therefore made once or not at all, and which
 * of the two is known, unless the server stays away for PBY_LEDGER_PATIENCE seconds.
 */
#ifndef PBY_CERTIFICATE_LEDGER_SERVER_STORE_H
#define PBY_CERTIFICATE_LEDGER_SERVER_STORE_H

#include "certificate/ledger/ledger_store.h"

PBY_CHECKED
pby_status pby_server_store_open(pby_ledger_store **out, const char *path, pby_error *err);
PBY_CHECKED
pby_status pby_server_store_create(const char *path, const char *const *texts, pby_ledger *source,
                                   pby_error *err);

#endif
