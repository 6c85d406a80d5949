/* SPDX-License-Identifier: MIT */
/* Fixed against random: Welch's t over a million draws with the histogram update, on the words of a tape.
 *
 * Half of the measurements, in random order, draw from one fixed word a part and update empty bars; the
 * others draw from random words and update random counts. A |t| beyond 4.5 would tell the two apart. The
 * quick path is measured in the same way, to show that the test can see.   usage: welch SPEC */
#include <math.h>
#include <string.h>

#include "kernel/histogram.h"
#include "kernel/silent.h"
#include "law/sampler.h"
#include "tests/bench/draw/measure.h"

enum { BATCH = 128, ROUNDS = 1000000 / BATCH, WORDS = 4 * BATCH };

/* Each half is far in the upper tail, and no cut's: three that are in one batch may be seen. */
static const uint64_t fixed_word = UINT64_C(0xffffff12ffffff12);

/* The nanoseconds of one batch; the tape is made outside. */
static double measure(pby_sampler *sampler, bool safe, const uint64_t *words, const int64_t *counts)
{
    int64_t noise[BATCH], noisy[BATCH];
    pby_entropy *tape;
    pby_error err;
    check(pby_entropy_tape(&tape, words, WORDS, &err), &err);
    const double start = now(CLOCK_MONOTONIC);
    check(pby_draw_many(sampler, tape, noise, BATCH, &err), &err);
    if (safe)
        pby_silent_perturb(noisy, counts, BATCH, noise);
    else
        pby_perturb(noisy, counts, BATCH, noise);
    const double time = now(CLOCK_MONOTONIC) - start;
    pby_entropy_free(tape);
    return time;
}

/* Welch's t of the two classes, without what lies beyond their common 95th percentile: those are interrupts.
 */
static double welch(const double *time, const uint8_t *class, size_t n)
{
    double *sorted = malloc(n * sizeof *sorted), sum[2] = {0, 0}, square[2] = {0, 0}, count[2] = {0, 0};
    if (sorted == NULL)
        exit(3);
    memcpy(sorted, time, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    const double most = sorted[n / 20 * 19];
    free(sorted);
    for (size_t i = 0; i < n; i++)
        if (time[i] <= most) {
            count[class[i]]++;
            sum[class[i]] += time[i];
            square[class[i]] += time[i] * time[i];
        }
    double spread = 0;
    for (int c = 0; c < 2; c++) {
        const double mean = sum[c] / count[c];
        spread += (square[c] / count[c] - mean * mean) / count[c];
    }
    return (sum[0] / count[0] - sum[1] / count[1]) / sqrt(spread);
}

static double run(const char *text, bool safe)
{
    static double time[ROUNDS];
    static uint8_t class[ROUNDS];
    uint64_t words[WORDS];
    int64_t counts[BATCH];
    pby_sampler *sampler = make(text, safe);
    pby_entropy *source;
    pby_error err;
    check(pby_entropy_system(&source, &err), &err);
    for (size_t i = 0; i < ROUNDS; i++) {
        uint64_t coin;
        check(pby_entropy_words(source, &coin, 1, &err), &err);
        check(pby_entropy_words(source, words, WORDS, &err), &err);
        class[i] = coin & 1;
        for (size_t j = 0; j < WORDS; j++)
            words[j] = class[i] ? words[j] : fixed_word;
        for (size_t j = 0; j < BATCH; j++)
            counts[j] = class[i] ? (int64_t)(words[j] >> 40) : 0;
        time[i] = measure(sampler, safe, words, counts);
    }
    pby_entropy_free(source);
    pby_sampler_free(sampler);
    return welch(time, class, ROUNDS);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    printf("%.2f %.2f\n", run(argv[1], true), run(argv[1], false));
    return 0;
}
