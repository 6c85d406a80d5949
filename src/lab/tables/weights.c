/* SPDX-License-Identifier: MIT */
/* Weights that fit a noisy histogram and its total.
 *
 * With the measured bars in falling order, a_1 >= a_2 >= ..., and s = max(0, total), the level is
 * (a_1 + ... + a_j - s)/j for the last j with a_j above it. All weights are then multiples of 1/j. The data
 * are public: nothing here is a secret. */
#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "number/scoped.h"
#include "number/text.h"
#include "probity/experimental/microdata.h"
#include "probity/rational.h"

struct pby_weights {
    int64_t *measured;
    size_t n, positive;
    fmpq_t level, total; /* that they add up to */
};

void pby_weights_free(pby_weights *w)
{
    if (w == NULL)
        return;
    free(w->measured);
    fmpq_clear(w->level);
    fmpq_clear(w->total);
    free(w);
}

static int falling(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Expects bars in falling order. Where the total is 0 the level is the greatest bar, and all weights are 0.
 */
static void find_level(pby_weights *w, const int64_t *sorted)
{
    PBY_FMPZ(sum, reach);
    PBY_FMPQ(level);
    fmpz_set_si(sum, sorted[0]);
    fmpz_sub(sum, sum, fmpq_numref(w->total));
    fmpq_set_fmpz(level, sum);
    for (size_t j = 2; j <= w->n; j++) {
        fmpz_set_si(reach, sorted[j - 1]); /* which fmpz_add_si cannot add where it is INT64_MIN */
        fmpz_add(sum, sum, reach);
        fmpz_mul_ui(reach, reach, j);
        if (fmpz_cmp(reach, sum) <= 0)
            break;
        fmpz_set_ui(reach, j);
        fmpq_set_fmpz_frac(level, sum, reach);
    }
    fmpq_swap(w->level, level);
}

/* weight = max(0, measured - level); its sign. */
static int set_weight(fmpq_t weight, const pby_weights *w, size_t i)
{
    fmpq_set_si(weight, w->measured[i], 1);
    fmpq_sub(weight, weight, w->level);
    const int sign = fmpq_sgn(weight);
    if (sign < 0)
        fmpq_zero(weight);
    return sign;
}

/* The conditions of Karush, Kuhn and Tucker, from the weights themselves: none is below 0, they add up to the
 * total, and with m_i = w_i - a_i + level no m_i is below 0 and no m_i w_i differs from 0. They are enough,
 * as what is minimised is convex. */
static bool is_best(pby_weights *w)
{
    bool good = true;
    PBY_FMPQ(weight, sum, m, level);
    fmpq_set(level, w->level);
    w->positive = 0;
    for (size_t i = 0; i < w->n && good; i++) {
        set_weight(weight, w, i);
        w->positive += fmpq_sgn(weight) > 0;
        fmpq_add(sum, sum, weight);
        fmpq_set_si(m, w->measured[i], 1);
        fmpq_sub(m, weight, m);
        fmpq_add(m, m, level);
        good = fmpq_sgn(weight) >= 0 && fmpq_sgn(m) >= 0 && (fmpq_is_zero(m) || fmpq_is_zero(weight));
    }
    good = good && fmpq_equal(sum, w->total);
    return good;
}

static pby_status settle(pby_weights *w, const int64_t *measured, int64_t total, pby_error *err)
{
    int64_t *sorted = malloc(w->n * sizeof *sorted);
    w->measured = malloc(w->n * sizeof *w->measured);
    if (sorted == NULL || w->measured == NULL) {
        free(sorted);
        return pby_no_memory(err);
    }
    memcpy(w->measured, measured, w->n * sizeof *measured);
    memcpy(sorted, measured, w->n * sizeof *measured);
    qsort(sorted, w->n, sizeof *sorted, falling);
    fmpq_set_si(w->total, total > 0 ? total : 0, 1);
    find_level(w, sorted);
    free(sorted);
    return is_best(w) ? PBY_OK
                      : pby_fail_by(err, PBY_FAILED, PBY_REASON_INTERNAL,
                                    "weights: the conditions of the best ones do not hold");
}

pby_status pby_weights_new(pby_weights **out, const int64_t *measured, size_t n, int64_t total,
                           pby_error *err)
{
    *out = NULL;
    if (n == 0)
        return pby_fail(err, PBY_BAD, "measured: expected at least one bar");
    pby_weights *w = calloc(1, sizeof *w);
    if (w == NULL)
        return pby_no_memory(err);
    w->n = n;
    fmpq_init(w->level);
    fmpq_init(w->total);
    const pby_status status = settle(w, measured, total, err);
    if (status == PBY_OK)
        *out = w;
    else
        pby_weights_free(w);
    return status;
}

size_t pby_weights_count(const pby_weights *weights)
{
    return weights->n;
}

size_t pby_weights_positive(const pby_weights *weights)
{
    return weights->positive;
}

void pby_weights_get(mpq_ptr weight, const pby_weights *weights, size_t i)
{
    PBY_FMPQ(x);
    if (i < weights->n)
        set_weight(x, weights, i);
    fmpq_get_mpq(weight, x);
}

void pby_weights_level(mpq_ptr level, const pby_weights *weights)
{
    fmpq_get_mpq(level, weights->level);
}

pby_status pby_weights_get_text(char **weight, const pby_weights *weights, size_t i, pby_error *err)
{
    PBY_MPQ(x);
    pby_weights_get(x, weights, i);
    return pby_rational_print(weight, x, err);
}

pby_status pby_weights_level_text(char **level, const pby_weights *weights, pby_error *err)
{
    PBY_MPQ(x);
    pby_weights_level(x, weights);
    return pby_rational_print(level, x, err);
}
