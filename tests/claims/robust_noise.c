/* SPDX-License-Identifier: MIT */
/* [Robust] on noise that is to make outputs hard to tell apart. */
#include <arb.h>
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>

#include "number/ball.h"
#include "probity/experimental/accuracy.h"
#include "probity/rational.h"
#include "tests/claims/decide.h"
#include "tests/claims/report.h"
#include "tests/exact/coupling.h"

enum { PREC = 128 };

/* Laplace noise of scale 1 on the inputs -log 2 or log 2 evenly, against 0. With t >= 0 the outputs have
 * tails 1/2 - sinh(t)/4 up to log 2 and 5/4 of the other's tail exp(-t)/2 from there on: where the first has
 * a tail the second has it t' before, t - t' = log(exp(t) - sinh(t) exp(t)/2) <= log(5/4). So they are within
 * log(5/4), the scale is rho/epsilon for epsilon = log(5/4), and delta 0 is promised at theta = 0. The
 * density at 0 is twice the other's.
 *
 * claims: Robust/Lemma 1; Robust/Theorem 1; Robust/Theorem 2; Robust/Theorem 7 */
Test(claims_robust, noise_brings_laws_nearer_than_it_hides_them)
{
    arb_t t, x, y, delta, zero;
    arb_init(t);
    arb_init(x);
    arb_init(y);
    arb_init(delta);
    arb_init(zero);
    for (ulong i = 0; i <= 200; i++) { /* the quantiles are within log(5/4) */
        arb_const_log2(t, PREC);
        arb_mul_ui(t, t, i, PREC);
        arb_div_ui(t, t, 200, PREC);
        arb_exp(x, t, PREC);
        arb_sinh(y, t, PREC);
        arb_mul_2exp_si(y, y, -1);
        arb_sub_ui(y, y, 1, PREC);
        arb_neg(y, y);
        arb_mul(x, x, y, PREC);
        arb_mul_2exp_si(x, x, 2);
        arb_sub_ui(x, x, 5, PREC);
        cr_assert(!arb_is_positive(x), "at %lu of 200", i);
        arb_add_ui(x, x, 1, PREC);
        cr_assert(!arb_is_negative(x));
    }
    /* delta at log(5/4): the integral of max(0, exp(-|t|)/2 - (5/4) cosh(t)/4), which is above 0 up to
     * exp(2t) = 11/5 */
    arb_set_ui(t, 11);
    arb_div_ui(t, t, 5, PREC);
    arb_sqrt(t, t, PREC);
    arb_inv(x, t, PREC);
    arb_sub(y, t, x, PREC); /* 2 sinh */
    arb_mul_ui(y, y, 5, PREC);
    arb_mul_2exp_si(y, y, -4);
    arb_one(delta);
    arb_sub(delta, delta, x, PREC);
    arb_sub(delta, delta, y, PREC);
    cr_assert_float_eq(arf_get_d(arb_midref(delta), ARF_RND_NEAR), 0.07299, 1e-4);
    claims_tell_arb("Robust/Lemma 1", delta, zero);
    claims_tell_arb("Robust/Theorem 1", delta, zero);
    claims_tell_arb("Robust/Theorem 2", delta, zero);
    claims_tell_arb("Robust/Theorem 7", delta, zero);
    arb_clear(zero);
    arb_clear(delta);
    arb_clear(y);
    arb_clear(x);
    arb_clear(t);
}

/* P(R <= s) of geometric noise with a = 2/3. */
static void below(mpq_t out, long s)
{
    mpq_set_ui(out, 1, 1);
    for (long i = 0; i < (s < 0 ? -s : s + 1); i++) {
        mpz_mul_ui(mpq_numref(out), mpq_numref(out), 2);
        mpz_mul_ui(mpq_denref(out), mpq_denref(out), 3);
    }
    mpq_t x;
    mpq_init(x);
    mpq_set_ui(x, 3, 5);
    mpq_mul(out, out, x);
    if (s >= 0) {
        mpq_set_ui(x, 1, 1);
        mpq_sub(out, x, out);
    }
    mpq_clear(x);
}

/* The distance of -2 or 2 evenly from 0, by linear programming. */
static void input_distance(mpq_t out)
{
    enum { N = 3 };
    exact_law p, q;
    mpq_t d[N * N], zero;
    mpq_init(zero);
    exact_init(&p, N);
    exact_init(&q, N);
    exact_set(&p, 0, 1, 2);
    exact_set(&p, 2, 1, 2);
    exact_set(&q, 1, 1, 1);
    for (long k = 0; k < N * N; k++) {
        mpq_init(d[k]);
        mpq_set_si(d[k], 2 * labs(k / N - k % N), 1);
    }
    exact_distance(out, &p, &q, d, zero);
    for (size_t k = 0; k < N * N; k++)
        mpq_clear(d[k]);
    exact_clear(&q);
    exact_clear(&p);
    mpq_clear(zero);
}

/* -2 or 2 evenly, against 0: inputs 2 apart, every atom. With noise of ratio 2/3 the cdfs are within one
 * step: up to 12 by their values, beyond as there both go on by powers of 2/3.
 *
 * claims: Robust/Claim 1 */
Test(claims_robust, noise_shrinks_distances)
{
    mpq_t p, q, x, one, two;
    mpq_inits(p, q, x, one, two, NULL);
    for (long t = -12; t <= 12; t++) {
        below(p, t - 2);
        below(x, t + 2);
        mpq_add(p, p, x);
        mpq_div_2exp(p, p, 1);
        below(q, t + 1);
        cr_assert(mpq_cmp(p, q) <= 0, "at %ld", t);
        below(q, t - 1);
        cr_assert(mpq_cmp(p, q) >= 0, "at %ld", t);
    }
    mpq_set_ui(one, 1, 1);
    input_distance(two);
    claims_tell("Robust/Claim 1", one, two);
    mpq_clears(p, q, x, one, two, NULL);
}

/* 0, against 0 or 1 evenly, theta = 1/4: with a loss of 1/4 in all a quarter must still go from 0 to 1. When
 * either side may lose 1/4, both become 0 with 3/4 and 1 with 1/4.
 *
 * claims: Robust/Claim 3 */
Test(claims_robust, a_loss_on_either_side_is_lost_twice)
{
    exact_law p, q;
    mpq_t d[4], theta, once, zero;
    bool here[4] = {true, false, false, true};
    exact_init(&p, 2);
    exact_init(&q, 2);
    exact_set(&p, 0, 1, 1);
    exact_set(&q, 0, 1, 2);
    exact_set(&q, 1, 1, 2);
    mpq_inits(theta, once, zero, NULL);
    for (size_t i = 0; i < 4; i++) {
        mpq_init(d[i]);
        mpq_set_ui(d[i], i == 1 || i == 2, 1);
    }
    mpq_set_ui(theta, 1, 4);
    exact_distance(once, &p, &q, d, theta);
    cr_assert_eq(mpq_cmp_ui(once, 1, 1), 0);
    const exact_couple either = {&p, &q, here, theta, theta, NULL};
    mpq_t cost;
    mpq_init(cost);
    cr_assert(exact_coupling(&either, cost, NULL)); /* at distance 0 */
    mpq_clear(cost);
    claims_tell("Robust/Claim 3", once, zero);
    for (size_t i = 0; i < 4; i++)
        mpq_clear(d[i]);
    mpq_clears(theta, once, zero, NULL);
    exact_clear(&q);
    exact_clear(&p);
}

/* ---- what holds -------------------------------------------------------------------------------- */

/* The sum of two independent variables, as a measure: positions a[i] + b[j]. */
static pby_measure *sum_of(const ulong *p, const ulong *r, size_t n)
{
    pby_measure *m;
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    cr_assert_eq(pby_measure_new(&m, NULL), PBY_OK);
    for (size_t k = 0; k < n * n; k++) {
        mpq_set_ui(at, k / n + 2 * (k % n), 1);
        mpq_set_ui(mass, p[k / n] * r[k % n], 1);
        cr_assert_eq(pby_measure_add(m, at, mass, NULL), PBY_OK);
    }
    mpq_clears(at, mass, NULL);
    return m;
}

/* Neither distance grows, at any loss: random laws on 0 to 3, noise on 0, 2, 4 and 6.
 * claims: Robust/Claim 1 */
Test(claims_robust, noise_never_makes_distances_greater)
{
    enum { N = 4 };
    static const ulong none[N] = {1, 0, 0, 0};
    flint_rand_t state;
    mpq_t gamma, before, after;
    int smaller = 0;
    flint_randinit(state);
    mpq_inits(gamma, before, after, NULL);
    for (int round = 0; round < 200; round++) {
        ulong p[N], q[N], r[N];
        for (size_t i = 0; i < N; i++) {
            p[i] = n_randint(state, 4) + (i == 0);
            q[i] = n_randint(state, 4) + (i == 1);
            r[i] = n_randint(state, 3) + (i == 0);
        }
        mpq_set_ui(gamma, n_randint(state, 4), 12);
        mpq_canonicalize(gamma);
        pby_measure *const m[] = {sum_of(p, none, N), sum_of(q, none, N), sum_of(p, r, N), sum_of(q, r, N)};
        cr_assert_eq(pby_lossy_distance(before, m[0], m[1], gamma, NULL), PBY_OK);
        cr_assert_eq(pby_lossy_distance(after, m[2], m[3], gamma, NULL), PBY_OK);
        cr_assert(claims_le("Robust/Claim 1", after, before), "round %d", round);
        smaller += mpq_cmp(after, before) < 0 ? 1 : 0;
        cr_assert_eq(pby_lossy_average(before, m[0], m[1], gamma, NULL), PBY_OK);
        cr_assert_eq(pby_lossy_average(after, m[2], m[3], gamma, NULL), PBY_OK);
        cr_assert(claims_le("Robust/Claim 1", after, before), "round %d", round);
        for (size_t i = 0; i < 4; i++)
            pby_measure_free(m[i]);
    }
    cr_assert_gt(smaller, 0);
    mpq_clears(gamma, before, after, NULL);
    flint_randclear(state);
}

/* Inputs 0, 1, 2 in a row; M1 a mixture of two maps that keep neighbours, M2 any mechanism: no delta of M2
 * after M1 is above that of M2, at exp(epsilon) = 1, 3/2 and 2.
 * claims: Robust/Theorem 6 */
Test(claims_robust, maps_that_keep_neighbours_cost_nothing)
{
    enum { N = 3 };
    static const size_t maps[][N] = {{0, 1, 2}, {2, 1, 0}, {1, 1, 1}, {0, 0, 1}, {1, 2, 1}, {2, 1, 1}};
    flint_rand_t state;
    exact_law m2[N], both[N];
    mpq_t ratio, most, found, x;
    flint_randinit(state);
    mpq_inits(ratio, most, found, x, NULL);
    for (size_t i = 0; i < N; i++) {
        exact_init(&m2[i], N);
        exact_init(&both[i], N);
    }
    for (int round = 0; round < 120; round++) {
        const size_t *one = maps[n_randint(state, 6)], *two = maps[n_randint(state, 6)];
        const ulong weight = n_randint(state, 5);
        for (size_t i = 0; i < N; i++) {
            const ulong a = n_randint(state, 7), b = n_randint(state, 7 - a);
            exact_set(&m2[i], 0, a, 6);
            exact_set(&m2[i], 1, b > 6 - a ? 6 - a : b, 6);
            exact_set(&m2[i], 2, 6 - a - (b > 6 - a ? 6 - a : b), 6);
        }
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                mpq_set_ui(x, weight, 4);
                mpq_canonicalize(x);
                mpq_mul(both[i].p[j], x, m2[one[i]].p[j]);
                mpq_set_ui(x, 4 - weight, 4);
                mpq_canonicalize(x);
                mpq_mul(x, x, m2[two[i]].p[j]);
                mpq_add(both[i].p[j], both[i].p[j], x);
            }
        mpq_set_ui(ratio, 2 + (ulong)(round % 3), 2);
        mpq_canonicalize(ratio);
        exact_delta(most, &m2[0], &m2[1], ratio);
        exact_delta(x, &m2[1], &m2[2], ratio);
        if (mpq_cmp(x, most) > 0)
            mpq_set(most, x);
        for (size_t i = 0; i + 1 < N; i++) {
            exact_delta(found, &both[i], &both[i + 1], ratio);
            cr_assert(claims_le("Robust/Theorem 6", found, most), "round %d", round);
        }
    }
    for (size_t i = 0; i < N; i++) {
        exact_clear(&m2[i]);
        exact_clear(&both[i]);
    }
    mpq_clears(ratio, most, found, x, NULL);
    flint_randclear(state);
}

/* ---- records that are dropped ------------------------------------------------------------------ */

/* The most that stlap drops of n records in so many bars. */
static void dropped(mpq_t out, const char *text, uint64_t n, uint64_t bars)
{
    pby_spec *spec;
    pby_accuracy_answer a;
    mpq_t size;
    const pby_accuracy_request request = {.n = n, .support = bars};
    mpq_init(size);
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    pby_accuracy_answer_init(&a);
    cr_assert_eq(pby_accuracy_ask(&a, spec, &request, NULL), PBY_OK);
    cr_assert_eq(pby_rational_parse(out, "alpha", a.release.alpha, NULL), PBY_OK);
    mpq_set_ui(size, n, 1);
    mpq_mul(out, out, size);
    mpq_clear(size);
    pby_accuracy_answer_clear(&a);
    pby_spec_free(spec);
}

/* q = 17/10, one bar: noise below -3/2 is rounded to -2.
 * claims: Robust/Theorem 4 */
Test(claims_robust, rounding_may_drop_one_record_more)
{
    mpq_t found, promised;
    mpq_inits(found, promised, NULL);
    dropped(found, "stlap:eps=3/4,q=17/10", 10, 1);
    mpq_set_ui(promised, 17, 10);
    claims_tell("Robust/Theorem 4", found, promised);
    cr_assert_eq(mpq_cmp_ui(found, 2, 1), 0);
    mpq_clears(found, promised, NULL);
}

/* t = 1, q = 2: the nearest multiples of B are 0 and B, two buckets, which lose two records each.
 * claims: Robust/Lemma 4 */
Test(claims_robust, nearest_multiples_are_a_bucket_more)
{
    mpq_t found, promised;
    mpq_inits(found, promised, NULL);
    dropped(found, "stlap:eps=7/10,q=2", 10, 2);
    mpq_set_ui(promised, 2, 1);
    claims_tell("Robust/Lemma 4", found, promised);
    cr_assert_eq(mpq_cmp_ui(found, 4, 1), 0);
    mpq_clears(found, promised, NULL);
}

/* ---- databases that are moved (sections 6.1 and D.1) ------------------------------------------- */

enum { RECORDS = 3, REACH = 8 };

static int by_place(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The greatest move of a record that makes x of y, both of RECORDS records: in order. */
static int moved(const int *x, const int *y)
{
    int a[RECORDS], b[RECORDS], most = 0;
    for (int i = 0; i < RECORDS; i++) {
        a[i] = x[i];
        b[i] = y[i];
    }
    qsort(a, RECORDS, sizeof *a, by_place);
    qsort(b, RECORDS, sizeof *b, by_place);
    for (int i = 0; i < RECORDS; i++)
        most = abs(a[i] - b[i]) > most ? abs(a[i] - b[i]) : most;
    return most;
}

static int largest(const int *x)
{
    return x[0] > x[1] ? (x[0] > x[2] ? x[0] : x[2]) : (x[1] > x[2] ? x[1] : x[2]);
}

/* The Hausdorff distance of the places that occur. */
static int supports_apart(const int *x, const int *y)
{
    int most = 0;
    for (int turned = 0; turned < 2; turned++)
        for (int i = 0; i < RECORDS; i++) {
            int near = REACH;
            for (int j = 0; j < RECORDS; j++) {
                const int far = turned ? abs(y[i] - x[j]) : abs(x[i] - y[j]);
                near = far < near ? far : near;
            }
            most = near > most ? near : most;
        }
    return most;
}

static void tell(const char *row, unsigned long found, unsigned long promised)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_ui(a, found, 1);
    mpq_set_ui(b, promised, 1);
    claims_tell(row, a, b);
    mpq_clears(a, b, NULL);
}

/* All databases of three records on 0 to 4: neither the maximum nor the places that occur, in the Hausdorff
 * distance, move by more than a record does. {0, 1, 1} and {1, 1, 1} are 1 apart and have the same maximum.
 * claims: Robust/Section 6.1.1, maximum; Robust/Section 6.1.2, support; Robust/Section D.1.2, support */
Test(claims_robust, statistics_move_no_more_than_records)
{
    static const int first[RECORDS] = {0, 1, 1}, second[RECORDS] = {1, 1, 1};
    for (int i = 0; i < 125; i++)
        for (int j = 0; j < 125; j++) {
            const int x[RECORDS] = {i % 5, i / 5 % 5, i / 25}, y[RECORDS] = {j % 5, j / 5 % 5, j / 25};
            cr_assert(
                claims_le_si("Robust/Section 6.1.1, maximum", abs(largest(x) - largest(y)), moved(x, y)));
            cr_assert(claims_le_si("Robust/Section 6.1.2, support; Robust/Section D.1.2, support",
                                   supports_apart(x, y), moved(x, y)));
        }
    tell("Robust/Section 6.1.1, maximum", (unsigned long)abs(largest(first) - largest(second)),
         (unsigned long)moved(first, second));
}

/* The places that n records can be moved to by at most l each, as sets of bits: whether some set is reached
 * by both databases. */
static bool can_meet(const int *x, int n, const int *y, int m, int l)
{
    static bool reached[2][1 << (REACH + 1)];
    const int *const side[2] = {x, y}, size[2] = {n, m};
    bool meet = false;
    for (int s = 0; s < 2; s++) {
        long codes = 1;
        for (int i = 0; i < size[s]; i++)
            codes *= 2 * l + 1;
        for (int set = 0; set < 1 << (REACH + 1); set++)
            reached[s][set] = false;
        for (long code = 0; code < codes; code++) {
            long rest = code;
            int set = 0;
            bool inside = true;
            for (int i = 0; i < size[s]; i++, rest /= 2 * l + 1) {
                const int to = side[s][i] + (int)(rest % (2 * l + 1)) - l;
                inside = inside && to >= 0 && to <= REACH;
                set |= inside ? 1 << to : 0;
            }
            reached[s][set] = reached[s][set] || inside;
        }
    }
    for (int set = 1; set < 1 << (REACH + 1); set++)
        meet = meet || (reached[0][set] && reached[1][set]);
    return meet;
}

static int until_they_meet(const int *x, int n, const int *y, int m)
{
    int l = 0;
    while (!can_meet(x, n, y, m, l))
        l++;
    return l;
}

/* The records 0 and 4 against 2 twice: all move by 1 and are at 1 and 3. Without the duplicate 2 cannot be at
 * both, and 0 and 4 must move by 2.
 * claims: Robust/Section 6.1.2, support */
Test(claims_robust, a_duplicate_goes_two_ways)
{
    static const int x[] = {0, 4}, y[] = {2, 2};
    tell("Robust/Section 6.1.2, support", (unsigned long)until_they_meet(x, 2, y, 1),
         (unsigned long)until_they_meet(x, 2, y, 2));
}

/* {0, 0, 4} and {0, 1, 4} as laws of thirds: the farthest that mass must go is 1. Their supports as laws are
 * 1/2, 1/2 at 0 and 4 and thirds at 0, 1 and 4: a sixth must go from 4 to 1. On average 2/3 is against 1/3.
 * claims: Robust/Section D.1.2, support */
Test(claims_robust, supports_as_laws_are_farther_apart)
{
    static const long at[3] = {0, 1, 4};
    exact_law law[4];
    mpq_t d[9], zero, found, promised;
    mpq_inits(zero, found, promised, NULL);
    for (size_t i = 0; i < 4; i++)
        exact_init(&law[i], 3);
    for (size_t k = 0; k < 9; k++) {
        mpq_init(d[k]);
        mpq_set_si(d[k], labs(at[k / 3] - at[k % 3]), 1);
    }
    exact_set(&law[0], 0, 2, 3);
    exact_set(&law[0], 2, 1, 3);
    exact_set(&law[2], 0, 1, 2);
    exact_set(&law[2], 2, 1, 2);
    for (size_t i = 0; i < 3; i++) {
        exact_set(&law[1], i, 1, 3);
        exact_set(&law[3], i, 1, 3);
    }
    exact_average(found, &law[2], &law[3], d, zero);
    exact_average(promised, &law[0], &law[1], d, zero);
    cr_assert(mpq_cmp_ui(found, 2, 3) == 0 && mpq_cmp_ui(promised, 1, 3) == 0);
    exact_distance(found, &law[2], &law[3], d, zero);
    exact_distance(promised, &law[0], &law[1], d, zero);
    claims_tell("Robust/Section D.1.2, support", found, promised);
    for (size_t k = 0; k < 9; k++)
        mpq_clear(d[k]);
    for (size_t i = 0; i < 4; i++)
        exact_clear(&law[i]);
    mpq_clears(zero, found, promised, NULL);
}
