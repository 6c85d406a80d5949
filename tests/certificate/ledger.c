/* The ledger, on a machine that fails: the file system below SQLite is replaced by one that kills the
 * process, or fails, at its n-th step. */
#include "probity/ledger.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probity/rational.h"
#include "tests/cli/run.h"

#define SPEC "stlap:eps=1/2,q=60"

/* ---- a file system that fails ------------------------------------------------------------------ */

/* At the step with this number, counted from 1, the process is killed, or the step fails with this code. */
static int steps, fatal_step, failing_step, failure;

static int step(void)
{
    steps++;
    if (steps == fatal_step)
        raise(SIGKILL);
    return steps == failing_step ? failure : SQLITE_OK;
}

/* A step that the process may be killed at, but that does not fail. */
static void pass(void)
{
    if (++steps == fatal_step)
        raise(SIGKILL);
}

/* A file of ours and, behind it, the real one. */
struct file {
    sqlite3_file base;
    sqlite3_file *real;
};

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct file *)file)->real;
}

#define STEP(call)              \
    do {                        \
        const int code = step(); \
        return code != SQLITE_OK ? code : (call); \
    } while (0)

static int f_close(sqlite3_file *f)
{
    pass();
    return real_of(f)->pMethods->xClose(real_of(f));
}

static int f_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    STEP(real_of(f)->pMethods->xRead(real_of(f), to, n, at));
}

/* A write that is cut short: half of it reaches the file before the process is killed. */
static int f_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    if (steps + 1 == fatal_step)
        (void)real_of(f)->pMethods->xWrite(real_of(f), from, n / 2, at);
    STEP(real_of(f)->pMethods->xWrite(real_of(f), from, n, at));
}
static int f_truncate(sqlite3_file *f, sqlite3_int64 n) { STEP(real_of(f)->pMethods->xTruncate(real_of(f), n)); }
static int f_sync(sqlite3_file *f, int flags) { STEP(real_of(f)->pMethods->xSync(real_of(f), flags)); }
static int f_size(sqlite3_file *f, sqlite3_int64 *n) { STEP(real_of(f)->pMethods->xFileSize(real_of(f), n)); }
static int f_lock(sqlite3_file *f, int level) { STEP(real_of(f)->pMethods->xLock(real_of(f), level)); }
static int f_unlock(sqlite3_file *f, int level)
{
    pass();
    return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int f_reserved(sqlite3_file *f, int *out) { return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out); }
static int f_control(sqlite3_file *f, int op, void *arg) { return real_of(f)->pMethods->xFileControl(real_of(f), op, arg); }
static int f_sector(sqlite3_file *f) { return real_of(f)->pMethods->xSectorSize(real_of(f)); }
static int f_device(sqlite3_file *f) { return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f)); }

static const sqlite3_io_methods methods = {1,      f_close, f_read,   f_write,    f_truncate, f_sync,  f_size,
                                           f_lock, f_unlock, f_reserved, f_control, f_sector, f_device, 0, 0, 0, 0, 0, 0};

static sqlite3_vfs *real_vfs, vfs;

static int v_open(sqlite3_vfs *v, const char *name, sqlite3_file *file, int flags, int *out)
{
    (void)v;
    struct file *ours = (struct file *)file;
    ours->base.pMethods = NULL;
    ours->real = (sqlite3_file *)(ours + 1);
    const int code = step();
    if (code != SQLITE_OK)
        return code;
    const int opened = real_vfs->xOpen(real_vfs, name, ours->real, flags, out);
    if (ours->real->pMethods != NULL)
        ours->base.pMethods = &methods;
    return opened;
}

static int v_delete(sqlite3_vfs *v, const char *name, int sync_folder)
{
    (void)v;
    STEP(real_vfs->xDelete(real_vfs, name, sync_folder));
}

static int v_access(sqlite3_vfs *v, const char *name, int flags, int *out)
{
    (void)v;
    STEP(real_vfs->xAccess(real_vfs, name, flags, out));
}

/* From now on the default file system of this process. */
static void install(void)
{
    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.zName = "failing";
    vfs.szOsFile = (int)sizeof(struct file) + real_vfs->szOsFile;
    vfs.xOpen = v_open;
    vfs.xDelete = v_delete;
    vfs.xAccess = v_access;
    vfs.pNext = NULL;
    cr_assert_eq(sqlite3_vfs_register(&vfs, 1), SQLITE_OK);
    steps = fatal_step = failing_step = 0;
}

/* ---- ledgers ----------------------------------------------------------------------------------- */

static void make(const char *path, const char *epsilon_text, const char *delta_text)
{
    pby_error err;
    mpq_t epsilon, delta;
    mpq_inits(epsilon, delta, (mpq_ptr)0);
    cr_assert_eq(pby_rational_parse(epsilon, "epsilon", epsilon_text, &err), PBY_OK);
    cr_assert_eq(pby_rational_parse(delta, "delta", delta_text, &err), PBY_OK);
    cr_assert_eq(pby_ledger_create(path, PBY_ADD_REMOVE, epsilon, delta, &err), PBY_OK, "%s", err.text);
    mpq_clears(epsilon, delta, (mpq_ptr)0);
}

static pby_status spend(const char *path, const char *text, pby_error *err)
{
    pby_ledger *ledger;
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, err), PBY_OK);
    pby_status status = pby_ledger_open(&ledger, path, err);
    if (status == PBY_OK)
        status = pby_ledger_spend(ledger, spec, err);
    pby_ledger_close(ledger);
    pby_spec_free(spec);
    return status;
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
    cr_assert_eq(spend(path, SPEC, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(spend(path, SPEC, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(spend(path, SPEC, &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, SPEC " would overspend: delta would be up to 0.067"), "%s", err.text);
    cr_assert_eq(entries(path), 2);
    cr_assert_eq(spend(path, "geometric:eps=1/1000000000", &err), PBY_OK, "a small one still fits: %s", err.text);
}

/* Equality is within the budget: four pure uses of a quarter, by an exact zero. */
Test(ledger, spends_to_the_last)
{
    pby_error err;
    make(path, "1", "0");
    for (int i = 0; i < 4; i++)
        cr_assert_eq(spend(path, "geometric:eps=1/4", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(spend(path, "geometric:eps=1/100", &err), PBY_NO);
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
    cr_assert_eq(spend(path, SPEC, &err), PBY_OK);
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
    pby_write_file(path, "this is text, and long enough to be looked at as one: it has more than a hundred bytes or so\n");
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
    pby_write_file(path, "before");
    cr_assert_eq(pby_ledger_create(path, PBY_ADD_REMOVE, one, one, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "File exists"), "%s", err.text);
    cr_assert(pby_file_is(path, "before"));
    cr_assert_eq(pby_folder_entries(folder), 1);
    cr_assert_eq(pby_ledger_create("/nonexistent/l", PBY_ADD_REMOVE, one, one, &err), PBY_BAD);
    mpq_set_si(one, -1, 2);
    cr_assert_eq(pby_ledger_create("/tmp/never", PBY_ADD_REMOVE, one, one, &err), PBY_BAD);
    mpq_clear(one);
}

/* An entry cannot be taken back by accident. */
Test(ledger, keeps_its_entries)
{
    pby_error err;
    sqlite3 *db;
    make(path, "1", "1e-6");
    cr_assert_eq(spend(path, SPEC, &err), PBY_OK);
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
            _exit((int)spend(path, SPEC, &err));
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

/* What a process that spends and is killed at the n-th step leaves: its exit, -1 when it was killed. It
 * says so in a file as soon as the spend has returned, as a release would publish. */
static int spend_killed_at(int n, const char *published)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        pby_error err;
        install();
        fatal_step = n;
        const pby_status status = spend(path, SPEC, &err);
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
        cr_assert_eq(spend(path, SPEC, &err), PBY_OK, "step %d: %s", n, err.text);
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
        install();
        failing_step = n;
        failure = code;
        const pby_status status = spend(path, SPEC, &err);
        failed = steps >= n;
        cr_assert_eq(sqlite3_vfs_unregister(&vfs), SQLITE_OK);
        cr_assert_eq(sqlite3_vfs_register(real_vfs, 1), SQLITE_OK);
        const int recorded = entries(path);
        cr_assert(status == PBY_OK || status == PBY_FAILED || status == PBY_BAD, "step %d: %d", n, (int)status);
        cr_assert(status != PBY_OK || recorded == 1, "step %d: spent and not recorded", n);
        cr_assert_eq(spend(path, SPEC, &err), PBY_OK, "step %d: %s", n, err.text);
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

/* A creation that is killed leaves a whole ledger under the name, or none. */
Test(ledger, a_kill_while_it_is_made_leaves_a_whole_one_or_none)
{
    bool killed = true;
    int n = 1;
    for (; killed; n++) {
        const pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0) {
            install();
            fatal_step = n;
            make(path, "1", "1e-6");
            _exit(0);
        }
        int status;
        cr_assert_eq(waitpid(child, &status, 0), child);
        killed = WIFSIGNALED(status);
        if (access(path, F_OK) == 0)
            cr_assert_eq(entries(path), 0, "step %d", n);
        else
            cr_assert(killed, "step %d", n);
        unlink(path);
    }
    cr_assert_gt(n, 10);
}
