/* SPDX-License-Identifier: MIT */
/* Bars and their total, measured together.
 *
 * One record more or fewer moves one bar and the total by one; one record changed moves two bars by one and
 * leaves the total, or one bar and the total where a map drops the record. So two measurements move by one,
 * and as the noise is symmetric the pair is the same in all cases: the product of the noise and its shift by
 * one with itself (docs/theory/microdata.md). */
#ifndef PBY_MECHANISM_MICRODATA_MICRODATA_H
#define PBY_MECHANISM_MICRODATA_MICRODATA_H

#include "mechanism/family.h"

/* The hooks of a family whose law is a sum of exponentials: its pair, and that of a group, of which `size`
 * records more are in one bar, or `size` go from one bar to another. */
PBY_CHECKED
pby_status pby_microdata_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err);
PBY_CHECKED
pby_status pby_microdata_group(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted,
                               pby_error *err);

#define PBY_MICRODATA_ADDED                                                                                  \
    " is added to every bar of a histogram over a public set of bars, including the empty ones, and to the " \
    "number of all records. probity microdata weights then turns the bars into weights of at least 0 that "  \
    "add up to the total."
#define PBY_MICRODATA_NEIGHBOURS                                                                       \
    {                                                                                                  \
        "one record more or fewer: one bar and the total move by one",                                 \
            "one record changed: two bars move by one and the total stays, or a map drops the record " \
            "and one bar and the total move"                                                           \
    }
#define PBY_MICRODATA_PAIR                                                                             \
    {                                                                                                  \
        "the noise and the noise shifted by one, twice: of a bar and of the total",                    \
            "the noise and the noise shifted by one, twice: of two bars, or of a bar and of the total" \
    }

#endif
