/* SPDX-License-Identifier: MIT */
/* Estimates with numbers as text. */
#include <gmp.h>

#include "base/status.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/experimental/estimate.h"
#include "probity/rational.h"

pby_status pby_estimates_new_text(pby_estimates **out, const pby_reports *reports, const char *error,
                                  unsigned digits, pby_error *err)
{
    *out = NULL;
    PBY_MPQ(value);
    PBY_TRY(pby_rational_parse(value, "error", error, err));
    return pby_estimates_new(out, reports, value, digits, err);
}

pby_status pby_estimates_candidates_text(pby_estimates **out, const pby_reports *reports,
                                         const char *const *candidates, size_t count, const char *error,
                                         unsigned digits, pby_error *err)
{
    *out = NULL;
    PBY_MPQ(value);
    PBY_TRY(pby_rational_parse(value, "error", error, err));
    return pby_estimates_candidates(out, reports, candidates, count, value, digits, err);
}

void pby_estimates_at_text(pby_estimate_words *out, const pby_estimates *estimates, size_t i, unsigned digits)
{
    const pby_estimate *e = pby_estimates_at(estimates, i);
    out->name = e->name;
    out->seen = e->seen;
    out->empty = e->empty;
    pby_decimals_set(&out->value, &e->value, digits);
    pby_decimals_set(&out->least, &e->least, digits);
    pby_decimals_set(&out->most, &e->most, digits);
    pby_decimals_set(&out->none, &e->none, digits);
    pby_decimals_set(&out->all, &e->all, digits);
    pby_decimals_set(&out->variance, &e->variance, digits);
    pby_decimals_set(&out->interval, &e->interval, digits);
    pby_decimals_set(&out->population, &e->population, digits);
}
