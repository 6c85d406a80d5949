/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/digest.h"
#include "tests/cli/browse.h"
#include "tests/cli/outputs.h"

Test(audit_command, tells_broken_from_correct)
{
    pby_outputs o;
    pby_outputs_begin(&o, "sparse vector 5", 0.1, 5000);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--json");
    cr_assert_eq(r->status, 1);
    cr_assert_str_eq(pby_run_member(r, "verdict"), "violation");
    cr_assert_gt(atof(pby_run_member(r, "epsilon_lower")), 1);
    cr_assert_not_null(strstr(r->err, "probity: violation"));
    pby_outputs_write(o.other, "sparse vector 5", 0.1, 0, 5000, 5000, "\n");
    r = PBY_RUN(NULL, "audit", o.left, o.other, "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 0, "other outputs on the same input: %s", r->err);
    cr_assert_str_eq(pby_run_member(r, "verdict"), "consistent");
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1");
    cr_assert_eq(r->status, 1);
    cr_assert_not_null(strstr(r->out, "verdict     violation\n"));
    cr_assert_not_null(strstr(r->out, "could see"));
    pby_folder_remove(o.folder);
}

/* Line ends of another system change nothing, and neither does a last line without one. */
Test(audit_command, carriage_returns_do_not_count)
{
    pby_outputs o;
    char before[128];
    pby_outputs_begin(&o, "randomised response", 1, 3000);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--json");
    snprintf(before, sizeof before, "%s", pby_run_member(r, "epsilon_lower"));
    pby_outputs_write(o.left, "randomised response", 1, 0, 0, 3000, "\r\n");
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--json");
    cr_assert_str_eq(pby_run_member(r, "epsilon_lower"), before);
    cr_assert_neq(atof(before), 0);
    pby_folder_remove(o.folder);
}

Test(audit_command, runs_a_command_on_two_inputs)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", "yes {input} | head -n {n}", "--inputs", "it's a",
                               "b", "-n", "500", "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_str_eq(pby_run_member(r, "verdict"), "violation");
    r = PBY_RUN(NULL, "audit", "--command", "yes {input} | head -n {n}", "--inputs", "it's a", "it's a", "-n",
                "500", "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "it's a"), "an input is one word to the shell: %s", r->out);
    r = PBY_RUN(NULL, "audit", "--command", "yes same | head -n {n} # {input}", "--inputs", "a", "b", "-n",
                "500", "--epsilon", "1");
    cr_assert_eq(r->status, 0);
}

/* A command that is the same on both inputs tells nothing of either: it was misspelt. */
Test(audit_command, a_command_must_name_its_input)
{
    PBY_REFUSED(2, "--command 'yes same | head -n {n}': expected {input} in it", NULL, "audit", "--command",
                "yes same | head -n {n}", "--inputs", "a", "b", "-n", "500", "--epsilon", "1");
    PBY_REFUSED(2, "{input}", NULL, "audit", "--command", "./mechanism {INPUT} {n}", "--inputs", "a", "b",
                "-n", "500", "--epsilon", "1");
}

/* A command that prints without end is stopped, it is told, and no process of it is left. It did not fail,
 * whatever it says when it is ended; one that ignores that nobody reads is ended too. */
Test(audit_command, a_command_that_prints_more_is_cut_off)
{
    static const char *const endless[] = {"yes {input}", "trap '' PIPE; while :; do echo {input}; done",
                                          "yes {input}; exit 7", "yes {input} | cat | sed s/x/y/"};
    char mark[64], command[256], find[256];
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        snprintf(mark, sizeof mark, "cut-off-%ld-%zu", (long)getpid(), i);
        snprintf(command, sizeof command, "%s", endless[i]);
        const pby_run *r = PBY_RUN(NULL, "audit", "--command", command, "--inputs", mark, mark, "-n", "300",
                                   "--epsilon", "1", "--json");
        cr_assert_eq(r->status, 0, "%s: %s", command, r->err);
        cr_assert_not_null(strstr(r->out, "\"samples\": 600,"));
        cr_assert_not_null(strstr(r->err, "probity: --command printed more than 300 outputs on cut-off"),
                           "%s", r->err);
        cr_assert_not_null(strstr(r->err, ": the rest was cut off\n"), "%s", r->err);
        /* what a pipeline has started ends at its next write, which is awaited for a minute */
        snprintf(find, sizeof find,
                 "for i in $(seq 600); do grep -aqs '[c]%s' /proc/[0-9]*/cmdline || exit 0; "
                 "sleep 0.1; done; exit 1",
                 mark + 1);
        cr_assert_eq(system(find), 0, "%s still runs", command);
    }
}

/* An output that did not come may have been left out because of its value. */
Test(audit_command, a_command_that_prints_less_is_inconclusive)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", "yes {input} | head -n 499", "--inputs", "a", "a",
                               "-n", "500", "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 4, "%s", r->err);
    cr_assert_str_eq(pby_run_member(r, "verdict"), "inconclusive");
    cr_assert_str_eq(pby_run_member(r, "reason"),
                     "1 outputs on the left and 1 on the right were asked for and did "
                     "not come");
    cr_assert_str_eq(r->err,
                     "probity: inconclusive: 1 outputs on the left and 1 on the right were asked for and "
                     "did not come\n");
    r = PBY_RUN(NULL, "audit", "--command", "yes {input} | head -n 499", "--inputs", "a", "b", "-n", "500",
                "--epsilon", "1");
    cr_assert_eq(r->status, 1, "what is shown is shown: %s", r->err);
    PBY_REFUSED(4, "printed none of the 500 outputs on a", NULL, "audit", "--command", "true {input}",
                "--inputs", "a", "a", "-n", "500", "--epsilon", "1");
}

/* More in one cell than there are outputs, and an output too few in them. */
Test(audit_command, impossible_counts_are_refused)
{
    static const char from[] = "\"outputs\":[300,300]";
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 1, 300);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--count-to", o.other);
    cr_assert_eq(r->status, 0, "%s", r->err);
    char *text = strdup(pby_file_text(o.other)), *outputs = strstr(text, from);
    cr_assert_not_null(outputs);
    memcpy(outputs, "\"outputs\":[300,301]", strlen(from));
    pby_write_file(o.more, text);
    PBY_REFUSED(2, "counts: expected the numbers of outputs", NULL, "audit", "--counts", o.more, "--epsilon",
                "1");
    PBY_REFUSED(2, o.more, NULL, "audit", "--counts", o.other, o.more, "--epsilon", "1");
    memcpy(outputs, from, strlen(from));
    char *cell = strstr(text, "\"cells\":[[");
    cr_assert_not_null(cell);
    cell = strchr(cell, ',') + 1;
    *cell = *cell == '9' ? '8' : (char)(*cell + 1);
    pby_write_file(o.more, text);
    PBY_REFUSED(2, "counts: expected ", NULL, "audit", "--counts", o.more, "--epsilon", "1");
    free(text);
    pby_folder_remove(o.folder);
}

/* Two dozen outputs show no epsilon of 2, and say so. */
Test(audit_command, too_few_outputs_are_inconclusive)
{
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 1, 24);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "1");
    cr_assert_eq(r->status, 4, "%s", r->err);
    cr_assert_not_null(strstr(r->out,
                              "verdict     inconclusive\nreason      24 and 24 outputs could not show an "
                              "epsilon of 2 "
                              "where 1 is claimed; about "),
                       "%s", r->out);
    cr_assert_null(strstr(r->out, "too often"), "nobody is accused: %s", r->out);
    cr_assert_eq(strncmp(r->err, "probity: inconclusive: 24 and 24 outputs", 40), 0, "%s", r->err);
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--count-to", o.other);
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN(NULL, "audit", "--counts", o.other, "--epsilon", "1");
    cr_assert_eq(r->status, 4, "%s", r->err);
    pby_folder_remove(o.folder);
}

Test(audit_command, counts_on_several_machines_are_judged_on_one)
{
    pby_outputs o;
    char report[PBY_PATH_SIZE];
    pby_outputs_begin(&o, "noisy histogram 2", 0.1, 1500);
    pby_folder_path(report, o.folder, "report.html");
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--count-to", o.other);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_empty(r->out);
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--count-to", o.more, "--epsilon", "0.1", "--json");
    cr_assert_eq(r->status, 1);
    r = PBY_RUN(NULL, "audit", "--counts", o.other, o.more, "--epsilon", "0.1", "--json", "--report", report);
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"samples\": 6000"));
    cr_assert_eq(access(report, R_OK), 0);
    pby_folder_remove(o.folder);
}

/* Unseeded: the law fails with a chance of at most 1e-10, and the other passes with one below 1e-20, which is
 * that of the lower half line of chance 1/16 alone. */
Test(audit_command, judges_a_law)
{
    pby_outputs o;
    pby_folder_make(o.folder);
    pby_folder_path(o.left, o.folder, "noise");
    const pby_run *r = PBY_RUN(NULL, "draw", "geometric:eps=1/10", "-n", "20000");
    pby_write_file(o.left, r->out);
    r = PBY_RUN(NULL, "audit", o.left, "--law", "geometric:eps=1/10", "--json", "--error", "1e-10");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(pby_run_member(r, "verdict"), "consistent");
    r = PBY_RUN(NULL, "audit", o.left, "--law", "geometric:eps=1/8");
    cr_assert_eq(r->status, 1);
    cr_assert_not_null(strstr(r->out, "verdict     violation\n"));
    PBY_REFUSED(2, "output 'x'", "x\n", "audit", "-", "--law", "geometric:eps=1");
    PBY_REFUSED(2, "law", "1\n", "audit", "-", "--law", "pure:eps=1");
    pby_folder_remove(o.folder);
}

Test(audit_command, refusals)
{
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 1, 100);
    pby_write_file(o.other, "");
    PBY_REFUSED(2, "LEFT", NULL, "audit", o.other, o.right, "--epsilon", "1");
    PBY_REFUSED(2, "RIGHT", NULL, "audit", o.left, o.other, "--epsilon", "1");
    PBY_REFUSED(2, "--epsilon", NULL, "audit", o.left, o.right);
    PBY_REFUSED(2, "--epsilon '-1'", NULL, "audit", o.left, o.right, "--epsilon", "-1");
    PBY_REFUSED(2, "--delta '1'", NULL, "audit", o.left, o.right, "--epsilon", "1", "--delta", "1");
    PBY_REFUSED(2, "--error '0'", NULL, "audit", o.left, o.right, "--epsilon", "1", "--error", "0");
    PBY_REFUSED(2, "--error '0.5'", NULL, "audit", o.left, o.right, "--epsilon", "1", "--error", "0.5");
    PBY_REFUSED(2, "--error '1e-400'", NULL, "audit", o.left, o.right, "--epsilon", "1", "--error", "1e-400");
    PBY_REFUSED(2, "RIGHT", NULL, "audit", o.left, "--epsilon", "1");
    PBY_REFUSED(2, "'x'", NULL, "audit", o.left, o.right, "x", "--epsilon", "1");
    PBY_REFUSED(2, "standard input is LEFT", "", "audit", "-", "-", "--epsilon", "1");
    PBY_REFUSED(2, "nowhere", NULL, "audit", o.left, "nowhere", "--epsilon", "1");
    PBY_REFUSED(2, "not a folder", NULL, "audit", o.left, o.folder, "--epsilon", "1");
    PBY_REFUSED(2, "-n N", NULL, "audit", "--command", "cat {input}", "--inputs", o.left, o.right,
                "--epsilon", "1");
    PBY_REFUSED(2, "ended with status 7", NULL, "audit", "--command", "exit 7 # {input}", "--inputs", "a",
                "b", "-n", "5", "--epsilon", "1");
    PBY_REFUSED(2, "--inputs", NULL, "audit", o.left, o.right, "--inputs", "--epsilon", "1");
    PBY_REFUSED(2, "--state", NULL, "audit", o.left, o.right, "--state", "s", "--epsilon", "1");
    PBY_REFUSED(2, "--count-to", NULL, "audit", o.left, o.right, "--epsilon", "1", "--sequential",
                "--count-to", "c");
    PBY_REFUSED(2, "not both", NULL, "audit", "--counts", o.left, "--law", "geometric:eps=1", "--epsilon",
                "1");
    PBY_REFUSED(2, "counts", NULL, "audit", "--counts", o.left, "--epsilon", "1");
    PBY_REFUSED(2, "--report: output '/nowhere/a.html': expected a file that can be written", NULL, "audit",
                o.left, o.right, "--epsilon", "1", "--report", "/nowhere/a.html");
    /* known before an input is read */
    PBY_REFUSED(2, "--report: output '/nowhere/a.html': expected a file that can be written", NULL, "audit",
                "/missing", "/missing", "--epsilon", "1", "--report", "/nowhere/a.html");
    PBY_REFUSED(2, "--count-to: output '/nowhere/a': expected a file that can be written", NULL, "audit",
                "/missing", "/missing", "--count-to", "/nowhere/a");
    PBY_REFUSED(2, "--count-to: output '/nowhere/counts': expected a file that can be written", NULL, "audit",
                o.left, o.right, "--epsilon", "1", "--count-to", "/nowhere/counts");
    PBY_REFUSED(4, "inconclusive: expected at least 1000", NULL, "audit", o.left, o.right, "--epsilon", "1",
                "--sequential");
    pby_folder_remove(o.folder);
}

/* The answer names the kinds that were judged; an unknown name is refused before anything is read. */
Test(audit_command, judges_by_the_kinds_of_event_that_are_asked_for)
{
    pby_outputs o;
    pby_outputs_begin(&o, "floating laplace", 0.1, 20000);
    const pby_run *r =
        PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--features", "-tail,-value");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "features    output, shape, order, bits, score\n"), "%s", r->out);
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--features", "tail", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"features\": [\"tail\"]"), "%s", r->out);
    cr_assert_null(strstr(r->out, "\"kind\": \"bits\""));
    PBY_REFUSED(2,
                "--features 'vaule': expected one of output, shape, order, value, tail, bits, score; did you "
                "mean value?",
                NULL, "audit", "/missing", "/missing", "--epsilon", "1", "--features", "tail,vaule");
    PBY_REFUSED(2, "--features 'tail': expected it without --law", NULL, "audit", o.left, "--law",
                "geometric:eps=1", "--features", "tail");
    pby_folder_remove(o.folder);
}

/* A claim is shown as it was typed, not as a fraction of long numbers. */
Test(audit_command, shows_the_claim_as_a_decimal)
{
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 1, 100);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "10", "--delta",
                               "1.4726618650060221602e-05", "--report", o.other);
    cr_assert_eq(r->status, 4, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "claim       epsilon 10, delta 1.4726618650060221602e-05\n"), "%s",
                       r->out);
    cr_assert_not_null(
        strstr(pby_file_text(o.other), "<td>epsilon 10, delta 1.4726618650060221602e-05</td>"));
    pby_folder_remove(o.folder);
}

/* NaN is a word like any other, an empty line a suppressed output, and bytes are bytes. */
Test(audit_command, odd_outputs_are_outputs)
{
    pby_outputs o;
    pby_folder_make(o.folder);
    pby_folder_path(o.left, o.folder, "left");
    pby_folder_path(o.right, o.folder, "right");
    char text[4000], *at = text;
    for (int i = 0; i < 400; i++)
        at += sprintf(at, i % 3 == 0 ? "NaN\n" : i % 3 == 1 ? "\n" : "\xff\xfe\x01,1\n");
    pby_write_file(o.left, text);
    at = text;
    for (int i = 0; i < 400; i++)
        at += sprintf(at, i % 2 == 0 ? "\n" : "\xff\xfe\x01,1\n");
    pby_write_file(o.right, text);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    json_t *object = json_loads(r->out, 0, NULL);
    const char *event = json_string_value(json_object_get(json_object_get(object, "event"), "text"));
    cr_assert_not_null(strstr(event, "NaN"), "%s", event);
    json_decref(object);
    pby_folder_remove(o.folder);
}

/* The report names what was read with its digest, and with a date that is fixed it is the same again. */
Test(audit_command, the_report_can_be_made_again)
{
    pby_outputs o;
    pby_digest digest;
    pby_outputs_begin(&o, "noisy histogram 2", 0.1, 1000);
    cr_assert_eq(setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
    const pby_run *r =
        PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--report", o.other, "--name", "Theirs");
    cr_assert_eq(r->status, 1, "%s", r->err);
    char *page = strdup(pby_file_text(o.other));
    cr_assert_not_null(strstr(page, "Privacy audit of <strong>Theirs</strong>, 2023-11-14 22:13 UTC"));
    FILE *in = fopen(o.left, "r");
    cr_assert(pby_digest_file(&digest, fileno(in)));
    fclose(in);
    cr_assert_not_null(strstr(page, digest.sha256), "the digest of %s", o.left);
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--report", o.other, "--name", "Theirs");
    cr_assert_eq(r->status, 1);
    cr_assert_str_eq(pby_file_text(o.other), page);
    free(page);
    cr_assert_eq(setenv("SOURCE_DATE_EPOCH", "yesterday", 1), 0);
    PBY_REFUSED(2, "SOURCE_DATE_EPOCH 'yesterday'", NULL, "audit", o.left, o.right, "--epsilon", "0.1",
                "--report", o.other);
    PBY_REFUSED(2, "--name 'x': expected it together with --report", NULL, "audit", o.left, o.right,
                "--epsilon", "0.1", "--name", "x");
    pby_folder_remove(o.folder);
}

/* The outputs of a command can be judged again, and the report has their digest. */
Test(audit_command, keeps_the_outputs_of_a_command)
{
    pby_outputs o;
    char kept[2][PBY_PATH_SIZE], folder[PBY_PATH_SIZE], verdict[PBY_PATH_SIZE];
    pby_digest digest;
    pby_outputs_begin(&o, "noisy histogram 2", 0.1, 1000);
    pby_folder_make(folder);
    pby_folder_path(verdict, folder, "verdict.json");
    pby_folder_path(kept[0], folder, "left.txt");
    pby_folder_path(kept[1], folder, "right.txt");
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", "cat {input} {input}", "--inputs", o.left, o.right,
                               "-n", "1000", "--epsilon", "0.1", "--keep", folder, "--json", "--report",
                               o.other);
    cr_assert_eq(r->status, 1, "%s", r->err);
    char *first = strdup(r->out);
    cr_assert(pby_file_is(kept[0], pby_file_text(o.left)),
              "a thousand lines, and not those that were cut off");
    cr_assert(pby_file_is(kept[1], pby_file_text(o.right)));
    r = PBY_RUN(NULL, "audit", kept[0], kept[1], "--epsilon", "0.1", "--json");
    cr_assert_str_eq(r->out, first);
    free(first);
    FILE *in = fopen(kept[1], "r");
    cr_assert(pby_digest_file(&digest, fileno(in)));
    fclose(in);
    cr_assert_not_null(strstr(pby_file_text(o.other), digest.sha256));
    json_t *written = json_load_file(verdict, 0, NULL), *printed = json_loads(r->out, 0, NULL);
    cr_assert(json_is_object(written) && json_equal(written, printed));
    json_decref(written);
    json_decref(printed);
    cr_assert_eq(remove(kept[0]) + remove(kept[1]) + remove(verdict), 0);
    PBY_REFUSED(2, "ended with status 7", NULL, "audit", "--command", "cat {input}; exit 7", "--inputs",
                o.left, o.right, "-n", "1000", "--epsilon", "0.1", "--keep", folder);
    cr_assert_eq(pby_folder_entries(folder), 0, "of a command that failed nothing is kept");
    PBY_REFUSED(2, "--keep: output '/nowhere/left.txt': expected a file that can be written", NULL, "audit",
                "--command", "cat {input}", "--inputs", o.left, o.right, "-n", "1000", "--epsilon", "0.1",
                "--keep", "/nowhere");
    PBY_REFUSED(2, "--keep", NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--keep", folder);
    PBY_REFUSED(2, "--keep '': expected a folder", NULL, "audit", "--command", "cat {input}", "--inputs",
                o.left, o.right, "-n", "10", "--epsilon", "0.1", "--keep=");
    pby_folder_remove(folder);
    pby_folder_remove(o.folder);
}

/* The page as a browser sees it. */
Test(audit_command, the_report_opens_in_a_browser)
{
    pby_outputs o;
    char report[PBY_PATH_SIZE];
    pby_outputs_begin(&o, "noisy histogram 2", 0.1, 1000);
    pby_folder_path(report, o.folder, "report.html");
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--report", report);
    cr_assert_eq(r->status, 1, "%s", r->err);
    const char *dom = pby_browse(o.folder, report, 1200);
    cr_assert_not_null(strstr(dom, "Violation: the claim is refuted"), "%.200s", dom);
    cr_assert_not_null(strstr(dom, "<svg"));
    cr_assert_not_null(strstr(dom, "<polyline class=\"claimed\""));
    pby_folder_remove(o.folder);
}

Test(audit_command, the_report_is_readable_at_420_pixels)
{
    pby_outputs o;
    char report[PBY_PATH_SIZE];
    pby_outputs_begin(&o, "floating laplace", 0.1, 6000);
    pby_folder_path(report, o.folder, "report.html");
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--report", report);
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_eq(pby_readable_on_a_phone(o.folder, PBY_ARGUMENTS("report.html")), 1);
    pby_folder_remove(o.folder);
}

Test(audit_command, a_claim_of_rho_or_mu)
{
    const char *const l = "tests/vectors/absent-left.txt";
    PBY_REFUSED(2, "--mu '0': expected a rational above 0 and at most 14", NULL, "audit", l, l, "--mu", "0");
    PBY_REFUSED(2, "--epsilon '1': expected no other claim beside --rho or --mu", NULL, "audit", l, l,
                "--rho", "1", "--epsilon", "1");
    PBY_REFUSED(2, "--mu '1': expected no other claim beside --rho or --mu", NULL, "audit", l, l, "--rho",
                "1", "--mu", "1");
    PBY_REFUSED(2, "--rho '1': expected it without --law", NULL, "audit", l, "--law", "geometric:eps=1",
                "--rho", "1");
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", "seq {n} | awk -v x={input} '{ print x }'",
                               "--inputs", "3", "4", "-n", "2000", "--mu", "1");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "claim       mu 1\n            judged at epsilon "), "%s", r->out);
}
