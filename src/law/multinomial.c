/* SPDX-License-Identifier: MIT */
#include "law/multinomial.h"

#include "law/thinning.h"

/* Draws the number of records taken from those that are left, each with chance `rate`. */
static pby_status take_part(pby_entropy *source, int64_t left, const fmpq_t rate, int64_t *taken,
                            pby_error *err)
{
    pby_thinning *thinning;
    pby_status status = pby_thinning_new(&thinning, rate, err);
    if (status != PBY_OK)
        return status;
    status = pby_thinning_draw(thinning, source, &left, taken, 1, err);
    pby_thinning_free(thinning);
    return status;
}

pby_status pby_multinomial_draw(pby_entropy *source, int64_t count, const fmpq *chance, size_t n,
                                int64_t *dealt, pby_error *err)
{
    fmpq_t rest, rate; /* what the places from i on have together, and the share of place i */
    int64_t left = count;
    pby_status status = PBY_OK;
    fmpq_init(rest);
    fmpq_init(rate);
    fmpq_one(rest);
    for (size_t i = 0; i < n && left > 0 && status == PBY_OK; i++) {
        int64_t taken = left;
        fmpq_div(rate, chance + i, rest);
        fmpq_sub(rest, rest, chance + i);
        if (!fmpq_is_one(rate))
            status = take_part(source, left, rate, &taken, err);
        if (status == PBY_OK) {
            dealt[i] += taken;
            left -= taken;
        }
    }
    fmpq_clear(rate);
    fmpq_clear(rest);
    return status;
}
