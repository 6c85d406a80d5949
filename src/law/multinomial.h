/* SPDX-License-Identifier: MIT */
/* Records that are dealt out by rational chances, exactly: Multinomial(x, chances) for a count x. */
#ifndef PBY_LAW_MULTINOMIAL_H
#define PBY_LAW_MULTINOMIAL_H

#include <flint/fmpq.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "probity/experimental/entropy.h"

/* dealt[i] += the records that fall to place i. The n chances are above 0 and add up to 1; the count is from
 * 0 to PBY_THINNED_MAX. Each place takes a binomial part of what the places before it have left. The time
 * tells of the count. */
PBY_CHECKED
pby_status pby_multinomial_draw(pby_entropy *source, int64_t count, const fmpq *chance, size_t n,
                                int64_t *dealt, pby_error *err);

#endif
