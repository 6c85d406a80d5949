/* SPDX-License-Identifier: MIT */
#include "loss/divergence/renyi.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <string.h>

#include "probity/rational.h"
#include "tests/claims/decide.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/loss/brute.h"
#include "tests/loss/spectra.h"
#include "tests/spec.h"

static const char *const ORDERS[] = {"1", "101/100", "3/2", "2", "7/3", "5", "32", "1000", "inf"};
enum { N_ORDERS = sizeof ORDERS / sizeof *ORDERS };

/* ---- against enumeration ---------------------------------------------------------------------- */

/* The mass of k under the law, 0 outside the list. */
static void mass_at(arb_t out, const brute *law, slong k)
{
    if (k < law->lo || k >= law->lo + law->n)
        arb_zero(out);
    else
        arb_set(out, law->mass + (k - law->lo));
}

/* D_a of the law and the law shifted, both given the common support, and the mass under P outside it. */
static void brute_renyi(arb_t out, arb_t missing, const brute *law, slong shift, const char *order)
{
    arb_t p, q, a, in_p, in_q, x, y;
    arb_ptr all[] = {p, q, a, in_p, in_q, x, y};
    for (size_t i = 0; i < 7; i++)
        arb_init(all[i]);
    set_ball(a, order);
    const bool one = arb_is_one(a);
    arb_zero(out);
    arb_zero(missing);
    for (slong k = law->lo; k < law->lo + law->n + shift; k++) {
        mass_at(p, law, k);
        mass_at(q, law, k - shift);
        if (arb_is_zero(q))
            arb_add(missing, missing, p, BRUTE_PREC);
        if (arb_is_zero(p) || arb_is_zero(q))
            continue;
        arb_add(in_p, in_p, p, BRUTE_PREC);
        arb_add(in_q, in_q, q, BRUTE_PREC);
        arb_div(x, p, q, BRUTE_PREC);
        if (one)
            arb_log(x, x, BRUTE_PREC);
        else
            arb_sub_ui(y, a, 1, BRUTE_PREC), arb_pow(x, x, y, BRUTE_PREC);
        arb_addmul(out, p, x, BRUTE_PREC);
    }
    arb_log(x, in_q, BRUTE_PREC);
    arb_log(y, in_p, BRUTE_PREC);
    if (one) { /* sum of p/P(C) log((p/P(C)) / (q/Q(C))) */
        arb_div(out, out, in_p, BRUTE_PREC);
        arb_add(out, out, x, BRUTE_PREC);
        arb_sub(out, out, y, BRUTE_PREC);
    } else { /* (log sum - a log P(C) + (a-1) log Q(C)) / (a-1) */
        arb_log(out, out, BRUTE_PREC);
        arb_submul(out, a, y, BRUTE_PREC);
        arb_sub_ui(a, a, 1, BRUTE_PREC);
        arb_addmul(out, a, x, BRUTE_PREC);
        arb_div(out, out, a, BRUTE_PREC);
    }
    for (size_t i = 0; i < 7; i++)
        arb_clear(all[i]);
}

static void expect_brute(const brute *law, slong shift, const char *spec, size_t orders)
{
    arb_t answer, expected, missing, delta;
    arb_init(answer);
    arb_init(expected);
    arb_init(missing);
    arb_init(delta);
    for (size_t i = 0; i < orders; i++) {
        brute_renyi(expected, missing, law, shift, ORDERS[i]);
        ask_renyi_beside(answer, delta, spec, ORDERS[i]);
        expect_close(answer, expected, 20, spec);
    }
    arb_clear(delta);
    arb_clear(missing);
    arb_clear(expected);
    arb_clear(answer);
}

static void brute_of(brute *law, void (*make)(brute *, const fmpq_t), const char *text)
{
    fmpq_t x;
    fmpq_init(x);
    set_text(x, text);
    make(law, x);
    fmpq_clear(x);
}

Test(renyi, geometric_and_clipped_geometric_by_enumeration)
{
    brute law;
    brute_of(&law, brute_geometric, "1/3");
    expect_brute(&law, 3, "geometric:eps=1,sensitivity=3", 6);
    brute_clip(&law, 7);
    expect_brute(&law, 3, "tgeometric:eps=1,bound=7,sensitivity=3", 8);
    brute_clear(&law);
}

Test(renyi, dgauss_by_enumeration)
{
    brute law;
    brute_of(&law, brute_dgauss, "9/4");
    /* greater orders look further out than the list goes */
    expect_brute(&law, 1, "dgauss:sigma2=9/4", 5);
    expect_brute(&law, 2, "dgauss:sigma2=9/4,sensitivity=2", 4);
    brute_clear(&law);
}

/* The supports of R and R+1 differ at either end: what is answered is the conditioned divergence, and its
 * delta is the mass of one end. */
Test(renyi, stlap_given_the_common_support)
{
    brute law;
    fmpq_t eps, q;
    arb_t loss, delta, expected, missing;
    fmpq_init(eps);
    fmpq_init(q);
    arb_init(loss);
    arb_init(delta);
    arb_init(expected);
    arb_init(missing);
    set_text(eps, "1/2");
    set_text(q, "12");
    brute_stlap(&law, eps, q);
    ask_renyi(loss, "stlap:eps=1/2,q=12", "2");
    cr_assert(arf_is_pos_inf(arb_midref(loss)));
    brute_renyi(expected, missing, &law, 1, "2");
    ask_renyi_beside(loss, delta, "stlap:eps=1/2,q=12", "2");
    expect_close(loss, expected, 20, "conditioned");
    expect_close(delta, missing, 20, "delta");
    brute_clear(&law);
    arb_clear(missing);
    arb_clear(expected);
    arb_clear(delta);
    arb_clear(loss);
    fmpq_clear(q);
    fmpq_clear(eps);
}

/* ---- shape ------------------------------------------------------------------------------------ */

static const char *const SPECS[] = {
    "geometric:eps=1",
    "geometric:eps=1/1000,sensitivity=5",
    "tgeometric:eps=1/2,bound=9",
    "dgauss:sigma2=1/3",
    "laplace:scale=2,grid=1/4",
    "laplace:scale=1/3",
    "gauss:sigma2=7",
    "pure:eps=1e-20",
    "zcdp:rho=1/7,xi=1/3",
    "rdp:order=32,eps=2",
    "2*geometric:eps=1",
};
enum { N_SPECS = sizeof SPECS / sizeof *SPECS };

Test(renyi, never_falls_as_the_order_grows)
{
    arb_t last, next;
    arb_init(last);
    arb_init(next);
    for (size_t i = 0; i < N_SPECS; i++) {
        arb_zero(last);
        for (size_t j = 0; j < N_ORDERS; j++) {
            ask_renyi(next, SPECS[i], ORDERS[j]);
            cr_assert_not(arb_lt(next, last), "%s falls at order %s", SPECS[i], ORDERS[j]);
            arb_set(last, next);
        }
    }
    arb_clear(next);
    arb_clear(last);
}

/* claims: Survey/Theorem 8.3 */
Test(renyi, order_infinity_is_epsilon_at_delta_zero)
{
    fmpq_t zero;
    arb_t order, epsilon;
    fmpq_init(zero);
    arb_init(order);
    arb_init(epsilon);
    for (size_t i = 0; i < 6; i++) {
        ask_renyi(order, SPECS[i], "inf");
        ask_epsilon(epsilon, SPECS[i], zero, SPECTRA_DIGITS);
        const bool equal = arb_overlaps(order, epsilon) || arf_equal(arb_midref(order), arb_midref(epsilon));
        cr_assert(claims_is(CLAIMS_ALL, equal), "%s", SPECS[i]);
    }
    arb_clear(epsilon);
    arb_clear(order);
    fmpq_clear(zero);
}

Test(renyi, of_pure_privacy_at_order_two)
{
    arb_t answer, expected;
    arb_init(answer);
    arb_init(expected);
    ask_renyi(answer, "pure:eps=1/10", "2");
    set_ball(expected, "0.009958584394956224");
    expect_close(answer, expected, 17, "pure");
    arb_clear(expected);
    arb_clear(answer);
}

Test(renyi, gaussian_and_promises_in_closed_form)
{
    static const char *const cases[][3] = {
        {"gauss:sigma2=3,sensitivity=2", "5/2", "5/3"},
        {"zcdp:rho=1/7,xi=1/3", "2", "13/21"},
        {"dgauss:sigma2=3", "4", "2/3"},
        {"rdp:order=3,eps=1/5", "3", "1/5"},
        {"3*zcdp:rho=1/7 2*gauss:sigma2=1", "2", "20/7"},
    };
    arb_t answer, expected;
    arb_init(answer);
    arb_init(expected);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64], *rest = text;
        strcpy(text, cases[i][0]);
        const char *uses[2] = {strsep(&rest, " "), rest};
        pby_spec *spec;
        pby_enclosure x;
        mpq_t order;
        mpq_init(order);
        pby_enclosure_init(&x);
        cr_assert_eq(pby_spec_parse(&spec, uses, rest == NULL ? 1 : 2, NULL), PBY_OK);
        cr_assert_eq(pby_rational_parse(order, "", cases[i][1], NULL), PBY_OK);
        cr_assert_eq(pby_loss_renyi(&x, NULL, spec, PBY_ADD_REMOVE, order, SPECTRA_DIGITS, NULL), PBY_OK);
        arb_set_interval_mpfr(answer, x.lo, x.hi, SPECTRA_PREC);
        set_ball(expected, cases[i][2]);
        expect_close(answer, expected, 22, cases[i][0]);
        pby_enclosure_clear(&x);
        mpq_clear(order);
        pby_spec_free(spec);
    }
    ask_renyi(answer, "rdp:order=3,eps=1/5", "301/100");
    cr_assert(arf_is_pos_inf(arb_midref(answer)), "a promise ends at its order");
    arb_clear(expected);
    arb_clear(answer);
}

Test(renyi, two_uses_lose_twice_as_much)
{
    arb_t one, two;
    arb_init(one);
    arb_init(two);
    ask_renyi(one, "laplace:scale=2", "3/2");
    ask_renyi(two, "1000*laplace:scale=2", "3/2");
    arb_mul_ui(one, one, 1000, SPECTRA_PREC);
    expect_close(one, two, 20, "a thousand uses");
    arb_clear(two);
    arb_clear(one);
}

/* With delta d a use leaves the common support with chance d, and two with chance 1 - (1-d)^2. */
Test(renyi, conditioned_uses_add_their_loss_and_join_their_deltas)
{
    arb_t loss, delta, expected;
    arb_init(loss);
    arb_init(delta);
    arb_init(expected);
    ask_renyi_beside(loss, delta, "2*approx:eps=1/10,delta=1/10", "2");
    set_ball(expected, "0.019917168789912447968839");
    expect_close(loss, expected, 20, "loss");
    set_ball(expected, "19/100");
    expect_close(delta, expected, 20, "delta");
    ask_renyi_beside(loss, delta, "approx:eps=1,delta=1", "2");
    cr_assert(arb_is_zero(loss) && arb_is_one(delta), "nothing in common");
    arb_clear(expected);
    arb_clear(delta);
    arb_clear(loss);
}

Test(renyi, an_order_below_one_is_refused)
{
    pby_spec *spec = spec_of("pure:eps=1");
    pby_enclosure x;
    pby_error err;
    mpq_t order;
    mpq_init(order);
    pby_enclosure_init(&x);
    mpq_set_ui(order, 99, 100);
    cr_assert_eq(pby_loss_renyi(&x, NULL, spec, PBY_ADD_REMOVE, order, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "order"));
    pby_enclosure_clear(&x);
    mpq_clear(order);
    pby_spec_free(spec);
}
