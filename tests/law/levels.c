/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <fmpq_vec.h>
#include <stdlib.h>

#include "law/laws.h"
#include "tests/law/cuts.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"

enum { PREC = 300, LEVELS_MAX = 8 };

static pby_law *make_levels(size_t n, const char *const *fall, const uint64_t *times)
{
    pby_law *law = NULL;
    fmpq *falls = _fmpq_vec_init(LEVELS_MAX);
    for (size_t l = 0; l < n; l++)
        set_text(falls + l, fall[l]);
    cr_assert_eq(pby_law_levels(&law, falls, times, n, NULL), PBY_OK);
    _fmpq_vec_clear(falls, LEVELS_MAX);
    return law;
}

static const char *const falls[] = {"0", "1/3", "2", "7/2", "100"};
static const uint64_t times[] = {1, 4, 2, 1, 3};

/* times[l] exp(-fall[l]) over the sum of all, at the precision of the table and beyond it. */
Test(levels_law, masses_from_the_definition)
{
    pby_law *law = make_levels(5, falls, times);
    arb_t weight[5], all, mass;
    arb_init(all);
    arb_init(mass);
    for (size_t l = 0; l < 5; l++) {
        fmpq_t fall;
        fmpq_init(fall);
        arb_init(weight[l]);
        set_text(fall, falls[l]);
        arb_set_fmpq(weight[l], fall, 4 * PREC);
        arb_neg(weight[l], weight[l]);
        arb_exp(weight[l], weight[l], 4 * PREC);
        arb_mul_ui(weight[l], weight[l], times[l], 4 * PREC);
        arb_add(all, all, weight[l], 4 * PREC);
        fmpq_clear(fall);
    }
    for (slong prec = 64; prec <= 2 * PREC; prec *= 3)
        for (int64_t l = -1; l <= 5; l++) {
            pby_law_mass_arb(mass, law, l, prec);
            if (l < 0 || l == 5) {
                cr_assert(arb_is_zero(mass));
                continue;
            }
            arb_mul(mass, mass, all, 4 * PREC);
            cr_assert(arb_overlaps(mass, weight[l]), "level %lld", (long long)l);
            cr_assert_geq(arb_rel_accuracy_bits(mass), prec - 8);
        }
    for (size_t l = 0; l < 5; l++)
        arb_clear(weight[l]);
    arb_clear(mass);
    arb_clear(all);
    pby_law_free(law);
}

Test(levels_law, the_refining_path_at_every_cut)
{
    check_cuts(make_levels(5, falls, times));
    check_cuts(make_levels(3, (const char *const[]){"0", "1", "2"}, (uint64_t[]){1, 1, 1}));
}

/* The last level has a chance of exp(-1000): its cut is the last word, and the words behind that decide. */
Test(levels_law, a_level_beyond_the_last_word)
{
    pby_sampler *s = make_sampler(make_levels(2, (const char *const[]){"0", "1000"}, (uint64_t[]){1, 1}));
    cr_assert_eq(s->table[1], UINT64_MAX);
    cr_assert_eq(draw_from(s, (uint64_t[]){UINT64_MAX - 1}, 1, 1), 0);
    cr_assert_eq(draw_from(s, (uint64_t[]){UINT64_MAX, 0}, 2, 2), 0);
    uint64_t ones[30];
    for (size_t i = 0; i < 30; i++)
        ones[i] = UINT64_MAX;
    cr_assert_eq(draw_from(s, ones, 30, 23), 1, "1443 bits decide: 23 words");
    pby_sampler_free(s);
}

/* Falls so small that the cuts of two levels lie next to the integer 2^63. */
Test(levels_law, falls_that_hardly_differ)
{
    pby_sampler *s = make_sampler(
        make_levels(2, (const char *const[]){"0", "1/1000000000000000000000000000000"}, (uint64_t[]){1, 1}));
    cr_assert_eq(s->table[1], UINT64_C(1) << 63);
    pby_sampler_free(s);
}

Test(levels_law, draws_fit)
{
    pby_sampler *s = make_sampler(make_levels(4, falls, times));
    check_fit(s, 200000, 0, 3, 1, 41);
    pby_sampler_free(s);
    s = make_sampler(make_levels(1, falls, times));
    check_fit(s, 1000, 0, 0, 1, 42);
    pby_sampler_free(s);
}
