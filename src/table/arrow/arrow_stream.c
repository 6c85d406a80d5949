/* SPDX-License-Identifier: MIT */
#include "table/arrow/arrow_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/status.h"
#include "io/file.h"
#include "table/row/layout.h"

void pby_arrow_free(pby_arrow *a)
{
    if (a == NULL)
        return;
    if (a->schema.release != NULL)
        a->schema.release(&a->schema);
    if (a->stream.release != NULL)
        a->stream.release(&a->stream);
    free(a->name);
    free(a);
}

/* Reports strerror(code), not the stream's own message, which may hold a key. */
static pby_status failed(const pby_arrow *a, int code, pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: the stream failed: %s", a->name, strerror(code));
}

static pby_status refuse(const pby_arrow *a, const char *expected, pby_error *err)
{
    return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%s: expected %s", a->name, expected);
}

static pby_status refuse_column(const pby_arrow *a, size_t child, const char *expected, pby_error *err)
{
    const char *column = pby_arrow_column_name(a, child), *format = a->schema.children[child]->format;
    char name[PBY_LAYOUT_NAME], type[PBY_LAYOUT_NAME];
    pby_layout_name(name, (const uint8_t *)column, strlen(column));
    pby_layout_name(type, (const uint8_t *)format, strlen(format));
    return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%s: column %s of format %s: expected %s", a->name,
                       name, type, expected);
}

pby_status pby_arrow_refuse(const char *name, uint64_t row, size_t column, const char *expected,
                            pby_error *err)
{
    return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%s: row %" PRIu64 ", column %zu: expected %s", name,
                       row, column, expected);
}

/* ---- the schema --------------------------------------------------------------------------------- */

static pby_status read_schema(pby_arrow *a, pby_error *err)
{
    struct ArrowSchema *s = &a->schema;
    if (a->stream.release == NULL || a->stream.get_schema == NULL || a->stream.get_next == NULL)
        return refuse(a, "a stream that was not released", err);
    const int code = a->stream.get_schema(&a->stream, s);
    if (code != 0) {
        s->release = NULL;
        return failed(a, code, err);
    }
    bool whole = s->release != NULL && s->format != NULL && strcmp(s->format, "+s") == 0 &&
                 s->n_children >= 0 && (s->n_children == 0 || s->children != NULL);
    for (int64_t i = 0; whole && i < s->n_children; i++)
        whole = s->children[i] != NULL && s->children[i]->format != NULL;
    return whole ? PBY_OK : refuse(a, "a stream of batches of columns, of format '+s'", err);
}

pby_status pby_arrow_open(pby_arrow **out, struct ArrowArrayStream *stream, const char *name, pby_error *err)
{
    pby_arrow *a = *out = calloc(1, sizeof *a);
    if (a == NULL) {
        if (stream->release != NULL)
            stream->release(stream);
        return pby_no_memory(err);
    }
    a->stream = *stream;
    stream->release = NULL;
    a->name = strdup(pby_path_text(name));
    const pby_status status = a->name == NULL ? pby_no_memory(err) : read_schema(a, err);
    if (status != PBY_OK) {
        pby_arrow_free(a);
        *out = NULL;
    }
    return status;
}

size_t pby_arrow_columns(const pby_arrow *a)
{
    return (size_t)a->schema.n_children;
}

const char *pby_arrow_column_name(const pby_arrow *a, size_t child)
{
    const char *name = a->schema.children[child]->name;
    return name == NULL ? "" : name;
}

enum { SHOWN = 32 }; /* names of columns in a refusal */

pby_status pby_arrow_find(size_t *child, const pby_arrow *a, const char *argument, const char *name,
                          pby_error *err)
{
    size_t found = 0;
    for (size_t i = 0; i < pby_arrow_columns(a); i++)
        if (strcmp(pby_arrow_column_name(a, i), name) == 0) {
            *child = i;
            found++;
        }
    if (found == 1)
        return PBY_OK;
    if (found > 1)
        return pby_refuse(err, argument, name, "the name of one column, not of two");
    const char *names[SHOWN + 1] = {NULL};
    char expected[PBY_ERROR_SIZE] = "the name of a column";
    for (size_t i = 0; i < pby_arrow_columns(a) && i < SHOWN; i++) {
        const size_t at = strlen(expected);
        names[i] = pby_arrow_column_name(a, i);
        snprintf(expected + at, sizeof expected - at, "%s%.60s", i == 0 ? ": " : ", ", names[i]);
    }
    return pby_refuse_guess(err, argument, name, expected, name, names);
}

pby_status pby_arrow_want(pby_arrow *a, size_t child, pby_arrow_role role, pby_error *err)
{
    static const char *const expected[] = {
        [PBY_ARROW_NAMES] = "text (u, U, vu) or integers",
        [PBY_ARROW_COUNTS] = "integers",
        [PBY_ARROW_NUMBERS] = "numbers, or text of them",
    };
    const struct ArrowSchema *s = a->schema.children[child];
    pby_arrow_type type, word = {0};
    const bool coded = s->dictionary != NULL;
    bool known = pby_arrow_type_parse(&type, s->format);
    if (known && coded)
        known = pby_arrow_is_integer(type) && role != PBY_ARROW_COUNTS && s->dictionary->format != NULL &&
                pby_arrow_type_parse(&word, s->dictionary->format) && pby_arrow_is_text(word);
    else if (known)
        known = pby_arrow_is_integer(type) || (role != PBY_ARROW_COUNTS && pby_arrow_is_text(type)) ||
                role == PBY_ARROW_NUMBERS;
    if (!known)
        return refuse_column(a, child, expected[role], err);
    if (a->wanted == PBY_ARROW_WANTED)
        return refuse(a, "at most 12 columns that are read", err);
    a->column[a->wanted].child = child;
    a->column[a->wanted].type = type;
    a->column[a->wanted].word = word;
    a->column[a->wanted++].coded = coded;
    return PBY_OK;
}

/* ---- batches ------------------------------------------------------------------------------------ */

void pby_arrow_batch_clear(pby_arrow_batch *b)
{
    if (b->array.release != NULL)
        b->array.release(&b->array);
    b->array.release = NULL;
    b->rows = 0;
}

static const char *bind_column(pby_arrow_column *c, const pby_arrow *a, size_t i,
                               const struct ArrowArray *all)
{
    const struct ArrowArray *child = all->children[a->column[i].child];
    const char *expected = pby_arrow_values_of(&c->values, a->column[i].type, child, (uint64_t)all->offset,
                                               (uint64_t)all->length);
    c->coded = a->column[i].coded;
    if (expected != NULL || !c->coded)
        return expected;
    const struct ArrowArray *words = child->dictionary;
    return words == NULL || words->length < 0
               ? "its dictionary"
               : pby_arrow_values_of(&c->words, a->column[i].word, words, 0, (uint64_t)words->length);
}

static pby_status bind(pby_arrow_batch *b, const pby_arrow *a, pby_error *err)
{
    const struct ArrowArray *all = &b->array;
    if (all->length < 0 || all->offset < 0 || all->n_children != a->schema.n_children ||
        (all->n_children > 0 && all->children == NULL))
        return refuse(a, "batches with the columns of the stream, and lengths from 0 on", err);
    if (all->null_count != 0 && all->n_buffers > 0 && all->buffers != NULL && all->buffers[0] != NULL)
        return refuse(a, "batches without rows that are null", err);
    b->rows = (uint64_t)all->length;
    for (size_t i = 0; i < a->wanted; i++) {
        const char *expected = bind_column(&b->column[i], a, i, all);
        if (expected != NULL)
            return refuse_column(a, a->column[i].child, expected, err);
    }
    return b->rows <= INT64_MAX - b->first ? PBY_OK : refuse(a, "fewer than 2^63 rows", err);
}

pby_status pby_arrow_next(pby_arrow *a, pby_arrow_batch *b, bool *found, uint64_t first, pby_error *err)
{
    *b = (pby_arrow_batch){.first = first};
    *found = false;
    const int code = a->stream.get_next(&a->stream, &b->array);
    if (code != 0) {
        b->array.release = NULL;
        return failed(a, code, err);
    }
    if (b->array.release == NULL)
        return PBY_OK;
    const pby_status status = bind(b, a, err);
    *found = status == PBY_OK;
    if (status != PBY_OK)
        pby_arrow_batch_clear(b);
    return status;
}
