/* SPDX-License-Identifier: MIT */
/* The choosing part proposes events. Doubles are enough here: a poor choice shows less, never too much.
 *
 * For each feature, both sides accused in turn:
 *   - cells ordered by likelihood ratio on the ordering part; every prefix is weighed on the selecting
 *     part, so that a cell that was lucky once is not believed;
 *   - for ordered features also every half line, and every interval of a coarse partition;
 *   - ordered features again at coarser and coarser cells;
 *   - for features in blocks, a half line of each block: ratios that are made to fall, or to rise, within
 *     every block are ordered.
 */
#include <math.h>
#include <stdlib.h>

#include "audit/bound/guess.h"
#include "audit/choose/choose_search.h"

enum { INTERVAL_CELLS = 64, FEW_CELLS = 32, LEVEL_STEP = 2 };

/* By how much a list of cells must promise more than the best range does, to be taken instead. */
#define SIMPLER 0.05

/* The best of n candidates is lucky by about this many standard errors for each unit of log n: found by
 * trial on mechanisms, as neighbouring candidates are far from independent. The same for all small n, so
 * that of two ways to say one event the easier one is told. */
#define LUCK 0.25

struct cell {
    uint64_t key;
    double count[PBY_SIDES][2]; /* by side and choosing part */
    double ratio;
    double x, y;   /* what the ratio is of; of a pool of cells in its first, */
    size_t before; /* which knows where the pool before begins */
};

/* Weighs the bounds that a candidate with these counts would show, as seen from the selecting part or from
 * both. */
static void weigh(struct pby_search *s, const struct pby_draft *c, double x, double y)
{
    const int p = c->accused, q = 1 - p;
    const double n = s->seen[p][1] + (c->pooled ? s->seen[p][0] : 0);
    const double m = s->seen[q][1] + (c->pooled ? s->seen[q][0] : 0);
    const double z = s->z[c->pooled] + s->luck;
    const double lower = pby_guess_lower(n, x, z), upper = pby_guess_upper(m, y, z);
    const double value[PBY_REFUTABLE] = {lower <= s->delta ? -INFINITY : log((lower - s->delta) / upper),
                                         lower - s->factor * upper};
    const int octave = x <= 0 ? 2 * PBY_BANDS : -ilogb(x / n),
              band = octave / 2 < PBY_BANDS ? octave / 2 : PBY_BANDS - 1;
    for (int i = 0; i < PBY_REFUTABLE; i++) {
        struct pby_draft *best = &s->best[i][band];
        const double ahead = best->range && !c->range ? fabs(best->value) * SIMPLER : 0;
        if (!best->valid || value[i] > best->value + ahead) {
            *best = *c;
            best->valid = true;
            best->value = value[i];
        }
    }
}

static double counted(const struct cell *c, int side, bool pooled)
{
    return c->count[side][1] + (pooled ? c->count[side][0] : 0);
}

static int by_ratio(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    if (x->ratio != y->ratio)
        return x->ratio < y->ratio ? 1 : -1;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_key(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static double ratio_of(const struct cell *c)
{
    return (c->x + 0.5) / (c->y + 0.5);
}

/* Isotonic regression: neighbours of a block whose ratios are in the wrong order are pooled. After it, the
 * cells above any ratio are a half line in each block, the best one at that price of y in x. The cells
 * are in the order of their keys. */
static void straighten(struct cell *cell, size_t n, int slope, unsigned block_shift)
{
    size_t last = 0;
    for (size_t i = 1; i < n; i++) {
        cell[i].before = last;
        last = i;
        while (last > 0 && cell[last].key >> block_shift == cell[cell[last].before].key >> block_shift &&
               slope * (ratio_of(&cell[last]) - ratio_of(&cell[cell[last].before])) < 0) {
            struct cell *pool = &cell[cell[last].before];
            pool->x += cell[last].x;
            pool->y += cell[last].y;
            last = cell[last].before;
        }
    }
    for (size_t end = n; end > 0; end = last, last = cell[last].before)
        for (size_t i = last; i < end; i++)
            cell[i].ratio = ratio_of(&cell[last]);
}

static void order_by_ratio(const struct pby_search *s, struct cell *cell, size_t n, const struct pby_draft *c)
{
    const int p = c->accused, q = 1 - p;
    const double scale = (s->seen[p][0] + 1) / (s->seen[q][0] + 1);
    for (size_t i = 0; i < n; i++) {
        cell[i].x = cell[i].count[p][0] + (c->pooled ? cell[i].count[p][1] : 0);
        cell[i].y = scale * (cell[i].count[q][0] + (c->pooled ? cell[i].count[q][1] : 0));
        cell[i].ratio = ratio_of(&cell[i]);
    }
    if (c->slope != 0)
        straighten(cell, n, c->slope, 64 - s->block_bits - c->level);
    qsort(cell, n, sizeof *cell, by_ratio);
}

static void try_prefixes(struct pby_search *s, struct cell *cell, size_t n, struct pby_draft c)
{
    order_by_ratio(s, cell, n, &c);
    double x = 0, y = 0;
    for (size_t i = 0; i < n; i++) {
        x += counted(&cell[i], c.accused, c.pooled);
        y += counted(&cell[i], 1 - c.accused, c.pooled);
        const bool pool_goes_on = c.slope != 0 && i + 1 < n && cell[i + 1].ratio == cell[i].ratio;
        c.take = i + 1;
        if (!pool_goes_on)
            weigh(s, &c, x, y);
    }
}

/* Half lines, from both ends; the cells are in the order of their keys. */
static void try_half_lines(struct pby_search *s, const struct cell *cell, size_t n, struct pby_draft c)
{
    double x = 0, y = 0, all_x = 0, all_y = 0;
    for (size_t i = 0; i < n; i++) {
        all_x += counted(&cell[i], c.accused, true);
        all_y += counted(&cell[i], 1 - c.accused, true);
    }
    c.range = c.pooled = true;
    for (size_t i = 0; i + 1 < n; i++) {
        x += counted(&cell[i], c.accused, true);
        y += counted(&cell[i], 1 - c.accused, true);
        c.lo = 0;
        c.hi = cell[i].key;
        weigh(s, &c, x, y);
        c.lo = cell[i].key + 1;
        c.hi = c.level == 0 ? UINT64_MAX : UINT64_MAX >> c.level;
        weigh(s, &c, all_x - x, all_y - y);
    }
}

static void try_intervals(struct pby_search *s, const struct cell *cell, size_t n, struct pby_draft c)
{
    c.range = c.pooled = true;
    for (size_t i = 0; i < n; i++) {
        double x = 0, y = 0;
        for (size_t j = i; j < n; j++) {
            x += counted(&cell[j], c.accused, true);
            y += counted(&cell[j], 1 - c.accused, true);
            c.lo = cell[i].key;
            c.hi = cell[j].key;
            weigh(s, &c, x, y);
        }
    }
}

/* The cells that the choosing part has reached, by key, cut to a level. */
static struct cell *gather(size_t *n, const pby_frequencies *table, unsigned level)
{
    struct cell *cell = malloc((table->chosen + 1) * sizeof *cell);
    *n = 0;
    for (size_t i = 0; cell != NULL && i < table->room; i++) {
        const pby_tally_cell *from = &table->cell[i];
        if (pby_cell_chosen(from) == 0)
            continue;
        const unsigned cut = level - table->level;
        struct cell *to = &cell[(*n)++];
        *to = (struct cell){.key = cut >= 64 ? 0 : from->key >> cut};
        for (int side = 0; side < PBY_SIDES; side++)
            for (int part = 0; part < 2; part++)
                to->count[side][part] = (double)from->count[side][part];
    }
    if (cell != NULL)
        qsort(cell, *n, sizeof *cell, by_key);
    return cell;
}

/* Joins cells of equal key. */
static size_t join(struct cell *cell, size_t n, unsigned cut)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = cut >= 64 ? 0 : cell[i].key >> cut;
        if (to > 0 && cell[to - 1].key == key) {
            for (int side = 0; side < PBY_SIDES; side++)
                for (int part = 0; part < 2; part++)
                    cell[to - 1].count[side][part] += cell[i].count[side][part];
        } else {
            cell[to] = cell[i];
            cell[to++].key = key;
        }
    }
    return to;
}

static void try_level(struct pby_search *s, struct cell *cell, size_t n, unsigned level, bool ordered)
{
    for (int accused = 0; accused < PBY_SIDES; accused++) {
        struct pby_draft c = {.accused = accused, .level = level};
        if (ordered && s->half_lines)
            try_half_lines(s, cell, n, c);
        if (ordered && s->sets && n <= INTERVAL_CELLS)
            try_intervals(s, cell, n, c);
        for (int pooled = 0; s->sets && pooled <= (n <= FEW_CELLS); pooled++) {
            c.pooled = pooled != 0;
            try_prefixes(s, cell, n, c);
            qsort(cell, n, sizeof *cell, by_key);
        }
    }
}

static void try_blocks(struct pby_search *s, struct cell *cell, size_t n, unsigned level)
{
    for (int accused = 0; accused < PBY_SIDES; accused++)
        for (int slope = -1; slope <= 1; slope += 2) {
            const struct pby_draft c = {.accused = accused, .level = level, .slope = slope, .pooled = true};
            try_prefixes(s, cell, n, c);
            qsort(cell, n, sizeof *cell, by_key);
        }
}

pby_status pby_search_table(struct pby_search *s, const pby_frequencies *table, pby_error *err)
{
    size_t n;
    unsigned level = table->level;
    const unsigned coarsest = 64 - s->block_bits;
    struct cell *cell = gather(&n, table, level);
    if (cell == NULL)
        return pby_no_memory(err);
    while (n > 0 && level < coarsest) {
        s->luck = LUCK * log(n < FEW_CELLS ? FEW_CELLS : (double)n);
        if (s->block_bits > 0)
            try_blocks(s, cell, n, level);
        else
            try_level(s, cell, n, level, table->ordered);
        if (!table->ordered || n <= 2)
            break;
        const size_t before = n;
        do { /* levels at which nothing joins show nothing new */
            n = join(cell, n, LEVEL_STEP);
            level += LEVEL_STEP;
        } while (4 * n > 3 * before && level < coarsest);
    }
    free(cell);
    return PBY_OK;
}

/* Finds the cells of a candidate again. */
pby_status pby_search_event(pby_event *event, unsigned feature, const struct pby_draft *c,
                            const struct pby_search *s, const pby_frequencies *table, pby_error *err)
{
    event->feature = feature;
    event->level = c->level;
    event->accused = c->accused;
    event->range = c->range;
    event->lo = c->lo;
    event->hi = c->hi;
    if (c->range)
        return PBY_OK;
    size_t n;
    struct cell *cell = gather(&n, table, c->level);
    event->key = malloc(c->take * sizeof *event->key);
    if (cell == NULL || event->key == NULL) {
        free(cell);
        return pby_no_memory(err);
    }
    n = join(cell, n, 0);
    order_by_ratio(s, cell, n, c);
    qsort(cell, c->take, sizeof *cell, by_key);
    for (size_t i = 0; i < c->take; i++)
        event->key[i] = cell[i].key;
    event->count = c->take;
    free(cell);
    return PBY_OK;
}
