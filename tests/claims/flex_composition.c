/* SPDX-License-Identifier: MIT */
/* [Flex] Lemma 4 and Theorem 1 on small sets, the existence of the random inputs decided by linear
 * programming. M1 is random; f1, M2 and f2 are maps, for which the error sensitivity is known
 * (docs/theory/accuracy.md). */
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>

#include "tests/claims/decide.h"
#include "tests/exact/law.h"
#include "tests/exact/lp.h"

enum { N = 3, MOST = 4, INSTANCES = 400 };

typedef struct {
    long input[N * N], middle[N * N], distance[N * N],
        output[N * N]; /* distortions of A and B, metrics of B and C */
    size_t f1[N], m2[N], f2[N];
    exact_law m1[N];
} instance;

/* Random numbers 1..3 off the diagonal, made to keep the triangle inequality. */
static void quasi_metric(long *d, flint_rand_t state, bool symmetric)
{
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            d[i * N + j] = i == j ? 0 : symmetric && j < i ? d[j * N + i] : 1 + (long)n_randint(state, 3);
    for (size_t k = 0; k < N; k++)
        for (size_t e = 0; e < N * N; e++)
            if (d[e] > d[e / N * N + k] + d[k * N + e % N])
                d[e] = d[e / N * N + k] + d[k * N + e % N];
}

static void draw(instance *s, flint_rand_t state)
{
    quasi_metric(s->input, state, false);
    quasi_metric(s->middle, state, false);
    quasi_metric(s->distance, state, true);
    quasi_metric(s->output, state, true);
    for (size_t i = 0; i < N; i++) {
        unsigned long parts[N] = {0, 0, 0};
        s->f1[i] = n_randint(state, N);
        s->m2[i] = n_randint(state, N);
        s->f2[i] = n_randint(state, N);
        for (int k = 0; k < 4; k++)
            parts[n_randint(state, N)]++;
        exact_parts(&s->m1[i], parts, 4);
    }
}

/* True if some law X on the points within `reach` of x (by the distortion) has f(X) within `far` of the law
 * `m` but for gamma/4: mass 1 - gamma/4 is carried from m to f(X). Columns: the carriage, X, what stays, what
 * stays empty, the surplus. */
static bool explained(const exact_law *m, const size_t *f, const long *distortion, size_t x, long reach,
                      const long *distance, long far, unsigned long gamma)
{
    exact_lp lp;
    mpq_t best;
    mpq_init(best);
    exact_lp_init(&lp, 2 * N + 2, N * N + 3 * N + 1);
    for (size_t b = 0; b < N; b++) {
        for (size_t c = 0; c < N; c++)
            if (distance[b * N + c] <= far) {
                mpq_set_si(exact_lp_at(&lp, b, b * N + c), 1, 1);
                mpq_set_si(exact_lp_at(&lp, N + c, b * N + c), 1, 1);
                mpq_set_si(exact_lp_at(&lp, 2 * N + 1, b * N + c), 1, 1);
            }
        mpq_set_si(exact_lp_at(&lp, b, N * N + N + b), 1, 1);
        mpq_set_si(exact_lp_at(&lp, N + b, N * N + 2 * N + b), 1, 1);
        mpq_set(lp.b[b], m->p[b]);
        if (distortion[x * N + b] <= reach) { /* the input b */
            mpq_set_si(exact_lp_at(&lp, N + f[b], N * N + b), -1, 1);
            mpq_set_si(exact_lp_at(&lp, 2 * N, N * N + b), 1, 1);
        }
    }
    mpq_set_ui(lp.b[2 * N], 1, 1);
    mpq_set_si(exact_lp_at(&lp, 2 * N + 1, N * N + 3 * N), -1, 1);
    mpq_set_ui(lp.b[2 * N + 1], 4 - gamma, 4);
    mpq_canonicalize(lp.b[2 * N + 1]);
    const bool found = exact_lp_solve(&lp, best, NULL) == EXACT_OPTIMAL;
    exact_lp_clear(&lp);
    mpq_clear(best);
    return found;
}

/* sigma_f1(alpha): the greatest, over x and y near f1(x), of the nearest input with the value y; MOST + 1 if
 * there is none. */
static long sigma(const instance *s, long alpha)
{
    long most = 0;
    for (size_t x = 0; x < N; x++)
        for (size_t y = 0; y < N; y++) {
            long least = MOST + 1;
            for (size_t a = 0; a < N; a++)
                if (s->f1[a] == y && s->input[x * N + a] < least)
                    least = s->input[x * N + a];
            if (s->middle[s->f1[x] * N + y] <= alpha && least > most)
                most = least;
        }
    return most;
}

static long tau(const instance *s, long alpha, long beta)
{
    long most = 0;
    for (size_t e = 0; e < N * N; e++) {
        long least = MOST + 1;
        for (size_t y = 0; y < N; y++)
            if (s->middle[e % N * N + y] <= alpha && s->output[s->m2[e / N] * N + s->f2[y]] < least)
                least = s->output[s->m2[e / N] * N + s->f2[y]];
        if (s->distance[e] <= beta && least > most)
            most = least;
    }
    return most;
}

/* The least beta1 of M1 for f1 with the allowances alpha1 and gamma1. */
static long error(const instance *s, long alpha, unsigned long gamma)
{
    long most = 0;
    for (size_t x = 0; x < N; x++)
        while (!explained(&s->m1[x], s->f1, s->input, x, alpha, s->distance, most, gamma))
            most++;
    return most;
}

/* claims: Flex/Theorem 1 */
Test(claims_composition, of_accuracies)
{
    instance s;
    flint_rand_t state;
    exact_law behind;
    int told = 0;
    flint_randinit(state);
    exact_init(&behind, N);
    for (size_t i = 0; i < N; i++)
        exact_init(&s.m1[i], N);
    for (int k = 0; k < INSTANCES; k++) {
        draw(&s, state);
        const long a1 = (long)n_randint(state, 3), a2 = (long)n_randint(state, 3), moved = sigma(&s, a2);
        const unsigned long g2 = n_randint(state, 3), g1 = n_randint(state, g2 + 1);
        const long beta = tau(&s, a2, error(&s, a1, g1));
        size_t f[N];
        if (moved > MOST || beta > MOST)
            continue;
        told++;
        for (size_t i = 0; i < N; i++)
            f[i] = s.f2[s.f1[i]];
        for (size_t x = 0; x < N; x++) {
            exact_push(&behind, &s.m1[x], s.m2);
            const bool found = explained(&behind, f, s.input, x, a1 + moved, s.output, beta, g2);
            cr_assert(claims_is("Flex/Theorem 1", found), "instance %d, input %zu", k, x);
        }
    }
    cr_assert(told > INSTANCES / 10);
    for (size_t i = 0; i < N; i++)
        exact_clear(&s.m1[i]);
    exact_clear(&behind);
    flint_randclear(state);
}

/* True if a coupling of X0 with some X, on pairs within `reach`, has f1(X) = Y. */
static bool followed(const instance *s, const exact_law *x0, const exact_law *y, long reach)
{
    exact_lp lp;
    mpq_t best;
    mpq_init(best);
    exact_lp_init(&lp, 2 * N, N * N);
    for (size_t e = 0; e < N * N; e++)
        if (s->input[e] <= reach) {
            mpq_set_ui(exact_lp_at(&lp, e / N, e), 1, 1);
            mpq_set_ui(exact_lp_at(&lp, N + s->f1[e % N], e), 1, 1);
        }
    for (size_t i = 0; i < N; i++) {
        mpq_set(lp.b[i], x0->p[i]);
        mpq_set(lp.b[N + i], y->p[i]);
    }
    const bool found = exact_lp_solve(&lp, best, NULL) == EXACT_OPTIMAL;
    exact_lp_clear(&lp);
    mpq_clear(best);
    return found;
}

/* All X0 and Y of halves, and f1 a map: f1(X0) within alpha of Y gives an X within sigma(alpha) of X0 with
 * f1(X) = Y.
 * claims: Flex/Lemma 4 */
Test(claims_composition, a_distortion_of_values_is_one_of_inputs)
{
    static const size_t same[N] = {0, 1, 2};
    instance s;
    flint_rand_t state;
    exact_law x0, y, value;
    unsigned long a[N], b[N];
    int told = 0;
    flint_randinit(state);
    exact_init(&x0, N);
    exact_init(&y, N);
    exact_init(&value, N);
    for (size_t i = 0; i < N; i++)
        exact_init(&s.m1[i], N);
    for (int k = 0; k < 60; k++) {
        draw(&s, state);
        const long alpha = (long)n_randint(state, 3), moved = sigma(&s, alpha);
        if (moved > MOST)
            continue;
        exact_first(a, N, 2);
        do {
            exact_parts(&x0, a, 2);
            exact_push(&value, &x0, s.f1);
            exact_first(b, N, 2);
            do {
                instance near = s;
                exact_parts(&y, b, 2);
                for (size_t e = 0; e < N * N;
                     e++) /* f1(X0) within alpha of Y: the same question of the identity on B */
                    near.input[e] = s.middle[e];
                for (size_t i = 0; i < N; i++)
                    near.f1[i] = same[i];
                if (!followed(&near, &value, &y, alpha))
                    continue;
                told++;
                cr_assert(claims_is("Flex/Lemma 4", followed(&s, &x0, &y, moved)));
            } while (exact_next(b, N));
        } while (exact_next(a, N));
    }
    cr_assert(told > 100);
    for (size_t i = 0; i < N; i++)
        exact_clear(&s.m1[i]);
    exact_clear(&x0);
    exact_clear(&y);
    exact_clear(&value);
    flint_randclear(state);
}
