/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "certificate/ledger/ledger.h"

/* Every entry with its digest and, in each row, how many were recorded and the last digest; one row without
 * an entry where there is none. Version 2 has no digests, and SQLite's own count of its entries. */
static const char *entries_of(int version)
{
    return version == PBY_LEDGER_OLD
               ? "SELECT s.number, s.at, s.spec, s.epsilon, s.delta, NULL, q.seq, NULL"
                 " FROM (SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'spend') AS seq) AS q"
                 " LEFT JOIN spend AS s ORDER BY s.number"
               : "SELECT s.number, s.at, s.spec, s.epsilon, s.delta, c.digest, h.entries, h.digest"
                 " FROM head AS h LEFT JOIN spend AS s LEFT JOIN chain AS c ON c.number = s.number ORDER BY "
                 "s.number";
}

enum { DIGEST = 5, ENTRIES = 6, LAST = 7, WHAT_SIZE = 96 };

static pby_status damaged_entry(const pby_ledger *ledger, long long number, pby_error *err)
{
    char what[WHAT_SIZE];
    snprintf(what, sizeof what, "entry %lld is not as it was recorded", number);
    return pby_database_damaged(ledger->db, what, err);
}

/* True if the entry in the present row is the one behind the chain, which then ends in it. */
static bool follows(pby_chain *chain, const pby_ledger *ledger, const pby_ledger_entry *entry,
                    sqlite3_stmt *row)
{
    const bool next = entry->number == chain->entries + 1;
    pby_chain_add(chain, entry);
    return next &&
           (ledger->version == PBY_LEDGER_OLD || strcmp(chain->digest, pby_database_text(row, DIGEST)) == 0);
}

static pby_status visit_row(pby_chain *chain, pby_ledger *ledger, sqlite3_stmt *row,
                            pby_status (*visit)(const pby_ledger_entry *entry, void *what, pby_error *err),
                            void *what, pby_error *err)
{
    const long long number = chain->entries + 1;
    const pby_ledger_entry entry = {sqlite3_column_int64(row, 0), pby_database_text(row, 1),
                                    pby_database_text(row, 2), pby_database_text(row, 3),
                                    pby_database_text(row, 4)};
    if (sqlite3_column_type(row, 0) == SQLITE_NULL)
        return PBY_OK;
    if (!follows(chain, ledger, &entry, row))
        return damaged_entry(ledger, number, err);
    return visit == NULL ? PBY_OK : visit(&entry, what, err);
}

/* Reads the number of entries and the last digest, which stand in every row beside the entry. */
static void read_kept(pby_chain *kept, sqlite3_stmt *row)
{
    kept->entries = sqlite3_column_int64(row, ENTRIES);
    snprintf(kept->digest, sizeof kept->digest, "%s", pby_database_text(row, LAST));
}

static bool same(const pby_chain *kept, const pby_chain *chain, const pby_ledger *ledger)
{
    return kept->entries == chain->entries &&
           (ledger->version == PBY_LEDGER_OLD || strcmp(kept->digest, chain->digest) == 0);
}

/* True if the chain has come to the digest that it must contain. */
static bool is_after(const pby_ledger *ledger, const pby_chain *chain)
{
    return ledger->after[0] == '\0' || strcmp(ledger->after, chain->digest) == 0;
}

pby_status pby_ledger_walk(pby_chain *end, pby_ledger *ledger,
                           pby_status (*visit)(const pby_ledger_entry *entry, void *what, pby_error *err),
                           void *what, pby_error *err)
{
    sqlite3_stmt *statement = NULL;
    pby_status status = pby_ledger_enter(ledger, err);
    if (status != PBY_OK)
        return status;
    pby_chain chain = ledger->begin, kept = {-1, ""};
    bool row = true, after = is_after(ledger, &chain);
    status = pby_database_prepare(&statement, ledger->db, entries_of(ledger->version), NULL, 0, err);
    while (status == PBY_OK && row) {
        status = pby_database_step(&row, statement, err);
        if (status != PBY_OK || !row)
            break;
        read_kept(&kept, statement);
        status = visit_row(&chain, ledger, statement, visit, what, err);
        after = after || is_after(ledger, &chain);
    }
    sqlite3_finalize(statement);
    if (status == PBY_OK && !same(&kept, &chain, ledger))
        status = pby_database_damaged(ledger->db, "its entries are not those that it counts", err);
    if (status == PBY_OK && !after)
        status = pby_refuse(err, "after", ledger->after,
                            "a digest that the ledger has or had: it may be an older copy");
    if (status == PBY_OK && end != NULL)
        *end = chain;
    pby_ledger_leave(ledger);
    return status;
}
