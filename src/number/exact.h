/* SPDX-License-Identifier: MIT */
/* A rational in full, as the answers print it. */
#ifndef PBY_NUMBER_EXACT_H
#define PBY_NUMBER_EXACT_H

#include <gmp.h>

/* An exact decimal, or a fraction where there is none; for free(3), NULL when there is no memory. */
char *pby_exact_text(mpq_srcptr x);

#endif
