/* SPDX-License-Identifier: MIT */
/* The tail of a geometric law, digit by digit.
 *
 * A one-sided geometric G of rate r, written in base M as d0 + d1 M + ... + dJ-1 M^(J-1) + T M^J, has
 * mass proportional to exp(-r d0) exp(-r M d1) ... exp(-r M^J T): its digits are independent, digit j
 * has the law "digit" of rate r M^j, and the rest T is geometric of rate r M^J. So J is chosen so that
 * T is almost always below M, where a small table ends; beyond it the cdf of T is inverted. Each part
 * is an exact draw.
 */
#include <stdlib.h>

#include "kernel/digits.h"
#include "kernel/fit.h"
#include "law/law_exponential.h"
#include "law/laws.h"
#include "law/sampler.h"
#include "number/scoped.h"

enum { BASE = 256, DIGITS_MAX = 6, TOP_LEVEL = 14 };

struct pby_tail {
    pby_sampler *digit[DIGITS_MAX];
    pby_sampler *top;
    int digits;
};

static void tail_free(pby_tail *tail)
{
    for (int j = 0; j < tail->digits; j++)
        pby_sampler_free(tail->digit[j]);
    pby_sampler_free(tail->top);
    free(tail);
}

static pby_status tail_make(pby_tail **out, const pby_law *law, pby_error *err)
{
    *out = NULL;
    pby_tail *tail = calloc(1, sizeof *tail);
    if (tail == NULL)
        return pby_no_memory(err);
    fmpz_t base;
    pby_law *part;
    pby_status status = PBY_OK;
    PBY_FMPQ(rate);
    fmpz_init_set_ui(base, BASE);
    pby_law_geometric_rate(rate, law);
    while (status == PBY_OK && tail->digits < DIGITS_MAX && pby_decay_length(rate, TOP_LEVEL) > BASE) {
        status = pby_law_digit(&part, rate, BASE, err);
        if (status == PBY_OK)
            status = pby_sampler_of_law(&tail->digit[tail->digits++], part, err);
        fmpq_mul_fmpz(rate, rate, base);
    }
    if (status == PBY_OK)
        status = pby_law_magnitude(&part, rate, BASE, err);
    if (status == PBY_OK)
        status = pby_sampler_of_law(&tail->top, part, err);
    fmpz_clear(base);
    if (status != PBY_OK)
        tail_free(tail);
    else
        *out = tail;
    return status;
}

/* The rates admitted make a number beyond 64 bits a matter of exp(-2^20). */
static pby_status tail_draw(int64_t *beyond, pby_tail *tail, pby_entropy *source, pby_error *err)
{
    int64_t value = 0, digit[DIGITS_MAX];
    pby_status status = pby_draw_many(tail->top, source, &value, 1, err);
    for (int j = 0; j < tail->digits && status == PBY_OK; j++)
        status = pby_draw_many(tail->digit[tail->digits - 1 - j], source, &digit[j], 1, err);
    if (status == PBY_OK &&
        !(pby_within(&value, 1, 0, INT64_MAX / 2) && pby_within(digit, (size_t)tail->digits, 0, BASE - 1) &&
          pby_number(&value, digit, (size_t)tail->digits)))
        status = pby_fail(err, PBY_FAILED, "a draw left the range of 64-bit integers");
    *beyond = status == PBY_OK ? value : 0;
    return status;
}

const pby_tail_class pby_geometric_tail = {.make = tail_make, .draw = tail_draw, .free = tail_free};
