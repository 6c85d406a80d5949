/* The pair of pure privacy, which dominates every mechanism that is eps-private. */
#ifndef PBY_MECHANISM_GUARANTEE_PURE_H
#define PBY_MECHANISM_GUARANTEE_PURE_H

#include "mechanism/family.h"

/* One pair; *out is empty, and what a failure leaves in it is cleared by the caller. */
pby_status pby_pure_pairs(pby_pairs *out, const fmpq_t eps, pby_error *err);

#endif
