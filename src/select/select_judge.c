/* SPDX-License-Identifier: MIT */
#include "select/select_judge.h"
#include "probity/experimental/losses.h"

#include "loss/bounded/bounded.h"
#include "loss/divergence/spectrum.h"
#include "loss/loss.h"
#include "mechanism/family.h"
#include "mechanism/gauss/gauss.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "select/refine.h"

enum { DIGITS_FIRST = 9, DIGITS_LAST = 72, DIGITS_BOUNDED = 20, GRID_ROUNDS = 6, ROUGH_ROUNDS = 12 };

mpq_srcptr pby_target_most(const pby_target *target)
{
    return target->rho != NULL ? target->rho : target->mu != NULL ? target->mu : target->delta;
}

const char *pby_target_name(const pby_target *target)
{
    return target->rho != NULL ? "rho" : target->mu != NULL ? "mu" : "delta";
}

pby_enclosure *pby_candidate_loss(pby_candidate *c, const pby_target *target)
{
    return target->rho != NULL ? &c->rho : target->mu != NULL ? &c->mu : &c->delta;
}

pby_decision pby_judge_enclosure(const pby_enclosure *x, mpq_srcptr target)
{
    if (mpfr_cmp_q(x->hi, target) <= 0)
        return PBY_WITHIN;
    return mpfr_cmp_q(x->lo, target) > 0 ? PBY_BEYOND : PBY_NEITHER;
}

static pby_decision judge_ball(const arb_t ball, mpq_srcptr target, unsigned digits)
{
    pby_enclosure x;
    pby_enclosure_init(&x);
    pby_enclosure_set_arb(&x, ball, digits);
    const pby_decision verdict = pby_judge_enclosure(&x, target);
    pby_enclosure_clear(&x);
    return verdict;
}

/* A profile with an answer of its own (delta_to) gives the same one however many digits are asked for. */
static pby_status judge_by_digits(pby_decision *verdict, const pby_profile *p, const fmpq_t epsilon,
                                  mpq_srcptr delta, pby_error *err)
{
    const unsigned last = p->class->delta_to != NULL ? DIGITS_FIRST : DIGITS_LAST;
    pby_status status = PBY_OK;
    PBY_ARB(ball);
    *verdict = PBY_NEITHER;
    for (unsigned digits = DIGITS_FIRST; digits <= last && *verdict == PBY_NEITHER && status == PBY_OK;
         digits *= 2) {
        status = pby_profile_delta(ball, p, epsilon, digits, err);
        if (status == PBY_OK)
            *verdict = judge_ball(ball, delta, digits);
    }
    return status;
}

static pby_status judge_profile(pby_decision *verdict, const pby_profile *p, const fmpq_t epsilon,
                                mpq_srcptr delta, pby_error *err)
{
    if (p->class->sign == NULL)
        return judge_by_digits(verdict, p, epsilon, delta, err);
    int sign = 0;
    PBY_FMPQ(level);
    fmpq_set_mpq(level, delta);
    const pby_status status = p->class->sign(&sign, p, epsilon, level, err);
    *verdict = sign > 0 ? PBY_BEYOND : PBY_WITHIN;
    return status;
}

static bool is_told(const pby_enclosure *bounds, const void *target)
{
    return pby_judge_enclosure(bounds, target) != PBY_NEITHER;
}

/* Uses of bounded range, as closely as the target takes it. */
static pby_status bounded_ball(bool *known, arb_t ball, const pby_spec *spec, const pby_target *target,
                               pby_error *err)
{
    enum { NARROWEST = 800 };
    PBY_FMPQ(width, epsilon, delta);
    fmpq_set_si(width, 1, NARROWEST);
    fmpq_set_mpq(epsilon, target->epsilon);
    fmpq_set_mpq(delta, target->delta);
    return pby_bounded_near(known, ball, spec, target->relation, epsilon, delta, width, err);
}

/* Bounds of a composition, on grids that are refined until they tell. Where one is too fine for the memory
 * they stay what they were. */
static pby_status refined_bounds(pby_enclosure *bounds, const pby_spec *spec, const pby_target *target,
                                 pby_error *err)
{
    PBY_MPFR(53, near);
    mpfr_set_q(near, target->delta, MPFR_RNDN);
    const pby_status status = pby_refine(bounds, spec, target->relation, target->epsilon, near, GRID_ROUNDS,
                                         is_told, target->delta, err);
    return status == PBY_BAD ? PBY_OK : status;
}

static pby_status grid_bounds(pby_enclosure *bounds, const pby_spec *spec, const pby_target *target,
                              pby_error *err)
{
    bool known = false;
    PBY_ARB(ball);
    pby_status status = bounded_ball(&known, ball, spec, target, err);
    if (status == PBY_OK && known)
        pby_enclosure_set_arb(bounds, ball, DIGITS_BOUNDED);
    else if (status == PBY_OK)
        status = refined_bounds(bounds, spec, target, err);
    return status;
}

/* True if an enclosure that was asked for DIGITS_FIRST digits has fewer than half of them: more will not
 * help. */
static bool is_coarse(const pby_enclosure *x)
{
    mpfr_t width, most;
    mpfr_inits2(53, width, most, (mpfr_ptr)0);
    mpfr_sub(width, x->hi, x->lo, MPFR_RNDN);
    mpfr_mul_d(most, x->hi, 1e-4, MPFR_RNDN);
    const bool coarse = mpfr_greater_p(width, most);
    mpfr_clears(width, most, (mpfr_ptr)0);
    return coarse;
}

static bool is_composed(const pby_spec *spec)
{
    return spec->count > 1 || spec->use[0].times > 1;
}

/* ---- rho -------------------------------------------------------------------------------------- */

static pby_status rho_to(pby_enclosure *rho, const pby_spec *spec, pby_neighbours relation, unsigned digits,
                         pby_error *err)
{
    PBY_MPQ(xi);
    return pby_loss_zcdp(rho, NULL, spec, relation, xi, digits, err);
}

static pby_status rho_enclosure(pby_enclosure *rho, const pby_spec *spec, const pby_target *target,
                                pby_error *err)
{
    pby_status status = PBY_OK;
    for (unsigned digits = DIGITS_FIRST; digits <= DIGITS_LAST && status == PBY_OK; digits *= 2) {
        status = rho_to(rho, spec, target->relation, digits, err);
        if (status == PBY_OK && is_told(rho, target->rho))
            break;
    }
    return status;
}

/* Gaussians have a rational rho, which a target may equal. */
static pby_status judge_rho(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                            pby_error *err)
{
    pby_spectrum s;
    pby_enclosure rho;
    PBY_FMPQ(most);
    fmpq_set_mpq(most, target->rho);
    pby_enclosure_init(&rho);
    pby_status status = pby_spectrum_init(&s, spec, target->relation, err);
    if (status == PBY_OK && pby_spectrum_straighten(&s)) {
        *verdict = fmpq_cmp(s.line.rho, most) <= 0 ? PBY_WITHIN : PBY_BEYOND;
    } else if (status == PBY_OK) {
        status = rho_enclosure(&rho, spec, target, err);
        if (status == PBY_OK)
            *verdict = pby_judge_enclosure(&rho, target->rho);
    }
    pby_spectrum_clear(&s);
    pby_enclosure_clear(&rho);
    return status;
}

/* ---- mu --------------------------------------------------------------------------------------- */

/* The ends may stay apart however many digits are asked for, but not around the target: the upper one is
 * within, or is enclosed until it is seen to be beyond. */
static pby_status mu_enclosure(pby_enclosure *mu, const pby_spec *spec, const pby_target *target,
                               pby_error *err)
{
    pby_status status = PBY_OK;
    for (unsigned digits = DIGITS_FIRST; digits <= DIGITS_LAST && status == PBY_OK; digits *= 2) {
        status = pby_loss_mu(mu, spec, target->relation, digits, err);
        if (status == PBY_OK && (is_told(mu, target->mu) || is_coarse(mu)))
            break;
    }
    return status;
}

/* Gaussians have a rational mu^2, and a target may equal their mu. */
static bool judge_gaussians(pby_decision *verdict, const pby_spec *spec, const pby_target *target)
{
    pby_mechanism all;
    PBY_FMPQ(square, most);
    pby_mechanism_init(&all, &pby_family_gauss);
    const bool gathered = pby_gauss_gather(&all, spec);
    for (size_t i = 0; i < spec->count; i++)
        if (!gathered || !pby_gauss_gathers(&spec->use[i].mechanism)) {
            pby_mechanism_clear(&all);
            return false;
        }
    fmpq_inv(square, &all.value[pby_family_with(all.family, PBY_ROLE_VARIANCE)]);
    fmpq_set_mpq(most, target->mu);
    fmpq_mul(most, most, most);
    *verdict = fmpq_cmp(square, most) <= 0 ? PBY_WITHIN : PBY_BEYOND;
    pby_mechanism_clear(&all);
    return true;
}

static pby_status judge_mu(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                           pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_ARB(above);
    if (judge_gaussians(verdict, spec, target))
        return PBY_OK;
    for (unsigned digits = DIGITS_FIRST; digits <= DIGITS_LAST && *verdict == PBY_NEITHER && status == PBY_OK;
         digits *= 2) {
        status = pby_loss_mu_above(above, spec, target->relation, digits, err);
        if (status == PBY_OK)
            *verdict = arb_is_finite(above) ? judge_ball(above, target->mu, digits) : PBY_BEYOND;
    }
    return status;
}

/* ---- delta ------------------------------------------------------------------------------------ */

static pby_status delta_enclosure(pby_enclosure *delta, const pby_spec *spec, const pby_target *target,
                                  pby_error *err)
{
    pby_status status = PBY_OK;
    bool coarse = false;
    for (unsigned digits = DIGITS_FIRST; digits <= DIGITS_LAST && status == PBY_OK && !coarse; digits *= 2) {
        status = pby_loss_delta(delta, spec, target->relation, target->epsilon, digits, err);
        if (status == PBY_OK && is_told(delta, target->delta))
            return PBY_OK;
        coarse = status == PBY_OK && is_coarse(delta);
    }
    return status == PBY_OK && is_composed(spec) ? grid_bounds(delta, spec, target, err) : status;
}

pby_status pby_judge_loss(pby_enclosure *loss, const pby_spec *spec, const pby_target *target, pby_error *err)
{
    return target->rho != NULL  ? rho_enclosure(loss, spec, target, err)
           : target->mu != NULL ? mu_enclosure(loss, spec, target, err)
                                : delta_enclosure(loss, spec, target, err);
}

static pby_status judge_by_grid(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                                pby_error *err)
{
    pby_enclosure bounds;
    pby_enclosure_init(&bounds);
    mpfr_set_zero(bounds.lo, 1);
    mpfr_set_ui(bounds.hi, 1, MPFR_RNDU);
    const pby_status status = grid_bounds(&bounds, spec, target, err);
    if (status == PBY_OK)
        *verdict = pby_judge_enclosure(&bounds, target->delta);
    pby_enclosure_clear(&bounds);
    return status;
}

/* *other where the spec has no profile of bounded range. */
static pby_status judge_bounded(pby_decision *verdict, bool *other, const pby_spec *spec,
                                const pby_target *target, pby_error *err)
{
    bool known = false;
    PBY_ARB(ball);
    const pby_status status = bounded_ball(&known, ball, spec, target, err);
    if (status == PBY_OK && known)
        *verdict = judge_ball(ball, target->delta, DIGITS_BOUNDED);
    *other = !known;
    return status;
}

/* Sampled uses take long to enclose at a width, and longer the less they lose; near the target alone it takes
 * a fine grid to tell. So do uses of mechanisms with many pairs. */
static pby_status judge_roughly(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                                int rounds, pby_error *err)
{
    pby_enclosure bounds;
    pby_enclosure_init(&bounds);
    mpfr_set_zero(bounds.lo, 1);
    mpfr_set_ui(bounds.hi, 1, MPFR_RNDU);
    PBY_MPFR(53, near);
    mpfr_set_q(near, target->delta, MPFR_RNDN);
    const pby_status status = pby_refine_roughly(&bounds, spec, target->relation, target->epsilon, near,
                                                 rounds, is_told, target->delta, err);
    *verdict = pby_judge_enclosure(&bounds, target->delta);
    pby_enclosure_clear(&bounds);
    return status == PBY_BAD ? PBY_OK : status;
}

/* Uses lose no less than one of them alone, which takes no grid: with too little noise that is told at once,
 * where a grid of many large losses takes longest. */
static pby_status judge_one_use(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                                pby_error *err)
{
    pby_spec *one;
    pby_enclosure delta;
    pby_enclosure_init(&delta);
    pby_status status = pby_spec_of(&one, &spec->use[0].mechanism, 1, err);
    if (status == PBY_OK)
        status = pby_loss_delta(&delta, one, target->relation, target->epsilon, DIGITS_FIRST, err);
    if (status == PBY_OK && mpfr_cmp_q(delta.lo, target->delta) > 0)
        *verdict = PBY_BEYOND;
    pby_spec_free(one);
    pby_enclosure_clear(&delta);
    return status;
}

static bool is_sampled(const pby_spec *spec)
{
    return is_composed(spec) && pby_mechanism_sample(&spec->use[0].mechanism) != NULL;
}

/* The greatest of several deltas is beyond as soon as one is, and within when all are. */
static pby_status judge_profiles(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                                 pby_error *err)
{
    pby_profiles list;
    pby_status status = pby_loss_profiles(&list, spec, target->relation, err);
    if (status != PBY_OK)
        return status;
    PBY_FMPQ(epsilon);
    fmpq_set_mpq(epsilon, target->epsilon);
    *verdict = PBY_WITHIN;
    for (size_t i = 0; i < list.count && *verdict != PBY_BEYOND && status == PBY_OK; i++) {
        pby_decision one = PBY_NEITHER;
        status = judge_profile(&one, list.profile[i], epsilon, target->delta, err);
        if (one != PBY_WITHIN)
            *verdict = one;
    }
    pby_profiles_clear(&list);
    return status;
}

/* Several uses, before all that is known of them is asked: one coarse grid tells most values that are far
 * from the target. */
static pby_status judge_uses(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                             pby_error *err)
{
    pby_status status = PBY_OK;
    if (is_sampled(spec))
        status = judge_one_use(verdict, spec, target, err);
    if (status == PBY_OK && *verdict == PBY_NEITHER)
        status = judge_roughly(verdict, spec, target, is_sampled(spec) ? ROUGH_ROUNDS : 1, err);
    return status;
}

static pby_status judge_delta(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                              pby_error *err)
{
    bool other = true;
    for (size_t i = 0; i < spec->count; i++)
        if (pby_mechanism_unlisted(&spec->use[i].mechanism))
            return pby_mechanism_refuse(
                &spec->use[i].mechanism,
                "rho: of so many shifts, or outcomes, epsilon and delta are only bounded", err);
    pby_status status = is_composed(spec) ? judge_bounded(verdict, &other, spec, target, err) : PBY_OK;
    if (status != PBY_OK || !other)
        return status;
    if (is_composed(spec) && mpq_sgn(target->delta) > 0)
        status = judge_uses(verdict, spec, target, err);
    /* Bounds that do not meet are as close as they get. */
    const bool told = *verdict != PBY_NEITHER ||
                      (is_sampled(spec) && pby_mechanism_loose(&spec->use[0].mechanism));
    if (status != PBY_OK || told)
        return status;
    status = judge_profiles(verdict, spec, target, err);
    return status == PBY_OK && is_composed(spec) && *verdict == PBY_NEITHER
               ? judge_by_grid(verdict, spec, target, err)
               : status;
}

pby_status pby_judge_exact(pby_decision *verdict, const pby_spec *spec, const pby_target *target,
                           pby_error *err)
{
    *verdict = PBY_NEITHER;
    return target->rho != NULL  ? judge_rho(verdict, spec, target, err)
           : target->mu != NULL ? judge_mu(verdict, spec, target, err)
                                : judge_delta(verdict, spec, target, err);
}
