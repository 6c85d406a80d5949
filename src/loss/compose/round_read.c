/* SPDX-License-Identifier: MIT */
/* The product of the parts on a grid, and the bounds that are read off it. */
#include "base/interrupt.h"
#include "base/work.h"
#include "loss/compose/compose_choose.h"
#include "number/scoped.h"

/* Brings the finer of two to the grain of the other. */
static void even_out(pby_pld *a, pby_pld *b, const fmpq_t step)
{
    while (a->grain < b->grain)
        pby_pld_coarsen(a, step);
    while (b->grain < a->grain)
        pby_pld_coarsen(b, step);
}

/* out *= (the part's pld)^times: of all its pairs when upper, of the one chosen otherwise. */
static pby_status multiply_in(pby_pld *out, const pby_round *r, const pby_tailed *t, size_t choice,
                              bool coarser, pby_error *err)
{
    const size_t at = out->upper ? 0 : choice;
    const pby_coarser by = {r->grid->step, r->grid->ease};
    pby_pld base, power, product;
    pby_pld_init(&base, out->bits, out->upper);
    pby_pld_init(&power, out->bits, out->upper);
    pby_pld_init(&product, out->bits, out->upper);
    PBY_FMPZ(budget);
    fmpz_one_2exp(budget, (flint_bitcnt_t)r->log_budget);
    pby_status status =
        pby_pld_from_tails(&base, &t->tails[at], out->upper ? t->count : 1, r->grid->step, r->share, err);
    if (status == PBY_OK)
        status = pby_pld_power(&power, &base, t->times, coarser ? &by : NULL, r->log_budget, err);
    if (status == PBY_OK)
        even_out(out, &power, r->grid->step);
    if (status == PBY_OK)
        status = pby_pld_mul(&product, out, &power, err);
    if (status == PBY_OK) {
        pby_pld_swap(out, &product);
        pby_pld_trim(out, budget);
    }
    pby_pld_clear(&product);
    pby_pld_clear(&power);
    pby_pld_clear(&base);
    return status;
}

pby_status pby_round_multiply(pby_pld *pld, const pby_round *r, bool all, pby_error *err)
{
    const uint64_t began = pby_work_spent();
    pby_status status = PBY_OK;
    pby_pld_one(pld);
    for (size_t i = 0; i < r->count && status == PBY_OK; i++) {
        status = pby_interrupt_check(err);
        if (status == PBY_OK)
            status = pby_work_paces(began, i, r->count, err);
        if (status == PBY_OK && (all || r->tailed[i].count == 1))
            status = multiply_in(pld, r, &r->tailed[i], r->choice[i], all, err);
    }
    return status;
}

/* The end of a ball on the side that bounds, delta kept between 0 and 1. */
static void take_end(arf_t out, const arb_t x, bool upper, const pby_round *r)
{
    if (upper)
        arb_get_ubound_arf(out, x, r->bits);
    else
        arb_get_lbound_arf(out, x, r->bits);
    if (arf_sgn(out) < 0)
        arf_zero(out);
    if (arf_cmp_si(out, 1) > 0)
        arf_one(out);
}

/* A bound on epsilon stands for losses that were raised by the offset, and a lower one by the slack too. */
static void take_off(arf_t epsilon, bool upper, const pby_round *r)
{
    if (!arf_is_finite(epsilon))
        return;
    PBY_ARB(x);
    PBY_FMPQ(raised);
    fmpq_set(raised, r->offset);
    if (!upper)
        fmpq_add(raised, raised, r->slack);
    arb_set_fmpq(x, raised, r->bits);
    arb_neg(x, x);
    arb_add_arf(x, x, epsilon, r->bits);
    if (upper)
        arb_get_ubound_arf(epsilon, x, r->bits);
    else
        arb_get_lbound_arf(epsilon, x, r->bits);
}

/* Keeps an answer where it is the better bound, and returns whether it is. */
static bool keep(arf_t out, arf_t answer, bool upper, const pby_round *r)
{
    if (!r->asked->delta && (!upper || !fmpq_is_zero(r->offset)))
        take_off(answer, upper, r);
    const int order = arf_cmp(answer, out);
    const bool better = upper ? order < 0 : order > 0;
    if (better)
        arf_set(out, answer);
    return better;
}

bool pby_round_read_pld(arf_ptr out, const pby_pld *pld, pby_round *r)
{
    const pby_asked *asked = r->asked;
    bool better = false;
    PBY_ARF(end);
    if (asked->delta)
        pby_pld_deltas(r->ball, pld, r->grid->step, pld->upper ? r->shifted : r->raised, asked->count);
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->delta)
            take_end(end, r->ball + i, pld->upper, r);
        else
            pby_pld_epsilon(end, pld, r->grid->step, asked->at + i);
        better = keep(out + i, end, pld->upper, r) || better;
    }
    return better;
}

void pby_round_read_values(arf_ptr out, const pby_values *v, pby_round *r)
{
    const pby_asked *asked = r->asked;
    PBY_ARF(end);
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->delta) {
            pby_values_delta(r->ball, v, r->grid->step, (v->upper ? r->shifted : r->raised) + i);
            take_end(end, r->ball, v->upper, r);
        } else {
            pby_values_epsilon(end, v, r->grid->step, asked->at + i);
        }
        keep(out + i, end, v->upper, r);
    }
}
