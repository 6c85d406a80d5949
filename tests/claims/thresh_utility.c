/* [Thresh] section 5.1: a utility of all elements that one record moves. Delta u = 1, b = Delta u/epsilon with exp(epsilon) = 4, so
 * that Laplace noise beyond s/2 has the chance 2^-s/2; delta = 4^-6, hence kappa = 1 + 6 = 7. The utility of i in D is
 * min(D_i, 14)/2, and 1/2 more when the number of records is odd: no record moves that of one element by more than 1, and a new
 * element has at most 1. M says which elements it sees, which is constant on a fixed universe: (0, 0)-private. */
#include <criterion/criterion.h>
#include <stdlib.h>

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

/* The chance that `k` elements of 14 records each are all hidden, with `more` records elsewhere or on top. */
static void all_hidden(mpq_t out, unsigned k, unsigned more)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(out, 1, 1);
    hidden(one, utility(14, 14 * k + more));
    for (unsigned i = 0; i < k; i++)
        mpq_mul(out, out, one);
    mpq_clear(one);
}

static void assert_sensitivity(void)
{
    for (unsigned n = 1; n < 60; n++)
        for (unsigned c = 0; c <= n; c++) {
            cr_assert(labs(utility(c + 1, n + 1) - (c > 0 ? utility(c, n) : 0)) <= 2);
            cr_assert(c == 0 || labs(utility(c, n + 1) - utility(c, n)) <= 2);
        }
}

/* Case 1: one element of 14 records, and a new one of one record. The old one is hidden with 1/2 before and 1/4 after. Promised:
 * exp(epsilon') = 1/(1 - 4^-6), delta' = 4^-6.
 * claims: Thresh/Lemma 7; Thresh/Corollary 1 */
Test(claims_utility, a_new_element_moves_the_old_one)
{
    mpq_t before, after, share, one;
    mpq_inits(before, after, share, one, NULL);
    assert_sensitivity();
    all_hidden(before, 1, 0);
    all_hidden(after, 1, 1);
    cr_assert(mpq_cmp_ui(before, 1, 2) == 0 && mpq_cmp_ui(after, 1, 4) == 0);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(share, 1, 4096);
    mpq_sub(one, one, share);
    mpq_div(one, after, one);
    mpq_add(one, one, share);
    cr_assert(mpq_cmp(before, one) > 0);
    claims_tell("Thresh/Lemma 7", before, one);
    /* The corollary with exp(epsilon) = 3/2: kappa = Delta u + b log(1/delta) is the same 7. */
    mpq_set_ui(one, 3, 2);
    mpq_mul(one, one, after);
    mpq_add(one, one, share);
    cr_assert(mpq_cmp(before, one) > 0);
    claims_tell("Thresh/Corollary 1", before, one);
    mpq_clears(before, after, share, one, NULL);
}

/* Case 2: three elements of 14 records, one record more in one of them. All hidden: 1/8 before, 1/64 after; exp(Delta u/b) = 4.
 * claims: Thresh/Lemma 8 */
Test(claims_utility, one_record_moves_three_elements)
{
    mpq_t before, after, four;
    mpq_inits(before, after, four, NULL);
    all_hidden(before, 3, 0);
    all_hidden(after, 3, 1);
    mpq_set_ui(four, 4, 1);
    mpq_mul(after, after, four);
    cr_assert(mpq_cmp(before, after) > 0);
    claims_tell("Thresh/Lemma 8", before, after);
    mpq_clears(before, after, four, NULL);
}

/* Five elements: 1/32 before, 1/1024 after; promised are exp(2 epsilon) = 16 and exp(epsilon) delta = 4^-5. The number of records is
 * even before, and the touched element is at its limit.
 * claims: Thresh/Theorem 6 */
Test(claims_utility, one_record_moves_five_elements)
{
    mpq_t before, after, t;
    mpq_inits(before, after, t, NULL);
    all_hidden(before, 5, 0);
    all_hidden(after, 5, 1);
    cr_assert(mpq_cmp_ui(before, 1, 32) == 0 && mpq_cmp_ui(after, 1, 1024) == 0);
    mpq_set_ui(t, 16, 1);
    mpq_mul(after, after, t);
    mpq_set_ui(t, 4, 4096);
    mpq_canonicalize(t);
    mpq_add(after, after, t);
    cr_assert(mpq_cmp(before, after) > 0);
    claims_tell("Thresh/Theorem 6", before, after);
    mpq_clears(before, after, t, NULL);
}

/* With counts as utilities one record moves one element, by one. Kept with the chance h_c = P(c + Lap >= kappa), c to 20, as halves of
 * powers of 4: the pair of a touched element is within exp(epsilon), and a new one is shown with delta/2 at most.
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
        cr_assert(mpq_cmp(here, t) <= 0 && mpq_cmp(there, here) <= 0);
        mpq_set_ui(t, 1, 1);
        mpq_sub(here, t, here);
        mpq_sub(there, t, there);
        mpq_mul(t, here, x);
        cr_assert(mpq_cmp(there, t) <= 0 && mpq_cmp(here, there) <= 0);
        if (c == 1)
            cr_assert(mpq_cmp_ui(here, 1, 2 * 4096) <= 0);
    }
    mpq_clears(here, there, x, t, NULL);
}
