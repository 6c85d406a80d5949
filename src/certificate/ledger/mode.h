/* SPDX-License-Identifier: MIT */
/* The accounting of a budget: exact, basic, filter:split=S, zcdp, renyi:order=A, gdp or odometer:split=S,
 * with rationals in lowest terms. */
#ifndef PBY_CERTIFICATE_LEDGER_MODE_H
#define PBY_CERTIFICATE_LEDGER_MODE_H

#include "probity/experimental/ledgers.h"
#include "probity/ledger.h"

/* The text of a filter, for free(3); NULL without memory. */
char *pby_mode_text(pby_filter filter, mpq_srcptr order, mpq_srcptr split);

/* Sets *filter, and the order or the split that the text has. PBY_BAD for a text of none of these. */
PBY_CHECKED
pby_status pby_mode_parse(pby_filter *filter, pby_composition *accounting, mpq_t order, mpq_t split,
                          const char *text, pby_error *err);

/* The name of the number that the budget bounds beside delta, and that an entry is charged: epsilon, rho,
 * renyi, mu or mu_squared. */
const char *pby_mode_bound(pby_filter filter);
const char *pby_mode_charge(pby_filter filter);

/* Refuses an order that is not above 1, and a split that is not from 0 to below 1. */
PBY_CHECKED
pby_status pby_mode_check(pby_filter filter, mpq_srcptr order, mpq_srcptr split, pby_error *err);

#endif
