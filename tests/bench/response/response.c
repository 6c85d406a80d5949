/* SPDX-License-Identifier: MIT */
/* Ten million randomised responses: `response SPEC`. Prints milliseconds of processor time, the median of
 * several, the making of the release left out. */
#include <stdlib.h>

#include "probity/experimental/parts.h"
#include "tests/bench/draw/measure.h"

enum { USERS = 10000000, CHUNK = 1 << 14, ROUNDS = 5 };

int main(int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "rr:eps=1";
    int64_t *answer = malloc(USERS * sizeof *answer), *given = malloc(USERS * sizeof *given);
    double time[ROUNDS];
    pby_spec *spec;
    pby_release *release;
    pby_error err;
    if (answer == NULL || given == NULL)
        return 3;
    check(pby_spec_parse(&spec, &text, 1, &err), &err);
    check(pby_release_new(&release, spec, PBY_LOCAL, &err), &err);
    const int64_t most = pby_release_most(release);
    for (long i = 0; i < USERS; i++)
        answer[i] = i % (most + 1);
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = now(CLOCK_THREAD_CPUTIME_ID);
        for (long at = 0; at < USERS; at += CHUNK)
            check(pby_release_counts(release, answer + at, given + at,
                                     USERS - at < CHUNK ? USERS - at : CHUNK, &err),
                  &err);
        time[round] = now(CLOCK_THREAD_CPUTIME_ID) - begin;
    }
    printf("%.1f\n", median(time, ROUNDS) / 1e6);
    pby_release_free(release);
    pby_spec_free(spec);
    free(given);
    free(answer);
    return 0;
}
