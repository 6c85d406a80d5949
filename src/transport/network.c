/* SPDX-License-Identifier: MIT */
#include "transport/network.h"
#include "number/scoped.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

pby_status pby_network_init(pby_network *g, uint32_t nodes, uint32_t arcs, pby_error *err)
{
    *g = (pby_network){.nodes = nodes};
    g->first = calloc(nodes, sizeof *g->first);
    g->arc = calloc(2 * (size_t)arcs + 1, sizeof *g->arc);
    return g->first != NULL && g->arc != NULL ? PBY_OK : pby_no_memory(err);
}

void pby_network_clear(pby_network *g)
{
    for (uint32_t i = 0; i < g->arcs; i++)
        fmpz_clear(&g->arc[i].room);
    free(g->arc);
    free(g->first);
}

static pby_arc *half(pby_network *g, uint32_t from, uint32_t to)
{
    pby_arc *arc = &g->arc[g->arcs];
    *arc = (pby_arc){.to = to, .next = g->first[from]};
    g->first[from] = ++g->arcs;
    return arc;
}

void pby_network_arc(pby_network *g, uint32_t from, uint32_t to, const fmpz_t room)
{
    fmpz_set(&half(g, from, to)->room, room);
    half(g, to, from);
}

static void push(pby_network *g, uint32_t arc, const fmpz_t amount)
{
    fmpz_sub(&g->arc[arc].room, &g->arc[arc].room, amount);
    fmpz_add(&g->arc[arc ^ 1].room, &g->arc[arc ^ 1].room, amount);
}

/* level: the number of arcs from the source, UINT32_MAX where it cannot be reached. next: the arc, plus
 * 1, that the search of a node goes on with. path: the arcs from the source to where it stands. */
struct layers {
    uint32_t *level, *next, *path, *queue;
};

static bool find_layers(struct layers *l, const pby_network *g, uint32_t source, uint32_t sink)
{
    memset(l->level, 0xff, g->nodes * sizeof *l->level);
    memcpy(l->next, g->first, g->nodes * sizeof *l->next);
    l->level[source] = 0;
    l->queue[0] = source;
    for (uint32_t at = 0, end = 1; at < end; at++)
        for (uint32_t e = g->first[l->queue[at]]; e != 0; e = g->arc[e - 1].next) {
            const pby_arc *arc = &g->arc[e - 1];
            if (l->level[arc->to] == UINT32_MAX && !fmpz_is_zero(&arc->room)) {
                l->level[arc->to] = l->level[l->queue[at]] + 1;
                l->queue[end++] = arc->to;
            }
        }
    return l->level[sink] != UINT32_MAX;
}

/* A path from the source to the sink, one layer an arc; its length, or 0 when none is left. */
static uint32_t find_path(struct layers *l, const pby_network *g, uint32_t source, uint32_t sink)
{
    uint32_t node = source, length = 0;
    while (node != sink) {
        const uint32_t e = l->next[node];
        if (e == 0 && node == source)
            return 0;
        if (e == 0) {
            const uint32_t back = l->path[--length];
            node = g->arc[back ^ 1].to;
            l->next[node] = g->arc[back].next;
        } else if (!fmpz_is_zero(&g->arc[e - 1].room) && l->level[g->arc[e - 1].to] == l->level[node] + 1) {
            l->path[length++] = e - 1;
            node = g->arc[e - 1].to;
        } else {
            l->next[node] = g->arc[e - 1].next;
        }
    }
    return length;
}

static void push_path(fmpz_t flow, fmpz_t amount, pby_network *g, const uint32_t *path, uint32_t length)
{
    fmpz_set(amount, &g->arc[path[0]].room);
    for (uint32_t i = 1; i < length; i++)
        if (fmpz_cmp(&g->arc[path[i]].room, amount) < 0)
            fmpz_set(amount, &g->arc[path[i]].room);
    for (uint32_t i = 0; i < length; i++)
        push(g, path[i], amount);
    fmpz_add(flow, flow, amount);
}

pby_status pby_network_flow(fmpz_t flow, pby_network *g, uint32_t source, uint32_t sink, pby_error *err)
{
    uint32_t *memory = calloc(4 * (size_t)g->nodes, sizeof *memory);
    if (memory == NULL)
        return pby_no_memory(err);
    struct layers l = {memory, memory + g->nodes, memory + 2 * (size_t)g->nodes,
                       memory + 3 * (size_t)g->nodes};
    PBY_FMPZ(amount);
    fmpz_zero(flow);
    while (find_layers(&l, g, source, sink))
        for (uint32_t length; (length = find_path(&l, g, source, sink)) > 0;)
            push_path(flow, amount, g, l.path, length);
    free(memory);
    return PBY_OK;
}
