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
#ifndef PBY_TABLE_CSV_CSV_SPLIT_H
#define PBY_TABLE_CSV_CSV_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/helpers.h"
#include "io/source.h"
#include "table/arrow/arrow_rows.h"
#include "table/csv/csv_block.h"
#include "table/sort/spread.h"

/* Conditions on every row, as pby_csv_demand of csv.h. */
typedef struct pby_csv_split_demand {
    int64_t most, limit;
    uint64_t sum;
    const char *reserved;
    bool spread; /* is to be learned */
} pby_csv_split_demand;

/* The results of a scan: where rows begin, and the numbers that csv.h gives for all rows. */
typedef struct pby_csv_split {
    pby_csv_cut cut;
    uint64_t *first; /* of each block its first row; the end of the block where none begins in it */
    uint64_t rows, records;
    pby_spread spread;
} pby_csv_split;

/* Scans a cut that has at least one block. Returns true if every row is good; the caller then clears *out. */
bool pby_csv_split_scan(pby_csv_split *out, const pby_csv_input *in, const pby_csv_cut *cut,
                        const pby_csv_split_demand *demand, unsigned threads);

/* Scans rows in batches, `block` of them at a time; *out has their number and the numbers of csv.h, and no
 * cut. */
bool pby_csv_split_lent(pby_csv_split *out, const pby_arrow_rows *rows, size_t block,
                        const pby_csv_split_demand *demand, unsigned threads);
void pby_csv_split_clear(pby_csv_split *split);

/* The number of threads that pay off: the processors that this process may use, PBY_SPLIT_THREADS at most. */
enum { PBY_SPLIT_THREADS = PBY_HELPERS_MAX };
unsigned pby_csv_split_threads(void);

#endif
