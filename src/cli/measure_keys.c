#include "cli/measure_keys.h"

#include <stdlib.h>
#include <string.h>

#include "probity/rational.h"
#include "status.h"

/* The most coordinates that are looked for in a key. */
enum { POINT_MAX = 64 };

static pby_status renew(pby_measures *m, pby_error *err)
{
    pby_status status = PBY_OK;
    for (int k = 0; k < 2 && status == PBY_OK; k++) {
        pby_measure_free(m->measure[k]);
        status = pby_measure_new(&m->measure[k], err);
    }
    return status;
}

/* ---- numbers ------------------------------------------------------------------------------------ */

/* Ends at the first key that is none, which is then the name of *out. */
static pby_status read_numbers(pby_measures *out, const pby_masses table[2], pby_error *err)
{
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    pby_status status = renew(out, err);
    for (int k = 0; k < 2 && out->name_path == NULL; k++)
        for (size_t i = 0; i < table[k].count && status == PBY_OK && out->name_path == NULL; i++) {
            if (pby_rational_parse(at, "key", table[k].row[i].key, NULL) != PBY_OK) {
                out->name_path = table[k].path;
                out->name_line = table[k].row[i].line;
                break;
            }
            status = pby_masses_get(mass, &table[k], i, err);
            if (status == PBY_OK)
                status = pby_measure_add(out->measure[k], at, mass, err);
        }
    mpq_clears(at, mass, NULL);
    return status;
}

/* ---- points and names --------------------------------------------------------------------------- */

struct entry {
    __mpq_struct *at; /* its coordinates, if it is a point */
    const char *key;
    size_t row;
    int table;
};

struct entries {
    struct entry *entry;
    size_t count, distinct;
    __mpq_struct *at;
    size_t dimension; /* of what `at` has room for */
    bool points;      /* whether all are points */
};

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
    for (size_t i = 0; e->at != NULL && i < e->count * e->dimension; i++)
        mpq_clear(e->at + i);
    free(e->at);
    free(e->entry);
}

/* Whether the key is so many numbers with single spaces between. It is left as it was. */
static bool read_point(__mpq_struct *at, char *key, size_t dimension)
{
    for (size_t k = 0; k < dimension; k++) {
        const size_t size = strcspn(key, " ");
        const char behind = key[size];
        if ((behind == '\0') != (k + 1 == dimension))
            return false;
        key[size] = '\0';
        const bool number = pby_rational_parse(at + k, "key", key, NULL) == PBY_OK;
        key[size] = behind;
        if (!number)
            return false;
        key += size + 1;
    }
    return true;
}

/* Sets the coordinates, if all keys are points of one dimension; otherwise the dimension becomes 0. */
static pby_status read_points(struct entries *e, const pby_masses table[2], pby_error *err)
{
    size_t dimension = 1;
    for (const char *c = e->count > 0 ? e->entry[0].key : ""; *c != '\0'; c++)
        dimension += *c == ' ';
    if (dimension == 1 || dimension > POINT_MAX)
        return PBY_OK;
    e->at = calloc(e->count * dimension, sizeof *e->at);
    if (e->at == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < e->count * dimension; i++)
        mpq_init(e->at + i);
    bool points = true;
    for (size_t i = 0; i < e->count && points; i++) {
        struct entry *entry = &e->entry[i];
        entry->at = e->at + i * dimension;
        points = read_point(entry->at, table[entry->table].row[entry->row].key, dimension);
    }
    e->dimension = dimension;
    e->points = points;
    return PBY_OK;
}

static int in_order(const void *a, const void *b, void *entries)
{
    const struct entry *x = a, *y = b;
    const struct entries *e = entries;
    int order = e->points ? 0 : strcmp(x->key, y->key);
    for (size_t k = 0; e->points && k < e->dimension && order == 0; k++)
        order = mpq_cmp(x->at + k, y->at + k);
    return order;
}

/* Each key's place in the order is where the measures have its mass. */
static pby_status number(pby_measures *out, struct entries *e, const pby_masses table[2], pby_error *err)
{
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    pby_status status = renew(out, err);
    qsort_r(e->entry, e->count, sizeof *e->entry, in_order, e);
    for (size_t i = 0; i < e->count && status == PBY_OK; i++) {
        const struct entry *entry = &e->entry[i];
        e->distinct += i == 0 || in_order(entry - 1, entry, e) != 0;
        mpq_set_ui(at, e->distinct - 1, 1);
        status = pby_masses_get(mass, &table[entry->table], entry->row, err);
        if (status == PBY_OK)
            status = pby_measure_add(out->measure[entry->table], at, mass, err);
    }
    mpq_clears(at, mass, NULL);
    return status;
}

static __mpq_struct *zeros(size_t count)
{
    __mpq_struct *x = calloc(count, sizeof *x);
    for (size_t i = 0; x != NULL && i < count; i++)
        mpq_init(x + i);
    return x;
}

/* The different points, and what the tables have there. */
static pby_status gather(pby_measures *out, struct entries *e, const pby_masses table[2], pby_error *err)
{
    out->points = e->distinct;
    out->dimension = e->dimension;
    if (e->distinct > PBY_METRIC_MAX)
        return PBY_OK;
    out->at = zeros(e->distinct * e->dimension);
    out->mass[0] = zeros(e->distinct);
    out->mass[1] = zeros(e->distinct);
    if (out->at == NULL || out->mass[0] == NULL || out->mass[1] == NULL)
        return pby_no_memory(err);
    mpq_t mass;
    mpq_init(mass);
    pby_status status = PBY_OK;
    for (size_t i = 0, point = 0; i < e->count && status == PBY_OK; i++) {
        const struct entry *entry = &e->entry[i];
        point += i > 0 && in_order(entry - 1, entry, e) != 0;
        for (size_t k = 0; k < e->dimension; k++)
            mpq_set(out->at + point * e->dimension + k, entry->at + k);
        status = pby_masses_get(mass, &table[entry->table], entry->row, err);
        mpq_add(out->mass[entry->table] + point, out->mass[entry->table] + point, mass);
    }
    mpq_clear(mass);
    return status;
}

pby_status pby_measures_of(pby_measures *out, const pby_masses table[2], pby_error *err)
{
    pby_status status = read_numbers(out, table, err);
    if (status != PBY_OK || out->name_path == NULL)
        return status;
    struct entries e;
    status = entries_init(&e, table, err);
    if (status == PBY_OK)
        status = read_points(&e, table, err);
    out->keys = e.points ? PBY_KEYS_POINTS : PBY_KEYS_NAMES;
    if (status == PBY_OK)
        status = number(out, &e, table, err);
    if (status == PBY_OK && e.points)
        status = gather(out, &e, table, err);
    entries_clear(&e);
    return status;
}
