/* SPDX-License-Identifier: MIT */
#include "number/minimise.h"

#include <criterion/criterion.h>

#include "tests/law/make.h"
#include "tests/loss/spectra.h"

enum { PREC = 400 };

/* (x - c)^2 + 1, with c in what. */
static pby_status parabola(arb_t value, const void *what, const fmpq_t x, slong prec, pby_error *err)
{
    (void)err;
    const fmpq *c = what;
    fmpq_t y;
    fmpq_init(y);
    fmpq_sub(y, x, c);
    fmpq_mul(y, y, y);
    fmpq_add_si(y, y, 1);
    arb_set_fmpq(value, y, prec);
    fmpq_clear(y);
    return PBY_OK;
}

/* x log x, and 0 at 0: least at 1/e, where it is -1/e. */
static pby_status entropy(arb_t value, const void *what, const fmpq_t x, slong prec, pby_error *err)
{
    (void)err;
    (void)what;
    arb_t log;
    arb_init(log);
    arb_set_fmpq(value, x, prec);
    if (!fmpq_is_zero(x)) {
        arb_log(log, value, prec);
        arb_mul(value, value, log, prec);
    }
    arb_clear(log);
    return PBY_OK;
}

/* x + 1/x, inf at 0. */
static pby_status bowl(arb_t value, const void *what, const fmpq_t x, slong prec, pby_error *err)
{
    (void)err;
    (void)what;
    arb_t inverse;
    arb_init(inverse);
    arb_set_fmpq(value, x, prec);
    if (fmpq_is_zero(x)) {
        arb_pos_inf(value);
    } else {
        arb_inv(inverse, value, prec);
        arb_add(value, value, inverse, prec);
    }
    arb_clear(inverse);
    return PBY_OK;
}

static void expect_least(const pby_convex *f, const char *expected, unsigned digits, const char *what)
{
    arb_t least, x;
    arb_init(least);
    arb_init(x);
    cr_assert_eq(pby_minimise(least, f, digits, NULL), PBY_OK, "%s", what);
    set_ball(x, expected);
    cr_assert(arb_overlaps(least, x), "%s: not enclosed", what);
    expect_close(least, x, (int)digits - 1, what);
    arb_clear(x);
    arb_clear(least);
}

Test(minimise, parabolas_near_and_far)
{
    static const char *const places[] = {"3", "1/3", "0", "1e30", "1e-30", "4", "8/5"};
    fmpq_t c;
    fmpq_init(c);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        set_text(c, places[i]);
        const pby_convex f = {parabola, c, NULL, i % 2 == 0};
        expect_least(&f, "1", 30, places[i]);
    }
    fmpq_clear(c);
}

Test(minimise, at_the_end_of_the_domain)
{
    fmpq_t c, most;
    fmpq_init(c);
    fmpq_init(most);
    set_text(c, "3");
    set_text(most, "5/2");
    const pby_convex f = {parabola, c, most, false};
    expect_least(&f, "5/4", 30, "before the least value");
    set_text(most, "7/2");
    expect_least(&f, "1", 30, "beyond it");
    fmpq_clear(most);
    fmpq_clear(c);
}

Test(minimise, known_values)
{
    const pby_convex log = {entropy, NULL, NULL, true}, sum = {bowl, NULL, NULL, false};
    expect_least(&log, "-0.36787944117144232159552377016146086744581113103176783450783680", 40, "x log x");
    expect_least(&sum, "2", 40, "x + 1/x");
}
