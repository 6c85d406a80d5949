/* SPDX-License-Identifier: MIT */
#include "tests/table/csv/csv_text.h"

#include <criterion/criterion.h>
#include <string.h>

#include "io/spool.h"

enum { CHUNK = 2 };

void csv_is(pby_csv *csv, const char *expected)
{
    pby_spool *spool;
    pby_error err = {.text = ""};
    uint64_t rows;
    size_t n = 1, size;
    cr_assert_eq(pby_spool_open_memory(&spool, NULL), PBY_OK);
    cr_assert_eq(pby_csv_scan(csv, &rows, &err), PBY_OK, "%s", err.text);
    while (n > 0) {
        int64_t counts[CHUNK];
        cr_assert_eq(pby_csv_next_chunk(csv, counts, CHUNK, &n, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_csv_write_chunk(csv, spool, counts, n, &err), PBY_OK, "%s", err.text);
    }
    const char *text = (const char *)pby_spool_bytes(spool, &size);
    cr_assert(size == strlen(expected) && memcmp(text, expected, size) == 0, "%.*s", (int)size, text);
    pby_spool_abort(spool);
}
