/* SPDX-License-Identifier: MIT */
#include "kernel/contraction.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#include "tests/kernel/stream.h"

enum { KEYS = 40, BARS = 5, SMALL = 3 };

__extension__ typedef __int128 wide;

static wide apart(const int64_t *a, const int64_t *b, size_t n)
{
    wide sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] < b[i] ? (wide)b[i] - a[i] : (wide)a[i] - b[i];
    return sum;
}

/* Two histograms of three bars, of two bits each. */
static void split(int code, int64_t *x, int64_t *y)
{
    for (int i = 0; i < 3; i++) {
        x[i] = code >> (2 * i) & 3;
        y[i] = code >> (2 * i + 6) & 3;
    }
}

/* ---- truncation ------------------------------------------------------------------------------- */

Test(kernel_contraction, truncate)
{
    const int64_t ends[] = {INT64_MIN, -1, 0, 1, 7, INT64_MAX - 1, INT64_MAX};
    for (size_t a = 0; a < 7; a++)
        for (size_t c = 0; c < 7; c++) {
            const int64_t want = ends[a < c ? a : c];
            int64_t x[3] = {ends[a], ends[a], 3}, y[3] = {5, 5, 42};
            pby_truncate(y, x, 2, ends[c]);
            cr_assert(y[0] == want && y[1] == want && y[2] == 42);
            pby_truncate(x, x, 2, ends[c]);
            cr_assert(x[0] == want && x[1] == want && x[2] == 3, "in place");
        }
    pby_truncate(NULL, NULL, 0, 1);
}

/* Every two histograms of three bars with up to three records each, under every limit. */
Test(kernel_contraction, truncate_brings_nothing_further_apart)
{
    for (int code = 0; code < 4096; code++)
        for (int64_t limit = 0; limit <= 4; limit++) {
            int64_t x[3], y[3], a[3], b[3];
            split(code, x, y);
            pby_truncate(a, x, 3, limit);
            pby_truncate(b, y, 3, limit);
            cr_assert(apart(a, b, 3) <= apart(x, y, 3));
        }
}

/* ---- gathering -------------------------------------------------------------------------------- */

/* The expected result: returns the number of counts that are taken, and adds the sums to y. */
static size_t model_gather(wide *y, const size_t *bar, const int64_t *counts, size_t m)
{
    for (size_t i = 0; i < m; i++) {
        if (bar[i] >= BARS)
            continue;
        if (y[bar[i]] + counts[i] > INT64_MAX)
            return i;
        y[bar[i]] += counts[i];
    }
    return m;
}

/* Places from 0 to BARS, the last of which is no bar, and now and then SIZE_MAX; counts of any size up to
 * 2^bits. */
static void fill(uint64_t *state, size_t *bar, int64_t *counts, unsigned bits)
{
    for (size_t i = 0; i < KEYS; i++) {
        bar[i] = stream_next(state) % 16 == 0 ? SIZE_MAX : stream_next(state) % (BARS + 1);
        counts[i] = (int64_t)(stream_next(state) >> (64 - bits));
    }
}

/* Counts of 56 to 63 bits: forty below 2^57 always fit, and forty below 2^63 hardly ever do. */
Test(kernel_contraction, gather_model)
{
    uint64_t state = 17;
    int whole = 0, stopped = 0;
    for (int round = 0; round < 2000; round++) {
        size_t bar[KEYS];
        int64_t counts[KEYS], y[BARS + 1];
        wide want[BARS];
        fill(&state, bar, counts, 56 + (unsigned)(stream_next(&state) % 8));
        for (size_t b = 0; b < BARS; b++)
            want[b] = y[b] = (int64_t)(stream_next(&state) % 9);
        y[BARS] = -3;
        const size_t m = stream_next(&state) % (KEYS + 1), taken = model_gather(want, bar, counts, m);
        cr_assert_eq(pby_gather(y, BARS, bar, counts, m), taken);
        for (size_t b = 0; b < BARS; b++)
            cr_assert(y[b] == want[b]);
        cr_assert_eq(y[BARS], -3, "no bar");
        *(taken == m ? &whole : &stopped) += 1;
    }
    cr_assert(whole > 100 && stopped > 100, "%d whole, %d stopped", whole, stopped);
}

Test(kernel_contraction, gather_edges)
{
    const size_t bar[] = {1, 0, 1, 2, 1};
    const int64_t counts[] = {INT64_MAX - 1, 4, 1, INT64_MAX, 0};
    int64_t y[2] = {0, 0};
    cr_assert_eq(pby_gather(y, 2, bar, counts, 5), 5,
                 "the largest sum fits, and a count left out may be anything");
    cr_assert(y[0] == 4 && y[1] == INT64_MAX);
    cr_assert_eq(pby_gather(y, 2, bar + 1, counts + 1, 2), 1, "one more does not");
    cr_assert(y[0] == 8 && y[1] == INT64_MAX, "and stays out, with what was in front of it taken");
    cr_assert_eq(pby_gather(NULL, 0, bar, counts, 5), 5, "no bars");
    cr_assert_eq(pby_gather(y, 2, NULL, NULL, 0), 0);
}

/* In any chunking. */
Test(kernel_contraction, gather_by_chunks)
{
    size_t bar[KEYS];
    int64_t counts[KEYS], at_once[BARS] = {0}, in_two[BARS];
    uint64_t state = 23;
    fill(&state, bar, counts, 20);
    cr_assert_eq(pby_gather(at_once, BARS, bar, counts, KEYS), KEYS);
    for (size_t cut = 0; cut <= KEYS; cut++) {
        memset(in_two, 0, sizeof in_two);
        cr_assert_eq(pby_gather(in_two, BARS, bar, counts, cut), cut);
        cr_assert_eq(pby_gather(in_two, BARS, bar + cut, counts + cut, KEYS - cut), KEYS - cut);
        cr_assert_eq(memcmp(in_two, at_once, sizeof at_once), 0);
    }
}

/* Every table of three keys and two bars, also with keys in no bar, and every two histograms with up to two
 * records of each key. */
Test(kernel_contraction, gather_brings_nothing_further_apart)
{
    for (size_t table = 0; table < 27; table++)
        for (int code = 0; code < 729; code++) {
            const size_t bar[SMALL] = {table % 3, table / 3 % 3, table / 9};
            const int64_t x[SMALL] = {code % 3, code / 3 % 3, code / 9 % 3};
            const int64_t y[SMALL] = {code / 27 % 3, code / 81 % 3, code / 243};
            int64_t a[2] = {0, 0}, b[2] = {0, 0};
            cr_assert_eq(pby_gather(a, 2, bar, x, SMALL), SMALL);
            cr_assert_eq(pby_gather(b, 2, bar, y, SMALL), SMALL);
            cr_assert(apart(a, b, 2) <= apart(x, y, SMALL));
        }
}

/* ---- a gate ----------------------------------------------------------------------------------- */

Test(kernel_contraction, keep)
{
    const int64_t gate[] = {PBY_SUPPRESSED, 0, PBY_SUPPRESSED + 1, PBY_SUPPRESSED, INT64_MAX};
    int64_t x[] = {7, 8, 9, INT64_MAX, INT64_MIN, 3}, y[] = {1, 1, 1, 1, 1, 42};
    const int64_t nothing[] = {0, 8, 9, 0, INT64_MIN, 42};
    const int64_t hidden[] = {PBY_SUPPRESSED, 8, 9, PBY_SUPPRESSED, INT64_MIN, 3};
    pby_keep(y, x, 5, gate, 0);
    cr_assert_eq(memcmp(y, nothing, sizeof y), 0);
    pby_keep(x, x, 5, gate, PBY_SUPPRESSED);
    cr_assert_eq(memcmp(x, hidden, sizeof x), 0, "in place");
    pby_keep(NULL, NULL, 0, NULL, 0);
}

Test(kernel_contraction, prefer)
{
    const int64_t x[] = {7, INT64_MIN, 9, 10};
    const bool kept[] = {true, true, false, false};
    int64_t y[] = {1, 2, PBY_SUPPRESSED, INT64_MAX, 42};
    const int64_t expected[] = {7, INT64_MIN, PBY_SUPPRESSED, INT64_MAX, 42};
    pby_prefer(y, x, 4, kept);
    cr_assert_eq(memcmp(y, expected, sizeof y), 0);
    pby_prefer(NULL, NULL, 0, NULL);
}

/* Every two histograms of three bars with up to three records each, behind every gate. */
Test(kernel_contraction, keep_brings_nothing_further_apart)
{
    for (int code = 0; code < 4096; code++)
        for (int shown = 0; shown < 8; shown++) {
            int64_t x[3], y[3], gate[3], a[3], b[3];
            split(code, x, y);
            for (int i = 0; i < 3; i++)
                gate[i] = shown >> i & 1 ? i : PBY_SUPPRESSED;
            pby_keep(a, x, 3, gate, 0);
            pby_keep(b, y, 3, gate, 0);
            cr_assert(apart(a, b, 3) <= apart(x, y, 3));
        }
}
