/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

struct list {
    uint64_t *item;
    size_t room, count;
};

static pby_status append(struct list *list, uint64_t item, pby_error *err)
{
    PBY_RESERVE(list->item, list->room, list->count + 1, err);
    list->item[list->count++] = item;
    return PBY_OK;
}

Test(array, keeps_every_item_and_moves_few)
{
    struct list list = {NULL, 0, 0};
    size_t moved = 0, moves = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        const size_t before = list.room;
        cr_assert_eq(append(&list, i * i, NULL), PBY_OK);
        if (list.room != before) {
            moved += before;
            moves++;
        }
    }
    for (uint64_t i = 0; i < 100000; i++)
        cr_assert_eq(list.item[i], i * i);
    cr_assert_lt(moves, 30);
    cr_assert_lt(moved, 3 * list.count);
    free(list.item);
}

Test(array, has_as_much_as_is_needed_at_once)
{
    size_t room = 0;
    char *text = pby_grown(NULL, &room, 1000, 1);
    cr_assert_not_null(text);
    cr_assert_geq(room, 1000);
    free(text);
}

Test(array, that_cannot_grow_stays_as_it_was)
{
    struct list list = {NULL, 0, 0};
    cr_assert_eq(append(&list, 7, NULL), PBY_OK);
    size_t room = list.room;
    cr_assert_null(pby_grown(list.item, &room, SIZE_MAX / 4, sizeof *list.item));
    cr_assert_eq(room, list.room);
    cr_assert_eq(list.item[0], 7);
    free(list.item);
}
