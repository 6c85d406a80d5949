/* SPDX-License-Identifier: MIT */
/* The greatest mean error of a choice by scores, but for a mass gamma.
 *
 * No scores have more than those where all others are d below the best, for some d: d (P(s) - gamma) with s =
 * rate d and P(s) the chance that the best is not chosen. P is log-concave and falls, so that s (P(s) -
 * gamma) rises up to one place and falls behind it (docs/theory/average.md). */
#include "accuracy/average.h"
#include "mechanism/shared/chooser.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { DOUBLINGS_MAX = 200 };

typedef void level_of(arb_t chance, arb_t slope, uint64_t candidates, const arb_t s, slong prec);

struct choice {
    level_of *level;
    uint64_t candidates;
    const fmpq *rate, *base; /* of one unit of error: base is NULL, or rate is, which is then log(base) */
    const fmpq *gamma;
    bool whole;    /* errors are integers */
    uint64_t most; /* and at most this, unless it is 0 */
};

/* gain = P(s) - gamma, rise = P(s) - gamma + s P'(s) */
static void rise_at(arb_t gain, arb_t rise, const struct choice *c, const arb_t s, slong prec)
{
    PBY_ARB(gamma);
    arb_set_fmpq(gamma, c->gamma, prec);
    c->level(gain, rise, c->candidates, s, prec);
    arb_sub(gain, gain, gamma, prec);
    arb_mul(rise, rise, s, prec);
    arb_add(rise, rise, gain, prec);
}

/* The sign of the rise at low + (high - low) part/4; 0 where it is too small to be told. */
static int sign_at(arf_t place, const struct choice *c, const arf_t low, const arf_t high, ulong part,
                   slong prec)
{
    PBY_ARB(s, gain, rise);
    arf_sub(place, high, low, prec, ARF_RND_DOWN);
    arf_mul_ui(place, place, part, prec, ARF_RND_DOWN);
    arf_mul_2exp_si(place, place, -2);
    arf_add(place, place, low, prec, ARF_RND_DOWN);
    arb_set_arf(s, place);
    rise_at(gain, rise, c, s, prec);
    return arb_is_positive(rise) - arb_is_negative(rise);
}

/* The interval that holds the place of the greatest value, halved until its length or the sign of the rise is
 * below the precision. Where that is 0 in the middle, the quarters tell. */
static void find_peak(arf_t low, arf_t high, const struct choice *c, slong prec)
{
    bool moved = true;
    PBY_ARF(place);
    arf_zero(low);
    arf_one(high);
    for (int i = 0; i < DOUBLINGS_MAX && sign_at(place, c, low, high, 4, prec) >= 0; i++)
        arf_mul_2exp_si(high, high, 1);
    for (slong i = 0; i < prec / 2 && moved; i++) {
        int sign = sign_at(place, c, low, high, 2, prec);
        moved = sign != 0;
        if (moved)
            arf_set(sign > 0 ? low : high, place);
        for (ulong part = 1; sign == 0 && part <= 3; part += 2)
            if (sign_at(place, c, low, high, part, prec) == (part == 1 ? 1 : -1)) {
                arf_set(part == 1 ? low : high, place);
                moved = true;
            }
    }
}

/* s (P(s) - gamma) at its greatest, around which s is a ball: its value in the middle, and the rise over all
 * of the ball times half its length. */
static void value_of_peak(arb_t out, arb_t s, const struct choice *c, slong prec)
{
    PBY_ARF(low, high);
    PBY_ARB(gain, rise, middle);
    find_peak(low, high, c, prec);
    arb_set_interval_arf(s, low, high, prec);
    arb_get_mid_arb(middle, s);
    rise_at(gain, rise, c, middle, prec);
    arb_mul(out, gain, middle, prec);
    rise_at(gain, rise, c, s, prec);
    arb_sub(middle, s, middle, prec);
    arb_addmul(out, rise, middle, prec);
}

static void set_rate(arb_t rate, const struct choice *c, slong prec)
{
    arb_set_fmpq(rate, c->base != NULL ? c->base : c->rate, prec);
    if (c->base != NULL)
        arb_log(rate, rate, prec);
}

/* True if P(d log(base)) is gamma: what no ball can tell. */
static bool is_even(const struct choice *c, const fmpz_t d)
{
    enum { BITS_MAX = 1 << 20 };
    if (c->base == NULL || fmpz_cmp_ui(d, BITS_MAX / fmpq_height_bits(c->base)) > 0)
        return false;
    PBY_FMPQ(x, y);
    fmpq_pow_si(x, c->base, fmpz_get_si(d));
    fmpq_mul(x, x, c->gamma);
    fmpq_set_ui(y, 1, 1);
    fmpq_sub(y, y, c->gamma);
    fmpq_mul_ui(y, y, c->candidates - 1);
    return fmpq_equal(x, y);
}

/* The greatest at the integers next to s/rate, the place of the greatest of all. */
static void greatest_of_integers(arb_t out, const struct choice *c, const arb_t s, slong prec)
{
    PBY_FMPZ(d, last);
    PBY_ARB(rate, x, gain, rise);
    PBY_ARF(end);
    set_rate(rate, c, prec);
    arb_div(x, s, rate, prec);
    arb_get_lbound_arf(end, x, prec);
    arf_get_fmpz(d, end, ARF_RND_FLOOR);
    arb_get_ubound_arf(end, x, prec);
    arf_get_fmpz(last, end, ARF_RND_CEIL);
    if (c->most > 0 && fmpz_cmp_ui(d, c->most) > 0)
        fmpz_set_ui(d, c->most);
    if (c->most > 0 && fmpz_cmp_ui(last, c->most) > 0)
        fmpz_set_ui(last, c->most);
    arb_zero(out);
    for (; fmpz_cmp(d, last) <= 0; fmpz_add_ui(d, d, 1)) {
        arb_mul_fmpz(x, rate, d, prec);
        rise_at(gain, rise, c, x, prec);
        if (arb_contains_zero(gain) && is_even(c, d))
            arb_zero(gain);
        arb_mul_fmpz(gain, gain, d, prec);
        pby_raise_to(out, gain, prec);
    }
}

static pby_status mean(arb_t out, const void *what, slong prec, pby_error *err)
{
    const struct choice *c = what;
    (void)err;
    PBY_ARB(s, rate);
    if (c->whole) { /* of the place it is enough to know about which integers it is between */
        const slong room = 4 * (slong)fmpq_height_bits(c->base != NULL ? c->base : c->rate);
        value_of_peak(out, s, c, FLINT_MIN(prec, PBY_PRECISION_FIRST + room));
        greatest_of_integers(out, c, s, prec);
    } else {
        value_of_peak(out, s, c, prec);
        set_rate(rate, c, prec);
        arb_div(out, out, rate, prec);
    }
    return PBY_OK;
}

/* Nothing is left where gamma is at least 1 - 1/candidates: equal candidates are all as likely, and no error
 * is likelier than theirs. */
static bool covered(const struct choice *c)
{
    PBY_FMPQ(x);
    fmpq_sub_ui(x, c->gamma, 1);
    fmpz_mul_ui(fmpq_numref(x), fmpq_numref(x), c->candidates);
    fmpz_add(fmpq_numref(x), fmpq_numref(x), fmpq_denref(x));
    return fmpz_sgn(fmpq_numref(x)) >= 0;
}

static pby_status solve(arb_t beta, const struct choice *c, unsigned digits, pby_error *err)
{
    return c->candidates == 1 || covered(c) ? PBY_OK : pby_enclose(beta, mean, c, digits, err);
}

pby_status pby_mean_of_choice(arb_t beta, const pby_mean *of, pby_error *err)
{
    const pby_mechanism *m = of->mechanism;
    const pby_chooser_class *chooser = m->family->chooser;
    if (chooser != NULL && chooser->level == NULL)
        return of->support == 1 ? PBY_OK
                                : chooser->between(beta, m, of->support, of->gamma,
                                                   pby_precision_for_digits(of->digits), err);
    struct choice c = {.level = chooser == NULL ? pby_weighed_level : chooser->level,
                       .candidates = of->support,
                       .base = pby_mechanism_value(m, PBY_ROLE_BASE),
                       .gamma = of->gamma,
                       .whole = chooser != NULL && chooser->whole};
    PBY_FMPQ(rate);
    if (c.base == NULL) {
        m->family->rate(rate, m);
        c.rate = rate;
    }
    return solve(beta, &c, of->digits, err);
}

pby_status pby_mean_fall(arb_t beta, const fmpq_t rate, uint64_t outcomes, uint64_t most, const fmpq_t gamma,
                         unsigned digits, pby_error *err)
{
    const struct choice c = {.level = pby_weighed_level,
                             .candidates = outcomes,
                             .rate = rate,
                             .gamma = gamma,
                             .whole = true,
                             .most = most};
    return solve(beta, &c, digits, err);
}
