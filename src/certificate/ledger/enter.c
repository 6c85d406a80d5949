/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/ledger.h"
#include "io/sole.h"

/* The process is looked at first: a child may inherit a lock that nobody gives back. */
pby_status pby_ledger_enter(pby_ledger *ledger, pby_error *err)
{
    pby_status status = pby_sole_process(ledger->process, "ledger", err);
    if (status != PBY_OK)
        return status;
    pthread_mutex_lock(&ledger->lock);
    status = ledger->store->kind->place(ledger->store, err);
    if (status != PBY_OK)
        pby_ledger_leave(ledger);
    return status;
}

void pby_ledger_leave(pby_ledger *ledger)
{
    pthread_mutex_unlock(&ledger->lock);
}
