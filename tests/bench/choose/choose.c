/* SPDX-License-Identifier: MIT */
/* Seconds of processor time that one choice by the exponential mechanism takes among a million candidates of
 * distinct scores 0 .. 999999, in a shuffled order: to hand the scores over and to choose. The median of some
 * rounds. usage: choose */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probity.h"
#include "probity/experimental/parts.h"

enum { COUNT = 1000000, ROUNDS = 5 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(pby_status status, const pby_error *err)
{
    if (status == PBY_OK)
        return;
    fprintf(stderr, "choose: %s\n", err->text);
    exit((int)status);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static const char *const text[] = {"exponential:eps=1/10000"};
    static unsigned long score[COUNT];
    double time[ROUNDS];
    pby_error err;
    pby_spec *spec;
    pby_release *release;
    mpq_t q;
    mpq_init(q);
    unsigned long long state = 1;
    for (unsigned long i = 0; i < COUNT; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const unsigned long j = (unsigned long)(state >> 33) % (i + 1);
        score[i] = score[j];
        score[j] = i;
    }
    must(pby_spec_parse(&spec, text, 1, &err), &err);
    must(pby_release_new(&release, spec, PBY_ADD_REMOVE, &err), &err);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t chosen;
        const double start = now();
        pby_release_clear_scores(release);
        for (unsigned long i = 0; i < COUNT; i++) {
            mpq_set_ui(q, score[i], 1);
            must(pby_release_score(release, q, &err), &err);
        }
        must(pby_release_candidate(release, &chosen, &err), &err);
        time[round] = now() - start;
    }
    qsort(time, ROUNDS, sizeof *time, by_size);
    printf("%.4f\n", time[ROUNDS / 2]);
    pby_release_free(release);
    pby_spec_free(spec);
    mpq_clear(q);
    return 0;
}
