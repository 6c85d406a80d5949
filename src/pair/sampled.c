/* SPDX-License-Identifier: MIT */
#include "pair/sampled.h"

#include <stdlib.h>

#include "base/work.h"
#include "number/ball.h"
#include "number/scoped.h"

/* Bits that a tail may lose to the point at which it is asked for. */
enum { GUARD = 32 };

/* Which law is the mixed one: P, Q, or P where the loss is from 0 on and Q where it is below. */
enum form { REMOVAL, ADDITION, CHANGE };

struct sampled {
    pby_curve base;
    pby_curve *of; /* shared as pairs share theirs */
    fmpq_t rate;
    enum form form;
};

static bool removes(const struct sampled *s, const fmpq_t t)
{
    return s->form == REMOVAL || (s->form == CHANGE && fmpq_sgn(t) >= 0);
}

static const struct sampled *as_sampled(const pby_curve *curve)
{
    return (const struct sampled *)curve;
}

static void leave(pby_curve *curve)
{
    if (curve->copies-- == 0)
        curve->class->free(curve);
}

/* ---- losses ----------------------------------------------------------------------------------- */

/* Sets out to the loss that x becomes: log(1 + q (exp(x) - 1)) for a removal, and minus that of -x for an
 * addition. */
static void lift(arb_t out, const arb_t x, const struct sampled *s, slong prec)
{
    PBY_ARB(rate);
    arb_set_fmpq(rate, s->rate, prec);
    if (s->form != ADDITION)
        arb_set(out, x);
    else
        arb_neg(out, x);
    if (arf_is_neg_inf(arb_midref(out)))
        arb_set_si(out, -1);
    else if (!arf_is_pos_inf(arb_midref(out)))
        arb_expm1(out, out, prec);
    if (arb_is_finite(out)) {
        arb_mul(out, out, rate, prec);
        arb_log1p(out, out, prec);
    }
    if (s->form == ADDITION)
        arb_neg(out, out);
}

/* Where t lies among the losses of the sampled pair. */
enum place { BELOW, INSIDE, ABOVE };

/* The loss x that becomes t: exp(x) = 1 + (exp(t) - 1)/q for a removal, and less that of -t for an addition.
 * There is none where the right side is not above 0: then all losses of a removal are above t, and none of an
 * addition's. For a rational t other than 0 the right side is no rational, so that enough precision tells,
 * and neither is x: a loss of what is sampled that is a rational is not met, but for 0, which is exact. */
static pby_status unlift(enum place *place, arb_t x, const fmpq_t t, const struct sampled *s, slong prec,
                         pby_error *err)
{
    const bool removal = removes(s, t);
    if (fmpq_is_zero(t)) {
        arb_zero(x);
        *place = INSIDE;
        return PBY_OK;
    }
    PBY_ARB(y);
    PBY_FMPQ(at);
    fmpq_set(at, t);
    if (!removal)
        fmpq_neg(at, at);
    slong work = prec + GUARD;
    bool seen = false;
    for (; !seen && work <= 2 * PBY_PRECISION_MAX; work *= 2) {
        arb_set_fmpq(x, at, 2 * work);
        arb_expm1(x, x, work);
        arb_set_fmpq(y, s->rate, work);
        arb_div(x, x, y, work);
        arb_add_ui(y, x, 1, work);
        seen = !arb_contains_zero(y) && (arb_is_negative(y) || arb_rel_accuracy_bits(y) >= prec);
    }
    *place = !arb_is_negative(y) ? INSIDE : removal ? BELOW : ABOVE;
    arb_log1p(x, x, work);
    if (!removal)
        arb_neg(x, x);
    return seen ? PBY_OK
                : pby_fail_by(err, PBY_FAILED, PBY_REASON_PRECISION,
                              "the loss of a sampled mechanism is undecided at %d bits", PBY_PRECISION_MAX);
}

/* The ends of a ball, as rationals. */
static void ends_of(fmpq_t lo, fmpq_t hi, const arb_t x, slong prec)
{
    PBY_ARF(end);
    arb_get_lbound_arf(end, x, prec);
    arf_get_fmpq(lo, end);
    arb_get_ubound_arf(end, x, prec);
    arf_get_fmpq(hi, end);
}

/* ---- the curve -------------------------------------------------------------------------------- */

/* The tails of what is sampled at a point in a ball: between those at its ends. */
static pby_status tails_around(arb_t p, arb_t q, const pby_curve *of, const arb_t x, slong prec,
                               pby_error *err)
{
    if (of->class->near != NULL) {
        of->class->near(p, q, of, x, prec);
        return PBY_OK;
    }
    PBY_ARB(least_p, least_q);
    PBY_FMPQ(lo, hi);
    ends_of(lo, hi, x, prec);
    pby_status status = of->class->tails(p, q, of, lo, prec, err);
    if (status == PBY_OK)
        status = of->class->tails(least_p, least_q, of, hi, prec, err);
    arb_union(p, p, least_p, prec);
    arb_union(q, q, least_q, prec);
    return status;
}

/* mixed = (1-q) out + q in */
static void mix(arb_t mixed, const arb_t out, const arb_t in, const struct sampled *s, slong prec)
{
    PBY_FMPQ(rest);
    PBY_ARB(weight, part);
    fmpq_sub_si(rest, s->rate, 1);
    fmpq_neg(rest, rest);
    arb_set_fmpq(weight, s->rate, prec);
    arb_mul(part, in, weight, prec);
    arb_set_fmpq(weight, rest, prec);
    arb_mul(mixed, out, weight, prec);
    arb_add(mixed, mixed, part, prec);
}

static pby_status sampled_tails(arb_t p, arb_t q, const pby_curve *curve, const fmpq_t t, slong prec,
                                pby_error *err)
{
    const struct sampled *s = as_sampled(curve);
    enum place place;
    PBY_ARB(x);
    pby_status status = unlift(&place, x, t, s, prec, err);
    if (status == PBY_OK && place == INSIDE) {
        status = tails_around(p, q, s->of, x, prec + GUARD, err);
        if (removes(s, t))
            mix(p, q, p, s, prec + GUARD);
        else
            mix(q, p, q, s, prec + GUARD);
    } else {
        arb_set_ui(p, place == BELOW);
        arb_set_ui(q, place == BELOW);
    }
    return status;
}

/* The points of the grid are none of what is sampled, so that each end of a cell is asked for. */
static pby_status sampled_cells(arb_ptr p, arb_ptr q, const pby_curve *curve, const fmpq_t from,
                                const fmpq_t step, slong n, slong prec, pby_error *err)
{
    const uint64_t began = pby_work_spent();
    PBY_ARB(next_p, next_q);
    PBY_FMPQ(t);
    fmpq_mul_si(t, step, n);
    fmpq_add(t, t, from);
    pby_status status = sampled_tails(next_p, next_q, curve, t, prec, err);
    for (slong i = n - 1; i >= 0 && status == PBY_OK; i--) {
        fmpq_sub(t, t, step);
        status = pby_work_goes_on(began, (uint64_t)(n - 1 - i), (uint64_t)n, err);
        if (status == PBY_OK)
            status = sampled_tails(p + i, q + i, curve, t, prec, err);
        arb_swap(p + i, next_p);
        arb_swap(q + i, next_q);
        arb_sub(p + i, next_p, p + i, prec + GUARD);
        arb_sub(q + i, next_q, q + i, prec + GUARD);
    }
    return status;
}

/* E(X^k) under Q for X = P/Q of what is sampled: exp((k-1) D_k), and 1 at 0 and 1. */
static pby_status moment(arb_t out, const struct sampled *s, ulong k, slong prec, pby_error *err)
{
    arb_one(out);
    if (k < 2)
        return PBY_OK;
    PBY_FMPQ(order);
    fmpq_set_ui(order, k, 1);
    const pby_status status = s->of->class->renyi(out, s->of, order, prec, err);
    arb_mul_ui(out, out, k - 1, prec);
    arb_exp(out, out, prec);
    return status;
}

/* out = the sum over k of C(a,k) (1-q)^(a-k) q^k E(X^k) */
static pby_status binomial(arb_t out, const struct sampled *s, ulong a, slong prec, pby_error *err)
{
    fmpz_t weight;
    pby_status status = PBY_OK;
    fmpz_init_set_ui(weight, 1);
    PBY_FMPZ(rest);
    PBY_ARB(term);
    fmpz_sub(rest, fmpq_denref(s->rate), fmpq_numref(s->rate));
    fmpz_pow_ui(weight, rest, a); /* C(a,k) (n-m)^(a-k) m^k for the rate m/n */
    arb_zero(out);
    for (ulong k = 0; k <= a && status == PBY_OK; k++) {
        status = moment(term, s, k, prec, err);
        arb_addmul_fmpz(out, term, weight, prec);
        fmpz_mul_ui(weight, weight, a - k);
        fmpz_mul(weight, weight, fmpq_numref(s->rate));
        fmpz_divexact_ui(weight, weight, k + 1);
        fmpz_divexact(weight, weight, rest);
    }
    fmpz_pow_ui(weight, fmpq_denref(s->rate), a);
    arb_div_fmpz(out, out, weight, prec);
    fmpz_clear(weight);
    return status;
}

/* The divergence of a removal, at integer orders. That of an addition is no greater if the sampled pair is
 * its own reverse (docs/theory/sampling.md), and gets this answer as a bound: the question is about the worse
 * of the two directions. */
static pby_status sampled_renyi(arb_t ball, const pby_curve *curve, const fmpq_t order, slong prec,
                                pby_error *err)
{
    enum { ORDER_MAX = 10000 };
    const struct sampled *s = as_sampled(curve);
    arb_indeterminate(ball);
    if (s->form == CHANGE || s->of->class->smallest != NULL)
        return pby_fail(err, PBY_BAD,
                        "SPEC: Renyi divergences of such samples are not enclosed: expected a question about "
                        "epsilon and delta");
    if (!fmpz_is_one(fmpq_denref(order)) || fmpq_cmp_si(order, 2) < 0 || fmpq_cmp_si(order, ORDER_MAX) > 0)
        return pby_fail(
            err, PBY_BAD,
            "SPEC: Renyi divergences of a sampled mechanism are enclosed at integer orders from 2 "
            "to %d alone",
            ORDER_MAX);
    const ulong a = fmpz_get_ui(fmpq_numref(order));
    const pby_status status = binomial(ball, s, a, prec + GUARD, err);
    arb_log(ball, ball, prec + GUARD);
    arb_div_ui(ball, ball, a - 1, prec + GUARD);
    return status;
}

/* The excess of a removal at e is q times that of what is sampled at x, the loss that becomes e, and of an
 * addition 1 - exp(e) (1-q) times: the mixed law has the other in it. Where no loss becomes e, the excess is
 * that of the whole mass, or none. */
static pby_status sampled_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                                 pby_error *err)
{
    const struct sampled *s = as_sampled(curve);
    const slong work = prec + GUARD;
    enum place place;
    PBY_FMPQ(lo, hi);
    PBY_ARB(weight, least);
    pby_status status = unlift(&place, least, epsilon, s, work, err);
    arb_set_fmpq(weight, epsilon, 2 * work);
    arb_expm1(weight, weight, work);
    arb_neg(weight, weight); /* 1 - exp(e) */
    if (status == PBY_OK && place == INSIDE) {
        ends_of(lo, hi, least, work);
        status = s->of->class->direct(ball, s->of, lo, work, err);
        if (status == PBY_OK)
            status = s->of->class->direct(least, s->of, hi, work, err);
        arb_union(ball, ball, least, work);
        if (removes(s, epsilon)) {
            arb_set_fmpq(weight, s->rate, work);
        } else { /* 1 - exp(e) + q exp(e) */
            arb_sub_ui(least, weight, 1, work);
            arb_mul_fmpz(least, least, fmpq_numref(s->rate), work);
            arb_div_fmpz(least, least, fmpq_denref(s->rate), work);
            arb_sub(weight, weight, least, work);
        }
        arb_mul(ball, ball, weight, work);
    } else if (place == BELOW) {
        arb_set(ball, weight);
    } else {
        arb_zero(ball);
    }
    return status;
}

static void sampled_largest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct sampled *s = as_sampled(curve);
    s->of->class->largest(ball, s->of, prec);
    lift(ball, ball, s, prec);
}

static void sampled_smallest(arb_t ball, const pby_curve *curve, slong prec)
{
    const struct sampled *s = as_sampled(curve);
    if (s->of->class->smallest != NULL) {
        s->of->class->smallest(ball, s->of, prec);
    } else {
        s->of->class->largest(ball, s->of, prec);
        arb_neg(ball, ball);
    }
    lift(ball, ball, s, prec);
}

/* The law that is sampled has D_a <= rho a, and so has a mixture of it and of equal laws. The mixture has at
 * least D_a - a log(1/q)/(a-1), and at the integers this over a comes up to rho (docs/theory/sampling.md). */
static bool sampled_limit(fmpq_t rho, const pby_curve *curve)
{
    const pby_curve *of = as_sampled(curve)->of;
    if (of->class->rho == NULL)
        return false;
    of->class->rho(rho, of);
    return true;
}

static bool sampled_dense(const pby_curve *curve)
{
    return as_sampled(curve)->of->class->near != NULL;
}

static void sampled_free(pby_curve *curve)
{
    struct sampled *s = (struct sampled *)curve;
    leave(s->of);
    fmpq_clear(s->rate);
    free(s);
}

static const pby_curve_class SAMPLED = {
    .tails = sampled_tails,
    .cells = sampled_cells,
    .renyi = sampled_renyi,
    .direct = sampled_direct,
    .largest = sampled_largest,
    .smallest = sampled_smallest,
    .dense = sampled_dense,
    .limit = sampled_limit,
    .free = sampled_free,
};

/* Its own reverse, where what is sampled is. */
static const pby_curve_class CHANGED = {
    .tails = sampled_tails,
    .cells = sampled_cells,
    .renyi = sampled_renyi,
    .direct = sampled_direct,
    .largest = sampled_largest,
    .dense = sampled_dense,
    .limit = sampled_limit,
    .free = sampled_free,
};

static pby_status sample_curve(pby_pair *out, pby_curve *of, const fmpq_t rate, enum form form,
                               pby_error *err)
{
    struct sampled *s = malloc(sizeof *s);
    if (s == NULL)
        return pby_no_memory(err);
    *s = (struct sampled){.base.class = form == CHANGE ? &CHANGED : &SAMPLED, .of = of, .form = form};
    of->copies++;
    fmpq_init(s->rate);
    fmpq_set(s->rate, rate);
    out->curve = &s->base;
    return PBY_OK;
}

/* ---- atoms ------------------------------------------------------------------------------------ */

/* The factors of a sum over a common norm: one side's numerators times the other side's norm, where these
 * differ. */
struct scales {
    pby_expsum_t p, q;
};

/* One atom: the mixed side is (1-q) of the law without the record and q of that with it. */
static pby_status sample_atom(pby_pair *out, const pby_atom *atom, const struct scales *to, const fmpq_t rate,
                              bool removal, pby_error *err)
{
    pby_expsum_t p, q, with, without;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_init(with);
    pby_expsum_init(without);
    PBY_FMPQ(rest, zero);
    pby_expsum_mul(p, atom->p, to->p);
    pby_expsum_mul(q, atom->q, to->q);
    fmpq_sub_si(rest, rate, 1);
    fmpq_neg(rest, rest);
    pby_expsum_mul_term(with, removal ? p : q, rate, zero);
    pby_expsum_mul_term(without, removal ? q : p, rest, zero);
    pby_expsum_add(removal ? p : q, with, without);
    const pby_status status = pby_pair_append(out, p, q, err);
    pby_expsum_clear(without);
    pby_expsum_clear(with);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

static pby_status sample_atoms(pby_pair *out, const pby_pair *pair, const fmpq_t rate, bool removal,
                               pby_error *err)
{
    struct scales to;
    pby_status status = PBY_OK;
    pby_expsum_init(to.p);
    pby_expsum_init(to.q);
    if (pby_expsum_equal(pair->norm_p, pair->norm_q)) {
        pby_expsum_one(to.p);
        pby_expsum_one(to.q);
    } else {
        pby_expsum_set(to.p, pair->norm_q);
        pby_expsum_set(to.q, pair->norm_p);
    }
    pby_expsum_mul(out->norm_p, pair->norm_p, to.p);
    pby_expsum_mul(out->norm_q, pair->norm_q, to.q);
    for (size_t i = 0; i < pair->count && status == PBY_OK; i++)
        status = sample_atom(out, &pair->atoms[i], &to, rate, removal, err);
    pby_expsum_clear(to.q);
    pby_expsum_clear(to.p);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------- */

static pby_status sample_pair(pby_pair *out, const pby_pair *pair, const fmpq_t rate, pby_direction direction,
                              pby_error *err)
{
    const bool removal = direction == PBY_BACKWARD;
    out->direction = direction;
    return pair->curve != NULL ? sample_curve(out, pair->curve, rate, removal ? REMOVAL : ADDITION, err)
                               : sample_atoms(out, pair, rate, removal, err);
}

pby_status pby_pairs_sample(pby_pairs *pairs, const fmpq_t rate, pby_error *err)
{
    static const pby_direction directions[] = {PBY_FORWARD, PBY_BACKWARD};
    pby_pairs out;
    if (pairs->count == 0 || fmpq_is_one(rate))
        return PBY_OK;
    pby_status status = pby_pairs_init(&out, 2 * pairs->count, err);
    size_t made = 0;
    for (size_t i = 0; i < pairs->count; i++)
        for (size_t d = 0; d < 2 && status == PBY_OK; d++)
            if (pairs->pair[i].direction == PBY_BOTH || pairs->pair[i].direction == directions[d])
                status = sample_pair(&out.pair[made++], &pairs->pair[i], rate, directions[d], err);
    if (status == PBY_OK)
        out.count = made;
    pby_pairs_clear(pairs);
    *pairs = out;
    return status;
}

/* ---- a sample of fixed size --------------------------------------------------------------------- */

/* kept += (1-q) of what P has more than Q in an atom of positive loss: that much of P becomes loss 0, and as
 * much of Q in the atoms of negative loss. */
static void keep(pby_expsum_t kept, const pby_atom *atom, const fmpq_t rate)
{
    pby_expsum_t more, part;
    pby_expsum_init(more);
    pby_expsum_init(part);
    PBY_FMPQ(rest, zero);
    fmpq_sub_si(rest, rate, 1);
    fmpq_neg(rest, rest);
    pby_expsum_sub(more, atom->p, atom->q);
    pby_expsum_mul_term(part, more, rest, zero);
    pby_expsum_add(more, kept, part);
    pby_expsum_set(kept, more);
    pby_expsum_clear(part);
    pby_expsum_clear(more);
}

static int sign_of_loss(const pby_atom *atom)
{
    pby_expsum_t more;
    pby_expsum_init(more);
    pby_expsum_sub(more, atom->p, atom->q);
    const int sign = pby_expsum_sign(more);
    pby_expsum_clear(more);
    return sign;
}

static pby_status fix_atoms(pby_pair *out, const pby_pair *pair, const fmpq_t rate, pby_error *err)
{
    struct scales one;
    pby_expsum_t kept, same;
    pby_status status = PBY_OK;
    pby_expsum_init(one.p);
    pby_expsum_init(one.q);
    pby_expsum_init(kept);
    pby_expsum_init(same);
    pby_expsum_one(one.p);
    pby_expsum_one(one.q);
    pby_expsum_set(out->norm_p, pair->norm_p);
    pby_expsum_set(out->norm_q, pair->norm_q);
    for (size_t i = 0; i < pair->count && status == PBY_OK; i++) {
        const int sign = sign_of_loss(&pair->atoms[i]);
        if (sign > 0)
            keep(kept, &pair->atoms[i], rate);
        status = sample_atom(out, &pair->atoms[i], &one, rate, sign > 0, err);
    }
    pby_expsum_set(same, kept);
    if (status == PBY_OK)
        status = pby_pair_append(out, kept, same, err);
    pby_expsum_clear(same);
    pby_expsum_clear(kept);
    pby_expsum_clear(one.q);
    pby_expsum_clear(one.p);
    return status;
}

pby_status pby_pairs_fix(pby_pairs *pairs, const fmpq_t rate, pby_error *err)
{
    pby_pairs out;
    if (fmpq_is_one(rate))
        return PBY_OK;
    const pby_pair *pair = &pairs->pair[0];
    if (pairs->count != 1 || pair->direction != PBY_BOTH ||
        (pair->curve == NULL && !pby_expsum_equal(pair->norm_p, pair->norm_q)))
        return pby_fail(err, PBY_BAD,
                        "SPEC: expected no sample of fixed size of a mechanism with several pairs");
    pby_status status = pby_pairs_init(&out, 1, err);
    if (status == PBY_OK)
        status = pair->curve != NULL ? sample_curve(&out.pair[0], pair->curve, rate, CHANGE, err)
                                     : fix_atoms(&out.pair[0], pair, rate, err);
    pby_pairs_clear(pairs);
    *pairs = out;
    return status;
}
