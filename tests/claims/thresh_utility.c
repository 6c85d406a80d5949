/* SPDX-License-Identifier: MIT */
/* [Thresh] section 5.1: a utility of all elements that one record moves. Delta u = 1, b = Delta u/epsilon
 * with exp(epsilon) = 4, so that Laplace noise beyond s/2 has the chance 2^-s/2; delta = 4^-6, hence kappa =
 * 1 + 6 = 7. The utility of i in D is min(D_i, 14)/2, and 1/2 more when the number of records is odd: no
 * record moves that of one element by more than 1, and a new element has at most 1. M reads the number of
 * records that are left, an element that was not kept counting 0, adds geometric noise of ratio a and says
 * whether the sum is below 7: log(1/a) private on a fixed universe. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/claims/stlap.h"

/* Twice the utility of an element of `count` records among n. */
static long utility(unsigned count, unsigned n)
{
    return (long)(count < 14 ? count : 14) + (long)(n % 2);
}

/* P(u + Lap(b) < kappa), u in halves: exp(-1/(2b)) = 1/2. */
static void hidden(mpq_t out, long twice)
{
    const long above = twice - 14;
    mpq_t half, one;
    mpq_inits(half, one, NULL);
    mpq_set_ui(half, 1, 2);
    claims_power(out, half, labs(above) + 1);
    mpq_set_ui(one, 1, 1);
    if (above < 0)
        mpq_sub(out, one, out);
    mpq_clears(half, one, NULL);
}

static void assert_sensitivity(void)
{
    for (unsigned n = 1; n < 60; n++)
        for (unsigned c = 0; c <= n; c++) {
            cr_assert(labs(utility(c + 1, n + 1) - (c > 0 ? utility(c, n) : 0)) <= 2);
            cr_assert(c == 0 || labs(utility(c, n + 1) - utility(c, n)) <= 2);
        }
}

/* P(records + G < 7) for ratio a. */
static void below(mpq_t out, mpq_srcptr a, unsigned records)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    claims_power(out, a, records <= 6 ? 7 - (long)records : (long)records - 6);
    mpq_add(one, one, a);
    mpq_div(out, out, one);
    mpq_set_ui(one, 1, 1);
    if (records <= 6)
        mpq_sub(out, one, out);
    mpq_clear(one);
}

/* The chance that M behind the transformation says "below" on these elements: over all sets of them that are
 * kept. */
static void says_below(mpq_t out, mpq_srcptr a, const unsigned *count, unsigned elements)
{
    mpq_t one, t, h;
    unsigned n = 0;
    mpq_inits(one, t, h, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(out, 0, 1);
    for (unsigned i = 0; i < elements; i++)
        n += count[i];
    for (unsigned kept = 0; kept < 1u << elements; kept++) {
        unsigned left = 0;
        mpq_set_ui(t, 1, 1);
        for (unsigned i = 0; i < elements; i++) {
            hidden(h, utility(count[i], n));
            if (kept >> i & 1) {
                mpq_sub(h, one, h);
                left += count[i];
            }
            mpq_mul(t, t, h);
        }
        below(h, a, left);
        mpq_mul(t, t, h);
        mpq_add(out, out, t);
    }
    mpq_clears(one, t, h, NULL);
}

/* x there + more against here: asserts that here is above, and tells. */
static void refute(const char *row, mpq_srcptr here, mpq_srcptr there, mpq_srcptr x, mpq_srcptr more)
{
    mpq_t promised;
    mpq_init(promised);
    mpq_mul(promised, x, there);
    mpq_add(promised, promised, more);
    cr_assert(mpq_cmp(here, promised) > 0);
    claims_tell(row, here, promised);
    mpq_clear(promised);
}

/* Case 1: one element of 14 records, and a new one of one record. The old one is hidden with 1/2 before and
 * 1/4 after. Promised: exp(epsilon') = 1/(1 - 4^-6), delta' = 4^-6. For the corollary M has ratio 2/3,
 * exp(epsilon) = 3/2, and the same kappa.
 * claims: Thresh/Lemma 7; Thresh/Corollary 1 */
Test(claims_utility, a_new_element_moves_the_old_one)
{
    static const unsigned one[] = {14}, both[] = {14, 1};
    mpq_t a, x, more, before, after;
    mpq_inits(a, x, more, before, after, NULL);
    assert_sensitivity();
    hidden(before, utility(14, 14));
    hidden(after, utility(14, 15));
    cr_assert(mpq_cmp_ui(before, 1, 2) == 0 && mpq_cmp_ui(after, 1, 4) == 0);
    mpq_set_ui(more, 1, 4096);
    mpq_set_ui(x, 4096, 4095);
    mpq_set_ui(a, 1, 4);
    says_below(before, a, one, 1);
    says_below(after, a, both, 2);
    refute("Thresh/Lemma 7", before, after, x, more);
    mpq_set_ui(x, 3, 2);
    mpq_set_ui(a, 2, 3);
    says_below(before, a, one, 1);
    says_below(after, a, both, 2);
    refute("Thresh/Corollary 1", before, after, x, more);
    mpq_clears(a, x, more, before, after, NULL);
}

/* Case 2: five elements of 14 records, one record more in one of them. All are hidden with 1/32 before and
 * 1/1024 after. M has ratio 1/4, so that exp(Delta u/b + epsilon) = exp(2 epsilon) = 16; the theorem adds
 * exp(epsilon) delta = 4^-5.
 * claims: Thresh/Lemma 8; Thresh/Theorem 6 */
Test(claims_utility, one_record_moves_five_elements)
{
    static const unsigned even[] = {14, 14, 14, 14, 14}, odd[] = {15, 14, 14, 14, 14};
    mpq_t a, x, more, before, after;
    mpq_inits(a, x, more, before, after, NULL);
    mpq_set_ui(a, 1, 4);
    mpq_set_ui(x, 16, 1);
    says_below(before, a, even, 5);
    says_below(after, a, odd, 5);
    refute("Thresh/Lemma 8", before, after, x, more);
    mpq_set_ui(more, 4, 4096);
    mpq_canonicalize(more);
    refute("Thresh/Theorem 6", before, after, x, more);
    mpq_clears(a, x, more, before, after, NULL);
}

/* With counts as utilities one record moves one element, by one. Kept with the chance h_c = P(c + Lap >=
 * kappa), c to 20, as halves of powers of 4: the pair of a touched element is within exp(epsilon), and a new
 * one is shown with delta/2 at most.
 * claims: Thresh/Theorem 6; Thresh/Lemma 7; Thresh/Corollary 1 */
Test(claims_utility, counts_as_utilities_hold)
{
    mpq_t here, there, x, t;
    mpq_inits(here, there, x, t, NULL);
    mpq_set_ui(x, 4, 1);
    for (long c = 1; c <= 20; c++) {
        hidden(here, 2 * c);
        hidden(there, 2 * (c + 1));
        mpq_mul(t, there, x);
        cr_assert(claims_le("Thresh/Theorem 6", here, t) && mpq_cmp(there, here) <= 0);
        mpq_set_ui(t, 1, 1);
        mpq_sub(here, t, here);
        mpq_sub(there, t, there);
        mpq_mul(t, here, x);
        cr_assert(claims_le("Thresh/Theorem 6", there, t) && mpq_cmp(here, there) <= 0);
        mpq_set_ui(t, 1, 2 * 4096);
        cr_assert(c > 1 || claims_le("Thresh/Lemma 7; Thresh/Corollary 1", here, t));
    }
    mpq_clears(here, there, x, t, NULL);
}
