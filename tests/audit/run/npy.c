/* SPDX-License-Identifier: MIT */
#include "audit/run/npy.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "audit/run/feed.h"
#include "tests/cli/run.h"

/* A NumPy file as numpy.save writes it, of version 1. */
static void write_npy(const char *path, const char *header, const void *data, size_t size)
{
    FILE *out = fopen(path, "wb");
    const size_t length = strlen(header);
    cr_assert_not_null(out);
    fwrite("\x93NUMPY\x01\x00", 1, 8, out);
    fputc((int)(length & 255), out);
    fputc((int)(length >> 8), out);
    fwrite(header, 1, length, out);
    fwrite(data, 1, size, out);
    cr_assert_eq(fclose(out), 0);
}

/* All lines of a feed, each ended by a semicolon, or the refusal. */
static const char *lines_of(const char *path)
{
    static char all[512];
    pby_feed feed;
    pby_error err = PBY_NO_ERROR;
    const char *text;
    size_t length;
    all[0] = '\0';
    pby_status status = pby_feed_open(&feed, path, &err);
    do {
        if (status == PBY_OK)
            status = pby_feed_next(&feed, &text, &length, &err);
        if (status == PBY_OK && text != NULL)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%.*s;", (int)length, text);
    } while (status == PBY_OK && text != NULL);
    if (status != PBY_OK)
        snprintf(all, sizeof all, "%s", strstr(err.text, "expected"));
    cr_assert_eq(pby_feed_close(&feed, true, status != PBY_OK, NULL), PBY_OK);
    return all;
}

Test(audit_npy, numbers_of_every_type_are_read)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "a.npy");
    const double f8[] = {0.1, -2, 1e300, 0x1p-1074};
    const int64_t i8[] = {INT64_MIN, -1, INT64_MAX};
    const uint8_t i2[] = {0xff, 0xfe, 0x01, 0x02}, u4[] = {0xff, 0xff, 0xff, 0xff};
    const float f4[] = {0.5f};
    write_npy(path, "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }\n", f8, sizeof f8);
    cr_assert_str_eq(lines_of(path),
                     "0.10000000000000001;-2;1.0000000000000001e+300;4.9406564584124654e-324;");
    write_npy(path, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n", f8, sizeof f8);
    cr_assert_str_eq(lines_of(path),
                     "0.10000000000000001,-2;1.0000000000000001e+300,4.9406564584124654e-324;");
    write_npy(path, "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }\n", i8, sizeof i8);
    cr_assert_str_eq(lines_of(path), "-9223372036854775808;-1;9223372036854775807;");
    write_npy(path, "{'descr': '>i2', 'fortran_order': True, 'shape': (2,), }\n", i2, sizeof i2);
    cr_assert_str_eq(lines_of(path), "-2;258;");
    write_npy(path, "{'descr': '<u4', 'fortran_order': False, 'shape': (), }\n", u4, sizeof u4);
    cr_assert_str_eq(lines_of(path), "4294967295;");
    write_npy(path, "{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }\n", "\1\0\1\1", 4);
    cr_assert_str_eq(lines_of(path), "1;0;1;1;");
    write_npy(path, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", f4, sizeof f4);
    cr_assert_str_eq(lines_of(path), "0.5;");
    write_npy(path, "{'descr': '<f2', 'fortran_order': False, 'shape': (6,), }\n",
              "\x00\x3e\x01\x80\x00\x80\x00\xfc\xff\x7b\x00\x04", 12);
    cr_assert_str_eq(lines_of(path), "1.5;-5.9604644775390625e-08;-0;-inf;65504;6.103515625e-05;");
    write_npy(path, "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }\n", f8, 0);
    cr_assert_str_eq(lines_of(path), "");
    pby_folder_remove(folder);
}

Test(audit_npy, what_is_no_table_of_numbers_is_refused)
{
    static const char *const bad[] = {
        "",
        "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f1', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 99999999), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, x), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", /* two are there */
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }"};
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    const double data[] = {1, 2};
    pby_folder_make(folder);
    pby_folder_path(path, folder, "a.npy");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_npy(path, bad[i], data, sizeof data);
        cr_assert(strncmp(lines_of(path), "expected", 8) == 0, "%s: %s", bad[i], lines_of(path));
    }
    pby_write_file(path, "1\n2\n");
    cr_assert(strncmp(lines_of(path), "expected", 8) == 0);
    pby_folder_remove(folder);
}

/* A header that ends within the type: nothing behind its end is looked at. Each has no byte more than it
 * needs. */
Test(audit_npy, a_header_that_ends_early_is_refused)
{
    static const char *const headers[] = {
        "'descr': '", "'descr': '<", "'descr': '<f", "'descr': '<f8", "'descr'", "'shape': (", ""};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char *header = strdup(headers[i]);
        pby_npy npy;
        cr_assert_not_null(header);
        cr_assert_eq(pby_npy_header(&npy, header, "a.npy", NULL), PBY_BAD, "%s", headers[i]);
        free(header);
    }
}
