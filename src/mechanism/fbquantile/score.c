#include "mechanism/fbquantile/score.h"

#include <sodium.h>
#include <stdlib.h>

#include "kernel/rank.h"

typedef void raiser(int64_t *g, size_t n, size_t shift, int64_t more);

/* g[v] = the greatest of g[v], g[v +- step] + 1, .., g[v +- reach step] + reach, as far as there are such.
 * What is known of `width` of these becomes known of twice as many, and at last of reach + 1. */
static void widen(raiser *to, int64_t *g, size_t n, size_t step, size_t reach)
{
    const size_t most = (n - 1) / step, rest = reach < most ? reach : most;
    size_t width = 1;
    for (; width <= rest / 2; width *= 2)
        to(g, n, width * step, (int64_t)width);
    if (rest + 1 > width)
        to(g, n, (rest + 1 - width) * step, (int64_t)(rest + 1 - width));
}

/* What is missing below each value into a, above it into b. A count of bars that reaches beyond the grid
 * misses nothing there: m + reach <= n. */
static void find_missing(int64_t *a, int64_t *b, const pby_rank *r, const int64_t *count)
{
    const size_t n = (size_t)r->side;
    pby_rank_below(a, count, n, r->m);
    pby_rank_above(b, count, n, r->n - r->m + 1);
    if (r->step > 0) {
        widen(pby_rank_ahead, a, n, (size_t)r->step, (size_t)r->reach);
        widen(pby_rank_behind, b, n, (size_t)r->step, (size_t)r->reach);
    }
}

pby_status pby_rank_falls(uint64_t *fall, const pby_rank *r, const int64_t *count, pby_error *err)
{
    const size_t n = (size_t)r->side;
    int64_t *a = (int64_t *)fall, *b = malloc(n * sizeof *b);
    if (b == NULL)
        return pby_no_memory(err);
    find_missing(a, b, r, count);
    pby_rank_both(a, b, n, (int64_t)r->cap, r->step == 0 ? 1 : (int64_t)r->step);
    if (r->step != 0) {
        pby_rank_rise(a, n);
        pby_rank_fall(a, n);
    }
    sodium_memzero(b, n * sizeof *b);
    free(b);
    return PBY_OK;
}
