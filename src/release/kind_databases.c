/* SPDX-License-Identifier: MIT */
/* A histogram, and a small synthetic database in its place (databases.h).
 *
 * Read is KEY,COUNT; written KEY,COUNT of the database that was chosen. */
#include <flint/fmpz_vec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "probity/experimental/parts.h"
#include "release/databases.h"
#include "release/input_kind.h"

struct input {
    pby_queries *queries;
    size_t size;    /* records of a database */
    fmpz *data;     /* the counts of the kinds */
    size_t *record; /* of the database that is chosen */
};

/* ---- refusals ---------------------------------------------------------------------------------- */

/* Scores are worked out from the queries, so no range of theirs is read. */
static pby_status check_databases(const pby_pipeline *p, const pby_release *release, pby_error *err)
{
    (void)release;
    if (pby_family_with(p->budget->spec->use[0].mechanism.family, PBY_ROLE_TABLE) == PBY_PARAMETERS_MAX)
        return pby_pipeline_refuse(p, PBY_ARG_QUERIES, "a mechanism that answers queries: smalldb", err);
    return p->range == NULL
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "%s: expected no %s, as scores are worked out",
                          pby_pipeline_name(p, PBY_ARG_RANGE), pby_pipeline_name(p, PBY_ARG_QUERIES));
}

/* The table that the mechanism names, and no other. */
static pby_status check_queries(const pby_pipeline *p, const pby_mechanism *m, const pby_queries *q,
                                pby_error *err)
{
    char named[PBY_DIGEST_SIZE], expected[128];
    pby_mechanism_digest(named, m, pby_family_with(m->family, PBY_ROLE_TABLE));
    snprintf(expected, sizeof expected, "the table whose SHA-256 is %s", named);
    return strcmp(named, q->digest.sha256) == 0 ? PBY_OK
                                                : pby_pipeline_refuse(p, PBY_ARG_QUERIES, expected, err);
}

static pby_status check_size(const pby_mechanism *m, const pby_queries *q, size_t size, pby_error *err)
{
    char expected[128];
    snprintf(expected, sizeof expected, "at most %d databases of that size, for %zu kinds", PBY_DATABASES_MAX,
             pby_names_count(q->kinds));
    return pby_databases_count(pby_names_count(q->kinds), size) != 0 ? PBY_OK
                                                                     : pby_mechanism_refuse(m, expected, err);
}

/* ---- reading and writing ----------------------------------------------------------------------- */

static pby_status take_score(void *release, const size_t *record, mpq_srcptr score, pby_error *err)
{
    (void)record;
    return pby_release_score(release, score, err);
}

/* The records of the multiset of a number. */
struct wanted {
    uint64_t number;
    size_t size;
    size_t *record;
};

static pby_status find_number(void *what, const size_t *record, mpq_srcptr score, pby_error *err)
{
    (void)score;
    (void)err;
    struct wanted *w = what;
    if (w->number == 0)
        memcpy(w->record, record, w->size * sizeof *record);
    w->number--;
    return PBY_OK;
}

/* Counts of the kinds; other keys are left out. */
static pby_status read_data(fmpz *data, const pby_queries *q, pby_table *table, pby_error *err)
{
    bool found = true;
    pby_status status = PBY_OK;
    while (status == PBY_OK && found) {
        status = pby_table_next(table, &found, err);
        if (status != PBY_OK || !found)
            break;
        size_t size;
        const char *key = pby_table_key(table, &size);
        const size_t kind = pby_names_find(q->kinds, (const uint8_t *)key, size);
        if (kind != PBY_NO_NAME)
            fmpz_add_si(data + kind, data + kind, pby_table_count(table));
    }
    return status;
}

static pby_status read_file(fmpz *data, const pby_queries *q, const char *path, pby_error *err)
{
    pby_table *table;
    pby_status status = path == NULL ? pby_table_csv_descriptor(&table, 0, NULL, err)
                                     : pby_table_csv(&table, path, NULL, err);
    if (status == PBY_OK) {
        status = read_data(data, q, table, err);
        pby_table_free(table);
    }
    return status;
}

static pby_status write_database(pby_rows *rows, const pby_queries *q, const size_t *record, size_t size,
                                 pby_error *err)
{
    pby_status status =
        rows->store == NULL ? PBY_OK : pby_store_shape(rows->store, pby_columns_count, NULL, true, err);
    for (size_t i = 0; i < size && status == PBY_OK;) {
        int64_t count = 0;
        const size_t kind = record[i];
        for (; i < size && record[i] == kind; i++)
            count++;
        size_t length;
        const uint8_t *name = pby_names_get(q->kinds, kind, &length);
        status = pby_rows_add(rows, name, length, pby_columns_count, &count, err);
    }
    return status;
}

/* ---- the kind ---------------------------------------------------------------------------------- */

static pby_status check_all(const pby_pipeline *p, const pby_queries *q, size_t size, pby_error *err)
{
    const pby_mechanism *m = &p->budget->spec->use[0].mechanism;
    PBY_TRY(check_queries(p, m, q, err));
    PBY_TRY(check_size(m, q, size, err));
    PBY_TRY(pby_spec_single(&m, p->budget->spec, "a release of databases", err));
    PBY_TRY(pby_databases_spread(m, q, err));
    return pby_budget_rows(p->budget) == 1
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "queries: expected a ledger whose rows are disjoint");
}

static pby_status open_databases(void **out, const pby_pipeline *p, pby_release *release, pby_error *err)
{
    const pby_mechanism *m = &p->budget->spec->use[0].mechanism;
    struct input *in = *out = calloc(1, sizeof *in);
    if (in == NULL)
        return pby_no_memory(err);
    in->size = (size_t)pby_mechanism_natural(m, pby_family_with(m->family, PBY_ROLE_RECORDS));
    PBY_TRY(pby_queries_read(&in->queries, p->queries, err));
    PBY_TRY(check_all(p, in->queries, in->size, err));
    in->record = calloc(in->size, sizeof *in->record);
    if (in->record == NULL)
        return pby_no_memory(err);
    in->data = _fmpz_vec_init((slong)pby_names_count(in->queries->kinds));
    pby_release_clear_scores(release);
    PBY_TRY(p->table != NULL ? read_data(in->data, in->queries, p->table, err)
                             : read_file(in->data, in->queries, p->in, err));
    return pby_databases_walk(in->queries, in->data, in->size, take_score, release, err);
}

static pby_status run_databases(pby_rows *rows, void *what, const pby_pipeline *p, pby_release *release,
                                pby_error *err)
{
    (void)p;
    const struct input *in = what;
    struct wanted wanted = {.size = in->size, .record = in->record};
    PBY_TRY(pby_release_candidate(release, &wanted.number, err));
    PBY_TRY(pby_databases_walk(in->queries, in->data, in->size, find_number, &wanted, err));
    return write_database(rows, in->queries, in->record, in->size, err);
}

static void learn_databases(pby_learned *out, const void *what, const pby_pipeline *p,
                            const pby_release *release)
{
    (void)p;
    (void)release;
    const struct input *in = what;
    out->table = in->queries->digest;
}

static void close_databases(void *what)
{
    struct input *in = what;
    if (in == NULL)
        return;
    if (in->data != NULL) {
        const slong kinds = (slong)pby_names_count(in->queries->kinds);
        _fmpz_vec_zero(in->data, kinds);
        _fmpz_vec_clear(in->data, kinds);
    }
    free(in->record);
    pby_queries_free(in->queries);
    free(in);
}

const pby_input_kind pby_kind_databases = {
    .name = "databases",
    .scored = true,
    .check = check_databases,
    .open = open_databases,
    .run = run_databases,
    .learn = learn_databases,
    .close = close_databases,
};
