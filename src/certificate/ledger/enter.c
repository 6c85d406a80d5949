/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/ledger.h"
#include "io/sole.h"

static pby_status check_place(pby_ledger *ledger, pby_error *err)
{
    int moved = 0;
    const char *path = sqlite3_db_filename(ledger->db, "main");
    if (sqlite3_file_control(ledger->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0)
        return pby_refuse(err, "ledger", path, "the file that was opened, but another has its name");
    return pby_sole_check("ledger", path, err);
}

/* The process is looked at first: a child may inherit a lock that nobody gives back. */
pby_status pby_ledger_enter(pby_ledger *ledger, pby_error *err)
{
    pby_status status = pby_sole_process(ledger->process, "ledger", err);
    if (status != PBY_OK)
        return status;
    pthread_mutex_lock(&ledger->lock);
    status = check_place(ledger, err);
    if (status != PBY_OK)
        pby_ledger_leave(ledger);
    return status;
}

void pby_ledger_leave(pby_ledger *ledger)
{
    pthread_mutex_unlock(&ledger->lock);
}
