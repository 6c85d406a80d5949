/* SPDX-License-Identifier: MIT */
#include "loss/compose/axes.h"
#include "number/scoped.h"

enum { STEPS_MAX = 1 << 20, LOOK_PREC = 128 };

void pby_axes_init(pby_axes *axes)
{
    *axes = (pby_axes){.count = 1};
    fmpq_init(axes->unit);
}

void pby_axes_clear(pby_axes *axes)
{
    fmpq_clear(axes->unit);
}

/* The masses of the outcome over one norm. */
static void masses(pby_expsum_t p, pby_expsum_t q, const pby_pair_atom *o)
{
    pby_expsum_mul(p, o->pair->atoms[o->atom].p, o->pair->norm_q);
    pby_expsum_mul(q, o->pair->atoms[o->atom].q, o->pair->norm_p);
}

/* True if the loss is a rational, which it is then set to. */
static bool rational(fmpq_t loss, const pby_pair_atom *o)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    PBY_FMPQ(c);
    masses(p, q, o);
    const bool yes = pby_expsum_proportional(c, loss, p, q) && fmpq_is_one(c);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return yes;
}

static void loss_of(arb_t loss, const pby_pair_atom *o, slong prec)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    PBY_ARB(below);
    masses(p, q, o);
    pby_expsum_get_arb(loss, p, prec);
    pby_expsum_get_arb(below, q, prec);
    arb_div(loss, loss, below, prec);
    arb_log(loss, loss, prec);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
}

/* True if p : q of one equals that of the other, or q : p where the sign is -1. */
static bool same_ratio(const pby_pair_atom *one, const pby_pair_atom *other, int sign)
{
    pby_expsum_t p, q, left, right;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_init(left);
    pby_expsum_init(right);
    masses(p, q, other);
    if (sign < 0)
        pby_expsum_swap(p, q);
    masses(left, right, one);
    pby_expsum_mul(left, left, q);
    pby_expsum_mul(right, right, p);
    const bool same = pby_expsum_equal(left, right);
    pby_expsum_clear(right);
    pby_expsum_clear(left);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return same;
}

/* 1 where the losses are equal, -1 where one is the negative of the other, else 0. Balls spare most
 * comparisons. */
static int relation(const pby_pair_atom *one, const pby_pair_atom *other)
{
    int found = 0;
    PBY_ARB(a, b);
    loss_of(a, one, LOOK_PREC);
    loss_of(b, other, LOOK_PREC);
    for (int sign = 1; sign >= -1 && found == 0; sign -= 2) {
        if (arb_overlaps(a, b) && same_ratio(one, other, sign))
            found = sign;
        arb_neg(b, b);
    }
    return found;
}

void pby_axes_divide(pby_axes *axes, const pby_pair_atom *outcome)
{
    PBY_FMPQ(loss);
    if (rational(loss, outcome))
        fmpq_gcd(axes->unit, axes->unit, loss);
}

static bool in_units(int32_t *steps, const pby_axes *axes, const fmpq_t loss)
{
    PBY_FMPQ(ratio);
    *steps = 0;
    if (!fmpq_is_zero(loss))
        fmpq_div(ratio, loss, axes->unit);
    const bool few = fmpz_is_one(fmpq_denref(ratio)) && fmpz_cmp_si(fmpq_numref(ratio), STEPS_MAX) <= 0 &&
                     fmpz_cmp_si(fmpq_numref(ratio), -STEPS_MAX) >= 0;
    if (few)
        *steps = (int32_t)fmpz_get_si(fmpq_numref(ratio));
    return few;
}

bool pby_axes_place(size_t *axis, int32_t *steps, pby_axes *axes, const pby_pair_atom *outcome)
{
    PBY_FMPQ(loss);
    const bool on_first = rational(loss, outcome), few = on_first && in_units(steps, axes, loss);
    *axis = 0;
    if (on_first)
        return few;
    for (*axis = 1; *axis < axes->count; ++*axis)
        if ((*steps = relation(outcome, &axes->of[*axis])) != 0)
            return true;
    if (axes->count == PBY_AXES_MAX)
        return false;
    axes->of[axes->count++] = *outcome;
    *steps = 1;
    return true;
}

void pby_axis_loss(arb_t loss, const pby_axes *axes, size_t axis, slong prec)
{
    if (axis == 0)
        arb_set_fmpq(loss, axes->unit, prec);
    else
        loss_of(loss, &axes->of[axis], prec);
}
