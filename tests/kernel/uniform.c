/* SPDX-License-Identifier: MIT */
#include "kernel/uniform.h"

#include <criterion/criterion.h>

#include "tests/kernel/stream.h"

/* The first word at or after the cursor that is not below 2^64 mod n, computed in 128 bits. */
static size_t model_place(const uint64_t *words, size_t len, size_t at, uint64_t n)
{
    __extension__ typedef unsigned __int128 wide;
    const wide surplus = ((wide)1 << 64) % n;
    while (at < len && words[at] < surplus)
        at++;
    return at;
}

static void compare(const uint64_t *words, size_t len, size_t from, uint64_t n)
{
    size_t at = from;
    uint64_t out = 77;
    const size_t place = model_place(words, len, from, n);
    const int status = pby_uniform(words, len, &at, n, &out);
    if (place == len) {
        cr_assert_eq(status, -1);
        cr_assert_eq(at, len);
        cr_assert_eq(out, 77, "an exhausted draw writes nothing");
    } else {
        cr_assert_eq(status, 0);
        cr_assert_eq(at, place + 1);
        cr_assert_eq(out, words[place] % n);
    }
}

Test(kernel_uniform, model)
{
    const uint64_t sizes[] = {1,
                              2,
                              3,
                              7,
                              10,
                              1000,
                              UINT64_C(1) << 32,
                              (UINT64_C(1) << 63) - 1,
                              UINT64_C(1) << 63,
                              (UINT64_C(1) << 63) + 1,
                              UINT64_MAX - 1,
                              UINT64_MAX};
    uint64_t words[16], state = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int round = 0; round < 200; round++) {
            for (size_t i = 0; i < 16; i++)
                words[i] = stream_next(&state);
            compare(words, 16, stream_next(&state) % 17, sizes[s]);
        }
}

/* Words on both sides of the surplus: 2^64 mod 10 is 6, and 2^64 mod (2^63 + 1) is 2^63 - 1. */
Test(kernel_uniform, edge_of_the_surplus)
{
    const uint64_t ten[] = {0, 5, 6, UINT64_MAX};
    for (size_t from = 0; from <= 4; from++)
        compare(ten, 4, from, 10);
    size_t at = 0;
    uint64_t out;
    cr_assert_eq(pby_uniform(ten, 4, &at, 10, &out), 0);
    cr_assert_eq(at, 3);
    cr_assert_eq(out, 6);

    const uint64_t n = (UINT64_C(1) << 63) + 1;
    const uint64_t half[] = {n - 3, n - 2, n - 1};
    at = 0;
    cr_assert_eq(pby_uniform(half, 3, &at, n, &out), 0);
    cr_assert_eq(at, 2);
    cr_assert_eq(out, n - 2);
}

Test(kernel_uniform, exhausted)
{
    const uint64_t low[] = {0, 1, 2, 3, 4, 5};
    compare(low, 6, 0, 10);
    compare(low, 6, 6, 10);
    compare(low, 0, 0, 1);
}

Test(kernel_uniform, one_value_takes_any_word)
{
    const uint64_t words[] = {0, UINT64_MAX};
    size_t at = 0;
    uint64_t out = 9;
    cr_assert_eq(pby_uniform(words, 2, &at, 1, &out), 0);
    cr_assert_eq(at, 1);
    cr_assert_eq(out, 0);
}
