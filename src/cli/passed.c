#include "cli/passed.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "cli/csv.h"
#include "status.h"

/* A bar's name begins at `at` in the bytes, behind its size and its count. */
struct item {
    uint64_t prefix; /* the first eight bytes of the name, the first of them the heaviest */
    size_t at;
};

struct head {
    uint32_t size;
    int64_t count;
};

struct pby_passed {
    uint8_t *bytes;
    size_t used, room;
    struct item *items;
    size_t count, items_room;
};

pby_status pby_passed_new(pby_passed **out, pby_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
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
    wipe_free(passed->bytes, passed->used);
    wipe_free(passed->items, passed->count * sizeof *passed->items);
    free(passed);
}

/* More room: as much again, and at least `more`. What is given back is wiped first. */
static pby_status grow(void **memory, size_t *room, size_t used, size_t more, size_t each, pby_error *err)
{
    if (*room - used >= more)
        return PBY_OK;
    const size_t wanted = 2 * *room + more + 1024;
    void *larger = wanted > SIZE_MAX / each ? NULL : malloc(wanted * each);
    if (larger == NULL)
        return pby_no_memory(err);
    if (used > 0)
        memcpy(larger, *memory, used * each);
    wipe_free(*memory, used * each);
    *memory = larger;
    *room = wanted;
    return PBY_OK;
}

static uint64_t prefix_of(const uint8_t *name, size_t size)
{
    uint64_t prefix = 0;
    for (size_t i = 0; i < 8; i++)
        prefix = prefix << 8 | (i < size ? name[i] : 0);
    return prefix;
}

pby_status pby_passed_add(pby_passed *passed, const uint8_t *name, size_t size, int64_t count, pby_error *err)
{
    const struct head head = {(uint32_t)size, count};
    void *bytes = passed->bytes, *items = passed->items;
    pby_status status = grow(&bytes, &passed->room, passed->used, sizeof head + size, 1, err);
    passed->bytes = bytes;
    if (status == PBY_OK)
        status = grow(&items, &passed->items_room, passed->count, 1, sizeof *passed->items, err);
    passed->items = items;
    if (status != PBY_OK)
        return status;
    memcpy(passed->bytes + passed->used, &head, sizeof head);
    memcpy(passed->bytes + passed->used + sizeof head, name, size);
    passed->items[passed->count++] = (struct item){prefix_of(name, size), passed->used + sizeof head};
    passed->used += sizeof head + size;
    return PBY_OK;
}

static struct head head_of(const pby_passed *passed, const struct item *item)
{
    struct head head;
    memcpy(&head, passed->bytes + item->at - sizeof head, sizeof head);
    return head;
}

/* ---- sorting ---------------------------------------------------------------------------------- */

/* By the byte of the prefix that `shift` names, keeping the order otherwise; false when all are equal there
 * and nothing was moved. */
static bool sort_byte(struct item *to, const struct item *from, size_t n, unsigned shift)
{
    size_t begin[257] = {0};
    for (size_t i = 0; i < n; i++)
        begin[(from[i].prefix >> shift & 0xff) + 1]++;
    if (begin[(from[0].prefix >> shift & 0xff) + 1] == n)
        return false;
    for (size_t b = 0; b < 256; b++)
        begin[b + 1] += begin[b];
    for (size_t i = 0; i < n; i++)
        to[begin[from[i].prefix >> shift & 0xff]++] = from[i];
    return true;
}

static int by_name(const void *a, const void *b, void *what)
{
    const pby_passed *passed = what;
    const struct item *x = a, *y = b;
    const size_t m = head_of(passed, x).size, n = head_of(passed, y).size;
    const int order = memcmp(passed->bytes + x->at, passed->bytes + y->at, m < n ? m : n);
    return order != 0 ? order : (m > n) - (m < n);
}

/* Names with one prefix are compared in full. */
static void sort_ties(pby_passed *passed)
{
    for (size_t i = 0, j; i < passed->count; i = j) {
        for (j = i + 1; j < passed->count && passed->items[j].prefix == passed->items[i].prefix; j++)
            continue;
        if (j - i > 1)
            qsort_r(passed->items + i, j - i, sizeof *passed->items, by_name, passed);
    }
}

static bool in_order(const pby_passed *passed)
{
    for (size_t i = 1; i < passed->count; i++)
        if (passed->items[i - 1].prefix > passed->items[i].prefix)
            return false;
    return true;
}

/* A radix sort of the prefixes, then the ties. */
static pby_status sort(pby_passed *passed, pby_error *err)
{
    if (!in_order(passed)) {
        struct item *other = malloc(passed->items_room * sizeof *other);
        if (other == NULL)
            return pby_no_memory(err);
        for (unsigned shift = 0; shift < 64; shift += 8)
            if (sort_byte(other, passed->items, passed->count, shift)) {
                struct item *held = passed->items;
                passed->items = other;
                other = held;
            }
        wipe_free(other, passed->count * sizeof *other);
    }
    sort_ties(passed);
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

pby_status pby_passed_write(pby_passed *passed, pby_spool *spool, bool counts, pby_error *err)
{
    pby_status status = sort(passed, err);
    for (size_t i = 0; i < passed->count && status == PBY_OK; i++) {
        const struct head head = head_of(passed, &passed->items[i]);
        uint8_t *out;
        status = pby_spool_reserve(spool, 2 * (size_t)head.size + PBY_DIGITS + 4, &out, err);
        if (status != PBY_OK)
            break;
        uint8_t *to = pby_put_name(out, passed->bytes + passed->items[i].at, head.size);
        if (counts) {
            *to++ = ',';
            to = pby_put_number(to, head.count);
        }
        *to++ = '\n';
        pby_spool_advance(spool, (size_t)(to - out));
    }
    return status;
}
