/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], table[PBY_PATH_SIZE], other[PBY_PATH_SIZE], before[PBY_PATH_SIZE],
    after[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(table, folder, "table.csv");
    pby_folder_path(other, folder, "other.csv");
    pby_folder_path(before, folder, "before.csv");
    pby_folder_path(after, folder, "after.csv");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(cli_random, .init = setup, .fini = teardown);

static void says(const pby_run *r, const char *text)
{
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, text), "%s is not in %s", text, r->out);
}

/* Keys that stay: a move of the value is explained by the same move of the key, and no less is. */
Test(cli_random, a_map_has_the_sensitivities_of_a_map)
{
    pby_write_file(table, "0,0,1\n1,1,1\n3,3,1\n");
    says(PBY_RUN(NULL, "random", table, "--alpha", "1", "--json"), "\"sigma\": \"1\"");
    says(PBY_RUN(NULL, "random", table, "--alpha", "1", "--json"), "\"moves\": \"0\"");
    says(PBY_RUN(NULL, "random", table, "--beta", "2", "--json"), "\"tau\": \"2\"");
    says(PBY_RUN(NULL, "random", table, "--beta", "2", "--alpha", "2", "--json"), "\"tau\": \"0\"");
}

/* The law at 0 is even between 0 and 1, and nothing has 0 alone: that is within 1 of it. */
Test(cli_random, a_relaxed_sigma_is_less)
{
    pby_write_file(table, "0,0,1/2\n0,1,1/2\n1,1,1\n");
    says(PBY_RUN(NULL, "random", table, "--alpha", "1", "--json"), "\"sigma\": \"inf\"");
    says(PBY_RUN(NULL, "random", table, "--alpha", "1", "--omega", "1", "--json"), "\"sigma\": \"0\"");
    says(PBY_RUN(NULL, "random", table, "--json"), "\"moves\": \"1\"");
}

/* A fourth of the mass differs. Where an eighth of the keys may be anything, a seventh is left to lose. */
Test(cli_random, tau_with_lost_keys_is_enclosed)
{
    pby_write_file(table, "0,0,3/4\n0,1,1/4\n1,1,1\n");
    pby_write_file(other, "1,1,1\n0,1,1/2\n0,0,1/2\n");
    says(PBY_RUN(NULL, "random", table, "--mechanism", other, "--beta", "0", "--json"), "\"tau\": \"1\"");
    says(PBY_RUN(NULL, "random", table, "--mechanism", other, "--beta", "0", "--gamma", "1/4", "--json"),
         "\"tau\": \"0\"");
    const pby_run *r = PBY_RUN(NULL, "random", table, "--mechanism", other, "--beta", "0", "--gamma", "1/4",
                               "--gamma1", "1/8", "--json");
    says(r, "\"tau_lo\": \"0\", \"tau_hi\": \"1\"");
}

/* Two values that are told apart: within 1 everything is, within 0 only the mass theta. */
Test(cli_random, robustness_of_two_values)
{
    pby_write_file(table, "a,0,1\nb,1,1\n");
    says(PBY_RUN(NULL, "random", table, "--rho", "1", "--epsilon", "1"), "delta       1\n");
    says(PBY_RUN(NULL, "random", table, "--rho", "0", "--epsilon", "1"), "delta       0\n");
    says(PBY_RUN(NULL, "random", table, "--rho", "0", "--epsilon", "0", "--theta", "1/4"),
         "delta       0.25\n");
}

/* a goes to x or y, b to y or z, c to z, on the path x, y, z: a and c are two steps apart, or one but for
 * half of the mass. */
Test(cli_random, neighbours_behind_a_table)
{
    pby_write_file(table, "a,x,1/2\na,y,1/2\nb,y,1/2\nb,z,1/2\nc,z,1\n");
    pby_write_file(after, "k,x,y,z\nx,0,1,0\ny,1,0,1\nz,0,1,0\n");
    pby_write_file(before, "k,a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n");
    says(PBY_RUN(NULL, "random", table, "--neighbours", before, "--new-neighbours", after),
         "pairs       2\nsteps       1\nkeeps       neighbours are neighbours, or equal, behind the table\n");
    PBY_REFUSED(2, "expected a row and a column for every key", NULL, "random", table, "--neighbours", after,
                "--new-neighbours", after);
    pby_write_file(before, "k,a,b,c\na,0,0,1\nb,0,0,0\nc,0,0,0\n");
    says(PBY_RUN(NULL, "random", table, "--neighbours", before, "--new-neighbours", after),
         "steps       2\nkeeps       no: some neighbours are farther apart behind the table\n"
         "worst       keys 'a' and 'c'\n");
    says(PBY_RUN(NULL, "random", table, "--neighbours", before, "--new-neighbours", after, "--theta", "1/2",
                 "--json"),
         "\"pairs\": 1, \"steps\": \"1\", \"keeps\": true, \"worst\": {\"x\": \"a\", \"y\": \"c\"}}\n");
    PBY_REFUSED(2, "--new-neighbours: expected a table of 0 and 1", NULL, "random", table, "--neighbours",
                before);
    PBY_REFUSED(2, "expected it with --neighbours", NULL, "random", table, "--new-neighbours", after);
    PBY_REFUSED(2, "--rho '1': expected it without --neighbours", NULL, "random", table, "--neighbours",
                before, "--new-neighbours", after, "--rho", "1");
    PBY_REFUSED(2, "--theta '1': expected a rational from 0 on, below 1", NULL, "random", table,
                "--neighbours", before, "--new-neighbours", after, "--theta", "1");
    PBY_REFUSED(2, "expected standard input once", "a,0\n", "random", table, "--neighbours", "-",
                "--new-neighbours", "-");
    pby_write_file(before, "k,a,b,c\na,0,2,1\nb,0,0,0\nc,0,0,0\n");
    PBY_REFUSED(2, "expected a table of 0 and 1", NULL, "random", table, "--neighbours", before,
                "--new-neighbours", after);
}

/* A large one is cut to 7, and with a tenth to 3: ln(8/3) for certain, ln(8/7) but for a tenth. */
Test(cli_random, what_a_query_keeps_of_its_utility)
{
    pby_write_file(table, "small,small,1\nlarge,large,9/10\nlarge,small,1/10\n");
    pby_write_file(before, "key,utility\nlarge,8\nsmall,3\n");
    pby_write_file(after, "new,utility\nsmall,3\nlarge,7\n");
    says(PBY_RUN(NULL, "random", table, "--utilities", before, "--new-utilities", after),
         "epsilon     [0.980829253, 0.980829254]\nworst       'large' as 'small': utilities 8 and 3\n");
    says(PBY_RUN(NULL, "random", table, "--utilities", before, "--new-utilities", after, "--theta", "1/10",
                 "--digits", "3"),
         "epsilon     [0.133, 0.134]\nworst       'large' as 'large': utilities 8 and 7\n");
    says(PBY_RUN(NULL, "random", table, "--utilities", before, "--new-utilities", after, "--epsilon", "1/5",
                 "--json"),
         "\"epsilon\": \"0.2\", \"theta\": \"0.1\", \"worst\": {\"key\": \"large\", \"new\": \"small\"");
    says(PBY_RUN(NULL, "random", table, "--utilities", before, "--new-utilities", after, "--epsilon", "1/5",
                 "--theta", "1/10"),
         "claimed     0.1\n");
    says(PBY_RUN(NULL, "random", table, "--utilities", before),
         "epsilon     [0.490414626, 0.490414627]  of the best query of the new keys\n"
         "worst       'small' and 'large', both as 'small': utilities 3 and 8\n");
    const pby_run *r = PBY_RUN(NULL, "random", table, "--utilities", before, "--new-utilities", after,
                               "--epsilon", "1", "--theta", "0");
    says(r, "theta       0\n");
    cr_assert_null(strstr(r->out, "worst"), "%s", r->out);
    PBY_REFUSED(1, "violation: 'large' as 'small' has utilities 8 and 3;", NULL, "random", table,
                "--utilities", before, "--new-utilities", after, "--epsilon", "1/5", "--theta", "1/11");
}

Test(cli_random, refusals_of_utilities)
{
    pby_write_file(table, "a,b,1\nb,b,1\n");
    pby_write_file(before, "key,utility\na,1\n");
    pby_write_file(after, "new,utility\nb,-1\n");
    PBY_REFUSED(2, "expected a utility for every key of the table", NULL, "random", table, "--utilities",
                before);
    PBY_REFUSED(2, "line 2, column 2: expected a utility from 0 on", NULL, "random", table, "--utilities",
                after);
    pby_write_file(before, "key,utility\na,1\na,1\n");
    PBY_REFUSED(2, "line 3, column 1: expected a key that occurs once", NULL, "random", table, "--utilities",
                before);
    pby_write_file(before, "key,utility,more\na,1,1\nb,1,1\n");
    PBY_REFUSED(2, "expected lines KEY,UTILITY", NULL, "random", table, "--utilities", before);
    pby_write_file(before, "key,utility\na,1\nb,1\n");
    PBY_REFUSED(2, "--theta '1': expected a rational from 0 on, below 1", NULL, "random", table,
                "--utilities", before, "--new-utilities", before, "--theta", "1");
    PBY_REFUSED(2, "--epsilon '-1': expected a rational from 0 on", NULL, "random", table, "--utilities",
                before, "--new-utilities", before, "--epsilon", "-1");
    PBY_REFUSED(2, "--theta '0': expected it with --new-utilities", NULL, "random", table, "--utilities",
                before, "--theta", "0");
    PBY_REFUSED(2, "--new-utilities", NULL, "random", table, "--new-utilities", before);
    PBY_REFUSED(2, "--rho '1': expected it without --utilities", NULL, "random", table, "--utilities", before,
                "--rho", "1");
    PBY_REFUSED(2, "--new-utilities '-': expected standard input once", NULL, "random", table, "--utilities",
                "-", "--new-utilities", "-");
}

Test(cli_random, refusals)
{
    pby_write_file(table, "a,0,1\nb,1,1\n");
    pby_write_file(other, "0,0,1\n2,1,1\n");
    PBY_REFUSED(2, "keys that are numbers", NULL, "random", table);
    PBY_REFUSED(2, "--epsilon: expected", NULL, "random", table, "--rho", "1");
    PBY_REFUSED(2, "--alpha '1': expected it without --rho", NULL, "random", table, "--rho", "1", "--alpha",
                "1");
    PBY_REFUSED(2, "--gamma '2': expected a rational from 0 to 1", NULL, "random", other, "--gamma", "2");
    PBY_REFUSED(2, "--mechanism", NULL, "random", other, "--mechanism", table, "--beta", "1");
    PBY_REFUSED(2, "--gamma1: expected at most gamma", NULL, "random", other, "--beta", "1", "--gamma1",
                "1/2");
    PBY_REFUSED(2, "expected a table", NULL, "random");
    pby_write_file(table, "0,0,1/2\n");
    PBY_REFUSED(2, "line 1, column 3: expected a key whose chances add up to 1", NULL, "random", table);
}
