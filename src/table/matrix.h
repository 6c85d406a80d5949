/* A table of rationals with names: NAME,COLUMN,... in the first line, then NAME,NUMBER,... a line. It is
 * public: a refusal tells the place of a field. Refused: a name that occurs twice, among the rows or among
 * the columns. */
#ifndef PBY_TABLE_MATRIX_H
#define PBY_TABLE_MATRIX_H

#include <gmp.h>
#include <stddef.h>

#include "probity/status.h"
#include "table/names.h"

typedef struct pby_matrix {
    pby_names *rows, *columns;
    mpq_t *value; /* of row i in column j at i columns + j */
    size_t room;
} pby_matrix;

/* path NULL is standard input. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_matrix_read(pby_matrix *out, const char *path, pby_error *err);
void pby_matrix_clear(pby_matrix *matrix);

#endif
