/* SPDX-License-Identifier: MIT */
/* Distortions of a histogram into another: what must be done to the records of x to have y.
 *
 * Drop-and-move is an infimum over the histogram z that is left before the move. z is part of x and has
 * the size of y, so the price of dropping, (|x| - |y|)/|x|, is the same for every z, and what is left to
 * choose is where each record of y comes from: the least b at which all of y can be carried out of x. */
#include "number/scoped.h"
#include "transport/transport_measure.h"

/* True if y is x with records left out. */
static bool part_of(const pby_lines *l)
{
    const mp_size_t limbs = (mp_size_t)l->x.mass_limbs;
    for (pby_stop s = {.i = 0}; pby_stop_next(&s, l);)
        if (s.y != NULL && (s.x == NULL || mpn_cmp(s.y, s.x, limbs) > 0))
            return false;
    return true;
}

/* The farthest that a record of y comes from; |y| <= |x|. */
static pby_status set_moved(pby_distance *out, const pby_lines *l, pby_error *err)
{
    PBY_FMPZ(b);
    const pby_status status = pby_line_reach(b, &l->x, &l->y, l->y.total, err);
    if (status == PBY_OK)
        pby_set_quotient(out->value, b, l->unit);
    out->infinite = false;
    return status;
}

void pby_lines_drop(pby_distance *out, const pby_lines *l)
{
    out->infinite = false;
    if (part_of(l))
        pby_dropped(out->value, l->x.total, l->y.total);
    else
        pby_distance_set_infinite(out);
}

pby_status pby_lines_move(pby_distance *out, const pby_lines *l, pby_error *err)
{
    if (fmpz_equal(l->x.total, l->y.total))
        return set_moved(out, l, err);
    pby_distance_set_infinite(out);
    return PBY_OK;
}

pby_status pby_lines_drop_move(pby_distance *out, const pby_lines *l, mpq_srcptr eta, pby_error *err)
{
    if (fmpz_cmp(l->y.total, l->x.total) > 0) {
        pby_distance_set_infinite(out);
        return PBY_OK;
    }
    const pby_status status = set_moved(out, l, err);
    if (status == PBY_OK)
        pby_add_dropped(out->value, l->x.total, l->y.total, eta);
    return status;
}

pby_status pby_distortion_drop(pby_distance *out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    pby_lines l;
    const pby_status status = pby_lines_init(&l, x, y, err);
    if (status == PBY_OK)
        pby_lines_drop(out, &l);
    pby_lines_clear(&l);
    return status;
}

pby_status pby_distortion_move(pby_distance *out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    pby_lines l;
    pby_status status = pby_lines_init(&l, x, y, err);
    if (status == PBY_OK)
        status = pby_lines_move(out, &l, err);
    pby_lines_clear(&l);
    return status;
}

pby_status pby_distortion_drop_move(pby_distance *out, const pby_measure *x, const pby_measure *y,
                                    mpq_srcptr eta, pby_error *err)
{
    if (mpq_sgn(eta) < 0)
        return pby_fail(err, PBY_BAD, "eta: expected a rational from 0 on");
    pby_lines l;
    pby_status status = pby_lines_init(&l, x, y, err);
    if (status == PBY_OK)
        status = pby_lines_drop_move(out, &l, eta, err);
    pby_lines_clear(&l);
    return status;
}
