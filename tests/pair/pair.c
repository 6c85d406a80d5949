/* SPDX-License-Identifier: MIT */
#include "pair/pair.h"

#include <criterion/criterion.h>

#include "loss/divergence/divergence.h"
#include "tests/law/make.h"

enum { PREC = 256 };

static void value(arb_t out, const pby_expsum_t numerator, const pby_expsum_t norm)
{
    arb_t below;
    arb_init(below);
    pby_expsum_get_arb(out, numerator, PREC);
    pby_expsum_get_arb(below, norm, PREC);
    arb_div(out, out, below, PREC);
    arb_clear(below);
}

static void check_total(const pby_pair *pair)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    for (size_t i = 0; i < pair->count; i++) {
        pby_expsum_add(p, p, pair->atoms[i].p);
        pby_expsum_add(q, q, pair->atoms[i].q);
    }
    cr_assert(pby_expsum_equal(p, pair->norm_p), "P is not a law");
    cr_assert(pby_expsum_equal(q, pair->norm_q), "Q is not a law");
    pby_expsum_clear(q);
    pby_expsum_clear(p);
}

/* H_e(law || law + shift), outcome by outcome in balls, on a window wide enough to hold all but 2^-100
 * of it: independent of atoms, merging and signs. */
static void brute_force(arb_t out, const pby_law *law, int64_t shift, const fmpq_t epsilon, int64_t window)
{
    arb_t p, q, e;
    arb_init(p);
    arb_init(q);
    arb_init(e);
    arb_set_fmpq(e, epsilon, PREC);
    arb_exp(e, e, PREC);
    arb_zero(out);
    for (int64_t k = -window; k <= window; k++) {
        pby_law_mass_arb(p, law, k, PREC);
        pby_law_mass_arb(q, law, k - shift, PREC);
        arb_submul(p, e, q, PREC);
        arb_nonnegative_part(p, p);
        arb_add(out, out, p, PREC);
    }
    arb_add_error_2exp_si(out, -100);
    arb_clear(e);
    arb_clear(q);
    arb_clear(p);
}

static void hockey(arb_t out, const pby_pair *pair, const fmpq_t epsilon)
{
    pby_expsum_t numerator, denominator;
    pby_expsum_init(numerator);
    pby_expsum_init(denominator);
    pby_hockey_stick(numerator, denominator, pair, epsilon);
    value(out, numerator, denominator);
    pby_expsum_clear(denominator);
    pby_expsum_clear(numerator);
}

static void check_shift(pby_law *law, int64_t shift, int64_t window)
{
    pby_pair pair;
    fmpq_t epsilon;
    arb_t whole, merged, expected, backward;
    pby_pair_init(&pair);
    fmpq_init(epsilon);
    arb_init(whole);
    arb_init(merged);
    arb_init(expected);
    arb_init(backward);
    for (int num = -3; num <= 6; num++) {
        fmpq_set_si(epsilon, num, 4);
        cr_assert_eq(pby_pair_shift(&pair, law, shift, NULL), PBY_OK);
        check_total(&pair);
        hockey(whole, &pair, epsilon);
        brute_force(expected, law, shift, epsilon, window);
        cr_assert(arb_overlaps(whole, expected));
        pby_pair_merge(&pair);
        check_total(&pair);
        hockey(merged, &pair, epsilon);
        cr_assert(arb_overlaps(merged, whole));
        pby_pair_reverse(&pair);
        hockey(backward, &pair, epsilon);
        brute_force(expected, law, -shift, epsilon, window);
        cr_assert(arb_overlaps(backward, expected), "(Q, P) is the shift the other way");
        pby_pair_clear(&pair);
    }
    arb_clear(backward);
    arb_clear(expected);
    arb_clear(merged);
    arb_clear(whole);
    fmpq_clear(epsilon);
    pby_law_free(law);
}

Test(pair, shifts_of_stlap)
{
    check_shift(make_stlap("1/2", "40"), 1, 50);
    check_shift(make_stlap("1/2", "40"), -1, 50);
    check_shift(make_stlap("2", "7/3"), 1, 10);
    check_shift(make_stlap("1", "9/2"), 3, 20);
    check_shift(make_stlap("1", "1/2"), 1, 5);
}

Test(pair, shifts_of_geometric)
{
    check_shift(make_geometric("1/2"), 1, 300);
    check_shift(make_geometric("1/2"), -1, 300);
    check_shift(make_geometric("1/2"), 4, 300);
    check_shift(make_geometric("3"), -7, 100);
}

/* mass(k-1)/mass(k) is one constant in each run of a law, and does not go on beyond it by mistake of the
 * bounds. */
static void check_runs(pby_law *law)
{
    pby_expsum_t a, b, first, second, left, right;
    pby_expsum_init(a);
    pby_expsum_init(b);
    pby_expsum_init(first);
    pby_expsum_init(second);
    pby_expsum_init(left);
    pby_expsum_init(right);
    for (int i = 0; i < 2; i++) {
        cr_assert(law->run[i].from == law->run[i].to ||
                  (law->run[i].from >= law->lo && law->run[i].to <= law->hi));
        for (int64_t k = law->run[i].from + 1; k <= law->run[i].to; k++) {
            pby_law_mass(a, law, k - 1);
            pby_law_mass(b, law, k);
            if (k == law->run[i].from + 1) {
                pby_expsum_set(first, a);
                pby_expsum_set(second, b);
            }
            pby_expsum_mul(left, a, second);
            pby_expsum_mul(right, b, first);
            cr_assert(pby_expsum_equal(left, right), "run %d at %lld", i, (long long)k);
        }
    }
    pby_expsum_clear(right);
    pby_expsum_clear(left);
    pby_expsum_clear(second);
    pby_expsum_clear(first);
    pby_expsum_clear(b);
    pby_expsum_clear(a);
    pby_law_free(law);
}

Test(pair, runs_of_laws)
{
    static const char *const q[] = {"1/3", "1/2", "1", "3/2", "2", "9/4", "5", "31/4", "8", "41/2", "100/3"};
    for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
        check_runs(make_stlap("1/2", q[i]));
        check_runs(make_stlap("7/3", q[i]));
    }
    for (int64_t bound = 1; bound <= 9; bound++)
        check_runs(make_tgeometric("2/3", bound));
}

/* Makes the pair outcome by outcome. */
static void shift_singly(pby_pair *pair, const pby_law *law, int64_t shift)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_set(pair->norm_p, law->norm);
    pby_expsum_set(pair->norm_q, law->norm);
    for (int64_t k = law->lo - 10; k <= law->hi + 10; k++) {
        pby_law_mass(p, law, k);
        pby_law_mass(q, law, k - shift);
        cr_assert_eq(pby_pair_append(pair, p, q, NULL), PBY_OK);
    }
    pby_expsum_clear(q);
    pby_expsum_clear(p);
}

static void check_long(pby_law *law, int64_t shift)
{
    pby_pair runs, single;
    fmpq_t epsilon;
    pby_expsum_t a, b, norm;
    pby_pair_init(&runs);
    pby_pair_init(&single);
    fmpq_init(epsilon);
    pby_expsum_init(a);
    pby_expsum_init(b);
    pby_expsum_init(norm);
    cr_assert_gt(law->hi - law->lo, PBY_SINGLE_MAX);
    cr_assert_eq(pby_pair_shift(&runs, law, shift, NULL), PBY_OK);
    cr_assert_lt(runs.count, 64u);
    check_total(&runs);
    shift_singly(&single, law, shift);
    for (int num = -1; num <= 3; num++) {
        fmpq_set_si(epsilon, num, 200);
        pby_hockey_stick(a, norm, &runs, epsilon);
        pby_hockey_stick(b, norm, &single, epsilon);
        cr_assert(pby_expsum_equal(a, b), "at %d/200", num);
    }
    pby_expsum_clear(norm);
    pby_expsum_clear(b);
    pby_expsum_clear(a);
    fmpq_clear(epsilon);
    pby_pair_clear(&single);
    pby_pair_clear(&runs);
    pby_law_free(law);
}

Test(pair, thousands_of_outcomes_are_a_few_runs)
{
    check_long(make_stlap("1/100", "19999/4"), 1);
    check_long(make_stlap("1/100", "5000"), -3);
    check_long(make_tgeometric("1/100", 2500), 7);
}

Test(pair, merging_leaves_a_handful)
{
    pby_pair pair;
    pby_pair_init(&pair);
    pby_law *law = make_stlap("1/2", "1000");
    cr_assert_eq(pby_pair_shift(&pair, law, 1, NULL), PBY_OK);
    cr_assert_eq(pair.count, 1002u);
    pby_pair_merge(&pair);
    cr_assert_leq(pair.count, 8u);
    check_total(&pair);
    pby_pair_clear(&pair);
    pby_law_free(law);
}

Test(pair, product_multiplies_masses)
{
    pby_pair a, b, product;
    pby_pair_init(&a);
    pby_pair_init(&b);
    pby_pair_init(&product);
    pby_law *first = make_stlap("1", "2"), *second = make_geometric("1/3");
    cr_assert_eq(pby_pair_shift(&a, first, 1, NULL), PBY_OK);
    cr_assert_eq(pby_pair_shift(&b, second, 2, NULL), PBY_OK);
    cr_assert_eq(pby_pair_product(&product, &a, &b, NULL), PBY_OK);
    cr_assert_eq(product.count, a.count * b.count);
    check_total(&product);
    pby_pair_clear(&product);
    pby_pair_clear(&b);
    pby_pair_clear(&a);
    pby_law_free(second);
    pby_law_free(first);
}

/* Outcomes of one side alone, of both and of many equal ratios, out of order: what is gathered has the same
 * divergence at every epsilon, fewer atoms, and no ratio twice. */
Test(pair, gathering_changes_no_divergence)
{
    pby_pair a, product, gathered;
    arb_t before, after;
    fmpq_t epsilon;
    arb_init(before);
    arb_init(after);
    fmpq_init(epsilon);
    pby_pair_init(&a);
    pby_pair_init(&product);
    pby_pair_init(&gathered);
    pby_law *law = make_stlap("1", "5");
    cr_assert_eq(pby_pair_shift(&a, law, 2, NULL), PBY_OK);
    cr_assert_eq(pby_pair_product(&product, &a, &a, NULL), PBY_OK);
    cr_assert_eq(pby_pair_product(&gathered, &a, &a, NULL), PBY_OK);
    cr_assert_eq(pby_pair_gather(&gathered, NULL), PBY_OK);
    check_total(&gathered);
    cr_assert_lt(2 * gathered.count, product.count);
    for (int num = -8; num <= 8; num++) {
        fmpq_set_si(epsilon, num, 3);
        hockey(before, &product, epsilon);
        hockey(after, &gathered, epsilon);
        arb_sub(before, before, after, PREC);
        cr_assert(arb_contains_zero(before), "%d/3", num);
        mag_zero(arb_radref(before));
        cr_assert(arf_cmpabs_2exp_si(arb_midref(before), -200) < 0, "%d/3", num);
    }
    const size_t once = gathered.count;
    cr_assert_eq(pby_pair_gather(&gathered, NULL), PBY_OK);
    cr_assert_eq(gathered.count, once);
    pby_pair_clear(&gathered);
    pby_pair_clear(&product);
    pby_pair_clear(&a);
    pby_law_free(law);
    fmpq_clear(epsilon);
    arb_clear(after);
    arb_clear(before);
}

/* A regression: a chance of 2^-(3 10^11) ended the process, which asked for a denominator of as many bits. */
Test(pair, a_chance_too_small_for_a_rational_is_refused)
{
    pby_error err = PBY_NO_ERROR;
    pby_pair pair;
    arb_t p, q;
    arb_init(p);
    arb_init(q);
    for (int i = 0; i < 2; i++) {
        pby_pair_init(&pair);
        arb_set_ui(p, 1);
        arb_mul_2exp_si(p, p, -(INT64_C(1) << 38));
        arb_set_ui(q, 1);
        arb_div_ui(q, q, 3, PREC);
        cr_expect_eq(pby_pair_two_balls(&pair, i == 0 ? p : q, i == 0 ? q : p, &err), PBY_FAILED);
        cr_expect_not_null(strstr(err.text, "a chance below 2^-1073741824"), "%s", err.text);
        pby_pair_clear(&pair);
    }
    arb_clear(q);
    arb_clear(p);
}
