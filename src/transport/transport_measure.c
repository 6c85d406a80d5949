/* SPDX-License-Identifier: MIT */
#include "transport/transport_measure.h"
#include "number/scoped.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

void pby_wipe_free(void *memory, size_t size)
{
    if (memory != NULL)
        sodium_memzero(memory, size);
    free(memory);
}

pby_status pby_measure_new(pby_measure **out, pby_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? PBY_OK : pby_no_memory(err);
}

void pby_measure_free(pby_measure *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->count; i++) {
        fmpq_clear(&m->point[i].at);
        fmpq_clear(&m->point[i].mass);
    }
    pby_wipe_free(m->point, m->room * sizeof *m->point);
    free(m);
}

static pby_status make_room(pby_measure *m, pby_error *err)
{
    if (m->count < m->room)
        return PBY_OK;
    const size_t room = m->room == 0 ? 16 : 2 * m->room;
    pby_point *point = calloc(room, sizeof *point);
    if (point == NULL)
        return pby_no_memory(err);
    if (m->count > 0)
        memcpy(point, m->point, m->count * sizeof *point);
    pby_wipe_free(m->point, m->room * sizeof *point);
    m->point = point;
    m->room = room;
    return PBY_OK;
}

pby_status pby_measure_add(pby_measure *m, mpq_srcptr at, mpq_srcptr mass, pby_error *err)
{
    if (mpq_sgn(mass) < 0)
        return pby_fail(err, PBY_BAD, "mass: expected a rational from 0 on");
    const pby_status status = make_room(m, err);
    if (status != PBY_OK)
        return status;
    pby_point *point = &m->point[m->count++];
    fmpq_init(&point->at);
    fmpq_init(&point->mass);
    fmpq_set_mpq(&point->at, at);
    fmpq_set_mpq(&point->mass, mass);
    return PBY_OK;
}

pby_status pby_check_gamma(mpq_srcptr gamma, pby_error *err)
{
    return mpq_sgn(gamma) >= 0 && mpq_cmp_ui(gamma, 1, 1) <= 0
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "gamma: expected a rational from 0 to 1");
}

pby_status pby_check_totals(const fmpz_t x, const fmpz_t y, pby_error *err)
{
    const bool first = fmpz_is_zero(x);
    return !first && !fmpz_is_zero(y)
               ? PBY_OK
               : pby_refuse(err, first ? "mass of the first measure" : "mass of the second measure", "0",
                            "one above 0: an empty histogram is in proportion to no law");
}

void pby_kept(fmpz_t kept, const fmpz_t total, mpq_srcptr gamma)
{
    PBY_FMPQ(g);
    PBY_FMPZ(rest);
    fmpq_set_mpq(g, gamma);
    fmpz_sub(rest, fmpq_denref(g), fmpq_numref(g));
    fmpz_mul(kept, total, rest);
    fmpz_cdiv_q(kept, kept, fmpq_denref(g));
}

void pby_set_quotient(mpq_t out, const fmpz_t num, const fmpz_t den)
{
    fmpz_get_mpz(mpq_numref(out), num);
    fmpz_get_mpz(mpq_denref(out), den);
    mpq_canonicalize(out);
}

void pby_distance_set_infinite(pby_distance *out)
{
    mpq_set_ui(out->value, 0, 1);
    out->infinite = true;
}

void pby_dropped(mpq_t out, const fmpz_t x, const fmpz_t y)
{
    PBY_FMPZ(gone);
    fmpz_sub(gone, x, y);
    mpq_set_ui(out, 0, 1);
    if (!fmpz_is_zero(gone))
        pby_set_quotient(out, gone, x);
}

void pby_add_dropped(mpq_t move, const fmpz_t x, const fmpz_t y, mpq_srcptr eta)
{
    PBY_MPQ(dropped);
    pby_dropped(dropped, x, y);
    mpq_mul(move, move, eta);
    mpq_add(move, move, dropped);
}

bool pby_measure_empty(const pby_measure *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (!fmpq_is_zero(&m->point[i].mass))
            return false;
    return true;
}
