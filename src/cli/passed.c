#include "cli/passed.h"

#include <endian.h>
#include <sodium.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/passed_sort.h"
#include "status.h"

enum { BLOCK = 1 << 20, FIRST_ROOM = 1 << 12 };

/* Long bars, one behind the other. */
struct block {
    struct block *next;
    size_t used, room;
    alignas(pby_long_bar) uint8_t bytes[];
};

struct pby_passed {
    pby_passed_item *items; /* mapped, so that growing leaves no copy behind */
    size_t count, room;
    bool in_order; /* each behind the one before */
    struct block *blocks;
};

/* ---- memory ----------------------------------------------------------------------------------- */

static pby_passed_item *map_items(size_t room)
{
    const size_t size = room * sizeof(pby_passed_item);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (void)madvise(memory, size, MADV_HUGEPAGE);
    return memory;
}

/* Nothing is wiped: the system clears a page before it gives it to anybody. */
static void unmap_items(pby_passed_item *items, size_t room)
{
    munmap(items, room * sizeof *items);
}

pby_status pby_passed_new(pby_passed **out, pby_error *err)
{
    *out = NULL;
    pby_passed *passed = malloc(sizeof *passed);
    if (passed == NULL)
        return pby_no_memory(err);
    *passed = (pby_passed){map_items(FIRST_ROOM), 0, FIRST_ROOM, true, NULL};
    if (passed->items == NULL) {
        free(passed);
        return pby_no_memory(err);
    }
    *out = passed;
    return PBY_OK;
}

void pby_passed_free(pby_passed *passed)
{
    if (passed == NULL)
        return;
    for (struct block *block = passed->blocks, *next; block != NULL; block = next) {
        next = block->next;
        sodium_memzero(block, sizeof *block + block->used);
        free(block);
    }
    unmap_items(passed->items, passed->room);
    free(passed);
}

static pby_status grow(pby_passed *passed, pby_error *err)
{
    const size_t size = passed->room * sizeof *passed->items;
    void *memory = size > SIZE_MAX / 2 ? MAP_FAILED : mremap(passed->items, size, 2 * size, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED)
        return pby_no_memory(err);
    passed->items = memory;
    passed->room *= 2;
    return PBY_OK;
}

/* ---- gathering -------------------------------------------------------------------------------- */

static pby_status add_long(pby_passed *passed, const pby_long_bar **out, const uint8_t *name, size_t size,
                           int64_t count, pby_error *err)
{
    const size_t align = alignof(pby_long_bar), need = (sizeof(pby_long_bar) + size + align - 1) / align * align;
    struct block *block = passed->blocks;
    if (block == NULL || block->room - block->used < need) {
        const size_t room = need > BLOCK ? need : BLOCK;
        block = malloc(sizeof *block + room);
        if (block == NULL)
            return pby_no_memory(err);
        *block = (struct block){passed->blocks, 0, room};
        passed->blocks = block;
    }
    pby_long_bar *bar = (pby_long_bar *)(void *)(block->bytes + block->used);
    block->used += need;
    bar->count = count;
    bar->size = size;
    memcpy(bar->name, name, size);
    *out = bar;
    return PBY_OK;
}

pby_status pby_passed_add(pby_passed *passed, const uint8_t *name, size_t size, int64_t count, pby_error *err)
{
    uint64_t prefix[2] = {0, 0};
    pby_status status = passed->count < passed->room ? PBY_OK : grow(passed, err);
    if (status != PBY_OK)
        return status;
    memcpy(prefix, name, size < sizeof prefix ? size : sizeof prefix);
    pby_passed_item *item = &passed->items[passed->count];
    *item = (pby_passed_item){{be64toh(prefix[0]), be64toh(prefix[1])}, {.count = count}};
    if (pby_passed_item_is_long(item))
        status = add_long(passed, &item->bar, name, size, count, err);
    if (status != PBY_OK)
        return status;
    passed->in_order = passed->in_order && (passed->count == 0 || pby_passed_item_compare(item - 1, item) < 0);
    passed->count++;
    return PBY_OK;
}

/* ---- writing ---------------------------------------------------------------------------------- */

static pby_status write_item(pby_rows *rows, const pby_passed_item *item, const char *const *columns, pby_error *err)
{
    if (pby_passed_item_is_long(item))
        return pby_rows_add(rows, item->bar->name, item->bar->size, columns, &item->bar->count, err);
    const uint64_t name[2] = {htobe64(item->prefix[0]), htobe64(item->prefix[1])};
    return pby_rows_add(rows, (const uint8_t *)name, strlen((const char *)name), columns, &item->count, err);
}

static pby_status sort(pby_passed *passed, pby_error *err)
{
    pby_passed_item *spare = map_items(passed->count);
    if (spare == NULL)
        return pby_no_memory(err);
    passed->in_order = pby_passed_items_sort(passed->items, spare, passed->count);
    unmap_items(spare, passed->count);
    return passed->in_order ? PBY_OK : pby_no_memory(err);
}

pby_status pby_passed_write(pby_passed *passed, pby_rows *rows, bool counts, pby_error *err)
{
    enum { AHEAD = 16 }; /* a long bar is fetched some bars before its turn */
    pby_status status = passed->in_order ? PBY_OK : sort(passed, err);
    for (size_t i = 0; i < passed->count && status == PBY_OK; i++) {
        if (i + AHEAD < passed->count && pby_passed_item_is_long(&passed->items[i + AHEAD]))
            __builtin_prefetch(passed->items[i + AHEAD].bar);
        status = write_item(rows, &passed->items[i], counts ? pby_columns_count : pby_columns_none, err);
    }
    return status;
}
