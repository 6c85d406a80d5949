/* SPDX-License-Identifier: MIT */
#include "pair/sided.h"
#include "base/work.h"
#include "number/scoped.h"

enum { GUARD = 32 };

static void total(arb_t weight, const pby_sided *curve, slong prec)
{
    if (curve->total != NULL)
        curve->total(weight, curve, prec);
    else
        arb_one(weight);
}

/* The chance of L > t. */
static void tail(arb_t chance, const pby_sided *curve, pby_which which, const fmpq_t t, const arb_t whole,
                 slong prec)
{
    if (!curve->side(chance, curve, which, t, prec))
        arb_sub(chance, whole, chance, prec);
    arb_div(chance, chance, whole, prec);
}

pby_status pby_sided_tails(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec,
                           pby_error *err)
{
    (void)err;
    const pby_sided *sided = (const pby_sided *)curve;
    PBY_ARB(whole);
    total(whole, sided, prec + GUARD);
    tail(p, sided, PBY_P, t, whole, prec + GUARD);
    tail(q, sided, PBY_Q, t, whole, prec + GUARD);
    return PBY_OK;
}

/* One end of a cell. */
struct end {
    arb_t weight;
    bool above;
};

/* The weight of left < L <= right. The side turns from L <= t to L > t once, as t grows. */
static void between(arb_t cell, const struct end *left, const struct end *right, const arb_t whole,
                    slong prec)
{
    if (left->above) {
        arb_sub(cell, left->weight, right->weight, prec);
    } else if (right->above) {
        arb_sub(cell, whole, left->weight, prec);
        arb_sub(cell, cell, right->weight, prec);
    } else {
        arb_sub(cell, right->weight, left->weight, prec);
    }
    arb_div(cell, cell, whole, prec);
}

static pby_status cells_of(arb_ptr cell, const pby_sided *curve, pby_which which, const fmpq_t from,
                           const fmpq_t step, slong n, const arb_t whole, slong prec, pby_error *err)
{
    const uint64_t began = pby_work_spent();
    pby_status status = PBY_OK;
    struct end left, right;
    PBY_FMPQ(t);
    arb_init(left.weight);
    arb_init(right.weight);
    fmpq_set(t, from);
    left.above = curve->side(left.weight, curve, which, t, prec);
    for (slong i = 0; i < n && status == PBY_OK; i++) {
        status = pby_work_goes_on(began, (uint64_t)i, (uint64_t)n, err);
        fmpq_add(t, t, step);
        right.above = curve->side(right.weight, curve, which, t, prec);
        between(cell + i, &left, &right, whole, prec);
        arb_swap(left.weight, right.weight);
        left.above = right.above;
    }
    arb_clear(right.weight);
    arb_clear(left.weight);
    return status;
}

pby_status pby_sided_cells(arb_ptr p, arb_ptr q, const pby_curve *curve, const fmpq_t from, const fmpq_t step,
                           slong n, slong prec, pby_error *err)
{
    const pby_sided *sided = (const pby_sided *)curve;
    PBY_ARB(whole);
    total(whole, sided, prec + GUARD);
    PBY_TRY(cells_of(p, sided, PBY_P, from, step, n, whole, prec + GUARD, err));
    return cells_of(q, sided, PBY_Q, from, step, n, whole, prec + GUARD, err);
}
