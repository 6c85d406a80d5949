/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "certificate/ledger/file_store.h"
#include "certificate/ledger/ledger.h"
#include "number/scoped.h"

enum { NUMBER_SIZE = 24 };

pby_status pby_file_store_seal(sqlite3 *db, const pby_chain *chain, pby_error *err)
{
    char number[NUMBER_SIZE];
    snprintf(number, sizeof number, "%lld", chain->entries);
    const char *const texts[] = {number, chain->digest};
    if (chain->entries > 0)
        PBY_TRY(pby_database_insert(db, "INSERT INTO chain (number, digest) VALUES (?1, ?2)", texts, 2, err));
    return pby_database_insert(db,
                               "INSERT INTO head (id, entries, digest) VALUES (1, ?1, ?2)"
                               " ON CONFLICT (id) DO UPDATE SET entries = ?1, digest = ?2",
                               texts, 2, err);
}
