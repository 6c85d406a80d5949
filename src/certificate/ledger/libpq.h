/* SPDX-License-Identifier: MIT */
/* PostgreSQL's client library, loaded when the first ledger on a server is named: a machine without it runs
 * everything else. The functions below have been the same since PostgreSQL 9.1; where its header is
 * installed, the compiler compares their types with it. */
#ifndef PBY_CERTIFICATE_LEDGER_LIBPQ_H
#define PBY_CERTIFICATE_LEDGER_LIBPQ_H

#include "base/status.h"

typedef struct pg_conn pby_pg_conn;
typedef struct pg_result pby_pg_result;

/* PQconninfoOption: one parameter of a connection. */
typedef struct pby_pg_option {
    char *keyword, *envvar, *compiled, *val, *label, *dispchar;
    int dispsize;
} pby_pg_option;

enum { PBY_PG_CONNECTED = 0, PBY_PG_COMMAND_OK = 1, PBY_PG_TUPLES_OK = 2 };
enum { PBY_PG_SQLSTATE = 'C', PBY_PG_MESSAGE = 'M' };

typedef struct pby_libpq {
    pby_pg_option *(*parse)(const char *text, char **error);
    void (*parse_free)(pby_pg_option *options);
    pby_pg_conn *(*connect)(const char *const *keywords, const char *const *values, int expand);
    int (*status)(const pby_pg_conn *conn);
    char *(*error)(const pby_pg_conn *conn);
    void (*finish)(pby_pg_conn *conn);
    pby_pg_result *(*run)(pby_pg_conn *conn, const char *sql);
    pby_pg_result *(*run_with)(pby_pg_conn *conn, const char *sql, int count, const unsigned *types,
                               const char *const *values, const int *lengths, const int *formats, int format);
    int (*result)(const pby_pg_result *result);
    char *(*field)(const pby_pg_result *result, int field);
    int (*rows)(const pby_pg_result *result);
    char *(*value)(const pby_pg_result *result, int row, int column);
    void (*clear)(pby_pg_result *result);
    void (*free)(void *memory);
    void (*(*notices)(pby_pg_conn *conn, void (*take)(void *what, const char *text),
                      void *what))(void *, const char *);
} pby_libpq;

/* The functions, for as long as the process runs. PBY_BAD where the machine has no libpq. */
PBY_CHECKED
pby_status pby_libpq_load(const pby_libpq **out, pby_error *err);

#endif
