/* SPDX-License-Identifier: MIT */
/* Ledgers to be spent from. */
#ifndef PBY_TESTS_CERTIFICATE_LEDGER_BOOKS_H
#define PBY_TESTS_CERTIFICATE_LEDGER_BOOKS_H

#include "probity/ledger.h"

/* A new ledger for add-remove neighbours. */
void pby_make_ledger(const char *path, pby_composition accounting, const char *epsilon, const char *delta);

/* One whose rows overlap. */
void pby_make_overlapping(const char *path, pby_composition accounting, unsigned long rows,
                          const char *epsilon, const char *delta);

/* One of version 2, as it was made before there were digests, with these entries, up to a NULL. */
void pby_make_old_ledger(const char *path, const char *epsilon, const char *delta, const char *const *specs);

/* Opens the ledger and spends; epsilon may be NULL under exact accounting. */
pby_status pby_spend_at(const char *path, const char *spec, const char *epsilon, pby_error *err);
pby_status pby_spend(const char *path, const char *spec, pby_error *err);

/* Makes a ledger one of version 3, which keeps no sums, so that entries may be appended by hand. */
void pby_drop_sums(const char *path);

/* Runs SQL on the file, whatever a trigger says: each is dropped and made again. */
void pby_tamper(const char *path, const char *sql);

#endif
