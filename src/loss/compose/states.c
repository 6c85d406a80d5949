/* SPDX-License-Identifier: MIT */
#include "loss/compose/states.h"

#include <stdlib.h>
#include <string.h>

bool pby_states_init(pby_states *s, size_t width, size_t most)
{
    *s = (pby_states){.width = width, .most = most, .slots = 4};
    while (s->slots < 2 * most)
        s->slots *= 2;
    s->key = calloc(most, width * sizeof *s->key);
    s->slot = calloc(s->slots, sizeof *s->slot);
    return s->key != NULL && s->slot != NULL;
}

void pby_states_clear(pby_states *s)
{
    free(s->key);
    free(s->slot);
    *s = (pby_states){NULL, NULL, 0, 0, 0, 0};
}

const int32_t *pby_states_at(const pby_states *s, size_t i)
{
    return s->key + i * s->width;
}

static uint64_t hash(const int32_t *key, size_t width)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < width; i++) {
        h = (h ^ (uint32_t)key[i]) * 1099511628211u;
        h ^= h >> 29;
    }
    return h;
}

size_t pby_states_add(pby_states *s, const int32_t *key)
{
    const size_t size = s->width * sizeof *key;
    size_t at = (size_t)(hash(key, s->width) & (s->slots - 1));
    while (s->slot[at] != 0) {
        const size_t place = s->slot[at] - 1;
        if (memcmp(pby_states_at(s, place), key, size) == 0)
            return place;
        at = (at + 1) & (s->slots - 1);
    }
    if (s->count == s->most)
        return s->most;
    memcpy(s->key + s->count * s->width, key, size);
    s->slot[at] = (uint32_t)++s->count;
    return s->count - 1;
}
