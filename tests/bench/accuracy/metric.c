/* SPDX-License-Identifier: MIT */
/* Distances of two laws on random points of the plane, in the maximum norm: seconds of processor time against
 * the number of points, and against what qsort takes for as many doubles as there are pairs. Coordinates in
 * thousandths, counts as masses. */
#include <stdio.h>

#include "clock.h"
#include "probity/experimental/accuracy.h"

static long apart(long a, long b)
{
    return a > b ? a - b : b - a;
}

static pby_distance *random_metric(uint64_t *state, size_t n)
{
    long(*at)[2] = malloc(n * sizeof *at);
    pby_distance *metric = malloc(n * n * sizeof *metric);
    if (at == NULL || metric == NULL)
        exit(1);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            at[i][k] = (long)(stream_next(state) % 1000000);
    for (size_t i = 0; i < n * n; i++) {
        const long *a = at[i / n], *b = at[i % n];
        const long first = apart(a[0], b[0]), second = apart(a[1], b[1]);
        pby_distance_init(&metric[i]);
        mpq_set_ui(metric[i].value, (unsigned long)(first > second ? first : second), 1000);
        mpq_canonicalize(metric[i].value);
    }
    free(at);
    return metric;
}

static __mpq_struct *random_law(uint64_t *state, size_t n)
{
    __mpq_struct *law = malloc(n * sizeof *law);
    if (law == NULL)
        exit(1);
    for (size_t i = 0; i < n; i++) {
        mpq_init(law + i);
        mpq_set_ui(law + i, stream_next(state) % 1000 + 1, 1);
    }
    return law;
}

int main(void)
{
    uint64_t state = 1;
    pby_distance found;
    mpq_t gamma;
    pby_distance_init(&found);
    mpq_init(gamma);
    mpq_set_ui(gamma, 1, 100);
    printf("%9s  %8s  %8s  %8s\n", "points", "lossy", "average", "x qsort");
    for (size_t n = 128; n <= 1024; n *= 2) {
        pby_distance *metric = random_metric(&state, n);
        __mpq_struct *p = random_law(&state, n), *q = random_law(&state, n);
        const double begin = now();
        demand(pby_metric_lossy(&found, p, q, metric, n, gamma, NULL));
        const double middle = now();
        demand(pby_metric_average(&found, p, q, metric, n, gamma, NULL));
        const double end = now();
        printf("%9zu  %8.3f  %8.3f  %8.1f\n", n, middle - begin, end - middle,
               (end - begin) / sort_seconds(&state, n * n));
        for (size_t i = 0; i < n; i++) {
            mpq_clear(p + i);
            mpq_clear(q + i);
        }
        for (size_t i = 0; i < n * n; i++)
            pby_distance_clear(&metric[i]);
        free(p);
        free(q);
        free(metric);
    }
    mpq_clear(gamma);
    pby_distance_clear(&found);
    return 0;
}
