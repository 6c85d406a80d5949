/* SPDX-License-Identifier: MIT */
#include "audit/timing/times.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sorted.h"

enum { LEVEL_OF = 64 };

/* In parts of LEVEL_OF. */
static const unsigned level[PBY_TIMES_LEVELS] = {1, 4, 16, 32, 48, 60, 63};

static const char *const events[PBY_TIMES_EVENTS] = {
    "above the quantile 1/64 of the times before",  "below the quantile 1/64 of the times before",
    "above the quantile 1/16 of the times before",  "below the quantile 1/16 of the times before",
    "above the quantile 1/4 of the times before",   "below the quantile 1/4 of the times before",
    "above the median of the times before",         "below the median of the times before",
    "above the quantile 3/4 of the times before",   "below the quantile 3/4 of the times before",
    "above the quantile 15/16 of the times before", "below the quantile 15/16 of the times before",
    "above the quantile 63/64 of the times before", "below the quantile 63/64 of the times before",
};

const char *pby_times_event(int event)
{
    return events[event];
}

pby_status pby_times_new(pby_times **out, pby_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

void pby_times_free(pby_times *times)
{
    if (times == NULL)
        return;
    free(times->time[0]);
    free(times->time[1]);
    free(times);
}

/* ---- the window ------------------------------------------------------------------------------- */

static void slide(pby_times *t, uint64_t time)
{
    const size_t slot = (t->runs[0] + t->runs[1]) % PBY_TIMES_WINDOW;
    if (t->in_window == PBY_TIMES_WINDOW) {
        const size_t old = pby_sorted_below_uint64(t->sorted, t->in_window, t->ring[slot]);
        t->in_window--;
        memmove(t->sorted + old, t->sorted + old + 1, (t->in_window - old) * sizeof *t->sorted);
    }
    const size_t new = pby_sorted_below_uint64(t->sorted, t->in_window, time);
    memmove(t->sorted + new + 1, t->sorted + new, (t->in_window - new) * sizeof *t->sorted);
    t->sorted[new] = time;
    t->in_window++;
    t->ring[slot] = time;
}

static void count_events(pby_times *t, pby_side side, uint64_t time)
{
    t->counts.judging++;
    for (int l = 0; l < PBY_TIMES_LEVELS; l++) {
        const uint64_t threshold = t->sorted[t->in_window * level[l] / LEVEL_OF];
        t->counts.seen[2 * l][side] += time > threshold;
        t->counts.seen[2 * l + 1][side] += time < threshold;
    }
}

/* ---- runs ------------------------------------------------------------------------------------- */

pby_status pby_times_add(pby_times *t, pby_side side, uint64_t time, pby_error *err)
{
    const size_t before = t->runs[0] + t->runs[1];
    if (before == PBY_TIMES_MOST)
        return pby_fail(err, PBY_BAD, "times: expected at most %d runs", PBY_TIMES_MOST);
    PBY_RESERVE(t->time[side], t->room[side], t->runs[side] + 1, err);
    t->time[side][t->runs[side]] = time;
    if (t->in_window >= PBY_TIMES_WARMING)
        count_events(t, side, time);
    slide(t, time);
    t->changes += before > 0 && side != t->last;
    t->last = side;
    t->runs[side]++;
    return PBY_OK;
}

/* ---- the coins -------------------------------------------------------------------------------- */

/* By Hoeffding, n fair coins show k heads with 2 (k - n/2)^2 >= 20 n with a chance of at most 2 exp(-20). */
static bool could_be_fair(uint64_t heads, uint64_t coins)
{
    const uint64_t gap = heads > coins - heads ? 2 * heads - coins : coins - 2 * heads;
    return gap * gap < 40 * coins || coins == 0;
}

bool pby_times_fair(const pby_times *t)
{
    const uint64_t runs = t->runs[0] + t->runs[1];
    return could_be_fair(t->runs[0], runs) && could_be_fair(t->changes, runs == 0 ? 0 : runs - 1);
}
