/* SPDX-License-Identifier: MIT */
/* The sums of its entries that a ledger keeps beside them, so that a charge need not read all of these.
 *
 * They are a text, and a seal that ties it to the budget and to the last entry: its digest covers both, so
 * that sums of another ledger or of fewer entries are refused. The seal has no key. It shows damage; a forger
 * who may write where the sums are kept is found when all entries are read, since the sums are then computed
 * again (walk.c). On a server the trigger that appends an entry computes them, and no spender may write them.
 *
 *     period 0                       of the entries below, the latest there is
 *     sums 3/8 1/1000000             of what was charged
 *     spec 12 gauss:sigma2=400       how many entries have this spec: of all under exact accounting, else of
 *     part eu                        those that may read the size of their data
 *     sums 1/8 0
 */
#ifndef PBY_CERTIFICATE_LEDGER_KEPT_SUMS_H
#define PBY_CERTIFICATE_LEDGER_KEPT_SUMS_H

#include "certificate/ledger/chain.h"
#include "certificate/ledger/totals.h"

typedef struct pby_kept_sums {
    pby_chain chain; /* of the entries that they are of */
    char *text;      /* "" where there is no entry; for free(3) */
    char seal[PBY_CHAIN_SIZE];
} pby_kept_sums;

/* Sets text and seal of what the totals are; `exact` is whether the accounting is. The budget is that which
 * `begin` is the chain of. */
PBY_CHECKED
pby_status pby_sums_write(pby_kept_sums *out, const pby_totals *t, bool exact, const pby_chain *begin,
                          pby_error *err);

/* True if the seal is that of this budget, this chain and this text. */
bool pby_sums_are_sealed(const pby_kept_sums *sums, const pby_chain *begin);

/* Sets totals, of which nothing was known, to what is kept. PBY_BAD for a text of another form. */
PBY_CHECKED
pby_status pby_sums_read(pby_totals *t, const pby_kept_sums *sums, pby_error *err);

#endif
