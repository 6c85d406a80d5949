/* SPDX-License-Identifier: MIT */
#include "visit.h"

void visit(int64_t *a, int64_t x, const int64_t *z)
{
    a[0] = (x <= 0 ? 0 : 1) + z[0];
    a[1] = (x < 0 ? 0 : x < VISITS_MAX ? x : VISITS_MAX) + z[1];
}
