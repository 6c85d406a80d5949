#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "certificate/ledger/ledger.h"
#include "certificate/unit.h"
#include "io/file.h"
#include "probity/rational.h"

enum { ROWS_SIZE = 24, ROWS = 4, USER = 5 /* among the texts of a budget */ };

/* Version 4 where there is a user's column, which is the last of the texts. */
static int version_of(const char *const *texts)
{
    return texts[USER] == NULL ? PBY_LEDGER_VERSION : PBY_LEDGER_USERS;
}

static pby_status insert_budget(sqlite3 *db, const char *const *texts, pby_error *err)
{
    pby_chain begin;
    pby_status status = pby_database_insert(
        db, "INSERT INTO budget (id, neighbours, accounting, epsilon, delta) VALUES (1, ?1, ?2, ?3, ?4)",
        texts, ROWS, err);
    if (status == PBY_OK)
        status = pby_database_insert(db, "INSERT INTO terms (id, rows) VALUES (1, ?1)", texts + ROWS, 1, err);
    if (status == PBY_OK && texts[USER] != NULL)
        status = pby_database_insert(db, "INSERT INTO unit (id, user) VALUES (1, ?1)", texts + USER, 1, err);
    pby_chain_begin(&begin, texts, pby_budget_texts(version_of(texts)));
    return status == PBY_OK ? pby_ledger_seal(db, &begin, err) : status;
}

static pby_status write_budget(const char *path, const char *const *texts, pby_error *err)
{
    sqlite3 *db;
    pby_status status = pby_database_open(&db, path, err);
    if (status != PBY_OK)
        return status;
    status = pby_database_run(db, "BEGIN IMMEDIATE", err);
    if (status == PBY_OK)
        status = pby_ledger_schema_make(db, 0, version_of(texts), err);
    if (status == PBY_OK)
        status = insert_budget(db, texts, err);
    if (status == PBY_OK)
        status = pby_database_run(db, "COMMIT", err);
    sqlite3_close(db);
    return status;
}

static pby_status refuse_path(const char *path, pby_error *err)
{
    char expected[PBY_ERROR_SIZE];
    snprintf(expected, sizeof expected, "a file that can be made, but: %s", strerror(errno));
    return pby_refuse(err, "ledger", path, expected);
}

/* Writes the draft and gives it its name, unless a file has it already. */
static pby_status publish(const char *draft, const char *path, const char *const *texts, pby_error *err)
{
    const pby_status status = write_budget(draft, texts, err);
    if (status != PBY_OK)
        return status;
    return link(draft, path) == 0 ? PBY_OK : refuse_path(path, err);
}

static pby_status create(const char *path, const char *const *texts, pby_error *err)
{
    char *draft = NULL;
    if (asprintf(&draft, "%s.XXXXXX", path) < 0)
        return pby_no_memory(err);
    const int fd = mkostemp(draft, O_CLOEXEC);
    pby_status status = fd < 0 ? refuse_path(path, err) : PBY_OK;
    if (fd >= 0) {
        close(fd);
        status = publish(draft, path, texts, err);
        unlink(draft);
    }
    free(draft);
    if (status == PBY_OK && !pby_file_sync_folder(path))
        status = pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "ledger: %s", strerror(errno));
    return status;
}

/* A budget that could not be read back (1e-5000 has 5001 digits) is refused. */
static pby_status check_readable(const char *name, const char *text, pby_error *err)
{
    mpq_t q;
    mpq_init(q);
    const pby_status status = pby_rational_parse(q, name, text, err);
    mpq_clear(q);
    return status;
}

static pby_status check_budget(mpq_srcptr epsilon, mpq_srcptr delta, const char *const *texts, pby_error *err)
{
    if (mpq_sgn(epsilon) <= 0)
        return pby_refuse(err, "epsilon", texts[2], "a rational above 0");
    if (mpq_sgn(delta) < 0 || mpq_cmp_ui(delta, 1, 1) >= 0)
        return pby_refuse(err, "delta", texts[3], "a rational from 0 to below 1");
    const pby_status status = check_readable("epsilon in lowest terms", texts[2], err);
    return status == PBY_OK ? check_readable("delta in lowest terms", texts[3], err) : status;
}

/* The user's column is NULL where the unit of privacy is a record. */
static pby_status create_budget(const char *path, pby_neighbours relation, pby_composition accounting,
                                unsigned long rows, const char *user, mpq_srcptr epsilon, mpq_srcptr delta,
                                pby_error *err)
{
    char rows_text[ROWS_SIZE];
    if (accounting != PBY_COMPOSE_EXACT && accounting != PBY_COMPOSE_BASIC)
        return pby_fail(err, PBY_BAD, "the accounting of a ledger: expected exact or basic");
    snprintf(rows_text, sizeof rows_text, "%lu", rows);
    if (rows < 1 || rows > PBY_LEDGER_ROWS_MAX)
        return pby_refuse(err, "rows", rows_text, "an integer from 1 to 1000000000");
    char *epsilon_text = mpq_get_str(NULL, 10, epsilon), *delta_text = mpq_get_str(NULL, 10, delta);
    const char *const texts[PBY_BUDGET_TEXTS] = {pby_neighbours_text(relation),
                                                 pby_composition_text(accounting),
                                                 epsilon_text,
                                                 delta_text,
                                                 rows_text,
                                                 user};
    pby_status status = check_budget(epsilon, delta, texts, err);
    if (status == PBY_OK && user != NULL)
        status = pby_unit_check("user", user, err);
    if (status == PBY_OK)
        status = create(path, texts, err);
    free(delta_text);
    free(epsilon_text);
    return status;
}

pby_status pby_ledger_create(const char *path, pby_neighbours relation, pby_composition accounting,
                             mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err)
{
    return pby_ledger_create_overlapping(path, relation, accounting, 1, epsilon, delta, err);
}

pby_status pby_ledger_create_overlapping(const char *path, pby_neighbours relation,
                                         pby_composition accounting, unsigned long rows, mpq_srcptr epsilon,
                                         mpq_srcptr delta, pby_error *err)
{
    return create_budget(path, relation, accounting, rows, NULL, epsilon, delta, err);
}

pby_status pby_ledger_create_user(const char *path, pby_neighbours relation, pby_composition accounting,
                                  const char *user, mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err)
{
    return create_budget(path, relation, accounting, 1, user, epsilon, delta, err);
}
