/* SPDX-License-Identifier: MIT */
/* Failures behind a charge: whoever reads them must know that the budget is spent. */
#ifndef PBY_CERTIFICATE_LEDGER_SPENT_H
#define PBY_CERTIFICATE_LEDGER_SPENT_H

#include <stdint.h>

#include "probity/ledger.h"

/* The number of entries recorded through this object; 0 for NULL. */
uint64_t pby_ledger_spends(const pby_ledger *ledger);

/* Returns the status. Where it is a failure and more than `before` entries were recorded through the ledger,
 * the error says at its end that the budget was spent, and by which digest of the ledger that shows. */
PBY_CHECKED
pby_status pby_ledger_note(pby_ledger *ledger, uint64_t before, pby_status status, pby_error *err);

#endif
