/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "law/laws.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"

enum { PREC = 300 };

/* (1-a)/(1+a) a^|k| from the definition, without sums of exponentials. */
static void defined_mass(arb_t out, const char *rate, int64_t k)
{
    fmpq_t r;
    arb_t a, one;
    fmpq_init(r);
    arb_init(a);
    arb_init(one);
    set_text(r, rate);
    arb_set_fmpq(a, r, PREC);
    arb_neg(a, a);
    arb_exp(a, a, PREC);
    arb_pow_ui(out, a, (ulong)(k < 0 ? -k : k), PREC);
    arb_one(one);
    arb_sub(one, one, a, PREC);
    arb_mul(out, out, one, PREC);
    arb_add_ui(a, a, 1, PREC);
    arb_div(out, out, a, PREC);
    arb_clear(one);
    arb_clear(a);
    fmpq_clear(r);
}

Test(geometric, mass_and_cdf_follow_the_definition)
{
    const char *const rates[] = {"1", "1/10", "7/3", "1e-3"};
    arb_t mass, expected, sum, cdf;
    arb_init(mass);
    arb_init(expected);
    arb_init(sum);
    arb_init(cdf);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        pby_law *law = make_geometric(rates[i]);
        pby_law_cdf_arb(sum, law, -31, PREC);
        for (int64_t k = -30; k <= 30; k++) {
            pby_law_mass_arb(mass, law, k, PREC);
            defined_mass(expected, rates[i], k);
            cr_assert(arb_overlaps(mass, expected));
            cr_assert(arb_rel_accuracy_bits(mass) > PREC / 2);
            arb_add(sum, sum, mass, PREC);
            pby_law_cdf_arb(cdf, law, k, PREC);
            cr_assert(arb_overlaps(sum, cdf));
        }
        pby_law_free(law);
    }
    arb_clear(cdf);
    arb_clear(sum);
    arb_clear(expected);
    arb_clear(mass);
}

Test(geometric, ten_million_draws_fit)
{
    pby_sampler *s = make_sampler(make_geometric("1/10"));
    check_fit(s, 10000000, -200, 200, 1, 1);
    pby_sampler_free(s);
}

Test(geometric, tails_beyond_a_narrow_body_fit)
{
    pby_sampler *s = make_sampler(make_geometric("1/2000"));
    cr_assert(s->law->body_hi < 4 * 2000, "the tail is meant to be drawn often");
    check_fit(s, 1000000, -20000, 20000, 50, 2);
    pby_sampler_free(s);
}

Test(geometric, a_scale_of_a_billion_fits)
{
    pby_sampler *s = make_sampler(make_geometric("1e-9"));
    check_fit(s, 200000, -10000000000, 10000000000, 50000000, 3);
    pby_sampler_free(s);
}

Test(geometric, a_scale_that_leaves_64_bits_is_refused)
{
    pby_law *law = NULL;
    pby_error err;
    fmpq_t rate;
    fmpq_init(rate);
    set_text(rate, "1e-13");
    cr_assert_eq(pby_law_geometric(&law, rate, &err), PBY_BAD);
    cr_assert_null(law);
    cr_assert_not_null(strstr(err.text, "rate of the noise '1e-13': expected at least 2^-40,"), "%s",
                       err.text);
    fmpq_clear(rate);
}

/* (1-a) a^k on 0, 1, ..., and nothing below. */
Test(geometric, one_sided_mass_follows_the_definition)
{
    arb_t mass, expected, twice;
    fmpq_t rate;
    pby_law *law;
    arb_init(mass);
    arb_init(expected);
    arb_init(twice);
    fmpq_init(rate);
    set_text(rate, "2/7");
    cr_assert_eq(pby_law_one_sided(&law, rate, NULL), PBY_OK);
    pby_law_mass_arb(mass, law, -1, PREC);
    cr_assert(arb_is_zero(mass));
    for (int64_t k = 0; k < 50; k++) {
        pby_law_mass_arb(mass, law, k, PREC);
        defined_mass(expected, "2/7", k); /* times 1 + a it is one-sided */
        defined_mass(twice, "2/7", k + 1);
        arb_add(expected, expected, twice, PREC);
        cr_assert(arb_overlaps(mass, expected));
        cr_assert(arb_rel_accuracy_bits(mass) > PREC / 2);
    }
    pby_law_free(law);
    set_text(rate, "1e-13");
    cr_assert_eq(pby_law_one_sided(&law, rate, NULL), PBY_BAD);
    cr_assert_null(law);
    fmpq_clear(rate);
    arb_clear(twice);
    arb_clear(expected);
    arb_clear(mass);
}

/* The last two have tails that are drawn often. */
Test(geometric, one_sided_draws_fit)
{
    static const char *const rates[] = {"1/10", "1/2000", "1e-9"};
    static const int64_t to[] = {200, 20000, 10000000000};
    fmpq_t rate;
    fmpq_init(rate);
    for (size_t i = 0; i < 3; i++) {
        pby_law *law;
        set_text(rate, rates[i]);
        cr_assert_eq(pby_law_one_sided(&law, rate, NULL), PBY_OK);
        pby_sampler *s = make_sampler(law);
        check_fit(s, 200000, 0, to[i], to[i] / 200, (uint8_t)(4 + i));
        pby_sampler_free(s);
    }
    fmpq_clear(rate);
}

/* The digits of a magnitude are independent exactly because their laws multiply to the whole. */
Test(geometric, digits_multiply_to_the_magnitude)
{
    fmpq_t rate, high;
    pby_law *whole, *low, *top;
    pby_expsum_t mass, digit, rest, norm;
    fmpq_init(rate);
    fmpq_init(high);
    pby_expsum_init(mass);
    pby_expsum_init(digit);
    pby_expsum_init(rest);
    pby_expsum_init(norm);
    set_text(rate, "1/7");
    fmpq_mul_si(high, rate, 4);
    cr_assert_eq(pby_law_magnitude(&whole, rate, 64, NULL), PBY_OK);
    cr_assert_eq(pby_law_digit(&low, rate, 4, NULL), PBY_OK);
    cr_assert_eq(pby_law_magnitude(&top, high, 64, NULL), PBY_OK);
    for (int64_t k = 0; k < 100; k++) {
        pby_law_mass(mass, whole, k);
        pby_law_mass(digit, low, k % 4);
        pby_law_mass(rest, top, k / 4);
        pby_expsum_mul(rest, rest, digit);
        pby_expsum_mul(norm, low->norm, top->norm);
        pby_expsum_mul(mass, mass, norm);
        pby_expsum_mul(rest, rest, whole->norm);
        cr_assert(pby_expsum_equal(mass, rest));
    }
    pby_law_free(top);
    pby_law_free(low);
    pby_law_free(whole);
    pby_expsum_clear(norm);
    pby_expsum_clear(rest);
    pby_expsum_clear(digit);
    pby_expsum_clear(mass);
    fmpq_clear(high);
    fmpq_clear(rate);
}
