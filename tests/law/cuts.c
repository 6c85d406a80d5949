#include "tests/law/cuts.h"

#include <criterion/criterion.h>

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

int64_t draw_from(pby_sampler *s, const uint64_t *words, size_t n, uint64_t used)
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
