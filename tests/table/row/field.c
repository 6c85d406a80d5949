/* SPDX-License-Identifier: MIT */
#include "table/row/field.h"

#include <criterion/criterion.h>

Test(field, is_refused_by_its_place)
{
    pby_error err;
    cr_assert_eq(pby_field_refuse(NULL, 7, 2, "a number", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "standard input: line 7, column 2: expected a number");
    cr_assert_eq(pby_field_refuse("a.csv", 1, 1, "a key", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "a.csv: line 1, column 1: expected a key");
}

Test(field, loses_its_quotes)
{
    char quoted[] = "\"5\"", bare[] = "5", open[] = "\"5", one[] = "\"", empty[] = "\"\"";
    cr_assert_str_eq(pby_field_unquote(quoted), "5");
    cr_assert_str_eq(pby_field_unquote(bare), "5");
    cr_assert_str_eq(pby_field_unquote(open), "\"5");
    cr_assert_str_eq(pby_field_unquote(one), "\"");
    cr_assert_str_eq(pby_field_unquote(empty), "");
}
