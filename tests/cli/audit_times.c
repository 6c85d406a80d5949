/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probity/experimental/entropy.h"
#include "tests/cli/outputs.h"

/* Thirty milliseconds against none, so that a busy machine does not hide it. */
static const char slow[] = "test {input} = a && sleep 0.03; echo 1";

/* The rows of so many runs, the left ones slower by a gap. */
static void write_rows(const char *path, size_t runs, uint64_t gap, const char *more)
{
    const uint8_t bytes[PBY_SEED_SIZE] = {7};
    FILE *out = fopen(path, "w");
    pby_entropy *source;
    cr_assert_not_null(out);
    cr_assert_eq(pby_entropy_seeded(&source, bytes, NULL), PBY_OK);
    fputs("side,nanoseconds\n", out);
    for (size_t i = 0; i < runs; i++) {
        uint64_t word;
        cr_assert_eq(pby_entropy_words(source, &word, 1, NULL), PBY_OK);
        fprintf(out, "%s,%" PRIu64 "\n", (word & 1) == 0 ? "left" : "right",
                (word >> 8) % 1000 + ((word & 1) == 0 ? gap : 0));
    }
    fputs(more, out);
    pby_entropy_free(source);
    cr_assert_eq(fclose(out), 0);
}

Test(audit_times_command, a_command_that_is_slower_on_one_input_is_accused)
{
    char folder[] = "/tmp/probity-times-XXXXXX", kept[64];
    cr_assert_not_null(mkdtemp(folder));
    const pby_run *r = PBY_RUN(NULL, "audit", "--time", "--command", slow, "--inputs", "a", "b", "-n", "200",
                               "--epsilon", "0", "--keep", folder, "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_str_eq(pby_run_member(r, "verdict"), "violation");
    cr_assert_not_null(strstr(r->err, "probity: violation: the running time alone refutes the claim"));
    char *before = strdup(r->out);
    snprintf(kept, sizeof kept, "%s/times.csv", folder);
    r = PBY_RUN(NULL, "audit", "--time", kept, "--epsilon", "0", "--json");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_str_eq(r->out, before, "the times that were kept are judged alike");
    free(before);
    pby_folder_remove(folder);
}

Test(audit_times_command, a_command_that_is_not_is_not)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--time", "--command", "echo {input}", "--inputs", "a", "b",
                               "-n", "250", "--epsilon", "0");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "verdict     consistent\n"), "%s", r->out);
    r = PBY_RUN(NULL, "audit", "--time", "--command", "echo {input}", "--inputs", "a", "b", "-n", "40",
                "--epsilon", "0");
    cr_assert_eq(r->status, 4, "%s", r->err);
}

Test(audit_times_command, runs_end_at_a_violation)
{
    const pby_run *r = PBY_RUN(NULL, "audit", "--time", "--sequential", "--command", slow, "--inputs", "a",
                               "b", "-n", "100000", "--epsilon", "0");
    cr_assert_eq(r->status, 1, "%s", r->err);
}

Test(audit_times_command, recorded_times_are_judged)
{
    char path[] = "/tmp/probity-times-XXXXXX";
    close(mkstemp(path));
    write_rows(path, 1000, 0, "");
    const pby_run *r = PBY_RUN(NULL, "audit", "--time", path, "--epsilon", "0");
    cr_assert_eq(r->status, 0, "%s", r->err);
    write_rows(path, 1000, 600, "");
    r = PBY_RUN(NULL, "audit", "--time", path, "--epsilon", "0");
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_not_null(strstr(r->out, " has it too often: "), "%s", r->out);
    cr_assert_eq(PBY_RUN(NULL, "audit", "--time", path, "--epsilon", "5", "--delta", "0.9")->status, 4);
    unlink(path);
}

Test(audit_times_command, refusals)
{
    char path[] = "/tmp/probity-times-XXXXXX";
    close(mkstemp(path));
    write_rows(path, 3, 0, "middle,5\n");
    const pby_run *r = PBY_RUN(NULL, "audit", "--time", path, "--epsilon", "0");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "line 5: expected left or right, a comma and a time"), "%s", r->err);
    write_rows(path, 3, 0, "left,-5\n");
    cr_assert_eq(PBY_RUN(NULL, "audit", "--time", path, "--epsilon", "0")->status, 2);
    write_rows(path, 3, 0, "left,9223372036854775808\n");
    cr_assert_eq(PBY_RUN(NULL, "audit", "--time", path, "--epsilon", "0")->status, 2);
    unlink(path);
    cr_assert_eq(PBY_RUN(NULL, "audit", "--time", path, "--epsilon", "0")->status, 2, "no such file");
    cr_assert_eq(PBY_RUN(NULL, "audit", "--time", "--epsilon", "0")->status, 2);
    cr_assert_eq(PBY_RUN(NULL, "audit", "--time", "--command", "true", "--inputs", "a", "b", "-n", "9",
                         "--epsilon", "0")
                     ->status,
                 2, "no {input}");
    r = PBY_RUN(NULL, "audit", "--time", "--command", "false {input}", "--inputs", "a", "b", "-n", "9",
                "--epsilon", "0");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "ended with status 1"), "%s", r->err);
    cr_assert_eq(
        PBY_RUN(NULL, "audit", "--time", "--command", "echo {input}", "--inputs", "a", "b", "--epsilon", "0")
            ->status,
        2, "no -n");
    cr_assert_eq(PBY_RUN(NULL, "audit", "--time", "x.csv", "--epsilon", "0", "--report", "x.html")->status,
                 2);
}

Test(audit_times_command, a_page_tells_the_verdict_and_shows_the_times)
{
    char folder[PBY_PATH_SIZE], rows[PBY_PATH_SIZE], page[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(rows, folder, "times.csv");
    pby_folder_path(page, folder, "times.html");
    write_rows(rows, 600, 2000, "");
    const pby_run *r =
        PBY_RUN(NULL, "audit", "--time", rows, "--epsilon", "1/10", "--report", page, "--name", "<a query>");
    cr_assert_eq(r->status, 1, "%s", r->err);
    const char *html = pby_file_text(page);
    static const char *const present[] = {"Violation: the running time alone refutes the claim",
                                          "&lt;a query&gt;",
                                          "of the running time alone",
                                          "has it too often: ",
                                          "role=\"img\"",
                                          "--report"};
    static const char *const absent[] = {"http:", "https:", "<script", "<link",
                                         "src=",  "url(",   "@import", "nan"};
    for (size_t i = 0; i < sizeof present / sizeof *present; i++)
        cr_assert_not_null(strstr(html, present[i]), "%s", present[i]);
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        cr_assert_null(strstr(html, absent[i]), "%s", absent[i]);
    r = PBY_RUN(NULL, "audit", "--time", rows, "--epsilon", "0", "--name", "x");
    cr_assert_eq(r->status, 2);
    write_rows(rows, 20, 0, "");
    r = PBY_RUN(NULL, "audit", "--time", rows, "--epsilon", "0", "--report", page);
    cr_assert_eq(r->status, 4, "%s", r->err);
    html = pby_file_text(page);
    cr_assert_not_null(strstr(html, "no epsilon at delta 0"));
    r = PBY_RUN(NULL, "audit", "--time", rows, "--epsilon", "0", "--report", "/nowhere/page.html");
    cr_assert_eq(r->status, 2, "%s", r->err);
    pby_folder_remove(folder);
}
