/* SPDX-License-Identifier: MIT */
/* Plds on a grid of twice the step.
 *
 * Losses at even multiples of the step stay. In an upper pld a loss between two of them becomes both: its
 * mass is divided so that Q keeps its mass too, and telling two outcomes apart where there was one makes the
 * potential greater. In a lower pld masses of losses one step below and one step above an even one become one
 * mass there, as much of both as gives Q its mass: making one outcome of two makes the potential smaller. The
 * rest of the upper one then goes down. Roundings go to the same side as these do. */
#include "loss/pld/pld.h"
#include "number/scoped.h"

static slong half_of(slong index)
{
    return (index - (index & 1)) / 2;
}

/* The weights as integers over 2^bits: up is not below exp(h)/(1 + exp(h)), down not above exp(-h). */
static void set_weights(fmpz_t up, fmpz_t down, const pby_pld *pld, const fmpq_t step)
{
    enum { GUARD = 64 };
    const slong prec = pld->bits + GUARD;
    PBY_ARB(decay, x);
    PBY_ARF(end);
    PBY_FMPQ(h);
    fmpq_mul_si(h, step, -pld->grain);
    arb_set_fmpq(decay, h, prec);
    arb_exp(decay, decay, prec);
    arb_add_ui(x, decay, 1, prec);
    arb_inv(x, x, prec);
    arb_mul_2exp_si(x, x, pld->bits);
    arb_get_ubound_arf(end, x, prec);
    arf_get_fmpz(up, end, ARF_RND_CEIL);
    arb_mul_2exp_si(decay, decay, pld->bits);
    arb_get_lbound_arf(end, decay, prec);
    arf_get_fmpz(down, end, ARF_RND_FLOOR);
    if (fmpz_sgn(down) < 0)
        fmpz_zero(down);
}

/* mass[at] += x; the mass has room for it. */
static void add(fmpz_poly_t mass, slong at, const fmpz_t x)
{
    fmpz_add(mass->coeffs + at, mass->coeffs + at, x);
}

static void divide_odd(fmpz_poly_t mass, slong low, const pby_pld *pld, const fmpz_t up)
{
    PBY_FMPZ(part);
    for (slong i = 0; i < fmpz_poly_length(pld->mass); i++) {
        const fmpz *m = pld->mass->coeffs + i;
        const slong at = half_of(pld->low + i) - low;
        if (((pld->low + i) & 1) == 0) {
            add(mass, at, m);
            continue;
        }
        fmpz_mul(part, m, up);
        fmpz_cdiv_q_2exp(part, part, (flint_bitcnt_t)pld->bits);
        if (fmpz_cmp(part, m) > 0)
            fmpz_set(part, m);
        add(mass, at + 1, part);
        fmpz_sub(part, m, part);
        add(mass, at, part);
    }
}

/* From the top: what is left of an odd loss goes one down, and takes with it from the odd loss below that
 * what it can bring up. */
static void merge_odd(fmpz_poly_t mass, slong low, const pby_pld *pld, const fmpz_t down)
{
    PBY_FMPZ(left, taken);
    for (slong i = fmpz_poly_length(pld->mass); i-- > 0;) {
        const fmpz *m = pld->mass->coeffs + i;
        const slong at = half_of(pld->low + i) - low;
        if (((pld->low + i) & 1) == 0) {
            add(mass, at, m);
            continue;
        }
        fmpz_sub(left, m, taken);
        add(mass, at, left);
        fmpz_mul(taken, left, down);
        fmpz_fdiv_q_2exp(taken, taken, (flint_bitcnt_t)pld->bits);
        if (i < 2)
            fmpz_zero(taken);
        else if (fmpz_cmp(taken, m - 2) > 0)
            fmpz_set(taken, m - 2);
        add(mass, at, taken);
    }
}

void pby_pld_coarsen(pby_pld *pld, const fmpq_t step)
{
    const slong low = half_of(pld->low), room = fmpz_poly_length(pld->mass) / 2 + 2;
    fmpz_poly_t mass;
    PBY_FMPZ(up, down);
    fmpz_poly_init2(mass, room);
    for (slong i = 0; i < room; i++)
        fmpz_zero(mass->coeffs + i);
    set_weights(up, down, pld, step);
    if (pld->upper)
        divide_odd(mass, low, pld, up);
    else
        merge_odd(mass, low, pld, down);
    _fmpz_poly_set_length(mass, room);
    _fmpz_poly_normalise(mass);
    fmpz_poly_swap(pld->mass, mass);
    pld->low = low;
    pld->grain *= 2;
    fmpz_poly_clear(mass);
}
