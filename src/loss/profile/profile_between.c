/* SPDX-License-Identifier: MIT */
#include "loss/profile/profile_between.h"

#include <stdlib.h>

#include "number/ball.h"
#include "number/scoped.h"

struct between {
    pby_profile base;
    pby_profiles least, most;
    fmpq_t width; /* that an answer may have: no more of `least` are asked then */
    bool sharp;
};

static const struct between *between_of(const pby_profile *p)
{
    return (const struct between *)p;
}

/* The exponents of the two ends: the exact middle of ends that lie farther apart has more bits than a machine
 * has memory. */
enum { MIDDLE_BITS = 1 << 16 };

/* True if x > 0 is so far below y > 0 that 0 stands for it. */
static bool is_negligible(const arf_t x, const arf_t y)
{
    if (arf_sgn(x) <= 0 || !arf_is_finite(x) || !arf_is_finite(y))
        return false;
    PBY_FMPZ(places);
    fmpz_sub(places, ARF_EXPREF(y), ARF_EXPREF(x));
    return fmpz_cmp_si(places, MIDDLE_BITS) > 0;
}

/* The lower end stays what it is, however small it is beside the upper one: a radius has 30 bits, and a ball
 * around the middle would reach below 0. Only one that is negligible becomes 0. */
static void span(arb_t ball, const arb_t least, slong prec)
{
    PBY_ARF(end, gap);
    arb_get_lbound_arf(end, least, prec);
    arb_get_ubound_arf(gap, ball, prec);
    if (is_negligible(end, gap))
        arf_zero(end);
    arf_sub(gap, gap, end, prec, ARF_RND_UP);
    arf_mul_2exp_si(gap, gap, -1);
    arf_get_mag(arb_radref(ball), gap);
    arf_set_mag(gap, arb_radref(ball));
    arf_add(arb_midref(ball), end, gap, ARF_PREC_EXACT, ARF_RND_DOWN);
}

/* True if the ends are no further apart than the width, relative to the lower one. */
static bool is_near(const arb_t most, const arb_t least, const struct between *b)
{
    enum { PREC = 64 };
    PBY_ARB(low, allowed);
    PBY_ARF(end);
    arb_get_lbound_arf(end, least, PREC);
    arb_set_arf(low, end);
    arb_mul_fmpz(allowed, low, fmpq_numref(b->width), PREC);
    arb_div_fmpz(allowed, allowed, fmpq_denref(b->width), PREC);
    arb_add(allowed, allowed, low, PREC);
    return arb_is_finite(most) && arb_ge(allowed, most);
}

static bool all_near(arb_srcptr most, arb_srcptr least, size_t count, const struct between *b)
{
    for (size_t i = 0; i < count; i++)
        if (!is_near(most + i, least + i, b))
            return false;
    return true;
}

/* True if all answers are below the half of the others. */
static bool all_far(arb_srcptr most, arb_srcptr least, size_t count)
{
    enum { PREC = 64 };
    bool far = true;
    PBY_ARB(twice);
    for (size_t i = 0; i < count && far; i++) {
        arb_add(twice, least + i, least + i, PREC);
        far = arb_lt(twice, most + i);
    }
    return far;
}

/* Asks one profile for a lower bound, to all digits where it comes near the upper end. Far below that a
 * sketch is enough, and a composition of a small delta gives one for a hundredth of the cost. */
static pby_status ask_below(arb_ptr answer, const pby_profiles *one, arb_srcptr most, bool sharp,
                            const fmpq *epsilon, size_t count, unsigned digits, pby_error *err)
{
    const pby_profile *p = one->profile[0];
    pby_status status = PBY_OK;
    bool enough = false;
    if (p->class->sketch != NULL && !sharp) {
        status = p->class->sketch(answer, p, epsilon, count, err);
        enough = status == PBY_OK && all_far(most, answer, count);
    }
    return status == PBY_OK && !enough ? pby_profiles_deltas(answer, one, epsilon, count, digits, err)
                                       : status;
}

/* The greatest of what the profiles below say, as far as they have to be asked. */
static pby_status raise_deltas(arb_ptr least, arb_srcptr most, const struct between *b, const fmpq *epsilon,
                               size_t count, unsigned digits, pby_error *err)
{
    const slong prec = pby_precision_for_digits(digits);
    arb_ptr one = _arb_vec_init((slong)count);
    pby_status status = PBY_OK;
    for (size_t k = 0; k < b->least.count && status == PBY_OK; k++) {
        const pby_profiles single = {&b->least.profile[k], 1};
        if (k > 0 && all_near(most, least, count, b))
            break;
        status = ask_below(one, &single, most, b->sharp, epsilon, count, digits, err);
        for (size_t i = 0; i < count && status == PBY_OK; i++)
            if (k == 0)
                arb_set(least + i, one + i);
            else
                pby_raise_to(least + i, one + i, prec);
    }
    _arb_vec_clear(one, (slong)count);
    return status;
}

static pby_status between_deltas(arb_ptr ball, const pby_profile *p, const fmpq *epsilon, size_t count,
                                 unsigned digits, pby_error *err)
{
    arb_ptr least = _arb_vec_init((slong)count);
    pby_status status = pby_profiles_deltas(ball, &between_of(p)->most, epsilon, count, digits, err);
    if (status == PBY_OK)
        status = raise_deltas(least, ball, between_of(p), epsilon, count, digits, err);
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        span(ball + i, least + i, pby_precision_for_digits(digits));
    _arb_vec_clear(least, (slong)count);
    return status;
}

static pby_status between_delta_to(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                                   pby_error *err)
{
    return between_deltas(ball, p, epsilon, 1, digits, err);
}

static pby_status raise_epsilon(arb_t least, const arb_t most, const struct between *b, const fmpq_t level,
                                unsigned digits, pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_ARB(one);
    for (size_t k = 0; k < b->least.count && status == PBY_OK; k++) {
        const pby_profiles single = {&b->least.profile[k], 1};
        if (k > 0 && (!arb_is_finite(least) || is_near(most, least, b)))
            break;
        status = pby_profiles_epsilon(one, &single, level, digits, err);
        if (status == PBY_OK && (k == 0 || !arb_is_finite(one)))
            arb_set(least, one);
        else if (status == PBY_OK)
            pby_raise_to(least, one, pby_precision_for_digits(digits));
    }
    return status;
}

/* Ends of which one alone is infinite make no ball. */
static pby_status between_epsilon(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                  pby_error *err)
{
    PBY_ARB(least);
    PBY_TRY(pby_profiles_epsilon(ball, &between_of(p)->most, level, digits, err));
    PBY_TRY(raise_epsilon(least, ball, between_of(p), level, digits, err));
    if (arb_is_finite(ball) != arb_is_finite(least))
        PBY_TRY(pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                            "the worst neighbours are not known, and the bounds on epsilon are not both "
                            "finite"));
    if (arb_is_finite(ball))
        span(ball, least, pby_precision_for_digits(digits));
    return PBY_OK;
}

static void between_free(pby_profile *p)
{
    struct between *b = (struct between *)p;
    pby_profiles_clear(&b->least);
    pby_profiles_clear(&b->most);
    fmpq_clear(b->width);
    free(b);
}

static const pby_profile_class BETWEEN = {
    .delta_to = between_delta_to,
    .deltas_to = between_deltas,
    .epsilon_to = between_epsilon,
    .free = between_free,
};

pby_status pby_profile_between(pby_profile **out, pby_profiles *least, pby_profiles *most, const fmpq_t width,
                               bool sharp, pby_error *err)
{
    struct between *b = malloc(sizeof *b);
    *out = NULL;
    if (b == NULL) {
        pby_profiles_clear(least);
        pby_profiles_clear(most);
        return pby_no_memory(err);
    }
    *b = (struct between){.base = {&BETWEEN}, .least = *least, .most = *most, .sharp = sharp};
    fmpq_init(b->width);
    fmpq_set(b->width, width);
    *least = *most = (pby_profiles){NULL, 0};
    *out = &b->base;
    return PBY_OK;
}
