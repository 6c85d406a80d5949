/* SPDX-License-Identifier: MIT */
#include "io/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "base/work.h"
#include "io/file.h"

enum { NAME_TRIES = 100, PROC_SIZE = 64, DRAFTS = 16 };

const pby_destination pby_destination_none = {.fd = -1, .stream = -1};

const char *pby_destination_name(const pby_destination *t)
{
    return t->stream < 0 ? "the output" : "a temporary file in $TMPDIR";
}

/* ---- the machine's reasons ------------------------------------------------------------------ */

static pby_status system_failed(pby_error *err, const char *what)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: %s", what, strerror(errno));
}

/* A target that cannot be is the caller's mistake; anything else is the machine's. */
static pby_status target_failed(pby_error *err, const char *path)
{
    char expected[128];
    switch (errno) {
    case EACCES:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case ENOENT:
    case ENOTDIR:
    case EPERM:
    case EROFS:
    case ETXTBSY:
        snprintf(expected, sizeof expected, "a file that can be written: %s", strerror(errno));
        return pby_refuse(err, "output", path, expected);
    default:
        return system_failed(err, "the output");
    }
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool set_temp_name(pby_destination *t, int attempt)
{
    const char *slash = strrchr(t->path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - t->path) + 1;
    free(t->temp);
    if (asprintf(&t->temp, "%.*s.probity.%ld.%d.tmp", folder, t->path, (long)getpid(), attempt) < 0) {
        t->temp = NULL;
        errno = ENOMEM;
        return false;
    }
    return true;
}

static void proc_path(char path[PROC_SIZE], int fd)
{
    snprintf(path, PROC_SIZE, "/proc/self/fd/%d", fd);
}

/* Calls give_name under one name after another until it meets no file that is there already; errno
 * says why it could not. */
static bool name_file(pby_destination *t, int (*give_name)(pby_destination *))
{
    for (int attempt = 0; attempt < NAME_TRIES && !t->named; attempt++) {
        if (!set_temp_name(t, attempt))
            return false;
        t->named = give_name(t) == 0;
        if (!t->named && errno != EEXIST)
            return false;
    }
    return t->named;
}

/* Names of files that are not whole, for who ends the process at once. One that finds no place stays behind,
 * as it would if the process were killed. */
static _Atomic(const char *) drafts[DRAFTS];

static void exchange(const char *old, const char *new)
{
    for (size_t i = 0; i < DRAFTS; i++) {
        const char *expected = old;
        if (atomic_compare_exchange_strong(&drafts[i], &expected, new))
            return;
    }
}

void pby_destination_sweep(void)
{
    for (size_t i = 0; i < DRAFTS; i++) {
        const char *draft = atomic_load(&drafts[i]);
        if (draft != NULL)
            (void)unlink(draft);
    }
}

static int create_named(pby_destination *t)
{
    t->fd = open(t->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (t->fd < 0)
        return -1;
    exchange(NULL, t->temp);
    return 0;
}

static int link_nameless(pby_destination *t)
{
    char from[PROC_SIZE];
    proc_path(from, t->fd);
    return linkat(AT_FDCWD, from, AT_FDCWD, t->temp, AT_SYMLINK_FOLLOW);
}

/* A nameless file is of use only if it can be named later, which goes through /proc. */
static bool create_nameless(pby_destination *t)
{
    const char *slash = strrchr(t->path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(t->path, (size_t)(slash - t->path) + 1);
    if (folder == NULL)
        return false;
    t->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    free(folder);
    if (t->fd < 0)
        return false;
    char proc[PROC_SIZE];
    proc_path(proc, t->fd);
    if (access(proc, F_OK) == 0)
        return true;
    close(t->fd);
    t->fd = -1;
    return false;
}

/* ---- opening -------------------------------------------------------------------------------- */

static pby_status open_stream(pby_destination *t, const char *path, pby_error *err)
{
    t->stream = path == NULL ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                             : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (t->stream < 0)
        return path == NULL ? system_failed(err, "standard output") : target_failed(err, path);
    return pby_file_nameless(&t->fd, err);
}

static pby_status open_file(pby_destination *t, const char *path, bool nameless, pby_error *err)
{
    if (nameless && create_nameless(t))
        return PBY_OK;
    return name_file(t, create_named) ? PBY_OK : target_failed(err, path);
}

static pby_status open_existing(pby_destination *t, const char *path, mode_t mode, bool nameless,
                                pby_error *err)
{
    t->path = realpath(path, NULL);
    if (t->path == NULL || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return target_failed(err, path);
    const pby_status status = open_file(t, path, nameless, err);
    if (status == PBY_OK && fchmod(t->fd, mode & 0777) != 0)
        return system_failed(err, "the output");
    return status;
}

pby_status pby_destination_open(pby_destination *t, const char *path, bool nameless, pby_error *err)
{
    struct stat there;
    *t = pby_destination_none;
    if (path == NULL)
        return open_stream(t, NULL, err);
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode))
            return pby_refuse(err, "output", path, "a file, not a folder");
        return S_ISREG(there.st_mode) ? open_existing(t, path, there.st_mode, nameless, err)
                                      : open_stream(t, path, err);
    }
    const size_t length = strlen(path);
    if (errno != ENOENT || length == 0 || path[length - 1] == '/')
        return target_failed(err, path);
    if (lstat(path, &there) == 0)
        return pby_refuse(err, "output", path, "a file, not a link that leads nowhere");
    t->path = strdup(path);
    return t->path == NULL ? pby_no_memory(err) : open_file(t, path, nameless, err);
}

/* ---- the end -------------------------------------------------------------------------------- */

static int close_once(int *fd)
{
    const int closed = *fd < 0 ? 0 : close(*fd);
    *fd = -1;
    return closed;
}

/* Copies the file to the stream. Bytes that the stream has taken cannot be taken back, so a failure says
 * so. */
static pby_status copy(pby_destination *t, uint8_t *buffer, size_t size, pby_error *err)
{
    const char *output = "the output";
    for (off_t at = 0;;) {
        const ssize_t n = pread(t->fd, buffer, size, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: %s: %s", output, pby_destination_name(t),
                               strerror(errno));
        if (n == 0)
            break;
        const ssize_t taken = write(t->stream, buffer, (size_t)n);
        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0)
            return system_failed(err, output);
        at += taken;
        output = "the output, of which a part was written";
    }
    return close_once(&t->stream) == 0 ? PBY_OK : system_failed(err, output);
}

/* A reader that went away is an error to report, not a signal to die from. */
static pby_status commit_stream(pby_destination *t, uint8_t *buffer, size_t size, pby_error *err)
{
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    if (sigaction(SIGPIPE, &ignore, &before) != 0)
        return system_failed(err, "the output");
    const pby_status status = copy(t, buffer, size, err);
    sigaction(SIGPIPE, &before, NULL);
    return status;
}

/* Synced before it is renamed, or a crash could leave the new name with old or no bytes. */
static pby_status commit_file(pby_destination *t, pby_error *err)
{
    if (fsync(t->fd) != 0)
        return system_failed(err, "the output");
    if (!t->named && !name_file(t, link_nameless))
        return system_failed(err, "the output");
    if (close_once(&t->fd) != 0 || rename(t->temp, t->path) != 0)
        return system_failed(err, "the output");
    exchange(t->temp, NULL);
    t->named = false;
    return PBY_OK;
}

pby_status pby_destination_commit(pby_destination *t, uint8_t *buffer, size_t size, pby_error *err)
{
    pby_work_hold();
    const pby_status status = t->stream >= 0 ? commit_stream(t, buffer, size, err) : commit_file(t, err);
    pby_work_let_go();
    return status;
}

void pby_destination_close(pby_destination *t)
{
    if (t->temp != NULL)
        exchange(t->temp, NULL);
    if (t->named)
        unlink(t->temp);
    (void)close_once(&t->fd);
    (void)close_once(&t->stream);
    free(t->path);
    free(t->temp);
    *t = pby_destination_none;
}
