/* SPDX-License-Identifier: MIT */
#include "table/store/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "kernel/suppressed.h"
#include "number/exact.h"
#include "number/scoped.h"
#include "table/row/csv_row.h"
#include "table/row/decimal.h"
#include "table/row/put.h"

const char *const pby_columns_count[] = {"count", NULL};
const char *const pby_columns_none[] = {NULL};
const char *const pby_columns_range[] = {"low", "high", NULL};

/* More than what a row has beside its name's bytes and its columns, and a column beside its own name. */
enum { BESIDE_NAME = 32, BESIDE_COLUMN = 32 };

static uint8_t *put_text(uint8_t *out, const char *text)
{
    return (uint8_t *)mempcpy(out, text, strlen(text));
}

/* A multiple has up to 19 digits more than its unit, and a decimal less than 4 for each digit of a
 * denominator. */
static size_t value_room(mpq_srcptr unit)
{
    return unit == NULL
               ? 0
               : 4 * (mpz_sizeinbase(mpq_numref(unit), 10) + mpz_sizeinbase(mpq_denref(unit), 10)) + 32;
}

static size_t columns_room(const char *const *columns, mpq_srcptr unit)
{
    const size_t beside = BESIDE_COLUMN + value_room(unit);
    size_t room = 0;
    for (size_t i = 0; columns[i] != NULL; i++)
        room += strlen(columns[i]) + beside;
    return room;
}

/* NULL when there is no memory. */
static uint8_t *put_multiple(uint8_t *out, int64_t value, mpq_srcptr unit, bool json)
{
    PBY_MPQ(x);
    mpq_set_si(x, value, 1);
    mpq_mul(x, x, unit);
    const bool quoted = json && mpz_cmp_ui(mpq_denref(unit), 1) != 0;
    char *text = pby_exact_text(x);
    if (text == NULL)
        return NULL;
    out = put_text(put_text(put_text(out, quoted ? "\"" : ""), text), quoted ? "\"" : "");
    free(text);
    return out;
}

static uint8_t *put_value(uint8_t *out, const pby_rows *rows, int64_t value)
{
    if (rows->gaps && value == PBY_SUPPRESSED)
        return put_text(out, rows->json ? "null" : "");
    return rows->unit == NULL ? pby_put_number(out, value) : put_multiple(out, value, rows->unit, rows->json);
}

/* ---- CSV -------------------------------------------------------------------------------------- */

/* True if any of the bytes of a word is below what: the borrow of that byte, or of one below it that is, gets
 * to its highest bit. */
static bool has_below(uint64_t word, uint8_t what)
{
    const uint64_t ones = UINT64_MAX / 255;
    return ((word - what * ones) & ~word & 0x80 * ones) != 0;
}

/* The four bytes that need quotes are not above the comma. A name may begin with the bytes of a byte order
 * mark, which would be taken for one at the beginning of a file. */
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

static int64_t cell(const int64_t *values, size_t i)
{
    return values == NULL ? PBY_SUPPRESSED : values[i];
}

static uint8_t *put_csv(uint8_t *out, const pby_rows *rows, const uint8_t *name, size_t size,
                        const char *const *columns, const int64_t *values)
{
    out = rows->tuples ? pby_put_bytes(out, name, size) : pby_put_name(out, name, size);
    for (size_t i = 0; columns[i] != NULL; i++) {
        *out++ = ',';
        if ((out = put_value(out, rows, cell(values, i))) == NULL)
            return NULL;
    }
    *out++ = '\n';
    return out;
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static uint8_t *put_character(uint8_t *out, uint8_t byte)
{
    static const char hex[] = "0123456789abcdef";
    if (byte < 0x20) {
        out = put_text(out, "\\u00");
        *out++ = (uint8_t)hex[byte >> 4];
        *out++ = (uint8_t)hex[byte & 15];
        return out;
    }
    if (byte == '"' || byte == '\\')
        *out++ = '\\';
    *out++ = byte;
    return out;
}

static uint8_t *put_string(uint8_t *out, const uint8_t *name, size_t size)
{
    *out++ = '"';
    for (size_t i = 0; i < size; i++)
        out = put_character(out, name[i]);
    *out++ = '"';
    return out;
}

/* The fields of a row, which is well-formed: within quotes a quote stands twice, and a comma outside ends a
 * field. */
static uint8_t *put_strings(uint8_t *out, const uint8_t *row, size_t size)
{
    bool quoted = false;
    out = put_text(out, "[\"");
    for (size_t i = 0; i < size; i++) {
        if (row[i] == '"' && quoted && i + 1 < size && row[i + 1] == '"')
            out = put_character(out, row[i++]);
        else if (row[i] == '"')
            quoted = !quoted;
        else if (row[i] == ',' && !quoted)
            out = put_text(out, "\", \"");
        else
            out = put_character(out, row[i]);
    }
    return put_text(out, "\"]");
}

static uint8_t *put_json(uint8_t *out, const pby_rows *rows, const uint8_t *name, size_t size,
                         const char *const *columns, const int64_t *values)
{
    out = put_text(out, "{\"key\": ");
    out = rows->tuples ? put_strings(out, name, size) : put_string(out, name, size);
    for (size_t i = 0; columns[i] != NULL; i++) {
        out = put_text(out, ", \"");
        out = put_text(out, columns[i]);
        out = put_value(put_text(out, "\": "), rows, cell(values, i));
        if (out == NULL)
            return NULL;
    }
    *out++ = '}';
    return out;
}

/* ---- rows ------------------------------------------------------------------------------------- */

pby_status pby_rows_open(pby_rows *rows, pby_error *err)
{
    return rows->json && rows->store == NULL ? pby_spool_write(rows->spool, "[", 1, err) : PBY_OK;
}

pby_status pby_rows_close(pby_rows *rows, pby_error *err)
{
    return rows->json && rows->store == NULL ? pby_spool_write(rows->spool, "]", 1, err) : PBY_OK;
}

pby_status pby_rows_between(pby_rows *rows, pby_error *err)
{
    const bool first = !rows->begun;
    rows->begun = true;
    return rows->json && !first ? pby_spool_write(rows->spool, ", ", 2, err) : PBY_OK;
}

/* True if nothing may be published of a row but its name. */
static bool is_gap(const pby_rows *rows, const char *const *columns, const int64_t *values)
{
    if (!rows->gaps || columns[0] == NULL || values == NULL)
        return false;
    for (size_t i = 0; columns[i] != NULL; i++)
        if (values[i] != PBY_SUPPRESSED)
            return false;
    return true;
}

pby_status pby_rows_add(pby_rows *rows, const uint8_t *name, size_t size, const char *const *columns,
                        const int64_t *values, pby_error *err)
{
    if (rows->store != NULL)
        return pby_store_add(rows->store, name, size, is_gap(rows, columns, values) ? NULL : values, err);
    /* A quote doubles in CSV; a control character becomes six bytes in JSON. */
    const size_t room = (rows->json ? 6 : 2) * size + BESIDE_NAME + columns_room(columns, rows->unit);
    uint8_t *out;
    pby_status status = pby_rows_between(rows, err);
    if (status == PBY_OK)
        status = pby_spool_reserve(rows->spool, room, &out, err);
    if (status != PBY_OK)
        return status;
    const uint8_t *end = rows->json ? put_json(out, rows, name, size, columns, values)
                                    : put_csv(out, rows, name, size, columns, values);
    if (end == NULL)
        return pby_no_memory(err);
    pby_spool_advance(rows->spool, (size_t)(end - out));
    return PBY_OK;
}
