/* SPDX-License-Identifier: MIT */
#include "transport/programme.h"
#include "number/scoped.h"

#include <stdlib.h>

pby_status pby_programme_init(pby_programme *p, size_t rows, size_t columns, pby_error *err)
{
    *p = (pby_programme){.rows = rows, .columns = columns, .width = columns + rows + 1};
    p->a = calloc(rows * p->width + 1, sizeof *p->a);
    for (size_t i = 0; p->a != NULL && i < rows * p->width; i++)
        fmpq_init(&p->a[i]);
    return p->a == NULL ? pby_no_memory(err) : PBY_OK;
}

void pby_programme_clear(pby_programme *p)
{
    /* rows that were dropped stand behind the others */
    const size_t all = p->width == 0 ? 0 : (p->width - p->columns - 1) * p->width;
    for (size_t i = 0; p->a != NULL && i < all; i++)
        fmpq_clear(&p->a[i]);
    free(p->a);
    free(p->basis);
}

static fmpq *entry(pby_programme *p, size_t row, size_t place)
{
    return &p->a[row * p->width + place];
}

fmpq *pby_programme_at(pby_programme *p, size_t row, size_t column)
{
    return entry(p, row, column < p->columns ? column : p->width - 1);
}

/* out -= factor row, over all places. */
static void subtract_row(fmpq *out, const fmpq_t factor, const fmpq *row, size_t width)
{
    if (fmpq_is_zero(factor))
        return;
    for (size_t j = 0; j < width; j++)
        if (!fmpq_is_zero(&row[j]))
            fmpq_submul(&out[j], factor, &row[j]);
}

/* The column comes into the basis in that row; `gain` is the row of what is gained by each column. */
static void pivot(pby_programme *p, fmpq *gain, size_t row, size_t column)
{
    fmpq *pivoted = entry(p, row, 0);
    PBY_FMPQ(factor);
    fmpq_inv(factor, &pivoted[column]);
    for (size_t j = 0; j < p->width; j++)
        fmpq_mul(&pivoted[j], &pivoted[j], factor);
    for (size_t i = 0; i < p->rows; i++)
        if (i != row) {
            fmpq_set(factor, entry(p, i, column));
            subtract_row(entry(p, i, 0), factor, pivoted, p->width);
        }
    if (gain != NULL) {
        fmpq_set(factor, &gain[column]);
        subtract_row(gain, factor, pivoted, p->width);
    }
    p->basis[row] = column;
}

/* The row that leaves for a column: the least b/a, and of those the least column; rows where none does. */
static size_t leaving(pby_programme *p, size_t column)
{
    size_t found = p->rows;
    PBY_FMPQ(ratio, least);
    for (size_t i = 0; i < p->rows; i++) {
        if (fmpq_sgn(entry(p, i, column)) <= 0)
            continue;
        fmpq_div(ratio, entry(p, i, p->width - 1), entry(p, i, column));
        const int order = found == p->rows ? -1 : fmpq_cmp(ratio, least);
        if (order < 0 || (order == 0 && p->basis[i] < p->basis[found])) {
            fmpq_swap(ratio, least);
            found = i;
        }
    }
    return found;
}

/* The first column that gains; p->columns where none does. */
static size_t entering(const pby_programme *p, const fmpq *gain)
{
    size_t column = 0;
    while (column < p->columns && fmpq_sgn(&gain[column]) <= 0)
        column++;
    return column;
}

/* Columns come in as long as one gains; false where the gain has no end. */
static bool climb(pby_programme *p, fmpq *gain)
{
    for (size_t column = entering(p, gain); column < p->columns; column = entering(p, gain)) {
        const size_t row = leaving(p, column);
        if (row == p->rows)
            return false;
        pivot(p, gain, row, column);
    }
    return true;
}

static fmpq *row_new(size_t width)
{
    fmpq *row = calloc(width, sizeof *row);
    for (size_t j = 0; row != NULL && j < width; j++)
        fmpq_init(&row[j]);
    return row;
}

static void row_free(fmpq *row, size_t width)
{
    for (size_t j = 0; row != NULL && j < width; j++)
        fmpq_clear(&row[j]);
    free(row);
}

/* A column of the programme in the place of one that stands for a row; where there is none, the row says
 * nothing more, and changes places with the last. */
static void drive_out(pby_programme *p)
{
    for (size_t i = 0; i < p->rows;) {
        size_t column = 0;
        if (p->basis[i] >= p->columns) {
            while (column < p->columns && fmpq_is_zero(entry(p, i, column)))
                column++;
            if (column < p->columns)
                pivot(p, NULL, i, column);
        }
        if (p->basis[i] < p->columns) {
            i++;
            continue;
        }
        p->rows--;
        for (size_t j = 0; j < p->width; j++)
            fmpq_swap(entry(p, i, j), entry(p, p->rows, j));
        p->basis[i] = p->basis[p->rows];
    }
}

pby_status pby_programme_start(pby_programme *p, bool *possible, pby_error *err)
{
    fmpq *gain = row_new(p->width);
    p->basis = calloc(p->rows + 1, sizeof *p->basis);
    *possible = false;
    if (gain == NULL || p->basis == NULL) {
        row_free(gain, p->width);
        return pby_no_memory(err);
    }
    PBY_FMPQ(minus);
    fmpq_set_si(minus, -1, 1);
    for (size_t i = 0; i < p->rows; i++) {
        if (fmpq_sgn(entry(p, i, p->width - 1)) < 0)
            for (size_t j = 0; j < p->width; j++)
                fmpq_neg(entry(p, i, j), entry(p, i, j));
        subtract_row(gain, minus, entry(p, i, 0), p->width);
        fmpq_one(entry(p, i, p->columns + i));
        p->basis[i] = p->columns + i;
    }
    climb(p, gain); /* what is gained is at most the sum of b */
    *possible = fmpq_is_zero(&gain[p->width - 1]);
    if (*possible)
        drive_out(p);
    row_free(gain, p->width);
    return PBY_OK;
}

pby_status pby_programme_best(fmpq_t best, pby_programme *p, const fmpq *cost, pby_error *err)
{
    fmpq *gain = row_new(p->width);
    if (gain == NULL)
        return pby_no_memory(err);
    for (size_t j = 0; j < p->columns; j++)
        fmpq_set(&gain[j], &cost[j]);
    for (size_t i = 0; i < p->rows; i++)
        subtract_row(gain, &cost[p->basis[i]], entry(p, i, 0), p->width);
    const bool ends = climb(p, gain);
    fmpq_neg(best, &gain[p->width - 1]);
    row_free(gain, p->width);
    return ends ? PBY_OK : pby_fail(err, PBY_BAD, "programme: expected a bounded one");
}
