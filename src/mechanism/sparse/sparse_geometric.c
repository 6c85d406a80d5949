/* SPDX-License-Identifier: MIT */
/* Two geometric noises: delta at e is at most that of the threshold's own noise at e - 2 c D r2, r1 and r2
 * being the rates, and at most that of a threshold that is known (known.c). The one has its kinks at r1 (D -
 * 2 j) + 2 c D r2, j = 0 .. D, the other at multiples of r2 D. At these points the less is taken, or at NODES
 * of either (pair/nodes.h). */
#include <flint/fmpq_vec.h>
#include <stdlib.h>

#include "law/laws.h"
#include "mechanism/sparse/family_sparse.h"
#include "number/scoped.h"
#include "pair/nodes.h"

enum { NODES = 256, MOST = 2 * NODES + 2, PRECISION = 192 };

/* delta = sum of max(0, p - exp(t) q), over the norm */
static void hockey_stick(arb_t delta, const pby_pair *pair, const fmpq_t t)
{
    PBY_ARB(p, q, odds);
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
}

/* ---- the points ------------------------------------------------------------------------------- */

struct points {
    const pby_sparse_use *use;
    const pby_pair *shifted;
    pby_sparse_known *known;
    fmpq_t cost, last; /* 2 c D r2, and D r1 more */
    fmpq *loss, *delta;
    size_t count;
};

static void points_init(struct points *p, const pby_sparse_use *use, const pby_pair *shifted)
{
    *p = (struct points){.use = use, .shifted = shifted, .known = pby_sparse_known_new(use)};
    fmpq_init(p->cost);
    fmpq_init(p->last);
    p->loss = _fmpq_vec_init(MOST);
    p->delta = _fmpq_vec_init(MOST);
    pby_sparse_answers_cost(p->cost, use);
    fmpq_mul_si(p->last, use->threshold.rate, use->sensitivity);
    fmpq_add(p->last, p->last, p->cost);
}

static void points_clear(struct points *p)
{
    _fmpq_vec_clear(p->delta, MOST);
    _fmpq_vec_clear(p->loss, MOST);
    fmpq_clear(p->last);
    fmpq_clear(p->cost);
    pby_sparse_known_free(p->known);
}

/* Losses from 0 on: last - 2 D r1 j/n, j = 0 .. n. */
static void add_of_threshold(struct points *p)
{
    const int64_t n = FLINT_MIN(p->use->sensitivity, NODES);
    PBY_FMPQ(step);
    fmpq_set_si(step, 2 * p->use->sensitivity, (ulong)n);
    fmpq_mul(step, step, p->use->threshold.rate);
    for (int64_t j = 0; j <= n; j++) {
        fmpq *x = &p->loss[p->count];
        fmpq_mul_si(x, step, -j);
        fmpq_add(x, x, p->last);
        p->count += fmpq_sgn(x) >= 0;
    }
}

/* Multiples of r2 D from 0 on that are less than the last, or of a multiple of it. */
static void add_of_answers(struct points *p)
{
    PBY_FMPQ(step, most);
    fmpq_mul_si(step, p->use->answer.rate, p->use->sensitivity);
    fmpq_set_si(most, 1, NODES);
    fmpq_mul(most, most, p->last);
    if (fmpq_cmp(step, most) < 0) {
        PBY_FMPZ(times);
        fmpq_div(most, most, step);
        fmpz_cdiv_q(times, fmpq_numref(most), fmpq_denref(most));
        fmpq_mul_fmpz(step, step, times);
    }
    for (slong k = 0; k < NODES; k++) {
        fmpq *x = &p->loss[p->count];
        fmpq_mul_si(x, step, k);
        if (fmpq_cmp(x, p->last) >= 0)
            break;
        p->count++;
    }
}

static int by_loss(const void *one, const void *other)
{
    return fmpq_cmp(one, other);
}

/* In order, each once. */
static void sort_points(struct points *p)
{
    size_t kept = 0;
    qsort(p->loss, p->count, sizeof *p->loss, by_loss);
    for (size_t i = 0; i < p->count; i++)
        if (kept == 0 || !fmpq_equal(&p->loss[i], &p->loss[kept - 1]))
            fmpq_swap(&p->loss[kept++], &p->loss[i]);
    p->count = kept;
}

/* At the last delta is 0. */
static void find_deltas(struct points *p)
{
    PBY_FMPQ(t);
    PBY_ARB(ball);
    for (size_t i = 0; i + 1 < p->count; i++) {
        fmpq_sub(t, &p->loss[i], p->cost);
        hockey_stick(ball, p->shifted, t);
        pby_node_round_up(&p->delta[i], ball);
        pby_sparse_known_lower(&p->delta[i], p->known, &p->loss[i]);
    }
}

static pby_status pair_of_points(pby_pairs *out, const pby_sparse_use *use, const pby_pair *shifted,
                                 pby_error *err)
{
    struct points p;
    points_init(&p, use, shifted);
    add_of_threshold(&p);
    add_of_answers(&p);
    sort_points(&p);
    find_deltas(&p);
    pby_status status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_of_nodes(&out->pair[0], p.loss, p.delta, p.count, err);
    points_clear(&p);
    return status;
}

pby_status pby_sparse_pairs_geometric(pby_pairs *out, const pby_sparse_use *use, pby_error *err)
{
    pby_law *law = NULL;
    pby_pair shifted;
    pby_pair_init(&shifted);
    pby_status status = pby_law_geometric(&law, use->threshold.rate, err);
    if (status == PBY_OK)
        status = pby_pair_shift(&shifted, law, use->sensitivity, err);
    pby_pair_merge(&shifted);
    if (status == PBY_OK)
        status = pair_of_points(out, use, &shifted, err);
    pby_pair_clear(&shifted);
    pby_law_free(law);
    return status;
}
