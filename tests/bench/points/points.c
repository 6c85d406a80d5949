/* SPDX-License-Identifier: MIT */
/* Seconds of processor time that one point takes, once the records have been counted: scores and draw.
 * fbquantile with ten million records and ten million values; depth in the plane, of a thousand records.
 * usage: points */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mechanism/shared/lattice.h"
#include "probity.h"
#include "probity/experimental/parts.h"

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
    fprintf(stderr, "points: %s\n", err->text);
    exit((int)status);
}

static unsigned long next(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned long)(*state >> 33);
}

static void run(const char *text, pby_neighbours relation, size_t records, unsigned long side)
{
    const char *const texts[] = {text};
    unsigned long long state = 1;
    pby_error err;
    pby_spec *spec;
    pby_release *release;
    int64_t point[PBY_LATTICE_DIMENSION_MAX];
    mpq_t x[PBY_LATTICE_DIMENSION_MAX];
    for (int j = 0; j < PBY_LATTICE_DIMENSION_MAX; j++)
        mpq_init(x[j]);
    must(pby_spec_parse(&spec, texts, 1, &err), &err);
    must(pby_release_new(&release, spec, relation, &err), &err);
    for (size_t i = 0; i < records; i++) {
        for (size_t j = 0; j < pby_release_dimension(release); j++)
            mpq_set_ui(x[j], (next(&state) % side + next(&state) % side) / 2, 1);
        must(pby_release_record(release, (const mpq_t *)x, &err), &err);
    }
    const double start = now();
    must(pby_release_point(release, point, &err), &err);
    printf("%-60s %8.3f s\n", text, now() - start);
    pby_release_free(release);
    pby_spec_free(spec);
    for (int j = 0; j < PBY_LATTICE_DIMENSION_MAX; j++)
        mpq_clear(x[j]);
}

int main(void)
{
    run("fbquantile:eps=1,q=3/4,n=10000000,bound=10000000,step=4,reach=1000", PBY_SUBSTITUTE, 10000000,
        10000000);
    run("fbquantile:eps=1/1000,q=3/4,n=10000000,bound=10000000", PBY_SUBSTITUTE, 10000000, 10000000);
    run("depth:eps=1,level=200,bound=100", PBY_ADD_REMOVE, 1000, 100);
    run("depth:eps=1,level=100,bound=32,dimension=3", PBY_ADD_REMOVE, 1000, 32);
    run("depth:eps=1,level=50,bound=16,dimension=4", PBY_ADD_REMOVE, 1000, 16);
    run("depth:eps=1,level=200,bound=256", PBY_ADD_REMOVE, 1000, 256);
    return 0;
}
