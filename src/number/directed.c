/* SPDX-License-Identifier: MIT */
#include "number/directed.h"
#include "number/scoped.h"

static pby_directed of_arf(const arf_t x, bool up)
{
    pby_directed out = {0, 0};
    if (arf_sgn(x) <= 0)
        return out;
    PBY_FMPZ(bits, exponent);
    PBY_ARF(cut);
    arf_set_round(cut, x, 64, up ? ARF_RND_UP : ARF_RND_DOWN);
    arf_get_fmpz_2exp(bits, exponent, cut);
    const slong shift = 64 - (slong)fmpz_bits(bits);
    fmpz_mul_2exp(bits, bits, (ulong)shift);
    out.bits = fmpz_get_ui(bits);
    out.exponent = fmpz_get_si(exponent) - shift;
    return out;
}

pby_directed pby_directed_of_double(double x)
{
    PBY_ARF(value);
    arf_set_d(value, x);
    return of_arf(value, false);
}

pby_directed pby_directed_of_ball(const arb_t x, bool up)
{
    enum { PREC = 128 };
    PBY_ARF(end);
    if (up)
        arb_get_ubound_arf(end, x, PREC);
    else
        arb_get_lbound_arf(end, x, PREC);
    return of_arf(end, up);
}

void pby_directed_get_fmpq(fmpq_t out, pby_directed x)
{
    fmpz_t bits;
    fmpz_init_set_ui(bits, x.bits);
    fmpq_set_fmpz(out, bits);
    if (x.exponent >= 0)
        fmpq_mul_2exp(out, out, (flint_bitcnt_t)x.exponent);
    else
        fmpq_div_2exp(out, out, (flint_bitcnt_t)-x.exponent);
    fmpz_clear(bits);
}
