/* SPDX-License-Identifier: MIT */
/* [Survey] section 8 on all laws of quarters over three outcomes, at orders 2 and 3: exp((order-1) D) is the
 * rational sum of P^order Q^(1-order). */
#include <arb.h>
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/claims/stlap.h"
#include "tests/exact/law.h"

enum { N = 3, TOTAL = 4, PREC = 128 };

typedef void each_pair(const exact_law *p, const exact_law *q);

/* All pairs of laws whose divergence is finite. */
static void pairs(each_pair *check)
{
    exact_law p, q;
    mpq_t m;
    unsigned long a[N], b[N];
    mpq_init(m);
    exact_init(&p, N);
    exact_init(&q, N);
    exact_first(a, N, TOTAL);
    do {
        exact_parts(&p, a, TOTAL);
        exact_first(b, N, TOTAL);
        do {
            exact_parts(&q, b, TOTAL);
            if (exact_moment(m, &p, &q, 2))
                check(&p, &q);
        } while (exact_next(b, N));
    } while (exact_next(a, N));
    exact_clear(&p);
    exact_clear(&q);
    mpq_clear(m);
}

/* epsilon + log(1/delta)/(2-1) has the exponential m/delta. */
static void check_conversion(const exact_law *p, const exact_law *q)
{
    mpq_t m, delta, x, found;
    mpq_inits(m, delta, x, found, NULL);
    cr_assert(exact_moment(m, p, q, 2));
    for (unsigned long d = 1; d < 12; d++) {
        mpq_set_ui(delta, d, 12);
        mpq_canonicalize(delta);
        mpq_div(x, m, delta);
        exact_hockey(found, p, q, x);
        cr_assert(claims_le("Survey/Theorem 8.4; Survey/Theorem 8.8", found, delta));
    }
    mpq_clears(m, delta, x, found, NULL);
}

/* claims: Survey/Theorem 8.4; Survey/Theorem 8.8 */
Test(claims_renyi, order_two_gives_a_delta)
{
    pairs(check_conversion);
}

/* Order 1 + 1/K, where the theorem gives little away: P and Q have two outcomes of the ratios ROOT^K and t^K,
 * so that the moment, E_P of the K-th root of the ratio, is rational. */
static void check_near_one(unsigned long t, unsigned long over)
{
    enum { K = 15, ROOT = 16, BITS = 60 };
    mpq_t r, s, a, m, delta, x, found;
    mpq_inits(r, s, a, m, delta, x, found, NULL);
    mpq_set_ui(r, 1UL << BITS, 1);
    mpq_set_ui(x, t, over);
    mpq_canonicalize(x);
    mpq_set_ui(s, 1, 1);
    for (int i = 0; i < K; i++)
        mpq_mul(s, s, x);
    /* a = (1 - s)/(1 - s/r) under P, a/r under Q: the other outcome has the ratio s. */
    mpq_set_ui(found, 1, 1);
    mpq_sub(a, found, s);
    mpq_div(m, s, r);
    mpq_sub(m, found, m);
    mpq_div(a, a, m);
    mpq_set_ui(m, ROOT, 1);
    mpq_mul(m, m, a);
    mpq_sub(found, found, a);
    mpq_mul(found, found, x);
    mpq_add(m, m, found);
    for (unsigned long d = 1; d < 24; d++) {
        mpq_set_ui(delta, d, 24);
        mpq_canonicalize(delta);
        mpq_div(found, m, delta);
        mpq_set_ui(x, 1, 1);
        for (int i = 0; i < K; i++)
            mpq_mul(x, x, found);
        mpq_div(x, x, r); /* found = max(0, a - x a/r), x = (m/delta)^K */
        mpq_mul(x, x, a);
        mpq_sub(found, a, x);
        if (mpq_sgn(found) < 0)
            mpq_set_ui(found, 0, 1);
        cr_assert(claims_le("Survey/Theorem 8.4; Survey/Theorem 8.8", found, delta));
    }
    mpq_clears(r, s, a, m, delta, x, found, NULL);
}

/* claims: Survey/Theorem 8.4; Survey/Theorem 8.8 */
Test(claims_renyi, orders_near_one_give_a_delta)
{
    for (unsigned long t = 1; t < 40; t++)
        check_near_one(t, 40);
}

static void check_orders(const exact_law *p, const exact_law *q)
{
    mpq_t two, three;
    mpq_inits(two, three, NULL);
    cr_assert(exact_moment(two, p, q, 2) && exact_moment(three, p, q, 3));
    mpq_mul(two, two, two); /* D_2 <= D_3: the square of the one against the other */
    cr_assert(claims_le("Survey/Theorem 8.5", two, three));
    mpq_clears(two, three, NULL);
}

/* claims: Survey/Theorem 8.5 */
Test(claims_renyi, grows_with_the_order)
{
    pairs(check_orders);
}

/* Maps of the output: two outcomes joined, and one that is split by a coin. */
static void check_map(const exact_law *p, const exact_law *q)
{
    static const size_t join[N] = {0, 1, 1};
    exact_law rows[N], a, b;
    mpq_t before, after;
    mpq_inits(before, after, NULL);
    exact_init(&a, N);
    exact_init(&b, N);
    for (size_t i = 0; i < N; i++) {
        exact_init(&rows[i], N);
        exact_set(&rows[i], i, 1, 2);
        exact_set(&rows[i], (i + 1) % N, 1, 2);
    }
    for (unsigned long order = 2; order <= 3; order++) {
        cr_assert(exact_moment(before, p, q, order));
        exact_push(&a, p, join);
        exact_push(&b, q, join);
        cr_assert(exact_moment(after, &a, &b, order) && claims_le("Survey/Theorem 8.11", after, before));
        exact_mix(&a, p, rows);
        exact_mix(&b, q, rows);
        cr_assert(exact_moment(after, &a, &b, order) && claims_le("Survey/Theorem 8.11", after, before));
    }
    for (size_t i = 0; i < N; i++)
        exact_clear(&rows[i]);
    exact_clear(&a);
    exact_clear(&b);
    mpq_clears(before, after, NULL);
}

/* claims: Survey/Theorem 8.11 */
Test(claims_renyi, a_map_of_the_output_loses_no_more)
{
    pairs(check_map);
}

/* An adaptive second mechanism: which of two pairs is used depends on the first outcome. Divergences add at
 * each order. */
static void check_sum(const exact_law *p, const exact_law *q)
{
    exact_law first[2], second[2];
    mpq_t whole, most, here, t;
    mpq_inits(whole, most, here, t, NULL);
    for (size_t i = 0; i < 2; i++) {
        exact_init(&first[i], 2);
        exact_init(&second[i], 2);
        exact_set(&first[i], 0, 1 + i, 4);
        exact_set(&first[i], 1, 3 - i, 4);
        exact_set(&second[i], 0, 1, 2);
        exact_set(&second[i], 1, 1, 2);
    }
    for (unsigned long order = 2; order <= 3; order++) {
        mpq_set_ui(whole, 0, 1);
        mpq_set_ui(most, 0, 1);
        for (size_t a = 0; a < N; a++) {
            cr_assert(exact_moment(here, &first[a % 2], &second[a % 2], order));
            if (mpq_cmp(here, most) > 0)
                mpq_set(most, here);
            if (mpq_sgn(p->p[a]) == 0)
                continue;
            mpq_set(t, p->p[a]);
            for (unsigned long k = 1; k < order; k++) {
                mpq_mul(t, t, p->p[a]);
                mpq_div(t, t, q->p[a]);
            }
            mpq_mul(t, t, here);
            mpq_add(whole, whole, t);
        }
        cr_assert(exact_moment(here, p, q, order));
        mpq_mul(here, here, most);
        cr_assert(claims_le("Survey/Theorem 8.6; Survey/Theorem 8.10", whole, here));
    }
    for (size_t i = 0; i < 2; i++) {
        exact_clear(&first[i]);
        exact_clear(&second[i]);
    }
    mpq_clears(whole, most, here, t, NULL);
}

/* claims: Survey/Theorem 8.6; Survey/Theorem 8.10 */
Test(claims_renyi, divergences_add)
{
    pairs(check_sum);
}

/* P(S)^2 <= exp(D_2) Q(S) for every event: (exp(epsilon) Q(S))^(1 - 1/alpha) at order 2. */
static void check_events(const exact_law *p, const exact_law *q)
{
    mpq_t m, here, there;
    mpq_inits(m, here, there, NULL);
    cr_assert(exact_moment(m, p, q, 2));
    for (unsigned set = 1; set < 1u << N; set++) {
        mpq_set_ui(here, 0, 1);
        mpq_set_ui(there, 0, 1);
        for (size_t i = 0; i < N; i++)
            if (set >> i & 1) {
                mpq_add(here, here, p->p[i]);
                mpq_add(there, there, q->p[i]);
            }
        mpq_mul(here, here, here);
        mpq_mul(there, there, m);
        cr_assert(claims_le("Survey/Definition 8.2, set form", here, there));
    }
    mpq_clears(m, here, there, NULL);
}

/* claims: Survey/Definition 8.2, set form */
Test(claims_renyi, order_two_bounds_events)
{
    pairs(check_events);
}

/* P = (1/5, 4/5), Q = (1/50, 49/50), order 2, exp(epsilon) = 2. Every event has P(S)^2 <= exp(epsilon) Q(S),
 * so that both the printed condition P(S) <= exp(epsilon) Q(S)^(1/2) and the sharper (exp(epsilon)
 * Q(S))^(1/2) hold; the divergence has exp(D) = 2 + 32/49.
 * claims: Survey/Definition 8.2, set form */
Test(claims_renyi, events_do_not_tell_the_divergence)
{
    exact_law p, q;
    mpq_t found, promised, t, u;
    mpq_inits(found, promised, t, u, NULL);
    exact_init(&p, 2);
    exact_init(&q, 2);
    exact_set(&p, 0, 1, 5);
    exact_set(&p, 1, 4, 5);
    exact_set(&q, 0, 1, 50);
    exact_set(&q, 1, 49, 50);
    mpq_set_ui(promised, 2, 1);
    for (size_t i = 0; i < 2; i++) {
        mpq_mul(t, p.p[i], p.p[i]);
        mpq_mul(u, promised, q.p[i]);
        cr_assert(mpq_cmp(t, u) <= 0);
    }
    cr_assert(exact_moment(found, &p, &q, 2));
    cr_assert(mpq_cmp(found, promised) > 0);
    claims_tell("Survey/Definition 8.2, set form", found, promised);
    exact_clear(&p);
    exact_clear(&q);
    mpq_clears(found, promised, t, u, NULL);
}

/* k uses of randomised response, the worst of the epsilon-private: the most likely of its outcomes by ratio,
 * all thresholds. With k for the n of the statement: log(P/Q) <= 2 epsilon sqrt(k log(1/Q)). */
static void check_event(unsigned long k, unsigned long least, const arb_t epsilon)
{
    arb_t p, q, truth, t, left, right;
    arb_init(p);
    arb_init(q);
    arb_init(truth);
    arb_init(t);
    arb_init(left);
    arb_init(right);
    arb_neg(t, epsilon);
    arb_exp(t, t, PREC);
    arb_add_ui(t, t, 1, PREC);
    arb_inv(truth, t, PREC); /* the chance of the truth */
    arb_sub_ui(right, truth, 1, PREC);
    arb_neg(right, right);
    for (unsigned long i = least; i <= k; i++) {
        arb_bin_uiui(left, k, i, PREC);
        arb_pow_ui(t, truth, i, PREC);
        arb_mul(t, t, left, PREC);
        arb_pow_ui(left, right, k - i, PREC);
        arb_addmul(p, t, left, PREC);
        arb_bin_uiui(left, k, i, PREC);
        arb_pow_ui(t, right, i, PREC);
        arb_mul(t, t, left, PREC);
        arb_pow_ui(left, truth, k - i, PREC);
        arb_addmul(q, t, left, PREC);
    }
    arb_div(left, p, q, PREC);
    arb_log(left, left, PREC);
    arb_log(right, q, PREC);
    arb_neg(right, right);
    arb_mul_ui(right, right, k, PREC);
    arb_sqrt(right, right, PREC);
    arb_mul(right, right, epsilon, PREC);
    arb_mul_2exp_si(right, right, 1);
    cr_assert(claims_lt_arb("Survey/Theorem 8.7", left, right), "k = %lu, from %lu on", k, least);
    arb_clear(p);
    arb_clear(q);
    arb_clear(truth);
    arb_clear(t);
    arb_clear(left);
    arb_clear(right);
}

/* claims: Survey/Theorem 8.7 */
Test(claims_renyi, events_of_many_uses)
{
    static const unsigned long hundredths[] = {1, 10, 50, 100, 300, 800};
    arb_t epsilon;
    arb_init(epsilon);
    for (size_t e = 0; e < sizeof hundredths / sizeof *hundredths; e++)
        for (unsigned long k = 1; k <= 12; k++)
            for (unsigned long least = 1; least <= k; least++) {
                arb_set_ui(epsilon, hundredths[e]);
                arb_div_ui(epsilon, epsilon, 100, PREC);
                check_event(k, least, epsilon);
            }
    arb_clear(epsilon);
}
