/* SPDX-License-Identifier: MIT */
/* Approximate projections, against the definition in rationals. */
#include "probity/experimental/projection.h"
#include "tests/claims/decide.h"

#include <criterion/criterion.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3, WHOLE = 8, TUPLES = N * N * N, RUNS = 300, BITS = 300 };

/* A table of N inputs and results; what it does to three records at once. */
static mpq_t chance[N * N], utility[N], seen[N], many[TUPLES * TUPLES], sums[TUPLES], new_sums[TUPLES], theta,
    x;
static pby_enclosure epsilon;
static pby_projection p, of_many;
static pby_projection_worst worst;

static void set_up(void)
{
    for (size_t i = 0; i < N * N; i++)
        mpq_init(chance[i]);
    for (size_t i = 0; i < N; i++)
        mpq_inits(utility[i], seen[i], NULL);
    for (size_t i = 0; i < TUPLES * TUPLES; i++)
        mpq_init(many[i]);
    for (size_t i = 0; i < TUPLES; i++)
        mpq_inits(sums[i], new_sums[i], NULL);
    mpq_inits(theta, x, NULL);
    pby_enclosure_init(&epsilon);
    p = (pby_projection){chance[0], utility[0], seen[0], N, N};
    of_many = (pby_projection){many[0], sums[0], new_sums[0], TUPLES, TUPLES};
}

static void tear_down(void)
{
    for (size_t i = 0; i < N * N; i++)
        mpq_clear(chance[i]);
    for (size_t i = 0; i < N; i++)
        mpq_clears(utility[i], seen[i], NULL);
    for (size_t i = 0; i < TUPLES * TUPLES; i++)
        mpq_clear(many[i]);
    for (size_t i = 0; i < TUPLES; i++)
        mpq_clears(sums[i], new_sums[i], NULL);
    mpq_clears(theta, x, NULL);
    pby_enclosure_clear(&epsilon);
}

TestSuite(projection, .init = set_up, .fini = tear_down);

/* Chances in eighths and utilities from 0 on, or from 1. */
static void draw(ulong least, flint_rand_t state)
{
    for (size_t i = 0; i < N; i++) {
        ulong left = WHOLE;
        for (size_t j = 0; j < N; j++) {
            const ulong mass = j + 1 < N ? n_randint(state, left + 1) : left;
            left -= mass;
            mpq_set_ui(chance[i * N + j], mass, WHOLE);
            mpq_canonicalize(chance[i * N + j]);
        }
        mpq_set_ui(utility[i], least + n_randint(state, 5), 1);
        mpq_set_ui(seen[i], least + n_randint(state, 5), 1);
    }
}

/* The definition: whether u <= factor v and v <= factor u. */
static bool near(mpq_srcptr u, mpq_srcptr v, mpq_srcptr factor)
{
    bool good;
    mpq_t y;
    mpq_init(y);
    mpq_mul(y, factor, v);
    good = mpq_cmp(u, y) <= 0;
    mpq_mul(y, factor, u);
    good = good && mpq_cmp(v, y) <= 0;
    mpq_clear(y);
    return good;
}

/* Returns true if on every input the chance of near utilities is 1 - theta or more. */
static bool stands_for(mpq_srcptr factor, mpq_srcptr but_for)
{
    bool good = true;
    mpq_t sum;
    mpq_init(sum);
    for (size_t i = 0; i < N; i++) {
        mpq_set(sum, but_for);
        for (size_t j = 0; j < N; j++)
            if (near(utility[i], seen[j], factor))
                mpq_add(sum, sum, chance[i * N + j]);
        good = good && mpq_cmp_ui(sum, 1, 1) >= 0;
    }
    mpq_clear(sum);
    return good;
}

/* That an enclosure holds a logarithm, or a half of it, and is narrow. */
static void is_log_of(const pby_enclosure *e, mpq_srcptr factor, int halves)
{
    mpfr_t low, high;
    mpfr_inits2(BITS, low, high, NULL);
    mpfr_set_q(low, factor, MPFR_RNDD);
    mpfr_set_q(high, factor, MPFR_RNDU);
    mpfr_log(low, low, MPFR_RNDD);
    mpfr_log(high, high, MPFR_RNDU);
    mpfr_div_2si(low, low, halves, MPFR_RNDD);
    mpfr_div_2si(high, high, halves, MPFR_RNDU);
    cr_assert(mpfr_cmp(e->lo, high) <= 0 && mpfr_cmp(low, e->hi) <= 0);
    mpfr_sub(low, e->hi, e->lo, MPFR_RNDU);
    cr_assert(mpfr_cmp_d(low, 1e-12) < 0);
    mpfr_clears(low, high, NULL);
}

/* All factors that utilities up to 5 may be apart: the least that the definition admits is the answer. */
Test(projection, epsilon_is_the_least_that_the_definition_admits)
{
    flint_rand_t state;
    size_t infinite = 0, apart = 0;
    flint_randinit(state);
    for (ulong run = 0; run < RUNS; run++) {
        bool found = false;
        mpq_t best;
        mpq_init(best);
        draw(run % 2, state);
        mpq_set_ui(theta, n_randint(state, WHOLE), WHOLE);
        mpq_canonicalize(theta);
        for (ulong a = 1; a <= 5; a++)
            for (ulong b = 1; b <= a; b++) {
                mpq_set_ui(x, a, b);
                mpq_canonicalize(x);
                if (stands_for(x, theta) && (!found || mpq_cmp(x, best) < 0)) {
                    mpq_set(best, x);
                    found = true;
                }
            }
        cr_assert_eq(pby_projection_epsilon(&epsilon, &worst, &p, theta, 12, NULL), PBY_OK);
        cr_assert_eq(mpfr_inf_p(epsilon.lo) != 0, !found);
        cr_assert(mpq_sgn(chance[worst.input * N + worst.result]) > 0);
        infinite += !found;
        apart += found && mpq_cmp_ui(best, 1, 1) > 0;
        if (found) {
            is_log_of(&epsilon, best, 0);
            cr_assert(near(utility[worst.input], seen[worst.result], best));
            if (mpq_cmp_ui(best, 1, 1) > 0) { /* the pair needs it */
                mpq_set_ui(x, 999, 1000);
                mpq_mul(x, x, best);
                cr_assert_not(near(utility[worst.input], seen[worst.result], x));
            }
        }
        mpq_clear(best);
    }
    cr_assert(infinite > 10 && apart > 100);
    flint_randclear(state);
}

/* At epsilon k/7, and at 0 where equal utilities decide: the definition holds at the theta that is found, and
 * at none below it. Ends of exp(epsilon) stand for it, as no utilities are between them. */
Test(projection, theta_is_the_least_that_the_definition_admits)
{
    flint_rand_t state;
    size_t above = 0;
    flint_randinit(state);
    for (ulong run = 0; run < RUNS; run++) {
        mpfr_t e;
        mpq_t factor, least, less;
        mpfr_init2(e, BITS);
        mpq_inits(factor, least, less, NULL);
        draw(run % 2, state);
        mpq_set_ui(x, n_randint(state, 14), 7);
        mpq_canonicalize(x);
        mpfr_set_q(e, x, MPFR_RNDU);
        mpfr_exp(e, e, MPFR_RNDU);
        mpfr_get_q(factor, e);
        cr_assert_eq(pby_projection_theta(least, &worst, &p, x, NULL), PBY_OK);
        cr_assert(stands_for(factor, least));
        mpq_set_ui(less, 1, 1000);
        mpq_sub(less, least, less);
        if (mpq_sgn(least) > 0) {
            cr_assert_not(stands_for(factor, less));
            cr_assert_not(near(utility[worst.input], seen[worst.result], factor));
            cr_assert(mpq_sgn(chance[worst.input * N + worst.result]) > 0);
            above++;
        }
        mpq_clears(factor, least, less, NULL);
        mpfr_clear(e);
    }
    cr_assert(above > 100);
    flint_randclear(state);
}

/* The middle of the utilities that meet, in the ratio, has the epsilon that is promised; no other query on a
 * fine grid has less. */
Test(projection, no_query_is_better_than_the_best)
{
    flint_rand_t state;
    flint_randinit(state);
    for (ulong run = 0; run < RUNS; run++) {
        pby_enclosure best;
        pby_enclosure_init(&best);
        mpq_set_ui(theta, 0, 1);
        draw(1, state);
        cr_assert_eq(pby_projection_best(&best, &worst, &p, 12, NULL), PBY_OK);
        cr_assert(mpq_sgn(chance[worst.input * N + worst.result]) > 0 &&
                  mpq_sgn(chance[worst.other * N + worst.result]) > 0);
        mpq_div(x, utility[worst.other], utility[worst.input]);
        is_log_of(&best, x, 1);
        for (size_t j = 0; j < N; j++) {
            ulong low = 6, high = 0;
            for (size_t i = 0; i < N; i++) {
                const ulong u = mpz_get_ui(mpq_numref(utility[i]));
                if (mpq_sgn(chance[i * N + j]) > 0) {
                    low = u < low ? u : low;
                    high = u > high ? u : high;
                }
            }
            mpz_set_ui(mpq_numref(seen[j]), high == 0 ? 1 : low * high);
            mpz_mul_2exp(mpq_numref(seen[j]), mpq_numref(seen[j]), 80);
            mpz_sqrt(mpq_numref(seen[j]), mpq_numref(seen[j]));
            mpz_set_ui(mpq_denref(seen[j]), 1);
            mpz_mul_2exp(mpq_denref(seen[j]), mpq_denref(seen[j]), 40);
            mpq_canonicalize(seen[j]);
        }
        cr_assert_eq(pby_projection_epsilon(&epsilon, &worst, &p, theta, 12, NULL), PBY_OK);
        mpfr_sub(epsilon.hi, epsilon.hi, best.lo, MPFR_RNDU);
        cr_assert(mpfr_cmp_d(epsilon.hi, 1e-9) < 0 && mpfr_cmp_d(epsilon.hi, -1e-9) > 0);
        for (size_t j = 0; j < N; j++) {
            mpq_set_ui(seen[j], 8 + n_randint(state, 40), 8);
            mpq_canonicalize(seen[j]);
        }
        cr_assert_eq(pby_projection_epsilon(&epsilon, &worst, &p, theta, 12, NULL), PBY_OK);
        cr_assert(mpfr_cmp(epsilon.hi, best.lo) >= 0);
        pby_enclosure_clear(&best);
    }
    flint_randclear(state);
}

/* Fills the table for three records, each of which moves by itself; utilities add up. */
static void fill_many(void)
{
    for (size_t i = 0; i < TUPLES; i++) {
        mpq_set_ui(sums[i], 0, 1);
        mpq_set_ui(new_sums[i], 0, 1);
        for (size_t k = 0, a = i; k < 3; k++, a /= N) {
            mpq_add(sums[i], sums[i], utility[a % N]);
            mpq_add(new_sums[i], new_sums[i], seen[a % N]);
        }
        for (size_t j = 0; j < TUPLES; j++) {
            mpq_ptr all = many[i * TUPLES + j];
            mpq_set_ui(all, 1, 1);
            for (size_t k = 0, a = i, b = j; k < 3; k++, a /= N, b /= N)
                mpq_mul(all, all, chance[a % N * N + b % N]);
        }
    }
}

/* At theta 0 records decide about all databases where utilities add up; above 0 they do not.
 *
 * claims: Thresh/Definition 10 */
Test(projection, records_decide_about_databases_at_theta_0)
{
    flint_rand_t state;
    flint_randinit(state);
    for (ulong run = 0; run < 20; run++) {
        pby_enclosure all;
        pby_enclosure_init(&all);
        draw(run % 2, state);
        fill_many();
        mpq_set_ui(theta, 0, 1);
        cr_assert_eq(pby_projection_epsilon(&epsilon, &worst, &p, theta, 12, NULL), PBY_OK);
        cr_assert_eq(pby_projection_epsilon(&all, &worst, &of_many, theta, 12, NULL), PBY_OK);
        cr_assert(
            claims_is(CLAIMS_ALL, mpfr_equal_p(epsilon.lo, all.lo) && mpfr_equal_p(epsilon.hi, all.hi)));
        pby_enclosure_clear(&all);
    }
    flint_randclear(state);
    for (size_t i = 0; i < N; i++) { /* each record is moved away with a chance of an eighth */
        mpq_set_ui(utility[i], i + 1, 1);
        mpq_set_ui(seen[i], i + 1, 1);
        for (size_t j = 0; j < N; j++)
            mpq_set_ui(chance[i * N + j], i == j ? 7 : j == (i + 1) % N, 8);
    }
    fill_many();
    mpq_set_ui(x, 0, 1);
    cr_assert_eq(pby_projection_theta(theta, &worst, &p, x, NULL), PBY_OK);
    cr_assert_eq(mpq_cmp_ui(theta, 1, 8), 0);
    cr_assert_eq(pby_projection_theta(theta, &worst, &of_many, x, NULL), PBY_OK);
    cr_assert(mpq_cmp_ui(theta, 1, 8) > 0);
}

/* A utility below 0 is farther than any exp(epsilon) > 1 from itself, as the definition is printed: it is
 * refused.
 *
 * claims: Thresh/Definition 10 */
Test(projection, refusals)
{
    static const char *const identity[] = {"1", "0", "0", "1"}, *const half[] = {"1/2", "0", "0", "1"},
                             *const minus[] = {"1", "-1"}, *const good[] = {"1", "0"};
    pby_projection_words w = {identity, minus, good, 2, 2};
    pby_decimals answer;
    pby_error err;
    char *text;
    mpq_set_si(utility[0], -1, 1);
    mpq_set_ui(x, 2, 1);
    cr_assert(claims_is(CLAIMS_ALL, !near(utility[0], utility[0], x)));

    cr_assert_eq(pby_projection_epsilon_text(&answer, &worst, &w, "0", 9, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "utility: 2: expected a utility from 0 on");
    w.utility = good;
    w.seen = minus;
    cr_assert_eq(pby_projection_epsilon_text(&answer, &worst, &w, "0", 9, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "seen: 2: expected a utility from 0 on");
    cr_assert_eq(pby_projection_best_text(&answer, &worst, &w, 9, &err), PBY_OK);
    cr_assert_str_eq(answer.hi, "0");
    w.seen = good;
    cr_assert_eq(pby_projection_epsilon_text(&answer, &worst, &w, "1", 9, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "theta: expected a rational from 0 on, below 1");
    cr_assert_eq(pby_projection_theta_text(&text, &worst, &w, "-1", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "epsilon: expected a rational from 0 on");
    cr_assert_eq(pby_projection_theta_text(&text, &worst, &w, "one", &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "epsilon 'one'"));
    w.channel = half;
    cr_assert_eq(pby_projection_best_text(&answer, &worst, &w, 9, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "channel: input 1: expected chances that add up to 1");
    w.inputs = 0;
    cr_assert_eq(pby_projection_best_text(&answer, &worst, &w, 9, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "channel: expected from 1 to 1048576 chances");
}

/* 0 is near 0 alone, and a chance of exactly theta may be left out. */
Test(projection, edges)
{
    static const char *const table[] = {"7/8", "1/8", "0", "1"}, *const before[] = {"2", "0"},
                             *const after[] = {"2", "0"};
    const pby_projection_words w = {table, before, after, 2, 2};
    pby_decimals answer;
    char *text;
    cr_assert_eq(pby_projection_epsilon_text(&answer, &worst, &w, "1/9", 9, NULL), PBY_OK);
    cr_assert_str_eq(answer.lo, "inf");
    cr_assert(worst.input == 0 && worst.result == 1);
    cr_assert_eq(pby_projection_epsilon_text(&answer, &worst, &w, "1/8", 9, NULL), PBY_OK);
    cr_assert_str_eq(answer.hi, "0");
    cr_assert_eq(pby_projection_theta_text(&text, &worst, &w, "1e1000", NULL), PBY_OK);
    cr_assert_str_eq(text, "0.125");
    free(text);
    cr_assert_eq(pby_projection_best_text(&answer, &worst, &w, 9, NULL), PBY_OK);
    cr_assert_str_eq(answer.lo, "inf");
    cr_assert(worst.input == 1 && worst.result == 1 && worst.other == 0);
}
