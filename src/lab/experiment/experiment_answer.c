/* SPDX-License-Identifier: MIT */
#include "lab/experiment/experiment_answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "kernel/statistic.h"
#include "number/scoped.h"

enum { PREC = PBY_ANSWER_PRECISION };

/* ---- noisy bars ------------------------------------------------------------------------------- */

pby_status pby_noisy_bars_init(pby_noisy_bars *bars, const pby_law *law, int64_t lo, int64_t hi,
                               int64_t threshold, int64_t shift, pby_error *err)
{
    (void)err;
    *bars = (pby_noisy_bars){.lo = lo, .count = hi - lo + 2, .threshold = threshold, .shift = shift};
    bars->below = _arb_vec_init(bars->count);
    for (int64_t i = 0; i < bars->count; i++)
        pby_law_cdf_arb(bars->below + i, law, lo + i - 1, PREC);
    return PBY_OK;
}

void pby_noisy_bars_clear(pby_noisy_bars *bars)
{
    if (bars->below != NULL)
        _arb_vec_clear(bars->below, bars->count);
    bars->below = NULL;
}

/* P(the published count is below v), v from 1 on. */
static void below(arb_t out, const pby_noisy_bars *b, int64_t v, int64_t count)
{
    const int64_t level = v + b->shift > b->threshold ? v + b->shift : b->threshold;
    const int64_t i = level - count - b->lo;
    arb_t one;
    if (count == 0) {
        arb_one(out);
    } else if (i >= b->count) {
        arb_init(one);
        arb_one(one);
        arb_union(out, b->below + b->count - 1, one, PREC);
        arb_clear(one);
    } else if (i < 0) {
        arb_init(one);
        arb_union(out, b->below, one, PREC);
        arb_clear(one);
    } else {
        arb_set(out, b->below + i);
    }
}

/* ---- laws ------------------------------------------------------------------------------------- */

/* From the right: the first bar that reaches k. */
static void max_law(arb_ptr law, int64_t k, const pby_noisy_bars *bars, const int64_t *counts, size_t n)
{
    PBY_ARB(behind, one);
    arb_one(behind);
    for (size_t i = n; i > 0; i--) {
        below(one, bars, k, counts[i - 1]);
        arb_mul(one, one, behind, PREC);
        arb_sub(law + i, behind, one, PREC);
        arb_swap(behind, one);
    }
    arb_set(law, behind);
    arb_zero(law + n + 1);
}

/* Adds the chances that the fullest bar holds v. at[i] is P(y_i < v), next[i] P(y_i <= v), behind[i] the
 * product of next[j] for j >= i. */
static void add_level(arb_ptr law, arb_srcptr at, arb_srcptr next, arb_srcptr behind, size_t n)
{
    PBY_ARB(before, mass);
    arb_one(before);
    for (size_t i = 0; i < n; i++) {
        arb_sub(mass, next + i, at + i, PREC);
        if (!arb_is_zero(mass)) {
            arb_mul(mass, mass, before, PREC);
            arb_addmul(law + i + 1, mass, behind + i + 1, PREC);
        }
        if (!arb_is_one(at + i))
            arb_mul(before, before, at + i, PREC);
    }
}

/* True if a chance is below 2^-48. */
static bool little(const arb_t chance)
{
    PBY_MAG(most);
    arb_get_mag(most, chance);
    return mag_cmp_2exp_si(most, -48) < 0;
}

/* From the highest count that the noise allows down to 1, or to where all counts are hardly lower. What lies
 * beyond both ends is not known. */
static void mode_law(arb_ptr law, const pby_noisy_bars *bars, const int64_t *counts, size_t n)
{
    arb_ptr at = _arb_vec_init((slong)n), next = _arb_vec_init((slong)n),
            behind = _arb_vec_init((slong)n + 1);
    PBY_ARB(rest);
    int64_t v = 0;
    bool done = false;
    for (size_t i = 0; i < n; i++)
        if (counts[i] > 0 && counts[i] + bars->lo + bars->count - bars->shift > v)
            v = counts[i] + bars->lo + bars->count - bars->shift;
    _arb_vec_zero(law, (slong)n + 2);
    for (size_t i = 0; i < n; i++)
        below(next + i, bars, v + 1, counts[i]);
    for (bool first = true; v >= 1 && !done; v--, first = false) {
        arb_one(behind + n);
        for (size_t i = n; i-- > 0;) {
            below(at + i, bars, v, counts[i]);
            if (arb_is_one(next + i))
                arb_set(behind + i, behind + i + 1);
            else
                arb_mul(behind + i, next + i, behind + i + 1, PREC);
        }
        if (first) {
            arb_sub_ui(rest, behind, 1, PREC);
            arb_neg(rest, rest);
        }
        done = little(behind);
        if (done)
            arb_add(rest, rest, behind, PREC);
        else
            add_level(law, at, next, behind, n);
        arb_struct *const other = next;
        next = at;
        at = other;
    }
    if (!done) {
        arb_one(law);
        for (size_t i = 0; i < n; i++)
            arb_mul(law, law, next + i, PREC);
    }
    arb_swap(law + n + 1, rest);
    _arb_vec_clear(behind, (slong)n + 1);
    _arb_vec_clear(next, (slong)n);
    _arb_vec_clear(at, (slong)n);
}

void pby_answer_law(arb_ptr law, const pby_statistic *s, const pby_noisy_bars *bars, const int64_t *counts,
                    size_t n)
{
    if (s->name == PBY_STATISTIC_MODE)
        mode_law(law, bars, counts, n);
    else
        max_law(law, s->k, bars, counts, n);
}

/* ---- errors ----------------------------------------------------------------------------------- */

size_t pby_answer_of(const pby_statistic *s, const int64_t *counts, size_t n)
{
    const size_t bar = s->name == PBY_STATISTIC_MODE ? pby_stat_mode(counts, n)
                                                     : pby_stat_max_k(counts, n, s->k);
    return bar == n ? 0 : bar + 1;
}

static int64_t above(int64_t x, int64_t level)
{
    return x > level ? x - level : 0;
}

/* Every bar behind i must fall below k. */
static void max_flexible(bool *flexible, int64_t k, const int64_t *counts, size_t n, int64_t most)
{
    int64_t behind = 0;
    for (size_t i = n; i > 0; i--) {
        flexible[i] = counts[i - 1] >= k && behind <= most;
        behind += above(counts[i - 1], k - 1);
    }
    flexible[0] = behind <= most;
}

/* Bars before i must fall below its count, and none behind it may be above. */
static void mode_flexible(bool *flexible, const int64_t *counts, size_t n, int64_t most)
{
    int64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t cost = 0;
        for (size_t j = 0; j < n; j++)
            cost += j == i ? 0 : above(counts[j] + (j < i), counts[i]);
        flexible[i + 1] = counts[i] >= 1 && cost <= most;
        total += counts[i];
    }
    flexible[0] = total <= most;
}

void pby_answer_flexible(bool *flexible, const pby_statistic *s, const int64_t *counts, size_t n,
                         int64_t most)
{
    if (s->name == PBY_STATISTIC_MODE)
        mode_flexible(flexible, counts, n, most);
    else
        max_flexible(flexible, s->k, counts, n, most);
}

void pby_answer_far(size_t *far, const bool *flexible, size_t n)
{
    size_t nearest = n;
    far[0] = flexible[0] ? 0 : n;
    for (size_t i = 1; i <= n; i++) {
        nearest = flexible[i] ? 0 : nearest < n ? nearest + 1 : n;
        far[i] = nearest;
    }
    nearest = n;
    for (size_t i = n; i >= 1; i--) {
        nearest = flexible[i] ? 0 : nearest < n ? nearest + 1 : n;
        far[i] = nearest < far[i] ? nearest : far[i];
    }
}

void pby_answer_error(arb_t error, arb_srcptr law, const size_t *far, size_t n)
{
    PBY_ARB(unknown, none);
    arb_zero(error);
    for (size_t i = 0; i <= n; i++)
        arb_addmul_ui(error, law + i, far[i], PREC);
    arb_mul_ui(unknown, law + n + 1, n, PREC);
    arb_union(unknown, unknown, none, PREC);
    arb_add(error, error, unknown, PREC);
    arb_div_ui(error, error, n, PREC);
}
