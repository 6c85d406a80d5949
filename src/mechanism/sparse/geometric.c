/* Two geometric noises: delta at e is at most that of the threshold's own noise at e - 2 c D r2, r1 and r2
 * being the rates. That noise has the losses r1 (D - 2 j), j = 0 .. D, so that the bound has its kinks where
 * e is one of these and 2 c D r2 more. At these points it is taken, or at NODES of them (pair/nodes.h). */
#include <flint/fmpq_vec.h>

#include "law/laws.h"
#include "mechanism/sparse/sparse.h"
#include "pair/nodes.h"

enum { NODES = 256, PRECISION = 192 };

/* delta = sum of max(0, p - exp(t) q), over the norm */
static void hockey_stick(arb_t delta, const pby_pair *pair, const fmpq_t t)
{
    arb_t p, q, odds;
    arb_init(p);
    arb_init(q);
    arb_init(odds);
    arb_set_fmpq(odds, t, PRECISION);
    arb_exp(odds, odds, PRECISION);
    arb_zero(delta);
    for (size_t i = 0; i < pair->count; i++) {
        pby_expsum_get_arb(p, pair->atoms[i].p, PRECISION);
        pby_expsum_get_arb(q, pair->atoms[i].q, PRECISION);
        arb_submul(p, odds, q, PRECISION);
        if (!arb_is_nonpositive(p))
            arb_add(delta, delta, p, PRECISION);
    }
    pby_expsum_get_arb(q, pair->norm_p, PRECISION);
    arb_div(delta, delta, q, PRECISION);
    arb_clear(odds);
    arb_clear(q);
    arb_clear(p);
}

/* t = r1 D (1 - 2 j/count) */
static void place(fmpq_t t, const pby_sparse_use *use, int64_t j, int64_t count)
{
    fmpq_set_si(t, count - 2 * j, (ulong)count);
    fmpq_mul(t, t, use->threshold.rate);
    fmpq_mul_si(t, t, use->sensitivity);
}

/* The points that are not below 0, in order; how many. At the last delta is 0. */
static size_t find_points(fmpq *loss, fmpq *delta, const pby_sparse_use *use, const pby_pair *shifted)
{
    const int64_t count = use->sensitivity < NODES ? use->sensitivity : NODES;
    size_t n = 0;
    fmpq_t t, cost;
    arb_t ball;
    fmpq_init(t);
    fmpq_init(cost);
    arb_init(ball);
    pby_sparse_answers_cost(cost, use);
    for (int64_t j = count; j >= 0; j--) {
        place(t, use, j, count);
        fmpq_add(&loss[n], t, cost);
        if (fmpq_sgn(&loss[n]) < 0)
            continue;
        hockey_stick(ball, shifted, t);
        if (j > 0)
            pby_node_round_up(&delta[n], ball);
        n++;
    }
    arb_clear(ball);
    fmpq_clear(cost);
    fmpq_clear(t);
    return n;
}

pby_status pby_sparse_pairs_geometric(pby_pairs *out, const pby_sparse_use *use, pby_error *err)
{
    pby_law *law = NULL;
    pby_pair shifted;
    fmpq *loss = _fmpq_vec_init(NODES + 1), *delta = _fmpq_vec_init(NODES + 1);
    pby_pair_init(&shifted);
    pby_status status = pby_law_geometric(&law, use->threshold.rate, err);
    if (status == PBY_OK)
        status = pby_pair_shift(&shifted, law, use->sensitivity, err);
    pby_pair_merge(&shifted);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_of_nodes(&out->pair[0], loss, delta, find_points(loss, delta, use, &shifted), err);
    pby_pair_clear(&shifted);
    pby_law_free(law);
    _fmpq_vec_clear(delta, NODES + 1);
    _fmpq_vec_clear(loss, NODES + 1);
    return status;
}
