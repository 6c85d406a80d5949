/* SPDX-License-Identifier: MIT */
#include "table/row/lines.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/source.h"
#include "table/row/csv_row.h"
#include "table/row/field.h"

enum { WINDOW = 1 << 18 };

struct pby_lines {
    pby_csv_input *in;
    bool borrowed;
    size_t at, end; /* what is left of the window */
    bool last;      /* the input ends where the window does */
    uint64_t number;
    char window[WINDOW + 1]; /* and room for a NUL */
};

static pby_status refuse(const pby_lines *in, const char *expected, pby_error *err)
{
    return pby_field_refuse(pby_lines_name(in), in->number, 1, expected, err);
}

/* Reads on behind what is left of the window. */
static pby_status fill_lines(pby_lines *in, pby_error *err)
{
    size_t got;
    memmove(in->window, in->window + in->at, in->end - in->at);
    in->end -= in->at;
    in->at = 0;
    const pby_status status = pby_csv_input_read(in->in, in->window + in->end, WINDOW - in->end, &got, err);
    if (status != PBY_OK)
        return status;
    in->end += got;
    in->last = in->end < WINDOW;
    return PBY_OK;
}

/* Takes over what was made, whether it succeeds or not. */
static pby_status begin(pby_lines **out, pby_lines *in, pby_error *err)
{
    const pby_status status = fill_lines(in, err);
    if (status != PBY_OK) {
        pby_lines_close(in);
        return status;
    }
    in->at = pby_csv_row_mark((const uint8_t *)in->window, (const uint8_t *)in->window + in->end);
    *out = in;
    return PBY_OK;
}

pby_status pby_lines_open(pby_lines **out, const char *path, pby_error *err)
{
    *out = NULL;
    pby_lines *in = calloc(1, sizeof *in);
    if (in == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_csv_input_open(&in->in, path, err);
    if (status != PBY_OK) {
        pby_lines_close(in);
        return status;
    }
    pby_csv_input_once(in->in);
    return begin(out, in, err);
}

pby_status pby_lines_of(pby_lines **out, pby_csv_input *input, pby_error *err)
{
    *out = NULL;
    pby_lines *in = calloc(1, sizeof *in);
    if (in == NULL)
        return pby_no_memory(err);
    in->in = input;
    in->borrowed = true;
    return begin(out, in, err);
}

pby_status pby_lines_next(pby_lines *in, char **line, pby_error *err)
{
    *line = NULL;
    in->number++;
    char *newline = memchr(in->window + in->at, '\n', in->end - in->at);
    if (newline == NULL && !in->last) {
        const pby_status status = fill_lines(in, err);
        if (status != PBY_OK)
            return status;
        newline = memchr(in->window, '\n', in->end);
        if (newline == NULL && !in->last)
            return refuse(in, "a line of less than 262144 bytes", err);
    }
    if (in->at == in->end)
        return PBY_OK;
    char *begin = in->window + in->at, *stop = newline != NULL ? newline : in->window + in->end;
    in->at = (size_t)(stop - in->window) + (newline != NULL);
    *stop = '\0';
    if (strlen(begin) != (size_t)(stop - begin))
        return refuse(in, "no NUL byte", err);
    if (newline != NULL && stop > begin && stop[-1] == '\r')
        stop[-1] = '\0';
    *line = begin;
    return PBY_OK;
}

uint64_t pby_lines_number(const pby_lines *in)
{
    return in->number;
}

const char *pby_lines_name(const pby_lines *in)
{
    return pby_csv_input_name(in->in);
}

void pby_lines_close(pby_lines *in)
{
    if (in == NULL)
        return;
    if (!in->borrowed)
        pby_csv_input_free(in->in);
    sodium_memzero(in, sizeof *in);
    free(in);
}
