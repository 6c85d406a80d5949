/* SPDX-License-Identifier: MIT */
#include "transport/programme.h"

#include <criterion/criterion.h>
#include <flint/ulong_extras.h>

#include "tests/exact/lp.h"

enum { ROWS = 4, COLUMNS = 7 };

/* Random programmes, bounded as the first row bounds the sum; some have no x, and some rows say nothing. */
Test(programme, finds_what_another_simplex_method_finds)
{
    flint_rand_t state;
    int none = 0, some = 0;
    flint_randinit(state);
    for (int round = 0; round < 200; round++) {
        pby_programme p;
        exact_lp lp;
        fmpq cost[COLUMNS];
        fmpq_t best;
        mpq_t expected, found;
        bool possible;
        fmpq_init(best);
        mpq_inits(expected, found, NULL);
        cr_assert_eq(pby_programme_init(&p, ROWS, COLUMNS, NULL), PBY_OK);
        exact_lp_init(&lp, ROWS, COLUMNS);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j <= COLUMNS; j++) {
                const slong copied = round % 5 == 0 && i == 2; /* the row before, twice */
                const slong n = i == 0   ? (j < COLUMNS ? 1 : 5)
                                : copied ? 2 * fmpz_get_si(fmpq_numref(pby_programme_at(&p, 1, j)))
                                         : (slong)n_randint(state, 7) - 3;
                fmpq_set_si(pby_programme_at(&p, i, j), n, 1);
                mpq_set_si(j < COLUMNS ? exact_lp_at(&lp, i, j) : lp.b[i], n, 1);
            }
        const exact_outcome outcome = exact_lp_solve(&lp, expected, NULL);
        cr_assert_eq(pby_programme_start(&p, &possible, NULL), PBY_OK);
        cr_assert_eq(possible, outcome != EXACT_INFEASIBLE, "round %d", round);
        for (size_t j = 0; j < COLUMNS; j++)
            fmpq_init(&cost[j]);
        for (int again = 0; again < 3 && possible; again++) {
            for (size_t j = 0; j < COLUMNS; j++) {
                const slong n = (slong)n_randint(state, 9) - 4;
                fmpq_set_si(&cost[j], n, 3);
                mpq_set_si(lp.c[j], n, 3);
                mpq_canonicalize(lp.c[j]);
            }
            cr_assert_eq(exact_lp_solve(&lp, expected, NULL), EXACT_OPTIMAL);
            cr_assert_eq(pby_programme_best(best, &p, cost, NULL), PBY_OK);
            fmpq_get_mpq(found, best);
            cr_assert(mpq_equal(found, expected), "round %d", round);
        }
        some += possible;
        none += !possible;
        for (size_t j = 0; j < COLUMNS; j++)
            fmpq_clear(&cost[j]);
        pby_programme_clear(&p);
        exact_lp_clear(&lp);
        mpq_clears(expected, found, NULL);
        fmpq_clear(best);
    }
    cr_assert(some > 20 && none > 20, "%d and %d", some, none);
    flint_randclear(state);
}

/* x0 - x1 = 0 with a gain in both has no greatest. */
Test(programme, a_gain_without_end_is_refused)
{
    pby_programme p;
    fmpq cost[2];
    fmpq_t best;
    bool possible;
    fmpq_init(best);
    fmpq_init(&cost[0]);
    fmpq_init(&cost[1]);
    fmpq_one(&cost[0]);
    cr_assert_eq(pby_programme_init(&p, 1, 2, NULL), PBY_OK);
    fmpq_one(pby_programme_at(&p, 0, 0));
    fmpq_set_si(pby_programme_at(&p, 0, 1), -1, 1);
    cr_assert_eq(pby_programme_start(&p, &possible, NULL), PBY_OK);
    cr_assert(possible);
    cr_assert_eq(pby_programme_best(best, &p, cost, NULL), PBY_BAD);
    pby_programme_clear(&p);
    fmpq_clear(&cost[0]);
    fmpq_clear(&cost[1]);
    fmpq_clear(best);
}
