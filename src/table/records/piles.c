/* SPDX-License-Identifier: MIT */
#include "table/records/piles.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/status.h"
#include "io/file.h"

static const char file_name[] = "a temporary file in $TMPDIR";

/* A part of a pile that lies in the file. */
struct part {
    off_t at;
    size_t size;
};

struct pile {
    uint8_t *bytes; /* what is in memory, behind all parts */
    size_t size, room;
    struct part *part;
    size_t parts, parts_room;
    size_t filed; /* bytes of all parts */
};

struct pby_piles {
    struct pile *pile;
    size_t count, memory, held; /* bytes that may be, and are, in memory */
    int fd;                     /* -1 without a file */
    off_t end;                  /* of the file */
    uint8_t *taken;             /* the pile that was read last */
    size_t taken_size;
};

static void forget(uint8_t **bytes, size_t size)
{
    if (*bytes != NULL)
        sodium_memzero(*bytes, size);
    free(*bytes);
    *bytes = NULL;
}

pby_status pby_piles_new(pby_piles **out, size_t count, size_t memory, pby_error *err)
{
    pby_piles *p = *out = calloc(1, sizeof *p);
    if (p == NULL)
        return pby_no_memory(err);
    p->fd = -1;
    p->count = count;
    p->memory = memory;
    p->pile = calloc(count, sizeof *p->pile);
    if (p->pile != NULL)
        return PBY_OK;
    free(p);
    *out = NULL;
    return pby_no_memory(err);
}

void pby_piles_free(pby_piles *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->count; i++) {
        forget(&p->pile[i].bytes, p->pile[i].room);
        free(p->pile[i].part);
    }
    free(p->pile);
    forget(&p->taken, p->taken_size);
    if (p->fd >= 0)
        close(p->fd);
    free(p);
}

/* ---- to the file ------------------------------------------------------------------------------- */

static pby_status note_part(struct pile *pile, struct part part, pby_error *err)
{
    PBY_RESERVE(pile->part, pile->parts_room, pile->parts + 1, err);
    pile->part[pile->parts++] = part;
    pile->filed += part.size;
    return PBY_OK;
}

static pby_status spill(pby_piles *p, pby_error *err)
{
    pby_status status = p->fd < 0 ? pby_file_nameless(&p->fd, err) : PBY_OK;
    for (size_t i = 0; i < p->count && status == PBY_OK; i++) {
        struct pile *pile = &p->pile[i];
        if (pile->size == 0)
            continue;
        status = pby_file_write_all(p->fd, pile->bytes, pile->size, file_name, err);
        if (status == PBY_OK)
            status = note_part(pile, (struct part){p->end, pile->size}, err);
        p->end += (off_t)pile->size;
        p->held -= pile->size;
        pile->size = 0;
    }
    return status;
}

/* ---- adding ------------------------------------------------------------------------------------ */

static pby_status widen_pile(struct pile *pile, size_t more, pby_error *err)
{
    const size_t wanted = pile->size + more;
    if (wanted <= pile->room)
        return PBY_OK;
    const size_t room = wanted + wanted / 2 + 256;
    uint8_t *bytes = malloc(room);
    if (bytes == NULL)
        return pby_no_memory(err);
    if (pile->size > 0)
        memcpy(bytes, pile->bytes, pile->size);
    forget(&pile->bytes, pile->room);
    pile->bytes = bytes;
    pile->room = room;
    return PBY_OK;
}

pby_status pby_piles_add(pby_piles *p, size_t i, const void *head, size_t head_size, const void *rest,
                         size_t rest_size, pby_error *err)
{
    struct pile *pile = &p->pile[i];
    const size_t size = head_size + rest_size;
    pby_status status = p->held > 0 && size > p->memory - (p->held < p->memory ? p->held : p->memory)
                            ? spill(p, err)
                            : PBY_OK;
    if (status == PBY_OK)
        status = widen_pile(pile, size, err);
    if (status != PBY_OK)
        return status;
    memcpy(pile->bytes + pile->size, head, head_size);
    if (rest_size > 0)
        memcpy(pile->bytes + pile->size + head_size, rest, rest_size);
    pile->size += size;
    p->held += size;
    return PBY_OK;
}

/* ---- reading ----------------------------------------------------------------------------------- */

static pby_status read_part(const pby_piles *p, uint8_t *out, const struct part *part, pby_error *err)
{
    size_t done = 0;
    while (done < part->size) {
        const ssize_t n = pread(p->fd, out + done, part->size - done, part->at + (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return pby_fail_by(err, PBY_FAILED, PBY_REASON_IO, "%s: %s", file_name,
                               n < 0 ? strerror(errno) : "it is shorter than it was");
        done += (size_t)n;
    }
    return PBY_OK;
}

pby_status pby_piles_take(pby_piles *p, size_t i, const uint8_t **bytes, size_t *size, pby_error *err)
{
    struct pile *pile = &p->pile[i];
    forget(&p->taken, p->taken_size);
    p->taken_size = pile->filed + pile->size;
    p->taken = malloc(p->taken_size + 1);
    pby_status status = p->taken == NULL ? pby_no_memory(err) : PBY_OK;
    size_t at = 0;
    for (size_t k = 0; k < pile->parts && status == PBY_OK; at += pile->part[k].size, k++)
        status = read_part(p, p->taken + at, &pile->part[k], err);
    if (status == PBY_OK && pile->size > 0)
        memcpy(p->taken + at, pile->bytes, pile->size);
    p->held -= pile->size;
    forget(&pile->bytes, pile->room);
    pile->size = pile->room = pile->parts = pile->filed = 0;
    *bytes = p->taken;
    *size = p->taken_size;
    return status;
}
