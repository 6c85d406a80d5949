/* SPDX-License-Identifier: MIT */
/* A table of rationals with names: NAME,COLUMN,... in the first line, then NAME,NUMBER,... a line.
 *
 * It is public: a refusal tells the place of a field. Refused: a name that occurs twice among the rows, and
 * lines of different lengths. */
#ifndef PBY_TABLE_MEASURE_MATRIX_H
#define PBY_TABLE_MEASURE_MATRIX_H

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stddef.h>

#include "io/digest.h"
#include "probity/status.h"
#include "table/key/names.h"

typedef struct pby_matrix {
    pby_names *rows, *columns; /* columns is empty unless the form says that they differ */
    size_t width;              /* the columns beside that of the names */
    fmpq *value;               /* of row i in column j at i width + j */
    size_t room;
    pby_digest digest; /* of the bytes */
} pby_matrix;

/* The texts that refusals expect. */
typedef struct pby_matrix_form {
    const char *header;               /* of the first line, */
    const char *narrow;               /* where that has one column alone, */
    const char *row;                  /* where no line is behind it, */
    const char *name;                 /* of a row's name that occurs again, */
    const char *value;                /* and of a number */
    const char *column;               /* of a column's name that occurs again; NULL: it may */
    bool (*fits)(const fmpq_t value); /* whether a number is one; NULL: any */
} pby_matrix_form;

/* Any numbers, in rows and columns of different names. */
extern const pby_matrix_form pby_matrix_named;

enum { PBY_MATRIX_ROWS_MAX = 1000000, PBY_MATRIX_VALUES_MAX = 1 << 24 };

/* path NULL is standard input. To be cleared whether this succeeds or not. */
PBY_CHECKED
pby_status pby_matrix_read(pby_matrix *out, const char *path, const pby_matrix_form *form, pby_error *err);

/* Reads size bytes with a NUL behind them, as pby_matrix_read reads a file; errors call them by path. */
PBY_CHECKED
pby_status pby_matrix_parse(pby_matrix *out, const char *path, const char *text, size_t size,
                            const pby_matrix_form *form, pby_error *err);

void pby_matrix_clear(pby_matrix *matrix);

#endif
