/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/libpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined __has_include && __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
/* A declaration that the header contradicts does not compile: parameters and results alike, but for the types
 * that are named here. */
_Static_assert(sizeof(PQconninfoOption) == sizeof(pby_pg_option) &&
                   offsetof(PQconninfoOption, val) == offsetof(pby_pg_option, val),
               "a parameter of a connection");
_Static_assert((int)CONNECTION_OK == (int)PBY_PG_CONNECTED &&
                   (int)PGRES_COMMAND_OK == (int)PBY_PG_COMMAND_OK &&
                   (int)PGRES_TUPLES_OK == (int)PBY_PG_TUPLES_OK,
               "states");
_Static_assert(PG_DIAG_SQLSTATE == PBY_PG_SQLSTATE && PG_DIAG_MESSAGE_PRIMARY == PBY_PG_MESSAGE, "fields");
_Static_assert(sizeof(Oid) == sizeof(unsigned), "the number of a type");
_Static_assert(_Generic(&PQexecParams, PGresult *(*)(PGconn *, const char *, int, const Oid *,
                                                     const char *const *, const int *, const int *, int)
                        : true, default
                        : false),
               "a statement with parameters");
_Static_assert(_Generic(&PQconnectdbParams, PGconn *(*)(const char *const *, const char *const *, int)
                        : true, default
                        : false),
               "a connection");
#endif

static pby_libpq functions;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct symbol {
    size_t offset;
    const char *name;
} symbols[] = {
    {offsetof(pby_libpq, parse), "PQconninfoParse"},
    {offsetof(pby_libpq, parse_free), "PQconninfoFree"},
    {offsetof(pby_libpq, connect), "PQconnectdbParams"},
    {offsetof(pby_libpq, status), "PQstatus"},
    {offsetof(pby_libpq, error), "PQerrorMessage"},
    {offsetof(pby_libpq, finish), "PQfinish"},
    {offsetof(pby_libpq, run), "PQexec"},
    {offsetof(pby_libpq, run_with), "PQexecParams"},
    {offsetof(pby_libpq, result), "PQresultStatus"},
    {offsetof(pby_libpq, field), "PQresultErrorField"},
    {offsetof(pby_libpq, rows), "PQntuples"},
    {offsetof(pby_libpq, value), "PQgetvalue"},
    {offsetof(pby_libpq, clear), "PQclear"},
    {offsetof(pby_libpq, free), "PQfreemem"},
    {offsetof(pby_libpq, notices), "PQsetNoticeProcessor"},
};

_Static_assert(sizeof(pby_libpq) == sizeof symbols / sizeof *symbols * sizeof(void *), "all functions");

static void load(void)
{
    static const char *const names[] = {"libpq.so.5", "libpq.5.dylib"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    loaded = library != NULL;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols && loaded; i++) {
        void *found = dlsym(library, symbols[i].name);
        loaded = found != NULL;
        memcpy((char *)&functions + symbols[i].offset, &found, sizeof found);
    }
}

pby_status pby_libpq_load(const pby_libpq **out, pby_error *err)
{
    *out = &functions;
    return pthread_once(&once, load) == 0 && loaded
               ? PBY_OK
               : pby_fail(err, PBY_BAD,
                          "ledger: a postgresql:// name needs PostgreSQL's client library: expected "
                          "libpq.so.5 (Debian: libpq5)");
}
