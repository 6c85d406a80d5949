/* SPDX-License-Identifier: MIT */
/* Lists the states that the outcomes lead to, without a number yet. */
#include "loss/compose/few.h"

#include <stdlib.h>
#include <string.h>

enum { TALLIES_MAX = 1 << 16, STATES_MAX = 1 << 15, CHILDREN_MAX = 1 << 17, DISTANCE_MAX = 1 << 29 };

/* ---- pairs ------------------------------------------------------------------------------------ */

static bool common(const pby_atom *atom)
{
    return !pby_expsum_is_zero(atom->p) && !pby_expsum_is_zero(atom->q);
}

static void pair_clear(pby_few_pair *f)
{
    free(f->outcome);
    free(f->axis);
    free(f->steps);
    if (f->mass != NULL)
        _arb_vec_clear(f->mass, (slong)f->count);
    arb_clear(f->infinite);
}

static bool pair_init(pby_few_pair *f, const pby_pair *pair, pby_axes *axes)
{
    *f = (pby_few_pair){.pair = pair};
    arb_init(f->infinite);
    f->outcome = calloc(pair->count + 1, sizeof *f->outcome);
    f->axis = calloc(pair->count + 1, sizeof *f->axis);
    f->steps = calloc(pair->count + 1, sizeof *f->steps);
    if (f->outcome == NULL || f->axis == NULL || f->steps == NULL)
        return false;
    for (size_t i = 0; i < pair->count; i++)
        if (common(&pair->atoms[i])) {
            f->outcome[f->count] = (pby_pair_atom){pair, i};
            pby_axes_divide(axes, &f->outcome[f->count++]);
        }
    f->mass = _arb_vec_init((slong)f->count);
    return true;
}

/* True if the outcomes have places, which all uses together stay in reach of. */
static bool pair_place(pby_few_pair *f, pby_axes *axes, uint64_t times)
{
    for (size_t i = 0; i < f->count; i++)
        if (!pby_axes_place(&f->axis[i], &f->steps[i], axes, &f->outcome[i]) ||
            (uint64_t)labs((long)f->steps[i]) > DISTANCE_MAX / times)
            return false;
    return true;
}

/* ---- parts ------------------------------------------------------------------------------------ */

/* True if the pairs of the part are made of atoms, as few as may be gone through. */
static bool may_be_few(const pby_part *part, pby_direction direction)
{
    enum { ATOMS_MAX = 4096 };
    const pby_pair *pair;
    for (size_t i = 0; (pair = pby_part_pair(part, direction, i)) != NULL; i++)
        if (pair->curve != NULL || pair->count > ATOMS_MAX || i > ATOMS_MAX)
            return false;
    return part->times <= TALLIES_MAX;
}

static bool part_init(pby_few_part *f, const pby_part *part, pby_direction direction, pby_axes *axes)
{
    *f = (pby_few_part){.pair = calloc(part->pairs.count, sizeof *f->pair), .times = part->times};
    const pby_pair *pair;
    bool memory = f->pair != NULL;
    while (memory && (pair = pby_part_pair(part, direction, f->count)) != NULL)
        memory = pair_init(&f->pair[f->count++], pair, axes);
    return memory;
}

static bool part_place(pby_few_part *f, pby_axes *axes)
{
    for (size_t i = 0; i < f->count; i++)
        if (!pair_place(&f->pair[i], axes, f->times))
            return false;
    return f->count > 1 || f->pair[0].count > 0;
}

static void part_clear(pby_few_part *f)
{
    for (size_t i = 0; i < f->count; i++)
        pair_clear(&f->pair[i]);
    free(f->pair);
}

/* ---- tallies ---------------------------------------------------------------------------------- */

/* All ways in which the uses of the parts of one pair can come out: `rest` uses of this part are still to be
 * given to its outcomes from this one on. */
static bool tally(pby_few_way *w, size_t part, size_t outcome, uint64_t rest, int32_t *key)
{
    while (part < w->count && w->part[part].count > 1)
        if (++part < w->count)
            rest = w->part[part].times;
    if (part == w->count) {
        const size_t at = w->tallies < TALLIES_MAX ? pby_states_add(&w->state, key) : STATES_MAX;
        if (at < STATES_MAX)
            w->tally[w->tallies++] = (uint32_t)at;
        return at < STATES_MAX;
    }
    const pby_few_pair *pair = &w->part[part].pair[0];
    const bool last = outcome + 1 == pair->count;
    int32_t *along = &key[pair->axis[outcome]];
    const int32_t held = *along;
    bool few = true;
    for (uint64_t n = last ? rest : 0; n <= rest && few; n++) {
        *along = held + (int32_t)n * pair->steps[outcome];
        few = !last ? tally(w, part, outcome + 1, rest - n, key)
                    : tally(w, part + 1, 0, part + 1 < w->count ? w->part[part + 1].times : 0, key);
    }
    *along = held;
    return few;
}

/* ---- choices ---------------------------------------------------------------------------------- */

/* Adds the states that every outcome of every pair of a part leads to from one state, whose key is changed
 * and changed back. */
static bool follow(pby_few_way *w, size_t part, int32_t *key)
{
    const pby_few_part *f = &w->part[part];
    bool few = true;
    key[w->axes.count + part]--;
    for (size_t c = 0; c < f->count && few; c++)
        for (size_t i = 0; i < f->pair[c].count && few; i++) {
            int32_t *along = &key[f->pair[c].axis[i]];
            *along += f->pair[c].steps[i];
            const size_t at = w->children < CHILDREN_MAX ? pby_states_add(&w->state, key) : STATES_MAX;
            *along -= f->pair[c].steps[i];
            few = at < STATES_MAX;
            if (few)
                w->child[w->children++] = (uint32_t)at;
        }
    key[w->axes.count + part]++;
    return few;
}

static bool follow_all(pby_few_way *w, int32_t *key)
{
    w->starts = w->state.count;
    for (size_t s = 0; s < w->state.count; s++) {
        memcpy(key, pby_states_at(&w->state, s), w->state.width * sizeof *key);
        for (size_t i = 0; i < w->count; i++)
            if (key[w->axes.count + i] > 0 && !follow(w, i, key))
                return false;
    }
    return true;
}

/* ---- directions ------------------------------------------------------------------------------- */

static void way_clear(pby_few_way *w)
{
    for (size_t i = 0; i < w->count; i++)
        part_clear(&w->part[i]);
    free(w->part);
    free(w->tally);
    free(w->child);
    if (w->loss != NULL) {
        _arb_vec_clear(w->loss, (slong)w->axes.count);
        _arb_vec_clear(w->weight, (slong)w->starts);
        _arb_vec_clear(w->value, (slong)w->state.count);
    }
    pby_states_clear(&w->state);
    pby_axes_clear(&w->axes);
    arb_clear(w->infinite);
}

static bool way_walk(bool *few, pby_few_way *w)
{
    int32_t *key = calloc(w->axes.count + w->count, sizeof *key);
    w->tally = malloc(TALLIES_MAX * sizeof *w->tally);
    w->child = malloc(CHILDREN_MAX * sizeof *w->child);
    const bool memory = key != NULL && w->tally != NULL && w->child != NULL &&
                        pby_states_init(&w->state, w->axes.count + w->count, STATES_MAX);
    if (memory) {
        for (size_t i = 0; i < w->count; i++)
            key[w->axes.count + i] = w->part[i].count > 1 ? (int32_t)w->part[i].times : 0;
        *few = tally(w, 0, 0, w->part[0].times, key) && follow_all(w, key);
    }
    free(key);
    return memory;
}

/* False without memory; *few as pby_few_new has it. */
static bool way_init(bool *few, pby_few_way *w, const pby_parts *parts, pby_direction direction)
{
    *w = (pby_few_way){.part = calloc(parts->count, sizeof *w->part)};
    pby_axes_init(&w->axes);
    arb_init(w->infinite);
    bool memory = w->part != NULL;
    for (size_t i = 0; i < parts->count && *few && memory; i++) {
        *few = may_be_few(&parts->part[i], direction);
        if (*few)
            memory = part_init(&w->part[w->count++], &parts->part[i], direction, &w->axes);
    }
    for (size_t i = 0; i < w->count && *few && memory; i++)
        *few = part_place(&w->part[i], &w->axes);
    if (memory && *few)
        memory = way_walk(few, w);
    if (memory && *few) {
        w->loss = _arb_vec_init((slong)w->axes.count);
        w->weight = _arb_vec_init((slong)w->starts);
        w->value = _arb_vec_init((slong)w->state.count);
    }
    return memory;
}

pby_status pby_few_new(pby_few **out, const pby_parts *parts, pby_error *err)
{
    pby_direction directions[2];
    const size_t count = pby_parts_directions(directions, parts);
    bool few = true, memory = true;
    *out = NULL;
    pby_few *f = calloc(1, sizeof *f);
    if (f == NULL)
        return pby_no_memory(err);
    while (f->count < count && few && memory) {
        memory = way_init(&few, &f->way[f->count], parts, directions[f->count]);
        f->count++;
    }
    if (memory && few)
        *out = f;
    else
        pby_few_free(f);
    return memory ? PBY_OK : pby_no_memory(err);
}

void pby_few_free(pby_few *few)
{
    if (few == NULL)
        return;
    for (size_t i = 0; i < few->count; i++)
        way_clear(&few->way[i]);
    free(few);
}
