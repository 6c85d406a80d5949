/* SPDX-License-Identifier: MIT */
#include "kernel/silent.h"

#include <criterion/criterion.h>
#include <string.h>

#include "kernel/cell.h"
#include "kernel/draw.h"
#include "kernel/guide.h"
#include "kernel/histogram.h"
#include "tests/kernel/stream.h"

enum { MANY = 1003 };

static int is_cut(const uint64_t *t, size_t n, uint64_t w)
{
    for (size_t i = 1; i < n; i++)
        if (t[i] == w)
            return 1;
    return 0;
}

/* The quick draw and the silent one agree on every word that is no cut, and the silent one says when one is.
 */
static void compare(const uint64_t *t, size_t n, const uint64_t *words, size_t m)
{
    static uint32_t guide[PBY_SLOTS + 1];
    int64_t quick[MANY], silent[MANY + 1];
    int cuts = 0;
    for (size_t k = 0; k < m; k++)
        cuts |= is_cut(t, n, words[k]);
    pby_guide(guide, t, n);
    silent[m] = 99;
    cr_assert_eq(pby_silent_cells(t, n, words, m, -7, silent), !cuts);
    cr_assert_eq(silent[m], 99, "nothing is written past the end");
    for (size_t k = 0; k < m; k++) {
        cr_assert_eq(silent[k], -7 + (int64_t)pby_cell(t, n, pby_depth(n), words[k]));
        if (pby_draw_cells(t, n, pby_depth(n), guide, &words[k], 1, -7, &quick[k]) == 1)
            cr_assert_eq(silent[k], quick[k]);
    }
}

Test(kernel_silent, draws_what_the_quick_draw_draws)
{
    uint64_t t[60], words[MANY], state = 21;
    for (size_t n = 1; n <= 60; n++) {
        stream_table(&state, t, n, 64);
        for (size_t k = 0; k < MANY; k++)
            words[k] = stream_next(&state);
        compare(t, n, words, MANY - n);
    }
}

/* Words that meet cuts: those of a group of four, and those left over. */
Test(kernel_silent, says_when_a_word_is_a_cut)
{
    uint64_t t[20], words[9], state = 22;
    for (int round = 0; round < 3000; round++) {
        const size_t n = 1 + stream_next(&state) % 20;
        stream_table(&state, t, n, 6);
        for (size_t k = 0; k < 9; k++)
            words[k] = stream_next(&state) >> 56;
        compare(t, n, words, stream_next(&state) % 10);
    }
    const uint64_t ends[] = {0, 0, UINT64_MAX};
    for (size_t place = 0; place < 9; place++)
        for (size_t i = 1; i < 3; i++) {
            for (size_t k = 0; k < 9; k++)
                words[k] = 5;
            compare(ends, 3, words, 9);
            words[place] = ends[i];
            compare(ends, 3, words, 9);
        }
}

/* Digit by digit, every magnitude from 1 on is counted once, and 0 is apart. */
Test(kernel_silent, appends_a_digit_to_a_magnitude)
{
    const int64_t before[] = {0, 0, 1, 1, 2, INT64_C(1) << 53, INT64_C(1) << 53},
                  digit[] = {0, 9, 0, 9, 0, 0, 9};
    int64_t value[7];
    memcpy(value, before, sizeof value);
    pby_silent_append(value, digit, 7, 10);
    const int64_t after[] = {0, 0, 1, 10, 11, 10 * before[5] - 9, 10 * before[6]};
    cr_assert_eq(memcmp(value, after, sizeof after), 0);
}

Test(kernel_silent, signs_are_the_bits_of_their_words)
{
    enum { N = 200 };
    int64_t value[N + 1];
    uint64_t bits[(N + 63) / 64], state = 23;
    for (size_t k = 0; k <= N; k++)
        value[k] = k % 7 == 0 ? INT64_MAX : (int64_t)k % 7 - 1;
    for (size_t j = 0; j < sizeof bits / sizeof *bits; j++)
        bits[j] = stream_next(&state);
    pby_silent_sign(value, N, bits);
    for (size_t k = 0; k <= N; k++) {
        const int64_t was = k % 7 == 0 ? INT64_MAX : (int64_t)k % 7 - 1;
        cr_assert_eq(value[k], k < N && (bits[k / 64] >> k % 64 & 1) != 0 ? -was : was, "at %zu", k);
    }
}

/* Both updates beside the quick ones, in place and not, over counts and noise at the ends of their ranges. */
Test(kernel_silent, updates_as_the_quick_updates_do)
{
    const int64_t edge[] = {0, 1, 2, 39, 40, 41, INT64_MAX - 1, INT64_MAX};
    int64_t x[64], noise[64], y[64], quick[64], used[64];
    size_t occupied = 0;
    for (size_t i = 0; i < 64; i++) {
        x[i] = edge[i / 8];
        noise[i] = -edge[i % 8];
        if (x[i] != 0)
            used[occupied++] = noise[i];
    }
    pby_shrink(quick, x, 64, used, INT64_MAX);
    pby_silent_shrink(y, x, 64, noise);
    cr_assert_eq(memcmp(y, quick, sizeof y), 0);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (size_t i = 0; i < 64; i++)
            noise[i] = sign * edge[i % 8];
        noise[0] = noise[63] = sign < 0 ? INT64_MIN : INT64_MAX;
        pby_perturb(quick, x, 64, noise);
        memcpy(y, x, sizeof y);
        pby_silent_perturb(y, y, 64, noise);
        cr_assert_eq(memcmp(y, quick, sizeof y), 0);
    }
}
