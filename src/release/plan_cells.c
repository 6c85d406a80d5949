/* SPDX-License-Identifier: MIT */
#include <sodium.h>
#include <stdlib.h>

#include "release/plan_rows.h"

void pby_plan_cells_put(pby_plan_cells *c, size_t quantity, int64_t *numbers, size_t n)
{
    sodium_memzero(c->cell[quantity], c->cells[quantity] * sizeof **c->cell);
    free(c->cell[quantity]);
    c->cell[quantity] = numbers;
    c->cells[quantity] = n;
}
