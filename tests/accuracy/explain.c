/* SPDX-License-Identifier: MIT */
#include "tests/accuracy/explain.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void list_statistics(pby_statistic *out, const char *k)
{
    static const char *const names[EXPLAIN_STATISTICS] = {"max",    "min",      "range", "support", "mode",
                                                          "median", "quantile", "max_k", "min_k"};
    for (size_t i = 0; i < EXPLAIN_STATISTICS; i++)
        cr_assert_eq(pby_statistic_parse(&out[i], names[i], i >= 7 ? k : NULL, i == 6 ? "1/3" : NULL, NULL),
                     PBY_OK);
}

size_t answer_of(const pby_statistic *statistic, const int64_t *y, size_t bars)
{
    int64_t counts[EXPLAIN_BARS];
    size_t found, at[EXPLAIN_BARS], answer = 0;
    for (size_t i = 0; i < bars; i++)
        counts[i] = y[i] < 0 ? 0 : y[i];
    cr_assert_eq(pby_statistic_bars(at, &found, statistic, counts, bars, NULL), PBY_OK);
    if (found > 0 && statistic->name == PBY_STATISTIC_RANGE)
        return 1 + at[found - 1] - at[0];
    for (size_t i = 0; i < found; i++)
        answer |= (size_t)1 << at[i];
    return answer;
}

void explain(explanation *out, const char *k, const int64_t *x, size_t bars)
{
    int64_t part[EXPLAIN_BARS] = {0}, n = 0, kept = 0;
    list_statistics(out->statistic, k);
    for (size_t s = 0; s < EXPLAIN_STATISTICS; s++)
        for (size_t a = 0; a < EXPLAIN_ANSWERS; a++)
            out->drop[s][a] = -1;
    for (size_t i = 0; i < bars; i++)
        n += x[i];
    for (size_t i = 0; i < bars;) {
        for (size_t s = 0; s < EXPLAIN_STATISTICS; s++) {
            int64_t *drop = &out->drop[s][answer_of(&out->statistic[s], part, bars)];
            if (*drop < 0 || n - kept < *drop)
                *drop = n - kept;
        }
        for (i = 0; i < bars && part[i] == x[i]; i++) {
            kept -= part[i];
            part[i] = 0;
        }
        if (i < bars) {
            part[i]++;
            kept++;
        }
    }
}

int64_t least_drop(int64_t x, int64_t y, int64_t beta)
{
    for (int64_t left = x; left >= 0; left--)
        if (labs(left - y) <= beta)
            return x - left;
    return -1;
}

int64_t allowed_of(const pby_accuracy *a, uint64_t n)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_ui(q, n, 1);
    mpq_mul(q, q, a->alpha.value);
    const int64_t whole = mpz_get_si(mpq_numref(q)) / mpz_get_si(mpq_denref(q));
    mpq_clear(q);
    return whole;
}
