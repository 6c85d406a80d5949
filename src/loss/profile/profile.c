/* SPDX-License-Identifier: MIT */
#include "loss/profile/profile.h"

#include <stdbool.h>
#include <stdlib.h>

#include "number/ball.h"
#include "number/bisect.h"
#include "number/scoped.h"

/* Beyond so many bits a sign is left undecided, and the bisection tries another point: around the
 * root of a smooth function only a vanishing part of the points asks for more. */
enum { SIGN_PRECISION_MAX = 1 << 15 };

struct question {
    const pby_profile *profile;
    const fmpq *at; /* an epsilon, or the level that delta is held against */
};

/* ---- one profile ------------------------------------------------------------------------------ */

static pby_status delta_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct question *q = what;
    return q->profile->class->delta(ball, q->profile, q->at, prec, err);
}

static pby_status limit_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct question *q = what;
    return q->profile->class->limit(ball, q->profile, prec, err);
}

static pby_status largest_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct question *q = what;
    return q->profile->class->largest(ball, q->profile, prec, err);
}

pby_status pby_profile_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                             pby_error *err)
{
    if (p->class->delta_to != NULL)
        return p->class->delta_to(ball, p, epsilon, digits, err);
    const struct question q = {p, epsilon};
    return pby_enclose(ball, delta_ball, &q, digits, err);
}

static pby_status limit_sign(int *sign, const struct question *q, pby_error *err)
{
    const pby_profile_class *class = q->profile->class;
    if (class->limit_sign != NULL)
        return class->limit_sign(sign, q->profile, q->at, err);
    return class->sign != NULL ? class->sign(sign, q->profile, NULL, q->at, err)
                               : pby_compare(sign, limit_ball, q, q->at, err);
}

/* The sign of ball - level, PBY_UNDECIDED where they overlap. */
static int sign_of(const arb_t ball, const fmpq_t level, slong prec)
{
    PBY_ARB(at);
    arb_set_fmpq(at, level, prec);
    int sign = PBY_UNDECIDED;
    if (arb_gt(ball, at))
        sign = 1;
    else if (arb_lt(ball, at))
        sign = -1;
    else if (arb_is_exact(ball) && arb_is_exact(at) && arb_equal(ball, at))
        sign = 0;
    return sign;
}

static pby_status sign_at(int *sign, const fmpq_t epsilon, const void *what, pby_error *err)
{
    const struct question *q = what;
    const pby_profile_class *class = q->profile->class;
    if (class->sign != NULL)
        return class->sign(sign, q->profile, epsilon, q->at, err);
    pby_status status = PBY_OK;
    PBY_ARB(ball);
    *sign = PBY_UNDECIDED;
    for (slong prec = PBY_PRECISION_FIRST;
         status == PBY_OK && *sign == PBY_UNDECIDED && prec <= SIGN_PRECISION_MAX; prec *= 2) {
        status = class->delta(ball, q->profile, epsilon, prec, err);
        *sign = sign_of(ball, q->at, prec);
    }
    return status;
}

static pby_status bisect(arb_t ball, const struct question *q, unsigned digits, pby_error *err)
{
    const pby_profile_class *class = q->profile->class;
    PBY_FMPQ(guess);
    if (class->guess != NULL)
        class->guess(guess, q->profile, q->at, pby_bits_for_digits(digits));
    return pby_bisect(ball, sign_at, q, guess, digits, err);
}

pby_status pby_profile_epsilon(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                               pby_error *err)
{
    if (fmpq_cmp_si(level, 1) >= 0) {
        arb_neg_inf(ball);
        return PBY_OK;
    }
    if (p->class->epsilon_to != NULL)
        return p->class->epsilon_to(ball, p, level, digits, err);
    const struct question q = {p, level};
    int sign = 0;
    const pby_status status = limit_sign(&sign, &q, err);
    if (status != PBY_OK)
        return status;
    if (sign > 0) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    return sign == 0 ? pby_enclose(ball, largest_ball, &q, digits, err) : bisect(ball, &q, digits, err);
}

void pby_profile_free(pby_profile *p)
{
    if (p != NULL)
        p->class->free(p);
}

/* ---- several ---------------------------------------------------------------------------------- */

pby_status pby_profiles_init(pby_profiles *list, size_t count, pby_error *err)
{
    *list = (pby_profiles){calloc(count, sizeof *list->profile), count};
    if (list->profile != NULL)
        return PBY_OK;
    list->count = 0;
    return pby_no_memory(err);
}

void pby_profiles_clear(pby_profiles *list)
{
    for (size_t i = 0; i < list->count; i++)
        pby_profile_free(list->profile[i]);
    free(list->profile);
    *list = (pby_profiles){NULL, 0};
}

static pby_status deltas_of(arb_ptr ball, const pby_profile *p, const fmpq *epsilon, size_t count,
                            unsigned digits, pby_error *err)
{
    if (p->class->deltas_to != NULL)
        return p->class->deltas_to(ball, p, epsilon, count, digits, err);
    for (size_t i = 0; i < count; i++)
        PBY_TRY(pby_profile_delta(ball + i, p, epsilon + i, digits, err));
    return PBY_OK;
}

pby_status pby_profiles_deltas(arb_ptr worst, const pby_profiles *list, const fmpq *epsilon, size_t count,
                               unsigned digits, pby_error *err)
{
    arb_ptr ball = _arb_vec_init((slong)count);
    pby_status status = PBY_OK;
    _arb_vec_zero(worst, (slong)count);
    for (size_t i = 0; i < list->count && status == PBY_OK; i++) {
        status = deltas_of(ball, list->profile[i], epsilon, count, digits, err);
        for (size_t j = 0; j < count && status == PBY_OK; j++)
            if (i == 0)
                arb_swap(worst + j, ball + j); /* as it is: arb_max would round its ends */
            else
                arb_max(worst + j, worst + j, ball + j, pby_precision_for_digits(digits));
    }
    _arb_vec_clear(ball, (slong)count);
    return status;
}

pby_status pby_profiles_delta(arb_t ball, const pby_profiles *list, const fmpq_t epsilon, unsigned digits,
                              pby_error *err)
{
    return pby_profiles_deltas(ball, list, epsilon, 1, digits, err);
}

pby_status pby_profiles_epsilon(arb_t worst, const pby_profiles *list, const fmpq_t level, unsigned digits,
                                pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_ARB(ball);
    arb_neg_inf(worst);
    for (size_t i = 0; i < list->count && status == PBY_OK; i++) {
        status = pby_profile_epsilon(ball, list->profile[i], level, digits, err);
        pby_raise_to(worst, ball, pby_precision_for_digits(digits));
    }
    return status;
}
