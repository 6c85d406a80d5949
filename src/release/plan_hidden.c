/* SPDX-License-Identifier: MIT */
#include "release/plan_hidden.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "probity/release.h"

static const uint32_t none = UINT32_MAX;

/* ---- rows ---------------------------------------------------------------------------------------- */

pby_status pby_plan_hidden_begin(pby_plan_hidden *h, const pby_release_plan *plan,
                                 const pby_plan_quantities *q, size_t grouping, pby_error *err)
{
    h->by = plan->grouping[grouping].by;
    h->width = 1 + plan->columns;
    for (size_t i = 0; i < q->count; i++) {
        const pby_plan_quantity *x = &q->quantity[i];
        if (x->grouping == grouping && x->gate)
            h->gate = i;
        else if (x->grouping == grouping)
            h->more = true;
    }
    return pby_names_new(&h->names, err);
}

pby_status pby_plan_hidden_name(size_t *group, pby_plan_hidden *h, const uint8_t *key, size_t size,
                                pby_error *err)
{
    PBY_TRY(pby_names_add(h->names, key, size, group, err));
    return *group < none ? PBY_OK : pby_no_memory(err);
}

pby_status pby_plan_hidden_add(pby_plan_hidden *h, uint32_t group, const uint32_t *cell, bool first,
                               pby_error *err)
{
    const size_t room = h->users_room;
    PBY_RESERVE(h->users, h->users_room, (size_t)group + 1, err);
    if (h->users_room > room)
        memset(h->users + room, 0, (h->users_room - room) * sizeof *h->users);
    h->users[group] += first;
    if (!h->more)
        return PBY_OK;
    PBY_RESERVE(h->row, h->row_room, (h->rows + 1) * h->width, err);
    uint32_t *row = h->row + h->rows * h->width;
    row[0] = group;
    memcpy(row + 1, cell, (h->width - 1) * sizeof *cell);
    h->rows++;
    return PBY_OK;
}

/* ---- names --------------------------------------------------------------------------------------- */

/* The field of a name, whose fields have their sizes before them. */
static const uint8_t *field_of(const pby_names *names, size_t number, size_t field, size_t *size)
{
    size_t all;
    const uint8_t *at = pby_names_get(names, number, &all);
    for (;; field--) {
        uint32_t n;
        memcpy(&n, at, sizeof n);
        at += sizeof n;
        *size = n;
        if (field == 0)
            return at;
        at += n;
    }
}

const uint8_t *pby_plan_hidden_field(const pby_plan_hidden *h, size_t passed, size_t field, size_t *size)
{
    return field_of(h->names, h->group[passed], field, size);
}

/* Sorts by the bytes of the fields, one after the other; qsort has no room for the names. */
struct keyed {
    const pby_plan_hidden *of;
    uint32_t group;
    int64_t users;
};

static int by_fields(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    for (size_t i = 0; i < x->of->by; i++) {
        size_t m, n;
        const uint8_t *p = field_of(x->of->names, x->group, i, &m),
                      *q = field_of(x->of->names, y->group, i, &n);
        const int order = memcmp(p, q, m < n ? m : n);
        if (order != 0 || m != n)
            return order != 0 ? order : m < n ? -1 : 1;
    }
    return 0;
}

/* ---- the gate ------------------------------------------------------------------------------------ */

/* Noise on the users of all groups; those that do not pass are suppressed. A group without kept users
 * does not occur, and gets none. */
static pby_status draw_gate(int64_t *noisy, const pby_plan_hidden *h, const pby_plan_quantity *q,
                            size_t groups, pby_error *err)
{
    pby_spec *spec;
    pby_release *release = NULL;
    PBY_TRY(pby_plan_cell_spec(&spec, q, err));
    for (size_t i = 0; i < groups; i++)
        noisy[i] = i < h->users_room ? h->users[i] : 0;
    pby_status status = pby_release_new(&release, spec, PBY_ADD_REMOVE, err);
    if (status == PBY_OK)
        status = pby_release_counts(release, noisy, noisy, groups, err);
    pby_release_free(release);
    pby_spec_free(spec);
    return status;
}

/* The groups that passed in their order, with their noisy users. */
static pby_status keep_passed(pby_plan_cells *cells, pby_plan_hidden *h, const int64_t *noisy, size_t groups,
                              pby_error *err)
{
    struct keyed *keys = calloc(groups + 1, sizeof *keys);
    int64_t *users = calloc(groups + 1, sizeof *users);
    h->group = calloc(groups + 1, sizeof *h->group);
    if (keys == NULL || users == NULL || h->group == NULL) {
        free(keys);
        free(users);
        return pby_no_memory(err);
    }
    for (size_t i = 0; i < groups; i++)
        if (noisy[i] != PBY_SUPPRESSED)
            keys[h->passed++] = (struct keyed){h, (uint32_t)i, noisy[i]};
    qsort(keys, h->passed, sizeof *keys, by_fields);
    for (size_t i = 0; i < h->passed; i++) {
        h->group[i] = keys[i].group;
        users[i] = keys[i].users;
    }
    pby_plan_cells_put(cells, h->gate, users, h->passed);
    sodium_memzero(keys, (groups + 1) * sizeof *keys);
    free(keys);
    return PBY_OK;
}

static pby_status pass(pby_plan_cells *cells, pby_plan_hidden *h, const pby_plan_quantities *q,
                       pby_error *err)
{
    const size_t groups = pby_names_count(h->names);
    int64_t *noisy = calloc(groups + 1, sizeof *noisy);
    if (noisy == NULL)
        return pby_no_memory(err);
    pby_status status = draw_gate(noisy, h, &q->quantity[h->gate], groups, err);
    if (status == PBY_OK)
        status = keep_passed(cells, h, noisy, groups, err);
    sodium_memzero(noisy, (groups + 1) * sizeof *noisy);
    free(noisy);
    return status;
}

/* ---- behind it ----------------------------------------------------------------------------------- */

/* Leaves only rows of groups that passed, in the order of these, each with its group's place. */
static pby_status sort_rows(pby_plan_hidden *h, pby_error *err)
{
    const size_t groups = pby_names_count(h->names);
    uint32_t *place = malloc((groups + 1) * sizeof *place), *sorted = NULL;
    size_t *end = calloc(h->passed + 2, sizeof *end), kept = 0;
    if (place == NULL || end == NULL)
        goto no_memory;
    memset(place, 0xff, (groups + 1) * sizeof *place);
    for (size_t i = 0; i < h->passed; i++)
        place[h->group[i]] = (uint32_t)i;
    for (size_t i = 0; i < h->rows; i++)
        if (place[h->row[i * h->width]] != none)
            end[place[h->row[i * h->width]] + 1]++, kept++;
    for (size_t i = 1; i <= h->passed; i++)
        end[i] += end[i - 1];
    sorted = malloc((kept * h->width + 1) * sizeof *sorted);
    if (sorted == NULL)
        goto no_memory;
    for (size_t i = 0; i < h->rows; i++) {
        const uint32_t at = place[h->row[i * h->width]];
        if (at == none)
            continue;
        uint32_t *row = sorted + end[at]++ * h->width;
        memcpy(row, h->row + i * h->width, h->width * sizeof *row);
        row[0] = at;
    }
    if (h->row != NULL)
        sodium_memzero(h->row, h->rows * h->width * sizeof *h->row);
    free(h->row);
    h->row = sorted;
    h->rows = kept;
    free(place);
    free(end);
    return PBY_OK;
no_memory:
    free(place);
    free(end);
    return pby_no_memory(err);
}

static pby_status add_up(pby_plan_cells *cells, const pby_plan_hidden *h, const pby_release_plan *plan,
                         const pby_plan_quantity *q, size_t number, pby_error *err)
{
    const size_t n = h->passed * q->cells; /* q has the cells of one group */
    pby_plan_wide *sum = calloc(n + 1, sizeof *sum);
    int64_t *held = calloc(n + 1, sizeof *held);
    if (sum == NULL || held == NULL) {
        free(sum);
        free(held);
        return pby_no_memory(err);
    }
    for (size_t i = 0; i < h->rows; i++) {
        const uint32_t *row = h->row + i * h->width;
        int64_t j[PBY_PLAN_COLUMNS_MAX];
        for (size_t k = 0; k < plan->columns; k++)
            j[k] = plan->column[k].lo + row[1 + k];
        pby_plan_add(sum, q, plan, row[0], j, false);
    }
    for (size_t i = 0; i < n; i++)
        held[i] = pby_plan_hold(sum[i]);
    pby_plan_cells_put(cells, number, held, n);
    sodium_memzero(sum, (n + 1) * sizeof *sum);
    free(sum);
    return PBY_OK;
}

pby_status pby_plan_hidden_pass(pby_plan_cells *cells, const pby_release_plan *plan,
                                const pby_plan_quantities *q, size_t grouping, pby_error *err)
{
    pby_plan_hidden *h = &cells->hidden[grouping];
    if (h->names == NULL)
        return PBY_OK;
    PBY_TRY(pass(cells, h, q, err));
    PBY_TRY(sort_rows(h, err));
    for (size_t i = 0; i < q->count; i++) {
        const pby_plan_quantity *x = &q->quantity[i];
        if (x->grouping == grouping && !x->gate && x->part != PBY_PART_QUANTILE)
            PBY_TRY(add_up(cells, h, plan, x, i, err));
    }
    return PBY_OK;
}

void pby_plan_hidden_points(int64_t *count, const pby_plan_hidden *h, const pby_plan_quantity *q,
                            size_t passed)
{
    size_t low = 0, high = h->rows;
    memset(count, 0, q->candidates * sizeof *count);
    while (low < high) { /* the first row of the group */
        const size_t middle = low + (high - low) / 2;
        if (h->row[middle * h->width] < passed)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < h->rows && h->row[low * h->width] == passed; low++)
        count[h->row[low * h->width + 1 + q->column]]++;
}

void pby_plan_hidden_clear(pby_plan_hidden *h)
{
    pby_names_free(h->names);
    if (h->users != NULL)
        sodium_memzero(h->users, h->users_room * sizeof *h->users);
    if (h->row != NULL)
        sodium_memzero(h->row, h->rows * h->width * sizeof *h->row);
    free(h->users);
    free(h->row);
    free(h->group);
    *h = (pby_plan_hidden){.names = NULL};
}
