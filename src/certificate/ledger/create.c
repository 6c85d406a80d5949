/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "certificate/ledger/ledger.h"
#include "certificate/ledger/mode.h"
#include "certificate/unit.h"
#include "io/file.h"
#include "io/sole.h"
#include "number/scoped.h"
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

/* The whole file of a new ledger, for sqlite3_free. It is made in memory, so that a process that is killed
 * leaves no journal. */
static pby_status make_image(unsigned char **out, sqlite3_int64 *size, const char *const *texts,
                             pby_error *err)
{
    sqlite3 *db;
    *out = NULL;
    pby_status status = pby_database_open(&db, ":memory:", err);
    if (status != PBY_OK)
        return status;
    status = pby_database_run(db, "BEGIN IMMEDIATE", err);
    if (status == PBY_OK)
        status = pby_ledger_schema_make(db, 0, version_of(texts), err);
    if (status == PBY_OK)
        status = insert_budget(db, texts, err);
    if (status == PBY_OK)
        status = pby_database_run(db, "COMMIT", err);
    if (status == PBY_OK && (*out = sqlite3_serialize(db, "main", size, 0)) == NULL)
        status = pby_no_memory(err);
    sqlite3_close(db);
    return status;
}

/* Writes the draft and gives it its name, unless a file has it already. */
static pby_status publish(const char *path, const unsigned char *image, size_t size, pby_error *err)
{
    char *draft;
    int fd;
    pby_status status = pby_draft_make(&fd, &draft, "ledger", path, -1, err);
    if (status != PBY_OK)
        return status;
    status = pby_file_write_all(fd, image, size, "ledger", err);
    if (status == PBY_OK && fsync(fd) != 0)
        status = pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "ledger: %s", strerror(errno));
    if (status == PBY_OK)
        status = pby_draft_publish(draft, "ledger", path, err);
    else
        unlink(draft);
    close(fd);
    free(draft);
    return status;
}

static pby_status create(const char *path, const char *const *texts, pby_error *err)
{
    unsigned char *image = NULL;
    sqlite3_int64 size = 0;
    char *real;
    pby_status status = pby_sole_new(&real, "ledger", path, err);
    if (status == PBY_OK)
        status = make_image(&image, &size, texts, err);
    if (status == PBY_OK)
        status = publish(real, image, (size_t)size, err);
    sqlite3_free(image);
    free(real);
    return status;
}

/* A budget that could not be read back (1e-5000 has 5001 digits) is refused. */
static pby_status check_readable(const char *name, const char *text, pby_error *err)
{
    PBY_MPQ(q);
    return pby_rational_parse(q, name, text, err);
}

static pby_status check_budget(const pby_filter_budget *b, const char *const *texts, pby_error *err)
{
    if (mpq_sgn(b->bound) <= 0)
        return pby_refuse(err, pby_mode_bound(b->by), texts[2], "a rational above 0");
    if (mpq_sgn(b->delta) < 0 || mpq_cmp_ui(b->delta, 1, 1) >= 0)
        return pby_refuse(err, "delta", texts[3], "a rational from 0 to below 1");
    if (b->by == PBY_FILTER_APPROX && mpq_sgn(b->delta) == 0)
        return pby_refuse(err, "delta", texts[3], "a rational above 0 for a filter");
    const pby_status status = check_readable("epsilon in lowest terms", texts[2], err);
    return status == PBY_OK ? check_readable("delta in lowest terms", texts[3], err) : status;
}

static pby_status check_rows(unsigned long rows, const char *text, pby_error *err)
{
    return rows < 1 || rows > PBY_LEDGER_ROWS_MAX
               ? pby_refuse(err, "rows", text, "an integer from 1 to 1000000000")
               : PBY_OK;
}

/* With `mode` as the text of the accounting. The user's column is NULL where the unit of privacy is a record.
 */
static pby_status create_as(const char *path, pby_neighbours relation, const char *mode, unsigned long rows,
                            const char *user, const pby_filter_budget *b, pby_error *err)
{
    char rows_text[ROWS_SIZE];
    snprintf(rows_text, sizeof rows_text, "%lu", rows);
    pby_status status = check_rows(rows, rows_text, err);
    if (status != PBY_OK)
        return status;
    char *bound = mpq_get_str(NULL, 10, b->bound), *delta = mpq_get_str(NULL, 10, b->delta);
    const char *const texts[PBY_BUDGET_TEXTS] = {
        pby_neighbours_text(relation), mode, bound, delta, rows_text, user};
    status = check_budget(b, texts, err);
    if (status == PBY_OK && user != NULL)
        status = pby_unit_check("user", user, err);
    if (status == PBY_OK)
        status = create(path, texts, err);
    free(delta);
    free(bound);
    return status;
}

static pby_status create_summed(const char *path, pby_neighbours relation, pby_composition accounting,
                                unsigned long rows, const char *user, mpq_srcptr epsilon, mpq_srcptr delta,
                                pby_error *err)
{
    const pby_filter_budget budget = {.by = PBY_FILTER_NONE, .bound = epsilon, .delta = delta};
    if (accounting != PBY_COMPOSE_EXACT && accounting != PBY_COMPOSE_BASIC)
        return pby_fail(err, PBY_BAD, "the accounting of a ledger: expected exact or basic");
    return create_as(path, relation, pby_composition_text(accounting), rows, user, &budget, err);
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
    return create_summed(path, relation, accounting, rows, NULL, epsilon, delta, err);
}

pby_status pby_ledger_create_user(const char *path, pby_neighbours relation, pby_composition accounting,
                                  const char *user, mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err)
{
    return create_summed(path, relation, accounting, 1, user, epsilon, delta, err);
}

pby_status pby_ledger_create_filter(const char *path, pby_neighbours relation, unsigned long rows,
                                    const pby_filter_budget *budget, pby_error *err)
{
    if (budget->by != PBY_FILTER_APPROX && budget->by != PBY_FILTER_RHO && budget->by != PBY_FILTER_RENYI)
        return pby_fail(err, PBY_BAD, "the filter of a ledger: expected one of approx, rho and renyi");
    if (budget->bound == NULL || (budget->by == PBY_FILTER_RENYI && budget->order == NULL))
        return pby_fail(err, PBY_BAD, "the filter of a ledger: expected its budget, and the order of renyi");
    mpq_t none, half; /* what stands for a delta and a split that are left out */
    mpq_inits(none, half, (mpq_ptr)0);
    mpq_set_ui(half, 1, 2);
    pby_filter_budget b = *budget;
    b.delta = b.delta == NULL ? none : b.delta;
    b.split = b.split == NULL ? half : b.split;
    char *mode = pby_mode_text(b.by, b.order, b.split);
    pby_status status = mode == NULL ? pby_no_memory(err) : pby_mode_check(b.by, b.order, b.split, err);
    if (status == PBY_OK)
        status = check_readable("order or split in lowest terms",
                                b.by == PBY_FILTER_RHO ? "1" : strchr(mode, '=') + 1, err);
    if (status == PBY_OK)
        status = create_as(path, relation, mode, rows, NULL, &b, err);
    free(mode);
    mpq_clears(none, half, (mpq_ptr)0);
    return status;
}
