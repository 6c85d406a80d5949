/* SPDX-License-Identifier: MIT */
/* A statistic of a histogram in memory, as text and as JSON. */
#ifndef PBY_TABLE_ANSWER_ANSWER_H
#define PBY_TABLE_ANSWER_ANSWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "probity/experimental/statistic.h"
#include "table/answer/bars.h"

/* Refuses a statistic that reads an order where every key is a point of several coordinates: these have none,
 * and that of the rows says nothing of them. */
PBY_CHECKED
pby_status pby_stat_order(const pby_statistic *statistic, const pby_key_kinds *kinds, pby_error *err);

/* True if an order is read, and is that of the rows although some keys are numbers: worth a warning. */
bool pby_stat_mixed(const pby_statistic *statistic, const pby_key_kinds *kinds);

/* As `probity stat` prints it: a key a line, quoted as CSV has it, a number, or none; a key that is empty or
 * none stands in quotes. */
PBY_CHECKED
pby_status pby_stat_print(FILE *out, const pby_statistic *statistic, const pby_bars *bars, pby_error *err);

/* The statistic as a number, where keys are numbers; *none where it has no value. The support is refused, and
 * so are keys that are no numbers. */
PBY_CHECKED
pby_status pby_stat_number(mpq_t out, bool *none, const pby_statistic *statistic, const pby_bars *bars,
                           pby_error *err);
PBY_CHECKED
pby_status pby_stat_numeric(const char *argument, const pby_statistic *statistic, const pby_key_kinds *kinds,
                            pby_error *err);

/* Adds the parameter of a statistic to an object: k of max_k and min_k, q of quantile, as strings; others
 * have none. */
PBY_CHECKED
pby_status pby_statistic_describe(json_t *object, const pby_statistic *s, pby_error *err);

/* Adds to an object what was asked for: statistic, its k or q, and order. */
PBY_CHECKED
pby_status pby_stat_describe(json_t *object, const pby_statistic *statistic, bool numbers, pby_error *err);

/* As the value in what `probity stat --json` prints. *out is NULL on failure. */
PBY_CHECKED
pby_status pby_stat_json(json_t **out, const pby_statistic *statistic, const pby_bars *bars, pby_error *err);

#endif
