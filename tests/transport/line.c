/* SPDX-License-Identifier: MIT */
/* The methods that are special to the line, passes and prices, against flows and the simplex method on the
 * same points: ties, numbers of many limbs, totals that differ. */
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>
#include <string.h>

#include "tests/accuracy/make.h"

enum { MOST = 48 };

/* Two histograms as measures, and as masses with a metric. */
struct both {
    size_t n;
    mpq_t at[MOST], x[MOST], y[MOST];
    pby_measure *p, *q;
    pby_distance *metric;
};

/* The ways in which positions are drawn. */
enum { TIES, SPREAD, LIMBS, EXPONENTS, KINDS };

static void draw_position(mpq_t at, flint_rand_t state, int kind)
{
    const long small = (long)n_randint(state, 41) - 20;
    const unsigned long power = n_randint(state, kind == EXPONENTS ? 3000 : 150);
    mpq_set_si(at, kind == SPREAD ? (long)n_randint(state, 2000001) - 1000000 : small,
               kind == SPREAD ? 1000 : 3);
    mpq_canonicalize(at);
    if (kind >= LIMBS && n_randint(state, 2))
        mpq_mul_2exp(at, at, power);
    else if (kind >= LIMBS)
        mpq_div_2exp(at, at, power);
}

static void draw_mass(mpq_t mass, flint_rand_t state, int kind)
{
    mpq_set_ui(mass, n_randint(state, 5), 1 + n_randint(state, 3));
    mpq_canonicalize(mass);
    if (kind >= LIMBS && n_randint(state, 2))
        mpq_div_2exp(mass, mass, n_randint(state, 200));
}

static void both_init(struct both *b, flint_rand_t state, int kind)
{
    b->n = 1 + n_randint(state, MOST);
    cr_assert_eq(pby_measure_new(&b->p, NULL), PBY_OK);
    cr_assert_eq(pby_measure_new(&b->q, NULL), PBY_OK);
    for (size_t i = 0; i < b->n; i++) {
        mpq_inits(b->at[i], b->x[i], b->y[i], NULL);
        draw_position(b->at[i], state, kind);
        draw_mass(b->x[i], state, kind);
        draw_mass(b->y[i], state, kind);
        if (i == 0) {
            mpq_set_ui(b->x[0], 1, 3);
            mpq_set_ui(b->y[0], 1, 2);
        }
        cr_assert_eq(pby_measure_add(b->p, b->at[i], b->x[i], NULL), PBY_OK);
        cr_assert_eq(pby_measure_add(b->q, b->at[i], b->y[i], NULL), PBY_OK);
    }
    b->metric = random_distances(state, b->n, 0, 1, 0);
    for (size_t i = 0; i < b->n * b->n; i++) {
        mpq_sub(b->metric[i].value, b->at[i / b->n], b->at[i % b->n]);
        mpq_abs(b->metric[i].value, b->metric[i].value);
    }
}

static void both_clear(struct both *b)
{
    for (size_t i = 0; i < b->n; i++)
        mpq_clears(b->at[i], b->x[i], b->y[i], NULL);
    free_distances(b->metric, b->n * b->n);
    pby_measure_free(b->p);
    pby_measure_free(b->q);
}

static void random_gamma(mpq_t gamma, flint_rand_t state)
{
    mpq_set_ui(gamma, n_randint(state, 2) ? n_randint(state, 12) : n_randint(state, 2), 11);
    mpq_canonicalize(gamma);
}

/* A distance of two laws on the line, and the same in a finite metric. */
typedef pby_status on_line(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                           pby_error *err);
typedef pby_status in_metric(pby_distance *out, mpq_srcptr x, mpq_srcptr y, const pby_distance *metric,
                             size_t n, mpq_srcptr gamma, pby_error *err);

static void agree(on_line *line, in_metric *metric, int rounds)
{
    flint_rand_t state;
    mpq_t gamma, found;
    pby_distance flow;
    flint_randinit(state);
    mpq_inits(gamma, found, NULL);
    pby_distance_init(&flow);
    for (int round = 0; round < rounds; round++) {
        struct both b;
        both_init(&b, state, round % KINDS);
        random_gamma(gamma, state);
        cr_assert_eq(line(found, b.p, b.q, gamma, NULL), PBY_OK);
        cr_assert_eq(metric(&flow, b.x[0], b.y[0], b.metric, b.n, gamma, NULL), PBY_OK);
        cr_assert(!flow.infinite && mpq_equal(found, flow.value), "round %d", round);
        both_clear(&b);
    }
    pby_distance_clear(&flow);
    mpq_clears(gamma, found, NULL);
    flint_randclear(state);
}

Test(line, sweep_and_flow_agree)
{
    agree(pby_lossy_distance, pby_metric_lossy, 240);
}

Test(line, prices_and_the_simplex_method_agree)
{
    agree(pby_lossy_average, pby_metric_average, 400);
}

/* The sizes differ as a rule, in either direction. */
Test(line, distortions_and_flow_agree)
{
    flint_rand_t state;
    mpq_t eta;
    pby_distance line, flow;
    int finite = 0, infinite = 0;
    flint_randinit(state);
    mpq_init(eta);
    pby_distance_init(&line);
    pby_distance_init(&flow);
    for (int round = 0; round < 240; round++) {
        struct both b;
        both_init(&b, state, round % KINDS);
        mpq_set_ui(eta, n_randint(state, 5), 4);
        mpq_canonicalize(eta);
        cr_assert_eq(pby_distortion_drop_move(&line, b.p, b.q, eta, NULL), PBY_OK);
        cr_assert_eq(pby_metric_drop_move(&flow, b.x[0], b.y[0], b.metric, b.n, eta, NULL), PBY_OK);
        cr_assert_eq(pby_distance_cmp(&line, &flow), 0, "round %d", round);
        finite += !line.infinite;
        infinite += line.infinite;
        cr_assert_eq(pby_distortion_move(&line, b.p, b.q, NULL), PBY_OK);
        cr_assert_eq(pby_metric_move(&flow, b.x[0], b.y[0], b.metric, b.n, NULL), PBY_OK);
        cr_assert_eq(pby_distance_cmp(&line, &flow), 0);
        cr_assert_eq(pby_metric_move(&flow, b.x[0], b.x[0], b.metric, b.n, NULL), PBY_OK);
        cr_assert(!flow.infinite && mpq_sgn(flow.value) == 0);
        both_clear(&b);
    }
    cr_assert(finite > 20 && infinite > 20);
    pby_distance_clear(&flow);
    pby_distance_clear(&line);
    mpq_clear(eta);
    flint_randclear(state);
}

/* x is 0, 1, ..., and y the same moved by a third, but for the last, which is 10^9000 away: the distance is a
 * third as long as one may stay, and time does not depend on the thirty thousand bits of a position. */
Test(line, one_far_atom_among_many)
{
    enum { MANY = 400 };
    pby_measure *x, *y;
    mpq_t at, one, gamma, found, third;
    mpq_inits(at, one, gamma, found, third, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_ui(third, 1, 3);
    cr_assert_eq(pby_measure_new(&x, NULL), PBY_OK);
    cr_assert_eq(pby_measure_new(&y, NULL), PBY_OK);
    for (unsigned long i = 0; i < MANY; i++) {
        mpq_set_ui(at, i, 1);
        cr_assert_eq(pby_measure_add(x, at, one, NULL), PBY_OK);
        mpq_add(at, at, third);
        if (i + 1 == MANY)
            mpz_ui_pow_ui(mpq_numref(at), 10, 9000);
        mpq_canonicalize(at);
        cr_assert_eq(pby_measure_add(y, at, one, NULL), PBY_OK);
    }
    mpq_set_ui(gamma, 1, MANY);
    cr_assert_eq(pby_lossy_distance(found, x, y, gamma, NULL), PBY_OK);
    cr_assert(mpq_equal(found, third));
    cr_assert_eq(pby_lossy_average(found, x, y, gamma, NULL), PBY_OK);
    mpq_set_ui(at, MANY - 1, 3 * MANY);
    mpq_canonicalize(at);
    cr_assert(mpq_equal(found, at));
    mpq_set_ui(gamma, 1, MANY + 1);
    cr_assert_eq(pby_lossy_distance(found, x, y, gamma, NULL), PBY_OK);
    cr_assert(mpz_sizeinbase(mpq_numref(found), 10) > 8990);
    mpq_clears(at, one, gamma, found, third, NULL);
    pby_measure_free(x);
    pby_measure_free(y);
}

/* All numbers get as many words as the longest: what that would be is told before there is no memory. */
Test(line, refuses_more_words_than_there_should_be)
{
    pby_measure *m;
    pby_error err;
    mpq_t at, one, zero;
    mpq_inits(at, one, zero, NULL);
    mpq_set_ui(one, 1, 1);
    cr_assert_eq(pby_measure_new(&m, NULL), PBY_OK);
    for (unsigned long i = 0; i < 2000; i++) {
        mpq_set_ui(at, i, 1);
        cr_assert_eq(pby_measure_add(m, at, one, NULL), PBY_OK);
    }
    mpq_mul_2exp(at, one, 64ul << 17);
    cr_assert_eq(pby_measure_add(m, at, one, NULL), PBY_OK);
    cr_assert_eq(pby_lossy_distance(at, m, m, zero, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "2^28 words"), "%s", err.text);
    mpq_clears(at, one, zero, NULL);
    pby_measure_free(m);
}
