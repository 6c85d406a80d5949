/* SPDX-License-Identifier: MIT */
#include "tests/exact/lp.h"

#include <stdlib.h>

static mpq_t *zeros(size_t n)
{
    mpq_t *v = malloc((n ? n : 1) * sizeof *v);
    if (v == NULL)
        abort();
    for (size_t i = 0; i < n; i++)
        mpq_init(v[i]);
    return v;
}

static void clear(mpq_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mpq_clear(v[i]);
    free(v);
}

void exact_lp_init(exact_lp *lp, size_t rows, size_t columns)
{
    *lp = (exact_lp){rows, columns, zeros(rows * columns), zeros(rows), zeros(columns)};
}

void exact_lp_clear(exact_lp *lp)
{
    clear(lp->a, lp->rows * lp->columns);
    clear(lp->b, lp->rows);
    clear(lp->c, lp->columns);
}

mpq_ptr exact_lp_at(exact_lp *lp, size_t row, size_t column)
{
    return lp->a[row * lp->columns + column];
}

/* A tableau: `rows` rows and one of reduced costs, `columns` variables, the last `rows` of which are
 * artificial, and the right side. basis[r] is the variable that row r gives. */
typedef struct {
    size_t rows, columns;
    mpq_t *t;
    size_t *basis;
} tableau;

static mpq_ptr at(const tableau *s, size_t row, size_t column)
{
    return s->t[row * (s->columns + 1) + column];
}

static void pivot(tableau *s, size_t row, size_t column)
{
    mpq_t factor, term;
    mpq_inits(factor, term, NULL);
    mpq_inv(factor, at(s, row, column));
    for (size_t j = 0; j <= s->columns; j++)
        mpq_mul(at(s, row, j), at(s, row, j), factor);
    for (size_t i = 0; i <= s->rows; i++) {
        if (i == row || mpq_sgn(at(s, i, column)) == 0)
            continue;
        mpq_set(factor, at(s, i, column));
        for (size_t j = 0; j <= s->columns; j++) {
            mpq_mul(term, factor, at(s, row, j));
            mpq_sub(at(s, i, j), at(s, i, j), term);
        }
    }
    s->basis[row] = column;
    mpq_clears(factor, term, NULL);
}

/* The row that leaves when `column` enters: the least quotient, and of equal ones the least variable. rows if
 * there is none. */
static size_t leaving(const tableau *s, size_t column)
{
    size_t found = s->rows;
    mpq_t least, quotient;
    mpq_inits(least, quotient, NULL);
    for (size_t i = 0; i < s->rows; i++) {
        if (mpq_sgn(at(s, i, column)) <= 0)
            continue;
        mpq_div(quotient, at(s, i, s->columns), at(s, i, column));
        const int order = found == s->rows ? -1 : mpq_cmp(quotient, least);
        if (order < 0 || (order == 0 && s->basis[i] < s->basis[found])) {
            found = i;
            mpq_set(least, quotient);
        }
    }
    mpq_clears(least, quotient, NULL);
    return found;
}

/* Bland: the first variable among the first `columns` whose reduced cost is positive enters. */
static exact_outcome climb(tableau *s, size_t columns)
{
    for (;;) {
        size_t column = 0;
        while (column < columns && mpq_sgn(at(s, s->rows, column)) <= 0)
            column++;
        if (column == columns)
            return EXACT_OPTIMAL;
        const size_t row = leaving(s, column);
        if (row == s->rows)
            return EXACT_UNBOUNDED;
        pivot(s, row, column);
    }
}

/* The rows with an artificial variable each, right sides not negative, and the sum of all rows as the reduced
 * costs of the first phase, which maximises minus the artificial ones. */
static void begin(tableau *s, const exact_lp *lp)
{
    *s = (tableau){lp->rows, lp->columns + lp->rows, zeros((lp->rows + 1) * (lp->columns + lp->rows + 1)),
                   malloc((lp->rows + 1) * sizeof *s->basis)};
    if (s->basis == NULL)
        abort();
    for (size_t i = 0; i < lp->rows; i++) {
        for (size_t j = 0; j < lp->columns; j++)
            mpq_set(at(s, i, j), lp->a[i * lp->columns + j]);
        mpq_set(at(s, i, s->columns), lp->b[i]);
        if (mpq_sgn(lp->b[i]) < 0)
            for (size_t j = 0; j <= s->columns; j++)
                mpq_neg(at(s, i, j), at(s, i, j));
        for (size_t j = 0; j <= s->columns; j++)
            mpq_add(at(s, s->rows, j), at(s, s->rows, j), at(s, i, j));
        mpq_set_ui(at(s, i, lp->columns + i), 1, 1);
        s->basis[i] = lp->columns + i;
    }
}

/* Artificial variables that are left in the basis, at 0, are exchanged for others where their row allows it.
 */
static void expel(tableau *s, size_t columns)
{
    for (size_t i = 0; i < s->rows; i++)
        for (size_t j = 0; j < columns && s->basis[i] >= columns; j++)
            if (mpq_sgn(at(s, i, j)) != 0)
                pivot(s, i, j);
}

/* The reduced costs of c in the present basis. */
static void price(tableau *s, const exact_lp *lp)
{
    mpq_t factor, term;
    mpq_inits(factor, term, NULL);
    for (size_t j = 0; j <= s->columns; j++)
        mpq_set_ui(at(s, s->rows, j), 0, 1);
    for (size_t j = 0; j < lp->columns; j++)
        mpq_set(at(s, s->rows, j), lp->c[j]);
    for (size_t i = 0; i < s->rows; i++) {
        if (s->basis[i] >= lp->columns)
            continue;
        mpq_set(factor, lp->c[s->basis[i]]);
        for (size_t j = 0; j <= s->columns; j++) {
            mpq_mul(term, factor, at(s, i, j));
            mpq_sub(at(s, s->rows, j), at(s, s->rows, j), term);
        }
    }
    mpq_clears(factor, term, NULL);
}

static void answer(const tableau *s, const exact_lp *lp, mpq_t best, mpq_t *x)
{
    mpq_neg(best, at(s, s->rows, s->columns));
    for (size_t j = 0; x != NULL && j < lp->columns; j++)
        mpq_set_ui(x[j], 0, 1);
    for (size_t i = 0; x != NULL && i < s->rows; i++)
        if (s->basis[i] < lp->columns)
            mpq_set(x[s->basis[i]], at(s, i, s->columns));
}

exact_outcome exact_lp_solve(const exact_lp *lp, mpq_t best, mpq_t *x)
{
    tableau s;
    begin(&s, lp);
    exact_outcome outcome = climb(&s, lp->columns);
    if (mpq_sgn(at(&s, s.rows, s.columns)) != 0)
        outcome = EXACT_INFEASIBLE;
    if (outcome == EXACT_OPTIMAL) {
        expel(&s, lp->columns);
        price(&s, lp);
        outcome = climb(&s, lp->columns);
    }
    if (outcome == EXACT_OPTIMAL)
        answer(&s, lp, best, x);
    clear(s.t, (s.rows + 1) * (s.columns + 1));
    free(s.basis);
    return outcome;
}
