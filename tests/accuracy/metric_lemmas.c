/* SPDX-License-Identifier: MIT */
/* Laws on a finite metric: the average against enumeration, and the lemmas of the theory as properties. */
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>

#include "tests/accuracy/make.h"
#include "tests/claims/decide.h"

enum { POINTS = 5, PARTS = 5, FEW = 3 };

static void random_law(mpq_t *p, unsigned long *part, size_t n, flint_rand_t state)
{
    for (size_t i = 0; i < n; i++)
        part[i] = 0;
    for (int i = 0; i < PARTS; i++)
        part[n_randint(state, n)]++;
    for (size_t i = 0; i < n; i++) {
        mpq_set_ui(p[i], part[i], PARTS);
        mpq_canonicalize(p[i]);
    }
}

static void init_law(mpq_t *p)
{
    for (int i = 0; i < POINTS; i++)
        mpq_init(p[i]);
}

static void clear_law(mpq_t *p)
{
    for (int i = 0; i < POINTS; i++)
        mpq_clear(p[i]);
}

static void lossy(pby_distance *out, mpq_t *p, mpq_t *q, const pby_distance *metric, mpq_srcptr gamma)
{
    cr_assert_eq(pby_metric_lossy(out, p[0], q[0], metric, POINTS, gamma, NULL), PBY_OK);
}

static void average(pby_distance *out, mpq_t *p, mpq_t *q, const pby_distance *metric, mpq_srcptr gamma)
{
    cr_assert_eq(pby_metric_average(out, p[0], q[0], metric, POINTS, gamma, NULL), PBY_OK);
}

/* ---- the average, from its definition ------------------------------------------------------------ */

/* The least cost of carrying `left` parts more by the pairs from `pair` on, at most p and q; -1 if there is
 * no way. */
static long cheapest(const pby_distance *metric, unsigned long *p, unsigned long *q, int pair,
                     unsigned long left)
{
    if (left == 0)
        return 0;
    if (pair == FEW * FEW)
        return -1;
    const int i = pair / FEW, j = pair % FEW;
    unsigned long most = p[i] < q[j] ? p[i] : q[j];
    long least = -1;
    most = metric[pair].infinite ? 0 : most < left ? most : left;
    for (unsigned long here = 0; here <= most; here++) {
        p[i] -= here;
        q[j] -= here;
        const long rest = cheapest(metric, p, q, pair + 1, left - here);
        const long cost = (long)(here * mpz_get_ui(mpq_numref(metric[pair].value)));
        if (rest >= 0 && (least < 0 || rest + cost < least))
            least = rest + cost;
        p[i] += here;
        q[j] += here;
    }
    return least;
}

Test(metric_lemmas, average_is_the_cheapest_of_all_carriages)
{
    flint_rand_t state;
    mpq_t p[POINTS], q[POINTS], gamma, expected;
    pby_distance found;
    int infinite = 0;
    flint_randinit(state);
    init_law(p);
    init_law(q);
    mpq_inits(gamma, expected, NULL);
    pby_distance_init(&found);
    for (int round = 0; round < 1500; round++) {
        unsigned long a[FEW], b[FEW];
        const unsigned long spare = n_randint(state, PARTS + 1);
        pby_distance *metric = random_distances(state, FEW, 7, 1, n_randint(state, 2) ? 2 : 0);
        random_law(p, a, FEW, state);
        random_law(q, b, FEW, state);
        mpq_set_ui(gamma, spare, PARTS);
        mpq_canonicalize(gamma);
        const long least = cheapest(metric, a, b, 0, PARTS - spare);
        cr_assert_eq(pby_metric_average(&found, p[0], q[0], metric, FEW, gamma, NULL), PBY_OK);
        cr_assert_eq(found.infinite, least < 0);
        mpq_set_si(expected, least < 0 ? 0 : least, PARTS);
        mpq_canonicalize(expected);
        cr_assert(mpq_equal(found.value, expected), "%s, not %s", text_of(&found), text_of_q(expected));
        infinite += found.infinite;
        free_distances(metric, FEW * FEW);
    }
    cr_assert_gt(infinite, 50);
    pby_distance_clear(&found);
    mpq_clears(gamma, expected, NULL);
    clear_law(q);
    clear_law(p);
    flint_randclear(state);
}

/* ---- the lemmas ----------------------------------------------------------------------------------- */

/* Ways that are no longer than any way round: symmetric, and with the triangle inequality; some points may be
 * out of reach of others. */
static pby_distance *random_metric(flint_rand_t state)
{
    pby_distance *d = random_distances(state, POINTS, 9, 2, n_randint(state, 2) ? 2 : 0);
    pby_distance way;
    pby_distance_init(&way);
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < i; j++)
            pby_distance_set(&d[i * POINTS + j], &d[j * POINTS + i]);
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < POINTS; i++)
            for (int j = 0; j < POINTS; j++) {
                way.infinite = d[i * POINTS + k].infinite || d[k * POINTS + j].infinite;
                mpq_add(way.value, d[i * POINTS + k].value, d[k * POINTS + j].value);
                if (pby_distance_cmp(&way, &d[i * POINTS + j]) < 0)
                    pby_distance_set(&d[i * POINTS + j], &way);
            }
    pby_distance_clear(&way);
    return d;
}

static void add(pby_distance *x, const pby_distance *y)
{
    x->infinite = x->infinite || y->infinite;
    mpq_add(x->value, x->value, y->value);
    if (x->infinite)
        mpq_set_ui(x->value, 0, 1);
}

Test(metric_lemmas, triangle_symmetry_and_order_in_gamma)
{
    flint_rand_t state;
    mpq_t p[POINTS], q[POINTS], r[POINTS], g1, g2, g;
    unsigned long part[POINTS];
    pby_distance a, b, c;
    int infinite = 0;
    flint_randinit(state);
    init_law(p);
    init_law(q);
    init_law(r);
    mpq_inits(g1, g2, g, NULL);
    pby_distance_init(&a);
    pby_distance_init(&b);
    pby_distance_init(&c);
    for (int round = 0; round < 1000; round++) {
        pby_distance *metric = random_metric(state);
        random_law(p, part, POINTS, state);
        random_law(q, part, POINTS, state);
        random_law(r, part, POINTS, state);
        mpq_set_ui(g1, n_randint(state, 6), 12);
        mpq_set_ui(g2, n_randint(state, 6), 12);
        mpq_canonicalize(g1);
        mpq_canonicalize(g2);
        mpq_add(g, g1, g2);
        lossy(&a, p, q, metric, g1);
        lossy(&b, q, r, metric, g2);
        lossy(&c, p, r, metric, g);
        infinite += a.infinite;
        add(&a, &b);
        cr_assert(pby_distance_cmp(&c, &a) <= 0, "triangle: %s > %s", text_of(&c), text_of(&a));
        lossy(&a, r, p, metric, g);
        cr_assert_eq(pby_distance_cmp(&a, &c), 0, "symmetry");
        lossy(&a, p, r, metric, g1);
        cr_assert(pby_distance_cmp(&c, &a) <= 0, "order");
        average(&b, p, r, metric, g);
        cr_assert(pby_distance_cmp(&b, &c) <= 0, "the average is below the farthest");
        free_distances(metric, POINTS * POINTS);
    }
    cr_assert_gt(infinite, 20);
    pby_distance_clear(&c);
    pby_distance_clear(&b);
    pby_distance_clear(&a);
    mpq_clears(g1, g2, g, NULL);
    clear_law(r);
    clear_law(q);
    clear_law(p);
    flint_randclear(state);
}

/* From a point: within b but for gamma, exactly when the law puts at most gamma beyond b. No triangle is
 * needed.
 * claims: Flex/Lemma 9 */
Test(metric_lemmas, of_a_point_is_the_pac_guarantee)
{
    flint_rand_t state;
    mpq_t p[POINTS], q[POINTS], gamma, beyond;
    unsigned long part[POINTS];
    pby_distance found;
    flint_randinit(state);
    init_law(p);
    init_law(q);
    mpq_inits(gamma, beyond, NULL);
    pby_distance_init(&found);
    for (int round = 0; round < 500; round++) {
        pby_distance *metric = random_distances(state, POINTS, 9, 2, 4);
        const size_t point = n_randint(state, POINTS);
        for (size_t i = 0; i < POINTS; i++)
            mpq_set_ui(p[i], i == point, 1);
        random_law(q, part, POINTS, state);
        mpq_set_ui(gamma, n_randint(state, PARTS), PARTS);
        mpq_canonicalize(gamma);
        lossy(&found, p, q, metric, gamma);
        for (size_t k = 0; k < POINTS; k++) {
            const pby_distance *b = &metric[point * POINTS + k];
            unsigned long far = 0;
            for (size_t i = 0; i < POINTS && !b->infinite; i++)
                far += pby_distance_cmp(&metric[point * POINTS + i], b) > 0 ? part[i] : 0;
            mpq_set_ui(beyond, far, PARTS);
            mpq_canonicalize(beyond);
            if (!b->infinite)
                cr_assert(claims_is(CLAIMS_ALL,
                                    (pby_distance_cmp(&found, b) <= 0) == (mpq_cmp(beyond, gamma) <= 0)));
        }
        free_distances(metric, POINTS * POINTS);
    }
    pby_distance_clear(&found);
    mpq_clears(gamma, beyond, NULL);
    clear_law(q);
    clear_law(p);
    flint_randclear(state);
}

/* Where different points are apart. */
Test(metric_lemmas, is_zero_exactly_from_the_total_variation_on)
{
    flint_rand_t state;
    mpq_t p[POINTS], q[POINTS], gamma;
    unsigned long a[POINTS], b[POINTS];
    pby_distance found;
    flint_randinit(state);
    init_law(p);
    init_law(q);
    mpq_init(gamma);
    pby_distance_init(&found);
    for (int round = 0; round < 500; round++) {
        pby_distance *metric = random_distances(state, POINTS, 9, 2, 4);
        for (int i = 0; i < POINTS * POINTS; i++)
            if (i % (POINTS + 1) != 0 && mpq_sgn(metric[i].value) == 0 && !metric[i].infinite)
                mpq_set_ui(metric[i].value, 1, 7);
        random_law(p, a, POINTS, state);
        random_law(q, b, POINTS, state);
        unsigned long apart = 0;
        for (int i = 0; i < POINTS; i++)
            apart += a[i] > b[i] ? a[i] - b[i] : 0;
        for (unsigned long g = 0; g <= PARTS; g++) {
            mpq_set_ui(gamma, g, PARTS);
            mpq_canonicalize(gamma);
            lossy(&found, p, q, metric, gamma);
            cr_assert_eq(!found.infinite && mpq_sgn(found.value) == 0, g >= apart);
            average(&found, p, q, metric, gamma);
            cr_assert_eq(!found.infinite && mpq_sgn(found.value) == 0, g >= apart);
        }
        free_distances(metric, POINTS * POINTS);
    }
    pby_distance_clear(&found);
    mpq_clear(gamma);
    clear_law(q);
    clear_law(p);
    flint_randclear(state);
}
