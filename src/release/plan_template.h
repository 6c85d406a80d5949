/* SPDX-License-Identifier: MIT */
/* A plan to be filled in, from the header of a table. */
#ifndef PBY_RELEASE_PLAN_TEMPLATE_H
#define PBY_RELEASE_PLAN_TEMPLATE_H

#include "base/status.h"

/* Reads the first line of the table (NULL: standard input) and no value behind it. For free(3). */
PBY_CHECKED
pby_status pby_plan_template(char **text, const char *data, pby_error *err);

#endif
