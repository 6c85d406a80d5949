/* SPDX-License-Identifier: MIT */
/* Every user of small bounds, enumerated: a list of moves covers what a user moves if the moved cells can be
 * packed into its coordinates, each holding no more than its size. */
#include "plan/plan_moves.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 10, COORDINATES = 24 };

/* Packs the cells from the greatest on, by backtracking. */
static bool pack(uint64_t *room, size_t coordinates, const uint64_t *cell, size_t n)
{
    if (n == 0)
        return true;
    for (size_t i = 0; i < coordinates; i++) {
        if (room[i] < cell[0] || (i > 0 && room[i] == room[i - 1]))
            continue;
        room[i] -= cell[0];
        const bool packed = pack(room, coordinates, cell + 1, n - 1);
        room[i] += cell[0];
        if (packed)
            return true;
    }
    return false;
}

static int falling(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

/* True if the list, less so many of its last coordinates, covers the moves. */
static bool covers(const pby_plan_moves *list, uint64_t less, const uint64_t *moved, size_t n)
{
    uint64_t room[COORDINATES], cell[CELLS];
    size_t coordinates = 0, cells = 0;
    for (unsigned part = 0; part < list->parts; part++)
        for (uint64_t i = 0; i < list->count[part]; i++) {
            cr_assert_lt(coordinates, COORDINATES);
            room[coordinates++] = list->size[part];
        }
    for (size_t i = 0; i < n; i++)
        if (moved[i] > 0)
            cell[cells++] = moved[i];
    qsort(cell, cells, sizeof *cell, falling);
    return pack(room, coordinates - less, cell, cells);
}

/* ---- profiles ---------------------------------------------------------------------------------- */

typedef void visit(const uint64_t *n, const pby_plan_bounds *b, void *what);

/* All rows of a user by group: at most m each, in at most k groups, C in all. */
static void each_user(uint64_t *n, size_t at, uint64_t rows, uint64_t k, const pby_plan_bounds *b,
                      bool sorted, visit *see, void *what)
{
    if (at == b->groups) {
        see(n, b, what);
        return;
    }
    for (uint64_t x = 0; x <= b->m && x <= rows && (x == 0 || k > 0); x++) {
        if (sorted && at > 0 && x > n[at - 1])
            break;
        n[at] = x;
        each_user(n, at + 1, rows - x, k - (x > 0), b, sorted, see, what);
    }
}

static void all_users(const pby_plan_bounds *b, bool sorted, visit *see, void *what)
{
    uint64_t n[CELLS] = {0};
    each_user(n, 0, b->rows, b->k, b, sorted, see, what);
}

struct seen {
    pby_plan_moves list;
    bool less_fails; /* some user is not covered by a coordinate less */
    size_t users;
};

static void see_covered(const uint64_t *n, const pby_plan_bounds *b, void *what)
{
    struct seen *s = what;
    s->users++;
    cr_assert(covers(&s->list, 0, n, b->groups), "C=%lu m=%lu k=%lu", b->rows, b->m, b->k);
    s->less_fails = s->less_fails || !covers(&s->list, 1, n, b->groups);
}

/* Order of the groups does not matter for one user, so that falling rows are enough. */
static size_t cover_all(uint64_t most)
{
    size_t users = 0;
    for (uint64_t rows = 1; rows <= most; rows++)
        for (uint64_t m = 1; m <= most; m++)
            for (uint64_t k = 1; k <= most; k++) {
                pby_plan_bounds b = {rows, k, m, k};
                struct seen s = {.less_fails = false};
                pby_plan_bounds_cut(&b);
                b.groups = b.k;
                pby_plan_moves_of(&s.list, &b, PBY_ADD_REMOVE);
                all_users(&b, true, see_covered, &s);
                cr_assert(s.less_fails, "C=%lu m=%lu k=%lu: one coordinate less is enough", rows, m, k);
                users += s.users;
            }
    return users;
}

Test(plan_moves, every_user_is_covered_and_no_coordinate_is_spare)
{
    cr_assert_gt(cover_all(7), 2000);
}

Test(plan_moves, every_user_of_ten_rows_is_covered)
{
    cr_assert_gt(cover_all(10), 20000);
}

/* ---- two users --------------------------------------------------------------------------------- */

struct pairs {
    pby_plan_moves one_sign, two_signs;
    pby_plan_norms norms, found;
    uint64_t first[CELLS];
    size_t pairs;
};

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static void raise(uint64_t *most, uint64_t x)
{
    *most = x > *most ? x : *most;
}

static void see_second(const uint64_t *n, const pby_plan_bounds *b, void *what)
{
    struct pairs *p = what;
    uint64_t difference[CELLS], sum[CELLS];
    pby_plan_norms norms = {0, 0, 0, 0};
    for (size_t i = 0; i < b->groups; i++) {
        difference[i] = apart(n[i], p->first[i]);
        sum[i] = n[i] + p->first[i];
        norms.l0 += difference[i] > 0;
        norms.l1 += difference[i];
        norms.l2 += difference[i] * difference[i];
        raise(&norms.most, difference[i]);
    }
    p->pairs++;
    cr_assert(covers(&p->one_sign, 0, difference, b->groups), "C=%lu m=%lu k=%lu", b->rows, b->m, b->k);
    cr_assert(covers(&p->two_signs, 0, sum, b->groups), "C=%lu m=%lu k=%lu", b->rows, b->m, b->k);
    raise(&p->found.l0, norms.l0);
    raise(&p->found.most, norms.most);
    raise(&p->found.l1, norms.l1);
    raise(&p->found.l2, norms.l2);
}

static void see_first(const uint64_t *n, const pby_plan_bounds *b, void *what)
{
    struct pairs *p = what;
    memcpy(p->first, n, b->groups * sizeof *n);
    all_users(b, false, see_second, what);
}

static void same_norms(const pby_plan_norms *a, const pby_plan_norms *b, const pby_plan_bounds *of)
{
    cr_assert(a->l0 == b->l0 && a->most == b->most && a->l1 == b->l1 && a->l2 == b->l2,
              "C=%lu m=%lu k=%lu G=%lu: %lu %lu %lu %lu, not %lu %lu %lu %lu", of->rows, of->m, of->k,
              of->groups, a->l0, a->most, a->l1, a->l2, b->l0, b->most, b->l1, b->l2);
}

static size_t substitute_all(uint64_t most, uint64_t groups_most)
{
    size_t pairs = 0;
    for (uint64_t rows = 1; rows <= most; rows++)
        for (uint64_t m = 1; m <= most; m++)
            for (uint64_t groups = 1; groups <= groups_most; groups++)
                for (uint64_t k = 1; k <= groups; k++) {
                    pby_plan_bounds b = {rows, k, m, groups};
                    struct pairs p = {.pairs = 0};
                    pby_plan_bounds_cut(&b);
                    pby_plan_moves_of(&p.one_sign, &b, PBY_SUBSTITUTE);
                    pby_plan_moves_signed(&p.two_signs, &b, PBY_SUBSTITUTE);
                    pby_plan_norms_of(&p.norms, &b, PBY_SUBSTITUTE);
                    all_users(&b, false, see_first, &p);
                    same_norms(&p.norms, &p.found, &b);
                    pairs += p.pairs;
                }
    return pairs;
}

Test(plan_moves, two_users_are_covered_and_reach_the_norms)
{
    cr_assert_gt(substitute_all(4, 3), 10000);
}

Test(plan_moves, two_users_of_many_groups_are_covered)
{
    cr_assert_gt(substitute_all(6, 4), 300000);
}

/* ---- one user's norms, histograms -------------------------------------------------------------- */

static void see_norms(const uint64_t *n, const pby_plan_bounds *b, void *what)
{
    struct pairs *p = what;
    memset(p->first, 0, sizeof p->first);
    see_second(n, b, what);
}

Test(plan_moves, one_user_reaches_the_norms)
{
    for (uint64_t rows = 1; rows <= 5; rows++)
        for (uint64_t m = 1; m <= 5; m++)
            for (uint64_t k = 1; k <= 4; k++) {
                pby_plan_bounds b = {rows, k, m, 4};
                struct pairs p = {.pairs = 0};
                pby_plan_bounds_cut(&b);
                pby_plan_moves_of(&p.one_sign, &b, PBY_ADD_REMOVE);
                pby_plan_moves_signed(&p.two_signs, &b, PBY_ADD_REMOVE);
                pby_plan_norms_of(&p.norms, &b, PBY_ADD_REMOVE);
                all_users(&b, false, see_norms, &p);
                same_norms(&p.norms, &p.found, &b);
            }
}

/* Buckets of two groups, two each: the walk bounds the rows of a group, and not those of a bucket. */
struct buckets {
    pby_plan_moves add, change;
    uint64_t cell[625][4];
    size_t users;
};

static void keep_buckets(struct buckets *s, const pby_plan_bounds *b)
{
    for (uint64_t i = 0; i < 625; i++) {
        const uint64_t n[] = {i % 5, i / 5 % 5, i / 25 % 5, i / 125};
        const uint64_t first = n[0] + n[1], second = n[2] + n[3];
        if (first > b->m || second > b->m || first + second > b->rows ||
            (first > 0) + (second > 0) > (int)b->k)
            continue;
        memcpy(s->cell[s->users++], n, sizeof n);
        cr_assert(covers(&s->add, 0, n, 4));
    }
}

Test(plan_moves, histograms_are_covered)
{
    for (uint64_t rows = 1; rows <= 4; rows++)
        for (uint64_t m = 1; m <= 4; m++)
            for (uint64_t k = 1; k <= 2; k++) {
                pby_plan_bounds b = {rows, k, m, 2};
                struct buckets s = {.users = 0};
                pby_plan_bounds_cut(&b);
                pby_plan_moves_buckets(&s.add, &b, 2, PBY_ADD_REMOVE);
                pby_plan_moves_buckets(&s.change, &b, 2, PBY_SUBSTITUTE);
                keep_buckets(&s, &b);
                for (size_t i = 0; i < s.users; i++)
                    for (size_t j = 0; j < s.users; j++) {
                        uint64_t moved[4];
                        for (size_t c = 0; c < 4; c++)
                            moved[c] = apart(s.cell[i][c], s.cell[j][c]);
                        cr_assert(covers(&s.change, 0, moved, 4), "C=%lu m=%lu k=%lu", rows, m, k);
                    }
            }
}

/* A rule that is wrong is found: a list with a coordinate less, or a size less, does not cover all users. */
static void see_uncovered(const uint64_t *n, const pby_plan_bounds *b, void *what)
{
    struct seen *s = what;
    s->less_fails = s->less_fails || !covers(&s->list, 0, n, b->groups);
}

Test(plan_moves, a_smaller_size_is_found_out)
{
    for (uint64_t rows = 2; rows <= 5; rows++)
        for (uint64_t m = 2; m <= rows; m++) {
            pby_plan_bounds b = {rows, 3, m, 3};
            struct seen s = {.less_fails = false};
            pby_plan_bounds_cut(&b);
            pby_plan_moves_of(&s.list, &b, PBY_ADD_REMOVE);
            s.list.size[0]--;
            all_users(&b, true, see_uncovered, &s);
            cr_assert(s.less_fails, "C=%lu m=%lu", rows, m);
        }
}
