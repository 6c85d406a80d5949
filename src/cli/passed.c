#include "cli/passed.h"

#include <endian.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "cli/csv.h"
#include "status.h"

/* The bars as they came in, one behind the other in blocks: size and count, then the name. */
enum { BLOCK = 1 << 20, HEAD = sizeof(uint32_t) + sizeof(int64_t) };

struct block {
    struct block *next;
    size_t used, room;
    uint8_t bytes[];
};

/* A bar to be sorted. */
struct item {
    uint64_t prefix[2]; /* the first sixteen bytes of the name, the first of eight the heaviest */
    const uint8_t *bar;
};

struct pby_passed {
    struct block *first, *last;
    const uint8_t *latest; /* the bar that came in last */
    size_t count;
    bool in_order; /* each behind the one before */
};

static uint32_t size_of(const uint8_t *bar)
{
    uint32_t size;
    memcpy(&size, bar, sizeof size);
    return size;
}

static int64_t count_of(const uint8_t *bar)
{
    int64_t count;
    memcpy(&count, bar + sizeof(uint32_t), sizeof count);
    return count;
}

static int by_bytes(const uint8_t *x, const uint8_t *y)
{
    const size_t m = size_of(x), n = size_of(y);
    const int order = memcmp(x + HEAD, y + HEAD, m < n ? m : n);
    return order != 0 ? order : (m > n) - (m < n);
}

pby_status pby_passed_new(pby_passed **out, pby_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return pby_no_memory(err);
    (*out)->in_order = true;
    return PBY_OK;
}

static void wipe_free(void *memory, size_t size)
{
    if (memory != NULL)
        sodium_memzero(memory, size);
    free(memory);
}

void pby_passed_free(pby_passed *passed)
{
    if (passed == NULL)
        return;
    for (struct block *block = passed->first, *next; block != NULL; block = next) {
        next = block->next;
        wipe_free(block, sizeof *block + block->used);
    }
    free(passed);
}

static pby_status make_room(pby_passed *passed, size_t size, pby_error *err)
{
    if (passed->last != NULL && passed->last->room - passed->last->used >= size)
        return PBY_OK;
    const size_t room = size > BLOCK ? size : BLOCK;
    struct block *block = malloc(sizeof *block + room);
    if (block == NULL)
        return pby_no_memory(err);
    *block = (struct block){NULL, 0, room};
    if (passed->last == NULL)
        passed->first = block;
    else
        passed->last->next = block;
    passed->last = block;
    return PBY_OK;
}

pby_status pby_passed_add(pby_passed *passed, const uint8_t *name, size_t size, int64_t count, pby_error *err)
{
    const pby_status status = make_room(passed, HEAD + size, err);
    if (status != PBY_OK)
        return status;
    const uint32_t short_size = (uint32_t)size;
    uint8_t *bar = passed->last->bytes + passed->last->used;
    memcpy(bar, &short_size, sizeof short_size);
    memcpy(bar + sizeof short_size, &count, sizeof count);
    memcpy(bar + HEAD, name, size);
    passed->last->used += HEAD + size;
    passed->in_order = passed->in_order && (passed->latest == NULL || by_bytes(passed->latest, bar) < 0);
    passed->latest = bar;
    passed->count++;
    return PBY_OK;
}

/* ---- sorting ---------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->prefix[i] != y->prefix[i])
            return x->prefix[i] < y->prefix[i] ? -1 : 1;
    return by_bytes(x->bar, y->bar);
}

/* By the byte of the prefix that `depth` names, then each run of one byte by the next: the runs soon fit a
 * cache. Few items, and those whose first eight bytes are equal, are compared. */
static void sort_from(struct item *items, struct item *other, size_t n, unsigned depth)
{
    enum { FEW = 48 };
    if (n <= FEW || depth == 8) {
        qsort(items, n, sizeof *items, compare);
        return;
    }
    const unsigned shift = 56 - 8 * depth;
    size_t end[256] = {0};
    for (size_t i = 0; i < n; i++)
        end[items[i].prefix[0] >> shift & 0xff]++;
    if (end[items[0].prefix[0] >> shift & 0xff] < n) {
        for (size_t b = 0, sum = 0; b < 256; b++) {
            const size_t run = end[b];
            end[b] = sum;
            sum += run;
        }
        for (size_t i = 0; i < n; i++)
            other[end[items[i].prefix[0] >> shift & 0xff]++] = items[i];
        memcpy(items, other, n * sizeof *items);
    } else {
        end[items[0].prefix[0] >> shift & 0xff] = n;
    }
    for (size_t b = 0, begin = 0; b < 256; b++) {
        if (end[b] > begin) {
            sort_from(items + begin, other, end[b] - begin, depth + 1);
            begin = end[b];
        }
    }
}

/* There is no NUL in a name, so that a shorter one comes first. */
static struct item item_of(const uint8_t *bar)
{
    uint64_t prefix[2] = {0, 0};
    const size_t size = size_of(bar);
    memcpy(prefix, bar + HEAD, size < sizeof prefix ? size : sizeof prefix);
    return (struct item){{be64toh(prefix[0]), be64toh(prefix[1])}, bar};
}

static pby_status sorted(struct item **out, const pby_passed *passed, pby_error *err)
{
    const size_t size = passed->count * sizeof **out;
    struct item *items = malloc(size), *other = malloc(size);
    *out = items;
    if (items == NULL || other == NULL) {
        free(other);
        return pby_no_memory(err);
    }
    size_t n = 0;
    for (const struct block *block = passed->first; block != NULL; block = block->next)
        for (size_t at = 0; at < block->used; at += HEAD + size_of(block->bytes + at))
            items[n++] = item_of(block->bytes + at);
    sort_from(items, other, n, 0);
    wipe_free(other, size);
    return PBY_OK;
}

/* ---- writing ---------------------------------------------------------------------------------- */

uint8_t *pby_put_name(uint8_t *out, const uint8_t *name, size_t size)
{
    bool plain = true;
    for (size_t i = 0; i < size; i++)
        plain = plain && name[i] != ',' && name[i] != '"' && name[i] != '\n' && name[i] != '\r';
    if (plain) {
        memcpy(out, name, size);
        return out + size;
    }
    *out++ = '"';
    for (size_t i = 0; i < size; i++) {
        if (name[i] == '"')
            *out++ = '"';
        *out++ = name[i];
    }
    *out++ = '"';
    return out;
}

static pby_status write_bar(pby_spool *spool, const uint8_t *bar, bool counts, pby_error *err)
{
    const size_t size = size_of(bar);
    uint8_t *out;
    const pby_status status = pby_spool_reserve(spool, 2 * size + PBY_DIGITS + 4, &out, err);
    if (status != PBY_OK)
        return status;
    uint8_t *to = pby_put_name(out, bar + HEAD, size);
    if (counts) {
        *to++ = ',';
        to = pby_put_number(to, count_of(bar));
    }
    *to++ = '\n';
    pby_spool_advance(spool, (size_t)(to - out));
    return PBY_OK;
}

static pby_status write_in_order(const pby_passed *passed, pby_spool *spool, bool counts, pby_error *err)
{
    pby_status status = PBY_OK;
    for (const struct block *block = passed->first; block != NULL; block = block->next)
        for (size_t at = 0; at < block->used && status == PBY_OK; at += HEAD + size_of(block->bytes + at))
            status = write_bar(spool, block->bytes + at, counts, err);
    return status;
}

pby_status pby_passed_write(pby_passed *passed, pby_spool *spool, bool counts, pby_error *err)
{
    if (passed->in_order)
        return write_in_order(passed, spool, counts, err);
    enum { AHEAD = 16 }; /* each bar is fetched some bars before its turn */
    struct item *items;
    pby_status status = sorted(&items, passed, err);
    for (size_t i = 0; i < passed->count && status == PBY_OK; i++) {
        if (i + AHEAD < passed->count)
            __builtin_prefetch(items[i + AHEAD].bar);
        status = write_bar(spool, items[i].bar, counts, err);
    }
    wipe_free(items, passed->count * sizeof *items);
    return status;
}
