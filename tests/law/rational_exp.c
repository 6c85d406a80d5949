/* SPDX-License-Identifier: MIT */
#include "tests/law/rational_exp.h"

enum { TERMS = 120 };

/* The alternating series, whose terms fall in size from the 20th on: two successive partial sums lie
 * on either side of the limit. */
void rational_exp_neg(fmpq_t lo, fmpq_t hi, const fmpq_t x)
{
    fmpq_t term, sum;
    fmpq_init(term);
    fmpq_init(sum);
    fmpq_one(term);
    fmpq_one(sum);
    for (ulong k = 1; k <= TERMS; k++) {
        fmpq_mul(term, term, x);
        fmpq_neg(term, term);
        fmpq_div_fmpz(term, term, (fmpz[]){(fmpz)k});
        fmpq_set(k % 2 == 0 ? lo : hi, sum); /* the sum before an even term is below */
        fmpq_add(sum, sum, term);
    }
    fmpq_set(hi, sum); /* after the last, even, term it is above */
    fmpq_clear(sum);
    fmpq_clear(term);
}
