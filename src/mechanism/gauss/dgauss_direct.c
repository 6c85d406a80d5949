/* SPDX-License-Identifier: MIT */
/* The hockey-stick divergence of the discrete Gaussian, outcome by outcome.
 *
 * The sum over k <= c of f(k) - exp(e) f(k-D), every term of it positive: from min(c, w) down to
 * min(c, 0) - w, where w is so large that f(w) < 2^-prec. An outcome left out would add between 0 and f(k),
 * and those sums of f are bounded. No Euler-Maclaurin formula, no difference of tails. */
#include "base/work.h"
#include "mechanism/gauss/dgauss_curve.h"
#include "number/scoped.h"
#include "number/text.h"

enum { GUARD = 64, OUTCOMES_MAX = 1 << 26 };

void pby_dgauss_edge(fmpz_t k, const pby_dgauss *d, const fmpq_t t)
{
    PBY_FMPQ(x, half);
    fmpq_mul(x, d->sigma2, t);
    fmpq_div_fmpz(x, x, d->shift);
    fmpq_set_fmpz(half, d->shift);
    fmpq_div_2exp(half, half, 1);
    fmpq_sub(x, half, x);
    fmpz_cdiv_q(k, fmpq_numref(x), fmpq_denref(x));
    fmpz_sub_ui(k, k, 1);
}

void pby_dgauss_walk(pby_gauss_walk *walk, const pby_dgauss *d, pby_which which, const fmpz_t k, slong prec)
{
    PBY_FMPQ(x);
    fmpq_set_fmpz(x, k);
    fmpq_neg(x, x);
    if (which == PBY_Q)
        fmpq_add_fmpz(x, x, d->shift);
    pby_gauss_walk_init(walk, d->sigma2, x, prec);
}

/* ---- the sum ---------------------------------------------------------------------------------- */

struct range {
    fmpz_t top, end, far; /* far is beyond what is walked on the right, where c is */
    bool cut;             /* whether outcomes from far to c are left out */
};

static void range_init(struct range *r, const pby_dgauss *d, const fmpq_t epsilon, slong prec)
{
    PBY_FMPQ(square);
    PBY_FMPZ(w);
    fmpz_init(r->top);
    fmpz_init(r->end);
    fmpz_init(r->far);
    fmpq_mul_si(square, d->sigma2, 2 * prec); /* 2^-prec > exp(-prec) */
    fmpz_cdiv_q(w, fmpq_numref(square), fmpq_denref(square));
    fmpz_sqrt(w, w);
    fmpz_add_ui(w, w, 1);
    pby_dgauss_edge(r->top, d, epsilon);
    if (fmpz_sgn(r->top) < 0)
        fmpz_set(r->end, r->top);
    fmpz_sub(r->end, r->end, w);
    fmpz_add_ui(r->far, w, 1);
    r->cut = fmpz_cmp(r->top, w) > 0;
    if (r->cut)
        fmpz_set(r->top, w);
}

static void range_clear(struct range *r)
{
    fmpz_clear(r->far);
    fmpz_clear(r->end);
    fmpz_clear(r->top);
}

static bool is_short(const struct range *r)
{
    PBY_FMPZ(n);
    fmpz_sub(n, r->top, r->end);
    return fmpz_cmp_si(n, OUTCOMES_MAX) <= 0;
}

/* A short one. */
static pby_status sum_range(arb_t sum, const struct range *r, const pby_dgauss *d, const fmpq_t epsilon,
                            slong prec, pby_error *err)
{
    const uint64_t began = pby_work_spent();
    pby_status status = PBY_OK;
    pby_gauss_walk p, q;
    PBY_FMPZ(outcomes);
    PBY_ARB(growth);
    fmpz_sub(outcomes, r->top, r->end);
    const slong steps = fmpz_get_si(outcomes) + 1;
    arb_set_fmpq(growth, epsilon, 2 * prec);
    arb_exp(growth, growth, prec);
    pby_dgauss_walk(&p, d, PBY_P, r->top, prec);
    pby_dgauss_walk(&q, d, PBY_Q, r->top, prec);
    arb_mul(q.term, q.term, growth, prec);
    arb_zero(sum);
    for (slong i = 0; i < steps && status == PBY_OK; i++) {
        status = pby_work_goes_on(began, (uint64_t)i, (uint64_t)steps, err);
        arb_add(sum, sum, p.term, prec);
        arb_sub(sum, sum, q.term, prec);
        pby_gauss_walk_step(&p, prec);
        pby_gauss_walk_step(&q, prec);
    }
    pby_gauss_walk_clear(&q);
    pby_gauss_walk_clear(&p);
    return status;
}

/* sum += [0, f(x) + f(x+1) + ...], x >= 1 */
static void add_beyond(arb_t sum, const pby_dgauss *d, const fmpz_t x)
{
    PBY_FMPQ(at);
    PBY_ARB(rest);
    PBY_MAG(most);
    fmpq_set_fmpz(at, x);
    pby_gauss_sum_by_terms(rest, d->sigma2, at, GUARD);
    arb_get_mag(most, rest);
    arb_add_error_mag(sum, most);
}

/* The normaliser, term by term. */
static void total_by_terms(arb_t total, const pby_dgauss *d, slong prec)
{
    PBY_FMPQ(one);
    fmpq_one(one);
    pby_gauss_sum_by_terms(total, d->sigma2, one, prec);
    arb_mul_2exp_si(total, total, 1);
    arb_add_ui(total, total, 1, prec);
}

pby_status pby_dgauss_direct(arb_t ball, const pby_curve *curve, const fmpq_t epsilon, slong prec,
                             pby_error *err)
{
    const pby_dgauss *d = (const pby_dgauss *)curve;
    pby_status status = PBY_OK;
    struct range r;
    PBY_ARB(total);
    range_init(&r, d, epsilon, prec);
    if (is_short(&r)) {
        status = sum_range(ball, &r, d, epsilon, prec + GUARD, err);
    } else {
        status = pby_refuse_rational(err, "dgauss:sigma2", d->sigma2,
                                     "one for which a certificate adds up at most 2^26 outcomes");
    }
    if (status == PBY_OK) {
        fmpz_sub_ui(r.end, r.end, 1);
        fmpz_neg(r.end, r.end);
        add_beyond(ball, d, r.end);
        if (r.cut)
            add_beyond(ball, d, r.far);
        total_by_terms(total, d, prec + GUARD);
        arb_div(ball, ball, total, prec);
    }
    range_clear(&r);
    return status;
}
