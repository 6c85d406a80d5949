/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/lattice.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "law/pick.h"

struct pby_lattice {
    const pby_mechanism *mechanism;
    pby_lattice_shape shape;
    int64_t *count;   /* of the records in each cell */
    uint64_t *fall;   /* of each output, the least 0; NULL until they are asked for */
    uint64_t records; /* that were added */
    fmpq_t rate;
    mpz_t whole;
};

pby_status pby_lattice_new(pby_lattice **out, const pby_mechanism *m, pby_error *err)
{
    *out = NULL;
    pby_lattice *l = calloc(1, sizeof *l);
    if (l == NULL)
        return pby_no_memory(err);
    l->mechanism = m;
    fmpq_init(l->rate);
    mpz_init(l->whole);
    m->family->lattice->shape(&l->shape, m);
    m->family->lattice->rate(l->rate, m);
    l->count = calloc(l->shape.cells, sizeof *l->count);
    if (l->count == NULL) {
        pby_lattice_free(l);
        return pby_no_memory(err);
    }
    *out = l;
    return PBY_OK;
}

const pby_lattice_shape *pby_lattice_shape_of(const pby_lattice *lattice)
{
    return &lattice->shape;
}

unsigned pby_lattice_coordinates(const pby_lattice *lattice)
{
    return lattice->shape.outputs > 0 ? 1 : lattice->shape.dimension;
}

static size_t outputs_of(const pby_lattice *l)
{
    return l->shape.outputs > 0 ? l->shape.outputs : l->shape.cells;
}

static void forget_scores(pby_lattice *l)
{
    if (l->fall != NULL)
        sodium_memzero(l->fall, outputs_of(l) * sizeof *l->fall);
    free(l->fall);
    l->fall = NULL;
}

void pby_lattice_clear(pby_lattice *l)
{
    forget_scores(l);
    sodium_memzero(l->count, l->shape.cells * sizeof *l->count);
    l->records = 0;
}

void pby_lattice_free(pby_lattice *l)
{
    if (l == NULL)
        return;
    if (l->count != NULL)
        pby_lattice_clear(l);
    free(l->count);
    mpz_clear(l->whole);
    fmpq_clear(l->rate);
    free(l);
}

/* The place of a coordinate along its axis. */
static uint64_t place_of(pby_lattice *l, mpq_srcptr x)
{
    const pby_lattice_shape *s = &l->shape;
    mpz_fdiv_q(l->whole, mpq_numref(x), mpq_denref(x));
    if (s->low >= 0)
        mpz_sub_ui(l->whole, l->whole, (unsigned long)s->low);
    else
        mpz_add_ui(l->whole, l->whole, (unsigned long)-s->low);
    if (mpz_sgn(l->whole) < 0)
        return 0;
    return mpz_cmp_ui(l->whole, s->side - 1) > 0 ? s->side - 1 : mpz_get_ui(l->whole);
}

pby_status pby_lattice_add(pby_lattice *l, const mpq_t *x, pby_error *err)
{
    size_t cell = 0;
    if (l->records == INT64_MAX)
        return pby_fail(err, PBY_BAD, "records: expected fewer than 2^63");
    for (unsigned j = 0; j < l->shape.dimension; j++)
        cell = cell * l->shape.side + (size_t)place_of(l, x[j]);
    l->count[cell]++;
    l->records++;
    forget_scores(l);
    return PBY_OK;
}

static void subtract_least(uint64_t *fall, size_t n)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < n; i++)
        least = fall[i] < least ? fall[i] : least;
    for (size_t i = 0; i < n; i++)
        fall[i] -= least;
}

/* The number of records is public where it is checked. */
pby_status pby_lattice_score(pby_lattice *l, pby_error *err)
{
    const pby_lattice_shape *s = &l->shape;
    if (l->fall != NULL)
        return PBY_OK;
    if (s->records != 0 && s->records != l->records)
        return pby_mechanism_refuse(l->mechanism, "data of n records, no more and no fewer", err);
    l->fall = malloc(outputs_of(l) * sizeof *l->fall);
    if (l->fall == NULL)
        return pby_no_memory(err);
    const pby_status status = l->mechanism->family->lattice->falls(l->fall, l->mechanism, l->count, err);
    if (status == PBY_OK)
        subtract_least(l->fall, outputs_of(l));
    else
        forget_scores(l);
    return status;
}

pby_status pby_lattice_draw(pby_lattice *l, pby_entropy *source, int64_t *point, pby_error *err)
{
    uint64_t cell = 0;
    pby_status status = pby_lattice_score(l, err);
    if (status == PBY_OK)
        status = pby_pick(&cell, l->fall, outputs_of(l), l->rate, source, err);
    memset(point, 0, pby_lattice_coordinates(l) * sizeof *point);
    if (l->shape.outputs > 0) {
        *point = status == PBY_OK ? l->shape.first + (int64_t)cell : 0;
        return status;
    }
    for (unsigned j = l->shape.dimension; j-- > 0 && status == PBY_OK; cell /= l->shape.side)
        point[j] = l->shape.low + (int64_t)(cell % l->shape.side);
    return status;
}
