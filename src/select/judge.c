#include "select/judge.h"

#include "loss/loss.h"
#include "number/ball.h"
#include "select/refine.h"

enum { DIGITS_FIRST = 9, DIGITS_LAST = 72, GRID_ROUNDS = 6 };

pby_told pby_judge_enclosure(const pby_enclosure *x, mpq_srcptr target)
{
    if (mpfr_cmp_q(x->hi, target) <= 0)
        return PBY_WITHIN;
    return mpfr_cmp_q(x->lo, target) > 0 ? PBY_BEYOND : PBY_UNTOLD;
}

static pby_told judge_ball(const arb_t ball, mpq_srcptr target, unsigned digits)
{
    pby_enclosure x;
    pby_enclosure_init(&x);
    pby_enclosure_set_arb(&x, ball, digits);
    const pby_told verdict = pby_judge_enclosure(&x, target);
    pby_enclosure_clear(&x);
    return verdict;
}

/* A profile with an answer of its own (delta_to) gives the same one however many digits are asked for. */
static pby_status judge_by_digits(pby_told *verdict, const pby_profile *p, const fmpq_t epsilon,
                                  mpq_srcptr delta, pby_error *err)
{
    const unsigned last = p->class->delta_to != NULL ? DIGITS_FIRST : DIGITS_LAST;
    pby_status status = PBY_OK;
    arb_t ball;
    arb_init(ball);
    *verdict = PBY_UNTOLD;
    for (unsigned digits = DIGITS_FIRST; digits <= last && *verdict == PBY_UNTOLD && status == PBY_OK; digits *= 2) {
        status = pby_profile_delta(ball, p, epsilon, digits, err);
        if (status == PBY_OK)
            *verdict = judge_ball(ball, delta, digits);
    }
    arb_clear(ball);
    return status;
}

static pby_status judge_profile(pby_told *verdict, const pby_profile *p, const fmpq_t epsilon,
                                mpq_srcptr delta, pby_error *err)
{
    if (p->class->sign == NULL)
        return judge_by_digits(verdict, p, epsilon, delta, err);
    int sign = 0;
    fmpq_t level;
    fmpq_init(level);
    fmpq_set_mpq(level, delta);
    const pby_status status = p->class->sign(&sign, p, epsilon, level, err);
    fmpq_clear(level);
    *verdict = sign > 0 ? PBY_BEYOND : PBY_WITHIN;
    return status;
}

static bool is_told(const pby_enclosure *bounds, const void *target)
{
    return pby_judge_enclosure(bounds, target) != PBY_UNTOLD;
}

/* Bounds of a composition, on grids that are refined until they tell. */
static pby_status grid_bounds(pby_enclosure *bounds, const pby_spec *spec, const pby_target *target, pby_error *err)
{
    mpfr_t near;
    mpfr_init2(near, 53);
    mpfr_set_q(near, target->delta, MPFR_RNDN);
    const pby_status status = pby_refine(bounds, spec, target->relation, target->epsilon, near, GRID_ROUNDS, is_told,
                                         target->delta, err);
    mpfr_clear(near);
    return status;
}

static bool is_composed(const pby_spec *spec)
{
    return spec->count > 1 || spec->use[0].times > 1;
}

pby_status pby_judge_delta(pby_enclosure *delta, const pby_spec *spec, const pby_target *target, pby_error *err)
{
    pby_status status = PBY_OK;
    for (unsigned digits = DIGITS_FIRST; digits <= DIGITS_LAST && status == PBY_OK; digits *= 2) {
        status = pby_loss_delta(delta, spec, target->relation, target->epsilon, digits, err);
        if (status == PBY_OK && is_told(delta, target->delta))
            return PBY_OK;
    }
    return status == PBY_OK && is_composed(spec) ? grid_bounds(delta, spec, target, err) : status;
}

static pby_status judge_by_grid(pby_told *verdict, const pby_spec *spec, const pby_target *target, pby_error *err)
{
    pby_enclosure bounds;
    pby_enclosure_init(&bounds);
    const pby_status status = grid_bounds(&bounds, spec, target, err);
    if (status == PBY_OK)
        *verdict = pby_judge_enclosure(&bounds, target->delta);
    pby_enclosure_clear(&bounds);
    return status;
}

/* The greatest of several deltas is beyond as soon as one is, and within when all are. */
pby_status pby_judge_exact(pby_told *verdict, const pby_spec *spec, const pby_target *target, pby_error *err)
{
    pby_profiles list;
    fmpq_t epsilon;
    pby_status status = pby_loss_profiles(&list, spec, target->relation, err);
    if (status != PBY_OK)
        return status;
    fmpq_init(epsilon);
    fmpq_set_mpq(epsilon, target->epsilon);
    *verdict = PBY_WITHIN;
    for (size_t i = 0; i < list.count && *verdict != PBY_BEYOND && status == PBY_OK; i++) {
        pby_told one = PBY_UNTOLD;
        status = judge_profile(&one, list.profile[i], epsilon, target->delta, err);
        if (one != PBY_WITHIN)
            *verdict = one;
    }
    fmpq_clear(epsilon);
    pby_profiles_clear(&list);
    return status == PBY_OK && is_composed(spec) && *verdict == PBY_UNTOLD
               ? judge_by_grid(verdict, spec, target, err)
               : status;
}
