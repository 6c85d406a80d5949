/* SPDX-License-Identifier: MIT */
#include "release/receipt.h"
#include "probity/experimental/ledgers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "certificate/ledger/ledger.h"
#include "certificate/ledger/mode.h"
#include "number/exact.h"
#include "number/number_json.h"
#include "table/answer/answer.h"

/* ---- the files -------------------------------------------------------------------------------- */

/* A name need not be UTF-8, JSON is. */
static json_t *name_json(const char *path)
{
    json_t *name = json_string(path);
    return name == NULL ? json_null() : name;
}

static json_t *file_json(const char *path, const pby_digest *digest)
{
    return json_pack("{s:o, s:I, s:s}", "file", name_json(path), "bytes", (json_int_t)digest->bytes, "sha256",
                     digest->sha256);
}

/* A device or a pipe cannot be read again: its bytes are not known. */
static pby_status output_json(json_t **out, const char *path, pby_error *err)
{
    pby_digest digest;
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        *out = json_pack("{s:o, s:n, s:n}", "file", name_json(path), "bytes", "sha256");
        return PBY_OK;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool read = fd >= 0 && pby_digest_file(&digest, fd);
    const pby_status status =
        read ? PBY_OK : pby_fail(err, PBY_FAILED, "it cannot be read again: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    if (read)
        *out = file_json(path, &digest);
    return status;
}

/* ---- the right to release it ------------------------------------------------------------------ */

static json_t *certificate_json(const pby_certificate *c)
{
    return c == NULL ? json_null()
                     : json_pack("{s:s, s:s, s:{s:s, s:s}}", "neighbours",
                                 pby_neighbours_text(pby_certificate_neighbours(c)), "epsilon",
                                 pby_certificate_epsilon(c), "delta", "lo", pby_certificate_delta_lo(c), "hi",
                                 pby_certificate_delta_hi(c));
}

/* All that the ledger has recorded, this release included. A filter guarantees its budget and no such sum. */
static pby_status spent_json(json_t **out, pby_ledger *ledger, pby_error *err)
{
    pby_enclosure delta, epsilon;
    *out = NULL;
    if (ledger == NULL || pby_ledger_filter(ledger) != PBY_FILTER_NONE) {
        *out = json_null();
        return PBY_OK;
    }
    pby_enclosure_init(&delta);
    pby_enclosure_init(&epsilon);
    const pby_status status = pby_ledger_spent(&delta, &epsilon, ledger, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        *out = json_pack("{s:o, s:o}", "epsilon", pby_json_enclosure(&epsilon, PBY_DIGITS_DEFAULT), "delta",
                         pby_json_enclosure(&delta, PBY_DIGITS_DEFAULT));
    pby_enclosure_clear(&epsilon);
    pby_enclosure_clear(&delta);
    return status;
}

/* ---- beside the mechanism ---------------------------------------------------------------------- */

static json_t *rational_json(mpq_srcptr x)
{
    char *text = pby_exact_text(x);
    json_t *value = text == NULL ? NULL : json_string(text);
    free(text);
    return value;
}

/* One argument, by what holds it. */
static json_t *argument_json(const pby_pipeline *p, pby_argument which)
{
    const char *text = pby_pipeline_text(p, which);
    switch (pby_pipeline_members[which].held) {
    case PBY_HELD_PATH:
    case PBY_HELD_SCATTER:
        return file_json(text, &p->learned->table);
    case PBY_HELD_LIMIT:
        return json_integer(p->limit);
    case PBY_HELD_RATIONAL:
        return rational_json(p->step);
    default:
        return json_string(text);
    }
}

/* Only what was asked for. */
static pby_status set_arguments(json_t *object, const pby_pipeline *p, pby_error *err)
{
    static const struct {
        pby_argument which;
        const char *key;
    } rows[] = {{PBY_ARG_FILTER, "filter"},   {PBY_ARG_GROUP, "group_by"},   {PBY_ARG_QUERIES, "queries"},
                {PBY_ARG_SCATTER, "scatter"}, {PBY_ARG_KEEP, "keep"},        {PBY_ARG_UTILITY, "utility"},
                {PBY_ARG_STEP, "step"},       {PBY_ARG_TRUNCATE, "truncate"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (pby_pipeline_has(p, rows[i].which))
            PBY_TRY(pby_json_set(object, rows[i].key, argument_json(p, rows[i].which), err));
    }
    return p->statistic == NULL ? PBY_OK : pby_stat_describe(object, p->statistic, p->learned->numbers, err);
}

static pby_status set_output(json_t *object, const pby_pipeline *p, pby_error *err)
{
    json_t *output = NULL;
    if (p->out == NULL)
        return PBY_OK;
    const pby_status status = output_json(&output, p->out, err);
    return status == PBY_OK ? pby_json_set(object, "output", output, err) : status;
}

/* By which accounting the release was charged, and the budget that this guarantees. */
static pby_status set_budget(json_t *object, const pby_ledger *ledger, pby_error *err)
{
    char *bound = NULL, *delta = NULL;
    pby_status status = pby_json_set(object, "ledger_accounting", json_string(pby_ledger_mode(ledger)), err);
    if (status == PBY_OK)
        status = pby_ledger_budget_text(&bound, &delta, ledger, err);
    if (status == PBY_OK)
        status = pby_json_set(
            object, "ledger_budget",
            json_pack("{s:s, s:s}", pby_mode_bound(pby_ledger_filter(ledger)), bound, "delta", delta), err);
    free(bound);
    free(delta);
    return status;
}

static pby_status set_spent(json_t *object, const pby_pipeline *p, pby_error *err)
{
    char digest[PBY_LEDGER_DIGEST_SIZE];
    pby_ledger *ledger = p->budget->ledger;
    json_t *spent;
    pby_status status = spent_json(&spent, ledger, err);
    if (status == PBY_OK)
        status = pby_json_set(object, "spent", spent, err);
    if (status != PBY_OK || ledger == NULL)
        return status;
    status = set_budget(object, ledger, err);
    if (status == PBY_OK)
        status = pby_ledger_digest(digest, ledger, err);
    return status == PBY_OK ? pby_json_set(object, "ledger_digest", json_string(digest), err) : status;
}

/* The part of the users that the entry states, where it states one. */
static pby_status set_part(json_t *object, const pby_ledger *ledger, pby_error *err)
{
    return ledger == NULL || ledger->part == NULL
               ? PBY_OK
               : pby_json_set(object, "part", json_string(ledger->part), err);
}

/* The unit of privacy, where it is not a record of a histogram. */
static pby_status set_unit(json_t *object, const pby_pipeline *p, pby_error *err)
{
    const uint64_t contributions = p->table == NULL ? 0 : pby_table_contributions(p->table);
    const char *user = contributions > 0 ? pby_table_user(p->table) : p->user;
    pby_status status = PBY_OK;
    if (user != NULL)
        status = pby_json_set(object, "user", json_string(user), err);
    return status == PBY_OK && user != NULL && contributions > 0
               ? pby_json_set(object, "contributions", json_integer((json_int_t)contributions), err)
               : status;
}

pby_status pby_receipt_json(json_t **out, const pby_pipeline *p, pby_error *err)
{
    *out = json_pack("{s:s, s:o}", "spec", pby_spec_text(p->budget->spec), "certificate",
                     certificate_json(p->budget->certificate));
    pby_status status = *out == NULL ? pby_no_memory(err) : set_output(*out, p, err);
    if (status == PBY_OK)
        status = set_spent(*out, p, err);
    if (status == PBY_OK)
        status = set_unit(*out, p, err);
    if (status == PBY_OK)
        status = set_part(*out, p->budget->ledger, err);
    if (status == PBY_OK)
        status = set_arguments(*out, p, err);
    if (status != PBY_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

pby_status pby_receipt_append(pby_spool *spool, const pby_pipeline *p, pby_error *err)
{
    json_t *object;
    pby_status status = pby_receipt_json(&object, p, err);
    if (status != PBY_OK)
        return status;
    char *text = pby_json_text(object, JSON_PRESERVE_ORDER);
    if (text == NULL)
        return pby_no_memory(err);
    status = pby_spool_write(spool, ", ", 2, err);
    if (status == PBY_OK)
        status = pby_spool_write(spool, text + 1, strlen(text + 1), err);
    free(text);
    return status == PBY_OK ? pby_spool_write(spool, "\n", 1, err) : status;
}
