/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/run/state.h"
#include "tests/cli/outputs.h"
#include "tests/edits.h"

/* Stopped and resumed, a sequence ends where one run would have ended. */
Test(audit_sequence, a_sequence_resumes)
{
    pby_outputs o;
    char state[PBY_PATH_SIZE];
    pby_outputs_begin(&o, "randomised response", 0.5, 12000);
    pby_folder_path(state, o.folder, "state");
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.3", "--sequential", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    char *whole = strdup(r->out);
    pby_outputs_write(o.left, "randomised response", 0.5, 0, 0, 1234, "\n");
    pby_outputs_write(o.right, "randomised response", 0.5, 1, 0, 1234, "\n");
    pby_outputs_write(o.other, "randomised response", 0.5, 0, 1234, 10766, "\n");
    pby_outputs_write(o.more, "randomised response", 0.5, 1, 1234, 10766, "\n");
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.3", "--sequential", "--state", state,
                "--json");
    cr_assert_eq(r->status, 4, "1000 outputs do not show 0.6: %s", r->err);
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

/* Killed while it waits for more of a file: what its looks have spent is spent, and the outputs, which will
 * be read again, are not counted yet. The second look is awaited for as long as ten minutes, and while the
 * audit lives. */
Test(audit_sequence, a_killed_sequence_has_spent_its_looks)
{
    pby_outputs o;
    char script[8 * PBY_PATH_SIZE];
    const char *named = getenv("PROBITY");
    char *program = realpath(named != NULL ? named : "build/probity", NULL);
    cr_assert_not_null(program);
    pby_outputs_begin(&o, "randomised response", 0.5, 1600);
    snprintf(script, sizeof script,
             "cd '%s' && mkfifo pipe && exec 3<>pipe && cat right >&3 && "
             "{ '%s' audit left pipe --epsilon 0.3 --sequential --state other & } && audit=$! && "
             "for i in $(seq 6000); do "
             "grep -qs '\"looks\":2' other && break; kill -0 $audit || break; sleep 0.1; done; "
             "kill -9 $audit; wait $audit 2>/dev/null; exec 3>&-; rm pipe",
             o.folder, program);
    free(program);
    cr_assert_neq(system(script), -1);
    cr_assert_not_null(strstr(pby_file_text(o.other), "\"looks\":2,"), "%.300s", pby_file_text(o.other));
    cr_assert_not_null(strstr(pby_file_text(o.other), "\"outputs\":[0,0]"));
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "0.3", "--sequential", "--state",
                               o.other, "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"looks\": 2"), "the third look needs 2250 outputs: %.200s", r->out);
    cr_assert_not_null(strstr(pby_file_text(o.other), "\"outputs\":[1600,1600]"));
    pby_folder_remove(o.folder);
}

/* The outputs of a command do not come again: the state holds them at every look. */
Test(audit_sequence, a_failed_command_leaves_what_it_gave)
{
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 0.5, 1600);
    PBY_REFUSED(2, "ended with status 7", NULL, "audit", "--command", "cat {input}; exit 7", "--inputs",
                o.left, o.right, "-n", "1600", "--epsilon", "0.3", "--sequential", "--state", o.other);
    cr_assert_not_null(strstr(pby_file_text(o.other), "\"outputs\":[1500,1500]"), "at look 2");
    pby_folder_remove(o.folder);
}

/* Other kinds of event, chosen after a look, would be chosen by its judges. */
Test(audit_sequence, goes_on_with_the_same_features)
{
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 0.5, 1200);
    const pby_run *r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "2", "--sequential", "--state",
                               o.other, "--features", "tail,value");
    cr_assert_neq(r->status, 2, "%s", r->err);
    PBY_REFUSED(2, "by these features", NULL, "audit", o.left, o.right, "--epsilon", "2", "--sequential",
                "--state", o.other);
    PBY_REFUSED(2, "by these features", NULL, "audit", o.left, o.right, "--epsilon", "2", "--sequential",
                "--state", o.other, "--features", "bits");
    r = PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "2", "--sequential", "--state", o.other,
                "--features", "value,tail");
    cr_assert_neq(r->status, 2, "%s", r->err);
    pby_folder_remove(o.folder);
}

/* The look was taken before the command ended too soon. */
Test(audit_sequence, missing_outputs_are_inconclusive)
{
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 0.5, 1200);
    const pby_run *r = PBY_RUN(NULL, "audit", "--command", "cat {input}", "--inputs", o.left, o.right, "-n",
                               "1500", "--epsilon", "1", "--sequential", "--state", o.other);
    cr_assert_eq(r->status, 4, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "300 outputs on the left and 300 on the right"), "%s", r->out);
    cr_assert_not_null(strstr(pby_file_text(o.other), "\"missing\":[300,300]"));
    r = PBY_RUN(NULL, "audit", "--command", "cat {input}", "--inputs", o.left, o.right, "-n", "1200",
                "--epsilon", "1", "--sequential", "--state", o.other);
    cr_assert_eq(r->status, 4, "what was missing stays missing: %s", r->err);
    pby_folder_remove(o.folder);
}

Test(audit_sequence, refuses_a_broken_state)
{
    static const char *const states[] = {
        "",
        "garbage",
        "{}",
        "[]",
        "{\"probity\":\"counts\"}",
        "{\"probity\":\"audit state\",\"version\":1}",
        "{\"probity\":\"audit state\",\"version\":1,\"looks\":65,\"claim\":{}}",
        ("{\"probity\":\"audit "
         "state\",\"version\":1,\"looks\":1,\"claim\":{\"epsilon\":\"1\",\"delta\":\"0\","
         "\"error\":\"1/1000000\"},\"counts\":{}}")};
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 0.5, 10);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        pby_write_file(o.other, states[i]);
        PBY_REFUSED(2, "expected", NULL, "audit", o.left, o.right, "--epsilon", "1", "--sequential",
                    "--state", o.other);
        cr_assert(pby_file_is(o.other, states[i]), "a refused state stays as it was");
    }
    pby_folder_remove(o.folder);
}

/* A member of a state is edited, and its digest computed again, or left out with version 1. */
static void edit_state(const char *path, const char *member, json_t *value, bool old)
{
    json_t *state = json_load_file(path, 0, NULL);
    cr_assert_not_null(state);
    cr_assert_eq(json_object_del(state, "digest"), 0);
    if (member != NULL)
        cr_assert_eq(json_object_set_new(state, member, value), 0);
    if (old)
        cr_assert_eq(json_object_set_new(state, "version", json_integer(1)), 0);
    char *text = old ? json_dumps(state, JSON_COMPACT) : pby_state_text(json_incref(state));
    json_decref(state);
    pby_write_file(path, text);
    free(text);
}

/* Looks that were spent cannot be had again by an edited state; a state of version 1 goes on. */
Test(audit_sequence, an_edited_state_gives_no_look_back)
{
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 0.5, 1700);
    const char *const run[] = {"audit",        o.left,    o.right, "--epsilon", "2",
                               "--sequential", "--state", o.other, NULL};
    cr_assert_eq(pby_run_command(NULL, run)->status, 0);
    char *kept = strdup(pby_file_text(o.other));
    cr_assert_not_null(kept);
    edit_state(o.other, "looks", json_integer(0), false);
    PBY_REFUSED(2, "as many looks as its outputs have had", NULL, "audit", o.left, o.right, "--epsilon", "2",
                "--sequential", "--state", o.other);
    pby_write_file(o.other, kept);
    edit_state(o.other, "last", json_null(), false);
    PBY_REFUSED(2, "the verdict of the last", NULL, "audit", o.left, o.right, "--epsilon", "2",
                "--sequential", "--state", o.other);
    pby_write_file(o.other, kept);
    kept[strlen(kept) / 2] = (char)(kept[strlen(kept) / 2] ^ 1);
    pby_write_file(o.other, kept);
    PBY_REFUSED(2, "as an earlier sequential audit wrote it", NULL, "audit", o.left, o.right, "--epsilon",
                "2", "--sequential", "--state", o.other);
    kept[strlen(kept) / 2] = (char)(kept[strlen(kept) / 2] ^ 1);
    pby_write_file(o.other, kept);
    edit_state(o.other, NULL, NULL, true);
    cr_assert_eq(pby_run_command(NULL, run)->status, 0, "version 1 goes on");
    cr_assert_not_null(strstr(pby_file_text(o.other), "\"audit state\",\"version\":2"), "as version 2");
    free(kept);
    pby_folder_remove(o.folder);
}

/* Counts are the data, and the last verdict is told again as it was: those are the author's. */
static void try_state(json_t *edited, const char *path, const char *what, void *with)
{
    static const char *const data[] = {"counts", "last", "digest", NULL};
    const pby_outputs *o = with;
    if (pby_edit_within(path, data) && strcmp(path, "counts") != 0 && strcmp(path, "last.looks") != 0)
        return;
    json_object_del(edited, "digest");
    char *text = pby_state_text(json_incref(edited));
    cr_assert_not_null(text);
    pby_write_file(o->other, text);
    free(text);
    const pby_run *r =
        PBY_RUN(NULL, "audit", o->left, o->right, "--epsilon", "2", "--sequential", "--state", o->other);
    cr_expect_eq(r->status, 2, "%s, %s: %d", path, what, r->status);
    cr_expect_not_null(strstr(r->err, ": expected "), "%s, %s: %s", path, what, r->err);
}

Test(audit_sequence, every_edit_of_a_state_is_refused_or_of_the_data)
{
    pby_outputs o;
    pby_outputs_begin(&o, "randomised response", 0.5, 1100);
    cr_assert_eq(
        PBY_RUN(NULL, "audit", o.left, o.right, "--epsilon", "2", "--sequential", "--state", o.other)->status,
        0);
    json_t *state = json_load_file(o.other, 0, NULL);
    cr_assert_not_null(state);
    cr_assert_gt(pby_edits(state, try_state, &o), 100);
    json_decref(state);
    pby_folder_remove(o.folder);
}
