/* SPDX-License-Identifier: MIT */
#include "release/quantile_draw.h"
#include "probity/experimental/parts.h"

#include "number/scoped.h"

/* Adds a candidate for each point: below records lie below it, and above lie above it. */
static pby_status add_scores(pby_release *release, const int64_t *count, size_t points, long over, long under,
                             pby_error *err)
{
    pby_status status = PBY_OK;
    int64_t below = 0, above = 0;
    PBY_MPZ(part);
    PBY_MPQ(score);
    for (size_t i = 0; i < points; i++)
        above += count[i];
    for (size_t i = 0; i < points && status == PBY_OK; i++) {
        above -= count[i];
        mpz_set_si(mpq_numref(score), below);
        mpz_mul_si(mpq_numref(score), mpq_numref(score), under - over);
        mpz_set_si(part, above);
        mpz_submul_ui(mpq_numref(score), part, (unsigned long)over);
        mpz_abs(mpq_numref(score), mpq_numref(score));
        mpz_neg(mpq_numref(score), mpq_numref(score));
        mpz_set_si(mpq_denref(score), under);
        mpq_canonicalize(score);
        status = pby_release_score(release, score, err);
        below += count[i];
    }
    return status;
}

pby_status pby_quantile_draw(uint64_t *point, pby_release *release, const int64_t *count, size_t points,
                             long over, long under, pby_error *err)
{
    pby_status status = add_scores(release, count, points, over, under, err);
    if (status == PBY_OK)
        status = pby_release_candidate(release, point, err);
    pby_release_clear_scores(release);
    return status;
}
