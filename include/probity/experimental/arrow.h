/* SPDX-License-Identifier: MIT */
/* Tables out of streams of Apache Arrow, and into them, by its C data and stream interfaces: no library of
 * Arrow's is needed.
 *
 *     struct ArrowArrayStream stream, noisy;                  from pyarrow, Polars, DuckDB, nanoarrow, ...
 *     pby_table *table, *out;
 *     pby_table_arrow(&table, &stream, NULL, err);            the stream is taken over
 *     pby_release_table(&out, permission, table, NULL, err);
 *     pby_table_to_arrow(&noisy, out, err);                   for the other side to read and release
 *
 * A stream gives batches of columns, the same in each: it is of type "+s". Of the columns that are read, keys
 * are text (formats u, U and vu, or a dictionary of these) or integers (c, C, s, S, i, I, l, L), which become
 * their decimal digits; counts are integers; a column of raw records of which numbers are read may be of
 * floating point too (f, g), which becomes the shortest decimal that is that number. A column of any other
 * format is refused by its name and its format; columns that are not read may be of any. What is wrong in a
 * row is refused by its number, from 1 on, and by its column, and without its value.
 *
 * The interfaces do not tell how large a buffer is: offsets that point beyond one cannot be told from
 * others. All else is checked: lengths, numbers of buffers and children, offsets that are below 0 or fall,
 * places in a dictionary, texts that are not UTF-8.
 */
#ifndef PROBITY_EXPERIMENTAL_ARROW_H
#define PROBITY_EXPERIMENTAL_ARROW_H

#include <stdint.h>

#include "probity/experimental/records.h"
#include "probity/status.h"
#include "probity/table.h"

PBY_BEGIN_API

/* As the interfaces define them, under the guards that they name. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

/* A table of keys and counts. The stream is taken over whether this succeeds or not: it is read to its end
 * here and released, once. Its batches are used where they lie, and each is released, once, with the table or
 * with what was released of it, or with the batches that pby_table_to_arrow gave of it, whichever is freed
 * last: they must not change before. Options are those of
 * CSV; without them the stream has two columns, keys and counts. A key or a count that is null is refused. */
PBY_CHECKED
pby_status pby_table_arrow(pby_table **out, struct ArrowArrayStream *stream, const pby_csv_options *options,
                           pby_error *err) PBY_NONNULL(1, 2);

/* Raw records. The stream is taken over whether this succeeds or not. It is read when its records are first
 * asked for, one batch at a time, each of which is released before the next; and released with the table at
 * the latest. A null is the empty text, as in CSV: the group "", the user "", and no number. */
PBY_CHECKED
pby_status pby_table_records_arrow(pby_table **out, struct ArrowArrayStream *stream,
                                   const pby_records_options *options, pby_error *err) PBY_NONNULL(1, 2, 3);

/* All rows as a stream of batches: the keys as text, in a column that is called as the table's header or
 * "key", of a key of several columns one each, "key_1", "key_2", ... where the header does not name them; and
 * the values, null where nothing may be published, as integers, or where pby_table_unit is not 1 as the
 * nearest floating-point numbers. Keys that came as text in batches of the format u, and are released as they
 * came, are given on where they lie. The table must outlive the stream, which reads it; nobody else may
 * meanwhile. */
PBY_CHECKED
pby_status pby_table_to_arrow(struct ArrowArrayStream *out, pby_table *table, pby_error *err)
    PBY_NONNULL(1, 2);

PBY_END_API

#endif
