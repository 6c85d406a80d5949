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

static void make_key(const char *path)
{
    const pby_run *run = PBY_RUN(NULL, "keygen", "-o", path);
    cr_assert_eq(run->status, 0, "%s", run->err);
}

Test(cli_deployment, a_judgement_is_written_signed_and_judged_again)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], key[PBY_PATH_SIZE], public_key[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "judged.json");
    pby_folder_path(key, folder, "key");
    pby_folder_path(public_key, folder, "key.pub");
    make_key(key);
    const pby_run *run =
        PBY_RUN(NULL, "deployment", "check", FILES "meta-urls.json", "-o", path, "--sign", key);
    cr_assert_eq(run->status, 4);
    cr_assert_not_null(strstr(run->out, "1 hold, 0 do not, 3 open"), "%s", run->out);
    run = PBY_RUN(NULL, "verify", path, "--key", public_key);
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_not_null(strstr(run->out, "every claim judged again"), "%s", run->out);
    run = PBY_RUN(NULL, "verify", path, "--json");
    cr_assert_not_null(strstr(run->out, "{\"holds\": true, \"name\": \"meta-urls\""), "%s", run->out);
    PBY_REFUSED(2, "--coq 'x.v': expected it only of a certificate", NULL, "verify", path, "--coq", "x.v");
    PBY_REFUSED(2, "--sign '", NULL, "deployment", "check", FILES "meta-urls.json", "--sign", key);
    PBY_REFUSED(2, "-o '-': expected the name of a file", NULL, "deployment", "check", FILES "meta-urls.json",
                "-o", "-");
    PBY_REFUSED(2, "expected another file than the key", NULL, "deployment", "check", FILES "meta-urls.json",
                "-o", key, "--sign", key);
    PBY_REFUSED(2, "expected a secret key", NULL, "deployment", "check", FILES "meta-urls.json", "-o", path,
                "--sign", public_key);
    pby_folder_remove(folder);
}

Test(cli_deployment, a_certificate_is_about_a_deployment_that_its_signer_states)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], key[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "c.json");
    pby_folder_path(key, folder, "key");
    make_key(key);
    const pby_run *run = PBY_RUN(NULL, "certify", "laplace:scale=100/11", "--epsilon", "0.1", "--deployment",
                                 FILES "google-mobility.json", "--sign", key, "-o", path, "--quiet");
    cr_assert_eq(run->status, 0, "%s", run->err);
    run = PBY_RUN(NULL, "verify", path, "--deployment", FILES "google-mobility.json");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_not_null(strstr(run->out, "deployment  google-mobility, as the signer states it\n"), "%s",
                       run->out);
    run = PBY_RUN(NULL, "verify", path, "--json");
    cr_assert_not_null(strstr(run->out, "\"deployment\": {\"digest\": \"sha256:"), "%s", run->out);
    PBY_REFUSED(1, "deployment: the file is not the one that the certificate is about", NULL, "verify", path,
                "--deployment", FILES "meta-urls.json");
    PBY_REFUSED(1, "deployment: the certificate is about none", NULL, "verify", "tests/vectors/laplace.json",
                "--deployment", FILES "meta-urls.json");
    PBY_REFUSED(2, "expected --sign KEY beside it", NULL, "certify", "laplace:scale=1", "--epsilon", "1/2",
                "--deployment", FILES "meta-urls.json");
    PBY_REFUSED(2, "/nowhere", NULL, "certify", "laplace:scale=1", "--epsilon", "1/2", "--deployment",
                "/nowhere", "--sign", key);
    PBY_REFUSED(2, "other neighbours than the certificate", NULL, "certify", "rr:eps=1", "--epsilon", "1/2",
                "--deployment", FILES "google-mobility.json", "--sign", key);
    pby_folder_remove(folder);
}
