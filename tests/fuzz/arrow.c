/* SPDX-License-Identifier: MIT */
/* A stream of Arrow's out of any bytes: it is refused on one line, or its rows are read, twice alike; and all
 * that it gave away is released once. Offsets point into a buffer that is there, since how large one is
 * nobody tells; all else may be wrong. */
#include "probity/experimental/arrow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 16, REACH = 1 << 10 };

static int streams, schemas, arrays, given;

/* The bytes that are left to choose by; 0 behind their end. */
static const uint8_t *at, *end;

static uint8_t byte(void)
{
    return at < end ? *at++ : 0;
}

static int64_t number(void)
{
    static const int64_t odd[] = {INT64_MIN, -1, INT64_MAX, INT64_MAX / 16, (int64_t)1 << 62, 1 << 20};
    const uint8_t b = byte();
    return b >= 250 ? odd[b - 250] : b == 0 ? 3 : b % (ROWS + 2);
}

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static const char *const formats[] = {"u", "U", "vu", "c", "C", "s", "S",  "i",
                                      "I", "l", "L",  "f", "g", "b", "+l", ""};

static struct ArrowSchema column[2], word[2], *columns[2];
static struct ArrowArray child[2], words[2], *children[2];
static uint8_t offsets[4][(2 * ROWS + 2) * 16], bytes[2 * REACH + 64], bits[2 * ROWS];
static const int64_t sizes[2] = {REACH, REACH};
static const void *buffers[4][5];

static void release_schema(struct ArrowSchema *s)
{
    schemas--;
    s->release = NULL;
}

static void release_array(struct ArrowArray *a)
{
    arrays--;
    a->release = NULL;
}

static void release_stream(struct ArrowArrayStream *s)
{
    streams--;
    s->release = NULL;
}

static int get_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    (void)s;
    for (size_t i = 0; i < 2; i++) {
        column[i] =
            (struct ArrowSchema){.format = formats[(byte() + 9 * i) % 16], .name = i == 0 ? "k" : "n"};
        word[i] = (struct ArrowSchema){.format = formats[byte() % 4]};
        if (byte() % 4 == 1)
            column[i].dictionary = &word[i];
        columns[i] = &column[i];
    }
    *out =
        (struct ArrowSchema){.format = "+s", .n_children = 2, .children = columns, .release = release_schema};
    schemas++;
    return 0;
}

/* Offsets that rise, but for some. */
static void put_offsets(uint8_t *to, size_t width)
{
    for (size_t i = 0; i < 2 * ROWS + 2; i++) {
        const int64_t x = byte() == 1 ? -(int64_t)byte() : (int64_t)(i * 3 + byte() % 3);
        memcpy(to + i * width, &x, width);
    }
}

/* Offsets, numbers, places and views of as many rows as an array may have, behind its own offset too. An
 * offset that could be true must be. */
static void fill(struct ArrowArray *a, const char *format, uint8_t *first, const void **buffer)
{
    const bool text = strcmp(format, "u") == 0 || strcmp(format, "U") == 0, views = strcmp(format, "vu") == 0;
    for (size_t i = 0; i < sizeof offsets[0]; i++)
        first[i] = byte() % 4 == 0 ? byte() : 0;
    if (text)
        put_offsets(first, *format == 'u' ? 4 : 8);
    buffer[0] = byte() % 2 == 0 ? NULL : bits;
    buffer[1] = byte() == 1 ? NULL : first;
    buffer[2] = byte() == 1 ? NULL : bytes;
    buffer[3] = bytes + REACH;
    buffer[4] = sizes;
    *a = (struct ArrowArray){.length = number(),
                             .null_count = byte() % 3 - 1,
                             .offset = number(),
                             .n_buffers = byte() == 1 ? byte() % 5
                                          : views     ? 5
                                          : text      ? 3
                                                      : 2,
                             .buffers = buffer};
    if (a->offset > ROWS && a->offset < INT64_MAX / 2)
        a->offset = ROWS;
    if (a->length > ROWS)
        a->length = ROWS;
}

static int get_next(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    (void)s;
    *out = (struct ArrowArray){.release = NULL};
    if (given == 2 || (given == 1 && at == end))
        return byte() == 1 ? 5 : 0;
    given++;
    for (size_t i = 0; i < 2; i++) {
        fill(&child[i], column[i].format, offsets[i], buffers[i]);
        if (column[i].dictionary != NULL && byte() != 1) {
            fill(&words[i], word[i].format, offsets[2 + i], buffers[2 + i]);
            child[i].dictionary = &words[i];
        }
        children[i] = &child[i];
    }
    *out = (struct ArrowArray){.length = number(),
                               .offset = byte() == 1 ? number() : 0,
                               .n_buffers = 1,
                               .buffers = buffers[0],
                               .n_children = byte() == 1 ? number() : 2,
                               .children = children,
                               .release = release_array};
    arrays++;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *s)
{
    (void)s;
    return "a secret";
}

static size_t read_rows(pby_table *t, pby_status *status, pby_error *err)
{
    size_t rows = 0, size;
    bool found = true;
    while ((*status = pby_table_next(t, &found, err)) == PBY_OK && found) {
        must(strlen(pby_table_key(t, &size)) == size, "a key has no NUL byte");
        must(pby_table_count(t) >= 0, "a count is not below 0");
        rows++;
    }
    return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release_stream, NULL};
    pby_error err = PBY_NO_ERROR;
    pby_table *t;
    at = data;
    end = data + size;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)('a' + i % 26);
    memset(bits, 0xf7, sizeof bits);
    streams = 1;
    given = 0;
    pby_status status = pby_table_arrow(&t, &stream, NULL, &err);
    if (status == PBY_OK) {
        const size_t rows = read_rows(t, &status, &err);
        if (status == PBY_OK && pby_table_rewind(t, NULL) == PBY_OK)
            must(read_rows(t, &status, &err) == rows && status == PBY_OK, "the same rows again");
    }
    if (status != PBY_OK)
        must(strchr(err.text, '\n') == NULL && strstr(err.text, "secret") == NULL,
             "one line, without a secret");
    pby_table_free(t);
    must(streams == 0 && schemas == 0 && arrays == 0, "everything is released once");
    return 0;
}
