/* SPDX-License-Identifier: MIT */
#include "table/key/key_names.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const char *text, const char *const *names)
{
    pby_key_names found;
    size_t n = 0;
    cr_assert_eq(pby_key_names_parse(&found, "keys", text, NULL), PBY_OK, "%s", text);
    for (; names[n] != NULL; n++)
        cr_assert_str_eq(found.name[n], names[n]);
    cr_assert_eq(found.count, n);
    pby_key_names_clear(&found);
}

Test(key_names, a_row_of_names)
{
    expect("town", (const char *const[]){"town", NULL});
    expect("town,sex,year of birth", (const char *const[]){"town", "sex", "year of birth", NULL});
    expect("\"c,d\",\"say \"\"e\"\"\",", (const char *const[]){"c,d", "say \"e\"", "", NULL});
    expect("1,2,3,4,5,6,7,8", (const char *const[]){"1", "2", "3", "4", "5", "6", "7", "8", NULL});
}

static void refused(const char *text, const char *expected)
{
    pby_key_names found;
    pby_error err = {.text = ""};
    cr_assert_eq(pby_key_names_parse(&found, "keys", text, &err), PBY_BAD, "%s", text);
    cr_assert_not_null(strstr(err.text, expected), "%s", err.text);
    cr_assert_not_null(strstr(err.text, "keys '"), "%s", err.text);
    pby_key_names_clear(&found);
}

Test(key_names, refused)
{
    refused("a,b,a", "each column once");
    refused("1,2,3,4,5,6,7,8,9", "at most 8 names of columns");
    refused("a \"b\"", "names of columns separated by commas");
    refused("\"a", "names of columns separated by commas");
    refused("a\nb", "names of columns separated by commas");
}
