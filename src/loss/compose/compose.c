/* SPDX-License-Identifier: MIT */
#include "loss/compose/compose.h"

#include <stdlib.h>

#include "loss/compose/grid.h"
#include "loss/profile/profile_between.h"
#include "loss/profile/promised.h"
#include "number/scoped.h"

static pby_status profiles_of_pairs(pby_profiles *out, pby_pairs *pairs, pby_error *err)
{
    PBY_TRY(pby_profiles_init(out, pairs->count, err));
    for (size_t i = 0; i < pairs->count; i++)
        PBY_TRY(pby_profile_of_pair(&out->profile[i], &pairs->pair[i], err));
    return PBY_OK;
}

pby_status pby_compose_parts(pby_profiles *out, pby_parts *parts, const fmpq *width, pby_error *err)
{
    if (parts->count == 1 && parts->part[0].times == 1)
        return profiles_of_pairs(out, &parts->part[0].pairs, err);
    pby_pairs product;
    bool done;
    pby_status status = pby_parts_product(&product, &done, parts, err);
    if (status == PBY_OK && done) {
        status = profiles_of_pairs(out, &product, err);
        pby_pairs_clear(&product);
    } else if (status == PBY_OK) {
        status = pby_profiles_init(out, 1, err);
        if (status == PBY_OK)
            status = pby_profile_of_few(&out->profile[0], parts, width, err);
        if (status == PBY_OK && out->profile[0] == NULL)
            status = pby_profile_of_parts(&out->profile[0], parts, width, err);
    }
    return status;
}

/* Moves the profiles of one list to the end of another. */
static pby_status append_profiles(pby_profiles *list, pby_profiles *more, pby_error *err)
{
    pby_profile **all = reallocarray(list->profile, list->count + more->count, sizeof *all);
    if (all == NULL)
        return pby_no_memory(err);
    list->profile = all;
    for (size_t i = 0; i < more->count; i++)
        all[list->count++] = more->profile[i];
    more->count = 0;
    return PBY_OK;
}

/* Appends the profiles of other neighbours, beside those of the parts; they give lower bounds. */
static pby_status append_witnesses(pby_profiles *list, const pby_spec *spec, pby_neighbours relation,
                                   const fmpq *width, pby_error *err)
{
    pby_status status = PBY_OK;
    bool more = true;
    for (size_t c = 0; more && status == PBY_OK; c++) {
        pby_parts parts;
        pby_profiles one = {NULL, 0};
        status = pby_parts_witness(&parts, spec, relation, c, err);
        more = status == PBY_OK && parts.count > 0;
        if (more)
            status = pby_compose_parts(&one, &parts, width, err);
        if (more && status == PBY_OK)
            status = append_profiles(list, &one, err);
        pby_profiles_clear(&one);
        pby_parts_clear(&parts);
    }
    return status;
}

/* True if more is asked than the usual width. */
static bool is_sharp(const fmpq_t width)
{
    PBY_FMPQ(usual);
    fmpq_set_si(usual, 1, PBY_WIDTH);
    return fmpq_cmp(width, usual) < 0;
}

/* Rarer and rarer coins, beside the first, for the uses that are known by a promise alone. */
static pby_status append_coins(pby_profiles *list, const pby_spec *spec, pby_neighbours relation,
                               const fmpq *width, pby_error *err)
{
    const size_t tries = pby_promise_tries(spec);
    pby_status status = PBY_OK;
    for (size_t c = 1; c < tries && status == PBY_OK; c++) {
        pby_parts parts;
        pby_profiles one = {NULL, 0};
        status = pby_parts_below(&parts, spec, relation, c, err);
        if (status == PBY_OK && parts.count > 0)
            status = pby_compose_parts(&one, &parts, width, err);
        if (status == PBY_OK && one.count > 0)
            status = append_profiles(list, &one, err);
        pby_profiles_clear(&one);
        pby_parts_clear(&parts);
    }
    return status;
}

/* Puts what some neighbours reach below a profile that is only a bound. */
static pby_status bound_below(pby_profiles *list, pby_parts *reached, const pby_spec *spec,
                              pby_neighbours relation, const fmpq *width, pby_error *err)
{
    pby_profiles least = {NULL, 0}, most = *list;
    pby_grid usual;
    pby_grid_init(&usual, 0, width);
    *list = (pby_profiles){NULL, 0};
    pby_status status = pby_compose_parts(&least, reached, width, err);
    if (status == PBY_OK)
        status = append_witnesses(&least, spec, relation, width, err);
    if (status == PBY_OK)
        status = append_coins(&least, spec, relation, width, err);
    if (status == PBY_OK)
        status = pby_profiles_init(list, 1, err);
    if (status == PBY_OK)
        status =
            pby_profile_between(&list->profile[0], &least, &most, usual.width, is_sharp(usual.width), err);
    pby_grid_clear(&usual);
    pby_profiles_clear(&least);
    pby_profiles_clear(&most);
    return status;
}

pby_status pby_compose_below(pby_profiles *list, const pby_spec *spec, pby_neighbours relation,
                             const fmpq *width, pby_error *err)
{
    pby_parts below;
    pby_status status = pby_parts_below(&below, spec, relation, 0, err);
    if (status == PBY_OK && below.count > 0)
        status = bound_below(list, &below, spec, relation, width, err);
    pby_parts_clear(&below);
    return status;
}

/* The profiles of pairs, which are cleared, unless they were not to be had. */
static pby_status profiles_alone(pby_profiles *out, pby_pairs *pairs, pby_status status, pby_error *err)
{
    for (size_t i = 0; i < pairs->count; i++)
        pby_pair_merge(&pairs->pair[i]);
    if (status == PBY_OK)
        status = profiles_of_pairs(out, pairs, err);
    pby_pairs_clear(pairs);
    return status;
}

/* A single use that fewer pairs are enough for; of a loose family they may only bound it. */
static pby_status compose_alone(pby_profiles *out, const pby_mechanism *m, pby_neighbours relation,
                                pby_error *err)
{
    pby_pairs pairs;
    pby_profiles most, least = {NULL, 0};
    PBY_PRIVACY(p, m);
    pby_status status = pby_mechanism_alone(&pairs, m, relation, err);
    status = profiles_alone(out, &pairs, status, err);
    if (status != PBY_OK || p.single != PBY_SINGLE_BOUND)
        return status;
    most = *out;
    *out = (pby_profiles){NULL, 0};
    PBY_FMPQ(width);
    fmpq_set_si(width, 1, PBY_WIDTH);
    status = pby_mechanism_attained(&pairs, m, relation, err);
    status = profiles_alone(&least, &pairs, status, err);
    if (status == PBY_OK)
        status = pby_profiles_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_profile_between(&out->profile[0], &least, &most, width, true, err);
    pby_profiles_clear(&least);
    pby_profiles_clear(&most);
    return status;
}

static pby_status compose_spec(pby_profiles *out, const pby_spec *spec, pby_neighbours relation,
                               const fmpq *width, pby_error *err)
{
    pby_parts parts, reached = {NULL, 0};
    pby_status status = pby_parts_of_spec(&parts, spec, relation, err);
    const bool bound = status == PBY_OK && !pby_parts_are_reached(&parts);
    if (bound)
        status = pby_parts_reached(&reached, &parts, err);
    if (status == PBY_OK)
        status = pby_compose_parts(out, &parts, width, err);
    if (status == PBY_OK && bound)
        status = bound_below(out, &reached, spec, relation, width, err);
    pby_parts_clear(&reached);
    pby_parts_clear(&parts);
    return status;
}

pby_status pby_compose(pby_profiles *out, const pby_spec *spec, pby_neighbours relation, const fmpq *width,
                       pby_error *err)
{
    const pby_mechanism *first = &spec->use[0].mechanism;
    *out = (pby_profiles){NULL, 0};
    const pby_status status = pby_spec_is_single(spec) && pby_mechanism_stands_alone(first)
                                  ? compose_alone(out, first, relation, err)
                                  : compose_spec(out, spec, relation, width, err);
    if (status != PBY_OK)
        pby_profiles_clear(out);
    return status;
}
