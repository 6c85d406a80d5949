/* SPDX-License-Identifier: MIT */
/* From released counts to rows, in the form that the mechanism may publish.
 *
 *   counts    the rows as they were read, with other counts
 *   passed    NAME,COUNT of the bars that passed, sorted (passed.h)
 *   present   NAME of the bars that passed, sorted
 *   total     NAME,COUNT of every bar in the order read, and a row for their total behind them
 *   ranges    NAME,LOW,HIGH of every bar in the order read, or NAME,, where nothing may be published
 *   both      NAME,LOW,HIGH of the bars that passed and have a range, sorted
 *
 * Several uses have these columns each, COUNT_1,COUNT_2,... or LOW_1,HIGH_1,LOW_2,..., and present has
 * PRESENT_1,PRESENT_2,...: 1. A bar passed if it did in some use; where it did not, the fields of that use
 * are empty.
 *
 * In CSV there is a header where the input has one. Its first name is the input's where every key is
 * published, and key where some are not; the others are constants. Of a key of several columns the names are
 * those of the command line, and are written always. A row whose count is a word passes for a
 * header: so none of its text is shown but a key, and that only where keys are public. JSON (rows.h) has the
 * same rows in the same order, and no header: its columns are key, count, low and high whatever the input
 * calls them.
 */
#ifndef PBY_RELEASE_PUBLISH_H
#define PBY_RELEASE_PUBLISH_H

#include "probity/release.h"
#include "table/csv/csv.h"
#include "table/store/rows.h"

typedef struct pby_publish pby_publish;

/* Publishes the bars of csv, which has been scanned and must outlive *out. reach is that of ranges, else
 * 0. */
PBY_CHECKED
pby_status pby_publish_new(pby_publish **out, pby_release_form form, int64_t reach, size_t uses, pby_csv *csv,
                           pby_error *err);

/* Writes the rows of the csv's last chunk, whose released counts are noisy[0 .. n-1], those of the second use
 * behind them, and so on. The first chunk brings the header, even if it has no row. */
PBY_CHECKED
pby_status pby_publish_chunk(pby_publish *p, pby_rows *rows, const int64_t *noisy, size_t n, pby_error *err);

/* Writes the row of the total of PBY_RELEASE_TOTAL behind the last chunk, a count for each use. */
PBY_CHECKED
pby_status pby_publish_total(pby_publish *p, pby_rows *rows, const char *name, const int64_t *noisy,
                             pby_error *err);

/* Writes the rows that are only known after all chunks. */
PBY_CHECKED
pby_status pby_publish_end(pby_publish *p, pby_rows *rows, pby_error *err);

/* Wipes and frees. NULL is allowed. */
void pby_publish_free(pby_publish *p);

#endif
