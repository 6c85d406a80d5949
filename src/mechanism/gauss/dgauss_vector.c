/* SPDX-License-Identifier: MIT */
#include "mechanism/gauss/dgauss_vector.h"

#include <stdlib.h>

#include "mechanism/gauss/dgauss_curve.h"
#include "number/scoped.h"

/* Bits that a product of polynomials loses, and nats beyond those of the precision. A tail is listed to its
 * relative precision down to exp(-DEPTH_MAX): coefficients of a polynomial that are much farther apart would
 * take memory in proportion. */
enum { GUARD = 64, NATS = 16, DEPTH_MAX = 1 << 10 };

static const pby_dgauss_vector *as_vector(const void *curve)
{
    return curve;
}

/* ---- tails ------------------------------------------------------------------------------------ */

/* ceil(x^2/(2 |v|^2 s)), the nats by which a tail from x on is small; at most DEPTH_MAX + 1. */
static ulong depth(const pby_dgauss_vector *d, const fmpz_t x)
{
    PBY_FMPQ(y);
    PBY_FMPZ(nats);
    fmpq_set_fmpz(y, x);
    fmpq_mul(y, y, y);
    fmpq_div_fmpz(y, y, d->norm2);
    fmpq_div(y, y, d->sigma2);
    fmpq_div_2exp(y, y, 1);
    fmpz_cdiv_q(nats, fmpq_numref(y), fmpq_denref(y));
    return fmpz_cmp_ui(nats, DEPTH_MAX) <= 0 ? fmpz_get_ui(nats) : DEPTH_MAX + 1;
}

/* The law without events of chance 2 exp(-nats); NULL where its reach is too great. */
static const pby_inner *list(const pby_dgauss_vector *d, ulong nats, slong prec)
{
    pby_listed *last = d->last;
    if (last->prec >= prec && last->nats >= nats)
        return &last->law;
    if (last->prec > 0)
        pby_inner_clear(&last->law);
    nats += nats / 2;
    last->prec = 0;
    if (!pby_inner_init(&last->law, &d->shift, d->sigma2, nats, prec))
        return NULL;
    last->nats = nats;
    last->prec = prec;
    return &last->law;
}

/* P(J <= c) where c is beyond what can be listed. */
static void far_out(arb_t chance, const pby_dgauss_vector *d, const fmpz_t c, slong prec)
{
    PBY_FMPZ(x);
    fmpz_abs(x, c);
    arb_zero(chance);
    pby_inner_tail(arb_radref(chance), &d->shift, d->sigma2, x);
    arb_nonnegative_part(chance, chance);
    if (fmpz_sgn(c) > 0) {
        arb_sub_ui(chance, chance, 1, prec);
        arb_neg(chance, chance);
    }
}

static void below(arb_t chance, const pby_dgauss_vector *d, const fmpz_t c, slong prec)
{
    const ulong deep = depth(d, c);
    const pby_inner *law = deep <= DEPTH_MAX ? list(d, deep + (ulong)prec + NATS, prec + GUARD) : NULL;
    if (law != NULL)
        pby_inner_below(chance, law, c, prec + GUARD);
    else
        far_out(chance, d, c, prec);
}

static pby_status vector_tails(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec,
                               pby_error *err)
{
    (void)err;
    const pby_dgauss_vector *d = as_vector(curve);
    PBY_FMPZ(c);
    pby_dgauss_vector_edge(c, d, t);
    below(p, d, c, prec);
    fmpz_sub(c, c, d->norm2);
    below(q, d, c, prec);
    return PBY_OK;
}

/* ---- cells ------------------------------------------------------------------------------------ */

/* The chance of from < J <= to, as far as it is listed. */
static void between(arb_t cell, const pby_inner *law, const fmpz_t from, const fmpz_t to, slong prec)
{
    PBY_ARB(rest);
    arb_zero(cell);
    const bool listed = fmpz_cmp_si(to, -law->reach) >= 0 && fmpz_cmp_si(from, law->reach) < 0;
    if (listed) {
        const slong first = fmpz_cmp_si(from, -law->reach) < 0 ? -law->reach : fmpz_get_si(from) + 1;
        const slong last = fmpz_cmp_si(to, law->reach) > 0 ? law->reach : fmpz_get_si(to);
        for (slong j = first; j <= last; j++)
            arb_add(cell, cell, law->mass + law->reach + j, prec);
    }
    if (fmpz_cmp(from, to) < 0) {
        mag_set(arb_radref(rest), law->missing);
        arb_nonnegative_part(rest, rest);
        arb_add(cell, cell, rest, prec);
    }
}

/* Cells of a chance below 2^-prec need not be known to their relative precision. */
static const pby_inner *list_grid(const pby_dgauss_vector *d, const fmpq_t from, const fmpq_t to, slong prec)
{
    PBY_FMPZ(c);
    pby_dgauss_vector_edge(c, d, from);
    const ulong left = depth(d, c);
    pby_dgauss_vector_edge(c, d, to);
    fmpz_sub(c, c, d->norm2);
    const ulong right = depth(d, c), deep = FLINT_MAX(left, right);
    return list(d, FLINT_MIN(deep, (ulong)prec) + (ulong)prec + NATS, prec);
}

static pby_status vector_cells(arb_ptr p, arb_ptr q, const pby_curve *curve, const fmpq_t from,
                               const fmpq_t step, slong n, slong prec, pby_error *err)
{
    const pby_dgauss_vector *d = as_vector(curve);
    const slong working = prec + GUARD;
    PBY_FMPQ(t);
    PBY_FMPZ(low, high, a, b);
    fmpq_mul_si(t, step, n);
    fmpq_add(t, t, from);
    const pby_inner *law = list_grid(d, from, t, working);
    fmpq_set(t, from);
    pby_dgauss_vector_edge(high, d, t);
    for (slong i = 0; i < n && law != NULL; i++) {
        fmpq_add(t, t, step);
        pby_dgauss_vector_edge(low, d, t);
        between(p + i, law, low, high, working);
        fmpz_sub(a, low, d->norm2);
        fmpz_sub(b, high, d->norm2);
        between(q + i, law, a, b, working);
        fmpz_swap(low, high);
    }
    return law != NULL
               ? PBY_OK
               : pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                             "dgauss: at %ld bits more than 2^20 outcomes of a shift count", (long)prec);
}

/* ---- the rest --------------------------------------------------------------------------------- */

static pby_status vector_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                               pby_error *err)
{
    const pby_dgauss_vector *d = as_vector(curve);
    pby_status status = PBY_OK;
    PBY_ARB(one);
    arb_zero(ball);
    for (size_t i = 0; i < d->shift.count && status == PBY_OK; i++) {
        status = d->each[i]->class->renyi(one, d->each[i], order, prec, err);
        arb_addmul_ui(ball, one, d->shift.times[i], prec);
    }
    return status;
}

static void vector_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    (void)curve;
    (void)prec;
    arb_pos_inf(ball);
}

/* J is every multiple of the values' common divisor g, so that |v|^2 - 2J is |v|^2 plus every multiple of 2g.
 */
static bool vector_unit(fmpq_t unit, const pby_curve *curve)
{
    const pby_dgauss_vector *d = as_vector(curve);
    PBY_FMPZ(g);
    for (size_t i = 0; i < d->shift.count; i++) {
        fmpz_t value;
        fmpz_init_set_ui(value, d->shift.value[i]);
        fmpz_gcd(g, g, value);
        fmpz_clear(value);
    }
    fmpz_mul_2exp(g, g, 1);
    fmpz_gcd(g, g, d->norm2);
    fmpq_set_fmpz(unit, g);
    fmpq_div(unit, unit, d->sigma2);
    fmpq_div_2exp(unit, unit, 1);
    return true;
}

/* |v|^2/(2s), as every coordinate has its own. */
static void vector_rho(fmpq_t rho, const pby_curve *curve)
{
    const pby_dgauss_vector *d = as_vector(curve);
    fmpq_set_fmpz(rho, d->norm2);
    fmpq_div(rho, rho, d->sigma2);
    fmpq_div_2exp(rho, rho, 1);
}

static void vector_free(pby_curve *curve)
{
    pby_dgauss_vector *d = (pby_dgauss_vector *)curve;
    for (size_t i = 0; i < d->shift.count; i++)
        if (d->each[i] != NULL)
            d->each[i]->class->free(d->each[i]);
    if (d->last != NULL && d->last->prec > 0)
        pby_inner_clear(&d->last->law);
    free(d->last);
    fmpz_clear(d->norm2);
    fmpq_clear(d->sigma2);
    free(d);
}

static const pby_curve_class VECTOR = {
    .tails = vector_tails,
    .cells = vector_cells,
    .renyi = vector_renyi,
    .direct = pby_dgauss_vector_direct,
    .largest = vector_largest,
    .unit = vector_unit,
    .rho = vector_rho,
    .free = vector_free,
};

bool pby_dgauss_vector_tractable(const fmpq_t sigma2, ulong norm2, ulong bits)
{
    enum { LEAST_BITS = 16 };
    PBY_FMPQ(x, end);
    fmpz_one_2exp(fmpq_numref(end), bits);
    fmpq_mul_ui(x, sigma2, norm2);
    bool yes = fmpq_cmp(x, end) <= 0;
    fmpq_mul_2exp(x, sigma2, LEAST_BITS);
    yes = yes && fmpq_cmp_si(x, 1) >= 0;
    return yes;
}

static pby_status one_curve(pby_curve **out, const fmpq_t sigma2, ulong value, pby_error *err)
{
    fmpz_t shift;
    fmpz_init_set_ui(shift, value);
    const pby_status status = pby_dgauss_curve(out, sigma2, shift, err);
    fmpz_clear(shift);
    return status;
}

pby_status pby_dgauss_vector_curve(pby_curve **out, const fmpq_t sigma2, const pby_shift *shift,
                                   pby_error *err)
{
    *out = NULL;
    if (shift->count == 1 && shift->times[0] == 1)
        return one_curve(out, sigma2, shift->value[0], err);
    pby_dgauss_vector *d = calloc(1, sizeof *d);
    if (d == NULL)
        return pby_no_memory(err);
    d->base.class = &VECTOR;
    d->shift = *shift;
    fmpq_init(d->sigma2);
    fmpq_set(d->sigma2, sigma2);
    fmpz_init_set_ui(d->norm2, pby_shift_norm2(shift));
    d->last = calloc(1, sizeof *d->last);
    pby_status status = d->last == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 0; i < shift->count && status == PBY_OK; i++)
        status = one_curve(&d->each[i], sigma2, shift->value[i], err);
    if (status == PBY_OK)
        *out = &d->base;
    else
        vector_free(&d->base);
    return status;
}
