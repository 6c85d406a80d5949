/* SPDX-License-Identifier: MIT */
/* The profile of a promise about one order (one_order.h). */
#include <stdlib.h>

#include "loss/profile/one_order.h"

struct order_profile {
    pby_profile base;
    pby_one_order promise;
};

static pby_status profile_delta(arb_t ball, const pby_profile *p, const fmpq_t epsilon, slong prec,
                                pby_error *err)
{
    (void)err;
    pby_one_order_delta(ball, &((const struct order_profile *)p)->promise, epsilon, prec);
    return PBY_OK;
}

static pby_status profile_limit(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)p;
    (void)prec;
    (void)err;
    arb_zero(ball);
    return PBY_OK;
}

/* Rare coins lose as much as one likes. */
static pby_status profile_largest(arb_t ball, const pby_profile *p, slong prec, pby_error *err)
{
    (void)p;
    (void)prec;
    (void)err;
    arb_pos_inf(ball);
    return PBY_OK;
}

static void profile_free(pby_profile *p)
{
    pby_one_order_clear(&((struct order_profile *)p)->promise);
    free(p);
}

static const pby_profile_class order_profile = {
    .delta = profile_delta,
    .limit = profile_limit,
    .largest = profile_largest,
    .free = profile_free,
};

pby_status pby_profile_of_order(pby_profile **out, const pby_one_order *promise, pby_error *err)
{
    struct order_profile *p = calloc(1, sizeof *p);
    *out = NULL;
    if (p == NULL)
        return pby_no_memory(err);
    p->base.class = &order_profile;
    pby_one_order_init(&p->promise);
    fmpq_set(p->promise.order, promise->order);
    fmpq_set(p->promise.most, promise->most);
    *out = &p->base;
    return PBY_OK;
}
