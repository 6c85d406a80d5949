/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "certificate/ledger/file_store.h"
#include "certificate/ledger/schema.h"
#include "io/sole.h"

enum { ROWS = PBY_BUDGET_ROWS, USER = PBY_BUDGET_USER };

static pby_status insert_budget(pby_chain *begin, sqlite3 *db, const char *const *texts, pby_error *err)
{
    pby_status status = pby_database_insert(
        db, "INSERT INTO budget (id, neighbours, accounting, epsilon, delta) VALUES (1, ?1, ?2, ?3, ?4)",
        texts, ROWS, err);
    if (status == PBY_OK)
        status = pby_database_insert(db, "INSERT INTO terms (id, rows) VALUES (1, ?1)", texts + ROWS, 1, err);
    if (status == PBY_OK && texts[USER] != NULL)
        status = pby_database_insert(db, "INSERT INTO unit (id, user) VALUES (1, ?1)", texts + USER, 1, err);
    pby_chain_begin(begin, texts, pby_budget_texts(pby_budget_version(texts)));
    return status == PBY_OK ? pby_file_store_seal(db, begin, err) : status;
}

static pby_status insert_entry(const pby_ledger_entry *entry, const pby_chain *chain, void *what,
                               pby_error *err)
{
    PBY_TRY(pby_file_store_insert(what, entry, err));
    return pby_file_store_seal(what, chain, err);
}

/* With the sums of the entries that were copied, or of none. */
static pby_status insert_entries(sqlite3 *db, const pby_chain *begin, pby_ledger *source, pby_error *err)
{
    pby_kept_sums sums = {.text = NULL};
    pby_totals none;
    pby_totals_init(&none);
    none.chain = *begin;
    pby_status status = source != NULL ? pby_store_copy(&sums, source, insert_entry, db, err)
                                       : pby_sums_write(&sums, &none, false, begin, err);
    if (status == PBY_OK)
        status = pby_file_store_keep(db, &sums, err);
    free(sums.text);
    pby_totals_clear(&none);
    return status;
}

/* The whole file of a new ledger, for sqlite3_free. It is made in memory, so that a process that is killed
 * leaves no journal. */
static pby_status make_image(unsigned char **out, sqlite3_int64 *size, const char *const *texts,
                             pby_ledger *source, pby_error *err)
{
    sqlite3 *db;
    pby_chain begin = {0, ""};
    *out = NULL;
    pby_status status = pby_database_open(&db, ":memory:", err);
    if (status != PBY_OK)
        return status;
    status = pby_database_run(db, "BEGIN IMMEDIATE", err);
    if (status == PBY_OK)
        status = pby_ledger_schema_make(db, 0, pby_budget_version(texts), err);
    if (status == PBY_OK)
        status = insert_budget(&begin, db, texts, err);
    if (status == PBY_OK)
        status = insert_entries(db, &begin, source, err);
    if (status == PBY_OK)
        status = pby_database_run(db, "COMMIT", err);
    if (status == PBY_OK && (*out = sqlite3_serialize(db, "main", size, 0)) == NULL)
        status = pby_no_memory(err);
    sqlite3_close(db);
    return status;
}

pby_status pby_file_store_create(const char *path, const char *const *texts, pby_ledger *source,
                                 pby_error *err)
{
    unsigned char *image = NULL;
    sqlite3_int64 size = 0;
    char *real;
    pby_status status = pby_sole_new(&real, "ledger", path, err);
    if (status == PBY_OK)
        status = make_image(&image, &size, texts, source, err);
    if (status == PBY_OK)
        status = pby_draft_file("ledger", real, image, (size_t)size, err);
    sqlite3_free(image);
    free(real);
    return status;
}
