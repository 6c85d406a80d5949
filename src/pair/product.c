/* SPDX-License-Identifier: MIT */
#include "pair/product.h"

pby_status pby_pair_one(pby_pair *pair, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_one(p);
    pby_expsum_one(q);
    pby_expsum_set(pair->norm_p, p);
    pby_expsum_set(pair->norm_q, q);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

pby_status pby_pair_multiply(pby_pair *pair, const pby_pair *factor, pby_error *err)
{
    pby_pair next;
    pby_pair_init(&next);
    next.direction = pair->direction;
    pby_status status = pby_pair_product(&next, pair, factor, err);
    if (status == PBY_OK)
        status = pby_pair_gather(&next, err);
    pby_pair_clear(pair);
    *pair = next;
    return status;
}

size_t pby_pair_terms(const pby_pair *pair)
{
    size_t terms = (size_t)(pair->norm_p->n + pair->norm_q->n);
    for (size_t i = 0; i < pair->count; i++)
        terms += (size_t)(pair->atoms[i].p->n + pair->atoms[i].q->n);
    return terms;
}
