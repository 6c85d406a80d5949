/* SPDX-License-Identifier: MIT */
/* The worst over every choice after every output, worked out outcome by outcome in balls from the pairs: what
 * is lost by several uses, by the definition. */
#ifndef PBY_TESTS_LOSS_COMPOSE_RECURSION_H
#define PBY_TESTS_LOSS_COMPOSE_RECURSION_H

#include "loss/compose/parts.h"

/* The bits that all of it is done with. */
enum { RECURSION_PREC = 256 };

/* The parts of count texts, to be cleared. A failure fails the running test. */
pby_parts recursion_parts(const char *const *texts, size_t count, pby_neighbours relation);

/* delta at epsilon, the worse of both directions, of at most 8 parts. */
void recursion_delta(arb_t out, const pby_parts *parts, const fmpq_t epsilon);

#endif
