#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/audit/mechanisms.h"
#include "tests/cli/run.h"

/* A folder with the outputs of a mechanism on two inputs, in the files left and right. */
struct outputs {
    char folder[PBY_PATH_SIZE], left[PBY_PATH_SIZE], right[PBY_PATH_SIZE], other[PBY_PATH_SIZE],
        more[PBY_PATH_SIZE];
};

static void write_outputs(const char *path, const char *name, double epsilon, int side, size_t from, size_t n,
                          const char *newline)
{
    FILE *out = fopen(path, "w");
    char line[SPECIMEN_LINE];
    specimen_random *random = specimen_random_new(81 + (uint64_t)side);
    cr_assert_not_null(out);
    for (size_t i = 0; i < from + n; i++) {
        specimen_find(name)->output(line, side, epsilon, random);
        if (i >= from)
            fprintf(out, "%s%s", line, newline);
    }
    fclose(out);
    specimen_random_free(random);
}

static void begin(struct outputs *o, const char *name, double epsilon, size_t n)
{
    pby_folder_make(o->folder);
    pby_folder_path(o->left, o->folder, "left");
    pby_folder_path(o->right, o->folder, "right");
    pby_folder_path(o->other, o->folder, "other");
    pby_folder_path(o->more, o->folder, "more");
    write_outputs(o->left, name, epsilon, 0, 0, n, "\n");
    write_outputs(o->right, name, epsilon, 1, 0, n, "\n");
}

static const char *member(const pby_run *r, const char *key)
{
    static char text[256];
    json_t *object = json_loads(r->out, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(object, "%.200s", r->out);
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(text, sizeof text, "%s", value == NULL ? "" : value);
    json_decref(object);
    return text;
}

Test(audit_command, tells_broken_from_correct)
{
    struct outputs o;
    begin(&o, "sparse vector 5", 0.1, 5000);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--json");
    cr_assert_eq(r->status, 1);
    cr_assert_str_eq(member(r, "verdict"), "violation");
    cr_assert_gt(atof(member(r, "epsilon_lower")), 1);
    cr_assert_not_null(strstr(r->err, "probity: violation"));
    r = PBY_RUN(NULL, "audit", o.left, o.left, "--epsilon", "0.1", "--json");
    cr_assert_eq(r->status, 0);
    cr_assert_str_eq(member(r, "verdict"), "consistent");
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1");
    cr_assert_eq(r->status, 1);
    cr_assert_not_null(strstr(r->out, "verdict     violation\n"));
    cr_assert_not_null(strstr(r->out, "could see"));
    pby_folder_remove(o.folder);
}

/* Line ends of another system change nothing, and neither does a last line without one. */
Test(audit_command, carriage_returns_do_not_count)
{
    struct outputs o;
    char before[128];
    begin(&o, "randomised response", 1, 3000);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--json");
    snprintf(before, sizeof before, "%s", member(r, "epsilon_lower"));
    write_outputs(o.left, "randomised response", 1, 0, 0, 3000, "\r\n");
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--json");
    cr_assert_str_eq(member(r, "epsilon_lower"), before);
    cr_assert_neq(atof(before), 0);
    pby_folder_remove(o.folder);
}

Test(audit_command, runs_a_command_on_two_inputs)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", "yes {input} | head -n {n}", "--inputs", "it's a",
                               "b", "-n", "500", "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_str_eq(member(r, "verdict"), "violation");
    r = PBY_RUN(NULL, "audit", "--command", "yes {input} | head -n {n}", "--inputs", "it's a", "it's a", "-n",
                "500", "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "it's a"), "an input is one word to the shell: %s", r->out);
    r = PBY_RUN(NULL, "audit", "--command", "yes same | head -n {n}", "--inputs", "a", "b", "-n", "500",
                "--epsilon", "1");
    cr_assert_eq(r->status, 0);
}

Test(audit_command, counts_on_several_machines_are_judged_on_one)
{
    struct outputs o;
    char report[PBY_PATH_SIZE];
    begin(&o, "noisy histogram 2", 0.1, 1500);
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

/* Stopped and resumed, a sequence ends where one run would have ended. */
Test(audit_command, a_sequence_resumes)
{
    struct outputs o;
    char state[PBY_PATH_SIZE];
    begin(&o, "randomised response", 0.5, 12000);
    pby_folder_path(state, o.folder, "state");
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.3", "--sequential", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    char *whole = strdup(r->out);
    write_outputs(o.left, "randomised response", 0.5, 0, 0, 1234, "\n");
    write_outputs(o.right, "randomised response", 0.5, 1, 0, 1234, "\n");
    write_outputs(o.other, "randomised response", 0.5, 0, 1234, 10766, "\n");
    write_outputs(o.more, "randomised response", 0.5, 1, 1234, 10766, "\n");
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.3", "--sequential", "--state", state,
                "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    PBY_REFUSED(2, "--state", NULL, "audit", o.other, o.more, "--epsilon", "0.4", "--sequential", "--state",
                state);
    r = PBY_RUN(NULL, "audit", o.other, o.more, "--epsilon", "0.3", "--sequential", "--state", state,
                "--json");
    cr_assert_eq(r->status, 1);
    cr_assert_str_eq(r->out, whole);
    r = PBY_RUN(NULL, "audit", o.other, o.more, "--epsilon", "0.3", "--sequential", "--state", state,
                "--json");
    cr_assert_eq(r->status, 1, "what was shown stays shown");
    cr_assert_str_eq(r->out, whole);
    free(whole);
    pby_folder_remove(o.folder);
}

Test(audit_command, judges_a_law)
{
    struct outputs o;
    pby_folder_make(o.folder);
    pby_folder_path(o.left, o.folder, "noise");
    const pby_run *r = PBY_RUN(NULL, "draw", "geometric:eps=1/10", "-n", "20000");
    pby_write_file(o.left, r->out);
    r = PBY_RUN(NULL, "audit", o.left, "--law", "geometric:eps=1/10", "--json", "--error", "1e-9");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(member(r, "verdict"), "consistent");
    r = PBY_RUN(NULL, "audit", o.left, "--law", "geometric:eps=1/8");
    cr_assert_eq(r->status, 1);
    cr_assert_not_null(strstr(r->out, "verdict     violation\n"));
    PBY_REFUSED(2, "output 'x'", "x\n", "audit", "-", "--law", "geometric:eps=1");
    PBY_REFUSED(2, "law", "1\n", "audit", "-", "--law", "pure:eps=1");
    pby_folder_remove(o.folder);
}

/* Our own release on two neighbouring histograms keeps what its certificate says. */
Test(audit_command, our_own_release_keeps_its_promise)
{
    const char *named = getenv("PROBITY");
    char *command = realpath(named != NULL ? named : "build/probity", NULL), script[2 * PBY_PATH_SIZE];
    cr_assert_not_null(command);
    snprintf(script, sizeof script,
             "'%.300s' draw stlap:eps=1/2,q=40 -n {n} | awk -v x={input} '{ y = $1 + x; print (y > 0 ? y : "
             "0) }'",
             command);
    free(command);
    const pby_run *r =
        PBY_RUN(NULL, "audit", "--command", script, "--inputs", "60", "61", "-n", "50000", "--epsilon", "1/2",
                "--delta", "1.5e-5", "--error", "1e-9", "--certified", "stlap:eps=1/2,q=40", "--json");
    cr_assert_eq(r->status, 0, "%s %s", r->err, r->out);
    r = PBY_RUN(NULL, "audit", "--command", script, "--inputs", "60", "63", "-n", "50000", "--epsilon", "1/2",
                "--delta", "1.5e-5", "--json");
    cr_assert_eq(r->status, 1, "three records are more than one");
}

Test(audit_command, refusals)
{
    struct outputs o;
    begin(&o, "randomised response", 1, 100);
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
    PBY_REFUSED(2, "ended with status 7", NULL, "audit", "--command", "exit 7", "--inputs", "a", "b", "-n",
                "5", "--epsilon", "1");
    PBY_REFUSED(2, "--inputs", NULL, "audit", o.left, o.right, "--inputs", "--epsilon", "1");
    PBY_REFUSED(2, "--state", NULL, "audit", o.left, o.right, "--state", "s", "--epsilon", "1");
    PBY_REFUSED(2, "--count-to", NULL, "audit", o.left, o.right, "--epsilon", "1", "--sequential",
                "--count-to", "c");
    PBY_REFUSED(2, "not both", NULL, "audit", "--counts", o.left, "--law", "geometric:eps=1", "--epsilon",
                "1");
    PBY_REFUSED(2, "counts", NULL, "audit", "--counts", o.left, "--epsilon", "1");
    PBY_REFUSED(2, "1000", NULL, "audit", o.left, o.right, "--epsilon", "1", "--sequential");
    pby_folder_remove(o.folder);
}

/* NaN is a word like any other, an empty line a suppressed output, and bytes are bytes. */
Test(audit_command, odd_outputs_are_outputs)
{
    struct outputs o;
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

/* The page as a browser sees it, where there is one. */
Test(audit_command, the_report_opens_in_a_browser)
{
    static const char browser[] = "/usr/bin/chromium";
    struct outputs o;
    char report[PBY_PATH_SIZE], command[4 * PBY_PATH_SIZE], dom[1 << 16];
    if (access(browser, X_OK) != 0)
        return;
    begin(&o, "noisy histogram 2", 0.1, 1000);
    pby_folder_path(report, o.folder, "report.html");
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.1", "--report", report);
    cr_assert_eq(r->status, 1, "%s", r->err);
    snprintf(command, sizeof command,
             "timeout 60 %s --headless --no-sandbox --disable-gpu --user-data-dir='%s/profile' --dump-dom "
             "'file://%s' 2>/dev/null; "
             "rm -rf '%s/profile'",
             browser, o.folder, report, o.folder);
    FILE *page = popen(command, "r");
    cr_assert_not_null(page);
    dom[fread(dom, 1, sizeof dom - 1, page)] = '\0';
    pclose(page);
    if (strlen(dom) > 100) { /* a browser that cannot start says nothing about the page */
        cr_assert_not_null(strstr(dom, "Violation: the claim is refuted"));
        cr_assert_not_null(strstr(dom, "<svg"));
        cr_assert_not_null(strstr(dom, "<polyline class=\"claimed\""));
    }
    pby_folder_remove(o.folder);
}
