/* SPDX-License-Identifier: MIT */
#include "law/sampler.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/halves.h"
#include "law/invert.h"
#include "tests/law/cuts.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"

Test(sampler, every_cut_of_several_tables)
{
    check_cuts(make_stlap("1/2", "40"));
    check_cuts(make_stlap("2", "7/3"));
    check_cuts(make_stlap("1/100", "301/2"));
    check_cuts(make_geometric("1"));
    check_cuts(make_geometric("1/10"));
}

/* The four words of digits + by. */
static void words_of(uint64_t words[4], const fmpz_t digits, slong by)
{
    fmpz_t rest, low;
    fmpz_init(rest);
    fmpz_init(low);
    fmpz_set_si(rest, by);
    fmpz_add(rest, rest, digits);
    for (int i = 3; i >= 0; i--) {
        fmpz_fdiv_r_2exp(low, rest, 64);
        fmpz_fdiv_q_2exp(rest, rest, 64);
        words[i] = fmpz_get_ui(low);
    }
    fmpz_clear(low);
    fmpz_clear(rest);
}

/* Cells of less than 2^-64: many cuts are equal, and one word leads to any of several cells. */
Test(sampler, equal_cuts_are_refined_to_the_right_cell)
{
    pby_law *law = make_stlap("2", "100");
    pby_sampler *s = make_sampler(law);
    cr_assert_eq(s->table[1], 0u);
    cr_assert_eq(s->table[10], 0u);
    arb_t cdf;
    fmpz_t digits;
    arb_init(cdf);
    fmpz_init(digits);
    for (int64_t k = law->lo; k < law->lo + 20; k++) {
        /* the leading 256 binary digits of cdf(k), then one unit below and above */
        pby_law_cdf_arb(cdf, law, k, 1000);
        arb_mul_2exp_si(cdf, cdf, 256);
        arb_floor(cdf, cdf, 1000);
        cr_assert(arb_get_unique_fmpz(digits, cdf));
        for (int side = -1; side <= 1; side += 2) {
            uint64_t words[4];
            words_of(words, digits, side);
            pby_entropy *tape = NULL;
            int64_t value = 1;
            cr_assert_eq(pby_entropy_tape(&tape, words, 4, NULL), PBY_OK);
            cr_assert_eq(pby_draw_many(s, tape, &value, 1, NULL), PBY_OK);
            cr_assert_eq(value, side < 0 ? k : k + 1);
            pby_entropy_free(tape);
        }
    }
    fmpz_clear(digits);
    arb_clear(cdf);
    pby_sampler_free(s);
}

/* A tape that ends in the middle of a refinement is an error, and the value is wiped. */
Test(sampler, exhausted_tape)
{
    pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
    pby_entropy *tape = NULL;
    int64_t value = 7;
    pby_error err;
    cr_assert_eq(pby_entropy_tape(&tape, &s->table[20], 1, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, &value, 1, &err), PBY_FAILED);
    cr_assert_eq(value, 0);
    pby_entropy_free(tape);
    pby_sampler_free(s);
}

Test(sampler, zero_draws_read_nothing)
{
    pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
    pby_entropy *source = seeded(6);
    cr_assert_eq(pby_draw_many(s, source, NULL, 0, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_used(source), 0u);
    pby_entropy_free(source);
    pby_sampler_free(s);
}

/* An undecided word in the middle of a block disturbs none of its neighbours. */
Test(sampler, undecided_word_inside_a_block)
{
    pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
    cr_assert_eq(pby_sampler_stream(s, 1, NULL), PBY_OK);
    uint64_t words[1001];
    int64_t whole[1000], one[1000];
    pby_entropy *source = seeded(7), *tape = NULL;
    cr_assert_eq(pby_entropy_words(source, words, 1000, NULL), PBY_OK);
    words[500] = s->table[20];
    words[1000] = UINT64_MAX; /* what the refinement reads */
    cr_assert_eq(pby_entropy_tape(&tape, words, 1001, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, whole, 1000, NULL), PBY_OK);
    for (size_t i = 0; i < 1000; i++)
        one[i] = i == 500 ? s->first + 20 : draw_from(s, &words[i], 1, 1);
    cr_assert_eq(memcmp(whole, one, sizeof whole), 0);
    pby_entropy_free(tape);
    pby_entropy_free(source);
    pby_sampler_free(s);
}

enum { HALVES = 17 }; /* an odd number: the last word has a half that nobody reads */

/* Draws of a block of halves, from the words that hold them and from what is read behind these. */
static void draw_block_of(int64_t value[HALVES], pby_sampler *s, const uint32_t half[HALVES],
                          const uint64_t *behind, size_t n)
{
    uint64_t words[(HALVES + 1) / 2 + 2];
    const size_t own = (HALVES + 1) / 2;
    pby_entropy *tape;
    for (size_t i = 0; i < own; i++)
        words[i] = half[2 * i] * PBY_HALF_SPAN + (2 * i + 1 < HALVES ? half[2 * i + 1] : 0);
    memcpy(words + own, behind, n * sizeof *behind);
    cr_assert_eq(pby_entropy_tape(&tape, words, own + n, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, value, HALVES, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_used(tape), own + n);
    pby_entropy_free(tape);
}

static bool is_cut(const pby_sampler *s, uint64_t word)
{
    for (size_t i = 1; i < s->cells; i++)
        if (s->table[i] == word)
            return true;
    return false;
}

/* At every cut: a block with its leading half, and behind it the digits just below it, its own, and above.
 * The halves beside it decide. */
static void check_halves(pby_law *law)
{
    pby_sampler *s = make_sampler(law);
    int64_t value[HALVES];
    uint32_t half[HALVES];
    for (size_t i = 0; i < HALVES; i++)
        half[i] = (uint32_t)0x80000001; /* in the middle, and no half of a cut */
    for (size_t i = 1; i < s->cells; i++) {
        const uint64_t cut = s->table[i];
        half[5] = (uint32_t)(cut / PBY_HALF_SPAN);
        for (int side = -1; side <= 1; side++) {
            const uint64_t word = cut + (uint64_t)(int64_t)side, words[] = {word, UINT64_MAX / 3};
            if (word / PBY_HALF_SPAN != half[5])
                continue;
            const size_t n = is_cut(s, word) ? 2 : 1;
            draw_block_of(value, s, half, words, n);
            cr_assert_eq(value[5], draw_from(s, words, n, n), "cut %zu, %d", i, side);
            cr_assert_eq(value[4], value[16]);
            cr_assert_eq(value[6], value[16]);
        }
    }
    pby_sampler_free(s);
}

Test(sampler, halves_at_every_cut)
{
    check_halves(make_stlap("1/2", "40"));
    check_halves(make_stlap("2", "7/3"));
    check_halves(make_geometric("1"));
    check_halves(make_geometric("1/10"));
}

/* A half decides what every word that begins with it does: here with random digits behind. */
Test(sampler, halves_and_words_decide_alike)
{
    enum { N = 1000 };
    pby_sampler *s = make_sampler(make_stlap("1/100", "301/2"));
    uint64_t words[N], rest[N];
    int64_t halves[N];
    pby_entropy *source = seeded(8), *tape;
    cr_assert_eq(pby_entropy_words(source, words, N / 2, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_words(source, rest, N, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_tape(&tape, words, N / 2, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, halves, N, NULL), PBY_OK, "no half of this seed is a cut's");
    for (size_t i = 0; i < N; i++) {
        const uint64_t leading = i % 2 == 0 ? words[i / 2] / PBY_HALF_SPAN : words[i / 2] % PBY_HALF_SPAN;
        const uint64_t word = leading * PBY_HALF_SPAN + rest[i] % PBY_HALF_SPAN;
        cr_assert_eq(halves[i], draw_from(s, &word, 1, 1), "%zu", i);
    }
    pby_entropy_free(tape);
    pby_entropy_free(source);
    pby_sampler_free(s);
}

/* Version 1 takes a word for each draw. */
Test(sampler, streams_have_versions)
{
    enum { N = 100 };
    pby_sampler *s = make_sampler(make_geometric("1/10"));
    uint64_t words[N];
    int64_t value[N];
    pby_error err;
    pby_entropy *source = seeded(9), *tape;
    cr_assert_eq(pby_entropy_words(source, words, N, NULL), PBY_OK);
    cr_assert_eq(pby_sampler_stream(s, 1, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_tape(&tape, words, N, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, value, N, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_used(tape), (uint64_t)N);
    for (size_t i = 0; i < N; i++)
        cr_assert_eq(value[i], draw_from(s, &words[i], 1, 1));
    cr_assert_eq(pby_sampler_stream(s, 0, &err), PBY_BAD);
    cr_assert_eq(pby_sampler_stream(s, 3, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "version '3': expected 1 or 2");
    pby_entropy_free(tape);
    pby_entropy_free(source);
    pby_sampler_free(s);
}

static void free_nothing(pby_law *law)
{
    free(law);
}

/* A body at the end of int64_t, and a tail behind it: the cell of the tail has no value. */
Test(sampler, cells_whose_values_do_not_fit_are_refused)
{
    static const pby_law_class class = {.name = "edge", .free = free_nothing};
    static const int64_t body[2][2] = {{INT64_MAX - 2, INT64_MAX}, {INT64_MIN, INT64_MIN + 2}};
    for (size_t i = 0; i < 2; i++) {
        pby_law *law = malloc(sizeof *law);
        cr_assert_not_null(law);
        *law = (pby_law){
            .class = &class, .lo = INT64_MIN, .hi = INT64_MAX, .body_lo = body[i][0], .body_hi = body[i][1]};
        pby_expsum_init(law->norm);
        pby_sampler *s = NULL;
        pby_error err;
        cr_assert_eq(pby_sampler_of_law(&s, law, &err), PBY_FAILED);
        cr_assert_null(s);
        cr_assert_str_eq(err.text, "the values of the cut table leave the range of 64-bit integers");
    }
}
