/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "law/laws.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"

enum { PREC = 300 };

/* The integral of exp(-eps |z + q/2|) over [a, b] within [-q, 0], from the definition: the part left
 * of the middle and the part right of it, each an elementary integral. */
static void integral(arb_t out, const fmpq_t eps, const fmpq_t q, const fmpq_t a, const fmpq_t b)
{
    fmpq_t lo, hi, middle, x;
    arb_t e, part;
    fmpq_init(lo);
    fmpq_init(hi);
    fmpq_init(middle);
    fmpq_init(x);
    arb_init(e);
    arb_init(part);
    fmpq_neg(lo, q);
    if (fmpq_cmp(a, lo) > 0)
        fmpq_set(lo, a);
    if (fmpq_cmp_si(b, 0) < 0)
        fmpq_set(hi, b);
    fmpq_div_2exp(middle, q, 1);
    fmpq_neg(middle, middle);
    arb_zero(out);
    for (int side = -1; side <= 1; side += 2) {
        const fmpq *from = side < 0 || fmpq_cmp(lo, middle) > 0 ? lo : middle;
        const fmpq *to = side > 0 || fmpq_cmp(hi, middle) < 0 ? hi : middle;
        if (fmpq_cmp(from, to) >= 0)
            continue;
        for (int end = 0; end <= 1; end++) {
            fmpq_sub(x, end ? to : from, middle);
            fmpq_mul(x, x, eps);
            arb_set_fmpq(e, x, PREC);
            arb_mul_si(e, e, -side, PREC);
            arb_exp(part, e, PREC);
            arb_mul_si(part, part, end ? -side : side, PREC);
            arb_add(out, out, part, PREC);
        }
    }
    arb_set_fmpq(e, eps, PREC);
    arb_div(out, out, e, PREC);
    arb_clear(part);
    arb_clear(e);
    fmpq_clear(x);
    fmpq_clear(middle);
    fmpq_clear(hi);
    fmpq_clear(lo);
}

/* A cell goes from k - 1/2 to k + 1/2, or, rounded up, from k - 1 to k. */
static void check_cells(const char *eps_text, const char *q_text, int64_t farthest, bool up)
{
    pby_law *law = NULL;
    fmpq_t eps, q, a, b;
    arb_t mass, expected, whole;
    fmpq_init(eps);
    fmpq_init(q);
    fmpq_init(a);
    fmpq_init(b);
    arb_init(mass);
    arb_init(expected);
    arb_init(whole);
    set_text(eps, eps_text);
    set_text(q, q_text);
    cr_assert_eq(up ? pby_law_stlap_up(&law, eps, q, NULL) : pby_law_stlap(&law, eps, q, NULL), PBY_OK);
    fmpq_neg(a, q);
    integral(whole, eps, q, a, b);
    cr_assert_eq(law->lo, -farthest);
    cr_assert_eq(law->hi, 0);
    for (int64_t k = -farthest - 2; k <= 2; k++) {
        fmpq_set_si(a, 2 * k - (up ? 2 : 1), 2);
        fmpq_set_si(b, 2 * k + (up ? 0 : 1), 2);
        integral(expected, eps, q, a, b);
        arb_div(expected, expected, whole, PREC);
        pby_law_mass_arb(mass, law, k, PREC);
        cr_assert(arb_overlaps(mass, expected), "stlap:eps=%s,q=%s at %lld", eps_text, q_text, (long long)k);
        cr_assert(k < -farthest || k > 0 ? arb_is_zero(mass) : arb_is_positive(mass));
    }
    arb_clear(whole);
    arb_clear(expected);
    arb_clear(mass);
    fmpq_clear(b);
    fmpq_clear(a);
    fmpq_clear(q);
    fmpq_clear(eps);
    pby_law_free(law);
}

static void check_masses(const char *eps, const char *q, int64_t farthest)
{
    check_cells(eps, q, farthest, false);
}

Test(stlap, masses_rounded_up_are_integrals_of_the_density)
{
    check_cells("1/2", "40", 39, true);
    check_cells("2", "7/3", 2, true);
    check_cells("1", "5/2", 2, true);
    check_cells("1", "11/10", 1, true);
    check_cells("1/3", "2", 1, true);
    check_cells("5", "11", 10, true);
}

Test(stlap, masses_are_integrals_of_the_density)
{
    check_masses("1/2", "40", 40);
    check_masses("2", "7/3", 2);
    check_masses("1", "5/2", 2);
    check_masses("1", "1/2", 0);
    check_masses("1", "1/10", 0);
    check_masses("1/3", "1", 1);
    check_masses("5", "11", 11);
    check_masses("1/1000", "26/10", 3);
}

/* For an odd q the law is symmetric about a half-integer, and its middle cut is exactly one half: no
 * precision would show that, the form of the sum does. */
Test(stlap, the_middle_cut_is_exact)
{
    pby_law *law = make_stlap("1/2", "41");
    fmpz_t cut, half;
    fmpz_init(cut);
    fmpz_init(half);
    fmpz_one_2exp(half, 63);
    cr_assert_eq(pby_law_cut(cut, law, -21, NULL), PBY_OK);
    cr_assert(fmpz_equal(cut, half));
    fmpz_clear(half);
    fmpz_clear(cut);
    pby_law_free(law);
}

Test(stlap, ten_million_draws_fit)
{
    pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
    check_fit(s, 10000000, -42, 2, 1, 4);
    pby_sampler_free(s);
}

Test(stlap, one_cell_always_gives_zero)
{
    pby_sampler *s = make_sampler(make_stlap("1", "1/2"));
    pby_entropy *source = seeded(5);
    int64_t noise[100];
    cr_assert_eq(pby_draw_many(s, source, noise, 100, NULL), PBY_OK);
    for (size_t i = 0; i < 100; i++)
        cr_assert_eq(noise[i], 0);
    pby_entropy_free(source);
    pby_sampler_free(s);
}

Test(stlap, an_absurd_q_is_refused)
{
    pby_law *law = NULL;
    pby_error err;
    fmpq_t eps, q;
    fmpq_init(eps);
    fmpq_init(q);
    set_text(eps, "1");
    set_text(q, "1e9");
    cr_assert_eq(pby_law_stlap(&law, eps, q, &err), PBY_BAD);
    cr_assert_null(law);
    cr_assert_str_eq(err.text,
                     "stlap:q '1000000000': expected at most 1048575.5, so that a table holds the law");
    set_text(q, "1048575.51");
    cr_assert_eq(pby_law_stlap(&law, eps, q, NULL), PBY_BAD);
    set_text(q, "1048575.5");
    cr_assert_eq(pby_law_stlap(&law, eps, q, NULL), PBY_OK);
    pby_law_free(law);
    fmpq_clear(q);
    fmpq_clear(eps);
}
