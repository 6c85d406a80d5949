/* SPDX-License-Identifier: MIT */
/* The profile of a composition of few outcomes. */
#include <stdlib.h>

#include "loss/compose/compose.h"
#include "loss/compose/few.h"
#include "loss/compose/limits.h"
#include "number/ball.h"
#include "number/bisect.h"
#include "number/scoped.h"

struct few_profile {
    pby_profile base;
    pby_parts parts;
    pby_few *few;
    const fmpq *width; /* for a grid in its place */
};

static struct few_profile *of(const pby_profile *p)
{
    return (struct few_profile *)(uintptr_t)p;
}

/* Beyond so many bits the balls are given up: an outcome whose loss is epsilon itself, and no form shows it.
 */
static slong most_bits(unsigned digits)
{
    enum { BITS = 1 << 11 };
    return FLINT_MAX(BITS, 8 * pby_bits_for_digits(digits));
}

static pby_status few_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                            pby_error *err)
{
    (void)err;
    pby_few_delta(ball, of(p)->few, epsilon, prec);
    return PBY_OK;
}

static pby_status few_limit(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)err;
    pby_parts_limit(ball, &of(p)->parts, prec);
    return PBY_OK;
}

static pby_status few_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)err;
    pby_parts_largest(ball, &of(p)->parts, prec);
    return PBY_OK;
}

static pby_status limit_ball(arb_t ball, const void *p, slong prec, pby_error *err)
{
    return few_limit(ball, p, prec, err);
}

/* Makes the profile of this composition on a grid instead. */
static pby_status on_grid(pby_profile **out, const struct few_profile *f, pby_error *err)
{
    pby_parts copy;
    *out = NULL;
    const pby_status status = pby_parts_reached(&copy, &f->parts, err);
    return status == PBY_OK ? pby_profile_of_parts(out, &copy, f->width, err) : status;
}

static pby_status few_delta_to(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                               pby_error *err)
{
    const slong bits = pby_bits_for_digits(digits);
    if (pby_parts_beyond(&of(p)->parts, epsilon))
        return pby_enclose(ball, limit_ball, p, digits, err);
    for (slong prec = FLINT_MAX(PBY_PRECISION_FIRST, 2 * bits); prec <= most_bits(digits); prec *= 2) {
        pby_few_delta(ball, of(p)->few, epsilon, prec);
        if (arb_is_exact(ball) || arb_rel_accuracy_bits(ball) >= bits)
            return PBY_OK;
    }
    pby_profile *grid;
    pby_status status = on_grid(&grid, of(p), err);
    if (status == PBY_OK)
        status = pby_profile_delta(ball, grid, epsilon, digits, err);
    pby_profile_free(grid);
    return status;
}

struct level {
    const pby_profile *profile;
    const fmpq *at;
};

static pby_status sign_at(int *sign, const fmpq_t epsilon, const void *what, pby_error *err)
{
    const struct level *level = what;
    (void)err;
    PBY_ARB(ball, at);
    *sign = PBY_UNDECIDED;
    for (slong prec = PBY_PRECISION_FIRST; *sign == PBY_UNDECIDED && prec <= most_bits(PBY_DIGITS_DEFAULT);
         prec *= 2) {
        pby_few_delta(ball, of(level->profile)->few, epsilon, prec);
        arb_set_fmpq(at, level->at, prec);
        *sign = arb_gt(ball, at) ? 1 : arb_lt(ball, at) ? -1 : PBY_UNDECIDED;
    }
    return PBY_OK;
}

static bool bisect(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits)
{
    const struct level asked = {p, level};
    return pby_bisect(ball, sign_at, &asked, NULL, digits, NULL) == PBY_OK;
}

/* Between the epsilon of a level slightly above the limit, and an end at which it is reached. */
static bool at_limit(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits)
{
    PBY_FMPQ(above);
    fmpq_div_2exp(above, level, (flint_bitcnt_t)pby_bits_for_digits(digits));
    fmpq_add(above, above, level);
    return bisect(ball, p, above, digits) && pby_raise_to_end(ball, &of(p)->parts, digits, NULL) == PBY_OK;
}

/* By bisection, whose signs are those of balls; what the balls leave open is the grid's, and so are the ends.
 */
static pby_status few_epsilon_to(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                 pby_error *err)
{
    int sign;
    slong bits;
    pby_status status = pby_parts_limit_sign(&sign, &bits, &of(p)->parts, level, err);
    if (status == PBY_OK && sign < 0 && bisect(ball, p, level, digits))
        return PBY_OK;
    if (status == PBY_OK && sign == 0 && !fmpq_is_zero(level) && pby_parts_choose(&of(p)->parts) &&
        at_limit(ball, p, level, digits))
        return PBY_OK;
    pby_profile *grid = NULL;
    if (status == PBY_OK)
        status = on_grid(&grid, of(p), err);
    if (status == PBY_OK)
        status = pby_profile_epsilon(ball, grid, level, digits, err);
    pby_profile_free(grid);
    return status;
}

static void few_free(pby_profile *p)
{
    pby_few_free(of(p)->few);
    pby_parts_clear(&of(p)->parts);
    free(p);
}

static const pby_profile_class FEW = {
    .delta = few_delta,
    .limit = few_limit,
    .largest = few_largest,
    .delta_to = few_delta_to,
    .epsilon_to = few_epsilon_to,
    .free = few_free,
};

pby_status pby_profile_of_few(pby_profile **out, pby_parts *parts, const fmpq *width, pby_error *err)
{
    pby_few *few;
    *out = NULL;
    const pby_status status = pby_few_new(&few, parts, err);
    if (status != PBY_OK || few == NULL)
        return status;
    struct few_profile *f = malloc(sizeof *f);
    if (f == NULL) {
        pby_few_free(few);
        return pby_no_memory(err);
    }
    *f = (struct few_profile){{&FEW}, *parts, few, width};
    *parts = (pby_parts){NULL, 0};
    *out = &f->base;
    return PBY_OK;
}
