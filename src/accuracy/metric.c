/* Distances of two laws on finitely many points with any distances between them: the carriage of lossy.c
 * as a flow. What can be carried within b grows with b and changes only where b is one of the distances,
 * so the least b is found by bisection over the sorted distances. */
#include <stdlib.h>

#include "accuracy/measure.h"
#include "accuracy/network.h"

enum { SOURCE, SINK, FIRST };

/* The two laws as integer masses over points, and the metric's finite distances. */
struct problem {
    pby_lines laws; /* positions are points */
    const pby_distance *metric;
    size_t n;
    mpq_srcptr *sorted; /* the finite distances between the laws' points, in order */
    size_t distances;
};

static int by_value(const void *a, const void *b)
{
    return mpq_cmp(*(const mpq_srcptr *)a, *(const mpq_srcptr *)b);
}

static const pby_distance *between(const struct problem *p, size_t i, size_t j)
{
    const ulong from = fmpz_get_ui(&p->laws.x.atom[i].at), to = fmpz_get_ui(&p->laws.y.atom[j].at);
    return &p->metric[from * p->n + to];
}

static pby_status check_metric(const pby_distance *metric, size_t n, pby_error *err)
{
    if (n == 0 || n > PBY_METRIC_MAX)
        return pby_fail(err, PBY_BAD, "metric: expected from 1 to %d points", PBY_METRIC_MAX);
    for (size_t i = 0; i < n * n; i++)
        if (!metric[i].infinite && mpq_sgn(metric[i].value) < 0)
            return pby_fail(err, PBY_BAD, "metric: expected distances from 0 on");
    for (size_t i = 0; i < n; i++)
        if (metric[i * n + i].infinite || mpq_sgn(metric[i * n + i].value) != 0)
            return pby_fail(err, PBY_BAD, "metric: expected distance 0 from a point to itself");
    return PBY_OK;
}

static pby_status measure_of(pby_measure **out, mpq_srcptr mass, size_t n, pby_error *err)
{
    mpq_t at;
    mpq_init(at);
    pby_status status = pby_measure_new(out, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        mpq_set_ui(at, i, 1);
        status = pby_measure_add(*out, at, mass + i, err);
    }
    mpq_clear(at);
    return status;
}

static pby_status sort_distances(struct problem *p, pby_error *err)
{
    const size_t pairs = p->laws.x.count * p->laws.y.count;
    p->sorted = malloc(pairs * sizeof *p->sorted);
    if (p->sorted == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < p->laws.x.count; i++)
        for (size_t j = 0; j < p->laws.y.count; j++)
            if (!between(p, i, j)->infinite)
                p->sorted[p->distances++] = between(p, i, j)->value;
    qsort(p->sorted, p->distances, sizeof *p->sorted, by_value);
    return PBY_OK;
}

/* To be cleared whether this succeeds or not. */
static pby_status problem_init(struct problem *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric,
                               size_t n, pby_error *err)
{
    pby_measure *x = NULL, *y = NULL;
    *out = (struct problem){.metric = metric, .n = n};
    pby_status status = measure_of(&x, p, n, err);
    if (status == PBY_OK)
        status = measure_of(&y, q, n, err);
    if (status == PBY_OK)
        status = pby_lines_init(&out->laws, x, y, err);
    if (status == PBY_OK)
        status = pby_lines_normalise(&out->laws, err);
    if (status == PBY_OK)
        status = sort_distances(out, err);
    pby_measure_free(y);
    pby_measure_free(x);
    return status;
}

static void problem_clear(struct problem *p)
{
    free(p->sorted);
    pby_lines_clear(&p->laws);
}

/* The network in which mass may go from i to j when their distance is finite and not above b (NULL: any),
 * at that distance times unit if unit is not NULL. */
static pby_status build(pby_network *g, const struct problem *p, mpq_srcptr b, mpz_srcptr unit,
                        pby_error *err)
{
    const size_t nx = p->laws.x.count, ny = p->laws.y.count;
    const pby_status status =
        pby_network_init(g, (uint32_t)(nx + ny) + FIRST, (uint32_t)(nx + ny + nx * ny), err);
    if (status != PBY_OK)
        return status;
    fmpz_t cost;
    fmpz_init(cost);
    for (size_t i = 0; i < nx; i++)
        pby_network_arc(g, SOURCE, FIRST + (uint32_t)i, &p->laws.x.atom[i].mass, NULL);
    for (size_t j = 0; j < ny; j++)
        pby_network_arc(g, FIRST + (uint32_t)(nx + j), SINK, &p->laws.y.atom[j].mass, NULL);
    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < ny; j++) {
            const pby_distance *d = between(p, i, j);
            if (d->infinite || (b != NULL && mpq_cmp(d->value, b) > 0))
                continue;
            if (unit != NULL) {
                fmpz_t part;
                fmpz_init(part);
                fmpz_set_mpz(cost, unit);
                fmpz_set_mpz(part, mpq_denref(d->value));
                fmpz_divexact(cost, cost, part);
                fmpz_set_mpz(part, mpq_numref(d->value));
                fmpz_mul(cost, cost, part);
                fmpz_clear(part);
            }
            pby_network_arc(g, FIRST + (uint32_t)i, FIRST + (uint32_t)(nx + j), p->laws.x.total, cost);
        }
    fmpz_clear(cost);
    return PBY_OK;
}

/* Whether `need` can be carried within b. */
static pby_status reaches(bool *yes, const struct problem *p, mpq_srcptr b, const fmpz_t need, pby_error *err)
{
    pby_network g;
    fmpz_t flow;
    fmpz_init(flow);
    pby_status status = build(&g, p, b, NULL, err);
    if (status == PBY_OK)
        status = pby_network_flow(flow, &g, SOURCE, SINK, err);
    *yes = fmpz_cmp(flow, need) >= 0;
    pby_network_clear(&g);
    fmpz_clear(flow);
    return status;
}

/* The rank of the least distance that is enough, or p->distances when none is. */
static pby_status least_rank(size_t *rank, const struct problem *p, const fmpz_t need, pby_error *err)
{
    size_t lo = 0, hi = p->distances;
    pby_status status = PBY_OK;
    while (lo < hi && status == PBY_OK) {
        const size_t middle = lo + (hi - lo) / 2;
        bool yes = false;
        status = reaches(&yes, p, p->sorted[middle], need, err);
        if (yes)
            hi = middle;
        else
            lo = middle + 1;
    }
    *rank = hi;
    return status;
}

pby_status pby_metric_lossy(pby_distance *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric,
                            size_t n, mpq_srcptr gamma, pby_error *err)
{
    pby_status status = check_metric(metric, n, err);
    if (status == PBY_OK)
        status = pby_check_gamma(gamma, err);
    if (status != PBY_OK)
        return status;
    struct problem problem;
    fmpz_t need;
    size_t rank = 0;
    fmpz_init(need);
    status = problem_init(&problem, p, q, metric, n, err);
    if (status == PBY_OK) {
        pby_kept(need, problem.laws.x.total, gamma);
        status = least_rank(&rank, &problem, need, err);
    }
    if (status == PBY_OK) {
        out->infinite = rank == problem.distances && !fmpz_is_zero(need);
        mpq_set_ui(out->value, 0, 1);
        if (!out->infinite && !fmpz_is_zero(need))
            mpq_set(out->value, problem.sorted[rank]);
    }
    problem_clear(&problem);
    fmpz_clear(need);
    return status;
}

static void common_denominator(mpz_t unit, const struct problem *p)
{
    mpz_set_ui(unit, 1);
    for (size_t k = 0; k < p->distances; k++)
        mpz_lcm(unit, unit, mpq_denref(p->sorted[k]));
}

/* The least mean distance, when as much as is needed can be carried at all. */
static pby_status least_cost(pby_distance *out, struct problem *p, mpq_srcptr gamma, pby_error *err)
{
    pby_network g = {.arc = NULL};
    fmpz_t need, cost;
    mpz_t unit;
    bool possible = false;
    fmpz_init(need);
    fmpz_init(cost);
    mpz_init(unit);
    pby_lines_refine(&p->laws, gamma);
    pby_kept(need, p->laws.x.total, gamma);
    common_denominator(unit, p);
    pby_status status = reaches(&possible, p, NULL, need, err);
    if (status == PBY_OK && possible)
        status = build(&g, p, NULL, unit, err);
    if (status == PBY_OK && possible)
        status = pby_network_cost(cost, &g, SOURCE, SINK, need, err);
    out->infinite = !possible;
    fmpz_get_mpz(mpq_numref(out->value), cost);
    fmpz_get_mpz(mpq_denref(out->value), p->laws.x.total);
    mpz_mul(mpq_denref(out->value), mpq_denref(out->value), unit);
    mpq_canonicalize(out->value);
    pby_network_clear(&g);
    mpz_clear(unit);
    fmpz_clear(cost);
    fmpz_clear(need);
    return status;
}

pby_status pby_metric_average(pby_distance *out, mpq_srcptr p, mpq_srcptr q, const pby_distance *metric,
                              size_t n, mpq_srcptr gamma, pby_error *err)
{
    pby_status status = check_metric(metric, n, err);
    if (status == PBY_OK)
        status = pby_check_gamma(gamma, err);
    if (status != PBY_OK)
        return status;
    struct problem problem;
    status = problem_init(&problem, p, q, metric, n, err);
    if (status == PBY_OK)
        status = least_cost(out, &problem, gamma, err);
    problem_clear(&problem);
    return status;
}
