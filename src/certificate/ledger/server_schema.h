/* SPDX-License-Identifier: MIT */
/* The tables, rules and roles of ledgers in a PostgreSQL database: the schema "probity", one for all its
 * ledgers.
 *
 * The server itself computes each digest and the sums, counts entries and refuses to change or remove one; an
 * entry's time is that of its clock. Roles: probity_owner makes ledgers, probity_spender reads them and
 * appends entries, probity_auditor reads them. Only who owns the tables can undo this, and then the digests
 * that others noted show it.
 */
#ifndef PBY_CERTIFICATE_LEDGER_SERVER_SCHEMA_H
#define PBY_CERTIFICATE_LEDGER_SERVER_SCHEMA_H

/* The statements that make the schema, NULL behind the last. None depends on an argument. */
extern const char *const pby_server_schema[];

/* One row: how many of the triggers above are there and work, first of those of budgets and entries, and then
 * of those of sums, which the ledgers of older versions lack. */
extern const char pby_server_triggers[];
enum { PBY_SERVER_TRIGGERS = 9, PBY_SERVER_SUM_TRIGGERS = 5 };

/* One row: how many of the tables of every version are there, and how many of the functions that older ones
 * lack. */
extern const char pby_server_parts[];
enum { PBY_SERVER_TABLES = 3, PBY_SERVER_NEWER = 3 };

/* One row: how many roles made a part of the schema, and how many of them are neither the caller, nor a
 * superuser, nor the owner of the database. The triggers, views and functions of these would run with the
 * rights of whoever names a ledger there. */
extern const char pby_server_makers[];

#endif
