#include "certificate/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "certificate/certificate.h"
#include "probity/loss.h"
#include "probity/rational.h"

enum { DIGITS = PBY_DIGITS_DEFAULT, TIME_SIZE = 32 };

/* ---- opening ---------------------------------------------------------------------------------- */

static pby_status read_integer(int *out, sqlite3 *db, const char *sql, pby_error *err)
{
    sqlite3_stmt *statement;
    int row = 0;
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
        return pby_fail(err, PBY_BAD, "ledger: expected a file that probity ledger init made");
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

static pby_status read_budget(pby_ledger *ledger, pby_error *err)
{
    sqlite3_stmt *statement;
    int row = 0;
    pby_status status = pby_database_prepare(&statement, ledger->db, "SELECT neighbours, epsilon, delta FROM budget",
                                             NULL, 0, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    if (status == PBY_OK && !row)
        status = pby_fail(err, PBY_BAD, "ledger: expected a budget in it");
    if (status == PBY_OK)
        status = pby_neighbours_parse(&ledger->relation, "ledger neighbours", text_at(statement, 0), err);
    if (status == PBY_OK)
        status = pby_rational_parse(ledger->epsilon, "ledger epsilon", text_at(statement, 1), err);
    if (status == PBY_OK)
        status = pby_rational_parse(ledger->delta, "ledger delta", text_at(statement, 2), err);
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
    int row = 1;
    pby_status status = pby_database_prepare(&statement, ledger->db,
                                             "SELECT number, at, spec FROM spend ORDER BY number", NULL, 0, err);
    while (status == PBY_OK && row) {
        status = pby_database_step(&row, statement, err);
        if (status == PBY_OK && row) {
            const pby_ledger_entry entry = {sqlite3_column_int64(statement, 0), text_at(statement, 1),
                                            text_at(statement, 2)};
            status = visit(&entry, what, err);
        }
    }
    sqlite3_finalize(statement);
    return status;
}

static pby_status append_spec(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    FILE *out = what;
    return fprintf(out, "%s ", entry->spec) >= 0 ? PBY_OK : pby_no_memory(err);
}

/* All that was recorded as one spec, and `more` behind it unless that is NULL; *out is NULL when there is
 * nothing. */
static pby_status gather(pby_spec **out, pby_ledger *ledger, const char *more, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    *out = NULL;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        return pby_no_memory(err);
    pby_status status = pby_ledger_each(ledger, append_spec, file, err);
    if (more != NULL)
        fputs(more, file);
    if (fclose(file) != 0 && status == PBY_OK)
        status = pby_no_memory(err);
    if (status == PBY_OK && size > 0) {
        if (more == NULL)
            text[size - 1] = '\0';
        status = pby_certificate_spec_parse(out, text, err);
    }
    free(text);
    return status;
}

static void set_zero(pby_enclosure *x)
{
    if (x != NULL) {
        mpfr_set_zero(x->lo, 1);
        mpfr_set_zero(x->hi, 1);
    }
}

pby_status pby_ledger_spent(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger, unsigned digits,
                            pby_error *err)
{
    pby_spec *all;
    pby_status status = gather(&all, ledger, NULL, err);
    if (status != PBY_OK || all == NULL) {
        set_zero(delta);
        set_zero(epsilon);
        return status;
    }
    if (delta != NULL)
        status = pby_loss_delta(delta, all, ledger->relation, ledger->epsilon, digits, err);
    if (status == PBY_OK && epsilon != NULL)
        status = pby_loss_epsilon(epsilon, all, ledger->relation, ledger->delta, digits, err);
    pby_spec_free(all);
    return status;
}

/* ---- spending --------------------------------------------------------------------------------- */

static pby_status check_budget(pby_ledger *ledger, const pby_spec *spec, pby_error *err)
{
    pby_spec *all;
    pby_enclosure delta;
    pby_status status = gather(&all, ledger, pby_spec_text(spec), err);
    if (status != PBY_OK)
        return status;
    pby_enclosure_init(&delta);
    status = pby_loss_delta(&delta, all, ledger->relation, ledger->epsilon, DIGITS, err);
    if (status == PBY_OK && mpfr_cmp_q(delta.hi, ledger->delta) > 0) {
        char after[PBY_DECIMAL_SIZE];
        char *budget = mpq_get_str(NULL, 10, ledger->delta);
        pby_decimal(after, delta.hi, DIGITS, 0);
        status = pby_fail(err, PBY_NO, "ledger: %.100s would overspend: delta would be up to %s, the budget is %.60s",
                          pby_spec_text(spec), after, budget);
        free(budget);
    }
    pby_enclosure_clear(&delta);
    pby_spec_free(all);
    return status;
}

static pby_status insert(pby_ledger *ledger, const pby_spec *spec, pby_error *err)
{
    char at[TIME_SIZE];
    struct tm utc;
    const time_t now = time(NULL);
    if (gmtime_r(&now, &utc) == NULL || strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return pby_fail(err, PBY_FAILED, "ledger: the clock does not tell the time");
    const char *const texts[2] = {at, pby_spec_text(spec)};
    sqlite3_stmt *statement;
    int row;
    pby_status status = pby_database_prepare(&statement, ledger->db, "INSERT INTO spend (at, spec) VALUES (?1, ?2)",
                                             texts, 2, err);
    if (status == PBY_OK)
        status = pby_database_step(&row, statement, err);
    sqlite3_finalize(statement);
    return status;
}

/* The budget is read, compared and written in one transaction that no other process can enter. */
pby_status pby_ledger_spend(pby_ledger *ledger, const pby_spec *spec, pby_error *err)
{
    pby_status status = pby_database_run(ledger->db, "BEGIN IMMEDIATE", err);
    if (status != PBY_OK)
        return status;
    status = check_budget(ledger, spec, err);
    if (status == PBY_OK)
        status = insert(ledger, spec, err);
    if (status == PBY_OK)
        status = pby_database_run(ledger->db, "COMMIT", err);
    if (status != PBY_OK && sqlite3_get_autocommit(ledger->db) == 0)
        (void)sqlite3_exec(ledger->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}
