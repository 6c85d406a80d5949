/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/outputs.h"

/* Scores from 0 on, `shift` higher for those that were included. */
static void write_scores(const char *path, int n, int shift)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    for (int i = 0; i < n; i++)
        fprintf(file, "%d.5\n", i + shift);
    cr_assert_eq(fclose(file), 0);
}

Test(audit_canaries_command, judges_scores)
{
    char folder[PBY_PATH_SIZE], in[PBY_PATH_SIZE], out[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(in, folder, "in");
    pby_folder_path(out, folder, "out");
    write_scores(in, 1000, 500);
    write_scores(out, 1000, 0);
    const pby_run *r = PBY_RUN(NULL, "audit", "--scores", in, out, "--delta", "1e-6", "--error", "0.05");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "if the curve is Gaussian"));
    cr_assert_not_null(strstr(r->out, "as published, not proved"));
    r = PBY_RUN(NULL, "audit", "--scores", in, out, "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 1);
    cr_assert_str_eq(pby_run_member(r, "verdict"), "violation");
    cr_assert_gt(atof(pby_run_member(r, "epsilon_lower")), 3);
    r = PBY_RUN(NULL, "audit", "--scores", in, in, "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 0);
    cr_assert_str_eq(pby_run_member(r, "epsilon_lower"), "0");
    write_scores(out, 1, 0);
    r = PBY_RUN(NULL, "audit", "--scores", in, out);
    cr_assert_eq(r->status, 0);
    cr_assert_not_null(strstr(r->err, "1000 of 1001 canaries were included"));
    r = PBY_RUN(NULL, "audit", "--scores", in, out, "--epsilon", "1");
    cr_assert_eq(r->status, 4);
    cr_assert_not_null(strstr(r->err, "inconclusive: the canaries were not included by fair coins"));
    pby_folder_remove(folder);
}

Test(audit_canaries_command, judges_counts)
{
    const pby_run *r =
        PBY_RUN(NULL, "audit", "--guesses", "293", "312", "20000", "--delta", "1e-6", "--error", "1/460");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "shown       epsilon > 2.08968027 at delta 1e-06\n"));
    r = PBY_RUN(NULL, "audit", "--runs", "900", "100", "900", "100", "--epsilon", "1");
    cr_assert_eq(r->status, 1);
    cr_assert_not_null(strstr(r->err, "violation: epsilon > 1."));
    r = PBY_RUN(NULL, "audit", "--guesses", "3", "3", "3", "--epsilon", "1");
    cr_assert_eq(r->status, 4);
    cr_assert_not_null(strstr(r->err, "3 canaries are too few"));
}

/* Text of the caller is text on the page, and its numbers are those of the answer. */
Test(audit_canaries_command, writes_a_page)
{
    char folder[PBY_PATH_SIZE], in[PBY_PATH_SIZE], out[PBY_PATH_SIZE], page[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(in, folder, "in");
    pby_folder_path(out, folder, "out");
    pby_folder_path(page, folder, "page.html");
    write_scores(in, 1000, 500);
    write_scores(out, 1000, 0);
    const pby_run *r = PBY_RUN(NULL, "audit", "--scores", in, out, "--epsilon", "1", "--report", page,
                               "--name", "<b>model</b>", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    const char *text = pby_file_text(page);
    cr_expect_not_null(strstr(text, pby_run_member(r, "epsilon_lower")));
    cr_expect_not_null(strstr(text, "&lt;b&gt;model&lt;/b&gt;"));
    cr_expect_not_null(strstr(text, "scores of canaries that were left out"));
    cr_expect_not_null(strstr(text, "share that is right"));
    r = PBY_RUN(NULL, "audit", "--runs", "5", "5", "5", "5", "--report", page);
    cr_assert_eq(r->status, 0, "%s", r->err);
    text = pby_file_text(page);
    cr_expect_not_null(strstr(text, "No claim was judged"));
    cr_expect_not_null(strstr(text, "10 runs with it and 10 without"));
    pby_folder_remove(folder);
}

/* With a chance of delta all may be given away, so at such an error nothing can be refuted. */
Test(audit_canaries_command, says_where_delta_leaves_no_error)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--guesses", "1000", "1000", "1000", "--epsilon", "1",
                               "--delta", "1e-5", "--error", "1e-5");
    cr_expect_eq(r->status, 4, "%s", r->out);
    cr_expect_not_null(strstr(r->err, "no number of canaries refutes a claim of delta 1e-05"), "%s", r->err);
    r = PBY_RUN(NULL, "audit", "--guesses", "1000", "1000", "1000", "--epsilon", "1", "--delta", "1e-5",
                "--error", "5e-5");
    cr_expect_eq(r->status, 1, "%s", r->out);
}

static void refused(const pby_run *r, const char *text)
{
    cr_assert_eq(r->status, 2, "%s", r->err);
    cr_assert_not_null(strstr(r->err, text), "%s", r->err);
    cr_assert_str_eq(r->out, "");
}

Test(audit_canaries_command, refuses_bad_input)
{
    refused(PBY_RUN(NULL, "audit", "--scores", "one"), "expected IN and OUT");
    refused(PBY_RUN(NULL, "audit", "--guesses", "1", "2"), "expected CORRECT, MADE and OF");
    refused(PBY_RUN(NULL, "audit", "--guesses", "3", "2", "5"), "guesses: 3 correct of 2 made");
    refused(PBY_RUN(NULL, "audit", "--guesses", "x", "2", "5"), "CORRECT");
    refused(PBY_RUN(NULL, "audit", "--runs", "1", "2", "3"), "expected TP, FP, TN and FN");
    refused(PBY_RUN(NULL, "audit", "--runs", "1", "0", "0", "1"), "some with the canary and some without");
    refused(PBY_RUN(NULL, "audit", "--runs", "1", "1", "1", "1", "--keep", "x"),
            "it without --scores, --guesses and --runs");
    refused(PBY_RUN(NULL, "audit", "--runs", "1", "1", "1", "1", "--name", "x"), "it together with --report");
    refused(PBY_RUN(NULL, "audit", "--runs", "1", "1", "1", "1", "--report", "/nowhere/x.html"), "--report");
    refused(PBY_RUN(NULL, "audit", "--scores", "a", "--runs", "b"), "--runs");
    refused(PBY_RUN("1\nword\n", "audit", "--scores", "-", "/dev/null"), "-, line 2: score 'word'");
    refused(PBY_RUN("1\n", "audit", "--scores", "-", "-"), "OUT '-': expected a file");
    refused(PBY_RUN(NULL, "audit", "--scores", "/dev/null", "/dev/null"), "at least one canary");
}

/* The reader of Arrow files fails here, and no file without scores is taken for what it could not read. */
Test(audit_canaries_command, refuses_an_arrow_file_that_cannot_be_read)
{
    char folder[PBY_PATH_SIZE], in[PBY_PATH_SIZE], out[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(in, folder, "in");
    pby_folder_path(out, folder, "out.parquet");
    write_scores(in, 1000, 0);
    pby_write_file(out, "no table");
    refused(PBY_RUN(NULL, "audit", "--scores", in, out, "--epsilon", "1"),
            "expected an Arrow or Parquet file");
    refused(PBY_RUN(NULL, "audit", "--scores", out, in, "--epsilon", "1"),
            "expected an Arrow or Parquet file");
    pby_folder_remove(folder);
}

/* tests/schema.py holds these answers against docs/audit.schema.json. */
static void answers(const pby_run *r, const char *path)
{
    cr_assert_str_eq(r->out, pby_file_text(path), "%s: %s", path, r->out);
}

Test(audit_canaries_command, answers_in_json_are_those_of_the_schema)
{
    char folder[PBY_PATH_SIZE], in[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(in, folder, "in");
    write_scores(in, 100, 0);
    answers(PBY_RUN(NULL, "audit", "--guesses", "95", "100", "200", "--epsilon", "1", "--delta", "1e-4",
                    "--error", "0.05", "--json"),
            "tests/vectors/answers/guesses.json");
    answers(PBY_RUN(NULL, "audit", "--guesses", "100", "100", "200", "--error", "0.05", "--json"),
            "tests/vectors/answers/pure.json");
    answers(PBY_RUN(NULL, "audit", "--runs", "900", "100", "900", "100", "--epsilon", "1", "--json"),
            "tests/vectors/answers/runs.json");
    answers(PBY_RUN(NULL, "audit", "--scores", in, "/dev/null", "--epsilon", "1", "--json"),
            "tests/vectors/answers/scores.json");
    answers(PBY_RUN("0\n1\n-1\n1\n", "audit", "-", "--law", "geometric:eps=1", "--json"),
            "tests/vectors/answers/law.json");
    pby_folder_remove(folder);
}
