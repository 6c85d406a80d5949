/* SPDX-License-Identifier: MIT */
/* A lower limit of the deltas of all candidates. */
#include "number/scoped.h"
#include "select/frontier.h"
#include "select/select_judge.h"

enum { PRECISION = 128 };

static pby_status judged(pby_spec **spec, const pby_frontier *f, int64_t i, pby_error *err)
{
    PBY_MPQ(value);
    pby_frontier_value(value, f, i);
    return pby_frontier_judged(spec, f, value, err);
}

/* least = min(least, the loss of a candidate, less the slack) */
static pby_status lower_by(mpfr_t least, const pby_frontier *f, const pby_spec *spec, const arb_t slack,
                           pby_error *err)
{
    pby_enclosure loss;
    PBY_ARB(end);
    PBY_ARF(low);
    pby_enclosure_init(&loss);
    const pby_status status = pby_judge_loss(&loss, spec, f->target, err);
    if (status == PBY_OK) {
        arf_set_mpfr(low, loss.lo);
        arb_set_arf(end, low);
        arb_sub(end, end, slack, PRECISION);
        arb_get_lbound_arf(low, end, PRECISION);
        arf_get_mpfr(loss.lo, low, MPFR_RNDD);
        mpfr_min(least, least, loss.lo, MPFR_RNDD);
    }
    pby_enclosure_clear(&loss);
    return status;
}

/* ---- integers --------------------------------------------------------------------------------- */

/* (1 + exp(epsilon)) uses tail: no event's chance differs by more than the tail, on either side and for each
 * use. */
static void set_slack(arb_t slack, const pby_frontier *f, const pby_mechanism *m)
{
    PBY_ARB(factor);
    PBY_FMPQ(epsilon);
    fmpq_set_mpq(epsilon, f->target->epsilon);
    arb_set_fmpq(factor, epsilon, PRECISION);
    arb_exp(factor, factor, PRECISION);
    arb_add_ui(factor, factor, 1, PRECISION);
    arb_mul_ui(factor, factor, f->target->uses, PRECISION);
    f->row->integers->tail(slack, m, f->target->relation, PRECISION);
    arb_mul(slack, slack, factor, PRECISION);
}

/* The last candidate of the j-th class, and those behind it. A slack of 1 says nothing, at no cost. */
static pby_status lower_to_last(mpfr_t least, const pby_frontier *f, int64_t j, pby_error *err)
{
    const int64_t last = f->last - (f->last - f->from - j) % f->row->integers->stride;
    pby_spec *spec;
    PBY_ARB(slack);
    pby_status status = judged(&spec, f, last, err);
    if (status == PBY_OK)
        set_slack(slack, f, &spec->use[0].mechanism);
    if (status == PBY_OK && arf_cmp_si(arb_midref(slack), 1) < 0)
        status = lower_by(least, f, spec, slack, err);
    else
        mpfr_set_zero(least, 1);
    pby_spec_free(spec);
    return status;
}

/* A candidate before those in order: asked only where its floor is below the least so far. */
static pby_status lower_to_early(mpfr_t least, const pby_frontier *f, int64_t i, pby_error *err)
{
    pby_spec *spec;
    PBY_ARB(zero, floor);
    PBY_ARF(end);
    pby_status status = judged(&spec, f, i, err);
    if (status == PBY_OK) {
        pby_integers_floor(floor, f->row->integers, &spec->use[0].mechanism, f->target->uses, PRECISION);
        arb_get_lbound_arf(end, floor, PRECISION);
        if (arf_cmp_d(end, mpfr_get_d(least, MPFR_RNDU)) < 0)
            status = lower_by(least, f, spec, zero, err);
    }
    pby_spec_free(spec);
    return status;
}

static pby_status least_integer(mpfr_t least, const pby_frontier *f, pby_error *err)
{
    pby_status status = PBY_OK;
    for (int64_t j = 0; j < f->row->integers->stride && status == PBY_OK; j++)
        status = lower_to_last(least, f, j, err);
    for (int64_t i = 1; i < f->from && status == PBY_OK && mpfr_cmp_q(least, f->target->delta) > 0; i++)
        status = lower_to_early(least, f, i, err);
    return status;
}

/* ---- either ----------------------------------------------------------------------------------- */

/* Multiples of a step whose loss falls with them: the first. */
static pby_status least_step(mpfr_t least, const pby_frontier *f, pby_error *err)
{
    pby_spec *spec;
    PBY_ARB(zero);
    pby_status status = judged(&spec, f, 1, err);
    mpfr_set_inf(least, 1);
    if (status == PBY_OK)
        status = lower_by(least, f, spec, zero, err);
    pby_spec_free(spec);
    return status;
}

pby_status pby_frontier_least(mpfr_t least, bool *known, const pby_frontier *f, pby_error *err)
{
    const bool integers = f->row->integers != NULL && f->last >= f->from + f->row->integers->stride,
               steps = !f->row->rising && f->monotone != NULL;
    mpfr_set_prec(least, PRECISION);
    mpfr_set_ui(least, 1, MPFR_RNDD);
    *known = false;
    if (!integers && !steps)
        return PBY_OK;
    const pby_status status = integers ? least_integer(least, f, err) : least_step(least, f, err);
    *known = status == PBY_OK && mpfr_cmp_q(least, pby_target_most(f->target)) > 0;
    return status;
}
