/* SPDX-License-Identifier: MIT */
/* Noise that makes close outputs hard to tell apart.
 *
 * A mechanism is (theta, rho, epsilon, delta)-robust if, for any two laws of its input whose output laws p
 * and q are within rho of each other but for a mass theta,
 *
 *     p(A) <= exp(epsilon) q(A) + delta for every set A of outputs.
 *
 * No neighbours occur in this: it is no privacy. It is a last step behind a mechanism that is private
 * (docs/theory/robust.md). The noise here is grid times two-sided geometric noise of rate grid/scale, on
 * inputs that are multiples of the grid.
 */
#ifndef PROBITY_EXPERIMENTAL_ROBUST_H
#define PROBITY_EXPERIMENTAL_ROBUST_H

#include <gmp.h>
#include <stddef.h>

#include "probity/enclosure.h"
#include "probity/status.h"

PBY_BEGIN_API

/* The least epsilon for which noise of that scale is known to be (0, rho, epsilon, 0)-robust. rho, scale and
 * grid are above 0; 0 where rho is below the grid. Refused: a rho of more than 2^20 steps of the grid. */
PBY_CHECKED
pby_status pby_robust_epsilon(pby_enclosure *epsilon, mpq_srcptr rho, mpq_srcptr scale, mpq_srcptr grid,
                              unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3, 4);

/* The least scale, to one part in 2^15, for which it is so known for that epsilon, which is above 0; rho is
 * from the grid on. */
PBY_CHECKED
pby_status pby_robust_scale(mpq_t scale, mpq_srcptr rho, mpq_srcptr epsilon, mpq_srcptr grid, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4);

/* A number c such that noise of that scale is (theta, rho, epsilon, c theta)-robust for every theta. Refused
 * where epsilon is below that of pby_robust_epsilon. */
PBY_CHECKED
pby_status pby_robust_theta(pby_enclosure *factor, mpq_srcptr rho, mpq_srcptr epsilon, mpq_srcptr scale,
                            mpq_srcptr grid, unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3, 4, 5);

/* A mechanism with finitely many inputs and outputs: channel[i * outputs + j] is the chance of output j on
 * input i, from 0 to 1, and each row adds up to 1; at[j] is where output j lies on the line. At most
 * PBY_ROBUST_OUTPUTS_MAX outputs, no two at one place. */
enum { PBY_ROBUST_OUTPUTS_MAX = 12 };
typedef struct pby_robust_channel {
    mpq_srcptr channel, at;
    size_t inputs, outputs;
} pby_robust_channel;

/* The least delta for which it is (theta, rho, epsilon, delta)-robust; rho and epsilon are from 0 on, theta
 * from 0 to 1. A linear programme for each set of outputs, in exact rationals: seconds for ten outputs, and
 * minutes for twelve. */
PBY_CHECKED
pby_status pby_robust_delta(pby_enclosure *delta, const pby_robust_channel *channel, mpq_srcptr rho,
                            mpq_srcptr theta, mpq_srcptr epsilon, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4, 5);

/* pby_robust_delta where exp(epsilon) is given, a rational from 1 on. */
PBY_CHECKED
pby_status pby_robust_delta_at(mpq_t delta, const pby_robust_channel *channel, mpq_srcptr rho,
                               mpq_srcptr theta, mpq_srcptr ratio, pby_error *err) PBY_NONNULL(1, 2, 3, 4, 5);

/* ---- numbers as text --------------------------------------------------------------------------- */

PBY_CHECKED
pby_status pby_robust_epsilon_text(pby_decimals *epsilon, const char *rho, const char *scale,
                                   const char *grid, unsigned digits, pby_error *err) PBY_NONNULL(1, 2, 3, 4);
PBY_CHECKED
pby_status pby_robust_scale_text(char **scale, const char *rho, const char *epsilon, const char *grid,
                                 pby_error *err) PBY_NONNULL(1, 2, 3, 4);
PBY_CHECKED
pby_status pby_robust_theta_text(pby_decimals *factor, const char *rho, const char *epsilon,
                                 const char *scale, const char *grid, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4, 5);

/* pby_robust_channel with texts. */
typedef struct pby_robust_words {
    const char *const *channel, *const *at;
    size_t inputs, outputs;
} pby_robust_words;
PBY_CHECKED
pby_status pby_robust_delta_text(pby_decimals *delta, const pby_robust_words *channel, const char *rho,
                                 const char *theta, const char *epsilon, unsigned digits, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4, 5);
PBY_CHECKED
pby_status pby_robust_delta_at_text(char **delta, const pby_robust_words *channel, const char *rho,
                                    const char *theta, const char *ratio, pby_error *err)
    PBY_NONNULL(1, 2, 3, 4, 5);

PBY_END_API

#endif
