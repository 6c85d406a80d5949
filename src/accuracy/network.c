#include "accuracy/network.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

pby_status pby_network_init(pby_network *g, uint32_t nodes, uint32_t arcs, pby_error *err)
{
    *g = (pby_network){.nodes = nodes, .arcs_room = 2 * arcs};
    g->first = calloc(nodes, sizeof *g->first);
    g->arc = calloc(2 * (size_t)arcs + 1, sizeof *g->arc);
    return g->first != NULL && g->arc != NULL ? PBY_OK : pby_no_memory(err);
}

void pby_network_clear(pby_network *g)
{
    for (uint32_t i = 0; i < g->arcs; i++) {
        fmpz_clear(&g->arc[i].room);
        fmpz_clear(&g->arc[i].cost);
    }
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

void pby_network_arc(pby_network *g, uint32_t from, uint32_t to, const fmpz_t room, const fmpz_t cost)
{
    pby_arc *there = half(g, from, to), *back = half(g, to, from);
    fmpz_set(&there->room, room);
    if (cost != NULL) {
        fmpz_set(&there->cost, cost);
        fmpz_neg(&back->cost, cost);
    }
}

static void push(pby_network *g, uint32_t arc, const fmpz_t amount)
{
    fmpz_sub(&g->arc[arc].room, &g->arc[arc].room, amount);
    fmpz_add(&g->arc[arc ^ 1].room, &g->arc[arc ^ 1].room, amount);
}

/* ---- the greatest flow: blocking flows in the network of shortest paths ------------------------- */

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
    fmpz_t amount;
    fmpz_init(amount);
    fmpz_zero(flow);
    while (find_layers(&l, g, source, sink))
        for (uint32_t length; (length = find_path(&l, g, source, sink)) > 0;)
            push_path(flow, amount, g, l.path, length);
    fmpz_clear(amount);
    free(memory);
    return PBY_OK;
}

/* ---- the least cost: one cheapest path after another -------------------------------------------- */

struct prices {
    fmpz *price;     /* of the cheapest way from the source */
    uint32_t *by;    /* the arc, plus 1, that it comes by; 0 where there is none */
    uint32_t *queue; /* a ring of the nodes whose price has fallen */
    bool *waiting;   /* whether a node is in it */
};

static void find_prices(struct prices *p, fmpz_t price, const pby_network *g, uint32_t source)
{
    memset(p->by, 0, g->nodes * sizeof *p->by);
    fmpz_zero(&p->price[source]);
    p->queue[0] = source;
    p->waiting[source] = true;
    for (uint32_t at = 0, end = 1 % g->nodes, waiting = 1; waiting > 0; waiting--) {
        const uint32_t node = p->queue[at];
        at = (at + 1) % g->nodes;
        p->waiting[node] = false;
        for (uint32_t e = g->first[node]; e != 0; e = g->arc[e - 1].next) {
            const pby_arc *arc = &g->arc[e - 1];
            if (fmpz_is_zero(&arc->room) || arc->to == source)
                continue;
            fmpz_add(price, &p->price[node], &arc->cost);
            if (p->by[arc->to] != 0 && fmpz_cmp(price, &p->price[arc->to]) >= 0)
                continue;
            fmpz_set(&p->price[arc->to], price);
            p->by[arc->to] = e;
            if (!p->waiting[arc->to]) {
                p->waiting[arc->to] = true;
                p->queue[end] = arc->to;
                end = (end + 1) % g->nodes;
                waiting++;
            }
        }
    }
}

/* Sends what the path allows, at most `left`, and takes it off. */
static void push_cheapest(fmpz_t cost, fmpz_t left, fmpz_t amount, pby_network *g, const struct prices *p,
                          uint32_t source, uint32_t sink)
{
    fmpz_set(amount, left);
    for (uint32_t node = sink; node != source; node = g->arc[(p->by[node] - 1) ^ 1].to)
        if (fmpz_cmp(&g->arc[p->by[node] - 1].room, amount) < 0)
            fmpz_set(amount, &g->arc[p->by[node] - 1].room);
    for (uint32_t node = sink; node != source; node = g->arc[(p->by[node] - 1) ^ 1].to)
        push(g, p->by[node] - 1, amount);
    fmpz_addmul(cost, amount, &p->price[sink]);
    fmpz_sub(left, left, amount);
}

pby_status pby_network_cost(fmpz_t cost, pby_network *g, uint32_t source, uint32_t sink, const fmpz_t need,
                            pby_error *err)
{
    struct prices p = {calloc(g->nodes, sizeof(fmpz)), calloc(g->nodes, sizeof(uint32_t)),
                       calloc(g->nodes, sizeof(uint32_t)), calloc(g->nodes, sizeof(bool))};
    pby_status status = p.price != NULL && p.by != NULL && p.queue != NULL && p.waiting != NULL
                            ? PBY_OK
                            : pby_no_memory(err);
    fmpz_t left, amount;
    fmpz_init_set(left, need);
    fmpz_init(amount);
    fmpz_zero(cost);
    while (status == PBY_OK && !fmpz_is_zero(left)) {
        find_prices(&p, amount, g, source);
        if (p.by[sink] == 0)
            status = pby_fail(err, PBY_FAILED, "no flow of the amount asked for");
        else
            push_cheapest(cost, left, amount, g, &p, source, sink);
    }
    fmpz_clear(amount);
    fmpz_clear(left);
    for (uint32_t i = 0; p.price != NULL && i < g->nodes; i++)
        fmpz_clear(&p.price[i]);
    free(p.price);
    free(p.by);
    free(p.queue);
    free(p.waiting);
    return status;
}
