/* SPDX-License-Identifier: MIT */
/* Ledgers (probity/ledger.h) whose records may be in several rows or whose unit is a user, filters, and
 * releases that are known by a curve.
 */
#ifndef PROBITY_EXPERIMENTAL_LEDGERS_H
#define PROBITY_EXPERIMENTAL_LEDGERS_H

#include <gmp.h>

#include "probity/ledger.h"
#include "probity/status.h"

PBY_BEGIN_API

/* Creates a ledger where one record may be counted in several rows of a release, in at most `rows` of them
 * and in each once: a number from 1 to PBY_LEDGER_ROWS_MAX that is known without the data. A release is then
 * charged as that number of uses, whatever the number of rows in a file. */
enum { PBY_LEDGER_ROWS_MAX = 1000000000 };
PBY_CHECKED
pby_status pby_ledger_create_overlapping(const char *path, pby_neighbours relation,
                                         pby_composition accounting, unsigned long rows, mpq_srcptr epsilon,
                                         mpq_srcptr delta, pby_error *err) PBY_NONNULL(1, 5, 6);

/* Creates a ledger whose unit of privacy is a user, named by a column: neighbours differ in all records of
 * one user. Such a ledger is of version 4. */
PBY_CHECKED
pby_status pby_ledger_create_user(const char *path, pby_neighbours relation, pby_composition accounting,
                                  const char *user, mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err)
    PBY_NONNULL(1, 4, 5, 6);

/* Filters: the budget holds for every choice of releases, each of which may depend on all earlier outputs.
 * Only the budget is guaranteed. A sum that is read at a time which outputs chose guarantees nothing. */
typedef enum pby_filter {
    PBY_FILTER_NONE,   /* exact or basic accounting */
    PBY_FILTER_APPROX, /* epsilon and delta, by the sums of rhos and of deltas */
    PBY_FILTER_RHO,    /* delta-approximate zero-concentrated privacy: rho and delta */
    PBY_FILTER_RENYI   /* the delta-approximate divergence of one order, and delta */
} pby_filter;

typedef struct pby_filter_budget {
    pby_filter by;
    mpq_srcptr bound; /* epsilon, rho or the divergence, above 0 */
    mpq_srcptr delta; /* from 0 to below 1, above 0 for PBY_FILTER_APPROX; NULL: 0 */
    mpq_srcptr order; /* of PBY_FILTER_RENYI, above 1 */
    mpq_srcptr split; /* of PBY_FILTER_APPROX: the share of delta that bounds the deltas of entries, from 0 to
                       * below 1; NULL: 1/2 */
} pby_filter_budget;

/* A new ledger as above; rows is 1 where they are disjoint. Filter, order and split stay as they are. */
PBY_CHECKED
pby_status pby_ledger_create_filter(const char *path, pby_neighbours relation, unsigned long rows,
                                    const pby_filter_budget *budget, pby_error *err) PBY_NONNULL(1, 4);

/* The filter of a ledger; PBY_FILTER_NONE: its accounting is exact or basic. */
PBY_CHECKED
pby_filter pby_ledger_filter(const pby_ledger *ledger) PBY_NONNULL(1);

/* The column that names the user where the unit of privacy is one; NULL: it is a record. */
PBY_CHECKED
const char *pby_ledger_user(const pby_ledger *ledger) PBY_NONNULL(1);

/* Says that releases from now on are by users, whom that column names, or by records (NULL): PBY_BAD where
 * that is not the ledger's unit. Without it they are taken to be by records. */
PBY_CHECKED
pby_status pby_ledger_for_user(pby_ledger *ledger, const char *user, pby_error *err) PBY_NONNULL(1);

/* The version of the file: 2, 3 or 4. */
PBY_CHECKED
int pby_ledger_version(const pby_ledger *ledger) PBY_NONNULL(1);

/* Records a release of another program that is known by a curve: a file of bounds on its Renyi divergences at
 * some orders (order,renyi in the first line) or on its deltas at some epsilons (epsilon,delta), between any
 * two neighbours. It is charged by one point, rdp or approx, which names the file by its SHA-256 and depends
 * on the budget and the curve alone: docs/ledger.md says which. PBY_BAD for another file, and for a curve
 * that the accounting cannot use. pby_ledger_curve is that point, for pby_spec_free, and records nothing. */
PBY_CHECKED
pby_status pby_ledger_spend_curve(pby_ledger *ledger, const char *path, pby_error *err) PBY_NONNULL(1, 2);
PBY_CHECKED
pby_status pby_ledger_curve(pby_spec **out, const pby_ledger *ledger, const char *path, pby_error *err)
    PBY_NONNULL(1, 2, 3);

/* The sums of what entries were charged, under basic accounting and under filters: of epsilons, rhos or
 * divergences, and of deltas. PBY_BAD under exact accounting. Under a filter they are no guarantee: the
 * budget is. Either may be NULL. */
PBY_CHECKED
pby_status pby_ledger_charged(pby_enclosure *bound, pby_enclosure *delta, pby_ledger *ledger, pby_error *err)
    PBY_NONNULL(3);

/* ---- numbers as text --------------------------------------------------------------------------- */

PBY_CHECKED
pby_status pby_ledger_create_user_text(const char *path, pby_neighbours relation, pby_composition accounting,
                                       const char *user, const char *epsilon, const char *delta,
                                       pby_error *err) PBY_NONNULL(1, 4, 5, 6);

/* pby_ledger_create_filter; delta, order and split may be NULL as there. */
PBY_CHECKED
pby_status pby_ledger_create_filter_text(const char *path, pby_neighbours relation, unsigned long rows,
                                         pby_filter by, const char *bound, const char *delta,
                                         const char *order, const char *split, pby_error *err)
    PBY_NONNULL(1, 5);

PBY_END_API

#endif
