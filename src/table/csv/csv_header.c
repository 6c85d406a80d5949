/* SPDX-License-Identifier: MIT */
#include "table/csv/csv_header.h"

#include <string.h>

#include "table/row/csv_row.h"
#include "table/row/put.h"

static const char name[] = "count";

_Static_assert(sizeof name - 1 == PBY_HEADER_MORE, "no name grows by more than this one is long");

static uint8_t *put(uint8_t *out, const uint8_t *from, const uint8_t *to)
{
    return pby_put_bytes(out, from, (size_t)(to - from));
}

uint8_t *pby_put_header(uint8_t *out, const uint8_t *from, const uint8_t *end, const uint8_t *nul)
{
    pby_csv_row header;
    from += pby_csv_row_mark(from, end);
    if (from < end && pby_csv_row_header(&header, from, nul, true) == PBY_ROW_FOUND) {
        out = put(out, from, header.count_begin);
        out = pby_put_bytes(out, (const uint8_t *)name, strlen(name));
        from = header.count_end;
    }
    return put(out, from, end);
}
