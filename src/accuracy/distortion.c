/* Distortions of a histogram into another: what must be done to the records of x to have y.
 *
 * Drop-and-move is an infimum over the histogram z that is left before the move. z is part of x and has
 * the size of y, so the price of dropping, (|x| - |y|)/|x|, is the same for every z, and what is left to
 * choose is where each record of y comes from: the least b at which all of y can be carried out of x. */
#include "accuracy/measure.h"

static void set_infinite(pby_distance *out)
{
    mpq_set_ui(out->value, 0, 1);
    out->infinite = 1;
}

static void set_quotient(pby_distance *out, const fmpz_t num, const fmpz_t den)
{
    fmpz_get_mpz(mpq_numref(out->value), num);
    fmpz_get_mpz(mpq_denref(out->value), den);
    mpq_canonicalize(out->value);
    out->infinite = 0;
}

/* Whether y is x with records left out. */
static bool part_of(const pby_line *y, const pby_line *x)
{
    for (size_t i = 0, j = 0; j < y->count; j++) {
        while (i < x->count && fmpz_cmp(&x->atom[i].at, &y->atom[j].at) < 0)
            i++;
        if (i == x->count || !fmpz_equal(&x->atom[i].at, &y->atom[j].at) ||
            fmpz_cmp(&y->atom[j].mass, &x->atom[i].mass) > 0)
            return false;
    }
    return true;
}

/* (|x| - |y|)/|x|, and 0 from the empty to the empty; |y| <= |x|. */
static void dropped(pby_distance *out, const pby_lines *l)
{
    fmpz_t gone, all;
    fmpz_init(gone);
    fmpz_init_set_ui(all, 1);
    fmpz_sub(gone, l->x.total, l->y.total);
    set_quotient(out, gone, fmpz_is_zero(gone) ? all : l->x.total);
    fmpz_clear(all);
    fmpz_clear(gone);
}

/* The farthest that a record of y comes from; |y| <= |x|. */
static void moved(pby_distance *out, const pby_lines *l)
{
    fmpz_t b;
    fmpz_init(b);
    pby_line_reach(b, &l->x, &l->y, l->y.total);
    set_quotient(out, b, l->unit);
    fmpz_clear(b);
}

pby_status pby_distortion_drop(pby_distance *out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    pby_lines l;
    const pby_status status = pby_lines_init(&l, x, y, err);
    if (status == PBY_OK && part_of(&l.y, &l.x))
        dropped(out, &l);
    else if (status == PBY_OK)
        set_infinite(out);
    pby_lines_clear(&l);
    return status;
}

pby_status pby_distortion_move(pby_distance *out, const pby_measure *x, const pby_measure *y, pby_error *err)
{
    pby_lines l;
    const pby_status status = pby_lines_init(&l, x, y, err);
    if (status == PBY_OK && fmpz_equal(l.x.total, l.y.total))
        moved(out, &l);
    else if (status == PBY_OK)
        set_infinite(out);
    pby_lines_clear(&l);
    return status;
}

pby_status pby_distortion_drop_move(pby_distance *out, const pby_measure *x, const pby_measure *y,
                                    mpq_srcptr eta, pby_error *err)
{
    if (mpq_sgn(eta) < 0)
        return pby_fail(err, PBY_BAD, "eta: expected a rational from 0 on");
    pby_lines l;
    const pby_status status = pby_lines_init(&l, x, y, err);
    if (status == PBY_OK && fmpz_cmp(l.y.total, l.x.total) <= 0) {
        pby_distance move;
        pby_distance_init(&move);
        dropped(out, &l);
        moved(&move, &l);
        mpq_mul(move.value, move.value, eta);
        mpq_add(out->value, out->value, move.value);
        pby_distance_clear(&move);
    } else if (status == PBY_OK) {
        set_infinite(out);
    }
    pby_lines_clear(&l);
    return status;
}
