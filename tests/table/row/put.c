/* SPDX-License-Identifier: MIT */
#include "table/row/put.h"

#include <criterion/criterion.h>

enum { MOST = 40 };

Test(put, so_many_bytes_and_no_more)
{
    uint8_t bytes[MOST], out[MOST + 1];
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (uint8_t)(i + 1);
    for (size_t size = 0; size <= MOST; size++) {
        memset(out, 0, sizeof out);
        cr_assert_eq(pby_put_bytes(out, bytes + MOST - size, size), out + size);
        cr_assert_arr_eq(out, bytes + MOST - size, size);
        for (size_t i = size; i < sizeof out; i++)
            cr_assert_eq(out[i], 0, "byte %zu behind %zu", i, size);
    }
}
