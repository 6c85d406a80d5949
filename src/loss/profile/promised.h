/* SPDX-License-Identifier: MIT */
/* Mechanisms that are known by a promise alone: D_a <= xi + rho a, at every order, or up to one.
 *
 * Above, every order a of the promise bounds delta by the best coins of that order
 * (loss/profile/one_order.h); the least over the orders that are tried is taken. Below are coins that keep
 * the promise at every order. For one order the two are one number. For every order they have met wherever it
 * was tried; where they do not, the answer is wider.
 */
#ifndef PBY_LOSS_PROFILE_PROMISED_H
#define PBY_LOSS_PROFILE_PROMISED_H

#include "loss/profile/profile.h"
#include "mechanism/family.h"

/* The profile of a list of such mechanisms whose promises add up to the line, which is copied. Of more than
 * one use it is an upper bound, and of one it is enclosed. `conversion` is another upper bound, the only one
 * where the promise is too great for a search; the new profile owns it, and frees it on failure. */
PBY_CHECKED
pby_status pby_profile_of_promise(pby_profile **out, const pby_promise *line, bool single,
                                  pby_profile *conversion, pby_error *err);

/* The number of pairs of coins that are tried for the uses of a spec that are known by a promise alone; 0
 * where none is. Only a few are tried where each costs much: with many uses to compose, or orders without end
 * to certify. */
size_t pby_promise_tries(const pby_spec *spec);

/* The c-th of `tries` pairs of coins that keep the promise, from common ones to rare ones; empty if none was
 * certified. */
pby_status pby_promise_coins(pby_pairs *out, const pby_promise *line, size_t c, size_t tries, pby_error *err);

#endif
