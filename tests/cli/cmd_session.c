/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(file, folder, "session.json");
    pby_folder_path(ledger, folder, "ledger");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(session_command, .init = setup, .fini = teardown);

/* True if a line of JSON is this, but for the digest at its end, which is kept. */
static bool begins(const char *line, const char *expected, char digest[65])
{
    const size_t size = strlen(expected);
    return strncmp(line, expected, size) == 0 &&
           sscanf(line + size, ", \"digest\": \"%64[0-9a-f]\"}", digest) == 1 && strlen(digest) == 64;
}

/* With eps=160 an answer one below or at the threshold is told wrong with a chance below 1e-16. */
Test(session_command, a_session_from_open_to_close)
{
    const pby_run *r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "400", "--delta", "1e-6");
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN(NULL, "session", "open", file, "2*above:eps=160", "2*geometric:eps=40", "--threshold", "100",
                "--ledger", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN("5\r\n99\n100", "session", "ask", file);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "below\nbelow\nabove 100\n");
    r = PBY_RUN("-7\n", "session", "ask", file, "--json");
    char digest[65];
    cr_assert(begins(r->out, "{\"question\": 4, \"above\": false", digest), "%s", r->out);
    r = PBY_RUN("500\n1\n", "session", "ask", file);
    cr_assert_eq(r->status, 1, "halted with a question left");
    cr_assert_str_eq(r->out, "above 500\n");
    cr_assert_not_null(strstr(r->err, "halted"));
    r = PBY_RUN(NULL, "session", "show", file);
    cr_assert_not_null(strstr(r->out, "question 3, value 100"));
    cr_assert_not_null(strstr(r->out, "it has halted"));
    r = PBY_RUN(NULL, "ledger", "show", ledger);
    cr_assert_not_null(strstr(r->out, "2*above:eps=160 2*geometric:eps=40"));
    r = PBY_RUN(NULL, "session", "close", file);
    cr_assert_eq(r->status, 0);
    cr_assert_eq(pby_folder_entries(folder), 2, "nothing but the session and the ledger");
}

/* A line that is no number ends the asking; those before it are answered, and it is not shown. */
Test(session_command, refusals)
{
    PBY_REFUSED(2, "open, ask, show or close", NULL, "session");
    PBY_REFUSED(2, "--threshold", NULL, "session", "open", file, "above:eps=1");
    PBY_REFUSED(2, "1.5", NULL, "session", "open", file, "above:eps=1", "--threshold", "1.5");
    PBY_REFUSED(2, "K*above", NULL, "session", "open", file, "geometric:eps=1", "--threshold", "1");
    PBY_REFUSED(2, "session open made", NULL, "session", "ask", file);
    PBY_REFUSED(2, "session open alone", NULL, "session", "show", file, "--threshold", "1");
    cr_assert_eq(pby_folder_entries(folder), 0);
    const pby_run *r = PBY_RUN(NULL, "session", "open", file, "above:eps=80", "--threshold", "9");
    cr_assert_eq(r->status, 0, "%s", r->err);
    PBY_REFUSED(2, "no file has yet", NULL, "session", "open", file, "above:eps=80", "--threshold", "9");
    r = PBY_RUN("1\n2\nsecret\n3\n", "session", "ask", file);
    cr_assert_eq(r->status, 2);
    cr_assert_str_eq(r->out, "below\nbelow\n");
    cr_assert_not_null(strstr(r->err, "line 3 (not shown)"));
    cr_assert_null(strstr(r->err, "secret"));
}

/* An answer that was seen is on record, whatever happens to the process that gave it: killed between two
 * questions, the session goes on where it was. */
Test(session_command, a_killed_session_is_resumed)
{
    const char *command = getenv("PROBITY");
    const pby_run *r = PBY_RUN(NULL, "session", "open", file, "2*above:eps=80", "--threshold", "100");
    cr_assert_eq(r->status, 0, "%s", r->err);
    int to[2], from[2];
    cr_assert(pipe(to) == 0 && pipe(from) == 0);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        execl(command == NULL ? "build/probity" : command, "probity", "session", "ask", file, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    char text[32] = "";
    cr_assert_eq(write(to[1], "3\n", 2), 2);
    cr_assert_eq(read(from[0], text, sizeof text - 1), 6);
    cr_assert_eq(write(to[1], "300\n", 4), 4);
    cr_assert_eq(read(from[0], text, sizeof text - 1), 6);
    cr_assert_eq(strncmp(text, "above\n", 6), 0);
    PBY_REFUSED(3, "another process", "1\n", "session", "ask", file);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    r = PBY_RUN("4\n200\n", "session", "ask", file, "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    char digest[65];
    cr_assert(begins(r->out, "{\"question\": 3, \"above\": false", digest), "%s", r->out);
    cr_assert(begins(strchr(r->out, '\n') + 1, "{\"question\": 4, \"above\": true", digest), "%s", r->out);
    close(to[1]);
    close(from[0]);
}

/* ---- a copy that was put back ------------------------------------------------------------------- */

static void copy(const char *from, const char *to)
{
    char text[1 << 16];
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    cr_assert(in != NULL && out != NULL);
    const size_t size = fread(text, 1, sizeof text, in);
    cr_assert(fwrite(text, 1, size, out) == size && fclose(out) == 0 && fclose(in) == 0);
}

Test(session_command, an_older_copy_lacks_the_digest)
{
    char old[PBY_PATH_SIZE], first[65], second[65];
    pby_folder_path(old, folder, "old.json");
    cr_assert_eq(PBY_RUN(NULL, "session", "open", file, "3*above:eps=80", "--threshold", "100")->status, 0);
    const pby_run *r = PBY_RUN("1\n", "session", "ask", file, "--json");
    cr_assert(begins(r->out, "{\"question\": 1, \"above\": false", first), "%s", r->out);
    copy(file, old);
    r = PBY_RUN("2\n", "session", "ask", file, "--json", "--after", first);
    cr_assert(begins(r->out, "{\"question\": 2, \"above\": false", second), "%s", r->err);
    r = PBY_RUN(NULL, "session", "show", file, "--after", first);
    cr_assert_not_null(strstr(r->out, second), "%s", r->out);
    copy(old, file);
    PBY_REFUSED(2, "--after '", "2\n", "session", "ask", file, "--after", second);
    PBY_REFUSED(2, "it may be an older copy", NULL, "session", "show", file, "--after", second);
    cr_assert_eq(PBY_RUN("2\n", "session", "ask", file, "--after", first)->status, 0);
    PBY_REFUSED(2, "it may be an older copy", "2\n", "session", "ask", file, "--after", second);
    PBY_REFUSED(2, "64 hexadecimal digits", "2\n", "session", "ask", file, "--after", "7");
    PBY_REFUSED(2, "it with session ask or show", NULL, "session", "close", file, "--after", first);
}
