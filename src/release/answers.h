/* SPDX-License-Identifier: MIT */
/* Answers of users, one a line, each released as another answer by randomised response.
 *
 * An answer is a whole number from 0 to the mechanism's last, in quotes or not; or where the mechanism has a
 * range of values, one of these, a rational (mechanism/estimator.h). csv_row.h says when the first
 * line is a header. Written: the header, and an answer a line in the order of the users; in JSON a list of
 * numbers. A line that is no such number is refused, by its place and without its value. */
#ifndef PBY_RELEASE_ANSWERS_H
#define PBY_RELEASE_ANSWERS_H

#include "probity/release.h"
#include "release/budget.h"
#include "table/lines.h"
#include "table/rows.h"

/* The budget is charged when all answers have been read and checked. */
PBY_CHECKED
pby_status pby_release_answers(const pby_budget *budget, pby_release *release, pby_lines *in, pby_rows *rows,
                               pby_error *err);

#endif
