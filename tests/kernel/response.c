/* SPDX-License-Identifier: MIT */
#include "kernel/response.h"

#include <criterion/criterion.h>

#include "kernel/fit.h"

Test(kernel_response, every_answer_and_move)
{
    for (int64_t k = 1; k <= 6; k++)
        for (int64_t x = 0; x < k; x++)
            for (int64_t move = 0; move < k; move++) {
                int64_t answers[2] = {x, k - 1}, given[2];
                const int64_t noise[2] = {move, 0};
                pby_respond(given, answers, 2, noise, k);
                cr_assert_eq(given[0], (x + move) % k);
                cr_assert_eq(given[1], k - 1);
                pby_respond(answers, answers, 2, noise, k);
                cr_assert(answers[0] == given[0] && answers[1] == given[1], "in place");
            }
}

Test(kernel_response, the_largest_circle)
{
    const int64_t k = INT64_MAX / 2, x = k - 1, noise = k - 1;
    int64_t given;
    pby_respond(&given, &x, 1, &noise, k);
    cr_assert_eq(given, k - 2);
}

Test(kernel_response, answers_are_from_0_to_the_last)
{
    const int64_t x[4] = {0, 1, 2, 3};
    cr_assert_eq(pby_within(x, 4, 0, 3), 1);
    cr_assert_eq(pby_within(x, 4, 0, 2), 0);
    cr_assert_eq(pby_within(x, 3, 0, 2), 1);
    cr_assert_eq(pby_within(x, 0, 0, 0), 1, "none at all");
    const int64_t negative[3] = {0, -1, 0}, beyond[3] = {INT64_MAX, 0, 0}, least[3] = {0, 0, INT64_MIN};
    cr_assert_eq(pby_within(negative, 3, 0, 1), 0);
    cr_assert_eq(pby_within(beyond, 3, 0, 1), 0);
    cr_assert_eq(pby_within(least, 3, 0, INT64_MAX - 1), 0);
}
