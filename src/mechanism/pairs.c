/* SPDX-License-Identifier: MIT */
/* A family's pairs, asked for where no half of them can stay behind, revealed with the chance theta of a
 * random query, and sampled where the mechanism is. */
#include "mechanism/family.h"
#include "mechanism/truncation.h"
#include "number/scoped.h"
#include "pair/mixed.h"
#include "pair/revealed.h"
#include "pair/sampled.h"

/* The pairs of a sample of fixed size: the one that dominates it, or those that some neighbours attain. */
static pby_status fixed(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, bool attained,
                        pby_error *err)
{
    pby_status status = m->family->pairs(out, m, relation, err);
    if (status == PBY_OK)
        status = attained ? pby_pairs_sample(out, pby_mechanism_sample(m), err)
                          : pby_pairs_fix(out, pby_mechanism_sample(m), err);
    if (status != PBY_OK)
        pby_pairs_clear(out);
    return status;
}

/* The pairs of a sample of at most so many records: those of the sample, or, with the chance that it is
 * truncated, those of a sample in which a record takes the place of another, so moves the query twice as far.
 * Some neighbours, those without other records, attain the former (docs/theory/sampling.md). */
static pby_status truncated(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, bool attained,
                            pby_error *err)
{
    pby_mechanism twice;
    pby_pairs far = {NULL, 0};
    PBY_FMPQ(chance);
    pby_mechanism_init(&twice, m->family);
    pby_truncation_chance(chance, m);
    pby_status status = m->family->pairs(out, m, relation, err);
    if (status == PBY_OK)
        status = pby_pairs_sample(out, pby_mechanism_sample(m), err);
    if (status == PBY_OK && !attained && !fmpq_is_zero(chance)) {
        pby_mechanism_twice(&twice, m);
        status = m->family->pairs(&far, &twice, relation, err);
        if (status == PBY_OK)
            status = pby_pairs_sample(&far, pby_mechanism_sample(m), err);
        if (status == PBY_OK)
            status = pby_pairs_mix(out, &far, chance, err);
        pby_pairs_clear(&far);
    }
    if (status != PBY_OK)
        pby_pairs_clear(out);
    pby_mechanism_clear(&twice);
    return status;
}

static pby_status whole(pby_pairs *out, const pby_mechanism *m, pby_status status, pby_error *err)
{
    const fmpq *theta = pby_mechanism_value(m, PBY_ROLE_THETA);
    const fmpq *rate = pby_mechanism_sample(m);
    if (status == PBY_OK && theta != NULL)
        status = pby_pairs_reveal(out, theta, err);
    if (status == PBY_OK && rate != NULL)
        status = pby_pairs_sample(out, rate, err);
    if (status != PBY_OK)
        pby_pairs_clear(out);
    return status;
}

pby_status pby_mechanism_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                               pby_error *err)
{
    *out = (pby_pairs){NULL, 0};
    if (m->family->last)
        return pby_refuse(
            err, "SPEC", m->family->name,
            "a mechanism in front of it: alone it is not private, as it takes any two inputs to "
            "be told apart unless their outputs are close");
    if (m->family->first)
        return pby_refuse(err, "SPEC", m->family->name,
                          "a mechanism behind it: alone it is not private, as it only moves records");
    if (m->family->pairs == NULL)
        return pby_family_lacks(m, "dominating pairs", err);
    const pby_status status = pby_mechanism_about(m, relation, err);
    if (status == PBY_OK && pby_mechanism_fixed(m))
        return fixed(out, m, relation, false, err);
    if (status == PBY_OK && pby_mechanism_truncated(m))
        return truncated(out, m, relation, false, err);
    return status == PBY_OK ? whole(out, m, m->family->pairs(out, m, relation, err), err) : status;
}

pby_status pby_mechanism_attained(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                  pby_error *err)
{
    *out = (pby_pairs){NULL, 0};
    if (m->family->attained == NULL && !pby_mechanism_fixed(m) && !pby_mechanism_truncated(m))
        return PBY_OK;
    const pby_status status = pby_mechanism_about(m, relation, err);
    if (status == PBY_OK && pby_mechanism_fixed(m))
        return fixed(out, m, relation, true, err);
    if (status == PBY_OK && pby_mechanism_truncated(m))
        return truncated(out, m, relation, true, err);
    return status == PBY_OK ? whole(out, m, m->family->attained(out, m, relation, err), err) : status;
}

pby_status pby_mechanism_diverging(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                   const fmpq *order, pby_error *err)
{
    if (m->family->diverging == NULL)
        return pby_mechanism_attained(out, m, relation, err);
    *out = (pby_pairs){NULL, 0};
    const pby_status status = pby_mechanism_about(m, relation, err);
    return status == PBY_OK ? whole(out, m, m->family->diverging(out, m, relation, order, err), err) : status;
}

bool pby_mechanism_unlisted(const pby_mechanism *m)
{
    return m->family->unlisted != NULL && m->family->unlisted(m);
}

bool pby_mechanism_stands_alone(const pby_mechanism *m)
{
    return m->family->alone != NULL && (m->family->stands_alone == NULL || m->family->stands_alone(m));
}

pby_status pby_mechanism_alone(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                               pby_error *err)
{
    if (!pby_mechanism_stands_alone(m))
        return pby_mechanism_pairs(out, m, relation, err);
    *out = (pby_pairs){NULL, 0};
    const pby_status status = pby_mechanism_about(m, relation, err);
    return status == PBY_OK ? whole(out, m, m->family->alone(out, m, relation, err), err) : status;
}

pby_status pby_mechanism_part(pby_pairs *out, uint64_t *times, uint64_t *reached, const pby_mechanism *m,
                              pby_neighbours relation, size_t i, pby_error *err)
{
    *out = (pby_pairs){NULL, 0};
    *times = *reached = 0;
    if (m->family->piece == NULL)
        return pby_family_lacks(m, "parts", err);
    pby_status status = pby_mechanism_about(m, relation, err);
    if (status == PBY_OK)
        status = m->family->piece(out, times, reached, m, relation, i, err);
    return whole(out, m, status, err);
}

pby_status pby_mechanism_witness(pby_pairs *out, uint64_t *times, const pby_mechanism *m,
                                 pby_neighbours relation, size_t c, size_t i, pby_error *err)
{
    *out = (pby_pairs){NULL, 0};
    *times = 0;
    if (m->family->witness == NULL)
        return PBY_OK;
    return whole(out, m, m->family->witness(out, times, m, relation, c, i, err), err);
}
