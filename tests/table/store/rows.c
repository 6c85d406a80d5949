/* SPDX-License-Identifier: MIT */
#include "table/store/rows.h"

#include <criterion/criterion.h>
#include <string.h>

#include "kernel/suppressed.h"

static void add(pby_rows *rows, const char *name, const char *const *columns, const int64_t *values)
{
    cr_assert_eq(pby_rows_add(rows, (const uint8_t *)name, strlen(name), columns, values, NULL), PBY_OK);
}

/* Writes some rows in either form: a plain name, one that needs quotes and escapes, one without values, one
 * with a single one, one alone. */
static void expect(bool json, const char *expected)
{
    const int64_t most[] = {INT64_MIN, INT64_MAX};
    pby_spool *spool;
    size_t size;
    cr_assert_eq(pby_spool_open_memory(&spool, NULL), PBY_OK);
    pby_rows rows = {.spool = spool, .json = json};
    cr_assert_eq(pby_rows_open(&rows, NULL), PBY_OK);
    add(&rows, "a", pby_columns_count, (const int64_t[]){-7});
    add(&rows, "\"\\\n\x1f,\x7f\xc3\xa9", pby_columns_range, most);
    rows.gaps = true;
    add(&rows, "", pby_columns_range, (const int64_t[]){PBY_SUPPRESSED, PBY_SUPPRESSED});
    add(&rows, "c", pby_columns_range, (const int64_t[]){PBY_SUPPRESSED, 5});
    add(&rows, "b", pby_columns_none, most);
    cr_assert_eq(pby_rows_close(&rows, NULL), PBY_OK);
    const uint8_t *bytes = pby_spool_bytes(spool, &size);
    cr_assert_eq(size, strlen(expected), "%.*s", (int)size, (const char *)bytes);
    cr_assert_eq(memcmp(bytes, expected, size), 0, "%.*s", (int)size, (const char *)bytes);
    pby_spool_abort(spool);
}

Test(rows, as_csv)
{
    expect(false, "a,-7\n"
                  "\"\"\"\\\n\x1f,\x7f\xc3\xa9\",-9223372036854775808,9223372036854775807\n"
                  ",,\n"
                  "c,,5\n"
                  "b\n");
}

Test(rows, as_json)
{
    expect(true, "[{\"key\": \"a\", \"count\": -7}, "
                 "{\"key\": \"\\\"\\\\\\u000a\\u001f,\x7f\xc3\xa9\", \"low\": -9223372036854775808, "
                 "\"high\": 9223372036854775807}, "
                 "{\"key\": \"\", \"low\": null, \"high\": null}, "
                 "{\"key\": \"c\", \"low\": null, \"high\": 5}, "
                 "{\"key\": \"b\"}]");
}

static void expect_tuple(bool json, const char *name, const char *expected)
{
    pby_spool *spool;
    size_t size;
    cr_assert_eq(pby_spool_open_memory(&spool, NULL), PBY_OK);
    pby_rows rows = {.spool = spool, .json = json, .tuples = true};
    add(&rows, name, pby_columns_count, (const int64_t[]){5});
    const uint8_t *bytes = pby_spool_bytes(spool, &size);
    cr_assert(size == strlen(expected) && memcmp(bytes, expected, size) == 0, "%.*s", (int)size,
              (const char *)bytes);
    pby_spool_abort(spool);
}

Test(rows, a_key_of_several_columns)
{
    static const char name[] = "a,\"b,\"\"c\"\"\",,\"\n\"";
    expect_tuple(false, name, "a,\"b,\"\"c\"\"\",,\"\n\",5\n");
    expect_tuple(true, name, "{\"key\": [\"a\", \"b,\\\"c\\\"\", \"\", \"\\u000a\"], \"count\": 5}");
    expect_tuple(true, "\"\"\"\",x", "{\"key\": [\"\\\"\", \"x\"], \"count\": 5}");
}

Test(rows, none_are_an_empty_list)
{
    pby_spool *spool;
    size_t size;
    cr_assert_eq(pby_spool_open_memory(&spool, NULL), PBY_OK);
    pby_rows rows = {.spool = spool, .json = true};
    cr_assert_eq(pby_rows_open(&rows, NULL), PBY_OK);
    cr_assert_eq(pby_rows_close(&rows, NULL), PBY_OK);
    const uint8_t *bytes = pby_spool_bytes(spool, &size);
    cr_assert(size == 2 && memcmp(bytes, "[]", 2) == 0);
    pby_spool_abort(spool);
}

/* Each byte at each place of names of up to three words. */
Test(rows, which_names_need_quotes)
{
    enum { LONGEST = 24 };
    for (size_t size = 1; size <= LONGEST; size++)
        for (size_t at = 0; at < size; at++)
            for (unsigned byte = 1; byte < 256; byte++) {
                uint8_t name[LONGEST], expected[LONGEST + 3], out[2 * LONGEST + 2], *to = expected;
                const bool quotes = memchr(",\"\r\n", (int)byte, 4) != NULL;
                memset(name, at % 2 == 0 ? 'x' : 0xff, size);
                name[at] = (uint8_t)byte;
                if (quotes)
                    *to++ = '"';
                to = (uint8_t *)mempcpy(to, name, at);
                if (byte == '"')
                    *to++ = '"';
                to = (uint8_t *)mempcpy(to, name + at, size - at);
                if (quotes)
                    *to++ = '"';
                cr_assert_eq(pby_put_name(out, name, size) - out, to - expected, "%u at %zu of %zu", byte, at,
                             size);
                cr_assert_eq(memcmp(out, expected, (size_t)(to - expected)), 0, "%u at %zu of %zu", byte, at,
                             size);
            }
}

/* At the beginning of a file the bytes of a name would be taken for a byte order mark. */
Test(rows, a_name_that_begins_with_a_mark_is_quoted)
{
    static const char name[] = "\xef\xbb\xbf"
                               "a";
    uint8_t out[2 * sizeof name + 2];
    const size_t size = (size_t)(pby_put_name(out, (const uint8_t *)name, sizeof name - 1) - out);
    cr_assert_eq(size, sizeof name + 1);
    cr_assert_eq(memcmp(out,
                        "\"\xef\xbb\xbf"
                        "a\"",
                        size),
                 0);
    cr_assert_eq(pby_put_name(out, (const uint8_t *)name, 2) - out, 2);
}
