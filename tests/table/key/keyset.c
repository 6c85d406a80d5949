/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "table/key/keyset.h"

static pby_keyset *new_set(void)
{
    pby_keyset *set;
    cr_assert_eq(pby_keyset_new(&set, NULL), PBY_OK);
    return set;
}

/* Adds the keys with their numbers as marks; the mark of the first duplicate, or -1. */
static long first_duplicate(const char *const *keys, size_t count)
{
    pby_keyset *set = new_set();
    bool duplicate = false;
    uint64_t mark = 0;
    for (size_t i = 0; i < count && !duplicate; i++)
        cr_assert_eq(
            pby_keyset_add(set, (const uint8_t *)keys[i], strlen(keys[i]), i, &duplicate, &mark, NULL),
            PBY_OK);
    if (!duplicate)
        cr_assert_eq(pby_keyset_flush(set, &duplicate, &mark, NULL), PBY_OK);
    pby_keyset_free(set);
    return duplicate ? (long)mark : -1;
}

Test(keyset, tells_keys_apart)
{
    const char *const keys[] = {"", "a", "b", "aa", "ab", "ba", "A", " a", "a ", "\xc3\xa9", "e"};
    cr_assert_eq(first_duplicate(keys, sizeof keys / sizeof *keys), -1);
}

Test(keyset, reports_the_first_duplicate_by_its_mark)
{
    const char *const keys[] = {"a", "b", "c", "b", "a", "c"};
    cr_assert_eq(first_duplicate(keys, 6), 3);
    const char *const empty[] = {"", "x", ""};
    cr_assert_eq(first_duplicate(empty, 3), 2);
}

Test(keyset, flushing_an_empty_queue_reports_nothing)
{
    pby_keyset *set = new_set();
    bool duplicate = true;
    uint64_t mark;
    cr_assert_eq(pby_keyset_flush(set, &duplicate, &mark, NULL), PBY_OK);
    cr_assert_not(duplicate);
    pby_keyset_free(set);
}

/* The set grows several times on the way: every key must still be found after it. */
Test(keyset, finds_every_key_again_after_growing)
{
    enum { COUNT = 60000 };
    pby_keyset *set = new_set();
    bool duplicate;
    uint64_t mark;
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(pby_keyset_add(set, (const uint8_t *)&i, sizeof i, i, &duplicate, &mark, NULL), PBY_OK);
        cr_assert_not(duplicate, "key %u is new", i);
    }
    cr_assert_eq(pby_keyset_flush(set, &duplicate, &mark, NULL), PBY_OK);
    cr_assert_not(duplicate);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(pby_keyset_add(set, (const uint8_t *)&i, sizeof i, COUNT + i, &duplicate, &mark, NULL),
                     PBY_OK);
        if (!duplicate)
            cr_assert_eq(pby_keyset_flush(set, &duplicate, &mark, NULL), PBY_OK);
        cr_assert(duplicate, "key %u is there", i);
        cr_assert_eq(mark, COUNT + i);
    }
    pby_keyset_free(set);
}

/* Two keys of many stand twice, the second pair's both between the first's: a thread finds the same as the
 * caller alone would, in whichever of its batches they are. */
Test(keyset, a_thread_reports_the_first_duplicate_too)
{
    enum { COUNT = 300000 };
    const uint32_t ends[] = {COUNT - 1, 262144, 200000, 135169, 131073, 131072, 131071, 100};
    for (size_t round = 0; round < sizeof ends / sizeof *ends; round++) {
        pby_keyset *set = new_set();
        bool duplicate = false;
        uint64_t mark = 0;
        for (uint32_t i = 0; i < COUNT && !duplicate; i++) {
            const uint32_t key = i == ends[round] ? 7 : i == ends[round] + 3 ? 8 : i;
            cr_assert_eq(pby_keyset_add(set, (const uint8_t *)&key, sizeof key, i, &duplicate, &mark, NULL),
                         PBY_OK);
        }
        if (!duplicate)
            cr_assert_eq(pby_keyset_flush(set, &duplicate, &mark, NULL), PBY_OK);
        cr_assert(duplicate);
        cr_assert_eq(mark, ends[round], "%u: %lu", ends[round], (unsigned long)mark);
        pby_keyset_free(set);
    }
    pby_keyset *set = new_set(); /* freed while a thread is at work */
    bool duplicate;
    uint64_t mark;
    for (uint32_t i = 0; i < COUNT; i++)
        cr_assert_eq(pby_keyset_add(set, (const uint8_t *)&i, sizeof i, i, &duplicate, &mark, NULL), PBY_OK);
    pby_keyset_free(set);
}

Test(keyset, freeing_nothing_is_allowed)
{
    pby_keyset_free(NULL);
}
