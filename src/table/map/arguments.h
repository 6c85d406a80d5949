/* SPDX-License-Identifier: MIT */
/* The names that a refusal uses for the arguments of a release: those of the members in the library's
 * structures, or the words that the caller's user knows them by. */
#ifndef PBY_TABLE_MAP_ARGUMENTS_H
#define PBY_TABLE_MAP_ARGUMENTS_H

typedef struct pby_arguments {
    const char *keys, *counts, *filter, *group, *truncate, *statistic, *ledger, *timing_safe, *queries,
        *range, *along, *by, *user, *contributions, *value, *quantiles, *scatter, *rounds, *utility, *keep,
        *step;
} pby_arguments;

/* Those of the library. */
extern const pby_arguments pby_arguments_library;

#endif
