#include "cli/csv.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/csv_input.h"
#include "cli/csv_row.h"
#include "cli/keyset.h"
#include "probity/entropy.h"
#include "status.h"

enum {
    WINDOW = 1 << 18,
    DIGITS = PBY_DIGITS,
};

/* Where a row and its count's digits stand in the window. The window never grows beyond a header and a row. */
typedef struct span {
    uint32_t row, begin, end;
} span;

_Static_assert(4LL * PBY_ROW_MAX < UINT32_MAX, "a span can point anywhere in a window");

typedef enum found { FOUND_ROW, FOUND_CUT, FOUND_END } found;

struct pby_csv {
    pby_csv_input *in;
    uint8_t *window; /* one byte more than its size, for the NUL that ends a scan */
    size_t size;
    size_t keep; /* bytes from here on have not been written yet */
    size_t at;   /* the next row */
    size_t end;  /* of the bytes read */
    bool last;   /* the input ends there */
    bool begun;  /* byte order mark and header are behind */
    bool scanned;
    uint64_t line; /* of the next row, from 1 */
    uint64_t rows; /* scanned */
    uint64_t records; /* in them all; UINT64_MAX when there are more */
    uint64_t left; /* of them to be read again */
    span *spans;   /* of the chunk, which runs from chunk to at */
    size_t spans_room;
    size_t chunk;
    size_t chunk_rows;
};

/* ---- the window ----------------------------------------------------------------------------- */

static void wipe_free(void *memory, size_t size)
{
    if (memory != NULL)
        sodium_memzero(memory, size);
    free(memory);
}

static void restart(pby_csv *csv)
{
    csv->keep = csv->at = csv->end = csv->chunk = 0;
    csv->last = csv->begun = false;
    csv->line = 1;
}

/* Twice the size each time, so that a long row is scanned again only about as often as it is long. */
static pby_status widen(pby_csv *csv, pby_error *err)
{
    const size_t size = csv->size * 2;
    uint8_t *window = malloc(size + 1);
    if (window == NULL)
        return pby_no_memory(err);
    memcpy(window, csv->window, csv->end);
    wipe_free(csv->window, csv->size + 1);
    csv->window = window;
    csv->size = size;
    return PBY_OK;
}

/* Drops what has been written, and reads on. */
static pby_status refill(pby_csv *csv, pby_error *err)
{
    if (csv->keep == 0 && csv->end == csv->size) {
        const pby_status status = widen(csv, err);
        if (status != PBY_OK)
            return status;
    }
    memmove(csv->window, csv->window + csv->keep, csv->end - csv->keep);
    csv->at -= csv->keep;
    csv->end -= csv->keep;
    csv->keep = 0;
    size_t got;
    const pby_status status =
        pby_csv_input_read(csv->in, csv->window + csv->end, csv->size - csv->end, &got, err);
    if (status != PBY_OK)
        return status;
    csv->end += got;
    csv->last = csv->end < csv->size;
    csv->window[csv->end] = '\0';
    return PBY_OK;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static pby_status refuse_row(const pby_csv *csv, uint64_t line, unsigned column, const char *expected,
                             pby_error *err)
{
    return pby_fail(err, PBY_BAD, "%s: line %" PRIu64 ", column %u: expected %s",
                    pby_csv_input_name(csv->in), line, column, expected);
}

static pby_status refuse_fields(const pby_csv *csv, const pby_row *row, pby_error *err)
{
    return refuse_row(csv, csv->line + row->newlines, row->column, row->expected, err);
}

static void step_over(pby_csv *csv, const pby_row *row)
{
    csv->at = (size_t)(row->end - csv->window);
    csv->line += row->newlines + 1;
}

/* Steps over the byte order mark and the header, if they are there. */
static pby_status begin(pby_csv *csv, found *what, pby_error *err)
{
    static const uint8_t mark[3] = {0xef, 0xbb, 0xbf};
    *what = FOUND_CUT;
    if (csv->end < sizeof mark && !csv->last)
        return PBY_OK;
    const bool marked = csv->end >= sizeof mark && memcmp(csv->window, mark, sizeof mark) == 0;
    const uint8_t *const first = csv->window + (marked ? sizeof mark : 0);
    pby_row row;
    switch (pby_row_header(&row, first, csv->window + csv->end, csv->last)) {
    case PBY_ROW_MORE:
        return PBY_OK;
    case PBY_ROW_REFUSED:
        return refuse_fields(csv, &row, err);
    case PBY_ROW_FOUND:
        step_over(csv, &row);
        break;
    case PBY_ROW_OTHER:
        csv->at = (size_t)(first - csv->window);
        break;
    }
    csv->begun = true;
    *what = FOUND_ROW;
    return PBY_OK;
}

/* The row at csv->at, without stepping over it. */
static pby_status look(pby_csv *csv, pby_row *row, found *what, pby_error *err)
{
    if (!csv->begun) {
        const pby_status status = begin(csv, what, err);
        if (status != PBY_OK || *what == FOUND_CUT)
            return status;
    }
    *what = csv->last ? FOUND_END : FOUND_CUT;
    if (csv->at == csv->end)
        return PBY_OK;
    const pby_row_result result =
        pby_row_parse(row, csv->window + csv->at, csv->window + csv->end, csv->last);
    if (result == PBY_ROW_REFUSED)
        return refuse_fields(csv, row, err);
    *what = result == PBY_ROW_MORE ? FOUND_CUT : FOUND_ROW;
    return PBY_OK;
}

/* ---- the scan ------------------------------------------------------------------------------- */

typedef struct scan {
    pby_keyset *keys;
    uint8_t *scratch; /* for a key with escapes; made when the first one comes */
} scan;

static pby_status refuse_duplicate(const pby_csv *csv, uint64_t line, pby_error *err)
{
    return refuse_row(csv, line, 1, "a key that stands on no line before", err);
}

static pby_status add_key(const pby_csv *csv, scan *s, const pby_row *row, pby_error *err)
{
    size_t size;
    bool duplicate;
    uint64_t line;
    if (row->escapes > 0 && s->scratch == NULL && (s->scratch = malloc(PBY_ROW_KEY_MAX)) == NULL)
        return pby_no_memory(err);
    const uint8_t *key = pby_row_key(row, s->scratch, &size);
    const pby_status status = pby_keyset_add(s->keys, key, size, csv->line, &duplicate, &line, err);
    return status == PBY_OK && duplicate ? refuse_duplicate(csv, line, err) : status;
}

static pby_status scan_rows(pby_csv *csv, scan *s, pby_error *err)
{
    for (;;) {
        pby_row row;
        found what;
        pby_status status = look(csv, &row, &what, err);
        if (status == PBY_OK && what == FOUND_ROW) {
            status = add_key(csv, s, &row, err);
            step_over(csv, &row);
            csv->keep = csv->at;
            csv->rows++;
            csv->records = csv->records > UINT64_MAX - (uint64_t)row.count ? UINT64_MAX
                                                                          : csv->records + (uint64_t)row.count;
        } else if (status == PBY_OK && what == FOUND_CUT) {
            status = refill(csv, err);
        } else {
            return status;
        }
        if (status != PBY_OK)
            return status;
    }
}

/* A duplicate that is still in the queue stands above the row that ended the scan, so it comes first. */
static pby_status scan_input(pby_csv *csv, scan *s, pby_error *err)
{
    bool duplicate;
    uint64_t line;
    const pby_status status = scan_rows(csv, s, err);
    if (status == PBY_FAILED)
        return status;
    const pby_status flushed = pby_keyset_flush(s->keys, &duplicate, &line, err);
    if (flushed != PBY_OK)
        return flushed;
    if (duplicate)
        return refuse_duplicate(csv, line, err);
    if (status == PBY_OK && csv->rows == 0)
        return pby_fail(err, PBY_BAD, "%s: expected at least one row KEY,COUNT", pby_csv_input_name(csv->in));
    return status;
}

static pby_status new_keyset(pby_keyset **keys, pby_error *err)
{
    uint64_t key[PBY_KEYSET_KEY_SIZE / sizeof(uint64_t)];
    pby_entropy *source;
    pby_status status = pby_entropy_system(&source, err);
    if (status == PBY_OK)
        status = pby_entropy_words(source, key, sizeof key / sizeof *key, err);
    if (status == PBY_OK)
        status = pby_keyset_new(keys, (const uint8_t *)key, err);
    pby_entropy_free(source);
    sodium_memzero(key, sizeof key);
    return status;
}

pby_status pby_csv_scan(pby_csv *csv, uint64_t *rows, pby_error *err)
{
    if (csv->scanned)
        return pby_fail(err, PBY_BAD, "%s: expected to be scanned once", pby_csv_input_name(csv->in));
    csv->scanned = true;
    scan s = {NULL, NULL};
    pby_status status = new_keyset(&s.keys, err);
    if (status == PBY_OK)
        status = scan_input(csv, &s, err);
    pby_keyset_free(s.keys);
    wipe_free(s.scratch, PBY_ROW_KEY_MAX);
    if (status != PBY_OK) {
        csv->rows = 0;
        return status;
    }
    pby_csv_input_rewind(csv->in);
    restart(csv);
    *rows = csv->left = csv->rows;
    return PBY_OK;
}

/* ---- chunks --------------------------------------------------------------------------------- */

static pby_status changed(const pby_csv *csv, pby_error *err)
{
    return pby_fail(err, PBY_FAILED, "%s: changed while it was being read", pby_csv_input_name(csv->in));
}

static pby_status make_spans(pby_csv *csv, size_t max, pby_error *err)
{
    if (max <= csv->spans_room)
        return PBY_OK;
    free(csv->spans);
    csv->spans_room = 0;
    csv->spans = calloc(max, sizeof *csv->spans);
    if (csv->spans == NULL)
        return pby_no_memory(err);
    csv->spans_room = max;
    return PBY_OK;
}

static void take(pby_csv *csv, const pby_row *row, int64_t *count)
{
    csv->spans[csv->chunk_rows++] = (span){(uint32_t)csv->at, (uint32_t)(row->count_begin - csv->window),
                                           (uint32_t)(row->count_end - csv->window)};
    *count = row->count;
    step_over(csv, row);
}

/* A chunk ends where the window does: its bytes must stay where they are until they are written. */
static pby_status read_chunk(pby_csv *csv, int64_t *counts, size_t max, found *what, pby_error *err)
{
    while (csv->chunk_rows < max) {
        pby_row row;
        pby_status status = look(csv, &row, what, err);
        if (status != PBY_OK)
            return status == PBY_BAD ? changed(csv, err) : status;
        if (*what == FOUND_ROW)
            take(csv, &row, &counts[csv->chunk_rows]);
        else if (*what == FOUND_END || csv->chunk_rows > 0)
            break;
        else if ((status = refill(csv, err)) != PBY_OK)
            return status;
    }
    return PBY_OK;
}

pby_status pby_csv_next_chunk(pby_csv *csv, int64_t *counts, size_t max, size_t *n, pby_error *err)
{
    *n = 0;
    if (csv->rows == 0 || max == 0)
        return pby_fail(err, PBY_BAD, "%s: expected to be scanned, and read by one row or more",
                        pby_csv_input_name(csv->in));
    pby_status status = make_spans(csv, max, err);
    if (status != PBY_OK)
        return status;
    csv->keep = csv->at;
    csv->chunk_rows = 0;
    found what = FOUND_ROW;
    status = read_chunk(csv, counts, max, &what, err);
    csv->chunk = csv->keep;
    if (status != PBY_OK)
        return status;
    if (csv->chunk_rows > csv->left)
        return changed(csv, err);
    csv->left -= csv->chunk_rows;
    if (csv->chunk_rows == 0 && (csv->left > 0 || !pby_csv_input_unchanged(csv->in)))
        return changed(csv, err);
    *n = csv->chunk_rows;
    return PBY_OK;
}

/* Two digits at a time from the right. */
uint8_t *pby_put_number(uint8_t *out, int64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536"
                                "37383940414243444546474849505152535455565758596061626364656667686970717273"
                                "7475767778798081828384858687888990919293949596979899";
    uint8_t digits[DIGITS], *at = digits + DIGITS;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    for (; rest >= 100; rest /= 100) {
        at -= 2;
        memcpy(at, pairs + 2 * (rest % 100), 2);
    }
    if (rest >= 10) {
        at -= 2;
        memcpy(at, pairs + 2 * rest, 2);
    } else {
        *--at = (uint8_t)('0' + rest);
    }
    if (value < 0)
        *--at = '-';
    const size_t length = (size_t)(digits + DIGITS - at);
    memcpy(out, at, length);
    return out + length;
}

static uint8_t *put_bytes(uint8_t *out, const uint8_t *from, const uint8_t *to)
{
    memcpy(out, from, (size_t)(to - from));
    return out + (to - from);
}

pby_status pby_csv_write_chunk(pby_csv *csv, pby_spool *spool, const int64_t *counts, size_t n,
                               pby_error *err)
{
    if (n != csv->chunk_rows)
        return pby_fail(err, PBY_BAD, "%s: expected as many counts as the chunk has rows",
                        pby_csv_input_name(csv->in));
    uint8_t *out;
    const pby_status status = pby_spool_reserve(spool, csv->at - csv->chunk + n * DIGITS, &out, err);
    if (status != PBY_OK)
        return status;
    uint8_t *to = out;
    const uint8_t *from = csv->window + csv->chunk;
    for (size_t i = 0; i < n; i++) {
        to = put_bytes(to, from, csv->window + csv->spans[i].begin);
        to = pby_put_number(to, counts[i]);
        from = csv->window + csv->spans[i].end;
    }
    to = put_bytes(to, from, csv->window + csv->at);
    pby_spool_advance(spool, (size_t)(to - out));
    return PBY_OK;
}

uint64_t pby_csv_records(const pby_csv *csv)
{
    return csv->records;
}

void pby_csv_row(const pby_csv *csv, size_t i, pby_row *row)
{
    (void)pby_row_parse(row, csv->window + csv->spans[i].row, csv->window + csv->end, csv->last);
}

const uint8_t *pby_csv_preamble(const pby_csv *csv, size_t *size)
{
    *size = csv->chunk_rows == 0 ? 0 : csv->spans[0].row - csv->chunk;
    return csv->window + csv->chunk;
}

/* ---- opening and closing -------------------------------------------------------------------- */

static pby_status csv_new(pby_csv **out, pby_csv_input *in, pby_error *err)
{
    pby_csv *csv = calloc(1, sizeof *csv);
    if (csv != NULL)
        csv->window = malloc(WINDOW + 1);
    if (csv == NULL || csv->window == NULL) {
        free(csv);
        pby_csv_input_free(in);
        return pby_no_memory(err);
    }
    csv->in = in;
    csv->size = WINDOW;
    restart(csv);
    *out = csv;
    return PBY_OK;
}

pby_status pby_csv_open(pby_csv **out, const char *path, pby_error *err)
{
    *out = NULL;
    pby_csv_input *in;
    const pby_status status = pby_csv_input_open(&in, path, err);
    return status == PBY_OK ? csv_new(out, in, err) : status;
}

pby_status pby_csv_open_memory(pby_csv **out, const void *bytes, size_t size, pby_error *err)
{
    *out = NULL;
    pby_csv_input *in;
    const pby_status status = pby_csv_input_memory(&in, bytes, size, err);
    return status == PBY_OK ? csv_new(out, in, err) : status;
}

void pby_csv_free(pby_csv *csv)
{
    if (csv == NULL)
        return;
    pby_csv_input_free(csv->in);
    wipe_free(csv->window, csv->size + 1);
    free(csv->spans);
    free(csv);
}
