/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "probity/experimental/entropy.h"

enum { COUNT = 100001 };

static uint64_t stream[COUNT];

static pby_entropy *seeded(uint8_t step)
{
    uint8_t seed[PBY_SEED_SIZE];
    for (int i = 0; i < PBY_SEED_SIZE; i++)
        seed[i] = (uint8_t)(i * step);
    pby_entropy *source;
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
    return source;
}

static void read_stream(uint8_t step)
{
    pby_entropy *source = seeded(step);
    cr_assert_eq(pby_entropy_words(source, stream, COUNT, NULL), PBY_OK);
    pby_entropy_free(source);
}

/* Its first four words are RFC 8439, appendix A.1, test vector 1. The others, here and below, come
 * from a ChaCha20 written in Python from the RFC's text. */
Test(seeded, golden_words_of_the_zero_seed)
{
    read_stream(0);
    cr_assert_eq(stream[0], 0x903df1a0ade0b876);
    cr_assert_eq(stream[1], 0x28bd8653e56a5d40);
    cr_assert_eq(stream[2], 0x1aed8da0b819d2bd);
    cr_assert_eq(stream[3], 0xc70d778bccef36a8);
    cr_assert_eq(stream[7], 0x8665eeb269b687c3);
    cr_assert_eq(stream[8], 0x7a385155bee7079f);
    cr_assert_eq(stream[2047], 0x98833045327743aa);
    cr_assert_eq(stream[2048], 0xd37d1363385a46ee);
    cr_assert_eq(stream[100000], 0x18cca954fcc755a8);
}

Test(seeded, golden_words_of_a_counting_seed)
{
    read_stream(1);
    cr_assert_eq(stream[0], 0x6a19c5d97d2bfd39);
    cr_assert_eq(stream[1], 0x494adcb87703bd8d);
    cr_assert_eq(stream[8], 0xd1a6e6ad3142b818);
    cr_assert_eq(stream[2047], 0x7096311a9669e0c8);
    cr_assert_eq(stream[2048], 0x7bcc131ac3241118);
    cr_assert_eq(stream[100000], 0xe5eea33375c6d5c2);
}

Test(seeded, how_the_words_are_asked_for_does_not_matter)
{
    read_stream(1);
    pby_entropy *source = seeded(1);
    uint64_t part[5000];
    size_t at = 0;
    for (size_t n = 1; at + n <= COUNT && n <= 5000; at += n, n = n * 3 / 2 + 1) {
        cr_assert_eq(pby_entropy_words(source, part, n, NULL), PBY_OK);
        cr_assert_arr_eq(part, stream + at, n * sizeof *part, "%zu words from %zu", n, at);
    }
    cr_assert_gt(at, 8000, "the reads crossed the source's buffer");
    pby_entropy_free(source);
}

Test(seeded, a_missing_seed_is_refused)
{
    pby_error err;
    pby_entropy *source = (pby_entropy *)&err;
    cr_assert_eq(pby_entropy_seeded(&source, NULL, &err), PBY_BAD);
    cr_assert_null(source);
    cr_assert_str_eq(err.text, "seed 'NULL': expected 32 bytes");
}
