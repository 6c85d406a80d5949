/* SPDX-License-Identifier: MIT */
/* Which divisions of the sensitivity among bars can be the worst.
 *
 * The loss of a division is a sum of independent losses, one a bar, all of them whole multiples of the rate
 * or infinite. If the potential (docs/theory/composition.md) of one division of a part of the sensitivity
 * lies nowhere above that of another, the same holds once both are completed by the same bars. So the
 * divisions of t that count are among those made of one part and a division of the rest that counts. */
#ifndef PBY_MECHANISM_RANGE_DIVISION_H
#define PBY_MECHANISM_RANGE_DIVISION_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Parts that sum to the sensitivity, in any order. */
typedef struct pby_division {
    int64_t *part;
    int64_t count;
} pby_division;

typedef struct pby_divisions {
    pby_division *division;
    size_t count;
} pby_divisions;

/* Divisions of `all` among at most `bars` bars, one of which is the worst whatever is asked, for intervals of
 * `reach` and noise of `rate`. *found is false, and the list empty, where there would be too many. Those that
 * balls do not tell apart are all kept. */
pby_status pby_range_divisions(pby_divisions *out, bool *found, const fmpq_t rate, int64_t reach, int64_t all,
                               int64_t bars, pby_error *err);
void pby_divisions_clear(pby_divisions *list);

#endif
