/* SPDX-License-Identifier: MIT */
#include "loss/theorem/advanced.h"

#include <stdlib.h>

#include "loss/compose/limits.h"
#include "number/ball.h"
#include "number/scoped.h"

static const pby_parts *parts_of(const pby_profile *p)
{
    return &((const pby_theorem *)p)->parts;
}

void pby_theorem_free(pby_profile *p)
{
    pby_parts_clear(&((pby_theorem *)p)->parts);
    free(p);
}

pby_status pby_theorem_unbounded(pby_error *err)
{
    return pby_fail(err, PBY_BAD,
                    "a composition theorem: expected mechanisms whose loss is bounded; give the others as "
                    "approx:eps=,delta=");
}

/* A mechanism whose losses have no end has no epsilon and delta to compose. */
static pby_status check_bounded(const pby_parts *parts, pby_error *err)
{
    PBY_ARB(largest);
    pby_parts_largest(largest, parts, PBY_PRECISION_FIRST);
    const bool bounded = arb_is_finite(largest) || arf_is_neg_inf(arb_midref(largest));
    return bounded ? PBY_OK : pby_theorem_unbounded(err);
}

pby_status pby_theorem_new(pby_profile **out, const pby_profile_class *class, pby_parts *parts,
                           pby_error *err)
{
    *out = NULL;
    const pby_status status = check_bounded(parts, err);
    pby_theorem *t = status == PBY_OK ? malloc(sizeof *t) : NULL;
    if (t == NULL) {
        pby_parts_clear(parts);
        return status == PBY_OK ? pby_no_memory(err) : status;
    }
    *t = (pby_theorem){{class}, *parts};
    *parts = (pby_parts){NULL, 0};
    *out = &t->base;
    return PBY_OK;
}

/* ---- basic ------------------------------------------------------------------------------------ */

/* The sums over all uses: of epsilon, epsilon^2, epsilon (exp(epsilon) - 1) and delta. */
struct sums {
    arb_t epsilon, square, drift, delta;
};

static void sums_init(struct sums *s, const pby_parts *parts, slong prec)
{
    arb_t epsilon, delta;
    arb_init(s->epsilon);
    arb_init(s->square);
    arb_init(s->drift);
    arb_init(s->delta);
    arb_init(epsilon);
    arb_init(delta);
    PBY_ARB(term);
    for (size_t i = 0; i < parts->count; i++) {
        const uint64_t times = parts->part[i].times;
        pby_part_guarantee(epsilon, delta, &parts->part[i], prec);
        arb_addmul_ui(s->epsilon, epsilon, times, prec);
        arb_addmul_ui(s->delta, delta, times, prec);
        arb_mul(term, epsilon, epsilon, prec);
        arb_addmul_ui(s->square, term, times, prec);
        arb_expm1(term, epsilon, prec);
        arb_mul(term, term, epsilon, prec);
        arb_addmul_ui(s->drift, term, times, prec);
    }
    arb_clear(delta);
    arb_clear(epsilon);
}

static void sums_clear(struct sums *s)
{
    arb_clear(s->epsilon);
    arb_clear(s->square);
    arb_clear(s->drift);
    arb_clear(s->delta);
}

/* The sum of the deltas, at most 1. */
static pby_status sum_limit(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)err;
    struct sums s;
    sums_init(&s, parts_of(p), prec);
    arb_one(ball);
    arb_min(ball, ball, s.delta, prec);
    sums_clear(&s);
    return PBY_OK;
}

static pby_status basic_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)err;
    struct sums s;
    sums_init(&s, parts_of(p), prec);
    arb_set(ball, s.epsilon);
    sums_clear(&s);
    return PBY_OK;
}

/* The sum of the deltas from the sum of the epsilons on, and 1 below it, where the theorem is silent. */
static pby_status basic_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                              pby_error *err)
{
    PBY_ARB(at, largest);
    arb_set_fmpq(at, epsilon, prec);
    pby_status status = basic_largest(largest, p, prec, err);
    if (status == PBY_OK && (pby_parts_beyond(parts_of(p), epsilon) || arb_ge(at, largest)))
        status = sum_limit(ball, p, prec, err);
    else if (arb_lt(at, largest))
        arb_one(ball);
    else
        arb_unit_interval(ball);
    return status;
}

/* True if the deltas sum to the level, for certain. */
static bool deltas_equal(const pby_parts *parts, const fmpq_t level)
{
    bool rational = true;
    PBY_FMPQ(sum, delta);
    PBY_FMPZ(times);
    for (size_t i = 0; i < parts->count && rational; i++) {
        rational = pby_part_infinite_rational(delta, &parts->part[i], NULL);
        fmpz_set_ui(times, parts->part[i].times);
        fmpq_mul_fmpz(delta, delta, times);
        fmpq_add(sum, sum, delta);
    }
    return rational && fmpq_equal(sum, level);
}

/* The sum of the epsilons from the sum of the deltas on, and nothing below it. */
static pby_status basic_epsilon_to(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                   pby_error *err)
{
    const slong prec = pby_precision_for_digits(digits);
    struct sums s;
    PBY_ARB(at);
    sums_init(&s, parts_of(p), prec);
    arb_set_fmpq(at, level, prec);
    const bool enough = arb_ge(at, s.delta) || deltas_equal(parts_of(p), level);
    const bool decided = enough || arb_lt(at, s.delta);
    if (enough)
        arb_set(ball, s.epsilon);
    else
        arb_pos_inf(ball);
    sums_clear(&s);
    return decided ? PBY_OK
                   : pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                                 "undecided whether delta is the sum of the deltas");
}

/* ---- advanced --------------------------------------------------------------------------------- */

/* delta' = exp(-(epsilon - drift)^2 / (2 square)) beyond the drift, on top of the sum of the deltas; the
 * theorem is silent, and the answer 1, before it. */
static pby_status advanced_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                                 pby_error *err)
{
    (void)err;
    struct sums s;
    PBY_ARB(one);
    sums_init(&s, parts_of(p), prec);
    arb_one(one);
    if (arb_ge(s.delta, one)) {
        arb_one(ball);
    } else {
        arb_set_fmpq(ball, epsilon, prec);
        arb_sub(ball, ball, s.drift, prec);
        arb_nonnegative_part(ball, ball);
        arb_sqr(ball, ball, prec);
        arb_div(ball, ball, s.square, prec);
        arb_mul_2exp_si(ball, ball, -1);
        arb_neg(ball, ball);
        arb_exp(ball, ball, prec);
        arb_add(ball, ball, s.delta, prec);
        arb_min(ball, ball, one, prec);
    }
    sums_clear(&s);
    return PBY_OK;
}

static pby_status advanced_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)p;
    (void)prec;
    (void)err;
    arb_pos_inf(ball);
    return PBY_OK;
}

struct level {
    const pby_parts *parts;
    const fmpq *at;
};

/* sqrt(2 square log(1/delta')) + drift, with delta' = delta - the sum of the deltas. */
static pby_status advanced_epsilon(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct level *level = what;
    struct sums s;
    sums_init(&s, level->parts, prec);
    arb_set_fmpq(ball, level->at, prec);
    arb_sub(ball, ball, s.delta, prec);
    if (arb_is_nonpositive(ball)) {
        arb_pos_inf(ball);
    } else {
        arb_log(ball, ball, prec);
        arb_neg(ball, ball);
        arb_mul(ball, ball, s.square, prec);
        arb_mul_2exp_si(ball, ball, 1);
        arb_sqrt(ball, ball, prec);
        arb_add(ball, ball, s.drift, prec);
    }
    sums_clear(&s);
    return PBY_OK;
}

static pby_status advanced_epsilon_to(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                      pby_error *err)
{
    const struct level asked = {parts_of(p), level};
    if (deltas_equal(parts_of(p), level)) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    return pby_enclose(ball, advanced_epsilon, &asked, digits, err);
}

/* ---- the profiles ----------------------------------------------------------------------------- */

static const pby_profile_class BASIC = {.delta = basic_delta,
                                        .limit = sum_limit,
                                        .largest = basic_largest,
                                        .epsilon_to = basic_epsilon_to,
                                        .free = pby_theorem_free};
static const pby_profile_class ADVANCED = {.delta = advanced_delta,
                                           .limit = sum_limit,
                                           .largest = advanced_largest,
                                           .epsilon_to = advanced_epsilon_to,
                                           .free = pby_theorem_free};

pby_status pby_profile_basic(pby_profile **out, pby_parts *parts, pby_error *err)
{
    return pby_theorem_new(out, &BASIC, parts, err);
}

pby_status pby_profile_advanced(pby_profile **out, pby_parts *parts, pby_error *err)
{
    return pby_theorem_new(out, &ADVANCED, parts, err);
}
