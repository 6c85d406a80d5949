/* SPDX-License-Identifier: MIT */
/* Carrying all that some places have to others, at the least cost. */
#ifndef PBY_TRANSPORT_TRANSPORT_H
#define PBY_TRANSPORT_TRANSPORT_H

#include <flint/fmpz.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* supply and demand are positive and have one sum. cost[i * sinks + j] is that of one part from i to j, from
 * 0 on; -1 where there is no way. */
typedef struct pby_transport {
    const fmpz *supply, *demand, *cost;
    size_t sources, sinks;
} pby_transport;

/* By the simplex method, in exact integers. possible says whether everything can be carried; out is 0 if not.
 */
pby_status pby_transport_cost(fmpz_t out, bool *possible, const pby_transport *t, pby_error *err);

#endif
