/* SPDX-License-Identifier: MIT */
#include "audit/bound/bound.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tests/audit/binomial.h"

/* The bound's own tail is within the error, and a slightly better bound's is not. */
Test(audit_bound, clopper_pearson_is_valid_and_tight)
{
    arb_t bound;
    fmpq_t error, p, tail, more;
    arb_init(bound);
    fmpq_init(error);
    fmpq_init(p);
    fmpq_init(tail);
    fmpq_init(more);
    fmpq_set_si(error, 1, 1000);
    for (uint64_t n = 1; n <= 40; n += 13)
        for (uint64_t x = 1; x <= n; x++) {
            pby_clopper_lower(bound, n, x, error);
            binomial_exact(p, bound);
            binomial_above(tail, n, p, x);
            cr_assert(fmpq_cmp(tail, error) <= 0);
            fmpq_set_si(more, 1001, 1000);
            fmpq_mul(p, p, more);
            binomial_above(tail, n, p, x);
            cr_assert(fmpq_cmp(tail, error) > 0, "n %lu x %lu", n, x);

            pby_clopper_upper(bound, n, n - x, error);
            binomial_exact(p, bound);
            binomial_below(tail, n, p, n - x);
            cr_assert(fmpq_cmp(tail, error) <= 0);
        }
    pby_clopper_lower(bound, 10, 0, error);
    cr_assert(arb_is_zero(bound));
    pby_clopper_upper(bound, 10, 10, error);
    cr_assert(arb_is_one(bound));
    fmpq_clear(more);
    fmpq_clear(tail);
    fmpq_clear(p);
    fmpq_clear(error);
    arb_clear(bound);
}

/* True if p > exp(epsilon) q + delta for certain: the statement that was refuted is true. */
static bool untrue(const arb_t epsilon, const fmpq_t delta, const fmpq_t p, const fmpq_t q)
{
    arb_t left, right;
    arb_init(left);
    arb_init(right);
    arb_set_fmpq(left, q, 128);
    arb_exp(right, epsilon, 128);
    arb_mul(right, right, left, 128);
    arb_set_fmpq(left, delta, 128);
    arb_add(right, right, left, 128);
    arb_set_fmpq(left, p, 128);
    const bool yes = arb_ge(right, left);
    arb_clear(right);
    arb_clear(left);
    return yes;
}

enum { N = 14, M = 11 };

/* The exact chance, over all counts, that the bound refutes something true. */
static void chance_of_error(fmpq_t chance, const fmpq_t p, const fmpq_t q, const fmpq_t claimed,
                            bool ask_delta, const pby_share *share)
{
    arb_t lower, at;
    fmpq_t mass, other, found;
    arb_init(lower);
    arb_init(at);
    fmpq_init(mass);
    fmpq_init(other);
    fmpq_init(found);
    fmpq_zero(chance);
    for (uint64_t x = 0; x <= N; x++)
        for (uint64_t y = 0; y <= M; y++) {
            const pby_evidence e = {N, x, M, y};
            if (ask_delta)
                pby_refuted_delta(lower, &e, claimed, share);
            else
                pby_refuted_epsilon(lower, &e, claimed, share);
            if (!arb_is_finite(lower))
                continue;
            binomial_exact(found, lower);
            arb_set_fmpq(at, claimed, 128);
            if (!(ask_delta ? untrue(at, found, p, q) : untrue(lower, claimed, p, q)))
                continue;
            binomial_mass(mass, N, p, x);
            binomial_mass(other, M, q, y);
            fmpq_mul(mass, mass, other);
            fmpq_add(chance, chance, mass);
        }
    fmpq_clear(found);
    fmpq_clear(other);
    fmpq_clear(mass);
    arb_clear(at);
    arb_clear(lower);
}

static void never_errs_more(unsigned split, bool ask_delta, slong claimed_numerator,
                            ulong claimed_denominator)
{
    static const slong chances[][4] = {{1, 2, 1, 2}, {3, 4, 1, 4},  {9, 10, 1, 10},
                                       {1, 1, 1, 3}, {1, 3, 1, 50}, {1, 5, 1, 5}};
    fmpq_t p, q, claimed, chance;
    pby_share share = {.split = split};
    fmpq_init(p);
    fmpq_init(q);
    fmpq_init(claimed);
    fmpq_init(chance);
    fmpq_init(share.error);
    fmpq_set_si(share.error, 1, 10);
    fmpq_set_si(claimed, claimed_numerator, claimed_denominator);
    for (size_t i = 0; i < sizeof chances / sizeof *chances; i++) {
        fmpq_set_si(p, chances[i][0], (ulong)chances[i][1]);
        fmpq_set_si(q, chances[i][2], (ulong)chances[i][3]);
        chance_of_error(chance, p, q, claimed, ask_delta, &share);
        cr_assert(fmpq_cmp(chance, share.error) <= 0, "split %u, case %zu", split, i);
    }
    fmpq_clear(share.error);
    fmpq_clear(chance);
    fmpq_clear(claimed);
    fmpq_clear(q);
    fmpq_clear(p);
}

Test(audit_bound, epsilon_errs_at_most_as_allowed_in_all)
{
    never_errs_more(0, false, 0, 1);
    never_errs_more(0, false, 1, 10);
    never_errs_more(32, false, 0, 1);
    never_errs_more(4, false, 1, 10);
}

Test(audit_bound, delta_errs_at_most_as_allowed_in_all)
{
    never_errs_more(0, true, 0, 1);
    never_errs_more(0, true, 1, 2);
    never_errs_more(60, true, 1, 2);
}

static double refuted(const pby_evidence *e, unsigned split, bool ask_delta)
{
    pby_share share = {.split = split};
    fmpq_t zero;
    arb_t lower;
    fmpq_init(zero);
    fmpq_init(share.error);
    arb_init(lower);
    fmpq_set_si(share.error, 1, 1000000);
    if (ask_delta)
        pby_refuted_delta(lower, e, zero, &share);
    else
        pby_refuted_epsilon(lower, e, zero, &share);
    const double value = arf_get_d(arb_midref(lower), ARF_RND_DOWN);
    const double guess = ask_delta ? pby_guess_delta(e, 0, &share) : pby_guess_epsilon(e, 0, &share);
    cr_assert(isinf(value) || fabs(value - guess) < 0.02, "guessed %g, proved %g", guess, value);
    arb_clear(lower);
    fmpq_clear(share.error);
    fmpq_clear(zero);
    return value;
}

Test(audit_bound, proof_comes_close_to_the_guess)
{
    cr_assert_gt(refuted(&(pby_evidence){100000, 60000, 100000, 20000}, 0, false), 1.06);
    cr_assert_gt(refuted(&(pby_evidence){100000, 60000, 100000, 20000}, 32, false), 1.05);
    cr_assert_gt(refuted(&(pby_evidence){100000, 60000, 100000, 20000}, 0, true), 0.38);
    cr_assert_gt(refuted(&(pby_evidence){100000, 3000, 100000, 0}, 4, false), 5.2);
    cr_assert(isinf(refuted(&(pby_evidence){1000, 500, 1000, 500}, 0, false)));
}

/* Two moderate counts weigh together: what splitting the error cannot show. */
Test(audit_bound, joint_shows_more_than_split_for_balanced_counts)
{
    const pby_evidence e = {1000000, 1167, 1000000, 529};
    cr_assert_gt(refuted(&e, 0, false), 0.52);
    cr_assert_lt(refuted(&e, 32, false), 0.45);
}

Test(audit_bound, no_cap_but_the_data)
{
    cr_assert_gt(refuted(&(pby_evidence){1000000, 1000000, 1000000, 0}, 32, false), 11);
}

/* The split bound is made of the two Clopper-Pearson bounds at exactly their parts of the error. */
Test(audit_bound, split_uses_the_parts_that_it_names)
{
    const pby_evidence e = {1000, 400, 2000, 100};
    pby_share share = {.split = 16};
    fmpq_t part, zero;
    arb_t p, q, expected, lower;
    fmpq_init(share.error);
    fmpq_init(part);
    fmpq_init(zero);
    arb_init(p);
    arb_init(q);
    arb_init(expected);
    arb_init(lower);
    fmpq_set_si(share.error, 1, 1000);
    fmpq_set_si(part, 1, 4000);
    pby_clopper_lower(p, e.n, e.x, part);
    fmpq_set_si(part, 3, 4000);
    pby_clopper_upper(q, e.m, e.y, part);
    arb_div(expected, p, q, 96);
    arb_log(expected, expected, 96);
    pby_refuted_epsilon(lower, &e, zero, &share);
    cr_assert(arb_overlaps(lower, expected) || arb_le(lower, expected));
    arb_sub(lower, expected, lower, 96);
    cr_assert(arf_cmpabs_d(arb_midref(lower), 1e-20) < 0);
    arb_clear(lower);
    arb_clear(expected);
    arb_clear(q);
    arb_clear(p);
    fmpq_clear(zero);
    fmpq_clear(part);
    fmpq_clear(share.error);
}

/* The joint bound refutes only where the largest product of the tails is at most the c with
 * c (1 - log c) = error: summed here in rationals over a grid of q. */
Test(audit_bound, joint_refutes_only_below_its_level)
{
    const double error = 0.05;
    fmpq_t share_error, q, p, u, v, factor;
    arb_t epsilon, zero, exact;
    fmpq_init(share_error);
    fmpq_init(q);
    fmpq_init(p);
    fmpq_init(u);
    fmpq_init(v);
    fmpq_init(factor);
    arb_init(epsilon);
    arb_init(zero);
    arb_init(exact);
    fmpq_set_si(share_error, 1, 20);
    const double c = exp(pby_joint_level(error));
    cr_assert_float_eq(c * (1 - log(c)), error, 1e-12);
    for (uint64_t x = 12; x <= 20; x += 2)
        for (slong times = 1; times <= 4; times++) {
            const pby_evidence e = {20, x, 20, 3};
            double most = 0;
            arb_set_si(epsilon, times); /* exp(epsilon) = times */
            arb_log(epsilon, epsilon, 96);
            fmpq_set_si(factor, times, 1);
            for (slong i = 0; i <= 400; i++) {
                fmpq_set_si(q, i, 400);
                fmpq_mul(p, q, factor);
                if (fmpq_cmp_si(p, 1) > 0)
                    fmpq_one(p);
                binomial_above(u, e.n, p, e.x);
                binomial_below(v, e.m, q, e.y);
                fmpq_mul(u, u, v);
                arb_set_fmpq(exact, u, 96);
                most = fmax(most, arf_get_d(arb_midref(exact), ARF_RND_NEAR));
            }
            const bool refuted = pby_joint_refutes(&e, epsilon, zero, share_error);
            cr_assert(!refuted || most <= c, "x %lu, factor %ld: %g > %g", x, times, most, c);
            cr_assert(refuted || most > 0.98 * c, "x %lu, factor %ld: %g < %g", x, times, most, c);
        }
    arb_clear(exact);
    arb_clear(zero);
    arb_clear(epsilon);
    fmpq_clear(factor);
    fmpq_clear(v);
    fmpq_clear(u);
    fmpq_clear(p);
    fmpq_clear(q);
    fmpq_clear(share_error);
}
