/* SPDX-License-Identifier: MIT */
/* Profiles: delta as a function of epsilon, whatever it comes from.
 *
 * A profile answers delta(epsilon), a decreasing function that falls from 1 at -inf to its limit at
 * +inf. Exact atoms, curves, compositions and guarantees each implement the class below; everything
 * that asks for a delta or an epsilon asks a profile. A spec has one or more (neighbours in either
 * order, different shifts), and its delta is the greatest of theirs.
 *
 * Writing a new profile: embed a pby_profile as the first member of a struct, fill in a
 * pby_profile_class, and make it known to pby_loss_profiles in loss/loss.c. free is required, and delta,
 * limit and largest of a profile without delta_to and epsilon_to. The others are for a profile that knows
 * better than the general method: sign where delta - level can be decided exactly, limit_sign where the
 * limit's can; guess where its form tells an epsilon; delta_to, deltas_to and epsilon_to where balls that
 * shrink with the precision alone are not what the profile has (a composition refines its grid instead), and
 * sketch where a rough answer costs less.
 */
#ifndef PBY_LOSS_PROFILE_PROFILE_H
#define PBY_LOSS_PROFILE_PROFILE_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stddef.h>

#include "base/status.h"
#include "pair/pair.h"

typedef struct pby_profile pby_profile;

typedef struct pby_profile_class {
    /* A ball around delta(epsilon) that shrinks with prec. An exact value (0 above all) is an exact
     * ball. */
    pby_status (*delta)(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec, pby_error *err);

    /* The limit of delta for epsilon -> inf: the mass of what the other input cannot give. */
    pby_status (*limit)(arb_t ball, const pby_profile *p, slong prec, pby_error *err);

    /* The least epsilon at which delta has reached its limit: the largest finite loss; inf where the
     * limit is only approached, -inf where delta is constant. */
    pby_status (*largest)(arb_t ball, const pby_profile *p, slong prec, pby_error *err);

    /* The sign of delta(epsilon) - level, exactly; epsilon is NULL for the limit. Optional. */
    pby_status (*sign)(int *sign, const pby_profile *p, const fmpq *epsilon, const fmpq_t level,
                       pby_error *err);

    /* The sign of the limit - level, where that is decided otherwise than by balls around the limit.
     * Optional. */
    pby_status (*limit_sign)(int *sign, const pby_profile *p, const fmpq_t level, pby_error *err);

    /* About the least epsilon with delta(epsilon) <= level, level above the limit, to so many bits; left at 0
     * where there is no telling. It says where to look first, and no more. Optional. */
    void (*guess)(fmpq_t epsilon, const pby_profile *p, const fmpq_t level, slong bits);

    /* The answers that pby_profile_delta and pby_profile_epsilon give, by a way of its own. Optional. */
    pby_status (*delta_to)(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                           pby_error *err);
    pby_status (*epsilon_to)(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                             pby_error *err);

    /* delta_to for each of count epsilons, where together costs less than one by one. Optional. */
    pby_status (*deltas_to)(arb_ptr ball, const pby_profile *p, const fmpq *epsilon, size_t count,
                            unsigned digits, pby_error *err);

    /* Deltas within a quarter of their values, at a lower cost, for a caller that may not need more.
     * Optional. */
    pby_status (*sketch)(arb_ptr ball, const pby_profile *p, const fmpq *epsilon, size_t count,
                         pby_error *err);

    void (*free)(pby_profile *p);
} pby_profile_class;

struct pby_profile {
    const pby_profile_class *class;
};

/* delta(epsilon), good to that many significant digits. */
pby_status pby_profile_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                             pby_error *err);

/* The least epsilon with delta(epsilon) <= level: -inf when level >= 1, inf when level is below the
 * limit, the largest loss when it equals the limit, and found by certified bisection otherwise.
 * level >= 0. */
pby_status pby_profile_epsilon(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                               pby_error *err);

void pby_profile_free(pby_profile *p);

/* The profile of a dominating pair, atoms or curve. What the pair holds is moved out of it, also on
 * failure. */
pby_status pby_profile_of_pair(pby_profile **out, pby_pair *pair, pby_error *err);

/* Several profiles; all functions below answer for the greatest of them. */
typedef struct pby_profiles {
    pby_profile **profile;
    size_t count;
} pby_profiles;

/* Room for count profiles, each NULL until set. */
pby_status pby_profiles_init(pby_profiles *list, size_t count, pby_error *err);
void pby_profiles_clear(pby_profiles *list);

/* At each of count epsilons. */
pby_status pby_profiles_deltas(arb_ptr worst, const pby_profiles *list, const fmpq *epsilon, size_t count,
                               unsigned digits, pby_error *err);
pby_status pby_profiles_delta(arb_t ball, const pby_profiles *list, const fmpq_t epsilon, unsigned digits,
                              pby_error *err);
pby_status pby_profiles_epsilon(arb_t worst, const pby_profiles *list, const fmpq_t level, unsigned digits,
                                pby_error *err);

#endif
