#include "mechanism/fbquantile/score.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- greatest values in a window ---------------------------------------------------------------- */

/* out[v] = the greatest of g[v], g[v + step], .., g[v + width step], as far as they lie below n.
 *
 * In blocks of (width + 1) step values: the greatest from v to the end of its block, and the greatest from
 * the beginning of a block to v, which g itself becomes. A window lies in two neighbouring blocks. */
static void window(int64_t *out, int64_t *g, size_t n, size_t step, size_t width)
{
    const size_t block = width >= n / step ? n : (width + 1) * step;
    size_t last = 0;
    for (size_t start = 0; start < n; start += block) {
        const size_t end = n - start < block ? n : start + block;
        for (size_t v = end; v-- > start;)
            out[v] = end - v > step ? larger(g[v], out[v + step]) : g[v];
        for (size_t v = start; v < end; v++)
            g[v] = v - start >= step ? larger(g[v], g[v - step]) : g[v];
        last = start;
    }
    for (size_t v = 0; v < last; v++) {
        const size_t rest = (n - 1 - v) / step, to = v + (rest < width ? rest : width) * step;
        if (rest >= width || to >= last)
            out[v] = larger(out[v], g[to]);
    }
}

/* ---- what is missing ---------------------------------------------------------------------------- */

/* g[v] = v/step - #[0, v], of the records in their order or in the reverse of it. */
static void gaps(int64_t *g, const int64_t *count, size_t n, size_t step, bool reversed)
{
    int64_t sum = 0, row = 0;
    size_t column = 0;
    for (size_t v = 0; v < n; v++) {
        sum += count[reversed ? n - 1 - v : v];
        g[v] = row - sum;
        if (++column == step) {
            column = 0;
            row++;
        }
    }
}

/* fall[v] += max(0, max over k of m + k - #[0, v + k step]), or the same from the other end. Windows that
 * reach beyond the grid miss nothing there: m + k <= n. */
static void add_missing(uint64_t *fall, int64_t *g, int64_t *room, const pby_rank *r, const int64_t *count,
                        bool reversed)
{
    const size_t n = (size_t)r->side, step = r->step == 0 ? n : (size_t)smaller(r->step, n);
    const int64_t m = reversed ? r->n - r->m + 1 : r->m;
    int64_t row = 0;
    size_t column = 0;
    gaps(g, count, n, step, reversed);
    window(room, g, n, step, (size_t)smaller(r->reach, n));
    for (size_t v = 0; v < n; v++) {
        fall[reversed ? n - 1 - v : v] += (uint64_t)larger(0, m - row + room[v]);
        if (++column == step) {
            column = 0;
            row++;
        }
    }
}

/* ---- the score ---------------------------------------------------------------------------------- */

/* fall[t] = min over v of fall[v] + |t - v| */
static void spread(uint64_t *fall, size_t n)
{
    for (size_t t = 1; t < n; t++)
        fall[t] = smaller(fall[t], fall[t - 1] + 1);
    for (size_t t = n - 1; t-- > 0;)
        fall[t] = smaller(fall[t], fall[t + 1] + 1);
}

pby_status pby_rank_falls(uint64_t *fall, const pby_rank *r, const int64_t *count, pby_error *err)
{
    const size_t n = (size_t)r->side;
    const uint64_t step = r->step == 0 ? 1 : r->step;
    int64_t *g = calloc(n, sizeof *g), *room = malloc(n * sizeof *room);
    const pby_status status = g == NULL || room == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t v = 0; v < n && status == PBY_OK; v++)
        fall[v] = 0;
    if (status == PBY_OK) {
        add_missing(fall, g, room, r, count, false);
        add_missing(fall, g, room, r, count, true);
        for (size_t v = 0; v < n; v++)
            fall[v] = smaller(fall[v], r->cap) * step;
        if (r->step != 0)
            spread(fall, n);
        sodium_memzero(g, n * sizeof *g);
        sodium_memzero(room, n * sizeof *room);
    }
    free(room);
    free(g);
    return status;
}
