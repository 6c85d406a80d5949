/* SPDX-License-Identifier: MIT */
#include "plan/plan_judge.h"

#include <stdio.h>
#include <string.h>

#include "probity/experimental/losses.h"

#include "loss/loss.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "probity/certificate.h"
#include "probity/loss.h"
#include "select/refine.h"
#include "select/select_judge.h"

/* Each round has a grid half as wide; the last ones take a second or more. Beyond LARGE there is so little
 * noise that delta jumps from one scale to the next, and no grid tells what lies at a jump. */
enum { ROUNDS = 8, ROUNDS_LARGE = 4, LARGE = 20, DIGITS = 12, MU_DIGITS = PBY_CERTIFICATE_DIGITS + 10 };

/* True if all noise is geometric or a choice, and the epsilons of all uses add up to at most that of the
 * budget: delta is then exactly 0. */
static bool adds_up(const pby_release_plan *plan, const pby_plan_quantities *q)
{
    PBY_MPQ(sum, term, ratio);
    for (size_t i = 0; i < q->count; i++) {
        const pby_plan_quantity *x = &q->quantity[i];
        if (x->family == PBY_PLAN_DGAUSS || x->gate)
            return false;
        for (unsigned part = 0; part < x->moves.parts; part++) {
            mpq_set_ui(term, plan->times * x->moves.count[part], 1);
            mpq_set_ui(ratio, x->moves.size[part], x->moves.size[0]);
            mpq_canonicalize(ratio);
            mpq_mul(term, term, ratio);
            mpq_mul(term, term, x->noise);
            mpq_add(sum, sum, term);
        }
    }
    return mpq_cmp(sum, plan->epsilon) <= 0;
}

/* True if the list has no choices, of which only a bound is composed. */
static bool reaches(const pby_plan_quantities *q)
{
    bool choice = false;
    for (size_t i = 0; i < q->count; i++)
        choice = choice || q->quantity[i].candidates > 0;
    return !choice;
}

static bool decided(const pby_enclosure *bounds, const void *delta)
{
    return pby_judge_enclosure(bounds, delta) != PBY_NEITHER;
}

/* A composition goes to finer and finer grids, of which the first tells what is far from the target. */
static pby_status judge_delta(pby_decision *verdict, pby_enclosure *loss, const pby_release_plan *plan,
                              const pby_spec *spec, pby_error *err)
{
    PBY_MPFR(64, near);
    mpfr_set_q(near, plan->delta, MPFR_RNDN);
    const int rounds = mpq_cmp_ui(plan->epsilon, LARGE, 1) > 0 ? ROUNDS_LARGE : ROUNDS;
    PBY_TRY(pby_spec_uses(spec) == 1 ? pby_loss_delta(loss, spec, plan->relation, plan->epsilon, DIGITS, err)
                                     : pby_refine_dominating(loss, spec, plan->relation, plan->epsilon, near,
                                                             rounds, decided, plan->delta, err));
    *verdict = pby_judge_enclosure(loss, plan->delta);
    return PBY_OK;
}

static pby_status judge_rho(pby_decision *verdict, pby_enclosure *loss, const pby_release_plan *plan,
                            const pby_spec *spec, pby_error *err)
{
    const pby_target target = {.rho = plan->bound, .relation = plan->relation, .uses = 1};
    PBY_TRY(pby_judge_exact(verdict, spec, &target, err));
    return pby_judge_loss(loss, spec, &target, err);
}

/* The squares of mus add, which is a bound, so that nothing is told from below. */
static pby_status judge_mu(pby_decision *verdict, pby_enclosure *loss, const pby_release_plan *plan,
                           const pby_spec *spec, pby_error *err)
{
    PBY_ARB(mu);
    PBY_TRY(pby_loss_mu_added(mu, spec, plan->relation, MU_DIGITS, err));
    *verdict = PBY_BEYOND;
    if (arb_is_finite(mu)) {
        pby_enclosure_set_arb(loss, mu, MU_DIGITS);
        *verdict = pby_judge_enclosure(loss, plan->bound);
    } else {
        mpfr_set_inf(loss->hi, 1);
    }
    mpfr_set_zero(loss->lo, 1);
    return PBY_OK;
}

/* Puts the plan in the place of a spec that nobody typed. */
static pby_status name_plan(const pby_release_plan *plan, pby_error *err)
{
    static const char spec[] = "SPEC: ";
    char said[PBY_ERROR_SIZE] = "";
    if (err != NULL)
        snprintf(said, sizeof said, "%s", err->text);
    const char *rest = strncmp(said, spec, sizeof spec - 1) == 0 ? said + sizeof spec - 1 : said;
    return pby_fail(err, PBY_BAD,
                    "%.200s: the noise of its statistics: %.600s: coarser steps or tighter bounds need less",
                    plan->name, rest);
}

pby_status pby_plan_judge(pby_decision *verdict, pby_enclosure *loss, const pby_release_plan *plan,
                          const pby_plan_quantities *q, const pby_spec *spec, pby_error *err)
{
    pby_enclosure own;
    pby_status status = PBY_OK;
    pby_enclosure_init(&own);
    if (plan->budget == PBY_ASK_RHO)
        status = judge_rho(verdict, &own, plan, spec, err);
    else if (plan->budget == PBY_ASK_MU)
        status = judge_mu(verdict, &own, plan, spec, err);
    else if (adds_up(plan, q)) {
        mpfr_set_zero(own.lo, 1);
        mpfr_set_zero(own.hi, 1);
        *verdict = PBY_WITHIN;
    } else
        status = judge_delta(verdict, &own, plan, spec, err);
    if (status == PBY_BAD)
        status = name_plan(plan, err);
    if (!reaches(q)) /* the lower end is that of a bound */
        mpfr_set_zero(own.lo, 1);
    if (loss != NULL && status == PBY_OK) {
        mpfr_set(loss->lo, own.lo, MPFR_RNDD);
        mpfr_set(loss->hi, own.hi, MPFR_RNDU);
    }
    pby_enclosure_clear(&own);
    return status;
}
