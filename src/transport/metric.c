/* SPDX-License-Identifier: MIT */
#include "transport/metric.h"

#include <stdbool.h>
#include <stdlib.h>

#include "number/scoped.h"
#include "transport/transport_measure.h"

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

static pby_status common_denominator(mpz_t unit, mpq_srcptr mass, size_t n, pby_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (mpq_sgn(mass + i) < 0)
            return pby_fail(err, PBY_BAD, "mass: expected a rational from 0 on");
        mpz_lcm(unit, unit, mpq_denref(mass + i));
        if (mpz_sizeinbase(unit, 2) > PBY_SCALE_BITS_MAX)
            return pby_fail(err, PBY_BAD, "masses: expected a common denominator of at most %d bits",
                            PBY_SCALE_BITS_MAX);
    }
    return PBY_OK;
}

void pby_metric_times(fmpz_t out, mpq_srcptr q, mpz_srcptr unit)
{
    PBY_MPZ(product);
    mpz_divexact(product, unit, mpq_denref(q));
    mpz_mul(product, product, mpq_numref(q));
    fmpz_set_mpz(out, product);
}

static pby_status side_set(pby_metric_side *s, mpq_srcptr mass, size_t n, mpz_srcptr unit, pby_error *err)
{
    s->mass = calloc(n + 1, sizeof *s->mass);
    s->point = malloc(n * sizeof *s->point);
    if (s->mass == NULL || s->point == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (mpq_sgn(mass + i) == 0)
            continue;
        pby_metric_times(&s->mass[s->count], mass + i, unit);
        fmpz_add(s->total, s->total, &s->mass[s->count]);
        s->point[s->count++] = i;
    }
    return PBY_OK;
}

static void side_multiply(pby_metric_side *s, const fmpz_t factor)
{
    for (size_t i = 0; i < s->count; i++)
        fmpz_mul(&s->mass[i], &s->mass[i], factor);
    fmpz_mul(s->total, s->total, factor);
}

static void side_clear(pby_metric_side *s)
{
    for (size_t i = 0; s->mass != NULL && i <= s->count; i++)
        fmpz_clear(&s->mass[i]);
    free(s->mass);
    free(s->point);
    fmpz_clear(s->total);
}

pby_status pby_metric_pair_init(pby_metric_pair *out, mpq_srcptr x, mpq_srcptr y, const pby_distance *metric,
                                size_t n, pby_error *err)
{
    mpz_t unit;
    mpz_init_set_ui(unit, 1);
    *out = (pby_metric_pair){.metric = metric, .n = n};
    pby_status status = check_metric(metric, n, err);
    if (status == PBY_OK)
        status = common_denominator(unit, x, n, err);
    if (status == PBY_OK)
        status = common_denominator(unit, y, n, err);
    if (status == PBY_OK)
        status = side_set(&out->x, x, n, unit, err);
    if (status == PBY_OK)
        status = side_set(&out->y, y, n, unit, err);
    mpz_clear(unit);
    return status;
}

void pby_metric_pair_clear(pby_metric_pair *p)
{
    side_clear(&p->x);
    side_clear(&p->y);
}

pby_status pby_metric_as_laws(pby_metric_pair *p, mpq_srcptr gamma, pby_error *err)
{
    pby_status status = pby_check_gamma(gamma, err);
    if (status == PBY_OK)
        status = pby_check_totals(p->x.total, p->y.total, err);
    if (status != PBY_OK)
        return status;
    PBY_FMPZ(of_x, of_y);
    fmpz_set_mpz(of_x, mpq_denref(gamma));
    fmpz_mul(of_y, of_x, p->x.total);
    fmpz_mul(of_x, of_x, p->y.total);
    side_multiply(&p->x, of_x);
    side_multiply(&p->y, of_y);
    return PBY_OK;
}

pby_status pby_maximum_norm(pby_distance **out, mpq_srcptr at, size_t n, size_t dimension, pby_error *err)
{
    pby_distance *metric = *out = calloc(n * n, sizeof *metric);
    if (metric == NULL)
        return pby_no_memory(err);
    PBY_MPQ(distance);
    for (size_t i = 0; i < n * n; i++) {
        pby_distance_init(&metric[i]);
        for (size_t k = 0; k < dimension; k++) {
            mpq_sub(distance, at + i / n * dimension + k, at + i % n * dimension + k);
            mpq_abs(distance, distance);
            if (mpq_cmp(distance, metric[i].value) > 0)
                mpq_swap(distance, metric[i].value);
        }
    }
    return PBY_OK;
}

void pby_metric_free(pby_distance *metric, size_t n)
{
    for (size_t i = 0; metric != NULL && i < n * n; i++)
        pby_distance_clear(&metric[i]);
    free(metric);
}
