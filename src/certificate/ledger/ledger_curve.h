/* SPDX-License-Identifier: MIT */
/* A file that bounds a mechanism's loss: bounds on its Renyi divergences at some orders, or on its deltas at
 * some epsilons, between any two neighbours.
 *
 *   order,renyi          epsilon,delta
 *   2,1/10               1/2,1e-3
 *   16,0.9               1,1e-6
 *
 * The first line names the kind. The others are pairs of exact numbers, the first of which grow.
 */
#ifndef PBY_CERTIFICATE_LEDGER_LEDGER_CURVE_H
#define PBY_CERTIFICATE_LEDGER_LEDGER_CURVE_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>

#include "io/digest.h"
#include "probity/ledger.h"

enum { PBY_KNOWN_MAX = 1000, PBY_KNOWN_SIZE_MAX = 1 << 20 };

typedef struct pby_known {
    bool renyi;      /* pairs of an order and a divergence; else of an epsilon and a delta */
    fmpq *at, *most; /* count of each, `at` strictly growing */
    size_t count;
    pby_digest digest; /* of the whole file */
} pby_known;

/* To be cleared whether this succeeds or not. A refusal says which line, and what was expected. */
PBY_CHECKED
pby_status pby_known_parse(pby_known *out, const char *text, size_t size, pby_error *err);
void pby_known_clear(pby_known *known);

/* The least bound on the divergence of an order above 1 that the curve implies; false where the order is
 * beyond its last. */
bool pby_known_at(fmpq_t out, const pby_known *known, const fmpq_t order);

/* Sets *out to the point of the curve that the ledger uses, the spec of a promise that names the curve by its
 * digest; refused if the ledger can use none. The point depends on the budget and the curve alone. */
PBY_CHECKED
pby_status pby_known_spec(pby_spec **out, const pby_known *known, const pby_ledger *ledger, pby_error *err);

#endif
