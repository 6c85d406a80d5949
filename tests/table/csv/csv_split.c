/* SPDX-License-Identifier: MIT */
#include "table/csv/csv_split.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probity/experimental/arrow.h"
#include "table/arrow/arrow_rows.h"
#include "table/csv/csv.h"
#include "table/store/entries.h"
#include "tests/kernel/stream.h"

/* All that can be seen of a histogram. */
struct seen {
    pby_status status;
    pby_error error;
    uint64_t rows, records;
    pby_spread spread;
    bool header;
    bool split;
    uint8_t *out; /* every row, with another count, and its key behind it; and the rows again */
    size_t size;
};

static void write_keys(const pby_csv *csv, pby_spool *spool, size_t n)
{
    uint8_t *scratch = malloc(PBY_ROW_KEY_MAX);
    const pby_csv_head head = pby_csv_head_of(csv, scratch);
    cr_assert_eq(pby_spool_write(spool, head.name, head.size, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++) {
        size_t size;
        const uint8_t *key = pby_csv_key(csv, i, scratch, &size);
        cr_assert_eq(pby_spool_write(spool, key, size, NULL), PBY_OK);
    }
    free(scratch);
}

/* Where a chunk ends depends on the blocks, unless it has one row: then keys are written between rows. */
static void write_rows(pby_csv *csv, pby_spool *spool, size_t max)
{
    int64_t counts[8];
    pby_error err;
    for (size_t n = 1; n > 0;) {
        cr_assert_eq(pby_csv_next_chunk(csv, counts, max, &n, &err), PBY_OK, "%s", err.text);
        for (size_t i = 0; i < n; i++)
            counts[i] ^= 1;
        cr_assert_eq(pby_csv_write_chunk(csv, spool, counts, n, &err), PBY_OK);
        if (max == 1)
            write_keys(csv, spool, n);
    }
}

static struct seen see(const void *bytes, size_t size, const pby_csv_demand *demand, unsigned threads,
                       uint64_t block)
{
    struct seen s = {.error = PBY_NO_ERROR};
    pby_csv *csv;
    pby_spool *spool;
    cr_assert_eq(pby_csv_open_memory(&csv, "input", bytes, size, &s.error), PBY_OK);
    pby_csv_split_by(csv, threads, block, 1);
    pby_csv_learn_spread(csv);
    if (demand != NULL)
        pby_csv_demands(csv, demand);
    s.status = pby_csv_scan(csv, &s.rows, &s.error);
    s.split = pby_csv_is_split(csv);
    s.header = pby_csv_layout(csv)->header;
    if (s.status == PBY_OK) {
        s.records = pby_csv_records(csv);
        s.spread = *pby_csv_spread(csv);
        cr_assert_eq(pby_spool_open_memory(&spool, NULL), PBY_OK);
        write_rows(csv, spool, 1);
        pby_csv_again(csv);
        write_rows(csv, spool, 3);
        const uint8_t *out = pby_spool_bytes(spool, &s.size);
        s.out = malloc(s.size + 1);
        memcpy(s.out, out, s.size);
        pby_spool_abort(spool);
    }
    pby_csv_free(csv);
    return s;
}

static void same(const struct seen *a, const struct seen *b)
{
    uint64_t differ[2];
    cr_assert_eq(a->status, b->status, "%s; %s", a->error.text, b->error.text);
    cr_assert_eq(a->header, b->header);
    if (a->status != PBY_OK) {
        cr_assert_str_eq(a->error.text, b->error.text);
        cr_assert_eq(a->error.reason, b->error.reason);
        return;
    }
    cr_assert_eq(a->rows, b->rows);
    cr_assert_eq(a->records, b->records);
    cr_assert_eq(a->spread.names, b->spread.names);
    cr_assert_eq(pby_spread_common(&a->spread, &differ[0]), pby_spread_common(&b->spread, &differ[1]));
    cr_assert_eq(differ[0], differ[1]);
    cr_assert_eq(a->size, b->size);
    cr_assert_arr_eq(a->out, b->out, a->size);
}

/* Whatever it is, threads see what one reader sees, wherever the blocks end; and what is well is split. */
static bool seen_alike(const void *bytes, size_t size, const pby_csv_demand *demand)
{
    static const uint64_t blocks[] = {1, 2, 3, 4, 5, 7, 11, 16, 29, 1000};
    struct seen alone = see(bytes, size, demand, 0, 0);
    cr_assert_not(alone.split);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct seen s = see(bytes, size, demand, 1 + (unsigned)i % 3, blocks[i]);
        same(&alone, &s);
        cr_assert_eq(s.split, s.status == PBY_OK, "blocks of %lu", blocks[i]);
        free(s.out);
    }
    free(alone.out);
    return alone.status == PBY_OK;
}

static bool text_alike(const char *text)
{
    return seen_alike(text, strlen(text), NULL);
}

Test(csv_split, what_is_well_comes_out_as_it_did)
{
    static const char *const good[] = {
        "a,1\nb,20\nc,300\n",
        "a,5\nb,50\nc,500",
        "a,1\r\nb,2\r\nc,3\r\n",
        "a,1\r\nb,2\nc,3",
        "key,count\na,1\nb,2\n",
        "\xef\xbb\xbf\"the\nkey\",\"count\"\r\na,1\nb,2\n",
        "\"a\",1\n\"b,b\",2\n\"c\nc\",3\n\"d\"\"d\",4\n\"\r\n\",\"5\"\n",
        "\"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\",1\n\"\",2\nx,3",
        "\"\"\"\n\"\"\",1\n\"\"\"\"\"\",2\n\"\n\"\"\n\",3\n\"a,1\nb,2\n\",4\n",
        "\xc3\xa9,1\n\xe2\x82\xac,2\n\xf0\x9f\x98\x80,3\ne\xcc\x81,4\n",
        ",0\n",
        "x,007\ny,\"9223372036854775807\"\nz,9223372036854775807\n",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_assert(text_alike(good[i]), "%s", good[i]);
}

/* Wherever a fault lies, it is told by its line and in the words that it always had. */
Test(csv_split, what_is_wrong_is_told_as_it_was)
{
    static const char *const bad[] = {
        "",
        "\n",
        "key,count\n",
        "a,1\nb,2\nc,3\n\n",
        "a,1\nb,2\nc,3\n\r\n",
        "a,1\n\"b\nb\",2\nc,x\n",
        "a,1\n\"b\nb\",2\n\"c\"d,3\n",
        "a,1\nb\"b,2\nc,3\nd\"\n,4\n",
        "a,1\nb,2\n\"c,3\nd,4\n",
        "a,1\nb,2\rc,3\n",
        "a,1\n\xff,2\nb,3\n",
        "a,1\nb,2\nc,3\nd,4\na,5\nc,6\n",
        "a,1\nb,2\nc,3\nd,4\n\"a\",5\nx\n",
        "a,1\nb,2,3\n",
        "a,1\nb,-2\nc,9223372036854775808\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_not(text_alike(bad[i]), "%s", bad[i]);
    cr_assert_not(seen_alike("a,1\nb\0,2\n", 9, NULL));
}

Test(csv_split, demands_are_met_or_told)
{
    static const char text[] = "a,1\nb,20\nc,300\nd,4\n";
    const pby_csv_demand free_of = {INT64_MAX, INT64_MAX, UINT64_MAX, false, NULL};
    pby_csv_demand d = free_of;
    d.most = 300;
    cr_assert(seen_alike(text, strlen(text), &d));
    d.most = 299;
    cr_assert_not(seen_alike(text, strlen(text), &d));
    d = free_of;
    d.sum = 325;
    cr_assert(seen_alike(text, strlen(text), &d));
    d.sum = 324;
    cr_assert_not(seen_alike(text, strlen(text), &d));
    d.limit = 299;
    cr_assert(seen_alike(text, strlen(text), &d));
    d = free_of;
    d.reserved = "total";
    cr_assert(seen_alike(text, strlen(text), &d));
    d.reserved = "c";
    cr_assert_not(seen_alike(text, strlen(text), &d));
}

/* Rows out of few pieces: some whole, some with a piece too many. */
static size_t draw_text(char *text, uint64_t *stream, bool spoilt)
{
    static const char *const key[] = {"\"", "\"\"", "\n", "\r\n", ",", "x", "yy", "1", "\xc3\xa9"};
    size_t at = 0;
    const size_t rows = 1 + stream_next(stream) % 12;
    for (size_t i = 0; i < rows; i++) {
        text[at++] = '"';
        for (uint64_t k = stream_next(stream) % 6; k > 0; k--) {
            const char *piece =
                key[(spoilt && stream_next(stream) % 32 == 0 ? 0 : 1) + stream_next(stream) % 8];
            at += strlen(strcpy(text + at, piece));
        }
        at += (size_t)sprintf(text + at, "%zu\",%lu%s", spoilt ? i / 2 : i, stream_next(stream) % 1000,
                              stream_next(stream) % 2 ? "\n" : "\r\n");
    }
    return stream_next(stream) % 4 == 0 ? at - 1 - (text[at - 2] == '\r') : at;
}

Test(csv_split, rows_of_any_pieces_are_seen_alike)
{
    char text[1024];
    uint64_t stream = 5;
    for (int i = 0; i < 25; i++) {
        cr_assert(seen_alike(text, draw_text(text, &stream, false), NULL));
        (void)seen_alike(text, draw_text(text, &stream, true), NULL);
    }
}

/* ---- a file, as it is split without being told to ---------------------------------------------- */

enum { ROWS = 300000 };

/* The row at fault has no count, which makes a header of the first, and the key behind it stands twice. */
static void write_file(const char *name, size_t fault)
{
    FILE *f = fopen(name, "w");
    for (size_t i = 0; i < ROWS; i++)
        if (i % 1000 == 7)
            fprintf(f, "\"a\n\"\"%zu\"\"\n\",%zu\n", i, i % 100);
        else
            fprintf(f, "a%zu,%s%zu\n", i == fault + 2 ? 5 : i, i == fault ? "x" : "", i % 100);
    cr_assert_eq(fclose(f), 0);
}

static pby_csv *open_file(const char *name, bool split)
{
    pby_csv *csv;
    cr_assert_eq(pby_csv_open(&csv, name, NULL), PBY_OK);
    if (split)
        pby_csv_split_by(csv, 2, 1 << 16, PBY_CSV_LARGE);
    else
        pby_csv_split_by(csv, 0, 0, 0);
    return csv;
}

static uint64_t sum_of_rows(pby_csv *csv, size_t chunks)
{
    static int64_t counts[5000];
    uint64_t sum = 0;
    pby_error err;
    for (size_t n = 1; n > 0 && chunks > 0; chunks--) {
        cr_assert_eq(pby_csv_next_chunk(csv, counts, 5000, &n, &err), PBY_OK, "%s", err.text);
        for (size_t i = 0; i < n; i++)
            sum += (uint64_t)counts[i];
    }
    return sum;
}

Test(csv_split, a_large_file_is_split_read_again_and_left_half_read)
{
    char name[] = "/tmp/probity-split.XXXXXX";
    uint64_t rows, again;
    close(mkstemp(name));
    write_file(name, ROWS);
    pby_csv *csv = open_file(name, true), *alone = open_file(name, false);
    cr_assert_eq(pby_csv_scan(csv, &rows, NULL), PBY_OK);
    cr_assert_eq(pby_csv_scan(alone, &again, NULL), PBY_OK);
    cr_assert(pby_csv_is_split(csv));
    cr_assert_eq(rows, ROWS);
    cr_assert_eq(again, ROWS);
    const uint64_t sum = sum_of_rows(alone, SIZE_MAX);
    cr_assert_eq(sum, pby_csv_records(csv));
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(sum_of_rows(csv, SIZE_MAX), sum);
        pby_csv_again(csv);
    }
    (void)sum_of_rows(csv, 3);
    pby_csv_again(csv);
    cr_assert_eq(sum_of_rows(csv, SIZE_MAX), sum);
    cr_assert_eq(pby_csv_restart(csv, NULL), PBY_OK);
    cr_assert_eq(pby_csv_scan(csv, &rows, NULL), PBY_OK);
    (void)sum_of_rows(csv, 3);
    pby_csv_free(csv);
    pby_csv_free(alone);
    unlink(name);
}

Test(csv_split, a_fault_in_any_part_of_a_large_file_is_told_alike)
{
    static const size_t faults[] = {0, 1000, ROWS / 2, ROWS - 1000, ROWS - 1};
    char name[] = "/tmp/probity-split.XXXXXX";
    uint64_t rows;
    close(mkstemp(name));
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        write_file(name, faults[i]);
        pby_error one, two;
        pby_csv *csv = open_file(name, true), *alone = open_file(name, false);
        const pby_status status = pby_csv_scan(csv, &rows, &one);
        cr_assert_eq(status, pby_csv_scan(alone, &rows, &two));
        cr_assert_eq(status, PBY_BAD);
        cr_assert_str_eq(one.text, two.text);
        pby_csv_free(csv);
        pby_csv_free(alone);
    }
    unlink(name);
}

Test(csv_split, a_file_that_changes_is_a_failure)
{
    char name[] = "/tmp/probity-split.XXXXXX";
    close(mkstemp(name));
    for (int change = 0; change < 3; change++) {
        static int64_t counts[5000];
        uint64_t rows;
        size_t n = 1;
        pby_error err;
        write_file(name, ROWS);
        pby_csv *csv = open_file(name, true);
        cr_assert_eq(pby_csv_scan(csv, &rows, &err), PBY_OK);
        FILE *f = fopen(name, "r+");
        if (change == 0) {
            cr_assert_eq(ftruncate(fileno(f), 1 << 20), 0);
        } else {
            fseek(f, change == 1 ? 1 << 20 : 0, change == 1 ? SEEK_SET : SEEK_END);
            fputs("more,1\n", f);
        }
        fclose(f);
        pby_status status = PBY_OK;
        while (status == PBY_OK && n > 0)
            status = pby_csv_next_chunk(csv, counts, 5000, &n, &err);
        cr_assert_eq(status, PBY_FAILED);
        cr_assert_not_null(strstr(err.text, "changed while it was being read"), "%s", err.text);
        pby_csv_free(csv);
    }
    unlink(name);
}

/* ---- batches of Arrow's ------------------------------------------------------------------------- */

enum { LENT = 100, BATCHES = 3 };

/* Keys of two digits, in batches of 40 rows. */
struct lent {
    int32_t offsets[LENT + 1];
    char keys[2 * LENT + 1];
    int64_t counts[LENT];
    size_t next;
    const void *none[1], *text[BATCHES][3], *number[BATCHES][2];
    struct ArrowArray column[BATCHES][2], *columns[BATCHES][2];
    struct ArrowSchema name[2], *names[2];
};

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

static int lend_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    struct lent *l = s->private_data;
    l->name[0] = (struct ArrowSchema){.format = "u", .name = "key", .release = end_schema};
    l->name[1] = (struct ArrowSchema){.format = "l", .name = "count", .release = end_schema};
    l->names[0] = &l->name[0];
    l->names[1] = &l->name[1];
    *out = (struct ArrowSchema){.format = "+s", .n_children = 2, .children = l->names, .release = end_schema};
    return 0;
}

static int lend_batch(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    struct lent *l = s->private_data;
    const size_t b = l->next++, from = 40 * b, rows = b < 2 ? 40 : 20;
    *out = (struct ArrowArray){.release = NULL};
    if (b == BATCHES)
        return 0;
    l->text[b][1] = l->offsets + from;
    l->text[b][2] = l->keys;
    l->number[b][1] = l->counts + from;
    l->column[b][0] = (struct ArrowArray){
        .length = (int64_t)rows, .n_buffers = 3, .buffers = l->text[b], .release = end_array};
    l->column[b][1] = (struct ArrowArray){
        .length = (int64_t)rows, .n_buffers = 2, .buffers = l->number[b], .release = end_array};
    l->columns[b][0] = &l->column[b][0];
    l->columns[b][1] = &l->column[b][1];
    *out = (struct ArrowArray){.length = (int64_t)rows,
                               .n_buffers = 1,
                               .buffers = l->none,
                               .n_children = 2,
                               .children = l->columns[b],
                               .release = end_array};
    return 0;
}

static const char *no_error(struct ArrowArrayStream *s)
{
    (void)s;
    return NULL;
}

static pby_csv *open_lent(struct lent *l)
{
    struct ArrowArrayStream stream = {lend_schema, lend_batch, no_error, end_stream, l};
    pby_arrow *arrow;
    pby_arrow_rows *rows;
    pby_entries *entries;
    pby_csv *csv;
    l->next = 0;
    cr_assert_eq(pby_arrow_open(&arrow, &stream, "input", NULL), PBY_OK);
    cr_assert_eq(pby_arrow_want(arrow, 0, PBY_ARROW_NAMES, NULL), PBY_OK);
    cr_assert_eq(pby_arrow_want(arrow, 1, PBY_ARROW_COUNTS, NULL), PBY_OK);
    cr_assert_eq(pby_arrow_rows_read(&rows, arrow, NULL), PBY_OK);
    cr_assert_eq(pby_entries_new(&entries, "input", NULL), PBY_OK);
    pby_entries_lend(entries, rows);
    pby_arrow_free(arrow);
    cr_assert_eq(pby_csv_of_entries(&csv, entries, NULL), PBY_OK);
    return csv;
}

static void seen_alike_in_batches(struct lent *l, bool good)
{
    static const uint64_t blocks[] = {16, 32, 16 * 7, 16 * 40, 16 * 1000};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        pby_csv *alone = open_lent(l), *csv = open_lent(l);
        pby_error one = PBY_NO_ERROR, two = PBY_NO_ERROR;
        uint64_t rows[2] = {0, 0};
        pby_csv_split_by(alone, 0, 0, 0);
        pby_csv_split_by(csv, 1 + (unsigned)i % 3, blocks[i], 1);
        pby_csv_learn_spread(alone);
        pby_csv_learn_spread(csv);
        const pby_status status = pby_csv_scan(alone, &rows[0], &one);
        cr_assert_eq(pby_csv_scan(csv, &rows[1], &two), status);
        cr_assert_eq(status, good ? PBY_OK : PBY_BAD);
        cr_assert_not(pby_csv_is_split(alone));
        cr_assert_eq(pby_csv_is_split(csv), good);
        cr_assert_str_eq(one.text, two.text);
        cr_assert_eq(rows[0], rows[1]);
        cr_assert_eq(pby_csv_records(alone), pby_csv_records(csv));
        if (good) {
            uint64_t differ[2];
            cr_assert_eq(pby_spread_common(pby_csv_spread(alone), &differ[0]),
                         pby_spread_common(pby_csv_spread(csv), &differ[1]));
            cr_assert_eq(differ[0], differ[1]);
            cr_assert_eq(sum_of_rows(csv, SIZE_MAX), pby_csv_records(csv));
        }
        pby_csv_free(alone);
        pby_csv_free(csv);
    }
}

Test(csv_split, batches_are_seen_alike)
{
    static struct lent l;
    for (int i = 0; i < LENT; i++) {
        snprintf(l.keys + 2 * i, 3, "%02d", i);
        l.offsets[i + 1] = 2 * (i + 1);
        l.counts[i] = i * i;
    }
    seen_alike_in_batches(&l, true);
    for (int i = 0; i < LENT; i += 11) {
        l.counts[i] = -1;
        seen_alike_in_batches(&l, false);
        l.counts[i] = 0;
        const char before = l.keys[2 * i];
        l.keys[2 * i] = before == '9' ? '8' : '9'; /* which makes it another row's key */
        seen_alike_in_batches(&l, false);
        l.keys[2 * i] = before;
    }
    seen_alike_in_batches(&l, true);
}

Test(csv_split, there_is_a_thread_for_each_processor)
{
    const unsigned threads = pby_csv_split_threads();
    cr_assert(threads >= 1 && threads <= PBY_SPLIT_THREADS);
}
