/* SPDX-License-Identifier: MIT */
#include "release/quantile_scores.h"

#include "number/scoped.h"

/* below records lie below a point, and above lie above it. */
pby_status pby_quantile_scores(pby_release *release, const int64_t *count, size_t points, long over,
                               long under, pby_error *err)
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
