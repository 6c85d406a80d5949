/* SPDX-License-Identifier: MIT */
/* Sensitivities of random functions, against linear programmes written in another way, and against the
 * deterministic ones. */
#include "probity/experimental/random.h"

#include <criterion/criterion.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>
#include <string.h>

#include "tests/claims/decide.h"
#include "tests/exact/coupling.h"
#include "tests/exact/lp.h"

enum { N = 3, WHOLE = 4 };

static mpq_t chance[2][N * N], zero;
static pby_distance d[3][N * N], at[4];

static void set_up(void)
{
    mpq_init(zero);
    for (size_t i = 0; i < N * N; i++) {
        mpq_inits(chance[0][i], chance[1][i], NULL);
        for (size_t t = 0; t < 3; t++)
            pby_distance_init(&d[t][i]);
    }
    for (size_t i = 0; i < 4; i++)
        pby_distance_init(&at[i]);
}

static void tear_down(void)
{
    mpq_clear(zero);
    for (size_t i = 0; i < N * N; i++) {
        mpq_clears(chance[0][i], chance[1][i], NULL);
        for (size_t t = 0; t < 3; t++)
            pby_distance_clear(&d[t][i]);
    }
    for (size_t i = 0; i < 4; i++)
        pby_distance_clear(&at[i]);
}

TestSuite(random_function, .init = set_up, .fini = tear_down);

/* Chances in quarters, or 0 and 1. */
static void draw_function(mpq_t *out, bool map, flint_rand_t state)
{
    for (size_t i = 0; i < N; i++) {
        ulong left = WHOLE;
        const size_t value = n_randint(state, N);
        for (size_t j = 0; j < N; j++) {
            ulong mass = j + 1 < N ? n_randint(state, left + 1) : left;
            mass = map ? (j == value ? WHOLE : 0) : mass;
            left -= map ? 0 : mass;
            mpq_set_ui(out[i * N + j], mass, WHOLE);
            mpq_canonicalize(out[i * N + j]);
        }
    }
}

/* 0 on the diagonal; elsewhere 0 to 3, or infinite. */
static void draw_distances(pby_distance *out, flint_rand_t state)
{
    for (size_t i = 0; i < N * N; i++) {
        const ulong x = i % (N + 1) == 0 ? 0 : n_randint(state, 5);
        out[i].infinite = x == 4;
        mpq_set_ui(out[i].value, x == 4 ? 0 : x, 1);
    }
}

/* True if y is a mixture of f(x') over the inputs within r of x. */
static bool mixes(const exact_law *y, mpq_t *f, const pby_distance *row, const pby_distance *r)
{
    exact_lp lp;
    mpq_t best;
    mpq_init(best);
    exact_lp_init(&lp, N, N);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            if (pby_distance_cmp(&row[i], r) <= 0)
                mpq_set(exact_lp_at(&lp, j, i), f[i * N + j]);
    for (size_t j = 0; j < N; j++)
        mpq_set(lp.b[j], y->p[j]);
    const bool found = exact_lp_solve(&lp, best, NULL) == EXACT_OPTIMAL;
    exact_lp_clear(&lp);
    mpq_clear(best);
    return found;
}

/* Every choice of values, every r from 0 to 3. */
static void brute_sigma(pby_distance *out, mpq_t *f, const pby_distance *alpha)
{
    exact_law y;
    pby_distance r;
    exact_init(&y, N);
    pby_distance_init(&r);
    mpq_set_ui(out->value, 0, 1);
    out->infinite = false;
    for (size_t k = 0; k < N * N * N * N; k++) {
        const size_t x = k / (N * N * N), to[N] = {k % N, k / N % N, k / N / N % N};
        bool good = true;
        for (size_t b = 0; b < N; b++)
            mpq_set_ui(y.p[b], 0, 1);
        for (size_t b = 0; b < N; b++) {
            good = good && (mpq_sgn(f[x * N + b]) == 0 || pby_distance_cmp(&d[1][b * N + to[b]], alpha) <= 0);
            mpq_add(y.p[to[b]], y.p[to[b]], f[x * N + b]);
        }
        if (!good)
            continue;
        ulong least = 0;
        for (mpq_set_ui(r.value, 0, 1); least < 4 && !mixes(&y, f, &d[0][x * N], &r);)
            mpq_set_ui(r.value, ++least, 1);
        r.infinite = least == 4;
        if (r.infinite)
            mpq_set_ui(r.value, 0, 1);
        if (pby_distance_cmp(&r, out) > 0)
            pby_distance_set(out, &r);
    }
    pby_distance_clear(&r);
    exact_clear(&y);
}

Test(random_function, distortion_sensitivity_is_that_of_the_definition)
{
    flint_rand_t state;
    pby_distance found, expected;
    int finite = 0;
    flint_randinit(state);
    pby_distance_init(&found);
    pby_distance_init(&expected);
    for (int round = 0; round < 60; round++) {
        draw_function(chance[0], round % 4 == 0, state);
        draw_distances(d[0], state);
        draw_distances(d[1], state);
        draw_distances(d[2], state);
        mpq_set_ui(at[0].value, (ulong)(round % 3), 1);
        /* omega 0 and a metric that tells all values apart */
        for (size_t i = 0; i < N * N; i++) {
            d[2][i].infinite = false;
            mpq_set_ui(d[2][i].value, i % (N + 1) != 0, 1);
        }
        const pby_random_function f = {*chance[0], N, N};
        const pby_random_distortion_at asked = {d[0], d[1], d[2], &at[0], &at[1], zero};
        cr_assert_eq(pby_random_distortion_sensitivity(&found, &f, &asked, NULL), PBY_OK);
        brute_sigma(&expected, chance[0], &at[0]);
        cr_assert_eq(pby_distance_cmp(&found, &expected), 0, "round %d", round);
        finite += !found.infinite;
    }
    cr_assert_gt(finite, 5);
    pby_distance_clear(&expected);
    pby_distance_clear(&found);
    flint_randclear(state);
}

/* The sensitivities of maps agree with the functions for maps. */
Test(random_function, maps_have_the_sensitivities_of_maps)
{
    flint_rand_t state;
    pby_distance found, expected;
    mpq_t gamma;
    flint_randinit(state);
    pby_distance_init(&found);
    pby_distance_init(&expected);
    mpq_init(gamma);
    for (int round = 0; round < 60; round++) {
        size_t f[2][N];
        for (size_t t = 0; t < 2; t++) {
            draw_function(chance[t], true, state);
            for (size_t i = 0; i < N * N; i++)
                if (mpq_sgn(chance[t][i]) > 0)
                    f[t][i / N] = i % N;
        }
        for (size_t t = 0; t < 3; t++)
            draw_distances(d[t], state);
        mpq_set_ui(at[0].value, n_randint(state, 3), 1);
        mpq_set_ui(at[2].value, n_randint(state, 3), 1);
        mpq_set_ui(gamma, n_randint(state, 3), 4);
        mpq_canonicalize(gamma);
        const pby_finite_function one = {f[0], N, N}, two = {f[1], N, N};
        const pby_random_function m = {*chance[0], N, N}, g = {*chance[1], N, N};
        const pby_error_sensitivity_at asked = {d[0], d[1], d[2], &at[0], &at[2], zero, gamma};
        cr_assert_eq(pby_error_sensitivity(&expected, &one, &two, &asked, NULL), PBY_OK);
        cr_assert_eq(pby_random_error_sensitivity(&found, &m, &g, &asked, NULL), PBY_OK);
        cr_assert_eq(pby_distance_cmp(&found, &expected), 0, "round %d", round);
    }
    mpq_clear(gamma);
    pby_distance_clear(&expected);
    pby_distance_clear(&found);
    flint_randclear(state);
}

/* More allowance never asks for more distortion, and a loss of all asks for none. */
Test(random_function, a_relaxed_sensitivity_is_no_greater)
{
    flint_rand_t state;
    pby_distance strict, relaxed;
    mpq_t gamma;
    int smaller = 0;
    flint_randinit(state);
    pby_distance_init(&strict);
    pby_distance_init(&relaxed);
    mpq_init(gamma);
    for (int round = 0; round < 40; round++) {
        draw_function(chance[0], false, state);
        for (size_t t = 0; t < 3; t++)
            draw_distances(d[t], state);
        mpq_set_ui(at[0].value, 2, 1);
        mpq_set_ui(at[1].value, 0, 1);
        const pby_random_function f = {*chance[0], N, N};
        pby_random_distortion_at asked = {d[0], d[1], d[2], &at[0], &at[1], zero};
        cr_assert_eq(pby_random_distortion_sensitivity(&strict, &f, &asked, NULL), PBY_OK);
        mpq_set_ui(gamma, 1, 4);
        mpq_set_ui(at[1].value, 1, 1);
        asked.gamma = gamma;
        cr_assert_eq(pby_random_distortion_sensitivity(&relaxed, &f, &asked, NULL), PBY_OK);
        cr_assert_leq(pby_distance_cmp(&relaxed, &strict), 0);
        smaller += pby_distance_cmp(&relaxed, &strict) < 0 ? 1 : 0;
        mpq_set_ui(gamma, 1, 1);
        cr_assert_eq(pby_random_distortion_sensitivity(&relaxed, &f, &asked, NULL), PBY_OK);
        cr_assert(!relaxed.infinite && mpq_sgn(relaxed.value) == 0);
    }
    cr_assert_gt(smaller, 0);
    mpq_clear(gamma);
    pby_distance_clear(&relaxed);
    pby_distance_clear(&strict);
    flint_randclear(state);
}

/* out = the law of the second function's values behind those of the first */
static void compose(mpq_t *out, mpq_t *first, mpq_t *second)
{
    mpq_t part;
    mpq_init(part);
    for (size_t k = 0; k < N * N; k++) {
        mpq_set_ui(out[k], 0, 1);
        for (size_t b = 0; b < N; b++) {
            mpq_mul(part, first[k / N * N + b], second[b * N + k % N]);
            mpq_add(out[k], out[k], part);
        }
    }
    mpq_clear(part);
}

/* Different points of the line, so that distances add up. */
static void draw_line(pby_distance *out, flint_rand_t state)
{
    long at_[N];
    for (size_t i = 0; i < N; i++)
        at_[i] = (i == 0 ? 0 : at_[i - 1]) + 1 + (long)n_randint(state, 2);
    for (size_t k = 0; k < N * N; k++) {
        out[k].infinite = false;
        mpq_set_si(out[k].value, labs(at_[k / N] - at_[k % N]), 1);
    }
}

/* The error of m for f on the same input, which a distortion of `allowance` may change, but for gamma. */
static void error_of(pby_distance *out, mpq_t *m, mpq_t *f, const pby_distance *domain,
                     const pby_distance *metric, const pby_distance *beta, const pby_distance *allowance,
                     const pby_distance *output, mpq_srcptr gamma)
{
    const pby_random_function of_m = {*m, N, N}, of_f = {*f, N, N};
    const pby_error_sensitivity_at asked = {domain, metric, output, allowance, beta, zero, gamma};
    cr_assert_eq(pby_random_error_sensitivity(out, &of_m, &of_f, &asked, NULL), PBY_OK);
}

/* Random M1, f1, M2, f2 on three points of three lines: the error of M2 after M1, where inputs may be
 * distorted by s, the relaxed sensitivity, is at most tau and the metric sensitivity of f2 at omega.
 * claims: Flex/Remark 1 */
Test(random_function, a_relaxed_composition_holds)
{
    static mpq_t f1[N * N], f2[N * N], m1[N * N], m2[N * N], m[N * N], f[N * N];
    mpq_t *const all[] = {f1, f2, m1, m2, m, f};
    pby_distance beta1, tau, mu, s, found, none;
    mpq_t gamma, relaxed, sum;
    flint_rand_t state;
    int finite = 0;
    flint_randinit(state);
    mpq_inits(gamma, relaxed, sum, NULL);
    pby_distance *const distances[] = {&beta1, &tau, &mu, &s, &found, &none};
    for (size_t i = 0; i < 6; i++) {
        pby_distance_init(distances[i]);
        for (size_t k = 0; k < N * N; k++)
            mpq_init(all[i][k]);
    }
    for (int round = 0; round < 60; round++) {
        for (size_t i = 0; i < 4; i++)
            draw_function(all[i], false, state);
        for (size_t t = 0; t < 3; t++)
            draw_line(d[t], state);
        mpq_set_ui(gamma, n_randint(state, 3), 8);
        mpq_set_ui(relaxed, n_randint(state, 3), 8);
        mpq_canonicalize(gamma);
        mpq_canonicalize(relaxed);
        mpq_add(sum, gamma, relaxed);
        mpq_set_ui(at[0].value, n_randint(state, 3), 1); /* alpha2 */
        mpq_set_ui(at[1].value, n_randint(state, 3), 1); /* omega */
        error_of(&beta1, m1, f1, d[0], d[0], &none, &none, d[1], zero);
        error_of(&tau, m2, f2, d[1], d[1], &beta1, &at[0], d[2], gamma);
        error_of(&mu, f2, f2, d[1], d[1], &at[1], &none, d[2], zero);
        const pby_random_function first = {*f1, N, N};
        const pby_random_distortion_at asked = {d[0], d[1], d[1], &at[0], &at[1], relaxed};
        cr_assert_eq(pby_random_distortion_sensitivity(&s, &first, &asked, NULL), PBY_OK);
        if (s.infinite)
            continue;
        compose(m, m1, m2);
        compose(f, f1, f2);
        error_of(&found, m, f, d[0], d[0], &none, &s, d[2], sum);
        mpq_add(tau.value, tau.value, mu.value);
        cr_assert(claims_is(CLAIMS_ALL, pby_distance_cmp(&found, &tau) <= 0), "round %d", round);
        finite++;
    }
    cr_assert_gt(finite, 20);
    for (size_t i = 0; i < 6; i++) {
        pby_distance_clear(distances[i]);
        for (size_t k = 0; k < N * N; k++)
            mpq_clear(all[i][k]);
    }
    mpq_clears(gamma, relaxed, sum, NULL);
    flint_randclear(state);
}

/* A coupling on neighbours exists, by a linear programme. */
Test(random_function, keeps_neighbours_where_there_is_a_coupling)
{
    flint_rand_t state;
    exact_law p, q;
    mpq_t cost;
    int kept = 0;
    flint_randinit(state);
    exact_init(&p, N);
    exact_init(&q, N);
    mpq_init(cost);
    for (int round = 0; round < 80; round++) {
        bool before[N * N] = {false}, after[N * N] = {false}, allowed[N * N], expected = true, found;
        draw_function(chance[0], round % 3 == 0, state);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < i; j++) {
                before[i * N + j] = before[j * N + i] = n_randint(state, 2) == 0;
                after[i * N + j] = after[j * N + i] = n_randint(state, 2) == 0;
            }
        for (size_t k = 0; k < N * N; k++)
            allowed[k] = after[k] || k % (N + 1) == 0;
        for (size_t k = 0; k < N * N; k++) {
            if (!before[k])
                continue;
            for (size_t j = 0; j < N; j++) {
                mpq_set(p.p[j], chance[0][k / N * N + j]);
                mpq_set(q.p[j], chance[0][k % N * N + j]);
            }
            const exact_couple ask = {&p, &q, allowed, zero, NULL, NULL};
            expected = expected && exact_coupling(&ask, cost, NULL);
        }
        const pby_random_function f = {*chance[0], N, N};
        cr_assert_eq(pby_random_keeps_neighbours(&found, &f, before, after, NULL), PBY_OK);
        cr_assert_eq(found, expected, "round %d", round);
        kept += found ? 1 : 0;
    }
    cr_assert(kept > 5 && kept < 75, "%d", kept);
    mpq_clear(cost);
    exact_clear(&q);
    exact_clear(&p);
    flint_randclear(state);
}

Test(random_function, numbers_as_text)
{
    static const char *const half[] = {"1/2", "1/2", "0", "1"}, *const line[] = {"0", "1", "1", "0"};
    const pby_random_words f = {half, 2, 2};
    const bool near[] = {false, true, true, false}, none[] = {false, false, false, false};
    char *out;
    bool keeps;
    pby_error err;
    const pby_random_distortion_words plain = {line, line, line, "1", "0", "0"};
    cr_assert_eq(pby_random_distortion_sensitivity_text(&out, &f, &plain, NULL), PBY_OK);
    cr_assert_str_eq(out, "inf"); /* no mixture is 0 for certain */
    free(out);
    const pby_random_distortion_words loose = {line, line, line, "1", "0", "1/2"};
    cr_assert_eq(pby_random_distortion_sensitivity_text(&out, &f, &loose, NULL), PBY_OK);
    cr_assert_str_eq(out, "1");
    free(out);
    const pby_error_sensitivity_words asked = {line, line, line, "0", "1", "0", "1/4"};
    cr_assert_eq(pby_random_error_sensitivity_text(&out, &f, &f, &asked, NULL), PBY_OK);
    cr_assert_str_eq(out, "1");
    free(out);
    cr_assert_eq(pby_random_keeps_neighbours_text(&keeps, &f, near, near, NULL), PBY_OK);
    cr_assert(keeps);
    cr_assert_eq(pby_random_keeps_neighbours_text(&keeps, &f, near, none, NULL), PBY_OK);
    cr_assert_not(keeps);
    static const char *const short_of[] = {"1/2", "1/3", "0", "1"};
    const pby_random_words bad = {short_of, 2, 2};
    cr_assert_eq(pby_random_distortion_sensitivity_text(&out, &bad, &plain, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "function: input 1: expected chances that add up to 1");
}
