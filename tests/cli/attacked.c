/* SPDX-License-Identifier: MIT */
/* Sessions, ledgers and memos while the process is killed, or its disk fails, at each operation on their
 * files and on standard output: before a record, between record and answer, and behind both.
 * tests/faulty/faulty.c is preloaded. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/run.h"

enum { KILLED = 128 + 9, STEPS_MAX = 400 };

static char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE], ledger[PBY_PATH_SIZE], out[PBY_PATH_SIZE];
static char apart[PBY_PATH_SIZE], done[PBY_PATH_SIZE];
static bool reached; /* the operation that was to fail */

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(file, folder, "s");
    pby_folder_path(ledger, folder, "ledger");
    pby_folder_path(out, folder, "out.csv");
    pby_folder_make(apart);
    pby_folder_path(done, apart, "done");
}

static void teardown(void)
{
    pby_folder_remove(folder);
    pby_folder_remove(apart);
}

TestSuite(attacked, .init = setup, .fini = teardown);

/* ---- faults ----------------------------------------------------------------------------------- */

static const pby_run *faulty(const char *kind, int at, const char *input, const char *const *arguments)
{
    char library[PBY_PATH_SIZE], number[16];
    const char *command = getenv("PROBITY");
    const char *const path = command == NULL ? "build/probity" : command;
    const char *slash = strrchr(path, '/');
    char *here = realpath(".", NULL);
    snprintf(library, sizeof library, "%s/%.*s/faulty.so", path[0] == '/' ? "" : here,
             slash == NULL ? 1 : (int)(slash - path), slash == NULL ? "." : path);
    free(here);
    cr_assert_eq(access(library, R_OK), 0, "%s", library);
    snprintf(number, sizeof number, "%d", at);
    setenv("PBY_FAULT_UNDER", folder, 1);
    setenv("PBY_FAULT", kind, 1);
    setenv("PBY_FAULT_AT", number, 1);
    setenv("PBY_FAULT_DONE", done, 1);
    setenv("LD_PRELOAD", library, 1);
    const pby_run *r = pby_run_command(input, arguments);
    unsetenv("LD_PRELOAD");
    reached = unlink(done) == 0;
    return r;
}

#define FAULTY(kind, at, input, ...) faulty(kind, at, input, PBY_ARGUMENTS(__VA_ARGS__))

static void empty_folder(void)
{
    pby_folder_remove(folder);
    cr_assert_eq(mkdir(folder, 0700), 0);
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        n++;
    return n;
}

/* The one extra file that may be there. No file but the session itself answers, and none but those that
 * should be there is left behind the next command. */
static void no_other_answers(const char *const *expected)
{
    DIR *all = opendir(folder);
    cr_assert_not_null(all);
    for (struct dirent *one; (one = readdir(all)) != NULL;) {
        char path[PBY_PATH_SIZE];
        bool known = strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0;
        for (size_t i = 0; expected[i] != NULL; i++)
            known = known || strcmp(one->d_name, expected[i]) == 0;
        if (known)
            continue;
        pby_folder_path(path, folder, one->d_name);
        const pby_run *r = PBY_RUN("500\n", "session", "ask", path);
        cr_assert_neq(r->status, 0, "%s answers", one->d_name);
        cr_assert_str_eq(r->out, "", "%s answers", one->d_name);
    }
    closedir(all);
}

static void only_these(const char *const *expected)
{
    size_t n = 0;
    for (; expected[n] != NULL; n++) {}
    cr_assert_leq(pby_folder_entries(folder), n, "something was left behind");
}

static void make_ledger(void)
{
    const pby_run *r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "400", "--delta", "1e-6");
    cr_assert_eq(r->status, 0, "%s", r->err);
}

static size_t entries(void)
{
    const pby_run *r = PBY_RUN(NULL, "ledger", "export", ledger);
    cr_assert_eq(r->status, 0, "%s", r->err);
    return count(r->out, "\"spec\"");
}

/* ---- sessions --------------------------------------------------------------------------------- */

static void make_session(void)
{
    const pby_run *r = PBY_RUN(NULL, "session", "open", file, "2*above:eps=80", "--threshold", "100");
    cr_assert_eq(r->status, 0, "%s", r->err);
}

static size_t drafts(void)
{
    char draft[PBY_PATH_SIZE];
    pby_folder_path(draft, folder, ".s.draft");
    return access(draft, F_OK) == 0;
}

/* A session that answers was paid for. */
Test(attacked, an_open_that_is_killed_anywhere_answers_only_if_paid)
{
    static const char *const kept[] = {"s", "ledger", "ledger-journal", NULL};
    int n = 1, status = KILLED;
    size_t left = 0, unpaid = 0;
    for (; status == KILLED && n < STEPS_MAX; n++) {
        make_ledger();
        status = FAULTY("kill", n, NULL, "session", "open", file, "2*above:eps=80", "--threshold", "100",
                        "--ledger", ledger)
                     ->status;
        left += drafts();
        no_other_answers(kept);
        const size_t paid = entries();
        const pby_run *r = PBY_RUN("500\n", "session", "ask", file);
        cr_assert(paid == 1 || r->status != 0, "operation %d", n);
        unpaid += paid == 0;
        cr_assert_eq(drafts(), access(file, F_OK) == 0 ? 0 : drafts(), "operation %d", n);
        empty_folder();
    }
    cr_assert_eq(status, 0);
    cr_assert_gt(n, 20);
    cr_assert(left > 0 && unpaid > 0, "no draft was left: nothing was tested");
}

/* However often it is killed, a session of two positive answers gives two, and what was seen is on record. */
Test(attacked, an_ask_that_is_killed_anywhere_gives_no_answer_twice)
{
    static const char *const kept[] = {"s", NULL};
    int n = 1, status = KILLED;
    size_t left = 0;
    for (; status == KILLED && n < STEPS_MAX; n++) {
        make_session();
        const pby_run *r = FAULTY("kill", n, "500\n", "session", "ask", file);
        status = r->status;
        size_t seen = count(r->out, "above\n");
        left += drafts();
        no_other_answers(kept);
        r = PBY_RUN("500\n500\n500\n", "session", "ask", file);
        cr_assert_eq(r->status, 1, "operation %d: %s", n, r->err);
        seen += count(r->out, "above\n");
        cr_assert_leq(seen, 2, "operation %d", n);
        cr_assert_geq(seen, status == KILLED ? 1 : 2, "operation %d", n);
        only_these(kept);
        empty_folder();
    }
    cr_assert_eq(status, 0);
    cr_assert_gt(n, 10);
    cr_assert_gt(left, 0, "no draft was left: nothing was tested");
}

/* However often it is killed, a step of a session of running totals is released once, and what was seen is
 * on record. */
Test(attacked, totals_that_are_killed_anywhere_are_released_once)
{
    static const char *const kept[] = {"s", NULL};
    int n = 1, status = KILLED;
    for (; status == KILLED && n < STEPS_MAX; n++) {
        char seen[64];
        cr_assert_eq(
            PBY_RUN(NULL, "session", "open", file, "matrix:sigma2=100,steps=2,bands=sqrt,grid=1/64")->status,
            0);
        const pby_run *r = FAULTY("kill", n, "500\n", "session", "ask", file);
        status = r->status;
        snprintf(seen, sizeof seen, "step 1, %.*s", (int)strcspn(r->out, "\n"), r->out);
        const bool told = r->out_size > 0;
        no_other_answers(kept);
        r = PBY_RUN(NULL, "session", "show", file);
        cr_assert_eq(r->status, 0, "operation %d: %s", n, r->err);
        cr_assert(!told || strstr(r->out, seen) != NULL, "operation %d: %s is not on record", n, seen);
        const size_t on_record = count(r->out, "total  ");
        cr_assert_eq(count(PBY_RUN("500\n500\n500\n", "session", "ask", file)->out, "\n"), 2 - on_record);
        only_these(kept);
        empty_folder();
    }
    cr_assert_eq(status, 0);
    cr_assert_gt(n, 8);
}

/* Once close says that it is done, nothing in the folder answers; killed before that, the session goes on. */
Test(attacked, a_close_that_is_killed_anywhere_leaves_nothing_beside_the_session)
{
    static const char *const kept[] = {"s", NULL}, *const none[] = {NULL};
    int n = 1, status = KILLED;
    for (; status == KILLED && n < STEPS_MAX; n++) {
        make_session();
        status = FAULTY("kill", n, NULL, "session", "close", file)->status;
        no_other_answers(status == 0 ? none : kept);
        cr_assert_eq(PBY_RUN(NULL, "session", "close", file)->status, 0);
        only_these(kept);
        no_other_answers(none);
        empty_folder();
    }
    cr_assert_eq(status, 0);
    cr_assert_gt(n, 8);
}

/* A disk that is full behind the charge: the error says that the budget is spent, and there is no session. */
Test(attacked, a_full_disk_behind_the_charge_says_so)
{
    int n = 1, status = 0;
    size_t told = 0;
    for (reached = true; reached && n < STEPS_MAX; n++) {
        make_ledger();
        const pby_run *r = FAULTY("ENOSPC", n, NULL, "session", "open", file, "2*above:eps=80", "--threshold",
                                  "100", "--ledger", ledger);
        status = r->status;
        const bool says = strstr(r->err, "the budget was spent") != NULL;
        cr_assert(status == 0 || count(r->err, "\n") == 1, "operation %d: %s", n, r->err);
        char digest[65] = "";
        if (says)
            cr_assert_eq(sscanf(strstr(r->err, "digest "), "digest %64[0-9a-f]", digest), 1);
        const size_t paid = entries();
        cr_assert(status == 0 || !says || paid == 1, "operation %d", n);
        cr_assert(status == 0 || says || paid == 0, "operation %d: spent, and nobody said so", n);
        if (says)
            cr_assert_eq(PBY_RUN(NULL, "ledger", "show", ledger, "--after", digest)->status, 0);
        told += says;
        cr_assert(status == 0 || access(file, F_OK) != 0 ||
                      PBY_RUN("500\n", "session", "ask", file)->status != 0,
                  "operation %d", n);
        empty_folder();
    }
    cr_assert_gt(n, 20);
    cr_assert_gt(told, 3);
}

Test(attacked, a_disk_that_fails_while_it_is_asked_gives_no_answer_twice)
{
    int n = 1, status = 0;
    for (reached = true; reached && n < STEPS_MAX; n++) {
        make_session();
        const pby_run *r = FAULTY("EIO", n, "500\n", "session", "ask", file);
        status = r->status;
        size_t seen = count(r->out, "above\n");
        cr_assert(status == 0 || count(r->err, "\n") == 1, "operation %d: %s", n, r->err);
        r = PBY_RUN("500\n500\n500\n", "session", "ask", file);
        cr_assert_eq(r->status, 1, "operation %d: %s", n, r->err);
        cr_assert_leq(seen + count(r->out, "above\n"), 2, "operation %d", n);
        empty_folder();
    }
    cr_assert_eq(status, 0);
    cr_assert_gt(n, 10);
}

/* ---- releases --------------------------------------------------------------------------------- */

/* Whole and recorded, or not there: behind the commit of the ledger and behind the output's rename too. */
Test(attacked, a_release_that_is_killed_anywhere_is_recorded_if_it_is_there)
{
    char counts[PBY_PATH_SIZE];
    int n = 1, status = KILLED;
    size_t lost = 0, both = 0;
    for (; status == KILLED && n < STEPS_MAX; n++) {
        pby_folder_path(counts, folder, "in.csv");
        pby_write_file(counts, "key,count\na,5\nb,7\n");
        make_ledger();
        status = FAULTY("kill", n, NULL, "release", "geometric:eps=1", counts, "--ledger", ledger, "-o", out)
                     ->status;
        const bool there = access(out, F_OK) == 0;
        const size_t paid = entries();
        cr_assert(paid == 1 || !there, "operation %d: released and not recorded", n);
        lost += paid == 1 && !there;
        both += paid == 1 && there && status == KILLED;
        const pby_run *r = PBY_RUN(NULL, "release", "geometric:eps=1", counts, "--ledger", ledger, "-o", out);
        cr_assert_eq(r->status, 0, "operation %d: %s", n, r->err);
        cr_assert_eq(entries(), paid + 1, "operation %d", n);
        empty_folder();
    }
    cr_assert_eq(status, 0);
    cr_assert(lost > 0 && both > 0, "%zu %zu: a window was not hit", lost, both);
}

Test(attacked, a_full_disk_behind_the_charge_of_a_release_says_so)
{
    char counts[PBY_PATH_SIZE];
    int n = 1, status = 0;
    size_t told = 0;
    for (reached = true; reached && n < STEPS_MAX; n++) {
        pby_folder_path(counts, folder, "in.csv");
        pby_write_file(counts, "key,count\na,5\nb,7\n");
        make_ledger();
        const pby_run *r =
            FAULTY("ENOSPC", n, NULL, "release", "geometric:eps=1", counts, "--ledger", ledger, "-o", out);
        status = r->status;
        const bool says = strstr(r->err, "the budget was spent") != NULL;
        const size_t paid = entries();
        cr_assert(status == 0 || says == (paid == 1), "operation %d: spent, and nobody said so", n);
        told += says;
        empty_folder();
    }
    cr_assert_gt(told, 2);
}

#ifndef PBY_SANITIZED
/* The first allocations are tried one by one, and then each that is a random number further. */
static int further(int n)
{
    enum { ONE_BY_ONE = 40, MOST = 400 };
    static uint64_t random = 35;
    random = random * 6364136223846793005u + 1442695040888963407u;
    return n < ONE_BY_ONE ? n + 1 : n + 1 + (int)(random >> 33) % MOST;
}

/* Wherever an allocation fails there is an answer or one line, and a charge that was made is on record and
 * told. GMP and FLINT would abort. */
Test(attacked, memory_that_runs_out_anywhere_is_one_line)
{
    char counts[PBY_PATH_SIZE];
    size_t refused = 0, told = 0;
    reached = true;
    for (int n = 1; reached; n = further(n)) {
        pby_folder_path(counts, folder, "in.csv");
        pby_write_file(counts, "key,count\na,5\nb,7\n");
        make_ledger();
        const pby_run *r =
            FAULTY("ENOMEM", n, NULL, "release", "geometric:eps=1", counts, "--ledger", ledger, "-o", out);
        const int status = r->status;
        const bool says = strstr(r->err, "the budget was spent") != NULL;
        cr_assert(status == 0 || (status == 3 && count(r->err, "\n") == 1), "allocation %d: %d: %s", n,
                  status, r->err);
        const size_t paid = entries();
        cr_assert(status != 0 || paid == 1, "allocation %d", n);
        cr_assert(status == 0 || says == (paid == 1), "allocation %d: spent, and nobody said so", n);
        cr_assert(paid == 1 || access(out, F_OK) != 0, "allocation %d: released and not recorded", n);
        refused += status != 0;
        told += says;
        empty_folder();
    }
    cr_assert(refused > 40 && told < refused, "%zu %zu", refused, told);
}
#endif

/* ---- plans ------------------------------------------------------------------------------------ */

/* A plan of two releases and its table, apart from what is attacked; and a ledger of the plan. */
static void make_planned(char plan[PBY_PATH_SIZE], char data[PBY_PATH_SIZE])
{
    pby_folder_path(plan, apart, "plan.toml");
    pby_folder_path(data, apart, "data.csv");
    pby_write_file(plan, "format = \"probity-plan\"\nversion = 1\n[unit]\n[budget]\nepsilon = 2\n"
                         "[horizon]\ntimes = 2\n[columns.v]\nlow = 0\nhigh = 9\nstep = 1\n"
                         "[[statistics]]\nname = \"n\"\nkind = \"count\"\n"
                         "[[statistics]]\nname = \"total\"\nkind = \"sum\"\nof = \"v\"\n");
    pby_write_file(data, "v\n3\n8\n");
    const pby_run *r = PBY_RUN(NULL, "ledger", "init", ledger, "--plan", plan);
    cr_assert_eq(r->status, 0, "%s", r->err);
}

static const char *read_in(const char *path, const char *name)
{
    static char text[1 << 14];
    char whole[2 * PBY_PATH_SIZE];
    snprintf(whole, sizeof whole, "%s/%s", path, name);
    FILE *in = fopen(whole, "r");
    cr_assert_not_null(in, "%s", whole);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

/* The folder has both tables, each of a header and a row, and a description that names the ledger's last
 * digest. */
static void folder_is_whole(const char *path, int n)
{
    char digest[65] = "";
    cr_assert_eq(pby_folder_entries(path), 3, "operation %d", n);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(count(read_in(path, i == 0 ? "n.csv" : "total.csv"), "\n"), 2, "operation %d", n);
    const char *text = read_in(path, "release.json"), *at = strstr(text, "\"ledger\": \"");
    cr_assert_str_eq(text + strlen(text) - 2, "}\n", "operation %d", n);
    cr_assert_eq(sscanf(at, "\"ledger\": \"%64[0-9a-f]", digest), 1);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "show", ledger, "--after", digest)->status, 0, "operation %d", n);
}

/* True if there is a folder of a release that was not finished. */
static bool has_draft(void)
{
    bool found = false;
    DIR *all = opendir(folder);
    cr_assert_not_null(all);
    for (struct dirent *one; (one = readdir(all)) != NULL;)
        found = found || strncmp(one->d_name, "out.csv.", 8) == 0;
    closedir(all);
    return found;
}

static void empty_drafts(void)
{
    DIR *all = opendir(folder);
    for (struct dirent *one; (one = readdir(all)) != NULL;)
        if (strncmp(one->d_name, "out.csv", 7) == 0) {
            char path[PBY_PATH_SIZE];
            pby_folder_path(path, folder, one->d_name);
            pby_folder_remove(path);
        }
    closedir(all);
    empty_folder();
}

/* Nothing with noise in it is on the disk before the charge is; the folder is whole or absent; and the next
 * release is made, where the budget has one left. */
Test(attacked, a_plan_that_is_killed_anywhere_is_whole_and_paid_or_absent)
{
    char plan[PBY_PATH_SIZE], data[PBY_PATH_SIZE];
    int n = 1, status = KILLED;
    size_t lost = 0, both = 0, halves = 0;
    for (; status == KILLED && n < STEPS_MAX; n++) {
        make_planned(plan, data);
        status =
            FAULTY("kill", n, NULL, "plan", "release", plan, data, "-o", out, "--ledger", ledger)->status;
        const bool there = access(out, F_OK) == 0, half = has_draft();
        const size_t paid = entries();
        cr_assert(paid == 1 || (!there && !half), "operation %d: released and not recorded", n);
        if (there)
            folder_is_whole(out, n);
        lost += paid == 1 && !there;
        both += paid == 1 && there && status == KILLED;
        halves += half;
        char next[PBY_PATH_SIZE];
        pby_folder_path(next, folder, "out.csv2");
        const pby_run *r = PBY_RUN(NULL, "plan", "release", plan, data, "-o", next, "--ledger", ledger);
        cr_assert_eq(r->status, 0, "operation %d: %s", n, r->err);
        folder_is_whole(next, n);
        cr_assert_eq(entries(), paid + 1, "operation %d", n);
        empty_drafts();
    }
    cr_assert_eq(status, 0);
    cr_assert(lost > 0 && both > 0 && halves > 5, "%zu %zu %zu: a window was not hit", lost, both, halves);
}

/* A disk that is full: nothing is left of the folder, and behind the charge the error says that it is
 * spent. */
Test(attacked, a_full_disk_behind_the_charge_of_a_plan_says_so)
{
    char plan[PBY_PATH_SIZE], data[PBY_PATH_SIZE];
    int n = 1;
    size_t told = 0;
    for (reached = true; reached && n < STEPS_MAX; n++) {
        make_planned(plan, data);
        const pby_run *r =
            FAULTY("ENOSPC", n, NULL, "plan", "release", plan, data, "-o", out, "--ledger", ledger);
        const int status = r->status;
        const bool says = strstr(r->err, "the budget was spent") != NULL;
        cr_assert(status == 0 || count(r->err, "\n") == 1, "operation %d: %s", n, r->err);
        const size_t paid = entries();
        cr_assert(status == 0 || says == (paid == 1), "operation %d: spent, and nobody said so", n);
        cr_assert_not(has_draft(), "operation %d", n);
        if (access(out, F_OK) == 0)
            folder_is_whole(out, n);
        told += says;
        empty_drafts();
    }
    cr_assert_gt(told, 5);
}

/* A creation that is killed leaves a whole ledger under the name, or none; a draft is gone behind the next
 * command. */
Test(attacked, a_ledger_that_is_killed_while_it_is_made_is_whole_or_not_there)
{
    static const char *const kept[] = {"ledger", NULL};
    int n = 1, status = KILLED;
    size_t none = 0;
    for (; status == KILLED && n < STEPS_MAX; n++) {
        status =
            FAULTY("kill", n, NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "1e-6")->status;
        if (access(ledger, F_OK) == 0) {
            cr_assert_eq(entries(), 0, "operation %d", n);
        } else {
            const pby_run *r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "1", "--delta", "1e-6");
            cr_assert_eq(r->status, 0, "operation %d: %s", n, r->err);
            none++;
        }
        only_these(kept);
        empty_folder();
    }
    cr_assert_eq(status, 0);
    cr_assert(n > 8 && none > 3);
}

/* ---- memos ------------------------------------------------------------------------------------ */

#define RAPPOR "rappor:bits=16,hashes=2,f=1/2,p=3/4,q=1/4,reports=2"

/* A memo that reports was paid for, and a draft does not report. */
Test(attacked, a_memo_that_is_killed_while_it_is_made_reports_only_if_paid)
{
    char draft[PBY_PATH_SIZE], value[PBY_PATH_SIZE];
    int n = 1, status = KILLED;
    size_t left = 0, unpaid = 0;
    pby_folder_path(draft, folder, ".s.draft");
    for (; status == KILLED && n < STEPS_MAX; n++) {
        pby_folder_path(value, folder, "value");
        pby_write_file(value, "gnu\n");
        const pby_run *r = PBY_RUN(NULL, "ledger", "init", ledger, "--epsilon", "9", "--delta", "0",
                                   "--neighbours", "local");
        cr_assert_eq(r->status, 0, "%s", r->err);
        status =
            FAULTY("kill", n, NULL, "report", RAPPOR, "--memo", file, "--new", "--ledger", ledger)->status;
        if (access(draft, F_OK) == 0) {
            left++;
            cr_assert_neq(PBY_RUN(NULL, "report", RAPPOR, value, "--memo", draft)->status, 0);
        }
        const size_t paid = entries();
        r = PBY_RUN(NULL, "report", RAPPOR, value, "--memo", file);
        cr_assert(paid == 1 || r->status != 0, "operation %d", n);
        cr_assert(r->status == 0 || access(file, F_OK) != 0 || strstr(r->err, "was not paid for") != NULL,
                  "operation %d: %s", n, r->err);
        unpaid += paid == 0 && access(file, F_OK) == 0;
        empty_folder();
    }
    cr_assert_eq(status, 0);
    cr_assert(left > 0 && unpaid > 0, "%zu %zu", left, unpaid);
}

/* Two reports were paid for, and two are seen at most, wherever the first is killed. */
Test(attacked, a_report_that_is_killed_anywhere_is_counted_if_it_is_seen)
{
    char value[PBY_PATH_SIZE];
    int n = 1, status = KILLED;
    for (; status == KILLED && n < STEPS_MAX; n++) {
        pby_folder_path(value, folder, "value");
        pby_write_file(value, "gnu\n");
        pby_run first;
        cr_assert_eq(PBY_RUN("", "report", RAPPOR, "--memo", file, "--new")->status, 0);
        first = *FAULTY("kill", n, NULL, "report", RAPPOR, value, "--memo", file);
        status = first.status;
        size_t seen = count(first.out, "\n");
        for (int i = 0; i < 3; i++)
            seen += count(PBY_RUN(NULL, "report", RAPPOR, value, "--memo", file)->out, "\n");
        cr_assert_leq(seen, 2, "operation %d", n);
        cr_assert_geq(seen, 1, "operation %d", n);
        empty_folder();
    }
    cr_assert_eq(status, 0);
    cr_assert_gt(n, 10);
}

/* ---- secrets ---------------------------------------------------------------------------------- */

/* libsodium aborts where it has no entropy; a key, a session and noise are refused with one line. */
Test(attacked, without_entropy_there_is_a_line_and_no_abort)
{
    setenv("PBY_FAULT_RANDOM", "1", 1);
    const pby_run *r = FAULTY("kill", 0, NULL, "keygen", "-o", file);
    cr_assert_eq(r->status, 3, "%d: %s", r->status, r->err);
    cr_assert_not_null(strstr(r->err, "no entropy: getrandom: "), "%s", r->err);
    cr_assert_eq(FAULTY("kill", 0, NULL, "session", "open", file, "above:eps=1", "--threshold", "1")->status,
                 3);
    cr_assert_eq(pby_folder_entries(folder), 0);
}

#ifndef PBY_SANITIZED
/* True if a process that aborts leaves a core: the command, once it has answered a question, or one of ours.
 */
static bool dumps_core(bool command)
{
    const char *path = getenv("PROBITY");
    char *real = realpath(path == NULL ? "build/probity" : path, NULL), answer[8];
    int to[2], from[2], status;
    cr_assert(pipe(to) == 0 && pipe(from) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
        signal(SIGABRT, SIG_DFL);
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        if (chdir(folder) != 0 || setrlimit(RLIMIT_CORE, &all) != 0)
            _exit(1);
        if (command)
            execl(real, "probity", "session", "ask", file, (char *)NULL);
        (void)!write(STDOUT_FILENO, "below\n", 6);
        pause();
        _exit(1);
    }
    cr_assert_eq(write(to[1], "5\n", 2), 2);
    cr_assert_eq(read(from[0], answer, sizeof answer), 6);
    kill(child, SIGABRT);
    cr_assert_eq(waitpid(child, &status, 0), child);
    for (int i = 0; i < 2; i++)
        close(to[i]), close(from[i]);
    free(real);
    return WIFSIGNALED(status) && WCOREDUMP(status);
}

/* The noise of a threshold is no reader's of core dumps. Where the system writes no cores, nothing is shown.
 */
Test(attacked, a_process_that_holds_noise_leaves_no_core)
{
    make_session();
    if (!dumps_core(false))
        cr_skip("this system writes no core dumps");
    cr_assert(!dumps_core(true));
}
#endif
