/* SPDX-License-Identifier: MIT */
/* The greatest flow in a network with integer capacities: blocking flows in the network of shortest paths. */
#ifndef PBY_TRANSPORT_NETWORK_H
#define PBY_TRANSPORT_NETWORK_H

#include <flint/fmpz.h>
#include <stdint.h>

#include "base/status.h"

/* Arcs come in pairs, i and i ^ 1: an arc, and the way back along it, whose capacity is what flows. */
typedef struct pby_arc {
    uint32_t to, next; /* next of the same origin, plus 1; 0 after the last */
    fmpz room;
} pby_arc;

typedef struct pby_network {
    pby_arc *arc;
    uint32_t *first; /* an arc out of each node, plus 1; 0 when there is none */
    uint32_t nodes, arcs;
} pby_network;

/* Room for so many nodes and arcs. To be cleared whether this succeeds or not. */
pby_status pby_network_init(pby_network *g, uint32_t nodes, uint32_t arcs, pby_error *err);
void pby_network_clear(pby_network *g);

void pby_network_arc(pby_network *g, uint32_t from, uint32_t to, const fmpz_t room);

/* The greatest flow from source to sink. */
pby_status pby_network_flow(fmpz_t flow, pby_network *g, uint32_t source, uint32_t sink, pby_error *err);

#endif
