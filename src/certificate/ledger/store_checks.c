/* SPDX-License-Identifier: MIT */
/* The versions that a ledger may have and the refusals of one that is unknown or damaged: files and servers
 * share them. */
#include <stdio.h>
#include <string.h>

#include "certificate/ledger/ledger_store.h"
#include "certificate/ledger/schema.h"

size_t pby_budget_texts(int version)
{
    return pby_version_has_users(version) ? PBY_BUDGET_TEXTS : PBY_BUDGET_TEXTS - 1;
}

bool pby_version_has_users(int version)
{
    return version == PBY_LEDGER_USERS || version == PBY_LEDGER_USERS_SUMS;
}

bool pby_version_has_sums(int version)
{
    return version >= PBY_LEDGER_SUMS;
}

int pby_budget_version(const char *const *texts)
{
    return texts[PBY_BUDGET_USER] == NULL ? PBY_LEDGER_SUMS : PBY_LEDGER_USERS_SUMS;
}

pby_status pby_store_version_check(int version, pby_error *err)
{
    return PBY_LEDGER_OLD <= version && version <= PBY_LEDGER_USERS_SUMS
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "ledger: version '%d': expected %d to %d, the only ones known",
                          version, PBY_LEDGER_OLD, PBY_LEDGER_USERS_SUMS);
}

pby_status pby_store_refuse(const char *name, const char *reason, pby_error *err)
{
    char expected[PBY_ERROR_SIZE];
    snprintf(expected, sizeof expected, "a file that probity ledger init made, but: %s", reason);
    return pby_refuse(err, "ledger", name == NULL ? "" : name, expected);
}

pby_status pby_store_damaged(const char *name, const char *what, pby_error *err)
{
    char expected[PBY_ERROR_SIZE];
    const char *last = strrchr(what, '\n');
    snprintf(expected, sizeof expected,
             "a whole ledger, but it is damaged: %.200s (docs/ledger.md: how to recover)",
             last == NULL ? what : last + 1); /* one line: SQLite's first says in which database */
    return pby_refuse(err, "ledger", name == NULL ? "" : name, expected);
}
