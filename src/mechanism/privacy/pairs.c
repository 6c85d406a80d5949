/* SPDX-License-Identifier: MIT */
/* Lists of pairs, revealed with the chance theta of a random query, and sampled where the mechanism is. */
#include "mechanism/family.h"
#include "mechanism/gauss/gauss.h"
#include "mechanism/privacy/privacy.h"
#include "mechanism/privacy/truncation.h"
#include "number/scoped.h"
#include "pair/mixed.h"
#include "pair/revealed.h"
#include "pair/sampled.h"

void pby_product_clear(pby_product *product)
{
    for (size_t i = 0; i < PBY_PARTS_MAX; i++)
        pby_pairs_clear(&product->factor[i].pairs);
    *product = (pby_product){.count = 0};
}

/* ---- one list ---------------------------------------------------------------------------------- */

bool pby_mechanism_lists(const pby_mechanism *m, pby_list list)
{
    return m->family->list[list] != NULL;
}

static bool has_list(const pby_mechanism *m, const pby_wanted *wanted)
{
    return wanted->list == PBY_BELOW && wanted->input > 0 ? m->family->factor != NULL
                                                          : pby_mechanism_lists(m, wanted->list);
}

static pby_status list_factors(pby_product *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    for (out->count = 0; out->count < PBY_PARTS_MAX; out->count++) {
        pby_factor *f = &out->factor[out->count];
        *f = (pby_factor){.times = 0};
        PBY_TRY(m->family->factor(f, m, wanted, out->count, err));
        if (f->times == 0)
            break;
    }
    return PBY_OK;
}

/* The list as the family has it. */
static pby_status plain_list(pby_product *out, const pby_mechanism *m, const pby_wanted *wanted,
                             pby_error *err)
{
    *out = (pby_product){.factor = {{.times = 1, .reached = 1}}};
    if (wanted->list == PBY_BELOW && wanted->input > 0)
        return list_factors(out, m, wanted, err);
    PBY_TRY(m->family->list[wanted->list](&out->factor->pairs, m, wanted, err));
    out->count = out->factor->pairs.count > 0;
    out->factored = wanted->list == PBY_ABOVE && out->count == 0 && m->family->factor != NULL;
    return out->factored && wanted->factors ? list_factors(out, m, wanted, err) : PBY_OK;
}

/* Below a sample of fixed size are the removal and the addition: some neighbours attain either in either
 * order, and which of them a use has may depend on earlier outputs (docs/theory/sampling.md). */
static pby_status fixed_below(pby_product *out, const pby_mechanism *m, pby_error *err)
{
    pby_pairs *pairs = &out->factor->pairs;
    PBY_TRY(pby_pairs_sample(pairs, pby_mechanism_sample(m), err));
    for (size_t i = 0; i < pairs->count; i++)
        pairs->pair[i].direction = PBY_BOTH;
    return PBY_OK;
}

/* Above it are those of clipped records, of which more is known in a list of uses than in one, or else the
 * pair of one use. */
static pby_status fixed_above(pby_product *out, const pby_mechanism *m, const pby_wanted *wanted,
                              pby_error *err)
{
    pby_pairs known = {NULL, 0};
    pby_status status = PBY_OK;
    if (wanted->list == PBY_ABOVE)
        status = pby_gauss_clipped(&known, m, err);
    if (status == PBY_OK && known.count == 0)
        return pby_pairs_fix(&out->factor->pairs, pby_mechanism_sample(m), err);
    pby_pairs_clear(&out->factor->pairs);
    out->factor->pairs = known;
    return status;
}

static pby_status fixed_list(pby_product *out, const pby_mechanism *m, const pby_wanted *wanted,
                             pby_error *err)
{
    const pby_wanted above = {PBY_ABOVE, wanted->relation, .factors = false};
    PBY_TRY(plain_list(out, m, &above, err));
    return wanted->list == PBY_BELOW ? fixed_below(out, m, err) : fixed_above(out, m, wanted, err);
}

static pby_status sampled_list(pby_product *out, const pby_mechanism *m, const pby_wanted *above,
                               const fmpq *rate, pby_error *err)
{
    PBY_TRY(plain_list(out, m, above, err));
    return pby_pairs_sample(&out->factor->pairs, rate, err);
}

/* The pairs of a sample of at most so many records: those of the sample, or, with the chance that it is
 * truncated, those of a sample in which a record takes the place of another, so moves the query twice as far.
 * Some neighbours, those without other records, attain the former (docs/theory/sampling.md). */
static pby_status truncated_list(pby_product *out, const pby_mechanism *m, const pby_wanted *wanted,
                                 pby_error *err)
{
    const pby_wanted above = {PBY_ABOVE, wanted->relation, .factors = false};
    pby_mechanism twice;
    pby_product far;
    PBY_FMPQ(chance);
    pby_truncation_chance(chance, m);
    PBY_TRY(sampled_list(out, m, &above, pby_mechanism_sample(m), err));
    if (wanted->list == PBY_BELOW || fmpq_is_zero(chance))
        return PBY_OK;
    pby_mechanism_init(&twice, m->family);
    pby_mechanism_twice(&twice, m);
    pby_status status = sampled_list(&far, &twice, &above, pby_mechanism_sample(m), err);
    if (status == PBY_OK)
        status = pby_pairs_mix(&out->factor->pairs, &far.factor->pairs, chance, err);
    pby_product_clear(&far);
    pby_mechanism_clear(&twice);
    return status;
}

/* Inputs that are far apart are not sampled here: more than one of the records between them may be seen. */
static pby_status whole_list(pby_product *out, const pby_mechanism *m, const pby_wanted *wanted,
                             pby_error *err)
{
    const fmpq *theta = pby_mechanism_value(m, PBY_ROLE_THETA), *rate = pby_mechanism_sample(m);
    PBY_TRY(plain_list(out, m, wanted, err));
    for (size_t i = 0; i < out->count && wanted->list != PBY_APART; i++) {
        if (theta != NULL)
            PBY_TRY(pby_pairs_reveal(&out->factor[i].pairs, theta, err));
        if (rate != NULL)
            PBY_TRY(pby_pairs_sample(&out->factor[i].pairs, rate, err));
    }
    return PBY_OK;
}

static pby_status check_above(const pby_mechanism *m, pby_error *err)
{
    if (m->family->last)
        return pby_refuse(
            err, "SPEC", m->family->name,
            "a mechanism in front of it: alone it is not private, as it takes any two inputs to "
            "be told apart unless their outputs are close");
    if (m->family->first)
        return pby_refuse(err, "SPEC", m->family->name,
                          "a mechanism behind it: alone it is not private, as it only moves records");
    return m->family->list[PBY_ABOVE] != NULL ? PBY_OK : pby_family_lacks(m, "dominating pairs", err);
}

/* Another list may stand in for one that the mechanism does not have. */
static pby_wanted instead_of(const pby_wanted *wanted, const pby_mechanism *m)
{
    pby_wanted instead = *wanted;
    if (wanted->list == PBY_ONCE && !pby_mechanism_stands_alone(m))
        instead.list = PBY_ABOVE;
    if (wanted->list == PBY_DIVERGING && m->family->list[PBY_DIVERGING] == NULL)
        instead.list = PBY_BELOW;
    return instead;
}

static pby_status make_product(pby_product *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err)
{
    const bool first = wanted->list == PBY_ABOVE || (wanted->list == PBY_BELOW && wanted->input == 0);
    const bool fixed = (first || wanted->list == PBY_ONCE) && pby_mechanism_fixed(m),
               truncated = first && pby_mechanism_truncated(m);
    if (wanted->list == PBY_ABOVE)
        PBY_TRY(check_above(m, err));
    if (!has_list(m, wanted) && !fixed && !truncated)
        return PBY_OK;
    if (wanted->list != PBY_APART)
        PBY_TRY(pby_mechanism_about(m, wanted->relation, err));
    return fixed       ? fixed_list(out, m, wanted, err)
           : truncated ? truncated_list(out, m, wanted, err)
                       : whole_list(out, m, wanted, err);
}

pby_status pby_product_of(pby_product *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    const pby_wanted asked = instead_of(wanted, m);
    *out = (pby_product){.count = 0};
    const pby_status status = make_product(out, m, &asked, err);
    if (status != PBY_OK)
        pby_product_clear(out);
    return status;
}

pby_status pby_factors_of(pby_product *out, const pby_mechanism *m, pby_neighbours relation, pby_error *err)
{
    const pby_wanted wanted = {PBY_ABOVE, relation, .factors = true};
    *out = (pby_product){.factored = true};
    const pby_status status = list_factors(out, m, &wanted, err);
    if (status != PBY_OK)
        pby_product_clear(out);
    return status;
}

/* ---- lists of one factor ----------------------------------------------------------------------- */

static pby_status pairs_of(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    pby_product product;
    const pby_status status = pby_product_of(&product, m, wanted, err);
    *out = product.factor->pairs;
    return status;
}

pby_status pby_mechanism_pairs(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                               pby_error *err)
{
    return pairs_of(out, m, &(pby_wanted){PBY_ABOVE, relation, .factors = false}, err);
}

pby_status pby_mechanism_attained(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                                  pby_error *err)
{
    return pairs_of(out, m, &(pby_wanted){PBY_BELOW, relation, .input = 0}, err);
}

pby_status pby_mechanism_alone(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation,
                               pby_error *err)
{
    return pairs_of(out, m, &(pby_wanted){PBY_ONCE, relation, .input = 0}, err);
}

bool pby_mechanism_unlisted(const pby_mechanism *m)
{
    PBY_PRIVACY(p, m);
    return p.unlisted;
}

bool pby_mechanism_stands_alone(const pby_mechanism *m)
{
    PBY_PRIVACY(p, m);
    return p.single != PBY_SINGLE_NONE;
}
