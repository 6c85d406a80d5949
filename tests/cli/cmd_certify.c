/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/run.h"

#define SPEC "stlap:eps=1/2,q=40"

Test(certify_command, writes_what_verify_accepts)
{
    static char certificate[8192];
    const pby_run *r = PBY_RUN(NULL, "certify", SPEC, "--epsilon", "0.5", "--neighbours", "substitute");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"neighbours\": \"substitute\""));
    cr_assert_not_null(strstr(r->out, "\"epsilon\": \"1/2\""));
    strcpy(certificate, r->out);
    cr_assert_eq(PBY_RUN(certificate, "verify")->status, 0);
}

Test(certify_command, writes_the_same_to_a_file)
{
    static char certificate[8192];
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "c.json");
    strcpy(certificate, PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1/2", "-o", "-")->out);
    const pby_run *r = PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1/2", "-o", path);
    cr_assert_eq(r->status, 0);
    cr_assert_eq(r->out_size, 0);
    cr_assert(pby_file_is(path, certificate));
    r = PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1/2", "-o", path, "--json");
    cr_assert_eq(r->status, 0);
    cr_assert_str_eq(r->out, certificate);
    cr_assert(pby_file_is(path, certificate));
    cr_assert_str_eq(PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1/2", "--json")->out, certificate);
    pby_folder_remove(folder);
}

Test(certify_command, leaves_the_file_alone_when_it_refuses)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "c.json");
    pby_write_file(path, "before");
    PBY_REFUSED(2, "--epsilon 'x'", NULL, "certify", SPEC, "--epsilon", "x", "-o", path);
    PBY_REFUSED(2, "SPEC", NULL, "certify", "nosuch:a=1", "--epsilon", "1", "-o", path);
    cr_assert(pby_file_is(path, "before"));
    cr_assert_eq(pby_folder_entries(folder), 1);
    pby_folder_remove(folder);
}

Test(certify_command, refuses_bad_arguments_and_outputs)
{
    PBY_REFUSED(2, "certify: expected a SPEC", NULL, "certify", "--epsilon", "1");
    PBY_REFUSED(2, "certify: expected --epsilon E", NULL, "certify", SPEC);
    PBY_REFUSED(2, "certify: expected --n and --support", NULL, "certify", SPEC, "--epsilon", "1",
                "--records", "9");
    PBY_REFUSED(2, "dominating pairs", NULL, "certify", "zcdp:rho=1", SPEC, "--epsilon", "1");
    PBY_REFUSED(2, "output '/tmp': expected a file, not a folder", NULL, "certify", SPEC, "--epsilon", "1",
                "-o", "/tmp");
    PBY_REFUSED(2, "output '/nonexistent/c.json': expected", NULL, "certify", SPEC, "--epsilon", "1", "-o",
                "/nonexistent/c.json");
}

Test(certify_command, refuses_what_could_not_be_read_back)
{
    PBY_REFUSED(2, "expected at most 4096 digits", NULL, "certify", SPEC, "--epsilon", "1e5000");
    PBY_REFUSED(2, "expected at most 4096 digits", NULL, "certify", "stlap:eps=1e-5000,q=4", "--epsilon",
                "1");
}

/* Several specs compose: one form with every digit, one on a grid. */
Test(certify_command, certifies_compositions)
{
    static char certificate[8192];
    const pby_run *r = PBY_RUN(NULL, "certify", "3*geometric:eps=1/10", SPEC, "--epsilon", "1");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"spec\": \"3*geometric:eps=1/10 stlap:eps=1/2,q=40\""), "%s", r->out);
    strcpy(certificate, r->out);
    r = PBY_RUN(certificate, "verify");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "delta by the exact composition to 40 digits and by a grid"), "%s",
                       r->out);
    strcpy(certificate, PBY_RUN(NULL, "certify", "10*dgauss:sigma2=50", "--epsilon", "1")->out);
    r = PBY_RUN(certificate, "verify");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "delta by two grids"), "%s", r->out);
}

Test(certify_command, states_an_accuracy)
{
    const pby_run *r =
        PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1", "--records", "1000", "--support", "3");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"alpha\": \"3/25\""), "%s", r->out);
    r = PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1", "--n", "1000", "--support",
                "3"); /* the same by its other name */
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"alpha\": \"3/25\""), "%s", r->out);
    PBY_REFUSED(2, "--n", NULL, "certify", SPEC, "--epsilon", "1", "--n", "9", "--records", "9", "--support",
                "1");
    PBY_REFUSED(2, "the noise has no end", NULL, "certify", "geometric:eps=1", "--epsilon", "1", "--records",
                "9");
    PBY_REFUSED(2, "has an accuracy", NULL, "certify", "gauss:sigma2=1", "--epsilon", "1", "--support", "1");
    PBY_REFUSED(2, "--bucket '1': expected it with a mechanism that moves", NULL, "certify",
                "geometric:eps=1", "--epsilon", "1", "--beta", "3", "--bucket", "1");
    PBY_REFUSED(2, "--gamma '1/2': expected it with a mechanism whose noise", NULL, "certify", SPEC,
                "--epsilon", "1", "--n", "9", "--support", "1", "--gamma", "1/2");
    PBY_REFUSED(2, "--n '9': expected none", NULL, "certify", "dgauss:sigma2=1", "--epsilon", "1", "--n", "9",
                "--beta", "1");
}

Test(certify_command, states_an_accuracy_of_noise)
{
    char certificate[8192];
    strcpy(certificate, PBY_RUN(NULL, "certify", "geometric:eps=1/2", "--epsilon", "1/2", "--support", "3",
                                "--gamma", "1e-6")
                            ->out);
    const pby_run *r = PBY_RUN(certificate, "verify");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(
        strstr(r->out, "accuracy    alpha 0, beta 30, gamma 6.9294324e-07 on at most 3 bars\n"), "%s",
        r->out);
    cr_assert_not_null(strstr(r->out, "gamma by the tails of the noise to 40 digits"), "%s", r->out);
    strcpy(certificate, PBY_RUN(NULL, "certify", "dgauss:sigma2=10", "--epsilon", "1", "--beta", "16")->out);
    r = PBY_RUN(certificate, "verify", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "on at most 1 answer\""), "%s", r->out);
}

/* The usual grid leaves 100 uses above the target; a finer one shows that they are within. */
Test(certify_command, refines_until_a_target_is_met)
{
    static char certificate[8192];
    const pby_run *r = PBY_RUN(NULL, "certify", "100*dgauss:sigma2=1785", "--epsilon", "1");
    cr_assert_not_null(strstr(r->out, "\"hi\": \"1.01"), "%s", r->out);
    r = PBY_RUN(NULL, "certify", "100*dgauss:sigma2=1785", "--epsilon", "1", "--delta", "1e-6");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"hi\": \"1e-06\""), "%s", r->out);
    strcpy(certificate, r->out);
    r = PBY_RUN(certificate, "verify");
    cr_assert_eq(r->status, 0, "%s", r->err);
    strcpy(
        certificate,
        PBY_RUN(NULL, "certify", "partition:eps=1,delta=1/1000", "--epsilon", "1", "--delta", "1e-3")->out);
    cr_assert_not_null(strstr(certificate, "\"hi\": \"0.001\""), "%s", certificate);
    cr_assert_eq(PBY_RUN(certificate, "verify")->status, 0);
}

/* Grids that the losses lie on give twelve digits at once. They were written all, and a second grid as fine
 * took more memory than there is: a refusal that was called a contradiction. */
Test(certify_command, writes_no_narrower_bounds_than_the_target_needs)
{
    static char certificate[8192];
    const pby_run *r =
        PBY_RUN(NULL, "certify", "30*dgauss:sigma2=4819,sensitivity=3", "--epsilon", "1", "--delta", "1e-6");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"hi\": \"1e-06\""), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "\"lo\": \"9.89"), "%s", r->out);
    strcpy(certificate, r->out);
    r = PBY_RUN(certificate, "verify");
    cr_assert_eq(r->status, 0, "%s", r->err);
}

Test(certify_command, says_that_a_target_is_not_met)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "c.json");
    PBY_REFUSED(1, "delta of 100*dgauss:sigma2=1784 is at least 1.00137617e-06, above the target of 1e-06",
                NULL, "certify", "100*dgauss:sigma2=1784", "--epsilon", "1", "--delta", "1e-6", "-o", path);
    PBY_REFUSED(1, "delta of stlap:eps=1/2,q=40 is at least ", NULL, "certify", SPEC, "--epsilon", "1/2",
                "--delta", "1e-6", "-o", path);
    PBY_REFUSED(
        2, "--delta '1/3': expected a decimal of at most 20 digits, because none lies between this and delta",
        NULL, "certify", "partition:eps=1,delta=1/3", "--epsilon", "1", "--delta", "1/3", "-o", path);
    PBY_REFUSED(1, ", which is not shown to be within the target of 0.12384911905", NULL, "certify",
                "2*laplace:scale=2", "--epsilon", "1/2", "--delta", "0.12384911905", "-o",
                path); /* less, in the tenth digit */
    PBY_REFUSED(2, "--delta '2': expected a rational from 0 to 1", NULL, "certify", SPEC, "--epsilon", "1",
                "--delta", "2");
    cr_assert_eq(pby_folder_entries(folder), 0);
    pby_folder_remove(folder);
}

Test(certify_command, a_width_is_one_of_enclosures)
{
    PBY_REFUSED(2, "option '--width': expected --bucket", NULL, "certify", SPEC, "--epsilon", "1",
                "--records", "9", "--support", "1", "--width", "1");
    const pby_run *r = PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1", "--records", "1000", "--support", "3",
                               "--bucket", "1/2");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"beta\": \"1/4\""), "%s", r->out);
}

/* ---- pages --------------------------------------------------------------------------------------- */

/* Runs a copy of the command in FOLDER/bin, which has a page beside it or not. */
static int run_copy(const char *folder, const char *page, const char *rest)
{
    static char line[4096];
    const char *command = getenv("PROBITY") == NULL ? "build/probity" : getenv("PROBITY");
    snprintf(
        line, sizeof line,
        "mkdir -p %s/bin %s/share/probity/web && cp %s %s/bin/probity && cd %s && { [ -z '%s' ] || printf "
        "'%s' > share/probity/web/verify.html; } && bin/probity %s 2>err >out",
        folder, folder, command, folder, folder, page, page, rest);
    const int ended = system(line);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

static bool shell(const char *folder, const char *test)
{
    static char line[4096];
    snprintf(line, sizeof line, "cd %s && %s", folder, test);
    return system(line) == 0;
}

Test(certify_command, a_page_holds_the_certificate_and_what_it_says)
{
    char folder[PBY_PATH_SIZE];
    pby_folder_make(folder);
    cr_assert_eq(run_copy(folder, "<p><!--stated--><i><!--document--></p>",
                          "certify " SPEC " --epsilon 1/2 -o c.json --page c.html"),
                 0);
    cr_assert(shell(folder, "test $(grep -c . c.html) -gt 10"));
    cr_assert(shell(folder,
                    "sed 's/.*id=\"document\"[^>]*>//; s/<.script>.*//' c.html | tail -n 1 | base64 -d | "
                    "cmp - c.json"),
              "the page holds the bytes of the certificate");
    cr_assert(shell(folder,
                    "grep -q 'data-name=\"c.json\"' c.html && grep -q 'Claimed: the mechanism " SPEC
                    "' c.html && grep -q 'Nothing of it was recomputed' c.html && grep -q '<i>' c.html"));
    cr_assert_eq(run_copy(folder, "", "certify " SPEC " --epsilon 1/2 -o c.html --page c.html"), 2);
    cr_assert(shell(folder, "grep -q -- \"--page 'c.html': expected another file\" err"));
    cr_assert_eq(run_copy(folder, "", "certify " SPEC " --epsilon 1/2 -o c.json --page -"), 2);
    cr_assert(shell(folder, "rm -r *"));
    pby_folder_remove(folder);
}

Test(certify_command, a_page_is_refused_where_there_is_none_or_another)
{
    char folder[PBY_PATH_SIZE];
    pby_folder_make(folder);
    cr_assert_eq(run_copy(folder, "", "certify " SPEC " --epsilon 1/2 -o c.json --page c.html"), 3);
    cr_assert(shell(folder, "grep -q 'make web makes it' err && test ! -e c.json && test ! -e c.html"));
    cr_assert_eq(run_copy(folder, "<p>", "certify " SPEC " --epsilon 1/2 -o c.json --page c.html"), 3);
    cr_assert(shell(folder, "grep -q 'of another version' err && test ! -e c.json && test ! -e c.html"));
    cr_assert(shell(folder, "rm -r *"));
    pby_folder_remove(folder);
}
