#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { VALUE_SHOWN = 60 };

pby_status pby_fail(pby_error *err, pby_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        err->status = status;
    }
    return status;
}

/* Writes value so that it fits on one printable line; UTF-8 passes as it is. */
static void show(char *out, size_t size, const char *value)
{
    size_t at = 0, i = 0;
    for (; value[i] != '\0' && i < VALUE_SHOWN; i++) {
        const unsigned char c = (unsigned char)value[i];
        const int n = c < 0x20 || c == 0x7f ? snprintf(out + at, size - at, "\\x%02x", c)
                                            : snprintf(out + at, size - at, "%c", c);
        at += (size_t)n;
    }
    if (value[i] != '\0')
        snprintf(out + at, size - at, "...");
    else
        out[at] = '\0';
}

pby_status pby_refuse(pby_error *err, const char *name, const char *value, const char *expected)
{
    char shown[4 * VALUE_SHOWN + 4];
    show(shown, sizeof shown, value);
    return pby_fail(err, PBY_BAD, "%s '%s': expected %s", name, shown, expected);
}

pby_status pby_no_memory(pby_error *err)
{
    return pby_fail(err, PBY_FAILED, "out of memory");
}
