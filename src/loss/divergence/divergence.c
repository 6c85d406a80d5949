/* SPDX-License-Identifier: MIT */
#include "loss/divergence/divergence.h"

#include "number/ball.h"
#include "number/scoped.h"

/* out = P(o) - exp(epsilon) Q(o), over the product of the norms, or over the norm that both share. */
static void excess(pby_expsum_t out, const pby_atom *atom, const pby_pair *pair, bool shared,
                   const fmpq_t epsilon)
{
    pby_expsum_t q;
    pby_expsum_init(q);
    PBY_FMPQ(one);
    fmpq_one(one);
    pby_expsum_mul_term(q, atom->q, one, epsilon);
    if (shared) {
        pby_expsum_sub(out, atom->p, q);
    } else {
        pby_expsum_mul(out, atom->p, pair->norm_q);
        pby_expsum_mul(q, q, pair->norm_p);
        pby_expsum_sub(out, out, q);
    }
    pby_expsum_clear(q);
}

static bool share_norm(const pby_pair *pair)
{
    return pby_expsum_equal(pair->norm_p, pair->norm_q);
}

static void common_norm(pby_expsum_t out, const pby_pair *pair, bool shared)
{
    if (shared)
        pby_expsum_set(out, pair->norm_p);
    else
        pby_expsum_mul(out, pair->norm_p, pair->norm_q);
}

void pby_hockey_stick(pby_expsum_t numerator, pby_expsum_t denominator, const pby_pair *pair,
                      const fmpq_t epsilon)
{
    const bool shared = share_norm(pair);
    pby_expsum_t part;
    pby_expsum_init(part);
    pby_expsum_zero(numerator);
    common_norm(denominator, pair, shared);
    for (size_t i = 0; i < pair->count; i++) {
        excess(part, &pair->atoms[i], pair, shared, epsilon);
        if (pby_expsum_sign(part) > 0)
            pby_expsum_add(numerator, numerator, part);
    }
    pby_expsum_clear(part);
}

void pby_hockey_stick_direct(arb_t ball, const pby_pair *pair, const fmpq_t epsilon, slong prec)
{
    const bool shared = share_norm(pair);
    pby_expsum_t part;
    pby_expsum_init(part);
    PBY_ARB(term);
    arb_zero(ball);
    for (size_t i = 0; i < pair->count; i++) {
        excess(part, &pair->atoms[i], pair, shared, epsilon);
        if (pby_expsum_sign(part) <= 0)
            continue;
        pby_expsum_get_arb(term, part, prec);
        arb_add(ball, ball, term, prec);
    }
    common_norm(part, pair, shared);
    pby_expsum_get_arb(term, part, prec);
    arb_div(ball, ball, term, prec);
    pby_expsum_clear(part);
}

pby_status pby_curve_hockey_stick(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                  pby_error *err)
{
    PBY_ARB(q, growth);
    const pby_status status = curve->class->tails(ball, q, curve, epsilon, prec, err);
    if (status == PBY_OK && !arb_is_zero(q)) {
        arb_set_fmpq(growth, epsilon, 2 * prec);
        arb_exp(growth, growth, prec);
        arb_submul(ball, growth, q, prec);
    }
    return status;
}

void pby_impossible_mass(pby_expsum_t numerator, const pby_pair *pair)
{
    pby_expsum_zero(numerator);
    for (size_t i = 0; i < pair->count; i++)
        if (pby_expsum_is_zero(pair->atoms[i].q))
            pby_expsum_add(numerator, numerator, pair->atoms[i].p);
}

/* True if the ratio of a is larger than that of b: by the balls of both, p / q, unless they overlap; then by
 * the exact sign of a.p b.q - b.p a.q. */
static bool larger(const pby_atom *a, const arb_t ratio_a, const pby_atom *b, const arb_t ratio_b)
{
    if (!arb_overlaps(ratio_a, ratio_b))
        return arb_gt(ratio_a, ratio_b);
    pby_expsum_t left, right;
    pby_expsum_init(left);
    pby_expsum_init(right);
    pby_expsum_mul(left, a->p, b->q);
    pby_expsum_mul(right, b->p, a->q);
    pby_expsum_sub(left, left, right);
    const bool yes = pby_expsum_sign(left) > 0;
    pby_expsum_clear(right);
    pby_expsum_clear(left);
    return yes;
}

/* The atom of largest ratio, always right; NULL when no outcome is common. */
static const pby_atom *largest_ratio(const pby_pair *pair)
{
    const slong prec = PBY_PRECISION_FIRST;
    const pby_atom *best = NULL;
    PBY_ARB(most, ratio, q);
    for (size_t i = 0; i < pair->count; i++) {
        const pby_atom *atom = &pair->atoms[i];
        if (pby_expsum_is_zero(atom->p) || pby_expsum_is_zero(atom->q))
            continue;
        pby_expsum_get_arb(ratio, atom->p, prec);
        pby_expsum_get_arb(q, atom->q, prec);
        arb_div(ratio, ratio, q, prec);
        if (best == NULL || larger(atom, ratio, best, most)) {
            best = atom;
            arb_swap(most, ratio);
        }
    }
    return best;
}

/* log(x / y); exact when x is a rational exponential of y. */
static void log_ratio(arb_t ball, const pby_expsum_t x, const pby_expsum_t y, slong prec)
{
    PBY_FMPQ(c, r);
    PBY_ARB(below);
    if (pby_expsum_proportional(c, r, x, y)) {
        arb_set_fmpq(ball, c, prec);
        arb_log(ball, ball, prec);
        arb_set_fmpq(below, r, prec);
        arb_add(ball, ball, below, prec);
    } else {
        pby_expsum_get_arb(ball, x, prec);
        pby_expsum_get_arb(below, y, prec);
        arb_div(ball, ball, below, prec);
        arb_log(ball, ball, prec);
    }
}

void pby_largest_loss(arb_t ball, const pby_pair *pair, slong prec)
{
    const pby_atom *best = largest_ratio(pair);
    if (best == NULL) {
        arb_neg_inf(ball);
        return;
    }
    pby_expsum_t x, y;
    pby_expsum_init(x);
    pby_expsum_init(y);
    pby_expsum_mul(x, best->p, pair->norm_q);
    pby_expsum_mul(y, best->q, pair->norm_p);
    log_ratio(ball, x, y, prec);
    pby_expsum_clear(y);
    pby_expsum_clear(x);
}
