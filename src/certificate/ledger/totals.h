/* SPDX-License-Identifier: MIT */
/* Sums and lists of what was charged, kept beside an open ledger so that a charge reads only the entries that
 * came since (walk.c).
 *
 * They are of the present period alone where the budget comes back (budget_terms.h), and of each part of
 * the users by itself: a user pays for what is about everybody and about their own part. */
#ifndef PBY_CERTIFICATE_LEDGER_TOTALS_H
#define PBY_CERTIFICATE_LEDGER_TOTALS_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "certificate/ledger/chain.h"
#include "probity/ledger.h"
#include "probity/spec.h"

/* A spec that entries had, and how many of them. */
typedef struct pby_tallied {
    pby_spec *spec;
    uint64_t count;
    bool sized; /* a mechanism of it reads the size of its data */
} pby_tallied;

typedef struct pby_ledger_tally {
    char *part; /* NULL: everybody */
    mpq_t bound, delta;
    pby_tallied *item;
    size_t items, room;
    size_t *slot; /* a hash table of places in item, from 1 on; 0: empty */
    size_t slots;
} pby_ledger_tally;

typedef struct pby_totals {
    pby_chain chain;  /* of the entries so far; entries < 0: nothing is known */
    long long period; /* the latest that one of them falls in */
    pby_ledger_tally all;
    pby_ledger_tally *part;
    size_t parts, room;
    struct pby_totals *past; /* of the entries, while a later period without one is looked at; NULL */
} pby_totals;

void pby_totals_init(pby_totals *t);
void pby_totals_clear(pby_totals *t);

/* Forgets everything, as at first. */
void pby_totals_forget(pby_totals *t);

/* Adds an entry; one of a later period begins anew. */
PBY_CHECKED
pby_status pby_totals_add(pby_totals *t, const pby_ledger_entry *entry, long long period, pby_error *err);

/* Looks at a period, in which there is no entry if it is behind that of the last; pby_totals_return looks at
 * the entries again. So no clock that was set forward takes an entry out of its period, and one that was set
 * back changes nothing. */
PBY_CHECKED
pby_status pby_totals_reach(pby_totals *t, long long period, pby_error *err);
void pby_totals_return(pby_totals *t);

/* Begins a period without an entry, with the chain as it is. */
void pby_totals_begin(pby_totals *t, long long period);

/* Adds sums to those of a part, and entries of one spec without their charges; the part "" is everybody. */
PBY_CHECKED
pby_status pby_totals_put(pby_totals *t, const char *part, const char *bound, const char *delta,
                          pby_error *err);
PBY_CHECKED
pby_status pby_totals_count(pby_totals *t, const char *part, const char *spec, uint64_t count,
                            pby_error *err);

/* True if an entry may be about this part: there are PBY_LEDGER_PARTS_MAX at most. */
bool pby_totals_takes(const pby_totals *t, const char *part);

/* The tally of a part; NULL where no entry is about it, and for the name NULL. */
const pby_ledger_tally *pby_totals_part(const pby_totals *t, const char *name);

/* Sets the sums of the part that was charged most of each, 0 where there is no part. */
void pby_totals_most(mpq_t bound, mpq_t delta, const pby_totals *t);

/* All entries about everybody and about the part (NULL: none), with `more` unless that is NULL, as one spec;
 * *out is NULL where there is nothing. With `sized`, only what reads the size of its data. */
PBY_CHECKED
pby_status pby_totals_gather(pby_spec **out, const pby_totals *t, const pby_ledger_tally *part,
                             const pby_spec *more, bool sized, pby_error *err);

#endif
