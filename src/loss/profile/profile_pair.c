/* SPDX-License-Identifier: MIT */
/* The profiles of dominating pairs: exact where the pair has atoms, enclosed where it is a curve. */
#include <stdlib.h>

#include "loss/divergence/crossing.h"
#include "loss/divergence/divergence.h"
#include "loss/profile/profile.h"
#include "number/ball.h"
#include "number/scoped.h"

struct pair_profile {
    pby_profile base;
    pby_pair pair;
};

static const pby_pair *pair_of(const pby_profile *p)
{
    return &((const struct pair_profile *)p)->pair;
}

static void pair_profile_free(pby_profile *p)
{
    pby_pair_clear(&((struct pair_profile *)p)->pair);
    free(p);
}

/* ---- atoms ------------------------------------------------------------------------------------ */

struct quotient {
    pby_expsum_t numerator, denominator;
};

static void quotient_init(struct quotient *x)
{
    pby_expsum_init(x->numerator);
    pby_expsum_init(x->denominator);
}

static void quotient_clear(struct quotient *x)
{
    pby_expsum_clear(x->denominator);
    pby_expsum_clear(x->numerator);
}

/* A rational quotient (1 for disjoint supports) is seen by the form of the sums, and is not rounded more
 * than it must be. */
static pby_status quotient_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct quotient *x = what;
    PBY_ARB(below);
    PBY_FMPQ(c, r);
    if (pby_expsum_proportional(c, r, x->numerator, x->denominator) && fmpq_is_zero(r)) {
        arb_set_fmpq(ball, c, prec);
    } else {
        pby_expsum_get_arb(ball, x->numerator, prec);
        pby_expsum_get_arb(below, x->denominator, prec);
        arb_div(ball, ball, below, prec);
    }
    return PBY_OK;
}

/* The sign of x - level. */
static int quotient_sign(const struct quotient *x, const fmpq_t level)
{
    pby_expsum_t bar;
    pby_expsum_init(bar);
    PBY_FMPQ(zero);
    pby_expsum_mul_term(bar, x->denominator, level, zero);
    pby_expsum_sub(bar, x->numerator, bar);
    const int sign = pby_expsum_sign(bar);
    pby_expsum_clear(bar);
    return sign;
}

/* delta(epsilon), or its limit when epsilon is NULL. */
static void atoms_quotient(struct quotient *x, const pby_pair *pair, const fmpq *epsilon)
{
    if (epsilon != NULL) {
        pby_hockey_stick(x->numerator, x->denominator, pair, epsilon);
    } else {
        pby_impossible_mass(x->numerator, pair);
        pby_expsum_set(x->denominator, pair->norm_p);
    }
}

static pby_status atoms_ball(arb_t ball, const pby_profile *p, const fmpq *epsilon, slong prec,
                             pby_error *err)
{
    struct quotient x;
    quotient_init(&x);
    atoms_quotient(&x, pair_of(p), epsilon);
    const pby_status status = quotient_ball(ball, &x, prec, err);
    quotient_clear(&x);
    return status;
}

static pby_status atoms_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                              pby_error *err)
{
    return atoms_ball(ball, p, epsilon, prec, err);
}

static pby_status atoms_limit(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    return atoms_ball(ball, p, NULL, prec, err);
}

static pby_status atoms_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)err;
    pby_largest_loss(ball, pair_of(p), prec);
    return PBY_OK;
}

static pby_status atoms_sign(int *sign, const pby_profile *p, const fmpq *epsilon, const fmpq_t level,
                             pby_error *err)
{
    (void)err;
    struct quotient x;
    quotient_init(&x);
    atoms_quotient(&x, pair_of(p), epsilon);
    *sign = quotient_sign(&x, level);
    quotient_clear(&x);
    return PBY_OK;
}

static void atoms_guess(fmpq_t epsilon, const pby_profile *p, const fmpq_t level, slong bits)
{
    pby_atoms_crossing(epsilon, pair_of(p), level, bits);
}

/* The exact sum is made once, and only its enclosure is repeated. */
static pby_status atoms_delta_to(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                                 pby_error *err)
{
    struct quotient x;
    quotient_init(&x);
    atoms_quotient(&x, pair_of(p), epsilon);
    const pby_status status = pby_enclose(ball, quotient_ball, &x, digits, err);
    quotient_clear(&x);
    return status;
}

static const pby_profile_class ATOMS = {
    .delta = atoms_delta,
    .limit = atoms_limit,
    .largest = atoms_largest,
    .sign = atoms_sign,
    .guess = atoms_guess,
    .delta_to = atoms_delta_to,
    .free = pair_profile_free,
};

/* ---- curves ----------------------------------------------------------------------------------- */

static pby_status curve_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                              pby_error *err)
{
    return pby_curve_hockey_stick(ball, pair_of(p)->curve, epsilon, prec, err);
}

static pby_status curve_limit(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)err;
    const pby_curve *curve = pair_of(p)->curve;
    arb_zero(ball);
    if (curve->class->infinite != NULL)
        curve->class->infinite(ball, curve, prec);
    return PBY_OK;
}

static pby_status curve_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)err;
    const pby_curve *curve = pair_of(p)->curve;
    curve->class->largest(ball, curve, prec);
    return PBY_OK;
}

static void curve_guess(fmpq_t epsilon, const pby_profile *p, const fmpq_t level, slong bits)
{
    pby_curve_crossing(epsilon, pair_of(p)->curve, level, bits);
}

static const pby_profile_class CURVE = {
    .delta = curve_delta,
    .limit = curve_limit,
    .largest = curve_largest,
    .guess = curve_guess,
    .free = pair_profile_free,
};

pby_status pby_profile_of_pair(pby_profile **out, pby_pair *pair, pby_error *err)
{
    *out = NULL;
    struct pair_profile *p = malloc(sizeof *p);
    if (p == NULL) {
        pby_pair_clear(pair);
        return pby_no_memory(err);
    }
    p->base.class = pair->curve == NULL ? &ATOMS : &CURVE;
    p->pair = *pair;
    pby_pair_init(pair);
    *out = &p->base;
    return PBY_OK;
}
