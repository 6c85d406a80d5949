/* SPDX-License-Identifier: MIT */
#include "table/row/field_digits.h"

/* The zero of each script, in increasing order; its nine other digits follow it. */
static const uint32_t zeros[] = {
    0x30,    0x660,   0x6f0,   0x7c0,   0x966,   0x9e6,   0xa66,   0xae6,   0xb66,   0xbe6,
    0xc66,   0xce6,   0xd66,   0xde6,   0xe50,   0xed0,   0xf20,   0x1040,  0x1090,  0x17e0,
    0x1810,  0x1946,  0x19d0,  0x1a80,  0x1a90,  0x1b50,  0x1bb0,  0x1c40,  0x1c50,  0xa620,
    0xa8d0,  0xa900,  0xa9d0,  0xa9f0,  0xaa50,  0xabf0,  0xff10,  0x104a0, 0x10d30, 0x11066,
    0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0,
    0x11950, 0x11c50, 0x11d50, 0x11da0, 0x11f50, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8,
    0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e950, 0x1fbf0,
};

static bool is_digit(uint32_t character)
{
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros && zeros[i] <= character; i++)
        if (character - zeros[i] <= 9)
            return true;
    return false;
}

/* The character at the beginning of a text; the bytes behind it begin at *next. */
static uint32_t character_at(const uint8_t *text, const uint8_t **next)
{
    const int more = (*text >= 0xc0) + (*text >= 0xe0) + (*text >= 0xf0);
    uint32_t character = more == 0 ? *text : *text & (0x3fu >> more);
    for (int i = 1; i <= more; i++)
        character = character << 6 | (text[i] & 0x3f);
    *next = text + more + 1;
    return character;
}

bool pby_has_digit(const uint8_t *text, size_t size)
{
    for (const uint8_t *const end = text + size; text < end;)
        if (is_digit(character_at(text, &text)))
            return true;
    return false;
}
