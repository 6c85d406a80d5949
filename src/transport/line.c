/* SPDX-License-Identifier: MIT */
/* Carrying mass along the line.
 *
 * With b fixed, x may be carried to y when |x - y| <= b. Both sides sorted, let x and y be the first atoms
 * that still have mass. If y is more than b above x, no later y is nearer to x, and x stays; if y is more
 * than b below x, no later x is nearer to y, and y stays empty. Otherwise as much as possible of x goes to y,
 * and an exchange shows that nothing is lost by it. In a best carriage, let x send s > 0 to a later y', and
 * let y take t > 0 from a later x'. Then y <= y' <= x + b and x <= x' <= y + b, so that x' <= y' + b and
 * y' <= x' + b: min(s, t) can be sent from x to y and from x' to y' instead. If only one of the two has such
 * a partner, the mass that the other has free is used at no cost.
 *
 * One pass over both sides therefore carries the most that b allows. Without a bound nothing stays, and the
 * farthest that this pass goes is enough; where all of both must be carried it is the least b, for with a
 * lesser one something would stay. Otherwise the least b is one of the distances of an atom of x and one of
 * y. Those between a b that is too little and one that is enough are counted, some are drawn, and bisection
 * over the drawn ones leaves about one in DRAWN: as many rounds as the number of pairs has digits to that
 * base, whatever the size of the numbers. The draw is seeded, and only the time depends on it. */
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "number/scoped.h"
#include "transport/transport_measure.h"

enum { DRAWN = 127 };

/* ---- one pass ----------------------------------------------------------------------------------- */

struct sweep {
    const pby_line *x, *y;
    mp_size_t at_limbs, mass_limbs;
    size_t i, j;                /* the first atoms that have mass, */
    mp_limb_t *left_x, *left_y; /* and what they have */
    mp_limb_t *beyond;          /* a position and b */
    mp_limb_t *spare;           /* what may stay yet */
    mp_limb_t *memory;
};

static bool sweep_init(struct sweep *s, const pby_line *x, const pby_line *y)
{
    *s = (struct sweep){
        .x = x, .y = y, .at_limbs = (mp_size_t)x->at_limbs, .mass_limbs = (mp_size_t)x->mass_limbs};
    s->memory = calloc(x->at_limbs + 3 * x->mass_limbs, sizeof *s->memory);
    if (s->memory == NULL)
        return false;
    s->left_x = s->memory;
    s->left_y = s->left_x + s->mass_limbs;
    s->spare = s->left_y + s->mass_limbs;
    s->beyond = s->spare + s->mass_limbs;
    return true;
}

static void go_to_x(struct sweep *s, size_t i)
{
    s->i = i;
    if (i < s->x->count)
        memcpy(s->left_x, pby_line_mass(s->x, i), (size_t)s->mass_limbs * sizeof *s->left_x);
}

static void go_to_y(struct sweep *s, size_t j)
{
    s->j = j;
    if (j < s->y->count)
        memcpy(s->left_y, pby_line_mass(s->y, j), (size_t)s->mass_limbs * sizeof *s->left_y);
}

/* As much as possible of x goes to y. */
static void carry(struct sweep *s)
{
    const int more = mpn_cmp(s->left_x, s->left_y, s->mass_limbs);
    if (more > 0)
        mpn_sub_n(s->left_x, s->left_x, s->left_y, s->mass_limbs);
    else if (more < 0)
        mpn_sub_n(s->left_y, s->left_y, s->left_x, s->mass_limbs);
    if (more <= 0)
        go_to_x(s, s->i + 1);
    if (more >= 0)
        go_to_y(s, s->j + 1);
}

/* True if low + b is below high. */
static bool beyond(const struct sweep *s, const mp_limb_t *low, const mp_limb_t *b, const mp_limb_t *high)
{
    mpn_add_n(s->beyond, low, b, s->at_limbs);
    return mpn_cmp(s->beyond, high, s->at_limbs) < 0;
}

/* The rest of x stays, unless it is more than may. */
static bool stays(struct sweep *s)
{
    if (mpn_cmp(s->spare, s->left_x, s->mass_limbs) < 0)
        return false;
    mpn_sub_n(s->spare, s->spare, s->left_x, s->mass_limbs);
    return true;
}

/* True if all of x but `spare` can be carried within b. */
static bool reaches(struct sweep *s, const fmpz_t spare, const mp_limb_t *b)
{
    fmpz_get_ui_array(s->spare, s->mass_limbs, spare);
    go_to_x(s, 0);
    go_to_y(s, 0);
    while (s->i < s->x->count) {
        const mp_limb_t *x = pby_line_at(s->x, s->i);
        const mp_limb_t *y = s->j < s->y->count ? pby_line_at(s->y, s->j) : NULL;
        if (y == NULL || beyond(s, x, b, y)) {
            if (!stays(s))
                return false;
            go_to_x(s, s->i + 1);
        } else if (beyond(s, y, b, x)) {
            go_to_y(s, s->j + 1);
        } else {
            carry(s);
        }
    }
    return true;
}

/* |x - y| */
static void set_apart(mp_limb_t *out, const mp_limb_t *x, const mp_limb_t *y, mp_size_t limbs)
{
    const bool above = mpn_cmp(x, y, limbs) > 0;
    mpn_sub_n(out, above ? x : y, above ? y : x, limbs);
}

/* The farthest that mass goes when nothing stays. */
static void farthest(mp_limb_t *out, struct sweep *s)
{
    mpn_zero(out, s->at_limbs);
    go_to_x(s, 0);
    go_to_y(s, 0);
    while (s->i < s->x->count && s->j < s->y->count) {
        set_apart(s->beyond, pby_line_at(s->x, s->i), pby_line_at(s->y, s->j), s->at_limbs);
        if (mpn_cmp(s->beyond, out, s->at_limbs) > 0)
            mpn_copyi(out, s->beyond, s->at_limbs);
        carry(s);
    }
}

/* ---- the distances that are left ---------------------------------------------------------------- */

/* The window of an atom of one side: the atoms of the other, from..to - 1, that are above it by more than lo
 * and less than hi. */
struct window {
    size_t from, to;
};

struct search {
    struct sweep sweep;
    mp_limb_t *lo, *hi;    /* too little, and enough */
    struct window *window; /* of the atoms of x, then of those of y */
    mp_limb_t *drawn;      /* distances in order, `draws` of them */
    size_t draws;
    uint64_t seed;
};

static bool search_init(struct search *s, const pby_line *x, const pby_line *y)
{
    *s = (struct search){.seed = 1};
    s->lo = calloc((DRAWN + 2) * x->at_limbs, sizeof *s->lo);
    s->window = malloc((x->count + y->count + 1) * sizeof *s->window);
    if (!sweep_init(&s->sweep, x, y) || s->lo == NULL || s->window == NULL)
        return false;
    s->hi = s->lo + x->at_limbs;
    s->drawn = s->hi + x->at_limbs;
    return true;
}

static void search_clear(struct search *s)
{
    const pby_line *x = s->sweep.x, *y = s->sweep.y;
    pby_wipe_free(s->sweep.memory, (x->at_limbs + 3 * x->mass_limbs) * sizeof *s->sweep.memory);
    pby_wipe_free(s->lo, (DRAWN + 2) * x->at_limbs * sizeof *s->lo);
    pby_wipe_free(s->window, (x->count + y->count + 1) * sizeof *s->window);
}

/* Returns the number of pairs that the windows of one side hold. */
static uint64_t count_side(const struct search *s, struct window *w, const pby_line *low,
                           const pby_line *high)
{
    uint64_t pairs = 0;
    size_t from = 0, to = 0;
    for (size_t i = 0; i < low->count; i++) {
        const mp_limb_t *at = pby_line_at(low, i);
        mpn_add_n(s->sweep.beyond, at, s->lo, s->sweep.at_limbs);
        while (from < high->count &&
               mpn_cmp(pby_line_at(high, from), s->sweep.beyond, s->sweep.at_limbs) <= 0)
            from++;
        mpn_add_n(s->sweep.beyond, at, s->hi, s->sweep.at_limbs);
        while (to < high->count && mpn_cmp(pby_line_at(high, to), s->sweep.beyond, s->sweep.at_limbs) < 0)
            to++;
        w[i] = (struct window){from, to > from ? to : from};
        pairs += w[i].to - w[i].from;
    }
    return pairs;
}

/* A splitmix64 step. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int by_size(const void *a, const void *b, void *limbs)
{
    return mpn_cmp(a, b, *(const mp_size_t *)limbs);
}

/* The distances of the pairs of these ranks, which are in order. */
static void find_drawn(struct search *s, const uint64_t *rank)
{
    const pby_line *x = s->sweep.x, *y = s->sweep.y;
    uint64_t before = 0;
    size_t k = 0;
    for (size_t i = 0; i < x->count + y->count && k < s->draws; i++) {
        const struct window w = s->window[i];
        const pby_line *low = i < x->count ? x : y, *high = i < x->count ? y : x;
        for (; k < s->draws && rank[k] - before < w.to - w.from; k++)
            mpn_sub_n(s->drawn + k * x->at_limbs, pby_line_at(high, w.from + (size_t)(rank[k] - before)),
                      pby_line_at(low, i < x->count ? i : i - x->count), s->sweep.at_limbs);
        before += w.to - w.from;
    }
}

/* All pairs between lo and hi, or some; false when there is none. */
static bool draw(struct search *s)
{
    const pby_line *x = s->sweep.x, *y = s->sweep.y;
    const uint64_t pairs = count_side(s, s->window, x, y) + count_side(s, s->window + x->count, y, x);
    uint64_t rank[DRAWN];
    s->draws = pairs < DRAWN ? (size_t)pairs : DRAWN;
    for (size_t k = 0; k < s->draws; k++)
        rank[k] = pairs <= DRAWN ? k : next(&s->seed) % pairs;
    qsort(rank, s->draws, sizeof *rank, pby_compare_uint64);
    find_drawn(s, rank);
    qsort_r(s->drawn, s->draws, x->at_limbs * sizeof *s->drawn, by_size, &s->sweep.at_limbs);
    return s->draws > 0;
}

/* Bisection over the drawn distances. */
static void narrow(struct search *s, const fmpz_t spare)
{
    size_t from = 0, to = s->draws;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const mp_limb_t *b = s->drawn + middle * s->sweep.x->at_limbs;
        const bool enough = reaches(&s->sweep, spare, b);
        mpn_copyi(enough ? s->hi : s->lo, b, s->sweep.at_limbs);
        if (enough)
            to = middle;
        else
            from = middle + 1;
    }
}

static void search(struct search *s, const fmpz_t spare, const fmpz_t need)
{
    farthest(s->hi, &s->sweep);
    if (fmpz_is_zero(spare) && fmpz_equal(need, s->sweep.y->total))
        return;
    if (reaches(&s->sweep, spare, s->lo))
        mpn_zero(s->hi, s->sweep.at_limbs);
    while (draw(s))
        narrow(s, spare);
}

pby_status pby_line_reach(fmpz_t b, const pby_line *x, const pby_line *y, const fmpz_t need, pby_error *err)
{
    struct search s;
    PBY_FMPZ(spare);
    fmpz_sub(spare, x->total, need);
    const bool room = search_init(&s, x, y);
    if (room) {
        search(&s, spare, need);
        fmpz_set_ui_array(b, s.hi, s.sweep.at_limbs);
    }
    search_clear(&s);
    return room ? PBY_OK : pby_no_memory(err);
}
