/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

pby_status pby_file_store_keep(sqlite3 *db, const pby_kept_sums *sums, pby_error *err)
{
    char number[NUMBER_SIZE];
    snprintf(number, sizeof number, "%lld", sums->chain.entries);
    const char *const texts[] = {number, sums->chain.digest, sums->text, sums->seal};
    return pby_database_insert(
        db,
        "INSERT INTO sums (id, entries, digest, text, seal) VALUES (1, ?1, ?2, ?3, ?4)"
        " ON CONFLICT (id) DO UPDATE SET entries = ?1, digest = ?2, text = ?3, seal = ?4",
        texts, sizeof texts / sizeof *texts, err);
}

pby_status pby_file_store_sums(pby_kept_sums *out, pby_ledger_store *store, pby_error *err)
{
    sqlite3 *db = ((pby_file_store *)store)->db;
    sqlite3_stmt *statement;
    bool row = false;
    *out = (pby_kept_sums){.text = NULL};
    pby_status status =
        pby_database_prepare(&statement, db, "SELECT entries, digest, text, seal FROM sums", NULL, 0, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    if (status == PBY_OK && !row)
        status = pby_database_damaged(db, "it has no sums", err);
    if (status == PBY_OK) {
        out->chain.entries = sqlite3_column_int64(statement, 0);
        snprintf(out->chain.digest, sizeof out->chain.digest, "%s", pby_database_text(statement, 1));
        snprintf(out->seal, sizeof out->seal, "%s", pby_database_text(statement, 3));
        out->text = strdup(pby_database_text(statement, 2));
        status = out->text == NULL ? pby_no_memory(err) : PBY_OK;
    }
    sqlite3_finalize(statement);
    return status;
}
