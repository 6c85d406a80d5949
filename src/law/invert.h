/* SPDX-License-Identifier: MIT */
/* Refinement: the exact inverse of a cdf.
 *
 * A draw is a real number U, uniform on [0, 1), of which the words read so far are the leading binary
 * digits; its value is the k with cdf(k-1) <= U < cdf(k). Where the words read cannot tell, one more is
 * read, and the cdf is enclosed with as many bits more. */
#ifndef PBY_LAW_INVERT_H
#define PBY_LAW_INVERT_H

#include "law/law.h"
#include "probity/experimental/entropy.h"

/* The value of the law at the U whose leading word is given and whose further words are read from
 * source as they are needed. */
pby_status pby_law_invert(int64_t *value, const pby_law *law, uint64_t word, pby_entropy *source,
                          pby_error *err);

#endif
