/* SPDX-License-Identifier: MIT */
#include "law/invert.h"

#include <criterion/criterion.h>

#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/law/rational_exp.h"

enum { CELLS = 5, WORDS = 20000 };

/* The rounded law of stlap:eps=1/2,q=4 on -4 .. 0 in rationals: F at the four boundaries -7/2, -5/2,
 * -3/2, -1/2, between lo and hi, from the density's integral. With E = exp(-1):
 *   F(z) = (exp((z+2)/2) - E) / (2 - 2E) for z <= -2, and 1 - F(-4 - z) above. */
static void boundaries(fmpq_t lo[CELLS - 1], fmpq_t hi[CELLS - 1])
{
    fmpq_t x, elo, ehi, Elo, Ehi, t;
    fmpq_init(x);
    fmpq_init(elo);
    fmpq_init(ehi);
    fmpq_init(Elo);
    fmpq_init(Ehi);
    fmpq_init(t);
    fmpq_one(x);
    rational_exp_neg(Elo, Ehi, x);
    for (int i = 0; i < 2; i++) {
        fmpq_set_si(x, 3 - 2 * i, 4); /* -(z+2)/2 for z = -7/2, -5/2 */
        rational_exp_neg(elo, ehi, x);
        /* (e - E) / (2 - 2E) grows in e, and falls in E because e < 1 */
        for (int up = 0; up <= 1; up++) {
            fmpq *e = up ? ehi : elo, *E = up ? Elo : Ehi, *out = up ? hi[i] : lo[i];
            fmpq_sub(out, e, E);
            fmpq_one(t);
            fmpq_sub(t, t, E);
            fmpq_mul_2exp(t, t, 1);
            fmpq_div(out, out, t);
        }
        fmpq_one(t);
        fmpq_sub(lo[3 - i], t, hi[i]);
        fmpq_sub(hi[3 - i], t, lo[i]);
    }
    fmpq_clear(t);
    fmpq_clear(Ehi);
    fmpq_clear(Elo);
    fmpq_clear(ehi);
    fmpq_clear(elo);
    fmpq_clear(x);
}

/* The value at U = word / 2^64, by a linear search; the words drawn are nowhere near a boundary. */
static int64_t brute_force(uint64_t word, fmpq_t lo[CELLS - 1], fmpq_t hi[CELLS - 1])
{
    fmpq_t u, end;
    fmpz_t one;
    int64_t value = -4;
    fmpq_init(u);
    fmpq_init(end);
    fmpz_init_set_ui(one, 1);
    fmpz_set_ui(fmpq_numref(u), word);
    fmpz_add_ui(fmpq_numref(end), fmpq_numref(u), 1);
    fmpq_div_2exp(u, u, 64);
    fmpq_div_2exp(end, end, 64);
    for (int i = 0; i < CELLS - 1; i++) {
        cr_assert(fmpq_cmp(end, lo[i]) <= 0 || fmpq_cmp(u, hi[i]) >= 0, "a word on a boundary");
        value += fmpq_cmp(u, hi[i]) >= 0;
    }
    fmpz_clear(one);
    fmpq_clear(end);
    fmpq_clear(u);
    return value;
}

Test(invert, equals_a_brute_force_inverse_in_rationals)
{
    fmpq_t lo[CELLS - 1], hi[CELLS - 1];
    for (int i = 0; i < CELLS - 1; i++) {
        fmpq_init(lo[i]);
        fmpq_init(hi[i]);
    }
    boundaries(lo, hi);
    pby_sampler *s = make_sampler(make_stlap("1/2", "4"));
    cr_assert_eq(pby_sampler_stream(s, 1, NULL), PBY_OK);
    pby_entropy *source = seeded(8), *tape = NULL;
    uint64_t words[WORDS];
    int64_t drawn[WORDS];
    cr_assert_eq(pby_entropy_words(source, words, WORDS, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_tape(&tape, words, WORDS, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, drawn, WORDS, NULL), PBY_OK);
    int seen[CELLS] = {0};
    for (int i = 0; i < WORDS; i++) {
        const int64_t expected = brute_force(words[i], lo, hi);
        cr_assert_eq(drawn[i], expected);
        if (i % 100 == 0) {
            int64_t inverted = 1;
            cr_assert_eq(pby_law_invert(&inverted, s->law, words[i], source, NULL), PBY_OK);
            cr_assert_eq(inverted, expected);
        }
        seen[expected + 4]++;
    }
    for (int i = 0; i < CELLS; i++)
        cr_assert_gt(seen[i], 0);
    pby_entropy_free(tape);
    pby_entropy_free(source);
    pby_sampler_free(s);
    for (int i = 0; i < CELLS - 1; i++) {
        fmpq_clear(lo[i]);
        fmpq_clear(hi[i]);
    }
}

/* Far in the tails of an unbounded law, where the cdf is within 2^-64 of 0 or 1. */
Test(invert, the_ends_of_an_unbounded_law)
{
    pby_law *law = make_geometric("1/10");
    const uint64_t ends[][2] = {{0, 0}, {UINT64_MAX, UINT64_MAX}};
    for (int up = 0; up <= 1; up++) {
        pby_entropy *tape = NULL;
        int64_t value = 0;
        uint64_t words[40];
        for (int i = 0; i < 40; i++)
            words[i] = ends[up][0];
        words[3] = 1u << 30; /* settles it: U = 2^-226 or so away from the end */
        cr_assert_eq(pby_entropy_tape(&tape, words, 40, NULL), PBY_OK);
        cr_assert_eq(pby_law_invert(&value, law, ends[up][1], tape, NULL), PBY_OK);
        cr_assert(up ? value > 400 : value < -400);
        pby_entropy_free(tape);
    }
    pby_law_free(law);
}
