/* SPDX-License-Identifier: MIT */
/* Releases of a statistic's answer (ptr, smooth) and of chosen bars (choosing), out of a histogram whose bars
 * are public. */
#ifndef PBY_RELEASE_RELEASE_STEADY_H
#define PBY_RELEASE_RELEASE_STEADY_H

#include "io/spool.h"
#include "probity/statistic.h"
#include "release/budget.h"
#include "table/bars.h"
#include "table/csv.h"
#include "table/rows.h"

/* The bars of a histogram, which has been scanned, in the order that a statistic reads; to be cleared. */
PBY_CHECKED
pby_status pby_steady_bars(pby_bars *out, pby_csv *csv, pby_error *err);

/* Charges and publishes the answer: a key or none, as a statistic is written. */
PBY_CHECKED
pby_status pby_steady_answer(const pby_budget *budget, pby_release *release, const pby_statistic *statistic,
                             pby_bars *bars, pby_spool *spool, bool json, pby_error *err);

/* Charges, and writes the chosen bars, NAME,COUNT, in the order in which they were chosen; rounds 0: all of
 * them. */
PBY_CHECKED
pby_status pby_steady_chosen(const pby_budget *budget, pby_release *release, const pby_bars *bars,
                             uint64_t rounds, pby_rows *rows, pby_error *err);

#endif
