/* SPDX-License-Identifier: MIT */
#include "session/memo_chain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/digest.h"
#include "session/session_database.h"

enum { NUMBER_SIZE = 24, HEX = 2 * crypto_hash_sha256_BYTES };

static const struct table {
    int since;
    const char *name, *sql;
} tables[] = {
    {PBY_MEMO_OLD, "memo",
     "CREATE TABLE memo (id INTEGER PRIMARY KEY CHECK (id = 1), spec BLOB NOT NULL,"
     " user BLOB NOT NULL, cohort INTEGER NOT NULL)"},
    {PBY_MEMO_OLD, "permanent",
     "CREATE TABLE permanent (value BLOB PRIMARY KEY NOT NULL, bits BLOB NOT NULL,"
     " reports INTEGER NOT NULL) WITHOUT ROWID"},
    {PBY_MEMO_VERSION, "head",
     "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), reports INTEGER NOT NULL,"
     " before BLOB NOT NULL, state BLOB NOT NULL, digest BLOB NOT NULL)"},
};

enum { TABLES = sizeof tables / sizeof *tables };

struct head {
    int64_t reports;
    char before[HEX + 1], state[HEX + 1], digest[HEX + 1];
};

/* ---- tables ----------------------------------------------------------------------------------- */

pby_status pby_memo_tables(sqlite3 *db, pby_error *err)
{
    PBY_TRY(pby_memo_run(db, "PRAGMA application_id = 0x70624d31; PRAGMA user_version = 2;", err));
    for (size_t i = 0; i < TABLES; i++)
        PBY_TRY(pby_memo_run(db, tables[i].sql, err));
    return PBY_OK;
}

static pby_status read_number(void *out, sqlite3_stmt *row, pby_error *err)
{
    (void)err;
    *(int64_t *)out = sqlite3_column_int64(row, 0);
    return PBY_OK;
}

static pby_status read_version(int64_t *version, sqlite3 *db, pby_error *err)
{
    int64_t id = 0;
    PBY_TRY(pby_memo_ask(db, "PRAGMA application_id", NULL, 0, NULL, read_number, &id, err));
    PBY_TRY(pby_memo_ask(db, "PRAGMA user_version", NULL, 0, NULL, read_number, version, err));
    if ((id != PBY_MEMO_ID || *version < PBY_MEMO_OLD || *version > PBY_MEMO_VERSION))
        return pby_memo_refuse(db, "it is another kind of file, or of another version", err);
    return PBY_OK;
}

static pby_status read_check(void *out, sqlite3_stmt *row, pby_error *err)
{
    const unsigned char *text = sqlite3_column_text(row, 0);
    return text != NULL && strcmp((const char *)text, "ok") == 0 ? PBY_OK
                                                                 : pby_memo_refuse(out, "it is damaged", err);
}

/* Tables are found as SQLite keeps them, byte by byte. */
static pby_status check_tables(sqlite3 *db, int64_t version, pby_error *err)
{
    int64_t all = 0, known = 0, expected = 0;
    pby_status status =
        pby_memo_ask(db, "SELECT count(*) FROM sqlite_master", NULL, 0, NULL, read_number, &all, err);
    for (size_t i = 0; i < TABLES && status == PBY_OK; i++) {
        const pby_bound bound[] = {{tables[i].name, strlen(tables[i].name), 0},
                                   {tables[i].sql, strlen(tables[i].sql), 0}};
        int64_t one = 0;
        if (tables[i].since > version)
            continue;
        status = pby_memo_ask(db,
                              "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
                              " AND CAST(name AS BLOB) = ?1 AND CAST(sql AS BLOB) = ?2",
                              bound, 2, NULL, read_number, &one, err);
        known += one;
        expected++;
    }
    if (status == PBY_OK && (known != expected || all != expected))
        status = pby_memo_refuse(db, "its tables are not as they were made", err);
    return status;
}

/* ---- digests ---------------------------------------------------------------------------------- */

/* Bytes behind their length, so that no two lists of them are hashed as the same bytes. */
static void add_bytes(pby_digesting *d, const void *bytes, size_t size)
{
    char length[NUMBER_SIZE];
    snprintf(length, sizeof length, "%zu:", size);
    pby_digesting_add(d, length, strlen(length));
    if (size > 0)
        pby_digesting_add(d, bytes, size);
}

static void add_number(pby_digesting *d, int64_t number)
{
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%" PRId64, number);
    add_bytes(d, text, strlen(text));
}

/* Every column of the row, each with its type: SQLite may hold anything in any column. */
static pby_status add_row(void *what, sqlite3_stmt *row, pby_error *err)
{
    (void)err;
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        const int type = sqlite3_column_type(row, i);
        add_number(what, type);
        if (type == SQLITE_INTEGER)
            add_number(what, sqlite3_column_int64(row, i));
        else
            add_bytes(what, sqlite3_column_blob(row, i), (size_t)sqlite3_column_bytes(row, i));
    }
    return PBY_OK;
}

static pby_status digest_state(char out[HEX + 1], sqlite3 *db, pby_error *err)
{
    pby_digesting d;
    pby_digest digest;
    pby_digesting_begin(&d);
    pby_status status = pby_memo_each(db, "SELECT id, spec, user, cohort FROM memo", add_row, &d, err);
    if (status == PBY_OK)
        status =
            pby_memo_each(db, "SELECT value, bits, reports FROM permanent ORDER BY value", add_row, &d, err);
    pby_digesting_so_far(&digest, &d);
    memcpy(out, digest.sha256, sizeof digest.sha256);
    return status;
}

static void digest_head(char out[HEX + 1], const struct head *head)
{
    pby_digesting d;
    pby_digest digest;
    pby_digesting_begin(&d);
    add_bytes(&d, head->before, strlen(head->before));
    add_number(&d, head->reports);
    add_bytes(&d, head->state, strlen(head->state));
    pby_digesting_so_far(&digest, &d);
    memcpy(out, digest.sha256, sizeof digest.sha256);
}

/* ---- the head --------------------------------------------------------------------------------- */

static void read_text(char out[HEX + 1], sqlite3_stmt *row, int column)
{
    const void *bytes = sqlite3_column_blob(row, column);
    const size_t size = (size_t)sqlite3_column_bytes(row, column);
    memset(out, 0, HEX + 1);
    if (bytes != NULL && size <= HEX)
        memcpy(out, bytes, size);
}

static pby_status read_row(void *what, sqlite3_stmt *row, pby_error *err)
{
    struct head *head = what;
    (void)err;
    head->reports = sqlite3_column_int64(row, 0);
    read_text(head->before, row, 1);
    read_text(head->state, row, 2);
    read_text(head->digest, row, 3);
    return PBY_OK;
}

static pby_status read_head(struct head *head, bool *found, sqlite3 *db, pby_error *err)
{
    *head = (struct head){.reports = 0};
    return pby_memo_ask(db, "SELECT reports, before, state, digest FROM head", NULL, 0, found, read_row, head,
                        err);
}

static pby_status check_head(sqlite3 *db, pby_error *err)
{
    struct head head;
    char state[HEX + 1], digest[HEX + 1];
    int64_t reports = 0;
    bool found = false;
    pby_status status = read_head(&head, &found, db, err);
    if (status == PBY_OK && !found)
        return pby_memo_refuse(db, "it was not paid for, as its making was interrupted: remove it", err);
    if (status == PBY_OK)
        status = digest_state(state, db, err);
    if (status == PBY_OK)
        status = pby_memo_ask(db, "SELECT coalesce(sum(reports), 0) FROM permanent", NULL, 0, NULL,
                              read_number, &reports, err);
    digest_head(digest, &head);
    if (status == PBY_OK &&
        (strcmp(state, head.state) != 0 || strcmp(digest, head.digest) != 0 || reports != head.reports))
        status = pby_memo_refuse(db, "it is damaged: its responses are not as they were recorded", err);
    return status;
}

pby_status pby_memo_seal(sqlite3 *db, pby_error *err)
{
    struct head head;
    bool found;
    pby_status status = read_head(&head, &found, db, err);
    if (status != PBY_OK)
        return status;
    memcpy(head.before, head.digest, sizeof head.before);
    status = pby_memo_ask(db, "SELECT coalesce(sum(reports), 0) FROM permanent", NULL, 0, NULL, read_number,
                          &head.reports, err);
    if (status == PBY_OK)
        status = digest_state(head.state, db, err);
    digest_head(head.digest, &head);
    const pby_bound bound[] = {{NULL, 0, head.reports},
                               {head.before, strlen(head.before), 0},
                               {head.state, strlen(head.state), 0},
                               {head.digest, strlen(head.digest), 0}};
    return status == PBY_OK ? pby_memo_ask(db,
                                           "INSERT OR REPLACE INTO head (id, reports, before, state, digest)"
                                           " VALUES (1, ?1, ?2, ?3, ?4)",
                                           bound, 4, NULL, NULL, NULL, err)
                            : status;
}

/* ---- a memo as a whole ------------------------------------------------------------------------ */

pby_status pby_memo_whole(sqlite3 *db, pby_error *err)
{
    int64_t version = 0;
    pby_status status = read_version(&version, db, err);
    if (status == PBY_OK)
        status = pby_memo_ask(db, "PRAGMA integrity_check(1)", NULL, 0, NULL, read_check, db, err);
    if (status == PBY_OK)
        status = check_tables(db, version, err);
    return status == PBY_OK && version >= PBY_MEMO_VERSION ? check_head(db, err) : status;
}

pby_status pby_memo_enter(sqlite3 *db, pby_error *err)
{
    int64_t version = 0;
    pby_status status = read_version(&version, db, err);
    if (status != PBY_OK || version >= PBY_MEMO_VERSION)
        return status == PBY_OK ? check_head(db, err) : status;
    status = pby_memo_run(db, "PRAGMA user_version = 2", err);
    for (size_t i = 0; i < TABLES && status == PBY_OK; i++)
        if (tables[i].since > version)
            status = pby_memo_run(db, tables[i].sql, err);
    return status == PBY_OK ? pby_memo_seal(db, err) : status;
}
