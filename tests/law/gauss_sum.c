/* SPDX-License-Identifier: MIT */
#include "law/gauss_sum.h"

#include <acb.h>
#include <acb_modular.h>
#include <criterion/criterion.h>

#include "tests/law/make.h"
#include "tests/law/rational_exp.h"

/* f(x) + f(x+1) + ... for s = 1 in rationals, by the series of exp alone: terms down to exp(-18), and
 * at most twice the next one for the rest (the ratios are below 1/2 from x = 1/2 on). */
static void rational_sum(fmpq_t lo, fmpq_t hi, const fmpq_t x)
{
    fmpq_t at, e, elo, ehi;
    fmpq_init(at);
    fmpq_init(e);
    fmpq_init(elo);
    fmpq_init(ehi);
    fmpq_set(at, x);
    fmpq_zero(lo);
    fmpq_zero(hi);
    for (;; fmpq_add_si(at, at, 1)) {
        fmpq_mul(e, at, at);
        fmpq_div_2exp(e, e, 1);
        rational_exp_neg(elo, ehi, e);
        fmpq_add(lo, lo, elo);
        fmpq_add(hi, hi, ehi);
        if (fmpq_cmp_si(e, 14) > 0)
            break;
    }
    fmpq_add(hi, hi, ehi);
    fmpq_clear(ehi);
    fmpq_clear(elo);
    fmpq_clear(e);
    fmpq_clear(at);
}

Test(gauss_sum, surrounds_a_sum_in_rationals)
{
    const char *const starts[] = {"1/2", "1", "7/5", "3", "16/3"};
    fmpq_t s, x, lo, hi;
    arb_t sum, end;
    fmpq_init(s);
    fmpq_init(x);
    fmpq_init(lo);
    fmpq_init(hi);
    arb_init(sum);
    arb_init(end);
    fmpq_one(s);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        set_text(x, starts[i]);
        rational_sum(lo, hi, x);
        pby_gauss_sum(sum, s, x, 128);
        arb_set_fmpq(end, lo, 128);
        cr_assert(arb_gt(sum, end) || arb_overlaps(sum, end), "x = %s", starts[i]);
        arb_set_fmpq(end, hi, 128);
        cr_assert(arb_lt(sum, end) || arb_overlaps(sum, end), "x = %s", starts[i]);
    }
    arb_clear(end);
    arb_clear(sum);
    fmpq_clear(hi);
    fmpq_clear(lo);
    fmpq_clear(x);
    fmpq_clear(s);
}

/* Both methods, at one precision and at twice that: they agree, and none is worse than it says. */
static void check_methods(const char *s_text, const char *x_text, slong prec)
{
    fmpq_t s, x;
    arb_t fast, slow, twice;
    fmpq_init(s);
    fmpq_init(x);
    arb_init(fast);
    arb_init(slow);
    arb_init(twice);
    set_text(s, s_text);
    set_text(x, x_text);
    pby_gauss_sum(fast, s, x, prec);
    pby_gauss_sum_by_terms(slow, s, x, prec);
    pby_gauss_sum(twice, s, x, 2 * prec);
    cr_assert(arb_overlaps(fast, slow), "s = %s, x = %s, %ld bits", s_text, x_text, prec);
    cr_assert(arb_contains(fast, twice), "s = %s, x = %s, %ld bits", s_text, x_text, prec);
    cr_assert(arb_rel_accuracy_bits(fast) > prec - 10);
    cr_assert(arb_rel_accuracy_bits(slow) > prec - 10);
    arb_clear(twice);
    arb_clear(slow);
    arb_clear(fast);
    fmpq_clear(x);
    fmpq_clear(s);
}

Test(gauss_sum, the_integral_and_the_terms_agree)
{
    const char *const s[] = {"1e-6", "1/3", "9/4", "256", "1000", "1e4", "1000003/7", "1e6"};
    const char *const x[] = {"0", "1", "7/3", "50", "3000", "1e6"};
    const slong prec[] = {64, 128, 500};
    for (size_t i = 0; i < sizeof s / sizeof *s; i++)
        for (size_t j = 0; j < sizeof x / sizeof *x; j++)
            for (size_t k = 0; k < sizeof prec / sizeof *prec; k++)
                check_methods(s[i], x[j], prec[k]);
}

/* The normaliser is a theta constant: the sum of q^(n^2) with q = exp(-1/(2s)). */
Test(gauss_sum, the_total_is_a_theta_constant)
{
    const char *const s[] = {"1/10", "1", "9/4", "100", "1e4", "1e8", "1e12"};
    enum { PREC = 200 };
    for (size_t i = 0; i < sizeof s / sizeof *s; i++) {
        acb_t tau, t1, t2, t3, t4, z;
        arb_t total;
        fmpq_t s2;
        acb_init(tau);
        acb_init(t1);
        acb_init(t2);
        acb_init(t3);
        acb_init(t4);
        acb_init(z);
        arb_init(total);
        fmpq_init(s2);
        set_text(s2, s[i]);
        pby_gauss_total(total, s2, PREC);
        arb_const_pi(acb_imagref(tau), 2 * PREC);
        fmpq_mul_2exp(s2, s2, 1);
        arb_mul_fmpz(acb_imagref(tau), acb_imagref(tau), fmpq_numref(s2), 2 * PREC);
        arb_div_fmpz(acb_imagref(tau), acb_imagref(tau), fmpq_denref(s2), 2 * PREC);
        arb_inv(acb_imagref(tau), acb_imagref(tau), 2 * PREC);
        acb_modular_theta(t1, t2, t3, t4, z, tau, 2 * PREC);
        cr_assert(arb_overlaps(total, acb_realref(t3)), "s = %s", s[i]);
        cr_assert(arb_rel_accuracy_bits(total) > PREC - 10);
        cr_assert(arb_rel_accuracy_bits(acb_realref(t3)) > PREC - 10);
        fmpq_clear(s2);
        arb_clear(total);
        acb_clear(z);
        acb_clear(t4);
        acb_clear(t3);
        acb_clear(t2);
        acb_clear(t1);
        acb_clear(tau);
    }
}

Test(gauss_sum, a_walk_gives_the_terms)
{
    pby_gauss_walk walk;
    fmpq_t s, x;
    arb_t term;
    fmpq_init(s);
    fmpq_init(x);
    arb_init(term);
    set_text(s, "37/3");
    set_text(x, "-20");
    pby_gauss_walk_init(&walk, s, x, 200);
    for (int i = 0; i < 100; i++) {
        pby_gauss_term(term, s, x, 200);
        cr_assert(arb_overlaps(walk.term, term));
        cr_assert(arb_rel_accuracy_bits(walk.term) > 170);
        pby_gauss_walk_step(&walk, 200);
        fmpq_add_si(x, x, 1);
    }
    pby_gauss_walk_clear(&walk);
    arb_clear(term);
    fmpq_clear(x);
    fmpq_clear(s);
}

/* Far out, where the bound of Cramer's inequality asks for too many corrections, and further, where the
 * integral has its own series: both hold the sum taken term by term. */
Test(gauss_sum, the_integral_serves_far_out)
{
    static const slong roots[] = {20, 30, 60, 100, 250, 700};
    fmpq_t s, x;
    arb_t sum, terms;
    fmpq_init(s);
    fmpq_init(x);
    arb_init(sum);
    arb_init(terms);
    fmpq_set_si(s, 1000000, 1);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        for (slong prec = 64; prec <= 512; prec *= 2) {
            fmpq_set_si(x, 1000 * roots[i] + 1, 1);
            pby_gauss_sum(sum, s, x, prec);
            pby_gauss_sum_by_terms(terms, s, x, prec);
            cr_assert(arb_overlaps(sum, terms), "%ld roots of s out, %ld bits", roots[i], prec);
            cr_assert(arb_rel_accuracy_bits(sum) >= prec - 8, "%ld roots of s out, %ld bits", roots[i], prec);
        }
    arb_clear(terms);
    arb_clear(sum);
    fmpq_clear(x);
    fmpq_clear(s);
}

/* Exponents that need more bits before the point than the precision has. */
Test(gauss_sum, a_term_keeps_its_precision_at_any_size)
{
    fmpq_t s, x;
    arb_t term, root;
    fmpq_init(s);
    fmpq_init(x);
    arb_init(term);
    arb_init(root);
    fmpq_set_si(x, 1, 1);
    fmpq_set_si(s, 1, 1);
    fmpq_div_2exp(s, s, 1000);
    pby_gauss_term(term, s, x, 64);
    cr_assert(arb_rel_accuracy_bits(term) >= 60);
    fmpq_mul_2exp(s, s, 2);
    pby_gauss_term(root, s, x, 64); /* exp(-1/(2 4 s)), the fourth root */
    arb_pow_ui(root, root, 4, 64);
    cr_assert(arb_overlaps(term, root));
    arb_clear(root);
    arb_clear(term);
    fmpq_clear(x);
    fmpq_clear(s);
}

/* k^2 >= 2 s level, and not so of k - 1. */
Test(gauss_sum, reaches_no_further_than_it_must)
{
    static const struct {
        const char *s;
        slong level, k;
    } rows[] = {{"1", 28, 8},     {"2", 1, 2},          {"9/2", 1, 3},
                {"9/2", 104, 31}, {"1/1000000", 28, 1}, {"50", 1, 10}};
    fmpq_t s;
    fmpz_t k;
    fmpq_init(s);
    fmpz_init(k);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(fmpq_set_str(s, rows[i].s, 10), 0);
        pby_gauss_reach(k, s, rows[i].level);
        cr_assert(fmpz_equal_si(k, rows[i].k), "%s", rows[i].s);
    }
    fmpz_clear(k);
    fmpq_clear(s);
}
