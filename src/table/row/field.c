/* SPDX-License-Identifier: MIT */
#include "table/row/field.h"

#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "io/file.h"

pby_status pby_field_refuse(const char *table, uint64_t line, unsigned column, const char *expected,
                            pby_error *err)
{
    return pby_fail_by(err, PBY_BAD, PBY_REASON_INPUT, "%s: line %" PRIu64 ", column %u: expected %s",
                       pby_path_text(table), line, column, expected);
}

char *pby_field_unquote(char *field)
{
    const size_t size = strlen(field);
    if (size < 2 || field[0] != '"' || field[size - 1] != '"')
        return field;
    field[size - 1] = '\0';
    return field + 1;
}
