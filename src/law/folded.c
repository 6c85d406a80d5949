/* SPDX-License-Identifier: MIT */
#include "law/folded.h"

#include <stdlib.h>

#include "law/law_exponential.h"
#include "number/scoped.h"

/* exp(-45) < 2^-64 */
enum { LEVEL = 45 };

struct folded {
    pby_law base;
    fmpq_t rate, top; /* top = rate M */
};

/* cdf(k) = 1 - 2a A^k / (1 + a) for k >= 0 */
static void folded_below(pby_expsum_t out, const pby_law *law, int64_t k)
{
    const struct folded *f = (const struct folded *)law;
    PBY_FMPQ(shift, minus_two);
    fmpq_set_si(minus_two, -2, 1);
    fmpq_neg(shift, f->rate);
    pby_expsum_zero(out);
    pby_add_power(out, 1, f->top, k);
    pby_expsum_mul_term(out, out, minus_two, shift);
    pby_expsum_add(out, out, law->norm);
}

static void folded_free(pby_law *law)
{
    struct folded *f = (struct folded *)law;
    fmpq_clear(f->top);
    fmpq_clear(f->rate);
    free(f);
}

static const pby_law_class FOLDED = {.name = "folded", .below = folded_below, .free = folded_free};

pby_status pby_law_folded(pby_law **out, const fmpq_t rate, uint64_t m, pby_error *err)
{
    *out = NULL;
    struct folded *f = malloc(sizeof *f);
    if (f == NULL)
        return pby_no_memory(err);
    f->base = (pby_law){.class = &FOLDED, .hi = INT64_MAX, .bend_hi = 1};
    fmpq_init(f->rate);
    fmpq_init(f->top);
    fmpq_set(f->rate, rate);
    fmpq_mul_ui(f->top, rate, m);
    pby_expsum_init(f->base.norm);
    pby_add_power(f->base.norm, 1, rate, 0);
    pby_add_power(f->base.norm, 1, rate, 1);
    f->base.body_hi = pby_decay_length(f->top, LEVEL);
    *out = &f->base;
    return PBY_OK;
}
