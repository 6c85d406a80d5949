#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], table[PBY_PATH_SIZE], other[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(table, folder, "table.csv");
    pby_folder_path(other, folder, "other.csv");
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
