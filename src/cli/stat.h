/* A statistic as it is told. */
#ifndef PBY_CLI_STAT_H
#define PBY_CLI_STAT_H

#include <jansson.h>
#include <stdio.h>

#include "cli/bars.h"
#include "probity/statistic.h"

/* As `probity stat` prints it: a key a line, a number, or none. */
PBY_CHECKED pby_status pby_stat_print(FILE *out, const pby_statistic *statistic, const pby_bars *bars, pby_error *err);

/* As the value in what `probity stat --json` prints. *out is NULL on failure. */
PBY_CHECKED pby_status pby_stat_json(json_t **out, const pby_statistic *statistic, const pby_bars *bars,
                                     pby_error *err);

#endif
