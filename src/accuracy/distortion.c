/* Distortions of a histogram into another: what must be done to the records of x to have y.
 *
 * Drop-and-move is an infimum over the histogram z that is left before the move. z is part of x and has
 * the size of y, so the price of dropping, (|x| - |y|)/|x|, is the same for every z, and what is left to
 * choose is where each record of y comes from: the least b at which all of y can be carried out of x. */
#include "accuracy/measure.h"

static void set_infinite(pby_distance *out)
{
    mpq_set_ui(out->value, 0, 1);
    out->infinite = true;
}

/* Whether y is x with records left out. */
static bool part_of(const pby_lines *l)
{
    const mp_size_t limbs = (mp_size_t)l->x.mass_limbs;
    for (pby_stop s = {.i = 0}; pby_stop_next(&s, l);)
        if (s.y != NULL && (s.x == NULL || mpn_cmp(s.y, s.x, limbs) > 0))
            return false;
    return true;
}

/* (|x| - |y|)/|x|, and 0 from the empty to the empty; |y| <= |x|. */
static void set_dropped(pby_distance *out, const pby_lines *l)
{
    fmpz_t gone;
    fmpz_init(gone);
    fmpz_sub(gone, l->x.total, l->y.total);
    mpq_set_ui(out->value, 0, 1);
    if (!fmpz_is_zero(gone))
        pby_set_quotient(out->value, gone, l->x.total);
    out->infinite = false;
    fmpz_clear(gone);
}

/* The farthest that a record of y comes from; |y| <= |x|. */
static pby_status set_moved(pby_distance *out, const pby_lines *l, pby_error *err)
{
    fmpz_t b;
    fmpz_init(b);
    const pby_status status = pby_line_reach(b, &l->x, &l->y, l->y.total, err);
    if (status == PBY_OK)
        pby_set_quotient(out->value, b, l->unit);
    out->infinite = false;
    fmpz_clear(b);
    return status;
}

void pby_lines_drop(pby_distance *out, const pby_lines *l)
{
    if (part_of(l))
        set_dropped(out, l);
    else
        set_infinite(out);
}

pby_status pby_lines_move(pby_distance *out, const pby_lines *l, pby_error *err)
{
    if (fmpz_equal(l->x.total, l->y.total))
        return set_moved(out, l, err);
    set_infinite(out);
    return PBY_OK;
}

pby_status pby_lines_drop_move(pby_distance *out, const pby_lines *l, mpq_srcptr eta, pby_error *err)
{
    if (fmpz_cmp(l->y.total, l->x.total) > 0) {
        set_infinite(out);
        return PBY_OK;
    }
    pby_distance move;
    pby_distance_init(&move);
    const pby_status status = set_moved(&move, l, err);
    set_dropped(out, l);
    mpq_mul(move.value, move.value, eta);
    mpq_add(out->value, out->value, move.value);
    pby_distance_clear(&move);
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
