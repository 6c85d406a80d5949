/* SPDX-License-Identifier: MIT */
#include "io/sole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "io/file.h"

enum { TRIES = 100 };

/* ---- names ------------------------------------------------------------------------------------ */

static pby_status refuse_names(const char *what, const char *path, pby_error *err)
{
    return pby_refuse(err, what, path,
                      "a file of one name, but it has several (hard links): remove all but one");
}

pby_status pby_sole_check(const char *what, const char *path, pby_error *err)
{
    struct stat about;
    return stat(path, &about) == 0 && about.st_nlink > 1 ? refuse_names(what, path, err) : PBY_OK;
}

pby_status pby_sole_find(char **out, const char *what, const char *path, const char *expected, pby_error *err)
{
    struct stat about;
    *out = realpath(path, NULL);
    if (*out == NULL)
        return errno == ENOMEM ? pby_no_memory(err) : pby_refuse(err, what, path, expected);
    pby_draft_remove(*out);
    pby_status status = PBY_OK;
    if (stat(*out, &about) != 0 || !S_ISREG(about.st_mode))
        status = pby_refuse(err, what, path, expected);
    else if (about.st_nlink > 1)
        status = refuse_names(what, path, err);
    if (status != PBY_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

static pby_status refuse_new(const char *what, const char *path, int error, pby_error *err)
{
    char expected[PBY_ERROR_SIZE];
    if (error == ENOMEM)
        return pby_no_memory(err);
    if (error == EEXIST)
        return pby_refuse(err, what, path, "a name that no file has yet, but: File exists");
    snprintf(expected, sizeof expected, "a file that can be made, but: %s", strerror(error));
    return pby_refuse(err, what, path, expected);
}

pby_status pby_sole_new(char **out, const char *what, const char *path, pby_error *err)
{
    struct stat there;
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    char *given = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    char *folder = given == NULL ? NULL : realpath(given, NULL);
    const int error = given == NULL ? ENOMEM : errno;
    free(given);
    *out = NULL;
    if (folder == NULL)
        return refuse_new(what, path, error, err);
    if (asprintf(out, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name) < 0)
        *out = NULL;
    free(folder);
    if (*out == NULL)
        return pby_no_memory(err);
    if (*name != '\0' && lstat(*out, &there) != 0)
        return PBY_OK;
    free(*out);
    *out = NULL;
    return refuse_new(what, path, *name == '\0' ? EISDIR : EEXIST, err);
}

pby_status pby_sole_secret(const char *what, const char *path, pby_error *err)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && (about.st_mode & 077) != 0
               ? pby_refuse(err, what, path, "a secret that only its owner may read (chmod 600)")
               : PBY_OK;
}

static bool leads_to(int fd, const char *path, nlink_t most)
{
    struct stat open_file, named;
    return fstat(fd, &open_file) == 0 && lstat(path, &named) == 0 && open_file.st_dev == named.st_dev &&
           open_file.st_ino == named.st_ino && named.st_nlink <= most;
}

bool pby_sole_is(int fd, const char *path)
{
    return leads_to(fd, path, 1);
}

pby_status pby_sole_process(pid_t opened, const char *what, pby_error *err)
{
    return getpid() == opened
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "%s: expected the process that opened it; open it again in this one",
                          what);
}

/* ---- drafts ----------------------------------------------------------------------------------- */

static char *draft_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path) + 1;
    char *draft = NULL;
    return asprintf(&draft, "%.*s.%s.draft", folder, path, path + folder) < 0 ? NULL : draft;
}

static bool are_one(const char *a, const char *b)
{
    struct stat x, y;
    return lstat(a, &x) == 0 && lstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A draft that got its name, and whose maker was killed before it removed the other, is the file itself,
 * which the caller may have locked. Any other is removed under its lock, so that no other process is writing
 * it. */
static void remove_draft(const char *draft, const char *path)
{
    const bool same = are_one(draft, path);
    const int fd = same ? -1 : open(draft, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (same || (fd < 0 && errno == ELOOP) ||
        (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && leads_to(fd, draft, (nlink_t)-1)))
        unlink(draft);
    if (fd >= 0)
        close(fd);
}

void pby_draft_remove(const char *path)
{
    char *draft = draft_name(path);
    if (draft != NULL)
        remove_draft(draft, path);
    free(draft);
}

static pby_status failed(const char *what, const char *path, pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s '%s': %s", what, path, strerror(errno));
}

/* Owner before mode: a change of owner may clear bits of the mode. */
static pby_status keep_owner(int fd, const char *what, const char *path, int like, pby_error *err)
{
    struct stat old, own;
    if (like < 0)
        return PBY_OK;
    if (fstat(like, &old) != 0 || fstat(fd, &own) != 0)
        return failed(what, path, err);
    if ((old.st_uid != own.st_uid || old.st_gid != own.st_gid) && fchown(fd, old.st_uid, old.st_gid) != 0)
        return pby_refuse(err, what, path,
                          "a file of the user and group who ask: what replaces it would lock its owner out");
    return fchmod(fd, old.st_mode & 0777) == 0 ? PBY_OK : failed(what, path, err);
}

/* An open and locked draft, or -1 with errno. */
static int try_draft(const char *draft, const char *path)
{
    const int fd = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        const int error = errno;
        if (error == EEXIST)
            remove_draft(draft, path);
        errno = error;
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && leads_to(fd, draft, 1))
        return fd;
    close(fd);
    errno = EEXIST;
    return -1;
}

pby_status pby_draft_make(int *fd, char **draft, const char *what, const char *path, int like, pby_error *err)
{
    *fd = -1;
    *draft = draft_name(path);
    if (*draft == NULL)
        return pby_no_memory(err);
    for (int i = 0; i < TRIES && *fd < 0; i++) {
        *fd = try_draft(*draft, path);
        if (*fd < 0 && errno != EEXIST)
            break;
    }
    pby_status status = PBY_OK;
    if (*fd < 0)
        status = errno == EEXIST
                     ? pby_fail(err, PBY_FAILED, "%s '%s': another process is writing it", what, path)
                     : refuse_new(what, path, errno, err);
    else
        status = keep_owner(*fd, what, path, like, err);
    if (status == PBY_OK)
        return PBY_OK;
    if (*fd >= 0) {
        unlink(*draft);
        close(*fd);
        *fd = -1;
    }
    free(*draft);
    *draft = NULL;
    return status;
}

pby_status pby_draft_publish(const char *draft, const char *what, const char *path, pby_error *err)
{
    const pby_status status = link(draft, path) == 0 ? PBY_OK : refuse_new(what, path, errno, err);
    unlink(draft);
    if (status == PBY_OK && !pby_file_sync_folder(path))
        return failed(what, path, err);
    return status;
}

pby_status pby_draft_file(const char *what, const char *path, const void *bytes, size_t size, pby_error *err)
{
    char *draft;
    int fd;
    PBY_TRY(pby_draft_make(&fd, &draft, what, path, -1, err));
    pby_status status = pby_file_write_all(fd, bytes, size, what, err);
    if (status == PBY_OK && fsync(fd) != 0)
        status = pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: %s", what, strerror(errno));
    if (status == PBY_OK)
        status = pby_draft_publish(draft, what, path, err);
    else
        unlink(draft);
    close(fd);
    free(draft);
    return status;
}
