/* SPDX-License-Identifier: MIT */
#include "table/sort/bins.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/status.h"
#include "io/pages.h"
#include "table/row/put.h"

/* In lines of a cache. Were chunks a power of two long, the ends of many bins would fall on few places of the
 * cache. */
enum { LINE = 64, FIRST_CHUNK = 3 * LINE, CHUNK = 17 * LINE, FIRST_SLAB = 1 << 16, LAST_SLAB = 1 << 26 };

/* The head of a packed row has at most so many bytes: two numbers of 64 bits, seven bits a byte. */
enum { HEAD = 20 };

/* Packed rows, up to its limit or to a zero byte. */
struct chunk {
    struct chunk *next;
    const uint8_t *limit;
    uint8_t bytes[];
};

struct slab {
    struct slab *next;
    size_t size, used;
};

/* The free bytes in the last chunk of a bin. A row changes nothing else, and many of these fit a cache. */
struct space {
    uint8_t *at, *limit;
};

struct pby_bins {
    struct space *space;
    struct chunk **first, **last;
    struct slab *slabs;
    pby_bin_row *rows; /* that were read last */
    size_t room;
};

/* ---- memory ----------------------------------------------------------------------------------- */

/* Zeroed memory, a multiple of LINE, from a slab twice as large as the one before when that is full. */
static void *take(pby_bins *bins, size_t size)
{
    struct slab *slab = bins->slabs;
    if (slab == NULL || slab->size - slab->used < size) {
        size_t room = slab == NULL ? FIRST_SLAB : slab->size < LAST_SLAB ? 2 * slab->size : LAST_SLAB;
        if (room < LINE + size)
            room = LINE + size;
        slab = pby_pages_map(room);
        if (slab == NULL)
            return NULL;
        *slab = (struct slab){bins->slabs, room, LINE};
        bins->slabs = slab;
    }
    void *memory = (uint8_t *)slab + slab->used;
    slab->used += size;
    return memory;
}

pby_status pby_bins_new(pby_bins **out, size_t count, pby_error *err)
{
    *out = NULL;
    pby_bins *bins = calloc(1, sizeof *bins);
    if (bins == NULL)
        return pby_no_memory(err);
    bins->space = calloc(count, sizeof *bins->space);
    bins->first = calloc(count, sizeof *bins->first);
    bins->last = calloc(count, sizeof *bins->last);
    if (bins->space == NULL || bins->first == NULL || bins->last == NULL) {
        pby_bins_free(bins);
        return pby_no_memory(err);
    }
    *out = bins;
    return PBY_OK;
}

void pby_bins_free(pby_bins *bins)
{
    if (bins == NULL)
        return;
    for (struct slab *slab = bins->slabs, *next; slab != NULL; slab = next) {
        next = slab->next;
        munmap(slab, slab->size);
    }
    free(bins->rows);
    free(bins->last);
    free(bins->first);
    free(bins->space);
    free(bins);
}

/* ---- packing ---------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *out++ = (uint8_t)(value | 0x80);
    *out++ = (uint8_t)value;
    return out;
}

static const uint8_t *get(const uint8_t *in, uint64_t *value)
{
    *value = *in & 0x7f;
    for (unsigned shift = 7; *in++ >= 0x80; shift += 7)
        *value |= (uint64_t)(*in & 0x7f) << shift;
    return in;
}

/* Small numbers of either sign are small: 0, -1, 1, -2 become 0, 1, 2, 3. */
static uint64_t fold(int64_t count)
{
    return (uint64_t)count << 1 ^ (count < 0 ? UINT64_MAX : 0);
}

static int64_t unfold(uint64_t folded)
{
    return (int64_t)(folded >> 1 ^ ((folded & 1) != 0 ? UINT64_MAX : 0));
}

/* A chunk with room for size bytes, behind the last one of the bin. */
static bool extend(pby_bins *bins, size_t bin, size_t size)
{
    struct chunk *chunk, *const last = bins->last[bin];
    size_t room = last == NULL ? FIRST_CHUNK : CHUNK;
    if (room < sizeof *chunk + size)
        room = (sizeof *chunk + size + LINE - 1) / LINE * LINE;
    chunk = take(bins, room);
    if (chunk == NULL)
        return false;
    bins->space[bin] = (struct space){chunk->bytes, (uint8_t *)chunk + room};
    chunk->limit = bins->space[bin].limit;
    *(last == NULL ? &bins->first[bin] : &last->next) = chunk;
    bins->last[bin] = chunk;
    return true;
}

/* The size is packed as one more, and so never as zero. */
pby_status pby_bins_add(pby_bins *bins, size_t bin, const uint8_t *name, size_t size, int64_t count,
                        pby_error *err)
{
    struct space *space = &bins->space[bin];
    if ((size_t)(space->limit - space->at) < HEAD + size && !extend(bins, bin, HEAD + size))
        return pby_no_memory(err);
    uint8_t *at = put(put(space->at, size + 1), fold(count));
    space->at = pby_put_bytes(at, name, size);
    return PBY_OK;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static bool grow(pby_bins *bins)
{
    const size_t room = bins->room == 0 ? 64 : 2 * bins->room;
    pby_bin_row *rows = room > SIZE_MAX / sizeof *rows ? NULL : realloc(bins->rows, room * sizeof *rows);
    if (rows == NULL)
        return false;
    bins->rows = rows;
    bins->room = room;
    return true;
}

/* Chunks lie where the rows of other bins left room: no cache foresees where the next one is. */
static void fetch(const struct chunk *chunk)
{
    if (chunk != NULL)
        for (const uint8_t *line = (const uint8_t *)chunk; line < (const uint8_t *)chunk + CHUNK;
             line += LINE)
            __builtin_prefetch(line);
}

pby_status pby_bins_read(pby_bins *bins, size_t bin, const pby_bin_row **rows, size_t *n, pby_error *err)
{
    *n = 0;
    for (const struct chunk *chunk = bins->first[bin]; chunk != NULL; chunk = chunk->next) {
        fetch(chunk->next);
        for (const uint8_t *at = chunk->bytes; at < chunk->limit && *at != 0; (*n)++) {
            uint64_t size, folded;
            if (*n == bins->room && !grow(bins))
                return pby_no_memory(err);
            at = get(get(at, &size), &folded);
            bins->rows[*n] = (pby_bin_row){at, (size_t)size - 1, unfold(folded)};
            at += size - 1;
        }
    }
    *rows = bins->rows;
    return PBY_OK;
}
