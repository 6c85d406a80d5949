/* SPDX-License-Identifier: MIT */
/* Mean errors of counts under a threshold, against every count. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "tests/accuracy/trimmed.h"

enum { FAR = 60, MOST = 40 };

/* The law of the error of one bar of x records; `room` is for 2 FAR + 1 outcomes. */
static void bar(trimmed_outcome *room, int x, int T, double a)
{
    for (int k = -FAR; k <= FAR; k++)
        room[k + FAR] = (trimmed_outcome){x + k >= T ? abs(k) : x, (1 - a) / (1 + a) * pow(a, abs(k))};
}

Test(average_gate, of_one_bar_is_that_of_the_worst_count)
{
    static const char *const specs[] = {"threshold:eps=1,T=8", "threshold:eps=1/2,T=3",
                                        "threshold:eps=1,T=1"};
    static const int T[] = {8, 3, 1};
    static const char *const gammas[] = {"0", "1/50", "2/5", "9/10"};
    static const double rate[] = {1, 0.5, 1}, levels[] = {0, 0.02, 0.4, 0.9};
    trimmed_outcome room[2 * FAR + 1];
    for (size_t s = 0; s < 3; s++)
        for (size_t g = 0; g < 4; g++) {
            const trimmed_ends found = trimmed_found(specs[s], 1, 1, gammas[g]);
            double most = 0;
            for (int x = 1; x <= MOST; x++) {
                bar(room, x, T[s], exp(-rate[s]));
                most = fmax(most, trimmed_mean(room, 2 * FAR + 1, levels[g]));
            }
            cr_assert_float_eq(most, found.lo, 1e-7, "%s at %s: %f", specs[s], gammas[g], most);
            cr_assert_float_eq(found.lo, found.hi, 1e-9);
        }
}

/* The greater of two errors, for all two counts: between the ends. */
Test(average_gate, of_two_bars_lies_between)
{
    static const char *const gammas[] = {"0", "1/10"};
    static const double levels[] = {0, 0.1};
    const int T = 6, most_error = FAR;
    double tail[MOST + 1][FAR + 1];
    for (int x = 1; x <= MOST; x++) {
        trimmed_outcome room[2 * FAR + 1];
        bar(room, x, T, exp(-1));
        for (int j = 0; j <= most_error; j++) {
            tail[x][j] = 0;
            for (int k = 0; k <= 2 * FAR; k++)
                tail[x][j] += room[k].error > j ? room[k].chance : 0;
        }
    }
    for (size_t g = 0; g < 2; g++) {
        const trimmed_ends found = trimmed_found("threshold:eps=1,T=6", 1, 2, gammas[g]);
        double most = 0, equal = 0;
        for (int x = 1; x <= MOST; x++)
            for (int y = 1; y <= x; y++) {
                double mean = 0;
                for (int j = 0; j <= most_error; j++)
                    mean += fmax(0, 1 - (1 - tail[x][j]) * (1 - tail[y][j]) - levels[g]);
                most = fmax(most, mean);
                equal = x == y ? fmax(equal, mean) : equal;
            }
        cr_assert_leq(most, found.hi + 1e-9);
        cr_assert_float_eq(equal, found.lo, 1e-8);
        cr_assert_gt(found.hi, found.lo);
    }
}

/* A large T and little noise: a bar of nearly T records is hidden for certain, and off by itself. */
Test(average_gate, large_thresholds)
{
    const trimmed_ends found = trimmed_found("threshold:eps=5,T=1000000", 1, 1, "0");
    cr_assert(found.lo > 999990 && found.hi < 1000000);
}
