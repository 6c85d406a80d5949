/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/cli/run.h"

static const char *const commands[] = {"loss",   "certify", "verify",   "release", "draw",
                                       "audit",  "report",  "accuracy", "stat",    "select",
                                       "keygen", "ledger",  "explain"};

Test(main, help_lists_every_command)
{
    const pby_run *r = PBY_RUN(NULL, "--help");
    cr_assert_eq(r->status, 0);
    cr_assert_str_empty(r->err);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[32] = "\n  ";
        strcat(strcat(line, commands[i]), " ");
        cr_assert_not_null(strstr(r->out, line), "%s is not in the list", commands[i]);
    }
    cr_assert_not_null(strstr(r->out, "Exit status: 0"));
}

Test(main, help_groups_the_commands_by_task)
{
    static const char *const order[] = {"\ncompute:\n  loss ", "\ncertify and prove:\n  certify ",
                                        "\nrelease:\n  plan ", "\nlocal DP:\n",
                                        "\naudit:\n",          "\nresearch:\n"};
    const char *at = PBY_RUN(NULL, "--help")->out;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        cr_assert_not_null(at = strstr(at, order[i]), "%s", order[i]);
}

Test(main, each_command_has_a_manual_of_its_own)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char first[64] = "probity ", usage[64] = "usage: probity ";
        strcat(strcat(first, commands[i]), ": ");
        strcat(strcat(usage, commands[i]), " ");
        const pby_run *r = PBY_RUN(NULL, commands[i], "--help");
        cr_assert_eq(r->status, 0);
        cr_assert_eq(strncmp(r->out, first, strlen(first)), 0);
        cr_assert_not_null(strstr(r->out, usage));
        cr_assert_not_null(strstr(r->out, "\nexample"));
        cr_assert_eq(r->out[r->out_size - 1], '\n');
    }
}

Test(main, help_is_a_command_too)
{
    static char usage[1 << 14];
    const pby_run *r = PBY_RUN(NULL, "--help");
    cr_assert_lt(r->out_size, sizeof usage);
    strcpy(usage, r->out);
    cr_assert_str_eq(PBY_RUN(NULL, "help")->out, usage);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        strcpy(usage, PBY_RUN(NULL, commands[i], "--help")->out);
        cr_assert_str_eq(PBY_RUN(NULL, "help", commands[i])->out, usage);
    }
    PBY_REFUSED(2, "command 'los': not known; did you mean loss? expected one of loss, ", NULL, "help",
                "los");
    PBY_REFUSED(2, "argument 'draw': expected one COMMAND, not two", NULL, "help", "loss", "draw");
}

Test(main, help_wins_over_other_arguments)
{
    cr_assert_eq(PBY_RUN(NULL, "loss", "--bogus", "--help")->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "draw", "-h")->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "verify", "--", "--help")->status, 2);
}

Test(main, no_line_of_help_is_wider_than_a_page)
{
    for (size_t i = 0; i <= sizeof commands / sizeof *commands; i++) {
        const bool all = i == sizeof commands / sizeof *commands;
        const pby_run *r = PBY_RUN(NULL, all ? "--help" : commands[i], "--help");
        for (const char *line = r->out; *line != '\0'; line += strcspn(line, "\n") + 1)
            cr_assert_leq(strcspn(line, "\n"), 106, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

Test(main, tells_its_version)
{
    const pby_run *r = PBY_RUN(NULL, "--version");
    cr_assert_eq(r->status, 0);
    cr_assert_eq(strncmp(r->out, "probity ", 8), 0);
    const size_t numbers = strspn(r->out + 8, "0123456789.");
    cr_assert_geq(numbers, 5);
    cr_assert_eq(numbers + strspn(r->out + 8 + numbers, "-rc0123456789") + 9,
                 r->out_size); /* a candidate: -rc1 */
}

Test(main, refuses_what_is_no_command)
{
    cr_assert_eq(pby_run_command(NULL, (const char *const[]){NULL})->status, 2);
    PBY_REFUSED(2, "command 'los': not known; did you mean loss? expected one of loss, explain, select, ",
                NULL, "los");
    PBY_REFUSED(2, "; did you mean loss?", NULL, "los");
    PBY_REFUSED(2, "did you mean release?", NULL, "relaese");
    PBY_REFUSED(2, "did you mean --version?", NULL, "--verison");
    PBY_REFUSED(2, "command '': expected", NULL, "");
    PBY_REFUSED(2, "command 'a\\x0ab': expected", NULL, "a\nb");
    const pby_run *r = PBY_RUN(NULL, "quarterly");
    cr_assert_null(strstr(r->err, "did you mean"), "a guess that far is none: %s", r->err);
}

/* Wherever a value is one of a few names, a misspelt one is answered with the nearest. */
Test(main, suggests_a_value)
{
    PBY_REFUSED(
        2,
        "--neighbours 'substitude': expected one of add-remove, substitute, local; did you mean substitute?",
        NULL, "loss", "pure:eps=1", "--epsilon", "1", "--neighbours", "substitude");
    PBY_REFUSED(2, "did you mean exact?", NULL, "loss", "pure:eps=1", "--epsilon", "1", "--composition",
                "exat");
    PBY_REFUSED(2, "did you mean zcdp-to-approx?", NULL, "loss", "zcdp:rho=1", "--delta", "1/2",
                "--conversion", "zcdp-to-aprox");
    PBY_REFUSED(2, "did you mean median?", "a,1\n", "stat", "medain");
    PBY_REFUSED(2, "did you mean support?", NULL, "accuracy", "stlap:eps=1,q=4", "--n", "9", "--support", "1",
                "--statistic", "suport");
    PBY_REFUSED(2, "did you mean buckethist?", NULL, "select", "bukethist", "--epsilon", "1", "--delta",
                "1/2");
    PBY_REFUSED(2, "did you mean init?", NULL, "ledger", "inti", "x");
    PBY_REFUSED(2, "buckethist:outside 'clam': expected one of refuse, clamp; did you mean clamp?", NULL,
                "explain", "buckethist:eps=1,q=4,bound=1,width=1,outside=clam");
}

Test(main, fails_when_nobody_can_read_the_answer)
{
    const char *const help[] = {"--help", NULL};
    const char *const loss[] = {"loss", "geometric:eps=1", "--epsilon", "1", NULL};
    const char *const draw[] = {"draw", "geometric:eps=1", "-n", "3", NULL};
    const char *const certify[] = {"certify", "geometric:eps=1", "--epsilon", "1", NULL};
    const char *const release[] = {"release", "stlap:eps=1,q=4", NULL};
    const char *const json[] = {"draw", "geometric:eps=1", "-n", "3", "--json", NULL};
    const char *const select[] = {"select", "stlap", "--epsilon", "1", "--delta", "1/2", NULL};
    const char *const explain[] = {"explain", "geometric:eps=1", NULL};
    const char *const stat[] = {"stat", "max", NULL};
    const char *const *const all[] = {help, loss, draw, certify, release, json, select, explain, stat};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int closed = 0; closed <= 1; closed++) {
            const pby_run *r = pby_run_to(closed ? NULL : "/dev/full", "a,5\n", all[i]);
            cr_assert_eq(r->status, 3, "%s: %d, %s", all[i][0], r->status, r->err);
            cr_assert_eq(strncmp(r->err, "probity: ", 9), 0);
        }
}

/* A limit on the size of files is told like a full disk. */
Test(main, outlives_a_limit_of_the_system)
{
    char folder[PBY_PATH_SIZE], name[PBY_PATH_SIZE], out[PBY_PATH_SIZE];
    static char in[1 << 16];
    pby_folder_make(folder);
    pby_folder_path(out, folder, "out.csv");
    for (size_t i = 0; i < 5000; i++)
        sprintf(in + strlen(in), "k%zu,0\n", i);
    const struct rlimit little = {1024, RLIM_INFINITY};
    struct rlimit before;
    pby_folder_path(name, folder, "in.csv");
    pby_write_file(name, in);
    pby_write_file(out, "before");
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
    const pby_run *r = PBY_RUN(NULL, "release", "stlap:eps=1,q=4", name, "-o", out);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    cr_assert_eq(r->status, 3);
    cr_assert_str_eq(r->err, "probity: the output: File too large\n");
    cr_assert(pby_file_is(out, "before"));
    pby_folder_remove(folder);
}

/* The closed stream's number must not be taken by a file that the command opens. */
Test(main, a_closed_output_is_no_file_of_ours)
{
    char folder[PBY_PATH_SIZE], in[PBY_PATH_SIZE], out[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(in, folder, "in.csv");
    pby_folder_path(out, folder, "out.csv");
    pby_write_file(in, "a,0\n");
    const pby_run *r = pby_run_to(NULL, NULL, PBY_ARGUMENTS("release", "stlap:eps=1,q=4", in, "-o", out));
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert(pby_file_is(in, "a,0\n"));
    cr_assert(pby_file_is(out, "a,0\n"));
    pby_folder_remove(folder);
}
