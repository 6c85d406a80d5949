/* SPDX-License-Identifier: MIT */
/* Carrying on finitely many points with any distances between them, within a bound: the carriage of lossy.c
 * as a flow. What can be carried grows with the bound and changes only where that is one of the distances, so
 * the least bound is found by bisection over the sorted pairs. */
#include <stdlib.h>

#include "number/scoped.h"
#include "transport/metric.h"
#include "transport/network.h"
#include "transport/transport_measure.h"

enum { SOURCE, SINK, FIRST };

struct pair {
    mpq_srcptr distance;
    uint32_t i, j;
};

static int by_distance(const void *a, const void *b)
{
    return mpq_cmp(((const struct pair *)a)->distance, ((const struct pair *)b)->distance);
}

/* The pairs at a finite distance, the nearest first. */
static pby_status sort_pairs(struct pair **out, size_t *count, const pby_metric_pair *p, pby_error *err)
{
    struct pair *pair = *out = malloc((p->x.count * p->y.count + 1) * sizeof *pair);
    *count = 0;
    if (pair == NULL)
        return pby_no_memory(err);
    for (uint32_t i = 0; i < p->x.count; i++)
        for (uint32_t j = 0; j < p->y.count; j++)
            if (!pby_metric_between(p, i, j)->infinite)
                pair[(*count)++] = (struct pair){pby_metric_between(p, i, j)->value, i, j};
    qsort(pair, *count, sizeof *pair, by_distance);
    return PBY_OK;
}

/* Sets *yes if `need` can be carried over the first `pairs` pairs. */
static pby_status reaches(bool *yes, const pby_metric_pair *p, const struct pair *pair, size_t pairs,
                          const fmpz_t need, pby_error *err)
{
    const uint32_t nx = (uint32_t)p->x.count, ny = (uint32_t)p->y.count;
    pby_network g;
    PBY_FMPZ(flow);
    pby_status status = pby_network_init(&g, nx + ny + FIRST, nx + ny + (uint32_t)pairs, err);
    if (status == PBY_OK) {
        for (uint32_t i = 0; i < nx; i++)
            pby_network_arc(&g, SOURCE, FIRST + i, &p->x.mass[i]);
        for (uint32_t j = 0; j < ny; j++)
            pby_network_arc(&g, FIRST + nx + j, SINK, &p->y.mass[j]);
        for (size_t k = 0; k < pairs; k++)
            pby_network_arc(&g, FIRST + pair[k].i, FIRST + nx + pair[k].j, p->x.total);
        status = pby_network_flow(flow, &g, SOURCE, SINK, err);
    }
    *yes = fmpz_cmp(flow, need) >= 0;
    pby_network_clear(&g);
    return status;
}

/* The least distance within which `need` can be carried: that of the last pair that is needed. */
static pby_status set_reach(pby_distance *out, const pby_metric_pair *p, const fmpz_t need, pby_error *err)
{
    struct pair *pair;
    size_t pairs, lo = 0;
    pby_status status = sort_pairs(&pair, &pairs, p, err);
    size_t hi = pairs + 1; /* as if one more were always enough */
    while (lo < hi && status == PBY_OK) {
        const size_t middle = lo + (hi - lo) / 2;
        bool yes = middle > pairs;
        if (!yes)
            status = reaches(&yes, p, pair, middle, need, err);
        if (yes)
            hi = middle;
        else
            lo = middle + 1;
    }
    out->infinite = hi > pairs;
    mpq_set_ui(out->value, 0, 1);
    if (hi > 0 && hi <= pairs)
        mpq_set(out->value, pair[hi - 1].distance);
    free(pair);
    return status;
}

pby_status pby_metric_lossy(pby_distance *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric,
                            size_t n, mpq_srcptr gamma, pby_error *err)
{
    pby_metric_pair laws;
    PBY_FMPZ(need);
    pby_status status = pby_metric_pair_init(&laws, p, q, metric, n, err);
    if (status == PBY_OK)
        status = pby_metric_as_laws(&laws, gamma, err);
    if (status == PBY_OK) {
        pby_kept(need, laws.x.total, gamma);
        status = set_reach(out, &laws, need, err);
    }
    pby_metric_pair_clear(&laws);
    return status;
}

pby_status pby_metric_move(pby_distance *out, mpq_srcptr x, mpq_srcptr y, const pby_distance *metric,
                           size_t n, pby_error *err)
{
    pby_metric_pair p;
    pby_status status = pby_metric_pair_init(&p, x, y, metric, n, err);
    if (status == PBY_OK && fmpz_equal(p.x.total, p.y.total))
        status = set_reach(out, &p, p.y.total, err);
    else if (status == PBY_OK)
        pby_distance_set_infinite(out);
    pby_metric_pair_clear(&p);
    return status;
}

pby_status pby_metric_drop_move(pby_distance *out, mpq_srcptr x, mpq_srcptr y, const pby_distance *metric,
                                size_t n, mpq_srcptr eta, pby_error *err)
{
    if (mpq_sgn(eta) < 0)
        return pby_fail(err, PBY_BAD, "eta: expected a rational from 0 on");
    pby_metric_pair p;
    pby_status status = pby_metric_pair_init(&p, x, y, metric, n, err);
    if (status == PBY_OK && fmpz_cmp(p.y.total, p.x.total) <= 0)
        status = set_reach(out, &p, p.y.total, err);
    else if (status == PBY_OK)
        pby_distance_set_infinite(out);
    if (status == PBY_OK && !out->infinite)
        pby_add_dropped(out->value, p.x.total, p.y.total, eta);
    pby_metric_pair_clear(&p);
    return status;
}
