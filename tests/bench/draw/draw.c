/* Nanoseconds a draw, the generator counted.  usage: draw SPEC [COUNT] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probity.h"

enum { CHUNK = 1 << 16 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void stop(const pby_error *err)
{
    fprintf(stderr, "draw: %s\n", err->text);
    exit((int)err->status);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const size_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 50000000;
    const char *text = argv[1];
    static int64_t noise[CHUNK];
    pby_spec *spec;
    pby_sampler *sampler;
    pby_entropy *source;
    pby_error err;
    const double begin = now();
    if (pby_spec_parse(&spec, &text, 1, &err) || pby_sampler_new(&sampler, spec, &err) ||
        pby_entropy_system(&source, &err) || pby_draw_many(sampler, source, noise, 1, &err))
        stop(&err);
    const double first = now() - begin;
    const double start = now();
    for (size_t done = 0; done < count; done += CHUNK)
        if (pby_draw_many(sampler, source, noise, CHUNK, &err))
            stop(&err);
    printf("%.3f %.3f\n", (now() - start) / (double)count, first / 1e6);
    pby_entropy_free(source);
    pby_sampler_free(sampler);
    pby_spec_free(spec);
    return 0;
}
