/* SPDX-License-Identifier: MIT */
/* The sensitivity of a random query (docs/theory/random-queries.md). */
#include "number/scoped.h"
#include "probity/experimental/accuracy.h"

pby_status pby_query_sensitivity(mpq_t out, size_t *worst, const pby_measure *const *laws,
                                 const pby_law_pair *neighbours, size_t count, mpq_srcptr theta,
                                 pby_error *err)
{
    PBY_MPQ(distance);
    mpq_set_ui(out, 0, 1);
    *worst = 0;
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++) {
        status =
            pby_lossy_distance(distance, laws[neighbours[i].first], laws[neighbours[i].second], theta, err);
        if (status == PBY_OK && (i == 0 || mpq_cmp(distance, out) > 0)) {
            mpq_set(out, distance);
            *worst = i;
        }
    }
    return status;
}
