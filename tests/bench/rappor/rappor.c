/* SPDX-License-Identifier: MIT */
/* A million reports of RAPPOR, each of a user of her own: `rappor SPEC`. Prints milliseconds of processor
 * time, the median of several, of the permanent responses and the reports on them, drawn exactly. */
#include "mechanism/rappor/respond.h"

#include <string.h>

#include "tests/bench/draw/measure.h"

enum { USERS = 1000000, VALUES = 100, ROUNDS = 5 };

int main(int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "rappor:bits=128,hashes=2,f=1/2,p=3/4,q=1/4,reports=1";
    static const uint8_t seed[PBY_SEED_SIZE] = {1};
    double times[ROUNDS];
    pby_spec *spec;
    pby_error err;
    pby_rappor r;
    pby_responder x;
    pby_entropy *source;
    check(pby_spec_parse(&spec, &text, 1, &err), &err);
    pby_rappor_of(&r, &spec->use[0].mechanism);
    check(pby_responder_init(&x, &r, &err), &err);
    check(pby_entropy_seeded(&source, seed, &err), &err);
    const size_t words = x.words;
    uint64_t *bits = calloc(USERS * words, sizeof *bits), *table = calloc(VALUES * words, sizeof *table);
    for (int v = 0; v < VALUES; v++) {
        char value[16];
        snprintf(value, sizeof value, "%d", v);
        check(pby_rappor_encode(table + (size_t)v * words, &r, 0, value, strlen(value), &err), &err);
    }
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = now(CLOCK_THREAD_CPUTIME_ID);
        for (size_t i = 0; i < USERS; i++)
            memcpy(bits + i * words, table + i % VALUES * words, words * sizeof *bits);
        check(pby_responder_permanent(&x, source, false, bits, bits, USERS, &err), &err);
        check(pby_responder_report(&x, source, false, bits, bits, USERS, &err), &err);
        times[round] = now(CLOCK_THREAD_CPUTIME_ID) - begin;
    }
    printf("%.1f\n", median(times, ROUNDS) / 1e6);
    free(table);
    free(bits);
    pby_entropy_free(source);
    pby_responder_clear(&x);
    pby_spec_free(spec);
    return 0;
}
