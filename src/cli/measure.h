/* A measure on the line in CSV, POINT,MASS.
 *
 * Both are rationals (see probity/rational.h), the mass from 0 on, but that a whole number below 0, which noise can
 * make of a count, is taken for 0. Each may stand in quotes; white space is refused. csv_row.h says when the
 * first line is a header. A UTF-8 byte order mark at the beginning, carriage returns before newlines and a missing
 * newline at the end are allowed. Lines for one point add up. */
#ifndef PBY_CLI_MEASURE_H
#define PBY_CLI_MEASURE_H

#include "probity/accuracy.h"

/* path "-" is standard input. *out is NULL on failure. */
PBY_CHECKED pby_status pby_measure_read(pby_measure **out, const char *path, pby_error *err);

#endif
