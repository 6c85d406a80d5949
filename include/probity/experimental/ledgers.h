/* SPDX-License-Identifier: MIT */
/* Ledgers (probity/ledger.h) whose records may be in several rows or whose unit is a user, filters, and
 * releases that are known by a curve; budgets that come back each period or hold for parts; copies and pages.
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
 * one user. Such a ledger is of version 6. */
PBY_CHECKED
pby_status pby_ledger_create_user(const char *path, pby_neighbours relation, pby_composition accounting,
                                  const char *user, mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err)
    PBY_NONNULL(1, 4, 5, 6);

/* Filters: the budget holds for every choice of releases, each of which may depend on all earlier outputs.
 * Only the budget is guaranteed. A sum that is read at a time which outputs chose guarantees nothing. */
typedef enum pby_filter {
    PBY_FILTER_NONE,    /* exact or basic accounting */
    PBY_FILTER_APPROX,  /* epsilon and delta, by the sums of rhos and of deltas */
    PBY_FILTER_RHO,     /* delta-approximate zero-concentrated privacy: rho and delta */
    PBY_FILTER_RENYI,   /* the delta-approximate divergence of one order, and delta */
    PBY_FILTER_GDP,     /* Gaussian differential privacy: mu, whose squares add, and delta */
    PBY_FILTER_ODOMETER /* no limit but a delta: pby_ledger_odometer says what was spent */
} pby_filter;

typedef struct pby_filter_budget {
    pby_filter by;
    mpq_srcptr bound; /* epsilon, rho, the divergence or mu, above 0; nothing of PBY_FILTER_ODOMETER */
    mpq_srcptr delta; /* from 0 to below 1, above 0 for PBY_FILTER_APPROX and ODOMETER; NULL: 0 */
    mpq_srcptr order; /* of PBY_FILTER_RENYI, above 1 */
    mpq_srcptr split; /* of PBY_FILTER_APPROX and ODOMETER: the share of delta that bounds the deltas of
                       * entries, from 0 to below 1; NULL: 1/2 */
} pby_filter_budget;

/* A new ledger as above; rows is 1 where they are disjoint. Filter, order and split stay as they are. */
PBY_CHECKED
pby_status pby_ledger_create_filter(const char *path, pby_neighbours relation, unsigned long rows,
                                    const pby_filter_budget *budget, pby_error *err) PBY_NONNULL(1, 4);

/* All that a ledger may be made with, in texts; every member that is NULL or 0 is left out.
 *
 * A budget that comes back (every, from) is that of each period of this length: an entry counts in the period
 * in which it was recorded, and what all periods together promise is their sum. Parts are disjoint sets of
 * the users or records, of which each belongs to one, known without the others: an entry that is about a part
 * (pby_ledger_for_part) counts for that part alone, and the budget bounds each. docs/theory/filters.md has
 * the proofs. */
typedef struct pby_ledger_terms {
    const char *accounting; /* exact, basic, filter, zcdp, renyi, gdp or odometer; NULL: exact */
    const char *bound;      /* an epsilon, rho, divergence or mu, by the accounting */
    const char *delta, *order, *split;
    const char *neighbours; /* NULL: add-remove */
    unsigned long rows;     /* 0: 1 */
    const char *user;       /* the column that names the unit of privacy; NULL: it is a record */
    const char *every;      /* 30d, 12h or 4w */
    const char *from;  /* when a period begins: 2026-11-18, or 2026-11-18T12:00:00Z; NULL: today, in UTC */
    const char *parts; /* what tells the parts apart, such as region; add-remove neighbours alone */
} pby_ledger_terms;

enum { PBY_LEDGER_PARTS_MAX = 1000 };
PBY_CHECKED
pby_status pby_ledger_create_terms(const char *path, const pby_ledger_terms *terms, pby_error *err)
    PBY_NONNULL(1, 2);

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

/* Returns what tells the parts apart; NULL: there are none. */
PBY_CHECKED
const char *pby_ledger_parts(const pby_ledger *ledger) PBY_NONNULL(1);

/* Says that releases from now on are about the users or records of this part alone, or about all (NULL, as at
 * first). The entry states it, and the caller answers for it: that the release reads nobody else's data. */
PBY_CHECKED
pby_status pby_ledger_for_part(pby_ledger *ledger, const char *part, pby_error *err) PBY_NONNULL(1);

/* The version of the ledger: 2 to 6. */
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

/* Reads an odometer (PBY_FILTER_ODOMETER), where no limit was set: an epsilon that holds with the ledger's
 * delta however the releases were chosen and whenever it is read; +inf beyond a rho of 10^96. PBY_BAD under
 * any other accounting. docs/theory/filters.md says what that promises. */
PBY_CHECKED
pby_status pby_ledger_odometer(pby_enclosure *epsilon, pby_ledger *ledger, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 2);

/* Makes a ledger that is a copy of another, from a file to a server or back: the same budget, entries, times
 * and digests, so that whoever noted a digest finds it. Refused where there is one, and of version 2, which
 * has no digests. The copy appears whole or not at all; from is left as it is, and nothing may be charged to
 * it any more. On a server it takes the rights of probity_owner. */
PBY_CHECKED
pby_status pby_ledger_copy(const char *from, const char *to, pby_error *err) PBY_NONNULL(1, 2);

/* The entries as a table, for free(3): an object of JSON on each line, or CSV with a header. */
typedef enum pby_ledger_form { PBY_LEDGER_JSON_LINES, PBY_LEDGER_CSV } pby_ledger_form;
PBY_CHECKED
pby_status pby_ledger_list(char **text, pby_ledger *ledger, pby_ledger_form form, pby_error *err)
    PBY_NONNULL(1, 2);

/* An HTML page that needs nothing from outside, for free(3): the budget over time, by release, by part and by
 * person, what is left, and what a planned release would leave (planned may be NULL, and epsilon, at which it
 * is charged as in pby_ledger_affords). */
PBY_CHECKED
pby_status pby_ledger_page(char **page, pby_ledger *ledger, const pby_spec *planned, const char *epsilon,
                           pby_error *err) PBY_NONNULL(1, 2);

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

PBY_CHECKED
pby_status pby_ledger_odometer_text(pby_decimals *epsilon, pby_ledger *ledger, unsigned digits,
                                    pby_error *err) PBY_NONNULL(1, 2);

PBY_END_API

#endif
