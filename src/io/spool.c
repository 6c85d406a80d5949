/* SPDX-License-Identifier: MIT */
#include "io/spool.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/destination.h"
#include "io/file.h"

/* A spool in memory is mostly short; its buffer grows where it is not. */
enum { BUFFER_SIZE = 1 << 19, MEMORY_SIZE = 1 << 12 };

struct pby_spool {
    pby_destination target; /* none when everything stays in the buffer */
    uint8_t *buffer;
    size_t size;
    size_t used;
};

/* ---- opening -------------------------------------------------------------------------------- */

static pby_status spool_new(pby_spool **out, size_t size, pby_error *err)
{
    *out = NULL;
    pby_spool *s = malloc(sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    *s = (pby_spool){pby_destination_none, malloc(size), size, 0};
    if (s->buffer == NULL) {
        free(s);
        return pby_no_memory(err);
    }
    *out = s;
    return PBY_OK;
}

static pby_status spool_open(pby_spool **out, const char *path, bool nameless, pby_error *err)
{
    pby_status status = spool_new(out, BUFFER_SIZE, err);
    if (status == PBY_OK)
        status = pby_destination_open(&(*out)->target, path, nameless, err);
    if (status != PBY_OK) {
        pby_spool_abort(*out);
        *out = NULL;
    }
    return status;
}

pby_status pby_spool_open(pby_spool **out, const char *path, pby_error *err)
{
    return spool_open(out, path, true, err);
}

pby_status pby_spool_open_named(pby_spool **out, const char *path, pby_error *err)
{
    return spool_open(out, path, false, err);
}

pby_status pby_spool_open_memory(pby_spool **out, pby_error *err)
{
    return spool_new(out, MEMORY_SIZE, err);
}

const uint8_t *pby_spool_bytes(const pby_spool *s, size_t *size)
{
    *size = s->used;
    return s->buffer;
}

void pby_spool_empty(pby_spool *s)
{
    s->used = 0;
}

/* ---- writing -------------------------------------------------------------------------------- */

static bool is_memory(const pby_spool *s)
{
    return s->target.fd < 0;
}

static pby_status flush(pby_spool *s, pby_error *err)
{
    const size_t used = s->used;
    s->used = 0;
    return pby_file_write_all(s->target.fd, s->buffer, used, pby_destination_name(&s->target), err);
}

static pby_status widen_spool(pby_spool *s, size_t size, pby_error *err)
{
    const size_t room = s->used + size > 2 * s->size ? s->used + size : 2 * s->size;
    uint8_t *buffer = malloc(room);
    if (buffer == NULL)
        return pby_no_memory(err);
    memcpy(buffer, s->buffer, s->used);
    sodium_memzero(s->buffer, s->size);
    free(s->buffer);
    s->buffer = buffer;
    s->size = room;
    return PBY_OK;
}

pby_status pby_spool_reserve(pby_spool *s, size_t size, uint8_t **at, pby_error *err)
{
    pby_status status = PBY_OK;
    if (size > s->size - s->used && !is_memory(s))
        status = flush(s, err);
    if (status == PBY_OK && size > s->size - s->used)
        status = widen_spool(s, size, err);
    *at = s->buffer + s->used;
    return status;
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

pby_status pby_spool_commit(pby_spool *s, pby_error *err)
{
    pby_status status = flush(s, err);
    if (status == PBY_OK)
        status = pby_destination_commit(&s->target, s->buffer, s->size, err);
    pby_spool_abort(s);
    return status;
}

void pby_spool_abort(pby_spool *s)
{
    if (s == NULL)
        return;
    pby_destination_close(&s->target);
    sodium_memzero(s->buffer, s->size);
    free(s->buffer);
    free(s);
}

/* ---- all at once ------------------------------------------------------------------------------ */

pby_status pby_spool_text(const char *path, const char *text, const char *end, pby_error *err)
{
    pby_spool *spool;
    pby_status status = pby_spool_open(&spool, path, err);
    if (status != PBY_OK)
        return status;
    status = pby_spool_write(spool, text, strlen(text), err);
    if (status == PBY_OK)
        status = pby_spool_write(spool, end, strlen(end), err);
    if (status == PBY_OK)
        return pby_spool_commit(spool, err);
    pby_spool_abort(spool);
    return status;
}
