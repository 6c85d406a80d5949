/* SPDX-License-Identifier: MIT */
/* Seconds of a release of bars that lie in memory as Arrow's batches, into batches again: by the clock and of
 * processor time, the least of some rounds. usage: arrow SPEC BARS */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probity.h"

enum { BATCH = 1 << 16, KEY = 9, ROUNDS = 7 };

/* A batch that was made beforehand, so that making it is not measured; a stream lends it. */
struct batch {
    int64_t rows;
    int32_t *offsets;
    char *keys;
    int64_t *counts;
    const void *name[3], *number[2], *none[1];
    struct ArrowArray column[2], *columns[2];
};

struct bars {
    struct batch *batch;
    size_t batches, next;
};

static void *must_have(void *memory)
{
    if (memory == NULL)
        exit(3);
    return memory;
}

static void must(pby_status status, const pby_error *err)
{
    if (status == PBY_OK)
        return;
    fprintf(stderr, "arrow: %s\n", err->text);
    exit((int)status);
}

/* Shuffled names, and counts from 0 to 999. */
static void make_batch(struct batch *b, uint64_t first, uint64_t rows)
{
    b->rows = (int64_t)rows;
    b->offsets = must_have(malloc((rows + 1) * sizeof *b->offsets));
    b->keys = must_have(malloc(rows * KEY + 1));
    b->counts = must_have(malloc(rows * sizeof *b->counts));
    b->offsets[0] = 0;
    for (uint64_t i = 0; i < rows; i++) {
        snprintf(b->keys + i * KEY, KEY + 1, "k%08" PRIx64, ((first + i) * 2654435761u) & 0xffffffff);
        b->offsets[i + 1] = (int32_t)((i + 1) * KEY);
        b->counts[i] = (int64_t)((first + i) * 40503 % 1000);
    }
    b->name[1] = b->offsets;
    b->name[2] = b->keys;
    b->number[1] = b->counts;
}

static void make_bars(struct bars *bars, uint64_t count)
{
    bars->batches = (size_t)((count + BATCH - 1) / BATCH);
    bars->batch = must_have(calloc(bars->batches, sizeof *bars->batch));
    for (size_t i = 0; i < bars->batches; i++) {
        const uint64_t first = (uint64_t)i * BATCH;
        make_batch(&bars->batch[i], first, count - first < BATCH ? count - first : BATCH);
    }
}

static void free_bars(struct bars *bars)
{
    for (size_t i = 0; i < bars->batches; i++) {
        free(bars->batch[i].offsets);
        free(bars->batch[i].keys);
        free(bars->batch[i].counts);
    }
    free(bars->batch);
}

/* ---- lent as a stream --------------------------------------------------------------------------- */

static void end_array(struct ArrowArray *a)
{
    a->release = NULL;
}

static void end_schema(struct ArrowSchema *s)
{
    s->release = NULL;
}

static void end_stream(struct ArrowArrayStream *s)
{
    s->release = NULL;
}

static const char *no_error(struct ArrowArrayStream *s)
{
    (void)s;
    return NULL;
}

static int lend_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    static struct ArrowSchema column[2], *columns[] = {&column[0], &column[1]};
    (void)s;
    column[0] = (struct ArrowSchema){.format = "u", .name = "key", .release = end_schema};
    column[1] = (struct ArrowSchema){.format = "l", .name = "count", .release = end_schema};
    *out = (struct ArrowSchema){
        .format = "+s", .name = "", .n_children = 2, .children = columns, .release = end_schema};
    return 0;
}

static int lend_batch(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    struct bars *bars = s->private_data;
    *out = (struct ArrowArray){.release = NULL};
    if (bars->next == bars->batches)
        return 0;
    struct batch *b = &bars->batch[bars->next++];
    b->column[0] =
        (struct ArrowArray){.length = b->rows, .n_buffers = 3, .buffers = b->name, .release = end_array};
    b->column[1] =
        (struct ArrowArray){.length = b->rows, .n_buffers = 2, .buffers = b->number, .release = end_array};
    b->columns[0] = &b->column[0];
    b->columns[1] = &b->column[1];
    *out = (struct ArrowArray){.length = b->rows,
                               .n_buffers = 1,
                               .buffers = b->none,
                               .n_children = 2,
                               .children = b->columns,
                               .release = end_array};
    return 0;
}

/* ---- a release ---------------------------------------------------------------------------------- */

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Reads what was released to its end, and says how many rows there were. */
static uint64_t drain(struct ArrowArrayStream *s)
{
    uint64_t rows = 0;
    for (;;) {
        struct ArrowArray a;
        if (s->get_next(s, &a) != 0)
            exit(3);
        if (a.release == NULL)
            return rows;
        rows += (uint64_t)a.length;
        a.release(&a);
    }
}

static uint64_t release(pby_permission *permission, struct bars *bars)
{
    struct ArrowArrayStream in = {lend_schema, lend_batch, no_error, end_stream, bars}, noisy;
    pby_table *table, *out;
    pby_error err;
    bars->next = 0;
    must(pby_table_arrow(&table, &in, NULL, &err), &err);
    must(pby_release_table(&out, permission, table, NULL, &err), &err);
    must(pby_table_to_arrow(&noisy, out, &err), &err);
    const uint64_t rows = drain(&noisy);
    noisy.release(&noisy);
    pby_table_free(out);
    pby_table_free(table);
    return rows;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const pby_permission_options from = {.spec = argv[1]};
    const uint64_t count = strtoull(argv[2], NULL, 10);
    pby_permission *permission;
    struct bars bars = {.batch = NULL};
    pby_error err;
    double clock = INFINITY, processor = INFINITY;
    must(pby_permission_open(&permission, &from, &err), &err);
    make_bars(&bars, count);
    for (int i = 0; i < ROUNDS; i++) {
        const double at = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
        if (release(permission, &bars) > count)
            return 1;
        clock = fmin(clock, now(CLOCK_MONOTONIC) - at);
        processor = fmin(processor, now(CLOCK_PROCESS_CPUTIME_ID) - used);
    }
    printf("%.2f %.2f\n", clock, processor);
    free_bars(&bars);
    pby_permission_close(permission);
    return 0;
}
