/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], plan[PBY_PATH_SIZE];

/* A pure budget of one release: its noise is chosen without a search. */
static const char shops[] = "format = \"probity-plan\"\nversion = 1\n"
                            "[unit]\nuser = \"customer\"\nrows = 4\n"
                            "[budget]\nepsilon = 2\n"
                            "[columns.amount]\nlow = 0\nhigh = 60\nstep = 1\n"
                            "[groupings.shops]\nby = [\"shop\"]\ngroups = [\"north\", \"south\"]\n"
                            "groups_per_user = 2\nrows_per_group = 2\nexpect = 2000\n"
                            "[[statistics]]\nname = \"visits\"\nkind = \"count\"\ngroup = \"shops\"\n"
                            "[[statistics]]\nname = \"spend\"\nkind = \"mean\"\nof = \"amount\"\n"
                            "group = \"shops\"\n";

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(plan, folder, "shops.toml");
    pby_write_file(plan, shops);
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(cli_plan, .init = setup, .fini = teardown);

static void says(const pby_run *r, const char *text)
{
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, text), "%s is not in %s", text, r->out);
}

/* Roots of 2 and 1 share epsilon: 586 and 414 thousandths, over two coordinates each. With a = exp(-293/1000)
 * two cells stay within b but for 1 - (1 - 2 a^(b+1)/(1+a))^2, which is above 1/20 at 12 and below at 13. */
Test(cli_plan, check_tells_what_a_plan_is_worth)
{
    const pby_run *r = PBY_RUN(NULL, "plan", "check", plan);
    says(r, "mechanisms  2*geometric:eps=293/500,sensitivity=2 2*geometric:eps=207/500,sensitivity=60\n");
    says(r, "delta       0  of all releases together, certified\n");
    says(r,
         "visits                count by shops                     2              13       0.7 %   58.6 %\n");
    says(r, "groupings.shops.rows_per_group = 1\n");
    says(PBY_RUN(NULL, "plan", "check", plan, "--json"), "\"moves\": [{\"cells\": 2, \"by\": 60}]");
}

/* The certificate holds, says so of its plan, and is not for release; one that is altered does not hold. */
Test(cli_plan, a_certificate_has_the_plan_in_it)
{
    char certificate[PBY_PATH_SIZE], counts[PBY_PATH_SIZE];
    pby_folder_path(certificate, folder, "c.json");
    pby_folder_path(counts, folder, "counts.csv");
    pby_write_file(counts, "a,1\n");
    cr_assert_eq(PBY_RUN(NULL, "plan", "certify", plan, "-o", certificate)->status, 0);
    says(PBY_RUN(NULL, "verify", certificate), "derived from the plan again");
    PBY_REFUSED(2, "for probity plan release", NULL, "release", certificate, counts);
    says(PBY_RUN(NULL, "plan", "certify", plan), "\"plan\": {\n");
}

Test(cli_plan, mistakes_are_one_line)
{
    char other[PBY_PATH_SIZE], text[2048];
    pby_folder_path(other, folder, "other.toml");
    PBY_REFUSED(2, "plan: expected", NULL, "plan");
    PBY_REFUSED(2, "plan 'chek': expected", NULL, "plan", "chek");
    PBY_REFUSED(2, "plan check: expected a PLAN", NULL, "plan", "check");
    PBY_REFUSED(2, "no file", NULL, "plan", "check", "no file");
    snprintf(text, sizeof text, "%s[[statistics]]\nname = \"x\"\nkind = \"count\"\nwithin = 1\n", shops);
    pby_write_file(other, text);
    PBY_REFUSED(1, "within: the errors that are asked for take more than the budget", NULL, "plan", "check",
                other);
    snprintf(text, sizeof text, "%sweigth = 1\n", shops);
    pby_write_file(other, text);
    PBY_REFUSED(2, "did you mean weight?", NULL, "plan", "check", other);
}
