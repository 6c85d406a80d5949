/* SPDX-License-Identifier: MIT */
#include "base/password.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char scheme[] = "postgres", keyword[] = "password";

bool pby_password_is_likely(const char *text)
{
    return strcasestr(text, scheme) != NULL || strcasestr(text, keyword) != NULL;
}

/* Puts dots, three at most, in the place of the bytes from `from` to before `to`. */
static void hide(char *from, char *to)
{
    const size_t size = (size_t)(to - from), dots = size < 3 ? size : 3;
    memset(from, '.', dots);
    memmove(from + dots, to, strlen(to) + 1);
}

/* The place behind the colon of the scheme, or NULL where none stands at `text`. */
static char *behind_scheme(char *text)
{
    text += strlen(scheme);
    text += strncasecmp(text, "ql", 2) == 0 ? 2 : 0;
    return *text == ':' ? text + 1 : NULL;
}

/* Hides the value behind the equals sign of the keyword, up to its quotation mark where it has one. */
static void hide_value(char *text)
{
    text += strlen(keyword);
    text += strspn(text, " ");
    if (*text != '=')
        return;
    char *from = text + 1 + strspn(text + 1, " ");
    if (strncmp(from, "': expected ", 12) == 0) /* the value of a refusal ends here */
        return;
    const bool quoted = *from == '\'';
    from += quoted;
    hide(from, from + strcspn(from, quoted ? "'" : "& '"));
}

void pby_password_hide(char *text)
{
    for (char *at = text; (at = strcasestr(at, scheme)) != NULL; at++) {
        char *from = behind_scheme(at), *end = from == NULL ? NULL : strrchr(from, '@');
        if (end != NULL)
            hide(from, end);
    }
    for (char *at = text; (at = strcasestr(at, keyword)) != NULL; at++)
        hide_value(at);
}
