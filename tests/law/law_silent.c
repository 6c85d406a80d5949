/* SPDX-License-Identifier: MIT */
#include "law/law_silent.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "law/folded.h"
#include "law/laws.h"
#include "tests/kernel/stream.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"

static pby_sampler *make_silent(pby_law *law)
{
    pby_sampler *s = make_sampler(law);
    cr_assert_eq(pby_sampler_timing_safe(s, NULL), PBY_OK);
    return s;
}

static void fits(pby_law *law, int64_t from, int64_t to, int64_t step, uint8_t seed)
{
    pby_sampler *s = make_silent(law);
    check_fit(s, 300000, from, to, step, seed);
    pby_sampler_free(s);
}

/* Laws in one part and in several: the exact test of check_fit, error rate 1e-9 each. */
Test(silent, draws_fit_their_law)
{
    fits(make_stlap("1/2", "40"), -40, 0, 1, 31);
    fits(make_geometric("1/10"), -60, 60, 1, 32);
    fits(make_geometric("3"), -4, 4, 1, 33);
    fits(make_geometric("1/1000"), -3000, 3000, 50, 34);
}

Test(silent, draws_from_whole_words_fit_too)
{
    pby_sampler *s = make_silent(make_geometric("1/10"));
    cr_assert_eq(pby_sampler_stream(s, 1, NULL), PBY_OK);
    check_fit(s, 300000, -60, 60, 1, 37);
    pby_sampler_free(s);
}

Test(silent, dgauss_fits_its_law)
{
    pby_law *law = NULL;
    fmpq_t sigma2;
    fmpq_init(sigma2);
    fmpq_set_si(sigma2, 50, 1);
    cr_assert_eq(pby_law_dgauss(&law, sigma2, NULL), PBY_OK);
    fmpq_clear(sigma2);
    fits(law, -20, 20, 1, 35);
}

/* Every draw takes the same number of words, whatever it is. */
Test(silent, takes_the_same_words_for_every_draw)
{
    pby_sampler *s = make_silent(make_geometric("1/10"));
    pby_entropy *source = seeded(36);
    int64_t value;
    cr_assert_eq(pby_draw_many(s, source, &value, 1, NULL), PBY_OK);
    const uint64_t each = pby_entropy_used(source);
    cr_assert(each >= 2 && each <= 4);
    for (uint64_t i = 2; i <= 5000; i++) {
        cr_assert_eq(pby_draw_many(s, source, &value, 1, NULL), PBY_OK);
        cr_assert_eq(pby_entropy_used(source), i * each);
    }
    pby_entropy_free(source);
    pby_sampler_free(s);
}

/* P(ceil(|X|/M) = k), summed from the geometric law itself, exactly. */
Test(silent, folded_parts_are_sums_of_the_geometric_law)
{
    enum { M = 5 };
    fmpq_t rate;
    pby_law *folded = NULL, *law = make_geometric("1/3");
    pby_expsum_t sum, mass, scaled;
    fmpq_init(rate);
    fmpq_set_si(rate, 1, 3);
    pby_expsum_init(sum);
    pby_expsum_init(mass);
    pby_expsum_init(scaled);
    cr_assert_eq(pby_law_folded(&folded, rate, M, NULL), PBY_OK);
    for (int64_t k = 0; k <= 4; k++) {
        pby_expsum_zero(sum);
        for (int64_t x = -4 * M; x <= 4 * M; x++)
            if ((llabs(x) + M - 1) / M == k) {
                pby_law_mass(mass, law, x);
                pby_expsum_add(sum, sum, mass);
            }
        pby_expsum_mul(sum, sum, folded->norm);
        pby_law_mass(mass, folded, k);
        pby_expsum_mul(scaled, mass, law->norm);
        cr_assert(pby_expsum_equal(sum, scaled), "at %lld", (long long)k);
    }
    pby_expsum_clear(scaled);
    pby_expsum_clear(mass);
    pby_expsum_clear(sum);
    fmpq_clear(rate);
    pby_law_free(folded);
    pby_law_free(law);
}

/* The last word of all is a cut of the leading part, whose tail lies there, and takes the refining path. */
Test(silent, an_undecided_word_is_refined)
{
    pby_sampler *s = make_silent(make_geometric("3"));
    const uint64_t words[] = {UINT64_MAX, 0, 1};
    pby_entropy *tape = NULL;
    int64_t value = 0;
    cr_assert_eq(pby_entropy_tape(&tape, words, 3, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, &value, 1, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_used(tape), 3u);
    /* 1 - U just below 2^-64 = exp(-44.36): 2a/(1+a) a^k falls below it first at k = 15, a = exp(-3) */
    cr_assert_eq(value, -15);
    pby_entropy_free(tape);
    pby_sampler_free(s);
}

/* The signs of a block are the bits of its last words, one for each draw, also beyond the first word. */
Test(silent, a_sign_is_one_bit)
{
    enum { N = 70 };
    pby_sampler *s = make_silent(make_geometric("3"));
    cr_assert_eq(pby_sampler_stream(s, 1, NULL), PBY_OK);
    uint64_t words[N + 2];
    pby_entropy *tape = NULL;
    int64_t value[N];
    for (size_t i = 0; i < N; i++)
        words[i] = UINT64_MAX - 99; /* far in the tail, and no cut */
    words[N] = UINT64_C(0x8000000000000001);
    words[N + 1] = 0x12;
    cr_assert_eq(pby_entropy_tape(&tape, words, N + 2, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, value, N, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_used(tape), N + 2u);
    for (size_t i = 0; i < N; i++)
        cr_assert_eq(value[i], i == 0 || i == 63 || i == 65 || i == 68 ? -13 : 13, "at %zu", i);
    pby_entropy_free(tape);
    pby_sampler_free(s);
}

/* ---- halves --------------------------------------------------------------------------------------- */

static uint64_t words_of(pby_sampler *s, size_t n)
{
    static int64_t value[2000];
    pby_entropy *source = seeded(38);
    cr_assert_eq(pby_draw_many(s, source, value, n, NULL), PBY_OK);
    const uint64_t used = pby_entropy_used(source);
    pby_entropy_free(source);
    return used;
}

/* Two parts, each with half a word a draw and two words a block, and the signs; a word each for a few draws,
 * in version 1 of the stream, and of a long table. */
Test(silent, halves_take_half_the_words)
{
    pby_sampler *s = make_silent(make_geometric("1/10")), *flat = make_silent(make_stlap("1/100", "128")),
                *long_one = make_silent(make_stlap("1/100", "129"));
    cr_assert_eq(words_of(s, 1), 2 + 1u);
    cr_assert_eq(words_of(s, 63), 2 * 63 + 1u);
    cr_assert_eq(words_of(s, 64), 2 * (32 + 2) + 1u);
    cr_assert_eq(words_of(s, 1023), 2 * (512 + 2) + 16u);
    cr_assert_eq(words_of(s, 1024 + 63), 2 * (512 + 2) + 16 + 2 * 63 + 1u);
    cr_assert_eq(pby_sampler_stream(s, 1, NULL), PBY_OK);
    cr_assert_eq(words_of(s, 1024), 2 * 1024 + 16u);
    cr_assert_eq(words_of(flat, 100), 50 + 2u);
    cr_assert_eq(words_of(long_one, 100), 100u);
    pby_sampler_free(long_one);
    pby_sampler_free(flat);
    pby_sampler_free(s);
}

enum { HALF_DRAWS = 101, HALF_WORDS = 51 + 2, TAPE = HALF_WORDS + 8 };

/* A block of HALF_DRAWS of stlap on a tape, and a quick sampler beside it. */
struct block {
    pby_sampler *silent, *quick;
    uint64_t word[TAPE];
    int64_t value[HALF_DRAWS];
};

static void block_start(struct block *b)
{
    uint64_t state = 7;
    b->silent = make_silent(make_stlap("1/2", "40"));
    b->quick = make_sampler(make_stlap("1/2", "40"));
    for (size_t i = 0; i < TAPE; i++)
        b->word[i] = stream_next(&state);
}

/* Makes the half of a draw lead as the given word does. */
static void block_lead(struct block *b, size_t draw, uint64_t word)
{
    uint64_t *at = &b->word[draw % 51];
    *at = draw < 51 ? word >> 32 << 32 | (*at & UINT32_MAX) : *at >> 32 << 32 | word >> 32;
}

static uint64_t block_draw(struct block *b)
{
    pby_entropy *tape = NULL;
    cr_assert_eq(pby_entropy_tape(&tape, b->word, TAPE, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(b->silent, tape, b->value, HALF_DRAWS, NULL), PBY_OK);
    const uint64_t used = pby_entropy_used(tape);
    pby_entropy_free(tape);
    return used;
}

/* Returns the quick draw for one word, and for those after it where it is a cut. */
static int64_t by_word(const struct block *b, uint64_t word, uint64_t more)
{
    const uint64_t words[] = {word, more};
    pby_entropy *tape = NULL;
    int64_t value = 0;
    cr_assert_eq(pby_entropy_tape(&tape, words, 2, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(b->quick, tape, &value, 1, NULL), PBY_OK);
    pby_entropy_free(tape);
    return value;
}

/* All draws but the listed ones are those of their halves. */
static void block_check(const struct block *b, const size_t *but, size_t count)
{
    for (size_t k = 0; k < HALF_DRAWS; k++) {
        const uint64_t word = k < 51 ? b->word[k] >> 32 << 32 : b->word[k - 51] << 32;
        bool listed = false;
        for (size_t i = 0; i < count; i++)
            listed |= but[i] == k;
        cr_assert(listed || b->value[k] == by_word(b, word, 0), "at %zu", k);
    }
}

static void block_end(struct block *b)
{
    pby_sampler_free(b->quick);
    pby_sampler_free(b->silent);
}

static uint64_t joined(uint64_t first, uint64_t rest)
{
    return first >> 32 << 32 | (rest & UINT32_MAX);
}

Test(silent, a_half_decides_as_its_words_do)
{
    struct block b;
    block_start(&b);
    cr_assert_eq(block_draw(&b), HALF_WORDS);
    block_check(&b, NULL, 0);
    block_end(&b);
}

/* Up to two open places get their digits from the two last words, and no more words are read. */
Test(silent, two_open_places_cannot_be_seen)
{
    struct block b;
    block_start(&b);
    const uint64_t *cut = b.quick->table;
    for (size_t i = 1; i + 1 < b.quick->cells; i++)
        for (int side = 0; side < 2; side++) {
            const size_t at[] = {3 + i % 40, 60 + i};
            block_lead(&b, at[0], cut[i]);
            block_lead(&b, at[1], cut[i + 1]);
            b.word[51] = side == 0 ? cut[i] - 1 : cut[i] + 1;
            b.word[52] = side == 0 ? cut[i + 1] + 1 : cut[i + 1] - 1;
            cr_assert_eq(block_draw(&b), HALF_WORDS);
            cr_assert_eq(b.value[at[0]], by_word(&b, joined(cut[i], b.word[51]), 0));
            cr_assert_eq(b.value[at[1]], by_word(&b, joined(cut[i + 1], b.word[52]), 0));
            block_check(&b, at, 2);
            block_lead(&b, at[0], 0);
            block_lead(&b, at[1], 0);
            block_lead(&b, 50, cut[i]);
            cr_assert_eq(block_draw(&b), HALF_WORDS);
            cr_assert_eq(b.value[50], by_word(&b, joined(cut[i], b.word[52]), 0), "the second word counts");
            block_lead(&b, 50, 0);
        }
    block_end(&b);
}

/* A third is settled on its own, after the block's words. */
Test(silent, more_open_places_are_settled_one_by_one)
{
    struct block b;
    block_start(&b);
    const uint64_t *cut = b.quick->table;
    const size_t at[] = {0, 49, 77, 100};
    for (size_t i = 0; i < 4; i++)
        block_lead(&b, at[i], cut[5 + i]);
    b.word[HALF_WORDS] = cut[6] + 1;
    b.word[HALF_WORDS + 2] = cut[7] - 1;
    cr_assert_eq(block_draw(&b), HALF_WORDS + 4);
    cr_assert_eq(b.value[0], by_word(&b, joined(cut[5], b.word[51]), 0));
    cr_assert_eq(b.value[49], by_word(&b, joined(cut[6], b.word[HALF_WORDS]), 0));
    cr_assert_eq(b.value[77], by_word(&b, joined(cut[7], b.word[HALF_WORDS + 2]), 0));
    cr_assert_eq(b.value[100], by_word(&b, joined(cut[8], b.word[52]), 0));
    block_check(&b, at, 4);
    block_end(&b);
}

/* The whole word of an open place may be a cut itself, and is refined. */
Test(silent, a_whole_word_that_is_a_cut_is_refined)
{
    struct block b;
    block_start(&b);
    const uint64_t cut = b.quick->table[9];
    const size_t at[] = {20, 90};
    block_lead(&b, at[0], cut);
    block_lead(&b, at[1], cut);
    b.word[51] = cut;
    b.word[52] = cut + 1;
    for (int side = 0; side < 2; side++) {
        b.word[HALF_WORDS] = side == 0 ? 0 : UINT64_MAX;
        cr_assert_eq(block_draw(&b), HALF_WORDS + 1);
        cr_assert_eq(b.value[20], by_word(&b, cut, b.word[HALF_WORDS]));
        cr_assert_eq(b.value[90], by_word(&b, cut + 1, 0));
        block_check(&b, at, 2);
    }
    cr_assert_neq(by_word(&b, cut, 0), by_word(&b, cut, UINT64_MAX));
    /* with one open place the first word's refinement is not its value */
    block_lead(&b, at[1], 0);
    cr_assert_eq(block_draw(&b), HALF_WORDS + 1);
    cr_assert_eq(b.value[20], by_word(&b, cut + 1, 0));
    block_end(&b);
}

/* The last half of all is open in a leading part, whose tail lies there; the sign comes after it. */
Test(silent, a_magnitude_far_in_the_tail_has_an_open_half)
{
    enum { N = 64, WORDS = N / 2 + 2 + 1 };
    pby_sampler *s = make_silent(make_geometric("3"));
    uint64_t words[WORDS] = {[5] = UINT32_MAX, [N / 2] = 7, [N / 2 + 1] = UINT64_MAX - 99};
    pby_entropy *tape = NULL;
    int64_t value[N];
    words[WORDS - 1] = UINT64_C(1) << (N / 2 + 5);
    cr_assert_eq(pby_entropy_tape(&tape, words, WORDS, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, value, N, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_used(tape), WORDS);
    for (size_t i = 0; i < N; i++)
        cr_assert_eq(value[i], i == N / 2 + 5 ? -13 : 0, "at %zu", i);
    pby_entropy_free(tape);
    pby_sampler_free(s);
}

Test(silent, a_tape_that_ends_is_an_error_and_wipes)
{
    pby_sampler *s = make_silent(make_geometric("1/10"));
    const uint64_t words[] = {77, 78};
    pby_entropy *tape = NULL;
    int64_t value[2] = {9, 9};
    cr_assert_eq(pby_entropy_tape(&tape, words, 2, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, value, 2, NULL), PBY_FAILED);
    cr_assert(value[0] == 0 && value[1] == 0);
    pby_entropy_free(tape);
    pby_sampler_free(s);
}

/* The requirements of the kernel's contract on digits and magnitudes are checked before it runs. */
Test(silent, a_digit_out_of_range_is_not_appended)
{
    const int64_t good[3] = {0, 4, 2}, high[3] = {0, 5, 2}, low[3] = {0, 4, -1};
    int64_t value[3] = {0, 1, 7};
    pby_error err;
    cr_assert_eq(pby_silent_extend(value, high, 3, 5, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "a draw left the range of its law");
    cr_assert_eq(pby_silent_extend(value, low, 3, 5, NULL), PBY_FAILED);
    cr_assert(value[0] == 0 && value[1] == 1 && value[2] == 7);
    cr_assert_eq(pby_silent_extend(value, good, 3, 5, NULL), PBY_OK);
    cr_assert(value[0] == 0 && value[1] == 5 && value[2] == 33);
}

Test(silent, a_magnitude_out_of_range_gets_no_digit)
{
    const int64_t digit[2] = {0, 0}, widest = INT64_C(1) << 53;
    int64_t high[2] = {1, widest + 1}, low[2] = {-1, 1}, most[2] = {0, widest};
    cr_assert_eq(pby_silent_extend(high, digit, 2, 65, NULL), PBY_FAILED);
    cr_assert_eq(pby_silent_extend(low, digit, 2, 65, NULL), PBY_FAILED);
    cr_assert_eq(pby_silent_extend(most, digit, 2, 65, NULL), PBY_OK);
    cr_assert_eq(most[1], (widest - 1) * 65 + 1);
}
