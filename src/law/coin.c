/* SPDX-License-Identifier: MIT */
#include "law/coin.h"

#include "number/ball.h"
#include "number/scoped.h"

/* exp(-EMPTY) < 2^-64 */
enum { EMPTY = 45, GUARD = 64 };

/* *digit = the last 64 bits of floor(2^(64 place) exp(-x)) for x above 0 */
static pby_status digit_of(uint64_t *digit, const fmpq_t x, slong place, pby_error *err)
{
    bool certain = false;
    PBY_FMPQ(minus);
    PBY_FMPZ(floor);
    PBY_ARB(ball);
    fmpq_neg(minus, x);
    for (slong prec = 64 * place + GUARD; prec <= PBY_PRECISION_MAX && !certain; prec *= 2) {
        arb_set_fmpq(ball, minus, prec + (slong)fmpz_bits(fmpq_numref(minus)));
        arb_exp(ball, ball, prec);
        arb_mul_2exp_si(ball, ball, 64 * place);
        arb_floor(ball, ball, prec);
        certain = arb_get_unique_fmpz(floor, ball);
    }
    fmpz_fdiv_r_2exp(floor, floor, 64);
    *digit = certain ? fmpz_get_ui(floor) : 0;
    return certain ? PBY_OK
                   : pby_fail(err, PBY_FAILED, "a coin is not decided at %d bits", PBY_PRECISION_MAX);
}

pby_status pby_coin_cut(uint64_t *cut, const fmpq_t x, pby_error *err)
{
    *cut = fmpq_is_zero(x) ? UINT64_MAX : 0;
    return fmpq_is_zero(x) || fmpq_cmp_si(x, EMPTY) >= 0 ? PBY_OK : digit_of(cut, x, 1, err);
}

pby_status pby_coin_flip(bool *heads, uint64_t word, uint64_t cut, const fmpq_t x, pby_entropy *source,
                         pby_error *err)
{
    pby_status status = PBY_OK;
    *heads = fmpq_is_zero(x);
    if (*heads)
        return PBY_OK;
    for (slong place = 2; word == cut && status == PBY_OK; place++) {
        status = pby_entropy_words(source, &word, 1, err);
        if (status == PBY_OK)
            status = digit_of(&cut, x, place, err);
    }
    *heads = word < cut;
    return status;
}
