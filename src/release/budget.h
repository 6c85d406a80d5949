/* SPDX-License-Identifier: MIT */
/* The budget that a release is charged to, if it is charged to one. */
#ifndef PBY_RELEASE_BUDGET_H
#define PBY_RELEASE_BUDGET_H

#include "probity/certificate.h"
#include "probity/ledger.h"

typedef struct pby_budget {
    pby_ledger *ledger; /* NULL: charged to nobody */
    const pby_spec *spec;
    const pby_certificate *certificate; /* by which it is released; NULL: by the spec alone */
} pby_budget;

/* Refuses the names beside a ledger under which SQLite keeps what is not yet in it, and deletes what it
 * finds. */
PBY_CHECKED
pby_status pby_budget_apart(const char *path, const char *ledger, pby_error *err);

/* Opens the ledger (path NULL: none) that uses of spec will be charged to. Refused when the certificate,
 * which may be NULL and must outlive the budget, is about other neighbours than the ledger; argument is what
 * named the ledger. */
PBY_CHECKED
pby_status pby_budget_open(pby_budget *budget, const char *path, const pby_spec *spec,
                           const pby_certificate *certificate, const char *argument, pby_error *err);

/* Those of the ledger or the certificate; without either those that the spec is about. */
PBY_CHECKED
pby_status pby_budget_neighbours(pby_neighbours *out, const pby_budget *budget, pby_error *err);

/* Refuses a ledger or a certificate of another unit of privacy than the release: users whom a column names,
 * or records (NULL). argument is what named the ledger. */
PBY_CHECKED
pby_status pby_budget_unit(const pby_budget *budget, const char *user, const char *argument, pby_error *err);

/* In how many rows a record may be: what the ledger says, 1 without one. */
unsigned long pby_budget_rows(const pby_budget *budget);

/* Answers as a charge would, before the data are looked at: the order of two refusals then tells nothing of
 * the data. */
PBY_CHECKED
pby_status pby_budget_affords(const pby_budget *budget, pby_error *err);

/* Charges one use. To be called when everything has been checked and no noise has been drawn: unless it
 * returns PBY_OK, nothing may be released. */
PBY_CHECKED
pby_status pby_budget_spend(const pby_budget *budget, pby_error *err);

void pby_budget_close(pby_budget *budget);

#endif
