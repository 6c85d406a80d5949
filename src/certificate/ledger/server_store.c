/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/server_store.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/excerpt.h"
#include "certificate/ledger/server_copy.h"
#include "certificate/ledger/server_link.h"
#include "certificate/ledger/server_schema.h"

enum { KEY_BYTES = 16, KEY_SIZE = 2 * KEY_BYTES + 1, NUMBER_SIZE = 24 };

typedef struct server_store {
    pby_ledger_store store;
    pby_server_link link;
    bool inside, writes;     /* a transaction; one that appends */
    bool sent;               /* its commit was sent, and no answer came */
    char key[KEY_SIZE];      /* of the charge that is being made; "": none is */
    time_t until;            /* when patience ends, by the monotonic clock */
    char at[PBY_STORE_TIME]; /* the server's clock in this transaction */
} server_store;

static server_store *of(pby_ledger_store *store)
{
    return (server_store *)store;
}

static void close_server(pby_ledger_store *store)
{
    pby_link_close(&of(store)->link);
    free(store->name);
    free(store);
}

/* A name on a server cannot lead elsewhere while the connection lives. */
static pby_status check_place(pby_ledger_store *store, pby_error *err)
{
    (void)store;
    (void)err;
    return PBY_OK;
}

/* ---- patience ----------------------------------------------------------------------------------- */

static time_t seconds(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static bool is_patient(const server_store *s)
{
    return seconds() < s->until;
}

/* Others are waiting, too: each sleeps for a time of its own. */
static void nap(long most_ms)
{
    const struct timespec t = {0, (1 + (long)randombytes_uniform((uint32_t)most_ms)) * 1000000L};
    nanosleep(&t, NULL);
}

/* A schema that comes into being behind this look may be a stranger's. */
static pby_status attach(server_store *s, pby_error *err)
{
    PBY_TRY(pby_link_connect(&s->link, err));
    return s->link.made ? PBY_OK
                        : pby_refuse(err, "ledger", s->link.name.shown,
                                     "a database in which probity ledger init made it");
}

static pby_status reconnect(server_store *s, pby_error *err)
{
    pby_status status = attach(s, err);
    while (status != PBY_OK && s->link.state == PBY_LINK_LOST && is_patient(s)) {
        nap(200);
        status = attach(s, err);
    }
    return status;
}

/* ---- transactions ------------------------------------------------------------------------------- */

static const char *text(const server_store *s, const pby_pg_result *rows, int row, int column)
{
    return s->link.name.pq->value(rows, row, column);
}

static int count(const server_store *s, const pby_pg_result *rows)
{
    return s->link.name.pq->rows(rows);
}

static pby_status run_statement(server_store *s, const char *sql, pby_error *err)
{
    return pby_link_run(NULL, &s->link, sql, NULL, 0, err);
}

/* Waits for the ledger's row, and reads the server's clock. */
static pby_status hold(server_store *s, pby_error *err)
{
    const char *const ledger[] = {s->link.name.ledger};
    pby_pg_result *rows;
    PBY_TRY(pby_link_run(&rows, &s->link, "SELECT at FROM probity.hold($1)", ledger, 1, err));
    pby_status status = PBY_OK;
    if (count(s, rows) != 1)
        status = pby_refuse(err, "ledger", s->store.name, "a ledger that probity ledger init made there");
    else
        snprintf(s->at, sizeof s->at, "%s", text(s, rows, 0, 0));
    pby_link_clear(&s->link, rows);
    return status;
}

static void abandon(pby_ledger_store *store)
{
    server_store *s = of(store);
    const pby_link_state state = s->link.state;
    if (s->inside && state != PBY_LINK_LOST && run_statement(s, "ROLLBACK", NULL) == PBY_OK)
        s->link.state = state;
    s->inside = false;
}

static pby_status try_writing(server_store *s, pby_error *err)
{
    pby_status status = run_statement(s, "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE", err);
    s->inside = status == PBY_OK;
    return status == PBY_OK ? hold(s, err) : status;
}

/* Another spender who was first, and a server that was restarted, are waited for. */
static pby_status begin_writing(server_store *s, pby_error *err)
{
    pby_status status = try_writing(s, err);
    while (status != PBY_OK && s->link.state != PBY_LINK_FINE && is_patient(s)) {
        abandon(&s->store);
        if (s->link.state == PBY_LINK_LOST)
            PBY_TRY(reconnect(s, err));
        else
            nap(10);
        status = try_writing(s, err);
    }
    if (status != PBY_OK)
        abandon(&s->store);
    return status;
}

static pby_status new_key(char key[KEY_SIZE], pby_error *err)
{
    unsigned char bytes[KEY_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY, "no entropy: getrandom: %s", strerror(errno));
    sodium_bin2hex(key, KEY_SIZE, bytes, sizeof bytes);
    return PBY_OK;
}

/* A charge that is tried again keeps its key and what is left of its patience. */
static pby_status begin(pby_ledger_store *store, bool writes, pby_error *err)
{
    server_store *s = of(store);
    s->writes = writes;
    s->sent = false;
    if (writes && s->key[0] == '\0') {
        PBY_TRY(new_key(s->key, err));
        s->until = seconds() + PBY_LEDGER_PATIENCE;
    }
    if (writes) {
        const pby_status status = begin_writing(s, err);
        if (status != PBY_OK)
            s->key[0] = '\0'; /* nothing was sent with it */
        return status;
    }
    const pby_status status = run_statement(s, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", err);
    s->inside = status == PBY_OK;
    return status;
}

/* Sets *found to whether the charge was recorded, in a transaction that waits for the lost one. */
static pby_status look_for_key(bool *found, server_store *s, pby_error *err)
{
    const char *const texts[] = {s->link.name.ledger, s->key};
    pby_pg_result *rows;
    PBY_TRY(run_statement(s, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", err));
    PBY_TRY(hold(s, err));
    PBY_TRY(pby_link_run(&rows, &s->link, "SELECT 1 FROM probity.spend WHERE ledger = $1 AND key = $2", texts,
                         2, err));
    *found = count(s, rows) > 0;
    pby_link_clear(&s->link, rows);
    return run_statement(s, "COMMIT", err);
}

/* The answer to a commit was lost: asks on new connections until it is known. */
static pby_status settle(server_store *s, pby_error *err)
{
    bool found = false;
    pby_status status;
    do {
        status = reconnect(s, err);
        if (status == PBY_OK)
            status = look_for_key(&found, s, err);
    } while (status != PBY_OK && s->link.state != PBY_LINK_FINE && is_patient(s));
    s->sent = status != PBY_OK;
    if (status != PBY_OK)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO,
                           "ledger %s: the connection was lost while a charge was committed, and ledger "
                           "show says whether it was recorded",
                           PBY_EXCERPT(s->store.name));
    if (found)
        return PBY_OK;
    s->link.state = PBY_LINK_AGAIN;
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "ledger %s: the connection was lost",
                       PBY_EXCERPT(s->store.name));
}

static pby_status commit(pby_ledger_store *store, pby_error *err)
{
    server_store *s = of(store);
    pby_status status = run_statement(s, "COMMIT", err);
    s->inside = s->inside && status != PBY_OK && s->link.state != PBY_LINK_LOST;
    if (s->writes && status != PBY_OK && s->link.state == PBY_LINK_LOST)
        status = settle(s, err);
    if (status == PBY_OK)
        s->key[0] = '\0';
    return status;
}

/* Nothing was recorded, or the answer would be known. */
static bool again(pby_ledger_store *store)
{
    server_store *s = of(store);
    const bool yes = s->writes && !s->sent && s->link.state != PBY_LINK_FINE && is_patient(s);
    if (!yes)
        s->key[0] = '\0';
    return yes;
}

static pby_status read_clock(char at[PBY_STORE_TIME], pby_ledger_store *store, pby_error *err)
{
    (void)err;
    memcpy(at, of(store)->at, PBY_STORE_TIME);
    return PBY_OK;
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* Outside of a transaction, a connection that was lost since is made once more. */
static pby_status ask_with(pby_pg_result **out, server_store *s, const char *sql, const char *more,
                           pby_error *err)
{
    const char *const texts[] = {s->link.name.ledger, more};
    const size_t given = more == NULL ? 1 : 2;
    pby_status status = pby_link_run(out, &s->link, sql, texts, given, err);
    if (status == PBY_OK || s->inside || s->link.state != PBY_LINK_LOST)
        return status;
    PBY_TRY(attach(s, err));
    return pby_link_run(out, &s->link, sql, texts, given, err);
}

static pby_status ask_server(pby_pg_result **out, server_store *s, const char *sql, pby_error *err)
{
    return ask_with(out, s, sql, NULL, err);
}

static pby_status check_triggers(server_store *s, bool sums, pby_error *err)
{
    pby_pg_result *rows;
    PBY_TRY(pby_link_run(&rows, &s->link, pby_server_triggers, NULL, 0, err));
    const bool all = count(s, rows) == 1 && strtol(text(s, rows, 0, 0), NULL, 10) == PBY_SERVER_TRIGGERS &&
                     (!sums || strtol(text(s, rows, 0, 1), NULL, 10) == PBY_SERVER_SUM_TRIGGERS);
    pby_link_clear(&s->link, rows);
    return all ? PBY_OK : pby_store_damaged(s->store.name, "its triggers are not as they were made", err);
}

static pby_status check(int *version, pby_ledger_store *store, bool whole, pby_error *err)
{
    (void)whole; /* the server sees to its own pages */
    server_store *s = of(store);
    pby_pg_result *rows;
    *version = 0;
    PBY_TRY(ask_server(
        &rows, s, "SELECT version, pg_catalog.current_setting('fsync') FROM probity.budget WHERE ledger = $1",
        err));
    const bool found = count(s, rows) == 1;
    const bool keeps = found && strcmp(text(s, rows, 0, 1), "on") == 0;
    *version = found ? (int)strtol(text(s, rows, 0, 0), NULL, 10) : 0;
    pby_link_clear(&s->link, rows);
    if (!found)
        return pby_refuse(err, "ledger", store->name, "a ledger that probity ledger init made there");
    if (!keeps)
        return pby_refuse(err, "ledger", store->name,
                          "a server that keeps what it commits: its fsync is off");
    PBY_TRY(pby_store_version_check(*version, err));
    return check_triggers(s, pby_version_has_sums(*version), err);
}

static pby_status read_budget(char *texts[PBY_BUDGET_TEXTS], pby_ledger_store *store, int version,
                              pby_error *err)
{
    server_store *s = of(store);
    pby_pg_result *rows;
    PBY_TRY(ask_server(&rows, s,
                       "SELECT terms[1], terms[2], terms[3], terms[4], terms[5], terms[6] FROM probity.budget"
                       " WHERE ledger = $1",
                       err));
    pby_status status = count(s, rows) == 1 ? PBY_OK : pby_store_refuse(store->name, "it has no budget", err);
    for (size_t i = 0; i < pby_budget_texts(version) && status == PBY_OK; i++)
        if ((texts[i] = strdup(text(s, rows, 0, (int)i))) == NULL)
            status = pby_no_memory(err);
    pby_link_clear(&s->link, rows);
    return status;
}

static pby_status read_sums(pby_kept_sums *out, pby_ledger_store *store, pby_error *err)
{
    server_store *s = of(store);
    pby_pg_result *rows;
    *out = (pby_kept_sums){.text = NULL};
    PBY_TRY(ask_server(&rows, s, "SELECT entries, digest, sums, seal FROM probity.sums($1)", err));
    pby_status status = count(s, rows) == 1 ? PBY_OK : pby_store_damaged(store->name, "it has no sums", err);
    if (status == PBY_OK) {
        out->chain.entries = strtoll(text(s, rows, 0, 0), NULL, 10);
        snprintf(out->chain.digest, sizeof out->chain.digest, "%s", text(s, rows, 0, 1));
        snprintf(out->seal, sizeof out->seal, "%s", text(s, rows, 0, 3));
        out->text = strdup(text(s, rows, 0, 2));
        status = out->text == NULL ? pby_no_memory(err) : PBY_OK;
    }
    pby_link_clear(&s->link, rows);
    return status;
}

static pby_status visit_row(const server_store *s, const pby_pg_result *rows, int row, pby_kept_visit *visit,
                            void *what, pby_error *err)
{
    const char *number = text(s, rows, row, 0);
    pby_kept_entry kept = {.entry = {strtoll(number, NULL, 10), text(s, rows, row, 1), text(s, rows, row, 2),
                                     text(s, rows, row, 3), text(s, rows, row, 4), "", text(s, rows, row, 8)},
                           .digest = text(s, rows, row, 5),
                           .head = {strtoll(text(s, rows, row, 6), NULL, 10), ""}};
    if (number[0] != '\0' && kept.entry.number == 0)
        kept.entry.number = -1; /* 0 is for a row without an entry */
    snprintf(kept.head.digest, sizeof kept.head.digest, "%s", text(s, rows, row, 7));
    return visit(&kept, what, err);
}

static pby_status read_entries(pby_ledger_store *store, int version, long long from, pby_kept_visit *visit,
                               void *what, pby_error *err)
{
    (void)version;
    server_store *s = of(store);
    char first[NUMBER_SIZE];
    pby_pg_result *rows;
    snprintf(first, sizeof first, "%lld", from);
    pby_status status =
        ask_with(&rows, s,
                 "SELECT s.number, s.at, s.spec, s.epsilon, s.delta, s.digest, h.entries, h.digest,"
                 " s.spender FROM probity.head AS h LEFT JOIN probity.spend AS s"
                 " ON s.ledger = h.ledger AND s.number >= $2::bigint"
                 " WHERE h.ledger = $1 ORDER BY s.number",
                 first, err);
    for (int row = 0; status == PBY_OK && row < count(s, rows); row++)
        status = visit_row(s, rows, row, visit, what, err);
    pby_link_clear(&s->link, rows);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static pby_status append(pby_ledger_store *store, const pby_ledger_entry *entry, const pby_chain *chain,
                         pby_error *err)
{
    server_store *s = of(store);
    char number[NUMBER_SIZE];
    snprintf(number, sizeof number, "%lld", entry->number);
    const char *const texts[] = {s->link.name.ledger, number,       entry->at,     entry->spec,
                                 entry->epsilon,      entry->delta, chain->digest, s->key};
    return pby_link_run(NULL, &s->link,
                        "INSERT INTO probity.spend (ledger, number, at, spec, epsilon, delta, digest, key)"
                        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                        texts, sizeof texts / sizeof *texts, err);
}

static pby_status upgrade(pby_ledger *ledger, pby_error *err)
{
    (void)ledger;
    (void)err;
    return PBY_OK;
}

static const pby_store_kind server_kind = {
    .close = close_server,
    .place = check_place,
    .begin = begin,
    .commit = commit,
    .abandon = abandon,
    .again = again,
    .clock = read_clock,
    .check = check,
    .budget = read_budget,
    .entries = read_entries,
    .append = append,
    .sums = read_sums,
    .upgrade = upgrade,
};

/* ---- opening and making ------------------------------------------------------------------------- */

pby_status pby_server_store_open(pby_ledger_store **out, const char *path, pby_error *err)
{
    *out = NULL;
    server_store *s = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->store.kind = &server_kind;
    pby_status status = pby_server_name_read(&s->link.name, path, err);
    if (status == PBY_OK && (s->store.name = strdup(s->link.name.shown)) == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        status = attach(s, err);
    if (status == PBY_OK)
        *out = &s->store;
    else
        close_server(&s->store);
    return status;
}

/* A schema of another program, and one that an older version made: neither is touched. */
static pby_status check_schema(pby_server_link *link, pby_error *err)
{
    const pby_libpq *pq = link->name.pq;
    pby_pg_result *rows;
    PBY_TRY(pby_link_run(&rows, link, pby_server_parts, NULL, 0, err));
    const bool counted = pq->rows(rows) == 1;
    const long tables = counted ? strtol(pq->value(rows, 0, 0), NULL, 10) : 0;
    const long newer = counted ? strtol(pq->value(rows, 0, 1), NULL, 10) : 0;
    pby_link_clear(link, rows);
    if (tables != PBY_SERVER_TABLES)
        return pby_refuse(
            err, "ledger", link->name.shown,
            "a database whose schema probity is that of ledgers: another program made this one");
    return newer == PBY_SERVER_NEWER ? PBY_OK
                                     : pby_refuse(err, "ledger", link->name.shown,
                                                  "a schema of this version: an older one made it; copy its "
                                                  "ledgers to another database");
}

/* Makes the tables of all ledgers where the database has none; one process at a time. */
static pby_status make_schema(pby_server_link *link, pby_error *err)
{
    PBY_TRY(pby_link_script(link, "SELECT pg_catalog.pg_advisory_xact_lock(1346525516)", err));
    PBY_TRY(pby_link_look(link, err)); /* it may have been made since */
    const bool made = link->made;
    for (const char *const *sql = pby_server_schema; *sql != NULL && !made; sql++)
        PBY_TRY(pby_link_script(link, *sql, err));
    return check_schema(link, err);
}

static pby_status insert_budget(pby_server_link *link, const char *const *texts, pby_error *err)
{
    char version[NUMBER_SIZE];
    const char *values[2 + PBY_BUDGET_TEXTS] = {link->name.ledger, version};
    pby_pg_result *rows;
    snprintf(version, sizeof version, "%d", pby_budget_version(texts));
    for (size_t i = 0; i < PBY_BUDGET_TEXTS; i++)
        values[2 + i] = texts[i];
    PBY_TRY(pby_link_run(&rows, link,
                         "INSERT INTO probity.budget (ledger, version, terms) VALUES ($1, $2,"
                         " pg_catalog.array_remove(ARRAY[$3, $4, $5, $6, $7, $8]::text[], NULL))"
                         " ON CONFLICT DO NOTHING RETURNING ledger",
                         values, sizeof values / sizeof *values, err));
    const bool made = link->name.pq->rows(rows) == 1;
    pby_link_clear(link, rows);
    return made ? PBY_OK : pby_refuse(err, "ledger", link->name.shown, "a name that no ledger there has");
}

pby_status pby_server_store_create(const char *path, const char *const *texts, pby_ledger *source,
                                   pby_error *err)
{
    pby_server_link link = {.conn = NULL};
    pby_status status = pby_server_name_read(&link.name, path, err);
    if (status == PBY_OK)
        status = pby_link_connect(&link, err);
    if (status == PBY_OK)
        status = pby_link_script(&link, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", err);
    if (status == PBY_OK)
        status = make_schema(&link, err);
    if (status == PBY_OK)
        status = insert_budget(&link, texts, err);
    if (status == PBY_OK && source != NULL)
        status = pby_server_copy(&link, source, err);
    if (status == PBY_OK)
        status = pby_link_script(&link, "COMMIT", err);
    pby_link_close(&link); /* which takes an open transaction back */
    return status;
}
