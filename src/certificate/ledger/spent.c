/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/spent.h"

#include <stdio.h>
#include <string.h>

#include "certificate/ledger/ledger.h"

enum { NOTE_SIZE = 256 };

static const char spent[] = "; the budget was spent";

uint64_t pby_ledger_spends(const pby_ledger *ledger)
{
    return ledger == NULL ? 0 : ledger->spends;
}

/* The first words are cut where there is no room for the note behind them. */
pby_status pby_ledger_note(pby_ledger *ledger, uint64_t before, pby_status status, pby_error *err)
{
    char note[NOTE_SIZE], digest[PBY_LEDGER_DIGEST_SIZE] = "";
    if (status == PBY_OK || err == NULL || pby_ledger_spends(ledger) <= before ||
        strstr(err->text, spent) != NULL)
        return status;
    if (pby_ledger_digest(digest, ledger, NULL) == PBY_OK)
        snprintf(note, sizeof note, "%s: the ledger ends in digest %s, which --after or a receipt shows",
                 spent, digest);
    else
        snprintf(note, sizeof note, "%s: ledger show, --after or a receipt shows it", spent);
    const size_t size = strlen(note) + 1, length = strlen(err->text), room = sizeof err->text - size;
    memcpy(err->text + (length < room ? length : room), note, size);
    return status;
}
