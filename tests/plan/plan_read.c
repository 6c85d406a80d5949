/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

/* The plan of docs/plan.md, in pieces that a test replaces. */
static const char *const pieces[] = {
    "format = \"probity-plan\"\nversion = 1\n",
    "[unit]\nuser = \"customer\"\nrows = 4\n",
    "[budget]\nepsilon = 1\ndelta = \"1e-6\"\n",
    "[horizon]\ntimes = 12\n",
    "[columns.amount]\nlow = 0\nhigh = 60\nstep = 1\nmissing = \"drop\"\n",
    "[groupings.shops]\nby = [\"shop\"]\ngroups = [\"north\", \"south\"]\n"
    "groups_per_user = 2\nrows_per_group = 2\nexpect = 2000\n",
    "[[statistics]]\nname = \"visits\"\nkind = \"count\"\ngroup = \"shops\"\n",
    "[[statistics]]\nname = \"spend\"\nkind = \"mean\"\nof = \"amount\"\n"
    "group = \"shops\"\n"};

enum { FORMAT, UNIT, BUDGET, HORIZON, COLUMN, GROUPING, COUNT, MEAN, PIECES };

/* True where the replaced piece has the groups too. */
static bool pieces_without_groups;

static pby_status read_with(pby_release_plan **plan, int piece, const char *text, pby_error *err)
{
    char all[4096] = "";
    for (int i = 0; i < PIECES; i++)
        if (i == piece || i != GROUPING || !pieces_without_groups)
            strcat(all, i == piece ? text : pieces[i]);
    return pby_plan_parse(plan, "p.toml", NULL, all, strlen(all), err);
}

static void refused(int piece, const char *text, const char *said)
{
    pby_release_plan *plan;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(read_with(&plan, piece, text, &err), PBY_BAD, "%s", text);
    cr_assert_null(plan);
    cr_assert_str_eq(err.text, said);
}

static pby_release_plan *accepted(int piece, const char *text)
{
    pby_release_plan *plan;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(read_with(&plan, piece, text, &err), PBY_OK, "%s: %s", text, err.text);
    return plan;
}

Test(plan_read, the_plan_of_the_page)
{
    pby_release_plan *p = accepted(PIECES, "");
    cr_assert_str_eq(p->user, "customer");
    cr_assert_eq(p->relation, PBY_ADD_REMOVE);
    cr_assert_eq(p->times, 12);
    cr_assert_eq(mpq_cmp_ui(p->delta, 1, 1000000), 0);
    cr_assert_eq(p->columns, 1);
    cr_assert(p->column[0].lo == 0 && p->column[0].hi == 60 && !p->column[0].fills);
    cr_assert_eq(p->groupings, 2);
    cr_assert(p->grouping[0].rows == 4 && p->grouping[0].k == 1 && p->grouping[0].m == 4);
    cr_assert(p->grouping[1].rows == 4 && p->grouping[1].k == 2 && p->grouping[1].m == 2);
    cr_assert_eq(p->grouping[1].groups, 2);
    cr_assert_str_eq(p->grouping[1].group[1], "south");
    cr_assert_eq(p->statistics, 2);
    cr_assert(p->statistic[1].kind == PBY_PLAN_MEAN && p->statistic[1].grouping == 1);
    pby_plan_free(p);
}

/* 0.1 is one tenth, in quotes or not. */
Test(plan_read, decimals_are_exact)
{
    pby_release_plan *p = accepted(BUDGET, "[budget]\nepsilon = 0.1\ndelta = 0.000001\n");
    cr_assert_eq(mpq_cmp_ui(p->epsilon, 1, 10), 0);
    cr_assert_eq(mpq_cmp_ui(p->delta, 1, 1000000), 0);
    pby_plan_free(p);
    p = accepted(COLUMN, "[columns.amount]\nlow = \"-1/2\"\nhigh = 6.5\nstep = \"1/4\"\nmissing = 1.25\n");
    cr_assert(p->column[0].lo == -2 && p->column[0].hi == 26 && p->column[0].missing == 5 &&
              p->column[0].fills);
    pby_plan_free(p);
}

Test(plan_read, bounds_are_cut)
{
    pby_release_plan *p = accepted(GROUPING, "[groupings.shops]\nby = [\"shop\"]\n"
                                             "groups = [\"a\", \"b\", \"c\"]\ngroups_per_user = 9\n");
    cr_assert(p->grouping[1].rows == 4 && p->grouping[1].k == 3 && p->grouping[1].m == 4);
    pby_plan_free(p);
    p = accepted(GROUPING, "[groupings.shops]\nby = [\"shop\", \"day\"]\n"
                           "groups = [[\"a\", \"1\"], [\"a\", \"2\"]]\n");
    cr_assert(p->grouping[1].by == 2 && strcmp(p->grouping[1].group[3], "2") == 0);
    cr_assert(p->grouping[1].rows == 4 && p->grouping[1].k == 2 && p->grouping[1].m == 4);
    pby_plan_free(p);
}

/* Section by section, each mistake is one line that names the key, its value and what was expected. */
Test(plan_read, mistakes)
{
    refused(UNIT, "[unit]\nuser = \"customer\"\n[x]\n",
            "p.toml: key 'x': expected one of format, version, unit, budget, horizon, columns, "
            "groupings, statistics");
    refused(UNIT, "[unit]\nuser = \"customer\"\nrow = 4\n",
            "p.toml: key of unit 'row': expected one of user, neighbours, rows, expect; did you mean rows?");
    refused(UNIT, "[unit]\nuser = \"customer\"\nrows = 0\n",
            "p.toml: unit.rows '0': expected an integer from 1 to 1000000");
    refused(UNIT, "[unit]\nrows = 4\n",
            "p.toml: unit.rows '4': expected it with user: without one, a row is the unit");
    refused(UNIT, "[unit]\nuser = \"customer\"\nneighbours = \"local\"\n",
            "p.toml: unit.neighbours 'local': expected add-remove or substitute");
    refused(
        UNIT, "",
        "p.toml: groupings.shops.groups_per_user '2': expected it with unit.user: without one, a row is the "
        "unit");
    refused(BUDGET, "[budget]\nepsilon = 1\nrho = 1\n",
            "p.toml: budget.rho '1': expected one of epsilon and delta, rho, or mu");
    refused(BUDGET, "[budget]\ndelta = 0.1\n",
            "p.toml: budget.epsilon '': expected one of epsilon and delta, rho, or mu");
    refused(BUDGET, "[budget]\nepsilon = 1\ndelta = 1\n",
            "p.toml: budget.delta '1': expected a rational from 0 to below 1");
    refused(BUDGET, "[budget]\nmu = 1\ndelta = 0.1\n",
            "p.toml: budget.mu '1': expected one of epsilon and delta, rho, or mu");
    refused(BUDGET, "[budget]\nmu = 1\nrho = 2\n",
            "p.toml: budget.rho '2': expected one of epsilon and delta, rho, or mu");
    refused(BUDGET, "[budget]\nmu = 0\n",
            "p.toml: budget.mu '0': expected a rational above 0, such as 2, 0.5 or \"1/3\"");
    refused(COLUMN, "[columns.amount]\nlow = 0\nhigh = 60\n",
            "p.toml: columns.amount.step '': expected low, high, step, known without the data");
    refused(COLUMN, "[columns.amount]\nlow = 0\nhigh = 0\nstep = 1\n",
            "p.toml: columns.amount.high '0': expected a number above low");
    refused(COLUMN, "[columns.amount]\nlow = 0.5\nhigh = 60\nstep = 1\n",
            "p.toml: columns.amount.low '0.5': expected a multiple of step, below 2^40 of them");
    refused(COLUMN, "[columns.amount]\nlow = 0\nhigh = 60\nstep = 1\nmissing = 61\n",
            "p.toml: columns.amount.missing '61': expected \"drop\", or a multiple of step from low to high");
    refused(COLUMN, "",
            "p.toml: statistics.spend.of 'amount': expected a column with low, high, step, known without the "
            "data, in [columns.NAME]");
}

/* An epsilon of 1e9000 was a division by zero where noise is searched for. */
Test(plan_read, numbers_that_doubles_cannot_square)
{
    refused(BUDGET, "[budget]\nepsilon = \"1e9000\"\n",
            "p.toml: budget.epsilon '1e9000': expected a rational from 1e-30 to 1e30");
    refused(BUDGET, "[budget]\nrho = \"1e-9000\"\n",
            "p.toml: budget.rho '1e-9000': expected a rational from 1e-30 to 1e30");
    refused(COLUMN, "[columns.amount]\nlow = 0\nhigh = \"60e-9000\"\nstep = \"1e-9000\"\n",
            "p.toml: columns.amount.step '1e-9000': expected a rational from 1e-30 to 1e30");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"count\"\nweight = \"1e31\"\n",
            "p.toml: statistics.a.weight '1e31': expected a rational from 1e-30 to 1e30");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"count\"\nwithin = \"1e-31\"\n",
            "p.toml: statistics.a.within '1e-31': expected a rational from 1e-30 to 1e30");
}

/* A budget of rho or mu has no delta, which is not where the mistake is. */
Test(plan_read, hidden_groups_need_a_delta)
{
    static const char *const budgets[] = {"rho = \"1/10\"\n[groupings.shops]", "mu = 1\n[groupings.shops]"};
    static const char rest[] = "\nby = [\"shop\"]\nhidden = true\ngroups_per_user = 2\nrows_per_group = 2\n";
    for (size_t i = 0; i < 2; i++) {
        char text[300] = "[budget]\n";
        strcat(strcat(text, budgets[i]), rest);
        pieces_without_groups = true;
        refused(
            BUDGET, text,
            "p.toml: groupings.shops.hidden 'true': expected a budget of epsilon and a delta above 0, which "
            "hidden groups need; rho and mu have none");
    }
    pieces_without_groups = false;
}

Test(plan_read, mistakes_of_groups_and_statistics)
{
    refused(
        GROUPING, "[groupings.shops]\nby = [\"shop\"]\n",
        "p.toml: groupings.shops.groups '': expected groups, file or hidden = true: which groups occur is a "
        "secret");
    refused(GROUPING, "[groupings.shops]\nby = [\"shop\"]\nhidden = true\ngroups = [\"a\"]\n",
            "p.toml: groupings.shops.hidden 'true': expected one of groups, file and hidden");
    refused(GROUPING, "[groupings.shops]\nby = [\"shop\"]\nhidden = 1\n",
            "p.toml: groupings.shops.hidden '1': expected true or false");
    refused(GROUPING, "[groupings.shops]\nby = [\"shop\"]\ngroups = [\"a\", \"b\", \"a\"]\n",
            "p.toml: groupings.shops.groups 'a': expected no duplicate group");
    refused(
        GROUPING, "[groupings.shops]\nby = [\"shop:0:1:1\"]\ngroups = [\"a\"]\n",
        "p.toml: groupings.shops.groups 'a': expected the left end of a bucket, as it is written in full");
    static const char *const wrong[] = {"shop:0:1", "shop:1:0:1", ":0:1:1", "shop:0:1:0", "shop:0:1e7:1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[100], said[300];
        snprintf(text, sizeof text, "[groupings.shops]\nby = [\"%s\"]\n", wrong[i]);
        snprintf(
            said, sizeof said,
            "p.toml: groupings.shops.by '%s': expected a column's name, or NAME:LO:HI:WIDTH with LO < HI, "
            "WIDTH > 0 and at most 2^20 buckets",
            wrong[i]);
        refused(GROUPING, text, said);
    }
    refused(GROUPING, "[groupings.shops]\nby = [\"shop:0:2:1\", \"shop\"]\nhidden = true\n",
            "p.toml: groupings.shops.by 'shop': expected a list of 1 to 4 columns' names, each once");
    refused(
        UNIT,
        "[unit]\nuser = \"customer\"\n[groupings.days]\nby = [\"day\"]\ngroups = [\"1\"]\n"
        "rows_per_group = 1\n",
        "p.toml: groupings.days.groups_per_user '': expected rows, or groups_per_user and rows_per_group: a "
        "user's rows are not bounded");
    refused(
        COUNT, "[[statistics]]\nname = \"release\"\nkind = \"count\"\n",
        "p.toml: statistics 1.name 'release': expected small letters, digits and hyphens, at most 60, each "
        "name once, and not release");
    refused(COUNT, "[[statistics]]\nname = \"spend\"\nkind = \"count\"\n",
            "p.toml: statistics 2.name 'spend': expected small letters, digits and hyphens, at most 60, each "
            "name once, and not release");
    refused(
        COUNT, "[[statistics]]\nname = \"a\"\nkind = \"median\"\n",
        "p.toml: statistics.a.kind 'median': expected one of count, users, sum, mean, variance, quantile, "
        "histogram, top; did you mean mean?");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"top\"\n",
            "p.toml: statistics.a.group '': expected a grouping, the groups of which are chosen from");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"top\"\ngroup = \"shops\"\nbest = 99\n",
            "p.toml: statistics.a.best '99': expected at most the number of groups");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"count\"\nbest = 1\n",
            "p.toml: statistics.a.best '1': expected it with kind top");
    refused(
        COUNT, "[[statistics]]\nname = \"a\"\nkind = \"quantile\"\nof = \"amount\"\nq = [1]\n",
        "p.toml: statistics.a.q '1': expected a list of 1 to 16 rationals above 0 and below 1, each once, "
        "with denominators of at most 1000000, such as [\"1/2\"]");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"quantile\"\nof = \"amount\"\nq = [\"1/2\", 0.5]\n",
            "p.toml: statistics.a.q '0.5': expected a list of 1 to 16 rationals above 0 and below 1, each "
            "once, with denominators of at most 1000000, such as [\"1/2\"]");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"count\"\nweight = 1\nwithin = 100\n",
            "p.toml: statistics.a.within '100': expected one of weight and within");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"mean\"\nof = \"amount\"\nwithin = 100\n",
            "p.toml: statistics.a.within '100': expected weight: a mean or a variance has no within");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"count\"\ngroup = \"x\"\n",
            "p.toml: statistics.a.group 'x': expected the name of a grouping, [groupings.NAME]");
    refused(COUNT, "[[statistics]]\nname = \"a\"\nkind = \"histogram\"\nof = \"amount\"\nwidth = \"1/2\"\n",
            "p.toml: statistics.a.width '1/2': expected a multiple of the column's step, above 0");
    refused(FORMAT, "", "p.toml: format '': expected format = \"probity-plan\"");
    refused(FORMAT, "format = \"probity-plan\"\nversion = 2\n",
            "p.toml: version '2': expected an integer from 1 to 1");
}

/* Without a bound in [unit] the whole table is not bounded. */
Test(plan_read, the_whole_table_needs_rows)
{
    refused(UNIT, "[unit]\nuser = \"customer\"\n[[statistics]]\nname = \"all\"\nkind = \"count\"\n",
            "p.toml: unit.rows '': expected rows: a user's rows in the whole table are not bounded");
}

/* All buckets of all columns are the groups where none are listed; a name with a colon stays one. */
Test(plan_read, buckets_are_groups)
{
    static const char *const names[] = {"-1", "0", "-0.5", "0", "0", "0", "-1", "2", "-0.5", "2", "0", "2"};
    pby_release_plan *p =
        accepted(GROUPING, "[groupings.shops]\nby = [\"a:b:0:3:2\", \"x:-1:0.2:1/2\"]\ngroups_per_user = 2\n"
                           "rows_per_group = 2\n");
    const pby_plan_grouping *g = &p->grouping[1];
    cr_assert_eq(g->groups, 6);
    cr_assert_str_eq(g->column[0], "a:b");
    cr_assert_str_eq(g->column[1], "x");
    for (size_t i = 0; i < 6; i++) {
        cr_assert_str_eq(g->group[2 * i], names[2 * i + 1]);
        cr_assert_str_eq(g->group[2 * i + 1], names[2 * i]);
    }
    pby_plan_free(p);
    p = accepted(GROUPING, "[groupings.shops]\nby = [\"time:utc\"]\ngroups = [\"a\"]\ngroups_per_user = 1\n"
                           "rows_per_group = 1\n");
    cr_assert_str_eq(p->grouping[1].column[0], "time:utc");
    cr_assert_null(p->grouping[1].bucket[0].text);
    pby_plan_free(p);
}

static const char groups_file[] = "groups.txt";

Test(plan_read, groups_in_a_file_are_those_of_a_list)
{
    char folder[] = "/tmp/probity-plan-XXXXXX", path[64], groups[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.toml", folder);
    snprintf(groups, sizeof groups, "%s/%s", folder, groups_file);
    FILE *f = fopen(groups, "w");
    cr_assert_not_null(f);
    fputs("north\r\nsouth", f);
    fclose(f);
    f = fopen(path, "w");
    cr_assert_not_null(f);
    for (int i = 0; i < PIECES; i++)
        fputs(i == GROUPING ? "[groupings.shops]\nby = [\"shop\"]\nfile = \"groups.txt\"\n" : pieces[i], f);
    fclose(f);
    pby_release_plan *p, *q = accepted(PIECES, "");
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_read(&p, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(p->grouping[1].groups, 2);
    cr_assert_str_eq(p->grouping[1].group[0], "north");
    cr_assert_str_eq(p->grouping[1].digest, q->grouping[1].digest);
    pby_plan_free(p);
    pby_plan_free(q);
    remove(groups);
    cr_assert_eq(pby_plan_read(&p, path, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "p.toml: groupings.shops.file 'groups.txt': expected a file beside"),
                       "%s", err.text);
    remove(path);
    remove(folder);
}

/* A plan may be a stranger's: what is not beside it would be published by a release. */
Test(plan_read, no_file_of_groups_elsewhere)
{
    static const char *const names[] = {"/etc/passwd", "../groups.txt", "a/../../groups.txt", "..", "a/.."};
    char folder[] = "/tmp/probity-plan-XXXXXX", path[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.toml", folder);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        pby_release_plan *p;
        pby_error err = PBY_NO_ERROR;
        FILE *f = fopen(path, "w");
        cr_assert_not_null(f);
        for (int i = 0; i < PIECES; i++)
            if (i == GROUPING)
                fprintf(f, "[groupings.shops]\nby = [\"shop\"]\nfile = \"%s\"\n", names[k]);
            else
                fputs(pieces[i], f);
        fclose(f);
        cr_assert_eq(pby_plan_read(&p, path, &err), PBY_BAD, "%s", names[k]);
        cr_assert_not_null(strstr(err.text, ": expected a file beside the plan: no /"), "%s", err.text);
    }
    remove(path);
    remove(folder);
}
