/* SPDX-License-Identifier: MIT */
#include "table/csv/csv.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/source.h"
#include "table/csv/csv_ahead.h"
#include "table/csv/csv_block.h"
#include "table/csv/csv_header.h"
#include "table/csv/csv_reader.h"
#include "table/csv/csv_split.h"
#include "table/key/keyset.h"
#include "table/key/positions.h"
#include "table/row/csv_row.h"
#include "table/row/decimal.h"
#include "table/row/field.h"
#include "table/row/put.h"
#include "table/store/entries.h"
#include "table/store/rows.h"

_Static_assert(4LL * PBY_ROW_MAX < UINT32_MAX, "a span can point anywhere in a window");

struct pby_csv {
    pby_reader reader;    /* of bytes; it keeps what has not been written */
    pby_entries *entries; /* in its place: rows in memory */
    size_t next_entry;
    bool may_be_empty, may_be_negative, learns_spread;
    pby_csv_demand demand;
    bool scanned, checked; /* the scan was begun; it found nothing wrong */
    uint64_t rows;         /* scanned */
    uint64_t records;      /* in them all; UINT64_MAX when there are more */
    uint64_t left;         /* of the rows, to be read again */
    pby_spread spread;
    pby_key_kinds kinds; /* of the keys, where positions are demanded */
    pby_csv_span *spans; /* of a window's rows */
    size_t spans_room;

    /* the chunk */
    const uint8_t *bytes;     /* in which it lies, */
    size_t filled;            /* where a NUL byte ends them, */
    const pby_csv_span *span; /* and where its rows do */
    size_t chunk, chunk_end;  /* where it begins and ends, among bytes; among entries it runs to the next */
    size_t preamble;          /* the bytes before its first row */
    size_t chunk_rows;

    /* an input that is read in blocks */
    unsigned threads; /* 0: it is not */
    uint64_t block_size, least;
    bool is_split; /* its bytes are */
    pby_csv_split split;
    pby_csv_ahead *ahead;       /* NULL before the first chunk */
    const pby_csv_block *block; /* at hand, */
    size_t block_row;           /* and the first of its rows that is in no chunk yet */
};

enum { BLOCK = 1 << 17 };

static const char *name_of(const pby_csv *csv)
{
    return csv->entries != NULL ? csv->entries->name : pby_csv_input_name(csv->reader.in);
}

static pby_status refuse(const pby_csv *csv, uint64_t line, unsigned column, const char *expected,
                         pby_error *err)
{
    return csv->entries != NULL ? pby_entries_refuse(csv->entries, line, column, expected, err)
                                : pby_field_refuse(name_of(csv), line, column, expected, err);
}

void pby_csv_allow_empty(pby_csv *csv)
{
    csv->may_be_empty = true;
}

void pby_csv_allow_negative(pby_csv *csv)
{
    csv->may_be_negative = true;
}

void pby_csv_demands(pby_csv *csv, const pby_csv_demand *demand)
{
    csv->demand = *demand;
}

void pby_csv_split_by(pby_csv *csv, unsigned threads, uint64_t block, uint64_t least)
{
    csv->threads = threads;
    csv->block_size = block;
    csv->least = least;
}

bool pby_csv_is_split(const pby_csv *csv)
{
    return csv->split.rows > 0;
}

void pby_csv_learn_spread(pby_csv *csv)
{
    csv->learns_spread = true;
}

/* ---- the scan ------------------------------------------------------------------------------- */

typedef struct scan {
    pby_keyset *keys;
    pby_positions *positions; /* NULL unless they are demanded */
    uint8_t *scratch;         /* for a key with escapes; made when the first one comes */
    uint64_t again;           /* the line of the first key that stands twice; 0: none was found */
} scan;

static pby_status refuse_duplicate(const pby_csv *csv, uint64_t line, pby_error *err)
{
    return refuse(csv, line, 1, "a key once; this is a duplicate", err);
}

static pby_status add_key(pby_csv *csv, scan *s, const uint8_t *key, size_t size, uint64_t at, pby_error *err)
{
    bool duplicate;
    uint64_t line;
    const char *reserved = csv->demand.reserved;
    if (reserved != NULL && size == strlen(reserved) && memcmp(key, reserved, size) == 0)
        return refuse(csv, at, 1, "another key than that of the total", err);
    if (csv->learns_spread)
        pby_spread_add(&csv->spread, key, size);
    pby_status status = pby_keyset_add(s->keys, key, size, at, &duplicate, &line, err);
    if (status == PBY_OK && duplicate) {
        s->again = line;
        return refuse_duplicate(csv, line, err);
    }
    if (status == PBY_OK && s->positions != NULL)
        status = pby_positions_add(s->positions, key, size, at, err);
    return status;
}

static pby_status refuse_count(const pby_csv *csv, uint64_t line, const char *what, uint64_t most,
                               pby_error *err)
{
    char expected[96];
    snprintf(expected, sizeof expected, "%s %" PRIu64, what, most);
    return refuse(csv, line, 2, expected, err);
}

static pby_status add_count(pby_csv *csv, int64_t given, uint64_t line, pby_error *err)
{
    const pby_csv_demand *d = &csv->demand;
    const uint64_t count = given < 0 ? 0 : (uint64_t)(given < d->limit ? given : d->limit);
    if (given > d->most || (given < 0 && !csv->may_be_negative))
        return refuse_count(csv, line, "a whole number from 0 to", (uint64_t)d->most, err);
    csv->records = csv->records > UINT64_MAX - count ? UINT64_MAX : csv->records + count;
    csv->rows++;
    return csv->records <= d->sum ? PBY_OK
                                  : refuse_count(csv, line, "counts that add up to at most", d->sum, err);
}

static pby_status scan_row(pby_csv *csv, scan *s, const pby_csv_row *row, pby_error *err)
{
    size_t size;
    const uint64_t line = csv->reader.line;
    if (row->escapes > 0 && s->scratch == NULL && (s->scratch = malloc(PBY_ROW_KEY_MAX)) == NULL)
        return pby_no_memory(err);
    const uint8_t *key = pby_csv_row_key(row, s->scratch, &size);
    const pby_status status = add_key(csv, s, key, size, line, err);
    return status == PBY_OK ? add_count(csv, row->count, line + row->newlines, err) : status;
}

static pby_status scan_bytes(pby_csv *csv, scan *s, pby_error *err)
{
    for (;;) {
        pby_csv_row row;
        pby_found what;
        pby_status status = pby_reader_look(&csv->reader, &row, &what, err);
        if (status == PBY_OK && what == PBY_FOUND_ROW) {
            status = scan_row(csv, s, &row, err);
            pby_reader_step(&csv->reader, &row);
            csv->reader.keep = csv->reader.at;
        } else if (status == PBY_OK && what == PBY_FOUND_CUT) {
            status = pby_reader_move(&csv->reader, err);
        } else {
            return status;
        }
        if (status != PBY_OK)
            return status;
    }
}

/* Row i of batches, whose number takes the place of a line. */
static pby_status scan_lent(pby_csv *csv, scan *s, size_t i, pby_error *err)
{
    char digits[PBY_ARROW_DIGITS];
    const uint8_t *key;
    size_t size;
    int64_t count;
    const char *expected =
        pby_arrow_rows_key(csv->entries->lent, &csv->entries->last, i, &key, &size, digits);
    if (expected != NULL)
        return refuse(csv, i + 1, 1, expected, err);
    const pby_status status = add_key(csv, s, key, size, i + 1, err);
    if (status == PBY_OK && !pby_arrow_rows_count(csv->entries->lent, &csv->entries->last, i, &count))
        return refuse(csv, i + 1, 2, "a whole number from 0 to 9223372036854775807, not null", err);
    return status == PBY_OK ? add_count(csv, count, i + 1, err) : status;
}

static pby_status scan_entries(pby_csv *csv, scan *s, pby_error *err)
{
    const pby_entries *e = csv->entries;
    pby_status status = PBY_OK;
    for (size_t i = 0; e->lent != NULL && i < e->count && status == PBY_OK; i++)
        status = scan_lent(csv, s, i, err);
    if (e->lent != NULL)
        return status;
    for (size_t i = 0; i < e->count && status == PBY_OK; i++) {
        const pby_entry *row = &e->entry[i];
        status = add_key(csv, s, e->bytes + row->key, row->size, row->line, err);
        if (status == PBY_OK)
            status = add_count(csv, row->count, row->line + row->below, err);
    }
    return status;
}

static pby_status check_positions(const pby_csv *csv, pby_positions *positions, pby_error *err)
{
    uint64_t line = pby_key_kinds_beyond(pby_positions_kinds(positions));
    if (line > 0)
        return refuse(csv, line, 1, pby_key_kinds_expected, err);
    const pby_status status = pby_positions_again(positions, &line, err);
    return status == PBY_OK && line > 0 ? refuse(csv, line, 1, "a number once; this is a duplicate", err)
                                        : status;
}

/* A duplicate that is still in the queue stands above the row that ended the scan, so it comes first; unless
 * that row was told for a duplicate above it. */
static pby_status scan_input(pby_csv *csv, scan *s, pby_error *err)
{
    bool duplicate;
    uint64_t line;
    const pby_status status = csv->entries != NULL ? scan_entries(csv, s, err) : scan_bytes(csv, s, err);
    if (status == PBY_FAILED || s->again > 0)
        return status;
    const pby_status flushed = pby_keyset_flush(s->keys, &duplicate, &line, err);
    if (flushed != PBY_OK)
        return flushed;
    if (duplicate)
        return refuse_duplicate(csv, line, err);
    if (status == PBY_OK && csv->rows == 0 && !csv->may_be_empty)
        return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%s: expected at least one row KEY,COUNT",
                           name_of(csv));
    return status == PBY_OK && s->positions != NULL ? check_positions(csv, s->positions, err) : status;
}

/* Steps over a byte order mark and a header, as the scan of all does. */
static bool step_to_rows(pby_reader *r)
{
    pby_csv_row row;
    pby_found what;
    pby_status status = PBY_OK;
    while (status == PBY_OK && !r->begun) {
        status = pby_reader_look(r, &row, &what, NULL);
        if (status == PBY_OK && !r->begun)
            status = pby_reader_move(r, NULL);
    }
    return r->begun;
}

static bool split_bytes(pby_csv *csv, const pby_csv_split_demand *demand)
{
    uint64_t size;
    if (!pby_csv_input_placed(csv->reader.in, &size) || size < csv->least)
        return false;
    if (step_to_rows(&csv->reader) && csv->reader.preamble < size) {
        const pby_csv_cut cut = pby_csv_cut_of(csv->reader.preamble, size, csv->block_size);
        csv->is_split = pby_csv_split_scan(&csv->split, csv->reader.in, &cut, demand, csv->threads);
    }
    pby_reader_rewind(&csv->reader);
    return csv->is_split;
}

/* Rows of batches count as sixteen bytes each. */
static bool split_batches(pby_csv *csv, const pby_csv_split_demand *demand)
{
    const pby_entries *e = csv->entries;
    return e->lent != NULL && e->count >= csv->least / 16 && !csv->may_be_negative &&
           pby_csv_split_lent(&csv->split, e->lent, (size_t)(csv->block_size / 16), demand, csv->threads);
}

/* The scan by several threads; false where it is not for them, or something is wrong that is to be told. */
static bool scan_split(pby_csv *csv)
{
    const pby_csv_demand *d = &csv->demand;
    const pby_csv_split_demand demand = {d->most, d->limit, d->sum, d->reserved, csv->learns_spread};
    if (csv->threads == 0 || d->positions)
        return false;
    if (!(csv->entries != NULL ? split_batches(csv, &demand) : split_bytes(csv, &demand)))
        return false;
    csv->rows = csv->split.rows;
    csv->records = csv->split.records;
    csv->spread = csv->split.spread;
    return csv->rows > 0;
}

static pby_status scan_alone(pby_csv *csv, pby_error *err)
{
    scan s = {.keys = NULL};
    pby_status status = pby_keyset_new(&s.keys, err);
    if (status == PBY_OK && csv->demand.positions)
        status = pby_positions_new(&s.positions, err);
    if (status == PBY_OK)
        status = scan_input(csv, &s, err);
    if (s.positions != NULL)
        csv->kinds = *pby_positions_kinds(s.positions);
    pby_keyset_free(s.keys);
    pby_positions_free(s.positions);
    if (s.scratch != NULL)
        sodium_memzero(s.scratch, PBY_ROW_KEY_MAX);
    free(s.scratch);
    return status;
}

pby_status pby_csv_scan(pby_csv *csv, uint64_t *rows, pby_error *err)
{
    if (csv->scanned)
        return pby_fail(err, PBY_BAD, "%s: expected to be scanned once", name_of(csv));
    csv->scanned = true;
    const pby_status status = scan_split(csv) ? PBY_OK : scan_alone(csv, err);
    if (status != PBY_OK)
        return status;
    csv->checked = true;
    pby_csv_again(csv);
    *rows = csv->rows;
    return PBY_OK;
}

/* ---- chunks --------------------------------------------------------------------------------- */

static pby_status changed(const pby_csv *csv, pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: changed while it was being read", name_of(csv));
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

static void take(pby_csv *csv, const pby_csv_row *row, int64_t *count)
{
    const uint8_t *bytes = csv->reader.bytes;
    csv->spans[csv->chunk_rows++] = pby_csv_span_of(row, bytes);
    *count = row->count;
    pby_reader_step(&csv->reader, row);
}

/* A chunk ends where the window does: its bytes must stay where they are until they are written. */
static pby_status read_chunk(pby_csv *csv, int64_t *counts, size_t max, pby_found *what, pby_error *err)
{
    while (csv->chunk_rows < max) {
        pby_csv_row row;
        pby_status status = pby_reader_look(&csv->reader, &row, what, err);
        if (status != PBY_OK)
            return status == PBY_BAD ? changed(csv, err) : status;
        if (*what == PBY_FOUND_ROW)
            take(csv, &row, &counts[csv->chunk_rows]);
        else if (*what == PBY_FOUND_END || csv->chunk_rows > 0)
            break;
        else if ((status = pby_reader_move(&csv->reader, err)) != PBY_OK)
            return status;
    }
    return PBY_OK;
}

static pby_status next_bytes(pby_csv *csv, int64_t *counts, size_t max, pby_error *err)
{
    pby_found what = PBY_FOUND_ROW;
    const bool begun = csv->reader.begun;
    pby_status status = make_spans(csv, max, err);
    if (status != PBY_OK)
        return status;
    csv->reader.keep = csv->reader.at;
    status = read_chunk(csv, counts, max, &what, err);
    csv->bytes = csv->reader.bytes;
    csv->filled = csv->reader.end;
    csv->span = csv->spans;
    csv->chunk = csv->reader.keep;
    csv->chunk_end = csv->reader.at;
    csv->preamble = begun ? 0 : csv->reader.preamble;
    if (status != PBY_OK)
        return status;
    if (csv->chunk_rows > csv->left)
        return changed(csv, err);
    csv->left -= csv->chunk_rows;
    if (csv->chunk_rows == 0 && (csv->left > 0 || !pby_csv_input_unchanged(csv->reader.in)))
        return changed(csv, err);
    return PBY_OK;
}

/* The next block that has rows which are in no chunk yet; NULL behind the last. */
static pby_status next_block(pby_csv *csv, pby_error *err)
{
    pby_status status = PBY_OK;
    bool same = true;
    if (csv->ahead == NULL)
        status = pby_csv_ahead_new(&csv->ahead, csv->reader.in, &csv->split, csv->threads, err);
    while (status == PBY_OK && same && (csv->block == NULL || csv->block_row == csv->block->rows)) {
        csv->block_row = 0;
        status = pby_csv_ahead_next(csv->ahead, &csv->block, &same, err);
        if (csv->block == NULL)
            break;
    }
    return status == PBY_OK && !same ? changed(csv, err) : status;
}

static pby_status next_split(pby_csv *csv, int64_t *counts, size_t max, pby_error *err)
{
    const bool begun = csv->left < csv->rows;
    const pby_status status = next_block(csv, err);
    if (status != PBY_OK)
        return status;
    const pby_csv_block *b = csv->block;
    csv->chunk = csv->chunk_end;
    csv->preamble = 0;
    if (b == NULL)
        return csv->left > 0 || !pby_csv_input_unchanged(csv->reader.in) ? changed(csv, err) : PBY_OK;
    const size_t left = b->rows - csv->block_row, n = left < max ? left : max;
    if (n > csv->left)
        return changed(csv, err);
    memcpy(counts, b->count + csv->block_row, n * sizeof *counts);
    csv->bytes = b->bytes;
    csv->filled = b->size;
    csv->span = b->span + csv->block_row;
    csv->chunk = !begun ? 0 : csv->block_row == 0 ? b->first : csv->span[-1].stop;
    csv->preamble = begun ? 0 : b->first;
    csv->chunk_rows = n;
    csv->chunk_end = csv->span[n - 1].stop;
    csv->block_row += n;
    csv->left -= n;
    return PBY_OK;
}

static void next_entries(pby_csv *csv, int64_t *counts, size_t max)
{
    pby_entries *e = csv->entries;
    const size_t left = e->count - csv->next_entry;
    csv->chunk = csv->next_entry;
    csv->chunk_rows = left < max ? left : max;
    csv->next_entry += csv->chunk_rows;
    pby_entries_counts(e, csv->chunk, counts, csv->chunk_rows);
}

pby_status pby_csv_next_chunk(pby_csv *csv, int64_t *counts, size_t max, size_t *n, pby_error *err)
{
    *n = 0;
    if (!csv->checked || max == 0)
        return pby_fail(err, PBY_BAD, "%s: expected to be scanned, and read by one row or more",
                        name_of(csv));
    pby_status status = PBY_OK;
    csv->chunk_rows = 0;
    if (csv->entries != NULL)
        next_entries(csv, counts, max);
    else
        status = csv->is_split ? next_split(csv, counts, max, err) : next_bytes(csv, counts, max, err);
    *n = status == PBY_OK ? csv->chunk_rows : 0;
    return status;
}

static void stop_reading(pby_csv *csv)
{
    pby_csv_ahead_free(csv->ahead);
    csv->ahead = NULL;
    csv->block = NULL;
    csv->block_row = 0;
}

void pby_csv_again(pby_csv *csv)
{
    stop_reading(csv);
    if (csv->entries == NULL)
        pby_reader_rewind(&csv->reader);
    csv->next_entry = 0;
    csv->left = csv->rows;
    csv->chunk_rows = 0;
}

static const pby_csv_demand no_demand = {INT64_MAX, INT64_MAX, UINT64_MAX, false, NULL};

pby_status pby_csv_restart(pby_csv *csv, pby_error *err)
{
    const pby_status status = csv->entries == NULL ? pby_csv_input_finish(csv->reader.in, err) : PBY_OK;
    if (status != PBY_OK)
        return status;
    csv->may_be_empty = csv->may_be_negative = csv->learns_spread = csv->scanned = csv->checked = false;
    csv->demand = no_demand;
    csv->rows = csv->records = 0;
    csv->chunk = csv->preamble = 0;
    pby_csv_again(csv);
    csv->is_split = false;
    pby_csv_split_clear(&csv->split);
    csv->kinds = (pby_key_kinds){0};
    sodium_memzero(&csv->spread, sizeof csv->spread);
    return PBY_OK;
}

pby_csv_input *pby_csv_source(pby_csv *csv)
{
    return csv->reader.in;
}

static uint8_t *put_between(uint8_t *out, const uint8_t *from, const uint8_t *to)
{
    return pby_put_bytes(out, from, (size_t)(to - from));
}

static pby_status write_bytes(const pby_csv *csv, pby_spool *spool, const int64_t *counts, size_t n,
                              pby_error *err)
{
    uint8_t *out;
    const size_t room = csv->chunk_end - csv->chunk + PBY_HEADER_MORE + n * PBY_DIGITS;
    const pby_status status = pby_spool_reserve(spool, room, &out, err);
    if (status != PBY_OK)
        return status;
    const uint8_t *const first = csv->bytes + csv->chunk, *from = first + csv->preamble;
    uint8_t *to = csv->preamble > 0 ? pby_put_header(out, first, from, csv->bytes + csv->filled) : out;
    for (size_t i = 0; i < n; i++) {
        to = put_between(to, from, csv->bytes + csv->span[i].begin);
        to = pby_put_number(to, counts[i]);
        from = csv->bytes + csv->span[i].end;
    }
    to = put_between(to, from, csv->bytes + csv->chunk_end);
    pby_spool_advance(spool, (size_t)(to - out));
    return PBY_OK;
}

static uint8_t *put_head(uint8_t *to, const pby_entries *e)
{
    if (e->header == NULL)
        return to;
    to = pby_put_name(to, e->header, e->header_size);
    return (uint8_t *)mempcpy(to, ",count\n", 7);
}

static pby_status write_entries(const pby_csv *csv, pby_spool *spool, const int64_t *counts, size_t n,
                                pby_error *err)
{
    pby_entries *e = csv->entries;
    size_t room = csv->chunk == 0 ? PBY_ROW_MARK + 2 * e->header_size + 16 : 0;
    uint8_t *out;
    char digits[PBY_ARROW_DIGITS];
    for (size_t i = 0; i < n; i++) {
        size_t size;
        (void)pby_entries_key(e, csv->chunk + i, &size, digits);
        room += 2 * size + PBY_DIGITS + 4;
    }
    const pby_status status = pby_spool_reserve(spool, room, &out, err);
    if (status != PBY_OK)
        return status;
    uint8_t *to = csv->chunk == 0 ? put_head(out, e) : out;
    for (size_t i = 0; i < n; i++) {
        size_t size;
        const uint8_t *key = pby_entries_key(e, csv->chunk + i, &size, digits);
        to = pby_put_name(to, key, size);
        *to++ = ',';
        to = pby_put_number(to, counts[i]);
        *to++ = '\n';
    }
    pby_spool_advance(spool, (size_t)(to - out));
    return PBY_OK;
}

pby_status pby_csv_write_chunk(pby_csv *csv, pby_spool *spool, const int64_t *counts, size_t n,
                               pby_error *err)
{
    if (n != csv->chunk_rows)
        return pby_fail(err, PBY_BAD, "%s: expected as many counts as the chunk has rows", name_of(csv));
    return csv->entries != NULL ? write_entries(csv, spool, counts, n, err)
                                : write_bytes(csv, spool, counts, n, err);
}

uint64_t pby_csv_records(const pby_csv *csv)
{
    return csv->records;
}

const pby_key_kinds *pby_csv_kinds(const pby_csv *csv)
{
    return &csv->kinds;
}

const pby_spread *pby_csv_spread(const pby_csv *csv)
{
    return &csv->spread;
}

const pby_layout *pby_csv_layout(const pby_csv *csv)
{
    return csv->entries != NULL ? &csv->entries->layout : &csv->reader.layout;
}

pby_arrow_rows *pby_csv_lent(const pby_csv *csv)
{
    return csv->entries == NULL ? NULL : csv->entries->lent;
}

const uint8_t *pby_csv_key(const pby_csv *csv, size_t i, uint8_t *scratch, size_t *size)
{
    if (csv->entries != NULL)
        return pby_entries_key(csv->entries, csv->chunk + i, size, (char *)scratch);
    const pby_csv_span *s = &csv->span[i];
    if (s->escapes == 0) {
        *size = s->key_size;
        return csv->bytes + s->key;
    }
    const pby_csv_row row = {.key = csv->bytes + s->key, .key_size = s->key_size, .escapes = s->escapes};
    return pby_csv_row_key(&row, scratch, size);
}

pby_csv_head pby_csv_head_of(const pby_csv *csv, uint8_t *scratch)
{
    const pby_entries *e = csv->entries;
    if (e != NULL)
        return csv->chunk > 0 ? (pby_csv_head){false, NULL, 0}
                              : (pby_csv_head){e->marked, e->header, e->header_size};
    const uint8_t *at = csv->bytes + csv->chunk, *const end = at + csv->preamble;
    const size_t marked = pby_csv_row_mark(at, end);
    pby_csv_head head = {marked > 0, NULL, 0};
    pby_csv_row row;
    if (marked < csv->preamble &&
        pby_csv_row_header(&row, at + marked, csv->bytes + csv->filled, true) == PBY_ROW_FOUND)
        head.name = pby_csv_row_key(&row, scratch, &head.size);
    return head;
}

/* ---- opening and closing -------------------------------------------------------------------- */

pby_status pby_csv_of(pby_csv **out, pby_csv_input *in, pby_error *err)
{
    *out = NULL;
    pby_csv *csv = calloc(1, sizeof *csv);
    const pby_status status = csv == NULL ? pby_no_memory(err) : pby_reader_init(&csv->reader, in, err);
    if (status != PBY_OK) {
        free(csv);
        pby_csv_input_free(in);
        return status;
    }
    csv->demand = no_demand;
    pby_csv_split_by(csv, pby_csv_split_threads(), BLOCK, PBY_CSV_LARGE);
    *out = csv;
    return PBY_OK;
}

pby_status pby_csv_of_entries(pby_csv **out, pby_entries *entries, pby_error *err)
{
    pby_csv *csv = *out = calloc(1, sizeof *csv);
    if (csv == NULL) {
        pby_entries_free(entries);
        return pby_no_memory(err);
    }
    csv->entries = entries;
    csv->demand = no_demand;
    pby_csv_split_by(csv, pby_csv_split_threads(), BLOCK, PBY_CSV_LARGE);
    return PBY_OK;
}

pby_status pby_csv_open(pby_csv **out, const char *path, pby_error *err)
{
    *out = NULL;
    pby_csv_input *in;
    const pby_status status = pby_csv_input_open(&in, path, err);
    return status == PBY_OK ? pby_csv_of(out, in, err) : status;
}

pby_status pby_csv_open_memory(pby_csv **out, const char *name, const void *bytes, size_t size,
                               pby_error *err)
{
    *out = NULL;
    pby_csv_input *in;
    const pby_status status = pby_csv_input_memory(&in, name, bytes, size, err);
    return status == PBY_OK ? pby_csv_of(out, in, err) : status;
}

void pby_csv_free(pby_csv *csv)
{
    if (csv == NULL)
        return;
    stop_reading(csv);
    pby_csv_split_clear(&csv->split);
    pby_reader_clear(&csv->reader);
    pby_entries_free(csv->entries);
    free(csv->spans);
    sodium_memzero(csv, sizeof *csv); /* the spread has a name */
    free(csv);
}
