/* SPDX-License-Identifier: MIT */
/* The loss of geometric answers against a threshold that is known (docs/theory/above.md).
 *
 * With c = exp(-r2 D) and t = 1/(1 + c) the worst pair up to the first positive answer has the losses k r2 D,
 * of the masses
 *
 *     P(k) = c t^k/(1 + c + c^2),    P(-k) = c (c t)^k/(1 + c + c^2),    k = 0, 1, 2, ...
 *
 * and each positive answer is another such use. Losses beyond LEVELS are taken as infinite, and those below
 * -LEVELS as -LEVELS: both only lose more. */
#include <arb_poly.h>
#include <stdlib.h>

#include "mechanism/sparse/family_sparse.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "pair/nodes.h"

enum { LEVELS = 128, TOPS_MAX = 64, PRECISION = 192 };

struct pby_sparse_known {
    fmpq_t unit;        /* r2 D */
    slong first, count; /* the losses are first, ..., first + count - 1 units */
    arb_ptr above,
        opposite; /* P and Q of what loses i units from the first on, and more; count + 1 of each */
};

/* The masses of one use from -LEVELS to LEVELS, and what is beyond: c (c t)^K/(1 - c t) and below, where 1 -
 * c t = t, is that of -K, and t^K/(1 + c + c^2) is beyond K. */
static void one_use(arb_poly_t mass, arb_t beyond, const arb_t c)
{
    PBY_ARB(t, norm, x);
    arb_add_ui(t, c, 1, PRECISION);
    arb_mul(norm, t, c, PRECISION);
    arb_add_ui(norm, norm, 1, PRECISION);
    arb_inv(t, t, PRECISION);
    for (int sign = -1; sign <= 1; sign += 2) {
        arb_div(x, c, norm, PRECISION);
        for (slong k = 0; k < LEVELS; k++) {
            arb_poly_set_coeff_arb(mass, LEVELS + sign * k, x);
            arb_mul(x, x, t, PRECISION);
            if (sign < 0)
                arb_mul(x, x, c, PRECISION);
        }
        if (sign < 0)
            arb_div(x, x, t, PRECISION);
        arb_poly_set_coeff_arb(mass, LEVELS + sign * LEVELS, x);
    }
    arb_pow_ui(x, t, LEVELS, PRECISION);
    arb_div(beyond, x, norm, PRECISION);
}

/* From the last loss down; infinite ones have the mass `beyond` of P alone. */
static void add_up(struct pby_sparse_known *known, const arb_poly_t mass, const arb_t beyond)
{
    PBY_FMPQ(loss);
    PBY_ARB(p, q);
    arb_set(known->above + known->count, beyond);
    for (slong i = known->count - 1; i >= 0; i--) {
        fmpq_mul_si(loss, known->unit, -(known->first + i));
        pby_exp_fmpq(q, loss, PRECISION);
        arb_poly_get_coeff_arb(p, mass, i);
        arb_mul(q, q, p, PRECISION);
        arb_add(known->above + i, known->above + i + 1, p, PRECISION);
        arb_add(known->opposite + i, known->opposite + i + 1, q, PRECISION);
    }
}

struct pby_sparse_known *pby_sparse_known_new(const pby_sparse_use *use)
{
    if (pby_sparse_is_gaussian(&use->answer) || use->tops > TOPS_MAX)
        return NULL;
    struct pby_sparse_known *known = calloc(1, sizeof *known);
    if (known == NULL)
        return NULL;
    arb_poly_t mass;
    PBY_ARB(c, beyond);
    arb_poly_init(mass);
    fmpq_init(known->unit);
    fmpq_mul_si(known->unit, use->answer.rate, -use->sensitivity);
    pby_exp_fmpq(c, known->unit, PRECISION);
    fmpq_neg(known->unit, known->unit);
    one_use(mass, beyond, c);
    arb_poly_pow_ui(mass, mass, (ulong)use->tops, PRECISION);
    pby_once_of(beyond, (ulong)use->tops, PRECISION);
    known->first = -LEVELS * (slong)use->tops;
    known->count = 1 - 2 * known->first;
    known->above = _arb_vec_init(known->count + 1);
    known->opposite = _arb_vec_init(known->count + 1);
    add_up(known, mass, beyond);
    arb_poly_clear(mass);
    return known;
}

void pby_sparse_known_free(struct pby_sparse_known *known)
{
    if (known == NULL)
        return;
    _arb_vec_clear(known->opposite, known->count + 1);
    _arb_vec_clear(known->above, known->count + 1);
    fmpq_clear(known->unit);
    free(known);
}

/* The sum over losses above e of P - exp(e) Q. */
static void delta_at(arb_t delta, const struct pby_sparse_known *known, const fmpq_t e)
{
    PBY_FMPQ(units);
    PBY_FMPZ(from);
    PBY_ARB(x);
    fmpq_div(units, e, known->unit);
    fmpz_fdiv_q(from, fmpq_numref(units), fmpq_denref(units));
    fmpz_add_si(from, from, 1 - known->first);
    const slong i = fmpz_cmp_si(from, known->count) >= 0 ? known->count : fmpz_get_si(from);
    pby_exp_fmpq(x, e, PRECISION);
    arb_mul(x, x, known->opposite + i, PRECISION);
    arb_sub(delta, known->above + i, x, PRECISION);
}

void pby_sparse_known_lower(fmpq_t delta, const struct pby_sparse_known *known, const fmpq_t e)
{
    if (known == NULL)
        return;
    PBY_FMPQ(other);
    PBY_ARB(ball);
    delta_at(ball, known, e);
    pby_node_round_up(other, ball);
    if (fmpq_cmp(other, delta) < 0)
        fmpq_set(delta, other);
}
