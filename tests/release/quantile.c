/* SPDX-License-Identifier: MIT */
/* Quantiles of raw records by group. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "tests/cli/run.h"

static pby_error err;
static char folder[PBY_PATH_SIZE], data[PBY_PATH_SIZE], list[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(data, folder, "records.csv");
    pby_folder_path(list, folder, "shops.txt");
    pby_folder_path(ledger, folder, "ledger");
    pby_write_file(list, "a\nb\n");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(release_quantile, .init = setup, .fini = teardown);

static pby_status release_of(pby_table **out, const char *text, const char *spec, const char *value,
                             const char *quantiles, uint64_t contributions)
{
    const pby_permission_options from = {.spec = spec};
    const pby_map map = {.path = list};
    const pby_records_options by = {.by = "shop",
                                    .value = value,
                                    .map = &map,
                                    .user = contributions == 0 ? NULL : "who",
                                    .contributions = contributions};
    const pby_release_options how = {.moment = PBY_MOMENT_QUANTILE, .quantiles = quantiles};
    pby_permission *permission;
    pby_table *in;
    *out = NULL;
    pby_write_file(data, text);
    pby_status status = pby_permission_open(&permission, &from, &err);
    if (status != PBY_OK)
        return status;
    status = pby_table_records(&in, data, &by, &err);
    if (status == PBY_OK)
        status = pby_release_table(out, permission, in, &how, &err);
    pby_table_free(in);
    pby_permission_close(permission);
    return status;
}

/* ---- the scores, by their definition ------------------------------------------------------------- */

enum { POINTS = 4, GROUPS = 2 };

/* Under times the score of a point of the over/under-quantile. */
static long score(const int *x, size_t n, int v, long over, long under)
{
    long below = 0, above = 0;
    for (size_t i = 0; i < n; i++) {
        below += x[i] < v;
        above += x[i] > v;
    }
    return -labs((under - over) * below - over * above);
}

static const long shares[][2] = {{1, 2}, {1, 4}, {9, 10}, {2, 3}};

/* The length of the interval of the losses, in scores: groups are independent, so that their lengths add up.
 * Every table of up to three records in each of two groups, and every user of up to two. */
static long longest(long over, long under)
{
    long most = 0;
    for (int code = 0; code < 1 << 14; code++) {
        int x[GROUPS][5], digits = code, n[GROUPS], joins[2], where[2];
        n[0] = digits & 1 ? 3 : 2, n[1] = 1 + (digits >> 1 & 1), digits >>= 2;
        joins[0] = digits & 3, joins[1] = digits >> 2 & 3, where[0] = 0, where[1] = digits >> 4 & 1;
        digits >>= 5;
        long length = 0;
        for (int g = 0; g < GROUPS; g++) {
            for (int i = 0; i < n[g]; i++)
                x[g][i] = digits >> 2 * (i + (g == 0 ? 0 : 2)) & 3;
            size_t with = (size_t)n[g];
            for (int k = 0; k < 2; k++)
                if (where[k] == g)
                    x[g][with++] = joins[k];
            long low = 0, high = 0;
            for (int v = 0; v < POINTS; v++) {
                const long moved = score(x[g], with, v, over, under) -
                                   score(x[g], (size_t)n[g], v, over, under);
                low = v == 0 || moved < low ? moved : low;
                high = v == 0 || moved > high ? moved : high;
            }
            length += high - low;
        }
        most = length > most ? length : most;
    }
    return most;
}

Test(release_quantile, no_user_makes_losses_span_more_than_epsilon)
{
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const long over = shares[i][0], under = shares[i][1], m = over > under - over ? over : under - over;
        cr_assert_leq(longest(over, under), 2 * 2 * m, "%ld/%ld", over, under);
    }
    cr_assert_eq(longest(1, 2), 2 * 2, "the median's bound is reached");
}

/* ---- what is released ---------------------------------------------------------------------------- */

/* At an enormous epsilon the best point is chosen; of several one of them. */
Test(release_quantile, the_best_point_is_chosen)
{
    unsigned state = 7;
    for (int round = 0; round < 40; round++) {
        char text[1024] = "shop,x\n";
        int x[GROUPS][8];
        size_t n[GROUPS] = {0, 0};
        for (int i = 0; i < 9; i++) {
            state = state * 1103515245U + 12345U;
            const size_t g = state >> 20 & 1;
            if (n[g] == 8)
                continue;
            x[g][n[g]++] = (int)(state >> 24 & 3);
            sprintf(text + strlen(text), "%c,%d\n", g == 0 ? 'a' : 'b', 10 * x[g][n[g] - 1] - 10);
        }
        pby_table *out;
        bool found;
        const long over = shares[round % 4][0], under = shares[round % 4][1];
        char q[32];
        snprintf(q, sizeof q, "%ld/%ld,1/2", over, under);
        cr_assert_eq(release_of(&out, text, "2*exponential:eps=1000000", "x:-10:20:10", q, 0), PBY_OK, "%s",
                     err.text);
        cr_assert_str_eq(pby_table_column(out, 1), "quantile_2");
        cr_assert_str_eq(pby_table_unit(out), "10");
        for (size_t g = 0; g < GROUPS; g++) {
            cr_assert_eq(pby_table_next(out, &found, &err), PBY_OK);
            long best = score(x[g], n[g], 0, over, under);
            for (int v = 1; v < POINTS; v++) {
                const long s = score(x[g], n[g], v, over, under);
                best = s > best ? s : best;
            }
            cr_assert_eq(score(x[g], n[g], (int)pby_table_value(out, 0) + 1, over, under), best);
        }
        pby_table_free(out);
    }
}

/* Every chance is within 0.06 of its weight's share, but for a chance below 1e-9 (Hoeffding, 3000 draws). */
Test(release_quantile, the_law_is_that_of_the_weights)
{
    enum { DRAWS = 3000 };
    static const int x[] = {0, 0, 1, 3};
    char *text = malloc(64), spec[128];
    strcpy(text, "shop,x\na,0\na,0\na,1\na,3\nb,3\n");
    snprintf(spec, sizeof spec, "%d*exponential:eps=2,sensitivity=3/4", 60);
    char q[60 * 4 + 1] = "";
    for (int i = 0; i < 60; i++)
        strcat(q, i == 0 ? "1/4" : ",1/4");
    double weight[POINTS], all = 0, seen[POINTS] = {0};
    for (int v = 0; v < POINTS; v++)
        all += weight[v] = exp(2 / (2 * 0.75) * (double)score(x, 4, v, 1, 4) / 4);
    for (int i = 0; i < DRAWS / 60; i++) {
        pby_table *out;
        bool found;
        cr_assert_eq(release_of(&out, text, spec, "x:0:3:1", q, 0), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_table_next(out, &found, &err), PBY_OK);
        for (size_t u = 0; u < 60; u++)
            seen[pby_table_value(out, u)]++;
        pby_table_free(out);
    }
    for (int v = 0; v < POINTS; v++)
        cr_assert_lt(fabs(seen[v] / DRAWS - weight[v] / all), 0.06, "%d: %g %g", v, seen[v] / DRAWS,
                     weight[v] / all);
    free(text);
}

Test(release_quantile, what_would_not_protect_a_user_is_refused)
{
    static const struct {
        const char *spec, *q, *value;
        uint64_t contributions;
        const char *text;
    } bad[] = {
        {"exponential:eps=1,sensitivity=26/10", "9/10", "x:0:3:1", 3, "sensitivity=27/10 or more"},
        {"exponential:eps=1,sensitivity=14/10", "1/2", "x:0:3:1", 3, "sensitivity=3/2 or more"},
        {"exponential:eps=1,sensitivity=8,scores=monotone", "1/2", "x:0:3:1", 3, "scores=general"},
        {"exponential:eps=1,sensitivity=8,sample=1/2", "1/2", "x:0:3:1", 3, "without sample"},
        {"permuteflip:eps=1,sensitivity=8", "1/2", "x:0:3:1", 3, "expected exponential"},
        {"geometric:eps=1,sensitivity=8", "1/2", "x:0:3:1", 3, "expected exponential"},
        {"2*exponential:eps=1,sensitivity=8", "1/2", "x:0:3:1", 3, "one mechanism for each quantile"},
        {"exponential:eps=1,sensitivity=8", "1/2,1/4", "x:0:3:1", 3, "one mechanism for each quantile"},
        {"exponential:eps=1,sensitivity=8", "1", "x:0:3:1", 3, "rationals above 0 and below 1"},
        {"exponential:eps=1,sensitivity=8", "1/2,", "x:0:3:1", 3, "rationals above 0 and below 1"},
        {"exponential:eps=1,sensitivity=8", NULL, "x:0:3:1", 3, "quantiles: expected"},
    };
    pby_table *out;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const pby_status status = release_of(&out, "shop,who,x\na,u,1\n", bad[i].spec, bad[i].value, bad[i].q,
                                             bad[i].contributions);
        cr_assert_eq(status, PBY_BAD, "%s %s", bad[i].spec, bad[i].q);
        cr_assert_not_null(strstr(err.text, bad[i].text), "%s", err.text);
    }
    cr_assert_eq(
        release_of(&out, "shop,who,x\na,u,1\n", "exponential:eps=1,sensitivity=27/10", "x:0:3:1", "9/10", 3),
        PBY_OK, "%s", err.text);
    pby_table_free(out);
}

/* The command, a ledger that is charged once, and the unit of privacy. */
Test(release_quantile, the_command_charges_once)
{
    pby_write_file(data, "who,shop,x\nu,a,4\nu,a,4\nv,a,4\nw,b,1.26\n");
    const pby_run *run = pby_run_command(
        NULL, PBY_ARGUMENTS("ledger", "init", ledger, "--epsilon", "3000", "--delta", "0", "--user", "who"));
    cr_assert_eq(run->status, 0, "%s", run->err);
#define COMMAND(...)                                                                                       \
    PBY_ARGUMENTS("release", "exponential:eps=1000,sensitivity=1", "exponential:eps=1000,sensitivity=3/2", \
                  data, "--quiet", "--by", "shop", "--user", "who", "--contributions", "2", "--filter",    \
                  list, "--ledger", ledger, __VA_ARGS__)
    run = pby_run_command(NULL, COMMAND("--quantile", "x:0:5:1/4", "--q", "1/2,1/4"));
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, "shop,quantile_1,quantile_2\na,4,4\nb,1.25,1.25\n");
    run = pby_run_command(NULL, PBY_ARGUMENTS("ledger", "show", ledger));
    cr_assert_not_null(strstr(run->out, "exponential:eps=1000 exponential:eps=1000,"), "%s", run->out);
    run = pby_run_command(NULL, COMMAND("--quantile", "x:0:5:1/4"));
    cr_assert_eq(run->status, 2);
    cr_assert_not_null(strstr(run->err, "--q: expected"), "%s", run->err);
    run = pby_run_command(NULL, COMMAND("--mean", "x:0:5:1/4", "--q", "1/2"));
    cr_assert_eq(run->status, 2);
    run = pby_run_command(NULL, COMMAND("--quantile", "x:0:5:1/4", "--q", "1/2,1/4"));
    cr_assert_eq(run->status, 1, "the budget is spent: %s", run->err);
    run = pby_run_command(NULL, PBY_ARGUMENTS("release", "exponential:eps=1", data, "--by", "x:0:32:1",
                                              "--quantile", "x:0:1048575:1", "--q", "1/2"));
    cr_assert_eq(run->status, 2);
    cr_assert_not_null(strstr(run->err, "16777216 of all groups together"), "%s", run->err);
}
