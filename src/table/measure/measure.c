/* SPDX-License-Identifier: MIT */
#include "table/measure/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "number/scoped.h"
#include "table/measure/masses.h"
#include "table/row/field.h"

static pby_status renew(pby_measures *m, pby_error *err)
{
    pby_status status = PBY_OK;
    for (int k = 0; k < 2 && status == PBY_OK; k++) {
        pby_measure_free(m->measure[k]);
        status = pby_measure_new(&m->measure[k], err);
    }
    return status;
}

/* ---- kinds -------------------------------------------------------------------------------------- */

/* Both tables row by row. */
struct cursor {
    const pby_masses *table;
    int k;
    size_t i;
};

static bool find_row(struct cursor *c)
{
    while (c->k < 2 && c->i == c->table[c->k].count)
        *c = (struct cursor){c->table, c->k + 1, 0};
    return c->k < 2;
}

static const pby_masses_row *row_of(const struct cursor *c)
{
    return &c->table[c->k].row[c->i];
}

/* The first key that is not of a kind. */
static void find_other(pby_measures *out, const pby_masses table[2], pby_key_kind kind)
{
    PBY_MPQ(at);
    for (struct cursor c = {.table = table}; find_row(&c) && out->odd_line == 0; c.i++)
        if (pby_key_kind_of(at, row_of(&c)->key) != kind) {
            out->odd_table = c.k;
            out->odd_line = row_of(&c)->line;
        }
}

/* Sets *kind to the kind of the key, and appends the coordinates of a point as long as every key before it
 * was a point. */
static pby_status read_key(pby_key_kind *kind, mpq_t at, pby_coordinates *points, const pby_key_kinds *before,
                           const char *key, pby_error *err)
{
    size_t dimension = 0;
    pby_status status = PBY_OK;
    if (before->count[PBY_KEY_NUMBER] + before->count[PBY_KEY_NAME] + before->count[PBY_KEY_BEYOND] == 0)
        status = pby_key_point(&dimension, points, key, err);
    *kind = dimension > 0 ? PBY_KEY_POINT : pby_key_kind_of(at, key);
    return status;
}

/* Counts the kinds of all keys in *kinds, and fills *out as long as all are numbers, *points as long as all
 * are points. */
static pby_status read_keys(pby_measures *out, pby_key_kinds *kinds, pby_coordinates *points,
                            const pby_masses table[2], pby_error *err)
{
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    pby_status status = renew(out, err);
    for (struct cursor c = {.table = table}; status == PBY_OK && find_row(&c); c.i++) {
        pby_key_kind kind = PBY_KEY_NAME;
        status = read_key(&kind, at, points, kinds, row_of(&c)->key, err);
        pby_key_kinds_add(kinds, kind, row_of(&c)->line);
        if (status != PBY_OK || !pby_key_kinds_numbers(kinds))
            continue;
        status = pby_masses_get(mass, &table[c.k], c.i, err);
        if (status == PBY_OK)
            status = pby_measure_add(out->measure[c.k], at, mass, err);
    }
    mpq_clears(at, mass, NULL);
    return status;
}

/* The first key that is beyond, where nothing makes a name of it. */
static pby_status refuse_beyond(const pby_masses table[2], pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_MPQ(at);
    for (struct cursor c = {.table = table}; status == PBY_OK && find_row(&c); c.i++)
        if (pby_key_kind_of(at, row_of(&c)->key) == PBY_KEY_BEYOND)
            status = pby_field_refuse(table[c.k].path, row_of(&c)->line, 1, pby_key_kinds_expected, err);
    return status;
}

static pby_status decide(pby_measures *out, const pby_key_kinds *kinds, const pby_masses table[2],
                         pby_error *err)
{
    if (pby_key_kinds_numbers(kinds))
        return PBY_OK;
    if (pby_key_kinds_beyond(kinds) > 0)
        return refuse_beyond(table, err);
    out->kind = pby_key_kinds_points(kinds) ? PBY_KEY_POINT : PBY_KEY_NAME;
    if (out->kind == PBY_KEY_NAME && kinds->count[PBY_KEY_NUMBER] + kinds->count[PBY_KEY_POINT] > 0) {
        out->beside = kinds->count[PBY_KEY_NUMBER] > 0 ? PBY_KEY_NUMBER : PBY_KEY_POINT;
        find_other(out, table, out->beside);
    }
    return PBY_OK;
}

/* ---- points and names --------------------------------------------------------------------------- */

struct entry {
    const char *key;
    const __mpq_struct *at; /* its coordinates, if it is a point */
    size_t dimension;       /* how many; of a name 0 */
    size_t row;
    int table;
};

struct entries {
    struct entry *entry;
    size_t count;
};

static pby_status entries_init(struct entries *e, const pby_masses table[2], pby_error *err)
{
    *e = (struct entries){.count = table[0].count + table[1].count};
    e->entry = malloc((e->count + 1) * sizeof *e->entry);
    if (e->entry == NULL)
        return pby_no_memory(err);
    struct entry *next = e->entry;
    for (struct cursor c = {.table = table}; find_row(&c); c.i++)
        *next++ = (struct entry){.key = row_of(&c)->key, .row = c.i, .table = c.k};
    return PBY_OK;
}

/* The coordinates of points are there in the order of the rows. */
static void place_points(struct entries *e, const pby_coordinates *points)
{
    const __mpq_struct *next = points->at;
    for (size_t i = 0; i < e->count; i++) {
        struct entry *entry = &e->entry[i];
        entry->dimension = 1;
        for (const char *c = entry->key; *c != '\0'; c++)
            entry->dimension += *c == ' ';
        entry->at = next;
        next += entry->dimension;
    }
}

/* Before the entries are put in order. */
static void find_odd(pby_measures *out, const struct entries *e, const pby_masses table[2])
{
    for (size_t i = 1; i < e->count && out->odd_line == 0; i++)
        if (e->entry[i].dimension != e->entry[0].dimension) {
            out->odd_table = e->entry[i].table;
            out->odd_line = table[out->odd_table].row[e->entry[i].row].line;
        }
}

static int in_order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = (x->dimension > y->dimension) - (x->dimension < y->dimension);
    if (x->dimension == 0 && order == 0)
        return strcmp(x->key, y->key);
    for (size_t k = 0; k < x->dimension && order == 0; k++)
        order = mpq_cmp(x->at + k, y->at + k);
    return order;
}

/* True if entry i has another key than the one before it in the order. */
static bool is_new(const struct entries *e, size_t i)
{
    return i > 0 && in_order(&e->entry[i - 1], &e->entry[i]) != 0;
}

static __mpq_struct *zeros(size_t count)
{
    __mpq_struct *x = calloc(count, sizeof *x);
    for (size_t i = 0; x != NULL && i < count; i++)
        mpq_init(x + i);
    return x;
}

/* Room for the different points of one dimension, if they are few enough. */
static pby_status make_points(pby_measures *out, const struct entries *e, pby_error *err)
{
    out->points = 1;
    for (size_t i = 0; i < e->count; i++)
        out->points += is_new(e, i);
    out->dimension = e->entry[0].dimension;
    if (out->points > PBY_METRIC_MAX)
        return PBY_OK;
    out->at = zeros(out->points * out->dimension);
    out->mass[0] = zeros(out->points);
    out->mass[1] = zeros(out->points);
    return out->at != NULL && out->mass[0] != NULL && out->mass[1] != NULL ? PBY_OK : pby_no_memory(err);
}

static void add_point(pby_measures *out, const struct entry *entry, size_t which, mpq_srcptr mass)
{
    for (size_t k = 0; k < out->dimension; k++)
        mpq_set(out->at + which * out->dimension + k, entry->at + k);
    mpq_add(out->mass[entry->table] + which, out->mass[entry->table] + which, mass);
}

/* Each key's place in the order is where the measures have its mass. */
static pby_status add_masses(pby_measures *out, const struct entries *e, const pby_masses table[2],
                             pby_error *err)
{
    size_t which = 0;
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    pby_status status = renew(out, err);
    for (size_t i = 0; i < e->count && status == PBY_OK; i++) {
        const struct entry *entry = &e->entry[i];
        which += is_new(e, i);
        mpq_set_ui(at, which, 1);
        status = pby_masses_get(mass, &table[entry->table], entry->row, err);
        if (status == PBY_OK)
            status = pby_measure_add(out->measure[entry->table], at, mass, err);
        if (status == PBY_OK && out->mass[1] != NULL)
            add_point(out, entry, which, mass);
    }
    mpq_clears(at, mass, NULL);
    return status;
}

static pby_status number(pby_measures *out, const pby_coordinates *points, const pby_masses table[2],
                         pby_error *err)
{
    struct entries e;
    pby_status status = entries_init(&e, table, err);
    if (status != PBY_OK)
        return status;
    if (out->kind == PBY_KEY_POINT) {
        place_points(&e, points);
        find_odd(out, &e, table);
    }
    qsort(e.entry, e.count, sizeof *e.entry, in_order);
    if (out->kind == PBY_KEY_POINT && out->odd_line == 0)
        status = make_points(out, &e, err);
    if (status == PBY_OK)
        status = add_masses(out, &e, table, err);
    free(e.entry);
    return status;
}

static pby_status measures_of(pby_measures *out, const pby_masses table[2], pby_error *err)
{
    pby_key_kinds kinds = {.beyond = 0};
    pby_coordinates points = {.count = 0};
    pby_status status = read_keys(out, &kinds, &points, table, err);
    if (status == PBY_OK)
        status = decide(out, &kinds, table, err);
    if (status == PBY_OK && out->kind != PBY_KEY_NUMBER)
        status = number(out, &points, table, err);
    pby_coordinates_clear(&points);
    return status;
}

/* ---- reading and clearing ------------------------------------------------------------------------ */

pby_status pby_measures_read(pby_measures *out, const char *const path[2], pby_error *err)
{
    pby_masses table[2] = {{.text = NULL}, {.text = NULL}};
    *out = (pby_measures){.kind = PBY_KEY_NUMBER};
    pby_status status = pby_masses_read(&table[0], path[0], err);
    if (status == PBY_OK)
        status = pby_masses_read(&table[1], path[1], err);
    if (status == PBY_OK)
        status = measures_of(out, table, err);
    pby_masses_clear(&table[0]);
    pby_masses_clear(&table[1]);
    return status;
}

static void clear_all(__mpq_struct *x, size_t count)
{
    for (size_t i = 0; x != NULL && i < count; i++)
        mpq_clear(x + i);
    free(x);
}

void pby_measures_clear(pby_measures *m)
{
    clear_all(m->at, m->points * m->dimension);
    for (int k = 0; k < 2; k++) {
        clear_all(m->mass[k], m->points);
        pby_measure_free(m->measure[k]);
    }
}
