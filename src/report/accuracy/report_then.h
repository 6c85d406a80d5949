/* SPDX-License-Identifier: MIT */
/* Prints the accuracy of one mechanism behind another, where the error is a mean (docs/theory/average.md). */
#ifndef PBY_REPORT_ACCURACY_REPORT_THEN_H
#define PBY_REPORT_ACCURACY_REPORT_THEN_H

#include "probity/report.h"

/* first and second are ALPHA,BETA,GAMMA of the two; sigma the distortion sensitivity of the first function at
 * the alpha of the second mechanism, tau how far the outputs of that are apart, in the mean, on two laws
 * within the beta of the first. */
typedef struct pby_then_asked {
    const char *first, *second, *sigma, *tau;
} pby_then_asked;

PBY_CHECKED
pby_status pby_report_then(char **text, const pby_then_asked *asked, pby_report_form form, pby_error *err);

#endif
