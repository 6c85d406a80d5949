/* SPDX-License-Identifier: MIT */
#include "table/measure/matrix.h"

#include <criterion/criterion.h>
#include <string.h>

static bool below_ten(const fmpq_t value)
{
    return fmpq_cmp_si(value, 10) < 0;
}

static const pby_matrix_form form = {
    .header = "HEADER",
    .narrow = "NARROW",
    .row = "ROW",
    .name = "NAME",
    .value = "VALUE",
    .column = "COLUMN",
    .fits = below_ten,
};

static pby_status parse(pby_matrix *out, const char *text, size_t size, const pby_matrix_form *how,
                        pby_error *err)
{
    return pby_matrix_parse(out, "t.csv", text, size, how, err);
}

Test(matrix, names_numbers_and_a_digest)
{
    static const char text[] = "\xef\xbb\xbfx,\"a,b\",c\r\n\"p\nq\",1/3,-2\r\nr,0.25,5e-1";
    pby_matrix m;
    pby_error err;
    fmpq_t half;
    size_t size;
    cr_assert_eq(parse(&m, text, sizeof text - 1, &form, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(m.width, 2);
    cr_assert_eq(pby_names_count(m.rows), 2);
    cr_assert_eq(pby_names_find(m.columns, (const uint8_t *)"a,b", 3), 0);
    cr_assert_eq(memcmp(pby_names_get(m.rows, 0, &size), "p\nq", 3), 0);
    cr_assert_eq(fmpq_cmp_si(m.value + 1, -2), 0);
    fmpq_init(half);
    fmpq_set_si(half, 1, 2);
    cr_assert(fmpq_equal(m.value + 3, half));
    fmpq_clear(half);
    pby_digest digest;
    pby_digest_bytes(&digest, text, sizeof text - 1);
    cr_assert_str_eq(m.digest.sha256, digest.sha256);
    pby_matrix_clear(&m);
}

Test(matrix, refuses_by_the_place)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "t.csv: line 1, column 1: expected HEADER"},
        {"x\n1\n", "t.csv: line 1, column 2: expected NARROW"},
        {"x,a,a\n", "t.csv: line 1, column 3: expected COLUMN"},
        {"x,a\n", "t.csv: line 2, column 1: expected ROW"},
        {"x,\"a\nb\"\np,1\np,1\n", "t.csv: line 4, column 1: expected NAME"},
        {"x,a,b\np,1\n", "t.csv: line 2, column 3: expected as many columns"},
        {"x,a\np,1,2\n", "t.csv: line 2, column 3: expected as many columns"},
        {"x,a\np,\n", "t.csv: line 2, column 2: expected VALUE"},
        {"x,a\np,1/0\n", "t.csv: line 2, column 2: expected VALUE"},
        {"x,a\np,10\n", "t.csv: line 2, column 2: expected VALUE"},
        {"x,a\np,\"1\n", "t.csv: line 2, column 2: expected "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_matrix m;
        pby_error err;
        cr_assert_eq(parse(&m, cases[i].text, strlen(cases[i].text), &form, &err), PBY_BAD, "%zu", i);
        cr_assert_not_null(strstr(err.text, cases[i].expected), "%s", err.text);
        pby_matrix_clear(&m);
    }
}

/* Bytes behind a NUL byte are not ignored. */
Test(matrix, a_number_has_no_nul_byte)
{
    static const char text[] = "x,a\np,1\0z\n";
    pby_matrix m;
    pby_error err;
    cr_assert_eq(parse(&m, text, sizeof text - 1, &form, &err), PBY_BAD);
    pby_matrix_clear(&m);
}

Test(matrix, columns_may_have_one_name_where_the_form_says_so)
{
    const pby_matrix_form loose = {.header = "", .narrow = "", .row = "", .name = "", .value = ""};
    pby_matrix m;
    cr_assert_eq(parse(&m, "x,a,a\np,1,200\n", 14, &loose, NULL), PBY_OK);
    cr_assert_eq(m.width, 2);
    cr_assert_eq(fmpq_cmp_si(m.value + 1, 200), 0);
    pby_matrix_clear(&m);
}
