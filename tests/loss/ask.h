/* SPDX-License-Identifier: MIT */
/* Losses asked for in text, for tests. A failure fails the running test. */
#ifndef PBY_TESTS_LOSS_ASK_H
#define PBY_TESTS_LOSS_ASK_H

#include <arb.h>
#include <flint/fmpq.h>

#include "probity/loss.h"

/* delta at epsilon and epsilon at delta, as balls around the enclosures. */
void ask_delta(arb_t ball, const char *spec, const fmpq_t epsilon, unsigned digits);
void ask_delta_for(arb_t ball, const char *spec, pby_neighbours relation, const fmpq_t epsilon,
                   unsigned digits);
void ask_epsilon(arb_t ball, const char *spec, const fmpq_t delta, unsigned digits);

/* That a delta at epsilon 0 is refused with such a text. */
void ask_refused(const char *spec, const char *expected);

#endif
