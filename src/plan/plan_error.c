/* SPDX-License-Identifier: MIT */
#include "plan/plan_error.h"
#include "accuracy/accuracy.h"

#include "number/scoped.h"
#include "probity/experimental/accuracy.h"

enum { DIGITS = 9 };

pby_status pby_plan_error(mpq_t error, const pby_plan_quantity *q, size_t cells, unsigned long under,
                          pby_error *err)
{
    pby_spec *spec;
    pby_noisy_accuracy a;
    PBY_MPQ(gamma);
    /* Choices err one by one; of noise the accuracy is that of all cells at once. */
    const bool choice = q->candidates > 0;
    pby_plan_quantity plain = *q; /* with the numbers of q; a threshold has the noise of geometric */
    if (q->gate) {
        plain.family = PBY_PLAN_GEOMETRIC;
        plain.gate = false;
    }
    mpq_set_ui(gamma, 1, choice ? under * cells : under);
    PBY_TRY(pby_plan_cell_spec(&spec, &plain, err));
    const pby_input_class inputs = {.n = cells, .support = choice ? q->candidates : cells, .width = NULL};
    pby_noisy_accuracy_init(&a);
    const pby_status status = pby_accuracy_noisy(&a, spec, &inputs, NULL, gamma, DIGITS, err);
    if (status == PBY_OK)
        mpq_set(error, a.release.beta.value);
    pby_noisy_accuracy_clear(&a);
    pby_spec_free(spec);
    return status;
}

void pby_plan_promise_init(pby_plan_promise *p)
{
    mpq_inits(p->error, p->rounding, p->cell, (mpq_ptr)0);
    p->known = false;
}

void pby_plan_promise_clear(pby_plan_promise *p)
{
    mpq_clears(p->error, p->rounding, p->cell, (mpq_ptr)0);
}

/* ---- means and variances ------------------------------------------------------------------------- */

/* With N off by at most a < N, and S by b: S'/N' - S/N = ((S'-S) - (S/N)(N'-N))/N', and |S/N| is at most
 * the reach, so that it is at most (b + reach a)/(N - a). *known is false where N is not above a. */
static void quotient_error(mpq_t out, bool *known, mpq_srcptr rows, mpq_srcptr a, mpq_srcptr b,
                           mpq_srcptr reach)
{
    PBY_MPQ(left);
    mpq_sub(left, rows, a);
    *known = mpq_sgn(left) > 0;
    if (!*known)
        return;
    mpq_mul(out, reach, a);
    mpq_add(out, out, b);
    mpq_div(out, out, left);
}

static pby_status mean_error(pby_plan_promise *out, const pby_release_plan *plan,
                             const pby_plan_quantities *q, const pby_plan_statistic *s,
                             const pby_plan_needs *needs, pby_error *err)
{
    const pby_plan_column *c = &plan->column[s->column];
    const pby_plan_quantity *rows = &q->quantity[needs->at[0]], *sum = &q->quantity[needs->at[1]];
    PBY_MPQ(a, b, reach);
    PBY_TRY(pby_plan_error(a, rows, rows->cells, 40, err));
    PBY_TRY(pby_plan_error(b, sum, sum->cells, 40, err));
    mpq_set_ui(reach, pby_plan_reach(c), 1);
    quotient_error(out->error, &out->known, plan->grouping[s->grouping].expect, a, b, reach);
    mpq_mul(out->error, out->error, c->step);
    mpq_div_2exp(out->rounding, c->step, 1);
    return PBY_OK;
}

/* The variance is floor(R^2/2) + Q/N - (S/N)^2. With x = S/N off by e and |x| at most R, x^2 is off by at
 * most e (2 R + e); and |Q/N| is at most ceil(R^2/2). */
static pby_status variance_error(pby_plan_promise *out, const pby_release_plan *plan,
                                 const pby_plan_quantities *q, const pby_plan_statistic *s,
                                 const pby_plan_needs *needs, pby_error *err)
{
    const pby_plan_column *c = &plan->column[s->column];
    const pby_plan_quantity *rows = &q->quantity[needs->at[0]], *sum = &q->quantity[needs->at[1]],
                            *squares = &q->quantity[needs->at[2]];
    mpq_srcptr expect = plan->grouping[s->grouping].expect;
    PBY_MPQ(a, b, d, reach, high, mean, square);
    PBY_TRY(pby_plan_error(a, rows, rows->cells, 60, err));
    PBY_TRY(pby_plan_error(b, sum, sum->cells, 60, err));
    PBY_TRY(pby_plan_error(d, squares, squares->cells, 60, err));
    mpq_set_ui(reach, pby_plan_reach(c), 1);
    mpq_set_ui(high, squares->factor, 1);
    quotient_error(mean, &out->known, expect, a, b, reach);
    quotient_error(square, &out->known, expect, a, d, high);
    mpq_add(out->error, reach, reach);
    mpq_add(out->error, out->error, mean);
    mpq_mul(out->error, out->error, mean);
    mpq_add(out->error, out->error, square);
    mpq_mul(out->error, out->error, c->step);
    mpq_mul(out->error, out->error, c->step);
    mpq_mul(out->rounding, c->step, c->step);
    mpq_div_2exp(out->rounding, out->rounding, 1);
    return PBY_OK;
}

/* The greatest of all shares, each with its part of the chance. */
static pby_status quantile_error(pby_plan_promise *out, const pby_plan_quantities *q,
                                 const pby_plan_needs *needs, pby_error *err)
{
    PBY_MPQ(one);
    mpq_set_ui(out->error, 0, 1);
    for (size_t i = 0; i < needs->count; i++) {
        const pby_plan_quantity *x = &q->quantity[needs->at[i]];
        PBY_TRY(pby_plan_error(one, x, x->cells, 20 * needs->count, err));
        if (mpq_cmp(one, out->error) > 0)
            mpq_set(out->error, one);
    }
    out->known = true;
    return PBY_OK;
}

pby_status pby_plan_promise_of(pby_plan_promise *out, const pby_release_plan *plan,
                               const pby_plan_quantities *q, size_t statistic, pby_error *err)
{
    const pby_plan_statistic *s = &plan->statistic[statistic];
    const pby_plan_needs *needs = &q->needs[statistic];
    const pby_plan_quantity *first = &q->quantity[needs->at[0]];
    PBY_TRY(pby_plan_error(out->cell, first, 1, 20, err));
    if (s->kind == PBY_PLAN_QUANTILE)
        return quantile_error(out, q, needs, err);
    if (s->kind == PBY_PLAN_MEAN)
        return mean_error(out, plan, q, s, needs, err);
    if (s->kind == PBY_PLAN_VARIANCE)
        return variance_error(out, plan, q, s, needs, err);
    PBY_TRY(pby_plan_error(out->error, first, first->cells, 20, err));
    out->known = true;
    if (s->kind == PBY_PLAN_SUM) {
        mpq_mul(out->error, out->error, plan->column[s->column].step);
        mpq_mul(out->cell, out->cell, plan->column[s->column].step);
    }
    return PBY_OK;
}
