/* SPDX-License-Identifier: MIT */
/* Nanoseconds a draw, the generator counted.
 *
 *   draw fast|timing-safe SPEC     processor time, median over chunks of 2^14 draws; words a draw; entropy
 *   draw threads SPEC T            on T threads, medians over chunks of 2^22: by the clock, and processor
 * time draw first SPEC                milliseconds of processor time from text to first draw, median of 9 */
#include <math.h>
#include <string.h>

#include "law/sampler.h"
#include "tests/bench/draw/measure.h"

enum { CHUNK = 1 << 14, CHUNKS = 1600, LONG = 1 << 22, LONGS = 25, FIRSTS = 9 };

/* In bits, over the body: what lies beyond it weighs nothing here. */
static double entropy(const pby_law *law)
{
    double sum = 0;
    arb_t mass;
    arb_init(mass);
    for (int64_t k = law->body_lo; k <= law->body_hi; k++) {
        pby_law_mass_arb(mass, law, k, 64);
        const double p = arf_get_d(arb_midref(mass), ARF_RND_NEAR);
        if (p > 0)
            sum -= p * log2(p);
    }
    arb_clear(mass);
    return sum;
}

static void one_thread(const char *text, bool safe)
{
    static int64_t noise[CHUNK];
    static double time[CHUNKS];
    pby_sampler *sampler = make(text, safe);
    pby_entropy *source;
    pby_error err;
    check(pby_entropy_system(&source, &err), &err);
    for (size_t i = 0; i < CHUNKS; i++) {
        const double start = now(CLOCK_THREAD_CPUTIME_ID);
        check(pby_draw_many(sampler, source, noise, CHUNK, &err), &err);
        time[i] = (now(CLOCK_THREAD_CPUTIME_ID) - start) / CHUNK;
    }
    printf("%.2f %.3f %.2f\n", median(time, CHUNKS),
           (double)pby_entropy_used(source) / ((double)CHUNK * CHUNKS), entropy(sampler->law));
    pby_entropy_free(source);
    pby_sampler_free(sampler);
}

static void many_threads(const char *text, unsigned threads)
{
    static double time[LONGS], work[LONGS];
    int64_t *noise = malloc(LONG * sizeof *noise);
    pby_sampler *sampler = make(text, false);
    pby_bulk *bulk;
    pby_error err;
    if (noise == NULL)
        exit(3);
    check(pby_bulk_new(&bulk, sampler, NULL, threads, &err), &err);
    for (size_t i = 0; i < LONGS; i++) {
        const double start = now(CLOCK_MONOTONIC), spent = now(CLOCK_PROCESS_CPUTIME_ID);
        check(pby_bulk_draw(bulk, noise, LONG, &err), &err);
        time[i] = (now(CLOCK_MONOTONIC) - start) / LONG;
        work[i] = (now(CLOCK_PROCESS_CPUTIME_ID) - spent) / LONG;
    }
    printf("%.2f %.2f\n", median(time, LONGS), median(work, LONGS));
    pby_bulk_free(bulk);
    pby_sampler_free(sampler);
    free(noise);
}

static void first_draw(const char *text)
{
    double time[FIRSTS];
    pby_error err;
    for (size_t i = 0; i < FIRSTS; i++) {
        const double start = now(CLOCK_THREAD_CPUTIME_ID);
        int64_t noise;
        pby_entropy *source;
        pby_sampler *sampler = make(text, false);
        check(pby_entropy_system(&source, &err), &err);
        check(pby_draw_many(sampler, source, &noise, 1, &err), &err);
        time[i] = (now(CLOCK_THREAD_CPUTIME_ID) - start) / 1e6;
        pby_entropy_free(source);
        pby_sampler_free(sampler);
    }
    printf("%.2f\n", median(time, FIRSTS));
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    if (strcmp(argv[1], "threads") == 0)
        many_threads(argv[2], argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 2);
    else if (strcmp(argv[1], "first") == 0)
        first_draw(argv[2]);
    else
        one_thread(argv[2], strcmp(argv[1], "timing-safe") == 0);
    return 0;
}
