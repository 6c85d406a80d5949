/* SPDX-License-Identifier: MIT */
#include "tests/certificate/failing.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sqlite3.h>

static pby_failing plan;
static int steps;

static int step(void)
{
    steps++;
    if (steps == plan.fatal)
        raise(SIGKILL);
    return steps == plan.failing ? plan.code : SQLITE_OK;
}

/* A step that the process may be killed at, but that does not fail. */
static void pass(void)
{
    if (++steps == plan.fatal)
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

#define STEP(call)                                \
    do {                                          \
        const int code = step();                  \
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
    if (steps + 1 == plan.fatal)
        (void)real_of(f)->pMethods->xWrite(real_of(f), from, n / 2, at);
    STEP(real_of(f)->pMethods->xWrite(real_of(f), from, n, at));
}
static int f_truncate(sqlite3_file *f, sqlite3_int64 n)
{
    STEP(real_of(f)->pMethods->xTruncate(real_of(f), n));
}
static int f_sync(sqlite3_file *f, int flags)
{
    STEP(real_of(f)->pMethods->xSync(real_of(f), flags));
}
static int f_size(sqlite3_file *f, sqlite3_int64 *n)
{
    STEP(real_of(f)->pMethods->xFileSize(real_of(f), n));
}
static int f_lock(sqlite3_file *f, int level)
{
    STEP(real_of(f)->pMethods->xLock(real_of(f), level));
}
static int f_unlock(sqlite3_file *f, int level)
{
    pass();
    return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int f_reserved(sqlite3_file *f, int *out)
{
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}
static int f_control(sqlite3_file *f, int op, void *arg)
{
    return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}
static int f_sector(sqlite3_file *f)
{
    return real_of(f)->pMethods->xSectorSize(real_of(f));
}
static int f_device(sqlite3_file *f)
{
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static const sqlite3_io_methods methods = {
    1,         f_close,  f_read,   f_write, f_truncate, f_sync, f_size, f_lock, f_unlock, f_reserved,
    f_control, f_sector, f_device, 0,       0,          0,      0,      0,      0};

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

void pby_failing_install(pby_failing asked)
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
    plan = asked;
    steps = 0;
}

int pby_failing_remove(void)
{
    cr_assert_eq(sqlite3_vfs_unregister(&vfs), SQLITE_OK);
    cr_assert_eq(sqlite3_vfs_register(real_vfs, 1), SQLITE_OK);
    return steps;
}
