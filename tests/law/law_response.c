/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "law/laws.h"
#include "tests/law/cuts.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"

enum { PREC = 300 };

static pby_law *make_response(const char *odds, const char *eps, int64_t answers)
{
    pby_law *law = NULL;
    fmpq_t g, e;
    fmpq_init(g);
    fmpq_init(e);
    set_text(g, odds);
    set_text(e, eps);
    cr_assert_eq(pby_law_response(&law, g, e, answers, NULL), PBY_OK);
    fmpq_clear(e);
    fmpq_clear(g);
    return law;
}

/* The truth with odds g, each other answer with odds 1: from the definition. */
static void check_masses(const char *odds, const char *eps, int64_t answers)
{
    pby_law *law = make_response(odds, eps, answers);
    fmpq_t q;
    arb_t g, mass, total, expected;
    fmpq_init(q);
    arb_init(g);
    arb_init(mass);
    arb_init(total);
    arb_init(expected);
    set_text(q, eps);
    arb_set_fmpq(g, q, PREC);
    arb_exp(g, g, PREC);
    set_text(q, odds);
    arb_mul_fmpz(g, g, fmpq_numref(q), PREC);
    arb_div_fmpz(g, g, fmpq_denref(q), PREC);
    arb_add_si(total, g, answers - 1, PREC);
    for (int64_t k = -2; k <= answers + 1; k++) {
        pby_law_mass_arb(mass, law, k, PREC);
        arb_inv(expected, total, PREC);
        if (k == 0)
            arb_mul(expected, expected, g, PREC);
        if (k < 0 || k >= answers)
            arb_zero(expected);
        cr_assert(arb_overlaps(mass, expected), "odds %s, eps %s, at %lld", odds, eps, (long long)k);
        cr_assert_eq(arb_is_zero(mass), k < 0 || k >= answers);
    }
    arb_clear(expected);
    arb_clear(total);
    arb_clear(mass);
    arb_clear(g);
    fmpq_clear(q);
    pby_law_free(law);
}

Test(response_law, masses_from_the_definition)
{
    check_masses("3", "0", 2);
    check_masses("1", "1/2", 2);
    check_masses("1", "3/2", 7);
    check_masses("9/2", "0", 5);
}

Test(response_law, the_refining_path_at_every_cut)
{
    check_cuts(make_response("5", "0", 2));
    check_cuts(make_response("8/3", "0", 4));
    check_cuts(make_response("1", "1", 9));
}

/* The chance of the truth is three quarters: the cut is the cdf itself, and a word that is the cut is decided
 * at once. */
Test(response_law, a_cut_that_is_the_cdf_itself)
{
    pby_sampler *s = make_sampler(make_response("3", "0", 2));
    const uint64_t cut = UINT64_C(3) << 62;
    cr_assert_eq(draw_from(s, (uint64_t[]){cut - 1}, 1, 1), 0);
    cr_assert_eq(draw_from(s, (uint64_t[]){cut + 1}, 1, 1), 1);
    cr_assert_eq(draw_from(s, (uint64_t[]){cut}, 1, 1), 1);
    pby_sampler_free(s);
}

Test(response_law, draws_fit)
{
    pby_sampler *s = make_sampler(make_response("1", "1", 5));
    check_fit(s, 200000, 0, 4, 1, 31);
    pby_sampler_free(s);
    s = make_sampler(make_response("3", "0", 2));
    check_fit(s, 200000, 0, 1, 1, 32);
    pby_sampler_free(s);
}

Test(response_law, a_table_has_room_for_so_many_answers)
{
    pby_law *law;
    pby_error err;
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    cr_assert_eq(pby_law_response(&law, one, one, PBY_CELLS_MAX + 1, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "k '1048577'"), "%s", err.text);
    cr_assert_null(law);
    fmpq_clear(one);
}
