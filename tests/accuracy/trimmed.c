/* SPDX-License-Identifier: MIT */
#include "tests/accuracy/trimmed.h"
#include "tests/accuracy/asked.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static int farthest_first(const void *a, const void *b)
{
    const trimmed_outcome *x = a, *y = b;
    return (x->error < y->error) - (x->error > y->error);
}

double trimmed_mean(trimmed_outcome *outcome, size_t n, double gamma)
{
    double sum = 0;
    qsort(outcome, n, sizeof *outcome, farthest_first);
    for (size_t i = 0; i < n; i++) {
        const double lost = outcome[i].chance < gamma ? outcome[i].chance : gamma;
        gamma -= lost;
        sum += (outcome[i].chance - lost) * outcome[i].error;
    }
    return sum;
}

trimmed_ends trimmed_found(const char *text, uint64_t n, uint64_t support, const char *gamma)
{
    pby_decimals found;
    pby_error err;
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK, "%s", text);
    cr_assert_eq(asked_average(&found, spec, n, support, gamma, 12, &err), PBY_OK, "%s: %s", text, err.text);
    pby_spec_free(spec);
    return (trimmed_ends){strtod(found.lo, NULL), strtod(found.hi, NULL)};
}
