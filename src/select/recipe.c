/* SPDX-License-Identifier: MIT */
#include "select/recipe.h"
#include "probity/experimental/losses.h"

#include "number/scoped.h"
#include "probity/loss.h"
#include "select/select_judge.h"

enum { DIGITS = 30 };

/* The claim is one about the mechanism's own epsilon. */
static pby_status claimed(pby_decision *verdict, const pby_spec *one, const pby_spec *all,
                          const pby_target *target, pby_error *err)
{
    (void)all;
    const char *source;
    pby_enclosure delta;
    PBY_MPQ(share);
    pby_enclosure_init(&delta);
    mpq_set_ui(share, target->uses, 1);
    mpq_div(share, target->epsilon, share);
    const pby_status status = pby_loss_claimed(&delta, &source, one, target->relation, share, DIGITS, err);
    *verdict = PBY_BEYOND;
    if (status == PBY_OK && source != NULL) {
        mpq_set_ui(share, target->uses, 1);
        mpq_div(share, target->delta, share);
        *verdict = pby_judge_enclosure(&delta, share);
    }
    pby_enclosure_clear(&delta);
    return status;
}

static pby_status named(pby_decision *verdict, const pby_spec *one, const pby_spec *all,
                        const pby_target *target, pby_error *err)
{
    (void)all;
    (void)err;
    PBY_FMPQ(delta, sum);
    fmpq_set_mpq(delta, target->delta);
    fmpq_mul_ui(sum, pby_mechanism_value(&one->use[0].mechanism, PBY_ROLE_DELTA), target->uses);
    *verdict = fmpq_cmp(sum, delta) <= 0 ? PBY_WITHIN : PBY_BEYOND;
    return PBY_OK;
}

static pby_status clipped(pby_decision *verdict, const pby_spec *one, const pby_spec *all,
                          const pby_target *target, pby_error *err)
{
    enum { PRECISION = 128 };
    (void)all;
    (void)err;
    const pby_mechanism *m = &one->use[0].mechanism;
    *verdict = PBY_BEYOND;
    if (!fmpq_is_one(pby_mechanism_value(m, PBY_ROLE_SENSITIVITY)))
        return PBY_OK;
    PBY_ARB(need, have);
    PBY_FMPQ(x);
    fmpq_set_mpq(x, target->delta);
    fmpq_inv(x, x);
    arb_set_fmpq(need, x, PRECISION);
    arb_mul_ui(need, need, 4 * target->uses, PRECISION);
    arb_log(need, need, PRECISION);
    fmpq_sub_si(x, pby_mechanism_value(m, PBY_ROLE_MOST), 1);
    fmpq_mul(x, x, pby_mechanism_value(m, PBY_ROLE_EPSILON));
    arb_set_fmpq(have, x, PRECISION);
    if (arb_ge(have, need))
        *verdict = PBY_WITHIN;
    return PBY_OK;
}

/* [Thresh] Theorem 5 with the rate itself: at eps = epsilon/(1+gamma) it asks for T >= D (1 + (1+gamma)
 * ln(D/delta)/epsilon), in which gamma cancels. */
static pby_status rated(pby_decision *verdict, const pby_spec *one, const pby_spec *all,
                        const pby_target *target, pby_error *err)
{
    enum { PRECISION = 128 };
    (void)all;
    (void)err;
    const pby_mechanism *m = &one->use[0].mechanism;
    const fmpq *most = pby_mechanism_value(m, PBY_ROLE_SENSITIVITY);
    PBY_ARB(need, have);
    PBY_FMPQ(x, sum);
    *verdict = PBY_BEYOND;
    fmpq_set_mpq(x, target->epsilon);
    fmpq_mul_ui(sum, pby_mechanism_value(m, PBY_ROLE_EPSILON), target->uses);
    if (fmpq_cmp(sum, x) > 0 || pby_mechanism_value(m, PBY_ROLE_NEW) != NULL)
        return PBY_OK;
    fmpq_set_mpq(x, target->delta);
    fmpq_div(x, most, x);
    fmpq_mul_ui(x, x, target->uses);
    arb_set_fmpq(need, x, PRECISION);
    arb_log(need, need, PRECISION);
    fmpq_div(x, pby_mechanism_value(m, PBY_ROLE_LEAST), most);
    fmpq_sub_si(x, x, 1);
    fmpq_mul(x, x, pby_mechanism_value(m, PBY_ROLE_EPSILON));
    arb_set_fmpq(have, x, PRECISION);
    if (arb_ge(have, need))
        *verdict = PBY_WITHIN;
    return PBY_OK;
}

/* Where the epsilons may add up to the target itself, a theorem may stay undecided: a formula beside the
 * choice is no reason to make none. */
static pby_status theorems(pby_decision *verdict, const pby_spec *one, const pby_spec *all,
                           const pby_target *target, pby_error *err)
{
    static const pby_composition theorem[] = {PBY_COMPOSE_BASIC, PBY_COMPOSE_ADVANCED};
    (void)one;
    pby_status status = PBY_OK;
    pby_enclosure delta;
    pby_enclosure_init(&delta);
    *verdict = PBY_BEYOND;
    for (size_t i = 0; i < 2 && *verdict != PBY_WITHIN && status != PBY_BAD; i++) {
        status = pby_loss_composed(&delta, theorem[i], PBY_ASK_DELTA, all, target->relation, target->epsilon,
                                   DIGITS, err);
        *verdict = status == PBY_OK ? pby_judge_enclosure(&delta, target->delta) : PBY_NEITHER;
    }
    pby_enclosure_clear(&delta);
    return status == PBY_FAILED ? PBY_OK : status;
}

/* zcdp:rho=R with R = times D^2/(2 sigma2). */
static pby_status promise_of(pby_spec **out, const pby_use *use, pby_error *err)
{
    const pby_mechanism *m = &use->mechanism;
    pby_mechanism zcdp;
    PBY_FMPQ(rho);
    pby_mechanism_init(&zcdp, &pby_family_zcdp);
    const fmpq *norm2 = pby_mechanism_value(m, PBY_ROLE_NORM);
    if (norm2 != NULL)
        fmpq_set(rho, norm2);
    else
        fmpq_mul(rho, pby_mechanism_value(m, PBY_ROLE_SENSITIVITY),
                 pby_mechanism_value(m, PBY_ROLE_SENSITIVITY));
    fmpq_div(rho, rho, pby_mechanism_value(m, PBY_ROLE_VARIANCE));
    fmpq_mul_ui(rho, rho, use->times);
    fmpq_div_2exp(rho, rho, 1);
    *out = NULL;
    pby_status status = pby_mechanism_set(&zcdp, pby_family_find(&pby_family_zcdp, "rho"), rho, err);
    if (status == PBY_OK)
        status = pby_spec_of(out, &zcdp, 1, err);
    pby_mechanism_clear(&zcdp);
    return status;
}

static pby_status concentrated(pby_decision *verdict, const pby_spec *one, const pby_spec *all,
                               const pby_target *target, pby_error *err)
{
    (void)one;
    pby_spec *promise = NULL;
    pby_enclosure delta;
    pby_enclosure_init(&delta);
    pby_status status = promise_of(&promise, &all->use[0], err);
    if (status == PBY_OK)
        status = pby_loss_convert(&delta, "zcdp-to-approx-classical", PBY_ASK_DELTA, promise,
                                  target->relation, target->epsilon, DIGITS, err);
    if (status == PBY_OK)
        *verdict = pby_judge_enclosure(&delta, target->delta);
    pby_spec_free(promise);
    pby_enclosure_clear(&delta);
    return status;
}

static pby_status pure(pby_decision *verdict, const pby_spec *one, const pby_spec *all,
                       const pby_target *target, pby_error *err)
{
    (void)one;
    pby_enclosure rho;
    pby_enclosure_init(&rho);
    const pby_status status = pby_loss_convert(&rho, "pure-to-zcdp-classical", PBY_ASK_RHO, all,
                                               target->relation, NULL, DIGITS, err);
    if (status == PBY_OK)
        *verdict = pby_judge_enclosure(&rho, target->rho);
    pby_enclosure_clear(&rho);
    return status;
}

pby_recipe *pby_recipe_of(pby_recipe_name name)
{
    static pby_recipe *const recipes[PBY_RECIPES] = {
        [PBY_RECIPE_CLAIMED] = claimed,
        [PBY_RECIPE_NAMED] = named,
        [PBY_RECIPE_CLIPPED] = clipped,
        [PBY_RECIPE_THEOREMS] = theorems,
        [PBY_RECIPE_CONCENTRATED] = concentrated,
        [PBY_RECIPE_PURE] = pure,
        [PBY_RECIPE_RATED] = rated,
    };
    return recipes[name];
}
