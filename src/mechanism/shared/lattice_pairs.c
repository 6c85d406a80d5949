/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/lattice_pairs.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { EPS };

/* x += times exp(-rate fall) */
static void add_weight(pby_expsum_t x, uint64_t times, uint64_t fall, const fmpq_t rate)
{
    PBY_FMPQ(count, exponent);
    fmpz_set_ui(fmpq_numref(count), fall);
    fmpq_mul(exponent, rate, count);
    fmpq_neg(exponent, exponent);
    fmpz_set_ui(fmpq_numref(count), times);
    pby_expsum_add_term(x, count, exponent);
}

static pby_status append(pby_pair *pair, const pby_cells_fall *c, const fmpq_t rate, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    add_weight(p, c->times, c->here, rate);
    add_weight(q, c->times, c->there, rate);
    add_weight(pair->norm_p, c->times, c->here, rate);
    add_weight(pair->norm_q, c->times, c->there, rate);
    const pby_status status = pby_pair_append(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

pby_status pby_lattice_pair(pby_pair *pair, const pby_cells_fall *cells, size_t n, const fmpq_t rate,
                            pby_error *err)
{
    pby_status status = PBY_OK;
    pby_expsum_zero(pair->norm_p);
    pby_expsum_zero(pair->norm_q);
    for (size_t i = 0; i < n && status == PBY_OK; i++)
        if (cells[i].times > 0)
            status = append(pair, &cells[i], rate, err);
    return status == PBY_OK ? pby_pair_gather(pair, err) : status;
}

void pby_lattice_others(arb_t chance, uint64_t cells, const fmpq_t rate, const fmpq_t fall, slong prec)
{
    PBY_FMPQ(exponent);
    PBY_ARB(all);
    fmpq_mul(exponent, rate, fall);
    fmpq_neg(exponent, exponent);
    pby_exp_fmpq(chance, exponent, prec);
    arb_mul_ui(chance, chance, (ulong)cells - 1, prec);
    arb_add_ui(all, chance, 1, prec);
    arb_div(chance, chance, all, prec);
}

bool pby_lattice_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                       slong prec)
{
    (void)relation;
    (void)prec;
    arb_zero(delta);
    return fmpq_cmp(epsilon, &m->value[EPS]) >= 0;
}

void pby_lattice_privacy(pby_privacy *p, const pby_mechanism *m)
{
    p->single = PBY_SINGLE_BOUND;
    fmpq_set(p->units, &m->value[EPS]);
}
