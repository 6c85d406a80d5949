/* SPDX-License-Identifier: MIT */
#include "tests/loss/ask.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/spec.h"

enum { PREC = 8000 };

typedef pby_status question(pby_enclosure *out, const pby_spec *spec, pby_neighbours relation, mpq_srcptr at,
                            unsigned digits, pby_error *err);

static void ask(arb_t ball, question *f, const char *text, pby_neighbours relation, const fmpq_t at,
                unsigned digits)
{
    pby_enclosure x;
    mpq_t q;
    pby_error err;
    pby_spec *spec = spec_of(text);
    mpq_init(q);
    pby_enclosure_init(&x);
    fmpq_get_mpq(q, at);
    cr_assert_eq(f(&x, spec, relation, q, digits, &err), PBY_OK, "%s: %s", text, err.text);
    if (mpfr_inf_p(x.lo) && mpfr_equal_p(x.lo, x.hi))
        arf_set_mpfr(arb_midref(ball), x.lo), mag_zero(arb_radref(ball));
    else
        arb_set_interval_mpfr(ball, x.lo, x.hi, PREC);
    pby_enclosure_clear(&x);
    mpq_clear(q);
    pby_spec_free(spec);
}

void ask_delta_for(arb_t ball, const char *spec, pby_neighbours relation, const fmpq_t epsilon,
                   unsigned digits)
{
    ask(ball, pby_loss_delta, spec, relation, epsilon, digits);
}

void ask_delta(arb_t ball, const char *spec, const fmpq_t epsilon, unsigned digits)
{
    ask(ball, pby_loss_delta, spec, PBY_ADD_REMOVE, epsilon, digits);
}

void ask_epsilon(arb_t ball, const char *spec, const fmpq_t delta, unsigned digits)
{
    ask(ball, pby_loss_epsilon, spec, PBY_ADD_REMOVE, delta, digits);
}

void ask_refused(const char *text, const char *expected)
{
    pby_spec *spec = spec_of(text);
    pby_enclosure delta;
    pby_error err;
    mpq_t epsilon;
    mpq_init(epsilon);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, epsilon, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
    pby_spec_free(spec);
}
