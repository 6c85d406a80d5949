/* SPDX-License-Identifier: MIT */
/* The permission that a release is charged by: a certificate that holds, or a spec that the caller answers
 * for. */
#ifndef PBY_RELEASE_PERMISSION_H
#define PBY_RELEASE_PERMISSION_H

#include <stdbool.h>
#include <stddef.h>

#include "probity/release.h"
#include "release/budget.h"

struct pby_permission {
    pby_certificate *certificate; /* NULL: a spec alone */
    pby_spec *own;
    pby_budget budget;
};

/* The number of operands that name the mechanism: a certificate alone, or SPECs; at least one of them is
 * looked at. */
int pby_permission_count(int operands, char **argv);

/* pby_permission_open of a spec, which is taken whether it succeeds or not. */
PBY_CHECKED
pby_status pby_permission_of(pby_permission **out, pby_spec *spec, const char *ledger, const char *argument,
                             pby_error *err);

/* pby_permission_open of such operands: a certificate, or count specs. argument is what named the ledger. */
PBY_CHECKED
pby_status pby_permission_ask(pby_permission **out, const char *const *texts, size_t count,
                              const char *ledger, const char *argument, pby_error *err);

#endif
