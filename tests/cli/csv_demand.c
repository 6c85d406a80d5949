/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "table/csv/csv.h"

/* Returns the status of a scan with this demand, and its error. */
static pby_status scan(const char *text, pby_csv_demand demand, uint64_t *records, pby_error *err)
{
    pby_csv *csv = NULL;
    uint64_t rows;
    cr_assert_eq(pby_csv_open_memory(&csv, "data", text, strlen(text), NULL), PBY_OK);
    pby_csv_demands(csv, &demand);
    const pby_status status = pby_csv_scan(csv, &rows, err);
    *records = pby_csv_records(csv);
    pby_csv_free(csv);
    return status;
}

static const pby_csv_demand any = {INT64_MAX, INT64_MAX, UINT64_MAX, false, NULL};

static void refuses(const char *text, pby_csv_demand demand, const char *expected)
{
    pby_error err = {0};
    uint64_t records;
    cr_assert_eq(scan(text, any, &records, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(scan(text, demand, &records, &err), PBY_BAD, "%s", text);
    cr_assert_str_eq(err.text, expected);
}

static void takes(const char *text, pby_csv_demand demand, uint64_t sum)
{
    pby_error err = {0};
    uint64_t records;
    cr_assert_eq(scan(text, demand, &records, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(records, sum);
}

Test(csv_demand, the_most_of_a_count)
{
    pby_csv_demand demand = any;
    demand.most = 7;
    takes("k,n\na,7\nb,0\n", demand, 7);
    refuses("k,n\na,7\nb,8\n", demand, "data: line 3, column 2: expected a whole number from 0 to 7");
    refuses("\"a\nb\",8\n", demand, "data: line 2, column 2: expected a whole number from 0 to 7");
}

Test(csv_demand, the_sum)
{
    pby_csv_demand demand = any;
    demand.sum = 10;
    takes("a,4\nb,6\n", demand, 10);
    refuses("a,4\nb,7\nc,0\n", demand, "data: line 2, column 2: expected counts that add up to at most 10");
    refuses("a,9223372036854775807\nb,9223372036854775807\nc,9223372036854775807\n", demand,
            "data: line 1, column 2: expected counts that add up to at most 10");
    demand.sum = UINT64_MAX;
    takes("a,9223372036854775807\nb,9223372036854775807\nc,9223372036854775807\n", demand, UINT64_MAX);
}

/* A count above the limit adds the limit. */
Test(csv_demand, the_sum_of_truncated_counts)
{
    pby_csv_demand demand = any;
    demand.sum = 10;
    demand.limit = 5;
    takes("a,9223372036854775807\nb,6\n", demand, 10);
    refuses("a,9223372036854775807\nb,6\nc,1\n", demand,
            "data: line 3, column 2: expected counts that add up to at most 10");
}

Test(csv_demand, positions)
{
    pby_csv_demand demand = any;
    demand.positions = true;
    takes("1,2\n1/2,3\n", demand, 5);
    takes("1,2\n1.0,3\nx,1\n", demand, 6);
    refuses("1,2\n3,3\n\"1.0\",1\n", demand,
            "data: line 3, column 1: expected a number once; this is a duplicate");
}

/* A key that stands twice is told as such, and before what comes behind it. */
Test(csv_demand, the_first_error_is_told)
{
    pby_error err = {0};
    uint64_t records;
    pby_csv_demand demand = any;
    demand.most = 7;
    demand.positions = true;
    cr_assert_eq(scan("a,1\na,2\nb,8\n", demand, &records, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "data: line 2, column 1: expected a key once; this is a duplicate");
    cr_assert_eq(scan("1,1\n1.0,2\n3,8\n", demand, &records, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "data: line 3, column 2: expected a whole number from 0 to 7");
}

Test(csv_demand, a_reserved_key)
{
    pby_csv_demand demand = any;
    demand.reserved = "total";
    takes("totals,1\ntota,2\n", demand, 3);
    refuses("a,1\n\"total\",2\n", demand,
            "data: line 2, column 1: expected another key than that of the total");
}
