/* SPDX-License-Identifier: MIT */
/* Points and steps of releases with numbers as text. */
#include <stdio.h>
#include <stdlib.h>

#include "base/printed.h"
#include "base/status.h"
#include "number/exact.h"
#include "number/numbers.h"
#include "number/scoped.h"
#include "probity/experimental/bucketing.h"
#include "probity/experimental/parts.h"
#include "probity/rational.h"
#include "probity/release.h"

pby_status pby_release_unit_text(char **unit, const pby_release *release, pby_error *err)
{
    PBY_MPQ(x);
    pby_release_unit(x, release);
    return pby_rational_print(unit, x, err);
}

pby_status pby_release_score_text(pby_release *release, const char *score, pby_error *err)
{
    PBY_MPQ(x);
    pby_status status = pby_rational_parse(x, "score", score, NULL);
    if (status != PBY_OK)
        status =
            pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "score: expected a number such as 2, 0.5 or 1/3");
    else
        status = pby_release_score(release, x, err);
    return status;
}

/* A coordinate is a secret: what is wrong with it is said without it. */
static pby_status numbers_read(mpq_t *at, const char *const *x, size_t n, pby_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (pby_rational_parse(at[i], "x", x[i], NULL) != PBY_OK)
            return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT,
                               "coordinate %zu: expected a number such as 2, 0.5 or 1/3", i + 1);
    return PBY_OK;
}

pby_status pby_release_record_text(pby_release *release, const char *const *x, pby_error *err)
{
    const size_t n = pby_release_dimension(release);
    mpq_t *at;
    pby_status status = pby_numbers_new(&at, n, err);
    if (status == PBY_OK)
        status = numbers_read(at, x, n, err);
    if (status == PBY_OK)
        status = pby_release_record(release, (const mpq_t *)at, err);
    pby_numbers_free(at, n);
    return status;
}

pby_status pby_bucketing_add_text(pby_bucketing *p, const char *const *x, pby_error *err)
{
    const size_t n = pby_bucketing_dimension(p);
    mpq_t *at;
    pby_status status = pby_numbers_new(&at, n, err);
    if (status == PBY_OK)
        status = numbers_read(at, x, n, err);
    if (status == PBY_OK)
        status = pby_bucketing_add(p, (const mpq_t *)at, err);
    pby_numbers_free(at, n);
    return status;
}

pby_status pby_bucketing_centre_text(char **centre, const pby_bucketing *p, size_t i, pby_error *err)
{
    const size_t n = pby_bucketing_dimension(p);
    mpq_t *at;
    pby_printed printed;
    *centre = NULL;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    pby_status status = pby_numbers_new(&at, n, err);
    if (status == PBY_OK)
        pby_bucketing_centre(at, p, i);
    for (size_t j = 0; j < n && status == PBY_OK; j++) {
        char *text = pby_exact_text(at[j]);
        if (text == NULL || fprintf(out, "%s%s", j == 0 ? "" : " ", text) < 0)
            status = pby_no_memory(err);
        free(text);
    }
    pby_numbers_free(at, n);
    return pby_printed_end(centre, &printed, status, err);
}
