/* SPDX-License-Identifier: MIT */
#include "table/store/store.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel/stream.h"

static const char *const columns[] = {"low", "high", NULL};

/* Rows of any size from a seed; every seventh publishes nothing. */
static size_t row_of(uint64_t *state, uint8_t *key, int64_t *values, size_t most)
{
    const size_t size = stream_next(state) % most;
    memset(key, (int)(stream_next(state) % 256), size);
    values[0] = (int64_t)stream_next(state);
    values[1] = (int64_t)stream_next(state);
    return size;
}

static void round_trip(size_t rows, size_t most)
{
    pby_store *s;
    uint8_t *key = malloc(most);
    int64_t values[2];
    uint64_t state = 5;
    cr_assert_eq(pby_store_new(&s, NULL), PBY_OK);
    cr_assert_eq(pby_store_shape(s, columns, NULL, true, NULL), PBY_OK);
    for (size_t i = 0; i < rows; i++) {
        const size_t size = row_of(&state, key, values, most);
        cr_assert_eq(pby_store_add(s, key, size, i % 7 == 0 ? NULL : values, NULL), PBY_OK);
    }
    for (int pass = 0; pass < 2; pass++) {
        const uint8_t *got;
        const int64_t *numbers;
        size_t got_size;
        bool found;
        state = 5;
        for (size_t i = 0; i < rows; i++) {
            const size_t size = row_of(&state, key, values, most);
            cr_assert_eq(pby_store_next(s, &found, &got, &got_size, &numbers, NULL), PBY_OK);
            cr_assert(found && got_size == size && memcmp(got, key, size) == 0, "row %zu", i);
            cr_assert_eq(numbers == NULL, i % 7 == 0);
            cr_assert(numbers == NULL || memcmp(numbers, values, sizeof values) == 0, "row %zu", i);
        }
        cr_assert_eq(pby_store_next(s, &found, &got, &got_size, &numbers, NULL), PBY_OK);
        cr_assert(!found);
        pby_store_rewind(s);
    }
    pby_store_free(s);
    free(key);
}

Test(store, what_goes_in_comes_out)
{
    round_trip(0, 1);
    round_trip(1, 8);
    round_trip(5000, 40);
}

/* More than stays in memory, and rows longer than what is read at once. */
Test(store, beyond_memory)
{
    round_trip(300, 1 << 20);
}

Test(store, its_shape_is_what_was_said_first)
{
    static const char *const other[] = {"count", NULL};
    pby_store *s;
    mpq_t unit;
    size_t size;
    mpq_init(unit);
    mpq_set_ui(unit, 1, 4);
    cr_assert_eq(pby_store_new(&s, NULL), PBY_OK);
    cr_assert_eq(pby_store_width(s), 0);
    cr_assert_null(pby_store_columns(s)[0]);
    cr_assert_null(pby_store_header(s, &size));
    cr_assert_eq(pby_store_shape(s, columns, unit, false, NULL), PBY_OK);
    cr_assert_eq(pby_store_shape(s, other, NULL, true, NULL), PBY_OK);
    cr_assert_eq(pby_store_head(s, "a", 1, NULL), PBY_OK);
    cr_assert_eq(pby_store_head(s, "b", 1, NULL), PBY_OK);
    mpq_clear(unit);
    cr_assert_eq(pby_store_width(s), 2);
    cr_assert_str_eq(pby_store_columns(s)[1], "high");
    cr_assert_eq(mpq_cmp_ui(pby_store_unit(s), 1, 4), 0);
    cr_assert(!pby_store_keyed(s));
    cr_assert_str_eq(pby_store_header(s, &size), "a");
    pby_store_free(s);
}
