/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "tests/law/make.h"
#include "tests/loss/ask.h"

enum { PREC = 300, TEXT = 100 };

/* d + (1 - d) (exp(eps) - exp(e))/(1 + exp(eps)) between -eps and eps; d from there on, and 1 - exp(e)
 * plus d exp(e) before. */
static void expected(arb_t out, const fmpq_t eps, const fmpq_t d, const fmpq_t e)
{
    fmpq_t minus;
    arb_t g, h, delta, rest;
    fmpq_init(minus);
    arb_init(g);
    arb_init(h);
    arb_init(delta);
    arb_init(rest);
    fmpq_neg(minus, eps);
    arb_set_fmpq(g, eps, PREC);
    arb_exp(g, g, PREC);
    arb_set_fmpq(h, e, PREC);
    arb_exp(h, h, PREC);
    arb_set_fmpq(delta, d, PREC);
    arb_sub_ui(rest, delta, 1, PREC);
    arb_neg(rest, rest);
    if (fmpq_cmp(e, eps) >= 0) {
        arb_zero(out);
    } else if (fmpq_cmp(e, minus) >= 0) {
        arb_sub(out, g, h, PREC);
        arb_add_ui(g, g, 1, PREC);
        arb_div(out, out, g, PREC);
    } else {
        arb_sub_ui(out, h, 1, PREC);
        arb_neg(out, out);
    }
    arb_mul(out, out, rest, PREC);
    arb_add(out, out, delta, PREC);
    arb_clear(rest);
    arb_clear(delta);
    arb_clear(h);
    arb_clear(g);
    fmpq_clear(minus);
}

static void check(const char *eps_text, const char *delta_text)
{
    char spec[TEXT];
    fmpq_t eps, d, e;
    arb_t found, wanted;
    fmpq_init(eps);
    fmpq_init(d);
    fmpq_init(e);
    arb_init(found);
    arb_init(wanted);
    set_text(eps, eps_text);
    set_text(d, delta_text);
    if (fmpq_is_zero(d))
        snprintf(spec, sizeof spec, "pure:eps=%s", eps_text);
    else
        snprintf(spec, sizeof spec, "approx:eps=%s,delta=%s", eps_text, delta_text);
    for (slong i = -20; i <= 20; i++) {
        fmpq_set_si(e, i, 4);
        expected(wanted, eps, d, e);
        ask_delta(found, spec, e, 30);
        cr_assert(arb_overlaps(found, wanted), "%s at %ld/4", spec, i);
    }
    arb_clear(wanted);
    arb_clear(found);
    fmpq_clear(e);
    fmpq_clear(d);
    fmpq_clear(eps);
}

Test(pure, randomised_response)
{
    check("1", "0");
    check("7/3", "0");
    check("1/100", "0");
}

Test(pure, with_a_chance_of_telling)
{
    check("1", "1/10");
    check("3/2", "1e-6");
    check("2", "1");
}
