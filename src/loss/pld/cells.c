/* SPDX-License-Identifier: MIT */
#include "loss/pld/cells.h"

#include <inttypes.h>

#include "base/work.h"
#include "number/ball.h"
#include "number/scoped.h"

/* Bits beyond those asked for, that sums over a grid may lose. */
enum { GUARD = 64 };

/* Just below a point of the grid: by the step over 2^EDGE_BITS. */
enum { EDGE_BITS = 40 };

static pby_status too_fine(pby_error *err)
{
    return pby_fail(err, PBY_BAD,
                    "a grid fine enough for this composition has more than %d points for a single use: "
                    "expected a greater width",
                    PBY_GRID_MAX);
}

slong pby_step_places(const fmpq_t step)
{
    return FLINT_MAX(0, (slong)fmpz_bits(fmpq_denref(step)) - (slong)fmpz_bits(fmpq_numref(step)) + 1);
}

/* ---- curves ----------------------------------------------------------------------------------- */

/* P(L = inf), 0 where the supports are equal. */
static void curve_infinite(arb_t chance, const pby_curve *curve, slong prec)
{
    arb_zero(chance);
    if (curve->class->infinite != NULL)
        curve->class->infinite(chance, curve, prec);
}

/* Sets *small if P(i step < L < inf), or P(L <= i step) when `below`, is certainly at most 2^-bits. */
static pby_status tail_small(bool *small, const pby_curve *curve, const fmpq_t step, slong i, bool below,
                             slong bits, pby_error *err)
{
    const slong prec = bits + GUARD;
    PBY_ARB(p, q, bound);
    PBY_FMPQ(t);
    fmpq_mul_si(t, step, i);
    const pby_status status = curve->class->tails(p, q, curve, t, prec, err);
    if (below)
        arb_one(bound);
    else
        curve_infinite(bound, curve, prec);
    arb_sub(p, p, bound, prec);
    arb_abs(p, p);
    arb_one(bound);
    arb_mul_2exp_si(bound, bound, -bits);
    *small = arb_le(p, bound);
    return status;
}

/* The first point outwards from zero, on one side, beyond which the tail is small: powers of two, then
 * bisection. */
static pby_status curve_end(slong *end, const pby_curve *curve, const fmpq_t step, bool below, slong bits,
                            pby_error *err)
{
    const slong side = below ? -1 : 1;
    slong inner = 0, outer = 1;
    bool small = false;
    pby_status status = tail_small(&small, curve, step, side * outer, below, bits, err);
    while (status == PBY_OK && !small) {
        inner = outer;
        outer *= 2;
        if (outer > PBY_GRID_MAX)
            return too_fine(err);
        status = tail_small(&small, curve, step, side * outer, below, bits, err);
    }
    while (status == PBY_OK && outer - inner > 1) {
        const slong middle = inner + (outer - inner) / 2;
        status = tail_small(&small, curve, step, side * middle, below, bits, err);
        if (small)
            outer = middle;
        else
            inner = middle;
    }
    *end = side * outer;
    return status;
}

/* The loss at point i. */
static void set_point(fmpq_t at, const pby_tails *tails, const fmpq_t half, slong i)
{
    fmpq_mul_si(at, half, 2 * tails->low + i);
    fmpq_sub(at, at, tails->offset);
}

static pby_status curve_cells(pby_tails *tails, const pby_curve *curve, const fmpq_t half, slong prec,
                              pby_error *err)
{
    const slong points = 2 * tails->n;
    PBY_FMPQ(at);
    set_point(at, tails, half, points);
    pby_status status = curve->class->tails(tails->p + points, tails->q + points, curve, at, prec, err);
    set_point(at, tails, half, 0);
    if (status == PBY_OK)
        status = curve->class->cells(tails->p, tails->q, curve, at, half, points, prec, err);
    curve_infinite(tails->infinite, curve, prec);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------- */

pby_status pby_loss_range(slong *low, slong *high, const pby_pair *pair, const fmpq_t step, slong bits,
                          pby_error *err)
{
    if (pair->curve == NULL)
        return pby_atoms_range(low, high, pair, step) ? PBY_OK : too_fine(err);
    const pby_status status = curve_end(low, pair->curve, step, true, bits, err);
    return status == PBY_OK ? curve_end(high, pair->curve, step, false, bits, err) : status;
}

pby_status pby_tails_fit(slong n, size_t count, slong bits, pby_error *err)
{
    enum { BALL = 64, LIMB = 8, HALVES = 4, OTHERS = 2 };
    const slong each = BALL + LIMB * ((bits + GUARD) / FLINT_BITS + 2);
    const slong most = ((slong)PBY_MEMORY_MAX_MIB << 20) / each;
    if ((slong)count < most && n < most / (HALVES * (slong)count + OTHERS))
        return pby_work_fits((uint64_t)(n * each) * (HALVES * count + OTHERS), "a composition this fine",
                             err);
    return pby_fail_by(err, PBY_BAD, PBY_REASON_MEMORY,
                       "a composition this fine needs more than %d MiB of memory (%" PRId64
                       " losses of %" PRId64 " bits in each of %zu pairs): expected a greater width",
                       PBY_MEMORY_MAX_MIB, (int64_t)n, (int64_t)bits, count);
}

/* Masses of cells into tails, and those of Q times the exponential of their point. */
static void accumulate(pby_tails *tails, const fmpq_t half, slong prec)
{
    PBY_ARB(up, scale);
    PBY_FMPQ(at);
    arb_set_fmpq(up, half, prec);
    arb_exp(up, up, prec);
    for (slong i = 2 * tails->n - 1; i >= 0; i--) {
        arb_add(tails->p + i, tails->p + i, tails->p + i + 1, prec);
        arb_add(tails->q + i, tails->q + i, tails->q + i + 1, prec);
    }
    set_point(at, tails, half, 0);
    arb_set_fmpq(scale, at, prec);
    arb_exp(scale, scale, prec);
    for (slong i = 0; i <= 2 * tails->n; i++) {
        arb_mul(tails->q + i, tails->q + i, scale, prec);
        arb_mul(scale, scale, up, prec);
    }
}

/* The tails just below the last point. */
static pby_status set_edge(pby_tails *tails, const pby_pair *pair, const fmpq_t half, slong prec,
                           pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_ARB(scale);
    PBY_FMPQ(top, t);
    set_point(top, tails, half, 2 * tails->n);
    fmpq_div_2exp(t, half, EDGE_BITS - 1);
    fmpq_sub(t, top, t);
    arb_zero(tails->edge_q);
    if (pair->curve == NULL)
        pby_atoms_edge(tails, pair, t, prec);
    else
        status = pair->curve->class->tails(tails->edge_p, tails->edge_q, pair->curve, t, prec, err);
    arb_set_fmpq(scale, top, prec);
    arb_exp(scale, scale, prec);
    arb_mul(tails->edge_q, tails->edge_q, scale, prec);
    return status;
}

static bool sharp(const pby_tails *tails, slong bits)
{
    for (slong i = 0; i <= 2 * tails->n; i++)
        if (mag_cmp_2exp_si(arb_radref(tails->p + i), -bits) > 0 ||
            mag_cmp_2exp_si(arb_radref(tails->q + i), -bits) > 0)
            return false;
    return true;
}

/* A mass of exactly zero is none. */
static void set_busy(pby_tails *tails)
{
    for (slong i = 0; i < tails->n; i++)
        tails->busy[i] = !arb_is_zero(tails->p + 2 * i) || !arb_is_zero(tails->p + 2 * i + 1);
}

static pby_status tails_at(pby_tails *tails, const pby_pair *pair, const fmpq_t half, slong prec,
                           pby_error *err)
{
    _arb_vec_zero(tails->p, 2 * tails->n + 1);
    _arb_vec_zero(tails->q, 2 * tails->n + 1);
    arb_zero(tails->infinite);
    if (pair->curve == NULL) {
        pby_atoms_cells(tails, pair, half, prec);
    } else {
        const pby_status status = curve_cells(tails, pair->curve, half, prec, err);
        if (status != PBY_OK)
            return status;
    }
    set_busy(tails);
    accumulate(tails, half, prec);
    return set_edge(tails, pair, half, prec, err);
}

pby_status pby_tails_init(pby_tails *tails, const pby_pair *pair, const fmpq_t step, const fmpq *offset,
                          slong low, slong high, slong bits, pby_error *err)
{
    *tails = (pby_tails){.low = low, .n = high - low, .dense = pby_pair_dense(pair)};
    fmpq_init(tails->offset);
    if (offset != NULL)
        fmpq_set(tails->offset, offset);
    tails->p = _arb_vec_init(2 * tails->n + 1);
    tails->q = _arb_vec_init(2 * tails->n + 1);
    tails->busy = flint_malloc((size_t)tails->n * sizeof *tails->busy + 1);
    arb_init(tails->infinite);
    arb_init(tails->edge_p);
    arb_init(tails->edge_q);
    PBY_FMPQ(half);
    fmpq_div_2exp(half, step, 1);
    slong prec = bits + GUARD;
    pby_status status = tails_at(tails, pair, half, prec, err);
    while (status == PBY_OK && !sharp(tails, bits)) {
        prec *= 2;
        status = prec > PBY_PRECISION_MAX
                     ? pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                                   "the law of the loss is undecided at %d bits", PBY_PRECISION_MAX)
                     : tails_at(tails, pair, half, prec, err);
    }
    return status;
}

void pby_tails_clear(pby_tails *tails)
{
    _arb_vec_clear(tails->p, 2 * tails->n + 1);
    _arb_vec_clear(tails->q, 2 * tails->n + 1);
    flint_free(tails->busy);
    arb_clear(tails->infinite);
    arb_clear(tails->edge_p);
    arb_clear(tails->edge_q);
    fmpq_clear(tails->offset);
}
