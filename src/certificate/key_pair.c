/* SPDX-License-Identifier: MIT */
/* A pair of keys in two files. */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "probity/key.h"

static pby_status failed(const char *path, pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%.200s: %s", path, strerror(errno));
}

/* A key is never written over another: whoever does that has lost one. */
static pby_status make_file(int *fd, const char *path, mode_t mode, pby_error *err)
{
    *fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (*fd >= 0)
        return PBY_OK;
    char expected[PBY_ERROR_SIZE];
    snprintf(expected, sizeof expected, "a file that is not there and can be made, but: %s", strerror(errno));
    return pby_refuse(err, "path", path, expected);
}

static pby_status write_key(int fd, const char *path, const char *text, pby_error *err)
{
    const size_t size = strlen(text);
    const ssize_t written = write(fd, text, size);
    if (written >= 0 && (size_t)written < size)
        errno = ENOSPC;
    const pby_status status = written == (ssize_t)size && fsync(fd) == 0 ? PBY_OK : failed(path, err);
    return close(fd) == 0 || status != PBY_OK ? status : failed(path, err);
}

/* Both names are taken before a key is written, so that a pair is whole or is not there. */
static pby_status write_pair(const char *path, const char *public_path, const char *secret,
                             const char *public_key, pby_error *err)
{
    int fd, public_fd;
    pby_status status = make_file(&fd, path, 0600, err);
    if (status != PBY_OK)
        return status;
    status = make_file(&public_fd, public_path, 0644, err);
    if (status != PBY_OK) {
        close(fd);
        unlink(path);
        return status;
    }
    status = write_key(fd, path, secret, err);
    const pby_status second = write_key(public_fd, public_path, public_key, status == PBY_OK ? err : NULL);
    if (status == PBY_OK)
        status = second;
    if (status != PBY_OK) {
        unlink(path);
        unlink(public_path);
    }
    return status;
}

pby_status pby_key_write_pair(const char *path, char public_key[PBY_KEY_SIZE], pby_error *err)
{
    char secret[PBY_KEY_SIZE], *public_path;
    if (asprintf(&public_path, "%s.pub", path) < 0)
        return pby_no_memory(err);
    pby_status status = pby_key_generate(secret, public_key, err);
    if (status == PBY_OK)
        status = write_pair(path, public_path, secret, public_key, err);
    sodium_memzero(secret, sizeof secret);
    free(public_path);
    return status;
}
