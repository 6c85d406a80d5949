/* SPDX-License-Identifier: MIT */
#include "table/csv/separated.h"

#include <errno.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "io/file.h"

static pby_status read_separator(char *out, const char *text, pby_error *err)
{
    const bool tab = strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0;
    if (!tab && (strlen(text) != 1 || strchr("\"\r\n.-+/0123456789", text[0]) != NULL))
        return pby_refuse(err, "--separator", text, "one character such as ';' or '|', or tab");
    *out = tab ? '\t' : text[0];
    return PBY_OK;
}

/* Writes one field; returns what follows it. */
static const char *put_field(char **to, const char *at, const char *end, char separator)
{
    const bool quoted = at < end && *at == '"';
    const char *const first = at;
    bool inside = false, comma = false;
    while (at < end && (inside || (*at != separator && *at != '\n'))) {
        inside = *at == '"' && quoted ? !inside : inside;
        comma = comma || *at == ',';
        at++;
    }
    const bool wrap = comma && !quoted && separator != ',';
    const bool returned = wrap && at > first && at[-1] == '\r';
    if (wrap)
        *(*to)++ = '"';
    *to = mempcpy(*to, first, (size_t)(at - first) - returned);
    if (wrap)
        *(*to)++ = '"';
    if (returned)
        *(*to)++ = '\r';
    return at;
}

/* The text with commas; room for twice its size and a little is enough, as a field that gets two quotes has a
 * comma and what ends it. */
static size_t put_commas(char *out, const char *text, size_t size, char separator)
{
    const char *at = text, *const end = text + size;
    char *to = out;
    while (at < end) {
        at = put_field(&to, at, end, separator);
        if (at < end)
            *to++ = *at++ == '\n' ? '\n' : ',';
    }
    return (size_t)(to - out);
}

static pby_status keep(pby_separated *out, const char *text, size_t size, pby_error *err)
{
    out->fd = memfd_create("table", MFD_CLOEXEC);
    if (out->fd < 0)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_MEMORY, "memory for a table: %s", strerror(errno));
    snprintf(out->path, sizeof out->path, "/proc/self/fd/%d", out->fd);
    return pby_file_write_all(out->fd, text, size, "memory for a table", err);
}

pby_status pby_separated_open(pby_separated *out, const char *in, const char *separator, pby_error *err)
{
    char *text, with = ',';
    size_t size;
    *out = (pby_separated){.fd = -1, .name = pby_path_text(in)};
    pby_status status = read_separator(&with, separator, err);
    if (status == PBY_OK)
        status = pby_file_read_table(&text, &size, in, err);
    if (status != PBY_OK)
        return status;
    char *commas = malloc(2 * size + 16);
    status = commas == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK) {
        const size_t put = put_commas(commas, text, size, with);
        status = keep(out, commas, put, err);
        sodium_memzero(commas, put);
    }
    sodium_memzero(text, size);
    free(commas);
    free(text);
    return status;
}

void pby_separated_name(const pby_separated *table, pby_error *err)
{
    char *at = table->path[0] == '\0' ? NULL : strstr(err->text, table->path);
    char rest[PBY_ERROR_SIZE];
    if (at == NULL)
        return;
    snprintf(rest, sizeof rest, "%s", at + strlen(table->path));
    snprintf(at, sizeof err->text - (size_t)(at - err->text), "%.200s%s", table->name, rest);
}

void pby_separated_close(pby_separated *table)
{
    if (table->fd >= 0)
        close(table->fd);
    *table = (pby_separated){.fd = -1};
}
