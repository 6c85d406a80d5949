/* SPDX-License-Identifier: MIT */
#include "release/plan_rows.h"

#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/excerpt.h"
#include "release/plan_hidden.h"
#include "table/key/names.h"
#include "table/records/lots.h"
#include "table/records/number_cells.h"
#include "table/records/piles.h"
#include "table/records/reader.h"

enum { PILES = 256, MEMORY = 1 << 26 };

static const uint32_t dropped = UINT32_MAX;

typedef pby_plan_wide wide;

/* The state of a grouping while rows come. */
struct grouping {
    const pby_plan_grouping *plan;
    pby_names *names;                       /* of the public groups */
    size_t field[PBY_PLAN_BY_MAX];          /* of its columns among those that are wanted */
    bool needs[PBY_PLAN_COLUMNS_MAX];       /* columns whose missing values drop a row */
    pby_number_cells grid[PBY_PLAN_BY_MAX]; /* of its columns in buckets */
    size_t grids;                           /* columns of which a grid was made, or none is needed */
    bool used;
    pby_plan_hidden *hidden; /* where its groups come from the rows; else NULL */
    /* of the user whose rows are walked */
    uint64_t *stamp; /* of each group: the last user that it was kept of */
    uint64_t *kept;  /* rows of that user */
};

struct rows {
    const pby_release_plan *plan;
    const pby_plan_quantities *q;
    char argument[PBY_ERROR_SIZE / 2]; /* "PLAN: column", in refusals */
    struct grouping *grouping;
    pby_number_cells grid[PBY_PLAN_COLUMNS_MAX];
    int64_t first[PBY_PLAN_COLUMNS_MAX]; /* of the grid, in steps */
    size_t grids, field[PBY_PLAN_COLUMNS_MAX];
    size_t user; /* its field */
    pby_raw_wanted wanted[PBY_RAW_WANTED];
    size_t wanted_count;
    pby_raw raw;
    pby_lots lots;
    pby_piles *piles;
    uint8_t key[crypto_shorthash_KEYBYTES]; /* of the piles */
    uint8_t *scratch;
    uint8_t *group_key;
    wide **sum; /* of each quantity, of each cell; NULL where groups are hidden */
    uint64_t users;
    pby_plan_hidden *hidden; /* of each grouping */
};

/* A row behind its fixed part: a group of each grouping, then a cell of each column. */
struct head {
    uint64_t record, word;
    uint32_t user_size;
    uint32_t group[PBY_PLAN_GROUPINGS_MAX];
    uint32_t cell[PBY_PLAN_COLUMNS_MAX];
};

/* ---- columns ------------------------------------------------------------------------------------- */

static pby_status want(struct rows *r, size_t *field, const char *name, bool number, pby_error *err)
{
    for (*field = 0; *field < r->wanted_count; ++*field)
        if (strcmp(r->wanted[*field].name, name) == 0)
            return PBY_OK;
    if (r->wanted_count == PBY_RAW_WANTED)
        return pby_fail(err, PBY_BAD, "%.200s: expected at most 12 columns in all", r->plan->name);
    r->wanted[r->wanted_count++] = (pby_raw_wanted){r->argument, name, number};
    return PBY_OK;
}

/* The grid of a column: its multiples of step from low to high. */
static pby_status make_grid(struct rows *r, size_t i, pby_error *err)
{
    const pby_plan_column *c = &r->plan->column[i];
    char *step = mpq_get_str(NULL, 10, c->step), *text = NULL;
    bool found = false;
    mpq_t ends[2];
    char *end[2];
    for (size_t k = 0; k < 2; k++) {
        mpq_init(ends[k]);
        mpq_set_si(ends[k], k == 0 ? c->lo : c->hi, 1);
        mpq_mul(ends[k], ends[k], c->step);
        end[k] = mpq_get_str(NULL, 10, ends[k]);
        mpq_clear(ends[k]);
    }
    pby_status status = asprintf(&text, "x:%s:%s:%s", end[0], end[1], step) < 0 ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_number_cells_parse(&r->grid[i], &found, text, r->plan->name, err);
    if (status == PBY_OK && found)
        r->grids++;
    if (status == PBY_OK && (!found || !pby_number_cells_nearest(&r->grid[i], &r->first[i])))
        status = pby_refuse(err, r->plan->name, c->name, "bounds that are multiples of step");
    free(text);
    free(step);
    free(end[0]);
    free(end[1]);
    return status;
}

/* ---- groups -------------------------------------------------------------------------------------- */

/* Fields with their sizes before them, so that no two groups have one key. */
static size_t put_field(uint8_t *out, const void *field, size_t size)
{
    const uint32_t n = (uint32_t)size;
    memcpy(out, &n, sizeof n);
    memcpy(out + sizeof n, field, size);
    return sizeof n + size;
}

static pby_status name_groups(struct rows *r, struct grouping *g, pby_error *err)
{
    const pby_plan_grouping *p = g->plan;
    size_t number;
    PBY_TRY(pby_names_new(&g->names, err));
    for (size_t i = 0; i < p->groups && p->by > 0; i++) {
        size_t size = 0;
        for (size_t k = 0; k < p->by; k++)
            size += put_field(r->group_key + size, p->group[i * p->by + k], strlen(p->group[i * p->by + k]));
        PBY_TRY(pby_names_add(g->names, r->group_key, size, &number, err));
    }
    return PBY_OK;
}

/* The cells of a column in buckets, as the plan has counted them. */
static pby_status make_buckets(struct rows *r, struct grouping *g, pby_error *err)
{
    for (; g->grids < g->plan->by; g->grids++) {
        bool found = false;
        if (g->plan->bucket[g->grids].text == NULL)
            continue;
        char *text = strdup(g->plan->bucket[g->grids].text);
        pby_status status =
            text == NULL ? pby_no_memory(err)
                         : pby_number_cells_parse(&g->grid[g->grids], &found, text, r->plan->name, err);
        free(text);
        if (status == PBY_OK && !found)
            status = pby_refuse(err, r->plan->name, g->plan->bucket[g->grids].text, "NAME:LO:HI:WIDTH");
        PBY_TRY(status);
    }
    return PBY_OK;
}

static pby_status make_grouping(struct rows *r, size_t i, pby_error *err)
{
    struct grouping *g = &r->grouping[i];
    g->plan = &r->plan->grouping[i];
    for (size_t k = 0; k < r->q->count; k++) {
        const pby_plan_quantity *q = &r->q->quantity[k];
        g->used = g->used || q->grouping == i;
        if (q->grouping == i && pby_plan_part_has_column(q->part))
            g->needs[q->column] = true;
    }
    if (!g->used)
        return PBY_OK;
    for (size_t k = 0; k < g->plan->by; k++)
        PBY_TRY(want(r, &g->field[k], g->plan->column[k], g->plan->bucket[k].text != NULL, err));
    PBY_TRY(make_buckets(r, g, err));
    if (g->plan->hidden) {
        g->hidden = &r->hidden[i];
        return pby_plan_hidden_begin(g->hidden, r->plan, r->q, i, err);
    }
    g->stamp = calloc(g->plan->groups, sizeof *g->stamp);
    g->kept = calloc(g->plan->groups, sizeof *g->kept);
    if (g->stamp == NULL || g->kept == NULL)
        return pby_no_memory(err);
    return name_groups(r, g, err);
}

/* The number of the row's group, PBY_NO_NAME of one that is not public. A hidden one is new where it has not
 * come before. A row without a number in a column of buckets is of none. */
static pby_status find_group(size_t *group, struct rows *r, struct grouping *g, pby_error *err)
{
    size_t size = 0;
    *group = 0;
    if (g->plan->by == 0)
        return PBY_OK;
    for (size_t k = 0; k < g->plan->by; k++) {
        size_t length;
        const uint8_t *text = pby_csv_row_key(&r->raw.field[g->field[k]], r->scratch, &length);
        if (g->plan->bucket[k].text != NULL) {
            uint64_t cell;
            if (!pby_number_cells_find(&g->grid[k], &cell, text, length)) {
                *group = PBY_NO_NAME;
                return PBY_OK;
            }
            text = (const uint8_t *)g->plan->bucket[k].end[cell];
            length = strlen(g->plan->bucket[k].end[cell]);
        }
        size += put_field(r->group_key + size, text, length);
    }
    if (g->hidden != NULL)
        return pby_plan_hidden_name(group, g->hidden, r->group_key, size, err);
    *group = pby_names_find(g->names, r->group_key, size);
    return PBY_OK;
}

/* ---- the walk ------------------------------------------------------------------------------------ */

/* A row that is kept, in all quantities of its grouping. */
static pby_status add_row(struct rows *r, size_t grouping, const struct head *h, bool first, pby_error *err)
{
    const size_t group = h->group[grouping];
    int64_t j[PBY_PLAN_COLUMNS_MAX];
    for (size_t i = 0; i < r->plan->columns; i++)
        j[i] = r->first[i] + h->cell[i];
    if (r->grouping[grouping].hidden != NULL)
        return pby_plan_hidden_add(r->grouping[grouping].hidden, (uint32_t)group, h->cell, first, err);
    for (size_t i = 0; i < r->q->count; i++)
        if (r->q->quantity[i].grouping == grouping && r->q->quantity[i].tally == i)
            pby_plan_add(r->sum[i], &r->q->quantity[i], r->plan, group, j, first);
    return PBY_OK;
}

/* One user's rows in their random order. */
static pby_status walk(struct rows *r, size_t grouping, const struct head *heads, const pby_lot *order,
                       size_t n, pby_error *err)
{
    struct grouping *g = &r->grouping[grouping];
    uint64_t rows = 0, groups = 0;
    for (size_t i = 0; i < n && rows < g->plan->rows; i++) {
        const struct head *h = &heads[order[i].bar];
        const uint32_t group = h->group[grouping];
        if (group == dropped)
            continue;
        const bool known = g->stamp[group] == r->users;
        if (known ? g->kept[group] >= g->plan->m : groups >= g->plan->k)
            continue;
        if (!known) {
            g->stamp[group] = r->users;
            g->kept[group] = 0;
            groups++;
        }
        g->kept[group]++;
        rows++;
        PBY_TRY(add_row(r, grouping, h, !known, err));
    }
    return PBY_OK;
}

static pby_status walk_all(struct rows *r, const struct head *heads, pby_lot *order, size_t n, pby_error *err)
{
    r->users++;
    (void)pby_lots_draw(&r->lots, order, n, 0); /* sorts them all, since none is asked for */
    for (size_t i = 0; i < r->plan->groupings; i++)
        if (r->grouping[i].used)
            PBY_TRY(walk(r, i, heads, order, n, err));
    return PBY_OK;
}

/* ---- piles --------------------------------------------------------------------------------------- */

/* A row lies in a pile without the groups and cells that the plan has not: memory and disk are what many rows
 * cost. Returns the size of what was packed. */
static size_t pack(uint8_t out[sizeof(struct head)], const struct rows *r, const struct head *h)
{
    const size_t fixed = offsetof(struct head, group), groups = r->plan->groupings * sizeof *h->group,
                 cells = r->plan->columns * sizeof *h->cell;
    memcpy(out, h, fixed);
    memcpy(out + fixed, h->group, groups);
    memcpy(out + fixed + groups, h->cell, cells);
    return fixed + groups + cells;
}

static size_t unpack(struct head *h, const struct rows *r, const uint8_t *in)
{
    const size_t fixed = offsetof(struct head, group), groups = r->plan->groupings * sizeof *h->group,
                 cells = r->plan->columns * sizeof *h->cell;
    memset(h, 0, sizeof *h);
    memcpy(h, in, fixed);
    memcpy(h->group, in + fixed, groups);
    memcpy(h->cell, in + fixed + groups, cells);
    return fixed + groups + cells;
}

/* The rows of a pile, and which user each is of. */
struct pile {
    pby_names *users;
    struct head *head;
    size_t *user, *end;
    pby_lot *order;
    size_t n, head_room, user_room;
};

static pby_status read_pile(struct pile *p, const struct rows *r, const uint8_t *bytes, size_t size,
                            pby_error *err)
{
    PBY_TRY(pby_names_new(&p->users, err));
    for (const uint8_t *at = bytes; at < bytes + size; p->n++) {
        PBY_RESERVE(p->head, p->head_room, p->n + 1, err);
        PBY_RESERVE(p->user, p->user_room, p->n + 1, err);
        at += unpack(&p->head[p->n], r, at);
        PBY_TRY(pby_names_add(p->users, at, p->head[p->n].user_size, &p->user[p->n], err));
        at += p->head[p->n].user_size;
    }
    return PBY_OK;
}

/* The rows of each user side by side: they are counted, then put into their places. */
static pby_status order_pile(struct pile *p, pby_error *err)
{
    const size_t users = pby_names_count(p->users);
    p->order = malloc((p->n + 1) * sizeof *p->order);
    p->end = calloc(users + 1, sizeof *p->end);
    if (p->order == NULL || p->end == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < p->n; i++)
        p->end[p->user[i] + 1]++;
    for (size_t i = 1; i <= users; i++)
        p->end[i] += p->end[i - 1];
    for (size_t i = 0; i < p->n; i++)
        p->order[p->end[p->user[i]]++] =
            (pby_lot){.record = p->head[i].record, .word = p->head[i].word, .bar = (uint32_t)i};
    return PBY_OK;
}

static void clear_pile(struct pile *p)
{
    pby_names_free(p->users);
    if (p->head != NULL)
        sodium_memzero(p->head, p->n * sizeof *p->head);
    free(p->head);
    free(p->user);
    free(p->end);
    free(p->order);
}

static pby_status walk_pile(struct rows *r, size_t number, pby_error *err)
{
    struct pile p = {.n = 0};
    const uint8_t *bytes;
    size_t size, begin = 0;
    pby_status status = pby_piles_take(r->piles, number, &bytes, &size, err);
    if (status == PBY_OK)
        status = read_pile(&p, r, bytes, size, err);
    if (status == PBY_OK)
        status = order_pile(&p, err);
    for (size_t i = 0; status == PBY_OK && i < pby_names_count(p.users); begin = p.end[i], i++)
        status = walk_all(r, p.head, p.order + begin, p.end[i] - begin, err);
    clear_pile(&p);
    return status;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

/* The cells of the row's numbers; *missing[i] where there is none and rows without one are dropped. */
static void read_numbers(struct rows *r, struct head *h, bool missing[PBY_PLAN_COLUMNS_MAX])
{
    for (size_t i = 0; i < r->plan->columns; i++) {
        const pby_plan_column *c = &r->plan->column[i];
        uint64_t cell = 0;
        size_t size;
        const uint8_t *text = pby_csv_row_key(&r->raw.field[r->field[i]], r->scratch, &size);
        const bool number = pby_number_cells_find(&r->grid[i], &cell, text, size);
        missing[i] = !number && !c->fills;
        h->cell[i] = (uint32_t)(number ? cell : c->fills ? (uint64_t)(c->missing - r->first[i]) : 0);
    }
}

/* The group of the row in each grouping; *some is true if some grouping has it. */
static pby_status read_groups(bool *some, struct rows *r, struct head *h,
                              const bool missing[PBY_PLAN_COLUMNS_MAX], pby_error *err)
{
    *some = false;
    for (size_t i = 0; i < r->plan->groupings; i++) {
        struct grouping *g = &r->grouping[i];
        bool lacks = !g->used;
        size_t group = PBY_NO_NAME;
        for (size_t k = 0; k < r->plan->columns; k++)
            lacks = lacks || (g->needs[k] && missing[k]);
        if (!lacks)
            PBY_TRY(find_group(&group, r, g, err));
        h->group[i] = group == PBY_NO_NAME ? dropped : (uint32_t)group;
        *some = *some || group != PBY_NO_NAME;
    }
    return PBY_OK;
}

static pby_status add_record(struct rows *r, uint64_t record, struct head *h, pby_error *err)
{
    uint64_t hash;
    size_t size;
    if (r->plan->user == NULL) {
        r->users++;
        for (size_t i = 0; i < r->plan->groupings; i++)
            if (h->group[i] != dropped)
                PBY_TRY(add_row(r, i, h, true, err));
        return PBY_OK;
    }
    const uint8_t *user = pby_csv_row_key(&r->raw.field[r->user], r->scratch, &size);
    h->record = record;
    h->word = pby_lots_word(&r->lots, record);
    h->user_size = (uint32_t)size;
    crypto_shorthash((uint8_t *)&hash, user, size, r->key);
    uint8_t packed[sizeof *h];
    return pby_piles_add(r->piles, (size_t)(hash % PILES), packed, pack(packed, r, h), user, size, err);
}

/* All groups have come; each user may be in any of them. */
static pby_status ready_to_walk(struct rows *r, pby_error *err)
{
    for (size_t i = 0; i < r->plan->groupings; i++) {
        struct grouping *g = &r->grouping[i];
        if (g->hidden == NULL)
            continue;
        const size_t groups = pby_names_count(g->hidden->names) + 1;
        g->stamp = calloc(groups, sizeof *g->stamp);
        g->kept = calloc(groups, sizeof *g->kept);
        if (g->stamp == NULL || g->kept == NULL)
            return pby_no_memory(err);
    }
    return PBY_OK;
}

static pby_status read_rows(struct rows *r, pby_error *err)
{
    for (uint64_t record = 0;; record++) {
        struct head h;
        bool found, some, missing[PBY_PLAN_COLUMNS_MAX] = {false};
        PBY_TRY(pby_raw_next(&r->raw, &found, err));
        if (!found)
            return PBY_OK;
        memset(&h, 0, sizeof h);
        read_numbers(r, &h, missing);
        PBY_TRY(read_groups(&some, r, &h, missing, err));
        if (some)
            PBY_TRY(add_record(r, record, &h, err));
    }
}

/* ---- all of it ----------------------------------------------------------------------------------- */

/* The rows are those of the CSV, or, where that is NULL, of the stream. */
static pby_status begin(struct rows *r, pby_csv_input *in, pby_arrow *arrow, pby_entropy *source,
                        pby_error *err)
{
    const pby_release_plan *plan = r->plan;
    snprintf(r->argument, sizeof r->argument, "%s: column", PBY_EXCERPT(plan->name));
    r->scratch = malloc(PBY_ROW_KEY_MAX);
    r->group_key = malloc((size_t)PBY_PLAN_BY_MAX * (PBY_ROW_KEY_MAX + sizeof(uint32_t)));
    r->grouping = calloc(plan->groupings, sizeof *r->grouping);
    r->sum = calloc(r->q->count + 1, sizeof *r->sum);
    r->hidden = calloc(plan->groupings, sizeof *r->hidden);
    if (r->hidden == NULL || r->scratch == NULL || r->group_key == NULL || r->grouping == NULL ||
        r->sum == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < r->q->count; i++)
        if (r->q->quantity[i].tally == i && !plan->grouping[r->q->quantity[i].grouping].hidden &&
            (r->sum[i] = calloc(r->q->quantity[i].tallied, sizeof **r->sum)) == NULL)
            return pby_no_memory(err);
    if (plan->user != NULL)
        PBY_TRY(want(r, &r->user, plan->user, false, err));
    for (size_t i = 0; i < plan->columns; i++) {
        PBY_TRY(want(r, &r->field[i], plan->column[i].name, true, err));
        PBY_TRY(make_grid(r, i, err));
    }
    for (size_t i = 0; i < plan->groupings; i++)
        PBY_TRY(make_grouping(r, i, err));
    PBY_TRY(pby_lots_begin(&r->lots, source, err));
    crypto_shorthash_keygen(r->key);
    PBY_TRY(pby_piles_new(&r->piles, PILES, MEMORY, err));
    return in != NULL ? pby_raw_open(&r->raw, in, r->wanted, r->wanted_count, err)
                      : pby_raw_open_arrow(&r->raw, arrow, r->wanted, r->wanted_count, err);
}

static void clear(struct rows *r)
{
    pby_raw_clear(&r->raw);
    pby_lots_clear(&r->lots);
    pby_piles_free(r->piles);
    for (size_t i = 0; i < r->grids; i++)
        pby_number_cells_clear(&r->grid[i]);
    for (size_t i = 0; r->grouping != NULL && i < r->plan->groupings; i++) {
        pby_names_free(r->grouping[i].names);
        for (size_t k = 0; k < r->grouping[i].grids; k++)
            if (r->grouping[i].plan->bucket[k].text != NULL)
                pby_number_cells_clear(&r->grouping[i].grid[k]);
        free(r->grouping[i].stamp);
        free(r->grouping[i].kept);
    }
    for (size_t i = 0; r->sum != NULL && i < r->q->count; i++) {
        if (r->sum[i] != NULL)
            sodium_memzero(r->sum[i], r->q->quantity[i].tallied * sizeof **r->sum);
        free(r->sum[i]);
    }
    if (r->scratch != NULL)
        sodium_memzero(r->scratch, PBY_ROW_KEY_MAX);
    free(r->scratch);
    free(r->group_key);
    for (size_t i = 0; r->hidden != NULL && i < r->plan->groupings; i++)
        pby_plan_hidden_clear(&r->hidden[i]);
    free(r->hidden);
    free(r->grouping);
    free(r->sum);
    free(r);
}

static pby_status keep(pby_plan_cells *out, struct rows *r, pby_error *err)
{
    out->hidden = r->hidden;
    out->groupings = r->plan->groupings;
    r->hidden = NULL;
    out->cell = calloc(r->q->count + 1, sizeof *out->cell);
    out->cells = calloc(r->q->count + 1, sizeof *out->cells);
    if (out->cell == NULL || out->cells == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < r->q->count; i++) {
        const size_t cells = r->sum[i] == NULL ? 0 : r->q->quantity[i].tallied;
        if ((out->cell[i] = calloc(cells + 1, sizeof **out->cell)) == NULL)
            return pby_no_memory(err);
        out->cells[i] = cells;
        out->count++;
        for (size_t k = 0; k < cells; k++)
            out->cell[i][k] = pby_plan_hold(r->sum[i][k]);
    }
    return PBY_OK;
}

static pby_status add_up(pby_plan_cells *out, const pby_release_plan *plan, const pby_plan_quantities *q,
                         pby_csv_input *in, pby_arrow *arrow, pby_entropy *source, pby_error *err)
{
    struct rows *r = calloc(1, sizeof *r);
    *out = (pby_plan_cells){.count = 0};
    if (r == NULL)
        return pby_no_memory(err);
    r->plan = plan;
    r->q = q;
    pby_status status = begin(r, in, arrow, source, err);
    if (status == PBY_OK)
        status = read_rows(r, err);
    if (status == PBY_OK)
        status = ready_to_walk(r, err);
    for (size_t i = 0; i < PILES && status == PBY_OK && plan->user != NULL; i++)
        status = walk_pile(r, i, err);
    if (status == PBY_OK)
        status = keep(out, r, err);
    clear(r);
    return status;
}

pby_status pby_plan_rows(pby_plan_cells *out, const pby_release_plan *plan, const pby_plan_quantities *q,
                         pby_csv_input *in, pby_entropy *source, pby_error *err)
{
    pby_csv_input_once(in);
    return add_up(out, plan, q, in, NULL, source, err);
}

pby_status pby_plan_rows_arrow(pby_plan_cells *out, const pby_release_plan *plan,
                               const pby_plan_quantities *q, pby_arrow *arrow, pby_entropy *source,
                               pby_error *err)
{
    return add_up(out, plan, q, NULL, arrow, source, err);
}

void pby_plan_cells_clear(pby_plan_cells *c)
{
    for (size_t i = 0; i < c->count; i++)
        pby_plan_cells_put(c, i, NULL, 0);
    for (size_t i = 0; i < c->groupings; i++)
        pby_plan_hidden_clear(&c->hidden[i]);
    free(c->hidden);
    free(c->cell);
    free(c->cells);
}
