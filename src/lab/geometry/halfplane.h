/* SPDX-License-Identifier: MIT */
/* Counts the public points of a half-plane, and how few and how many there may be where each has moved a
 * little: the usefulness of [BLR13] as flexible accuracy (docs/theory/accuracy.md). */
#ifndef PBY_LAB_GEOMETRY_HALFPLANE_H
#define PBY_LAB_GEOMETRY_HALFPLANE_H

#include "probity/report.h"

/* The points X,Y of a file (NULL: standard input) with A X + B Y >= C, `plane` being A,B,C; each may move by
 * `move`, a rational from 0 on (NULL: 0). */
typedef struct pby_halfplane_asked {
    const char *points, *plane, *move;
} pby_halfplane_asked;

PBY_CHECKED
pby_status pby_report_halfplane(char **text, const pby_halfplane_asked *asked, pby_report_form form,
                                pby_error *err);

#endif
