/* SPDX-License-Identifier: MIT */
#include "release/uses.h"

#include <criterion/criterion.h>

#include "table/store/rows.h"

static void expect(const char *const *stems, size_t uses, const char *header)
{
    pby_uses names;
    cr_assert_eq(pby_uses_name(&names, stems, uses, NULL), PBY_OK);
    cr_assert_str_eq(names.header, header);
    pby_uses_clear(&names);
}

Test(uses, every_use_has_the_columns_of_one)
{
    expect(pby_columns_count, 3, ",count_1,count_2,count_3");
    expect(pby_columns_range, 2, ",low_1,high_1,low_2,high_2");
}
