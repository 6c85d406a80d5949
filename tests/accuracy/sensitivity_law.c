/* SPDX-License-Identifier: MIT */
/* Error sensitivity against its definition, over random inputs: the reduction to single pairs loses nothing.
 *
 * All laws are in multiples of 1/PARTS, and so are the gammas; carriages between such laws may be taken in
 * the same multiples, so that no other law Y needs to be tried. */
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>

#include "tests/accuracy/make.h"
#include "tests/claims/decide.h"

enum { POINTS = 3, PARTS = 4, LAWS = 15, INSTANCES = 25 };

static mpq_t law[LAWS][POINTS];

static void list_laws(void)
{
    size_t n = 0;
    for (long a = 0; a <= PARTS; a++)
        for (long b = 0; a + b <= PARTS; b++, n++) {
            const long part[POINTS] = {a, b, PARTS - a - b};
            for (int i = 0; i < POINTS; i++) {
                mpq_init(law[n][i]);
                mpq_set_si(law[n][i], part[i], PARTS);
                mpq_canonicalize(law[n][i]);
            }
        }
    cr_assert_eq(n, LAWS);
}

static void clear_laws(void)
{
    for (size_t n = 0; n < LAWS; n++)
        for (int i = 0; i < POINTS; i++)
            mpq_clear(law[n][i]);
}

/* The law of f when its input has that law. */
static void push(mpq_t out[POINTS], const pby_finite_function *f, size_t of)
{
    for (int i = 0; i < POINTS; i++)
        mpq_set_ui(out[i], 0, 1);
    for (size_t i = 0; i < POINTS; i++)
        mpq_add(out[f->f[i]], out[f->f[i]], law[of][i]);
}

/* The least, over laws Y within alpha2 of X', of the lossy distance of m(X) from f(Y). */
static void least_error(pby_distance *out, const pby_finite_function *m, const pby_finite_function *f,
                        const pby_error_sensitivity_at *at, size_t x, size_t near)
{
    pby_distance here;
    mpq_t p[POINTS], q[POINTS], none;
    pby_distance_init(&here);
    mpq_init(none);
    for (int i = 0; i < POINTS; i++)
        mpq_inits(p[i], q[i], NULL);
    out->infinite = true;
    push(p, m, x);
    for (size_t y = 0; y < LAWS; y++) {
        cr_assert_eq(pby_metric_lossy(&here, law[near][0], law[y][0], at->distortion, POINTS, none, NULL),
                     PBY_OK);
        if (pby_distance_cmp(&here, at->alpha2) > 0)
            continue;
        push(q, f, y);
        cr_assert_eq(pby_metric_lossy(&here, p[0], q[0], at->output, POINTS, at->gamma2, NULL), PBY_OK);
        if (pby_distance_cmp(&here, out) < 0)
            pby_distance_set(out, &here);
    }
    for (int i = 0; i < POINTS; i++)
        mpq_clears(p[i], q[i], NULL);
    mpq_clear(none);
    pby_distance_clear(&here);
}

/* The greatest of these, over laws X and X' whose lossy distance is at most beta1. */
static void by_definition(pby_distance *out, const pby_finite_function *m, const pby_finite_function *f,
                          const pby_error_sensitivity_at *at)
{
    pby_distance apart, least;
    pby_distance_init(&apart);
    pby_distance_init(&least);
    mpq_set_ui(out->value, 0, 1);
    out->infinite = false;
    for (size_t x = 0; x < LAWS; x++)
        for (size_t near = 0; near < LAWS; near++) {
            cr_assert_eq(
                pby_metric_lossy(&apart, law[x][0], law[near][0], at->metric, POINTS, at->gamma1, NULL),
                PBY_OK);
            if (pby_distance_cmp(&apart, at->beta1) > 0)
                continue;
            least_error(&least, m, f, at, x, near);
            if (pby_distance_cmp(&least, out) > 0)
                pby_distance_set(out, &least);
        }
    pby_distance_clear(&least);
    pby_distance_clear(&apart);
}

/* Two functions, three metrics and the allowances, all at random; returns whether the answer was neither 0
 * nor infinite. */
static bool compare(flint_rand_t state, mpq_srcptr gamma1, mpq_srcptr gamma2)
{
    pby_distance *metric[3], alpha, beta, told, found;
    size_t of_m[POINTS], of_f[POINTS];
    const pby_finite_function m = {of_m, POINTS, POINTS}, f = {of_f, POINTS, POINTS};
    pby_distance_init(&alpha);
    pby_distance_init(&beta);
    pby_distance_init(&told);
    pby_distance_init(&found);
    mpq_set_ui(alpha.value, n_randint(state, 3), 1);
    mpq_set_ui(beta.value, n_randint(state, 3), 1);
    for (int i = 0; i < POINTS; i++) {
        of_m[i] = n_randint(state, POINTS);
        of_f[i] = n_randint(state, POINTS);
        metric[i] = random_distances(state, POINTS, 4, 1, 5);
    }
    const pby_error_sensitivity_at at = {metric[0], metric[1], metric[2], &alpha, &beta, gamma1, gamma2};
    cr_assert_eq(pby_error_sensitivity(&told, &m, &f, &at, NULL), PBY_OK);
    by_definition(&found, &m, &f, &at);
    cr_assert(claims_eq_text(CLAIMS_ALL, text_of(&told), text_of(&found)));
    const bool telling = !told.infinite && mpq_sgn(told.value) != 0;
    for (int i = 0; i < POINTS; i++)
        free_distances(metric[i], POINTS * POINTS);
    pby_distance_clear(&found);
    pby_distance_clear(&told);
    pby_distance_clear(&beta);
    pby_distance_clear(&alpha);
    return telling;
}

/* claims: Flex/Lemma 2 */
Test(sensitivity_law, of_the_error_is_that_of_single_pairs)
{
    static const unsigned long quarters[][2] = {{0, 0}, {0, 1}, {1, 1}, {2, 1}};
    flint_rand_t state;
    mpq_t gamma1, gamma2;
    flint_randinit(state);
    mpq_inits(gamma1, gamma2, NULL);
    list_laws();
    for (size_t i = 0; i < sizeof quarters / sizeof *quarters; i++) {
        int telling = 0;
        mpq_set_ui(gamma1, quarters[i][0], PARTS);
        mpq_set_ui(gamma2, quarters[i][1], PARTS);
        mpq_canonicalize(gamma1);
        mpq_canonicalize(gamma2);
        for (int j = 0; j < INSTANCES; j++)
            telling += compare(state, gamma1, gamma2);
        cr_assert_geq(telling, 3);
    }
    clear_laws();
    mpq_clears(gamma1, gamma2, NULL);
    flint_randclear(state);
}
