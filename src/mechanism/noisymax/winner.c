/* SPDX-License-Identifier: MIT */
/* Neighbours whose winners have laws that are far apart, for Renyi divergences: an event, such as those of
 * pairs.c, forgets which candidate of a set has won.
 *
 * A few candidates fall behind the others by the whole move. The tables are those that searches with up to
 * ten candidates, at e from 1/10 to 6, found to need the greatest rho (docs/theory/noisymax.md); how far
 * ahead the candidates begin is tried out for each mechanism. */
#include <math.h>
#include <stdlib.h>

#include "mechanism/noisymax/noisymax.h"
#include "mechanism/shared/monotone.h"
#include "pair/rounded.h"

enum { CANDIDATES = 5, PLACES = 7, ORDERS = 4, GUESS_BITS = 64, ROUNDED_BITS = 192 };

/* Which candidates fall behind, and how many units higher each begins than others of its side. */
struct table {
    size_t n;
    struct {
        bool falls;
        int level;
    } candidate[CANDIDATES];
};

static const struct table tables[] = {
    {4, {{true, 0}, {false, 0}, {true, 0}, {false, 0}}},
    {4, {{true, 0}, {true, 0}, {false, 0}, {false, 0}}},
    {4, {{true, 0}, {true, 1}, {false, 0}, {false, 0}}},
    {4, {{true, 1}, {false, 1}, {false, 0}, {true, 0}}},
    {5, {{true, 0}, {false, 0}, {true, 1}, {false, 0}, {true, 1}}},
    {5, {{false, 0}, {false, 0}, {true, 0}, {true, 0}, {false, 1}}},
    {3, {{false, 0}, {true, 0}, {false, 1}}},
};

enum { TABLES = sizeof tables / sizeof *tables };

/* One that is tried: the laws of the winner on the two inputs. */
struct trial {
    size_t table;
    int64_t ahead;
    double p[CANDIDATES], q[CANDIDATES];
};

static pby_status law_of(arb_ptr chance, const pby_max_noise *noise, const struct table *t, int64_t ahead,
                         int64_t unit, slong prec, pby_error *err)
{
    int64_t x[CANDIDATES];
    pby_status status = PBY_OK;
    for (size_t i = 0; i < t->n; i++)
        x[i] = t->candidate[i].level * unit + (t->candidate[i].falls ? ahead : 0);
    for (size_t i = 0; i < t->n && status == PBY_OK; i++)
        status = pby_max_chance(chance + i, noise, x, t->n, i, prec, err);
    return status;
}

static int64_t unit_of(int64_t by)
{
    enum { UNITS = 6 };
    return by <= UNITS ? 1 : by / UNITS;
}

static pby_status try_one(struct trial *t, const pby_max_noise *noise, int64_t by, pby_error *err)
{
    arb_ptr chance = _arb_vec_init(2 * CANDIDATES);
    const struct table *table = &tables[t->table];
    pby_status status = law_of(chance, noise, table, t->ahead, unit_of(by), GUESS_BITS, err);
    if (status == PBY_OK)
        status = law_of(chance + CANDIDATES, noise, table, t->ahead - by, unit_of(by), GUESS_BITS, err);
    for (size_t i = 0; i < table->n; i++) {
        t->p[i] = arf_get_d(arb_midref(chance + i), ARF_RND_NEAR);
        t->q[i] = arf_get_d(arb_midref(chance + CANDIDATES + i), ARF_RND_NEAR);
    }
    _arb_vec_clear(chance, 2 * CANDIDATES);
    return status;
}

/* (a-1) D_a, or D_1, in a double: it only chooses among neighbours. */
static double divergence(const double *p, const double *q, size_t n, double a)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a - 1 < 1e-6 ? p[i] * log(p[i] / q[i]) : p[i] * expm1((a - 1) * log(p[i] / q[i]));
    return sum;
}

static double worth(const struct trial *t, double a)
{
    const size_t n = tables[t->table].n;
    return fmax(divergence(t->p, t->q, n, a), divergence(t->q, t->p, n, a));
}

static const struct trial *best_at(const struct trial *trial, double a)
{
    const struct trial *best = trial;
    for (size_t i = 1; i < TABLES * PLACES; i++)
        if (worth(&trial[i], a) > worth(best, a))
            best = &trial[i];
    return best;
}

/* Fills two pairs, the one the reverse of the other. */
static pby_status both_orders(pby_pair *pair, const pby_max_noise *noise, const struct trial *t, int64_t by,
                              pby_error *err)
{
    const struct table *table = &tables[t->table];
    arb_ptr p = _arb_vec_init(CANDIDATES), q = _arb_vec_init(CANDIDATES);
    pby_status status = law_of(p, noise, table, t->ahead, unit_of(by), ROUNDED_BITS, err);
    if (status == PBY_OK)
        status = law_of(q, noise, table, t->ahead - by, unit_of(by), ROUNDED_BITS, err);
    if (status == PBY_OK)
        status = pby_pair_of_balls(&pair[0], p, q, table->n, err);
    if (status == PBY_OK)
        status = pby_pair_of_balls(&pair[1], q, p, table->n, err);
    _arb_vec_clear(q, CANDIDATES);
    _arb_vec_clear(p, CANDIDATES);
    return status;
}

static pby_status two_sided_winners(pby_pairs *out, const pby_max_noise *noise, int64_t by, const fmpq *order,
                                    pby_error *err)
{
    static const double any[ORDERS] = {1, 2, 4, 16};
    struct trial trial[TABLES * PLACES];
    const size_t orders = order == NULL ? ORDERS : 1;
    pby_status status = pby_pairs_init(out, 2 * orders, err);
    for (size_t i = 0; i < TABLES * PLACES && status == PBY_OK; i++) {
        const int64_t place = (int64_t)(i % PLACES);
        trial[i] = (struct trial){.table = i / PLACES,
                                  .ahead = by < PLACES ? FLINT_MIN(place, by) : by * place / (PLACES - 1)};
        status = try_one(&trial[i], noise, by, err);
    }
    for (size_t i = 0; i < orders && status == PBY_OK; i++)
        status = both_orders(&out->pair[2 * i], noise,
                             best_at(trial, order == NULL ? any[i] : fmpq_get_d(order)), by, err);
    return status;
}

/* Moves the pairs of one list to the end of another. */
static pby_status append(pby_pairs *to, pby_pairs *more, pby_error *err)
{
    pby_pair *all = reallocarray(to->pair, to->count + more->count, sizeof *all);
    if (all == NULL)
        return pby_no_memory(err);
    to->pair = all;
    for (size_t i = 0; i < more->count; i++)
        all[to->count++] = more->pair[i];
    more->count = 0;
    return PBY_OK;
}

pby_status pby_max_diverging(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    pby_max_noise noise;
    pby_pairs winners = {NULL, 0};
    pby_status status = pby_max_attained(out, m, wanted, err);
    pby_max_noise_init(&noise, m);
    if (status == PBY_OK && !noise.one_sided)
        status = two_sided_winners(&winners, &noise, pby_max_moved(m), wanted->order, err);
    if (status == PBY_OK)
        status = append(out, &winners, err);
    pby_pairs_clear(&winners);
    pby_max_noise_clear(&noise);
    return status;
}
