/* SPDX-License-Identifier: MIT */
#include "audit/judge/judge_profile.h"

#include <stdlib.h>

#include "audit/count/kind.h"
#include "number/scoped.h"

enum { WORK = 64 };

struct cell {
    uint64_t key;
    double ratio; /* of left to right in the choosing part; unreached cells are in the middle */
    uint64_t chosen[PBY_SIDES], judged[PBY_SIDES];
};

static int by_key(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_ratio(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    if (x->ratio != y->ratio)
        return x->ratio < y->ratio ? 1 : -1;
    return by_key(a, b);
}

static struct cell *gather(size_t *n, const pby_frequencies *table)
{
    struct cell *cell = malloc((table->used + 1) * sizeof *cell);
    *n = 0;
    for (size_t i = 0; cell != NULL && i < table->room; i++) {
        const pby_tally_cell *from = &table->cell[i];
        if (pby_cell_empty(from))
            continue;
        struct cell *to = &cell[(*n)++];
        *to = (struct cell){.key = from->key};
        for (int side = 0; side < PBY_SIDES; side++) {
            to->chosen[side] = from->count[side][PBY_ORDERING] + from->count[side][PBY_SELECTING];
            to->judged[side] = from->count[side][PBY_JUDGING];
        }
    }
    if (cell != NULL)
        qsort(cell, *n, sizeof *cell, by_key);
    return cell;
}

static void pour(struct cell *into, const struct cell *from)
{
    for (int side = 0; side < PBY_SIDES; side++) {
        into->chosen[side] += from->chosen[side];
        into->judged[side] += from->judged[side];
    }
}

/* Returns the number of low bits to drop so that the cells of the choosing part fit. */
static unsigned fitting_cut(const struct cell *cell, size_t n)
{
    for (unsigned cut = 0; cut < 64; cut++) {
        size_t cells = 0;
        uint64_t last = 0;
        for (size_t i = 0; i < n; i++)
            if (cell[i].chosen[0] + cell[i].chosen[1] > 0 && (cells == 0 || cell[i].key >> cut != last)) {
                last = cell[i].key >> cut;
                cells++;
            }
        if (cells < PBY_EMPIRICAL_CELLS)
            return cut;
    }
    return 63;
}

/* Cuts keys until they fit, and joins. */
static size_t coarsen(struct cell *cell, size_t n)
{
    const unsigned cut = fitting_cut(cell, n);
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        cell[i].key >>= cut;
        if (to > 0 && cell[to - 1].key == cell[i].key)
            pour(&cell[to - 1], &cell[i]);
        else
            cell[to++] = cell[i];
    }
    return to;
}

/* In the order of their keys, or against it: so that the first cells are the left side's. */
static void order_by_key(struct cell *cell, size_t n)
{
    double all[PBY_SIDES] = {1, 1}, sum[PBY_SIDES] = {0, 0}, ahead = 0;
    for (size_t i = 0; i < n; i++)
        for (int side = 0; side < PBY_SIDES; side++)
            all[side] += (double)cell[i].chosen[side];
    for (size_t i = 0; i < n; i++) {
        for (int side = 0; side < PBY_SIDES; side++)
            sum[side] += (double)cell[i].chosen[side] / all[side];
        ahead += sum[0] - sum[1];
    }
    for (size_t i = 0; ahead < 0 && i < n / 2; i++) {
        const struct cell swapped = cell[i];
        cell[i] = cell[n - 1 - i];
        cell[n - 1 - i] = swapped;
    }
}

static void order_by_ratio(struct cell *cell, size_t n, const pby_audit *audit)
{
    const double scale = (double)(audit->seen[0][0] + audit->seen[0][1] + 1) /
                         (double)(audit->seen[1][0] + audit->seen[1][1] + 1);
    for (size_t i = 0; i < n; i++)
        cell[i].ratio = ((double)cell[i].chosen[0] + 0.5 * scale) / ((double)cell[i].chosen[1] + 0.5);
    qsort(cell, n, sizeof *cell, by_ratio);
}

pby_status pby_empirical_count(pby_empirical *profile, const pby_audit *audit, unsigned feature,
                               pby_error *err)
{
    const pby_frequencies *table = &audit->table[feature];
    size_t n;
    struct cell *cell = gather(&n, table);
    if (cell == NULL)
        return pby_no_memory(err);
    if (table->ordered)
        n = coarsen(cell, n);
    if (audit->kinds >> pby_kind_of_set(feature) & 1)
        order_by_ratio(cell, n, audit);
    else
        order_by_key(cell, n);
    *profile = (pby_empirical){.cells = n < PBY_EMPIRICAL_CELLS ? n : PBY_EMPIRICAL_CELLS};
    pby_feature_name(profile->feature, feature);
    for (int side = 0; side < PBY_SIDES; side++) {
        profile->total[side] = pby_audit_given(audit, feature, side, PBY_JUDGING);
        uint64_t sum = 0;
        for (size_t i = 0; i < n; i++) { /* every 1/256th of many cells */
            sum += cell[i].judged[side];
            profile->within[side][i * profile->cells / n] = sum;
        }
    }
    if (profile->total[0] == 0 || profile->total[1] == 0)
        profile->cells = 0;
    free(cell);
    return PBY_OK;
}

/* sqrt(log(4 / error) / (2 n)): half of the error for each side. */
static void deviation(arb_t d, uint64_t n, const fmpq_t error)
{
    PBY_FMPQ(inverse);
    fmpq_inv(inverse, error);
    fmpq_mul_ui(inverse, inverse, 4);
    arb_set_fmpq(d, inverse, WORK);
    arb_log(d, d, WORK);
    arb_div_ui(d, d, 2, WORK);
    arb_div_ui(d, d, n, WORK);
    arb_sqrt(d, d, WORK);
}

/* best = max(best, p + dp - factor (q + dq)), p and q not beyond [0, 1]. */
static void grow(arb_t best, const arb_t p, const arb_t dp, const arb_t factor, const arb_t q, const arb_t dq)
{
    PBY_ARB(a, b, one, zero);
    arb_one(one);
    arb_add(a, p, dp, WORK);
    arb_min(a, a, one, WORK);
    arb_add(b, q, dq, WORK);
    arb_max(b, b, zero, WORK);
    arb_submul(a, b, factor, WORK);
    arb_max(best, best, a, WORK);
}

/* The three curves over the prefixes; with the sides exchanged the events are the complements. */
static void sweep(arb_struct curve[3], const pby_empirical *f, const arb_t factor, const arb_struct d[2],
                  int accused)
{
    PBY_ARB(p, q, dp, dq, none);
    const int other = 1 - accused;
    for (size_t i = 0; i < f->cells; i++) {
        arb_set_ui(p, accused == 0 ? f->within[0][i] : f->total[1] - f->within[1][i]);
        arb_div_ui(p, p, f->total[accused], WORK);
        arb_set_ui(q, accused == 0 ? f->within[1][i] : f->total[0] - f->within[0][i]);
        arb_div_ui(q, q, f->total[other], WORK);
        arb_neg(dp, &d[accused]);
        arb_neg(dq, &d[other]);
        grow(&curve[0], p, dp, factor, q, &d[other]);
        grow(&curve[1], p, none, factor, q, none);
        grow(&curve[2], p, &d[accused], factor, q, dq);
    }
}

void pby_empirical_at(arb_t lower, arb_t middle, arb_t upper, const pby_empirical *profile,
                      const arb_t epsilon, const fmpq_t error)
{
    arb_struct curve[3], d[2];
    PBY_ARB(factor);
    arb_exp(factor, epsilon, WORK);
    for (int i = 0; i < 3; i++)
        arb_init(&curve[i]);
    for (int side = 0; side < PBY_SIDES; side++) {
        arb_init(&d[side]);
        deviation(&d[side], profile->total[side], error);
    }
    for (int accused = 0; accused < PBY_SIDES; accused++)
        sweep(curve, profile, factor, d, accused);
    arb_swap(lower, &curve[0]);
    arb_swap(middle, &curve[1]);
    arb_swap(upper, &curve[2]);
    for (int side = 0; side < PBY_SIDES; side++)
        arb_clear(&d[side]);
    for (int i = 0; i < 3; i++)
        arb_clear(&curve[i]);
}
