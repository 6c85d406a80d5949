/* SPDX-License-Identifier: MIT */
/* Streams of Arrow's made by hand: each format, what is refused, and that everything is released once. */
#include "probity/experimental/arrow.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/release.h"

static pby_error err;

/* ---- a producer --------------------------------------------------------------------------------- */

enum { COLUMNS = 3, BATCHES = 2 };

/* A stream of some batches, which counts what it gives away and what comes back. */
struct producer {
    size_t columns, batches, next;
    const char *format[COLUMNS], *name[COLUMNS], *words[COLUMNS]; /* the format of a dictionary */
    struct ArrowArray array[BATCHES][COLUMNS];                    /* as they are to be given */
    struct ArrowArray dictionary[COLUMNS];
    struct ArrowArray all[BATCHES];
    int fails_at; /* a batch, from 0; -1: none */
    int streams, schemas, arrays;

    struct ArrowSchema column[COLUMNS], *columns_of[COLUMNS], word[COLUMNS];
    struct ArrowArray *children[BATCHES][COLUMNS];
    struct ArrowArrayStream stream;
};

static void release_schema(struct ArrowSchema *s)
{
    ((struct producer *)s->private_data)->schemas--;
    s->release = NULL;
}

static void release_array(struct ArrowArray *a)
{
    ((struct producer *)a->private_data)->arrays--;
    a->release = NULL;
}

static void release_stream(struct ArrowArrayStream *s)
{
    ((struct producer *)s->private_data)->streams--;
    s->release = NULL;
}

static int get_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    struct producer *p = s->private_data;
    for (size_t i = 0; i < p->columns; i++) {
        p->word[i] = (struct ArrowSchema){.format = p->words[i]};
        p->column[i] = (struct ArrowSchema){.format = p->format[i], .name = p->name[i]};
        p->column[i].dictionary = p->words[i] == NULL ? NULL : &p->word[i];
        p->columns_of[i] = &p->column[i];
    }
    p->schemas++;
    *out = (struct ArrowSchema){.format = "+s",
                                .n_children = (int64_t)p->columns,
                                .children = p->columns_of,
                                .release = release_schema,
                                .private_data = p};
    return 0;
}

static int get_next(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    static const void *none[1];
    struct producer *p = s->private_data;
    *out = (struct ArrowArray){.release = NULL};
    if (p->fails_at == (int)p->next)
        return EIO;
    if (p->next == p->batches)
        return 0;
    const size_t b = p->next++;
    for (size_t i = 0; i < p->columns; i++)
        p->children[b][i] = &p->array[b][i];
    *out = p->all[b];
    out->buffers = out->buffers == NULL ? none : out->buffers;
    out->children = p->children[b];
    out->release = release_array;
    out->private_data = p;
    p->arrays++;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *s)
{
    (void)s;
    return "the secret key";
}

static struct ArrowArrayStream *stream_of(struct producer *p)
{
    p->streams++;
    p->next = 0;
    p->stream = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, p};
    return &p->stream;
}

static void all_came_back(const struct producer *p)
{
    cr_assert_eq(p->streams, 0);
    cr_assert_eq(p->schemas, 0);
    cr_assert_eq(p->arrays, 0);
}

/* ---- the table that most tests are about: three keys in two batches ------------------------------ */

static const int32_t offsets[] = {9, 0, 1, 3, 3}; /* behind one that belongs to nobody */
static const char bytes[] = "abb";
static const int64_t counts[] = {7, -5, 9};
static const void *text_buffers[] = {NULL, offsets + 1, bytes}, *count_buffers[] = {NULL, counts};
static const void *third_text[] = {NULL, offsets, bytes}, *third_count[] = {NULL, counts};

static struct producer three(void)
{
    struct producer p = {
        .columns = 2, .batches = 2, .fails_at = -1, .format = {"u", "l"}, .name = {"k", "n"}};
    p.array[0][0] = (struct ArrowArray){.length = 2, .n_buffers = 3, .buffers = text_buffers};
    p.array[0][1] = (struct ArrowArray){.length = 1, .n_buffers = 2, .buffers = count_buffers};
    p.array[1][0] = (struct ArrowArray){.length = 1, .offset = 3, .n_buffers = 3, .buffers = third_text};
    p.array[1][1] = (struct ArrowArray){.length = 1, .offset = 2, .n_buffers = 2, .buffers = third_count};
    p.array[0][0].length = p.array[0][1].length = 1;
    p.all[0] = (struct ArrowArray){.length = 1, .n_buffers = 1, .n_children = 2};
    p.all[1] = (struct ArrowArray){.length = 1, .n_buffers = 1, .n_children = 2};
    return p;
}

static const char *rows_of(pby_table *t)
{
    static char all[1 << 12];
    bool found = true;
    size_t used = 0;
    all[0] = '\0';
    while (found) {
        cr_assert_eq(pby_table_next(t, &found, &err), PBY_OK, "%s", err.text);
        if (found)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s=%lld;", pby_table_key(t, NULL),
                                     (long long)pby_table_count(t));
    }
    return all;
}

static void reads(struct producer *p, const pby_csv_options *options, const char *rows)
{
    pby_table *t;
    cr_assert_eq(pby_table_arrow(&t, stream_of(p), options, &err), PBY_OK, "%s", err.text);
    cr_assert_null(p->stream.release);
    cr_assert_eq(p->streams, 0);
    cr_assert_str_eq(rows_of(t), rows);
    cr_assert_eq(pby_table_rewind(t, &err), PBY_OK);
    cr_assert_str_eq(rows_of(t), rows, "the second time");
    pby_table_free(t);
    all_came_back(p);
}

/* Refused when it is made or when its first row is asked for. */
static void is_refused(struct producer *p, const pby_csv_options *options, const char *text)
{
    pby_table *t;
    bool found;
    pby_status status = pby_table_arrow(&t, stream_of(p), options, &err);
    if (status == PBY_OK)
        status = pby_table_next(t, &found, &err);
    cr_assert_eq(status, PBY_BAD, "%s: %d", text, (int)status);
    cr_assert_not_null(strstr(err.text, text), "%s", err.text);
    pby_table_free(t);
    all_came_back(p);
}

Test(arrow, keys_and_counts_are_read_where_they_lie)
{
    struct producer p = three();
    reads(&p, NULL, "a=7;=9;");
    reads(&p, &(pby_csv_options){.keys = "k", .counts = "n"}, "a=7;=9;");
    reads(&p, &(pby_csv_options){.counts = "n"}, "a=7;=9;");
    p.batches = 0;
    reads(&p, NULL, "");
}

/* The third column is of a format that is not read, and is not asked for. */
Test(arrow, columns_are_found_by_their_names)
{
    struct producer p = three();
    p.columns = 3;
    p.format[2] = "tdD";
    p.name[2] = "day";
    p.all[0].n_children = p.all[1].n_children = 3;
    reads(&p, &(pby_csv_options){.keys = "k", .counts = "n"}, "a=7;=9;");
    is_refused(&p, NULL, "keys: expected the name of a column");
    is_refused(&p, &(pby_csv_options){.keys = "k"}, "counts: expected the name of a column");
    is_refused(&p, &(pby_csv_options){.keys = "day", .counts = "n"},
               "column day of format tdD: expected text");
    is_refused(&p, &(pby_csv_options){.keys = "k", .counts = "k"}, "'k': expected another column");
    is_refused(&p, &(pby_csv_options){.keys = "x", .counts = "n"}, "expected the name of a column");
    p.name[2] = "k";
    is_refused(&p, &(pby_csv_options){.keys = "k", .counts = "n"}, "one column, not of two");
    p.format[1] = "g";
    p.name[2] = "day";
    is_refused(&p, &(pby_csv_options){.keys = "k", .counts = "n"}, "column n of format g: expected integers");
}

/* ---- formats ------------------------------------------------------------------------------------ */

/* One batch of n rows: keys of a format, and counts 1, 2, 3, ... */
static struct producer one(const char *format, int64_t n, int64_t n_buffers, const void **buffers)
{
    static const int64_t ones[] = {1, 2, 3, 4};
    static const void *count[] = {NULL, ones};
    struct producer p = {.columns = 2, .batches = 1, .fails_at = -1, .name = {"k", "n"}};
    p.format[0] = format;
    p.format[1] = "l";
    p.array[0][0] = (struct ArrowArray){.length = n, .n_buffers = n_buffers, .buffers = buffers};
    p.array[0][1] = (struct ArrowArray){.length = n, .n_buffers = 2, .buffers = count};
    p.all[0] = (struct ArrowArray){.length = n, .n_buffers = 1, .n_children = 2};
    return p;
}

Test(arrow, every_integer_is_its_digits)
{
    const int8_t x1[] = {-128, 127};
    const uint8_t y1[] = {0, 255};
    const int16_t x2[] = {INT16_MIN, INT16_MAX};
    const uint16_t y2[] = {0, UINT16_MAX};
    const int32_t x4[] = {INT32_MIN, INT32_MAX};
    const uint32_t y4[] = {0, UINT32_MAX};
    const int64_t x8[] = {INT64_MIN, INT64_MAX};
    const uint64_t y8[] = {0, UINT64_MAX};
    const struct {
        const char *format;
        const void *values;
        const char *rows;
    } each[] = {{"c", x1, "-128=1;127=2;"},
                {"C", y1, "0=1;255=2;"},
                {"s", x2, "-32768=1;32767=2;"},
                {"S", y2, "0=1;65535=2;"},
                {"i", x4, "-2147483648=1;2147483647=2;"},
                {"I", y4, "0=1;4294967295=2;"},
                {"l", x8, "-9223372036854775808=1;9223372036854775807=2;"},
                {"L", y8, "0=1;18446744073709551615=2;"}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        const void *buffers[] = {NULL, each[i].values};
        struct producer p = one(each[i].format, 2, 2, buffers);
        reads(&p, NULL, each[i].rows);
    }
}

Test(arrow, long_texts_views_and_dictionaries_are_texts)
{
    const int64_t far[] = {0, 2, 2, 5};
    const void *long_text[] = {NULL, far, "\xc3\xa9xyz"};
    struct producer p = one("U", 3, 3, long_text);
    reads(&p, NULL, "\xc3\xa9=1;=2;xyz=3;");

    struct {
        int32_t size;
        char prefix[4];
        int32_t piece, offset;
    } views[2] = {{5, "inli", 'n', 0}, {14, "four", 1, 2}};
    const int64_t sizes[] = {1, 16};
    const void *view[] = {NULL, views, "?", "xxfourteen bytes", sizes};
    p = one("vu", 2, 5, view);
    reads(&p, NULL, "inlin=1;fourteen bytes=2;");
    views[1].offset = 3;
    is_refused(&p, NULL, "row 2, column 1: expected views within their buffers");
    views[1].piece = 2;
    is_refused(&p, NULL, "views within");
    views[1].size = -1;
    is_refused(&p, NULL, "row 2, column 1: expected lengths");

    const int32_t place[] = {1, 0, 1}, begin[] = {0, 1, 3};
    const void *places[] = {NULL, place}, *words[] = {NULL, begin, "aBB"};
    p = one("i", 2, 2, places);
    p.words[0] = "u";
    p.dictionary[0] = (struct ArrowArray){.length = 2, .n_buffers = 3, .buffers = words};
    p.array[0][0].dictionary = &p.dictionary[0];
    reads(&p, NULL, "BB=1;a=2;");
    p.dictionary[0].length = 1;
    is_refused(&p, NULL, "row 1, column 1: expected a place in its dictionary");
    p.array[0][0].dictionary = NULL;
    is_refused(&p, NULL, "column k of format i: expected its dictionary");
    p.words[0] = "g";
    is_refused(&p, NULL, "column k of format i: expected text");
}

/* ---- refusals ----------------------------------------------------------------------------------- */

Test(arrow, nulls_negative_counts_and_keys_that_stand_twice_are_refused_by_their_row)
{
    static const uint8_t second[] = {0xfd};
    const int32_t x[] = {5, 6, 5};
    const int64_t negative[] = {1, -1, 3};
    const void *keys[] = {NULL, x}, *below[] = {NULL, negative};
    struct producer p = one("i", 3, 2, keys);
    is_refused(&p, NULL, "row 3, column 1: expected a key once; this is a duplicate");
    keys[0] = second;
    is_refused(&p, NULL, "row 3, column 1"); /* there is no null where none is counted */
    p.array[0][0].null_count = -1;
    is_refused(&p, NULL, "row 2, column 1: expected a key, not null");
    p = one("i", 2, 2, (const void *[]){NULL, x});
    p.array[0][1].buffers = below;
    is_refused(&p, NULL, "row 2, column 2: expected a whole number from 0 to");
    below[0] = second;
    p.array[0][1].null_count = 1;
    is_refused(&p, NULL, "row 2, column 2: expected a whole number from 0 to 9223372036854775807, not null");
    p.format[1] = "L";
    below[0] = NULL;
    is_refused(&p, NULL, "row 2, column 2: expected a whole number from 0 to 9223372036854775807");
}

Test(arrow, texts_that_are_no_keys_are_refused)
{
    const int32_t begin[] = {0, 1, 4};
    const void *nul[] = {NULL, begin, "ab\0c"}, *broken[] = {NULL, begin, "ab\xffz"};
    struct producer p = one("u", 2, 3, nul);
    is_refused(&p, NULL, "row 2, column 1: expected no NUL byte");
    p = one("u", 2, 3, broken);
    is_refused(&p, NULL, "row 2, column 1: expected valid UTF-8");
    const void *halved[] = {NULL, begin,
                            "\xc3\xa9yz"}; /* a character over two rows, and no NUL behind them */
    p = one("u", 2, 3, halved);
    is_refused(&p, NULL, "row 1, column 1: expected valid UTF-8");
    char *large = calloc(1, (1 << 20) + 2);
    memset(large, 'x', (1 << 20) + 1);
    const int32_t wide[] = {0, (1 << 20) + 1, (1 << 20) + 1};
    p = one("u", 2, 3, (const void *[]){NULL, wide, large});
    is_refused(&p, NULL, "row 1, column 1: expected at most 1048576 bytes");
    free(large);
}

/* One number of an array at a time is made wrong. */
Test(arrow, lengths_offsets_and_buffers_are_checked)
{
    int32_t begin[] = {0, 1, 2};
    const void *buffers[] = {NULL, begin, "ab"};
    const struct producer good = one("u", 2, 3, buffers);
    struct producer p = good;
    reads(&p, NULL, "a=1;b=2;");
    const int64_t wrong[] = {INT64_MIN, -1, INT64_MAX, INT64_MAX - 1, (int64_t)1 << 60, 1};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        p = good, p.array[0][0].length = wrong[i];
        if (wrong[i] < 2)
            is_refused(&p, NULL, "expected lengths");
        p = good, p.all[0].offset = wrong[i];
        is_refused(&p, NULL, "expected");
        p = good, p.all[0].n_children = wrong[i];
        is_refused(&p, NULL, "columns of the stream");
        p = good, p.array[0][0].n_buffers = wrong[i];
        is_refused(&p, NULL, "as many buffers as its format has");
    }
    for (size_t i = 0; i < 5; i++) {
        if (wrong[i] != INT64_MAX && wrong[i] != INT64_MAX - 1) {
            p = good, p.all[0].length = wrong[i];
            is_refused(&p, NULL, "expected");
        }
        p = good, p.array[0][0].offset = wrong[i];
        is_refused(&p, NULL, "expected lengths");
    }
    p = good, begin[1] = -1;
    is_refused(&p, NULL, "offsets from 0 on that do not fall");
    p = good, begin[1] = 3;
    is_refused(&p, NULL, "offsets from 0 on that do not fall");
    begin[1] = 1;
    p = good, buffers[1] = NULL;
    is_refused(&p, NULL, "as many buffers");
    buffers[1] = begin, buffers[2] = NULL;
    is_refused(&p, NULL, "bytes behind its offsets");
    p = good, p.array[0][0].buffers = NULL;
    is_refused(&p, NULL, "as many buffers");
    static const uint8_t some[1];
    p = good, p.all[0].null_count = 1, p.all[0].buffers = (const void *[]){some};
    is_refused(&p, NULL, "without rows that are null");
}

/* The message of a stream that fails may be a secret; batches that it gave before are released. */
Test(arrow, a_stream_that_fails_is_told_without_its_words)
{
    pby_table *t;
    struct producer p = three();
    for (p.fails_at = 0; p.fails_at <= 2; p.fails_at++) {
        cr_assert_eq(pby_table_arrow(&t, stream_of(&p), NULL, &err), PBY_FAILED);
        cr_assert_eq(err.reason, PBY_REASON_IO);
        cr_assert_null(strstr(err.text, "secret"), "%s", err.text);
        cr_assert_null(t);
        all_came_back(&p);
    }
    struct ArrowArrayStream released = {.release = NULL};
    cr_assert_eq(pby_table_arrow(&t, &released, NULL, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "a stream that was not released"), "%s", err.text);
}

/* ---- raw records -------------------------------------------------------------------------------- */

static const double amounts[] = {0.3, 1e20, -2};

Test(arrow, records_are_read_batch_by_batch)
{
    const int32_t who[] = {1, 1, 2}, begin[] = {0, 1, 2, 3};
    const void *users[] = {NULL, who}, *shops[] = {NULL, begin, "sss"}, *amount[] = {NULL, amounts};
    struct producer p = {.columns = 3,
                         .batches = 1,
                         .fails_at = -1,
                         .name = {"user", "shop", "amount"},
                         .format = {"i", "u", "g"}};
    p.array[0][0] = (struct ArrowArray){.length = 3, .n_buffers = 2, .buffers = users};
    p.array[0][1] = (struct ArrowArray){.length = 3, .n_buffers = 3, .buffers = shops};
    p.array[0][2] = (struct ArrowArray){.length = 3, .n_buffers = 2, .buffers = amount};
    p.all[0] = (struct ArrowArray){.length = 3, .n_buffers = 1, .n_children = 3};
    pby_table *t;
    const pby_records_options by = {.by = "shop,amount:0:0.4:0.1", .user = "user", .contributions = 2};
    cr_assert_eq(pby_table_records_arrow(&t, stream_of(&p), &by, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(p.streams, 1, "not read yet");
    cr_assert_str_eq(rows_of(t), "s,0.3=2;s,0=1;"); /* 0.3 is the decimal, not the fraction below it */
    cr_assert_eq(p.arrays, 0, "each batch is released once it is read");
    pby_table_free(t);
    all_came_back(&p);

    const pby_records_options raw = {.by = "amount"};
    bool found;
    cr_assert_eq(pby_table_records_arrow(&t, stream_of(&p), &raw, &err), PBY_OK);
    cr_assert_eq(pby_table_next(t, &found, &err), PBY_BAD, "a name is no floating-point number");
    cr_assert_not_null(strstr(err.text, "column amount of format g: expected text"), "%s", err.text);
    pby_table_free(t);
    all_came_back(&p);
}

/* ---- writing ------------------------------------------------------------------------------------ */

Test(arrow, what_is_written_is_read_again)
{
    const char *const keys[] = {"a", "", "\xc3\xa9 \"x\", y"};
    const int64_t x[] = {1, 0, INT64_MAX};
    struct ArrowArrayStream stream;
    pby_table *t, *again;
    cr_assert_eq(pby_table_of(&t, keys, x, 3, &err), PBY_OK);
    cr_assert_eq(pby_table_to_arrow(&stream, t, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_arrow(&again, &stream, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_null(stream.release);
    cr_assert_str_eq(rows_of(again), "a=1;=0;\xc3\xa9 \"x\", y=9223372036854775807;");
    pby_table_free(again);
    pby_table_free(t);
}

/* A child that is moved away outlives its batch; more rows than one batch holds. */
Test(arrow, batches_and_their_columns_are_released_apart)
{
    enum { N = (1 << 16) + 3 };
    char(*text)[8] = calloc(N, sizeof *text);
    const char **keys = calloc(N, sizeof *keys);
    int64_t *x = calloc(N, sizeof *x);
    for (size_t i = 0; i < N; i++) {
        snprintf(text[i], sizeof *text, "%zu", i);
        keys[i] = text[i];
        x[i] = (int64_t)(2 * i);
    }
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch[3], column;
    pby_table *t;
    cr_assert_eq(pby_table_of(&t, keys, x, N, &err), PBY_OK);
    cr_assert_eq(pby_table_to_arrow(&stream, t, &err), PBY_OK);
    cr_assert_eq(stream.get_schema(&stream, &schema), 0);
    cr_assert_str_eq(schema.children[0]->format, "u");
    cr_assert_str_eq(schema.children[1]->format, "l");
    cr_assert_str_eq(schema.children[1]->name, "count");
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(stream.get_next(&stream, &batch[i]), 0);
    cr_assert_null(batch[2].release, "the end");
    cr_assert_eq(batch[0].length + batch[1].length, N);
    column = *batch[1].children[1];
    batch[1].children[1]->release = NULL;
    stream.release(&stream);
    schema.release(&schema);
    batch[0].release(&batch[0]);
    batch[1].release(&batch[1]);
    cr_assert_eq(((const int64_t *)column.buffers[1])[2], 2 * (N - 1));
    column.release(&column);
    pby_table_free(t);
    free(text);
    free(keys);
    free(x);
}

/* The release of two counts, as a stream and its first batch. */
struct released {
    pby_permission *permission;
    pby_table *in, *out;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
};

static void release_counts(struct released *r, const char *spec)
{
    static const char *const keys[] = {"a", "b"};
    static const int64_t x[] = {1000, 3};
    const pby_permission_options from = {.spec = spec};
    cr_assert_eq(pby_permission_open(&r->permission, &from, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_of(&r->in, keys, x, 2, &err), PBY_OK);
    cr_assert_eq(pby_release_table(&r->out, r->permission, r->in, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_to_arrow(&r->stream, r->out, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(r->stream.get_schema(&r->stream, &r->schema), 0);
    cr_assert_eq(r->stream.get_next(&r->stream, &r->batch), 0);
    cr_assert_eq(r->batch.length, 2);
}

static void released_clear(struct released *r)
{
    r->batch.release(&r->batch);
    r->schema.release(&r->schema);
    r->stream.release(&r->stream);
    pby_table_free(r->out);
    pby_table_free(r->in);
    pby_permission_close(r->permission);
}

/* Gaps are nulls: an interval of length 2 misses nearly always under noise of that size. A grid that is not 1
 * gives floating-point numbers. */
Test(arrow, a_release_is_written_with_gaps_and_fractions)
{
    struct released r;
    release_counts(&r, "laplace:scale=1/40,grid=1/2");
    cr_assert_str_eq(r.schema.children[1]->format, "g");
    const double *y = r.batch.children[1]->buffers[1];
    cr_assert(fabs(y[0] - 1000) < 10 && fabs(2 * y[0] - round(2 * y[0])) < DBL_MIN);
    released_clear(&r);

    release_counts(&r, "range:eps=1/1000000000000,L=1");
    cr_assert_eq(r.schema.n_children, 3);
    cr_assert_str_eq(r.schema.children[2]->name, "high");
    const struct ArrowArray *low = r.batch.children[1];
    cr_assert_eq(low->null_count, 2);
    cr_assert_eq(*(const uint8_t *)low->buffers[0] & 3, 0);
    released_clear(&r);
}

/* The keys of a release of every bar are those of the batches, which outlive the table that was released; the
 * noise at this epsilon is 0 but for a chance below 1e-17. */
Test(arrow, what_is_released_of_batches_shares_them)
{
    const int32_t x[] = {5, 6};
    const void *keys[] = {NULL, x};
    for (int uses = 1; uses <= 2; uses++) {
        struct producer p = one("i", 2, 2, keys);
        pby_permission *permission;
        const pby_permission_options from = {.spec = uses == 1 ? "geometric:eps=40" : "2*geometric:eps=40"};
        pby_table *in, *out;
        char *text;
        cr_assert_eq(pby_permission_open(&permission, &from, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_table_arrow(&in, stream_of(&p), NULL, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_release_table(&out, permission, in, NULL, &err), PBY_OK, "%s", err.text);
        pby_table_free(in);
        cr_assert_eq(p.arrays, 1, "still in use");
        cr_assert_str_eq(rows_of(out), "5=1;6=2;");
        cr_assert_eq(pby_table_write_memory(&text, NULL, out, PBY_FORMAT_CSV, &err), PBY_OK, "%s", err.text);
        cr_assert_str_eq(text, uses == 1 ? "k,count\n5,1\n6,2\n" : "k,count_1,count_2\n5,1,1\n6,2,2\n");
        free(text);
        pby_table_free(out);
        pby_permission_close(permission);
        all_came_back(&p);
    }
}

/* A batch of a release and its table, whose noise is 0 but for a chance below 1e-17. */
static void release_batches(pby_table **out, struct ArrowArrayStream *stream, struct producer *p)
{
    const pby_permission_options from = {.spec = "geometric:eps=40"};
    pby_permission *permission;
    pby_table *in;
    cr_assert_eq(pby_permission_open(&permission, &from, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_arrow(&in, stream_of(p), NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_release_table(out, permission, in, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_to_arrow(stream, *out, &err), PBY_OK, "%s", err.text);
    pby_table_free(in);
    pby_permission_close(permission);
}

/* In pieces, the last of which outlives the table. */
Test(arrow, texts_are_given_on_where_they_lie)
{
    enum { PIECE = 1 << 16, N = PIECE + 3, WIDE = 5 };
    int32_t *at = calloc(N + 1, sizeof *at);
    int64_t *x = calloc(N, sizeof *x);
    char *text = calloc(N, WIDE + 1);
    for (int32_t i = 0; i < N; i++) {
        snprintf(text + WIDE * i, WIDE + 1, "%05d", i);
        at[i + 1] = WIDE * (i + 1);
        x[i] = 3 * i;
    }
    const void *keys[] = {NULL, at, text}, *numbers[] = {NULL, x};
    struct producer p = one("u", N, 3, keys);
    p.array[0][1].buffers = numbers;
    struct ArrowArrayStream stream;
    struct ArrowArray batch[3];
    pby_table *out;
    release_batches(&out, &stream, &p);
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(stream.get_next(&stream, &batch[i]), 0);
    cr_assert_null(batch[2].release, "the end");
    cr_assert_eq(batch[0].length, PIECE);
    cr_assert_eq(batch[1].length, N - PIECE);
    stream.release(&stream);
    pby_table_free(out);
    batch[0].release(&batch[0]);
    cr_assert_eq(p.arrays, 1, "still in use");
    const struct ArrowArray *key = batch[1].children[0], *count = batch[1].children[1];
    cr_assert_eq(key->buffers[1], (const void *)at);
    cr_assert_eq(key->buffers[2], (const void *)text);
    cr_assert_eq(key->offset, PIECE);
    cr_assert_eq(count->offset, 0);
    for (int64_t i = 0; i < batch[1].length; i++)
        cr_assert_eq(((const int64_t *)count->buffers[1])[i], 3 * (PIECE + i));
    batch[1].release(&batch[1]);
    all_came_back(&p);
    free(text);
    free(x);
    free(at);
}

/* The bytes before a slice were not released, and are left behind. */
Test(arrow, the_texts_of_a_slice_are_copied)
{
    struct producer p = three();
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    pby_table *out;
    release_batches(&out, &stream, &p);
    cr_assert_eq(stream.get_next(&stream, &batch), 0);
    cr_assert_eq(batch.length, 2);
    const struct ArrowArray *key = batch.children[0];
    const int32_t *at = key->buffers[1];
    cr_assert_neq(key->buffers[2], (const void *)bytes);
    cr_assert_eq(key->offset, 0);
    cr_assert_eq(at[0], 0);
    cr_assert_eq(at[1], 1);
    cr_assert_eq(at[2], 1);
    cr_assert_eq(((const char *)key->buffers[2])[0], 'a');
    batch.release(&batch);
    stream.release(&stream);
    pby_table_free(out);
    all_came_back(&p);
}
