/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "probity/experimental/entropy.h"

static pby_entropy *stream(uint8_t first)
{
    const uint8_t seed[PBY_SEED_SIZE] = {first};
    pby_entropy *source;
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
    return source;
}

static void read_words(pby_entropy *source, uint64_t *words, size_t count)
{
    cr_assert_eq(pby_entropy_words(source, words, count, NULL), PBY_OK);
}

Test(entropy, used_counts_words_that_were_given)
{
    uint64_t words[10];
    pby_entropy *source = stream(1);
    cr_assert_eq(pby_entropy_used(source), 0);
    read_words(source, words, 3);
    read_words(source, words, 7);
    cr_assert_eq(pby_entropy_used(source), 10);
    read_words(source, NULL, 0);
    cr_assert_eq(pby_entropy_used(source), 10);
    pby_entropy_free(source);
}

Test(entropy, a_record_replays_as_a_tape)
{
    enum { BEFORE = 5, COUNT = 3000 };
    static uint64_t words[COUNT], again[COUNT];
    pby_entropy *source = stream(2);
    read_words(source, words, BEFORE);
    cr_assert_eq(pby_entropy_record(source, NULL), PBY_OK);
    size_t at = 0;
    for (size_t step = 1; at < COUNT; at += step, step = step * 2 < COUNT - at ? step * 2 : COUNT - at)
        read_words(source, words + at, step);

    size_t count;
    const uint64_t *record = pby_entropy_recorded(source, &count);
    cr_assert_eq(count, COUNT, "the words read before are not in the record");
    pby_entropy *tape;
    cr_assert_eq(pby_entropy_tape(&tape, record, count, NULL), PBY_OK);
    pby_entropy_free(source);
    read_words(tape, again, COUNT);
    cr_assert_arr_eq(again, words, sizeof words);
    pby_entropy_free(tape);
}

Test(entropy, recording_twice_keeps_the_record)
{
    uint64_t words[2];
    pby_entropy *source = stream(3);
    cr_assert_eq(pby_entropy_record(source, NULL), PBY_OK);
    read_words(source, words, 1);
    cr_assert_eq(pby_entropy_record(source, NULL), PBY_OK);
    read_words(source, words + 1, 1);
    size_t count;
    const uint64_t *record = pby_entropy_recorded(source, &count);
    cr_assert_eq(count, 2);
    cr_assert_arr_eq(record, words, sizeof words);
    pby_entropy_free(source);
}

Test(entropy, no_record_without_asking)
{
    uint64_t word;
    pby_entropy *source = stream(4);
    read_words(source, &word, 1);
    size_t count = 1;
    (void)pby_entropy_recorded(source, &count);
    cr_assert_eq(count, 0);
    pby_entropy_free(source);
}

Test(entropy, a_failed_read_is_not_recorded)
{
    const uint64_t held[2] = {7, 8};
    uint64_t words[3];
    pby_entropy *tape;
    cr_assert_eq(pby_entropy_tape(&tape, held, 2, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_record(tape, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_words(tape, words, 3, NULL), PBY_FAILED);
    size_t count = 9;
    (void)pby_entropy_recorded(tape, &count);
    cr_assert_eq(count, 0);
    cr_assert_eq(pby_entropy_used(tape), 0);
    pby_entropy_free(tape);
}

Test(entropy, a_missing_buffer_is_refused)
{
    pby_error err;
    pby_entropy *source = stream(5);
    cr_assert_eq(pby_entropy_words(source, NULL, 1, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "words 'NULL': expected a buffer for the words asked for");
    cr_assert_eq(pby_entropy_used(source), 0);
    pby_entropy_free(source);
}

Test(entropy, freeing_nothing_is_allowed)
{
    pby_entropy_free(NULL);
}
