/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/server_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/readable.h"

static const char *const schemes[] = {"postgresql://", "postgres://"};
static const char expected[] = "postgresql://HOST/DATABASE?ledger=NAME, as libpq reads it";
static const char key[] = "ledger=";

bool pby_server_is(const char *path)
{
    return strncmp(path, schemes[0], strlen(schemes[0])) == 0 ||
           strncmp(path, schemes[1], strlen(schemes[1])) == 0;
}

/* The URI may hold a password: an error shows its scheme alone. */
static pby_status refuse(const char *what, pby_error *err)
{
    return pby_refuse(err, "ledger", "postgresql://...", what);
}

static int hex(char c)
{
    const char *digits = "0123456789abcdef", *at = strchr(digits, tolower((unsigned char)c));
    return c == '\0' || at == NULL ? -1 : (int)(at - digits);
}

/* Decodes %XX in a part of the query; false for a broken escape, a control character and what is too long. */
static bool decode(char out[PBY_SERVER_LEDGER_SIZE], const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '%') {
            const bool whole = i + 2 < length;
            const int high = whole ? hex(text[i + 1]) : -1, low = whole ? hex(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(16 * high + low);
            i += 2;
        }
        if (c == '\0' || n + 1 >= PBY_SERVER_LEDGER_SIZE)
            return false;
        out[n++] = c;
    }
    out[n] = '\0';
    return n > 0 && pby_readable(out, false);
}

/* Takes the parameter `ledger` out of the query of a copy of the URI, in place. */
static bool take_ledger(char out[PBY_SERVER_LEDGER_SIZE], char *uri)
{
    char *query = strchr(uri, '?');
    for (char *at = query; at != NULL; at = strchr(at + 1, '&')) {
        if (strncmp(at + 1, key, strlen(key)) != 0)
            continue;
        const char *value = at + 1 + strlen(key);
        const size_t length = strcspn(value, "&");
        if (!decode(out, value, length))
            return false;
        const char *rest = value + length;
        if (*rest == '&' && at == query) /* the first of several: the question mark stays */
            memmove(at + 1, rest + 1, strlen(rest));
        else
            memmove(at, rest, strlen(rest) + 1);
        return true;
    }
    return false;
}

static const char *option(const pby_server_name *name, const char *keyword)
{
    for (const pby_pg_option *o = name->options; o->keyword != NULL; o++)
        if (strcmp(o->keyword, keyword) == 0)
            return o->val == NULL ? "" : o->val;
    return "";
}

/* False for a password with an @ or a / that is not escaped: libpq would take a part of it for the host. */
static bool is_escaped(const char *uri)
{
    const char *from = strstr(uri, "://") + strlen("://");
    const size_t user = strcspn(from, "@/?"), place = from[user] == '@' ? user + 1 : 0;
    return from[place + strcspn(from + place, "@?")] != '@';
}

static pby_status parse(pby_server_name *out, char *uri, pby_error *err)
{
    char *why = NULL;
    if (!is_escaped(uri))
        return refuse("@ and / in its user, password and database as %40 and %2F", err);
    if (!take_ledger(out->ledger, uri))
        return refuse("?ledger=NAME in it, of 1 to 200 bytes that print", err);
    out->options = out->pq->parse(uri, &why);
    if (out->options == NULL) {
        out->pq->free(why); /* it repeats a part of the URI */
        return refuse(expected, err);
    }
    if (asprintf(&out->shown, "postgresql://%s/%s?ledger=%s", option(out, "host"), option(out, "dbname"),
                 out->ledger) < 0) {
        out->shown = NULL;
        return pby_no_memory(err);
    }
    const bool plain = pby_readable(out->shown, false);
    for (char *c = out->shown; *c != '\0' && !plain; c++)
        *c = *c < ' ' || *c > '~' ? '?' : *c; /* errors are one line, and command no terminal */
    return PBY_OK;
}

pby_status pby_server_name_read(pby_server_name *out, const char *path, pby_error *err)
{
    *out = (pby_server_name){.pq = NULL};
    PBY_TRY(pby_libpq_load(&out->pq, err));
    char *uri = strdup(path);
    const pby_status status = uri == NULL ? pby_no_memory(err) : parse(out, uri, err);
    free(uri);
    return status;
}

void pby_server_name_clear(pby_server_name *name)
{
    if (name->options != NULL)
        name->pq->parse_free(name->options);
    free(name->shown);
    *name = (pby_server_name){.pq = NULL};
}
