/* SPDX-License-Identifier: MIT */
/* A column of numbers in cells of equal width: NAME:LO:HI:WIDTH, of which LO, HI and WIDTH are rationals.
 *
 * Cell k holds the numbers from LO + k WIDTH to below LO + (k + 1) WIDTH. A number below LO is taken for one
 * of the first cell and one from HI on for one of the last, in silence: no refusal may tell that there is
 * one.
 */
#ifndef PBY_TABLE_RECORDS_NUMBER_CELLS_H
#define PBY_TABLE_RECORDS_NUMBER_CELLS_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probity/status.h"

enum { PBY_NUMBER_CELLS_MAX = 1 << 20 };

typedef struct pby_number_cells {
    mpq_t lo, width;
    mpq_t hi;
    uint64_t cells; /* at least 1 */
    mpq_t x;        /* scratch */
    mpz_t cell;     /* scratch */
    bool small;     /* lo = a/d and width = b/d, with a, b, d below 2^60 */
    int64_t a, b, d;
} pby_number_cells;

/* Sets *found if the text ends in :LO:HI:WIDTH; these are then cut off it, and *grid gets their cells. A
 * refusal names the argument: HI not above LO, WIDTH not above 0, more than PBY_NUMBER_CELLS_MAX cells. The
 * caller clears the grid if *found. */
PBY_CHECKED
pby_status pby_number_cells_parse(pby_number_cells *grid, bool *found, char *text, const char *argument,
                                  pby_error *err);
void pby_number_cells_clear(pby_number_cells *grid);

/* The cell of a number; false where the text is none. */
bool pby_number_cells_find(pby_number_cells *grid, uint64_t *cell, const uint8_t *text, size_t size);

/* Makes the cells those of the nearest multiples of the width from LO to HI, in the place of the numbers
 * above them; *first is LO in widths, and there is a cell more. False where LO and HI are no such multiples,
 * or LO is beyond 2^40 of them. */
bool pby_number_cells_nearest(pby_number_cells *cells, int64_t *first);

/* The left end of a cell, for free(3); NULL when there is no memory. */
char *pby_number_cells_text(const pby_number_cells *grid, uint64_t cell);

#endif
