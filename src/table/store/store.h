/* SPDX-License-Identifier: MIT */
/* Rows on their way out, kept until they are read: a key and some values each, in the order in which they
 * came.
 *
 * Up to PBY_KEPT_MAX bytes stay in memory; beyond that they go to a file without a name in $TMPDIR. */
#ifndef PBY_TABLE_STORE_STORE_H
#define PBY_TABLE_STORE_STORE_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"
#include "table/arrow/arrow_rows.h"

typedef struct pby_store pby_store;

PBY_CHECKED
pby_status pby_store_new(pby_store **out, pby_error *err);

/* Declares the rows: the columns' names, up to a NULL; the unit of the values, NULL for 1; and if they have
 * keys. Call it before the first row; only the first call counts. */
PBY_CHECKED
pby_status pby_store_shape(pby_store *store, const char *const *columns, mpq_srcptr unit, bool keyed,
                           pby_error *err);

/* Sets the name of the first column; without it there is no header. Only the first call counts. */
PBY_CHECKED
pby_status pby_store_head(pby_store *store, const void *name, size_t size, pby_error *err);

/* Says that the keys of all rows are those of batches, in their order: they are shared, and no key that is
 * added is kept. Every row then has values. The first time counts. */
void pby_store_lend(pby_store *store, pby_arrow_rows *rows);

/* values NULL: nothing may be published. */
PBY_CHECKED
pby_status pby_store_add(pby_store *store, const uint8_t *key, size_t size, const int64_t *values,
                         pby_error *err);

/* The next rows of a column whose keys are lent. */
PBY_CHECKED
pby_status pby_store_add_lent(pby_store *store, const int64_t *values, size_t rows, pby_error *err);

/* Sets the number of columns that name a row, which is 1 by default. */
void pby_store_split(pby_store *store, size_t keys);
size_t pby_store_keys(const pby_store *store);

size_t pby_store_width(const pby_store *store);
const char *const *pby_store_columns(const pby_store *store); /* up to a NULL */
mpq_srcptr pby_store_unit(const pby_store *store);            /* NULL: 1 */
bool pby_store_keyed(const pby_store *store);
const char *pby_store_header(const pby_store *store, size_t *size); /* NULL without one */

/* The next row; *found is false behind the last. Key and values live until the next call; *values is NULL
 * where nothing may be published. */
PBY_CHECKED
pby_status pby_store_next(pby_store *store, bool *found, const uint8_t **key, size_t *size,
                          const int64_t **values, pby_error *err);
void pby_store_rewind(pby_store *store);

/* The batches whose keys the rows have; NULL where they have their own. */
pby_arrow_rows *pby_store_lent(const pby_store *store);

/* Reads the values of the next `rows` rows of a column whose keys are lent; so many must be left. */
PBY_CHECKED
pby_status pby_store_take_lent(pby_store *store, int64_t *values, size_t rows, pby_error *err);

/* Wipes what is in memory, and frees. NULL is allowed. */
void pby_store_free(pby_store *store);

#endif
