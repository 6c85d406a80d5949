/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/password.h"

enum { VALUE_SHOWN = 60 };

/* An error is one line, whatever a parser's own message quotes of a file. */
static void join_lines(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = ' ';
}

__attribute__((format(printf, 4, 0))) static pby_status set(pby_error *err, pby_status status,
                                                            pby_reason reason, const char *format,
                                                            va_list args)
{
    if (err != NULL) {
        const int length = vsnprintf(err->text, sizeof err->text, format, args);
        if (length >= (int)sizeof err->text) /* what does not fit is left out, and seen to be */
            strcpy(err->text + pby_whole_characters(err->text, sizeof err->text - sizeof "..."), "...");
        pby_password_hide(err->text);
        join_lines(err->text);
        err->status = status;
        err->reason = reason;
    }
    return status;
}

static pby_reason usual(pby_status status)
{
    switch (status) {
    case PBY_OK:
        return PBY_REASON_NONE;
    case PBY_NO:
    case PBY_INCONCLUSIVE:
        return PBY_REASON_VERDICT;
    case PBY_BAD:
        return PBY_REASON_ARGUMENT;
    case PBY_FAILED:
        return PBY_REASON_INTERNAL;
    }
    return PBY_REASON_INTERNAL;
}

pby_status pby_fail(pby_error *err, pby_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set(err, status, usual(status), format, args);
    va_end(args);
    return status;
}

pby_status pby_fail_by(pby_error *err, pby_status status, pby_reason reason, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set(err, status, reason, format, args);
    va_end(args);
    return status;
}

const char *pby_reason_text(pby_reason reason)
{
    static const char *const texts[] = {
        [PBY_REASON_NONE] = "none",           [PBY_REASON_ARGUMENT] = "argument",
        [PBY_REASON_INPUT] = "input",         [PBY_REASON_CERTIFICATE] = "certificate",
        [PBY_REASON_BUDGET] = "budget",       [PBY_REASON_TARGET] = "target",
        [PBY_REASON_VERDICT] = "verdict",     [PBY_REASON_MEMORY] = "memory",
        [PBY_REASON_ENTROPY] = "entropy",     [PBY_REASON_IO] = "io",
        [PBY_REASON_PRECISION] = "precision", [PBY_REASON_INTERNAL] = "internal",
        [PBY_REASON_STOPPED] = "stopped",
    };
    return (size_t)reason < sizeof texts / sizeof *texts ? texts[reason] : "unknown";
}

/* Writes value so that it fits on one printable line; UTF-8 passes as it is. */
static void show(char *out, size_t size, const char *value)
{
    const size_t shown = pby_whole_characters(value, VALUE_SHOWN);
    size_t at = 0, i = 0;
    for (; i < shown; i++) {
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

/* A password is hidden before the value is cut short: the cut may take the @ behind it. */
static void show_hidden(char *out, size_t size, const char *value)
{
    char *copy = strdup(value);
    if (copy != NULL)
        pby_password_hide(copy);
    show(out, size, copy == NULL ? "..." : copy);
    free(copy);
}

pby_status pby_refuse(pby_error *err, const char *name, const char *value, const char *expected)
{
    char shown[4 * VALUE_SHOWN + 4];
    if (pby_password_is_likely(value))
        show_hidden(shown, sizeof shown, value);
    else
        show(shown, sizeof shown, value);
    return pby_fail(err, PBY_BAD, "%s '%s': expected %s", name, shown, expected);
}

pby_status pby_no_memory(pby_error *err)
{
    return pby_fail_by(err, PBY_FAILED, PBY_REASON_MEMORY, "out of memory");
}
