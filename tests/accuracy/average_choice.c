/* SPDX-License-Identifier: MIT */
/* Mean errors of choices, against all scores on a grid. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "tests/accuracy/trimmed.h"

enum { OTHERS = 3 };

static const char *const gammas[] = {"0", "1/20", "1/4", "3/5"};
static const double levels[] = {0, 0.05, 0.25, 0.6};

typedef void law_of(double *chance, const double *below, int others, double rate);

/* In proportion to exp(rate score). */
static void weighed(double *chance, const double *below, int others, double rate)
{
    double all = 1;
    for (int i = 0; i < others; i++)
        all += exp(-rate * below[i]);
    for (int i = 0; i < others; i++)
        chance[i] = exp(-rate * below[i]) / all;
}

/* Any of those that show heads, over all coins. */
static void flipped(double *chance, const double *below, int others, double rate)
{
    for (int i = 0; i < others; i++)
        chance[i] = 0;
    for (int heads = 0; heads < 1 << others; heads++) {
        double p = 1;
        int count = 1; /* the best shows heads */
        for (int i = 0; i < others; i++) {
            const double one = exp(-rate * below[i]);
            p *= heads >> i & 1 ? one : 1 - one;
            count += heads >> i & 1;
        }
        for (int i = 0; i < others; i++)
            chance[i] += heads >> i & 1 ? p / count : 0;
    }
}

static double mean_of(law_of *law, const double *below, int others, double rate, double gamma)
{
    double chance[OTHERS];
    trimmed_outcome outcome[OTHERS + 1] = {{0, 1}};
    law(chance, below, others, rate);
    for (int i = 0; i < others; i++) {
        outcome[i + 1] = (trimmed_outcome){below[i], chance[i]};
        outcome[0].chance -= chance[i];
    }
    return trimmed_mean(outcome, (size_t)others + 1, gamma);
}

/* No scores have more; and scores on a grid of that step, or a finer one with all others at one place, come
 * near. */
static void check_choice(const char *spec, law_of *law, double rate, double step, bool whole)
{
    enum { STEPS = 24 };
    for (int others = 1; others <= OTHERS; others++)
        for (size_t g = 0; g < 4; g++) {
            const trimmed_ends found = trimmed_found(spec, 1, (uint64_t)others + 1, gammas[g]);
            double below[OTHERS], most = 0;
            for (int code = 0; code < (int)pow(STEPS, others); code++) {
                for (int i = 0, rest = code; i < others; i++, rest /= STEPS)
                    below[i] = (rest % STEPS) * step;
                most = fmax(most, mean_of(law, below, others, rate, levels[g]));
            }
            cr_assert_leq(most, found.hi + 1e-10, "%s, %d others, %s", spec, others, gammas[g]);
            for (int k = 0; !whole && k < 40000; k++) {
                for (int i = 0; i < others; i++)
                    below[i] = k * (step / 1000);
                most = fmax(most, mean_of(law, below, others, rate, levels[g]));
            }
            cr_assert_geq(most, found.lo - 1e-6, "%s, %d others, %s", spec, others, gammas[g]);
            cr_assert_leq(found.hi - found.lo, 1e-9);
        }
}

Test(average_choice, by_weights)
{
    check_choice("exponential:eps=3,sensitivity=2", weighed, 0.75, 0.25, false);
}

Test(average_choice, by_coins)
{
    check_choice("permuteflip:eps=1", flipped, 0.5, 0.4, false);
}

Test(average_choice, by_powers)
{
    check_choice("power:base=3/2", weighed, log(1.5), 1, true);
    check_choice("power:base=2", weighed, log(2), 1, true);
}

/* ---- noisy max ------------------------------------------------------------------------------------ */

enum { FAR = 80 };

static double mass(int k, double a, bool one_sided)
{
    if (one_sided)
        return k < 0 ? 0 : (1 - a) * pow(a, k);
    return (1 - a) / (1 + a) * pow(a, abs(k));
}

static double below_or_at(int k, double a, bool one_sided)
{
    if (one_sided)
        return k < 0 ? 0 : 1 - pow(a, k + 1);
    return k < 0 ? pow(a, -k) / (1 + a) : 1 - pow(a, k + 1) / (1 + a);
}

/* The chance of each of n scores, the first of equals winning. */
static void noisy_max(double *chance, const int *score, int n, double a, bool one_sided)
{
    for (int i = 0; i < n; i++)
        chance[i] = 0;
    for (int t = -FAR; t <= FAR; t++)
        for (int i = 0; i < n; i++) {
            double p = mass(t - score[i], a, one_sided);
            for (int j = 0; j < n && p > 0; j++)
                p *= j == i ? 1 : below_or_at(t - score[j] - (j < i), a, one_sided);
            chance[i] += p;
        }
}

/* Between the ends for all integer scores, the best last; some have the lower end, and with one other both
 * are the mean. */
Test(average_choice, noisy_max_lies_between)
{
    enum { STEPS = 9 };
    static const char *const specs[] = {"noisymax:eps=2", "noisymax:eps=2,noise=one-sided"};
    const double a = exp(-1);
    for (int sides = 0; sides < 2; sides++)
        for (int others = 1; others <= OTHERS; others++)
            for (size_t g = 0; g < 4; g++) {
                const trimmed_ends found = trimmed_found(specs[sides], 1, (uint64_t)others + 1, gammas[g]);
                double most = 0, level = 0, chance[OTHERS + 1];
                int score[OTHERS + 1] = {0};
                for (int code = 0; code < (int)pow(STEPS, others); code++) {
                    trimmed_outcome outcome[OTHERS + 1];
                    bool equal = true;
                    score[others] = 0;
                    for (int i = 0, rest = code; i < others; i++, rest /= STEPS) {
                        score[i] = -(rest % STEPS);
                        equal &= score[i] == score[0];
                    }
                    noisy_max(chance, score, others + 1, a, sides == 1);
                    for (int i = 0; i <= others; i++)
                        outcome[i] = (trimmed_outcome){-score[i], chance[i]};
                    const double mean = trimmed_mean(outcome, (size_t)others + 1, levels[g]);
                    most = fmax(most, mean);
                    level = equal ? fmax(level, mean) : level;
                }
                cr_assert_leq(most, found.hi + 1e-9, "%s, %d, %s", specs[sides], others, gammas[g]);
                cr_assert_float_eq(level, found.lo, 1e-9, "%s, %d, %s", specs[sides], others, gammas[g]);
                cr_assert(others > 1 || found.hi - found.lo < 1e-9);
            }
}

/* Many candidates and small rates, where the ends stand on guesses: 1/r log n is 69. */
Test(average_choice, noisy_max_of_many)
{
    const trimmed_ends found = trimmed_found("noisymax:eps=1/5", 1, 1000, "1/100");
    cr_assert(found.lo > 40 && found.lo < found.hi && found.hi < 70, "%f %f", found.lo, found.hi);
}
