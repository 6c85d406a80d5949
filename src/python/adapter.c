/* SPDX-License-Identifier: MIT */
/* Functions that Python cannot provide, or only too slowly, with a call for each output: bytes for a table's
 * reader, streams in capsules, outputs for an audit. */
#include <inttypes.h>
#include <probity.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are still to be read; pby_table_read. */
typedef struct {
    const char *next;
    size_t left;
} probity_bytes;

static pby_status probity_read(void *what, void *buffer, size_t size, size_t *got, pby_error *err)
{
    probity_bytes *bytes = what;
    (void)err;
    *got = size < bytes->left ? size : bytes->left;
    if (*got > 0)
        memcpy(buffer, bytes->next, *got);
    bytes->next += *got;
    bytes->left -= *got;
    return PBY_OK;
}

static pby_status no_memory(pby_error *err)
{
    if (err) {
        err->status = PBY_FAILED;
        err->reason = PBY_REASON_MEMORY;
        strcpy(err->text, "no memory");
    }
    return PBY_FAILED;
}

/* True if the thread that waits for this call has given it up; an int that it sets. */
static bool probity_given_up(void *what)
{
    return __atomic_load_n((int *)what, __ATOMIC_RELAXED) != 0;
}

/* A stream of a table's rows, for probity_stream_drop. */
static pby_status probity_stream(struct ArrowArrayStream **out, pby_table *table, pby_error *err)
{
    *out = malloc(sizeof **out);
    pby_status s = *out ? pby_table_to_arrow(*out, table, err) : no_memory(err);
    if (s != PBY_OK)
        free(*out);
    return s;
}

/* The destructor of a capsule, whose stream nobody may have taken. */
static void probity_stream_drop(void *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream && stream->release)
        stream->release(stream);
    free(stream);
}

/* Counts outputs, one a line; the last line need not end in a newline. */
static pby_status probity_add_lines(pby_audit *audit, pby_side side, const char *text, size_t size,
                                    pby_error *err)
{
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        pby_status s = pby_audit_add(audit, side, text, length, err);
        if (s != PBY_OK)
            return s;
        size_t used = length + (end != NULL);
        text += used;
        size -= used;
    }
    return PBY_OK;
}

enum { FIELD = 24 }; /* bytes of a number and of what separates it from the next */

/* Counts rows of numbers as vectors, which `field` writes. */
static pby_status add_rows(pby_audit *audit, pby_side side, const void *x, size_t rows, size_t columns,
                           int (*field)(char *, const void *, size_t), pby_error *err)
{
    char *line = malloc(columns * FIELD + 1);
    pby_status s = line ? PBY_OK : no_memory(err);
    for (size_t i = 0; i < rows && s == PBY_OK; i++) {
        size_t length = 0;
        for (size_t j = 0; j < columns; j++) {
            if (j > 0)
                line[length++] = ',';
            length += (size_t)field(line + length, x, i * columns + j);
        }
        s = pby_audit_add(audit, side, line, length, err);
    }
    free(line);
    return s;
}

/* A double as its bits: no digit of it is lost. */
static int write_double(char *text, const void *x, size_t i)
{
    uint64_t bits;
    memcpy(&bits, (const double *)x + i, sizeof bits);
    return snprintf(text, FIELD, "0x%016" PRIx64, bits);
}

static int write_integer(char *text, const void *x, size_t i)
{
    return snprintf(text, FIELD, "%" PRId64, ((const int64_t *)x)[i]);
}

static pby_status probity_add_doubles(pby_audit *audit, pby_side side, const double *x, size_t rows,
                                      size_t columns, pby_error *err)
{
    return add_rows(audit, side, x, rows, columns, write_double, err);
}

static pby_status probity_add_integers(pby_audit *audit, pby_side side, const int64_t *x, size_t rows,
                                       size_t columns, pby_error *err)
{
    return add_rows(audit, side, x, rows, columns, write_integer, err);
}
