/* SPDX-License-Identifier: MIT */
/* Linear programmes in rationals: maximise c x where A x = b and x >= 0, by the simplex method with Bland's
 * rule, which ends. */
#ifndef PBY_TESTS_EXACT_LP_H
#define PBY_TESTS_EXACT_LP_H

#include <gmp.h>
#include <stddef.h>

typedef struct {
    size_t rows, columns;
    mpq_t *a, *b, *c; /* a has rows x columns entries, row by row; all begin as 0 */
} exact_lp;

typedef enum { EXACT_OPTIMAL, EXACT_INFEASIBLE, EXACT_UNBOUNDED } exact_outcome;

void exact_lp_init(exact_lp *lp, size_t rows, size_t columns);
void exact_lp_clear(exact_lp *lp);
mpq_ptr exact_lp_at(exact_lp *lp, size_t row, size_t column);
/* best and x (columns entries; NULL if not asked for) are set when the outcome is EXACT_OPTIMAL. */
exact_outcome exact_lp_solve(const exact_lp *lp, mpq_t best, mpq_t *x);

#endif
