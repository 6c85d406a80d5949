/* SPDX-License-Identifier: MIT */
/* Budgets of work: what needs more ends with status 3 and one line that states the budget. */
#include "cli/guard.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "tests/cli/run.h"

/* A certificate of a stranger: whole, with a digest that holds, and about any spec. */
static char *forged(const char *spec)
{
    pby_error err = PBY_NO_ERROR;
    char digest[PBY_DIGEST_TEXT_SIZE];
    json_t *root = json_pack("{s:{s:s,s:s,s:s,s:s,s:s},s:{s:s,s:s},s:s,s:s,s:s,s:s,s:i}", "computed_with",
                             "arb", "2.23.0", "flint", "2.9.0", "gmp", "6.2.1", "mpfr", "4.2.0", "probity",
                             "0.2.0", "delta", "hi", "1", "lo", "0.3", "epsilon", "1", "format",
                             "probity-certificate", "neighbours", "add-remove", "spec", spec, "version", 1);
    cr_assert_not_null(root);
    cr_assert_eq(pby_certificate_digest(digest, root, &err), PBY_OK);
    cr_assert_eq(json_object_set_new(root, "digest", json_string(digest)), 0);
    char *text = pby_certificate_encode(root);
    cr_assert_not_null(text);
    json_decref(root);
    return text;
}

static char *many_parts(unsigned parts)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (unsigned i = 0; i < parts; i++)
        fprintf(out, "%sgeometric:eps=1/%u", i == 0 ? "" : " ", i + 2);
    fclose(out);
    return text;
}

/* ---- time ------------------------------------------------------------------------------------- */

Test(guard, a_certificate_of_many_parts_is_given_up)
{
    char *spec = many_parts(20000), *text = forged(spec);
    PBY_REFUSED(3, "more than 0.1 s of processor time (--seconds", text, "verify", "--seconds", "0.1");
    free(text);
    free(spec);
}

Test(guard, no_output_is_left_by_what_is_given_up)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "c.json");
    PBY_REFUSED(3, "more than 0.01 s of processor time", NULL, "certify",
                "30000*gauss:sigma2=20000,sample=1/100", "--epsilon", "1", "-o", path, "--seconds=0.01");
    cr_assert_eq(pby_folder_entries(folder), 0);
    pby_folder_remove(folder);
}

/* ---- memory: a sanitizer's own books are data of the process, and more than any limit ---------- */

#ifndef PBY_SANITIZED
Test(guard, a_short_certificate_cannot_take_all_memory)
{
    char *text = forged("noisymax:eps=700000000");
    cr_assert_lt(strlen(text), 500);
    PBY_REFUSED(3, "the work needs more than 128MiB (--memory", text, "verify", "--memory", "128MiB");
    free(text);
}

Test(guard, a_short_certificate_cannot_take_more_than_verify_has)
{
    char *text = forged("noisymax:eps=700000000 noisymax:eps=699999999 noisymax:eps=699999998");
    PBY_REFUSED(3, "the work needs more than 1GiB (--memory", text, "verify");
    free(text);
}

/* It took 14 GB once, for masses of a hundred million digits. */
Test(guard, a_steep_decay_takes_no_memory)
{
    char *text = forged("smooth:eps=1/2,decay=1/1000000,range=1000000000");
    cr_assert_eq(PBY_RUN(text, "verify", "--memory", "64MiB")->status, 0);
    free(text);
}

Test(guard, a_question_of_one_line_cannot_take_all_memory)
{
    PBY_REFUSED(3, "the work needs more than 128MiB (--memory", NULL, "loss", "noisymax:eps=700000000",
                "--epsilon", "1", "--memory", "128MiB");
}

/* The limit is the command's own: what it starts has what it was started with itself. */
Test(guard, a_command_that_is_started_is_not_bounded)
{
    const pby_run *run = PBY_RUN("1\n", "audit", "--command", "ulimit -d >&2; cat {input}; false", "--inputs",
                                 "/dev/null", "/dev/null", "-n", "1", "--epsilon", "1", "--memory", "64MiB");
    cr_assert_not_null(strstr(run->err, "unlimited\n"), "%s", run->err);
}
#endif

/* ---- the options ------------------------------------------------------------------------------ */

/* A plan that a stranger wrote may ask for bounds that take hours; whoever releases gives the data. */
Test(guard, a_plan_that_takes_hours_is_given_up)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "p.toml");
    pby_write_file(path,
                   "format = \"probity-plan\"\nversion = 1\n[budget]\nepsilon = 1\ndelta = \"1e-9000\"\n"
                   "[horizon]\ntimes = 12\n[[statistics]]\nname = \"n\"\nkind = \"count\"\n"
                   "[[statistics]]\nname = \"m\"\nkind = \"count\"\n");
    PBY_REFUSED(3, "--seconds gives it more", NULL, "plan", "check", path, "--seconds", "0.5");
    pby_folder_remove(folder);
}

/* Each took minutes to hours, and ends now when its time is over. */
Test(guard, every_command_that_computes_long_is_given_up)
{
    static const char *const asked[][9] = {
        {"loss", "1000*gauss:sigma2=4,sample=1/100", "500*stlap:eps=1/10,q=400", "--delta=1e-6",
         "--width=1e-6"},
        {"select", "stlap", "--epsilon=1/2", "--delta=1e-6", "--uses=1000"},
        {"condensed", "stlap:eps=1/1000,q=10000", "--distance=1000"},
        {"audit", "--runs", "400000000", "100000000", "400000000", "100000000", "--epsilon=1"},
        {"experiment", "figure4", "--sets=10000"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char *arguments[10] = {NULL};
        size_t n = 0;
        for (; asked[i][n] != NULL; n++)
            arguments[n] = asked[i][n];
        arguments[n] = "--seconds=0.2";
        pby_expect_refusal(3, "more than 0.2 s of processor time (--seconds gives it more)", NULL, arguments);
    }
}

Test(guard, every_value_is_checked)
{
    static const char *const seconds[] = {"x", "-1", "1e9", "", "1s", "nan"};
    static const char *const sizes[] = {"x",   "-1", "1MiB",  "2GB", "31MiB", "99999999999GiB",
                                        "GiB", "",   "1.5GiB"};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        PBY_REFUSED(2, "--seconds '", NULL, "loss", "geometric:eps=1", "--epsilon", "1", "--seconds",
                    seconds[i]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        PBY_REFUSED(2, "--memory '", NULL, "loss", "geometric:eps=1", "--epsilon", "1", "--memory", sizes[i]);
    PBY_REFUSED(2, "once, not twice", NULL, "keygen", "--seconds=1", "--seconds=2");
    PBY_REFUSED(2, "--memory ''", NULL, "keygen", "--memory", "--json");
    PBY_REFUSED(2, "'--seconds': expected an option", NULL, "prove", "--seconds", "1");
}

Test(guard, the_options_stand_anywhere_and_change_no_answer)
{
    char plain[256];
    snprintf(plain, sizeof plain, "%.255s",
             PBY_RUN(NULL, "loss", "geometric:eps=1", "--epsilon", "1/2")->out);
    const pby_run *run =
        PBY_RUN(NULL, "loss", "--memory=1GiB", "geometric:eps=1", "--seconds", "100", "--epsilon", "1/2");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert_str_eq(run->out, plain);
    cr_assert_eq(PBY_RUN(NULL, "loss", "geometric:eps=1", "--epsilon=1", "--seconds=0", "--memory=0")->status,
                 0);
    PBY_REFUSED(2, "--seconds", NULL, "loss", "geometric:eps=1", "--epsilon", "1", "--", "--seconds");
}

Test(guard, the_manual_of_a_command_states_its_limits)
{
    cr_assert_not_null(strstr(PBY_RUN(NULL, "verify", "--help")->out, "0 for no limit (60)\n"));
    cr_assert_not_null(strstr(PBY_RUN(NULL, "verify", "--help")->out, "0 for no limit (1GiB)\n"));
    cr_assert_not_null(strstr(PBY_RUN(NULL, "loss", "--help")->out, "0 for no limit (2GiB)\n"));
    cr_assert_not_null(strstr(PBY_RUN(NULL, "deployment", "--help")->out, "(600)\n"));
    static const char *const hour[] = {"loss",     "select", "certify",   "accuracy", "explain",
                                       "geometry", "random", "condensed", "audit",    "experiment"};
    for (size_t i = 0; i < sizeof hour / sizeof *hour; i++)
        cr_assert_not_null(strstr(PBY_RUN(NULL, hour[i], "--help")->out, "0 for no limit (3600)\n"), "%s",
                           hour[i]);
    cr_assert_not_null(strstr(PBY_RUN(NULL, "plan", "--help")->out, "no limit (600; release:"));
    cr_assert_not_null(strstr(PBY_RUN(NULL, "plan", "--help")->out, "(2GiB;"));
    cr_assert_not_null(strstr(PBY_RUN(NULL, "release", "--help")->out, "\n  --memory M "));
    cr_assert_null(strstr(PBY_RUN(NULL, "prove", "--help")->out, "--seconds"));
}

/* ---- commands --------------------------------------------------------------------------------- */

Test(guard, a_silent_command_is_ended)
{
    PBY_REFUSED(3, "nothing came from it for 1 s on /dev/null", NULL, "audit", "--command",
                "cat {input}; sleep 1000", "--inputs", "/dev/null", "/dev/null", "-n", "10", "--epsilon", "1",
                "--command-seconds", "1");
    PBY_REFUSED(2, "--command-seconds", NULL, "audit", "/dev/null", "/dev/null", "--epsilon", "1",
                "--command-seconds", "1");
}
