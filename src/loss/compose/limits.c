/* SPDX-License-Identifier: MIT */
#include "loss/compose/limits.h"

#include <stdint.h>

#include "loss/divergence/divergence.h"
#include "loss/profile/profile.h"
#include "number/ball.h"
#include "number/scoped.h"

/* Up to so many bits a comparison is tried, and a rational power is worked out. */
enum { COMPARE_PRECISION_MAX = 1 << 13, RATIONAL_BITS_MAX = 1 << 20 };

/* ---- the largest loss ------------------------------------------------------------------------- */

static void part_largest(arb_t worst, const pby_part *part, pby_direction direction, slong prec)
{
    const pby_pair *pair;
    PBY_ARB(one);
    arb_neg_inf(worst);
    for (size_t i = 0; (pair = pby_part_pair(part, direction, i)) != NULL; i++) {
        if (pair->curve != NULL)
            pair->curve->class->largest(one, pair->curve, prec);
        else
            pby_largest_loss(one, pair, prec);
        pby_raise_to(worst, one, prec);
    }
}

void pby_parts_largest(arb_t ball, const pby_parts *parts, slong prec)
{
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    PBY_ARB(sum, worst);
    arb_neg_inf(ball);
    for (size_t d = 0; d < count; d++) {
        arb_zero(sum);
        for (size_t i = 0; i < parts->count; i++) {
            part_largest(worst, &parts->part[i], directions[d], prec);
            arb_mul_ui(worst, worst, parts->part[i].times, prec);
            arb_add(sum, sum, worst, prec);
        }
        pby_raise_to(ball, sum, prec);
    }
}

/* Sets sum to the largest loss in one direction as a rational; returns false if a part's largest loss is not
 * rational. */
static bool rational_largest(fmpq_t sum, const pby_parts *parts, pby_direction direction)
{
    bool rational = true;
    PBY_FMPQ(unit, worst, one);
    PBY_FMPZ(times);
    fmpq_zero(sum);
    for (size_t i = 0; i < parts->count && rational; i++) {
        const pby_pair *pair;
        for (size_t j = 0; rational && (pair = pby_part_pair(&parts->part[i], direction, j)) != NULL; j++) {
            rational = pby_pair_rational(unit, one, pair);
            if (j == 0 || fmpq_cmp(one, worst) > 0)
                fmpq_set(worst, one);
        }
        fmpz_set_ui(times, parts->part[i].times);
        fmpq_mul_fmpz(worst, worst, times);
        fmpq_add(sum, sum, worst);
    }
    return rational;
}

/* ---- the chance of an infinite loss ----------------------------------------------------------- */

/* Certainty is exactly 1. */
static void pair_infinite(arb_t chance, const pby_pair *pair, slong prec)
{
    pby_expsum_t mass;
    arb_zero(chance);
    if (pair->curve != NULL) {
        if (pair->curve->class->infinite != NULL)
            pair->curve->class->infinite(chance, pair->curve, prec);
        return;
    }
    pby_expsum_init(mass);
    PBY_ARB(norm);
    pby_impossible_mass(mass, pair);
    pby_expsum_get_arb(chance, mass, prec);
    pby_expsum_get_arb(norm, pair->norm_p, prec);
    arb_div(chance, chance, norm, prec);
    if (pby_expsum_equal(mass, pair->norm_p))
        arb_one(chance);
    pby_expsum_clear(mass);
}

static void part_infinite(arb_t worst, const pby_part *part, pby_direction direction, slong prec)
{
    const pby_pair *pair;
    PBY_ARB(one);
    arb_zero(worst);
    for (size_t i = 0; (pair = pby_part_pair(part, direction, i)) != NULL; i++) {
        pair_infinite(one, pair, prec);
        if (arb_is_one(one) || arb_is_one(worst))
            arb_one(worst);
        else
            arb_max(worst, worst, one, prec);
    }
}

static void limit_in(arb_t ball, const pby_parts *parts, pby_direction direction, slong prec)
{
    bool certain = false;
    PBY_ARB(part);
    arb_zero(ball);
    for (size_t i = 0; i < parts->count && !certain; i++) {
        part_infinite(part, &parts->part[i], direction, prec);
        certain = arb_is_one(part);
        arb_neg(part, part);
        arb_log1p(part, part, prec);
        arb_mul_ui(part, part, parts->part[i].times, prec);
        arb_add(ball, ball, part, prec);
    }
    pby_expm1(ball, ball, prec);
    arb_neg(ball, ball);
    if (certain)
        arb_one(ball);
}

void pby_parts_limit(arb_t ball, const pby_parts *parts, slong prec)
{
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    PBY_ARB(one);
    arb_zero(ball);
    for (size_t d = 0; d < count && !arb_is_one(ball); d++) {
        limit_in(one, parts, directions[d], prec);
        if (arb_is_one(one))
            arb_one(ball);
        else
            arb_max(ball, ball, one, prec);
    }
}

void pby_part_guarantee(arb_t epsilon, arb_t delta, const pby_part *part, slong prec)
{
    PBY_ARB(other);
    part_largest(epsilon, part, PBY_FORWARD, prec);
    part_largest(other, part, PBY_BACKWARD, prec);
    pby_raise_to(epsilon, other, prec);
    if (arf_is_neg_inf(arb_midref(epsilon)))
        arb_zero(epsilon); /* every loss is infinite, and delta is 1 */
    part_infinite(delta, part, PBY_FORWARD, prec);
    part_infinite(other, part, PBY_BACKWARD, prec);
    if (arb_is_one(other))
        arb_one(delta);
    else if (!arb_is_one(delta))
        arb_max(delta, delta, other, prec);
}

/* The chance of an infinite loss of one pair: false where it is no rational. */
static bool pair_infinite_rational(fmpq_t chance, const pby_pair *pair)
{
    pby_expsum_t mass;
    fmpq_zero(chance);
    if (pair->curve != NULL)
        return pair->curve->class->infinite == NULL;
    pby_expsum_init(mass);
    PBY_FMPQ(exponent);
    pby_impossible_mass(mass, pair);
    const bool rational =
        pby_expsum_is_zero(mass) ||
        (pby_expsum_proportional(chance, exponent, mass, pair->norm_p) && fmpq_is_zero(exponent));
    pby_expsum_clear(mass);
    return rational;
}

static bool pair_infinite_below(const pby_pair *pair, const fmpq_t bar)
{
    const slong prec = 2 * PBY_PRECISION_FIRST;
    PBY_ARB(chance, at);
    pair_infinite(chance, pair, prec);
    arb_set_fmpq(at, bar, prec);
    return arb_lt(chance, at);
}

/* The i-th pair of a direction, NULL for all; NULL beyond the last. */
static const pby_pair *listed(const pby_part *part, const pby_direction *direction, size_t i)
{
    if (direction != NULL)
        return pby_part_pair(part, *direction, i);
    return i < part->pairs.count ? &part->pairs.pair[i] : NULL;
}

bool pby_part_infinite_rational(fmpq_t worst, const pby_part *part, const pby_direction *direction)
{
    const pby_pair *pair;
    bool rational = true;
    PBY_FMPQ(chance);
    fmpq_zero(worst);
    for (size_t i = 0; (pair = listed(part, direction, i)) != NULL; i++)
        if (pair_infinite_rational(chance, pair) && fmpq_cmp(chance, worst) > 0)
            fmpq_set(worst, chance);
    for (size_t i = 0; rational && (pair = listed(part, direction, i)) != NULL; i++)
        rational = pair_infinite_rational(chance, pair) || pair_infinite_below(pair, worst);
    return rational;
}

/* ---- where every use has reached its own limit ------------------------------------------------ */

/* True if the potential of a pair of few atoms is at most the level at exp(epsilon), exactly. */
static bool pair_at_most(const pby_pair *pair, const fmpq_t epsilon, const fmpq_t level)
{
    enum { ATOMS_MAX = 64 };
    if (pair->curve != NULL || pair->count > ATOMS_MAX)
        return false;
    pby_expsum_t excess, norm;
    pby_expsum_init(excess);
    pby_expsum_init(norm);
    PBY_FMPQ(zero);
    pby_hockey_stick(excess, norm, pair, epsilon);
    pby_expsum_mul_term(norm, norm, level, zero);
    pby_expsum_sub(excess, excess, norm);
    const bool yes = pby_expsum_sign(excess) <= 0;
    pby_expsum_clear(norm);
    pby_expsum_clear(excess);
    return yes;
}

/* True if some direction has the greatest chance of an infinite loss of every part, as a rational, so that
 * the limit is made of these. */
static bool limit_is_rational(const pby_parts *parts)
{
    static const pby_direction directions[] = {PBY_FORWARD, PBY_BACKWARD};
    bool some = false;
    PBY_FMPQ(worst, chance);
    for (size_t d = 0; d < 2 && !some; d++) {
        some = true;
        for (size_t i = 0; i < parts->count && some; i++)
            some = pby_part_infinite_rational(worst, &parts->part[i], NULL) &&
                   pby_part_infinite_rational(chance, &parts->part[i], &directions[d]) &&
                   fmpq_equal(worst, chance);
    }
    return some;
}

static bool part_settled(const pby_part *part, const fmpq_t epsilon)
{
    PBY_FMPQ(chance);
    bool settled = pby_part_infinite_rational(chance, part, NULL);
    for (size_t i = 0; settled && i < part->pairs.count; i++)
        settled = pair_at_most(&part->pairs.pair[i], epsilon, chance);
    return settled;
}

/* True if it has at an equal share of epsilon. */
static bool all_settled(const pby_parts *parts, const fmpq_t epsilon)
{
    bool settled = limit_is_rational(parts);
    fmpz_t uses;
    PBY_FMPQ(share);
    fmpz_init_set_ui(uses, pby_parts_times(parts));
    fmpq_div_fmpz(share, epsilon, uses);
    for (size_t i = 0; i < parts->count && settled; i++)
        settled = part_settled(&parts->part[i], share);
    fmpz_clear(uses);
    return settled;
}

bool pby_parts_beyond(const pby_parts *parts, const fmpq_t epsilon)
{
    const slong prec = 2 * PBY_PRECISION_FIRST;
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    bool beyond = true, rational = true;
    PBY_FMPQ(sum);
    for (size_t d = 0; d < count && rational; d++) {
        rational = rational_largest(sum, parts, directions[d]);
        beyond = beyond && fmpq_cmp(epsilon, sum) >= 0;
    }
    if (rational && beyond)
        return true;
    PBY_ARB(ball, at);
    pby_parts_largest(ball, parts, prec);
    arb_set_fmpq(at, epsilon, prec);
    beyond = arb_le(ball, at);
    return beyond || all_settled(parts, epsilon);
}

/* The epsilon of a pair at a level, as a ball. */
static pby_status pair_epsilon(arb_t ball, const pby_pair *pair, const fmpq_t level, unsigned digits,
                               pby_error *err)
{
    const pby_pairs one = {(pby_pair *)(uintptr_t)pair, 1};
    pby_pairs copy;
    pby_profile *profile = NULL;
    pby_status status = pby_pairs_copy(&copy, &one, err);
    if (status == PBY_OK)
        status = pby_profile_of_pair(&profile, copy.pair, err);
    if (status == PBY_OK)
        status = pby_profile_epsilon(ball, profile, level, digits, err);
    pby_profile_free(profile);
    pby_pairs_clear(&copy);
    return status;
}

pby_status pby_parts_settle(arb_t ball, const pby_parts *parts, unsigned digits, pby_error *err)
{
    const slong prec = pby_precision_for_digits(digits);
    pby_status status = PBY_OK;
    if (!limit_is_rational(parts)) {
        arb_pos_inf(ball);
        return PBY_OK;
    }
    PBY_FMPQ(chance);
    PBY_ARB(worst, one);
    arb_zero(ball);
    for (size_t i = 0; i < parts->count && status == PBY_OK; i++) {
        const pby_pairs *pairs = &parts->part[i].pairs;
        pby_part_infinite_rational(chance, &parts->part[i], NULL);
        arb_neg_inf(worst);
        for (size_t j = 0; j < pairs->count && status == PBY_OK; j++) {
            status = pair_epsilon(one, &pairs->pair[j], chance, digits, err);
            pby_raise_to(worst, one, prec);
        }
        arb_mul_ui(worst, worst, parts->part[i].times, prec);
        arb_add(ball, ball, worst, prec);
    }
    return status;
}

/* ---- the limit against a level ---------------------------------------------------------------- */

/* product = the chance of a finite loss, as a rational; false where a mass is not rational or the power
 * too long. */
static bool rational_finite(fmpq_t product, const pby_parts *parts, pby_direction direction)
{
    bool rational = true;
    PBY_FMPQ(chance);
    fmpq_one(product);
    for (size_t i = 0; i < parts->count && rational; i++) {
        const pby_part *part = &parts->part[i];
        rational =
            pby_part_infinite_rational(chance, part, &direction) &&
            (fmpq_is_zero(chance) || part->times < RATIONAL_BITS_MAX / (fmpz_bits(fmpq_denref(chance)) + 1));
        if (!rational || fmpq_is_zero(chance))
            continue;
        fmpz_sub(fmpq_numref(chance), fmpq_denref(chance), fmpq_numref(chance));
        fmpq_pow_si(chance, chance, (slong)part->times);
        fmpq_mul(product, product, chance);
    }
    return rational;
}

static bool limit_below(const pby_parts *parts, pby_direction direction, const fmpq_t level)
{
    const slong prec = 2 * PBY_PRECISION_FIRST;
    PBY_ARB(ball, at);
    limit_in(ball, parts, direction, prec);
    arb_set_fmpq(at, level, prec);
    return arb_lt(ball, at);
}

/* True if the limit is the level, for certain: in one direction, and not more in the other. */
static bool limit_equals(const pby_parts *parts, const fmpq_t level)
{
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    bool equal = false, most = true;
    PBY_FMPQ(finite, rest);
    fmpz_sub(fmpq_numref(rest), fmpq_denref(level), fmpq_numref(level));
    fmpz_set(fmpq_denref(rest), fmpq_denref(level));
    for (size_t d = 0; d < count && most; d++) {
        const bool here = rational_finite(finite, parts, directions[d]) && fmpq_equal(finite, rest);
        equal = equal || here;
        most = here || limit_below(parts, directions[d], level);
    }
    return equal && most;
}

pby_status pby_parts_limit_sign(int *sign, slong *bits, const pby_parts *parts, const fmpq_t level,
                                pby_error *err)
{
    *sign = 0;
    *bits = 0;
    if (limit_equals(parts, level))
        return PBY_OK;
    PBY_ARB(room, limit);
    PBY_ARF(least);
    for (slong prec = PBY_PRECISION_FIRST; *sign == 0 && prec <= COMPARE_PRECISION_MAX; prec *= 2) {
        pby_parts_limit(limit, parts, prec);
        arb_set_fmpq(room, level, prec);
        arb_sub(room, room, limit, prec);
        *sign = arb_is_positive(room) ? -1 : arb_is_negative(room) ? 1 : 0;
    }
    if (*sign < 0) {
        arb_get_lbound_arf(least, room, PBY_PRECISION_FIRST);
        *bits = FLINT_MAX(0, 1 - arf_abs_bound_lt_2exp_si(least));
    }
    return *sign != 0 ? PBY_OK
                      : pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                                    "undecided whether delta is the chance of an infinite loss");
}
