/* SPDX-License-Identifier: MIT */
/* The two drawings of an audit's report. */
#ifndef PBY_AUDIT_REPORT_VERDICT_SVG_H
#define PBY_AUDIT_REPORT_VERDICT_SVG_H

#include <stdio.h>

#include "audit/judge/verdict.h"

enum { PBY_CURVE_POINTS = 81 };

/* Values over a common grid of epsilon; NAN where there is none. */
typedef struct pby_curves {
    size_t points; /* at least 2 */
    double epsilon[PBY_CURVE_POINTS];
    double lower[PBY_CURVE_POINTS], seen[PBY_CURVE_POINTS], upper[PBY_CURVE_POINTS];
    double claimed[PBY_CURVE_POINTS], certified[PBY_CURVE_POINTS];
} pby_curves;

/* The most that (e0, d0) allows at another epsilon: of all mechanisms with that guarantee the worst is
 * randomised response that fails outright with chance d0. */
double pby_claimed_at(double e0, double d0, double epsilon);

void pby_svg_profile(FILE *out, const pby_curves *curves);
void pby_svg_histogram(FILE *out, const pby_verdict *verdict);

#endif
