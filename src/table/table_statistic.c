/* SPDX-License-Identifier: MIT */
#include "probity/experimental/statistic.h"

#include <stdbool.h>
#include <string.h>

#include "base/nearest.h"
#include "base/status.h"
#include "kernel/statistic.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "probity/rational.h"

static const char *const names[] = {
    [PBY_STATISTIC_MAX] = "max",           [PBY_STATISTIC_MIN] = "min",
    [PBY_STATISTIC_MAX_K] = "max_k",       [PBY_STATISTIC_MIN_K] = "min_k",
    [PBY_STATISTIC_RANGE] = "range",       [PBY_STATISTIC_SUPPORT] = "support",
    [PBY_STATISTIC_MODE] = "mode",         [PBY_STATISTIC_MEDIAN] = "median",
    [PBY_STATISTIC_QUANTILE] = "quantile", NULL,
};

const char *pby_statistic_text(pby_statistic_name name)
{
    return names[name];
}

bool pby_statistic_ordered(const pby_statistic *statistic)
{
    return statistic->name != PBY_STATISTIC_SUPPORT && statistic->name != PBY_STATISTIC_MODE;
}

bool pby_statistic_of_support(const pby_statistic *statistic)
{
    switch (statistic->name) {
    case PBY_STATISTIC_MAX:
    case PBY_STATISTIC_MIN:
    case PBY_STATISTIC_RANGE:
    case PBY_STATISTIC_SUPPORT:
        return true;
    case PBY_STATISTIC_MAX_K:
    case PBY_STATISTIC_MIN_K:
        return statistic->k == 1;
    case PBY_STATISTIC_QUANTILE:
        return statistic->num == 0 || statistic->num == statistic->den;
    case PBY_STATISTIC_MODE:
    case PBY_STATISTIC_MEDIAN:
        break;
    }
    return false;
}

static pby_status parse_k(int64_t *k, const char *text, pby_error *err)
{
    PBY_MPQ(q);
    pby_status status = pby_rational_parse(q, "k", text, NULL);
    if (status != PBY_OK || mpz_cmp_ui(mpq_denref(q), 1) != 0 || mpq_sgn(q) <= 0 ||
        mpz_sizeinbase(mpq_numref(q), 2) > 63)
        status = pby_refuse(err, "k", text, "an integer from 1 to 9223372036854775807");
    else
        *k = pby_integer_signed(mpq_numref(q));
    return status;
}

static pby_status parse_share(pby_statistic *out, const char *text, pby_error *err)
{
    PBY_MPQ(q);
    pby_status status = pby_rational_parse(q, "q", text, NULL);
    if (status != PBY_OK || mpq_sgn(q) < 0 || mpq_cmp_ui(q, 1, 1) > 0 ||
        mpz_cmp_si(mpq_denref(q), INT32_MAX) > 0)
        status = pby_refuse(err, "q", text, "a rational from 0 to 1 with a denominator below 2^31");
    else {
        out->num = (int32_t)mpz_get_si(mpq_numref(q));
        out->den = (int32_t)mpz_get_si(mpq_denref(q));
    }
    return status;
}

pby_status pby_statistic_parse(pby_statistic *out, const char *name, const char *k, const char *q,
                               pby_error *err)
{
    size_t i;
    const pby_status status = pby_name_find(&i, names, "statistic", name, err);
    if (status != PBY_OK)
        return status;
    *out = (pby_statistic){.name = (pby_statistic_name)i, .k = 1, .num = 1, .den = 2};
    const bool wants_k = out->name == PBY_STATISTIC_MAX_K || out->name == PBY_STATISTIC_MIN_K;
    const bool wants_q = out->name == PBY_STATISTIC_QUANTILE;
    if (wants_k != (k != NULL))
        return wants_k ? pby_fail(err, PBY_BAD, "k: expected a number of records; %s takes one", name)
                       : pby_refuse(err, "k", k, "none: only max_k and min_k take one");
    if (wants_q != (q != NULL))
        return wants_q ? pby_fail(err, PBY_BAD, "q: expected a share of the records; %s takes one", name)
                       : pby_refuse(err, "q", q, "none: only quantile takes one");
    if (wants_k)
        return parse_k(&out->k, k, err);
    return wants_q ? parse_share(out, q, err) : PBY_OK;
}

/* Only a rank needs the number of records. */
static pby_status check_counts(const pby_statistic *s, const int64_t *counts, size_t n, pby_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (counts[i] < 0)
            return pby_fail(err, PBY_BAD, "bar %zu: expected a count from 0 on", i);
    const bool rank = s->name == PBY_STATISTIC_MEDIAN || s->name == PBY_STATISTIC_QUANTILE;
    return !rank || pby_stat_total(counts, n) >= 0
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "counts: expected a sum of at most 9223372036854775807");
}

/* The one bar that a statistic is, or n. */
static size_t single(const pby_statistic *s, const int64_t *counts, size_t n)
{
    switch (s->name) {
    case PBY_STATISTIC_MAX:
    case PBY_STATISTIC_MAX_K:
        return pby_stat_max_k(counts, n, s->k);
    case PBY_STATISTIC_MIN:
    case PBY_STATISTIC_MIN_K:
        return pby_stat_min_k(counts, n, s->k);
    case PBY_STATISTIC_MODE:
        return pby_stat_mode(counts, n);
    case PBY_STATISTIC_MEDIAN:
        return pby_stat_median(counts, n);
    case PBY_STATISTIC_QUANTILE:
        return pby_stat_quantile(counts, n, s->num, s->den);
    case PBY_STATISTIC_RANGE:
    case PBY_STATISTIC_SUPPORT:
        break;
    }
    return n;
}

pby_status pby_statistic_bars(size_t *bars, size_t *found, const pby_statistic *s, const int64_t *counts,
                              size_t n, pby_error *err)
{
    *found = 0;
    const pby_status status = check_counts(s, counts, n, err);
    if (status != PBY_OK)
        return status;
    if (s->name == PBY_STATISTIC_SUPPORT) {
        *found = pby_stat_support(bars, counts, n);
    } else if (s->name == PBY_STATISTIC_RANGE) {
        const size_t width = pby_stat_range(counts, n), lo = pby_stat_min_k(counts, n, 1);
        if (lo < n) {
            bars[(*found)++] = lo;
            if (width > 0)
                bars[(*found)++] = lo + width;
        }
    } else {
        const size_t bar = single(s, counts, n);
        if (bar < n)
            bars[(*found)++] = bar;
    }
    return PBY_OK;
}
