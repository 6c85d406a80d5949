/* SPDX-License-Identifier: MIT */
/* Sessions, ledgers and memos that are used in a second process, found by a second name, or touched by root.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/digest.h"
#include "probity/experimental/memo.h"
#include "session/session.h"
#include "tests/cli/run.h"
#include "tests/spec.h"

static char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE], other[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(file, folder, "file");
    pby_folder_path(other, folder, "other");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(guarded, .init = setup, .fini = teardown);

static void make_session(const char *text)
{
    pby_error err;
    pby_spec *spec = spec_of(text);
    cr_assert_eq(pby_session_create(file, spec, 100, NULL, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
}

static pby_session *open_session(void)
{
    pby_session *s;
    pby_error err;
    cr_assert_eq(pby_session_open(&s, file, &err), PBY_OK, "%s", err.text);
    return s;
}

/* ---- another process -------------------------------------------------------------------------- */

/* Returns the number of positive answers to `most` questions. */
static int ask_on(pby_session *s, int most, pby_error *err)
{
    int above = 0;
    for (int i = 0; i < most; i++) {
        pby_reply reply;
        size_t taken;
        if (pby_session_ask(s, &(int64_t){1000000}, 1, &reply, &taken, err) == PBY_OK)
            above += reply.above;
    }
    return above;
}

/* Three children and their parent once got 16 answers of a session of 4. */
Test(guarded, children_get_no_answers_of_their_parents_session)
{
    int answered = 0, status;
    pid_t child[3];
    make_session("4*above:eps=80");
    pby_session *s = open_session();
    for (int i = 0; i < 3; i++)
        if ((child[i] = fork()) == 0) {
            pby_error err;
            const int above = ask_on(s, 4, &err);
            const bool says = strstr(err.text, "the process that opened it") != NULL;
            const bool ends = pby_session_end(s, &err) == PBY_BAD;
            pby_session_close(s);
            _exit(says && ends ? above : 99);
        }
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(waitpid(child[i], &status, 0), child[i]);
        cr_assert(WIFEXITED(status));
        answered += WEXITSTATUS(status);
    }
    cr_assert_eq(answered, 0, "the children's");
    cr_assert_eq(ask_on(s, 8, NULL), 4, "the parent's");
    pby_session_close(s);
}

Test(guarded, a_child_neither_spends_nor_reports)
{
    static const char rappor[] = "rappor:bits=8,f=1/2";
    pby_ledger *ledger;
    pby_memo *memo;
    pby_error err;
    int status;
    pby_spec *spec = spec_of("geometric:eps=1"), *client = spec_of(rappor);
    cr_assert_eq(pby_ledger_create_text(file, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, 1, "3", "0", NULL), PBY_OK);
    cr_assert_eq(pby_ledger_open(&ledger, file, NULL), PBY_OK);
    cr_assert_eq(pby_memo_create(other, client, NULL, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_memo_open(&memo, other, client, NULL, &err), PBY_OK, "%s", err.text);
    const pid_t child = fork();
    if (child == 0) {
        char *report, digest[PBY_LEDGER_DIGEST_SIZE];
        const bool good = pby_ledger_spend(ledger, spec, NULL, &err) == PBY_BAD &&
                          strstr(err.text, "the process that opened it") != NULL &&
                          pby_ledger_affords(ledger, spec, NULL, NULL) == PBY_BAD &&
                          pby_ledger_digest(digest, ledger, NULL) == PBY_BAD &&
                          pby_memo_report(&report, memo, "1", 1, &err) == PBY_BAD &&
                          strstr(err.text, "the process that opened it") != NULL;
        pby_memo_close(memo);
        pby_ledger_close(ledger);
        _exit(good ? 0 : 1);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    char *report;
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_memo_report(&report, memo, "1", 1, &err), PBY_OK, "%s", err.text);
    free(report);
    pby_memo_close(memo);
    pby_ledger_close(ledger);
    pby_spec_free(client);
    pby_spec_free(spec);
}

/* ---- the file itself -------------------------------------------------------------------------- */

static size_t slurp(char *text, size_t room, const char *path)
{
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in);
    const size_t size = fread(text, 1, room - 1, in);
    text[size] = '\0';
    fclose(in);
    return size;
}

/* Whatever is written over the file, or put in its place, while it is open: nothing more is answered. */
Test(guarded, a_file_that_was_changed_meanwhile_answers_nothing)
{
    char text[4096];
    pby_error err;
    make_session("4*above:eps=80");
    pby_session *s = open_session();
    slurp(text, sizeof text, file);
    cr_assert_eq(ask_on(s, 1, NULL), 1);
    pby_write_file(file, text);
    cr_assert_eq(ask_on(s, 1, &err), 0);
    cr_assert_not_null(strstr(err.text, "as this process left it"), "%s", err.text);
    pby_session_close(s);
    s = open_session();
    slurp(text, sizeof text, file);
    unlink(file);
    pby_write_file(file, text);
    cr_assert_eq(ask_on(s, 1, &err), 0);
    cr_assert_not_null(strstr(err.text, "as this process left it"), "%s", err.text);
    cr_assert_eq(pby_session_end(s, &err), PBY_BAD);
    pby_session_close(s);
}

/* ---- names ------------------------------------------------------------------------------------ */

Test(guarded, a_symbolic_link_leads_to_the_one_session)
{
    struct stat about;
    make_session("2*above:eps=80");
    cr_assert_eq(symlink("file", other), 0);
    const pby_run *r = PBY_RUN("500\n", "session", "ask", other);
    cr_assert_str_eq(r->out, "above\n");
    cr_assert(lstat(other, &about) == 0 && S_ISLNK(about.st_mode), "the link stays");
    r = PBY_RUN("500\n500\n", "session", "ask", file);
    cr_assert_str_eq(r->out, "above\n");
    cr_assert_eq(PBY_RUN("500\n", "session", "ask", other)->status, 1, "it has halted by either name");
}

Test(guarded, a_file_of_two_names_is_refused)
{
    pby_error err;
    make_session("2*above:eps=80");
    cr_assert_eq(link(file, other), 0);
    PBY_REFUSED(2, "hard links", "500\n", "session", "ask", file);
    PBY_REFUSED(2, "hard links", "500\n", "session", "ask", other);
    PBY_REFUSED(2, "hard links", NULL, "session", "close", file);
    unlink(other);
    pby_session *s = open_session();
    cr_assert_eq(link(file, other), 0);
    cr_assert_eq(ask_on(s, 1, &err), 0);
    cr_assert_not_null(strstr(err.text, "of one name"), "%s", err.text);
    pby_session_close(s);
    unlink(file);
    unlink(other);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", file, "--epsilon", "1", "--delta", "0")->status, 0);
    cr_assert_eq(link(file, other), 0);
    PBY_REFUSED(2, "hard links", NULL, "ledger", "spend", file, "geometric:eps=1/9");
    PBY_REFUSED(2, "hard links", NULL, "ledger", "show", other);
    unlink(file);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "spend", other, "geometric:eps=1/9")->status, 0);
    unlink(other);
    cr_assert_eq(PBY_RUN("", "report", "rappor:bits=8,f=1/2", "--memo", file, "--new")->status, 0);
    cr_assert_eq(link(file, other), 0);
    PBY_REFUSED(2, "hard links", "1\n", "report", "rappor:bits=8,f=1/2", "--memo", file);
}

/* A ledger that is moved away or linked while it is open gets no charge that its name would not show. */
Test(guarded, a_ledger_that_is_replaced_while_it_is_open_gets_no_charge)
{
    pby_ledger *ledger;
    pby_error err;
    pby_spec *spec = spec_of("geometric:eps=1/9");
    cr_assert_eq(pby_ledger_create_text(file, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, 1, "3", "0", NULL), PBY_OK);
    cr_assert_eq(pby_ledger_open(&ledger, file, NULL), PBY_OK);
    cr_assert_eq(link(file, other), 0);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "hard links"), "%s", err.text);
    unlink(file);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "the file that was opened"), "%s", err.text);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
}

/* A copy in the same folder does not answer; under its own name it is as good as the file (--after tells). */
Test(guarded, a_copy_of_another_name_does_not_answer)
{
    char text[4096];
    make_session("2*above:eps=80");
    slurp(text, sizeof text, file);
    pby_write_file(other, text);
    PBY_REFUSED(2, "a draft or a copy does not answer", "500\n", "session", "ask", other);
}

/* ---- counts that no session has --------------------------------------------------------------- */

/* The state with one member changed, and its digest made anew. */
static void craft(const char *member, const char *value)
{
    char text[4096];
    pby_digest digest;
    slurp(text, sizeof text, file);
    json_t *state = json_loads(text, 0, NULL), *changed = json_loads(value, JSON_DECODE_ANY, NULL);
    cr_assert(state != NULL && changed != NULL);
    json_object_set_new(state, member, changed);
    json_object_del(state, "sha256");
    char *plain = json_dumps(state, JSON_COMPACT | JSON_SORT_KEYS);
    pby_digest_bytes(&digest, plain, strlen(plain));
    free(plain);
    json_object_set_new(state, "sha256", json_string(digest.sha256));
    plain = json_dumps(state, JSON_COMPACT | JSON_SORT_KEYS);
    pby_write_file(other, plain);
    cr_assert_eq(rename(other, file), 0);
    free(plain);
    json_decref(state);
}

/* Sums of these overflow 64 bits; the sanitized suite runs it too. */
Test(guarded, a_crafted_count_is_refused)
{
    static const char *const cases[][2] = {
        {"asked", "9223372036854775807"},
        {"asked", "-1"},
        {"asked", "\"7\""},
        {"left", "9223372036854775807"},
        {"left", "3"},
        {"left", "-1"},
        {"above", "[[9223372036854775807]]"},
        {"above", "[[0]]"},
        {"above", "[7]"},
        {"above", "[[1,2]]"},
        {"above", "{}"},
        {"digests", "7"},
        {"threshold", "4611686018427387904"},
        {"noise", "\"0\""},
        {"use_asked", "9223372036854775807"},
        {"use_tops", "1"},
        {"name", "7"},
        {"asked", "4611686018427387905"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_session *s;
        pby_error err;
        make_session("2*above:eps=80");
        craft(cases[i][0], cases[i][1]);
        cr_assert_eq(pby_session_open(&s, file, &err), PBY_BAD, "%s %s", cases[i][0], cases[i][1]);
        unlink(file);
    }
    make_session("2*above:eps=80");
    craft("asked", "4611686018427387904");
    pby_session *s = open_session();
    cr_assert_eq(ask_on(s, 1, NULL), 0, "it has halted");
    pby_session_close(s);
}

/* ---- root ------------------------------------------------------------------------------------- */

/* A file that root writes keeps its owner and its mode. Only root can test the owner. */
Test(guarded, owner_and_mode_stay)
{
    enum { OWNER = 12345, GROUP = 12346 };
    struct stat about;
    make_session("2*above:eps=80");
    cr_assert_eq(chmod(file, 0640), 0);
    if (geteuid() == 0)
        cr_assert_eq(chown(file, OWNER, GROUP), 0);
    cr_assert_eq(PBY_RUN("500\n", "session", "ask", file)->status, 0);
    cr_assert_eq(stat(file, &about), 0);
    cr_assert_eq(about.st_mode & 0777, 0640);
    cr_assert(geteuid() != 0 || (about.st_uid == OWNER && about.st_gid == GROUP));
    unlink(file);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "init", file, "--epsilon", "1", "--delta", "0")->status, 0);
    cr_assert_eq(chmod(file, 0660), 0);
    if (geteuid() == 0)
        cr_assert_eq(chown(file, OWNER, GROUP), 0);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "spend", file, "geometric:eps=1/9")->status, 0);
    cr_assert_eq(stat(file, &about), 0);
    cr_assert_eq(about.st_mode & 0777, 0660);
    cr_assert(geteuid() != 0 || (about.st_uid == OWNER && about.st_gid == GROUP));
}
