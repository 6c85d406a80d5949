/* SPDX-License-Identifier: MIT */
#include "select/frontier.h"

#include <stdio.h>
#include <stdlib.h>

#include "number/integer.h"
#include "number/scoped.h"
#include "number/text.h"
#include "select/select_judge.h"

/* A parameter that is no integer, if no resolution is given, has this many significant digits, fewer where
 * each judgement takes a grid of its own, or where it is a base, less 1; its size is looked for from
 * 10^-SIZE_MAX to 10^SIZE_MAX. */
enum {
    DIGITS = 4,
    DIGITS_SAMPLED = 3,
    DIGITS_BEYOND_ONE = 2,
    SIZE_MAX_EXPONENT = 30,
    STEPS_LAST = 1 << 30,
    SCAN_MOST = 1 << 16,
    ONE_BY_ONE = 1 << 16
};

/* ---- candidates ------------------------------------------------------------------------------- */

/* The parameters that were given; a family that another is judged as finds its own by their roles. */
static unsigned take_given(pby_mechanism *m, const pby_frontier *f)
{
    const size_t count = pby_family_parameters(m->family);
    unsigned named = 0;
    for (size_t i = 0; i < count; i++) {
        const bool same = m->family == f->given.family || m->family == f->bound;
        const size_t j = same ? i : pby_family_with(f->given.family, m->family->parameters[i].role);
        if (j < PBY_PARAMETERS_MAX && f->named >> j & 1) {
            fmpq_set(&m->value[i], &f->given.value[j]);
            named |= 1u << i;
        }
    }
    return named;
}

/* A mechanism of the family with a value of the parameter that is chosen, used so many times; or, where that
 * is chosen, used `value` times. */
static pby_status make_spec(pby_spec **out, const pby_family *family, const pby_frontier *f, mpq_srcptr value,
                            unsigned long uses, pby_error *err)
{
    const size_t chosen = pby_family_with(family, f->row->chosen);
    pby_mechanism m;
    PBY_FMPQ(number);
    fmpq_set_mpq(number, value);
    pby_mechanism_init(&m, family);
    *out = NULL;
    const unsigned named = take_given(&m, f) | (f->counts ? 0 : 1u << chosen);
    pby_status status = f->counts ? PBY_OK : pby_mechanism_set(&m, chosen, number, err);
    if (f->counts)
        uses = mpz_get_ui(mpq_numref(value));
    if (status == PBY_OK)
        status = pby_mechanism_complete(&m, named, err);
    if (status == PBY_OK)
        status = pby_spec_of(out, &m, uses, err);
    pby_mechanism_clear(&m);
    return status;
}

pby_status pby_frontier_spec(pby_spec **out, const pby_frontier *f, mpq_srcptr value, unsigned long uses,
                             pby_error *err)
{
    return make_spec(out, f->family, f, value, uses, err);
}

pby_status pby_frontier_judged(pby_spec **out, const pby_frontier *f, mpq_srcptr value, pby_error *err)
{
    if (f->bound != NULL)
        return make_spec(out, f->bound, f, value, f->target->uses, err);
    const bool as_itself = f->row->composes_as == NULL || f->target->uses == 1;
    return make_spec(out, as_itself ? f->family : f->row->composes_as, f, value, f->target->uses, err);
}

/* Adds the origin from which the multiples of the step are counted. */
static void add_origin(mpq_t value, const pby_frontier *f)
{
    if (f->row->beyond_one)
        mpz_add(mpq_numref(value), mpq_numref(value), mpq_denref(value));
}

void pby_frontier_value(mpq_t value, const pby_frontier *f, int64_t i)
{
    pby_integer_set(mpq_numref(value), i < 0 ? -(uint64_t)i : (uint64_t)i);
    mpz_set_ui(mpq_denref(value), 1);
    if (i < 0)
        mpq_neg(value, value);
    mpq_mul(value, value, f->step);
    add_origin(value, f);
}

/* The role is asked of the family that was read: before that there is none. */
static bool samples(const pby_frontier *f)
{
    return f->row->chosen == PBY_ROLE_SAMPLE ||
           (f->given.family != NULL && pby_mechanism_sample(&f->given) != NULL);
}

static bool allocates(const pby_frontier *f)
{
    return f->given.family != NULL && pby_mechanism_allocated(&f->given);
}

/* The rho of a sampled mechanism is none of the one that sees all records. */
pby_recipe *pby_frontier_recipe(const pby_frontier *f)
{
    if (f->target->mu != NULL)
        return NULL;
    if ((samples(f) || allocates(f)) && f->target->rho == NULL && f->row->recipe == PBY_RECIPE_CONCENTRATED)
        return NULL;
    if (f->by_other)
        return f->target->rho != NULL ? NULL : pby_recipe_of(f->row->other);
    return pby_recipe_of(f->target->rho != NULL ? f->row->rho_recipe : f->row->recipe);
}

static pby_status judge_by_recipe(pby_decision *verdict, const pby_frontier *f, mpq_srcptr value,
                                  const pby_spec *all, pby_error *err)
{
    pby_spec *one;
    pby_status status = pby_frontier_spec(&one, f, value, 1, err);
    if (status == PBY_OK)
        status = pby_frontier_recipe(f)(verdict, one, all, f->target, err);
    pby_spec_free(one);
    return status;
}

/* True if the floor alone exceeds the target. */
static bool is_far_off(const pby_frontier *f, const pby_spec *all)
{
    enum { PRECISION = 128 };
    if (f->row->integers == NULL)
        return false;
    PBY_ARB(floor, level);
    PBY_FMPQ(delta);
    fmpq_set_mpq(delta, f->target->delta);
    arb_set_fmpq(level, delta, PRECISION);
    pby_integers_floor(floor, f->row->integers, &all->use[0].mechanism, f->target->uses, PRECISION);
    return arb_gt(floor, level);
}

static void tell_progress(const pby_frontier *f)
{
    if (f->target->asking != NULL)
        f->target->asking(f->target->what, *f->asked);
    ++*f->asked;
}

/* A base too near to 1 is no candidate: it loses less than the others, and is refused if it is chosen. */
static bool is_too_near(const pby_frontier *f, pby_status status)
{
    return status == PBY_BAD && f->row->beyond_one;
}

static pby_status judge_value(pby_decision *verdict, const pby_frontier *f, mpq_srcptr value, pby_error *err)
{
    pby_spec *all = NULL;
    pby_status status = pby_frontier_judged(&all, f, value, err);
    tell_progress(f);
    if (is_too_near(f, status)) {
        *verdict = PBY_WITHIN;
        return PBY_OK;
    }
    if (status == PBY_OK && f->by_recipe) {
        status = judge_by_recipe(verdict, f, value, all, err);
    } else if (status == PBY_OK && is_far_off(f, all)) {
        *verdict = PBY_BEYOND;
    } else if (status == PBY_OK) {
        status = pby_judge_exact(verdict, all, f->target, err);
    }
    pby_spec_free(all);
    return status;
}

/* Noise that no law has is met where the step is too fine. */
static pby_status refuse_step(const pby_frontier *f, pby_error *err)
{
    char expected[PBY_ERROR_SIZE + 32];
    snprintf(expected, sizeof expected, "a larger step, because: %s", err == NULL ? "" : err->text);
    return pby_refuse_mpq(err, "resolution", f->target->resolution, expected);
}

static bool recall(pby_decision *verdict, const pby_memory *memory, int64_t i)
{
    const size_t count = memory->count < PBY_MEMORY ? memory->count : PBY_MEMORY;
    for (size_t j = 0; j < count; j++)
        if (memory->candidate[j] == i) {
            *verdict = memory->verdict[j];
            return true;
        }
    return false;
}

static void remember(pby_memory *memory, int64_t i, pby_decision verdict)
{
    const size_t j = memory->count++ % PBY_MEMORY;
    memory->candidate[j] = i;
    memory->verdict[j] = verdict;
}

/* The search asks about some candidates twice, those next to the edge among them. */
static pby_status judge(pby_decision *verdict, int64_t i, const void *what, pby_error *err)
{
    const pby_frontier *f = what;
    if (!f->by_recipe && recall(verdict, f->memory, i))
        return PBY_OK;
    PBY_MPQ(value);
    pby_frontier_value(value, f, i);
    const pby_status status = judge_value(verdict, f, value, err);
    if (status == PBY_OK && !f->by_recipe)
        remember(f->memory, i, *verdict);
    return status == PBY_BAD && f->target->resolution != NULL ? refuse_step(f, err) : status;
}

/* ---- the step --------------------------------------------------------------------------------- */

static void power_of_ten(mpq_t x, long exponent)
{
    mpq_set_ui(x, 1, 1);
    mpz_ui_pow_ui(exponent < 0 ? mpq_denref(x) : mpq_numref(x), 10, (unsigned long)labs(exponent));
}

static pby_status power_judge(pby_decision *verdict, const pby_frontier *f, long exponent, pby_error *err)
{
    PBY_MPQ(value);
    power_of_ten(value, exponent);
    add_origin(value, f);
    return judge_value(verdict, f, value, err);
}

/* True if the worst neighbours are not known, so that no value may ever be shown to exceed the target. */
static bool is_bound_only(const pby_frontier *f)
{
    PBY_PRIVACY(p, &f->given);
    return pby_mechanism_loose(&f->given) || !p.paired;
}

/* True if the change lies before a value: at the first that suffices, or that exceeds the target. One that is
 * not shown to suffice counts where nothing may be shown to exceed it. */
static bool is_late(const pby_frontier *f, pby_decision verdict)
{
    if (f->row->rising)
        return verdict == PBY_WITHIN;
    return verdict == PBY_BEYOND || (verdict == PBY_NEITHER && is_bound_only(f));
}

/* Moves m to the power of ten below the change: 10^m is not late, 10^(m+1) is. */
static pby_status find_size(long *m, const pby_frontier *f, pby_error *err)
{
    pby_decision verdict = PBY_NEITHER;
    pby_status status = power_judge(&verdict, f, *m, err);
    const bool down = is_late(f, verdict);
    while (status == PBY_OK && is_late(f, verdict) == down && labs(*m) < SIZE_MAX_EXPONENT &&
           (down || !f->row->unit || *m < 0)) { /* 1 is the last candidate of a unit */
        *m += down ? -1 : 1;
        status = power_judge(&verdict, f, *m, err);
    }
    if (!down)
        *m -= is_late(f, verdict) || (f->row->unit && *m == 0);
    return status;
}

/* The last multiple of the step that is allowed. */
static int64_t last_step(const pby_frontier *f)
{
    mpz_t steps;
    mpz_init_set_ui(steps, f->counts ? PBY_TIMES_MAX : STEPS_LAST);
    if (f->row->unit)
        mpz_set(steps, mpq_denref(f->step));
    if (f->row->unit || f->counts)
        mpz_fdiv_q(steps, steps, mpq_numref(f->step));
    const int64_t last = mpz_cmp_ui(steps, STEPS_LAST) < 0 ? mpz_get_si(steps) : STEPS_LAST;
    mpz_clear(steps);
    return last;
}

/* 10^exponent in steps, rounded down, at least 1 and at most STEPS_LAST. */
static int64_t steps_to(const pby_frontier *f, long exponent)
{
    PBY_MPQ(x);
    power_of_ten(x, exponent);
    mpq_div(x, x, f->step);
    mpz_fdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
    const int64_t steps = mpz_cmp_ui(mpq_numref(x), STEPS_LAST) < 0 ? mpz_get_si(mpq_numref(x)) : STEPS_LAST;
    return steps > 0 ? steps : 1;
}

/* The change lies between 10^m and 10^(m+1). */
static void set_bracket(pby_frontier *f, long m)
{
    if (!samples(f) || labs(m) == SIZE_MAX_EXPONENT)
        return;
    f->low = steps_to(f, m);
    f->high = steps_to(f, m + 1) + 1;
    if (f->high > last_step(f))
        f->high = last_step(f);
}

/* Finds the m for which 10^m uses suffice and 10^(m+1) do not; the step is the number of uses that leaves
 * `digits` digits. Where one use is too many there is nothing to find. */
static pby_status uses_by_size(pby_frontier *f, pby_error *err)
{
    enum { LAST = 9 }; /* PBY_TIMES_MAX is 10^9 */
    const long digits = samples(f) ? DIGITS_SAMPLED : DIGITS;
    pby_decision verdict = PBY_WITHIN;
    pby_status status = PBY_OK;
    long m = -1;
    while (verdict == PBY_WITHIN && m < LAST && status == PBY_OK)
        status = power_judge(&verdict, f, ++m, err);
    if (verdict != PBY_WITHIN)
        m--;
    if (f->target->resolution == NULL)
        power_of_ten(f->step, m + 1 > digits ? m + 1 - digits : 0);
    if (status == PBY_OK && m >= 0) {
        f->low = steps_to(f, m);
        f->high = m == LAST ? last_step(f) : steps_to(f, m + 1);
    }
    return status;
}

/* The size that the recipe has is a start for the exact one. */
static pby_status step_by_size(pby_frontier *f, pby_error *err)
{
    long m = 0;
    f->by_recipe = true;
    pby_status status = pby_frontier_recipe(f) != NULL ? find_size(&m, f, err) : PBY_OK;
    f->by_recipe = false;
    if (status == PBY_OK && labs(m) < SIZE_MAX_EXPONENT)
        status = find_size(&m, f, err);
    power_of_ten(f->step, m + 1 -
                              (f->row->beyond_one           ? DIGITS_BEYOND_ONE
                               : samples(f) || allocates(f) ? DIGITS_SAMPLED
                                                            : DIGITS));
    if (status == PBY_OK)
        set_bracket(f, m);
    return status;
}

/* True if the multiples of a step can be read back. */
static bool readable(mpq_srcptr step)
{
    enum { LONGEST = 4000 };
    return mpz_sizeinbase(mpq_numref(step), 10) <= LONGEST && mpz_sizeinbase(mpq_denref(step), 10) <= LONGEST;
}

static pby_status set_step(pby_frontier *f, pby_error *err)
{
    const bool natural = f->row->integers != NULL;
    if (natural && f->target->resolution != NULL) {
        char expected[64];
        snprintf(expected, sizeof expected, "none: %s of %s is an integer", f->parameter, f->family->name);
        return pby_refuse_mpq(err, "resolution", f->target->resolution, expected);
    }
    if (f->counts && f->target->resolution != NULL && mpz_cmp_ui(mpq_denref(f->target->resolution), 1) != 0)
        return pby_refuse_mpq(err, "resolution", f->target->resolution, "an integer, as uses are chosen");
    if (!natural && f->target->resolution == NULL)
        return f->counts ? uses_by_size(f, err) : step_by_size(f, err);
    if (!natural && !readable(f->target->resolution))
        return pby_refuse_mpq(err, "resolution", f->target->resolution,
                              "at most 4000 digits above and below the line");
    mpq_set_ui(f->step, 1, 1);
    if (!natural)
        mpq_set(f->step, f->target->resolution);
    return PBY_OK;
}

/* Recipes are far off the choice of a sampled mechanism, and small noise takes long to judge: so the powers
 * of ten around the choice are found first, where they were not for the step. */
static pby_status find_bracket(pby_frontier *f, pby_error *err)
{
    long m = 0;
    if (f->counts && f->target->resolution != NULL)
        return uses_by_size(f, err);
    if (!samples(f) || f->counts || f->row->integers != NULL || f->high > 0)
        return PBY_OK;
    const pby_status status = find_size(&m, f, err);
    if (status == PBY_OK)
        set_bracket(f, m);
    return status;
}

/* True if the target's epsilon is at least the eps of all uses together. */
static bool covers(const pby_target *target, const pby_mechanism *m)
{
    PBY_FMPQ(all, epsilon);
    fmpq_mul_ui(all, pby_mechanism_value(m, PBY_ROLE_EPSILON), target->uses);
    fmpq_set_mpq(epsilon, target->epsilon);
    return fmpq_cmp(epsilon, all) >= 0;
}

static pby_status set_order(pby_frontier *f, const pby_mechanism *m, pby_error *err)
{
    if (f->target->rho != NULL) {
        f->monotone = f->row->rho_monotone;
        return PBY_OK;
    }
    if (f->target->mu != NULL) { /* of a curve that is lower at every epsilon mu is no greater */
        f->monotone = f->row->composes_as == NULL ? f->row->monotone : NULL;
        return PBY_OK;
    }
    const bool known = f->row->composes_as == NULL ||
                       (f->target->relation == PBY_ADD_REMOVE && covers(f->target, m));
    if (!known && f->target->uses > 1)
        return pby_refuse_mpq(err, "epsilon", f->target->epsilon, "at least the eps of all uses together");
    f->monotone = known ? f->row->monotone : NULL;
    return PBY_OK;
}

/* Refuses a sensitivity that leaves no candidate, or too many to be asked one by one. */
static pby_status check_range(const pby_frontier *f, const pby_mechanism *m, pby_error *err)
{
    char where[64];
    if (f->from <= ONE_BY_ONE && f->last >= 1)
        return PBY_OK;
    snprintf(where, sizeof where, "%s:sensitivity", f->family->name);
    return pby_refuse_rational(err, where, pby_mechanism_value(m, PBY_ROLE_SENSITIVITY), "a smaller one");
}

/* The candidates: how far they go, and from where on they are in order. */
static pby_status set_range(pby_frontier *f, pby_error *err)
{
    const pby_integers *integers = f->row->integers;
    pby_spec *sample = NULL;
    PBY_MPQ(first);
    if (f->row->beyond_one)
        mpq_set_ui(first, 2, 1);
    else
        mpq_set(first, f->step);
    pby_status status = pby_frontier_spec(&sample, f, first, 1, err);
    if (status == PBY_OK)
        status = set_order(f, &sample->use[0].mechanism, err);
    if (status == PBY_OK) {
        const pby_mechanism *m = &sample->use[0].mechanism;
        f->from = integers != NULL ? integers->ordered_from(m) : 1;
        f->last = integers != NULL ? integers->last(m, f->target) : last_step(f);
        status = check_range(f, m, err);
    }
    pby_spec_free(sample);
    return status;
}

/* ---- the edge --------------------------------------------------------------------------------- */

/* The nearest candidate below i that is BEYOND; 0 when there is none. */
static pby_status nearest_beyond(int64_t *out, const pby_frontier *f, int64_t i, pby_error *err)
{
    pby_decision verdict = PBY_NEITHER;
    pby_status status = PBY_OK;
    for (*out = i - 1; *out > 0 && status == PBY_OK; --*out) {
        status = judge(&verdict, *out, f, err);
        if (verdict == PBY_BEYOND)
            return status;
    }
    return status;
}

/* The candidates before `from` one by one, then each class of the stride by itself, from where the one before
 * it changed: the least of all that are WITHIN. What is one step below it lies in another class, and is asked
 * for its own sake. */
static pby_status find_in_classes(pby_edge *edge, const pby_frontier *f, int64_t start, pby_error *err)
{
    const int64_t stride = f->row->integers->stride;
    const pby_candidates early = {1, 1, f->from - 1 < f->last ? f->from - 1 : f->last, 0, false};
    pby_status status = pby_edge_scan(edge, judge, f, &early, err);
    const bool found = edge->within != 0;
    for (int64_t j = 0; j < stride && !found && status == PBY_OK; j++) {
        const pby_candidates class = {f->from + j, stride, f->last, edge->within != 0 ? edge->within : start,
                                      false};
        pby_edge one;
        status = pby_edge_find(&one, judge, f, &class, true, err);
        if (one.within != 0 && (edge->within == 0 || one.within < edge->within))
            edge->within = one.within;
    }
    return status == PBY_OK && edge->within != 0 ? nearest_beyond(&edge->beyond, f, edge->within, err)
                                                 : status;
}

pby_status pby_frontier_find(pby_edge *edge, const pby_frontier *f, int64_t start, pby_error *err)
{
    const bool bracketed = f->high > 0 && !f->by_recipe;
    const pby_candidates all = bracketed ? (pby_candidates){f->low, 1, f->high, (f->low + f->high) / 2, true}
                                         : (pby_candidates){1, 1, f->last, start, false};
    *edge = (pby_edge){0, 0};
    return f->row->integers != NULL ? find_in_classes(edge, f, start, err)
                                    : pby_edge_find(edge, judge, f, &all, f->row->rising, err);
}

pby_status pby_frontier_scan(pby_edge *edge, pby_frontier *f, pby_error *err)
{
    const pby_candidates all = {1, 1, edge->within, 0, false};
    if (f->monotone != NULL || !f->row->rising || edge->within > SCAN_MOST || f->target->uses > 1 ||
        f->bound != NULL)
        return PBY_OK;
    f->monotone = "every smaller multiple of the step was asked";
    return pby_edge_scan(edge, judge, f, &all, err);
}

pby_status pby_frontier_prepare(pby_frontier *f, pby_error *err)
{
    pby_status status = set_step(f, err);
    if (status == PBY_OK)
        status = find_bracket(f, err);
    return status == PBY_OK ? set_range(f, err) : status;
}
