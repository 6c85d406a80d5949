#include "cli/rows.h"

#include <string.h>

#include "cli/csv_row.h"
#include "cli/decimal.h"
#include "cli/put.h"

const char *const pby_columns_count[] = {"count", NULL};
const char *const pby_columns_none[] = {NULL};
const char *const pby_columns_range[] = {"low", "high", NULL};

/* Of a row: more than its name's quotes and braces, its columns' names and its values. */
enum { BESIDE_NAME = 128 };

static uint8_t *put_text(uint8_t *out, const char *text)
{
    return (uint8_t *)mempcpy(out, text, strlen(text));
}

/* ---- CSV -------------------------------------------------------------------------------------- */

/* Whether any of the bytes of a word is below what: the borrow of that byte, or of one below it that is, gets to its
 * highest bit. */
static bool has_below(uint64_t word, uint8_t what)
{
    const uint64_t ones = UINT64_MAX / 255;
    return ((word - what * ones) & ~word & 0x80 * ones) != 0;
}

/* The four bytes that need quotes are not above the comma. A name may begin with the bytes of a byte order mark, which
 * would be taken for one at the beginning of a file. */
static bool is_plain(const uint8_t *name, size_t size)
{
    uint64_t word;
    size_t i = 0;
    for (; size - i >= sizeof word; i += sizeof word) {
        memcpy(&word, name + i, sizeof word);
        if (has_below(word, ',' + 1))
            break;
    }
    while (i < size && name[i] != ',' && name[i] != '"' && name[i] != '\n' && name[i] != '\r')
        i++;
    return i == size && pby_csv_row_mark(name, name + size) == 0;
}

uint8_t *pby_put_name(uint8_t *out, const uint8_t *name, size_t size)
{
    if (is_plain(name, size))
        return pby_put_bytes(out, name, size);
    *out++ = '"';
    for (size_t i = 0; i < size; i++) {
        if (name[i] == '"')
            *out++ = '"';
        *out++ = name[i];
    }
    *out++ = '"';
    return out;
}

static uint8_t *put_csv(uint8_t *out, const uint8_t *name, size_t size, const char *const *columns,
                        const int64_t *values)
{
    out = pby_put_name(out, name, size);
    for (size_t i = 0; columns[i] != NULL; i++) {
        *out++ = ',';
        if (values != NULL)
            out = pby_put_number(out, values[i]);
    }
    *out++ = '\n';
    return out;
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static uint8_t *put_string(uint8_t *out, const uint8_t *name, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    *out++ = '"';
    for (size_t i = 0; i < size; i++) {
        if (name[i] < 0x20) {
            out = put_text(out, "\\u00");
            *out++ = (uint8_t)hex[name[i] >> 4];
            *out++ = (uint8_t)hex[name[i] & 15];
            continue;
        }
        if (name[i] == '"' || name[i] == '\\')
            *out++ = '\\';
        *out++ = name[i];
    }
    *out++ = '"';
    return out;
}

static uint8_t *put_json(uint8_t *out, const uint8_t *name, size_t size, const char *const *columns,
                         const int64_t *values)
{
    out = put_text(out, "{\"key\": ");
    out = put_string(out, name, size);
    for (size_t i = 0; columns[i] != NULL; i++) {
        out = put_text(out, ", \"");
        out = put_text(out, columns[i]);
        out = put_text(out, "\": ");
        out = values != NULL ? pby_put_number(out, values[i]) : put_text(out, "null");
    }
    *out++ = '}';
    return out;
}

/* ---- rows ------------------------------------------------------------------------------------- */

pby_status pby_rows_open(pby_rows *rows, pby_error *err)
{
    return rows->json ? pby_spool_write(rows->spool, "[", 1, err) : PBY_OK;
}

pby_status pby_rows_close(pby_rows *rows, pby_error *err)
{
    return rows->json ? pby_spool_write(rows->spool, "]", 1, err) : PBY_OK;
}

pby_status pby_rows_between(pby_rows *rows, pby_error *err)
{
    const bool first = !rows->begun;
    rows->begun = true;
    return rows->json && !first ? pby_spool_write(rows->spool, ", ", 2, err) : PBY_OK;
}

pby_status pby_rows_add(pby_rows *rows, const uint8_t *name, size_t size, const char *const *columns,
                        const int64_t *values, pby_error *err)
{
    /* A quote doubles in CSV; a control character becomes six bytes in JSON. */
    const size_t room = (rows->json ? 6 : 2) * size + BESIDE_NAME;
    uint8_t *out;
    pby_status status = pby_rows_between(rows, err);
    if (status == PBY_OK)
        status = pby_spool_reserve(rows->spool, room, &out, err);
    if (status != PBY_OK)
        return status;
    const uint8_t *end = rows->json ? put_json(out, name, size, columns, values)
                                    : put_csv(out, name, size, columns, values);
    pby_spool_advance(rows->spool, (size_t)(end - out));
    return PBY_OK;
}
