/* SPDX-License-Identifier: MIT */
/* The refining path of a sampler, at every cut of its table. */
#ifndef PBY_TESTS_LAW_CUTS_H
#define PBY_TESTS_LAW_CUTS_H

#include "law/sampler.h"

/* Draws one value from these words; checks that exactly `used` were read. Of a coin, see kernel/lanes.h, the
 * digits of the first word beyond its lane are read as a word more where the lane does not decide. */
int64_t draw_from(pby_sampler *s, const uint64_t *words, size_t n, uint64_t used);

/* Every cut of the table: the word before it and the word after it decide at once; the cut itself
 * takes the refining path, and the next word decides on which side it lands, one word away from the
 * cdf on either side; and when that is the cdf's own next word, one more. */
void check_cuts(pby_law *law);

#endif
