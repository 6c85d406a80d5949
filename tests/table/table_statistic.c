/* SPDX-License-Identifier: MIT */
#include "probity/experimental/statistic.h"

#include <criterion/criterion.h>

static pby_statistic parsed(const char *name, const char *k, const char *q)
{
    pby_statistic s;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_statistic_parse(&s, name, k, q, &err), PBY_OK, "%s", err.text);
    return s;
}

static void expect_bars(pby_statistic s, const int64_t *x, size_t n, const size_t *bars, size_t count)
{
    size_t found, got[8];
    cr_assert_eq(pby_statistic_bars(got, &found, &s, x, n, NULL), PBY_OK);
    cr_assert_eq(found, count);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(got[i], bars[i]);
}

Test(statistic, each_by_its_name)
{
    const int64_t x[6] = {0, 3, 5, 0, 5, 1};
    expect_bars(parsed("max", NULL, NULL), x, 6, (size_t[]){5}, 1);
    expect_bars(parsed("min", NULL, NULL), x, 6, (size_t[]){1}, 1);
    expect_bars(parsed("max_k", "3", NULL), x, 6, (size_t[]){4}, 1);
    expect_bars(parsed("min_k", "4", NULL), x, 6, (size_t[]){2}, 1);
    expect_bars(parsed("max_k", "6", NULL), x, 6, NULL, 0);
    expect_bars(parsed("range", NULL, NULL), x, 6, (size_t[]){1, 5}, 2);
    expect_bars(parsed("range", NULL, NULL), x, 2, (size_t[]){1}, 1);
    expect_bars(parsed("support", NULL, NULL), x, 6, (size_t[]){1, 2, 4, 5}, 4);
    expect_bars(parsed("mode", NULL, NULL), x, 6, (size_t[]){2}, 1);
    expect_bars(parsed("median", NULL, NULL), x, 6, (size_t[]){2}, 1);
    expect_bars(parsed("quantile", NULL, "3/14"), x, 6, (size_t[]){1}, 1);
    expect_bars(parsed("quantile", NULL, "0.215"), x, 6, (size_t[]){2}, 1);
    expect_bars(parsed("quantile", NULL, "1"), x, 6, (size_t[]){5}, 1);
}

Test(statistic, an_empty_histogram_has_none)
{
    const int64_t x[3] = {0, 0, 0};
    static const char *const names[] = {"max", "min", "range", "support", "mode", "median"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t n = 0; n <= 3; n++)
            expect_bars(parsed(names[i], NULL, NULL), x, n, NULL, 0);
    expect_bars(parsed("max_k", "1", NULL), x, 3, NULL, 0);
    expect_bars(parsed("quantile", NULL, "0"), x, 3, NULL, 0);
}

Test(statistic, refuses_unknown_names_and_arguments)
{
    static const struct {
        const char *name, *k, *q, *told;
    } rows[] = {
        {"average", NULL, NULL, "statistic 'average'"},
        {"max", "3", NULL, "k '3'"},
        {"max_k", NULL, NULL, "k: expected"},
        {"max_k", "0", NULL, "k '0'"},
        {"min_k", "1/2", NULL, "k '1/2'"},
        {"min_k", "9223372036854775808", NULL, "k '92"},
        {"max_k", "three", NULL, "k 'three'"},
        {"median", NULL, "1/2", "q '1/2'"},
        {"quantile", NULL, NULL, "q: expected"},
        {"quantile", NULL, "1.01", "q '1.01'"},
        {"quantile", NULL, "-1/9", "q '-1/9'"},
        {"quantile", NULL, "1/2147483648", "q '1/2147483648'"},
        {"quantile", NULL, "nan", "q 'nan'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_statistic s;
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(pby_statistic_parse(&s, rows[i].name, rows[i].k, rows[i].q, &err), PBY_BAD);
        cr_assert_eq(strncmp(err.text, rows[i].told, strlen(rows[i].told)), 0, "%s", err.text);
    }
}

Test(statistic, refuses_counts_that_are_none)
{
    const int64_t negative[2] = {1, -1}, beyond[2] = {INT64_MAX, 1};
    const pby_statistic s = parsed("median", NULL, NULL);
    size_t bars[2], found;
    cr_assert_eq(pby_statistic_bars(bars, &found, &s, negative, 2, NULL), PBY_BAD);
    cr_assert_eq(pby_statistic_bars(bars, &found, &s, beyond, 2, NULL), PBY_BAD);
    cr_assert_eq(found, 0);
    const pby_statistic max = parsed("max", NULL, NULL);
    cr_assert_eq(pby_statistic_bars(bars, &found, &max, negative, 2, NULL), PBY_BAD);
    cr_assert_eq(pby_statistic_bars(bars, &found, &max, beyond, 2, NULL), PBY_OK, "no sum is needed");
    cr_assert(found == 1 && bars[0] == 1);
}
