/* SPDX-License-Identifier: MIT */
#include "loss/compose/parts.h"

#include <stdlib.h>

#include "loss/compose/farthest.h"
#include "loss/profile/promised.h"
#include "mechanism/gauss/gauss.h"
#include "number/scoped.h"
#include "pair/product.h"

/* The exact product is tried while its atoms times their terms stay below this. */
enum { EXACT_WORK = 1024 };

/* ---- parts ------------------------------------------------------------------------------------ */

static bool same_mechanism(const pby_mechanism *a, const pby_mechanism *b)
{
    if (a->family != b->family)
        return false;
    for (size_t i = 0; i < PBY_PARAMETERS_MAX; i++)
        if (!fmpq_equal(&a->value[i], &b->value[i]))
            return false;
    return true;
}

/* Returns the number of times that the mechanism of use i occurs in the spec; 0 if an earlier use has
 * counted it. */
static uint64_t count_uses(const pby_spec *spec, size_t i)
{
    uint64_t times = 0;
    for (size_t j = 0; j < spec->count; j++) {
        if (!same_mechanism(&spec->use[i].mechanism, &spec->use[j].mechanism))
            continue;
        if (j < i)
            return 0;
        times += spec->use[j].times;
    }
    return times;
}

/* Room for count parts, none of them set. */
static pby_status parts_init(pby_parts *out, size_t count, pby_error *err)
{
    *out = (pby_parts){calloc(count, sizeof *out->part), 0};
    return out->part == NULL ? pby_no_memory(err) : PBY_OK;
}

static void add_part(pby_parts *out, pby_pairs *pairs, uint64_t times, uint64_t reached)
{
    for (size_t i = 0; i < pairs->count; i++)
        pby_pair_merge(&pairs->pair[i]);
    out->part[out->count++] = (pby_part){.pairs = *pairs, .times = times, .reached = reached};
}

/* Moves the factors of a product that is used so many times. */
static void add_product(pby_parts *out, pby_product *product, uint64_t times)
{
    for (size_t i = 0; i < product->count; i++) {
        pby_factor *f = &product->factor[i];
        add_part(out, &f->pairs, f->times * times, f->reached * times);
    }
}

pby_status pby_parts_of_factors(pby_parts *out, const pby_mechanism *m, pby_neighbours relation,
                                pby_error *err)
{
    pby_product product;
    pby_status status = parts_init(out, PBY_PARTS_MAX, err);
    if (status == PBY_OK)
        status = pby_factors_of(&product, m, relation, err);
    if (status == PBY_OK)
        add_product(out, &product, 1);
    else
        pby_parts_clear(out);
    return status;
}

/* Beyond so many uses a continuum of pairs is taken for the one pair that dominates all of them, and
 * from below beyond still more any list for the one that adds up to most: to choose one of many after every
 * output would take too long. So would a choice for each of several such mechanisms, and each of these is
 * taken for its one pair, however few its uses are. */
enum { MANY = 8, VERY_MANY = 32 };

/* The cells of triangles take too long for more uses on samples of fixed size (docs/theory/sampling.md). */
enum { MANY_FIXED = 200 };

static bool is_continuum(const pby_mechanism *m)
{
    PBY_PRIVACY(p, m);
    return p.searched && p.single != PBY_SINGLE_NONE && !pby_mechanism_fixed(m);
}

/* True if the spec has a continuum of pairs beside another, or beside a mechanism that has several pairs
 * where it is composed and fewer alone, such as threshold. */
static bool several_continua(const pby_spec *spec)
{
    size_t continua = 0, others = 0;
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        if (pby_mechanism_lists(m, PBY_ONCE) && count_uses(spec, i) > 0)
            *(is_continuum(m) ? &continua : &others) += 1;
    }
    return continua > 1 || (continua == 1 && others > 0);
}

/* `one` asks for the one pair of a continuum, and for one of those that are attained. */
static pby_status append_part(pby_parts *out, const pby_mechanism *m, uint64_t times, bool one,
                              pby_neighbours relation, pby_error *err)
{
    const bool fixed = pby_mechanism_fixed(m),
               many = ((one || times > MANY) && is_continuum(m)) || (fixed && times > MANY_FIXED);
    const pby_wanted wanted = {many ? PBY_ONCE : PBY_ABOVE, relation, .factors = true};
    pby_product product;
    PBY_TRY(pby_product_of(&product, m, &wanted, err));
    add_product(out, &product, times);
    if (product.factored)
        return PBY_OK;
    pby_pairs *attained = &out->part[out->count - 1].attained;
    PBY_TRY(pby_mechanism_attained(attained, m, relation, err));
    if (attained->count < 2 || fixed || (times <= VERY_MANY && !(many && one)))
        return PBY_OK;
    PBY_TRY(pby_pairs_diverge(attained, m, relation, err));
    pby_pairs_keep_farthest(attained);
    return PBY_OK;
}

static pby_status parts_of(pby_parts *out, const pby_spec *spec, bool one, pby_neighbours relation,
                           pby_error *err)
{
    pby_mechanism gauss;
    pby_mechanism_init(&gauss, &pby_family_gauss);
    const bool some = pby_gauss_gather(&gauss, spec);
    pby_status status = parts_init(out, PBY_PARTS_MAX * spec->count, err);
    if (status == PBY_OK && some)
        status = append_part(out, &gauss, 1, one, relation, err);
    for (size_t i = 0; i < spec->count && status == PBY_OK; i++) {
        const uint64_t times = pby_gauss_gathers(&spec->use[i].mechanism) ? 0 : count_uses(spec, i);
        if (times > 0)
            status = append_part(out, &spec->use[i].mechanism, times, one, relation, err);
    }
    pby_mechanism_clear(&gauss);
    if (status != PBY_OK)
        pby_parts_clear(out);
    return status;
}

pby_status pby_parts_of_spec(pby_parts *out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    return parts_of(out, spec, several_continua(spec), relation, err);
}

pby_status pby_parts_dominating(pby_parts *out, const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    return parts_of(out, spec, true, relation, err);
}

/* Sets *out to pairs that a use is known to reach, where its own pairs are not listed. */
static pby_status pairs_below(pby_pairs *out, const pby_mechanism *m, pby_neighbours relation, size_t c,
                              size_t tries, pby_error *err)
{
    PBY_PRIVACY(p, m);
    if (p.paired)
        return pby_mechanism_attained(out, m, relation, err);
    *out = (pby_pairs){NULL, 0};
    return p.promise.made ? pby_promise_coins(out, &p.promise, c, tries, err) : PBY_OK;
}

pby_status pby_parts_below(pby_parts *out, const pby_spec *spec, pby_neighbours relation, size_t c,
                           pby_error *err)
{
    const bool one = several_continua(spec);
    pby_parts listed = {NULL, 0};
    pby_status status = parts_init(out, PBY_PARTS_MAX * spec->count, err);
    for (size_t i = 0; i < spec->count && status == PBY_OK; i++) {
        const pby_use *use = &spec->use[i];
        pby_pairs pairs;
        PBY_PRIVACY(p, &use->mechanism);
        if (p.paired && !p.unlisted) {
            status = append_part(out, &use->mechanism, use->times, one, relation, err);
            continue;
        }
        status = pairs_below(&pairs, &use->mechanism, relation, c, pby_promise_tries(spec), err);
        if (status == PBY_OK && pairs.count > 0)
            add_part(out, &pairs, use->times, use->times);
    }
    if (status == PBY_OK && !pby_parts_are_reached(out)) {
        status = pby_parts_reached(&listed, out, err);
        pby_parts_clear(out);
        *out = listed;
    }
    if (status != PBY_OK)
        pby_parts_clear(out);
    return status;
}

pby_status pby_parts_witness(pby_parts *out, const pby_spec *spec, pby_neighbours relation, size_t c,
                             pby_error *err)
{
    const pby_wanted wanted = {PBY_BELOW, relation, .input = c + 1};
    pby_product product;
    pby_status status = parts_init(out, PBY_PARTS_MAX, err);
    if (status == PBY_OK && spec->count == 1) {
        status = pby_product_of(&product, &spec->use[0].mechanism, &wanted, err);
        if (status == PBY_OK)
            add_product(out, &product, spec->use[0].times);
    }
    if (status != PBY_OK)
        pby_parts_clear(out);
    return status;
}

void pby_parts_clear(pby_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        pby_pairs_clear(&parts->part[i].pairs);
        pby_pairs_clear(&parts->part[i].attained);
    }
    free(parts->part);
    *parts = (pby_parts){NULL, 0};
}

bool pby_parts_are_reached(const pby_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->part[i].reached < parts->part[i].times || parts->part[i].attained.count > 0)
            return false;
    return true;
}

pby_status pby_parts_reached(pby_parts *out, const pby_parts *parts, pby_error *err)
{
    pby_status status = parts_init(out, parts->count, err);
    for (size_t i = 0; i < parts->count && status == PBY_OK; i++) {
        const pby_part *part = &parts->part[i];
        if (part->reached == 0)
            continue;
        pby_part *copy = &out->part[out->count++];
        *copy = (pby_part){.times = part->reached, .reached = part->reached};
        status = pby_pairs_copy(&copy->pairs, part->attained.count > 0 ? &part->attained : &part->pairs, err);
    }
    if (status != PBY_OK)
        pby_parts_clear(out);
    return status;
}

uint64_t pby_parts_times(const pby_parts *parts)
{
    uint64_t times = 0;
    for (size_t i = 0; i < parts->count; i++)
        times += parts->part[i].times;
    return times;
}

size_t pby_parts_directions(pby_direction directions[2], const pby_parts *parts)
{
    directions[0] = PBY_BOTH;
    for (size_t i = 0; i < parts->count; i++)
        for (size_t j = 0; j < parts->part[i].pairs.count; j++)
            if (parts->part[i].pairs.pair[j].direction != PBY_BOTH) {
                directions[0] = PBY_FORWARD;
                directions[1] = PBY_BACKWARD;
                return 2;
            }
    return 1;
}

const pby_pair *pby_part_pair(const pby_part *part, pby_direction direction, size_t i)
{
    size_t found = 0;
    for (size_t j = 0; j < part->pairs.count; j++) {
        const pby_pair *pair = &part->pairs.pair[j];
        if ((pair->direction == direction || pair->direction == PBY_BOTH) && found++ == i)
            return pair;
    }
    return found == 0 && i < part->pairs.count ? &part->pairs.pair[i] : NULL;
}

bool pby_parts_choose(const pby_parts *parts)
{
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    for (size_t d = 0; d < count; d++)
        for (size_t i = 0; i < parts->count; i++)
            if (pby_part_pair(&parts->part[i], directions[d], 1) != NULL)
                return true;
    return false;
}

bool pby_pair_rational(fmpq_t unit, fmpq_t largest, const pby_pair *pair)
{
    pby_expsum_t p, q;
    bool all = pair->curve == NULL, any = false;
    pby_expsum_init(p);
    pby_expsum_init(q);
    PBY_FMPQ(c, loss);
    for (size_t i = 0; i < pair->count; i++) {
        const pby_atom *atom = &pair->atoms[i];
        if (pby_expsum_is_zero(atom->p) || pby_expsum_is_zero(atom->q))
            continue;
        pby_expsum_mul(p, atom->p, pair->norm_q);
        pby_expsum_mul(q, atom->q, pair->norm_p);
        if (!pby_expsum_proportional(c, loss, p, q) || !fmpq_is_one(c)) {
            all = false;
            continue;
        }
        fmpq_gcd(unit, unit, loss);
        if (!any || fmpq_cmp(loss, largest) > 0)
            fmpq_set(largest, loss);
        any = true;
    }
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return all && any;
}

/* ---- the exact product ------------------------------------------------------------------------ */

static pby_status product_of(pby_pair *out, bool *small, const pby_parts *parts, pby_direction direction,
                             pby_error *err)
{
    pby_status status = pby_pair_one(out, err);
    out->direction = direction;
    for (size_t i = 0; i < parts->count; i++) {
        const pby_pair *factor = pby_part_pair(&parts->part[i], direction, 0);
        *small = *small && factor != NULL && factor->curve == NULL &&
                 pby_part_pair(&parts->part[i], direction, 1) == NULL &&
                 pby_pair_terms(factor) * parts->part[i].times <= EXACT_WORK;
        for (uint64_t k = 0; k < parts->part[i].times && *small && status == PBY_OK; k++) {
            status = pby_pair_multiply(out, factor, err);
            *small = pby_pair_terms(out) <= EXACT_WORK;
        }
    }
    return status;
}

pby_status pby_parts_product(pby_pairs *out, bool *done, const pby_parts *parts, pby_error *err)
{
    pby_direction directions[2];
    pby_status status = pby_pairs_init(out, pby_parts_directions(directions, parts), err);
    *done = true;
    for (size_t i = 0; i < out->count && status == PBY_OK && *done; i++)
        status = product_of(&out->pair[i], done, parts, directions[i], err);
    if (status != PBY_OK || !*done)
        pby_pairs_clear(out);
    return status;
}
