/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "probity/experimental/entropy.h"

static pby_entropy *tape_of(const uint64_t *words, size_t count)
{
    pby_entropy *tape;
    cr_assert_eq(pby_entropy_tape(&tape, words, count, NULL), PBY_OK);
    return tape;
}

Test(tape, plays_its_words_in_order)
{
    uint64_t held[4] = {1, UINT64_MAX, 0, 4}, words[4];
    const uint64_t kept[4] = {1, UINT64_MAX, 0, 4};
    pby_entropy *tape = tape_of(held, 4);
    for (int i = 0; i < 4; i++)
        held[i] = 99; /* the tape has a copy */
    cr_assert_eq(pby_entropy_words(tape, words, 1, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_words(tape, words + 1, 3, NULL), PBY_OK);
    cr_assert_arr_eq(words, kept, sizeof words);
    pby_entropy_free(tape);
}

Test(tape, says_that_it_ran_out_and_wipes_the_output)
{
    const uint64_t held[3] = {5, 6, 7};
    uint64_t words[4] = {9, 9, 9, 9};
    pby_error err;
    pby_entropy *tape = tape_of(held, 3);
    cr_assert_eq(pby_entropy_words(tape, words, 1, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_words(tape, words, 4, &err), PBY_FAILED);
    cr_assert_eq(err.status, PBY_FAILED);
    cr_assert_str_eq(err.text, "the tape of random words has run out: it held 3, 1 had been read, and 4 "
                               "more were asked for");
    for (int i = 0; i < 4; i++)
        cr_assert_eq(words[i], 0);
    cr_assert_eq(pby_entropy_used(tape), 1);
    pby_entropy_free(tape);
}

Test(tape, a_failed_read_uses_nothing_up)
{
    const uint64_t held[2] = {5, 6};
    uint64_t words[3];
    pby_entropy *tape = tape_of(held, 2);
    cr_assert_eq(pby_entropy_words(tape, words, 3, NULL), PBY_FAILED);
    cr_assert_eq(pby_entropy_words(tape, words, 2, NULL), PBY_OK);
    cr_assert_arr_eq(words, held, sizeof held);
    cr_assert_eq(pby_entropy_words(tape, words, 1, NULL), PBY_FAILED);
    cr_assert_eq(pby_entropy_words(tape, words, 0, NULL), PBY_OK);
    pby_entropy_free(tape);
}

Test(tape, may_be_empty)
{
    uint64_t word = 3;
    pby_error err;
    pby_entropy *tape = tape_of(NULL, 0);
    cr_assert_eq(pby_entropy_words(tape, NULL, 0, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_words(tape, &word, 1, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "the tape of random words has run out: it held 0, 0 had been read, and 1 "
                               "more were asked for");
    cr_assert_eq(word, 0);
    pby_entropy_free(tape);
}

Test(tape, without_words_is_refused)
{
    pby_error err;
    pby_entropy *tape = (pby_entropy *)&err;
    cr_assert_eq(pby_entropy_tape(&tape, NULL, 2, &err), PBY_BAD);
    cr_assert_null(tape);
}

Test(tape, longer_than_memory_fails)
{
    const uint64_t word = 1;
    pby_error err;
    pby_entropy *tape = (pby_entropy *)&err;
    cr_assert_eq(pby_entropy_tape(&tape, &word, SIZE_MAX / 8, &err), PBY_FAILED);
    cr_assert_null(tape);
    cr_assert_str_eq(err.text, "out of memory");
}
