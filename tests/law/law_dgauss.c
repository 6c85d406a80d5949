/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "law/laws.h"
#include "tests/law/cuts.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"

enum { PREC = 300 };

static pby_law *make_dgauss(const char *sigma2)
{
    pby_law *law = NULL;
    fmpq_t s;
    fmpq_init(s);
    set_text(s, sigma2);
    cr_assert_eq(pby_law_dgauss(&law, s, NULL), PBY_OK);
    fmpq_clear(s);
    return law;
}

/* exp(-k^2/(2s)) over the sum of all of them from -far to far, from the definition. */
static void defined_masses(arb_ptr mass, const char *sigma2, int64_t far)
{
    fmpq_t s, e;
    arb_t sum;
    fmpq_init(s);
    fmpq_init(e);
    arb_init(sum);
    set_text(s, sigma2);
    for (int64_t k = -far; k <= far; k++) {
        fmpq_set_si(e, -k * k, 2);
        fmpq_div(e, e, s);
        arb_set_fmpq(mass + k + far, e, PREC);
        arb_exp(mass + k + far, mass + k + far, PREC);
        arb_add(sum, sum, mass + k + far, PREC);
    }
    _arb_vec_scalar_div(mass, mass, 2 * far + 1, sum, PREC);
    arb_clear(sum);
    fmpq_clear(e);
    fmpq_clear(s);
}

/* far is so large that what is left out is below 1e-30. */
static void check_masses(const char *sigma2, int64_t far)
{
    pby_law *law = make_dgauss(sigma2);
    arb_ptr defined = _arb_vec_init(2 * far + 1);
    arb_t mass, cdf, sum, gap, close;
    arb_init(mass);
    arb_init(cdf);
    arb_init(sum);
    arb_init(gap);
    arb_init(close);
    arb_set_str(close, "1e-30", PREC);
    defined_masses(defined, sigma2, far);
    for (int64_t k = -far; k <= far; k++) {
        pby_law_mass_arb(mass, law, k, PREC);
        pby_law_cdf_arb(cdf, law, k, PREC);
        cr_assert(arb_rel_accuracy_bits(mass) > PREC - 20);
        cr_assert(arb_rel_accuracy_bits(cdf) > PREC - 20);
        arb_sub(gap, mass, defined + k + far, PREC);
        arb_abs(gap, gap);
        cr_assert(arb_lt(gap, close), "sigma2 = %s, mass at %lld", sigma2, (long long)k);
        arb_add(sum, sum, defined + k + far, PREC);
        arb_sub(gap, cdf, sum, PREC);
        arb_abs(gap, gap);
        cr_assert(arb_lt(gap, close), "sigma2 = %s, cdf at %lld", sigma2, (long long)k);
    }
    arb_clear(close);
    arb_clear(gap);
    arb_clear(sum);
    arb_clear(cdf);
    arb_clear(mass);
    _arb_vec_clear(defined, 2 * far + 1);
    pby_law_free(law);
}

Test(dgauss_law, mass_and_cdf_follow_the_definition)
{
    check_masses("9/4", 20);
    check_masses("1/7", 10);
    check_masses("1e-6", 5);
    check_masses("300", 230);
}

/* The pass over a table gives the floors that the single cuts give, and both are those of the cdf. */
static void check_pass(const char *sigma2, int64_t from, size_t n)
{
    pby_law *law = make_dgauss(sigma2);
    uint64_t *cut = malloc(n * sizeof *cut);
    fmpz_t one;
    arb_t cdf;
    fmpz_init(one);
    arb_init(cdf);
    cr_assert_eq(pby_law_cuts(cut, law, from, n, NULL), PBY_OK);
    for (size_t i = 0; i < n; i += 1 + n / 100) {
        cr_assert_eq(pby_law_cut(one, law, from + (int64_t)i, NULL), PBY_OK);
        cr_assert_eq(cut[i], fmpz_get_ui(one));
        pby_law_cdf_arb(cdf, law, from + (int64_t)i, 1000);
        arb_mul_2exp_si(cdf, cdf, 64);
        arb_sub_fmpz(cdf, cdf, one, 1000);
        cr_assert(arb_is_nonnegative(cdf));
        arb_sub_ui(cdf, cdf, 1, 1000);
        cr_assert(arb_is_negative(cdf));
    }
    arb_clear(cdf);
    fmpz_clear(one);
    free(cut);
    pby_law_free(law);
}

Test(dgauss_law, cuts_are_the_floors_of_the_cdf)
{
    check_pass("9/4", -14, 28);
    check_pass("1000", -250, 500);
    check_pass("1e8", -5000, 10000);
    check_pass("1e12", 1000000, 5000);
}

/* A cdf of 1 - exp(-5e5) is less than 1, which no 2^18 bits of it would show. */
Test(dgauss_law, a_cut_beside_one_is_decided_from_above)
{
    pby_law *law = make_dgauss("1e-6");
    fmpz_t cut, last;
    fmpz_init(cut);
    fmpz_init_set_ui(last, UINT64_MAX);
    cr_assert_eq(pby_law_cut(cut, law, 0, NULL), PBY_OK);
    cr_assert(fmpz_equal(cut, last));
    cr_assert_eq(pby_law_cut(cut, law, -1, NULL), PBY_OK);
    cr_assert(fmpz_is_zero(cut));
    fmpz_clear(last);
    fmpz_clear(cut);
    pby_law_free(law);
}

Test(dgauss_law, the_refining_path_at_every_cut)
{
    check_cuts(make_dgauss("9/4"));
    check_cuts(make_dgauss("1/3"));
    check_cuts(make_dgauss("100"));
}

Test(dgauss_law, a_million_draws_fit)
{
    pby_sampler *s = make_sampler(make_dgauss("9/4"));
    check_fit(s, 1000000, -8, 8, 1, 21);
    pby_sampler_free(s);
    s = make_sampler(make_dgauss("1e4"));
    check_fit(s, 1000000, -400, 400, 10, 22);
    pby_sampler_free(s);
}

/* A body of five values: nearly every draw inverts the cdf, on both sides. */
Test(dgauss_law, draws_beyond_the_body_fit)
{
    pby_law *law = make_dgauss("1000");
    law->body_lo = -2;
    law->body_hi = 2;
    pby_sampler *s = make_sampler(law);
    check_fit(s, 4000, -120, 120, 5, 23);
    pby_sampler_free(s);
}

Test(dgauss_law, the_table_is_bounded)
{
    const char *const sigma2[] = {"1e-6", "1", "1e9", "1e10", "1e12", "1e20"};
    for (size_t i = 0; i < sizeof sigma2 / sizeof *sigma2; i++) {
        pby_law *law = make_dgauss(sigma2[i]);
        cr_assert(law->body_hi >= 1 && law->body_hi < 1 << 19);
        cr_assert_eq(law->body_lo, -law->body_hi);
        pby_law_free(law);
    }
}

Test(dgauss_law, noise_beyond_64_bits_is_refused)
{
    pby_law *law = NULL;
    pby_error err;
    fmpq_t s;
    fmpq_init(s);
    set_text(s, "1e25");
    cr_assert_eq(pby_law_dgauss(&law, s, &err), PBY_BAD);
    cr_assert_null(law);
    cr_assert_not_null(strstr(err.text, "sigma2 '10000000000000000000000000': expected at most 2^80,"), "%s",
                       err.text);
    fmpq_clear(s);
}
