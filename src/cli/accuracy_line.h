/* One accuracy, as a line of text or as a member of a JSON object. */
#ifndef PBY_CLI_ACCURACY_LINE_H
#define PBY_CLI_ACCURACY_LINE_H

#include <jansson.h>

#include "probity/accuracy.h"

/* What Theorem 1 composes behind a first accuracy: sigma and tau, and what they are taken at. */
typedef struct pby_terms {
    const pby_distance *at_alpha, *sigma, *tau;
    const pby_accuracy *first;
} pby_terms;

/* An accuracy and what is told with it. */
typedef struct pby_accuracy_line {
    const char *name;
    const pby_accuracy *accuracy;
    const pby_terms *terms;         /* NULL where nothing is composed */
    const pby_statistic *statistic; /* NULL of the release itself */
    const char *unknown;            /* not NULL: why there is no accuracy to tell */
    bool at_most;                   /* no more than alpha is needed, and perhaps less */
    mpq_srcptr eta;                 /* NULL where moves are not charged */
} pby_accuracy_line;

/* On one line, or as a member of an object where that is not NULL. */
PBY_CHECKED
pby_status pby_accuracy_tell(json_t *object, const pby_accuracy_line *line, pby_error *err);

#endif
