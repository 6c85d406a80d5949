#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "certificate/ledger.h"

enum { TIME_SIZE = 32 };

static pby_status insert(pby_ledger *ledger, const pby_spec *spec, const pby_charge *charge, pby_error *err)
{
    char at[TIME_SIZE];
    struct tm utc;
    const time_t now = time(NULL);
    if (gmtime_r(&now, &utc) == NULL || strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return pby_fail(err, PBY_FAILED, "ledger: the clock does not tell the time");
    const char *const texts[4] = {at, pby_spec_text(spec), charge->epsilon, charge->delta};
    sqlite3_stmt *statement;
    bool row;
    pby_status status = pby_database_prepare(
        &statement, ledger->db, "INSERT INTO spend (at, spec, epsilon, delta) VALUES (?1, ?2, ?3, ?4)", texts, 4, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    sqlite3_finalize(statement);
    return status;
}

static void charge_clear(pby_charge *charge)
{
    free(charge->epsilon);
    free(charge->delta);
}

pby_status pby_ledger_affords(pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon, pby_error *err)
{
    pby_charge charge = {NULL, NULL};
    const pby_status status = pby_ledger_admit(&charge, ledger, spec, epsilon, err);
    charge_clear(&charge);
    return status;
}

/* The budget is read, compared and written in one transaction that no other process can enter. */
pby_status pby_ledger_spend(pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon, pby_error *err)
{
    pby_charge charge = {NULL, NULL};
    pby_status status = pby_database_run(ledger->db, "BEGIN IMMEDIATE", err);
    if (status != PBY_OK)
        return status;
    status = pby_ledger_admit(&charge, ledger, spec, epsilon, err);
    if (status == PBY_OK)
        status = insert(ledger, spec, &charge, err);
    if (status == PBY_OK)
        status = pby_database_run(ledger->db, "COMMIT", err);
    if (status != PBY_OK && sqlite3_get_autocommit(ledger->db) == 0)
        (void)sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
    charge_clear(&charge);
    return status;
}
