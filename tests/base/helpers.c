/* SPDX-License-Identifier: MIT */
#include "base/helpers.h"

#include <criterion/criterion.h>
#include <stdatomic.h>

struct work {
    atomic_uint left;
    atomic_uint seen[PBY_HELPERS_MAX];
};

static void take(void *what, unsigned thread)
{
    struct work *w = what;
    atomic_fetch_add(&w->seen[thread], 1);
    while (atomic_load(&w->left) > 0)
        atomic_fetch_sub(&w->left, 1);
}

Test(helpers, each_thread_is_called_once_and_waited_for)
{
    for (unsigned threads = 1; threads <= PBY_HELPERS_MAX; threads++) {
        struct work w = {.left = 0};
        pby_help_with(take, &w, threads);
        for (unsigned i = 0; i < PBY_HELPERS_MAX; i++)
            cr_assert_eq(atomic_load(&w.seen[i]), i < threads);
    }
}

Test(helpers, they_can_be_started_and_waited_for_apart)
{
    struct work w = {.left = 0};
    pby_helpers helpers;
    pby_helpers_start(&helpers, take, &w, 3);
    pby_helpers_end(&helpers);
    cr_assert_eq(atomic_load(&w.seen[0]), 0);
    cr_assert_eq(atomic_load(&w.seen[1]) + atomic_load(&w.seen[2]), 2);
    pby_helpers_end(&helpers);
}
