/* SPDX-License-Identifier: MIT */
/* Compositions: exact products, grids against what is known exactly, ends of the curve, refusals. */
#include "loss/compose/compose.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "loss/compose/grid.h"
#include "loss/loss.h"
#include "loss/pld/pld.h"
#include "tests/loss/ask.h"
#include "tests/loss/brute.h"

enum { PREC = 256, DIGITS = 30, USES = 4 };

static void set(fmpq_t q, slong n, ulong d)
{
    fmpq_set_si(q, n, d);
}

/* The parts of a spec of several uses, separated by spaces. */
static pby_parts parts_of(const char *text)
{
    char copy[256], *rest = copy;
    const char *texts[USES];
    size_t count = 0;
    pby_spec *spec;
    pby_error err;
    pby_parts parts;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        texts[count++] = word;
    cr_assert_eq(pby_spec_parse(&spec, texts, count, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_parts_of_spec(&parts, spec, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return parts;
}

/* The answer of the grid, whatever sharper way there is. */
static void from_grid(arb_t ball, const char *text, bool delta, const fmpq_t at)
{
    pby_parts parts = parts_of(text);
    pby_profile *profile;
    pby_error err;
    cr_assert_eq(pby_profile_of_parts(&profile, &parts, NULL, &err), PBY_OK);
    const pby_status status = delta ? pby_profile_delta(ball, profile, at, DIGITS, &err)
                                    : pby_profile_epsilon(ball, profile, at, DIGITS, &err);
    cr_assert_eq(status, PBY_OK, "%s: %s", text, err.text);
    pby_profile_free(profile);
}

/* The answer of the exact product. */
static void from_product(arb_t ball, const char *text, bool delta, const fmpq_t at)
{
    pby_parts parts = parts_of(text);
    pby_pairs product;
    pby_profiles list;
    pby_error err;
    bool done;
    cr_assert_eq(pby_parts_product(&product, &done, &parts, &err), PBY_OK);
    cr_assert(done, "%s", text);
    cr_assert_eq(pby_profiles_init(&list, product.count, &err), PBY_OK);
    for (size_t i = 0; i < product.count; i++)
        cr_assert_eq(pby_profile_of_pair(&list.profile[i], &product.pair[i], &err), PBY_OK);
    const pby_status status = delta ? pby_profiles_delta(ball, &list, at, DIGITS, &err)
                                    : pby_profiles_epsilon(ball, &list, at, DIGITS, &err);
    cr_assert_eq(status, PBY_OK, "%s: %s", text, err.text);
    pby_profiles_clear(&list);
    pby_pairs_clear(&product);
    pby_parts_clear(&parts);
}

/* Checks that the ball holds x, itself known to 30 digits, and is at most 1% wide. */
static void check_holds(const arb_t ball, const arb_t x, const char *text)
{
    arb_t width, size;
    arb_init(width);
    arb_init(size);
    cr_assert(arb_overlaps(ball, x), "%s: the grid misses the truth", text);
    arb_get_rad_arb(width, ball);
    arb_mul_ui(width, width, 2 * PBY_WIDTH, PREC);
    arb_abs(size, ball);
    arb_get_abs_lbound_arf(arb_midref(size), ball, PREC);
    mag_zero(arb_radref(size));
    arb_mul_ui(size, size, 1001, PREC);
    arb_div_ui(size, size, 1000, PREC);
    cr_assert(arb_le(width, size), "%s: wider than 1%%", text);
    arb_clear(size);
    arb_clear(width);
}

Test(compose, product_equals_enumeration)
{
    flint_rand_t state;
    fmpq_t eps, at;
    arb_t expected, ball;
    brute law;
    char text[96];
    flint_randinit(state);
    fmpq_init(eps);
    fmpq_init(at);
    arb_init(expected);
    arb_init(ball);
    for (int i = 0; i < 12; i++) {
        set(eps, 1 + (slong)n_randint(state, 6), 1 + n_randint(state, 4));
        set(at, (slong)n_randint(state, 7) - 2, 2);
        char *e = fmpq_get_str(NULL, 10, eps);
        snprintf(text, sizeof text, "2*geometric:eps=%s", e);
        flint_free(e);
        brute_geometric(&law, eps);
        brute_hockey_stick_twice(expected, &law, 1, 1, at);
        from_product(ball, text, true, at);
        cr_assert(brute_close(ball, expected), "%s", text);
        brute_clear(&law);
    }
    arb_clear(ball);
    arb_clear(expected);
    fmpq_clear(at);
    fmpq_clear(eps);
    flint_randclear(state);
}

Test(compose, vector_of_two_geometrics)
{
    fmpq_t at;
    arb_t ball, expected;
    fmpq_init(at);
    arb_init(ball);
    arb_init(expected);
    set(at, 1, 2);
    ask_delta(ball, "2*geometric:eps=1/2", at, 18);
    arb_set_str(expected, "0.1524519067986655865 +/- 1e-18", PREC);
    cr_assert(arb_contains(expected, ball));
    arb_clear(expected);
    arb_clear(ball);
    fmpq_clear(at);
}

/* Small compositions whose exact product is known: the grid must hold it, for both questions. */
Test(compose, grid_holds_the_exact_product)
{
    static const char *const specs[] = {
        "3*geometric:eps=1/2",
        "2*geometric:eps=1,sensitivity=3",
        "2*tgeometric:eps=1,bound=3",
        "3*stlap:eps=1/2,q=8",
        "2*stlap:eps=2,q=7/3 1*geometric:eps=1/3",
        "4*approx:eps=1/3,delta=1/1000",
        "2*approx:eps=1,delta=1/50 2*pure:eps=1/7",
        "1*stlap:eps=1,q=6 1*tgeometric:eps=1/2,bound=2 1*approx:eps=1/5,delta=1/100",
        "5*pure:eps=2/7 1*geometric:eps=3/5",
    };
    fmpq_t at;
    arb_t ball, exact;
    fmpq_init(at);
    arb_init(ball);
    arb_init(exact);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        for (slong e = -2; e <= 3; e++) {
            set(at, e, 3);
            from_product(exact, specs[i], true, at);
            from_grid(ball, specs[i], true, at);
            check_holds(ball, exact, specs[i]);
        }
        for (ulong d = 12; d <= 40; d *= 3) {
            set(at, 1, d);
            from_product(exact, specs[i], false, at);
            from_grid(ball, specs[i], false, at);
            check_holds(ball, exact, specs[i]);
        }
    }
    arb_clear(exact);
    arb_clear(ball);
    fmpq_clear(at);
}

/* A sketch holds what the grid tells to a thousandth, and is itself within a quarter. */
Test(compose, a_sketch_is_within_a_quarter)
{
    pby_parts parts = parts_of("20*geometric:eps=1/5");
    pby_profile *profile;
    fmpq_t at;
    arb_t rough, fine;
    arf_t low, high;
    fmpq_init(at);
    arb_init(rough);
    arb_init(fine);
    arf_init(low);
    arf_init(high);
    cr_assert_eq(pby_profile_of_parts(&profile, &parts, NULL, NULL), PBY_OK);
    for (slong e = 0; e < 4; e++) {
        set(at, e, 1);
        cr_assert_eq(profile->class->sketch(rough, profile, at, 1, NULL), PBY_OK);
        cr_assert_eq(pby_profile_delta(fine, profile, at, DIGITS, NULL), PBY_OK);
        cr_expect(arb_overlaps(rough, fine), "epsilon %ld", (long)e);
        arb_get_interval_arf(low, high, rough, PREC);
        cr_expect(arf_sgn(low) > 0);
        arf_mul_ui(low, low, 5, PREC, ARF_RND_UP);
        arf_mul_2exp_si(low, low, -2);
        cr_expect(arf_cmp(high, low) <= 0, "epsilon %ld: wider than a quarter", (long)e);
    }
    arf_clear(high);
    arf_clear(low);
    arb_clear(fine);
    arb_clear(rough);
    fmpq_clear(at);
    pby_profile_free(profile);
}

Test(compose, grid_holds_random_products)
{
    flint_rand_t state;
    fmpq_t at;
    arb_t ball, exact;
    char text[256];
    flint_randinit(state);
    fmpq_init(at);
    arb_init(ball);
    arb_init(exact);
    for (int i = 0; i < 40; i++) {
        snprintf(text, sizeof text, "%lu*geometric:eps=%lu/%lu %lu*stlap:eps=%lu/3,q=%lu/2",
                 1 + n_randint(state, 3), 1 + n_randint(state, 5), 1 + n_randint(state, 7),
                 1 + n_randint(state, 2), 1 + n_randint(state, 5), 3 + n_randint(state, 9));
        set(at, (slong)n_randint(state, 9) - 3, 1 + n_randint(state, 5));
        from_product(exact, text, true, at);
        from_grid(ball, text, true, at);
        if (arb_is_zero(exact))
            cr_assert(arb_is_zero(ball), "%s", text);
        else
            check_holds(ball, exact, text);
    }
    arb_clear(exact);
    arb_clear(ball);
    fmpq_clear(at);
    flint_randclear(state);
}

/* k Gaussians put on the grid one by one, against the Gaussian that they are. */
static void check_gauss(slong sigma2, uint64_t k, const char *delta)
{
    char whole[64], one[64];
    fmpq_t at;
    arb_t exact, ball;
    pby_profile *profile;
    pby_error err;
    fmpq_init(at);
    arb_init(exact);
    arb_init(ball);
    fmpq_set_str(at, delta, 10);
    snprintf(one, sizeof one, "gauss:sigma2=%ld", (long)sigma2);
    snprintf(whole, sizeof whole, "%lu*gauss:sigma2=%ld", (unsigned long)k, (long)sigma2);
    ask_epsilon(exact, whole, at, DIGITS);
    pby_parts parts = parts_of(one);
    parts.part[0].times = k;
    cr_assert_eq(pby_profile_of_parts(&profile, &parts, NULL, &err), PBY_OK);
    cr_assert_eq(pby_profile_epsilon(ball, profile, at, DIGITS, &err), PBY_OK, "%s", err.text);
    check_holds(ball, exact, whole);
    pby_profile_free(profile);
    arb_clear(ball);
    arb_clear(exact);
    fmpq_clear(at);
}

Test(compose, grid_holds_gaussians)
{
    check_gauss(3, 3, "1/1000000");
    check_gauss(10000, 10000, "1/1000000");
    check_gauss(100000, 100000, "1/1000000000000000000000000000000");
    check_gauss(40, 1000, "1/1000000000");
    check_gauss(1000000, 100, "1/100000");
}

/* So many that the powers go over to coarser grids (pld.h). */
Test(compose, grid_holds_a_billion_gaussians)
{
    check_gauss(1000000000, 1000000000, "1/1000000");
    check_gauss(1000000000, 1, "1/1000000");
    check_gauss(300000001, 4000, "1/1000");
}

Test(compose, gaussians_compose_to_one)
{
    fmpq_t at;
    arb_t one, other;
    fmpq_init(at);
    arb_init(one);
    arb_init(other);
    set(at, 1, 1);
    ask_delta(one, "3*gauss:sigma2=3", at, DIGITS);
    ask_delta(other, "gauss:sigma2=1", at, DIGITS);
    cr_assert(arb_overlaps(one, other));
    ask_delta(one, "8*gauss:sigma2=9/2,sensitivity=3/4", at, DIGITS);
    cr_assert(arb_overlaps(one, other));
    arb_clear(other);
    arb_clear(one);
    fmpq_clear(at);
}

/* The discrete Gaussian of a large variance loses what the continuous one does, to many digits. */
Test(compose, ten_thousand_discrete_gaussians)
{
    fmpq_t at;
    arb_t ball, near;
    fmpq_init(at);
    arb_init(ball);
    arb_init(near);
    set(at, 1, 1000000);
    ask_epsilon(ball, "10000*dgauss:sigma2=10000", at, 9);
    ask_epsilon(near, "gauss:sigma2=1", at, 9);
    check_holds(ball, near, "10000*dgauss:sigma2=10000");
    arb_clear(near);
    arb_clear(ball);
    fmpq_clear(at);
}

Test(compose, monotone_in_epsilon_and_in_uses)
{
    fmpq_t at;
    arb_t ball, before;
    char text[64];
    fmpq_init(at);
    arb_init(ball);
    arb_init(before);
    for (slong e = -1; e <= 4; e++) {
        set(at, e, 1);
        arb_set(before, ball);
        ask_delta(ball, "200*laplace:scale=20", at, 9);
        cr_assert(e == -1 || arb_lt(ball, before));
    }
    set(at, 1, 100000);
    for (ulong k = 50; k <= 800; k *= 2) {
        arb_set(before, ball);
        snprintf(text, sizeof text, "%lu*laplace:scale=20", k);
        ask_epsilon(ball, text, at, 9);
        cr_assert(k == 50 || arb_gt(ball, before));
    }
    arb_clear(before);
    arb_clear(ball);
    fmpq_clear(at);
}

/* A pure composition has delta 0 at the sum of its epsilons, and needs no less for it. */
Test(compose, ends_of_pure_compositions)
{
    fmpq_t at;
    arb_t ball;
    fmpq_init(at);
    arb_init(ball);
    set(at, 1000, 3);
    ask_delta(ball, "1000*geometric:eps=1/3", at, 9);
    cr_assert(arb_is_zero(ball));
    set(at, 0, 1);
    ask_epsilon(ball, "1000*geometric:eps=1/3", at, 9);
    set(at, 1000, 3);
    cr_assert(arb_contains_fmpq(ball, at));
    set(at, 0, 1);
    ask_epsilon(ball, "1000*dgauss:sigma2=1000", at, 9);
    cr_assert(arf_is_pos_inf(arb_midref(ball)));
    set(at, 1, 1);
    ask_epsilon(ball, "1000*dgauss:sigma2=1000", at, 9);
    cr_assert(arf_is_neg_inf(arb_midref(ball)));
    arb_clear(ball);
    fmpq_clear(at);
}

/* 1 - (9/10)^2000 of the outputs give the input away: less is impossible, that much costs every loss. */
Test(compose, ends_of_approximate_compositions)
{
    fmpq_t at;
    arb_t ball;
    fmpq_init(at);
    arb_init(ball);
    set(at, 9, 10);
    fmpq_pow_si(at, at, 2000);
    fmpz_sub(fmpq_numref(at), fmpq_denref(at), fmpq_numref(at));
    ask_epsilon(ball, "2000*approx:eps=1/8,delta=1/10", at, 9);
    cr_assert(arb_contains_si(ball, 250));
    set(at, 1, 2);
    ask_epsilon(ball, "2000*approx:eps=1/8,delta=1/10", at, 9);
    cr_assert(arf_is_pos_inf(arb_midref(ball)));
    set(at, 1, 2000);
    ask_epsilon(ball, "2000*approx:eps=1/8,delta=1/10000000", at, 9);
    cr_assert(arb_is_finite(ball));
    arb_clear(ball);
    fmpq_clear(at);
}

/* One use that gives the input away for certain leaves nothing for the others, of one pair, of several, or
 * curves. */
Test(compose, a_certain_loss_is_all)
{
    static const char *const others[] = {"partition:eps=1,delta=1/10", "2*threshold:eps=1,T=3",
                                         "dgauss:sigma2=1", "3*geometric:eps=1",
                                         "partition:eps=1,delta=1/10 dgauss:sigma2=1"};
    static const char *const certain[] = {"stlap:eps=1,q=1/2", "approx:eps=1,delta=1",
                                          "4*partition:eps=2,delta=1"};
    fmpq_t at;
    arb_t ball;
    fmpq_init(at);
    arb_init(ball);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (size_t j = 0; j < sizeof certain / sizeof *certain; j++) {
            char text[128];
            snprintf(text, sizeof text, "%s %s", others[i], certain[j]);
            set(at, -3, 2);
            ask_delta(ball, text, at, 9);
            cr_assert(arb_equal_si(ball, 1), "%s", text);
            set(at, 1, 2);
            ask_epsilon(ball, text, at, 9);
            cr_assert(arf_is_pos_inf(arb_midref(ball)), "%s", text);
        }
    arb_clear(ball);
    fmpq_clear(at);
}

Test(compose, equal_uses_count_together)
{
    pby_parts parts = parts_of("3*geometric:eps=1/2 gauss:sigma2=4 2*geometric:eps=1/2 gauss:sigma2=9");
    cr_assert_eq(parts.count, 2u);
    cr_assert_eq(parts.part[0].times, 1u);
    cr_assert_eq(parts.part[1].times, 5u);
    pby_parts_clear(&parts);
}

Test(compose, refuses_a_grid_too_fine)
{
    pby_parts parts = parts_of("geometric:eps=1");
    slong low, high;
    fmpq_t step;
    pby_error err;
    fmpq_init(step);
    set(step, 1, 1000000000);
    cr_assert_eq(pby_loss_range(&low, &high, &parts.part[0].pairs.pair[0], step, 30, &err), PBY_BAD);
    cr_assert(strstr(err.text, "points") != NULL);
    fmpq_clear(step);
    pby_parts_clear(&parts);
}

/* A mechanism with two pairs, one of which dominates the other: it composes as that one does. */
Test(compose, several_pairs_compose_as_their_worst)
{
    pby_parts parts = parts_of("3*geometric:eps=1/2"), weaker = parts_of("geometric:eps=1/3");
    pby_pairs both;
    pby_profile *profile;
    fmpq_t at;
    arb_t ball, exact;
    pby_error err;
    fmpq_init(at);
    arb_init(ball);
    arb_init(exact);
    cr_assert_eq(pby_pairs_init(&both, 2, &err), PBY_OK);
    both.pair[0] = weaker.part[0].pairs.pair[0];
    both.pair[1] = parts.part[0].pairs.pair[0];
    pby_pair_init(&weaker.part[0].pairs.pair[0]);
    pby_pair_init(&parts.part[0].pairs.pair[0]);
    pby_pairs_clear(&parts.part[0].pairs);
    parts.part[0].pairs = both;
    cr_assert_eq(pby_profile_of_parts(&profile, &parts, NULL, &err), PBY_OK);
    set(at, 1, 3);
    cr_assert_eq(pby_profile_delta(ball, profile, at, DIGITS, &err), PBY_OK, "%s", err.text);
    from_product(exact, "3*geometric:eps=1/2", true, at);
    check_holds(ball, exact, "the worse of two");
    pby_profile_free(profile);
    pby_parts_clear(&weaker);
    arb_clear(exact);
    arb_clear(ball);
    fmpq_clear(at);
}
