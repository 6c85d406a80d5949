/* SPDX-License-Identifier: MIT */
#include "session/session_values.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"

pby_status pby_memo_values_read(pby_memo_values *out, const char *path, pby_error *err)
{
    *out = (pby_memo_values){.name = pby_path_text(path)};
    return pby_file_read_table(&out->text, &out->size, pby_path_named(path), err);
}

void pby_memo_values_clear(pby_memo_values *values)
{
    if (values->text != NULL)
        sodium_memzero(values->text, values->size);
    free(values->text);
}

bool pby_memo_values_next(const char **value, size_t *length, pby_memo_values *values)
{
    const size_t left = values->size - values->at;
    if (left == 0)
        return false;
    const char *from = values->text + values->at, *end = memchr(from, '\n', left);
    *length = end == NULL ? left : (size_t)(end - from);
    values->at += *length + (end != NULL);
    *length -= *length > 0 && from[*length - 1] == '\r';
    *value = from;
    values->line++;
    return true;
}

pby_status pby_memo_values_refuse(const pby_memo_values *values, const pby_error *why, pby_error *err)
{
    return pby_fail_by(err, why->status, why->reason, "%s, line %" PRIu64 ": %.400s", values->name,
                       values->line, why->text);
}

pby_status pby_memo_values_check(pby_memo_values *values, const pby_rappor *r, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    const char *value;
    size_t length;
    while (pby_memo_values_next(&value, &length, values))
        if (pby_rappor_check(r, value, length, &why) != PBY_OK)
            return pby_memo_values_refuse(values, &why, err);
    values->at = 0;
    values->line = 0;
    return PBY_OK;
}
