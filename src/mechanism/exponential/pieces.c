/* SPDX-License-Identifier: MIT */
#include "mechanism/exponential/pieces.h"
#include "number/scoped.h"

enum { PIECES_LEAST = 64, PIECES_EACH = 16, PIECES_MOST = 256 };

/* So many that a piece is short beside 1 and beside eps. */
static slong pieces(const fmpq_t eps)
{
    PBY_FMPZ(count);
    fmpz_cdiv_q(count, fmpq_numref(eps), fmpq_denref(eps));
    fmpz_mul_ui(count, count, PIECES_EACH);
    const slong n = fmpz_cmp_si(count, PIECES_MOST) > 0 ? PIECES_MOST : fmpz_get_si(count);
    return n < PIECES_LEAST ? PIECES_LEAST : n;
}

/* t = i eps/n */
static void place(fmpq_t t, const fmpq_t eps, slong i, slong n)
{
    fmpq_set_si(t, i, (ulong)n);
    fmpq_mul(t, t, eps);
}

/* One curve for each of n pieces: of the piece, or of its middle. */
static pby_status make_curves(pby_pairs *out, const fmpq_t eps, slong n, bool middle, pby_error *err)
{
    PBY_FMPQ(from, to);
    pby_status status = pby_pairs_init(out, (size_t)n, err);
    for (slong i = 0; i < n && status == PBY_OK; i++) {
        place(from, eps, middle ? 2 * i + 1 : i, middle ? 2 * n : n);
        place(to, eps, middle ? 2 * i + 1 : i + 1, middle ? 2 * n : n);
        status = pby_bounded_curve(&out->pair[i].curve, eps, from, to, err);
    }
    return status;
}

pby_status pby_bounded_pieces(pby_pairs *out, const fmpq_t eps, pby_error *err)
{
    return make_curves(out, eps, pieces(eps), false, err);
}

pby_status pby_bounded_middles(pby_pairs *out, const fmpq_t eps, pby_error *err)
{
    return make_curves(out, eps, pieces(eps), true, err);
}

pby_status pby_bounded_whole(pby_pairs *out, const fmpq_t eps, pby_error *err)
{
    return make_curves(out, eps, 1, false, err);
}

pby_status pby_bounded_above(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    (void)wanted;
    return pby_bounded_pieces(out, pby_mechanism_value(m, PBY_ROLE_EPSILON), err);
}

pby_status pby_bounded_below(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    (void)wanted;
    return pby_bounded_middles(out, pby_mechanism_value(m, PBY_ROLE_EPSILON), err);
}

pby_status pby_bounded_once(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    (void)wanted;
    return pby_bounded_whole(out, pby_mechanism_value(m, PBY_ROLE_EPSILON), err);
}

#define LONGER "losses that lie in an interval of length eps lie in every longer one"

const pby_select_row pby_bounded_selection = {PBY_SELECT_PURE(LONGER)};
