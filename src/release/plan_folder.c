/* SPDX-License-Identifier: MIT */
#include "release/plan_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/json.h"
#include "io/file.h"
#include "io/spool.h"
#include "number/number_json.h"
#include "number/scoped.h"
#include "number/text.h"
#include "plan/plan_error.h"
#include "plan/plan_json.h"
#include "release/plan_hidden.h"
#include "release/plan_values.h"
#include "table/store/key_row.h"

static pby_status no_folder(pby_error *err, const char *folder)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%.200s: %s", folder, strerror(errno));
}

/* The path of a file in the folder, for free(3); NULL when there is no memory. */
static char *path_of(const char *folder, const char *name, const char *ending)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s%s", folder, name, ending) < 0 ? NULL : path;
}

/* ---- a statistic --------------------------------------------------------------------------------- */

/* Sets the errors that the quantities of a statistic exceed together in at most 5 of 100 releases. */
static pby_status set_errors(mpq_t error[PBY_PLAN_NEEDS_MAX], const pby_plan_quantities *q,
                             const pby_plan_needs *needs, pby_error *err)
{
    for (size_t i = 0; i < needs->count; i++) {
        const pby_plan_quantity *x = &q->quantity[needs->at[i]];
        PBY_TRY(pby_plan_error(error[i], x, x->cells, 20 * needs->count, err));
    }
    return PBY_OK;
}

static pby_status add_text(pby_key_row *row, const char *text, pby_error *err)
{
    return pby_key_row_add(row, (const uint8_t *)text, strlen(text), err);
}

static pby_status add_number(pby_key_row *row, mpq_srcptr x, pby_error *err)
{
    char text[PBY_DECIMAL_SIZE];
    pby_mpq_text(text, x);
    return add_text(row, text, err);
}

static pby_status end_row(pby_spool *spool, pby_key_row *row, pby_error *err)
{
    PBY_TRY(pby_spool_write(spool, row->bytes, row->size, err));
    pby_key_row_begin(row);
    return pby_spool_write(spool, "\n", 1, err);
}

static pby_status write_header(pby_spool *spool, pby_key_row *row, const pby_release_plan *plan,
                               const pby_plan_statistic *s, pby_error *err)
{
    const pby_plan_grouping *g = &plan->grouping[s->grouping];
    static const char *const columns[] = {"value", "low", "high"};
    for (size_t i = 0; i < g->by; i++)
        PBY_TRY(add_text(row, g->column[i], err));
    if (s->kind == PBY_PLAN_HISTOGRAM)
        PBY_TRY(add_text(row, plan->column[s->column].name, err));
    if (s->shares > 1)
        PBY_TRY(add_text(row, "q", err));
    for (size_t i = 0; i < 3; i++)
        PBY_TRY(add_text(row, columns[i], err));
    return end_row(spool, row, err);
}

/* The left end of a bucket. */
static pby_status add_bucket(pby_key_row *row, const pby_plan_column *c, int64_t width, size_t bucket,
                             pby_error *err)
{
    PBY_MPQ(x);
    mpq_set_si(x, c->lo + (int64_t)bucket * width, 1);
    mpq_mul(x, x, c->step);
    return add_number(row, x, err);
}

/* Fields that are empty where there is no value. */
static pby_status add_value(pby_key_row *row, const pby_plan_value *v, pby_error *err)
{
    if (!v->some) {
        PBY_TRY(add_text(row, "", err));
        PBY_TRY(add_text(row, "", err));
        return add_text(row, "", err);
    }
    PBY_TRY(add_number(row, v->value, err));
    PBY_TRY(add_number(row, v->low, err));
    return add_number(row, v->high, err);
}

/* The fields of a group: of a public one by its number, of a hidden one by its place among those that passed.
 */
static pby_status add_group(pby_key_row *row, const pby_release_plan *plan, const pby_plan_statistic *s,
                            const pby_plan_cells *cells, size_t group, pby_error *err)
{
    const pby_plan_grouping *g = &plan->grouping[s->grouping];
    for (size_t i = 0; i < g->by && !g->hidden; i++)
        PBY_TRY(add_text(row, g->group[group * g->by + i], err));
    for (size_t i = 0; i < g->by && g->hidden; i++) {
        size_t size;
        const uint8_t *field = pby_plan_hidden_field(&cells->hidden[s->grouping], group, i, &size);
        PBY_TRY(pby_key_row_add(row, field, size, err));
    }
    return PBY_OK;
}

static pby_status write_cell(pby_spool *spool, pby_key_row *row, const pby_release_plan *plan,
                             const pby_plan_statistic *s, const pby_plan_cells *cells, size_t cell,
                             const pby_plan_value *v, pby_error *err)
{
    const size_t buckets = s->kind == PBY_PLAN_HISTOGRAM ? s->buckets : 1;
    PBY_TRY(add_group(row, plan, s, cells, cell / buckets, err));
    if (s->kind == PBY_PLAN_HISTOGRAM)
        PBY_TRY(add_bucket(row, &plan->column[s->column], s->width, cell % buckets, err));
    PBY_TRY(add_value(row, v, err));
    return end_row(spool, row, err);
}

/* ---- choices ------------------------------------------------------------------------------------- */

/* A choice has no interval: its accuracy is that of its score. */
static pby_status end_choice(pby_spool *spool, pby_key_row *row, mpq_srcptr value, pby_error *err)
{
    PBY_TRY(add_number(row, value, err));
    PBY_TRY(add_text(row, "", err));
    PBY_TRY(add_text(row, "", err));
    return end_row(spool, row, err);
}

/* The points of each group, share by share. */
static pby_status write_quantiles(pby_spool *spool, pby_key_row *row, const pby_release_plan *plan,
                                  const pby_plan_statistic *s, const pby_plan_needs *needs,
                                  const pby_plan_cells *cells, pby_error *err)
{
    const pby_plan_column *c = &plan->column[s->column];
    PBY_MPQ(x);
    for (size_t group = 0; group < cells->cells[needs->at[0]]; group++)
        for (size_t k = 0; k < s->shares; k++) {
            PBY_TRY(add_group(row, plan, s, cells, group, err));
            mpq_set_ui(x, s->share[k].over, s->share[k].under);
            if (s->shares > 1)
                PBY_TRY(add_number(row, x, err));
            mpq_set_si(x, c->lo + cells->cell[needs->at[k]][group], 1);
            mpq_mul(x, x, c->step);
            PBY_TRY(end_choice(spool, row, x, err));
        }
    return PBY_OK;
}

/* The groups in the order in which they were chosen, numbered from 1 on. */
static pby_status write_top(pby_spool *spool, pby_key_row *row, const pby_release_plan *plan,
                            const pby_plan_statistic *s, const pby_plan_cells *cells, const int64_t *chosen,
                            pby_error *err)
{
    PBY_MPQ(place);
    for (size_t i = 0; i < s->best; i++) {
        PBY_TRY(add_group(row, plan, s, cells, (size_t)chosen[i], err));
        mpq_set_ui(place, i + 1, 1);
        PBY_TRY(end_choice(spool, row, place, err));
    }
    return PBY_OK;
}

/* ---- numbers ------------------------------------------------------------------------------------- */

static pby_status write_numbers(pby_spool *spool, pby_key_row *row, const pby_release_plan *plan,
                                const pby_plan_choice *choice, const pby_plan_cells *cells, size_t i,
                                const mpq_t *error, pby_error *err)
{
    const pby_plan_statistic *s = &plan->statistic[i];
    const pby_plan_needs *needs = &choice->quantities.needs[i];
    const size_t count = cells->cells[needs->at[0]];
    pby_plan_value v;
    pby_plan_value_init(&v);
    pby_status status = PBY_OK;
    for (size_t cell = 0; cell < count && status == PBY_OK; cell++) {
        int64_t noisy[PBY_PLAN_NEEDS_MAX] = {0};
        for (size_t k = 0; k < needs->count; k++)
            noisy[k] = cells->cell[needs->at[k]][cell];
        pby_plan_value_of(&v, plan, s, noisy, error);
        status = write_cell(spool, row, plan, s, cells, cell, &v, err);
    }
    pby_plan_value_clear(&v);
    return status;
}

static pby_status write_rows(pby_spool *spool, pby_key_row *row, const pby_release_plan *plan,
                             const pby_plan_choice *choice, const pby_plan_cells *cells, size_t i,
                             const mpq_t *error, pby_error *err)
{
    const pby_plan_statistic *s = &plan->statistic[i];
    const pby_plan_needs *needs = &choice->quantities.needs[i];
    PBY_TRY(write_header(spool, row, plan, s, err));
    return s->kind == PBY_PLAN_QUANTILE ? write_quantiles(spool, row, plan, s, needs, cells, err)
           : s->kind == PBY_PLAN_TOP ? write_top(spool, row, plan, s, cells, cells->cell[needs->at[0]], err)
                                     : write_numbers(spool, row, plan, choice, cells, i, error, err);
}

static pby_status write_statistic(const char *folder, const pby_release_plan *plan,
                                  const pby_plan_choice *choice, const pby_plan_cells *cells, size_t i,
                                  pby_error *err)
{
    char *path = path_of(folder, plan->statistic[i].name, ".csv");
    pby_spool *spool;
    pby_key_row row = {.bytes = NULL};
    mpq_t error[PBY_PLAN_NEEDS_MAX];
    for (size_t k = 0; k < PBY_PLAN_NEEDS_MAX; k++)
        mpq_init(error[k]);
    pby_status status = path == NULL
                            ? pby_no_memory(err)
                            : set_errors(error, &choice->quantities, &choice->quantities.needs[i], err);
    if (status == PBY_OK && (status = pby_spool_open(&spool, path, err)) == PBY_OK) {
        status = write_rows(spool, &row, plan, choice, cells, i, (const mpq_t *)error, err);
        if (status == PBY_OK)
            status = pby_spool_commit(spool, err);
        else
            pby_spool_abort(spool);
    }
    pby_key_row_clear(&row);
    for (size_t k = 0; k < PBY_PLAN_NEEDS_MAX; k++)
        mpq_clear(error[k]);
    free(path);
    return status;
}

/* ---- release.json -------------------------------------------------------------------------------- */

static json_t *accuracy(const pby_release_plan *plan, const pby_plan_choice *choice, pby_error *err)
{
    json_t *out = json_object();
    for (size_t i = 0; i < plan->statistics && out != NULL; i++) {
        pby_plan_promise p;
        pby_plan_promise_init(&p);
        json_t *one = pby_plan_promise_of(&p, plan, &choice->quantities, i, err) != PBY_OK ? NULL
                      : p.known ? json_pack("{s:o, s:o}", "error", pby_exact_json(p.error), "rounding",
                                            pby_exact_json(p.rounding))
                                : json_object();
        pby_plan_promise_clear(&p);
        if (one == NULL || json_object_set_new(out, plan->statistic[i].name, one) != 0) {
            json_decref(out);
            out = NULL;
        }
    }
    return out;
}

static pby_status write_description(const char *folder, const pby_release_plan *plan,
                                    const pby_plan_choice *choice, pby_ledger *ledger, pby_error *err)
{
    char entry[PBY_LEDGER_DIGEST_SIZE];
    pby_digest digest;
    json_t *json = pby_plan_json(plan, &choice->quantities);
    pby_status status = json == NULL ? pby_no_memory(err) : pby_plan_digest(&digest, json, err);
    if (status == PBY_OK)
        status = pby_ledger_digest(entry, ledger, err);
    json_t *root = status != PBY_OK ? NULL
                                    : json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:O, s:o}", "format",
                                                "probity-plan-release", "version", 1, "digest", digest.sha256,
                                                "ledger", entry, "spec", pby_spec_text(choice->once),
                                                "neighbours", pby_neighbours_text(plan->relation), "plan",
                                                json, "accuracy", accuracy(plan, choice, err));
    json_decref(json);
    if (status != PBY_OK)
        return status;
    char *text = pby_json_text(root, JSON_INDENT(2) | JSON_SORT_KEYS);
    char *path = path_of(folder, "release", ".json");
    status = text == NULL || path == NULL ? pby_no_memory(err) : pby_spool_text(path, text, "\n", err);
    free(path);
    free(text);
    return status;
}

/* ---- the folder ---------------------------------------------------------------------------------- */

/* The files of a folder that was not named, and the folder. */
static void remove_folder(const char *folder)
{
    DIR *list = opendir(folder);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list != NULL)
        closedir(list);
    rmdir(folder);
}

static pby_status write_all(const char *folder, const pby_release_plan *plan, const pby_plan_choice *choice,
                            const pby_plan_cells *cells, pby_ledger *ledger, pby_error *err)
{
    for (size_t i = 0; i < plan->statistics; i++)
        PBY_TRY(write_statistic(folder, plan, choice, cells, i, err));
    return write_description(folder, plan, choice, ledger, err);
}

/* Renames it unless something has its name by now, and brings the name to the disk. musl has no function for
 * the system call. */
static pby_status name_folder(const char *from, const char *to, pby_error *err)
{
    const bool named = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
    return named && pby_file_sync_folder(to) ? PBY_OK : no_folder(err, to);
}

pby_status pby_plan_publish(const char *folder, const pby_release_plan *plan, const pby_plan_choice *choice,
                            const pby_plan_cells *cells, pby_ledger *ledger, pby_error *err)
{
    char *beside = NULL;
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    char *name = strndup(folder, length);
    if (name == NULL || asprintf(&beside, "%s.%ld.tmp", name, (long)getpid()) < 0) {
        free(name);
        return pby_no_memory(err);
    }
    if (mkdir(beside, 0777) != 0) {
        const pby_status failed = no_folder(err, beside);
        free(name);
        free(beside);
        return failed;
    }
    pby_status status = write_all(beside, plan, choice, cells, ledger, err);
    if (status == PBY_OK)
        status = name_folder(beside, name, err);
    if (status != PBY_OK)
        remove_folder(beside);
    free(beside);
    free(name);
    return status;
}
