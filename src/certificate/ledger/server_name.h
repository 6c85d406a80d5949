/* SPDX-License-Identifier: MIT */
/* The name of a ledger on a PostgreSQL server: a URI as libpq reads it, and in its query the ledger.
 *
 *     postgresql://HOST/DATABASE?ledger=NAME        postgresql:///DATABASE?host=/run/postgresql&ledger=NAME
 */
#ifndef PBY_CERTIFICATE_LEDGER_SERVER_NAME_H
#define PBY_CERTIFICATE_LEDGER_SERVER_NAME_H

#include <stdbool.h>

#include "certificate/ledger/libpq.h"

enum { PBY_SERVER_LEDGER_SIZE = 201 };

typedef struct pby_server_name {
    const pby_libpq *pq;
    pby_pg_option *options;              /* of the connection */
    char ledger[PBY_SERVER_LEDGER_SIZE]; /* its name in the database */
    char *shown; /* the URI without its user, password and other parameters, for errors; for free(3) */
} pby_server_name;

/* True if the argument names a server and no file. */
bool pby_server_is(const char *path);

/* PBY_BAD, without a word of the URI that may be secret, for one that libpq does not read or without a
 * ledger. *out can be cleared in any case. */
PBY_CHECKED
pby_status pby_server_name_read(pby_server_name *out, const char *path, pby_error *err);
void pby_server_name_clear(pby_server_name *name);

#endif
