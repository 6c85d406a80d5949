/* SPDX-License-Identifier: MIT */
#include "probity/ledger.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/certificate/failing.h"
#include "tests/certificate/ledger/books.h"
#include "tests/cli/run.h"

#define SPEC "stlap:eps=1/2,q=60"

/* ---- ledgers ----------------------------------------------------------------------------------- */

static void make(const char *path, const char *epsilon, const char *delta)
{
    pby_make_ledger(path, PBY_COMPOSE_EXACT, epsilon, delta);
}

static pby_status count_entry(const pby_ledger_entry *entry, void *count, pby_error *err)
{
    (void)err;
    cr_assert_eq(entry->number, *(int *)count + 1);
    cr_assert_str_eq(entry->spec, SPEC);
    cr_assert_eq(strlen(entry->at), strlen("2026-11-15T12:00:00Z"));
    ++*(int *)count;
    return PBY_OK;
}

static int entries(const char *path)
{
    pby_ledger *ledger;
    pby_error err;
    int count = 0;
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_each(ledger, count_entry, &count, &err), PBY_OK, "%s", err.text);
    pby_ledger_close(ledger);
    return count;
}

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(ledger, .init = setup, .fini = teardown);

/* ---- spending ---------------------------------------------------------------------------------- */

Test(ledger, spends_until_the_budget_is_gone)
{
    pby_error err;
    make(path, "1", "1e-6");
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, SPEC " would overspend: delta would be up to 0.067"), "%s", err.text);
    cr_assert_eq(entries(path), 2);
    cr_assert_eq(pby_spend(path, "geometric:eps=1/1000000000", &err), PBY_OK, "a small one still fits: %s",
                 err.text);
}

/* Equality is within the budget: four pure uses of a quarter, by an exact zero. */
Test(ledger, spends_to_the_last)
{
    pby_error err;
    make(path, "1", "0");
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pby_spend(path, "geometric:eps=1/4", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, "geometric:eps=1/100", &err), PBY_NO);
}

/* The composition of 30 is certified within (1, 1e-6), by 13 parts in 10^5, and so it is admitted: all at
 * once, and one by one. The usual width leaves the last one open. What was spent is then within the budget
 * too. */
Test(ledger, admits_what_is_certified)
{
    pby_error err;
    pby_ledger *ledger;
    pby_enclosure delta, epsilon;
    pby_enclosure_init(&delta);
    pby_enclosure_init(&epsilon);
    make(path, "1", "1e-6");
    cr_assert_eq(pby_spend(path, "29*dgauss:sigma2=4819,sensitivity=3", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, "dgauss:sigma2=4819,sensitivity=3", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, "dgauss:sigma2=1000000,sensitivity=3", &err), PBY_NO);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_spent(&delta, &epsilon, ledger, 9, &err), PBY_OK, "%s", err.text);
    cr_assert(mpfr_cmp_d(delta.lo, 9.9e-7) > 0 && mpfr_cmp_q(delta.hi, pby_ledger_delta(ledger)) <= 0);
    cr_assert(mpfr_cmp_d(epsilon.lo, 0.99) > 0 && mpfr_cmp_ui(epsilon.hi, 1) <= 0);
    pby_ledger_close(ledger);
    pby_enclosure_clear(&epsilon);
    pby_enclosure_clear(&delta);
}

Test(ledger, admits_what_is_certified_all_at_once)
{
    pby_error err;
    make(path, "1", "1e-6");
    cr_assert_eq(pby_spend(path, "30*dgauss:sigma2=4819,sensitivity=3", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, "dgauss:sigma2=1000000,sensitivity=3", &err), PBY_NO);
}

/* One more than is certified is refused, and a delta that is the budget itself is admitted. */
Test(ledger, the_last_of_a_budget_is_told)
{
    pby_error err;
    make(path, "1", "1e-3");
    cr_assert_eq(pby_spend(path, "partition:eps=1,delta=1001/1000000", &err), PBY_NO);
    cr_assert_eq(pby_spend(path, "partition:eps=1,delta=1/1000", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, "geometric:eps=1/1000", &err), PBY_NO);
}

/* Sums of charges have the same room: what is certified at the budget's epsilon takes all of it. */
Test(ledger, basic_admits_what_is_certified)
{
    pby_error err;
    pby_make_ledger(path, PBY_COMPOSE_BASIC, "1", "1e-6");
    cr_assert_eq(pby_spend_at(path, "30*dgauss:sigma2=4818,sensitivity=3", "1", &err), PBY_NO);
    cr_assert_eq(pby_spend_at(path, "30*dgauss:sigma2=4819,sensitivity=3", "1", &err), PBY_OK, "%s",
                 err.text);
}

/* Basic: epsilons add, deltas add. Three tenths are spent to the last, by equality of rationals. */
Test(ledger, basic_adds_up)
{
    pby_error err;
    pby_ledger *ledger;
    pby_enclosure delta, epsilon;
    pby_enclosure_init(&delta);
    pby_enclosure_init(&epsilon);
    pby_make_ledger(path, PBY_COMPOSE_BASIC, "3/10", "2.0001e-6");
    cr_assert_eq(pby_spend_at(path, "approx:eps=1/10,delta=1e-6", "1/10", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend_at(path, "approx:eps=1/10,delta=1.0002e-6", "1/10", &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "delta would be up to 2.0002"), "%s", err.text);
    cr_assert_eq(pby_spend_at(path, "approx:eps=1/10,delta=1e-7", "201/1000", &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "epsilon would be up to 0.301000001, the budget is 3/10"), "%s",
                       err.text);
    cr_assert_eq(pby_spend_at(path, "approx:eps=1/10,delta=1e-6", "2/10", &err), PBY_OK, "to the last: %s",
                 err.text);
    cr_assert_eq(pby_spend_at(path, "geometric:eps=1/1000000000", "1/1000000000", &err), PBY_NO);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_accounting(ledger), PBY_COMPOSE_BASIC);
    cr_assert_eq(pby_ledger_spent(&delta, &epsilon, ledger, 9, &err), PBY_OK, "%s", err.text);
    cr_assert(mpfr_cmp_q(epsilon.lo, pby_ledger_epsilon(ledger)) <= 0);
    cr_assert(mpfr_cmp_q(epsilon.hi, pby_ledger_epsilon(ledger)) >= 0, "all of it is spent");
    cr_assert(mpfr_cmp_d(delta.lo, 2e-6) > 0 && mpfr_cmp_d(delta.hi, 2.0001e-6) < 0);
    pby_ledger_close(ledger);
    pby_enclosure_clear(&epsilon);
    pby_enclosure_clear(&delta);
}

/* The delta that is charged is the certified one at that epsilon, of Gaussian noise as of any other. */
Test(ledger, basic_charges_at_an_epsilon)
{
    pby_error err;
    pby_make_ledger(path, PBY_COMPOSE_BASIC, "2", "1e-4");
    cr_assert_eq(pby_spend_at(path, SPEC, NULL, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "expected a certificate"), "%s", err.text);
    cr_assert_eq(pby_spend_at(path, SPEC, "-1/2", &err), PBY_BAD);
    cr_assert_eq(pby_spend_at(path, SPEC, "1/2", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend_at(path, "gauss:sigma2=16", "1/2", &err), PBY_NO);
    cr_assert_eq(pby_spend_at(path, "gauss:sigma2=16", "1", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend_at(path, SPEC, "1/2", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend_at(path, SPEC, "1/2", &err), PBY_NO);
}

/* Sixteen uses of a quarter have a delta below a half at epsilon 2, while their epsilons sum to 4. */
Test(ledger, basic_is_no_exact_composition)
{
    pby_error err;
    char exact[PBY_PATH_SIZE];
    pby_folder_path(exact, folder, "exact");
    make(exact, "2", "1/2");
    pby_make_ledger(path, PBY_COMPOSE_BASIC, "2", "1/2");
    for (int i = 0; i < 16; i++) {
        cr_assert_eq(pby_spend(exact, "geometric:eps=1/4", &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_spend_at(path, "geometric:eps=1/4", "1/4", &err), i < 8 ? PBY_OK : PBY_NO, "%s",
                     err.text);
    }
}

/* Nothing is taken that no later charge could be composed with; under basic accounting nothing is composed.
 */
Test(ledger, refuses_what_it_could_not_compose_later)
{
    static const char wide[] = "threshold:eps=1/4,T=8000,sensitivity=60";
    pby_error err;
    char basic[PBY_PATH_SIZE];
    pby_folder_path(basic, folder, "basic");
    make(path, "1", "1e-6");
    cr_assert_eq(pby_spend(path, wide, &err), PBY_BAD);
    cr_assert_not_null(
        strstr(err.text, "ledger: nothing could be charged beside this one: threshold:sensitivity '60'"),
        "%s", err.text);
    cr_assert_eq(entries(path), 0);
    cr_assert_eq(pby_spend(path, "threshold:eps=1/4,T=8000,sensitivity=2", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "%s", err.text);
    pby_make_ledger(basic, PBY_COMPOSE_BASIC, "1", "1e-6");
    cr_assert_eq(pby_spend_at(basic, wide, "1/4", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend_at(basic, SPEC, "1/2", &err), PBY_OK, "%s", err.text);
}

/* A ledger is of one data set: one n, under either accounting. */
Test(ledger, refuses_two_sizes)
{
    static const pby_composition accountings[] = {PBY_COMPOSE_EXACT, PBY_COMPOSE_BASIC};
    static const char size[] = "stlap:eps=1/2,tau=1/4,n=152,bars=1",
                      other[] = "stlap:eps=1/2,tau=1/4,n=153,bars=1";
    for (size_t i = 0; i < 2; i++) {
        pby_error err;
        pby_folder_path(path, folder, i == 0 ? "exact" : "basic");
        pby_make_ledger(path, accountings[i], "2", "1/2");
        cr_assert_eq(pby_spend_at(path, size, "1/2", &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_spend_at(path, other, "1/2", &err), PBY_BAD);
        cr_assert_not_null(strstr(err.text, "of n=152 and of n=153"), "%s", err.text);
        cr_assert_eq(pby_spend_at(path, size, "1/2", &err), PBY_OK, "%s", err.text);
    }
}

Test(ledger, knows_what_was_spent)
{
    pby_ledger *ledger;
    pby_error err;
    pby_enclosure delta, epsilon;
    pby_enclosure_init(&delta);
    pby_enclosure_init(&epsilon);
    make(path, "1", "1e-6");
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK);
    cr_assert_eq(pby_ledger_neighbours(ledger), PBY_ADD_REMOVE);
    cr_assert_eq(mpq_cmp_ui(pby_ledger_epsilon(ledger), 1, 1), 0);
    cr_assert_eq(mpq_cmp_ui(pby_ledger_delta(ledger), 1, 1000000), 0);
    cr_assert_eq(pby_ledger_spent(&delta, &epsilon, ledger, 9, &err), PBY_OK);
    cr_assert(mpfr_zero_p(delta.hi) && mpfr_zero_p(epsilon.hi));
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK);
    cr_assert_eq(pby_ledger_spent(&delta, &epsilon, ledger, 9, &err), PBY_OK);
    cr_assert(mpfr_cmp_d(delta.lo, 0) > 0 && mpfr_cmp_d(delta.hi, 1e-6) < 0);
    cr_assert(mpfr_cmp_d(epsilon.lo, 0.49) > 0 && mpfr_cmp_d(epsilon.hi, 0.51) < 0);
    pby_ledger_close(ledger);
    pby_enclosure_clear(&epsilon);
    pby_enclosure_clear(&delta);
}

Test(ledger, refuses_what_is_none)
{
    pby_ledger *ledger;
    pby_error err;
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "expected a file that probity ledger init made"), "%s", err.text);
    cr_assert_null(ledger);
    pby_write_file(
        path,
        "this is text, and long enough to be looked at as one: it has more than a hundred bytes or so\n");
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_BAD);
    pby_write_file(path, "");
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_BAD);
    cr_assert_eq(pby_ledger_open(&ledger, "/tmp", &err), PBY_BAD);
    cr_assert_eq(pby_ledger_open(&ledger, "/nonexistent/ledger", &err), PBY_BAD);
}

Test(ledger, leaves_a_file_that_is_there_alone)
{
    pby_error err;
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 2);
    cr_assert_eq(pby_ledger_create(path, PBY_ADD_REMOVE, PBY_COMPOSE_ADVANCED, one, one, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "expected exact or basic"), "%s", err.text);
    pby_write_file(path, "before");
    cr_assert_eq(pby_ledger_create(path, PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, one, one, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "File exists"), "%s", err.text);
    cr_assert(pby_file_is(path, "before"));
    cr_assert_eq(pby_folder_entries(folder), 1);
    cr_assert_eq(pby_ledger_create("/nonexistent/l", PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, one, one, &err),
                 PBY_BAD);
    mpq_set_si(one, -1, 2);
    cr_assert_eq(pby_ledger_create("/tmp/never", PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, one, one, &err), PBY_BAD);
    mpq_clear(one);
}

/* An entry cannot be taken back by accident. */
Test(ledger, keeps_its_entries)
{
    pby_error err;
    sqlite3 *db;
    make(path, "1", "1e-6");
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_neq(sqlite3_exec(db, "DELETE FROM spend", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_neq(sqlite3_exec(db, "UPDATE spend SET spec = 'geometric:eps=1'", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_neq(sqlite3_exec(db, "UPDATE budget SET delta = '1/2'", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    cr_assert_eq(entries(path), 1);
}

/* ---- two at once ------------------------------------------------------------------------------- */

/* Eight processes want a budget of two uses at the same moment: two get one, six are told that it is gone. */
Test(ledger, processes_at_once_do_not_overspend)
{
    enum { PROCESSES = 8 };
    pid_t child[PROCESSES];
    int spent = 0, refused = 0;
    make(path, "1", "1e-6");
    for (int i = 0; i < PROCESSES; i++) {
        child[i] = fork();
        cr_assert_geq(child[i], 0);
        if (child[i] == 0) {
            pby_error err;
            _exit((int)pby_spend(path, SPEC, &err));
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        cr_assert_eq(waitpid(child[i], &status, 0), child[i]);
        cr_assert(WIFEXITED(status));
        spent += WEXITSTATUS(status) == PBY_OK;
        refused += WEXITSTATUS(status) == PBY_NO;
    }
    cr_assert_eq(spent, 2);
    cr_assert_eq(refused, PROCESSES - 2);
    cr_assert_eq(entries(path), 2);
}

/* ---- killed, and failing, at every step -------------------------------------------------------- */

/* Runs a process that spends and is killed at the n-th step; returns its exit status, -1 when it was killed.
 * The process writes a file as soon as the spend has returned, as a release would publish. */
static int spend_killed_at(int n, const char *published)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        pby_error err;
        pby_failing_install((pby_failing){.fatal = n});
        const pby_status status = pby_spend(path, SPEC, &err);
        if (status == PBY_OK)
            fclose(fopen(published, "w"));
        _exit((int)status);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(ledger, a_kill_at_any_step_loses_no_record_of_a_release)
{
    char published[PBY_PATH_SIZE];
    int lost = 0, kept = 0, n = 1;
    pby_folder_path(published, folder, "published");
    for (bool killed = true; killed; n++) {
        make(path, "1", "1e-6");
        killed = spend_killed_at(n, published) < 0;
        const bool released = access(published, F_OK) == 0;
        const int recorded = entries(path);
        cr_assert(recorded == 0 || recorded == 1, "step %d", n);
        cr_assert(!released || recorded == 1, "step %d: released and not recorded", n);
        kept += recorded == 1 && !released;
        lost += recorded == 0;
        pby_error err;
        cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "step %d: %s", n, err.text);
        unlink(path);
        unlink(published);
    }
    cr_assert_gt(n, 20, "only %d steps", n);
    cr_assert_gt(lost, 10);
    cr_assert_gt(kept, 0, "the point between the record and the release was never hit");
}

static void every_failure(int code)
{
    bool failed = true;
    for (int n = 1; failed; n++) {
        pby_error err;
        make(path, "1", "1e-6");
        pby_failing_install((pby_failing){.failing = n, .code = code});
        const pby_status status = pby_spend(path, SPEC, &err);
        failed = pby_failing_remove() >= n;
        const int recorded = entries(path);
        cr_assert(status == PBY_OK || status == PBY_FAILED || status == PBY_BAD, "step %d: %d", n,
                  (int)status);
        cr_assert(status != PBY_OK || recorded == 1, "step %d: spent and not recorded", n);
        cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "step %d: %s", n, err.text);
        unlink(path);
        char journal[PBY_PATH_SIZE];
        pby_folder_path(journal, folder, "ledger-journal");
        unlink(journal);
    }
}

Test(ledger, a_full_disk_at_any_step_is_no_spend_without_a_record)
{
    every_failure(SQLITE_FULL);
}

Test(ledger, an_error_at_any_step_is_no_spend_without_a_record)
{
    every_failure(SQLITE_IOERR);
}
