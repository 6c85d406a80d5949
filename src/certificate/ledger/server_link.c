/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/server_link.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/readable.h"
#include "certificate/ledger/server_schema.h"
#include "probity/ledger.h"

/* ---- errors ------------------------------------------------------------------------------------- */

enum { REASON_SIZE = 200 };

/* The server's own words, one line of them, which must not command a terminal. */
static void first_line(char out[REASON_SIZE], const char *text)
{
    snprintf(out, REASON_SIZE, "%.*s", (int)strcspn(text, "\n"), text);
    const bool plain = pby_readable(out, false);
    for (char *c = out; *c != '\0' && !plain; c++)
        *c = *c < ' ' || *c > '~' ? '?' : *c;
}

static const char *given(const pby_server_name *name, const char *keyword)
{
    for (const pby_pg_option *o = name->options; o->keyword != NULL; o++)
        if (strcmp(o->keyword, keyword) == 0)
            return o->val;
    return NULL;
}

static pby_status lost(pby_server_link *link, const char *reason, pby_error *err)
{
    link->state = PBY_LINK_LOST;
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "ledger %s: no connection to its server%s%.200s",
                       PBY_EXCERPT(link->name.shown), reason[0] == '\0' ? "" : ": ", reason);
}

/* libpq begins with the address that it tried; behind that it says why. */
static pby_status not_connected(pby_server_link *link, pby_error *err)
{
    const char *text = link->name.pq->error(link->conn), *why = strstr(text, "failed: ");
    const char *password = given(&link->name, "password");
    char reason[REASON_SIZE];
    first_line(reason, why == NULL ? text : why + strlen("failed: "));
    if (password != NULL && password[0] != '\0' && strstr(reason, password) != NULL)
        reason[0] = '\0';
    return lost(link, reason, err);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Codes of errcodes: classes 08 (connection), 40 (transaction), 57P (the server goes down). */
static pby_status failed(pby_server_link *link, pby_pg_result *result, pby_error *err)
{
    const pby_libpq *pq = link->name.pq;
    const char *code = pq->field(result, PBY_PG_SQLSTATE), *message = pq->field(result, PBY_PG_MESSAGE);
    char reason[REASON_SIZE], expected[2 * REASON_SIZE];
    first_line(reason, message == NULL ? "" : message);
    code = code == NULL ? "" : code;
    if (pq->status(link->conn) != PBY_PG_CONNECTED || begins(code, "08") || begins(code, "57P"))
        return lost(link, reason, err);
    if (begins(code, "40")) {
        link->state = PBY_LINK_AGAIN;
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "ledger %s: other spenders were first",
                           PBY_EXCERPT(link->name.shown));
    }
    if (strcmp(code, "55P03") == 0)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO,
                           "ledger: another process has kept it for %d seconds", PBY_LEDGER_PATIENCE);
    if (strcmp(code, "42501") == 0) {
        snprintf(expected, sizeof expected, "a role with the right to do this, but: %s", reason);
        return pby_refuse(err, "ledger", link->name.shown, expected);
    }
    if (begins(code, "22"))
        return pby_refuse(err, "ledger", link->name.shown, "a name that the database can keep: UTF-8");
    if (strcmp(code, "42703") == 0 || strcmp(code, "42883") == 0) { /* a column or function is missing */
        snprintf(expected, sizeof expected, "a schema that this version of probity made, but: %s", reason);
        return pby_refuse(err, "ledger", link->name.shown, expected);
    }
    if (strcmp(code, "42P01") == 0 || strcmp(code, "3F000") == 0)
        return pby_refuse(err, "ledger", link->name.shown, "a database in which probity ledger init made it");
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "ledger %s: %.200s", PBY_EXCERPT(link->name.shown),
                       reason);
}

/* ---- the connection ----------------------------------------------------------------------------- */

/* Parameters that the URI may override. */
static const struct usual {
    const char *keyword, *value;
} usuals[] = {
    {"connect_timeout", "10"},
    {"tcp_user_timeout", "30000"},
    {"fallback_application_name", "probity"},
};

enum { USUALS = sizeof usuals / sizeof *usuals };

/* Names are found in pg_catalog alone, and no option of the URI, the role or the database changes how texts
 * are read or switches the triggers off. A commit waits for the disk, whatever the server's usual is, and a
 * server notices that a spender's machine is gone. */
static const char settings[] =
    "SET search_path = pg_catalog, pg_temp; SET lock_timeout = '60s'; SET client_encoding = 'UTF8';"
    "SET standard_conforming_strings = on; SET array_nulls = on; SET transform_null_equals = off;"
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;"
    "SET client_min_messages = 'error';"
    "SELECT pg_catalog.set_config('synchronous_commit', 'on', false)"
    " WHERE pg_catalog.current_setting('synchronous_commit') = 'off';"
    "SELECT pg_catalog.set_config('session_replication_role', 'origin', false)"
    " WHERE pg_catalog.current_setting('session_replication_role') <> 'origin'";

static pby_pg_conn *connect(const pby_server_name *name)
{
    size_t count = 0, n = 0;
    for (const pby_pg_option *o = name->options; o->keyword != NULL; o++)
        count++;
    const char **keywords = calloc(count + USUALS + 1, sizeof *keywords);
    const char **values = calloc(count + USUALS + 1, sizeof *values);
    pby_pg_conn *conn = NULL;
    if (keywords != NULL && values != NULL) {
        for (size_t i = 0; i < USUALS; i++, n++) { /* of two values the later holds */
            keywords[n] = usuals[i].keyword;
            values[n] = usuals[i].value;
        }
        for (const pby_pg_option *o = name->options; o->keyword != NULL; o++)
            if (o->val != NULL) {
                keywords[n] = o->keyword;
                values[n++] = o->val;
            }
        conn = name->pq->connect(keywords, values, 0);
    }
    free(keywords);
    free(values);
    return conn;
}

/* libpq would print what a server says unasked, such as that it goes down. */
static void ignore(void *what, const char *text)
{
    (void)what;
    (void)text;
}

pby_status pby_link_look(pby_server_link *link, pby_error *err)
{
    const pby_libpq *pq = link->name.pq;
    pby_pg_result *rows;
    PBY_TRY(pby_link_run(&rows, link, pby_server_makers, NULL, 0, err));
    const bool one = pq->rows(rows) == 1;
    link->made = one && strcmp(pq->value(rows, 0, 0), "0") != 0;
    const bool safe = one && strcmp(pq->value(rows, 0, 1), "0") == 0;
    pby_link_clear(link, rows);
    return safe ? PBY_OK
                : pby_refuse(err, "ledger", link->name.shown,
                             "a schema probity that a superuser or the database's owner made, or you: "
                             "another role made this one");
}

pby_status pby_link_connect(pby_server_link *link, pby_error *err)
{
    const pby_libpq *pq = link->name.pq;
    if (link->conn != NULL)
        pq->finish(link->conn);
    link->conn = connect(&link->name);
    if (link->conn == NULL)
        return pby_no_memory(err);
    if (pq->status(link->conn) != PBY_PG_CONNECTED)
        return not_connected(link, err);
    (void)pq->notices(link->conn, ignore, NULL);
    PBY_TRY(pby_link_script(link, settings, err));
    return pby_link_look(link, err);
}

void pby_link_close(pby_server_link *link)
{
    if (link->conn != NULL)
        link->name.pq->finish(link->conn);
    link->conn = NULL;
    pby_server_name_clear(&link->name);
}

/* ---- statements --------------------------------------------------------------------------------- */

static pby_status judge(pby_pg_result **out, pby_server_link *link, pby_pg_result *result, pby_error *err)
{
    const pby_libpq *pq = link->name.pq;
    const int code = pq->result(result);
    link->state = PBY_LINK_FINE;
    pby_status status = code == PBY_PG_COMMAND_OK || code == PBY_PG_TUPLES_OK ? PBY_OK
                                                                              : failed(link, result, err);
    if (status == PBY_OK && out != NULL)
        *out = result;
    else
        pq->clear(result);
    return status;
}

pby_status pby_link_run(pby_pg_result **out, pby_server_link *link, const char *sql, const char *const *texts,
                        size_t count, pby_error *err)
{
    if (out != NULL)
        *out = NULL;
    if (link->conn == NULL || link->name.pq->status(link->conn) != PBY_PG_CONNECTED)
        return lost(link, "", err);
    return judge(out, link, link->name.pq->run_with(link->conn, sql, (int)count, NULL, texts, NULL, NULL, 0),
                 err);
}

pby_status pby_link_script(pby_server_link *link, const char *sql, pby_error *err)
{
    return judge(NULL, link, link->name.pq->run(link->conn, sql), err);
}

void pby_link_clear(const pby_server_link *link, pby_pg_result *rows)
{
    if (rows != NULL)
        link->name.pq->clear(rows);
}
