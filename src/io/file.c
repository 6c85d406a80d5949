/* SPDX-License-Identifier: MIT */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

enum { FIRST_ROOM = 1 << 12, TABLE_MAX = 1 << 30 };

/* ---- names ------------------------------------------------------------------------------------ */

const char *pby_path_named(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0 ? NULL : path;
}

const char *pby_path_text(const char *path)
{
    return pby_path_named(path) == NULL ? "standard input" : path;
}

static bool find(struct stat *about, const char *path, int standard)
{
    return (pby_path_named(path) == NULL ? fstat(standard, about) : stat(path, about)) == 0;
}

static bool are_one(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool pby_file_is_meant(const char *text)
{
    const size_t size = strlen(text);
    return access(text, F_OK) == 0 || (size >= 5 && strcmp(text + size - 5, ".json") == 0);
}

bool pby_file_same(const char *a, const char *b)
{
    struct stat x, y;
    return find(&x, a, STDIN_FILENO) && find(&y, b, STDIN_FILENO) && are_one(&x, &y);
}

pby_status pby_output_apart(const char *output, const char *input, const char *what, pby_error *err)
{
    struct stat to, from;
    if (!find(&to, output, STDOUT_FILENO) || !find(&from, input, STDIN_FILENO) || !S_ISREG(to.st_mode) ||
        !are_one(&to, &from))
        return PBY_OK;
    char expected[64];
    snprintf(expected, sizeof expected, "another file than %s", what);
    return pby_refuse(err, "output", pby_path_named(output) == NULL ? "standard output" : output, expected);
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* The bytes read so far, and the room for more. */
struct text {
    char *bytes;
    size_t size, room;
};

static void wipe(struct text *t)
{
    if (t->bytes != NULL)
        sodium_memzero(t->bytes, t->room);
    free(t->bytes);
}

static pby_status make_room(struct text *t, size_t room, pby_error *err)
{
    struct text wider = {malloc(room), t->size, room};
    if (wider.bytes == NULL)
        return pby_no_memory(err);
    if (t->size > 0)
        memcpy(wider.bytes, t->bytes, t->size);
    wipe(t);
    *t = wider;
    return PBY_OK;
}

/* Reads on until the end, or until there are most bytes. One more has room, for a NUL byte. */
static pby_status read_fd(struct text *t, int fd, const char *what, size_t most, pby_error *err)
{
    while (t->size < most) {
        if (t->size + 1 >= t->room) {
            const size_t wanted = t->room == 0 ? FIRST_ROOM : 2 * t->room;
            const pby_status status = make_room(t, wanted < most ? wanted : most + 1, err);
            if (status != PBY_OK)
                return status;
        }
        const ssize_t got = read(fd, t->bytes + t->size, t->room - 1 - t->size);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EISDIR)
            return pby_refuse(err, "file", what, "a file, not a folder");
        if (got < 0)
            return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: %s", what, strerror(errno));
        t->size += (size_t)got;
    }
    t->bytes[t->size] = '\0';
    return PBY_OK;
}

pby_status pby_file_read(char **text, size_t *size, const char *path, size_t limit, pby_error *err)
{
    const int standard = pby_path_named(path) == NULL;
    *text = NULL;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        const char *reason = strerror(errno);
        char expected[PBY_ERROR_SIZE] = "a file that can be read, but: ";
        strncat(expected, reason, sizeof expected - strlen(expected) - 1);
        return pby_refuse(err, "file", path, expected);
    }
    struct text t = {NULL, 0, 0};
    const pby_status status = read_fd(&t, fd, pby_path_text(path), limit + 1, err);
    if (!standard)
        close(fd);
    *size = t.size;
    if (status == PBY_OK)
        *text = t.bytes;
    else
        wipe(&t);
    return status;
}

pby_status pby_file_read_table(char **text, size_t *size, const char *path, pby_error *err)
{
    const pby_status status = pby_file_read(text, size, path, TABLE_MAX, err);
    if (status != PBY_OK || *size <= TABLE_MAX)
        return status;
    sodium_memzero(*text, *size);
    free(*text);
    *text = NULL;
    return pby_refuse(err, "file", pby_path_text(path), "at most 2^30 bytes");
}

/* ---- writing ---------------------------------------------------------------------------------- */

static pby_status nameless_failed(pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "a temporary file in $TMPDIR: %s", strerror(errno));
}

pby_status pby_file_nameless(int *fd, pby_error *err)
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
    pby_status status = PBY_OK;
    *fd = mkostemp(name, O_CLOEXEC);
    if (*fd < 0) {
        status = nameless_failed(err);
    } else if (unlink(name) != 0) {
        status = nameless_failed(err);
        close(*fd);
        *fd = -1;
    }
    free(name);
    return status;
}

pby_status pby_file_write_all(int fd, const void *bytes, size_t size, const char *what, pby_error *err)
{
    const uint8_t *at = bytes;
    while (size > 0) {
        const ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: %s", what, strerror(errno));
        at += n;
        size -= (size_t)n;
    }
    return PBY_OK;
}

bool pby_file_sync_folder(const char *path)
{
    char *folder = strdup(path);
    if (folder == NULL)
        return false;
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0';
    const int fd = open(slash == NULL ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0)
        return false;
    const bool synced = fsync(fd) == 0;
    const int why = errno;
    close(fd);
    errno = why;
    return synced;
}
