/* SPDX-License-Identifier: MIT */
/* Estimates with numbers as text. */
#include "probity/experimental/estimate.h"

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
