/* SPDX-License-Identifier: MIT */
/* The curve of mu-Gaussian privacy, by a recursion over the number of correct guesses; and the epsilon that
 * mu means.
 *
 * Let p_i be the chance of i correct guesses out of r, A_j the sum of i p_i / m and B_j the sum of
 * (r - i) p_i / m, both over i >= j. Whoever keeps to the trade-off curve f has B_j >= g(A_(j+1)) for the
 * inverse g of 1 - f. If c or more guesses are right with a chance of t, the least total that these
 * inequalities leave is reached by A_c = t c / m, B_c = t (r - c) / m, and from there down by adding to p_j
 * no more than they ask for. That is impossible where the total is more than r / m.
 *
 * An inequality that is left out, or g that is too small, makes the least total smaller; so the proof may do
 * both.
 */
#include <math.h>

#include "audit/canary/canary_bound.h"
#include "mechanism/family.h"
#include "number/ball.h"
#include "number/erfc.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"

enum { WORK = 96, NEWTON = 60, DIGITS = 12 };

/* ---- the recursion ----------------------------------------------------------------------------- */

/* A and B from some j on, r / m, and room for work. */
struct sums {
    arb_t a, b, all, t;
};

/* The sums from c on, where c or more correct guesses have a chance of `error`. */
static void sums_init(struct sums *s, const pby_canary_guesses *g, const fmpq_t error)
{
    arb_init(s->a);
    arb_init(s->b);
    arb_init(s->all);
    arb_init(s->t);
    arb_set_fmpq(s->t, error, WORK);
    arb_div_ui(s->t, s->t, g->canaries, WORK);
    arb_mul_ui(s->a, s->t, g->correct, WORK);
    arb_mul_ui(s->b, s->t, g->made - g->correct, WORK);
    arb_set_ui(s->all, g->made);
    arb_div_ui(s->all, s->all, g->canaries, WORK);
}

static void sums_clear(struct sums *s)
{
    arb_clear(s->t);
    arb_clear(s->all);
    arb_clear(s->b);
    arb_clear(s->a);
}

static bool sums_impossible(struct sums *s)
{
    arb_add(s->t, s->a, s->b, WORK);
    return arb_gt(s->t, s->all);
}

/* Goes down to i, where B is at least `least`. Where that is not surely more than it was, the inequality is
 * left out. */
static void sums_raise(struct sums *s, const arb_t least, uint64_t i, uint64_t made)
{
    if (!arb_gt(least, s->b))
        return;
    arb_sub(s->t, least, s->b, WORK);
    arb_mul_ui(s->t, s->t, i, WORK);
    arb_div_ui(s->t, s->t, made - i, WORK);
    arb_add(s->a, s->a, s->t, WORK);
    arb_set(s->b, least);
}

/* ---- the curve --------------------------------------------------------------------------------- */

static double normal_cdf(double z)
{
    return erfc(-z * M_SQRT1_2) / 2;
}

/* About the z where the normal cdf is x, by Newton's method on its logarithm from a z that was near. */
static double normal_quantile(double x, double z)
{
    if (x >= 1)
        return 40;
    for (int i = 0; i < NEWTON; i++) {
        const double p = normal_cdf(z), density = exp(-z * z / 2) * 0.3989422804014327;
        const double step = (log(x) - log(p)) * p / density;
        z += fmax(-1, fmin(1, step));
        if (fabs(step) < 1e-12 * (1 + fabs(z)))
            break;
    }
    return z;
}

static bool guess_gaussian(const pby_canary_guesses *g, double mu, double delta, double error)
{
    (void)delta;
    const double m = (double)g->canaries, r = (double)g->made;
    double a = error * (double)g->correct / m, b = error * (r - (double)g->correct) / m, z = -1;
    for (uint64_t i = g->correct; i-- > 0 && a + b <= r / m;) {
        z = normal_quantile(a, z);
        const double more = fmax(b, normal_cdf(z - mu));
        a += (double)i / (double)(g->made - i) * (more - b);
        b = more;
    }
    return a + b > r / m;
}

/* out = the normal cdf at x */
static void normal_ball(arb_t out, const arb_t x)
{
    PBY_ARB(root);
    arb_sqrt_ui(root, 2, WORK);
    arb_div(out, x, root, WORK);
    arb_neg(out, out);
    pby_erfc(out, out, WORK);
    arb_mul_2exp_si(out, out, -1);
}

/* Below cdf(quantile(a) - mu): any z with cdf(z) <= a will do. -inf when the guess is not proved. */
static void least_of_normal(arb_t least, double *z, const arb_t a, const arb_t mu)
{
    static const double below[] = {1e-13, 1e-10, 1e-6};
    PBY_ARB(x);
    arb_neg_inf(least);
    *z = normal_quantile(arf_get_d(arb_midref(a), ARF_RND_DOWN), *z);
    for (size_t k = 0; k < sizeof below / sizeof *below && isfinite(*z); k++) {
        arb_set_d(x, *z - below[k] * (1 + fabs(*z)));
        normal_ball(least, x);
        if (arb_le(least, a)) {
            arb_sub(x, x, mu, WORK);
            normal_ball(least, x);
            pby_to_lower_end(least, WORK);
            break;
        }
        arb_neg_inf(least);
    }
}

static bool refutes_gaussian(const pby_canary_guesses *g, const arb_t mu, const fmpq_t delta,
                             const fmpq_t error)
{
    (void)delta;
    struct sums s;
    double z = -1;
    sums_init(&s, g, error);
    PBY_ARB(least);
    bool impossible = sums_impossible(&s);
    for (uint64_t i = g->correct; i-- > 0 && !impossible;) {
        least_of_normal(least, &z, s.a, mu);
        sums_raise(&s, least, i, g->made);
        impossible = sums_impossible(&s);
    }
    sums_clear(&s);
    return impossible;
}

const pby_canary_bound pby_canary_gaussian = {"gaussian", guess_gaussian, refutes_gaussian};

/* ---- from mu to epsilon ------------------------------------------------------------------------ */

/* Normal noise of variance 1/mu^2 on a query that moves by 1. */
static pby_status gauss_of(pby_spec **out, const arb_t mu, pby_error *err)
{
    unsigned given = 0;
    pby_mechanism m;
    PBY_FMPQ(variance);
    arf_get_fmpq(variance, arb_midref(mu));
    fmpq_mul(variance, variance, variance);
    fmpq_inv(variance, variance);
    pby_mechanism_init(&m, &pby_family_gauss);
    pby_status status = pby_mechanism_give(&m, &given, "sigma2", variance, err);
    if (status == PBY_OK)
        status = pby_mechanism_complete(&m, given, err);
    if (status == PBY_OK)
        status = pby_spec_of(out, &m, 1, err);
    pby_mechanism_clear(&m);
    return status;
}

pby_status pby_canary_gaussian_epsilon(arb_t epsilon, const arb_t mu, const fmpq_t delta, pby_error *err)
{
    arb_neg_inf(epsilon);
    if (!arb_is_positive(mu))
        return PBY_OK;
    pby_spec *gauss = NULL;
    pby_enclosure answer;
    PBY_MPQ(at);
    fmpq_get_mpq(at, delta);
    pby_enclosure_init(&answer);
    pby_status status = gauss_of(&gauss, mu, err);
    if (status == PBY_OK)
        status = pby_loss_epsilon(&answer, gauss, PBY_ADD_REMOVE, at, DIGITS, err);
    if (status == PBY_OK && mpfr_sgn(answer.lo) > 0) {
        arf_set_mpfr(arb_midref(epsilon), answer.lo);
        mag_zero(arb_radref(epsilon));
    }
    pby_enclosure_clear(&answer);
    pby_spec_free(gauss);
    return status;
}
