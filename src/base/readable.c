/* SPDX-License-Identifier: MIT */
#include "base/readable.h"

#include <stddef.h>

bool pby_readable_ascii(const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return text != NULL;
}

bool pby_readable(const char *text, bool lines)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)text[0], next = (unsigned char)text[1];
        const bool second = c == 0xc2 && next >= 0x80 && next < 0xa0;
        if ((c < ' ' && !(lines && (c == '\n' || c == '\t'))) || c == 0x7f || second)
            return false;
    }
    return true;
}
