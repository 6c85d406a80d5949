/* SPDX-License-Identifier: MIT */
#include "number/bisect.h"

#include <stdbool.h>

#include "base/interrupt.h"
#include "number/ball.h"
#include "number/scoped.h"

/* Beyond 2^SIZE_MAX_BITS in size, or within 2^-TINY_BITS of zero, a root is not sought. */
enum { SIZE_MAX_BITS = 1 << 10, TINY_BITS = 1 << 14 };

struct search {
    pby_sign_at f;
    const void *what;
    fmpq_t lo, hi; /* f(lo) > 0 > f(hi) */
    bool exact;    /* the root is lo */
    pby_error *err;
};

/* Tries x, which lies between lo and hi or beyond one of them, and moves that end to it; nothing moves
 * when f cannot tell. */
static pby_status probe(struct search *s, const fmpq_t x, int *sign)
{
    pby_status status = pby_interrupt_check(s->err);
    if (status == PBY_OK)
        status = s->f(sign, x, s->what, s->err);
    if (status != PBY_OK || *sign == PBY_UNDECIDED)
        return status;
    if (*sign >= 0)
        fmpq_set(s->lo, x);
    if (*sign <= 0)
        fmpq_set(s->hi, x);
    s->exact = *sign == 0;
    return PBY_OK;
}

static pby_status undecided(pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                       "the sign beside a root stays undecided at the precision that is tried");
}

/* Tries x, and where f cannot tell, x (1 + 1/8): a root is not near to both. */
static pby_status probe_power(struct search *s, const fmpq_t x, int *sign)
{
    pby_status status = probe(s, x, sign);
    if (status == PBY_OK && *sign == PBY_UNDECIDED) {
        PBY_FMPQ(y);
        fmpq_set_si(y, 9, 8);
        fmpq_mul(y, y, x);
        status = probe(s, y, sign);
    }
    return status == PBY_OK && *sign == PBY_UNDECIDED ? undecided(s->err) : status;
}

/* Halves the interval, or nearly: where f cannot tell at the middle, points to its left and right are
 * tried. */
static pby_status narrow_down(struct search *s)
{
    static const slong eighths[] = {4, 3, 5, 2, 6};
    PBY_FMPQ(x, width);
    fmpq_sub(width, s->hi, s->lo);
    fmpq_div_2exp(width, width, 3);
    int sign = PBY_UNDECIDED;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < sizeof eighths / sizeof *eighths && status == PBY_OK && sign == PBY_UNDECIDED;
         i++) {
        fmpq_mul_si(x, width, eighths[i]);
        fmpq_add(x, x, s->lo);
        status = probe(s, x, &sign);
    }
    return status == PBY_OK && sign == PBY_UNDECIDED ? undecided(s->err) : status;
}

/* The side of zero that the root is on, then powers of two outwards (the root beyond 1 in size) or
 * inwards until it lies between two of them. */
static pby_status bracket(struct search *s)
{
    int side = 0, sign = 0;
    PBY_FMPQ(x);
    pby_status status = probe(s, x, &side);
    if (status == PBY_OK && side == PBY_UNDECIDED)
        status = undecided(s->err);
    if (status == PBY_OK && !s->exact) {
        fmpq_set_si(x, side, 1);
        status = probe_power(s, x, &sign);
        const bool outwards = sign == side;
        for (long i = 0; status == PBY_OK && !s->exact && (outwards ? sign == side : sign != side); i++) {
            if (i > (outwards ? SIZE_MAX_BITS : TINY_BITS)) {
                status = pby_fail(
                    s->err, PBY_BAD,
                    "the answer is above 2^%d in size, or within 2^-%d of zero: expected one between",
                    SIZE_MAX_BITS, TINY_BITS);
                break;
            }
            if (outwards)
                fmpq_mul_2exp(x, x, 1);
            else
                fmpq_div_2exp(x, x, 1);
            status = probe_power(s, x, &sign);
        }
    }
    return status;
}

/* True if hi - lo <= 2^-bits min(|lo|, |hi|). */
static bool narrow(const struct search *s, slong bits)
{
    PBY_FMPQ(width, size, other);
    fmpq_sub(width, s->hi, s->lo);
    fmpq_mul_2exp(width, width, (flint_bitcnt_t)bits);
    fmpq_abs(size, s->lo);
    fmpq_abs(other, s->hi);
    return fmpq_cmp(width, size) <= 0 && fmpq_cmp(width, other) <= 0;
}

/* Tries a guess, and a point close by on the side where the root must be then; whether it lies between the
 * two. */
static pby_status try_guess(bool *found, struct search *s, const fmpq_t guess, slong bits)
{
    int first, second = PBY_UNDECIDED;
    PBY_FMPQ(x, step);
    PBY_ARF(rounded);
    arf_set_fmpq(rounded, guess, bits + 4, ARF_RND_NEAR);
    arf_get_fmpq(x, rounded);
    fmpq_abs(step, x);
    fmpq_div_2exp(step, step, (flint_bitcnt_t)bits + 1);
    pby_status status = probe(s, x, &first);
    if (status == PBY_OK && !s->exact && first != PBY_UNDECIDED) {
        if (first < 0)
            fmpq_neg(step, step);
        fmpq_add(x, x, step);
        status = probe(s, x, &second);
    }
    *found = status == PBY_OK && (s->exact || first + second == 0);
    return status;
}

static void set_between(arb_t root, const struct search *s, slong prec)
{
    PBY_ARB(end);
    arb_set_fmpq(root, s->lo, prec);
    if (!s->exact) {
        arb_set_fmpq(end, s->hi, prec);
        arb_union(root, root, end, prec);
    }
}

pby_status pby_bisect(arb_t root, pby_sign_at f, const void *what, const fmpq *guess, unsigned digits,
                      pby_error *err)
{
    const slong bits = pby_bits_for_digits(digits) + 2;
    struct search s = {.f = f, .what = what, .err = err};
    pby_status status = PBY_OK;
    bool found = false;
    fmpq_init(s.lo);
    fmpq_init(s.hi);
    if (guess != NULL && !fmpq_is_zero(guess))
        status = try_guess(&found, &s, guess, bits);
    if (status == PBY_OK && !found)
        status = bracket(&s);
    while (status == PBY_OK && !s.exact && !narrow(&s, bits))
        status = narrow_down(&s);
    if (status == PBY_OK)
        set_between(root, &s, 2 * bits);
    fmpq_clear(s.hi);
    fmpq_clear(s.lo);
    return status;
}
