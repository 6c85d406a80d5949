/* SPDX-License-Identifier: MIT */
#include "audit/timing/times.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "probity/experimental/entropy.h"

enum { RUNS = 1500 };

static uint64_t word(pby_entropy *source)
{
    uint64_t word;
    cr_assert_eq(pby_entropy_words(source, &word, 1, NULL), PBY_OK);
    return word;
}

static pby_entropy *stream(uint8_t seed)
{
    const uint8_t bytes[PBY_SEED_SIZE] = {seed};
    pby_entropy *source;
    cr_assert_eq(pby_entropy_seeded(&source, bytes, NULL), PBY_OK);
    return source;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Counts again, from all that was added, by sorting the window of each run. */
static void recount(uint64_t seen[PBY_TIMES_EVENTS][2], const uint64_t *time, const pby_side *side, size_t n)
{
    static const size_t parts[PBY_TIMES_LEVELS] = {1, 4, 16, 32, 48, 60, 63};
    uint64_t window[PBY_TIMES_WINDOW];
    memset(seen, 0, PBY_TIMES_EVENTS * sizeof *seen);
    for (size_t i = PBY_TIMES_WARMING; i < n; i++) {
        const size_t size = i < PBY_TIMES_WINDOW ? i : PBY_TIMES_WINDOW;
        memcpy(window, time + i - size, size * sizeof *window);
        qsort(window, size, sizeof *window, by_size);
        for (size_t l = 0; l < PBY_TIMES_LEVELS; l++) {
            seen[2 * l][side[i]] += time[i] > window[size * parts[l] / 64];
            seen[2 * l + 1][side[i]] += time[i] < window[size * parts[l] / 64];
        }
    }
}

Test(audit_times, events_are_counted_by_the_times_before)
{
    static uint64_t time[RUNS];
    static pby_side side[RUNS];
    uint64_t seen[PBY_TIMES_EVENTS][2];
    pby_entropy *source = stream(1);
    pby_times *t;
    cr_assert_eq(pby_times_new(&t, NULL), PBY_OK);
    for (size_t i = 0; i < RUNS; i++) {
        const uint64_t w = word(source);
        side[i] = (w & 1) == 0 ? PBY_LEFT : PBY_RIGHT;
        time[i] = (w >> 8) % 40 + i / 300; /* with many ties, and drifting */
        cr_assert_eq(pby_times_add(t, side[i], time[i], NULL), PBY_OK);
    }
    recount(seen, time, side, RUNS);
    cr_assert_eq(t->counts.judging, RUNS - PBY_TIMES_WARMING);
    cr_assert_eq(memcmp(seen, t->counts.seen, sizeof seen), 0);
    cr_assert_eq(t->runs[0] + t->runs[1], RUNS);
    cr_assert(pby_times_fair(t));
    pby_times_free(t);
    pby_entropy_free(source);
}

static bool fair(size_t runs, size_t left, bool alternating)
{
    pby_times *t;
    cr_assert_eq(pby_times_new(&t, NULL), PBY_OK);
    for (size_t i = 0; i < runs; i++) {
        const bool is_left = alternating ? i % 2 == 0 : i < left;
        cr_assert_eq(pby_times_add(t, is_left ? PBY_LEFT : PBY_RIGHT, 5, NULL), PBY_OK);
    }
    const bool answer = pby_times_fair(t);
    pby_times_free(t);
    return answer;
}

Test(audit_times, sides_that_no_coin_chose_are_seen)
{
    cr_assert(fair(0, 0, false));
    cr_assert(fair(39, 39, false), "39 heads have a chance of 2^-39, and nothing can be judged");
    cr_assert(!fair(40, 40, false));
    cr_assert(!fair(400, 200, false), "one side after the other");
    cr_assert(!fair(400, 0, true), "one side in turn with the other");
}

Test(audit_times, an_event_has_words)
{
    cr_assert_str_eq(pby_times_event(6), "above the median of the times before");
    cr_assert_str_eq(pby_times_event(13), "below the quantile 63/64 of the times before");
}
