/* SPDX-License-Identifier: MIT */
/* Reads delta and epsilon off a privacy-loss distribution. */
#include "loss/pld/pld.h"
#include "number/scoped.h"

/* The walk down from the top: at point `at`, whole = the mass from there on with the infinite, and tilted
 * = the finite part of it weighted by exp(l_at - l), so that the potential there is whole - tilted. */
struct walk {
    const pby_pld *pld;
    fmpz_t whole;
    arb_t tilted, decay;
    slong at, prec; /* at counts from the pld's low */
};

static void walk_rewind(struct walk *w)
{
    w->at = fmpz_poly_length(w->pld->mass);
    fmpz_set(w->whole, w->pld->infinite);
    arb_zero(w->tilted);
}

static void walk_init(struct walk *w, const pby_pld *pld, const fmpq_t step)
{
    enum { GUARD = 64 };
    *w = (struct walk){.pld = pld, .prec = pld->bits + GUARD};
    fmpz_init(w->whole);
    arb_init(w->tilted);
    arb_init(w->decay);
    arb_set_fmpq(w->decay, step, w->prec);
    arb_neg(w->decay, w->decay);
    arb_exp(w->decay, w->decay, w->prec);
    walk_rewind(w);
}

static void walk_clear(struct walk *w)
{
    fmpz_clear(w->whole);
    arb_clear(w->tilted);
    arb_clear(w->decay);
}

static void walk_down(struct walk *w)
{
    const fmpz *mass = w->pld->mass->coeffs + --w->at;
    arb_mul(w->tilted, w->tilted, w->decay, w->prec);
    arb_add_fmpz(w->tilted, w->tilted, mass, w->prec);
    fmpz_add(w->whole, w->whole, mass);
}

/* The loss at the walk's point. */
static void walk_loss(fmpq_t loss, const struct walk *w, const fmpq_t step)
{
    fmpq_mul_si(loss, step, w->pld->low + w->at);
}

/* Down to the last point above epsilon; from the top again where the walk is below it already. */
static void walk_above(struct walk *w, const fmpq_t epsilon, const fmpq_t step)
{
    PBY_FMPZ(index);
    PBY_FMPQ(at);
    fmpq_div(at, epsilon, step);
    fmpz_cdiv_q(index, fmpq_numref(at), fmpq_denref(at));
    fmpz_sub_si(index, index, w->pld->low);
    if (fmpz_cmp_si(index, w->at) > 0)
        walk_rewind(w);
    while (w->at > 0 && fmpz_cmp_si(index, w->at) < 0)
        walk_down(w);
}

/* The line of the walk's point at epsilon: whole - exp(epsilon - l) tilted. Above all losses tilted is 0, and
 * the exponential may be too large for a ball. */
static void height(arb_t delta, const struct walk *w, const fmpq_t epsilon, const fmpq_t step)
{
    PBY_FMPQ(loss);
    arb_zero(delta);
    if (!arb_is_zero(w->tilted)) {
        walk_loss(loss, w, step);
        fmpq_sub(loss, epsilon, loss);
        arb_set_fmpq(delta, loss, w->prec);
        arb_exp(delta, delta, w->prec);
        arb_mul(delta, delta, w->tilted, w->prec);
    }
    arb_sub_fmpz(delta, delta, w->whole, w->prec);
    arb_neg(delta, delta);
    arb_mul_2exp_si(delta, delta, -w->pld->bits);
}

void pby_pld_deltas(arb_ptr delta, const pby_pld *pld, const fmpq_t step, const fmpq *epsilon, size_t count)
{
    struct walk w;
    PBY_FMPQ(own);
    fmpq_mul_si(own, step, pld->grain);
    walk_init(&w, pld, own);
    for (size_t i = count; i-- > 0;) {
        walk_above(&w, epsilon + i, own);
        height(delta + i, &w, epsilon + i, own);
    }
    walk_clear(&w);
}

/* The root of the line whole - exp(epsilon - l) tilted = level at the walk's point, as a ball. */
static void root_of_line(arb_t epsilon, const struct walk *w, const arb_t level, const fmpq_t step)
{
    PBY_ARB(at);
    PBY_FMPQ(loss);
    arb_sub_fmpz(epsilon, level, w->whole, w->prec);
    arb_neg(epsilon, epsilon);
    arb_div(epsilon, epsilon, w->tilted, w->prec);
    arb_log(epsilon, epsilon, w->prec);
    walk_loss(loss, w, step);
    arb_set_fmpq(at, loss, w->prec);
    arb_add(epsilon, epsilon, at, w->prec);
}

/* True if whole - tilted may be above the level. */
static bool may_exceed(const struct walk *w, const arb_t level)
{
    PBY_ARB(height);
    arb_sub_fmpz(height, w->tilted, w->whole, w->prec);
    arb_neg(height, height);
    return !arb_le(height, level);
}

/* Walks down to the first point whose potential may exceed the level, and stops one above it: from there the
 * potential is a line in exp(epsilon) down to that point, or to -inf when no point is left. */
static bool walk_to(struct walk *w, const arb_t level)
{
    struct walk ahead = *w;
    fmpz_init_set(ahead.whole, w->whole);
    arb_init(ahead.tilted);
    bool crossed = false;
    while (ahead.at > 0 && !crossed) {
        walk_down(&ahead);
        crossed = may_exceed(&ahead, level);
        if (!crossed) {
            fmpz_set(w->whole, ahead.whole);
            arb_set(w->tilted, ahead.tilted);
            w->at = ahead.at;
        }
    }
    fmpz_clear(ahead.whole);
    arb_clear(ahead.tilted);
    return crossed;
}

/* The line through the walk's point carries on below the next one; a convex potential lies above it there,
 * so that for an upper pld the root counts no further than that point, and for a lower one it does. */
static void bound_from_line(arf_t bound, const struct walk *w, const arb_t level, bool crossed,
                            const fmpq_t step)
{
    PBY_ARB(epsilon, floor);
    PBY_FMPQ(loss);
    root_of_line(epsilon, w, level, step);
    if (!arb_is_finite(epsilon)) {
        if (w->pld->upper)
            arf_pos_inf(bound);
        else
            arf_neg_inf(bound);
    } else if (w->pld->upper) {
        arb_get_ubound_arf(bound, epsilon, w->prec);
        walk_loss(loss, w, step);
        fmpq_sub(loss, loss, step);
        arb_set_fmpq(floor, loss, w->prec);
        arb_get_ubound_arf(arb_midref(floor), floor, w->prec);
        if (crossed && arf_cmp(bound, arb_midref(floor)) < 0)
            arf_set(bound, arb_midref(floor));
    } else {
        arb_get_lbound_arf(bound, epsilon, w->prec);
    }
}

void pby_pld_epsilon(arf_t epsilon, const pby_pld *pld, const fmpq_t step, const fmpq_t delta)
{
    struct walk w;
    PBY_ARB(level, infinite);
    PBY_FMPQ(own);
    fmpq_mul_si(own, step, pld->grain);
    walk_init(&w, pld, own);
    arb_set_fmpq(level, delta, w.prec);
    arb_mul_2exp_si(level, level, pld->bits);
    arb_set_fmpz(infinite, pld->infinite);
    if (pld->upper ? !arb_le(infinite, level) : arb_gt(infinite, level)) {
        arf_pos_inf(epsilon);
    } else {
        const bool crossed = walk_to(&w, level);
        bound_from_line(epsilon, &w, level, crossed, own);
    }
    walk_clear(&w);
}
