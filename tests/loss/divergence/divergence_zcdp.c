/* SPDX-License-Identifier: MIT */
#include "loss/divergence/divergence_zcdp.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loss/loss.h"
#include "tests/cli/run.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/loss/spectra.h"
#include "tests/spec.h"

enum { PREC = 256 };

/* ---- against direct evaluation ---------------------------------------------------------------- */

/* (D_a - xi) / a at orders 1 + 2^(i/4) for i from -48 to 48 (rounded), and at 1: none may be above rho for
 * certain, and rho may not be above the greatest by more than the grid can miss. */
static void expect_supremum(const char *text, const char *xi_text)
{
    pby_spec *spec = spec_of(text);
    pby_spectrum s;
    fmpq_t order, step, xi;
    arb_t rho, d, x, best;
    fmpq_init(order);
    fmpq_init(step);
    fmpq_init(xi);
    arb_init(rho);
    arb_init(d);
    arb_init(x);
    arb_init(best);
    set_text(xi, xi_text);
    cr_assert_eq(pby_spectrum_init(&s, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_zcdp_rho(rho, &s, xi, 9, NULL), PBY_OK);
    cr_assert(arb_is_finite(rho) && (arb_is_exact(rho) || arb_rel_accuracy_bits(rho) >= 30), "%s: too wide",
              text);
    for (int i = -49; i <= 48; i++) {
        static const ulong quarter[] = {16, 19, 23, 27}; /* 16 times 2^(0, 1/4, 1/2, 3/4) */
        const int whole = (i + 64) / 4 - 16;
        fmpq_set_si(step, i == -49 ? 0 : (slong)quarter[(i + 64) % 4], 16);
        if (whole >= 0)
            fmpq_mul_2exp(step, step, (flint_bitcnt_t)whole);
        else
            fmpq_div_2exp(step, step, (flint_bitcnt_t)-whole);
        fmpq_add_si(order, step, 1);
        cr_assert_eq(pby_spectrum_at(d, &s, order, PREC, NULL), PBY_OK);
        arb_set_fmpq(x, xi, PREC);
        arb_sub(d, d, x, PREC);
        arb_set_fmpq(x, order, PREC);
        arb_div(d, d, x, PREC);
        cr_assert_not(arb_gt(d, rho), "%s: beyond rho at order number %d", text, i);
        arb_max(best, best, d, PREC);
    }
    arb_mul_ui(best, best, 1001, PREC);
    arb_div_ui(best, best, 1000, PREC);
    cr_assert_not(arb_gt(rho, best), "%s: no order comes near rho", text);
    pby_spectrum_clear(&s);
    pby_spec_free(spec);
    arb_clear(best);
    arb_clear(x);
    arb_clear(d);
    arb_clear(rho);
    fmpq_clear(xi);
    fmpq_clear(step);
    fmpq_clear(order);
}

Test(zcdp, is_the_supremum_over_orders)
{
    static const char *const specs[] = {
        "geometric:eps=1",
        "geometric:eps=3,sensitivity=9",
        "geometric:eps=1/1000",
        "laplace:scale=2,grid=1",
        "laplace:scale=1/4",
        "laplace:scale=1e6",
        "pure:eps=7",
        "dgauss:sigma2=2",
        "stlap:eps=1/2,q=9",
        "stlap:eps=3,q=5/2",
        "tgeometric:eps=2,bound=5",
        "100*geometric:eps=1/3",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        expect_supremum(specs[i], "0");
}

/* With xi > 0 the supremum lies between 1 and infinity: the case that the chords are for. */
Test(zcdp, is_the_supremum_with_xi)
{
    expect_supremum("geometric:eps=1", "1/10");
    expect_supremum("geometric:eps=1", "99/100");
    expect_supremum("laplace:scale=1/10", "3");
    expect_supremum("pure:eps=5", "9/2");
    expect_supremum("zcdp:rho=1/3,xi=2", "1");
}

/* ---- closed forms ----------------------------------------------------------------------------- */

static void expect_rho(const char *spec, const char *xi, const char *expected)
{
    arb_t rho, x;
    arb_init(rho);
    arb_init(x);
    ask_rho(rho, spec, xi, 20);
    set_ball(x, expected);
    expect_close(rho, x, 18, spec);
    arb_clear(x);
    arb_clear(rho);
}

/* claims: Survey/Definition 8.15 */
Test(zcdp, gaussian_laws_and_promises)
{
    expect_rho("gauss:sigma2=3,sensitivity=2", "0", "2/3");
    expect_rho("dgauss:sigma2=3,sensitivity=2", "0", "2/3");
    expect_rho("dgauss:sigma2=1/10", "0", "5");
    expect_rho("30*gauss:sigma2=3,sensitivity=2", "0", "20");
    expect_rho("zcdp:rho=1/7", "0", "1/7");
    expect_rho("zcdp:rho=1/7,xi=1", "1", "1/7");
    expect_rho("zcdp:rho=1/7,xi=1", "3", "1/7");
    expect_rho("zcdp:rho=1/7,xi=1", "1/2", "9/14");
    expect_rho("gauss:sigma2=3", "5", "1/6");
}

/* The least rho of pure privacy is e tanh(e/2), below the e^2/2 of the papers. */
Test(zcdp, pure_privacy)
{
    static const char *const epsilons[] = {"1e-6", "1/10", "1", "5", "40"};
    arb_t rho, e, expected;
    arb_init(rho);
    arb_init(e);
    arb_init(expected);
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        char spec[32];
        snprintf(spec, sizeof spec, "pure:eps=%s", epsilons[i]);
        ask_rho(rho, spec, "0", 20);
        set_ball(e, epsilons[i]);
        arb_mul_2exp_si(expected, e, -1);
        arb_tanh(expected, expected, PREC);
        arb_mul(expected, expected, e, PREC);
        expect_close(rho, expected, 18, spec);
    }
    arb_clear(expected);
    arb_clear(e);
    arb_clear(rho);
}

Test(zcdp, pure_privacy_needs_no_rho_beyond_its_epsilon)
{
    arb_t rho;
    arb_init(rho);
    ask_rho(rho, "pure:eps=2", "2", 9);
    cr_assert(arb_is_zero(rho));
    ask_rho(rho, "geometric:eps=2", "3", 9);
    cr_assert(arb_is_zero(rho));
    arb_clear(rho);
}

/* A Gaussian with others: the sum's supremum, at order 1 where every part is greatest. */
Test(zcdp, mixed_uses)
{
    const char *uses[] = {"gauss:sigma2=1", "pure:eps=1", "zcdp:rho=1/4"};
    pby_spec *spec;
    pby_spectrum s;
    fmpq_t xi;
    arb_t rho, expected;
    fmpq_init(xi);
    arb_init(rho);
    arb_init(expected);
    cr_assert_eq(pby_spec_parse(&spec, uses, 3, NULL), PBY_OK);
    cr_assert_eq(pby_spectrum_init(&s, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_zcdp_rho(rho, &s, xi, 20, NULL), PBY_OK);
    set_ball(expected, "1.2121171572600097585023184836436725487"); /* 1/2 + tanh(1/2) + 1/4 */
    expect_close(rho, expected, 18, "mixed");
    pby_spectrum_clear(&s);
    pby_spec_free(spec);
    arb_clear(expected);
    arb_clear(rho);
    fmpq_clear(xi);
}

/* ---- samples of Gaussian noise ------------------------------------------------------------------ */

/* Samples need the rho of what is sampled: D_a / a comes up to it as a grows. */
Test(zcdp, a_sample_needs_what_all_records_need)
{
    expect_rho("gauss:sigma2=3,sensitivity=2,sample=1/100", "0", "2/3");
    expect_rho("gauss:sigma2=3,sensitivity=2,sample=1/100", "5", "2/3");
    expect_rho("1000*gauss:sigma2=100,sample=1/100000", "0", "5");
    expect_rho("7*dgauss:sigma2=4,sample=1/10 gauss:sigma2=4 zcdp:rho=1/4", "0", "5/4");
    expect_rho("dgauss:sigma2=16,dimensions=3,norm2=5,sample=1/10", "0", "5/32");
    static const char *const changed[] = {"30*gauss:sigma2=4,sensitivity=2,fixed=1/100",
                                          "30*gauss:sigma2=4,sensitivity=2,fixed=1/100,clipped=yes",
                                          "30*dgauss:sigma2=4,sensitivity=2,fixed=1/100"};
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        const pby_run *r = PBY_RUN(NULL, "loss", changed[i], "--zcdp");
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_expect_not_null(strstr(r->out, "rho         15\n"), "%s", r->out);
    }
}

enum { FAR = 4000 };

/* log(exp(x) + exp(y)) */
static double log_of_sum(double x, double y)
{
    return fmax(x, y) + log1p(exp(-fabs(x - y)));
}

/* D_a of noise exp(-k^2/(2 s)) around 1 with chance q, and around 0 else, against that around 0; and the
 * other way about. The norm is the same on both sides. */
static void enumerate(double *removal, double *addition, double s, double q, double a)
{
    double up = -INFINITY, down = -INFINITY, norm = -INFINITY;
    for (int k = -FAR; k <= FAR; k++) {
        const double plain = -k * (double)k / (2 * s), moved = -(k - 1) * (k - 1.0) / (2 * s);
        const double mixed = log_of_sum(log1p(-q) + plain, log(q) + moved);
        up = log_of_sum(up, a * mixed + (1 - a) * plain);
        down = log_of_sum(down, a * plain + (1 - a) * mixed);
        norm = log_of_sum(norm, plain);
    }
    *removal = (up - norm) / (a - 1);
    *addition = (down - norm) / (a - 1);
}

/* No order needs more than 1/(2 s), and far out an order needs nearly as much. */
Test(zcdp, no_order_of_a_sample_needs_more_and_some_nearly_as_much)
{
    static const double orders[] = {1.25, 1.5, 2, 3, 5.5, 17, 100, 1500};
    const double s = 2, q = 0.1, rho = 1 / (2 * s);
    double removal = 0, addition, before = 0;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const double a = orders[i];
        enumerate(&removal, &addition, s, q, a);
        cr_assert(removal < rho * a && addition < rho * a, "%g, %g at %g", removal, addition, a);
        cr_assert(removal / a > before && removal > addition, "%g, %g at %g", removal, addition, a);
        before = removal / a;
    }
    cr_assert(before > rho - 0.0016, "%g", before);
}

/* Beside noise whose divergence over its order falls, a sum of the two is a bound. */
Test(zcdp, a_sample_beside_others_is_enclosed)
{
    fmpq_t order;
    arb_t rho, one, other, x;
    fmpq_init(order);
    arb_init(rho);
    arb_init(one);
    arb_init(other);
    arb_init(x);
    ask_rho(rho, "dgauss:sigma2=2,sample=1/10 geometric:eps=2", "0", 20);
    ask_rho(other, "geometric:eps=2", "0", 20);
    cr_assert_not(arb_contains(rho, other) && arb_is_exact(rho));
    for (int a = 2; a <= 4096; a *= 2) {
        char text[16];
        snprintf(text, sizeof text, "%d", a);
        ask_renyi(one, "dgauss:sigma2=2,sample=1/10", text);
        ask_renyi(x, "geometric:eps=2", text);
        arb_add(x, x, one, PREC);
        arb_div_ui(x, x, (ulong)a, PREC);
        cr_assert_not(arb_gt(x, rho), "order %d", a);
    }
    set_ball(x, "1/4");
    arb_add(x, x, other, PREC);
    cr_assert_not(arb_gt(rho, x), "no more than the sum");
    cr_assert(arb_overlaps(rho, x) && arb_overlaps(rho, other));
    arb_clear(x);
    arb_clear(other);
    arb_clear(one);
    arb_clear(rho);
    fmpq_clear(order);
}

/* ---- what has none ---------------------------------------------------------------------------- */

Test(zcdp, a_promise_of_one_order_gives_no_rho)
{
    arb_t rho;
    arb_init(rho);
    ask_rho(rho, "rdp:order=1000,eps=1/1000", "0", 9);
    cr_assert(arf_is_pos_inf(arb_midref(rho)));
    arb_clear(rho);
}

Test(zcdp, different_supports_give_an_approximate_rho)
{
    arb_t rho, delta, expected;
    arb_init(rho);
    arb_init(delta);
    arb_init(expected);
    ask_rho(rho, "approx:eps=1,delta=1/8", "0", 9);
    cr_assert(arf_is_pos_inf(arb_midref(rho)));
    ask_rho_beside(rho, delta, "approx:eps=1,delta=1/8", "0");
    set_ball(expected, "0.46211715726000975850");
    expect_close(rho, expected, 8, "rho");
    set_ball(expected, "1/8");
    expect_close(delta, expected, 8, "delta");
    arb_clear(expected);
    arb_clear(delta);
    arb_clear(rho);
}

Test(zcdp, more_digits_give_a_narrower_enclosure_of_the_same)
{
    arb_t few, many;
    arb_init(few);
    arb_init(many);
    ask_rho(few, "laplace:scale=1/10", "3", 6);
    ask_rho(many, "laplace:scale=1/10", "3", 24);
    cr_assert(arb_overlaps(few, many));
    cr_assert(arb_rel_accuracy_bits(many) > 75 && arb_rel_accuracy_bits(few) >= 18);
    arb_clear(many);
    arb_clear(few);
}

Test(zcdp, a_negative_xi_is_refused)
{
    pby_spec *spec = spec_of("pure:eps=1");
    pby_enclosure x;
    pby_error err;
    mpq_t xi;
    mpq_init(xi);
    pby_enclosure_init(&x);
    mpq_set_si(xi, -1, 9);
    cr_assert_eq(pby_loss_zcdp(&x, NULL, spec, PBY_ADD_REMOVE, xi, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "xi"));
    pby_enclosure_clear(&x);
    mpq_clear(xi);
    pby_spec_free(spec);
}

Test(zcdp, losses_too_small_to_search_are_refused)
{
    pby_error err;
    pby_spec *spec = spec_of("laplace:scale=1e4000");
    pby_enclosure rho;
    mpq_t zero;
    mpq_init(zero);
    pby_enclosure_init(&rho);
    cr_assert_eq(pby_loss_zcdp(&rho, NULL, spec, PBY_ADD_REMOVE, zero, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "rho: expected a largest loss, less xi, of at least 2^-1024"));
    pby_enclosure_clear(&rho);
    mpq_clear(zero);
    pby_spec_free(spec);
}
