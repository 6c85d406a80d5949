/* SPDX-License-Identifier: MIT */
/* The loss of a list of uses in the kind of a claim: rho for a claim of rho, and so on. */
#ifndef PBY_DEPLOYMENT_AMOUNT_H
#define PBY_DEPLOYMENT_AMOUNT_H

#include "deployment/deployment.h"
#include "mechanism/family.h"
#include "probity/enclosure.h"

typedef struct pby_amount {
    bool exact; /* value is the number, and of gdp its square */
    fmpq_t value;
    pby_enclosure ends;
} pby_amount;

void pby_amount_init(pby_amount *x);
void pby_amount_clear(pby_amount *x);
void pby_amount_swap(pby_amount *x, pby_amount *y);

/* The number of a claim that an amount is compared with: delta of approx, else the claim's own. */
const pby_stated_number *pby_amount_limit(const pby_deployment_claim *claim);

/* Enclosed ever more closely, effort from 0 on: where the enclosure does not decide, ask with the next. */
enum { PBY_EFFORTS = 3 };

/* Above: uses of a fixed list, or chosen adaptively. Below: the lower end counts, and no bound may stand for
 * it. */
typedef enum pby_reach { PBY_REACH_FIXED, PBY_REACH_ADAPTIVE, PBY_REACH_BELOW } pby_reach;

PBY_CHECKED
pby_status pby_amount_ask(pby_amount *out, const pby_spec *spec, pby_neighbours relation,
                          const pby_deployment_claim *claim, pby_reach side, int effort, pby_error *err);

/* A number that is known: rho, epsilon, or the square of mu. */
void pby_amount_set(pby_amount *out, const fmpq_t value, pby_claim_kind kind);

/* -1 if it is at most the limit, 1 if it is above, 0 if neither is known. */
int pby_amount_compare(const pby_amount *x, mpq_srcptr limit, pby_claim_kind kind);

/* "rho 0.0728", "delta [1.27774702e-05, 1.27774703e-05] at 1.453"; lower is NULL or has another lower end. */
void pby_amount_print(FILE *out, const pby_amount *x, const pby_amount *lower,
                      const pby_deployment_claim *claim);
void pby_amount_ends(char lo[PBY_DECIMAL_SIZE], char hi[PBY_DECIMAL_SIZE], const pby_amount *x,
                     const pby_amount *lower, pby_claim_kind kind);

/* The guarantee that a claim is, as a spec; NULL where none says it. `number` stands in place of the claim's
 * own unless it is NULL. */
PBY_CHECKED
pby_status pby_claim_spec(pby_spec **out, const pby_deployment_claim *claim, mpq_srcptr number,
                          pby_error *err);

#endif
