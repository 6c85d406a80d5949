/* SPDX-License-Identifier: MIT */
#include "audit/count/count_table.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/feature.h"
#include "tests/audit/mechanisms.h"

static void count(pby_frequencies *t, uint64_t key, int side, int stage)
{
    cr_assert_eq(pby_frequencies_count(t, key, side, stage, "", 0, NULL), PBY_OK);
}

static int by_key(const void *a, const void *b)
{
    const pby_tally_cell *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* The cells in the order of their keys, the labels left out. */
static pby_tally_cell *sorted(const pby_frequencies *t)
{
    pby_tally_cell *cell = calloc(t->used + 1, sizeof *cell);
    size_t n = 0;
    for (size_t i = 0; i < t->room; i++)
        if (!pby_cell_empty(&t->cell[i])) {
            cell[n] = t->cell[i];
            cell[n++].label = NULL;
        }
    cr_assert_eq(n, t->used);
    qsort(cell, n, sizeof *cell, by_key);
    return cell;
}

static void expect_same(const pby_frequencies *a, const pby_frequencies *b)
{
    cr_assert_eq(a->used, b->used);
    cr_assert_eq(a->chosen, b->chosen);
    cr_assert_eq(a->level, b->level);
    cr_assert_eq(a->closed, b->closed);
    pby_tally_cell *x = sorted(a), *y = sorted(b);
    for (size_t i = 0; i < a->used; i++)
        cr_assert_arr_eq(&x[i], &y[i], sizeof *x);
    free(y);
    free(x);
}

Test(audit_table, counts_by_side_and_part)
{
    pby_frequencies t;
    pby_frequencies_init(&t, false, 100);
    count(&t, 5, 0, PBY_ORDERING);
    count(&t, 5, 1, PBY_JUDGING);
    count(&t, 5, 1, PBY_JUDGING);
    count(&t, 6, 1, PBY_JUDGING);
    pby_tally_cell *cell = sorted(&t);
    cr_assert_eq(t.used, 2);
    cr_assert_eq(t.chosen, 1);
    cr_assert_eq(cell[0].count[0][PBY_ORDERING], 1);
    cr_assert_eq(cell[0].count[1][PBY_JUDGING], 2);
    cr_assert_eq(cell[1].count[1][PBY_JUDGING], 1);
    free(cell);
    pby_frequencies_clear(&t);
}

/* In pieces, in another order, and merged: the same table, coarsened or not. */
static void merges_equal_the_whole(bool ordered, size_t cap, size_t n)
{
    pby_frequencies whole, piece[3], backwards;
    specimen_random *random = specimen_random_new(5);
    double *value = malloc(n * sizeof *value);
    pby_frequencies_init(&whole, ordered, cap);
    pby_frequencies_init(&backwards, ordered, cap);
    for (int i = 0; i < 3; i++)
        pby_frequencies_init(&piece[i], ordered, cap);
    for (size_t i = 0; i < n; i++) {
        value[i] = specimen_uniform(random) - 0.3;
        const int side = (int)(i & 1), stage = (int)(i % 3);
        count(&whole, pby_key_of(value[i]), side, stage);
        count(&piece[i * 3 / n], pby_key_of(value[i]), side, stage);
    }
    for (size_t i = n; i-- > 0;)
        count(&backwards, pby_key_of(value[i]), (int)(i & 1), (int)(i % 3));
    expect_same(&whole, &backwards);
    cr_assert_eq(pby_frequencies_merge(&piece[0], &piece[1], NULL), PBY_OK);
    cr_assert_eq(pby_frequencies_merge(&piece[2], &piece[0], NULL), PBY_OK);
    expect_same(&whole, &piece[2]);
    for (int i = 0; i < 3; i++)
        pby_frequencies_clear(&piece[i]);
    pby_frequencies_clear(&backwards);
    pby_frequencies_clear(&whole);
    free(value);
    specimen_random_free(random);
}

Test(audit_table, merged_pieces_equal_the_whole)
{
    merges_equal_the_whole(true, 100000, 3000);
    merges_equal_the_whole(true, 500, 3000);
    merges_equal_the_whole(true, 7, 3000);
    merges_equal_the_whole(false, 100000, 3000);
    merges_equal_the_whole(false, 100, 3000);
}

Test(audit_table, an_ordered_table_coarsens_and_another_closes)
{
    pby_frequencies ordered, other;
    pby_frequencies_init(&ordered, true, 64);
    pby_frequencies_init(&other, false, 64);
    for (uint64_t i = 0; i < 10000; i++) {
        count(&ordered, i, 0, PBY_SELECTING);
        count(&other, i, 0, PBY_SELECTING);
    }
    cr_assert_leq(ordered.chosen, 64);
    cr_assert_eq(ordered.level, 8);
    cr_assert(!ordered.closed);
    cr_assert(other.closed);
    cr_assert_eq(other.used, 0);
    pby_frequencies_clear(&other);
    pby_frequencies_clear(&ordered);
}

/* Judges change neither level nor closing; too many of them blind the table. */
Test(audit_table, judges_decide_nothing)
{
    pby_frequencies t;
    pby_frequencies_init(&t, true, 64);
    for (uint64_t i = 0; i < 64; i++)
        count(&t, i << 20, 0, PBY_ORDERING);
    for (uint64_t i = 0; i < 256; i++)
        count(&t, (i << 20) + 1, 1, PBY_JUDGING);
    cr_assert_eq(t.level, 0);
    cr_assert(!t.blind);
    count(&t, 99, 1, PBY_JUDGING);
    cr_assert(t.blind);
    cr_assert_eq(t.level, 0);
    cr_assert_eq(t.used, 64);
    count(&t, 98, 1, PBY_JUDGING);
    cr_assert_eq(t.used, 64);
    pby_frequencies_clear(&t);
}

/* The list does not depend on the order of insertion. */
Test(audit_table, cells_in_the_order_of_their_keys)
{
    enum { CELLS = 500 };
    pby_frequencies t;
    size_t n;
    pby_frequencies_init(&t, true, CELLS);
    for (uint64_t i = 0; i < 2 * CELLS; i++)
        count(&t, i * 7919 % CELLS, 1, PBY_JUDGING);
    const pby_tally_cell **cell = pby_frequencies_cells(&n, &t, pby_cell_by_key);
    cr_assert_eq(n, CELLS);
    for (uint64_t i = 0; i < CELLS; i++)
        cr_assert(cell[i]->key == i && cell[i]->count[1][PBY_JUDGING] == 2);
    free(cell);
    pby_frequencies_clear(&t);
}

Test(audit_table, labels_are_printable)
{
    pby_frequencies t;
    pby_frequencies_init(&t, false, 10);
    cr_assert_eq(pby_frequencies_count(&t, 1, 0, 0, "a\x01\xff\"", 4, NULL), PBY_OK);
    for (size_t i = 0; i < t.room; i++)
        if (!pby_cell_empty(&t.cell[i]))
            cr_assert_str_eq(t.cell[i].label, "a??\"");
    pby_frequencies_clear(&t);
}
