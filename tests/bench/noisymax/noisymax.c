/* SPDX-License-Identifier: MIT */
/* A noisy maximum of a million distinct scores: `noisymax SPEC`. Prints milliseconds of processor time,
 * medians of several: of adding the scores, of the first choice among them, which makes them ready, and of a
 * choice after that. */
#include "probity/experimental/parts.h"
#include "tests/bench/draw/measure.h"

enum { SCORES = 1000000, ROUNDS = 9 };

int main(int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "noisymax:eps=1/10";
    double add[ROUNDS], first[ROUNDS], again[ROUNDS];
    pby_spec *spec;
    pby_release *release;
    pby_error err;
    mpq_t score;
    mpq_init(score);
    check(pby_spec_parse(&spec, &text, 1, &err), &err);
    check(pby_release_new(&release, spec, PBY_ADD_REMOVE, &err), &err);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t chosen;
        pby_release_clear_scores(release);
        const double begin = now(CLOCK_THREAD_CPUTIME_ID);
        for (long i = 0; i < SCORES; i++) {
            mpq_set_si(score, i * 7919 % SCORES, 1);
            check(pby_release_score(release, score, &err), &err);
        }
        const double added = now(CLOCK_THREAD_CPUTIME_ID);
        check(pby_release_candidate(release, &chosen, &err), &err);
        const double ready = now(CLOCK_THREAD_CPUTIME_ID);
        check(pby_release_candidate(release, &chosen, &err), &err);
        add[round] = added - begin;
        first[round] = ready - added;
        again[round] = now(CLOCK_THREAD_CPUTIME_ID) - ready;
    }
    printf("%.2f %.2f %.2f\n", median(add, ROUNDS) / 1e6, median(first, ROUNDS) / 1e6,
           median(again, ROUNDS) / 1e6);
    pby_release_free(release);
    pby_spec_free(spec);
    mpq_clear(score);
    return 0;
}
