/* SPDX-License-Identifier: MIT */
#include "mechanism/range/range_bound.h"

#include <flint/fmpz_vec.h>
#include <stdlib.h>

#include "mechanism/range/range_potential.h"
#include "number/scoped.h"

/* Weights of parts are multiples of 2^-WEIGHT_BITS. None is above 2^33 rates, so that a precision of so many
 * bits more than the rate has tells each to less than one of them. */
enum { WEIGHT_BITS = 64, PRECISION = WEIGHT_BITS + 64 };

/* -log of the chance of a finite loss, rounded up, for parts 1 .. most. */
static void weigh(fmpz *weight, const pby_range_noise *noise, int64_t most)
{
    PBY_ARB(x);
    PBY_ARF(high);
    for (int64_t part = 1; part <= most; part++) {
        pby_range_finite(x, noise, part);
        arb_log(x, x, noise->prec);
        arb_neg(x, x);
        arb_mul_2exp_si(x, x, WEIGHT_BITS);
        arb_get_ubound_arf(high, x, noise->prec);
        arf_get_fmpz(weight + part, high, ARF_RND_CEIL);
    }
}

/* The heaviest division of each t up to all, by its last part. */
static void fill_last(int64_t *last, fmpz *heaviest, const fmpz *weight, int64_t all, int64_t most)
{
    PBY_FMPZ(sum);
    for (int64_t t = 1; t <= all; t++)
        for (int64_t part = 1; part <= FLINT_MIN(t, most); part++) {
            fmpz_add(sum, weight + part, heaviest + (t - part));
            if (last[t] != 0 && fmpz_cmp(sum, heaviest + t) <= 0)
                continue;
            fmpz_swap(heaviest + t, sum);
            last[t] = part;
        }
}

static pby_status take(pby_divisions *out, const int64_t *last, int64_t all, pby_error *err)
{
    out->division = calloc(1, sizeof *out->division);
    if (out->division == NULL)
        return pby_no_memory(err);
    out->count = 1;
    pby_division *d = out->division;
    d->part = malloc((size_t)all * sizeof *d->part);
    if (d->part == NULL)
        return pby_no_memory(err);
    for (int64_t t = all; t > 0; t -= last[t])
        d->part[d->count++] = last[t];
    return PBY_OK;
}

/* Each weight is above its own by less than 2 units, so that all of them are within 2 all units of the truth,
 * and 1 - exp(-z) <= z. */
void pby_range_slack(fmpq_t slack, int64_t all)
{
    fmpq_set_si(slack, 2 * all, 1);
    fmpq_div_2exp(slack, slack, WEIGHT_BITS);
}

pby_status pby_range_widest(pby_divisions *out, const fmpq_t rate, int64_t reach, int64_t all, pby_error *err)
{
    pby_range_noise noise;
    *out = (pby_divisions){NULL, 0};
    int64_t *last = calloc((size_t)all + 1, sizeof *last);
    if (last == NULL)
        return pby_no_memory(err);
    const slong large = (slong)fmpz_bits(fmpq_numref(rate)) - (slong)fmpz_bits(fmpq_denref(rate));
    pby_range_noise_init(&noise, rate, reach, 1, PRECISION + FLINT_MAX(0, large));
    const int64_t most = pby_range_far(&noise, all);
    fmpz *weight = _fmpz_vec_init((slong)most + 1), *heaviest = _fmpz_vec_init((slong)all + 1);
    weigh(weight, &noise, most);
    fill_last(last, heaviest, weight, all, most);
    const pby_status status = take(out, last, all, err);
    _fmpz_vec_clear(heaviest, (slong)all + 1);
    _fmpz_vec_clear(weight, (slong)most + 1);
    pby_range_noise_clear(&noise);
    free(last);
    return status;
}
