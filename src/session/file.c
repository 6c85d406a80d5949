#include "session/file.h"

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
#include "io/digest.h"
#include "io/file.h"

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
    return pby_fail(err, PBY_FAILED, "session '%s': %s", path, strerror(errno));
}

/* A locked draft beside the file that holds the state; the draft's name is for free(3). */
static pby_status write_draft(int *fd, char **draft, const char *path, const char *text, pby_error *err)
{
    *draft = NULL;
    if (asprintf(draft, "%s.XXXXXX", path) < 0) {
        *draft = NULL;
        return pby_no_memory(err);
    }
    *fd = mkostemp(*draft, O_CLOEXEC);
    if (*fd < 0) {
        const pby_status status = pby_refuse(err, "session", path, "a file that can be made");
        free(*draft);
        *draft = NULL;
        return status;
    }
    pby_status status = pby_file_write_all(*fd, text, strlen(text), "the session", err);
    if (status == PBY_OK && (flock(*fd, LOCK_EX | LOCK_NB) != 0 || fsync(*fd) != 0))
        status = system_error(path, err);
    if (status == PBY_OK)
        return PBY_OK;
    close(*fd);
    unlink(*draft);
    free(*draft);
    *draft = NULL;
    return status;
}

static pby_status text_of(char **text, json_t *state, pby_error *err)
{
    pby_digest digest;
    *text = NULL;
    pby_status status = digest_of(&digest, state, err);
    if (status == PBY_OK)
        status = pby_json_set(state, "sha256", json_string(digest.sha256), err);
    if (status == PBY_OK && (*text = plain_text(state)) == NULL)
        status = pby_no_memory(err);
    return status;
}

static pby_status put(pby_session_file *file, json_t *state, bool fresh, pby_error *err)
{
    int fd = -1;
    char *text, *draft = NULL;
    pby_status status = text_of(&text, state, err);
    if (status == PBY_OK)
        status = write_draft(&fd, &draft, file->path, text, err);
    if (text != NULL)
        sodium_memzero(text, strlen(text));
    free(text);
    if (status != PBY_OK)
        return status;
    if (fresh && link(draft, file->path) != 0)
        status = pby_refuse(err, "session", file->path,
                            errno == EEXIST ? "a name that no file has yet" : "a file that can be made");
    else if (!fresh && rename(draft, file->path) != 0)
        status = system_error(file->path, err);
    if (fresh || status != PBY_OK)
        unlink(draft);
    free(draft);
    if (status == PBY_OK && !pby_file_sync_folder(file->path))
        status = system_error(file->path, err);
    if (status != PBY_OK) {
        close(fd);
        return status;
    }
    if (file->fd >= 0)
        close(file->fd);
    file->fd = fd;
    return PBY_OK;
}

pby_status pby_session_file_make(pby_session_file *file, const char *path, json_t *state, pby_error *err)
{
    *file = (pby_session_file){strdup(path), -1};
    if (file->path == NULL)
        return pby_no_memory(err);
    const pby_status status = put(file, state, true, err);
    if (status != PBY_OK)
        pby_session_file_close(file);
    return status;
}

pby_status pby_session_file_save(pby_session_file *file, json_t *state, pby_error *err)
{
    return put(file, state, false, err);
}

/* Whether the name still leads to the open file: another process may have replaced it before it was locked.
 */
static bool is_current(int fd, const char *path)
{
    struct stat open_file, named;
    return fstat(fd, &open_file) == 0 && stat(path, &named) == 0 && open_file.st_dev == named.st_dev &&
           open_file.st_ino == named.st_ino;
}

static pby_status lock(int *out, const char *path, pby_error *err)
{
    for (int i = 0; i < TRIES; i++) {
        const int fd = open(path, O_RDWR | O_CLOEXEC);
        if (fd < 0)
            return pby_refuse(err, "session", path, expected_file);
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            close(fd);
            return pby_fail(err, PBY_FAILED, "session '%s': another process is asking; nothing was answered",
                            path);
        }
        if (is_current(fd, path)) {
            *out = fd;
            return PBY_OK;
        }
        close(fd);
    }
    return pby_fail(err, PBY_FAILED, "session '%s': another process is asking; nothing was answered", path);
}

pby_status pby_session_file_open(pby_session_file *file, json_t **state, const char *path, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    *state = NULL;
    *file = (pby_session_file){NULL, -1};
    pby_status status = lock(&file->fd, path, err);
    if (status != PBY_OK)
        return status;
    file->path = strdup(path);
    status = file->path == NULL ? pby_no_memory(err) : pby_file_read(&text, &size, path, STATE_MAX, err);
    if (status == PBY_OK && size > STATE_MAX)
        status = pby_refuse(err, "session", path, expected_file);
    if (status == PBY_OK)
        status = parse(state, path, text, size, err);
    if (text != NULL)
        sodium_memzero(text, size);
    free(text);
    if (status != PBY_OK)
        pby_session_file_close(file);
    return status;
}

void pby_session_file_close(pby_session_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    *file = (pby_session_file){NULL, -1};
}
