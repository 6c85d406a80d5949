/* SPDX-License-Identifier: MIT */
#include "base/excerpt.h"

#include <string.h>

size_t pby_whole_characters(const char *text, size_t most)
{
    enum { CHARACTER_MOST = 4 };
    const size_t length = strnlen(text, most + 1);
    if (length <= most)
        return length;
    /* the byte behind the cut tells if a character goes on there */
    for (size_t back = 0; back < CHARACTER_MOST && back <= most; back++)
        if (((unsigned char)text[most - back] & 0xc0) != 0x80)
            return most - back;
    return most;
}

pby_excerpt pby_excerpt_of(const char *text, size_t most)
{
    pby_excerpt out;
    const size_t room = most < PBY_EXCERPT_MOST ? most : PBY_EXCERPT_MOST,
                 kept = pby_whole_characters(text, room);
    memcpy(out.text, text, kept);
    memcpy(out.text + kept, text[kept] == '\0' ? "" : "...", text[kept] == '\0' ? 1 : sizeof "...");
    return out;
}
