/* SPDX-License-Identifier: MIT */
/* Points of the profile, and the pair that they make (pair/nodes.h).
 *
 * With Gaussian answers a point is a conversion of the promise: every order a > 1 has
 *
 *     log delta(e) <= (a-1)(xi + rho a - e) + B + (a-1) log(a-1) - a log a
 *
 * (docs/theory/conversions.md), and the order taken is about the best. With geometric answers delta(e) is at
 * most that of the threshold's own noise, at e less what the positive answers cost; and at most that of a
 * threshold that is known (known.c).
 *
 * The range of the points and the orders that they take are guessed: a bad guess costs width and no truth. */
#include <flint/fmpq_vec.h>
#include <math.h>

#include "mechanism/gauss/dgauss_curve.h"
#include "mechanism/sparse/family_sparse.h"
#include "number/scoped.h"
#include "pair/nodes.h"

enum { NODES = 256, PRECISION = 192 };

/* The logarithm of delta at the last point, about: 2^-100 */
static const double far_enough = -69.4;

struct profile {
    fmpq_t xi, rho;
    arb_t b;
    double xi_near, rho_near, b_near;
    pby_curve *threshold; /* NULL with Gaussian answers */
    pby_sparse_known *known;
};

/* ---- guesses ---------------------------------------------------------------------------------- */

/* The place of the least value of x (xi + rho - e) + rho x^2 + x log x - (1+x) log(1+x), whose derivative
 * rises. */
static double best_past_one(const struct profile *p, double e)
{
    double low = 0, high = 1;
    const double slope = p->xi_near + p->rho_near - e;
    while (high < 0x1p60 && slope + 2 * p->rho_near * high - log1p(1 / high) < 0)
        low = high, high *= 2;
    for (int i = 0; i < 60; i++) {
        const double x = (low + high) / 2;
        *(slope + 2 * p->rho_near * x - log1p(1 / x) < 0 ? &low : &high) = x;
    }
    return high;
}

static double log_delta_near(const struct profile *p, double e)
{
    if (p->threshold != NULL) {
        const double t = e - p->xi_near - p->rho_near;
        return t <= 0 ? 0 : -t * t / (4 * p->rho_near);
    }
    const double x = best_past_one(p, e);
    return x * (p->xi_near - e) + p->rho_near * x * (1 + x) + p->b_near - x * log1p(1 / x) - log1p(x);
}

/* step = about a part of what the last point should be, of few bits */
static pby_status choose_step(fmpq_t step, const struct profile *p, pby_error *err)
{
    double low = 0, high = 1;
    while (high < 0x1p40 && log_delta_near(p, high) > far_enough)
        high *= 2;
    if (!(high < 0x1p40) || !(p->rho_near > 0))
        return pby_fail(err, PBY_BAD, "SPEC 'sparse': expected more noise, for a loss of less than 2^40");
    for (int i = 0; i < 40; i++) {
        const double e = (low + high) / 2;
        *(log_delta_near(p, e) > far_enough ? &low : &high) = e;
    }
    int exponent;
    const double fraction = frexp(high / NODES, &exponent);
    fmpz_set_ui(fmpq_numref(step), (ulong)ceil(ldexp(fraction, 16)));
    fmpz_one(fmpq_denref(step));
    if (exponent > 16)
        fmpq_mul_2exp(step, step, (flint_bitcnt_t)(exponent - 16));
    else
        fmpq_div_2exp(step, step, (flint_bitcnt_t)(16 - exponent));
    return PBY_OK;
}

/* ---- a point ---------------------------------------------------------------------------------- */

static void converted(arb_t delta, const struct profile *p, const fmpq_t e)
{
    PBY_ARB(x, y);
    PBY_FMPQ(past, sum);
    arb_set_d(x, best_past_one(p, fmpq_get_d(e)));
    arf_get_fmpq(past, arb_midref(x));
    /* past (xi + rho (1 + past) - e) */
    fmpq_add_si(sum, past, 1);
    fmpq_mul(sum, sum, p->rho);
    fmpq_add(sum, sum, p->xi);
    fmpq_sub(sum, sum, e);
    fmpq_mul(sum, sum, past);
    arb_set_fmpq(delta, sum, PRECISION);
    arb_add(delta, delta, p->b, PRECISION);
    arb_inv(y, x, PRECISION);
    arb_log1p(y, y, PRECISION);
    arb_submul(delta, x, y, PRECISION);
    arb_log1p(y, x, PRECISION);
    arb_sub(delta, delta, y, PRECISION);
    arb_exp(delta, delta, PRECISION);
}

/* P(L > t) - exp(t) Q(L > t) with t = e - xi, L the loss of the threshold's noise */
static pby_status through_threshold(arb_t delta, const struct profile *p, const fmpq_t e, pby_error *err)
{
    PBY_ARB(q, x);
    PBY_FMPQ(t);
    fmpq_sub(t, e, p->xi);
    const pby_status status = p->threshold->class->tails(delta, q, p->threshold, t, PRECISION, err);
    arb_set_fmpq(x, t, PRECISION);
    arb_exp(x, x, PRECISION);
    arb_submul(delta, x, q, PRECISION);
    return status;
}

static pby_status find_points(fmpq *loss, fmpq *delta, const struct profile *p, const fmpq_t step,
                              pby_error *err)
{
    pby_status status = PBY_OK;
    PBY_ARB(ball);
    for (size_t i = 0; i < NODES && status == PBY_OK; i++) {
        fmpq_mul_ui(&loss[i], step, i + 1);
        if (p->threshold == NULL)
            converted(ball, p, &loss[i]);
        else
            status = through_threshold(ball, p, &loss[i], err);
        pby_node_round_up(&delta[i], ball);
        pby_sparse_known_lower(&delta[i], p->known, &loss[i]);
    }
    return status;
}

/* ---- the pair --------------------------------------------------------------------------------- */

static pby_status profile_init(struct profile *p, const pby_sparse_use *use, pby_error *err)
{
    p->threshold = NULL;
    p->known = pby_sparse_known_new(use);
    fmpq_init(p->xi);
    fmpq_init(p->rho);
    arb_init(p->b);
    pby_sparse_line(p->xi, p->rho, use);
    p->xi_near = fmpq_get_d(p->xi);
    p->rho_near = fmpq_get_d(p->rho);
    pby_status status = pby_sparse_constant(p->b, use, PRECISION, err);
    p->b_near = arf_get_d(arb_midref(p->b), ARF_RND_NEAR);
    if (status != PBY_OK || fmpq_is_zero(use->answer.rate))
        return status;
    fmpz_t d;
    fmpz_init_set_si(d, use->sensitivity);
    status = pby_dgauss_curve(&p->threshold, use->threshold.sigma2, d, err);
    fmpz_clear(d);
    return status;
}

static void profile_clear(struct profile *p)
{
    if (p->threshold != NULL)
        p->threshold->class->free(p->threshold);
    pby_sparse_known_free(p->known);
    arb_clear(p->b);
    fmpq_clear(p->rho);
    fmpq_clear(p->xi);
}

pby_status pby_sparse_pairs_nodes(pby_pairs *out, const pby_sparse_use *use, pby_error *err)
{
    struct profile p;
    PBY_FMPQ(step);
    fmpq *loss = _fmpq_vec_init(NODES), *delta = _fmpq_vec_init(NODES);
    pby_status status = profile_init(&p, use, err);
    if (status == PBY_OK)
        status = choose_step(step, &p, err);
    if (status == PBY_OK)
        status = find_points(loss, delta, &p, step, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_of_nodes(&out->pair[0], loss, delta, NODES, err);
    profile_clear(&p);
    _fmpq_vec_clear(delta, NODES);
    _fmpq_vec_clear(loss, NODES);
    return status;
}
