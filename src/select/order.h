/* Parameters that are integers: which of them are candidates, and which of these are in order
 * (docs/theory/selection.md). */
#ifndef PBY_SELECT_ORDER_H
#define PBY_SELECT_ORDER_H

#include <arb.h>

#include "mechanism/family.h"
#include "probity/select.h"

/* Other parameters than the one that is chosen decide on the first three; floor and tail are about the
 * candidate m. */
typedef struct pby_integers {
    int64_t stride; /* candidates so far apart are in order of their deltas, from the first on that is so */
    int64_t (*ordered_from)(const pby_mechanism *m); /* those before it are asked one by one */
    int64_t (*last)(const pby_mechanism *m, const pby_target *target); /* the last that is asked */

    /* At most the chance, for one use and some neighbours, of an output that the other neighbour cannot give:
     * in closed form, so that most of what is far off the target needs no pairs. */
    void (*floor)(arb_t floor, const pby_mechanism *m, slong prec);

    /* At least the total variation between the outputs of m, the last of its class, and those of any
     * candidate behind it, for one use and one input. */
    void (*tail)(arb_t tail, const pby_mechanism *m, pby_neighbours relation, slong prec);
} pby_integers;

/* floor for so many uses: 1 - (1 - floor)^uses. */
void pby_integers_floor(arb_t floor, const pby_integers *integers, const pby_mechanism *m, unsigned long uses,
                        slong prec);

extern const pby_integers pby_integers_stlap, pby_integers_tgeometric, pby_integers_threshold,
    pby_integers_range;

#endif
