/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "law/pick.h"
#include "tests/kernel/stream.h"
#include "tests/law/make.h"

enum { PREC = 512, MOST = 40 };

/* The candidate whose share of [0, 1) holds the number of so many words, by sums in balls. */
static uint64_t expected(const uint64_t *fall, size_t n, const fmpq_t rate, const uint64_t *word,
                         size_t words)
{
    arb_t all, sum, one, at;
    fmpz_t number;
    fmpq_t x;
    uint64_t found = n;
    arb_init(all);
    arb_init(sum);
    arb_init(one);
    arb_init(at);
    fmpz_init(number);
    fmpq_init(x);
    for (size_t i = 0; i < words; i++) {
        fmpz_mul_2exp(number, number, 64);
        fmpz_add_ui(number, number, word[i]);
    }
    for (int pass = 0; pass < 2; pass++) {
        arb_zero(sum);
        for (size_t i = 0; i < n && found == n; i++) {
            fmpq_mul_ui(x, rate, fall[i]);
            fmpq_neg(x, x);
            arb_set_fmpq(one, x, PREC);
            arb_exp(one, one, PREC);
            arb_add(sum, sum, one, PREC);
            if (pass == 1 && arb_gt(sum, at))
                found = i;
        }
        if (pass == 0) {
            arb_set(all, sum);
            arb_mul_fmpz(at, all, number, PREC);
            arb_mul_2exp_si(at, at, -64 * (slong)words);
        }
    }
    fmpq_clear(x);
    fmpz_clear(number);
    arb_clear(at);
    arb_clear(one);
    arb_clear(sum);
    arb_clear(all);
    return found;
}

static uint64_t picked(const uint64_t *fall, size_t n, const fmpq_t rate, const uint64_t *word, size_t words,
                       uint64_t *used)
{
    pby_entropy *tape;
    uint64_t chosen;
    cr_assert_eq(pby_entropy_tape(&tape, word, words, NULL), PBY_OK);
    cr_assert_eq(pby_pick(&chosen, fall, n, rate, tape, NULL), PBY_OK);
    *used = pby_entropy_used(tape);
    pby_entropy_free(tape);
    return chosen;
}

/* Random falls, rates and words: the choice is that of the exact shares. */
Test(pick, the_exact_share_decides)
{
    static const char *const rates[] = {"1", "1/3", "1/1000", "7/2", "1/1000000000000"};
    uint64_t seed = 5, used;
    fmpq_t rate;
    fmpq_init(rate);
    for (int round = 0; round < 1500; round++) {
        uint64_t fall[MOST], word[2];
        const size_t n = 1 + (size_t)(stream_next(&seed) % MOST);
        set_text(rate, rates[round % 5]);
        for (size_t i = 0; i < n; i++)
            fall[i] = stream_next(&seed) >> (round % 5 == 4 ? 20 : 50 + stream_next(&seed) % 14);
        fall[stream_next(&seed) % n] = 0;
        word[0] = stream_next(&seed);
        word[1] = stream_next(&seed);
        cr_assert_eq(picked(fall, n, rate, word, 2, &used), expected(fall, n, rate, word, 2), "round %d",
                     round);
        cr_assert_eq(used, 2);
    }
    fmpq_clear(rate);
}

/* Symmetric candidates: the first two have exactly half, by a sum that no ball is exact about. A number that
 * agrees with one half in all its bits takes more of them, and is never drawn anew. */
Test(pick, a_number_at_an_end_gets_more_bits)
{
    const uint64_t fall[4] = {5, 0, 0, 5}, half = (uint64_t)1 << 63;
    const uint64_t above[4] = {half, 0, 0, 7}, below[4] = {half - 1, UINT64_MAX, UINT64_MAX, 7};
    uint64_t used;
    fmpq_t rate;
    fmpq_init(rate);
    set_text(rate, "1/2");
    cr_assert_eq(picked(fall, 4, rate, above, 4, &used), 2);
    cr_assert_gt(used, 2);
    cr_assert_eq(picked(fall, 4, rate, below, 4, &used), 1);
    cr_assert_gt(used, 2);
    fmpq_clear(rate);
}

/* A share far below the unit of the words is still right: the last candidate has less than 2^-80. */
Test(pick, tiny_shares)
{
    const uint64_t fall[3] = {0, 60, 0}, top[2] = {UINT64_MAX, UINT64_MAX - 1};
    const uint64_t middle[3] = {(uint64_t)1 << 63, 0, 0};
    uint64_t used;
    fmpq_t rate;
    fmpq_init(rate);
    set_text(rate, "1");
    cr_assert_eq(picked(fall, 3, rate, top, 2, &used), 2);
    cr_assert_eq(picked(fall, 3, rate, middle, 3, &used), expected(fall, 3, rate, middle, 3));
    fmpq_clear(rate);
}
