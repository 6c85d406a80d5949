/* SPDX-License-Identifier: MIT */
#include "law/coin.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tests/law/fit.h"
#include "tests/law/make.h"

/* The first digits of exp(-x) to the base 2^64, by its series in fractions elsewhere. */
static const struct {
    const char *x;
    uint64_t digit[2];
} known[] = {{"1", {0x5e2d58d8b3bcdf1a, 0xbadec7829054f90d}},
             {"1e-6", {0xffffef3908ec06db, 0x692905ada44e97d7}},
             {"44", {1, 0x6f741de1748ebebe}},
             {"50", {0, 0x00e92beaa3f041f6}}};

Test(coin, cuts_from_outside)
{
    fmpq_t x;
    uint64_t cut;
    fmpq_init(x);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        set_text(x, known[i].x);
        cr_assert_eq(pby_coin_cut(&cut, x, NULL), PBY_OK);
        cr_assert_eq(cut, known[i].digit[0], "%s", known[i].x);
    }
    set_text(x, "1e39");
    cr_assert_eq(pby_coin_cut(&cut, x, NULL), PBY_OK);
    cr_assert_eq(cut, 0);
    set_text(x, "0");
    cr_assert_eq(pby_coin_cut(&cut, x, NULL), PBY_OK);
    cr_assert_eq(cut, UINT64_MAX);
    fmpq_clear(x);
}

static bool heads_of(const char *text, uint64_t word, const uint64_t *tape, size_t words)
{
    fmpq_t x;
    uint64_t cut;
    bool heads;
    pby_entropy *source;
    fmpq_init(x);
    set_text(x, text);
    cr_assert_eq(pby_coin_cut(&cut, x, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_tape(&source, tape, words, NULL), PBY_OK);
    cr_assert_eq(pby_coin_flip(&heads, word, cut, x, source, NULL), PBY_OK, "no more words are read");
    pby_entropy_free(source);
    fmpq_clear(x);
    return heads;
}

/* A coin that is sure shows heads whatever the word, and reads no other. */
Test(coin, a_sure_coin_shows_heads)
{
    cr_assert(heads_of("0", 0, NULL, 0));
    cr_assert(heads_of("0", UINT64_MAX - 1, NULL, 0));
    cr_assert(heads_of("0", UINT64_MAX, NULL, 0));
}

/* Below the cut heads, above it tails, and at it the next digit decides. */
Test(coin, a_word_at_the_cut_is_decided_by_the_next)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const uint64_t cut = known[i].digit[0], next = known[i].digit[1];
        const uint64_t below = next - 1, above = next + 1, at[2] = {next, 0};
        if (cut > 0)
            cr_assert(heads_of(known[i].x, cut - 1, NULL, 0));
        cr_assert_not(heads_of(known[i].x, cut + 1, NULL, 0));
        cr_assert(heads_of(known[i].x, cut, &below, 1));
        cr_assert_not(heads_of(known[i].x, cut, &above, 1));
        cr_assert(heads_of(known[i].x, cut, at, 2), "and again the next");
    }
}

/* A hundred thousand flips at exp(-1/2), 0.6065..: 154 a deviation, and 7 of them are left with a chance
 * below 1e-11. */
Test(coin, flips_fit)
{
    enum { FLIPS = 100000 };
    pby_entropy *source = seeded(33);
    fmpq_t x;
    uint64_t cut, word;
    double heads = 0;
    fmpq_init(x);
    set_text(x, "1/2");
    cr_assert_eq(pby_coin_cut(&cut, x, NULL), PBY_OK);
    for (int i = 0; i < FLIPS; i++) {
        bool yes;
        cr_assert_eq(pby_entropy_words(source, &word, 1, NULL), PBY_OK);
        cr_assert_eq(pby_coin_flip(&yes, word, cut, x, source, NULL), PBY_OK);
        heads += yes;
    }
    cr_assert_lt(fabs(heads - FLIPS * exp(-0.5)), 7 * 155);
    fmpq_clear(x);
    pby_entropy_free(source);
}
