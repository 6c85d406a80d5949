/* SPDX-License-Identifier: MIT */
/* [Survey]: statements that a small case or a number decides. */
#include <arb.h>
#include <criterion/criterion.h>
#include <fmpq.h>
#include <stdlib.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"

enum { PREC = 128 };

/* Two kinds of records, the queries being the shares of the two, and n = 10^6 records, half of each kind.
 * alpha/2 = sqrt(ln 2) asks for a database of log(2)/(alpha/2)^2 = 1 record, of which there are two: both are
 * 1/2 off. At epsilon = 1 and beta = 1/20 the formula is 0.0270.
 * claims: Survey/Theorem 6.12 */
Test(claims_survey_texts, a_database_of_one_record)
{
    enum { N = 1000000, BETA = 20 };
    arb_t found, promised, log, x;
    mpq_t half, error, least;
    fmpq_t q;
    mpq_inits(half, error, least, NULL);
    mpq_set_ui(half, N / 2, N);
    mpq_canonicalize(half);
    mpq_set_ui(least, 1, 1);
    for (unsigned long kind = 0; kind < 2;
         kind++) { /* the record of the database: its share of the first kind */
        mpq_set_ui(error, kind, 1);
        mpq_sub(error, error, half);
        mpq_abs(error, error);
        if (mpq_cmp(error, least) < 0)
            mpq_set(least, error);
    }
    fmpq_init(q);
    arb_init(found);
    arb_init(promised);
    arb_init(log);
    arb_init(x);
    fmpq_set_mpq(q, least);
    arb_set_fmpq(found, q, PREC);
    arb_const_log2(log, PREC);
    arb_mul(promised, log, log, PREC);
    arb_mul_ui(promised, promised, 16, PREC);
    arb_log_ui(x, BETA, PREC);
    arb_addmul_ui(promised, x, 4, PREC);
    arb_div_ui(promised, promised, N, PREC);
    arb_root_ui(promised, promised, 3, PREC);
    claims_tell_arb("Survey/Theorem 6.12", found, promised);
    arb_clear(x);
    arb_clear(log);
    arb_clear(promised);
    arb_clear(found);
    fmpq_clear(q);
    mpq_clears(half, error, least, NULL);
}

/* k = 2, order 40, Gaussian noise of variance 100 on threshold and answers, sensitivity 1: 40/200 + 2 40/100
 * + log(3/39) is below 0, and no divergence is, that of equal laws being 0. log(3)/39 in its place is above
 * 0.
 * claims: Survey/Section 9.2.1, bounded length */
Test(claims_survey_texts, a_bound_below_0)
{
    arb_t found, promised, x;
    arb_init(found);
    arb_init(promised);
    arb_init(x);
    arb_set_ui(promised, 1);
    arb_set_ui(x, 3);
    arb_div_ui(x, x, 39, PREC);
    arb_log(x, x, PREC);
    arb_add(promised, promised, x, PREC);
    claims_tell_arb("Survey/Section 9.2.1, bounded length", found, promised);
    arb_clear(x);
    arb_clear(promised);
    arb_clear(found);
}
