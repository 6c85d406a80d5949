#include "certificate/ledger.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "probity/rational.h"

/* ---- opening ---------------------------------------------------------------------------------- */

static pby_status read_integer(int *out, sqlite3 *db, const char *sql, pby_error *err)
{
    sqlite3_stmt *statement;
    bool row = false;
    pby_status status = pby_database_prepare(&statement, db, sql, NULL, 0, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    *out = row ? sqlite3_column_int(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

static pby_status check_kind(sqlite3 *db, pby_error *err)
{
    int id = 0, version = 0;
    pby_status status = read_integer(&id, db, "PRAGMA application_id", err);
    if (status == PBY_OK)
        status = read_integer(&version, db, "PRAGMA user_version", err);
    if (status == PBY_OK && id != PBY_LEDGER_ID)
        return pby_database_refuse(db, "it is another database", err);
    if (status == PBY_OK && version != PBY_LEDGER_VERSION)
        return pby_fail(err, PBY_BAD, "ledger: version '%d': expected %d, the only one known", version,
                        PBY_LEDGER_VERSION);
    return status;
}

static const char *text_at(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text == NULL ? "" : (const char *)text;
}

static pby_status read_accounting(pby_composition *out, const char *text, pby_error *err)
{
    *out = strcmp(text, pby_composition_text(PBY_COMPOSE_BASIC)) == 0 ? PBY_COMPOSE_BASIC : PBY_COMPOSE_EXACT;
    return strcmp(text, pby_composition_text(*out)) == 0
               ? PBY_OK
               : pby_refuse(err, "ledger accounting", text, "exact or basic");
}

static pby_status read_budget(pby_ledger *ledger, pby_error *err)
{
    sqlite3_stmt *statement;
    bool row = false;
    pby_status status = pby_database_prepare(
        &statement, ledger->db, "SELECT neighbours, accounting, epsilon, delta FROM budget", NULL, 0, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    if (status == PBY_OK && !row)
        status = pby_database_refuse(ledger->db, "it has no budget", err);
    if (status == PBY_OK)
        status = pby_neighbours_parse(&ledger->relation, "ledger neighbours", text_at(statement, 0), err);
    if (status == PBY_OK)
        status = read_accounting(&ledger->accounting, text_at(statement, 1), err);
    if (status == PBY_OK)
        status = pby_rational_parse(ledger->epsilon, "ledger epsilon", text_at(statement, 2), err);
    if (status == PBY_OK)
        status = pby_rational_parse(ledger->delta, "ledger delta", text_at(statement, 3), err);
    sqlite3_finalize(statement);
    return status;
}

pby_status pby_ledger_open(pby_ledger **out, const char *path, pby_error *err)
{
    *out = NULL;
    pby_ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger == NULL)
        return pby_no_memory(err);
    mpq_inits(ledger->epsilon, ledger->delta, (mpq_ptr)0);
    pby_status status = pby_database_open(&ledger->db, path, err);
    if (status == PBY_OK)
        status = check_kind(ledger->db, err);
    if (status == PBY_OK)
        status = read_budget(ledger, err);
    if (status == PBY_OK)
        *out = ledger;
    else
        pby_ledger_close(ledger);
    return status;
}

void pby_ledger_close(pby_ledger *ledger)
{
    if (ledger == NULL)
        return;
    sqlite3_close(ledger->db);
    mpq_clears(ledger->epsilon, ledger->delta, (mpq_ptr)0);
    free(ledger);
}

pby_neighbours pby_ledger_neighbours(const pby_ledger *ledger)
{
    return ledger->relation;
}

pby_composition pby_ledger_accounting(const pby_ledger *ledger)
{
    return ledger->accounting;
}

mpq_srcptr pby_ledger_epsilon(const pby_ledger *ledger)
{
    return ledger->epsilon;
}

mpq_srcptr pby_ledger_delta(const pby_ledger *ledger)
{
    return ledger->delta;
}

/* ---- what was recorded ------------------------------------------------------------------------ */

pby_status pby_ledger_each(pby_ledger *ledger,
                           pby_status (*visit)(const pby_ledger_entry *entry, void *what, pby_error *err), void *what,
                           pby_error *err)
{
    sqlite3_stmt *statement;
    bool row = true;
    pby_status status = pby_database_prepare(
        &statement, ledger->db, "SELECT number, at, spec, epsilon, delta FROM spend ORDER BY number", NULL, 0, err);
    while (status == PBY_OK && row) {
        status = pby_database_step(&row, statement, err);
        if (status == PBY_OK && row) {
            const pby_ledger_entry entry = {sqlite3_column_int64(statement, 0), text_at(statement, 1),
                                            text_at(statement, 2), text_at(statement, 3), text_at(statement, 4)};
            status = visit(&entry, what, err);
        }
    }
    sqlite3_finalize(statement);
    return status;
}
