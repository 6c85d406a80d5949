/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "certificate/ledger/ledger.h"

enum { NUMBER_SIZE = 24 };

pby_status pby_ledger_seal(sqlite3 *db, const pby_chain *chain, pby_error *err)
{
    char number[NUMBER_SIZE];
    snprintf(number, sizeof number, "%lld", chain->entries);
    const char *const texts[] = {number, chain->digest};
    pby_status status = PBY_OK;
    if (chain->entries > 0)
        status = pby_database_insert(db, "INSERT INTO chain (number, digest) VALUES (?1, ?2)", texts, 2, err);
    if (status != PBY_OK)
        return status;
    return pby_database_insert(db,
                               "INSERT INTO head (id, entries, digest) VALUES (1, ?1, ?2)"
                               " ON CONFLICT (id) DO UPDATE SET entries = ?1, digest = ?2",
                               texts, 2, err);
}
