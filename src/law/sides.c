#include "law/sides.h"

#include <stdlib.h>

#include "law/exponential.h"

/* exp(-45) < 2^-64 */
enum { LEVEL = 45 };

struct sides {
    pby_law base;
    fmpq_t rate, top; /* top = rate M */
};

/* cdf(k) = a A^(-1-k) / (1 + a) for k < 0, and 1 - A^(k+1) / (1 + a) for k >= 0 */
static void sides_below(pby_expsum_t out, const pby_law *law, int64_t k)
{
    const struct sides *s = (const struct sides *)law;
    fmpq_t shift, one;
    pby_expsum_zero(out);
    if (k >= 0) {
        pby_expsum_set(out, law->norm);
        pby_add_power(out, -1, s->top, k + 1);
        return;
    }
    fmpq_init(shift);
    fmpq_init(one);
    fmpq_one(one);
    fmpq_neg(shift, s->rate);
    pby_add_power(out, 1, s->top, -1 - k);
    pby_expsum_mul_term(out, out, one, shift);
    fmpq_clear(one);
    fmpq_clear(shift);
}

static void sides_free(pby_law *law)
{
    struct sides *s = (struct sides *)law;
    fmpq_clear(s->top);
    fmpq_clear(s->rate);
    free(s);
}

static const pby_law_class SIDES = {.name = "sides", .below = sides_below, .free = sides_free};

pby_status pby_law_sides(pby_law **out, const fmpq_t rate, uint64_t m, pby_error *err)
{
    *out = NULL;
    struct sides *s = malloc(sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->base = (pby_law){.class = &SIDES, .lo = INT64_MIN, .hi = INT64_MAX, .bend_lo = -1, .bend_hi = 0};
    fmpq_init(s->rate);
    fmpq_init(s->top);
    fmpq_set(s->rate, rate);
    fmpq_mul_ui(s->top, rate, m);
    pby_expsum_init(s->base.norm);
    pby_add_power(s->base.norm, 1, rate, 0);
    pby_add_power(s->base.norm, 1, rate, 1);
    const int64_t half = pby_decay_length(s->top, LEVEL);
    s->base.body_lo = -half;
    s->base.body_hi = half - 1;
    *out = &s->base;
    return PBY_OK;
}
