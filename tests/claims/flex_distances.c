/* SPDX-License-Identifier: MIT */
/* [Flex] on the lossy Wasserstein distance: every statement on all laws of thirds over three points, by
 * linear programming from the definition. The points 0, 1, 3 of the line, and losses of 0, 1/6, 1/3 and 1/2.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/claims/decide.h"
#include "tests/exact/coupling.h"

enum { N = 3, TOTAL = 3, LAWS = 10, LOSSES = 4 };

static exact_law law[LAWS];
static mpq_t d[N * N], gamma_of[LOSSES], w[LOSSES][LAWS][LAWS];

static void list_laws(void)
{
    unsigned long parts[N];
    size_t k = 0;
    exact_first(parts, N, TOTAL);
    do {
        exact_init(&law[k], N);
        exact_parts(&law[k++], parts, TOTAL);
    } while (exact_next(parts, N));
    cr_assert_eq(k, LAWS);
}

static void set_up(void)
{
    static const long at[N] = {0, 1, 3};
    list_laws();
    for (size_t k = 0; k < N * N; k++) {
        mpq_init(d[k]);
        mpq_set_si(d[k], labs(at[k / N] - at[k % N]), 1);
    }
    for (unsigned long g = 0; g < LOSSES; g++) {
        mpq_init(gamma_of[g]);
        mpq_set_ui(gamma_of[g], g, 6);
        mpq_canonicalize(gamma_of[g]);
        for (size_t i = 0; i < LAWS; i++)
            for (size_t j = 0; j < LAWS; j++) {
                mpq_init(w[g][i][j]);
                exact_distance(w[g][i][j], &law[i], &law[j], d, gamma_of[g]);
            }
    }
}

static void tear_down(void)
{
    for (size_t k = 0; k < N * N; k++)
        mpq_clear(d[k]);
    for (size_t g = 0; g < LOSSES; g++) {
        mpq_clear(gamma_of[g]);
        for (size_t k = 0; k < LAWS * LAWS; k++)
            mpq_clear(w[g][k / LAWS][k % LAWS]);
    }
    for (size_t k = 0; k < LAWS; k++)
        exact_clear(&law[k]);
}

TestSuite(claims_distance, .init = set_up, .fini = tear_down);

/* claims: Flex/Lemma 1; Flex/Lemma 7; Robust/Claim 2; Robust/Claim 3 */
Test(claims_distance, triangle_with_losses_added)
{
    mpq_t sum;
    mpq_init(sum);
    for (size_t a = 0; a < LOSSES; a++)
        for (size_t b = 0; a + b < LOSSES; b++)
            for (size_t k = 0; k < LAWS * LAWS * LAWS; k++) {
                const size_t i = k % LAWS, j = k / LAWS % LAWS, l = k / LAWS / LAWS;
                mpq_add(sum, w[a][i][j], w[b][j][l]);
                cr_assert(claims_le("Flex/Lemma 1; Flex/Lemma 7; Robust/Claim 2; Robust/Claim 3",
                                    w[a + b][i][l], sum));
            }
    mpq_clear(sum);
}

static void marginals(exact_law *first, exact_law *second, const exact_law *phi)
{
    for (size_t i = 0; i < N; i++) {
        mpq_set_ui(first->p[i], 0, 1);
        mpq_set_ui(second->p[i], 0, 1);
        for (size_t j = 0; j < N; j++) {
            mpq_add(first->p[i], first->p[i], phi->p[i * N + j]);
            mpq_add(second->p[i], second->p[i], phi->p[j * N + i]);
        }
    }
}

/* For each loss gamma and each part of it there are P', Q' at those distances whose W-infinity is the lossy
 * one; and no P', Q' of thirds within gamma have a smaller one.
 * claims: Flex/Lemma 3; Flex/Claim 1 */
Test(claims_distance, any_part_of_the_loss_on_either_side)
{
    bool allowed[N * N];
    exact_law phi, p, q;
    mpq_t none, rest, off, zero;
    mpq_inits(none, rest, off, zero, NULL);
    exact_init(&phi, N * N);
    exact_init(&p, N);
    exact_init(&q, N);
    for (size_t g = 0; g < LOSSES; g++)
        for (size_t k = 0; k < LAWS * LAWS; k++)
            for (size_t part = 0; part <= g; part++) {
                const size_t i = k / LAWS, j = k % LAWS;
                for (size_t e = 0; e < N * N; e++)
                    allowed[e] = mpq_cmp(d[e], w[g][i][j]) <= 0;
                mpq_sub(rest, gamma_of[g], gamma_of[part]);
                const exact_couple ask = {&law[i], &law[j], allowed, gamma_of[part], rest, NULL};
                cr_assert(claims_is("Flex/Claim 1", exact_coupling(&ask, none, &phi)));
                marginals(&p, &q, &phi);
                exact_variation(off, &law[i], &p);
                cr_assert(mpq_cmp(off, gamma_of[part]) <= 0);
                exact_variation(off, &law[j], &q);
                cr_assert(mpq_cmp(off, rest) <= 0);
                exact_distance(off, &p, &q, d, zero);
                cr_assert(claims_eq("Flex/Lemma 3", off, w[g][i][j]));
            }
    for (size_t k = 0; k < LAWS * LAWS * LAWS * LAWS; k++) {
        const size_t i = k % LAWS, j = k / LAWS % LAWS, a = k / LAWS / LAWS % LAWS,
                     b = k / LAWS / LAWS / LAWS;
        exact_variation(off, &law[i], &law[a]);
        exact_variation(rest, &law[j], &law[b]);
        mpq_add(off, off, rest);
        for (size_t g = 0; g < LOSSES; g++)
            if (mpq_cmp(off, gamma_of[g]) <= 0)
                cr_assert(mpq_cmp(w[g][i][j], w[0][a][b]) <= 0);
    }
    exact_clear(&phi);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(none, rest, off, zero, NULL);
}

/* The construction in the proof of Lemma 3: P' between P and the first marginal of phi, phi scaled along.
 * claims: Flex/Claim 8 */
Test(claims_distance, scaling_a_coupling_loses_no_more)
{
    bool allowed[N * N];
    exact_law phi, p, q, shrunk;
    mpq_t none, off, part, limit, t;
    mpq_inits(none, off, part, limit, t, NULL);
    exact_init(&phi, N * N);
    exact_init(&p, N);
    exact_init(&q, N);
    exact_init(&shrunk, N);
    for (size_t g = 1; g < LOSSES; g++)
        for (size_t k = 0; k < LAWS * LAWS; k++)
            for (unsigned long num = 0; num < 2; num++) {
                const exact_law *P = &law[k / LAWS], *Q = &law[k % LAWS];
                for (size_t e = 0; e < N * N; e++)
                    allowed[e] = mpq_cmp(d[e], w[g][k / LAWS][k % LAWS]) <= 0;
                const exact_couple ask = {P, Q, allowed, gamma_of[g], NULL, NULL};
                cr_assert(exact_coupling(&ask, none, &phi));
                marginals(&p, &q, &phi);
                exact_variation(off, P, &p); /* gamma_opt; gamma_1 is none or half of it */
                for (size_t i = 0; i < N; i++) {
                    mpq_sub(t, p.p[i], P->p[i]);
                    mpq_set_ui(part, num, 2);
                    mpq_mul(t, t, part);
                    mpq_add(shrunk.p[i], P->p[i], t);
                }
                for (size_t j = 0; j < N; j++) {
                    mpq_set_ui(q.p[j], 0, 1);
                    for (size_t i = 0; i < N; i++) {
                        if (mpq_sgn(p.p[i]) == 0) {
                            mpq_set(t, shrunk.p[i]);
                            if (i != j)
                                mpq_set_ui(t, 0, 1);
                        } else {
                            mpq_div(t, shrunk.p[i], p.p[i]);
                            mpq_mul(t, t, phi.p[i * N + j]);
                        }
                        mpq_add(q.p[j], q.p[j], t);
                    }
                }
                mpq_mul(part, off, part);
                mpq_sub(limit, gamma_of[g], part);
                exact_variation(off, Q, &q);
                cr_assert(claims_le("Flex/Claim 8", off, limit));
            }
    exact_clear(&phi);
    exact_clear(&p);
    exact_clear(&q);
    exact_clear(&shrunk);
    mpq_clears(none, off, part, limit, t, NULL);
}

/* claims: Flex/Lemma 8 */
Test(claims_distance, the_average_and_the_greatest)
{
    mpq_t average, apart;
    mpq_inits(average, apart, NULL);
    for (size_t g = 0; g < LOSSES; g++)
        for (size_t k = 0; k < LAWS * LAWS; k++) {
            exact_average(average, &law[k / LAWS], &law[k % LAWS], d, gamma_of[g]);
            cr_assert(claims_le("Flex/Lemma 8", average, w[g][k / LAWS][k % LAWS]));
            for (size_t more = g + 1; more < LOSSES; more++) {
                mpq_sub(apart, gamma_of[more], gamma_of[g]);
                mpq_mul(apart, apart, w[more][k / LAWS][k % LAWS]);
                cr_assert(claims_le("Flex/Lemma 8", apart, average));
            }
        }
    mpq_clears(average, apart, NULL);
}

/* A quasi-metric that is not symmetric, carried over to laws by couplings that lose nothing.
 * claims: Flex/Lemma 12 */
Test(claims_distance, a_quasi_metric_of_laws)
{
    static const long one_way[N * N] = {0, 1, 2, 3, 0, 1, 2, 3, 0};
    mpq_t quasi[N * N], far[LAWS * LAWS], sum, zero;
    mpq_inits(sum, zero, NULL);
    for (size_t k = 0; k < N * N; k++) {
        mpq_init(quasi[k]);
        mpq_set_si(quasi[k], one_way[k], 1);
    }
    for (size_t k = 0; k < LAWS * LAWS; k++) {
        mpq_init(far[k]);
        exact_distance(far[k], &law[k / LAWS], &law[k % LAWS], quasi, zero);
        cr_assert_eq(mpq_sgn(far[k]) == 0, k / LAWS == k % LAWS);
    }
    for (size_t k = 0; k < LAWS * LAWS * LAWS; k++) {
        const size_t i = k % LAWS, j = k / LAWS % LAWS, l = k / LAWS / LAWS;
        mpq_add(sum, far[i * LAWS + j], far[j * LAWS + l]);
        cr_assert(claims_le("Flex/Lemma 12", far[i * LAWS + l], sum));
    }
    for (size_t k = 0; k < LAWS * LAWS; k++)
        mpq_clear(far[k]);
    for (size_t k = 0; k < N * N; k++)
        mpq_clear(quasi[k]);
    mpq_clears(sum, zero, NULL);
}
