#include "cli/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "status.h"

enum {
    BUFFER_SIZE = 1 << 19,
    NAME_TRIES = 100,
    PROC_SIZE = 64,
};

struct pby_spool {
    int fd;
    int target; /* where the bytes are copied in the end; -1 when the spool becomes the target's file */
    char *path; /* the target's file */
    char *temp; /* the spool's own name, in the same folder */
    bool named; /* a file of that name is there */
    uint8_t *buffer;
    size_t size;
    size_t used;
};

/* ---- the machine's reasons ------------------------------------------------------------------ */

static pby_status system_failed(pby_error *err, const char *what)
{
    return pby_fail(err, PBY_FAILED, "%s: %s", what, strerror(errno));
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

/* ---- files ---------------------------------------------------------------------------------- */

pby_status pby_spool_nameless(int *fd, pby_error *err)
{
    const char *dir = getenv("TMPDIR");
    if (dir == NULL || dir[0] == '\0')
        dir = "/tmp";
    *fd = open(dir, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (*fd >= 0)
        return PBY_OK;
    char *name;
    if (asprintf(&name, "%s/probity.XXXXXX", dir) < 0)
        return pby_no_memory(err);
    *fd = mkostemp(name, O_CLOEXEC);
    pby_status status = PBY_OK;
    if (*fd < 0 || unlink(name) != 0)
        status = system_failed(err, "a temporary file in $TMPDIR");
    if (status != PBY_OK && *fd >= 0)
        close(*fd);
    free(name);
    return status;
}

pby_status pby_spool_write_all(int fd, const void *bytes, size_t size, const char *what, pby_error *err)
{
    const uint8_t *at = bytes;
    while (size > 0) {
        const ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return system_failed(err, what);
        at += n;
        size -= (size_t)n;
    }
    return PBY_OK;
}

static bool set_temp_name(pby_spool *s, int attempt)
{
    const char *slash = strrchr(s->path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - s->path) + 1;
    free(s->temp);
    if (asprintf(&s->temp, "%.*s.probity.%ld.%d.tmp", folder, s->path, (long)getpid(), attempt) < 0) {
        s->temp = NULL;
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
static bool name_spool(pby_spool *s, int (*give_name)(pby_spool *))
{
    for (int attempt = 0; attempt < NAME_TRIES && !s->named; attempt++) {
        if (!set_temp_name(s, attempt))
            return false;
        s->named = give_name(s) == 0;
        if (!s->named && errno != EEXIST)
            return false;
    }
    return s->named;
}

static int create_named(pby_spool *s)
{
    s->fd = open(s->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return s->fd < 0 ? -1 : 0;
}

static int link_nameless(pby_spool *s)
{
    char from[PROC_SIZE];
    proc_path(from, s->fd);
    return linkat(AT_FDCWD, from, AT_FDCWD, s->temp, AT_SYMLINK_FOLLOW);
}

/* A nameless file is of use only if it can be named later, which goes through /proc. */
static bool create_nameless(pby_spool *s)
{
    const char *slash = strrchr(s->path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(s->path, (size_t)(slash - s->path) + 1);
    if (folder == NULL)
        return false;
    s->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    free(folder);
    if (s->fd < 0)
        return false;
    char proc[PROC_SIZE];
    proc_path(proc, s->fd);
    if (access(proc, F_OK) == 0)
        return true;
    close(s->fd);
    s->fd = -1;
    return false;
}

/* ---- opening -------------------------------------------------------------------------------- */

static pby_status open_stream(pby_spool *s, const char *path, pby_error *err)
{
    s->target = path == NULL ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                             : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (s->target < 0)
        return path == NULL ? system_failed(err, "standard output") : target_failed(err, path);
    return pby_spool_nameless(&s->fd, err);
}

static pby_status open_file(pby_spool *s, const char *path, bool nameless, pby_error *err)
{
    if (nameless && create_nameless(s))
        return PBY_OK;
    return name_spool(s, create_named) ? PBY_OK : target_failed(err, path);
}

static pby_status open_existing(pby_spool *s, const char *path, mode_t mode, bool nameless, pby_error *err)
{
    s->path = realpath(path, NULL);
    if (s->path == NULL || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return target_failed(err, path);
    const pby_status status = open_file(s, path, nameless, err);
    if (status == PBY_OK && fchmod(s->fd, mode & 0777) != 0)
        return system_failed(err, "the output");
    return status;
}

static pby_status open_target(pby_spool *s, const char *path, bool nameless, pby_error *err)
{
    struct stat there;
    if (path == NULL)
        return open_stream(s, NULL, err);
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode))
            return pby_refuse(err, "output", path, "a file, not a folder");
        return S_ISREG(there.st_mode) ? open_existing(s, path, there.st_mode, nameless, err)
                                      : open_stream(s, path, err);
    }
    const size_t length = strlen(path);
    if (errno != ENOENT || length == 0 || path[length - 1] == '/')
        return target_failed(err, path);
    if (lstat(path, &there) == 0)
        return pby_refuse(err, "output", path, "a file, not a link that leads nowhere");
    s->path = strdup(path);
    return s->path == NULL ? pby_no_memory(err) : open_file(s, path, nameless, err);
}

static pby_status spool_open(pby_spool **out, const char *path, bool nameless, pby_error *err)
{
    *out = NULL;
    pby_spool *s = calloc(1, sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    s->fd = s->target = -1;
    s->size = BUFFER_SIZE;
    s->buffer = malloc(s->size);
    const pby_status status = s->buffer == NULL ? pby_no_memory(err) : open_target(s, path, nameless, err);
    if (status != PBY_OK) {
        pby_spool_abort(s);
        return status;
    }
    *out = s;
    return PBY_OK;
}

pby_status pby_spool_open(pby_spool **out, const char *path, pby_error *err)
{
    return spool_open(out, path, true, err);
}

pby_status pby_spool_open_named(pby_spool **out, const char *path, pby_error *err)
{
    return spool_open(out, path, false, err);
}

/* ---- writing -------------------------------------------------------------------------------- */

static const char *spool_name(const pby_spool *s)
{
    return s->target < 0 ? "the output" : "a temporary file in $TMPDIR";
}

static pby_status flush(pby_spool *s, pby_error *err)
{
    const size_t used = s->used;
    s->used = 0;
    return pby_spool_write_all(s->fd, s->buffer, used, spool_name(s), err);
}

pby_status pby_spool_reserve(pby_spool *s, size_t size, uint8_t **at, pby_error *err)
{
    if (size > s->size - s->used) {
        const pby_status status = flush(s, err);
        if (status != PBY_OK)
            return status;
    }
    if (size > s->size) {
        uint8_t *buffer = malloc(size);
        if (buffer == NULL)
            return pby_no_memory(err);
        sodium_memzero(s->buffer, s->size);
        free(s->buffer);
        s->buffer = buffer;
        s->size = size;
    }
    *at = s->buffer + s->used;
    return PBY_OK;
}

void pby_spool_advance(pby_spool *s, size_t size)
{
    s->used += size;
}

pby_status pby_spool_write(pby_spool *s, const void *bytes, size_t size, pby_error *err)
{
    if (size == 0)
        return PBY_OK;
    uint8_t *at;
    const pby_status status = pby_spool_reserve(s, size, &at, err);
    if (status != PBY_OK)
        return status;
    memcpy(at, bytes, size);
    pby_spool_advance(s, size);
    return PBY_OK;
}

/* ---- the end -------------------------------------------------------------------------------- */

static int close_once(int *fd)
{
    const int closed = *fd < 0 ? 0 : close(*fd);
    *fd = -1;
    return closed;
}

static pby_status copy(pby_spool *s, pby_error *err)
{
    for (off_t at = 0;;) {
        const ssize_t n = pread(s->fd, s->buffer, s->size, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return system_failed(err, spool_name(s));
        if (n == 0)
            break;
        const pby_status status = pby_spool_write_all(s->target, s->buffer, (size_t)n, "the output", err);
        if (status != PBY_OK)
            return status;
        at += n;
    }
    return close_once(&s->target) == 0 ? PBY_OK : system_failed(err, "the output");
}

/* A reader that went away is an error to report, not a signal to die from. */
static pby_status commit_stream(pby_spool *s, pby_error *err)
{
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    if (sigaction(SIGPIPE, &ignore, &before) != 0)
        return system_failed(err, "the output");
    const pby_status status = copy(s, err);
    sigaction(SIGPIPE, &before, NULL);
    return status;
}

/* Synced before it is renamed, or a crash could leave the new name with old or no bytes. */
static pby_status commit_file(pby_spool *s, pby_error *err)
{
    if (fsync(s->fd) != 0)
        return system_failed(err, "the output");
    if (!s->named && !name_spool(s, link_nameless))
        return system_failed(err, "the output");
    if (close_once(&s->fd) != 0 || rename(s->temp, s->path) != 0)
        return system_failed(err, "the output");
    s->named = false;
    return PBY_OK;
}

pby_status pby_spool_commit(pby_spool *s, pby_error *err)
{
    pby_status status = flush(s, err);
    if (status == PBY_OK)
        status = s->target >= 0 ? commit_stream(s, err) : commit_file(s, err);
    pby_spool_abort(s);
    return status;
}

void pby_spool_abort(pby_spool *s)
{
    if (s == NULL)
        return;
    if (s->named)
        unlink(s->temp);
    (void)close_once(&s->fd);
    (void)close_once(&s->target);
    if (s->buffer != NULL)
        sodium_memzero(s->buffer, s->size);
    free(s->buffer);
    free(s->path);
    free(s->temp);
    free(s);
}
