/* SPDX-License-Identifier: MIT */
/* A cut table as a theorem of Coq.
 *
 * The file defines the law by its formula, has the integers of the very table that a sampler draws from, and
 * states that each cut is the floor of 2^64 times the cdf. coqc proves it with the library Interval, or
 * exactly where a cut is 2^64 times the cdf itself. */
#ifndef PBY_LAW_LAW_THEOREM_H
#define PBY_LAW_LAW_THEOREM_H

#include "law/sampler.h"

/* The most cuts of a table that has a theorem: a quarter of a minute of Coq; of dgauss, five minutes. */
enum { PBY_THEOREM_CUTS_MAX = 200 };

/* Sets *text, for free(3); spec is what the file says the table is of. Refuses a table that is larger, and a
 * law whose definition has no formula. */
pby_status pby_sampler_theorem(char **text, const pby_sampler *s, const char *spec, pby_error *err);

#endif
