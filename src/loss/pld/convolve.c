/* SPDX-License-Identifier: MIT */
/* Products of privacy-loss distributions. */
#include <flint/fmpz_vec.h>
#include <inttypes.h>

#include "base/interrupt.h"
#include "base/work.h"
#include "loss/pld/pld.h"
#include "number/scoped.h"

/* The bytes are bounded from above: the coefficients, and the integers that the polynomials are packed into
 * with the room that their multiplication takes. */
pby_status pby_product_fits(slong losses, slong bits, pby_error *err)
{
    const slong limbs = (2 * bits + 63) / 64 + 1;
    const slong bytes_each = 48 + 8 * limbs * 10;
    if (losses < ((slong)PBY_MEMORY_MAX_MIB << 20) / bytes_each)
        return pby_work_fits((uint64_t)losses * (uint64_t)bytes_each, "a composition this fine", err);
    return pby_fail_by(err, PBY_BAD, PBY_REASON_MEMORY,
                       "a composition this fine needs more than %d MiB of memory (%" PRId64
                       " losses of %" PRId64 " bits each): expected a greater width",
                       PBY_MEMORY_MAX_MIB, (int64_t)losses, (int64_t)bits);
}

static void scale_back(fmpz_t x, const pby_pld *pld)
{
    if (pld->upper)
        fmpz_cdiv_q_2exp(x, x, (flint_bitcnt_t)pld->bits);
    else
        fmpz_fdiv_q_2exp(x, x, (flint_bitcnt_t)pld->bits);
}

static void sum_of(fmpz_t sum, const fmpz_poly_t mass)
{
    fmpz_zero(sum);
    for (slong i = 0; i < fmpz_poly_length(mass); i++)
        fmpz_add(sum, sum, mass->coeffs + i);
}

/* Infinite is what is infinite in a, and what is finite in a and infinite in b. */
static void infinite_of(fmpz_t out, const pby_pld *a, const pby_pld *b)
{
    PBY_FMPZ(sum);
    sum_of(sum, b->mass);
    fmpz_add(sum, sum, b->infinite);
    fmpz_mul(out, a->infinite, sum);
    sum_of(sum, a->mass);
    fmpz_addmul(out, sum, b->infinite);
}

/* Up to so many losses with mass, one shifted copy of the other factor for each costs less than a product. */
enum { SPARSE_MAX = 16 };

static bool sparse(const fmpz_poly_t mass)
{
    slong some = 0;
    for (slong i = 0; i < fmpz_poly_length(mass) && some <= SPARSE_MAX; i++)
        some += !fmpz_is_zero(mass->coeffs + i);
    return some <= SPARSE_MAX;
}

/* c = few many, both of some length */
static void mul_sparse(fmpz_poly_t c, const fmpz_poly_t few, const fmpz_poly_t many)
{
    const slong length = fmpz_poly_length(few) + fmpz_poly_length(many) - 1;
    fmpz_poly_zero(c);
    fmpz_poly_fit_length(c, length);
    _fmpz_vec_zero(c->coeffs, length);
    for (slong i = 0; i < fmpz_poly_length(few); i++)
        if (!fmpz_is_zero(few->coeffs + i))
            _fmpz_vec_scalar_addmul_fmpz(c->coeffs + i, many->coeffs, fmpz_poly_length(many),
                                         few->coeffs + i);
    _fmpz_poly_set_length(c, length);
}

void pby_poly_mul(fmpz_poly_t c, const fmpz_poly_t a, const fmpz_poly_t b)
{
    if (fmpz_poly_is_zero(a) || fmpz_poly_is_zero(b))
        fmpz_poly_zero(c);
    else if (sparse(a))
        mul_sparse(c, a, b);
    else if (sparse(b))
        mul_sparse(c, b, a);
    else if (a == b)
        fmpz_poly_sqr(c, a);
    else
        fmpz_poly_mul(c, a, b);
}

pby_status pby_pld_mul(pby_pld *c, const pby_pld *a, const pby_pld *b, pby_error *err)
{
    const slong losses = fmpz_poly_length(a->mass) + fmpz_poly_length(b->mass);
    pby_status status = pby_interrupt_check(err);
    if (status == PBY_OK)
        status = pby_product_fits(losses, a->bits, err);
    if (status != PBY_OK)
        return status;
    pby_poly_mul(c->mass, a->mass, b->mass);
    for (slong i = 0; i < fmpz_poly_length(c->mass); i++)
        scale_back(c->mass->coeffs + i, a);
    _fmpz_poly_normalise(c->mass);
    infinite_of(c->infinite, a, b);
    scale_back(c->infinite, a);
    c->low = a->low + b->low;
    c->grain = a->grain;
    return PBY_OK;
}

void pby_pld_trim(pby_pld *pld, const fmpz_t budget)
{
    slong from = 0, to = fmpz_poly_length(pld->mass);
    PBY_FMPZ(cut, next);
    for (; to > 0; to--, fmpz_set(cut, next)) {
        fmpz_add(next, cut, pld->mass->coeffs + to - 1);
        if (fmpz_cmp(next, budget) > 0)
            break;
    }
    if (pld->upper)
        fmpz_add(pld->infinite, pld->infinite, cut);
    fmpz_poly_truncate(pld->mass, to);
    fmpz_zero(cut);
    for (; from < to; from++, fmpz_set(cut, next)) {
        fmpz_add(next, cut, pld->mass->coeffs + from);
        if (fmpz_cmp(next, budget) > 0)
            break;
    }
    fmpz_poly_shift_right(pld->mass, pld->mass, from);
    pld->low += from;
    if (pld->upper && from < to)
        fmpz_add(pld->mass->coeffs, pld->mass->coeffs, cut);
}
