/* SPDX-License-Identifier: MIT */
#include "tests/accuracy/make.h"
#include "accuracy/accuracy.h"

#include <criterion/criterion.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>
#include <string.h>

pby_measure *make_measure(const long *at, unsigned long unit, const unsigned long *mass, size_t count)
{
    pby_measure *m;
    mpq_t where, much;
    mpq_inits(where, much, NULL);
    cr_assert_eq(pby_measure_new(&m, NULL), PBY_OK);
    for (size_t i = 0; i < count; i++) {
        mpq_set_si(where, at[i], unit);
        mpq_canonicalize(where);
        mpq_set_ui(much, mass[i], 1);
        cr_assert_eq(pby_measure_add(m, where, much, NULL), PBY_OK);
    }
    mpq_clears(where, much, NULL);
    return m;
}

pby_measure *random_measure(flint_rand_t state, size_t count, unsigned long span, unsigned long unit)
{
    long at[32];
    unsigned long mass[32];
    cr_assert(count <= 32);
    for (size_t i = 0; i < count; i++) {
        at[i] = (long)n_randint(state, span);
        mass[i] = n_randint(state, 5) + (i == 0);
    }
    return make_measure(at, unit, mass, count);
}

pby_distance *random_distances(flint_rand_t state, size_t n, unsigned long span, unsigned long unit,
                               unsigned rare)
{
    pby_distance *metric = malloc(n * n * sizeof *metric);
    cr_assert_not_null(metric);
    for (size_t i = 0; i < n * n; i++) {
        pby_distance_init(&metric[i]);
        if (i % (n + 1) == 0)
            continue;
        mpq_set_ui(metric[i].value, n_randint(state, span + 1), unit);
        mpq_canonicalize(metric[i].value);
        if (rare != 0 && n_randint(state, rare) == 0) {
            mpq_set_ui(metric[i].value, 0, 1);
            metric[i].infinite = true;
        }
    }
    return metric;
}

void free_distances(pby_distance *metric, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pby_distance_clear(&metric[i]);
    free(metric);
}

const char *text_of_q(mpq_srcptr q)
{
    static char text[4][256];
    static unsigned turn;
    turn = (turn + 1) % 4;
    cr_assert(mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3 < sizeof *text);
    return mpq_get_str(text[turn], 10, q);
}

const char *text_of(const pby_distance *x)
{
    return x->infinite ? "inf" : text_of_q(x->value);
}

/* q of the points within b of the set, less p of the set. */
static void surplus(mpq_t out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric, size_t n, unsigned set,
                    const pby_distance *b)
{
    mpq_set_ui(out, 0, 1);
    for (size_t j = 0; j < n; j++) {
        int near = 0;
        for (size_t i = 0; i < n; i++)
            near |= set >> i & 1 && pby_distance_cmp(&metric[i * n + j], b) <= 0;
        if (near)
            mpq_add(out, out, q + j);
        if (set >> j & 1)
            mpq_sub(out, out, p + j);
    }
}

static int dual_holds(mpq_srcptr p, mpq_srcptr q, const pby_distance *metric, size_t n, mpq_srcptr gamma,
                      const pby_distance *b)
{
    int holds = 1;
    mpq_t margin;
    mpq_init(margin);
    for (unsigned set = 0; set < 1u << n && holds; set++) {
        surplus(margin, p, q, metric, n, set, b);
        mpq_add(margin, margin, gamma);
        holds = mpq_sgn(margin) >= 0;
    }
    mpq_clear(margin);
    return holds;
}

void dual_lossy(pby_distance *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric, size_t n,
                mpq_srcptr gamma)
{
    mpq_set_ui(out->value, 0, 1);
    out->infinite = true;
    for (size_t i = 0; i < n * n; i++)
        if (!metric[i].infinite && pby_distance_cmp(&metric[i], out) < 0 &&
            dual_holds(p, q, metric, n, gamma, &metric[i]))
            pby_distance_set(out, &metric[i]);
    if (out->infinite && mpq_cmp_ui(gamma, 1, 1) == 0)
        out->infinite = false;
}

pby_status ask_noisy(pby_noisy_accuracy *out, const pby_spec *spec, uint64_t n, uint64_t bars,
                     const char *beta, const char *gamma)
{
    mpq_t b, g;
    mpq_inits(b, g, NULL);
    cr_assert(mpq_set_str(b, beta == NULL ? "0" : beta, 10) == 0 &&
              mpq_set_str(g, gamma == NULL ? "0" : gamma, 10) == 0);
    const pby_input_class inputs = {n, bars, NULL};
    const pby_status status =
        pby_accuracy_noisy(out, spec, &inputs, beta == NULL ? NULL : b, gamma == NULL ? NULL : g, 20, NULL);
    mpq_clears(b, g, NULL);
    return status;
}
