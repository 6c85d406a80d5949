/* SPDX-License-Identifier: MIT */
#include "loss/compose/overlap.h"
#include "number/scoped.h"

/* p^(3/4) q^(1/4) */
static void mean_of(arb_t out, const pby_expsum_t p, const pby_expsum_t q, slong prec)
{
    PBY_ARB(x);
    pby_expsum_get_arb(x, p, prec);
    pby_expsum_get_arb(out, q, prec);
    arb_mul(out, out, x, prec);
    arb_sqrtpos(out, out, prec);
    arb_mul(out, out, x, prec);
    arb_sqrtpos(out, out, prec);
}

static void atoms_overlap(arb_t sum, const pby_pair *pair, slong prec)
{
    PBY_ARB(term);
    arb_zero(sum);
    for (size_t i = 0; i < pair->count; i++) {
        mean_of(term, pair->atoms[i].p, pair->atoms[i].q, prec);
        arb_add(sum, sum, term, prec);
    }
    mean_of(term, pair->norm_p, pair->norm_q, prec);
    arb_div(sum, sum, term, prec);
}

/* exp((t - 1) D_t) at t = 3/4; no overlap is above 1. */
static void curve_overlap(arb_t sum, const pby_curve *curve, slong prec)
{
    PBY_FMPQ(order);
    fmpq_set_si(order, 3, 4);
    if (curve->class->renyi(sum, curve, order, prec, NULL) != PBY_OK)
        arb_zero(sum);
    arb_mul_2exp_si(sum, sum, -2);
    arb_neg(sum, sum);
    arb_exp(sum, sum, prec);
}

static void part_overlap(arb_t least, const pby_part *part, pby_direction direction, slong prec)
{
    const pby_pair *pair;
    PBY_ARB(one);
    arb_one(least);
    for (size_t i = 0; (pair = pby_part_pair(part, direction, i)) != NULL; i++) {
        if (pair->curve != NULL)
            curve_overlap(one, pair->curve, prec);
        else
            atoms_overlap(one, pair, prec);
        arb_min(least, least, one, prec);
    }
}

void pby_parts_overlap(arb_t overlap, const pby_parts *parts, slong prec)
{
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    PBY_ARB(product, part);
    arb_one(overlap);
    for (size_t d = 0; d < count; d++) {
        arb_one(product);
        for (size_t i = 0; i < parts->count; i++) {
            part_overlap(part, &parts->part[i], directions[d], prec);
            arb_pow_ui(part, part, parts->part[i].times, prec);
            arb_mul(product, product, part, prec);
        }
        arb_min(overlap, overlap, product, prec);
    }
}

void pby_overlap_raise(arf_t lower, const arb_t overlap, const fmpq_t epsilon, slong bits, slong prec)
{
    PBY_ARB(x);
    arb_set_fmpq(x, epsilon, prec);
    arb_mul_2exp_si(x, x, -2);
    arb_exp(x, x, prec);
    arb_mul(x, x, overlap, prec);
    if (arb_is_finite(x) && mag_cmp_2exp_si(arb_radref(x), -bits) < 0 &&
        arf_cmpabs_2exp_si(arb_midref(x), -bits) < 0) {
        arb_sub_ui(x, x, 1, prec);
        arb_neg(x, x);
        arb_get_lbound_arf(lower, x, prec);
    }
}
