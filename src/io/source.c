/* SPDX-License-Identifier: MIT */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "io/file.h"
#include "io/pages.h"

enum { NAME_SIZE = 128 };

static const char copy_name[] = "a temporary file in $TMPDIR";

struct pby_csv_input {
    int fd;               /* -1 when the input is memory or a callback */
    pby_table_read *read; /* NULL unless it is a callback */
    void *what;
    const uint8_t *memory; /* what is read when the input, or what was kept of a stream, is memory */
    size_t memory_size;
    bool stream;   /* it cannot itself be read again */
    bool once;     /* nor will it be */
    bool again;    /* it was read to its end */
    bool failed;   /* a reading of a stream did */
    uint8_t *kept; /* of a stream, in memory; NULL before the first byte, and when there is a copy */
    size_t kept_size;
    int copy;     /* of a stream, in a file; -1 without one */
    off_t start;  /* of a regular file */
    off_t offset; /* from the start */
    struct stat before;
    char name[NAME_SIZE];
};

static void set_name(pby_csv_input *in, const char *path)
{
    const size_t length = strlen(path);
    const bool cut = length >= NAME_SIZE;
    snprintf(in->name, NAME_SIZE, "%s%s", cut ? "..." : "", path + (cut ? length - NAME_SIZE + 4 : 0));
    for (char *c = in->name; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
}

static pby_status input_new(pby_csv_input **out, const char *name, pby_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return pby_no_memory(err);
    (*out)->fd = (*out)->copy = -1;
    set_name(*out, name);
    return PBY_OK;
}

static pby_status cannot_read(pby_error *err, const char *path, const char *reason)
{
    char expected[128];
    snprintf(expected, sizeof expected, "a file that can be read: %s", reason);
    return pby_refuse(err, "input", path, expected);
}

static pby_status input_failed(const pby_csv_input *in, pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: %s", in->name, strerror(errno));
}

static pby_status prepare(pby_csv_input *in, pby_error *err)
{
    if (fstat(in->fd, &in->before) != 0)
        return input_failed(in, err);
    if (S_ISDIR(in->before.st_mode))
        return cannot_read(err, in->name, strerror(EISDIR));
    in->stream = !S_ISREG(in->before.st_mode);
    if (in->stream)
        return PBY_OK;
    in->start = lseek(in->fd, 0, SEEK_CUR);
    return in->start < 0 ? input_failed(in, err) : PBY_OK;
}

pby_status pby_csv_input_open(pby_csv_input **out, const char *path, pby_error *err)
{
    *out = NULL;
    pby_csv_input *in;
    pby_status status = input_new(&in, path == NULL ? "standard input" : path, err);
    if (status != PBY_OK)
        return status;
    in->fd = path == NULL ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                          : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (in->fd < 0)
        status = cannot_read(err, in->name, strerror(errno));
    else
        status = prepare(in, err);
    if (status != PBY_OK) {
        pby_csv_input_free(in);
        return status;
    }
    *out = in;
    return PBY_OK;
}

static pby_status open_descriptor(pby_csv_input *in, int fd, pby_error *err)
{
    in->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return in->fd < 0 ? cannot_read(err, in->name, strerror(errno)) : prepare(in, err);
}

pby_status pby_csv_input_descriptor(pby_csv_input **out, const char *name, int fd, pby_error *err)
{
    pby_status status = input_new(out, name, err);
    if (status == PBY_OK)
        status = open_descriptor(*out, fd, err);
    if (status != PBY_OK) {
        pby_csv_input_free(*out);
        *out = NULL;
    }
    return status;
}

pby_status pby_csv_input_callback(pby_csv_input **out, const char *name, pby_table_read *read, void *what,
                                  pby_error *err)
{
    const pby_status status = input_new(out, name, err);
    if (status == PBY_OK) {
        (*out)->read = read;
        (*out)->what = what;
        (*out)->stream = true;
    }
    return status;
}

pby_status pby_csv_input_memory(pby_csv_input **out, const char *name, const void *bytes, size_t size,
                                pby_error *err)
{
    const pby_status status = input_new(out, name, err);
    if (status == PBY_OK) {
        (*out)->memory = bytes;
        (*out)->memory_size = size;
    }
    return status;
}

void pby_csv_input_once(pby_csv_input *in)
{
    in->once = true;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static size_t read_memory(pby_csv_input *in, void *buffer, size_t size)
{
    const size_t left = in->memory_size - (size_t)in->offset;
    const size_t n = size < left ? size : left;
    if (n > 0)
        memcpy(buffer, in->memory + in->offset, n);
    in->offset += (off_t)n;
    return n;
}

/* A callback that says it gave more than was asked for has written beyond the buffer, or lies. */
static pby_status call_back(pby_csv_input *in, void *buffer, size_t size, size_t *got, pby_error *err)
{
    const pby_status status = in->read(in->what, buffer, size, got, err);
    return status == PBY_OK && *got > size
               ? pby_fail(err, PBY_BAD, "%s: expected at most as many bytes as were asked for", in->name)
               : status;
}

/* Some bytes, as many as come at once; none at the end. */
static pby_status read_some(pby_csv_input *in, void *buffer, size_t size, size_t *got, pby_error *err)
{
    ssize_t n;
    *got = 0;
    if (in->read != NULL && !in->again)
        return call_back(in, buffer, size, got, err);
    do {
        if (!in->stream)
            n = pread(in->fd, buffer, size, in->start + in->offset);
        else
            n = in->again ? pread(in->copy, buffer, size, in->offset) : read(in->fd, buffer, size);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return input_failed(in, err);
    *got = (size_t)n;
    return PBY_OK;
}

/* ---- what is kept of a stream ----------------------------------------------------------------- */

static void let_go(pby_csv_input *in)
{
    if (in->kept != NULL)
        munmap(in->kept, PBY_KEPT_MAX);
    in->kept = NULL;
}

static pby_status move_to_file(pby_csv_input *in, pby_error *err)
{
    pby_status status = pby_file_nameless(&in->copy, err);
    if (status == PBY_OK && in->kept_size > 0)
        status = pby_file_write_all(in->copy, in->kept, in->kept_size, copy_name, err);
    let_go(in);
    return status;
}

static pby_status keep(pby_csv_input *in, const void *bytes, size_t size, pby_error *err)
{
    if (in->kept == NULL && in->copy < 0)
        in->kept = pby_pages_map(PBY_KEPT_MAX);
    if (in->kept != NULL && size <= PBY_KEPT_MAX - in->kept_size) {
        memcpy(in->kept + in->kept_size, bytes, size);
        in->kept_size += size;
        return PBY_OK;
    }
    const pby_status status = in->copy < 0 ? move_to_file(in, err) : PBY_OK;
    return status == PBY_OK ? pby_file_write_all(in->copy, bytes, size, copy_name, err) : status;
}

/* Bytes of a stream that came before a failure are lost: it cannot go on behind it. */
static pby_status fill_buffer(pby_csv_input *in, void *buffer, size_t size, size_t *got, pby_error *err)
{
    if (in->failed)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: an earlier reading failed", in->name);
    while (*got < size) {
        size_t n;
        const pby_status status = read_some(in, (uint8_t *)buffer + *got, size - *got, &n, err);
        in->failed = status != PBY_OK && in->stream;
        if (status != PBY_OK)
            return status;
        if (n == 0)
            break;
        *got += n;
        in->offset += (off_t)n;
    }
    return PBY_OK;
}

pby_status pby_csv_input_read(pby_csv_input *in, void *buffer, size_t size, size_t *got, pby_error *err)
{
    *got = 0;
    if ((in->fd < 0 && in->read == NULL) || (in->stream && in->again && in->copy < 0)) {
        *got = read_memory(in, buffer, size);
        return PBY_OK;
    }
    const pby_status status = fill_buffer(in, buffer, size, got, err);
    if (status != PBY_OK || !in->stream || in->again || in->once || *got == 0)
        return status;
    return keep(in, buffer, *got, err);
}

pby_status pby_csv_input_finish(pby_csv_input *in, pby_error *err)
{
    uint8_t rest[1 << 12];
    size_t got = in->stream && !in->again ? sizeof rest : 0;
    pby_status status = PBY_OK;
    while (status == PBY_OK && got == sizeof rest)
        status = pby_csv_input_read(in, rest, sizeof rest, &got, err);
    explicit_bzero(rest, sizeof rest);
    return status;
}

void pby_csv_input_rewind(pby_csv_input *in)
{
    in->offset = 0;
    in->again = true;
    if (in->stream) {
        in->memory = in->kept;
        in->memory_size = in->kept_size;
    }
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool pby_csv_input_unchanged(const pby_csv_input *in)
{
    struct stat now;
    if (in->fd < 0 || in->stream)
        return true;
    return fstat(in->fd, &now) == 0 && now.st_size == in->before.st_size &&
           same_time(now.st_mtim, in->before.st_mtim) && same_time(now.st_ctim, in->before.st_ctim);
}

uint64_t pby_csv_input_size(const pby_csv_input *in)
{
    return in->fd < 0 || in->stream || in->before.st_size < in->start
               ? 0
               : (uint64_t)(in->before.st_size - in->start);
}

bool pby_csv_input_placed(const pby_csv_input *in, uint64_t *size)
{
    *size = in->fd < 0 && in->read == NULL ? in->memory_size : pby_csv_input_size(in);
    return !in->stream;
}

pby_status pby_csv_input_read_at(const pby_csv_input *in, void *buffer, size_t size, uint64_t at, size_t *got,
                                 pby_error *err)
{
    *got = 0;
    if (in->fd < 0) {
        *got = at > in->memory_size ? 0 : in->memory_size - at < size ? in->memory_size - at : size;
        if (*got > 0)
            memcpy(buffer, in->memory + at, *got);
        return PBY_OK;
    }
    while (*got < size) {
        const ssize_t n =
            pread(in->fd, (uint8_t *)buffer + *got, size - *got, in->start + (off_t)(at + *got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return input_failed(in, err);
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    return PBY_OK;
}

const char *pby_csv_input_name(const pby_csv_input *in)
{
    return in->name;
}

void pby_csv_input_free(pby_csv_input *in)
{
    if (in == NULL)
        return;
    if (in->fd >= 0)
        close(in->fd);
    if (in->copy >= 0)
        close(in->copy);
    let_go(in);
    free(in);
}

enum { PIECE = 1 << 16, WHOLE_MAX = 1 << 30 };

static pby_status widen_text(char **text, size_t *room, size_t used, pby_error *err)
{
    const size_t wider = *room == 0 ? PIECE : 2 * *room;
    char *more = malloc(wider);
    if (more == NULL)
        return pby_no_memory(err);
    if (*text != NULL) {
        memcpy(more, *text, used);
        explicit_bzero(*text, used);
    }
    free(*text);
    *text = more;
    *room = wider;
    return PBY_OK;
}

pby_status pby_csv_input_whole(char **text, size_t *size, pby_csv_input *in, pby_error *err)
{
    size_t room = 0;
    pby_status status = PBY_OK;
    *text = NULL;
    *size = 0;
    for (size_t got = 1; got > 0 && status == PBY_OK; *size += got) {
        got = 0;
        if (*size + 1 >= room)
            status = widen_text(text, &room, *size, err);
        if (status == PBY_OK)
            status = pby_csv_input_read(in, *text + *size, room - *size - 1, &got, err);
        if (status == PBY_OK && *size > WHOLE_MAX)
            status = pby_refuse(err, "input", pby_csv_input_name(in), "at most 2^30 bytes");
    }
    if (status == PBY_OK) {
        (*text)[*size] = '\0';
        return PBY_OK;
    }
    if (*text != NULL)
        explicit_bzero(*text, *size);
    free(*text);
    *text = NULL;
    return status;
}
