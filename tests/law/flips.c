/* SPDX-License-Identifier: MIT */
#include "law/flips.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/law/make.h"

static pby_flips *make_flips(const char *with, const char *without)
{
    pby_flips *flips;
    fmpq_t p, q;
    fmpq_init(p);
    fmpq_init(q);
    set_text(p, with);
    set_text(q, without);
    cr_assert_eq(pby_flips_new(&flips, p, q, NULL), PBY_OK);
    fmpq_clear(q);
    fmpq_clear(p);
    return flips;
}

typedef pby_status drawer(pby_flips *, pby_entropy *, const uint64_t *, uint64_t *, size_t, pby_error *);

/* Lane i of the words has the six digits of i: all 64 numbers of six digits, each once, so that as many lanes
 * show a one as the chance has sixty-fourths. */
static void check_all(const char *with, const char *without, int ones, int others, drawer *draw)
{
    uint64_t words[1 << 10] = {0}, out;
    const uint64_t masks[] = {UINT64_MAX, 0};
    for (int t = 0; t < 6; t++)
        for (int i = 0; i < 64; i++)
            words[t] |= (uint64_t)(i >> (5 - t) & 1) << i;
    for (int i = 0; i < 2; i++) {
        pby_flips *flips = make_flips(with, without);
        pby_entropy *tape;
        cr_assert_eq(pby_entropy_tape(&tape, words, 1 << 10, NULL), PBY_OK);
        cr_assert_eq(draw(flips, tape, &masks[i], &out, 1, NULL), PBY_OK);
        cr_assert_eq(__builtin_popcountll(out), i == 0 ? ones : others, "%s and %s", with, without);
        pby_entropy_free(tape);
        pby_flips_free(flips);
    }
}

Test(flips, every_chance_of_six_digits_is_exact)
{
    drawer *const drawers[] = {pby_flips_draw, pby_flips_draw_evenly};
    for (size_t i = 0; i < 2; i++) {
        check_all("3/4", "1/4", 48, 16, drawers[i]);
        check_all("37/64", "5/64", 37, 5, drawers[i]);
        check_all("1", "0", 64, 0, drawers[i]);
        check_all("0", "1", 0, 64, drawers[i]);
        check_all("1", "63/64", 64, 63, drawers[i]);
        check_all("1/2", "0", 32, 0, drawers[i]);
    }
}

/* Each lane is the comparison of its number with its chance, by rationals; the words are recorded. */
static void check_words(const char *with, const char *without, drawer *draw)
{
    enum { PLACES = 128 };
    static const uint8_t seed[PBY_SEED_SIZE] = {3};
    const uint64_t mask = 0x5a5af00f12345678;
    pby_flips *flips = make_flips(with, without);
    pby_entropy *source;
    uint64_t out;
    size_t count;
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_record(source, NULL), PBY_OK);
    cr_assert_eq(draw(flips, source, &mask, &out, 1, NULL), PBY_OK);
    const uint64_t *words = pby_entropy_recorded(source, &count);
    cr_assert_geq(count, PLACES);
    for (int i = 0; i < 64; i++) {
        fmpq_t u, chance;
        fmpq_init(u);
        fmpq_init(chance);
        for (size_t t = PLACES; t-- > 0;) {
            fmpq_add_si(u, u, (slong)(words[t] >> i & 1));
            fmpq_div_2exp(u, u, 1);
        }
        set_text(chance, mask >> i & 1 ? with : without);
        cr_assert_eq(fmpq_cmp(u, chance) < 0, out >> i & 1, "%s and %s, lane %d", with, without, i);
        fmpq_clear(chance);
        fmpq_clear(u);
    }
    pby_entropy_free(source);
    pby_flips_free(flips);
}

Test(flips, a_lane_compares_its_number_with_its_chance)
{
    drawer *const drawers[] = {pby_flips_draw, pby_flips_draw_evenly};
    for (size_t i = 0; i < 2; i++) {
        check_words("1/3", "5/7", drawers[i]);
        check_words("999999/1000000", "1/1000003", drawers[i]);
    }
}

/* The digits of 1/3 are 01 01 ...: a lane whose number has the same 128 goes on to words behind them, and is
 * decided by the first that differs. */
Test(flips, a_lane_goes_on_behind_the_places)
{
    enum { WORDS = 2048 };
    uint64_t words[WORDS];
    drawer *const drawers[] = {pby_flips_draw, pby_flips_draw_evenly};
    for (size_t below = 0; below < 2; below++)
        for (size_t i = 0; i < 2; i++) {
            pby_flips *flips = make_flips("1/3", "1/3");
            pby_entropy *tape;
            uint64_t out = 0;
            const uint64_t mask = 0;
            const size_t behind = i == 0 ? 1024 : 128; /* what is read ahead lies between */
            for (size_t t = 0; t < WORDS; t++)
                words[t] = t % 2 == 0 ? 0 : UINT64_MAX;
            words[behind + 3] = 0; /* where 1/3 has a one: the number is below */
            if (!below)
                words[behind + 2] = UINT64_MAX; /* before that, where 1/3 has a zero */
            cr_assert_eq(pby_entropy_tape(&tape, words, WORDS, NULL), PBY_OK);
            cr_assert_eq(drawers[i](flips, tape, &mask, &out, 1, NULL), PBY_OK);
            cr_assert_eq(out, below ? UINT64_MAX : 0);
            pby_entropy_free(tape);
            pby_flips_free(flips);
        }
}

/* As many words for every mask. */
Test(flips, even_draws_take_as_many_words)
{
    static const uint8_t seed[PBY_SEED_SIZE] = {4};
    uint64_t used[2];
    for (int i = 0; i < 2; i++) {
        const uint64_t masks[] = {0, UINT64_MAX, 0x0123456789abcdef};
        uint64_t out[3];
        pby_flips *flips = make_flips("1/3", "2/5");
        pby_entropy *source;
        cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
        cr_assert_eq(pby_flips_draw_evenly(flips, source, masks + i, out, 2, NULL), PBY_OK);
        used[i] = pby_entropy_used(source);
        pby_entropy_free(source);
        pby_flips_free(flips);
    }
    cr_assert_eq(used[0], 256);
    cr_assert_eq(used[1], 256);
}

/* A source that ends leaves a failure, not a coin. */
Test(flips, an_empty_source_fails)
{
    uint64_t mask = 1, out;
    pby_flips *flips = make_flips("1/3", "2/5");
    pby_entropy *tape;
    cr_assert_eq(pby_entropy_tape(&tape, &mask, 1, NULL), PBY_OK);
    cr_assert_eq(pby_flips_draw(flips, tape, &mask, &out, 1, NULL), PBY_FAILED);
    cr_assert_eq(pby_flips_draw_evenly(flips, tape, &mask, &out, 1, NULL), PBY_FAILED);
    pby_entropy_free(tape);
    pby_flips_free(flips);
}
