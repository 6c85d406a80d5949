#include "cli/measure_keys.h"

#include <stdlib.h>
#include <string.h>

#include "cli/field.h"
#include "probity/rational.h"
#include "status.h"

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

/* By the first key that is not of the kind that others are. */
static pby_status refuse_other(const pby_masses table[2], pby_key_kind kind, pby_error *err)
{
    const bool numbers = kind == PBY_KEY_NUMBER;
    const char *expected = numbers ? "a number, as other keys are" : "a point, as other keys are";
    pby_status status = PBY_OK;
    mpq_t at;
    mpq_init(at);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < table[k].count && status == PBY_OK; i++) {
            const pby_key_kind found = pby_key_kind_of(at, table[k].row[i].key);
            if (found != kind)
                status = pby_field_refuse(table[k].path, table[k].row[i].line, 1,
                                          found == PBY_KEY_BEYOND && numbers ? pby_key_kinds_expected : expected, err);
        }
    mpq_clear(at);
    return status;
}

/* The one kind that all keys are, and of numbers the measures. */
static pby_status read_kind(pby_measures *out, const pby_masses table[2], pby_error *err)
{
    pby_key_kinds kinds = {.beyond = 0};
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    pby_status status = renew(out, err);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < table[k].count && status == PBY_OK; i++) {
            pby_key_kinds_add(&kinds, pby_key_kind_of(at, table[k].row[i].key), table[k].row[i].line);
            if (!pby_key_kinds_numbers(&kinds))
                continue;
            status = pby_masses_get(mass, &table[k], i, err);
            if (status == PBY_OK)
                status = pby_measure_add(out->measure[k], at, mass, err);
        }
    mpq_clears(at, mass, NULL);
    if (status != PBY_OK || pby_key_kinds_numbers(&kinds))
        return status;
    out->kind = pby_key_kinds_points(&kinds) ? PBY_KEY_POINT : PBY_KEY_NAME;
    if (kinds.count[PBY_KEY_NUMBER] > 0 || pby_key_kinds_beyond(&kinds) > 0)
        return refuse_other(table, PBY_KEY_NUMBER, err);
    if (kinds.count[PBY_KEY_POINT] > 0 && out->kind == PBY_KEY_NAME)
        return refuse_other(table, PBY_KEY_POINT, err);
    return PBY_OK;
}

/* ---- points and names --------------------------------------------------------------------------- */

struct entry {
    const char *key;
    __mpq_struct *at; /* its coordinates, if it is a point */
    size_t dimension; /* how many; of a name 0 */
    size_t row;
    int table;
};

struct entries {
    struct entry *entry;
    size_t count, distinct;
    __mpq_struct *at; /* the coordinates of all */
    size_t coordinates;
};

static __mpq_struct *zeros(size_t count)
{
    __mpq_struct *x = calloc(count, sizeof *x);
    for (size_t i = 0; x != NULL && i < count; i++)
        mpq_init(x + i);
    return x;
}

static pby_status entries_init(struct entries *e, const pby_masses table[2], pby_error *err)
{
    *e = (struct entries){.count = table[0].count + table[1].count};
    e->entry = malloc((e->count + 1) * sizeof *e->entry);
    if (e->entry == NULL)
        return pby_no_memory(err);
    struct entry *next = e->entry;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < table[k].count; i++)
            *next++ = (struct entry){.key = table[k].row[i].key, .row = i, .table = k};
    return PBY_OK;
}

static void entries_clear(struct entries *e)
{
    for (size_t i = 0; e->at != NULL && i < e->coordinates; i++)
        mpq_clear(e->at + i);
    free(e->at);
    free(e->entry);
}

/* The numbers of a key that is a point. It is left as it was. */
static pby_status read_point(const struct entry *entry, char *key, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t k = 0; k < entry->dimension && status == PBY_OK; k++) {
        const size_t size = strcspn(key, " ");
        const char behind = key[size];
        key[size] = '\0';
        status = pby_rational_parse(entry->at + k, "key", key, err);
        key[size] = behind;
        key += size + 1;
    }
    return status;
}

static pby_status read_points(struct entries *e, const pby_masses table[2], pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < e->count; i++) {
        struct entry *entry = &e->entry[i];
        entry->dimension = 1;
        for (const char *c = entry->key; *c != '\0'; c++)
            entry->dimension += *c == ' ';
        e->coordinates += entry->dimension;
    }
    e->at = zeros(e->coordinates);
    if (e->at == NULL)
        return pby_no_memory(err);
    __mpq_struct *next = e->at;
    for (size_t i = 0; i < e->count && status == PBY_OK; i++) {
        struct entry *entry = &e->entry[i];
        entry->at = next;
        next += entry->dimension;
        status = read_point(entry, table[entry->table].row[entry->row].key, err);
    }
    return status;
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

/* Each key's place in the order is where the measures have its mass. */
static pby_status number(pby_measures *out, struct entries *e, const pby_masses table[2], pby_error *err)
{
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    pby_status status = renew(out, err);
    qsort(e->entry, e->count, sizeof *e->entry, in_order);
    for (size_t i = 0; i < e->count && status == PBY_OK; i++) {
        const struct entry *entry = &e->entry[i];
        e->distinct += i == 0 || in_order(entry - 1, entry) != 0;
        mpq_set_ui(at, e->distinct - 1, 1);
        status = pby_masses_get(mass, &table[entry->table], entry->row, err);
        if (status == PBY_OK)
            status = pby_measure_add(out->measure[entry->table], at, mass, err);
    }
    mpq_clears(at, mass, NULL);
    return status;
}

/* The different points, and what the tables have there. */
static pby_status gather(pby_measures *out, const struct entries *e, const pby_masses table[2], pby_error *err)
{
    out->points = e->distinct;
    out->dimension = e->entry[0].dimension;
    if (e->distinct > PBY_METRIC_MAX)
        return PBY_OK;
    out->at = zeros(e->distinct * out->dimension);
    out->mass[0] = zeros(e->distinct);
    out->mass[1] = zeros(e->distinct);
    if (out->at == NULL || out->mass[0] == NULL || out->mass[1] == NULL)
        return pby_no_memory(err);
    mpq_t mass;
    mpq_init(mass);
    pby_status status = PBY_OK;
    for (size_t i = 0, point = 0; i < e->count && status == PBY_OK; i++) {
        const struct entry *entry = &e->entry[i];
        point += i > 0 && in_order(entry - 1, entry) != 0;
        for (size_t k = 0; k < out->dimension; k++)
            mpq_set(out->at + point * out->dimension + k, entry->at + k);
        status = pby_masses_get(mass, &table[entry->table], entry->row, err);
        mpq_add(out->mass[entry->table] + point, out->mass[entry->table] + point, mass);
    }
    mpq_clear(mass);
    return status;
}

pby_status pby_measures_of(pby_measures *out, const pby_masses table[2], pby_error *err)
{
    pby_status status = read_kind(out, table, err);
    if (status != PBY_OK || out->kind == PBY_KEY_NUMBER)
        return status;
    const bool points = out->kind == PBY_KEY_POINT;
    struct entries e;
    status = entries_init(&e, table, err);
    if (status == PBY_OK && points)
        status = read_points(&e, table, err);
    if (status == PBY_OK)
        find_odd(out, &e, table);
    if (status == PBY_OK)
        status = number(out, &e, table, err);
    if (status == PBY_OK && points && out->odd_line == 0)
        status = gather(out, &e, table, err);
    entries_clear(&e);
    return status;
}
