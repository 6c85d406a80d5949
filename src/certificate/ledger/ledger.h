/* SPDX-License-Identifier: MIT */
/* An open ledger, and what its files ask of each other. */
#ifndef PBY_CERTIFICATE_LEDGER_LEDGER_H
#define PBY_CERTIFICATE_LEDGER_LEDGER_H

#include <gmp.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"
#include "certificate/ledger/budget_terms.h"
#include "certificate/ledger/chain.h"
#include "certificate/ledger/ledger_store.h"
#include "certificate/ledger/schema.h"
#include "certificate/ledger/totals.h"
#include "probity/experimental/ledgers.h"
#include "probity/ledger.h"

struct pby_ledger {
    pby_ledger_store *store;
    pthread_mutex_t lock; /* recursive: what visits an entry may ask the ledger */
    pid_t process;   /* that opened it; a child of it would share the connection, which no store allows */
    uint64_t spends; /* entries that were recorded through this object */
    int version;
    pby_chain begin; /* of the budget, without an entry */
    pby_neighbours relation;
    pby_composition accounting; /* PBY_COMPOSE_BASIC under a filter: its charges add, too */
    pby_filter filter;
    char *mode;                 /* what the budget says of its accounting, for free(3) */
    mpq_t bound, delta;         /* the budget: an epsilon, a rho or a divergence, and a delta */
    mpq_t order;                /* of PBY_FILTER_RENYI */
    mpq_t split;                /* of PBY_FILTER_APPROX */
    unsigned long rows;         /* in how many a record may be */
    char *user;                 /* the column that names the unit of privacy; NULL: a record is */
    bool claimed;               /* releases are said to be by that unit */
    char after[PBY_CHAIN_SIZE]; /* a digest that the chain must contain; "": any */
    pby_budget_terms terms;
    char *part;        /* the part of the users that releases are said to be about; NULL: everybody */
    pby_totals totals; /* of the entries that were read */
};

/* The charge that an entry is recorded with under basic accounting and under a filter, rationals as texts,
 * for free(3); NULL under exact. */
typedef struct pby_charge {
    char *bound, *delta;
} pby_charge;

void pby_charge_clear(pby_charge *charge);

/* Sets *charge to the charge of a release that still fits into the budget, beside ledger->totals, which were
 * brought up to the last entry; PBY_NO when it does not fit.
 * `charged` is the spec as often as a record may be in a row; epsilon is that of the spec itself. */
pby_status pby_ledger_admit(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                            const pby_spec *charged, mpq_srcptr epsilon, pby_error *err);

/* Sets *out to the spec that a release is charged as: as often as a record may be in a row. */
PBY_CHECKED
pby_status pby_ledger_charged_as(pby_spec **out, const pby_ledger *ledger, const pby_spec *spec,
                                 pby_error *err);

/* Does the work of pby_ledger_admit where charges add, */
pby_status pby_adding_admit(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                            const pby_spec *charged, mpq_srcptr epsilon, pby_error *err);

/* and that of pby_ledger_admit and pby_ledger_spent where all entries are one composition. */
pby_status pby_composing_admit(const pby_ledger *ledger, const pby_spec *spec, pby_error *err);
pby_status pby_composing_spent(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger,
                               unsigned digits, pby_error *err);

/* The delta of a spec at an epsilon: the usual bounds, and closer ones where these leave open whether it is
 * at most `most`. */
pby_status pby_ledger_delta_near(pby_enclosure *delta, const pby_ledger *ledger, const pby_spec *spec,
                                 mpq_srcptr epsilon, mpq_srcptr most, unsigned digits, pby_error *err);

/* PBY_NO: `what` would be up to `after`, and the budget is `most`. */
pby_status pby_ledger_overspend(const pby_spec *spec, const char *what, const char *after, mpq_srcptr most,
                                pby_error *err);

/* Brings ledger->totals up to the last entry: reads what was recorded since, checks that it follows what was
 * read before, and looks at a new period where the present time, or `at` unless that is NULL, is in one.
 * Where all entries are read, the sums that the store keeps are compared with theirs. */
pby_status pby_ledger_catch_up(pby_ledger *ledger, const char *at, pby_error *err);

/* Does so for the first time, in a transaction: reads all entries, or takes the sums that the store keeps,
 * which must be of all entries in either case. */
pby_status pby_ledger_read(pby_ledger *ledger, bool whole, pby_error *err);

/* Opens a ledger for a charge: in a time that does not grow with its entries where it keeps their sums.
 * Damage of entries before the last is left to pby_ledger_open. */
PBY_CHECKED
pby_status pby_ledger_open_to_charge(pby_ledger **out, const char *path, pby_error *err);

/* Calls visit, unless it is NULL, for every entry, in their order, each when its digest has been checked;
 * *end, unless NULL, is the chain of all of them. PBY_BAD when an entry is not as it was recorded, or there
 * are not as many, or the chain lacks ledger->after. In one statement, so that no other process writes
 * between the entries and what they are held against. */
pby_status pby_ledger_walk(pby_chain *end, pby_ledger *ledger,
                           pby_status (*visit)(const pby_ledger_entry *entry, void *what, pby_error *err),
                           void *what, pby_error *err);

/* Waits for other threads, until pby_ledger_leave. PBY_BAD, and nothing to leave, in another process than the
 * one that opened the ledger, where its path no longer leads to the file that was opened, and where the file
 * has several names: a charge would be lost. */
PBY_CHECKED
pby_status pby_ledger_enter(pby_ledger *ledger, pby_error *err);
void pby_ledger_leave(pby_ledger *ledger);

#endif
