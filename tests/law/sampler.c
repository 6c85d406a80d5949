#include "law/sampler.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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
