/* SPDX-License-Identifier: MIT */
#include "table/key/names.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { FIRST_SLOTS = 64, FIRST_BYTES = 4096 };

struct name {
    size_t begin, size;
};

struct pby_names {
    uint8_t key[crypto_shorthash_KEYBYTES];
    uint8_t *bytes;
    size_t used, bytes_room;
    struct name *name; /* room for half of the slots */
    size_t count;
    size_t *slot; /* a number and one, or 0; at most half of them are taken, so that a search ends */
    size_t slots; /* a power of two */
};

pby_status pby_names_new(pby_names **out, pby_error *err)
{
    *out = NULL;
    pby_names *names = calloc(1, sizeof *names);
    if (names == NULL)
        return pby_no_memory(err);
    crypto_shorthash_keygen(names->key);
    names->slots = FIRST_SLOTS;
    names->bytes_room = FIRST_BYTES;
    names->bytes = malloc(names->bytes_room);
    names->name = malloc(names->slots / 2 * sizeof *names->name);
    names->slot = calloc(names->slots, sizeof *names->slot);
    if (names->bytes == NULL || names->name == NULL || names->slot == NULL) {
        pby_names_free(names);
        return pby_no_memory(err);
    }
    *out = names;
    return PBY_OK;
}

void pby_names_free(pby_names *names)
{
    if (names == NULL)
        return;
    if (names->bytes != NULL)
        sodium_memzero(names->bytes, names->bytes_room);
    free(names->bytes);
    free(names->name);
    free(names->slot);
    free(names);
}

size_t pby_names_count(const pby_names *names)
{
    return names->count;
}

const uint8_t *pby_names_get(const pby_names *names, size_t number, size_t *size)
{
    *size = names->name[number].size;
    return names->bytes + names->name[number].begin;
}

char *pby_names_text(const pby_names *names, size_t number)
{
    size_t size;
    const uint8_t *name = pby_names_get(names, number, &size);
    return strndup((const char *)name, size);
}

/* The slot that holds the name, or the empty one where it belongs. */
static size_t *place(const pby_names *names, const uint8_t *name, size_t size)
{
    uint64_t hash;
    crypto_shorthash((uint8_t *)&hash, name, size, names->key);
    for (size_t at = (size_t)hash;; at++) {
        size_t *slot = &names->slot[at & (names->slots - 1)];
        if (*slot == 0)
            return slot;
        const struct name *there = &names->name[*slot - 1];
        if (there->size == size && memcmp(names->bytes + there->begin, name, size) == 0)
            return slot;
    }
}

size_t pby_names_find(const pby_names *names, const uint8_t *name, size_t size)
{
    return *place(names, name, size) - 1;
}

static bool grow_slots(pby_names *names)
{
    struct name *name = reallocarray(names->name, names->slots, sizeof *name);
    size_t *slot = name == NULL ? NULL : calloc(2 * names->slots, sizeof *slot);
    if (name != NULL)
        names->name = name;
    if (slot == NULL)
        return false;
    free(names->slot);
    names->slot = slot;
    names->slots *= 2;
    for (size_t i = 0; i < names->count; i++)
        *place(names, names->bytes + name[i].begin, name[i].size) = i + 1;
    return true;
}

static bool grow_bytes(pby_names *names, size_t size)
{
    const size_t room = 2 * names->bytes_room + size;
    uint8_t *bytes = malloc(room);
    if (bytes == NULL)
        return false;
    memcpy(bytes, names->bytes, names->used);
    sodium_memzero(names->bytes, names->bytes_room);
    free(names->bytes);
    names->bytes = bytes;
    names->bytes_room = room;
    return true;
}

pby_status pby_names_add(pby_names *names, const uint8_t *name, size_t size, size_t *number, pby_error *err)
{
    if (names->count == names->slots / 2 && !grow_slots(names))
        return pby_no_memory(err);
    if (size > names->bytes_room - names->used && !grow_bytes(names, size))
        return pby_no_memory(err);
    size_t *slot = place(names, name, size);
    if (*slot == 0) {
        memcpy(names->bytes + names->used, name, size);
        names->name[names->count++] = (struct name){names->used, size};
        names->used += size;
        *slot = names->count;
    }
    *number = *slot - 1;
    return PBY_OK;
}
