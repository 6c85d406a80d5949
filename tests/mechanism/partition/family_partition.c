/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "law/laws.h"
#include "mechanism/run/noise_bars.h"
#include "tests/claims/decide.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/spec.h"

/* p_(k+1) = min(e p_k + delta, 1 - (1 - p_k - delta)/e, 1) in balls, k = 0 .. n. */
static void recursion(arb_ptr p, slong n, const char *eps_text, const char *delta_text)
{
    fmpq_t x;
    arb_t e, delta, one, other;
    fmpq_init(x);
    arb_init(e);
    arb_init(delta);
    arb_init(one);
    arb_init(other);
    set_text(x, eps_text);
    arb_set_fmpq(e, x, OUTCOMES_PREC);
    arb_exp(e, e, OUTCOMES_PREC);
    set_text(x, delta_text);
    arb_set_fmpq(delta, x, OUTCOMES_PREC);
    arb_zero(p);
    for (slong k = 0; k < n; k++) {
        arb_mul(one, e, p + k, OUTCOMES_PREC);
        arb_add(one, one, delta, OUTCOMES_PREC);
        arb_sub_ui(other, p + k, 1, OUTCOMES_PREC);
        arb_add(other, other, delta, OUTCOMES_PREC);
        arb_div(other, other, e, OUTCOMES_PREC);
        arb_add_ui(other, other, 1, OUTCOMES_PREC);
        arb_min(one, one, other, OUTCOMES_PREC);
        arb_one(other);
        arb_min(p + k + 1, one, other, OUTCOMES_PREC);
    }
    arb_clear(other);
    arb_clear(one);
    arb_clear(delta);
    arb_clear(e);
    fmpq_clear(x);
}

/* The closed form of the law is the recursion, k by k, to its end and beyond. */
static void check_law(const char *eps, const char *delta)
{
    fmpq_t e, d;
    pby_law *law = NULL;
    arb_t cdf;
    fmpq_init(e);
    fmpq_init(d);
    arb_init(cdf);
    set_text(e, eps);
    set_text(d, delta);
    cr_assert_eq(pby_law_partition(&law, e, d, NULL), PBY_OK);
    const slong sure = (slong)(1 - law->lo);
    arb_ptr p = _arb_vec_init(sure + 2);
    recursion(p, sure + 1, eps, delta);
    for (slong k = 0; k <= sure + 1; k++) {
        pby_law_cdf_arb(cdf, law, -k, OUTCOMES_PREC);
        arb_add(cdf, cdf, p + k, OUTCOMES_PREC);
        arb_sub_ui(cdf, cdf, 1, OUTCOMES_PREC);
        cr_assert(arb_contains_zero(cdf), "eps=%s delta=%s k=%ld", eps, delta, k);
        cr_assert(k >= sure || !arb_contains_si(p + k, 1), "certain too early");
    }
    _arb_vec_clear(p, sure + 2);
    pby_law_free(law);
    arb_clear(cdf);
    fmpq_clear(d);
    fmpq_clear(e);
}

Test(partition_mechanism, the_law_is_the_recursion)
{
    check_law("1", "1/100");
    check_law("1/10", "1e-6");
    check_law("3", "1e-9");
    check_law("1/2", "1/3");
    check_law("1", "1");
    check_law("1/1000", "1/10");
}

/* The chances of a bar of k records, shown and not, for k = 0 .. n. */
static void make_coins(arb_ptr *coin, slong n, const char *eps, const char *delta)
{
    arb_ptr p = _arb_vec_init(n + 1);
    recursion(p, n, eps, delta);
    for (slong k = 0; k <= n; k++) {
        coin[k] = _arb_vec_init(2);
        arb_set(coin[k], p + k);
        arb_sub_ui(coin[k] + 1, p + k, 1, OUTCOMES_PREC);
        arb_neg(coin[k] + 1, coin[k] + 1);
    }
    _arb_vec_clear(p, n + 1);
}

static void clear_coins(arb_ptr *coin, slong n)
{
    for (slong k = 0; k <= n; k++)
        _arb_vec_clear(coin[k], 2);
}

/* delta is what was asked for, at the epsilon that was asked for, and no count is worse.
 * claims: Flex/Section 5.1, optimal emptiness test */
Test(partition_mechanism, no_neighbour_is_worse_than_the_pairs)
{
    enum { N = 40 };
    static const char *const at[] = {"0", "1/2", "1", "2"};
    arb_ptr coin[N + 1], one[1], other[1];
    arb_t bound, worst, ball;
    fmpq_t epsilon;
    fmpq_init(epsilon);
    arb_init(bound);
    arb_init(worst);
    arb_init(ball);
    make_coins(coin, N, "1", "1/100");
    for (int i = 0; i < 4; i++) {
        set_text(epsilon, at[i]);
        arb_zero(worst);
        for (int k = 0; k < N; k++) {
            one[0] = coin[k];
            other[0] = coin[k + 1];
            outcomes_divergence(ball, one, other, 1, 2, epsilon);
            arb_max(worst, worst, ball, OUTCOMES_PREC);
            outcomes_divergence(ball, other, one, 1, 2, epsilon);
            arb_max(worst, worst, ball, OUTCOMES_PREC);
        }
        outcomes_bound(bound, "partition:eps=1,delta=1/100", PBY_ADD_REMOVE, epsilon);
        outcomes_check(bound, worst, 1, "partition");
    }
    fmpq_one(epsilon);
    ask_delta(ball, "partition:eps=1,delta=1/100", epsilon, 20);
    fmpq_set_si(epsilon, 1, 100);
    cr_assert(arb_contains_fmpq(ball, epsilon));
    clear_coins(coin, N);
    arb_clear(ball);
    arb_clear(worst);
    arb_clear(bound);
    fmpq_clear(epsilon);
}

/* With a changed record: no two counts are worse than the pairs, of which there are few. */
Test(partition_mechanism, no_two_counts_are_worse_than_the_pairs)
{
    enum { N = 14 };
    static const char *const at[] = {"0", "1/3", "1", "3/2", "2", "3"};
    arb_ptr coin[N + 1];
    arb_t bound, worst, ball;
    fmpq_t epsilon;
    fmpq_init(epsilon);
    arb_init(bound);
    arb_init(worst);
    arb_init(ball);
    make_coins(coin, N, "1", "1/100");
    for (size_t e = 0; e < sizeof at / sizeof *at; e++) {
        set_text(epsilon, at[e]);
        arb_zero(worst);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                const arb_ptr one[2] = {coin[i], coin[j + 1]}, other[2] = {coin[i + 1], coin[j]};
                outcomes_divergence(ball, one, other, 2, 2, epsilon);
                arb_max(worst, worst, ball, OUTCOMES_PREC);
            }
        outcomes_bound(bound, "partition:eps=1,delta=1/100", PBY_SUBSTITUTE, epsilon);
        outcomes_check(bound, worst, 1, "partition");
    }
    clear_coins(coin, N);
    arb_clear(ball);
    arb_clear(worst);
    arb_clear(bound);
    fmpq_clear(epsilon);
}

/* Tens of thousands of counts, and the delta at eps is still the one asked for. */
Test(partition_mechanism, small_parameters_are_answered)
{
    fmpq_t epsilon, delta;
    arb_t ball;
    fmpq_init(epsilon);
    fmpq_init(delta);
    arb_init(ball);
    set_text(epsilon, "1/1000");
    set_text(delta, "1e-12");
    ask_delta(ball, "partition:eps=1/1000,delta=1e-12", epsilon, 20);
    cr_assert(arb_contains_fmpq(ball, delta));
    set_text(epsilon, "1/50");
    ask_delta_for(ball, "partition:eps=1/100,delta=1e-6", PBY_SUBSTITUTE, epsilon, 20);
    cr_assert(arb_is_positive(ball) && arb_rel_accuracy_bits(ball) > 50);
    arb_clear(ball);
    fmpq_clear(delta);
    fmpq_clear(epsilon);
}

/* 001 eq. 11 is the recursion only for even q: for q = 1 its delta is (exp(eps/2) + 1)/2, above 1, where 1 is
 * enough and best.
 * claims: Flex/Section 5.1, optimal emptiness test */
Test(partition_mechanism, equation_11_of_flex_is_not_optimal_for_odd_q)
{
    fmpq_t e, d;
    pby_law *law = NULL;
    fmpq_init(e);
    fmpq_init(d);
    fmpq_one(e);
    fmpq_one(d);
    cr_assert_eq(pby_law_partition(&law, e, d, NULL), PBY_OK);
    cr_assert(claims_eq_si(CLAIMS_ALL, law->lo, 0), "with delta 1 every occupied bar is shown");
    pby_law_free(law);
    fmpq_clear(d);
    fmpq_clear(e);
}

Test(partition_mechanism, a_million_bars)
{
    enum { N = 1000000 };
    pby_spec *spec = spec_of("partition:eps=1,delta=1/100");
    pby_release *release = NULL;
    pby_entropy *source = seeded(23);
    int64_t *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    size_t ones = 0, shown = 0;
    for (size_t i = 0; i < N; i++)
        x[i] = i % 4 == 0 ? 0 : i % 4 == 1 ? 1 : 50;
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, source, NULL), PBY_OK);
    cr_assert_eq(pby_release_form_of(release), PBY_RELEASE_PRESENT);
    cr_assert_eq(pby_release_counts(release, x, y, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++) {
        cr_assert(y[i] == 1 || y[i] == PBY_SUPPRESSED);
        cr_assert(x[i] != 0 || y[i] == PBY_SUPPRESSED);
        cr_assert(x[i] != 50 || y[i] == 1, "a bar of 50 is certain");
        ones += x[i] == 1;
        shown += x[i] == 1 && y[i] == 1;
    }
    /* 1/100 of 250000, six and a half standard deviations either way */
    cr_assert(ones == N / 4 && shown > 2176 && shown < 2824, "%zu", shown);
    pby_release_free(release);
    free(y);
    free(x);
    pby_spec_free(spec);
}

Test(partition_mechanism, refused)
{
    const char *text = "partition:eps=1,delta=0";
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_BAD);
    fmpq_t e, d;
    pby_law *law;
    fmpq_init(e);
    fmpq_init(d);
    set_text(e, "1e-9");
    set_text(d, "1e-30");
    pby_error err;
    cr_assert_eq(pby_law_partition(&law, e, d, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "delta '1/1000000000000000000000000000000': expected"), "%s",
                       err.text);
    fmpq_clear(d);
    fmpq_clear(e);
}
