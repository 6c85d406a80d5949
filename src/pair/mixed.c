/* SPDX-License-Identifier: MIT */
#include "pair/mixed.h"
#include "number/scoped.h"

#include <stdlib.h>

struct mixed {
    pby_curve base;
    pby_curve *of[2];
    fmpq_t weight[2];
};

static const struct mixed *as_mixed(const pby_curve *curve)
{
    return (const struct mixed *)curve;
}

/* out += weight x */
static void add_weighted(arb_t out, const struct mixed *m, int i, const arb_t x, slong prec)
{
    PBY_ARB(w);
    arb_set_fmpq(w, m->weight[i], prec);
    arb_addmul(out, w, x, prec);
}

static pby_status mixed_tails(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec,
                              pby_error *err)
{
    const struct mixed *m = as_mixed(curve);
    pby_status status = PBY_OK;
    PBY_ARB(a, b);
    arb_zero(p);
    arb_zero(q);
    for (int i = 0; i < 2 && status == PBY_OK; i++) {
        status = m->of[i]->class->tails(a, b, m->of[i], t, prec, err);
        add_weighted(p, m, i, a, prec);
        add_weighted(q, m, i, b, prec);
    }
    return status;
}

static pby_status mixed_cells(arb_ptr p, arb_ptr q, const pby_curve *curve, const fmpq_t from,
                              const fmpq_t step, slong n, slong prec, pby_error *err)
{
    const struct mixed *m = as_mixed(curve);
    pby_status status = PBY_OK;
    arb_ptr a = _arb_vec_init(n), b = _arb_vec_init(n);
    _arb_vec_zero(p, n);
    _arb_vec_zero(q, n);
    for (int i = 0; i < 2 && status == PBY_OK; i++) {
        status = m->of[i]->class->cells(a, b, m->of[i], from, step, n, prec, err);
        for (slong k = 0; k < n && status == PBY_OK; k++) {
            add_weighted(p + k, m, i, a + k, prec);
            add_weighted(q + k, m, i, b + k, prec);
        }
    }
    _arb_vec_clear(b, n);
    _arb_vec_clear(a, n);
    return status;
}

/* exp((a-1) D_a) is the mean of the two; at order 1, D_1 is. */
static pby_status mixed_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                              pby_error *err)
{
    const struct mixed *m = as_mixed(curve);
    const bool first = fmpq_is_one(order);
    pby_status status = PBY_OK;
    PBY_ARB(sum, less, d);
    PBY_FMPQ(one);
    fmpq_sub_si(one, order, 1);
    arb_set_fmpq(less, one, prec);
    for (int i = 0; i < 2 && status == PBY_OK; i++) {
        status = m->of[i]->class->renyi(d, m->of[i], order, prec, err);
        if (!first) {
            arb_mul(d, d, less, prec);
            arb_exp(d, d, prec);
        }
        add_weighted(sum, m, i, d, prec);
    }
    if (!first) {
        arb_log(sum, sum, prec);
        arb_div(sum, sum, less, prec);
    }
    arb_swap(ball, sum);
    return status;
}

static pby_status mixed_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                               pby_error *err)
{
    const struct mixed *m = as_mixed(curve);
    pby_status status = PBY_OK;
    PBY_ARB(delta);
    arb_zero(ball);
    for (int i = 0; i < 2 && status == PBY_OK; i++) {
        status = m->of[i]->class->direct(delta, m->of[i], epsilon, prec, err);
        add_weighted(ball, m, i, delta, prec);
    }
    return status;
}

static void mixed_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct mixed *m = as_mixed(curve);
    PBY_ARB(other);
    m->of[0]->class->largest(ball, m->of[0], prec);
    m->of[1]->class->largest(other, m->of[1], prec);
    arb_max(ball, ball, other, prec);
}

static void smallest_of(arb_t ball, const pby_curve *curve, slong prec)
{
    if (curve->class->smallest != NULL) {
        curve->class->smallest(ball, curve, prec);
    } else {
        curve->class->largest(ball, curve, prec);
        arb_neg(ball, ball);
    }
}

static void mixed_smallest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct mixed *m = as_mixed(curve);
    PBY_ARB(other);
    smallest_of(ball, m->of[0], prec);
    smallest_of(other, m->of[1], prec);
    arb_min(ball, ball, other, prec);
}

static void mixed_free(pby_curve *curve)
{
    struct mixed *m = (struct mixed *)curve;
    for (int i = 0; i < 2; i++) {
        if (m->of[i]->copies-- == 0)
            m->of[i]->class->free(m->of[i]);
        fmpq_clear(m->weight[i]);
    }
    free(m);
}

static const pby_curve_class MIXED = {
    .tails = mixed_tails,
    .cells = mixed_cells,
    .renyi = mixed_renyi,
    .direct = mixed_direct,
    .largest = mixed_largest,
    .smallest = mixed_smallest,
    .free = mixed_free,
};

pby_status pby_pairs_mix(pby_pairs *pairs, const pby_pairs *other, const fmpq_t weight, pby_error *err)
{
    for (size_t i = 0; i < pairs->count; i++) {
        struct mixed *m = malloc(sizeof *m);
        if (m == NULL)
            return pby_no_memory(err);
        *m = (struct mixed){.base.class = &MIXED, .of = {pairs->pair[i].curve, other->pair[i].curve}};
        fmpq_init(m->weight[0]);
        fmpq_init(m->weight[1]);
        fmpq_set(m->weight[1], weight);
        fmpq_one(m->weight[0]);
        fmpq_sub(m->weight[0], m->weight[0], weight);
        m->of[1]->copies++; /* the other list keeps its own */
        pairs->pair[i].curve = &m->base;
    }
    return PBY_OK;
}
