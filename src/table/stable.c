/* SPDX-License-Identifier: MIT */
#include "probity/experimental/stable.h"
#include "base/sorted.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/status.h"
#include "kernel/statistic.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t above(int64_t x, int64_t level)
{
    return x > level ? x - level : 0;
}

static int64_t apart(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

static pby_status check(const pby_statistic *s, bool ends, const int64_t *counts, size_t n, pby_error *err)
{
    const bool max = s->name == PBY_STATISTIC_MAX || s->name == PBY_STATISTIC_MAX_K,
               min = s->name == PBY_STATISTIC_MIN || s->name == PBY_STATISTIC_MIN_K;
    if (!max && s->name != PBY_STATISTIC_MODE && !(min && ends))
        return pby_refuse(err, "statistic", pby_statistic_text(s->name),
                          ends ? "max, max_k, min, min_k or mode" : "max, max_k or mode");
    const int64_t most = INT64_C(1) << 60;
    int64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        if (counts[i] < 0 || counts[i] > most - total)
            return pby_fail(err, PBY_BAD, "counts: expected no negative one, and a sum of at most 2^60");
        total += counts[i];
    }
    return max && s->k > most ? pby_fail(err, PBY_BAD, "k: expected at most 2^60") : PBY_OK;
}

/* ---- the radius ------------------------------------------------------------------------------- */

/* The fewest changes of max_k: the answer falls below k, or a bar behind it reaches k. */
static int64_t max_changes(const int64_t *x, size_t n, int64_t k, bool moves)
{
    const size_t m = pby_stat_max_k(x, n, k);
    int64_t fewest = INT64_MAX;
    if (moves && (n < 2 || pby_stat_total(x, n) < k))
        return fewest;
    for (size_t j = m == n ? 0 : m + 1; j < n; j++)
        fewest = least(fewest, k - x[j]);
    return m == n ? fewest : least(fewest, x[m] - k + 1);
}

static int64_t min_changes(const int64_t *x, size_t n, int64_t k, bool moves)
{
    const size_t m = pby_stat_min_k(x, n, k);
    int64_t fewest = INT64_MAX;
    if (moves && (n < 2 || pby_stat_total(x, n) < k))
        return fewest;
    for (size_t j = 0; j < (m == n ? n : m); j++)
        fewest = least(fewest, k - x[j]);
    return m == n ? fewest : least(fewest, x[m] - k + 1);
}

/* Another bar overtakes the mode, which a moved record brings nearer by two; or no record is left. */
static int64_t mode_changes(const int64_t *x, size_t n, bool moves)
{
    const size_t m = pby_stat_mode(x, n);
    const int64_t total = pby_stat_total(x, n);
    if (m == n)
        return moves || n == 0 ? INT64_MAX : 1;
    int64_t fewest = moves ? INT64_MAX : total;
    for (size_t j = 0; j < n; j++) {
        const int64_t lead = x[m] - x[j] + (j > m);
        if (j != m)
            fewest = least(fewest, moves ? lead / 2 + lead % 2 : lead);
    }
    return fewest;
}

pby_status pby_statistic_radius(int64_t *radius, const pby_statistic *s, pby_neighbours relation,
                                const int64_t *counts, size_t n, pby_error *err)
{
    *radius = 0;
    if (relation != PBY_ADD_REMOVE && relation != PBY_SUBSTITUTE)
        return pby_fail(err, PBY_BAD, "relation: expected PBY_ADD_REMOVE or PBY_SUBSTITUTE");
    const pby_status status = check(s, true, counts, n, err);
    if (status != PBY_OK)
        return status;
    const bool moves = relation == PBY_SUBSTITUTE;
    const int64_t k = s->name == PBY_STATISTIC_MAX_K || s->name == PBY_STATISTIC_MIN_K ? s->k : 1;
    const int64_t fewest = s->name == PBY_STATISTIC_MODE ? mode_changes(counts, n, moves)
                           : s->name == PBY_STATISTIC_MAX || s->name == PBY_STATISTIC_MAX_K
                               ? max_changes(counts, n, k, moves)
                               : min_changes(counts, n, k, moves);
    *radius = fewest == INT64_MAX ? fewest : fewest - 1;
    return PBY_OK;
}

/* ---- jumps ------------------------------------------------------------------------------------ */

static void record(int64_t *far, size_t d, int64_t cost)
{
    far[d] = least(far[d], cost);
}

/* From the bar m, or none for m = 0, to the bar p behind it, which holds k - 1 records and gets one more:
 * every other bar behind m must be below k. */
static void max_jumps(int64_t *far, const int64_t *x, size_t n, int64_t k)
{
    int64_t behind = 0;
    for (size_t m = n; m-- > 0;) {
        behind += above(x[m], k - 1);
        const int64_t others = m > 0 ? above(k, x[m - 1]) : 0;
        for (size_t p = m + 1; p <= n; p++) {
            const int64_t here = x[p - 1], turn = here >= k ? here - k : k - 1 - here;
            record(far, p - m, behind - above(here, k - 1) + turn + others);
        }
    }
}

/* A height h at which two bars s < t share the first place, so that one record decides; full[i] of the bars
 * before i hold h or more. */
struct level {
    int64_t h, over;     /* over = the sum of all that is above h */
    const int64_t *full; /* n + 1 */
    const int64_t *x;
};

/* At s and t both are h, and s is the mode. Then t gets one more: only bars before s must be below h. Or s
 * loses one: all bars before t must be. */
static int64_t mode_cost(const struct level *l, size_t s, size_t t)
{
    const int64_t h = l->h, a = l->x[s], b = l->x[t];
    const int64_t shared = l->over - above(a, h) - above(b, h);
    const int64_t gains = shared + l->full[s] + apart(a, h) + least(apart(b, h), apart(b, h + 1));
    const int64_t loses = shared + l->full[t] - (a >= h) + apart(b, h) + least(apart(a, h), apart(a, h - 1));
    return least(gains, loses);
}

static void level_jumps(int64_t *far, int64_t *full, const int64_t *x, size_t n, int64_t h)
{
    struct level l = {.h = h, .full = full, .x = x};
    full[0] = 0;
    for (size_t i = 0; i < n; i++) {
        full[i + 1] = full[i] + (x[i] >= h);
        l.over += above(x[i], h);
    }
    for (size_t s = 0; s < n; s++)
        for (size_t t = s + 1; t < n; t++)
            record(far, t - s, mode_cost(&l, s, t));
}

/* A cost is convex in h and bends only next to counts. To none: from one record, which is removed. */
static pby_status mode_jumps(int64_t *far, const int64_t *x, size_t n, pby_error *err)
{
    int64_t *levels = malloc((3 * n + 1) * sizeof *levels), *full = malloc((n + 1) * sizeof *full);
    if (levels == NULL || full == NULL) {
        free(levels);
        free(full);
        return pby_no_memory(err);
    }
    const int64_t total = pby_stat_total(x, n);
    size_t count = 0;
    levels[count++] = 1;
    for (size_t i = 0; i < n; i++)
        for (int64_t h = x[i] - 1; h <= x[i] + 1; h++)
            if (h >= 1)
                levels[count++] = h;
    qsort(levels, count, sizeof *levels, pby_compare_int64);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || levels[i] > levels[i - 1])
            level_jumps(far, full, x, n, levels[i]);
    for (size_t v = 0; v < n; v++)
        record(far, v + 1, least(total, total - x[v] + apart(x[v], 1)));
    free(full);
    free(levels);
    return PBY_OK;
}

pby_status pby_statistic_jumps(int64_t *far, const pby_statistic *s, const int64_t *counts, size_t n,
                               pby_error *err)
{
    if (n > PBY_STABLE_BARS)
        return pby_fail(err, PBY_BAD, "n: expected at most %d bars", PBY_STABLE_BARS);
    for (size_t d = 0; d <= n; d++)
        far[d] = d == 0 ? 0 : INT64_MAX;
    const pby_status status = check(s, false, counts, n, err);
    if (status != PBY_OK)
        return status;
    if (s->name == PBY_STATISTIC_MODE)
        return mode_jumps(far, counts, n, err);
    max_jumps(far, counts, n, s->name == PBY_STATISTIC_MAX_K ? s->k : 1);
    return PBY_OK;
}
