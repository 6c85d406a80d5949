/* SPDX-License-Identifier: MIT */
/* One accuracy, as a line of text or as a member of a JSON object. */
#ifndef PBY_REPORT_ACCURACY_ACCURACY_LINE_H
#define PBY_REPORT_ACCURACY_ACCURACY_LINE_H

#include "report/sheet.h"

/* The terms that Theorem 1 composes behind a first accuracy: sigma and tau, and the points where they are
 * taken. */
typedef struct pby_terms {
    const pby_distance *at_alpha, *sigma, *tau;
    const pby_accuracy *first;
} pby_terms;

/* An accuracy and what is told with it. */
typedef struct pby_accuracy_line {
    const char *name, *key;
    const pby_accuracy *accuracy;
    const pby_terms *terms;         /* NULL where nothing is composed */
    const pby_statistic *statistic; /* NULL of the release itself */
    const char *unknown;            /* not NULL: why there is no accuracy to tell */
    bool at_most;                   /* no more than alpha is needed, and perhaps less */
    mpq_srcptr eta;                 /* NULL where moves are not charged */
} pby_accuracy_line;

/* On one line, or as a member of the object. */
void pby_accuracy_tell(pby_sheet *s, const pby_accuracy_line *line);

#endif
