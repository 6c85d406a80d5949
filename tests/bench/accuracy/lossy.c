/* Lossy Wasserstein distance on the line: seconds of processor time against the number of atoms, and against what
 * qsort takes for the same number of doubles. The atoms are random, positions in millionths. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probity/accuracy.h"

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void demand(pby_status status)
{
    if (status != PBY_OK)
        exit(1);
}

static pby_measure *random_atoms(uint64_t *state, size_t n, unsigned long bias)
{
    pby_measure *m;
    mpq_t at, mass;
    mpq_inits(at, mass, NULL);
    demand(pby_measure_new(&m, NULL));
    for (size_t i = 0; i < n; i++) {
        mpq_set_ui(at, next(state) % 1000000000 + bias, 1000000);
        mpq_canonicalize(at);
        mpq_set_ui(mass, next(state) % 1000 + 1, 1);
        demand(pby_measure_add(m, at, mass, NULL));
    }
    mpq_clears(at, mass, NULL);
    return m;
}

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sort_seconds(uint64_t *state, size_t n)
{
    double *x = malloc(n * sizeof *x);
    if (x == NULL)
        exit(1);
    for (size_t i = 0; i < n; i++)
        x[i] = (double)next(state);
    const double begin = now();
    qsort(x, n, sizeof *x, order);
    const double seconds = now() - begin;
    free(x);
    return seconds;
}

int main(void)
{
    uint64_t state = 1;
    double before = 0;
    mpq_t gamma, found;
    mpq_inits(gamma, found, NULL);
    mpq_set_ui(gamma, 1, 1000);
    printf("%9s  %8s  %6s  %8s\n", "atoms", "seconds", "growth", "x qsort");
    for (size_t n = 125000; n <= 1000000; n *= 2) {
        pby_measure *p = random_atoms(&state, n / 2, 0), *q = random_atoms(&state, n / 2, 5000);
        const double begin = now();
        demand(pby_lossy_distance(found, p, q, gamma, NULL));
        const double seconds = now() - begin;
        printf("%9zu  %8.3f  %6.2f  %8.1f\n", n, seconds, before == 0 ? 0 : seconds / before,
               seconds / sort_seconds(&state, n));
        before = seconds;
        pby_measure_free(p);
        pby_measure_free(q);
    }
    mpq_clears(gamma, found, NULL);
    return 0;
}
