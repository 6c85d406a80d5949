/* SPDX-License-Identifier: MIT */
/* Nanoseconds of processor time a bar of a release, by its parts, and of parsing and writing alone: of each
 * part the quickest of some rounds, as whoever else uses the machine's memory can only slow it. Before them
 * comes a round that is not counted and brings the file into memory. usage: release SPEC BARS FILE ORDER FILE
 * is written first, its names sorted or shuffled as ORDER says, and the outputs go to FILE.out */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probity.h"
#include "release/publish.h"

enum { CHUNK = 1 << 14, ROUNDS = 7 };

struct cost {
    double parse, draw, write;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void must(pby_status status, const pby_error *err)
{
    if (status == PBY_OK)
        return;
    fprintf(stderr, "release: %s\n", err->text);
    exit((int)status);
}

/* Counts from 0 to 999. */
static void make_input(const char *path, uint64_t bars, bool shuffled)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        exit(3);
    for (uint64_t i = 0; i < bars; i++)
        fprintf(out, "k%08" PRIx64 ",%" PRIu64 "\n", (shuffled ? i * 2654435761u : i) & 0xffffffff,
                i * 40503 % 1000);
    if (fclose(out) != 0)
        exit(3);
}

static double lap(double *since)
{
    const double before = *since;
    *since = now();
    return *since - before;
}

/* One pass from the file to its output; without a spec the counts are written as they were read. */
static struct cost pass(const pby_spec *spec, const char *path, const char *target)
{
    static int64_t counts[CHUNK];
    struct cost c = {0, 0, 0};
    pby_error err;
    pby_csv *csv;
    pby_spool *spool;
    pby_release *release = NULL;
    pby_publish *publish;
    uint64_t bars;
    size_t n;
    if (spec != NULL)
        must(pby_release_new(&release, spec, PBY_ADD_REMOVE, &err), &err);
    must(pby_spool_open(&spool, target, &err), &err);
    must(pby_csv_open(&csv, path, &err), &err);
    pby_csv_split_by(csv, 1, 1 << 17, 0); /* by one thread, so that the time of each part is its own */
    if (spec != NULL && pby_release_form_of(release) == PBY_RELEASE_PASSED)
        pby_csv_learn_spread(csv);
    double at = now();
    must(pby_csv_scan(csv, &bars, &err), &err);
    must(pby_publish_new(&publish, spec == NULL ? PBY_RELEASE_COUNTS : pby_release_form_of(release), 0, 1,
                         csv, &err),
         &err);
    pby_rows rows = {.spool = spool};
    for (;;) {
        must(pby_csv_next_chunk(csv, counts, CHUNK, &n, &err), &err);
        c.parse += lap(&at);
        if (n == 0)
            break;
        if (spec != NULL)
            must(pby_release_counts(release, counts, counts, n, &err), &err);
        c.draw += lap(&at);
        must(pby_publish_chunk(publish, &rows, counts, n, &err), &err);
        c.write += lap(&at);
    }
    must(pby_publish_end(publish, &rows, &err), &err);
    must(pby_spool_commit(spool, &err), &err);
    c.write += lap(&at);
    pby_publish_free(publish);
    pby_csv_free(csv);
    pby_release_free(release);
    return c;
}

static double sum(struct cost c)
{
    return c.parse + c.draw + c.write;
}

static struct cost least(struct cost a, struct cost b)
{
    return (struct cost){fmin(a.parse, b.parse), fmin(a.draw, b.draw), fmin(a.write, b.write)};
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    const uint64_t bars = strtoull(argv[2], NULL, 10);
    const char *text = argv[1];
    char target[4096];
    pby_spec *spec;
    pby_error err;
    snprintf(target, sizeof target, "%s.out", argv[3]);
    must(pby_spec_parse(&spec, &text, 1, &err), &err);
    make_input(argv[3], bars, strcmp(argv[4], "shuffled") == 0);
    (void)pass(NULL, argv[3], target);
    struct cost alone = pass(NULL, argv[3], target), full = pass(spec, argv[3], target);
    for (int i = 1; i < ROUNDS; i++) {
        alone = least(alone, pass(NULL, argv[3], target));
        full = least(full, pass(spec, argv[3], target));
    }
    const double n = (double)bars;
    printf("%.1f %.1f %.1f %.1f %.2f\n", full.parse / n, full.draw / n, full.write / n, sum(alone) / n,
           sum(full) / sum(alone));
    remove(target);
    remove(argv[3]);
    pby_spec_free(spec);
    return 0;
}
