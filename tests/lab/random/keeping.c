/* SPDX-License-Identifier: MIT */
/* Maps that keep neighbours, against Hall's condition on all sets, and against a mechanism behind them. */
#include "lab/random/keeping.h"

#include <criterion/criterion.h>
#include <flint/ulong_extras.h>

#include "probity/experimental/random.h"

enum { KEYS = 3, VALUES = 4, WHOLE = 8, RUNS = 400, FAR = 1000 };

static mpq_t chance[KEYS * VALUES], theta;
static bool near[KEYS * KEYS], new_near[VALUES * VALUES];
static long mass[KEYS][VALUES]; /* in eighths */
static int metric[VALUES][VALUES];
static pby_keeping map;

static void set_up(void)
{
    for (size_t i = 0; i < KEYS * VALUES; i++)
        mpq_init(chance[i]);
    mpq_init(theta);
    map = (pby_keeping){chance[0], near, new_near, KEYS, VALUES};
}

static void tear_down(void)
{
    for (size_t i = 0; i < KEYS * VALUES; i++)
        mpq_clear(chance[i]);
    mpq_clear(theta);
}

TestSuite(random_keeping, .init = set_up, .fini = tear_down);

static void draw_relation(bool *out, size_t n, flint_rand_t state)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            out[i * n + j] = out[j * n + i] = i != j && n_randint(state, 2) == 1;
}

/* Steps by relaxing all triples. */
static void fill_metric(void)
{
    for (int i = 0; i < VALUES; i++)
        for (int j = 0; j < VALUES; j++)
            metric[i][j] = i == j ? 0 : new_near[i * VALUES + j] ? 1 : FAR;
    for (int k = 0; k < VALUES; k++)
        for (int i = 0; i < VALUES; i++)
            for (int j = 0; j < VALUES; j++)
                if (metric[i][k] + metric[k][j] < metric[i][j])
                    metric[i][j] = metric[i][k] + metric[k][j];
}

static void draw(flint_rand_t state)
{
    draw_relation(near, KEYS, state);
    draw_relation(new_near, VALUES, state);
    fill_metric();
    for (int i = 0; i < KEYS; i++) {
        ulong left = WHOLE;
        for (int j = 0; j < VALUES; j++) {
            const ulong m = j + 1 < VALUES ? n_randint(state, left + 1) : left;
            left -= m;
            mass[i][j] = (long)m;
            mpq_set_ui(chance[i * VALUES + j], m, WHOLE);
            mpq_canonicalize(chance[i * VALUES + j]);
        }
    }
}

/* Every set of values has at most the mass that the other law has within k steps of it, and theta. */
static bool couples(int x, int y, int k, long free_mass)
{
    for (unsigned set = 0; set < 1U << VALUES; set++) {
        long here = 0, around = 0;
        for (int j = 0; j < VALUES; j++) {
            bool within = false;
            for (int i = 0; i < VALUES; i++)
                within |= (set >> i & 1) != 0 && metric[i][j] <= k;
            here += (set >> j & 1) != 0 ? mass[x][j] : 0;
            around += within ? mass[y][j] : 0;
        }
        if (here > around + free_mass)
            return false;
    }
    return true;
}

static int steps_by_hand(long free_mass, size_t *pairs)
{
    int most = 0;
    *pairs = 0;
    for (int x = 0; x < KEYS; x++)
        for (int y = x + 1; y < KEYS; y++) {
            if (!near[x * KEYS + y])
                continue;
            ++*pairs;
            int k = 0;
            while (k <= VALUES && !couples(x, y, k, free_mass))
                k++;
            most = k > VALUES ? FAR : k > most ? k : most;
        }
    return most;
}

Test(random_keeping, as_hall_says)
{
    flint_rand_t state;
    int seen[4] = {0};
    pby_distance steps;
    pby_error err;
    flint_randinit(state);
    pby_distance_init(&steps);
    for (int run = 0; run < RUNS; run++) {
        size_t x, y, pairs, expected_pairs;
        draw(state);
        const long free_mass = (long)n_randint(state, 4);
        mpq_set_si(theta, free_mass, WHOLE);
        mpq_canonicalize(theta);
        const int expected = steps_by_hand(free_mass, &expected_pairs);
        cr_assert_eq(pby_keeping_steps(&steps, &x, &y, &pairs, &map, theta, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pairs, expected_pairs);
        cr_assert_eq(steps.infinite, expected == FAR);
        cr_assert(steps.infinite || mpq_cmp_si(steps.value, expected, 1) == 0, "%d", expected);
        bool keeps;
        const pby_random_function f = {chance[0], KEYS, VALUES};
        cr_assert_eq(pby_random_keeps_neighbours(&keeps, &f, near, new_near, &err), PBY_OK, "%s", err.text);
        cr_assert(free_mass > 0 || keeps == (expected <= 1));
        if (pairs > 0 && !steps.infinite)
            cr_assert(near[x * KEYS + y] &&
                      (expected == 0 || !couples((int)x, (int)y, expected - 1, free_mass)));
        seen[expected == FAR ? 3 : expected > 2 ? 2 : expected]++;
    }
    for (int i = 0; i < 4; i++)
        cr_assert_gt(seen[i], 5, "%d: %d", i, seen[i]);
    pby_distance_clear(&steps);
    flint_randclear(state);
}

/* A mechanism on the values gives o the weight 2^-(steps from v to o), so that no chance changes by more than
 * a factor of 4 between neighbours: behind the map none does by more than 4^steps between neighbouring keys.
 */
Test(random_keeping, a_mechanism_behind_the_map_loses_what_a_group_does)
{
    flint_rand_t state;
    pby_distance steps;
    pby_error err;
    flint_randinit(state);
    pby_distance_init(&steps);
    for (int run = 0; run < RUNS; run++) {
        size_t first, second, pairs;
        draw(state);
        cr_assert_eq(pby_keeping_steps(&steps, &first, &second, &pairs, &map, theta, &err), PBY_OK);
        if (steps.infinite)
            continue;
        double output[KEYS][VALUES] = {{0}}, factor = 1;
        for (unsigned long k = mpz_get_ui(mpq_numref(steps.value)); k > 0; k--)
            factor *= 4;
        for (int v = 0; v < VALUES; v++) {
            double weight[VALUES], sum = 0;
            for (int o = 0; o < VALUES; o++)
                sum += weight[o] = metric[v][o] == FAR ? 0 : 1.0 / (1 << metric[v][o]);
            for (int i = 0; i < KEYS; i++)
                for (int o = 0; o < VALUES; o++)
                    output[i][o] += (double)mass[i][v] / WHOLE * weight[o] / sum;
        }
        for (int x = 0; x < KEYS; x++)
            for (int y = 0; y < KEYS; y++)
                for (int o = 0; o < VALUES && near[x * KEYS + y]; o++)
                    cr_assert_leq(output[x][o], factor * output[y][o] + 1e-12);
    }
    pby_distance_clear(&steps);
    flint_randclear(state);
}
