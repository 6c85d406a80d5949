/* SPDX-License-Identifier: MIT */
#include "pair/tangents.h"

#include <stdlib.h>

#include "number/scoped.h"

bool pby_tangents_init(pby_tangents *l, size_t room)
{
    *l = (pby_tangents){.line = malloc(room * sizeof *l->line), .room = room};
    for (size_t i = 0; i < room && l->line != NULL; i++) {
        fmpq_init(l->line[i].at);
        fmpq_init(l->line[i].slope);
    }
    return l->line != NULL;
}

void pby_tangents_clear(pby_tangents *l)
{
    for (size_t i = 0; i < l->room && l->line != NULL; i++) {
        fmpq_clear(l->line[i].slope);
        fmpq_clear(l->line[i].at);
    }
    free(l->line);
}

/* True if b is nowhere above both a and c: they meet at or before the place where a and b meet. */
static bool is_needless(const pby_tangent *a, const pby_tangent *b, const pby_tangent *c)
{
    PBY_FMPQ(x, y, z);
    fmpq_sub(x, a->at, c->at);
    fmpq_sub(z, b->slope, a->slope);
    fmpq_mul(x, x, z);
    fmpq_sub(y, a->at, b->at);
    fmpq_sub(z, c->slope, a->slope);
    fmpq_mul(y, y, z);
    return fmpq_cmp(x, y) <= 0;
}

void pby_tangents_add(pby_tangents *l, const fmpq_t at, const fmpq_t slope)
{
    if (l->count > 0 && fmpq_cmp(l->line[l->count - 1].slope, slope) >= 0)
        return;
    pby_tangent *next = &l->line[l->count];
    fmpq_set(next->at, at);
    fmpq_set(next->slope, slope);
    while (l->count >= 2 && is_needless(next - 2, next - 1, next)) {
        fmpq_swap(next[-1].at, next->at);
        fmpq_swap(next[-1].slope, next->slope);
        next--;
        l->count--;
    }
    l->count++;
}

pby_status pby_tangents_pair(pby_pair *pair, const pby_tangents *l, pby_error *err)
{
    pby_status status = PBY_OK;
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    PBY_FMPQ(x, zero);
    pby_expsum_one(pair->norm_p);
    pby_expsum_one(pair->norm_q);
    for (size_t i = 0; i < l->count && status == PBY_OK; i++) {
        const pby_tangent *a = &l->line[i], *b = i + 1 < l->count ? a + 1 : NULL;
        fmpq_sub(x, a->at, b != NULL ? b->at : zero);
        pby_expsum_zero(p);
        pby_expsum_add_term(p, x, zero);
        fmpq_sub(x, b != NULL ? b->slope : zero, a->slope);
        pby_expsum_zero(q);
        pby_expsum_add_term(q, x, zero);
        status = pby_pair_append(pair, p, q, err);
    }
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

void pby_tangents_first(pby_tangents *l)
{
    PBY_FMPQ(one, slope);
    fmpq_one(one);
    fmpq_set_si(slope, -1, 1);
    pby_tangents_add(l, one, slope);
}
