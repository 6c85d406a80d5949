/* SPDX-License-Identifier: MIT */
#include "loss/divergence/renyi.h"

#include <stdlib.h>

#include "loss/divergence/divergence.h"
#include "number/scoped.h"

struct pby_renyi_logs {
    arb_ptr p, q; /* log P(o) and log Q(o), one for each atom */
    slong prec;   /* 0 before the first use */
};

/* ---- the common support ----------------------------------------------------------------------- */

/* Keeps the atoms that both laws can give, and adds up the others. */
static void split_support(pby_renyi *r)
{
    pby_pair *pair = &r->pair;
    size_t kept = 0;
    for (size_t i = 0; i < pair->count; i++) {
        pby_atom atom = pair->atoms[i];
        if (!pby_expsum_is_zero(atom.p) && !pby_expsum_is_zero(atom.q)) {
            pair->atoms[kept++] = atom;
            continue;
        }
        pby_expsum_add(r->missing_p, r->missing_p, atom.p);
        pby_expsum_add(r->missing_q, r->missing_q, atom.q);
        pby_expsum_clear(atom.p);
        pby_expsum_clear(atom.q);
    }
    pair->count = kept;
}

/* From here on the norms are P(C) and Q(C). */
static void condition(pby_renyi *r)
{
    pby_expsum_sub(r->pair.norm_p, r->pair.norm_p, r->missing_p);
    pby_expsum_sub(r->pair.norm_q, r->pair.norm_q, r->missing_q);
}

pby_status pby_renyi_init(pby_renyi *r, pby_pair *pair, pby_error *err)
{
    *r = (pby_renyi){.finite = false};
    r->pair = *pair;
    pby_pair_init(pair);
    pby_expsum_init(r->missing_p);
    pby_expsum_init(r->missing_q);
    if (r->pair.curve != NULL) {
        r->finite = true;
        return PBY_OK;
    }
    pby_pair_merge(&r->pair);
    split_support(r);
    pby_pair_merge(&r->pair);
    r->finite = pby_expsum_is_zero(r->missing_p);
    if (!r->finite)
        condition(r);
    r->flat = r->pair.count <= 1 && (!r->finite || pby_expsum_is_zero(r->missing_q));
    r->logs = calloc(1, sizeof *r->logs);
    if (r->logs == NULL)
        return pby_no_memory(err);
    r->logs->p = _arb_vec_init((slong)r->pair.count);
    r->logs->q = _arb_vec_init((slong)r->pair.count);
    return PBY_OK;
}

void pby_renyi_clear(pby_renyi *r)
{
    if (r->logs != NULL) {
        _arb_vec_clear(r->logs->p, (slong)r->pair.count);
        _arb_vec_clear(r->logs->q, (slong)r->pair.count);
        free(r->logs);
    }
    pby_expsum_clear(r->missing_p);
    pby_expsum_clear(r->missing_q);
    pby_pair_clear(&r->pair);
    r->logs = NULL;
}

/* The share of a sum of atoms in the unconditioned law: x / (x + y). */
static void share(arb_t ball, const pby_expsum_t x, const pby_expsum_t y, slong prec)
{
    if (pby_expsum_is_zero(x) || pby_expsum_is_zero(y)) {
        arb_set_ui(ball, !pby_expsum_is_zero(x));
        return;
    }
    pby_expsum_t whole;
    pby_expsum_init(whole);
    PBY_ARB(below);
    pby_expsum_add(whole, x, y);
    pby_expsum_get_arb(ball, x, prec);
    pby_expsum_get_arb(below, whole, prec);
    arb_div(ball, ball, below, prec);
    pby_expsum_clear(whole);
}

void pby_renyi_missing(arb_t p, arb_t q, const pby_renyi *r, slong prec)
{
    arb_zero(p);
    arb_zero(q);
    if (r->finite)
        return;
    share(p, r->missing_p, r->pair.norm_p, prec);
    share(q, r->missing_q, r->pair.norm_q, prec);
}

/* ---- orders ----------------------------------------------------------------------------------- */

static void log_of(arb_t ball, const pby_expsum_t x, const arb_t log_norm, slong prec)
{
    pby_expsum_get_arb(ball, x, prec);
    arb_log(ball, ball, prec);
    arb_sub(ball, ball, log_norm, prec);
}

static void fill_logs(const pby_renyi *r, slong prec)
{
    struct pby_renyi_logs *logs = r->logs;
    if (logs->prec == prec)
        return;
    PBY_ARB(zero, norm_p, norm_q);
    log_of(norm_p, r->pair.norm_p, zero, prec);
    log_of(norm_q, r->pair.norm_q, zero, prec);
    for (size_t i = 0; i < r->pair.count; i++) {
        log_of(logs->p + i, r->pair.atoms[i].p, norm_p, prec);
        log_of(logs->q + i, r->pair.atoms[i].q, norm_q, prec);
    }
    logs->prec = prec;
}

/* The sum of P log(P/Q). */
static void relative_entropy(arb_t ball, const pby_renyi *r, slong prec)
{
    PBY_ARB(ratio, mass);
    arb_zero(ball);
    for (size_t i = 0; i < r->pair.count; i++) {
        arb_sub(ratio, r->logs->p + i, r->logs->q + i, prec);
        arb_exp(mass, r->logs->p + i, prec);
        arb_addmul(ball, ratio, mass, prec);
    }
}

/* log(sum of P^a Q^(1-a)) / (a-1), each power as exp(log Q + a (log P - log Q)). */
static void at_order(arb_t ball, const pby_renyi *r, const fmpq_t order, slong prec)
{
    PBY_ARB(a, term);
    arb_set_fmpq(a, order, prec);
    arb_zero(ball);
    for (size_t i = 0; i < r->pair.count; i++) {
        arb_sub(term, r->logs->p + i, r->logs->q + i, prec);
        arb_mul(term, term, a, prec);
        arb_add(term, term, r->logs->q + i, prec);
        arb_exp(term, term, prec);
        arb_add(ball, ball, term, prec);
    }
    arb_log(ball, ball, prec);
    arb_sub_ui(a, a, 1, prec);
    arb_div(ball, ball, a, prec);
}

pby_status pby_renyi_at(arb_t ball, const pby_renyi *r, const fmpq *order, slong prec, pby_error *err)
{
    const pby_curve *curve = r->pair.curve;
    if (curve != NULL && order != NULL)
        return curve->class->renyi(ball, curve, order, prec, err);
    if (curve != NULL) {
        if (curve->class->infinite != NULL)
            curve->class->infinite(ball, curve, prec);
        else
            arb_zero(ball);
        if (arb_is_zero(ball))
            curve->class->largest(ball, curve, prec);
        else
            arb_pos_inf(ball);
        return PBY_OK;
    }
    if (r->flat) {
        arb_zero(ball);
    } else if (order == NULL) {
        pby_largest_loss(ball, &r->pair, prec);
    } else {
        fill_logs(r, prec);
        if (fmpq_is_one(order))
            relative_entropy(ball, r, prec);
        else
            at_order(ball, r, order, prec);
    }
    return PBY_OK;
}

void pby_renyi_range(arb_t ball, const pby_renyi *r, slong prec)
{
    PBY_ARB(most, least, loss);
    if (r->pair.curve != NULL) {
        const pby_curve *curve = r->pair.curve;
        curve->class->largest(most, curve, prec);
        arb_neg(least, most);
        if (curve->class->smallest != NULL)
            curve->class->smallest(least, curve, prec);
    } else {
        fill_logs(r, prec);
        for (size_t i = 0; i < r->pair.count; i++) {
            arb_sub(loss, r->logs->p + i, r->logs->q + i, prec);
            if (i == 0) {
                arb_set(most, loss);
                arb_set(least, loss);
            }
            arb_max(most, most, loss, prec);
            arb_min(least, least, loss, prec);
        }
    }
    arb_sub(ball, most, least, prec);
}
