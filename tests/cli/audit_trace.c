/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/outputs.h"

static const char left[] = "tests/vectors/traces/left.trace", right[] = "tests/vectors/traces/right.trace";

Test(audit_trace_command, judges_traces)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--trace", left, right, "--epsilon", "1", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_str_eq(pby_run_member(r, "verdict"), "violation");
    cr_assert_str_eq(pby_run_member(r, "evidence"), "exact");
    r = PBY_RUN(NULL, "audit", "--trace", left, right, "--epsilon", "9.9");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "consistent"));
    r = PBY_RUN(NULL, "audit", "--trace", left, right, "--epsilon", "9.89");
    cr_assert_eq(r->status, 1);
}

Test(audit_trace_command, writes_a_log_for_editors)
{
    char folder[PBY_PATH_SIZE], log[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(log, folder, "log.sarif");
    const pby_run *r = PBY_RUN(NULL, "audit", "--trace", left, right, "--epsilon", "1", "--sarif", log);
    cr_assert_eq(r->status, 1);
    json_t *sarif = json_load_file(log, 0, NULL);
    cr_assert_not_null(sarif);
    const json_t *run = json_array_get(json_object_get(sarif, "runs"), 0);
    const json_t *result = json_array_get(json_object_get(run, "results"), 0);
    cr_assert_str_eq(json_string_value(json_object_get(sarif, "version")), "2.1.0");
    cr_assert_str_eq(json_string_value(json_object_get(result, "ruleId")), "loss");
    cr_assert_str_eq(json_string_value(json_object_get(result, "level")), "error");
    json_decref(sarif);
    pby_folder_remove(folder);
}

Test(audit_trace_command, refuses_what_is_no_trace_and_what_it_does_not_read)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--trace", left, "README.md", "--epsilon", "1");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "README.md: line 1:"), "%s", r->err);
    r = PBY_RUN(NULL, "audit", "--trace", left, "--epsilon", "1");
    cr_assert_eq(r->status, 2);
    r = PBY_RUN(NULL, "audit", "--trace", left, left, "--epsilon", "1");
    cr_assert_eq(r->status, 2, "neither replays the other");
    r = PBY_RUN(NULL, "audit", "--trace", left, right, "--epsilon", "1", "--features", "value");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "--features"), "%s", r->err);
    r = PBY_RUN(NULL, "audit", left, right, "--epsilon", "1", "--recorded", "4");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "--recorded"), "%s", r->err);
    r = PBY_RUN(NULL, "audit", "--trace", left, right, "--epsilon", "1", "--slack", "2");
    cr_assert_eq(r->status, 2);
}
