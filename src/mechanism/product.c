#include "mechanism/product.h"

#include <stdlib.h>

#include "number/ball.h"

struct keyed {
    arf_t key;
    pby_atom atom;
};

static int by_key(const void *a, const void *b)
{
    return arf_cmp(((const struct keyed *)a)->key, ((const struct keyed *)b)->key);
}

/* Brings atoms of equal ratio together, so that a merge finds them. A misplaced atom costs a merge and no
 * truth. */
static pby_status sort_by_ratio(pby_pair *pair, pby_error *err)
{
    const slong prec = PBY_PRECISION_FIRST;
    struct keyed *list = malloc(pair->count * sizeof *list + 1);
    if (list == NULL)
        return pby_no_memory(err);
    arb_t p, q;
    arb_init(p);
    arb_init(q);
    for (size_t i = 0; i < pair->count; i++) {
        arf_init(list[i].key);
        list[i].atom = pair->atoms[i];
        pby_expsum_get_arb(p, pair->atoms[i].p, prec);
        pby_expsum_get_arb(q, pair->atoms[i].q, prec);
        if (arb_is_zero(q))
            arf_pos_inf(list[i].key);
        else
            arf_div(list[i].key, arb_midref(p), arb_midref(q), prec / 2, ARF_RND_NEAR);
    }
    qsort(list, pair->count, sizeof *list, by_key);
    for (size_t i = 0; i < pair->count; i++) {
        pair->atoms[i] = list[i].atom;
        arf_clear(list[i].key);
    }
    arb_clear(q);
    arb_clear(p);
    free(list);
    return PBY_OK;
}

pby_status pby_pair_one(pby_pair *pair, pby_error *err)
{
    pby_expsum_t p, q;
    fmpq_t zero;
    fmpq_init(zero);
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_add_term_si(p, 1, zero);
    pby_expsum_add_term_si(q, 1, zero);
    pby_expsum_set(pair->norm_p, p);
    pby_expsum_set(pair->norm_q, q);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    fmpq_clear(zero);
    return status;
}

pby_status pby_pair_multiply(pby_pair *pair, const pby_pair *factor, pby_error *err)
{
    pby_pair next;
    pby_pair_init(&next);
    next.direction = pair->direction;
    pby_status status = pby_pair_product(&next, pair, factor, err);
    if (status == PBY_OK)
        status = sort_by_ratio(&next, err);
    if (status == PBY_OK)
        pby_pair_merge(&next);
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
