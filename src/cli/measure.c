#include "cli/measure.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/csv_row.h"
#include "cli/file.h"
#include "probity/rational.h"
#include "status.h"

enum { FILE_MAX = 1 << 30 };

static pby_status refuse_field(const char *path, uint64_t line, unsigned column, const char *expected,
                               pby_error *err)
{
    return pby_fail(err, PBY_BAD, "%s: line %" PRIu64 ", column %u: expected %s",
                    pby_path_text(path), line, column, expected);
}

/* What stands in quotes is a number here, and has none in it. */
static char *unquote(char *field)
{
    const size_t size = strlen(field);
    if (size < 2 || field[0] != '"' || field[size - 1] != '"')
        return field;
    field[size - 1] = '\0';
    return field + 1;
}

/* A count below 0, which noise can make, holds no record; a law has no such mass. */
static bool parse_mass(mpq_t mass, const char *text)
{
    if (pby_rational_parse(mass, "mass", text, NULL) != PBY_OK)
        return false;
    if (mpq_sgn(mass) >= 0)
        return true;
    const bool count = mpz_cmp_ui(mpq_denref(mass), 1) == 0;
    mpq_set_ui(mass, 0, 1);
    return count;
}

/* One line without its end, cut in two at its comma. */
static pby_status add_line(pby_measure *m, char *point, const char *path, uint64_t line, pby_error *err)
{
    mpq_t at, mass;
    char *comma = strchr(point, ',');
    if (line == 1 && pby_csv_row_names_columns(point, 2))
        return PBY_OK;
    if (comma == NULL)
        return refuse_field(path, line, 1, "POINT,MASS", err);
    *comma = '\0';
    mpq_inits(at, mass, NULL);
    pby_status status = PBY_OK;
    if (pby_rational_parse(at, "point", unquote(point), NULL) != PBY_OK)
        status = refuse_field(path, line, 1, "a rational such as 3, 1/2 or 0.1", err);
    else if (!parse_mass(mass, unquote(comma + 1)))
        status = refuse_field(path, line, 2, "a rational from 0 on, or an integer", err);
    else
        status = pby_measure_add(m, at, mass, err);
    mpq_clears(at, mass, NULL);
    return status;
}

/* text ends in a NUL byte at end, and may hold others, which end a field too soon and so are refused. */
static pby_status add_lines(pby_measure *m, char *text, char *end, const char *path, pby_error *err)
{
    text += pby_csv_row_mark((const uint8_t *)text, (const uint8_t *)end);
    for (uint64_t line = 1; text < end; line++) {
        char *newline = memchr(text, '\n', (size_t)(end - text));
        char *stop = newline != NULL ? newline : end;
        char *next = newline != NULL ? newline + 1 : end;
        if (stop > text && stop[-1] == '\r')
            stop--;
        *stop = '\0';
        if (strlen(text) != (size_t)(stop - text))
            return refuse_field(path, line, 1, "no NUL byte", err);
        const pby_status status = add_line(m, text, path, line, err);
        if (status != PBY_OK)
            return status;
        text = next;
    }
    return PBY_OK;
}

pby_status pby_measure_read(pby_measure **out, const char *path, pby_error *err)
{
    char *text;
    size_t size;
    *out = NULL;
    pby_status status = pby_file_read(&text, &size, path, FILE_MAX, err);
    if (status != PBY_OK)
        return status;
    pby_measure *m = NULL;
    if (size > FILE_MAX)
        status = pby_refuse(err, "file", path, "at most 2^30 bytes");
    if (status == PBY_OK)
        status = pby_measure_new(&m, err);
    if (status == PBY_OK)
        status = add_lines(m, text, text + size, path, err);
    sodium_memzero(text, size);
    free(text);
    if (status != PBY_OK) {
        pby_measure_free(m);
        return status;
    }
    *out = m;
    return PBY_OK;
}
