/* SPDX-License-Identifier: MIT */
/* The mean of errors, but for a mass gamma of the farthest, in doubles and by sorting. */
#ifndef PBY_TESTS_ACCURACY_TRIMMED_H
#define PBY_TESTS_ACCURACY_TRIMMED_H

#include <stddef.h>

#include "probity.h"

typedef struct trimmed_outcome {
    double error, chance;
} trimmed_outcome;

/* Sorts the outcomes. */
double trimmed_mean(trimmed_outcome *outcome, size_t n, double gamma);

/* pby_accuracy_average of a spec, as two doubles. */
typedef struct trimmed_ends {
    double lo, hi;
} trimmed_ends;

trimmed_ends trimmed_found(const char *spec, uint64_t n, uint64_t support, const char *gamma);

#endif
