/* SPDX-License-Identifier: MIT */
#include "audit/search/search_rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { ROWS_MAX = 4096, ROW_LENGTH_MAX = 4096 };

/* ---- the description -------------------------------------------------------------------------- */

static const char prefix[] = "rows:n=", file_at[] = ",of=", constants_at[] = ",constants=";

static pby_status expected(const char *text, pby_error *err)
{
    return pby_refuse(err, "inputs", text, "rows:n=N,of=FILE[,constants=PROGRAM], N from 1 to 64");
}

pby_status pby_rows_named(size_t *n, char **file, char **constants, const char *text, pby_error *err)
{
    char *end;
    *file = *constants = NULL;
    const char *digits = text + sizeof prefix - 1;
    if (strncmp(text, prefix, sizeof prefix - 1) != 0 || !isdigit((unsigned char)*digits))
        return expected(text, err);
    const unsigned long count = strtoul(digits, &end, 10);
    if (count < 1 || count > PBY_INPUTS_LENGTH_MAX || strncmp(end, file_at, sizeof file_at - 1) != 0)
        return expected(text, err);
    const char *path = end + sizeof file_at - 1, *more = strstr(path, constants_at);
    const size_t size = more == NULL ? strlen(path) : (size_t)(more - path);
    const char *program = more == NULL ? NULL : more + sizeof constants_at - 1;
    if (size == 0 || (program != NULL && *program == '\0'))
        return expected(text, err);
    *n = count;
    *file = strndup(path, size);
    *constants = program == NULL ? NULL : strdup(program);
    if (*file != NULL && (program == NULL || *constants != NULL))
        return PBY_OK;
    free(*file);
    free(*constants);
    *file = *constants = NULL;
    return pby_no_memory(err);
}

/* ---- rows ------------------------------------------------------------------------------------- */

/* A part of a text. */
typedef struct piece {
    const char *at;
    size_t size;
} piece;

/* Adds a row that is not there yet: a head, a middle and a tail. */
static pby_status add_row(pby_inputs *inputs, piece head, piece middle, piece tail, pby_error *err)
{
    const size_t size = head.size + middle.size + tail.size;
    if (size > ROW_LENGTH_MAX)
        return pby_fail(err, PBY_BAD, "inputs: a row of %zu bytes: expected at most %d", size,
                        ROW_LENGTH_MAX);
    PBY_RESERVE(inputs->row, inputs->room, inputs->rows + 1, err);
    char *row = malloc(size + 1);
    if (row == NULL)
        return pby_no_memory(err);
    memcpy(row, head.at, head.size);
    memcpy(row + head.size, middle.at, middle.size);
    memcpy(row + head.size + middle.size, tail.at, tail.size);
    row[size] = '\0';
    bool there = false;
    for (size_t i = 0; i < inputs->rows && !there; i++)
        there = strcmp(inputs->row[i], row) == 0;
    if (!there && inputs->rows < ROWS_MAX)
        inputs->row[inputs->rows++] = row;
    else
        free(row);
    return PBY_OK;
}

static pby_status add_lines(pby_inputs *inputs, const char *text, size_t length, pby_error *err)
{
    const piece none = {"", 0};
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t size = end == NULL ? length - at : (size_t)(end - text) - at;
        const bool carriage = size > 0 && text[at + size - 1] == '\r';
        if (inputs->rows == ROWS_MAX || memchr(text + at, '\0', size) != NULL)
            return pby_fail(err, PBY_BAD, "inputs: expected at most %d different rows of text", ROWS_MAX);
        PBY_TRY(add_row(inputs, (piece){text + at, size - carriage}, none, none, err));
        at += size + 1;
    }
    return inputs->rows > 0 ? PBY_OK
                            : pby_fail(err, PBY_BAD, "inputs: expected a file with rows, not an empty one");
}

/* ---- the constants of a program --------------------------------------------------------------- */

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t digits_at(const char *text, size_t length)
{
    size_t size = 0;
    while (size < length && isdigit((unsigned char)text[size]))
        size++;
    return size;
}

/* The size of a decimal number at the beginning of a text; 0 if there is none. */
static size_t number_at(const char *text, size_t length)
{
    size_t size = digits_at(text, length);
    if (size == 0)
        return 0;
    if (size + 1 < length && text[size] == '.' && isdigit((unsigned char)text[size + 1]))
        size += 1 + digits_at(text + size + 1, length - size - 1);
    if (size + 1 < length && (text[size] == 'e' || text[size] == 'E')) {
        const size_t sign = text[size + 1] == '-' || text[size + 1] == '+';
        const size_t power =
            size + 1 + sign < length ? digits_at(text + size + 1 + sign, length - size - 1 - sign) : 0;
        size += power > 0 ? 1 + sign + power : 0;
    }
    return size;
}

/* The size of what quotes hold at the beginning of a text; SIZE_MAX where they do not close on their line, or
 * hold what is no value of a column by itself. */
static size_t quoted_at(const char *text, size_t length)
{
    for (size_t size = 1; size < length; size++) {
        const char c = text[size];
        if (c == *text)
            return size - 1;
        if (c == '\n' || c == '\\' || c == ',' || c == '\0')
            break;
    }
    return SIZE_MAX;
}

/* True of a number, an infinity or NaN. */
static bool is_number(piece x)
{
    char text[64], *end;
    if (x.size == 0 || x.size >= sizeof text)
        return false;
    memcpy(text, x.at, x.size);
    text[x.size] = '\0';
    (void)strtod(text, &end);
    return *end == '\0';
}

/* Adds the first row with a constant in the place of each column of its kind. */
static pby_status add_constant(pby_inputs *inputs, piece constant, bool number, pby_error *err)
{
    /* Adding rows moves the list, and not the texts in it. */
    const char *row = inputs->row[0];
    const size_t length = strlen(row);
    for (size_t at = 0; at <= length;) {
        const size_t size = strcspn(row + at, ","), behind = at + size;
        if (is_number((piece){row + at, size}) == number)
            PBY_TRY(add_row(inputs, (piece){row, at}, constant, (piece){row + behind, length - behind}, err));
        at = behind + 1;
    }
    return PBY_OK;
}

static pby_status add_constants(pby_inputs *inputs, const char *source, size_t length, pby_error *err)
{
    for (size_t at = 0; at < length;) {
        const char c = source[at];
        const size_t left = length - at,
                     number = at > 0 && in_name(source[at - 1]) ? 0 : number_at(source + at, left);
        const size_t quoted = c == '"' || c == '\'' ? quoted_at(source + at, left) : SIZE_MAX;
        if (number > 0)
            PBY_TRY(add_constant(inputs, (piece){source + at, number}, true, err));
        if (quoted != SIZE_MAX)
            PBY_TRY(add_constant(inputs, (piece){source + at + 1, quoted}, false, err));
        at += number > 0 ? number : quoted != SIZE_MAX ? quoted + 2 : 1;
    }
    return PBY_OK;
}

/* ---- inputs ----------------------------------------------------------------------------------- */

pby_status pby_rows_inputs(pby_inputs **out, size_t n, const char *lines, size_t length, const char *source,
                           size_t source_length, pby_neighbours neighbours, pby_error *err)
{
    *out = NULL;
    pby_inputs *inputs = calloc(1, sizeof *inputs);
    if (inputs == NULL)
        return pby_no_memory(err);
    inputs->form = PBY_INPUT_RECORDS;
    inputs->move = neighbours == PBY_ADD_REMOVE ? PBY_MOVE_DROP : PBY_MOVE_CHANGE;
    inputs->count = n;
    pby_status status = add_lines(inputs, lines, length, err);
    if (status == PBY_OK && source != NULL)
        status = add_constants(inputs, source, source_length, err);
    if (status == PBY_OK && inputs->rows < 2 && inputs->move == PBY_MOVE_CHANGE)
        status =
            pby_fail(err, PBY_BAD, "inputs: expected two different rows or more for substitute neighbours");
    for (size_t i = 0; i < n; i++)
        inputs->to[i] = (int64_t)inputs->rows - 1;
    if (status == PBY_OK)
        *out = inputs;
    else
        pby_inputs_free(inputs);
    return status;
}
