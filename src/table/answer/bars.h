/* SPDX-License-Identifier: MIT */
/* A histogram in CSV, KEY,COUNT, read whole and put in order.
 *
 * csv_row.h says what a row is, and when the first one is a header. When every key is a number (key_kind.h)
 * the bars stand at those positions and are put in increasing order; otherwise their
 * order is that of the rows. An input without a row is a histogram without bars. A count below 0, which noise
 * can make, holds no record and is taken for 0. */
#ifndef PBY_TABLE_ANSWER_BARS_H
#define PBY_TABLE_ANSWER_BARS_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"
#include "table/key/key_kind.h"
#include "table/store/store.h"

typedef struct pby_bar {
    char *key; /* as a text that ends in a NUL byte */
    mpq_t at;  /* its position, where keys are numbers */
    int64_t count;
    uint64_t line;
} pby_bar;

typedef struct pby_bars {
    pby_bar *bar;
    size_t count, room;
    pby_key_kinds kinds;
} pby_bars;

/* path NULL or "-" is standard input. A bar that stands twice, 1 and 1.0 for one, is refused, and so is a key
 * that is beyond (key_kind.h). To be cleared whether this succeeds or not; then what was read is wiped. */
PBY_CHECKED
pby_status pby_bars_read(pby_bars *out, const char *path, pby_error *err);

/* Reads the bars of rows that are kept; their first values are the counts. Unlike pby_bars_read it refuses
 * neither duplicates nor keys that are beyond: of two bars in one place the one of the earlier row comes
 * first, and if any key is beyond, all stand in the order of the rows. */
PBY_CHECKED
pby_status pby_bars_of(pby_bars *out, pby_store *store, pby_error *err);

void pby_bars_clear(pby_bars *bars);

#endif
