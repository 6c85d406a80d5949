/* SPDX-License-Identifier: MIT */
#include "release/plan_tally.h"

typedef pby_plan_wide wide;

void pby_plan_add(wide *sum, const pby_plan_quantity *q, const pby_release_plan *plan, size_t group,
                  const int64_t *j, bool first)
{
    const pby_plan_column *c = plan->columns == 0 ? NULL : &plan->column[q->column];
    const wide value = c == NULL ? 0 : j[q->column], x = c == NULL ? 0 : value - pby_plan_centre(c);
    const size_t buckets = q->cells / plan->grouping[q->grouping].groups;
    switch (q->part) {
    case PBY_PART_ROWS:
    case PBY_PART_TOP:
        sum[group]++;
        break;
    case PBY_PART_USERS:
        sum[group] += first;
        break;
    case PBY_PART_SUM:
        sum[group] += value;
        break;
    case PBY_PART_CENTRED:
        sum[group] += x;
        break;
    case PBY_PART_SQUARES:
        sum[group] += x * x - (wide)pby_plan_half_square(c);
        break;
    case PBY_PART_BUCKETS:
        sum[group * buckets + (size_t)((value - c->lo) / q->width)]++;
        break;
    case PBY_PART_QUANTILE:
        sum[group * q->candidates + (size_t)(value - c->lo)]++;
        break;
    }
}

int64_t pby_plan_hold(wide x)
{
    const wide most = (wide)1 << 61;
    return (int64_t)(x > most ? most : x < -most ? -most : x);
}
