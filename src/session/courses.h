/* SPDX-License-Identifier: MIT */
/* Courses of values, a user a line, each reported by one memoised draw (mechanism memobit). */
#ifndef PBY_SESSION_COURSES_H
#define PBY_SESSION_COURSES_H

#include "probity/experimental/memo.h"

/* True if the spec is one use of memobit, which this is for. */
bool pby_course_takes(const pby_spec *spec);

/* Reports for users who keep nothing behind it: a line has the values of one user in all rounds, with a comma
 * between two, and its report the bits in their place. As pby_memo_report_once otherwise. */
PBY_CHECKED
pby_status pby_course_report(const pby_spec *spec, const char *path, pby_ledger *ledger, const uint8_t *seed,
                             pby_memo_told *told, void *what, pby_error *err);

#endif
