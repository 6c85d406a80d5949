/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/file_store.h"
#include "certificate/ledger/ledger.h"

struct sealing {
    sqlite3 *db;
    pby_chain chain;
};

static pby_status seal_entry(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    struct sealing *s = what;
    pby_chain_add(&s->chain, entry);
    return pby_file_store_seal(s->db, &s->chain, err);
}

/* Until the transaction ends, the tables of version 2 are read as such: their entries have no digests yet. */
static pby_status upgrade(pby_ledger *ledger, sqlite3 *db, pby_error *err)
{
    static const char *const disjoint[] = {"1"};
    struct sealing s = {db, ledger->begin};
    pby_status status = pby_ledger_schema_make(db, PBY_LEDGER_OLD, PBY_LEDGER_VERSION, err);
    if (status == PBY_OK)
        status = pby_database_insert(db, "INSERT INTO terms (id, rows) VALUES (1, ?1)", disjoint, 1, err);
    if (status == PBY_OK)
        status = pby_file_store_seal(db, &s.chain, err);
    return status == PBY_OK ? pby_ledger_walk(NULL, ledger, seal_entry, &s, err) : status;
}

pby_status pby_file_store_upgrade(pby_ledger *ledger, pby_error *err)
{
    sqlite3 *db = ((pby_file_store *)ledger->store)->db;
    int version;
    PBY_TRY(pby_ledger_schema_version(&version, db, err));
    if (version == PBY_LEDGER_OLD)
        PBY_TRY(upgrade(ledger, db, err));
    ledger->version = version == PBY_LEDGER_OLD ? PBY_LEDGER_VERSION : version;
    return PBY_OK;
}
