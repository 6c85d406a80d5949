/* SPDX-License-Identifier: MIT */
#include "session/session_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "io/file.h"
#include "io/sole.h"

enum { STATE_MAX = 1 << 26, TRIES = 1000 };

static const char expected_file[] = "a file that probity session open made";

/* ---- the text --------------------------------------------------------------------------------- */

static char *plain_text(json_t *state)
{
    return pby_json_text(json_incref(state), JSON_COMPACT | JSON_SORT_KEYS);
}

/* The digest of everything else. */
static pby_status digest_of(pby_digest *out, json_t *state, pby_error *err)
{
    json_t *rest = json_copy(state);
    if (rest == NULL)
        return pby_no_memory(err);
    json_object_del(rest, "sha256");
    char *text = plain_text(rest);
    json_decref(rest);
    if (text == NULL)
        return pby_no_memory(err);
    pby_digest_bytes(out, text, strlen(text));
    sodium_memzero(text, strlen(text));
    free(text);
    return PBY_OK;
}

/* The digest of the file's own name, which need not be UTF-8 as JSON is. */
static void digest_name(pby_digest *out, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    pby_digest_bytes(out, name, strlen(name));
}

/* Sessions of earlier versions do not say which name they have. */
static bool is_named(const json_t *state, const char *path)
{
    const json_t *name = json_object_get(state, "name");
    pby_digest digest;
    digest_name(&digest, path);
    return name == NULL || (json_is_string(name) && strcmp(json_string_value(name), digest.sha256) == 0);
}

static pby_status parse(json_t **out, const char *path, const char *text, size_t size, pby_error *err)
{
    json_t *state = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    const char *kind = json_string_value(json_object_get(state, "probity"));
    pby_digest digest;
    pby_status status = PBY_OK;
    *out = NULL;
    if (kind == NULL || strcmp(kind, "session") != 0)
        status = pby_refuse(err, "session", path, expected_file);
    else if (json_integer_value(json_object_get(state, "version")) != 1)
        status = pby_refuse(err, "session", path, "a session of version 1, which this program reads");
    else
        status = digest_of(&digest, state, err);
    if (status == PBY_OK && !is_named(state, path))
        status = pby_refuse(err, "session", path,
                            "the name that its session was made under: a draft or a copy does not answer");
    if (status == PBY_OK) {
        const char *written = json_string_value(json_object_get(state, "sha256"));
        if (written == NULL || strcmp(written, digest.sha256) != 0)
            status = pby_refuse(err, "session", path, "a whole session, but it is damaged");
    }
    if (status == PBY_OK)
        *out = state;
    else
        json_decref(state);
    return status;
}

/* ---- on the disk ------------------------------------------------------------------------------ */

static pby_status system_error(const char *path, pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "session '%s': %s", path, strerror(errno));
}

/* For free(3). */
static pby_status text_of(char **text, json_t *state, const char *path, pby_error *err)
{
    pby_digest digest;
    *text = NULL;
    digest_name(&digest, path);
    PBY_TRY(pby_json_set(state, "name", json_string(digest.sha256), err));
    PBY_TRY(digest_of(&digest, state, err));
    PBY_TRY(pby_json_set(state, "sha256", json_string(digest.sha256), err));
    if ((*text = plain_text(state)) == NULL)
        return pby_no_memory(err);
    return PBY_OK;
}

/* The draft becomes the file. Whoever gave the old one a second name meanwhile has a file that is empty. */
static pby_status replace(const pby_session_file *file, const char *draft, pby_error *err)
{
    struct stat old;
    if (rename(draft, file->path) != 0)
        return system_error(file->path, err);
    if (fstat(file->fd, &old) != 0 || (old.st_nlink > 0 && ftruncate(file->fd, 0) != 0) ||
        !pby_file_sync_folder(file->path))
        return system_error(file->path, err);
    return PBY_OK;
}

static pby_status put_text(pby_session_file *file, const char *text, pby_error *err)
{
    const bool fresh = file->fd < 0;
    int fd;
    char *draft;
    pby_status status = pby_draft_make(&fd, &draft, "session", file->path, file->fd, err);
    if (status != PBY_OK)
        return status;
    status = pby_file_write_all(fd, text, strlen(text), "the session", err);
    if (status == PBY_OK && fsync(fd) != 0)
        status = system_error(file->path, err);
    if (status == PBY_OK)
        status = fresh ? pby_draft_publish(draft, "session", file->path, err) : replace(file, draft, err);
    else
        unlink(draft);
    free(draft);
    if (status != PBY_OK) {
        close(fd);
        return status;
    }
    if (!fresh)
        close(file->fd);
    file->fd = fd;
    pby_digest_bytes(&file->written, text, strlen(text));
    return PBY_OK;
}

static pby_status put(pby_session_file *file, json_t *state, pby_error *err)
{
    char *text;
    pby_status status = text_of(&text, state, file->path, err);
    if (status == PBY_OK)
        status = put_text(file, text, err);
    if (text != NULL)
        sodium_memzero(text, strlen(text));
    free(text);
    return status;
}

pby_status pby_session_file_make(pby_session_file *file, const char *path, json_t *state, pby_error *err)
{
    *file = (pby_session_file){.fd = -1, .process = getpid()};
    pby_status status = pby_sole_new(&file->path, "session", path, err);
    if (status == PBY_OK)
        status = put(file, state, err);
    if (status != PBY_OK)
        pby_session_file_close(file);
    return status;
}

pby_status pby_session_file_save(pby_session_file *file, json_t *state, pby_error *err)
{
    return put(file, state, err);
}

/* Reads all of an open file; *text is to be wiped and freed. */
static pby_status read_whole(char **text, size_t *size, int fd, const char *path, pby_error *err)
{
    struct stat about;
    *text = NULL;
    *size = 0;
    if (fstat(fd, &about) != 0)
        return system_error(path, err);
    if (about.st_size > STATE_MAX)
        return pby_refuse(err, "session", path, expected_file);
    *text = malloc((size_t)about.st_size + 1);
    if (*text == NULL)
        return pby_no_memory(err);
    while (*size < (size_t)about.st_size) {
        const ssize_t got = pread(fd, *text + *size, (size_t)about.st_size - *size, (off_t)*size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return system_error(path, err);
        if (got == 0)
            break;
        *size += (size_t)got;
    }
    return PBY_OK;
}

static void wipe(char *text, size_t size)
{
    if (text != NULL)
        sodium_memzero(text, size);
    free(text);
}

pby_status pby_session_file_check(const pby_session_file *file, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    pby_digest digest = {0};
    pby_status status = pby_sole_process(file->process, "session", err);
    if (status != PBY_OK)
        return status;
    if (pby_sole_is(file->fd, file->path)) {
        status = read_whole(&text, &size, file->fd, file->path, err);
        if (status == PBY_OK)
            pby_digest_bytes(&digest, text, size);
        wipe(text, size);
    }
    if (status == PBY_OK && strcmp(digest.sha256, file->written.sha256) != 0)
        status = pby_refuse(err, "session", file->path,
                            "the file as this process left it, of one name; open it again");
    return status;
}

static pby_status busy(const char *path, pby_error *err)
{
    return pby_fail(err, PBY_FAILED, "session '%s': another process is asking; nothing was answered", path);
}

/* Another process may have replaced the file before it was locked. */
static pby_status lock(int *out, const char *path, pby_error *err)
{
    for (int i = 0; i < TRIES; i++) {
        const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (fd < 0)
            return pby_refuse(err, "session", path, expected_file);
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            close(fd);
            return busy(path, err);
        }
        if (pby_sole_is(fd, path)) {
            *out = fd;
            return PBY_OK;
        }
        close(fd);
    }
    return busy(path, err);
}

pby_status pby_session_file_open(pby_session_file *file, json_t **state, const char *path, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    *state = NULL;
    *file = (pby_session_file){.fd = -1, .process = getpid()};
    pby_status status = pby_sole_find(&file->path, "session", path, expected_file, err);
    if (status == PBY_OK)
        status = lock(&file->fd, file->path, err);
    if (status == PBY_OK)
        status = read_whole(&text, &size, file->fd, file->path, err);
    if (status == PBY_OK) {
        pby_digest_bytes(&file->written, text, size);
        status = parse(state, file->path, text, size, err);
    }
    wipe(text, size);
    if (status != PBY_OK)
        pby_session_file_close(file);
    return status;
}

void pby_session_file_close(pby_session_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    *file = (pby_session_file){.fd = -1};
}
