/* SPDX-License-Identifier: MIT */
/* The network simplex method.
 *
 * A basis is a tree that spans sources, sinks and a root, with a flow on each of its arcs that carries
 * everything. In the first one all goes through the root, at a cost above that of any way without it.
 * Potentials make the reduced cost of the tree's arcs 0; an arc of negative reduced cost closes a cycle,
 * along which as much is sent as the arcs against it hold, and one that is then empty leaves the tree.
 *
 * Every basis is strongly feasible: an empty arc of the tree points to the root. Of the arcs that could
 * leave, the last one is taken that is met on the way round from the cycle's highest node, in the direction
 * of the flow; this keeps the basis so, and no basis comes twice. */
#include "transport/transport.h"
#include "number/scoped.h"

#include <stdint.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* Its arc to the parent, and where it stands in the tree. */
struct node {
    fmpz flow, potential;
    uint32_t parent, child, next, before; /* next and before: of the same parent */
    uint32_t depth;
    bool up; /* whether the arc points to the parent */
};

struct simplex {
    const pby_transport *t;
    struct node *node; /* the sources, the sinks, the root */
    uint32_t root;
    uint32_t source, sink; /* the arc that the next search begins with */
    fmpz_t reduced, least, amount;
};

/* ---- the tree ----------------------------------------------------------------------------------- */

static void attach(struct simplex *s, uint32_t child, uint32_t parent)
{
    struct node *c = &s->node[child], *p = &s->node[parent];
    c->parent = parent;
    c->before = NONE;
    c->next = p->child;
    if (p->child != NONE)
        s->node[p->child].before = child;
    p->child = child;
}

static void detach(struct simplex *s, uint32_t child)
{
    const struct node *c = &s->node[child];
    if (c->before != NONE)
        s->node[c->before].next = c->next;
    else
        s->node[c->parent].child = c->next;
    if (c->next != NONE)
        s->node[c->next].before = c->before;
}

/* More than any way without the root can cost. */
static void set_detour(fmpz_t out, const pby_transport *t)
{
    fmpz_zero(out);
    for (size_t k = 0; k < t->sources * t->sinks; k++)
        if (fmpz_cmp(&t->cost[k], out) > 0)
            fmpz_set(out, &t->cost[k]);
    fmpz_mul_ui(out, out, t->sources + t->sinks);
    fmpz_add_ui(out, out, 1);
}

static pby_status simplex_init(struct simplex *s, const pby_transport *t, pby_error *err)
{
    *s = (struct simplex){.t = t, .root = (uint32_t)(t->sources + t->sinks)};
    s->node = calloc(s->root + 1, sizeof *s->node);
    if (s->node == NULL)
        return pby_no_memory(err);
    PBY_FMPZ(detour);
    set_detour(detour, t);
    s->node[s->root].child = s->node[s->root].parent = NONE;
    for (uint32_t i = 0; i < s->root; i++) {
        struct node *n = &s->node[i];
        n->up = i < t->sources;
        n->child = NONE;
        n->depth = 1;
        fmpz_set(&n->flow, n->up ? &t->supply[i] : &t->demand[i - t->sources]);
        (n->up ? fmpz_neg : fmpz_set)(&n->potential, detour);
        attach(s, i, s->root);
    }
    return PBY_OK;
}

static void simplex_clear(struct simplex *s)
{
    for (uint32_t i = 0; s->node != NULL && i <= s->root; i++) {
        fmpz_clear(&s->node[i].flow);
        fmpz_clear(&s->node[i].potential);
    }
    free(s->node);
    fmpz_clear(s->reduced);
    fmpz_clear(s->least);
    fmpz_clear(s->amount);
}

/* ---- a step ------------------------------------------------------------------------------------- */

/* True if the arc at hand has a reduced cost below s->least; it is then s->reduced. */
static bool better(struct simplex *s)
{
    const fmpz *cost = &s->t->cost[s->source * s->t->sinks + s->sink];
    if (fmpz_sgn(cost) < 0)
        return false;
    fmpz_add(s->reduced, cost, &s->node[s->source].potential);
    fmpz_sub(s->reduced, s->reduced, &s->node[s->t->sources + s->sink].potential);
    return fmpz_cmp(s->reduced, s->least) < 0;
}

static void go_on(struct simplex *s)
{
    if (++s->sink < s->t->sinks)
        return;
    s->sink = 0;
    if (++s->source == s->t->sources)
        s->source = 0;
}

/* The arc of least reduced cost in the first block that has a negative one, which becomes s->least; false
 * when there is none. */
static bool find_arc(struct simplex *s, uint32_t *source, uint32_t *sink)
{
    const size_t arcs = s->t->sources * s->t->sinks, block = s->t->sources + s->t->sinks;
    fmpz_zero(s->least);
    for (size_t seen = 1; seen <= arcs; seen++) {
        if (better(s)) {
            fmpz_swap(s->least, s->reduced);
            *source = s->source;
            *sink = s->sink;
        }
        go_on(s);
        if (seen % block == 0 && !fmpz_is_zero(s->least))
            return true;
    }
    return !fmpz_is_zero(s->least);
}

static uint32_t find_join(const struct simplex *s, uint32_t i, uint32_t j)
{
    while (i != j) {
        const bool deeper = s->node[i].depth >= s->node[j].depth;
        if (deeper)
            i = s->node[i].parent;
        else
            j = s->node[j].parent;
    }
    return i;
}

/* The node whose arc to its parent leaves; what it holds becomes s->amount. The cycle goes down from the join
 * to i, on to j, and up again. */
static uint32_t find_leaving(struct simplex *s, uint32_t i, uint32_t j, uint32_t join)
{
    uint32_t leaving = NONE;
    for (uint32_t w = i; w != join; w = s->node[w].parent)
        if (s->node[w].up && (leaving == NONE || fmpz_cmp(&s->node[w].flow, s->amount) < 0)) {
            fmpz_set(s->amount, &s->node[w].flow);
            leaving = w;
        }
    for (uint32_t w = j; w != join; w = s->node[w].parent)
        if (!s->node[w].up && (leaving == NONE || fmpz_cmp(&s->node[w].flow, s->amount) <= 0)) {
            fmpz_set(s->amount, &s->node[w].flow);
            leaving = w;
        }
    return leaving;
}

/* Sends s->amount up from node to the join, or the other way. */
static void send(struct simplex *s, uint32_t node, uint32_t join, bool up)
{
    for (struct node *n = &s->node[node]; n != &s->node[join]; n = &s->node[n->parent])
        (n->up == up ? fmpz_add : fmpz_sub)(&n->flow, &n->flow, s->amount);
}

/* Hangs what is below `leaving` on `parent`, by an arc from or to `node` with s->amount on it. */
static void rehang(struct simplex *s, uint32_t node, uint32_t leaving, uint32_t parent, bool up)
{
    for (;;) {
        struct node *n = &s->node[node];
        const uint32_t above = n->parent;
        const bool was_up = n->up;
        detach(s, node);
        attach(s, node, parent);
        n->up = up;
        fmpz_swap(&n->flow, s->amount);
        if (node == leaving)
            return;
        parent = node;
        node = above;
        up = !was_up;
    }
}

/* Adds s->least to the potentials of a node and all below it, or takes it off, and sets their depths. */
static void settle(struct simplex *s, uint32_t top, bool less)
{
    for (uint32_t w = top;;) {
        struct node *n = &s->node[w];
        n->depth = s->node[n->parent].depth + 1;
        (less ? fmpz_sub : fmpz_add)(&n->potential, &n->potential, s->least);
        if (n->child != NONE) {
            w = n->child;
            continue;
        }
        while (w != top && s->node[w].next == NONE)
            w = s->node[w].parent;
        if (w == top)
            return;
        w = s->node[w].next;
    }
}

/* The arc from i to j comes into the tree. */
static void step(struct simplex *s, uint32_t i, uint32_t j)
{
    const uint32_t join = find_join(s, i, j), leaving = find_leaving(s, i, j, join);
    const bool below_i = s->node[leaving].up;
    send(s, i, join, false);
    send(s, j, join, true);
    rehang(s, below_i ? i : j, leaving, below_i ? j : i, below_i);
    settle(s, below_i ? i : j, below_i);
}

/* ---- the answer --------------------------------------------------------------------------------- */

static bool add_up(fmpz_t out, const struct simplex *s)
{
    fmpz_zero(out);
    for (uint32_t i = 0; i < s->root; i++) {
        const struct node *n = &s->node[i];
        if (n->parent != s->root) {
            const size_t source = n->up ? i : n->parent, sink = (n->up ? n->parent : i) - s->t->sources;
            fmpz_addmul(out, &n->flow, &s->t->cost[source * s->t->sinks + sink]);
        } else if (!fmpz_is_zero(&n->flow)) {
            fmpz_zero(out);
            return false;
        }
    }
    return true;
}

pby_status pby_transport_cost(fmpz_t out, bool *possible, const pby_transport *t, pby_error *err)
{
    struct simplex s;
    const pby_status status = simplex_init(&s, t, err);
    for (uint32_t source = 0, sink = 0; status == PBY_OK && find_arc(&s, &source, &sink);)
        step(&s, source, (uint32_t)t->sources + sink);
    if (status == PBY_OK)
        *possible = add_up(out, &s);
    simplex_clear(&s);
    return status;
}
