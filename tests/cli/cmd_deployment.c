/* SPDX-License-Identifier: MIT */
/* The command deployment, and certify of divergences: statuses, and one line for what is refused. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/run.h"

#define FILES "tests/vectors/deployments/"
#define HEAD                                                                                            \
    "{\"format\": \"probity-deployment\", \"version\": 1, \"name\": \"d\", \"unit\": {\"neighbours\": " \
    "\"add-remove\"}, \"mechanisms\": [{\"name\": \"m\", \"spec\": \"laplace:scale=1\"}], "

Test(cli_deployment, the_status_is_that_of_the_verdicts)
{
    const pby_run *run = PBY_RUN(NULL, "deployment", "check", FILES "google-mobility.json");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->err, "");
    run = PBY_RUN(NULL, "deployment", "check", FILES "apple-lookup-hints.json");
    cr_assert_eq(run->status, 4);
    cr_assert_str_eq(run->err, "probity: 1 of 2 claims: open\n");
    run = PBY_RUN(HEAD "\"claims\": [{\"name\": \"c\", \"kind\": \"pure\", \"epsilon\": \"0.5\"}]}",
                  "deployment", "check");
    cr_assert_eq(run->status, 1);
    cr_assert_not_null(strstr(run->out, "c           does not hold: epsilon 1, claimed 0.5; as published\n"),
                       "%s", run->out);
    run = PBY_RUN(HEAD
                  "\"claims\": [{\"name\": \"c\", \"kind\": \"pure\", \"epsilon\": \"1\"}], \"not_private\": "
                  "[\"the keys\"]}",
                  "deployment", "check", "--json");
    cr_assert_eq(run->status, 4);
    cr_assert_not_null(strstr(run->out, "\"not_covered\": [\"the keys\"]"), "%s", run->out);
}

Test(cli_deployment, bad_usage_and_bad_files_are_one_line)
{
    PBY_REFUSED(2, "deployment: expected check FILE", NULL, "deployment");
    PBY_REFUSED(2, "deployment 'judge': expected check", NULL, "deployment", "judge");
    PBY_REFUSED(2, "/nowhere", NULL, "deployment", "check", "/nowhere");
    PBY_REFUSED(2, "format: not there", "{}", "deployment", "check");
    PBY_REFUSED(2, "claims[0].epsilon '-1': expected a text with a rational above 0",
                HEAD "\"claims\": [{\"name\": \"c\", \"kind\": \"pure\", \"epsilon\": \"-1\"}]}",
                "deployment", "check");
    PBY_REFUSED(2, "claims[0].member 'epsylon': expected",
                HEAD "\"claims\": [{\"name\": \"c\", \"kind\": \"pure\", \"epsylon\": \"1\"}]}", "deployment",
                "check");
}

Test(cli_deployment, a_divergence_is_certified_and_verified)
{
    static const char *const asked[][3] = {
        {"--zcdp", "--xi", "1/10"}, {"--order", "8", NULL}, {"--mu", NULL, NULL}};
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "c.json");
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char *arguments[] = {
            "certify", "3*gauss:sigma2=7", "-o",        path,
            "--quiet", asked[i][0],        asked[i][1], asked[i][1] == NULL ? NULL : asked[i][2],
            NULL};
        const pby_run *run = pby_run_command(NULL, arguments);
        cr_assert_eq(run->status, 0, "%s", run->err);
        run = PBY_RUN(NULL, "verify", path);
        cr_assert_eq(run->status, 0, "%s", run->err);
        cr_assert_not_null(strstr(run->out, "by the sum of rationals, compared exactly"), "%s", run->out);
        PBY_REFUSED(2, "expected one of epsilon and delta, of version 1", "k,n\na,1\n", "release", path);
    }
    pby_folder_remove(folder);
    PBY_REFUSED(2, "--delta '1e-6': expected none beside", NULL, "certify", "gauss:sigma2=1", "--zcdp",
                "--delta", "1e-6");
    PBY_REFUSED(2, "--xi '1': expected --zcdp beside it", NULL, "certify", "gauss:sigma2=1", "--mu", "--xi",
                "1");
    PBY_REFUSED(2, "expected --epsilon E, --zcdp, --order A or --mu", NULL, "certify", "gauss:sigma2=1");
}
