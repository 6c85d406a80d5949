/* Flows in a network with integer capacities and costs. */
#ifndef PBY_ACCURACY_NETWORK_H
#define PBY_ACCURACY_NETWORK_H

#include <flint/fmpz.h>
#include <stdint.h>

#include "status.h"

/* Arcs come in pairs, i and i ^ 1: an arc, and the way back along it, of opposite cost, whose capacity is
 * what flows. */
typedef struct pby_arc {
    uint32_t to, next; /* next of the same origin, plus 1; 0 after the last */
    fmpz room, cost;
} pby_arc;

typedef struct pby_network {
    pby_arc *arc;
    uint32_t *first; /* an arc out of each node, plus 1; 0 when there is none */
    uint32_t nodes, arcs, arcs_room;
} pby_network;

/* Room for so many nodes and arcs. To be cleared whether this succeeds or not. */
pby_status pby_network_init(pby_network *g, uint32_t nodes, uint32_t arcs, pby_error *err);
void pby_network_clear(pby_network *g);

/* cost NULL is 0. */
void pby_network_arc(pby_network *g, uint32_t from, uint32_t to, const fmpz_t room, const fmpz_t cost);

/* The greatest flow from source to sink. */
pby_status pby_network_flow(fmpz_t flow, pby_network *g, uint32_t source, uint32_t sink, pby_error *err);

/* The least cost of a flow of that amount, which must be possible; costs are not negative. */
pby_status pby_network_cost(fmpz_t cost, pby_network *g, uint32_t source, uint32_t sink, const fmpz_t amount,
                            pby_error *err);

#endif
