/* SPDX-License-Identifier: MIT */
/* The distances on the line against enumeration of couplings and against duality, and the lemmas of the
 * theory as properties. */
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>

#include "tests/accuracy/make.h"
#include "tests/claims/decide.h"

static void lossy(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma)
{
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_lossy_distance(out, p, q, gamma, &err), PBY_OK, "%s", err.text);
}

static void average(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma)
{
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_lossy_average(out, p, q, gamma, &err), PBY_OK, "%s", err.text);
}

/* ---- the definition, on three points and laws in quarters ----------------------------------------- */

enum { POINTS = 3, PARTS = 4, PAIRS = POINTS * POINTS };

struct enumeration {
    const long *at;
    const unsigned long *p, *q;
    unsigned long twice_gamma; /* in quarters */
    unsigned long cell[PAIRS];
    long farthest, total; /* the least so far, -1 before the first coupling */
};

static unsigned long apart(unsigned long a, unsigned long b)
{
    return a > b ? a - b : b - a;
}

static void judge(struct enumeration *e)
{
    unsigned long twice = 0; /* the two total variations, doubled */
    long farthest = 0, total = 0;
    for (int i = 0; i < POINTS; i++) {
        unsigned long row = 0, column = 0;
        for (int j = 0; j < POINTS; j++) {
            row += e->cell[POINTS * i + j];
            column += e->cell[POINTS * j + i];
            const long d = labs(e->at[i] - e->at[j]);
            total += d * (long)e->cell[POINTS * i + j];
            if (e->cell[POINTS * i + j] > 0 && d > farthest)
                farthest = d;
        }
        twice += apart(row, e->p[i]) + apart(column, e->q[i]);
    }
    if (twice > e->twice_gamma)
        return;
    if (e->farthest < 0 || farthest < e->farthest)
        e->farthest = farthest;
    if (e->total < 0 || total < e->total)
        e->total = total;
}

/* Every law of pairs in quarters: `left` of them to spread over the cells from `from` on. */
static void spread(struct enumeration *e, int from, unsigned long left)
{
    if (from == PAIRS - 1) {
        e->cell[from] = left;
        judge(e);
        return;
    }
    for (unsigned long here = 0; here <= left; here++) {
        e->cell[from] = here;
        spread(e, from + 1, left - here);
    }
}

static void random_quarters(unsigned long *mass, flint_rand_t state)
{
    for (int i = 0; i < POINTS; i++)
        mass[i] = 0;
    for (int i = 0; i < PARTS; i++)
        mass[n_randint(state, POINTS)]++;
}

Test(lossy, is_what_the_definition_says)
{
    flint_rand_t state;
    mpq_t gamma, found, expected;
    flint_randinit(state);
    mpq_inits(gamma, found, expected, NULL);
    for (int round = 0; round < 400; round++) {
        const long at[POINTS] = {0, 1 + (long)n_randint(state, 4), 5 + (long)n_randint(state, 4)};
        unsigned long p[POINTS], q[POINTS];
        random_quarters(p, state);
        random_quarters(q, state);
        const unsigned long g = n_randint(state, PARTS + 1);
        struct enumeration e = {.at = at, .p = p, .q = q, .twice_gamma = 2 * g, .farthest = -1, .total = -1};
        spread(&e, 0, PARTS);
        pby_measure *x = make_measure(at, 1, p, POINTS), *y = make_measure(at, 1, q, POINTS);
        mpq_set_ui(gamma, g, PARTS);
        mpq_canonicalize(gamma);
        lossy(found, x, y, gamma);
        cr_assert_eq(mpq_cmp_si(found, e.farthest, 1), 0, "%s, not %ld", text_of_q(found), e.farthest);
        average(found, x, y, gamma);
        mpq_set_si(expected, e.total, PARTS);
        mpq_canonicalize(expected);
        cr_assert(mpq_equal(found, expected), "%s, not %s", text_of_q(found), text_of_q(expected));
        pby_measure_free(x);
        pby_measure_free(y);
    }
    mpq_clears(gamma, found, expected, NULL);
    flint_randclear(state);
}

/* ---- duality, and the flow, on more points --------------------------------------------------------- */

enum { MANY = 7 };

/* Laws p and q on the points, as measures and as masses that sum to 1, and the metric of the line. */
struct laws {
    pby_measure *x, *y;
    mpq_t p[MANY], q[MANY];
    pby_distance *metric;
};

static void normal(mpq_t *out, const unsigned long *mass)
{
    unsigned long total = 0;
    for (int i = 0; i < MANY; i++)
        total += mass[i];
    for (int i = 0; i < MANY; i++) {
        mpq_init(out[i]);
        mpq_set_ui(out[i], mass[i], total);
        mpq_canonicalize(out[i]);
    }
}

static void laws_init(struct laws *l, flint_rand_t state)
{
    long at[MANY];
    unsigned long mass[2][MANY];
    for (int i = 0; i < MANY; i++) {
        at[i] = (i == 0 ? -3 : at[i - 1]) + 1 + (long)n_randint(state, 5);
        mass[0][i] = n_randint(state, 6) + (i == 0);
        mass[1][i] = n_randint(state, 6) + (i == MANY - 1);
    }
    l->x = make_measure(at, 3, mass[0], MANY);
    l->y = make_measure(at, 3, mass[1], MANY);
    normal(l->p, mass[0]);
    normal(l->q, mass[1]);
    l->metric = random_distances(state, MANY, 0, 1, 0);
    for (int i = 0; i < MANY * MANY; i++) {
        mpq_set_ui(l->metric[i].value, (unsigned long)labs(at[i / MANY] - at[i % MANY]), 3);
        mpq_canonicalize(l->metric[i].value);
    }
}

static void laws_clear(struct laws *l)
{
    for (int i = 0; i < MANY; i++)
        mpq_clears(l->p[i], l->q[i], NULL);
    free_distances(l->metric, MANY * MANY);
    pby_measure_free(l->x);
    pby_measure_free(l->y);
}

Test(lossy, sweep_duality_and_flow_agree)
{
    flint_rand_t state;
    mpq_t gamma, found;
    pby_distance flow, dual;
    flint_randinit(state);
    mpq_inits(gamma, found, NULL);
    pby_distance_init(&flow);
    pby_distance_init(&dual);
    for (int round = 0; round < 150; round++) {
        struct laws l;
        laws_init(&l, state);
        mpq_set_ui(gamma, n_randint(state, 12), 11);
        lossy(found, l.x, l.y, gamma);
        dual_lossy(&dual, l.p[0], l.q[0], l.metric, MANY, gamma);
        cr_assert_eq(pby_metric_lossy(&flow, l.p[0], l.q[0], l.metric, MANY, gamma, NULL), PBY_OK);
        cr_assert_str_eq(text_of_q(found), text_of(&dual));
        cr_assert_str_eq(text_of(&flow), text_of(&dual));
        average(found, l.x, l.y, gamma);
        cr_assert_eq(pby_metric_average(&flow, l.p[0], l.q[0], l.metric, MANY, gamma, NULL), PBY_OK);
        cr_assert_str_eq(text_of(&flow), text_of_q(found));
        laws_clear(&l);
    }
    pby_distance_clear(&dual);
    pby_distance_clear(&flow);
    mpq_clears(gamma, found, NULL);
    flint_randclear(state);
}

/* ---- the lemmas --------------------------------------------------------------------------------------
 * claims: Flex/Lemma 1 */
Test(lossy, triangle_symmetry_and_order_in_gamma)
{
    flint_rand_t state;
    mpq_t g1, g2, g, a, b, c;
    flint_randinit(state);
    mpq_inits(g1, g2, g, a, b, c, NULL);
    for (int round = 0; round < 2000; round++) {
        pby_measure *p = random_measure(state, 1 + n_randint(state, 6), 12, 2);
        pby_measure *q = random_measure(state, 1 + n_randint(state, 6), 12, 2);
        pby_measure *r = random_measure(state, 1 + n_randint(state, 6), 12, 5);
        mpq_set_ui(g1, n_randint(state, 6), 12);
        mpq_set_ui(g2, n_randint(state, 6), 12);
        mpq_canonicalize(g1);
        mpq_canonicalize(g2);
        mpq_add(g, g1, g2);
        lossy(a, p, q, g1);
        lossy(b, q, r, g2);
        lossy(c, p, r, g);
        mpq_add(a, a, b);
        cr_assert(claims_le(CLAIMS_ALL, c, a), "triangle: %s > %s", text_of_q(c), text_of_q(a));
        lossy(a, r, p, g);
        cr_assert(mpq_equal(a, c), "symmetry");
        lossy(a, p, r, g1);
        cr_assert(mpq_cmp(c, a) <= 0, "order");
        average(b, p, r, g);
        cr_assert(mpq_cmp(b, c) <= 0, "the average is below the farthest");
        if (mpq_sgn(g2) > 0) {
            average(b, p, r, g1);
            mpq_div(b, b, g2);
            cr_assert(mpq_cmp(c, b) <= 0, "and the farthest below the average over the loss between");
        }
        pby_measure_free(p);
        pby_measure_free(q);
        pby_measure_free(r);
    }
    mpq_clears(g1, g2, g, a, b, c, NULL);
    flint_randclear(state);
}

/* A point against a law: within b but for gamma, exactly when the law puts at most gamma beyond b.
 * claims: Flex/Lemma 9 */
Test(lossy, of_a_point_is_the_pac_guarantee)
{
    flint_rand_t state;
    mpq_t gamma, found, beyond;
    flint_randinit(state);
    mpq_inits(gamma, found, beyond, NULL);
    for (int round = 0; round < 500; round++) {
        const long at[5] = {-4, -1, 0, 3, 9}, point[1] = {(long)n_randint(state, 14) - 4};
        unsigned long mass[5], total = 0;
        const unsigned long one[1] = {3};
        for (int i = 0; i < 5; i++)
            total += mass[i] = n_randint(state, 4) + (i == 2);
        pby_measure *f = make_measure(point, 1, one, 1), *g = make_measure(at, 1, mass, 5);
        for (long b = 0; b <= 13; b++) {
            unsigned long far = 0;
            for (int i = 0; i < 5; i++)
                far += labs(at[i] - point[0]) > b ? mass[i] : 0;
            mpq_set_ui(gamma, n_randint(state, 9), 8);
            mpq_canonicalize(gamma);
            mpq_set_ui(beyond, far, total);
            mpq_canonicalize(beyond);
            lossy(found, f, g, gamma);
            cr_assert(claims_is(CLAIMS_ALL, (mpq_cmp_si(found, b, 1) <= 0) == (mpq_cmp(beyond, gamma) <= 0)));
        }
        pby_measure_free(f);
        pby_measure_free(g);
    }
    mpq_clears(gamma, found, beyond, NULL);
    flint_randclear(state);
}

/* claims: Flex/Lemma 10 */
Test(lossy, is_zero_exactly_from_the_total_variation_on)
{
    flint_rand_t state;
    mpq_t tv, less, found;
    flint_randinit(state);
    mpq_inits(tv, less, found, NULL);
    for (int round = 0; round < 500; round++) {
        pby_measure *p = random_measure(state, 5, 6, 1), *q = random_measure(state, 5, 6, 1);
        cr_assert_eq(pby_total_variation(tv, p, q, NULL), PBY_OK);
        lossy(found, p, q, tv);
        cr_assert_eq(mpq_sgn(found), 0);
        mpq_set_ui(less, 999999, 1000000);
        mpq_mul(less, less, tv);
        lossy(found, p, q, less);
        cr_assert(claims_is(CLAIMS_ALL, (mpq_sgn(found) > 0) == (mpq_sgn(tv) > 0)));
        pby_measure_free(p);
        pby_measure_free(q);
    }
    mpq_clears(tv, less, found, NULL);
    flint_randclear(state);
}

/* ---- values, scales, refusals -------------------------------------------------------------------------- */

Test(lossy, known_values_on_unlike_scales)
{
    const long a[2] = {1, 2}, b[2] = {1, 3};
    const unsigned long m[2] = {1, 1}, k[2] = {3, 1};
    pby_measure *x = make_measure(a, 3, m, 2), *y = make_measure(b, 7, k, 2); /* 1/3, 2/3 and 1/7, 3/7 */
    mpq_t gamma, found;
    mpq_inits(gamma, found, NULL);
    lossy(found, x, y, gamma);
    cr_assert_str_eq(text_of_q(found), "11/21"); /* 2/3 to 1/7 */
    average(found, x, y, gamma);
    cr_assert_str_eq(text_of_q(found), "2/7"); /* 1/2 4/21 + 1/4 11/21 + 1/4 5/21 */
    mpq_set_ui(gamma, 1, 4);
    lossy(found, x, y, gamma);
    cr_assert_str_eq(text_of_q(found), "5/21"); /* 2/3 to 3/7; a quarter stays */
    average(found, x, y, gamma);
    cr_assert_str_eq(text_of_q(found), "13/84"); /* 1/2 4/21 + 1/4 5/21 */
    mpq_set_ui(gamma, 1, 2);
    lossy(found, x, y, gamma);
    cr_assert_str_eq(text_of_q(found), "4/21");
    mpq_set_ui(gamma, 1, 1);
    lossy(found, x, y, gamma);
    cr_assert_str_eq(text_of_q(found), "0");
    mpq_clears(gamma, found, NULL);
    pby_measure_free(x);
    pby_measure_free(y);
}

/* The product of the law with itself has the right marginals and is no coupling at distance 0: what shows
 * that equal laws are at distance 0 is the diagonal. Two points are enough to tell them apart.
 * claims: Flex/Lemma 10 */
Test(lossy, the_product_is_not_the_diagonal)
{
    const long at[2] = {0, 1};
    const unsigned long p[2] = {1, 1};
    pby_measure *x = make_measure(at, 1, p, 2);
    mpq_t found, zero;
    mpq_inits(found, zero, NULL);
    lossy(found, x, x, zero);
    cr_assert(claims_eq(CLAIMS_ALL, found, zero));
    cr_assert(p[0] * p[1] > 0 && at[0] != at[1]); /* P x P puts mass on (0, 1), at distance 1 */
    mpq_clears(found, zero, NULL);
    pby_measure_free(x);
}

Test(lossy, refuses_what_is_no_law_and_no_gamma)
{
    const long at[1] = {0};
    const unsigned long some[1] = {1}, none[1] = {0};
    pby_measure *x = make_measure(at, 1, some, 1), *empty = make_measure(at, 1, none, 1);
    pby_error err;
    mpq_t gamma, found;
    mpq_inits(gamma, found, NULL);
    cr_assert(pby_measure_empty(empty) && !pby_measure_empty(x));
    cr_assert_eq(pby_lossy_distance(found, x, empty, gamma, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "mass of the second measure '0'"));
    cr_assert_eq(pby_lossy_average(found, empty, x, gamma, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "mass of the first measure '0'"));
    cr_assert_eq(pby_total_variation(found, empty, empty, &err), PBY_BAD);
    mpq_set_si(gamma, -1, 1000);
    cr_assert_eq(pby_lossy_distance(found, x, x, gamma, &err), PBY_BAD);
    mpq_set_si(gamma, 1001, 1000);
    cr_assert_eq(pby_lossy_average(found, x, x, gamma, &err), PBY_BAD);
    cr_assert_eq(pby_measure_add(x, gamma, gamma, &err), PBY_OK);
    mpq_neg(gamma, gamma);
    cr_assert_eq(pby_measure_add(x, gamma, gamma, &err), PBY_BAD);
    mpq_clears(gamma, found, NULL);
    pby_measure_free(x);
    pby_measure_free(empty);
}

Test(lossy, refuses_a_scale_without_bound)
{
    pby_measure *x;
    pby_error err;
    mpq_t at, one, found, zero;
    mpq_inits(at, one, found, zero, NULL);
    mpq_set_ui(one, 1, 1);
    cr_assert_eq(pby_measure_new(&x, NULL), PBY_OK);
    cr_assert_eq(pby_measure_add(x, zero, one, NULL), PBY_OK);
    cr_assert_eq(pby_lossy_distance(found, x, x, zero, &err), PBY_OK);
    mpq_set_ui(at, 1, 1);
    mpq_div_2exp(at, at, PBY_SCALE_BITS_MAX);
    cr_assert_eq(pby_measure_add(x, at, one, NULL), PBY_OK);
    cr_assert_eq(pby_lossy_distance(found, x, x, zero, &err), PBY_BAD);
    mpq_clears(at, one, found, zero, NULL);
    pby_measure_free(x);
}
