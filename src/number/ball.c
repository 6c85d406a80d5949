/* SPDX-License-Identifier: MIT */
#include "number/ball.h"

#include <stdbool.h>

#include "base/interrupt.h"
#include "number/scoped.h"

slong pby_bits_for_digits(unsigned digits)
{
    return (slong)(digits < PBY_DIGITS_MAX ? digits : PBY_DIGITS_MAX) * 10 / 3 + 4;
}

slong pby_precision_for_digits(unsigned digits)
{
    return 2 * pby_bits_for_digits(digits) + PBY_PRECISION_FIRST;
}

void pby_exp_fmpq(arb_t out, const fmpq_t x, slong prec)
{
    arb_set_fmpq(out, x, 2 * prec);
    arb_exp(out, out, prec);
}

/* For |x| <= 1 it is x (1 + t) with |t| <= |x|. */
void pby_expm1(arb_t out, const arb_t x, slong prec)
{
    PBY_ARB(about);
    arb_get_mag(arb_radref(about), x);
    if (mag_cmp_2exp_si(arb_radref(about), -prec) < 0) {
        arb_add_ui(about, about, 1, ARF_PREC_EXACT);
        arb_mul(out, x, about, prec);
    } else {
        arb_expm1(out, x, prec);
    }
}

void pby_raise_to(arb_t x, const arb_t y, slong prec)
{
    if (arf_is_neg_inf(arb_midref(x)) || arf_is_pos_inf(arb_midref(y)))
        arb_set(x, y);
    else if (!arf_is_pos_inf(arb_midref(x)) && !arf_is_neg_inf(arb_midref(y)))
        arb_max(x, x, y, prec);
}

static pby_status gave_up(pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                       "undecided at %d bits of precision, the most that is tried", PBY_PRECISION_MAX);
}

static bool narrow(const arb_t ball, slong bits)
{
    if (!arb_is_finite(ball))
        return arb_is_exact(ball) && !arf_is_nan(arb_midref(ball));
    return arb_is_exact(ball) || arb_rel_accuracy_bits(ball) >= bits;
}

/* True of what is proved to be nearer to 0 than 2^-NEGLIGIBLE. */
static bool negligible(const arb_t ball)
{
    enum { NEGLIGIBLE = 1024 };
    mag_t most;
    mag_init(most);
    arb_get_mag(most, ball);
    const bool yes = mag_cmp_2exp_si(most, -NEGLIGIBLE) < 0;
    mag_clear(most);
    return yes;
}

pby_status pby_enclose(arb_t ball, pby_real f, const void *what, unsigned digits, pby_error *err)
{
    const slong bits = pby_bits_for_digits(digits);
    for (slong prec = FLINT_MAX(PBY_PRECISION_FIRST, 2 * bits); prec <= PBY_PRECISION_MAX; prec *= 2) {
        pby_status status = pby_interrupt_check(err);
        if (status == PBY_OK)
            status = f(ball, what, prec, err);
        if (status != PBY_OK)
            return status;
        if (arf_is_inf(arb_midref(ball)) && mag_is_finite(arb_radref(ball)))
            mag_zero(arb_radref(ball)); /* infinity and something finite is infinity */
        if (narrow(ball, bits))
            return PBY_OK;
    }
    return negligible(ball) ? PBY_OK : gave_up(err);
}

pby_status pby_compare(int *sign, pby_real f, const void *what, const fmpq_t level, pby_error *err)
{
    PBY_ARB(ball, at);
    pby_status status = PBY_OK;
    bool decided = false;
    for (slong prec = PBY_PRECISION_FIRST; !decided && status == PBY_OK && prec <= PBY_PRECISION_MAX;
         prec *= 2) {
        status = pby_interrupt_check(err);
        if (status == PBY_OK)
            status = f(ball, what, prec, err);
        arb_set_fmpq(at, level, prec);
        if (arb_lt(ball, at) || arb_gt(ball, at)) {
            *sign = arb_lt(ball, at) ? -1 : 1;
            decided = true;
        } else if (arb_is_exact(ball) && arb_is_exact(at) && arb_equal(ball, at)) {
            *sign = 0;
            decided = true;
        }
    }
    if (status != PBY_OK)
        return status;
    return decided ? PBY_OK : gave_up(err);
}

void pby_enclosure_set_arb(pby_enclosure *x, const arb_t ball, unsigned digits)
{
    const mpfr_prec_t prec = (mpfr_prec_t)pby_bits_for_digits(digits) + 64; /* digits are at most 1000 */
    mpfr_set_prec(x->lo, prec);
    mpfr_set_prec(x->hi, prec);
    arb_get_interval_mpfr(x->lo, x->hi, ball);
}

pby_status pby_enclosure_real(pby_enclosure *x, pby_real f, const void *what, unsigned digits, pby_error *err)
{
    PBY_ARB(ball);
    const pby_status status = pby_enclose(ball, f, what, digits, err);
    if (status == PBY_OK)
        pby_enclosure_set_arb(x, ball, digits);
    return status;
}

void pby_enclosure_keep_in_unit(pby_enclosure *chance)
{
    if (mpfr_sgn(chance->lo) < 0)
        mpfr_set_zero(chance->lo, 1);
    if (mpfr_cmp_ui(chance->hi, 1) > 0)
        mpfr_set_ui(chance->hi, 1, MPFR_RNDU);
}

void pby_once_of(arb_t chance, ulong times, slong prec)
{
    arb_sub_ui(chance, chance, 1, prec);
    arb_neg(chance, chance);
    arb_pow_ui(chance, chance, times, prec);
    arb_sub_ui(chance, chance, 1, prec);
    arb_neg(chance, chance);
}

void pby_to_lower_end(arb_t x, slong prec)
{
    arb_get_lbound_arf(arb_midref(x), x, prec);
    mag_zero(arb_radref(x));
}

void pby_to_upper_end(arb_t x, slong prec)
{
    arb_get_ubound_arf(arb_midref(x), x, prec);
    mag_zero(arb_radref(x));
}
