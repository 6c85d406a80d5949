/* SPDX-License-Identifier: MIT */
/* Lossy Wasserstein distance on the line: seconds of processor time against the number of atoms, and against
 * what qsort takes for the same number of doubles. The atoms are random: positions in millionths and masses
 * that are counts; positions that are doubles in their shortest notation, the least of which makes the common
 * denominator wide; and masses that are such doubles too. Then the average version, with loss. */
#include <stdio.h>

#include "clock.h"
#include "probity/experimental/accuracy.h"
#include "probity/rational.h"

/* A double from 0 to 1 as the shortest decimal that is read back as it. */
static void set_shortest(mpq_t out, uint64_t *state)
{
    const double x = (double)(stream_next(state) >> 11) * 0x1p-53;
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    demand(pby_rational_parse(out, "x", text, NULL));
}

typedef enum kind { MILLIONTHS, DOUBLES, DOUBLE_MASSES, KINDS } kind;

static const char *const title[KINDS] = {"millionths", "doubles", "doubles and double masses"};

static pby_measure *random_atoms(uint64_t *state, size_t n, unsigned long bias, kind k)
{
    pby_measure *m;
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    demand(pby_measure_new(&m, NULL));
    for (size_t i = 0; i < n; i++) {
        if (k == MILLIONTHS)
            mpq_set_ui(at, stream_next(state) % 1000000000 + bias, 1000000);
        else
            set_shortest(at, state);
        mpq_canonicalize(at);
        if (k == DOUBLE_MASSES)
            set_shortest(mass, state);
        else
            mpq_set_ui(mass, stream_next(state) % 1000 + 1, 1);
        demand(pby_measure_add(m, at, mass, NULL));
    }
    mpq_clears(at, mass, NULL);
    return m;
}

typedef pby_status distance(mpq_t out, const pby_measure *p, const pby_measure *q, mpq_srcptr gamma,
                            pby_error *err);

static void measure(const char *name, distance *f, kind k, size_t from, size_t to)
{
    uint64_t state = 1;
    double before = 0;
    mpq_t gamma, found;
    mpq_inits(gamma, found, NULL);
    mpq_set_ui(gamma, 1, 1000);
    printf("%s, %s\n%9s  %8s  %6s  %8s\n", name, title[k], "atoms", "seconds", "growth", "x qsort");
    for (size_t n = from; n <= to; n *= 2) {
        pby_measure *p = random_atoms(&state, n / 2, 0, k), *q = random_atoms(&state, n / 2, 5000, k);
        const double begin = now();
        demand(f(found, p, q, gamma, NULL));
        const double seconds = now() - begin;
        printf("%9zu  %8.3f  %6.2f  %8.1f\n", n, seconds, before == 0 ? 0 : seconds / before,
               seconds / sort_seconds(&state, n));
        before = seconds;
        pby_measure_free(p);
        pby_measure_free(q);
    }
    mpq_clears(gamma, found, NULL);
}

int main(void)
{
    for (kind k = MILLIONTHS; k < KINDS; k++)
        measure("lossy", pby_lossy_distance, k, 125000, 1000000);
    for (kind k = MILLIONTHS; k < KINDS; k++)
        measure("average", pby_lossy_average, k, 4096, PBY_AVERAGE_MAX);
    return 0;
}
