/* SPDX-License-Identifier: MIT */
/* P[Bin(n, p) >= k] for k > n p is summed from its first term, by log-gamma, each next term being the last
 * times (n - j)/(j + 1) p/(1 - p). That ratio is below 1 there and falls, so that what is left out after the
 * term of j is at most that term times r/(1 - r). Below the mean it is the same tail of the other side of the
 * coins. */
#include "accuracy/tails.h"

#include <arb_hypgeom.h>

#include "base/interrupt.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { ASKED_EVERY = 16 };

/* ---- the exact tail ---------------------------------------------------------------------------- */

static void log_factorial(arb_t out, uint64_t n, slong prec)
{
    arb_set_ui(out, n);
    arb_add_ui(out, out, 1, prec);
    arb_hypgeom_lgamma(out, out, prec);
}

/* mass = P[Bin(n, p) = k], with the bits that log-gamma loses in its difference. */
static void mass_of(arb_t mass, uint64_t n, uint64_t k, const fmpq_t p, slong prec)
{
    const slong work = prec + 2 * (slong)FLINT_BIT_COUNT(n) + 16;
    PBY_ARB(t, sum);
    PBY_FMPQ(other);
    log_factorial(sum, n, work);
    log_factorial(t, k, work);
    arb_sub(sum, sum, t, work);
    log_factorial(t, n - k, work);
    arb_sub(sum, sum, t, work);
    arb_set_fmpq(t, p, work);
    arb_log(t, t, work);
    arb_addmul_ui(sum, t, k, work);
    fmpq_sub_si(other, p, 1);
    fmpq_neg(other, other);
    arb_set_fmpq(t, other, work);
    arb_log(t, t, work);
    arb_addmul_ui(sum, t, n - k, work);
    arb_exp(mass, sum, prec);
}

/* Adds what is left out behind the term, if that is less than the last bit of the sum: term r/(1 - r). */
static bool add_rest(arb_t sum, const arb_t term, const arb_t ratio, slong prec)
{
    PBY_ARB(rest, gap, bit);
    PBY_MAG(most);
    arb_sub_ui(gap, ratio, 1, prec);
    arb_neg(gap, gap);
    if (!arb_is_positive(gap))
        return false;
    arb_div(rest, ratio, gap, prec);
    arb_mul(rest, rest, term, prec);
    arb_mul_2exp_si(bit, sum, -prec);
    if (!arb_lt(rest, bit))
        return false;
    arb_get_mag(most, rest);
    arb_add_error_mag(sum, most);
    return true;
}

/* sum = P[Bin(n, p) >= k], n p < k <= n */
static pby_status add_terms(arb_t sum, uint64_t n, uint64_t k, const fmpq_t p, slong prec, pby_error *err)
{
    PBY_ARB(term, ratio, odds);
    PBY_FMPQ(other);
    fmpq_sub_si(other, p, 1);
    fmpq_neg(other, other);
    fmpq_div(other, p, other);
    arb_set_fmpq(odds, other, prec);
    mass_of(term, n, k, p, prec);
    arb_set(sum, term);
    for (uint64_t j = k; j < n; j++) {
        arb_mul_ui(ratio, odds, n - j, prec);
        arb_div_ui(ratio, ratio, j + 1, prec);
        if ((j - k) % ASKED_EVERY == 0) {
            PBY_TRY(pby_interrupt_check(err));
            if (add_rest(sum, term, ratio, prec))
                break;
        }
        arb_mul(term, term, ratio, prec);
        arb_add(sum, sum, term, prec);
    }
    return PBY_OK;
}

/* The mean from the side that is asked about: that of the other faces where it is the one below. */
static void mean_of(fmpq_t p, const pby_tail *t, bool below)
{
    fmpq_set(p, t->mean);
    if (below) {
        fmpq_sub_si(p, p, 1);
        fmpq_neg(p, p);
    }
}

/* P[Bin(n, p) > n (p + beta)] */
static pby_status one_side(arb_t chance, const pby_tail *t, bool below, slong prec, pby_error *err)
{
    PBY_FMPQ(p, edge);
    PBY_FMPZ(k);
    mean_of(p, t, below);
    fmpq_add(edge, p, t->beta);
    fmpq_mul_ui(edge, edge, t->n);
    fmpz_fdiv_q(k, fmpq_numref(edge), fmpq_denref(edge));
    fmpz_add_ui(k, k, 1);
    arb_zero(chance);
    return fmpz_cmp_ui(k, t->n) > 0 ? PBY_OK : add_terms(chance, t->n, fmpz_get_ui(k), p, prec, err);
}

static pby_status exact_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const pby_tail *t = what;
    PBY_ARB(other);
    if (t->side != PBY_TAIL_EITHER)
        return one_side(ball, t, t->side == PBY_TAIL_BELOW, prec, err);
    PBY_TRY(one_side(ball, t, false, prec, err));
    PBY_TRY(one_side(other, t, true, prec, err));
    arb_add(ball, ball, other, prec);
    return PBY_OK;
}

/* ---- bounds ------------------------------------------------------------------------------------ */

bool pby_tail_has(const pby_tail *t, pby_tail_bound bound)
{
    if (t->side == PBY_TAIL_EITHER)
        return bound == PBY_TAIL_ADDITIVE;
    return bound != PBY_TAIL_MULTIPLICATIVE || fmpq_cmp(t->beta, t->mean) <= 0;
}

/* x log(x/y), and 0 at 0 */
static void entropy_term(arb_t out, const fmpq_t x, const fmpq_t y, slong prec)
{
    PBY_FMPQ(ratio);
    PBY_ARB(factor);
    arb_zero(out);
    if (fmpq_is_zero(x))
        return;
    fmpq_div(ratio, x, y);
    arb_set_fmpq(out, ratio, prec);
    arb_log(out, out, prec);
    arb_set_fmpq(factor, x, prec);
    arb_mul(out, out, factor, prec);
}

/* exp(-n D) for the edge a = p + beta: D = a log(a/p) + (1 - a) log((1 - a)/(1 - p)); 0 beyond the edge 1. */
static void entropy(arb_t out, const pby_tail *t, slong prec)
{
    PBY_FMPQ(p, a);
    PBY_ARB(other);
    mean_of(p, t, t->side == PBY_TAIL_BELOW);
    fmpq_add(a, p, t->beta);
    arb_zero(out);
    if (fmpq_cmp_si(a, 1) > 0)
        return;
    entropy_term(out, a, p, prec);
    fmpq_sub_si(a, a, 1);
    fmpq_sub_si(p, p, 1);
    fmpq_neg(a, a);
    fmpq_neg(p, p);
    entropy_term(other, a, p, prec);
    arb_add(out, out, other, prec);
    arb_mul_ui(out, out, t->n, prec);
    arb_neg(out, out);
    arb_exp(out, out, prec);
}

/* exp(-2 n beta^2), and exp(-n beta^2/(c mean)) or exp(-2 n (beta/mean)^2/c), c being 3 above and 2 below. */
static void power_of(fmpq_t power, const pby_tail *t, pby_tail_bound bound)
{
    fmpq_mul(power, t->beta, t->beta);
    fmpq_mul_ui(power, power, t->n);
    if (bound != PBY_TAIL_MULTIPLICATIVE)
        fmpq_mul_ui(power, power, 2);
    if (bound != PBY_TAIL_ADDITIVE) {
        PBY_FMPQ(by);
        fmpq_mul_ui(by, t->mean, t->side == PBY_TAIL_BELOW ? 2 : 3);
        if (bound == PBY_TAIL_PRINTED)
            fmpq_mul(by, by, t->mean);
        fmpq_div(power, power, by);
    }
    fmpq_neg(power, power);
}

struct bounded {
    const pby_tail *tail;
    pby_tail_bound bound;
};

static pby_status bound_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct bounded *b = what;
    (void)err;
    if (b->bound == PBY_TAIL_ENTROPY) {
        entropy(ball, b->tail, prec);
        return PBY_OK;
    }
    PBY_FMPQ(power);
    power_of(power, b->tail, b->bound);
    pby_exp_fmpq(ball, power, prec);
    if (b->tail->side == PBY_TAIL_EITHER)
        arb_mul_2exp_si(ball, ball, 1);
    return PBY_OK;
}

static pby_status room_ball(arb_t ball, const void *what, slong prec, pby_error *err)
{
    const struct bounded *b = what;
    PBY_ARB(exact);
    PBY_TRY(bound_ball(ball, b, prec, err));
    PBY_TRY(exact_ball(exact, b->tail, prec, err));
    arb_sub(ball, ball, exact, prec);
    return PBY_OK;
}

/* ---- both as enclosures ------------------------------------------------------------------------ */

pby_status pby_tail_exact(pby_enclosure *chance, const pby_tail *t, unsigned digits, pby_error *err)
{
    PBY_TRY(pby_enclosure_real(chance, exact_ball, t, digits, err));
    pby_enclosure_keep_in_unit(chance);
    return PBY_OK;
}

pby_status pby_tail_bounded(pby_enclosure *most, bool *holds, const pby_tail *t, pby_tail_bound bound,
                            unsigned digits, pby_error *err)
{
    const struct bounded b = {t, bound};
    PBY_FMPQ(zero);
    int sign;
    PBY_TRY(pby_enclosure_real(most, bound_ball, &b, digits, err));
    PBY_TRY(pby_compare(&sign, room_ball, &b, zero, err));
    *holds = sign >= 0;
    return PBY_OK;
}
