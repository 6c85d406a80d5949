/* SPDX-License-Identifier: MIT */
/* Slips of those who audit, each of which would turn a verdict: what is not the mechanism's doing convicts
 * nobody, and the same data twice acquit nobody. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/audit/mechanisms.h"
#include "tests/cli/outputs.h"

enum { OUTPUTS = 3000 };

/* Randomised response in CSV, behind the number of its run. */
static void write_runs(const char *path, const char *header, int side, int first)
{
    FILE *out = fopen(path, "w");
    char line[SPECIMEN_LINE];
    specimen_random *random = specimen_random_new(7 + (uint64_t)side);
    cr_assert_not_null(out);
    fputs(header, out);
    for (int i = 0; i < OUTPUTS; i++) {
        specimen_find("randomised response")->output(line, side, 1, random);
        fprintf(out, "%d,%s\r\n", first + i, line);
    }
    fclose(out);
    specimen_random_free(random);
}

static pby_outputs o;

static void begin(void)
{
    pby_outputs_begin(&o, "randomised response", 1, OUTPUTS);
}

static void end(void)
{
    pby_folder_remove(o.folder);
}

/* A header is no output, the number of the run is named, and without it the mechanism passes. */
Test(audit_slips, columns_are_chosen_by_the_header, .init = begin, .fini = end)
{
    write_runs(o.left, "run,noisy_answer\r\n", 0, 1);
    write_runs(o.right, "\xef\xbb\xbfrun,noisy_answer\r\n", 1, 1 + OUTPUTS);
    const pby_run *r =
        PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "1", "--json", "--report", o.other);
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_not_null(strstr(pby_file_text(o.other), "<strong>Warning:</strong> column"));
    cr_assert_not_null(strstr(r->out, "\"samples\": 6000,"), "%.300s", r->out);
    cr_assert_not_null(strstr(r->err, "probity: warning: column 'run': no value occurs twice"), "%s", r->err);
    cr_assert_not_null(strstr(r->err, "--columns noisy_answer\n"), "%s", r->err);
    cr_assert_not_null(strstr(pby_run_member(r, "warning"), "column 'run'"));
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "1", "--columns", "noisy_answer", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_empty(r->err);
    cr_assert_not_null(strstr(r->out, "\"samples\": 6000,"));
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "1", "--columns", "run");
    cr_assert_not_null(strstr(r->err, "warning: column 'run'"), "%s", r->err);
    PBY_REFUSED(2, "noisy_answer", NULL, "audit", o.left, o.right, "--epsilon", "1", "--columns", "noisy");
    PBY_REFUSED(2, "each column once", NULL, "audit", o.left, o.right, "--epsilon", "1", "--columns",
                "run,run");
}

/* A command prints a header too, which is none of its N outputs. */
Test(audit_slips, a_command_may_print_a_header, .init = begin, .fini = end)
{
    write_runs(o.left, "run,noisy_answer\n", 0, 1);
    write_runs(o.right, "run,noisy_answer\n", 1, 1);
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", "cat {input}", "--inputs", o.left, o.right, "-n",
                               "3000", "--epsilon", "1", "--columns", "noisy_answer", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"samples\": 6000,"), "%.300s", r->out);
    cr_assert_str_empty(r->err, "nothing is cut off, and nothing missing");
}

/* Runs that are numbered alike on both sides tell nothing apart, and words are no header. */
Test(audit_slips, honest_outputs_raise_no_warning, .init = begin, .fini = end)
{
    write_runs(o.left, "", 0, 1);
    write_runs(o.right, "", 1, 1);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "1", "--features", "value");
    cr_assert_str_empty(r->err, "%s", r->err);
    pby_write_file(o.left, "yes\nno\nyes\n");
    pby_write_file(o.right, "yes\nyes\nno\n");
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "1", "--json");
    cr_assert_not_null(strstr(r->out, "\"samples\": 6,"), "%.300s", r->out);
    pby_write_file(o.left, "1,2\n3,4\n");
    PBY_REFUSED(2, "to name its columns in the first line", NULL, "audit", o.left, o.right, "--epsilon", "1",
                "--columns", "a");
}

/* Refuses a file by another name, and a copy of it; outputs that never change may be the same honestly. */
Test(audit_slips, the_same_outputs_twice_are_refused, .init = begin, .fini = end)
{
    PBY_REFUSED(2, "not the file of LEFT again", NULL, "audit", o.left, o.left, "--epsilon", "1");
    char *text = strdup(pby_file_text(o.left));
    pby_write_file(o.other, text);
    free(text);
    PBY_REFUSED(2, "not those of LEFT again", NULL, "audit", o.left, o.other, "--epsilon", "1");
    PBY_REFUSED(2, "does it use a fixed seed?", NULL, "audit", "--command", "seq {n} # {input}", "--inputs",
                "a", "b", "-n", "100", "--epsilon", "1");
    PBY_REFUSED(2, "not the same file twice", NULL, "audit", "--command", "cat {input}", "--inputs", o.left,
                o.left, "-n", "100", "--epsilon", "1");
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", "yes 3 | head -n {n} # {input}", "--inputs", "a",
                               "b", "-n", "1000", "--epsilon", "1");
    cr_assert_eq(r->status, 0, "%s", r->err);
}

/* Inputs of a release, and what a refusal of them says; "" where they are neighbours. */
static const struct {
    const char *spec, *neighbours, *left, *right, *says;
} inputs[] = {
    {"stlap:eps=1,q=40", "add-remove", "a,60\nb,17\n", "a,80\nb,17\n", "differ by 1 in all"},
    {"stlap:eps=1,q=40", "add-remove", "a,60\nb,17\n", "a,61\nb,17\n", ""},
    {"stlap:eps=1,q=40", "add-remove", "a,60\nb,17\n", "a,60\nb,17\n", "not the same data"},
    {"stlap:eps=1,q=40", "add-remove", "a,60\nb,17\n", "b,17\na,61\n", "in the same order"},
    {"stlap:eps=1,q=40", "add-remove", "a,60\nb,17\n", "a,60\nb,17\nc,1\n", "an empty bar with the count 0"},
    {"stlap:eps=1,q=40", "substitute", "a,60\nb,17\n", "a,61\nb,17\n", "one record changed"},
    {"stlap:eps=1,q=40", "substitute", "a,60\nb,17\n", "a,61\nb,16\n", ""},
    {"threshold:eps=1,T=20", "add-remove", "a,60\n", "b,1\na,60\n", ""},
    {"threshold:eps=1,T=20", "add-remove", "a,60\n", "b,2\na,60\n", "differ by 1 in all"},
    {"geometric:eps=1,sensitivity=3", "add-remove", "a,60\nb,1\n", "a,62\nb,0\n", ""},
    {"geometric:eps=1,sensitivity=3", "add-remove", "a,60\nb,1\n", "a,64\nb,1\n", "at most 3 in all"},
    {"exponential:eps=1", "add-remove", "a,1\nb,2\n", "a,2\nb,1\n", ""},
    {"exponential:eps=1", "add-remove", "a,1\nb,2\n", "a,5/2\nb,2\n", "more than the sensitivity, 1"},
    {"buckethist:eps=1,q=40,bound=100,width=10", "add-remove", "1\n2\n", "2\n1\n3\n", ""},
    {"buckethist:eps=1,q=40,bound=100,width=10", "add-remove", "1\n2\n", "2\n3\n", "one line"},
    {"buckethist:eps=1,q=40,bound=100,width=10", "substitute", "1\n2\n", "2\n3\n", ""},
    {"rr:eps=1", "local", "1\n0\n", "1\n1\n", ""},
    {"rr:eps=1", "local", "1\n0\n", "0\n1\n", "one user's answer changed"},
};

Test(audit_slips, inputs_of_releases_are_neighbours, .init = begin, .fini = end)
{
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        pby_write_file(o.left, inputs[i].left);
        pby_write_file(o.right, inputs[i].right);
        const pby_run *r = PBY_RUN(NULL, "audit", "--release", inputs[i].spec, "--neighbours",
                                   inputs[i].neighbours, "--inputs", o.left, o.right, "-n", "10", "--epsilon",
                                   "100");
        if (inputs[i].says[0] == '\0')
            cr_assert_neq(r->status, 2, "%zu: %s", i, r->err);
        else
            cr_assert(r->status == 2 && strstr(r->err, inputs[i].says) != NULL &&
                          strstr(r->err, "expected a neighbour of ") != NULL,
                      "%zu: %d %s", i, r->status, r->err);
    }
}

/* 500 canaries on each side whose scores have the wrong sign. */
Test(audit_slips, a_turned_sign_is_told, .init = begin, .fini = end)
{
    FILE *in = fopen(o.left, "w"), *out = fopen(o.right, "w");
    for (int i = 0; i < 500; i++) {
        fprintf(in, "%d\n", i);
        fprintf(out, "%d\n", i + 200);
    }
    fclose(in);
    fclose(out);
    const pby_run *r = PBY_RUN(NULL, "audit", "--scores", o.left, o.right, "--epsilon", "1");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->err, "fewer than half: the sign of the scores may be turned"), "%s", r->err);
    r = PBY_RUN(NULL, "audit", "--scores", o.right, o.left, "--epsilon", "1");
    cr_assert_null(strstr(r->err, "sign"), "%s", r->err);
    r = PBY_RUN(NULL, "audit", "--guesses", "195", "500", "1000", "--epsilon", "1");
    cr_assert_not_null(strstr(r->err, "warning: 195 of 500 guesses are right, fewer than half"), "%s",
                       r->err);
    r = PBY_RUN(NULL, "audit", "--guesses", "240", "500", "1000", "--epsilon", "1");
    cr_assert_str_empty(r->err, "no more than chance: %s", r->err);
}

/* A command that fails on both inputs says why once; what it says on the right alone is said. */
Test(audit_slips, a_failing_command_says_why_once)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", "echo 'Traceback of {input}' >&2; exit 3",
                               "--inputs", "a", "b", "-n", "100", "--epsilon", "1");
    cr_assert_eq(r->status, 2);
    const char *first = strstr(r->err, "Traceback");
    cr_assert_not_null(first, "%s", r->err);
    cr_assert_null(strstr(first + 1, "Traceback"), "%s", r->err);
    r = PBY_RUN(NULL, "audit", "--command",
                "[ {input} = a ] || { echo Traceback >&2; exit 3; }; yes | head -n {n}", "--inputs", "a", "b",
                "-n", "100", "--epsilon", "1");
    cr_assert(r->status == 2 && strstr(r->err, "Traceback\n") != NULL, "%s", r->err);
}
