/* SPDX-License-Identifier: MIT */
/* The chain of digests that shows whether a ledger is as it was written.
 *
 * The first digest is of the budget, and each entry's covers the one before it and every field of the entry:
 * so no entry can be changed, left out or moved without all later digests being others. The last digest and
 * the number of entries are kept apart from them. A digest is SHA-256, in hexadecimal; every text is hashed
 * behind its length, so that no two lists of texts are hashed as the same bytes. It has no key: it shows
 * damage, not a forgery.
 */
#ifndef PBY_CERTIFICATE_LEDGER_CHAIN_H
#define PBY_CERTIFICATE_LEDGER_CHAIN_H

#include <stddef.h>

#include "probity/ledger.h"

enum { PBY_CHAIN_SIZE = PBY_LEDGER_DIGEST_SIZE };

typedef struct pby_chain {
    long long entries;
    char digest[PBY_CHAIN_SIZE];
} pby_chain;

/* Without an entry, of a budget's texts. */
void pby_chain_begin(pby_chain *chain, const char *const *texts, size_t count);

/* With one entry more. */
void pby_chain_add(pby_chain *chain, const pby_ledger_entry *entry);

#endif
