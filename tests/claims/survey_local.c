/* SPDX-License-Identifier: MIT */
/* [Survey] section 7.4 in rationals: one bit of each user, and rounding. */
#include <criterion/criterion.h>

#include "kernel/rounding.h"
#include "tests/claims/decide.h"
#include "tests/claims/report.h"

/* The chance that x of m is reported as 1: rounded up with chance x/m, and told truly with odds g. */
static void chance_of_one(mpq_t out, unsigned long x, unsigned long m, mpq_srcptr g)
{
    mpq_t t;
    mpq_init(t);
    mpq_set_ui(t, 1, 1);
    mpq_sub(out, g, t);
    mpq_set_ui(t, x, m);
    mpq_canonicalize(t);
    mpq_mul(out, out, t);
    mpq_set_ui(t, 1, 1);
    mpq_add(out, out, t);
    mpq_add(t, t, g);
    mpq_div(out, out, t);
    mpq_clear(t);
}

static void complement(mpq_t out, mpq_srcptr p)
{
    mpq_set_ui(out, 1, 1);
    mpq_sub(out, out, p);
}

/* Odds 3/2, 3 and 10, m up to 6: for all two values and both reports the ratio of the chances is at most g,
 * and 0 and m reach it.
 * claims: Survey/Lemma 7.5 */
Test(claims_local, one_bit_loses_the_log_of_the_odds)
{
    static const unsigned long odds[][2] = {{3, 2}, {3, 1}, {10, 1}};
    mpq_t g, p, q, t;
    mpq_inits(g, p, q, t, NULL);
    for (size_t i = 0; i < 3; i++)
        for (unsigned long m = 1; m <= 6; m++)
            for (unsigned long x = 0; x <= m; x++)
                for (unsigned long y = 0; y <= m; y++) {
                    mpq_set_ui(g, odds[i][0], odds[i][1]);
                    chance_of_one(p, x, m, g);
                    chance_of_one(q, y, m, g);
                    mpq_mul(t, g, q);
                    cr_assert(claims_le("Survey/Lemma 7.5", p, t));
                    cr_assert(x != m || y != 0 || mpq_equal(p, t), "the ends reach it");
                    complement(p, p);
                    complement(q, q);
                    mpq_mul(t, g, q);
                    cr_assert(claims_le("Survey/Lemma 7.5", p, t));
                }
    mpq_clears(g, p, q, t, NULL);
}

/* The mean of m (Y (g+1) - 1)/(g-1) is x, for every x of m up to 6.
 * claims: Survey/Section 7.4.2, unbiased */
Test(claims_local, the_estimate_of_the_mean_is_unbiased)
{
    mpq_t g, mean, t;
    mpq_inits(g, mean, t, NULL);
    for (unsigned long odds = 2; odds <= 5; odds++)
        for (unsigned long m = 1; m <= 6; m++)
            for (unsigned long x = 0; x <= m; x++) {
                mpq_set_ui(g, odds, 1);
                chance_of_one(mean, x, m, g);
                mpq_set_ui(t, odds + 1, 1);
                mpq_mul(mean, mean, t);
                mpq_set_ui(t, 1, 1);
                mpq_sub(mean, mean, t);
                mpq_set_ui(t, m, odds - 1);
                mpq_canonicalize(t);
                mpq_mul(mean, mean, t);
                mpq_set_ui(t, x, 1);
                cr_assert(claims_eq("Survey/Section 7.4.2, unbiased", mean, t));
            }
    mpq_clears(g, mean, t, NULL);
}

/* The share of offsets from `first` to m - 1 that round x up, where x + offset is above m, or at least m. */
static void chance_of_top(mpq_t out, int64_t x, int64_t m, int64_t first, bool above)
{
    unsigned long tops = 0;
    for (int64_t offset = first; offset < m; offset++) {
        int64_t y = x + offset > m;
        if (!above)
            pby_round_up(&y, &x, 1, &offset, m);
        tops += (unsigned long)y;
    }
    mpq_set_ui(out, tops, (unsigned long)(m - first));
    mpq_canonicalize(out);
}

/* As printed, the offset from 1 to m - 1 and the top where x + offset > m: 1 of 0 .. 2 is always rounded to
 * 0. With offsets from 0 on and >= the chance is x/m.
 * claims: Survey/Lemma 7.8; Survey/Theorem 7.9 */
Test(claims_local, the_printed_rounding_does_not_keep_the_mean)
{
    mpq_t found, promised;
    mpq_inits(found, promised, NULL);
    for (int64_t m = 1; m <= 6; m++)
        for (int64_t x = 0; x <= m; x++) {
            chance_of_top(found, x, m, 0, false);
            mpq_set_ui(promised, (unsigned long)x, (unsigned long)m);
            mpq_canonicalize(promised);
            cr_assert(claims_eq("Survey/Lemma 7.8; Survey/Theorem 7.9", found, promised));
        }
    chance_of_top(found, 1, 2, 1, true);
    mpq_set_ui(promised, 1, 2);
    claims_tell("Survey/Lemma 7.8", found, promised);
    /* the mean of the rounded value, in units of m, over users who all have 1 of 2 */
    claims_tell("Survey/Theorem 7.9", found, promised);
    cr_assert_eq(mpq_sgn(found), 0);
    mpq_clears(found, promised, NULL);
}
