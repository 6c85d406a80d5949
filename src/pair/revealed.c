/* SPDX-License-Identifier: MIT */
#include "pair/revealed.h"
#include "number/scoped.h"

/* Appends the atom times the factor. */
static pby_status append_scaled(pby_pair *out, const pby_atom *atom, const fmpq_t factor, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    PBY_FMPQ(zero);
    pby_expsum_mul_term(p, atom->p, factor, zero);
    pby_expsum_mul_term(q, atom->q, factor, zero);
    const pby_status status = pby_pair_append(out, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

/* Appends the two outcomes of mass theta on one side, and of none on the other. */
static pby_status append_revealed(pby_pair *out, const fmpq_t theta, pby_error *err)
{
    pby_atom first, second;
    pby_expsum_init(first.p);
    pby_expsum_init(first.q);
    pby_expsum_init(second.p);
    pby_expsum_init(second.q);
    pby_expsum_set(first.p, out->norm_p);
    pby_expsum_set(second.q, out->norm_q);
    pby_status status = append_scaled(out, &first, theta, err);
    if (status == PBY_OK)
        status = append_scaled(out, &second, theta, err);
    pby_expsum_clear(second.q);
    pby_expsum_clear(second.p);
    pby_expsum_clear(first.q);
    pby_expsum_clear(first.p);
    return status;
}

static pby_status reveal(pby_pair *pair, const fmpq_t theta, pby_error *err)
{
    pby_pair out;
    pby_pair_init(&out);
    PBY_FMPQ(rest);
    fmpq_sub_si(rest, theta, 1);
    fmpq_neg(rest, rest);
    out.direction = pair->direction;
    pby_expsum_set(out.norm_p, pair->norm_p);
    pby_expsum_set(out.norm_q, pair->norm_q);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < pair->count && status == PBY_OK; i++)
        status = append_scaled(&out, &pair->atoms[i], rest, err);
    if (status == PBY_OK)
        status = append_revealed(&out, theta, err);
    pby_pair_clear(pair);
    *pair = out;
    return status;
}

pby_status pby_pairs_reveal(pby_pairs *pairs, const fmpq_t theta, pby_error *err)
{
    for (size_t i = 0; i < pairs->count; i++)
        PBY_TRY(reveal(&pairs->pair[i], theta, err));
    return PBY_OK;
}
