/* SPDX-License-Identifier: MIT */
/* A ledger holds its entries against its budget in one of two ways.
 *
 * exact             all mechanisms together are one composition (composing.c)
 * basic, filters    every entry has a charge, and the charges add (adding.c)
 */
#include "base/excerpt.h"
#include "certificate/ledger/ledger.h"
#include "probity/experimental/ledgers.h"

pby_status pby_ledger_spent(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger, unsigned digits,
                            pby_error *err)
{
    if (ledger->filter != PBY_FILTER_NONE)
        return pby_fail(err, PBY_BAD,
                        "ledger: its accounting is %s: it guarantees its budget, and nothing that was spent "
                        "until an entry",
                        PBY_EXCERPT(ledger->mode));
    return ledger->accounting == PBY_COMPOSE_BASIC ? pby_ledger_charged(epsilon, delta, ledger, err)
                                                   : pby_composing_spent(delta, epsilon, ledger, digits, err);
}

pby_status pby_ledger_admit(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                            const pby_spec *charged, mpq_srcptr epsilon, pby_error *err)
{
    return ledger->accounting == PBY_COMPOSE_BASIC
               ? pby_adding_admit(charge, ledger, spec, charged, epsilon, err)
               : pby_composing_admit(ledger, charged, err);
}
