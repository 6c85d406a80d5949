/* SPDX-License-Identifier: MIT */
/* The discrete Gaussian law in Coq. */
#ifndef PBY_LAW_GAUSS_FORMAL_H
#define PBY_LAW_GAUSS_FORMAL_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints `law k`, `cdf k` and what the theorem of a table needs (law/law.h). The sum of all weights is a
 * limit, and Coq proves that it lies between two numbers that are close. Returns false if sigma2 is less than
 * 1/16: the masses at the ends of the table are then too small to be told from 0 so. */
bool pby_gauss_formal(FILE *out, const fmpq_t sigma2);

#endif
