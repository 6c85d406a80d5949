/* SPDX-License-Identifier: MIT */
#include "audit/trace/trace_read.h"

#include <stdlib.h>
#include <string.h>

#include "audit/trace/trace_parse.h"
#include "io/file.h"
#include "io/source.h"

enum { BUFFER = 1 << 16 };

struct pby_trace_reader {
    pby_csv_input *input;
    char *name;
    char *text; /* the line: PBY_TRACE_LINE_MAX bytes, its newline and a NUL */
    char buffer[BUFFER];
    size_t at, filled;
    uint64_t line, events;
    pby_digesting digesting;
};

static pby_status reader_new(pby_trace_reader **out, const char *name, pby_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out != NULL) {
        (*out)->text = malloc(PBY_TRACE_LINE_MAX + 2);
        (*out)->name = strdup(name);
    }
    if (*out == NULL || (*out)->text == NULL || (*out)->name == NULL) {
        pby_trace_reader_free(*out);
        *out = NULL;
        return pby_no_memory(err);
    }
    pby_digesting_begin(&(*out)->digesting);
    return PBY_OK;
}

static pby_status reader_end(pby_trace_reader **out, pby_status status)
{
    if (status == PBY_OK) {
        pby_csv_input_once((*out)->input);
        return PBY_OK;
    }
    pby_trace_reader_free(*out);
    *out = NULL;
    return status;
}

pby_status pby_trace_open_file(pby_trace_reader **out, const char *path, pby_error *err)
{
    PBY_TRY(reader_new(out, pby_path_text(path), err));
    return reader_end(out, pby_csv_input_open(&(*out)->input, pby_path_named(path), err));
}

pby_status pby_trace_open_memory(pby_trace_reader **out, const char *name, const void *bytes, size_t size,
                                 pby_error *err)
{
    PBY_TRY(reader_new(out, name, err));
    return reader_end(out, pby_csv_input_memory(&(*out)->input, name, bytes, size, err));
}

void pby_trace_reader_free(pby_trace_reader *reader)
{
    if (reader == NULL)
        return;
    pby_csv_input_free(reader->input);
    free(reader->text);
    free(reader->name);
    free(reader);
}

const char *pby_trace_name(const pby_trace_reader *reader)
{
    return reader->name;
}

void pby_trace_digest(pby_digest *out, const pby_trace_reader *reader)
{
    pby_digesting_so_far(out, &reader->digesting);
}

/* ---- lines ------------------------------------------------------------------------------------- */

static pby_status line_refused(const pby_trace_reader *r, const char *what, pby_error *err)
{
    return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%.200s: line %llu: expected %s", r->name,
                       (unsigned long long)r->line, what);
}

/* The next line with its newline into r->text; *size is 0 at the end. */
static pby_status read_line(size_t *size, pby_trace_reader *r, pby_error *err)
{
    bool ended = false;
    *size = 0;
    r->line++;
    while (!ended) {
        if (r->at == r->filled) {
            r->at = 0;
            PBY_TRY(pby_csv_input_read(r->input, r->buffer, BUFFER, &r->filled, err));
            if (r->filled == 0)
                break;
        }
        const char *from = r->buffer + r->at, *end = memchr(from, '\n', r->filled - r->at);
        const size_t more = end != NULL ? (size_t)(end - from) + 1 : r->filled - r->at;
        if (*size + more > PBY_TRACE_LINE_MAX + 1)
            return line_refused(r, "at most 1048576 bytes", err);
        memcpy(r->text + *size, from, more);
        *size += more;
        r->at += more;
        ended = end != NULL;
    }
    if (*size > 0 && !ended)
        return line_refused(r, "a newline at its end", err);
    r->text[*size] = '\0';
    return PBY_OK;
}

/* The next line as an object, which is NULL at the end; it counts for both digests. */
static pby_status read_object(json_t **out, pby_digesting *of_run, pby_trace_reader *r, pby_error *err)
{
    size_t size;
    *out = NULL;
    PBY_TRY(read_line(&size, r, err));
    if (size == 0)
        return PBY_OK;
    if (++r->events > PBY_TRACE_EVENTS_MAX)
        return line_refused(r, "at most 10000000 lines", err);
    pby_digesting_add(&r->digesting, r->text, size);
    pby_digesting_add(of_run, r->text, size);
    *out = json_loadb(r->text, size, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(*out)) {
        json_decref(*out);
        *out = NULL;
        return line_refused(r, "a JSON object", err);
    }
    return PBY_OK;
}

/* ---- runs -------------------------------------------------------------------------------------- */

/* The lines behind that of the run, to its output. */
static pby_status read_events(pby_trace_run *run, pby_digesting *of_run, pby_trace_reader *r, pby_error *err)
{
    bool ended = false;
    while (!ended) {
        json_t *object;
        PBY_TRY(read_object(&object, of_run, r, err));
        if (object == NULL)
            return line_refused(r, "the output of the run; the trace ends", err);
        const pby_trace_line line = {r->name, r->line, object, err};
        pby_status status = pby_trace_parse_event(run, &ended, &line);
        json_decref(object);
        if (status == PBY_OK && run->numbers > PBY_TRACE_NUMBERS_MAX)
            status = line_refused(r, "at most 10000000 numbers in a run", err);
        PBY_TRY(status);
    }
    return PBY_OK;
}

pby_status pby_trace_next(pby_trace_run *run, bool *got, pby_trace_reader *reader, pby_error *err)
{
    pby_digesting of_run;
    json_t *object;
    *run = (pby_trace_run){.number = 0};
    *got = false;
    pby_digesting_begin(&of_run);
    PBY_TRY(read_object(&object, &of_run, reader, err));
    if (object == NULL)
        return PBY_OK;
    const pby_trace_line line = {reader->name, reader->line, object, err};
    pby_status status = pby_trace_parse_run(run, &line);
    json_decref(object);
    if (status == PBY_OK)
        status = read_events(run, &of_run, reader, err);
    if (status != PBY_OK) {
        pby_trace_run_clear(run);
        return status;
    }
    pby_digesting_so_far(&run->digest, &of_run);
    *got = true;
    return PBY_OK;
}
