/* SPDX-License-Identifier: MIT */
/* A stream of Arrow's, of which some columns are wanted, batch by batch. */
#ifndef PBY_TABLE_ARROW_ARROW_STREAM_H
#define PBY_TABLE_ARROW_ARROW_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/experimental/arrow.h"
#include "probity/status.h"
#include "table/arrow/column.h"

enum { PBY_ARROW_WANTED = 12 };

/* The use of a column, which decides the types that it may have. */
typedef enum pby_arrow_role {
    PBY_ARROW_NAMES,   /* text or integers */
    PBY_ARROW_COUNTS,  /* integers */
    PBY_ARROW_NUMBERS, /* text, integers or floating point */
} pby_arrow_role;

typedef struct pby_arrow {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    char *name; /* in an error */
    size_t wanted;
    struct {
        size_t child; /* which column of the stream, from 0 */
        pby_arrow_type type, word;
        bool coded; /* by places in a dictionary of words */
    } column[PBY_ARROW_WANTED];
} pby_arrow;

/* Takes over the stream, which is left without a release, whether this succeeds or not. */
PBY_CHECKED
pby_status pby_arrow_open(pby_arrow **out, struct ArrowArrayStream *stream, const char *name, pby_error *err);

/* Ends the stream. NULL is allowed. */
void pby_arrow_free(pby_arrow *arrow);

/* The columns of the stream. */
size_t pby_arrow_columns(const pby_arrow *arrow);
const char *pby_arrow_column_name(const pby_arrow *arrow, size_t child);

/* The column of a name; refused, by the argument that names it, where there is none or two. */
PBY_CHECKED
pby_status pby_arrow_find(size_t *child, const pby_arrow *arrow, const char *argument, const char *name,
                          pby_error *err);

/* One column more of each batch; refused where it is not of a type for that role. */
PBY_CHECKED
pby_status pby_arrow_want(pby_arrow *arrow, size_t child, pby_arrow_role role, pby_error *err);

/* Rows with the columns that are wanted, in their order. */
typedef struct pby_arrow_batch {
    struct ArrowArray array;
    uint64_t first, rows; /* the number of rows in the batches before, and in this */
    pby_arrow_column column[PBY_ARROW_WANTED];
} pby_arrow_batch;

/* The next batch; *found is false behind the last. It is to be cleared where *found. `first` rows came
 * before. */
PBY_CHECKED
pby_status pby_arrow_next(pby_arrow *arrow, pby_arrow_batch *batch, bool *found, uint64_t first,
                          pby_error *err);

/* Releases the batch, once. */
void pby_arrow_batch_clear(pby_arrow_batch *batch);

/* The refusal of a field, by its row from 1 on and the number of its column. */
PBY_CHECKED
pby_status pby_arrow_refuse(const char *name, uint64_t row, size_t column, const char *expected,
                            pby_error *err);

#endif
