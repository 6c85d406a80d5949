/* SPDX-License-Identifier: MIT */
#include "loss/pld/pld.h"

#include "loss/pld/potential.h"
#include "number/scoped.h"

/* Bits beyond those of the masses, in the balls that they come from. */
enum { GUARD = 64 };

void pby_pld_init(pby_pld *pld, slong bits, bool upper)
{
    *pld = (pby_pld){.bits = bits, .grain = 1, .upper = upper};
    fmpz_poly_init(pld->mass);
    fmpz_init(pld->infinite);
}

void pby_pld_clear(pby_pld *pld)
{
    fmpz_poly_clear(pld->mass);
    fmpz_clear(pld->infinite);
}

void pby_pld_swap(pby_pld *a, pby_pld *b)
{
    const pby_pld held = *a;
    *a = *b;
    *b = held;
}

void pby_pld_one(pby_pld *pld)
{
    fmpz_poly_zero(pld->mass);
    fmpz_poly_set_coeff_ui(pld->mass, 0, 1);
    fmpz_mul_2exp(pld->mass->coeffs, pld->mass->coeffs, (flint_bitcnt_t)pld->bits);
    fmpz_zero(pld->infinite);
    pld->low = 0;
    pld->grain = 1;
}

/* x 2^bits as an integer, rounded to the pld's side; not below zero. */
static void set_rounded(fmpz_t out, const arb_t x, const pby_pld *pld, slong prec)
{
    PBY_ARF(end);
    if (pld->upper)
        arb_get_ubound_arf(end, x, prec);
    else
        arb_get_lbound_arf(end, x, prec);
    arf_mul_2exp_si(end, end, pld->bits);
    arf_get_fmpz(out, end, pld->upper ? ARF_RND_CEIL : ARF_RND_FLOOR);
    if (fmpz_sgn(out) < 0)
        fmpz_zero(out);
}

static void set_masses(pby_pld *pld, const pby_potential *u)
{
    PBY_ARB(mass);
    PBY_FMPZ(integer);
    fmpz_poly_zero(pld->mass);
    fmpz_poly_fit_length(pld->mass, u->n + 1);
    pld->low = u->low;
    for (slong j = 1; j < u->bends; j++) {
        pby_potential_mass(mass, u, u->bend[j - 1], u->bend[j], j + 1 < u->bends ? u->bend[j + 1] : u->n + 1);
        set_rounded(integer, mass, pld, u->prec);
        fmpz_poly_set_coeff_fmpz(pld->mass, u->bend[j], integer);
    }
    set_rounded(pld->infinite, u->value + u->n, pld, u->prec);
}

/* True if height 2^-bits is at most the value, plus the margin that was taken off a value above zero. */
static bool within(const arb_t height, const arb_t value, slong bits, slong prec)
{
    PBY_ARB(allowed);
    arb_mul_2exp_si(allowed, value, bits + PBY_POTENTIAL_MARGIN);
    if (!arb_is_zero(value))
        arb_add_ui(allowed, allowed, 1, prec);
    arb_mul_2exp_si(allowed, allowed, -PBY_POTENTIAL_MARGIN);
    return arb_le(height, allowed);
}

/* True if the potential of the masses is nowhere above what it may be, at every point and at zero: between
 * two points both are linear. There D(x_i) = A_i - C_i, where A_i is the mass from i on and C_i the same
 * weighted by exp(l_i - l). */
static bool stays_below(const pby_pld *pld, const pby_potential *u)
{
    fmpz_t whole;
    bool below = true;
    PBY_ARB(tilted, growth, height);
    fmpz_init_set(whole, pld->infinite);
    for (slong j = u->points - 1, last = u->n; j >= 0 && below; last = u->point[j--]) {
        const slong i = u->point[j];
        if (i < last) {
            pby_potential_gap(growth, u, last - i);
            arb_add_ui(growth, growth, 1, u->prec);
            arb_div(tilted, tilted, growth, u->prec);
        }
        if (i < fmpz_poly_length(pld->mass)) {
            arb_add_fmpz(tilted, tilted, pld->mass->coeffs + i, u->prec);
            fmpz_add(whole, whole, pld->mass->coeffs + i);
        }
        arb_sub_fmpz(height, tilted, whole, u->prec);
        arb_neg(height, height);
        below = within(height, u->value + i, pld->bits, u->prec);
    }
    arb_set_fmpz(height, whole);
    below = below && within(height, u->at_zero, pld->bits, u->prec);
    fmpz_clear(whole);
    return below;
}

pby_status pby_pld_from_tails(pby_pld *pld, const pby_tails *tails, size_t count, const fmpq_t step,
                              const fmpq_t slack, pby_error *err)
{
    pby_potential u;
    pby_status status = PBY_OK;
    pby_potential_init(&u, tails, pld->upper ? count : 1, step, pld->bits + GUARD + pby_step_places(step));
    if (pld->upper) {
        pby_potential_above(&u, tails, count);
        set_masses(pld, &u);
    } else {
        pby_potential_below(&u, tails, slack, pld->bits);
        set_masses(pld, &u);
        if (!stays_below(pld, &u))
            status = pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                                 "a lower bound on the loss could not be checked");
    }
    pby_potential_clear(&u);
    return status;
}
