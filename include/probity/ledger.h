/* SPDX-License-Identifier: MIT */
/* A ledger: a file that records every release of one data set against a budget.
 *
 * The budget is an epsilon and a delta for a neighbour relation. A release is recorded by its spec before
 * its noise is drawn, and only if the composition of all that was recorded with it has a certified
 * delta at the budget's epsilon that is within the budget's delta. The record is on the disk before
 * pby_ledger_spend returns: whatever happens afterwards, the budget is spent, and what was not
 * recorded was not released.
 *
 *     pby_ledger *ledger;
 *     pby_ledger_open(&ledger, "ledger.db", err);
 *     if (pby_ledger_spend(ledger, spec, NULL, err) == PBY_OK)     PBY_NO: it would overspend
 *         ... draw and publish ...
 *     pby_ledger_close(ledger);
 *
 * The composition is exact, for mechanisms that are chosen without regard to earlier outputs; or charges add,
 * which holds however each release is chosen: under basic accounting an epsilon with its delta, and under a
 * filter a rho or a divergence of one order with a delta. docs/ledger.md and docs/theory/filters.md say why;
 * the first describes the file, an SQLite database.
 *
 * A path that begins with postgresql:// names a ledger in a PostgreSQL database instead
 * (postgresql://HOST/DATABASE?ledger=NAME): the same entries, chain and rules, for several machines. libpq is
 * loaded then; PBY_BAD where there is none, PBY_FAILED where the server cannot be reached.
 *
 * Several processes may share a ledger, each with a pby_ledger that it opened itself: one that a child
 * inherits by fork(2) is refused. Threads may share a pby_ledger: its functions wait for each other, but for
 * pby_ledger_close, which must be the last.
 */
#ifndef PROBITY_LEDGER_H
#define PROBITY_LEDGER_H

#include <gmp.h>
#include <stddef.h>

#include "probity/enclosure.h"
#include "probity/loss.h"
#include "probity/spec.h"
#include "probity/status.h"

PBY_BEGIN_API

typedef struct pby_ledger pby_ledger;

/* A new ledger with nothing spent; the accounting is PBY_COMPOSE_EXACT or PBY_COMPOSE_BASIC, 0 < epsilon,
 * 0 <= delta < 1. Refused when the file exists. The file appears whole or not at all. */
PBY_CHECKED
pby_status pby_ledger_create(const char *path, pby_neighbours relation, pby_composition accounting,
                             mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err) PBY_NONNULL(1, 4, 5);

/* PBY_BAD for a file that is no ledger, and for a ledger that is damaged: SQLite checks every page, and a
 * chain of digests shows whether the budget and the entries are those that were recorded. Ledgers of version
 * 2, which have no digests, are read as they are, and get them when something is recorded. All entries are
 * read; the commands that charge read the sums of them instead, where the ledger keeps these. */
PBY_CHECKED
pby_status pby_ledger_open(pby_ledger **out, const char *path, pby_error *err) PBY_NONNULL(1, 2);
void pby_ledger_close(pby_ledger *ledger);

/* The budget. */
PBY_CHECKED
pby_neighbours pby_ledger_neighbours(const pby_ledger *ledger) PBY_NONNULL(1);
/* Returns PBY_COMPOSE_BASIC if charges add, as they do under every filter; otherwise PBY_COMPOSE_EXACT. */
PBY_CHECKED
pby_composition pby_ledger_accounting(const pby_ledger *ledger) PBY_NONNULL(1);
/* The accounting in full: exact, basic, filter:split=1/2, zcdp, renyi:order=8, gdp or odometer:split=1/2, and
 * behind it the terms of periods and parts; while the ledger is open. */
PBY_CHECKED
const char *pby_ledger_mode(const pby_ledger *ledger) PBY_NONNULL(1);
/* The quantity that is bounded beside delta: epsilon, or the rho or divergence of a filter.
 * pby_ledger_epsilon is NULL for a rho or a divergence. */
PBY_CHECKED
mpq_srcptr pby_ledger_bound(const pby_ledger *ledger) PBY_NONNULL(1);
PBY_CHECKED
mpq_srcptr pby_ledger_epsilon(const pby_ledger *ledger) PBY_NONNULL(1);
PBY_CHECKED
mpq_srcptr pby_ledger_delta(const pby_ledger *ledger) PBY_NONNULL(1);
/* In how many rows a record may be counted; 1: rows are disjoint. */
PBY_CHECKED
unsigned long pby_ledger_rows(const pby_ledger *ledger) PBY_NONNULL(1);

/* The last digest of the chain, 64 hexadecimal digits: whoever notes it can tell the ledger from every
 * earlier and every other one. */
enum { PBY_LEDGER_DIGEST_SIZE = 65 };
PBY_CHECKED
pby_status pby_ledger_digest(char out[PBY_LEDGER_DIGEST_SIZE], pby_ledger *ledger, pby_error *err)
    PBY_NONNULL(1, 2);

/* Takes the ledger for one that had this last digest before, 64 hexadecimal digits that were noted elsewhere:
 * PBY_BAD unless its chain contains it. An older copy that was put back, and a ledger that went on from such
 * a copy, lack it. Everything that reads or records entries from now on asks again. */
PBY_CHECKED
pby_status pby_ledger_after(pby_ledger *ledger, const char *digest, pby_error *err) PBY_NONNULL(1, 2);

/* Records a release. Under basic accounting it is charged at epsilon, from 0 on; under exact accounting
 * epsilon is not looked at and may be NULL. Under a filter it is charged by its law; where this has no such
 * divergence, by its delta at epsilon, unless that is NULL. Where a record may be in N rows, it is recorded
 * and charged as N uses: under basic accounting N times that epsilon and N times its delta. Refused then: a
 * mechanism that reads the size of its data, and one that counts points itself, of which two of one record
 * may be in one bucket. PBY_NO, and nothing recorded, when it would overspend; PBY_FAILED, and nothing
 * recorded, when the record cannot be brought to the disk or another process keeps the ledger for more than
 * PBY_LEDGER_PATIENCE seconds. Where a machine fails so late that nobody can tell, it may be recorded and
 * PBY_FAILED be returned: that loses budget and no privacy. */
enum { PBY_LEDGER_PATIENCE = 60 };
PBY_CHECKED
pby_status pby_ledger_spend(pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon, pby_error *err)
    PBY_NONNULL(1, 2);

/* Answers as pby_ledger_spend would now, and records nothing: for refusing before any data are looked at.
 * Another process may spend what is left before this one does. */
PBY_CHECKED
pby_status pby_ledger_affords(pby_ledger *ledger, const pby_spec *spec, mpq_srcptr epsilon, pby_error *err)
    PBY_NONNULL(1, 2);

/* Under exact accounting the delta of all that was recorded, at the budget's epsilon, and the least epsilon
 * at the budget's delta; under basic accounting both sums. 0 and 0 when nothing was recorded. Either may be
 * NULL. PBY_BAD under a filter. */
PBY_CHECKED
pby_status pby_ledger_spent(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger, unsigned digits,
                            pby_error *err) PBY_NONNULL(3);

/* One recorded release. */
typedef struct pby_ledger_entry {
    long long number; /* from 1 */
    const char *at;   /* when, in UTC: 2026-11-15T12:00:00Z */
    const char *spec;
    const char *epsilon, *delta; /* what it was charged where charges add, a rho or a divergence in place of
                                  * epsilon under such a filter; "" under exact accounting */
    const char *part;            /* of the users that it is about; "": all */
    const char *spender;         /* who recorded it, as a server knows them; "" of a file */
} pby_ledger_entry;

/* Calls visit for every entry, in their order; stops at the first status that is not PBY_OK and returns
 * it. */
PBY_CHECKED
pby_status pby_ledger_each(pby_ledger *ledger,
                           pby_status (*visit)(const pby_ledger_entry *entry, void *what, pby_error *err),
                           void *what, pby_error *err) PBY_NONNULL(1, 2);

/* ---- numbers as text --------------------------------------------------------------------------- */

/* pby_ledger_create_overlapping; rows 1 is pby_ledger_create. */
PBY_CHECKED
pby_status pby_ledger_create_text(const char *path, pby_neighbours relation, pby_composition accounting,
                                  unsigned long rows, const char *epsilon, const char *delta, pby_error *err)
    PBY_NONNULL(1, 5, 6);

/* The budget, pby_ledger_bound and delta, exactly; for free(3). */
PBY_CHECKED
pby_status pby_ledger_budget_text(char **bound, char **delta, const pby_ledger *ledger, pby_error *err)
    PBY_NONNULL(1, 2, 3);

PBY_CHECKED
pby_status pby_ledger_spend_text(pby_ledger *ledger, const pby_spec *spec, const char *epsilon,
                                 pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_ledger_affords_text(pby_ledger *ledger, const pby_spec *spec, const char *epsilon,
                                   pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_ledger_spent_text(pby_decimals *delta, pby_decimals *epsilon, pby_ledger *ledger,
                                 unsigned digits, pby_error *err) PBY_NONNULL(3);
PBY_CHECKED
pby_status pby_ledger_charged_text(pby_decimals *bound, pby_decimals *delta, pby_ledger *ledger,
                                   unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3);

PBY_END_API

#endif
