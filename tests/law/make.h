/* SPDX-License-Identifier: MIT */
/* Laws and samplers out of text parameters, for tests. A failure fails the running test. */
#ifndef PBY_TESTS_LAW_MAKE_H
#define PBY_TESTS_LAW_MAKE_H

#include "law/sampler.h"

pby_law *make_geometric(const char *rate);
pby_law *make_stlap(const char *eps, const char *q);
pby_law *make_tgeometric(const char *rate, int64_t bound);
pby_sampler *make_sampler(pby_law *law);

/* The rational of a text. */
void set_text(fmpq_t q, const char *text);

#endif
