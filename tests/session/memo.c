/* SPDX-License-Identifier: MIT */
#include "session/memo.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "tests/cli/run.h"
#include "tests/spec.h"

#define ONCE  "rappor:bits=64,hashes=2,f=1/2,values=2"
#define TWICE "rappor:bits=64,hashes=2,f=1/2,p=3/4,q=1/4,reports=2"

static char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE];
static pby_entropy *source;

static void setup(void)
{
    static const uint8_t seed[PBY_SEED_SIZE] = {17};
    pby_folder_make(folder);
    pby_folder_path(file, folder, "memo");
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
}

static void teardown(void)
{
    pby_entropy_free(source);
    pby_folder_remove(folder);
}

TestSuite(memo, .init = setup, .fini = teardown);

static void make(const char *text, const char *user)
{
    pby_spec *spec = spec_of(text);
    pby_error err;
    cr_assert_eq(pby_memo_create_from(file, spec, user, NULL, source, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
}

static pby_memo *open_it(const char *path, const char *text)
{
    pby_memo *memo;
    pby_error err;
    pby_spec *spec = spec_of(text);
    cr_assert_eq(pby_memo_open_from(&memo, path, spec, NULL, source, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return memo;
}

static void refuses(const char *text, const char *user, const char *expected)
{
    pby_memo *memo;
    pby_error err;
    pby_spec *spec = spec_of(text);
    cr_assert_eq(pby_memo_open_from(&memo, file, spec, user, source, &err), PBY_BAD);
    cr_assert_null(memo);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
    pby_spec_free(spec);
}

/* For free(3). */
static char *say(pby_memo *memo, const char *value)
{
    char *report;
    pby_error err;
    cr_assert_eq(pby_memo_report(&report, memo, value, strlen(value), &err), PBY_OK, "%s", err.text);
    return report;
}

static void is_told_no(pby_memo *memo, const char *value, const char *expected)
{
    char *report;
    pby_error err;
    const uint64_t used = pby_entropy_used(source);
    cr_assert_eq(pby_memo_report(&report, memo, value, strlen(value), &err), PBY_NO);
    cr_assert_null(report);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
    cr_assert_null(strstr(err.text, value), "%s", err.text);
    cr_assert_eq(pby_entropy_used(source), used, "something was drawn");
}

/* The permanent response, which is the report here, is drawn once for each value, whatever is reopened. */
Test(memo, a_value_has_one_permanent_response)
{
    make(ONCE, NULL);
    pby_memo *memo = open_it(file, ONCE);
    char *one = say(memo, "zebra"), *other = say(memo, "gnu"), *again = say(memo, "zebra");
    cr_assert_str_eq(one, again);
    cr_assert_str_neq(one, other);
    pby_memo_close(memo);
    memo = open_it(file, ONCE);
    free(again);
    again = say(memo, "zebra");
    cr_assert_str_eq(one, again);
    is_told_no(memo, "okapi", "all 2 that were paid for");
    free(again);
    again = say(memo, "gnu");
    cr_assert_str_eq(other, again);
    pby_memo_close(memo);
    free(again);
    free(other);
    free(one);
}

/* A child that is killed right behind its report leaves the response on the disk. */
Test(memo, a_response_is_on_the_disk_before_it_is_shown)
{
    int ends[2];
    char shown[65] = {0};
    make(ONCE, NULL);
    cr_assert_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        pby_memo *memo = open_it(file, ONCE);
        char *report = say(memo, "zebra");
        if (write(ends[1], report, 64) != 64)
            _exit(1);
        raise(SIGKILL);
    }
    close(ends[1]);
    for (size_t got = 0; got < 64;) {
        const ssize_t n = read(ends[0], shown + got, 64 - got);
        cr_assert_gt(n, 0);
        got += (size_t)n;
    }
    close(ends[0]);
    waitpid(child, NULL, 0);
    uint64_t word;
    cr_assert_eq(pby_entropy_words(source, &word, 1, NULL), PBY_OK); /* not where the child began */
    pby_memo *memo = open_it(file, ONCE);
    char *report = say(memo, "zebra");
    uint64_t left;
    cr_assert_str_eq(report, shown);
    cr_assert_eq(pby_memo_left(&left, memo, NULL), PBY_OK);
    cr_assert_eq(left, 1);
    free(report);
    pby_memo_close(memo);
}

/* Where a report cannot be drawn, the value is not kept either. */
Test(memo, a_failed_draw_leaves_nothing)
{
    static const uint64_t words[1] = {1};
    pby_entropy *tape;
    pby_memo *memo;
    char *report;
    uint64_t left;
    pby_error err;
    pby_spec *spec = spec_of(TWICE);
    make(TWICE, NULL);
    cr_assert_eq(pby_entropy_tape(&tape, words, 1, NULL), PBY_OK);
    cr_assert_eq(pby_memo_open_from(&memo, file, spec, NULL, tape, &err), PBY_OK);
    cr_assert_eq(pby_memo_report(&report, memo, "gnu", 3, &err), PBY_FAILED);
    cr_assert_null(report);
    cr_assert_eq(pby_memo_left(&left, memo, NULL), PBY_OK);
    cr_assert_eq(left, 1);
    pby_memo_close(memo);
    pby_entropy_free(tape);
    pby_spec_free(spec);
}

Test(memo, reports_are_counted)
{
    make(TWICE, NULL);
    pby_memo *memo = open_it(file, TWICE);
    free(say(memo, "gnu"));
    free(say(memo, "gnu"));
    is_told_no(memo, "gnu", "fewer than 2 times");
    is_told_no(memo, "zebra", "all 1 that were paid for");
    pby_memo_close(memo);
}

Test(memo, only_its_owner_may_read_it)
{
    struct stat about;
    make(ONCE, NULL);
    cr_assert_eq(stat(file, &about), 0);
    cr_assert_eq(about.st_mode & 0777, 0600);
    cr_assert_eq(chmod(file, 0640), 0);
    refuses(ONCE, NULL, "mode 0600");
}

Test(memo, other_parameters_users_and_files_are_refused)
{
    pby_error err;
    pby_spec *spec = spec_of(ONCE);
    refuses(ONCE, NULL, "nothing is reported without one");
    make(ONCE, "ada");
    cr_assert_eq(pby_memo_create_from(file, spec, "ada", NULL, source, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "File exists"), "%s", err.text);
    refuses(TWICE, "ada", "the spec that the memo was made with");
    refuses(ONCE, "bob", "the user whose memo it is");
    refuses(ONCE, NULL, "the user whose memo it is");
    refuses(ONCE, "", "1 to 256 bytes");
    refuses("rr:eps=1", NULL, "one use of rappor");
    refuses("2*rappor:bits=8,f=1/2", NULL, "one use of rappor");
    pby_spec_free(spec);
}

static void damage(long at, const char *bytes)
{
    FILE *f = fopen(file, "r+b");
    cr_assert_not_null(f);
    cr_assert_eq(fseek(f, at, SEEK_SET), 0);
    cr_assert_eq(fwrite(bytes, 1, strlen(bytes), f), strlen(bytes));
    fclose(f);
}

Test(memo, a_damaged_file_is_refused)
{
    make(ONCE, NULL);
    damage(4096, "\xff\xff\xff\xff\xff\xff\xff\xff");
    refuses(ONCE, NULL, "but: ");
    damage(0, "no database at all");
    refuses(ONCE, NULL, "but: ");
}

/* All is charged when the memo is made, and a ledger that cannot afford it leaves no memo. */
Test(memo, a_ledger_pays_beforehand)
{
    char path[PBY_PATH_SIZE];
    pby_ledger *ledger;
    pby_error err;
    mpq_t epsilon, delta;
    pby_spec *spec = spec_of("rappor:bits=8,f=1/2,values=2");
    mpq_inits(epsilon, delta, NULL);
    mpq_set_ui(epsilon, 5, 1); /* 2 values cost 4 log 3 = 4.39 */
    pby_folder_path(path, folder, "ledger");
    cr_assert_eq(pby_ledger_create(path, PBY_LOCAL, PBY_COMPOSE_EXACT, epsilon, delta, &err), PBY_OK, "%s",
                 err.text);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK);
    cr_assert_eq(pby_memo_create_from(file, spec, NULL, ledger, source, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(unlink(file), 0);
    cr_assert_eq(pby_memo_create_from(file, spec, NULL, ledger, source, &err), PBY_NO);
    cr_assert_neq(access(file, F_OK), 0);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
    mpq_clears(epsilon, delta, NULL);
}

/* Each of 3 cohorts is drawn in 60 memos, but for a chance of at most 3 (2/3)^60, below 1e-10. */
Test(memo, cohorts_are_drawn)
{
    static const char spec[] = "rappor:bits=8,hashes=2,f=1/2,cohorts=3";
    int seen[3] = {0};
    for (int i = 0; i < 60; i++) {
        make(spec, NULL);
        pby_memo *memo = open_it(file, spec);
        cr_assert_lt(pby_memo_cohort(memo), 3);
        seen[pby_memo_cohort(memo)]++;
        pby_memo_close(memo);
        cr_assert_eq(unlink(file), 0);
    }
    cr_assert(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* ---- values of a file --------------------------------------------------------------------------- */

struct told {
    char text[512];
    int count, most; /* how many are taken */
};

static pby_status take(void *what, const char *report, pby_error *err)
{
    struct told *told = what;
    if (told->count == told->most)
        return pby_fail(err, PBY_FAILED, "enough");
    told->count++;
    strncat(told->text, report, sizeof told->text - strlen(told->text) - 2);
    strcat(told->text, " ");
    return PBY_OK;
}

static char values[PBY_PATH_SIZE];

static void write_values(const char *text)
{
    pby_folder_path(values, folder, "values");
    pby_write_file(values, text);
}

Test(memo, lines_are_reported_one_by_one_until_a_value_is_one_too_many)
{
    struct told told = {.most = 9};
    pby_error err;
    make(ONCE, NULL);
    pby_memo *memo = open_it(file, ONCE);
    write_values("zebra\r\ngnu\nzebra\nokapi\ngnu");
    cr_assert_eq(pby_memo_report_lines(memo, values, take, &told, &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "values, line 4: the value (not shown)"), "%s", err.text);
    cr_assert_eq(err.reason, PBY_REASON_BUDGET);
    cr_assert_eq(told.count, 3);
    cr_assert_eq(strncmp(told.text, told.text + 2 * 65, 64), 0, "%s", told.text);
    char *zebra = say(memo, "zebra");
    cr_assert_eq(strncmp(told.text, zebra, 64), 0);
    free(zebra);
    pby_memo_close(memo);
}

Test(memo, a_line_that_is_no_value_is_refused_before_a_draw)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {{"1\n2\n8\n", "line 3"},
                 {"\n", "line 1"},
                 {"1\n\n2\n", "line 2"},
                 {"1\n 2", "line 2"},
                 {"1\r\r\n", "line 1"}};
    struct told told = {.most = 9};
    pby_error err;
    make("rappor:bits=8,f=1/2", NULL);
    pby_memo *memo = open_it(file, "rappor:bits=8,f=1/2");
    const uint64_t used = pby_entropy_used(source);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_values(cases[i].text);
        cr_assert_eq(pby_memo_report_lines(memo, values, take, &told, &err), PBY_BAD, "%zu", i);
        cr_assert_not_null(strstr(err.text, cases[i].expected), "%s", err.text);
        cr_assert_not_null(strstr(err.text, "(not shown): expected an integer from 0 to 7"), "%s", err.text);
    }
    cr_assert_eq(pby_memo_report_lines(memo, folder, take, &told, NULL), PBY_BAD);
    cr_assert_eq(told.count, 0);
    cr_assert_eq(pby_entropy_used(source), used, "something was drawn");
    pby_memo_close(memo);
}

Test(memo, a_callback_ends_the_work)
{
    struct told told = {.most = 1};
    pby_error err;
    make(ONCE, NULL);
    pby_memo *memo = open_it(file, ONCE);
    write_values("zebra\ngnu\nokapi\n");
    cr_assert_eq(pby_memo_report_lines(memo, values, take, &told, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "enough");
    cr_assert_eq(told.count, 1);
    pby_memo_close(memo);
}

Test(memo, users_who_report_once_pay_once)
{
    static const uint8_t seed[PBY_SEED_SIZE] = {3};
    char path[PBY_PATH_SIZE];
    struct told told = {.most = 9}, again = {.most = 9}, other = {.most = 9};
    pby_spec *spec = spec_of("rappor:bits=8,f=1/2,reports=1"), *more = spec_of(TWICE);
    pby_ledger *ledger;
    pby_error err;
    write_values("1\n2\n3\n4\n5\n6\n7\n");
    cr_assert_eq(pby_memo_report_once(spec, values, NULL, seed, take, &told, NULL), PBY_OK);
    cr_assert_eq(pby_memo_report_once(spec, values, NULL, seed, take, &again, NULL), PBY_OK);
    cr_assert_eq(pby_memo_report_once(spec, values, NULL, NULL, take, &other, NULL), PBY_OK);
    cr_assert_eq(told.count, 7);
    cr_assert_str_eq(told.text, again.text);
    cr_assert_str_neq(told.text, other.text); /* equal with a chance of (5/8)^56 < 1e-11 */
    cr_assert_eq(pby_memo_report_once(more, values, NULL, seed, take, &told, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "more reports need a memo"), "%s", err.text);

    pby_folder_path(path, folder, "ledger");
    cr_assert_eq(pby_ledger_create_text(path, PBY_LOCAL, PBY_COMPOSE_EXACT, 1, "3", "0", NULL), PBY_OK);
    cr_assert_eq(pby_ledger_open(&ledger, path, NULL), PBY_OK);
    cr_assert_eq(pby_memo_report_once(spec, values, ledger, NULL, take, &(struct told){.most = 9}, NULL),
                 PBY_OK);
    struct told none = {.most = 9};
    cr_assert_eq(pby_memo_report_once(spec, values, ledger, NULL, take, &none, &err), PBY_NO);
    cr_assert_eq(none.count, 0);
    pby_ledger_close(ledger);
    pby_spec_free(more);
    pby_spec_free(spec);
}
