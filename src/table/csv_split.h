/* SPDX-License-Identifier: MIT */
/* The scan of a large histogram by several threads.
 *
 * Each thread takes block after block (csv_block.h), counts its quotes, which tells in turn where the first
 * row of each block begins, and reads its rows. A block was read rightly if its first row begins where the
 * rows of the block before end: that is compared for every block afterwards, from the first on, so that
 * nothing rests on the quotes. Keys are compared as distinct.h says.
 *
 * The answer is only whether all is well. If it is not, or memory is short, the caller scans again by itself
 * and finds what is to be said, in the words and by the line that it always has: refusals take longer, and
 * differ in nothing else.
 */
#ifndef PBY_TABLE_CSV_SPLIT_H
#define PBY_TABLE_CSV_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/helpers.h"
#include "io/source.h"
#include "table/arrow/arrow_rows.h"
#include "table/csv_block.h"
#include "table/sort/spread.h"

/* What is demanded of every row, as csv.h says it. */
typedef struct pby_csv_split_demand {
    int64_t most, limit;
    uint64_t sum;
    const char *reserved;
    bool spread; /* is to be learned */
} pby_csv_split_demand;

/* What is learned: where rows begin, and what csv.h says of them all. */
typedef struct pby_csv_split {
    pby_csv_cut cut;
    uint64_t *first; /* of each block its first row; the end of the block where none begins in it */
    uint64_t rows, records;
    pby_spread spread;
} pby_csv_split;

/* Of a cut that has at least one block. True: all is well, and *out is to be cleared. */
bool pby_csv_split_scan(pby_csv_split *out, const pby_csv_input *in, const pby_csv_cut *cut,
                        const pby_csv_split_demand *demand, unsigned threads);

/* The same of rows in batches, so many of them at a time; *out has their number and all that csv.h says of
 * them, and no cut. */
bool pby_csv_split_lent(pby_csv_split *out, const pby_arrow_rows *rows, size_t block,
                        const pby_csv_split_demand *demand, unsigned threads);
void pby_csv_split_clear(pby_csv_split *split);

/* How many threads are worth their while: the processors that this process may use, PBY_SPLIT_THREADS at
 * most. */
enum { PBY_SPLIT_THREADS = PBY_HELPERS_MAX };
unsigned pby_csv_split_threads(void);

#endif
