/* SPDX-License-Identifier: MIT */
#include "table/key/distinct.h"

#include <criterion/criterion.h>
#include <string.h>

static pby_distinct *new_set(uint64_t keys, unsigned threads)
{
    pby_distinct *set;
    cr_assert_eq(pby_distinct_new(&set, keys, threads, NULL), PBY_OK);
    return set;
}

/* Every thread's answer, one after the other. */
static bool all_distinct(pby_distinct *set, unsigned threads)
{
    bool distinct = true;
    for (unsigned i = 0; i < threads; i++)
        distinct = pby_distinct_look(set) && distinct;
    pby_distinct_free(set);
    return distinct;
}

Test(distinct, tells_keys_apart)
{
    const char *const keys[] = {"", "a", "b", "aa", "ab", "ba", "A", " a", "a ", "\xc3\xa9", "e"};
    pby_distinct *set = new_set(10, 1);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        cr_assert(pby_distinct_add(set, 0, (const uint8_t *)keys[i], strlen(keys[i])));
    cr_assert(all_distinct(set, 1));
    cr_assert(all_distinct(new_set(0, 3), 3), "no keys are distinct");
}

/* In one thread or in two, early or late, whatever number of keys was expected. */
Test(distinct, finds_a_key_that_stands_twice)
{
    enum { COUNT = 30000 };
    static const uint64_t expected[] = {1, COUNT, COUNT * 1000};
    static const uint32_t again[] = {COUNT, 1, 2, COUNT / 2, COUNT - 1};
    for (size_t e = 0; e < 3; e++)
        for (unsigned threads = 1; threads <= 3; threads++)
            for (size_t a = 0; a < sizeof again / sizeof *again; a++) {
                pby_distinct *set = new_set(expected[e], threads);
                for (uint32_t i = 0; i < COUNT; i++) {
                    const uint32_t key = i == again[a] ? i - 1 : i;
                    cr_assert(pby_distinct_add(set, i % threads, (const uint8_t *)&key, sizeof key));
                }
                cr_assert_eq(all_distinct(set, threads), again[a] == COUNT);
            }
}

Test(distinct, freeing_nothing_is_allowed)
{
    pby_distinct_free(NULL);
}
