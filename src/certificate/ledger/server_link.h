/* SPDX-License-Identifier: MIT */
/* A connection to the server that keeps a ledger, and statements on it. Arguments are bound, never written
 * into a statement. No error has a word of the URI but its host, database and ledger. */
#ifndef PBY_CERTIFICATE_LEDGER_SERVER_LINK_H
#define PBY_CERTIFICATE_LEDGER_SERVER_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "certificate/ledger/server_name.h"

typedef enum pby_link_state {
    PBY_LINK_FINE,
    PBY_LINK_AGAIN, /* the server asks for the transaction again: another spender was first */
    PBY_LINK_LOST   /* no connection; the last statement may have been executed or not */
} pby_link_state;

typedef struct pby_server_link {
    pby_server_name name;
    pby_pg_conn *conn; /* NULL: none */
    pby_link_state state;
    bool made; /* the database has a schema probity, of nobody whom we do not trust */
} pby_server_link;

/* Connects once, in the place of any connection before; refuses a database where a stranger made the schema,
 * before any of it is named. */
PBY_CHECKED
pby_status pby_link_connect(pby_server_link *link, pby_error *err);
void pby_link_close(pby_server_link *link);

/* Looks at the schema again. */
PBY_CHECKED
pby_status pby_link_look(pby_server_link *link, pby_error *err);

/* Runs a statement with texts bound to $1, $2, ...; NULL is SQL's. *out, unless out is NULL, are the rows,
 * for pby_link_clear. Sets link->state. */
PBY_CHECKED
pby_status pby_link_run(pby_pg_result **out, pby_server_link *link, const char *sql, const char *const *texts,
                        size_t count, pby_error *err);
void pby_link_clear(const pby_server_link *link, pby_pg_result *rows);

/* Runs several statements without arguments or rows. */
PBY_CHECKED
pby_status pby_link_script(pby_server_link *link, const char *sql, pby_error *err);

#endif
