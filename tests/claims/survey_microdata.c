/* SPDX-License-Identifier: MIT */
/* [Survey] section 9.1: errors of microdata. */
#include <arb.h>
#include <criterion/criterion.h>
#include <fmpq.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"

enum { PREC = 256 };

/* Bars alone with geometric noise of rate e, each clipped at 0. With a = exp(-e) a bar has at most C^2 =
 * 2a/(1-a)^2, and the sum of m at most D^2 = m C^2 + m (m-1) (a/(1-a^2))^2, as the mean of max(0, Z) is the
 * greatest bias of a bar. */
static void clipped(arb_t c, arb_t d, slong e, ulong m)
{
    arb_t a, x;
    arb_init(a);
    arb_init(x);
    arb_set_si(a, -e);
    arb_exp(a, a, PREC);
    arb_sub_ui(x, a, 1, PREC);
    arb_mul(x, x, x, PREC);
    arb_div(c, a, x, PREC);
    arb_mul_2exp_si(c, c, 1);
    arb_mul(x, a, a, PREC);
    arb_sub_ui(x, x, 1, PREC);
    arb_div(x, a, x, PREC);
    arb_mul(x, x, x, PREC);
    arb_mul_ui(x, x, m * (m - 1), PREC);
    arb_mul_ui(d, c, m, PREC);
    arb_add(d, d, x, PREC);
    arb_sqrt(c, c, PREC);
    arb_sqrt(d, d, PREC);
    arb_clear(x);
    arb_clear(a);
}

/* left = exp(2 e (2C + k)), right = k (m - 1)/(16C + 8D + 4k). */
static void sides(arb_t left, arb_t right, const arb_t c, const arb_t d, const arb_t k, slong e, ulong m)
{
    arb_t x;
    arb_init(x);
    arb_mul_2exp_si(left, c, 1);
    arb_add(left, left, k, PREC);
    arb_mul_si(left, left, 2 * e, PREC);
    arb_exp(left, left, PREC);
    arb_mul_2exp_si(x, c, 2);
    arb_addmul_ui(x, d, 2, PREC);
    arb_add(x, x, k, PREC);
    arb_mul_2exp_si(x, x, 2);
    arb_mul_ui(right, k, m - 1, PREC);
    arb_div(right, right, x, PREC);
    arb_clear(x);
}

/* At e = 8, m = 1000 and k = 7/100, where 2C + k is no whole number, 7.03 is not above 8.98.
 * claims: Survey/Theorem 9.3 */
Test(claims_microdata, records_are_whole)
{
    arb_t c, d, k, left, right;
    arb_init(c);
    arb_init(d);
    arb_init(k);
    arb_init(left);
    arb_init(right);
    clipped(c, d, 8, 1000);
    arb_set_ui(k, 7);
    arb_div_ui(k, k, 100, PREC);
    sides(left, right, c, d, k, 8, 1000);
    cr_assert(arb_gt(right, left));
    claims_tell_arb("Survey/Theorem 9.3", right, left);
    arb_clear(right);
    arb_clear(left);
    arb_clear(k);
    arb_clear(d);
    arb_clear(c);
}

/* With every whole t = 2C + k it holds of these mechanisms.
 * claims: Survey/Theorem 9.3 */
Test(claims_microdata, whole_numbers_of_records)
{
    arb_t c, d, k, left, right;
    arb_init(c);
    arb_init(d);
    arb_init(k);
    arb_init(left);
    arb_init(right);
    for (slong e = 1; e <= 16; e++)
        for (ulong m = 10; m <= 10000000; m *= 10) {
            clipped(c, d, e, m);
            for (ulong t = 1; t <= 24; t++) {
                arb_mul_2exp_si(k, c, 1);
                arb_sub_ui(k, k, t, PREC);
                arb_neg(k, k);
                if (!arb_is_positive(k))
                    continue;
                sides(left, right, c, d, k, e, m);
                cr_assert(claims_le_arb("Survey/Theorem 9.3", right, left));
            }
        }
    arb_clear(right);
    arb_clear(left);
    arb_clear(k);
    arb_clear(d);
    arb_clear(c);
}

/* The greatest of d exponential variables of mean 1 is a sum of independent ones of means 1, 1/2, ..., 1/d:
 * its mean is H = 1 + ... + 1/d, and that of its square H^2 + 1 + 1/4 + ... + 1/d^2. At d = 6 this is
 * 26978/3600 = 7.4939, and 3 ln 6 + 2 = 7.3753 is promised.
 * claims: Survey/Lemma 9.4 */
Test(claims_microdata, the_square_of_the_greatest)
{
    mpq_t mean, spread, square, part;
    arb_t log, bound, exact;
    fmpq_t q;
    fmpq_init(q);
    arb_init(log);
    arb_init(bound);
    arb_init(exact);
    mpq_inits(mean, spread, square, part, NULL);
    for (unsigned d = 1; d <= 200; d++) {
        mpq_set_ui(part, 1, d);
        mpq_add(mean, mean, part);
        mpq_mul(part, part, part);
        mpq_add(spread, spread, part);
        mpq_mul(square, mean, mean);
        mpq_add(square, square, spread);
        arb_log_ui(log, d, PREC);
        fmpq_set_mpq(q, mean);
        arb_set_fmpq(exact, q, PREC);
        arb_add_ui(bound, log, 1, PREC);
        cr_assert(d == 1 || arb_lt(exact, bound)); /* E max <= ln d + 1, with equality at 1 */
        fmpq_set_mpq(q, square);
        arb_set_fmpq(exact, q, PREC);
        arb_mul(bound, log, log, PREC);
        arb_addmul_ui(bound, log, 2, PREC);
        arb_add_ui(bound, bound, 2, PREC);
        cr_assert(d == 1 || claims_lt_arb("Survey/Lemma 9.4", exact, bound));
        arb_mul_ui(bound, log, 3, PREC);
        arb_add_ui(bound, bound, 2, PREC);
        cr_assert(d == 1 || (d < 6 ? arb_lt(exact, bound) : arb_gt(exact, bound)));
        if (d == 6) {
            cr_assert_eq(mpq_cmp_ui(square, 26978, 3600), 0);
            claims_tell_arb("Survey/Lemma 9.4", exact, bound);
        }
    }
    mpq_clears(mean, spread, square, part, NULL);
    arb_clear(exact);
    arb_clear(bound);
    arb_clear(log);
    fmpq_clear(q);
}
