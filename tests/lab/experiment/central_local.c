/* SPDX-License-Identifier: MIT */
/* A curator's noise against randomised response, from sums over the laws. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probity/experimental/experiment.h"
#include "tests/cli/run.h"

enum { FAR = 400 };

static double lower(json_t *row, const char *key)
{
    return atof(json_string_value(json_object_get(json_object_get(row, key), "lo")));
}

/* The variance of geometric noise, and the chance that it is farther than 1/epsilon. */
static void noise(double eps, double *variance, double *beyond)
{
    const double a = exp(-eps);
    *variance = *beyond = 0;
    for (int k = -FAR; k <= FAR; k++) {
        const double mass = (1 - a) / (1 + a) * pow(a, abs(k));
        *variance += mass * k * k;
        *beyond += abs(k) > 1 / eps + 1e-9 ? mass : 0;
    }
}

/* The variance of the estimate from one report of each of n users of whom c have the bit: reports are true
 * with chance p, and the estimate is (mean - q)/(p - q). */
static double response(double eps, int n, int c)
{
    const double p = exp(eps) / (1 + exp(eps)), q = 1 - p;
    return (c * p * (1 - p) + (n - c) * q * (1 - q)) / ((double)n * n * (p - q) * (p - q));
}

Test(central_local, as_the_laws_say)
{
    static const char *const names[] = {"1/4", "1/2", "1", "2"};
    static const double eps[] = {0.25, 0.5, 1, 2};
    char *text;
    size_t i;
    json_t *row;
    cr_assert_eq(pby_report_central_local(&text, NULL, PBY_REPORT_JSON, NULL), PBY_OK);
    json_t *all = json_loads(text, 0, NULL), *rows = json_object_get(all, "rows");
    cr_assert_eq(json_array_size(rows), 4 * 6);
    json_array_foreach(rows, i, row)
    {
        const double e = eps[i / 6], n = (double)json_integer_value(json_object_get(row, "n"));
        double variance, beyond;
        noise(e, &variance, &beyond);
        cr_assert_str_eq(json_string_value(json_object_get(row, "eps")), names[i / 6]);
        cr_assert(fabs(lower(row, "central") * n / sqrt(variance) - 1) < 1e-7);
        cr_assert(fabs(lower(row, "beyond") / beyond - 1) < 1e-7);
        cr_assert(fabs(lower(row, "printed") * n * e - 1) < 1e-7);
        const double local = lower(row, "local");
        cr_assert(fabs(local * local / response(e, (int)n, 0) - 1) < 1e-7);
        cr_assert(fabs(local * local / response(e, (int)n, (int)n / 3) - 1) < 1e-7);
        /* so many users are as good */
        const double users = (double)json_integer_value(json_object_get(row, "users"));
        cr_assert(fabs(response(e, 10, 4) * 10 / users * n * n / variance - 1) < 1e-7);
    }
    json_decref(all);
    free(text);
}

Test(central_local, files)
{
    char folder[PBY_PATH_SIZE], plots[PBY_PATH_SIZE], path[PBY_PATH_SIZE], line[256];
    pby_folder_make(folder);
    pby_folder_path(plots, folder, "plots");
    const pby_run *r = PBY_RUN(NULL, "experiment", "central", "-o", plots);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "  1000          0.001357     0.03034         500000       0.001"),
                       "%s", r->out);
    pby_folder_path(path, plots, "central.csv");
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in);
    cr_assert_not_null(fgets(line, sizeof line, in));
    cr_assert_str_eq(line,
                     "eps,n,central_lo,central_hi,local_lo,local_hi,users,printed_lo,printed_hi,beyond_lo,"
                     "beyond_hi\n");
    fclose(in);
    pby_folder_path(path, plots, "central.svg");
    cr_assert_eq(access(path, R_OK), 0);
    PBY_REFUSED(2, "--panel '1': expected none with central", NULL, "experiment", "central", "--panel", "1");
    pby_folder_remove(folder);
}
