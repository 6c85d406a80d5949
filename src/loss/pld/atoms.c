/* SPDX-License-Identifier: MIT */
/* The law of the loss of a pair of atoms. A loss that lies on the grid is found there, by exact signs. */
#include "loss/pld/cells.h"
#include "number/ball.h"
#include "number/scoped.h"

/* Bits that tell where most atoms lie; the others take more. */
enum { ROUGH_PREC = 64 };

/* The norms of a pair, which all its atoms share, to so many bits. */
struct norms {
    arb_t p, q;
    slong prec;
};

static void norms_init(struct norms *n, const pby_pair *pair, slong prec)
{
    arb_init(n->p);
    arb_init(n->q);
    n->prec = prec;
    pby_expsum_get_arb(n->p, pair->norm_p, prec);
    pby_expsum_get_arb(n->q, pair->norm_q, prec);
}

static void norms_clear(struct norms *n)
{
    arb_clear(n->q);
    arb_clear(n->p);
}

static bool common(const pby_atom *atom)
{
    return !pby_expsum_is_zero(atom->p) && !pby_expsum_is_zero(atom->q);
}

/* The masses of an atom, and its loss; the loss only where both masses are positive. */
static void atom_balls(arb_t p, arb_t q, arb_t loss, const pby_atom *atom, const struct norms *norms)
{
    const slong prec = norms->prec;
    pby_expsum_get_arb(p, atom->p, prec);
    arb_div(p, p, norms->p, prec);
    pby_expsum_get_arb(q, atom->q, prec);
    arb_div(q, q, norms->q, prec);
    if (common(atom)) {
        arb_div(loss, p, q, prec);
        arb_log(loss, loss, prec);
    }
}

/* True if the atom's loss is at most t: the sign of p norm_q - exp(t) q norm_p, always right. */
static bool atom_at_most(const pby_pair *pair, size_t i, const fmpq_t t)
{
    pby_expsum_t left, right;
    PBY_FMPQ(one);
    pby_expsum_init(left);
    pby_expsum_init(right);
    fmpq_one(one);
    pby_expsum_mul(left, pair->atoms[i].p, pair->norm_q);
    pby_expsum_mul(right, pair->atoms[i].q, pair->norm_p);
    pby_expsum_mul_term(right, right, one, t);
    pby_expsum_sub(left, left, right);
    const bool yes = pby_expsum_sign(left) <= 0;
    pby_expsum_clear(right);
    pby_expsum_clear(left);
    return yes;
}

/* loss = the atom's, to so many bits */
static void atom_loss(arb_t loss, const pby_pair *pair, size_t atom, slong prec)
{
    struct norms norms;
    PBY_ARB(p, q);
    norms_init(&norms, pair, prec);
    atom_balls(p, q, loss, &pair->atoms[atom], &norms);
    norms_clear(&norms);
}

/* ball = loss / step, at a precision that leaves one or two whole numbers in reach. */
static void in_steps(arb_t ball, const pby_pair *pair, size_t atom, const arb_t loss, const fmpq_t step,
                     slong prec)
{
    PBY_ARB(width);
    arb_set(ball, loss);
    for (;; atom_loss(ball, pair, atom, prec)) {
        arb_set_fmpq(width, step, prec);
        arb_div(ball, ball, width, prec);
        if (mag_cmp_2exp_si(arb_radref(ball), -2) < 0)
            break;
        prec *= 2;
    }
}

/* The i with (i-1) step < loss <= i step. The ball leaves one or two candidates; between two the exact
 * sign decides, so that a loss on the grid is found there. */
static void atom_index(fmpz_t index, const pby_pair *pair, size_t atom, const arb_t loss, const fmpq_t step,
                       slong prec)
{
    PBY_ARB(at, rest);
    PBY_ARF(low);
    PBY_FMPQ(point);
    in_steps(at, pair, atom, loss, step, prec);
    arb_get_lbound_arf(low, at, ARF_PREC_EXACT);
    arf_get_fmpz(index, low, ARF_RND_CEIL);
    for (;; fmpz_add_ui(index, index, 1)) {
        arb_sub_fmpz(rest, at, index, ARF_PREC_EXACT);
        fmpq_mul_fmpz(point, step, index);
        if (arb_is_nonpositive(rest) || (!arb_is_positive(rest) && atom_at_most(pair, atom, point)))
            break;
    }
}

/* True if the loss certainly lies above least step and not above greatest step. */
static bool inside(const arb_t loss, const fmpz_t least, const fmpz_t greatest, const fmpq_t step, slong prec)
{
    PBY_ARB(at);
    PBY_ARF(low, high);
    arb_set_fmpq(at, step, prec);
    arb_div(at, loss, at, prec);
    arb_get_lbound_arf(low, at, prec);
    arb_get_ubound_arf(high, at, prec);
    arb_set_fmpz(at, least);
    const bool above = arf_cmp(low, arb_midref(at)) > 0;
    arb_set_fmpz(at, greatest);
    return above && arf_cmp(high, arb_midref(at)) <= 0;
}

bool pby_atoms_range(slong *low, slong *high, const pby_pair *pair, const fmpq_t step)
{
    const slong prec = ROUGH_PREC;
    struct norms norms;
    bool any = false;
    PBY_ARB(p, q, loss);
    norms_init(&norms, pair, prec);
    PBY_FMPZ(index, least, greatest);
    for (size_t i = 0; i < pair->count; i++) {
        if (!common(&pair->atoms[i]))
            continue;
        atom_balls(p, q, loss, &pair->atoms[i], &norms);
        if (any && inside(loss, least, greatest, step, prec))
            continue; /* without the exact signs that its index may take */
        atom_index(index, pair, i, loss, step, prec);
        if (!any || fmpz_cmp(index, least) < 0)
            fmpz_set(least, index);
        if (!any || fmpz_cmp(index, greatest) > 0)
            fmpz_set(greatest, index);
        any = true;
    }
    fmpz_sub_ui(least, least, 1);
    const bool fits = fmpz_cmp_si(least, -PBY_GRID_MAX) >= 0 && fmpz_cmp_si(greatest, PBY_GRID_MAX) <= 0;
    if (fits) {
        *low = fmpz_get_si(least);
        *high = fmpz_get_si(greatest);
    }
    norms_clear(&norms);
    return fits;
}

void pby_atoms_cells(pby_tails *tails, const pby_pair *pair, const fmpq_t half, slong prec)
{
    struct norms norms;
    PBY_ARB(p, q, loss);
    norms_init(&norms, pair, prec);
    PBY_FMPZ(index);
    for (size_t i = 0; i < pair->count; i++) {
        atom_balls(p, q, loss, &pair->atoms[i], &norms);
        if (common(&pair->atoms[i])) {
            atom_index(index, pair, i, loss, half, prec);
            fmpz_sub_si(index, index, 2 * tails->low + 1);
            const slong at = fmpz_get_si(index);
            if (at < 0)
                continue;
            const slong cell = FLINT_MIN(at, 2 * tails->n);
            arb_add(tails->p + cell, tails->p + cell, p, prec);
            arb_add(tails->q + cell, tails->q + cell, q, prec);
        } else if (!pby_expsum_is_zero(pair->atoms[i].p)) {
            arb_add(tails->infinite, tails->infinite, p, prec);
        }
    }
    arb_add(tails->p + 2 * tails->n, tails->p + 2 * tails->n, tails->infinite, prec);
    norms_clear(&norms);
}

/* True if the atom's loss, in the ball, is above t; the exact sign decides where the ball leaves it open. */
static bool above(const pby_pair *pair, size_t i, const arb_t loss, const arb_t ball, const fmpq_t t)
{
    return arb_gt(loss, ball) || (!arb_lt(loss, ball) && !atom_at_most(pair, i, t));
}

void pby_atoms_edge(pby_tails *tails, const pby_pair *pair, const fmpq_t t, slong prec)
{
    struct norms rough, norms; /* few atoms lie above, and they alone need all bits */
    PBY_ARB(p, q, loss, ball);
    norms_init(&rough, pair, ROUGH_PREC);
    norms_init(&norms, pair, prec);
    arb_set_fmpq(ball, t, prec);
    arb_set(tails->edge_p, tails->infinite);
    for (size_t i = 0; i < pair->count; i++) {
        if (!common(&pair->atoms[i]))
            continue;
        atom_balls(p, q, loss, &pair->atoms[i], &rough);
        if (!above(pair, i, loss, ball, t))
            continue;
        atom_balls(p, q, loss, &pair->atoms[i], &norms);
        arb_add(tails->edge_p, tails->edge_p, p, prec);
        arb_add(tails->edge_q, tails->edge_q, q, prec);
    }
    norms_clear(&norms);
    norms_clear(&rough);
}
