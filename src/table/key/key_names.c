/* SPDX-License-Identifier: MIT */
#include "table/key/key_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "table/row/csv_row.h"

static pby_status add(pby_key_names *names, const char *argument, const pby_csv_row *field, uint8_t *scratch,
                      pby_error *err)
{
    size_t size;
    const uint8_t *bytes = pby_csv_row_key(field, scratch, &size);
    if (names->count == PBY_LAYOUT_KEYS)
        return pby_refuse(err, argument, names->text, "at most 8 names of columns");
    char *name = strndup((const char *)bytes, size);
    if (name == NULL)
        return pby_no_memory(err);
    names->name[names->count++] = name;
    for (size_t i = 0; i + 1 < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return pby_refuse(err, argument, names->text, "each column once");
    return PBY_OK;
}

pby_status pby_key_names_parse(pby_key_names *out, const char *argument, const char *text, pby_error *err)
{
    static const char expected[] =
        "names of columns separated by commas, in quotes where a name has a comma or a quote";
    const uint8_t *at = (const uint8_t *)text, *const end = at + strlen(text);
    uint8_t *scratch = malloc(PBY_ROW_KEY_MAX);
    pby_status status = scratch == NULL ? pby_no_memory(err) : PBY_OK;
    *out = (pby_key_names){.text = text};
    for (bool more = true; more && status == PBY_OK;) {
        pby_csv_row field;
        if (pby_csv_row_field(&field, 1, at, end, &more) != PBY_ROW_FOUND)
            status = pby_refuse(err, argument, text, expected);
        if (status == PBY_OK)
            status = add(out, argument, &field, scratch, err);
        if (status == PBY_OK)
            at = field.end;
    }
    if (status == PBY_OK && at != end)
        status = pby_refuse(err, argument, text, expected);
    free(scratch);
    return status;
}

void pby_key_names_clear(pby_key_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    names->count = 0;
}
