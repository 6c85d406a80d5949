/* SPDX-License-Identifier: MIT */
#include "mechanism/fbquantile/fbquantile_score.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/rank.h"

/* ---- greatest values in a window ---------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* g[v] = the greatest of g[v], g[v + step] + 1, .., g[v + reach step] + reach, as far as they lie below n.
 *
 * In blocks of reach + 1 rows of step values: the greatest from v to the end of its block, into g, and from
 * the beginning of a block to v, into h. A window lies in two neighbouring blocks. */
static void widen_ranges(int64_t *g, int64_t *h, size_t n, size_t step, size_t reach)
{
    const bool whole = reach >= (n - 1) / step;
    const size_t block = whole ? n : (reach + 1) * step, last = (n - 1) / block * block;
    memcpy(h, g, n * sizeof *h);
    for (size_t start = 0; start < n; start += block) {
        const size_t size = smaller(block, n - start);
        pby_rank_ahead(g + start, size, step, 1);
        pby_rank_behind(h + start, size, step, -1);
    }
    if (whole)
        return;
    pby_rank_join(g, h + reach * step, n - reach * step, (int64_t)reach);
    /* The windows that end with the grid, k rows long, and begin in front of the last block. */
    const size_t from = larger(n - step, last);
    for (size_t k = 1; k < reach; k++) {
        const size_t to = smaller(n, last + k * step);
        if (from < to)
            pby_rank_join(g + from - k * step, h + from, to - from, (int64_t)k);
    }
}

/* ---- what is missing ---------------------------------------------------------------------------- */

/* max over k of m + k - #[0, v + k step] into g; count may be h. Windows that reach beyond the grid miss
 * nothing there: m + k <= n. */
static void find_missing(int64_t *g, int64_t *h, const pby_rank *r, const int64_t *count, int64_t m)
{
    const size_t n = (size_t)r->side;
    pby_rank_below(g, count, n, m);
    if (r->step > 0)
        widen_ranges(g, h, n, (size_t)r->step, (size_t)r->reach);
}

static void mirror(int64_t *g, size_t n)
{
    for (size_t v = 0; v < n / 2; v++) {
        const int64_t first = g[v];
        g[v] = g[n - 1 - v];
        g[n - 1 - v] = first;
    }
}

/* Does the work of find_missing from the other end of the grid. */
static void find_missing_above(int64_t *g, int64_t *h, const pby_rank *r, const int64_t *count)
{
    const size_t n = (size_t)r->side;
    memcpy(h, count, n * sizeof *h);
    mirror(h, n);
    find_missing(g, h, r, h, r->n - r->m + 1);
    mirror(g, n);
}

/* ---- the score ---------------------------------------------------------------------------------- */

pby_status pby_rank_falls(uint64_t *fall, const pby_rank *r, const int64_t *count, pby_error *err)
{
    const size_t n = (size_t)r->side;
    int64_t *a = (int64_t *)fall, *b = malloc(n * sizeof *b), *h = calloc(n, sizeof *h);
    const pby_status status = b == NULL || h == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK) {
        find_missing(a, h, r, count, r->m);
        find_missing_above(b, h, r, count);
        pby_rank_both(a, b, n, (int64_t)r->cap, r->step == 0 ? 1 : (int64_t)r->step);
        if (r->step > 0) {
            pby_rank_rise(a, n);
            pby_rank_fall(a, n);
        }
        sodium_memzero(b, n * sizeof *b);
        sodium_memzero(h, n * sizeof *h);
    }
    free(h);
    free(b);
    return status;
}
