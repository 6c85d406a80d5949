/* SPDX-License-Identifier: MIT */
#include "tests/law/cuts.h"

#include <criterion/criterion.h>
#include <string.h>

#include "kernel/lanes.h"
#include "tests/law/make.h"

/* The word behind a cut: floor(frac(cdf(k) 2^64) 2^64), which the next word is compared with. */
static uint64_t next_cut(const pby_law *law, int64_t k, uint64_t cut)
{
    arb_t x;
    fmpz_t z;
    arb_init(x);
    fmpz_init(z);
    pby_law_cdf_arb(x, law, k, 400);
    arb_mul_2exp_si(x, x, 64);
    arb_sub_ui(x, x, cut, 400);
    arb_mul_2exp_si(x, x, 64);
    arb_floor(x, x, 400);
    cr_assert(arb_get_unique_fmpz(z, x));
    const uint64_t word = fmpz_get_ui(z);
    fmpz_clear(z);
    arb_clear(x);
    return word;
}

static int64_t draw_from_tape(pby_sampler *s, const uint64_t *words, size_t n, uint64_t used)
{
    pby_entropy *tape = NULL;
    int64_t value = 0;
    pby_error err;
    cr_assert_eq(pby_entropy_tape(&tape, words, n, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, tape, &value, 1, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_entropy_used(tape), used);
    pby_entropy_free(tape);
    return value;
}

enum { TAPE_MAX = 32 };

/* A coin reads a lane of the first word, and the other digits from a word of their own where they are needed.
 */
int64_t draw_from(pby_sampler *s, const uint64_t *words, size_t n, uint64_t used)
{
    uint64_t tape[TAPE_MAX] = {0};
    cr_assert(n < TAPE_MAX);
    if (s->cells > 2 || !pby_law_bounded_below(s->law) || !pby_law_bounded_above(s->law))
        return draw_from_tape(s, words, n, used);
    const uint16_t lane = (uint16_t)(words[0] / PBY_LANE_SPAN);
    memcpy(tape, &lane, sizeof lane);
    tape[1] = words[0] % PBY_LANE_SPAN + 5 * PBY_LANE_SPAN;
    memcpy(tape + 2, words + 1, (n - 1) * sizeof *words);
    return draw_from_tape(s, tape, n + 1, lane == s->table[1] / PBY_LANE_SPAN ? used + 1 : used);
}

void check_cuts(pby_law *law)
{
    pby_sampler *s = make_sampler(law);
    for (size_t i = 1; i < s->cells; i++) {
        const uint64_t cut = s->table[i];
        const int64_t below = s->first + (int64_t)i - 1;
        if (below < law->body_lo || below >= law->body_hi)
            continue;
        const bool narrow = cut == UINT64_MAX || s->table[i - 1] + 1 >= cut ||
                            (i + 1 < s->cells && cut + 1 >= s->table[i + 1]);
        if (!narrow) {
            cr_assert_eq(draw_from(s, (uint64_t[]){cut - 1}, 1, 1), below);
            cr_assert_eq(draw_from(s, (uint64_t[]){cut + 1}, 1, 1), below + 1);
        }
        const uint64_t next = next_cut(law, below, cut);
        if (narrow || next < 2 || next > UINT64_MAX - 2)
            continue;
        cr_assert_eq(draw_from(s, (uint64_t[]){cut, 0}, 2, 2), below);
        cr_assert_eq(draw_from(s, (uint64_t[]){cut, next - 1}, 2, 2), below);
        cr_assert_eq(draw_from(s, (uint64_t[]){cut, next + 1}, 2, 2), below + 1);
        cr_assert_eq(draw_from(s, (uint64_t[]){cut, UINT64_MAX}, 2, 2), below + 1);
        cr_assert_eq(draw_from(s, (uint64_t[]){cut, next, 0}, 3, 3), below);
        cr_assert_eq(draw_from(s, (uint64_t[]){cut, next, UINT64_MAX}, 3, 3), below + 1);
    }
    pby_sampler_free(s);
}
