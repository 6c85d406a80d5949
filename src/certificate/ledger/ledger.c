/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/ledger.h"
#include "probity/experimental/ledgers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "certificate/ledger/mode.h"
#include "certificate/unit.h"
#include "io/digest.h"
#include "probity/rational.h"

/* ---- opening ---------------------------------------------------------------------------------- */

static pby_status read_rows(unsigned long *out, const char *text, pby_error *err)
{
    char *end;
    *out = strtoul(text, &end, 10);
    return *end == '\0' && 1 <= *out && *out <= PBY_LEDGER_ROWS_MAX
               ? PBY_OK
               : pby_refuse(err, "ledger rows", text, "an integer from 1 to 1000000000");
}

static pby_status read_user(pby_ledger *ledger, const char *text, pby_error *err)
{
    const pby_status status = pby_unit_check("ledger user", text, err);
    ledger->user = status == PBY_OK ? strdup(text) : NULL;
    return status == PBY_OK && ledger->user == NULL ? pby_no_memory(err) : status;
}

static pby_status read_accounting(pby_ledger *ledger, const char *text, pby_error *err)
{
    char *mode;
    ledger->mode = strdup(text);
    if (ledger->mode == NULL)
        return pby_no_memory(err);
    PBY_TRY(pby_terms_read(&mode, &ledger->terms, text, err));
    const pby_status status =
        pby_mode_parse(&ledger->filter, &ledger->accounting, ledger->order, ledger->split, mode, err);
    free(mode);
    return status;
}

/* Whoever makes a budget by hand, in a database, makes none that init would refuse. */
static pby_status check_range(const pby_ledger *ledger, const char *const *texts, pby_error *err)
{
    const bool limited = ledger->filter != PBY_FILTER_ODOMETER;
    if (limited ? mpq_sgn(ledger->bound) <= 0 : mpq_sgn(ledger->bound) != 0)
        return pby_refuse(err, "ledger epsilon", texts[2], limited ? "a rational above 0" : "0");
    if (mpq_sgn(ledger->delta) < 0 || mpq_cmp_ui(ledger->delta, 1, 1) >= 0)
        return pby_refuse(err, "ledger delta", texts[3], "a rational from 0 to below 1");
    return ledger->terms.parts != NULL && ledger->relation != PBY_ADD_REMOVE
               ? pby_refuse(err, "ledger accounting", texts[1], "parts with add-remove neighbours alone")
               : PBY_OK;
}

static pby_status parse_budget(pby_ledger *ledger, const char *const texts[PBY_BUDGET_TEXTS], pby_error *err)
{
    pby_status status = pby_neighbours_parse(&ledger->relation, "ledger neighbours", texts[0], err);
    if (status == PBY_OK)
        status = read_accounting(ledger, texts[1], err);
    if (status == PBY_OK)
        status = pby_rational_parse(ledger->bound, "ledger epsilon", texts[2], err);
    if (status == PBY_OK)
        status = pby_rational_parse(ledger->delta, "ledger delta", texts[3], err);
    if (status == PBY_OK)
        status = check_range(ledger, texts, err);
    if (status == PBY_OK)
        status = read_rows(&ledger->rows, texts[4], err);
    return status == PBY_OK && pby_version_has_users(ledger->version) ? read_user(ledger, texts[5], err)
                                                                      : status;
}

static pby_status read_budget(pby_ledger *ledger, pby_error *err)
{
    char *texts[PBY_BUDGET_TEXTS] = {NULL};
    const char *const *given = (const char *const *)texts;
    pby_status status = ledger->store->kind->budget(texts, ledger->store, ledger->version, err);
    if (status == PBY_OK) {
        pby_chain_begin(&ledger->begin, given, pby_budget_texts(ledger->version));
        status = parse_budget(ledger, given, err);
    }
    for (size_t i = 0; i < PBY_BUDGET_TEXTS; i++)
        free(texts[i]);
    return status;
}

/* Everything is looked at in one transaction, so that it is what one process left. */
static pby_status read_store(pby_ledger *ledger, bool whole, pby_error *err)
{
    const pby_store_kind *kind = ledger->store->kind;
    pby_status status = kind->begin(ledger->store, false, err);
    if (status == PBY_OK)
        status = kind->check(&ledger->version, ledger->store, whole, err);
    if (status == PBY_OK)
        status = read_budget(ledger, err);
    if (status == PBY_OK)
        status = pby_ledger_read(ledger, whole, err);
    return status == PBY_OK ? kind->commit(ledger->store, err) : status;
}

static bool init_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t kind;
    if (pthread_mutexattr_init(&kind) != 0)
        return false;
    const bool made = pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) == 0 &&
                      pthread_mutex_init(lock, &kind) == 0;
    pthread_mutexattr_destroy(&kind);
    return made;
}

static pby_status open_store(pby_ledger **out, const char *path, bool whole, pby_error *err)
{
    pby_ledger_store *store;
    *out = NULL;
    PBY_TRY(pby_store_open(&store, path, err));
    pby_ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger == NULL || !init_lock(&ledger->lock)) {
        free(ledger);
        pby_store_close(store);
        return pby_no_memory(err);
    }
    ledger->store = store;
    ledger->process = getpid();
    mpq_inits(ledger->bound, ledger->delta, ledger->order, ledger->split, (mpq_ptr)0);
    pby_totals_init(&ledger->totals);
    const pby_status status = read_store(ledger, whole, err);
    if (status == PBY_OK)
        *out = ledger;
    else
        pby_ledger_close(ledger);
    return status;
}

pby_status pby_ledger_open(pby_ledger **out, const char *path, pby_error *err)
{
    return open_store(out, path, true, err);
}

pby_status pby_ledger_open_to_charge(pby_ledger **out, const char *path, pby_error *err)
{
    return open_store(out, path, false, err);
}

void pby_ledger_close(pby_ledger *ledger)
{
    if (ledger == NULL)
        return;
    if (ledger->process == getpid()) {
        pby_store_close(ledger->store); /* in a child it would end a transaction of its parent */
        pthread_mutex_destroy(&ledger->lock);
    }
    mpq_clears(ledger->bound, ledger->delta, ledger->order, ledger->split, (mpq_ptr)0);
    pby_totals_clear(&ledger->totals);
    free(ledger->terms.parts);
    free(ledger->part);
    free(ledger->mode);
    free(ledger->user);
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

pby_filter pby_ledger_filter(const pby_ledger *ledger)
{
    return ledger->filter;
}

const char *pby_ledger_mode(const pby_ledger *ledger)
{
    return ledger->mode;
}

mpq_srcptr pby_ledger_bound(const pby_ledger *ledger)
{
    return ledger->bound;
}

mpq_srcptr pby_ledger_epsilon(const pby_ledger *ledger)
{
    const bool other = ledger->filter != PBY_FILTER_NONE && ledger->filter != PBY_FILTER_APPROX;
    return other ? NULL : ledger->bound;
}

mpq_srcptr pby_ledger_delta(const pby_ledger *ledger)
{
    return ledger->delta;
}

unsigned long pby_ledger_rows(const pby_ledger *ledger)
{
    return ledger->rows;
}

const char *pby_ledger_user(const pby_ledger *ledger)
{
    return ledger->user;
}

pby_status pby_ledger_for_user(pby_ledger *ledger, const char *user, pby_error *err)
{
    const pby_status status = pby_ledger_enter(ledger, err);
    if (status != PBY_OK)
        return status;
    const bool same = ledger->claimed = pby_unit_same(ledger->user, user);
    pby_ledger_leave(ledger);
    return same ? PBY_OK : pby_unit_refuse(err, "ledger", ledger->user, user);
}

const char *pby_ledger_parts(const pby_ledger *ledger)
{
    return ledger->terms.parts;
}

pby_status pby_ledger_for_part(pby_ledger *ledger, const char *part, pby_error *err)
{
    char *copy = NULL;
    if (part != NULL && ledger->terms.parts == NULL)
        return pby_refuse(err, "part", part, "none: the ledger was made without parts of its users");
    if (part != NULL) {
        PBY_TRY(pby_terms_part_check("part", part, err));
        if ((copy = strdup(part)) == NULL)
            return pby_no_memory(err);
    }
    const pby_status status = pby_ledger_enter(ledger, err);
    if (status != PBY_OK) {
        free(copy);
        return status;
    }
    free(ledger->part);
    ledger->part = copy;
    pby_ledger_leave(ledger);
    return PBY_OK;
}

int pby_ledger_version(const pby_ledger *ledger)
{
    return ledger->version;
}

pby_status pby_ledger_digest(char out[PBY_LEDGER_DIGEST_SIZE], pby_ledger *ledger, pby_error *err)
{
    pby_chain chain = {0, ""};
    const pby_status status = pby_ledger_walk(&chain, ledger, NULL, NULL, err);
    memcpy(out, chain.digest, sizeof chain.digest);
    return status;
}

pby_status pby_ledger_after(pby_ledger *ledger, const char *digest, pby_error *err)
{
    char before[PBY_CHAIN_SIZE];
    if (!pby_digest_is(digest))
        return pby_refuse(err, "after", digest, "a digest of 64 hexadecimal digits in lower case");
    pby_status status = pby_ledger_enter(ledger, err);
    if (status != PBY_OK)
        return status;
    memcpy(before, ledger->after, sizeof before);
    memcpy(ledger->after, digest, sizeof ledger->after);
    status = pby_ledger_walk(NULL, ledger, NULL, NULL, err);
    if (status == PBY_OK)
        pby_totals_forget(&ledger->totals); /* they are read again up to the digest and beyond */
    else
        memcpy(ledger->after, before, sizeof before);
    pby_ledger_leave(ledger);
    return status;
}

pby_status pby_ledger_each(pby_ledger *ledger,
                           pby_status (*visit)(const pby_ledger_entry *entry, void *what, pby_error *err),
                           void *what, pby_error *err)
{
    return pby_ledger_walk(NULL, ledger, visit, what, err);
}
