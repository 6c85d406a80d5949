/* The choosing half proposes events. Doubles are enough here: a poor choice shows less, never too much.
 *
 * For each feature, both sides accused in turn:
 *   - cells ordered by likelihood ratio on the ordering part; every prefix is weighed on the selecting
 *     part, so that a cell that was lucky once is not believed;
 *   - for ordered features also every half line, and every interval of a coarse partition;
 *   - ordered features again at coarser and coarser cells.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/event.h"
#include "audit/guess.h"

enum { INTERVAL_CELLS = 64, FEW_CELLS = 32, LEVEL_STEP = 2 };

/* Two questions are asked of every event: which epsilon it refutes, and which delta. */
enum { EPSILON, DELTA, QUESTIONS };

struct cell {
    uint64_t key;
    double count[PBY_SIDES][2]; /* by side and choosing part */
    double ratio;
};

/* A candidate: the first `take` cells by ratio, or the range lo .. hi. */
struct candidate {
    double value;
    bool valid, range, pooled;
    int accused;
    unsigned level;
    size_t take;
    uint64_t lo, hi;
};

struct search {
    double factor, delta; /* exp of the claimed epsilon, and the claimed delta */
    double z[2]; /* standard errors to expect of the judges, seen from one part and from both */
    double seen[PBY_SIDES][2];
    struct candidate best[QUESTIONS];
};

/* What a candidate with these counts would show, as seen from the selecting part or from both. */
static void weigh(struct search *s, const struct candidate *c, double x, double y)
{
    const int p = c->accused, q = 1 - p;
    const double n = s->seen[p][1] + (c->pooled ? s->seen[p][0] : 0);
    const double m = s->seen[q][1] + (c->pooled ? s->seen[q][0] : 0);
    const double lower = pby_guess_lower(n, x, s->z[c->pooled]), upper = pby_guess_upper(m, y, s->z[c->pooled]);
    const double value[QUESTIONS] = {lower <= s->delta ? -INFINITY : log((lower - s->delta) / upper),
                                     lower - s->factor * upper};
    for (int i = 0; i < QUESTIONS; i++)
        if (!s->best[i].valid || value[i] > s->best[i].value) {
            s->best[i] = *c;
            s->best[i].valid = true;
            s->best[i].value = value[i];
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

static void order_by_ratio(const struct search *s, struct cell *cell, size_t n, int accused, bool pooled)
{
    const int p = accused, q = 1 - p;
    const double scale = (s->seen[p][0] + 1) / (s->seen[q][0] + 1);
    for (size_t i = 0; i < n; i++) {
        const double x = cell[i].count[p][0] + (pooled ? cell[i].count[p][1] : 0);
        const double y = cell[i].count[q][0] + (pooled ? cell[i].count[q][1] : 0);
        cell[i].ratio = (x + 0.5) / (y * scale + 0.5);
    }
    qsort(cell, n, sizeof *cell, by_ratio);
}

static void try_prefixes(struct search *s, struct cell *cell, size_t n, struct candidate c)
{
    order_by_ratio(s, cell, n, c.accused, c.pooled);
    double x = 0, y = 0;
    for (size_t i = 0; i < n; i++) {
        x += counted(&cell[i], c.accused, c.pooled);
        y += counted(&cell[i], 1 - c.accused, c.pooled);
        c.take = i + 1;
        weigh(s, &c, x, y);
    }
}

/* Half lines, from both ends; the cells are in the order of their keys. */
static void try_half_lines(struct search *s, const struct cell *cell, size_t n, struct candidate c)
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

static void try_intervals(struct search *s, const struct cell *cell, size_t n, struct candidate c)
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

/* The cells that the choosing half has reached, by key, cut to a level. */
static struct cell *gather(size_t *n, const pby_table *table, unsigned level)
{
    struct cell *cell = malloc((table->chosen + 1) * sizeof *cell);
    *n = 0;
    for (size_t i = 0; cell != NULL && i < table->room; i++) {
        const pby_cell *from = &table->cell[i];
        if (pby_cell_chosen(from) == 0)
            continue;
        const unsigned cut = level - table->level;
        struct cell *to = &cell[(*n)++];
        to->key = cut >= 64 ? 0 : from->key >> cut;
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

static void try_level(struct search *s, struct cell *cell, size_t n, unsigned level, bool ordered)
{
    for (int accused = 0; accused < PBY_SIDES; accused++) {
        struct candidate c = {.accused = accused, .level = level};
        if (ordered)
            try_half_lines(s, cell, n, c);
        if (ordered && n <= INTERVAL_CELLS)
            try_intervals(s, cell, n, c);
        for (int pooled = 0; pooled <= (n <= FEW_CELLS); pooled++) {
            c.pooled = pooled != 0;
            try_prefixes(s, cell, n, c);
            qsort(cell, n, sizeof *cell, by_key);
        }
    }
}

static pby_status search_table(struct search *s, const pby_table *table, pby_error *err)
{
    size_t n;
    unsigned level = table->level;
    struct cell *cell = gather(&n, table, level);
    if (cell == NULL)
        return pby_no_memory(err);
    while (n > 0) {
        try_level(s, cell, n, level, table->ordered);
        if (!table->ordered || n <= 2)
            break;
        const size_t before = n;
        do { /* levels at which nothing joins show nothing new */
            n = join(cell, n, LEVEL_STEP);
            level += LEVEL_STEP;
        } while (4 * n > 3 * before && level < 64);
        if (level >= 64)
            break;
    }
    free(cell);
    return PBY_OK;
}

/* ---- from candidates to events ---------------------------------------------------------------- */

/* Finds the cells of a candidate again. */
static pby_status make_event(pby_event *event, unsigned feature, const struct candidate *c, const struct search *s,
                             const pby_table *table, pby_error *err)
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
    order_by_ratio(s, cell, n, c->accused, c->pooled);
    qsort(cell, c->take, sizeof *cell, by_key);
    for (size_t i = 0; i < c->take; i++)
        event->key[i] = cell[i].key;
    event->count = c->take;
    free(cell);
    return PBY_OK;
}

struct proposal {
    unsigned feature;
    struct candidate c;
    struct search search;
};

static int by_value(const void *a, const void *b)
{
    const struct proposal *x = a, *y = b;
    if (x->c.value != y->c.value)
        return x->c.value < y->c.value ? 1 : -1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static void prepare(struct search *s, const pby_audit *audit, bool learned, double log_error)
{
    const double z = 0.75 * pby_guess_z(log_error);
    double judges = 1;
    for (int side = 0; side < PBY_SIDES; side++) {
        for (int part = 0; part < 2; part++)
            s->seen[side][part] = (double)(learned ? audit->scored[side][part] : audit->seen[side][part]);
        judges += (double)(learned ? audit->scored : audit->seen)[side][PBY_JUDGING];
    }
    const double one = s->seen[0][1] + s->seen[1][1], both = one + s->seen[0][0] + s->seen[1][0];
    s->z[0] = z * sqrt(one / judges);
    s->z[1] = z * sqrt(both / judges);
    memset(s->best, 0, sizeof s->best);
}

/* The best of every feature for each question. */
static pby_status propose(struct proposal *proposal[QUESTIONS], size_t *count, const pby_audit *audit,
                          double epsilon, double delta, double log_error, pby_error *err)
{
    *count = 0;
    for (unsigned f = 0; f < PBY_FEATURES; f++) {
        const pby_table *table = &audit->table[f];
        if (table->closed || table->chosen == 0)
            continue;
        struct search s = {.factor = exp(epsilon), .delta = delta};
        prepare(&s, audit, f == PBY_FEATURE_SCORE, log_error);
        const pby_status status = search_table(&s, table, err);
        if (status != PBY_OK)
            return status;
        for (int q = 0; q < QUESTIONS; q++)
            proposal[q][*count] = (struct proposal){f, s.best[q], s};
        ++*count;
    }
    for (int q = 0; q < QUESTIONS; q++)
        qsort(proposal[q], *count, sizeof **proposal, by_value);
    return PBY_OK;
}

/* The first event gets half of the error, the next a quarter, and so on; the last two get the same. */
static void share_error(pby_event *event, size_t count, const fmpq_t error)
{
    for (size_t i = 0; i < count; i++)
        fmpq_div_2exp(event[i].share.error, error, i + 1 < count ? i + 1 : i);
}

/* The use of the error that would show most on the choosing half. */
static void choose_split(pby_event *event, const pby_audit *audit, double delta)
{
    static const unsigned splits[] = {0, 32, 16, 4, 1, 48, 60, 63};
    const pby_evidence e = pby_event_count(event, audit, 1u << PBY_ORDERING | 1u << PBY_SELECTING);
    double best = -INFINITY;
    unsigned chosen = 0;
    if (e.n == 0 || e.m == 0)
        return;
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        event->share.split = splits[i];
        const double value = pby_guess_epsilon(&e, delta, &event->share);
        if (value > best) {
            best = value;
            chosen = splits[i];
        }
    }
    event->share.split = chosen;
}

/* Whether the first proposals for the other question, up to `last`, contain this one. */
static bool proposed(const struct proposal *other, const struct proposal *p, size_t last)
{
    for (size_t i = 0; i <= last; i++) {
        const struct candidate *a = &other[i].c, *b = &p->c;
        if (other[i].feature == p->feature && a->accused == b->accused && a->level == b->level &&
            a->range == b->range && a->pooled == b->pooled && a->take == b->take && a->lo == b->lo && a->hi == b->hi)
            return true;
    }
    return false;
}

pby_status pby_events_choose(pby_event *event, size_t *count, const pby_audit *audit, const fmpq_t epsilon,
                             const fmpq_t delta, const fmpq_t error, pby_error *err)
{
    struct proposal *proposal[QUESTIONS];
    size_t proposals = 0;
    *count = 0;
    for (int q = 0; q < QUESTIONS; q++)
        proposal[q] = malloc(PBY_FEATURES * sizeof **proposal);
    pby_status status = proposal[0] == NULL || proposal[1] == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = propose(proposal, &proposals, audit, pby_guess_of(epsilon), pby_guess_of(delta), log(pby_guess_of(error) / 4), err);
    for (size_t i = 0; i < proposals && status == PBY_OK && *count < PBY_EVENTS; i++)
        for (int q = 0; q < QUESTIONS && status == PBY_OK && *count < PBY_EVENTS; q++) {
            const struct proposal *p = &proposal[q][i];
            if (!p->c.valid || (q == DELTA && proposed(proposal[EPSILON], p, i)))
                continue;
            status = make_event(&event[*count], p->feature, &p->c, &p->search, &audit->table[p->feature], err);
            ++*count;
        }
    share_error(event, *count, error);
    for (size_t i = 0; i < *count && status == PBY_OK; i++)
        choose_split(&event[i], audit, pby_guess_of(delta));
    for (int q = 0; q < QUESTIONS; q++)
        free(proposal[q]);
    return status;
}
