/* SPDX-License-Identifier: MIT */
#include "tests/loss/spectra.h"
#include "probity/experimental/losses.h"
#include "tests/claims/decide.h"

#include <criterion/criterion.h>
#include <string.h>

#include "probity/rational.h"
#include "tests/loss/ask.h"
#include "tests/spec.h"

static void set_from(arb_t ball, const pby_enclosure *x)
{
    if (mpfr_equal_p(x->lo, x->hi))
        arf_set_mpfr(arb_midref(ball), x->lo), mag_zero(arb_radref(ball));
    else
        arb_set_interval_mpfr(ball, x->lo, x->hi, SPECTRA_PREC);
}

static void parse(mpq_t q, const char *text)
{
    pby_error err;
    cr_assert_eq(pby_rational_parse(q, "test", text, &err), PBY_OK, "%s", err.text);
}

struct asked {
    pby_spec *spec;
    pby_enclosure value;
    pby_approximate beside;
    mpq_t at;
};

static void begin(struct asked *a, const char *spec, const char *at)
{
    a->spec = spec_of(spec);
    pby_enclosure_init(&a->value);
    pby_approximate_init(&a->beside);
    mpq_init(a->at);
    if (strcmp(at, "inf") != 0)
        parse(a->at, at);
}

static void end(struct asked *a, arb_t ball, arb_t loss, arb_t delta)
{
    if (ball != NULL)
        set_from(ball, &a->value);
    if (loss != NULL) {
        set_from(loss, &a->beside.loss);
        set_from(delta, &a->beside.delta);
    }
    mpq_clear(a->at);
    pby_approximate_clear(&a->beside);
    pby_enclosure_clear(&a->value);
    pby_spec_free(a->spec);
}

static void renyi(arb_ptr ball, arb_ptr loss, arb_ptr delta, const char *spec, const char *order)
{
    struct asked a;
    pby_error err;
    begin(&a, spec, order);
    const mpq_srcptr at = strcmp(order, "inf") == 0 ? NULL : a.at;
    cr_assert_eq(pby_loss_renyi(&a.value, &a.beside, a.spec, PBY_ADD_REMOVE, at, SPECTRA_DIGITS, &err),
                 PBY_OK, "%s at %s: %s", spec, order, err.text);
    end(&a, ball, loss, delta);
}

void ask_renyi(arb_t ball, const char *spec, const char *order)
{
    renyi(ball, NULL, NULL, spec, order);
}

void ask_renyi_beside(arb_t loss, arb_t delta, const char *spec, const char *order)
{
    renyi(NULL, loss, delta, spec, order);
}

static void rho(arb_ptr ball, arb_ptr loss, arb_ptr delta, const char *spec, const char *xi, unsigned digits)
{
    struct asked a;
    pby_error err;
    begin(&a, spec, xi);
    cr_assert_eq(pby_loss_zcdp(&a.value, &a.beside, a.spec, PBY_ADD_REMOVE, a.at, digits, &err), PBY_OK,
                 "%s: %s", spec, err.text);
    end(&a, ball, loss, delta);
}

void ask_rho(arb_t ball, const char *spec, const char *xi, unsigned digits)
{
    rho(ball, NULL, NULL, spec, xi, digits);
}

void ask_rho_beside(arb_t loss, arb_t delta, const char *spec, const char *xi)
{
    rho(NULL, loss, delta, spec, xi, 9);
}

void ask_conversion(arb_t ball, const char *name, pby_question question, const char *spec, const char *value)
{
    struct asked a;
    pby_error err;
    begin(&a, spec, value == NULL ? "inf" : value);
    cr_assert_eq(pby_loss_convert(&a.value, name, question, a.spec, PBY_ADD_REMOVE,
                                  value == NULL ? NULL : a.at, SPECTRA_DIGITS, &err),
                 PBY_OK, "%s of %s: %s", name, spec, err.text);
    end(&a, ball, NULL, NULL);
}

void set_ball(arb_t ball, const char *text)
{
    mpq_t q;
    fmpq_t x;
    mpq_init(q);
    fmpq_init(x);
    parse(q, text);
    fmpq_set_mpq(x, q);
    arb_set_fmpq(ball, x, SPECTRA_PREC);
    fmpq_clear(x);
    mpq_clear(q);
}

void expect_close(const arb_t x, const arb_t y, int digits, const char *what)
{
    arb_t gap, most;
    arb_init(gap);
    arb_init(most);
    arb_sub(gap, x, y, SPECTRA_PREC);
    arb_abs(gap, gap);
    arb_set_ui(most, 10);
    arb_pow_ui(most, most, (ulong)digits, SPECTRA_PREC);
    arb_inv(most, most, SPECTRA_PREC);
    char *left = arb_get_str(x, 30, 0), *right = arb_get_str(y, 30, 0);
    cr_assert(claims_le_arb(CLAIMS_ALL, gap, most), "%s: %s and %s", what, left, right);
    flint_free(left);
    flint_free(right);
    arb_clear(most);
    arb_clear(gap);
}
