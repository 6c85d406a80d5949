/* SPDX-License-Identifier: MIT */
/* The arguments of a release: one table for the library, whose refusals name the members of its structures,
 * and for the command, whose options they are. */
#ifndef PBY_TABLE_MAP_ARGUMENTS_H
#define PBY_TABLE_MAP_ARGUMENTS_H

#include <stdbool.h>

#include "base/option.h"

typedef enum pby_argument {
    PBY_ARG_KEYS,
    PBY_ARG_COUNTS,
    PBY_ARG_BY,
    PBY_ARG_USER,
    PBY_ARG_CONTRIBUTIONS,
    PBY_ARG_SUM,
    PBY_ARG_MEAN,
    PBY_ARG_VARIANCE,
    PBY_ARG_QUANTILE,
    PBY_ARG_FILTER,
    PBY_ARG_GROUP,
    PBY_ARG_TRUNCATE,
    PBY_ARG_STATISTIC,
    PBY_ARG_K,
    PBY_ARG_Q,
    PBY_ARG_LEDGER,
    PBY_ARG_AFTER,
    PBY_ARG_PART,
    PBY_ARG_TIMING_SAFE,
    PBY_ARG_RANGE,
    PBY_ARG_QUERIES,
    PBY_ARG_ALONG,
    PBY_ARG_SCATTER,
    PBY_ARG_ROUNDS,
    PBY_ARG_UTILITY,
    PBY_ARG_KEEP,
    PBY_ARG_STEP,
    PBY_ARG_SEPARATOR,
    PBY_ARG_TIMES,
    PBY_ARG_OUTPUT,
    PBY_ARG_JSON,
    PBY_ARG_QUIET,
    PBY_ARGS
} pby_argument;

/* The rows in the order of the arguments; the last has no name. */
extern const pby_option pby_argument_rows[PBY_ARGS + 1];

/* Says how refusals name the arguments. */
typedef struct pby_arguments {
    bool options;       /* by the command's options; else by the members of the library's structures */
    pby_argument value; /* the one that gives the column of numbers, which has several options */
} pby_arguments;

/* The library's. */
extern const pby_arguments pby_arguments_library;

const char *pby_argument_name(const pby_arguments *names, pby_argument which);

#endif
