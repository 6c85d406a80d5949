/* SPDX-License-Identifier: MIT */
/* Ledgers of version 2, which have no digests. */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probity/experimental/ledgers.h"
#include "tests/certificate/failing.h"
#include "tests/certificate/ledger/books.h"
#include "tests/cli/run.h"

#define SPEC "stlap:eps=1/2,q=60"

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

TestSuite(ledger_upgrade, .init = setup, .fini = teardown);

/* With one use of two. */
static void make_old(void)
{
    pby_make_old_ledger(path, "1", "1/1000000", (const char *const[]){SPEC, NULL});
}

static pby_status count_entry(const pby_ledger_entry *entry, void *count, pby_error *err)
{
    (void)err;
    cr_assert_eq(entry->number, *(int *)count + 1);
    cr_assert_str_eq(entry->spec, SPEC);
    ++*(int *)count;
    return PBY_OK;
}

struct seen {
    int entries, version;
    char digest[PBY_LEDGER_DIGEST_SIZE];
};

static struct seen look(void)
{
    struct seen seen = {.entries = 0};
    pby_ledger *ledger;
    pby_error err;
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_each(ledger, count_entry, &seen.entries, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_digest(seen.digest, ledger, &err), PBY_OK, "%s", err.text);
    seen.version = pby_ledger_version(ledger);
    pby_ledger_close(ledger);
    return seen;
}

Test(ledger_upgrade, reads_an_old_ledger_as_it_is)
{
    make_old();
    const struct seen seen = look();
    cr_assert_eq(seen.entries, 1);
    cr_assert_eq(seen.version, 2);
    cr_assert_eq(look().version, 2, "reading changes nothing");
}

Test(ledger_upgrade, the_first_record_brings_the_digests)
{
    pby_error err;
    make_old();
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "%s", err.text);
    const struct seen seen = look();
    cr_assert_eq(seen.entries, 2);
    cr_assert_eq(seen.version, 3);
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_NO);
    pby_tamper(path, "UPDATE spend SET spec = 'geometric:eps=1/100' WHERE number = 1");
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "entry 1 is not as it was recorded"), "%s", err.text);
}

/* The digest is of what was recorded, whichever version recorded it. */
Test(ledger_upgrade, the_digest_stays)
{
    pby_error err;
    char made[PBY_LEDGER_DIGEST_SIZE];
    make_old();
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "%s", err.text);
    strcpy(made, look().digest);
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db,
                              "DROP TABLE terms; DROP TABLE chain; DROP TABLE head; PRAGMA user_version = 2",
                              NULL, NULL, NULL),
                 SQLITE_OK);
    sqlite3_close(db);
    const struct seen old = look();
    cr_assert_eq(old.version, 2);
    cr_assert_str_eq(old.digest, made);
}

/* A refused spend writes nothing; the same connection may then spend less. */
Test(ledger_upgrade, a_refusal_leaves_the_version)
{
    pby_ledger *ledger;
    pby_spec *much, *little;
    pby_error err;
    make_old();
    cr_assert_eq(pby_spec_parse(&much, &(const char *){"3*" SPEC}, 1, &err), PBY_OK);
    cr_assert_eq(pby_spec_parse(&little, &(const char *){SPEC}, 1, &err), PBY_OK);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_spend(ledger, much, NULL, &err), PBY_NO);
    cr_assert_eq(look().version, 2);
    cr_assert_eq(pby_ledger_spend(ledger, little, NULL, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_version(ledger), 3);
    pby_ledger_close(ledger);
    pby_spec_free(little);
    pby_spec_free(much);
    cr_assert_eq(look().entries, 2);
}

/* Opened before another process upgraded it: read and spent from all the same. */
Test(ledger_upgrade, a_connection_from_before_goes_on)
{
    pby_ledger *ledger;
    pby_spec *spec;
    pby_error err;
    int count = 0;
    make_old();
    cr_assert_eq(pby_spec_parse(&spec, &(const char *){SPEC}, 1, &err), PBY_OK);
    cr_assert_eq(pby_ledger_open(&ledger, path, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_ledger_each(ledger, count_entry, &count, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(count, 2);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_NO);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
    cr_assert_eq(look().entries, 2);
}

Test(ledger_upgrade, processes_at_once_do_not_overspend)
{
    enum { PROCESSES = 8 };
    pid_t child[PROCESSES];
    int spent = 0, refused = 0;
    make_old();
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
    cr_assert_eq(spent, 1);
    cr_assert_eq(refused, PROCESSES - 1);
    cr_assert_eq(look().entries, 2);
}

/* Killed at any step, it is of version 2 with what it had, or of version 3 with one entry more. */
Test(ledger_upgrade, a_kill_at_any_step_leaves_one_version_or_the_other, .timeout = 600)
{
    int n = 1, old = 0;
    for (bool killed = true; killed; n++) {
        pby_error err;
        make_old();
        const pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0) {
            pby_failing_install((pby_failing){.fatal = n});
            _exit((int)pby_spend(path, SPEC, &err));
        }
        int status;
        cr_assert_eq(waitpid(child, &status, 0), child);
        killed = WIFSIGNALED(status);
        const struct seen seen = look();
        cr_assert(seen.version == 1 + seen.entries, "step %d: version %d, %d entries", n, seen.version,
                  seen.entries);
        cr_assert(killed || seen.entries == 2);
        cr_assert_eq(pby_spend(path, SPEC, &err), seen.entries == 1 ? PBY_OK : PBY_NO, "step %d: %s", n,
                     err.text);
        old += seen.version == 2;
        unlink(path);
    }
    cr_assert_gt(n, 20, "only %d steps", n);
    cr_assert_gt(old, 10);
}

Test(ledger_upgrade, an_error_at_any_step_leaves_one_version_or_the_other, .timeout = 600)
{
    bool failed = true;
    for (int n = 1; failed; n++) {
        pby_error err;
        char journal[PBY_PATH_SIZE];
        make_old();
        pby_failing_install((pby_failing){.failing = n, .code = SQLITE_IOERR});
        const pby_status status = pby_spend(path, SPEC, &err);
        failed = pby_failing_remove() >= n;
        const struct seen seen = look();
        cr_assert(seen.version == 1 + seen.entries, "step %d: version %d, %d entries", n, seen.version,
                  seen.entries);
        cr_assert(status != PBY_OK || seen.entries == 2, "step %d: spent and not recorded", n);
        unlink(path);
        pby_folder_path(journal, folder, "ledger-journal");
        unlink(journal);
    }
}
