/* SPDX-License-Identifier: MIT */
#include "probity/experimental/bucketing.h"

#include <sodium.h>
#include <stdlib.h>

#include "kernel/bucket.h"
#include "mechanism/buckethist/buckets.h"
#include "mechanism/buckethist/cubes.h"

struct pby_bucketing {
    pby_buckets buckets;
    pby_cubes cubes; /* that hold a point, where there are too many for all to be bars */
    int64_t *counts;
    size_t bars;
    mpz_t units;
};

bool pby_bucketing_wanted(const pby_spec *spec)
{
    return spec->count == 1 && spec->use[0].mechanism.family->takes == PBY_TAKES_POINTS &&
           spec->use[0].mechanism.family->lattice == NULL;
}

bool pby_bucketing_whole(const pby_bucketing *p)
{
    return p->buckets.cubes <= PBY_CUBES_WHOLE;
}

static pby_status make_bars(pby_bucketing *p, size_t bars, pby_error *err)
{
    p->counts = calloc(bars > 0 ? bars : 1, sizeof *p->counts);
    if (p->counts == NULL)
        return pby_no_memory(err);
    p->bars = bars;
    return PBY_OK;
}

pby_status pby_bucketing_new(pby_bucketing **out, const pby_spec *spec, pby_error *err)
{
    *out = NULL;
    if (!pby_bucketing_wanted(spec))
        return pby_refuse(err, "SPEC", spec->text, "a mechanism that takes points, such as buckethist");
    pby_bucketing *p = calloc(1, sizeof *p);
    if (p == NULL)
        return pby_no_memory(err);
    mpz_init(p->units);
    pby_status status = pby_buckets_of(&p->buckets, &spec->use[0].mechanism, err);
    if (status == PBY_OK && pby_bucketing_whole(p))
        status = make_bars(p, (size_t)p->buckets.cubes, err);
    if (status != PBY_OK)
        pby_bucketing_free(p);
    else
        *out = p;
    return status;
}

size_t pby_bucketing_dimension(const pby_bucketing *p)
{
    return p->buckets.dimension;
}

/* floor(x u), or -1 below 0 and B u from B on. */
static int64_t to_units(pby_bucketing *p, mpq_srcptr x)
{
    if (mpq_sgn(x) < 0)
        return -1;
    mpz_mul_si(p->units, mpq_numref(x), p->buckets.unit);
    mpz_fdiv_q(p->units, p->units, mpq_denref(x));
    return mpz_cmp_si(p->units, p->buckets.bound) < 0 ? mpz_get_si(p->units) : p->buckets.bound;
}

pby_status pby_bucketing_add(pby_bucketing *p, const mpq_t *x, pby_error *err)
{
    const pby_buckets *b = &p->buckets;
    int64_t cell[PBY_DIMENSION_MAX];
    for (size_t j = 0; j < b->dimension; j++) {
        const int64_t at = to_units(p, x[j]);
        if ((at < 0 || at >= b->bound) && !b->clamp)
            return pby_fail(err, PBY_BAD, "column %zu: expected a coordinate from 0 to below the bound",
                            j + 1);
        cell[j] = pby_bucket(at < 0 ? 0 : at < b->bound ? at : b->bound - 1, b->width);
    }
    const size_t place = pby_place(cell, b->dimension, b->side);
    sodium_memzero(cell, sizeof cell);
    if (!pby_bucketing_whole(p))
        return pby_cubes_note(&p->cubes, place, err);
    if (p->counts[place] == INT64_MAX)
        return pby_fail(err, PBY_BAD, "points: expected at most %lld in a bucket", (long long)INT64_MAX);
    pby_count_one(p->counts, p->bars, place);
    return PBY_OK;
}

pby_status pby_bucketing_close(pby_bucketing *p, pby_error *err)
{
    if (pby_bucketing_whole(p))
        return PBY_OK;
    PBY_TRY(pby_cubes_number(&p->cubes, err));
    PBY_TRY(make_bars(p, p->cubes.count, err));
    pby_count(p->counts, p->bars, p->cubes.point, p->cubes.points);
    return PBY_OK;
}

const int64_t *pby_bucketing_counts(const pby_bucketing *p, size_t *n)
{
    *n = p->bars;
    return p->counts;
}

void pby_bucketing_centre(mpq_t *centre, const pby_bucketing *p, size_t i)
{
    const pby_buckets *b = &p->buckets;
    size_t place = pby_bucketing_whole(p) ? i : p->cubes.place[i];
    for (size_t j = b->dimension; j > 0; j--) {
        const unsigned long cell = place % b->side;
        place /= b->side;
        mpz_set_si(mpq_numref(centre[j - 1]), b->width);
        mpz_mul_ui(mpq_numref(centre[j - 1]), mpq_numref(centre[j - 1]), 2 * cell + 1);
        mpz_set_si(mpq_denref(centre[j - 1]), b->unit);
        mpz_mul_ui(mpq_denref(centre[j - 1]), mpq_denref(centre[j - 1]), 2);
        mpq_canonicalize(centre[j - 1]);
    }
}

void pby_bucketing_free(pby_bucketing *p)
{
    if (p == NULL)
        return;
    if (p->counts != NULL)
        sodium_memzero(p->counts, p->bars * sizeof *p->counts);
    free(p->counts);
    pby_cubes_clear(&p->cubes);
    mpz_clear(p->units);
    free(p);
}
