#include "loss/profile/between.h"

#include <stdlib.h>

#include "number/ball.h"

struct between {
    pby_profile base;
    pby_profiles least, most;
};

static const struct between *between_of(const pby_profile *p)
{
    return (const struct between *)p;
}

/* The lower end stays what it is, however small it is beside the upper one: a radius has 30 bits, and a ball
 * around the middle would reach below 0. */
static void span(arb_t ball, const arb_t least, slong prec)
{
    arf_t end, gap;
    arf_init(end);
    arf_init(gap);
    arb_get_lbound_arf(end, least, prec);
    arb_get_ubound_arf(gap, ball, prec);
    arf_sub(gap, gap, end, prec, ARF_RND_UP);
    arf_mul_2exp_si(gap, gap, -1);
    arf_get_mag(arb_radref(ball), gap);
    arf_set_mag(gap, arb_radref(ball));
    arf_add(arb_midref(ball), end, gap, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_clear(gap);
    arf_clear(end);
}

static pby_status between_deltas(arb_ptr ball, const pby_profile *p, const fmpq *epsilon, size_t count,
                                 unsigned digits, pby_error *err)
{
    arb_ptr least = _arb_vec_init((slong)count);
    pby_status status = pby_profiles_deltas(ball, &between_of(p)->most, epsilon, count, digits, err);
    if (status == PBY_OK)
        status = pby_profiles_deltas(least, &between_of(p)->least, epsilon, count, digits, err);
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

/* Ends of which one alone is infinite make no ball. */
static pby_status between_epsilon(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                  pby_error *err)
{
    arb_t least;
    arb_init(least);
    pby_status status = pby_profiles_epsilon(ball, &between_of(p)->most, level, digits, err);
    if (status == PBY_OK)
        status = pby_profiles_epsilon(least, &between_of(p)->least, level, digits, err);
    if (status == PBY_OK && arb_is_finite(ball) != arb_is_finite(least))
        status = pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                             "the worst neighbours are not known, and the bounds on epsilon are not both "
                             "finite");
    if (status == PBY_OK && arb_is_finite(ball))
        arb_union(ball, ball, least, pby_precision_for_digits(digits));
    arb_clear(least);
    return status;
}

static void between_free(pby_profile *p)
{
    struct between *b = (struct between *)p;
    pby_profiles_clear(&b->least);
    pby_profiles_clear(&b->most);
    free(b);
}

static const pby_profile_class BETWEEN = {
    .delta_to = between_delta_to,
    .deltas_to = between_deltas,
    .epsilon_to = between_epsilon,
    .free = between_free,
};

pby_status pby_profile_between(pby_profile **out, pby_profiles *least, pby_profiles *most, pby_error *err)
{
    struct between *b = malloc(sizeof *b);
    *out = NULL;
    if (b == NULL) {
        pby_profiles_clear(least);
        pby_profiles_clear(most);
        return pby_no_memory(err);
    }
    *b = (struct between){{&BETWEEN}, *least, *most};
    *least = *most = (pby_profiles){NULL, 0};
    *out = &b->base;
    return PBY_OK;
}
