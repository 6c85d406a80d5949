/* SPDX-License-Identifier: MIT */
/* The charge of a release to a budget of Gaussian differential privacy (docs/theory/filters.md). */
#ifndef PBY_CERTIFICATE_LEDGER_PRICE_GDP_H
#define PBY_CERTIFICATE_LEDGER_PRICE_GDP_H

#include "certificate/ledger/ledger.h"

/* Sets the sum of the squares of the mus of a spec's uses, and of their deltas, rounded up where they are no
 * short rationals; both for free(3). PBY_BAD for a mechanism of which no finite mu is known. */
PBY_CHECKED
pby_status pby_price_gdp(char **square, char **delta, const pby_ledger *ledger, const pby_spec *spec,
                         pby_error *err);

/* True if a charge is a rational that sums stay short with: but for factors of 2 and 5, its denominator is
 * at most 1000. So the denominator of a sum of any number of them and of decimals has a few hundred
 * digits. */
bool pby_charge_is_short(mpq_srcptr x);

#endif
