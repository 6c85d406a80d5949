/* SPDX-License-Identifier: MIT */
/* Sized stlap with more ways to spread its records than are listed: what some of them lose, by enumeration.
 */
#include <criterion/criterion.h>

#include "tests/loss/ask.h"
#include "tests/mechanism/sized.h"

enum { DIGITS = 9, PREC = 128 };

/* worst = max(worst, the divergence of an input and the same with a record more in its first bar). */
static void raise_by(arb_t worst, const sized *s, const slong *x, const fmpq_t epsilon)
{
    slong y[SIZED_BARS_MAX];
    arb_t one;
    arb_init(one);
    for (int i = 0; i < s->bars; i++)
        y[i] = x[i] + (i == 0);
    sized_divergence(one, s, x, y, epsilon);
    arb_max(worst, worst, one, PREC);
    sized_divergence(one, s, y, x, epsilon);
    arb_max(worst, worst, one, PREC);
    arb_clear(one);
}

/* The enclosure holds the worst of these inputs or lies above it, and is no wider than one in `narrow`. */
static void expect(const sized *s, slong (*inputs)[SIZED_BARS_MAX], size_t count, ulong narrow)
{
    char text[SIZED_TEXT];
    fmpq_t epsilon;
    arb_t worst, found, width;
    fmpq_init(epsilon);
    arb_init(worst);
    arb_init(found);
    arb_init(width);
    fmpq_set_str(epsilon, s->eps, 10);
    for (size_t i = 0; i < count; i++)
        raise_by(worst, s, inputs[i], epsilon);
    ask_delta(found, sized_spec(text, s), epsilon, DIGITS);
    arb_get_ubound_arf(arb_midref(width), found, PREC);
    cr_assert(arb_le(worst, width), "%s: an input is worse than the bound", text);
    arb_get_rad_arb(width, found);
    arb_mul_ui(width, width, 2 * narrow, PREC);
    cr_assert(arb_le(width, found), "%s: too wide", text);
    /* The lower end is what some input reaches. */
    arb_get_lbound_arf(arb_midref(width), found, PREC);
    mag_zero(arb_radref(width));
    arb_mul_ui(worst, worst, narrow + 1, PREC);
    arb_div_ui(worst, worst, narrow, PREC);
    cr_assert(arb_le(width, worst), "%s: the lower end is above every input", text);
    arb_clear(width);
    arb_clear(found);
    arb_clear(worst);
    fmpq_clear(epsilon);
}

/* Full bars alone were half of the truth here: the others must be spread evenly. */
Test(stlap_witness, records_that_are_spread_evenly)
{
    slong inputs[][SIZED_BARS_MAX] = {{20, 20, 20, 0}, {20, 14, 13, 13}, {15, 15, 15, 15}, {20, 20, 10, 10},
                                      {0, 20, 20, 20}, {19, 14, 14, 13}, {20, 16, 12, 12}};
    expect(&(sized){"1", "1/3", 60, 4}, inputs, sizeof inputs / sizeof *inputs, 100);
}
