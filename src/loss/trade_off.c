/* SPDX-License-Identifier: MIT */
/* The least mu of Gaussian differential privacy (docs/theory/gdp.md).
 *
 * Above: each use has a mu of its own, and these add as squares; or the whole list has a largest loss. Below:
 * delta at one epsilon is that of some mu, and no less mu keeps it.
 */
#include <arb_hypgeom.h>
#include <string.h>

#include "loss/divergence/divergence.h"
#include "loss/loss.h"
#include "mechanism/gauss/gauss.h"
#include "number/ball.h"
#include "number/erfc.h"
#include "number/number_texts.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"

enum { VERTICES_MAX = 1 << 12, BISECTIONS = 100 };

/* out = -Phi^-1(x), Phi the cdf of N(0, 1), 0 < x < 1. 1 - 2x has all digits of x, however small that is. */
static void upper_quantile(arb_t out, const arb_t x, slong digits)
{
    enum { SMALLEST = 1 << 14 };
    PBY_ARB(root);
    const slong far = arf_cmpabs_2exp_si(arb_midref(x), -SMALLEST) < 0
                          ? SMALLEST
                          : -arf_abs_bound_lt_2exp_si(arb_midref(x));
    const slong prec = digits + (far > 0 ? far : 0);
    arb_mul_2exp_si(out, x, 1);
    arb_sub_ui(out, out, 1, prec);
    arb_neg(out, out);
    arb_hypgeom_erfinv(out, out, prec);
    arb_sqrt_ui(root, 2, prec);
    arb_mul(out, out, root, prec);
}

/* out = Phi(x) */
static void normal_cdf(arb_t out, const arb_t x, slong prec)
{
    PBY_ARB(root);
    arb_sqrt_ui(root, 2, prec);
    arb_div(root, x, root, prec);
    arb_neg(root, root);
    pby_erfc(out, root, prec);
    arb_mul_2exp_si(out, out, -1);
}

/* delta of N(mu, 1) against N(0, 1) at an epsilon */
static void gaussian_delta(arb_t out, const arb_t mu, const fmpq_t epsilon, slong prec)
{
    PBY_ARB(half, shift, x);
    arb_set_fmpq(shift, epsilon, prec);
    arb_div(shift, shift, mu, prec);
    arb_mul_2exp_si(half, mu, -1);
    arb_sub(x, half, shift, prec);
    normal_cdf(out, x, prec);
    arb_neg(half, half);
    arb_sub(x, half, shift, prec);
    normal_cdf(half, x, prec);
    pby_exp_fmpq(x, epsilon, prec);
    arb_submul(out, x, half, prec);
}

/* ---- one use, from above ---------------------------------------------------------------------- */

/* Sets mu for losses of at most epsilon: the two lines of the worst trade-off meet at 1/(1 +
 * exp(epsilon)). */
static void of_largest(arb_t mu, const arb_t epsilon, slong prec)
{
    PBY_ARB(x);
    arb_exp(x, epsilon, prec);
    arb_add_ui(x, x, 1, prec);
    arb_inv(x, x, prec);
    upper_quantile(mu, x, prec);
    arb_mul_2exp_si(mu, mu, 1);
}

/* Continuous Laplace noise of a query that moves by t scales: alpha = beta = exp(-t/2)/2 is the vertex. */
static bool of_laplace(arb_t mu, const pby_mechanism *m, slong prec)
{
    if (m->family != &pby_family_laplace || pby_mechanism_value(m, PBY_ROLE_GRID) != NULL ||
        pby_mechanism_sample(m) != NULL)
        return false;
    PBY_FMPQ(t);
    PBY_ARB(x);
    fmpq_div(t, pby_mechanism_value(m, PBY_ROLE_SENSITIVITY), pby_mechanism_value(m, PBY_ROLE_SCALE));
    fmpq_neg(t, t);
    fmpq_div_2exp(t, t, 1);
    pby_exp_fmpq(x, t, prec);
    arb_mul_2exp_si(x, x, -1);
    upper_quantile(mu, x, prec);
    arb_mul_2exp_si(mu, mu, 1);
    return true;
}

/* A mixture with the other law is no easier to tell apart, so that of a sample is at most that of all. The
 * samples of a matrix mechanism are many, and have no such mu here. */
static bool of_gaussian(arb_t mu, const pby_mechanism *m, slong prec)
{
    const bool matrix = m->family == &pby_family_matrix && pby_mechanism_sample(m) == NULL;
    PBY_FMPQ(square);
    if ((m->family != &pby_family_gauss && m->family != &pby_family_gdp && !matrix) ||
        pby_mechanism_allocated(m))
        return false;
    pby_gauss_squared_distance(square, m);
    if (pby_mechanism_truncated(
            m)) /* a record that takes the place of another moves the query twice as far */
        fmpq_mul_si(square, square, 4);
    arb_set_fmpq(mu, square, prec);
    arb_sqrt(mu, mu, prec);
    return true;
}

/* Discrete Gaussian noise of sigma2 = s above 1/3 on a query that moves by an integer vector v: mu^2 is at
 * most 2 |v|^2/s / (1 + sqrt(1 - 1/(3s))). A sample is no easier to tell apart than all records. */
static bool of_discrete_gaussian(arb_t mu, const pby_mechanism *m, slong prec)
{
    if (m->family != &pby_family_dgauss || pby_mechanism_fixed(m))
        return false;
    const fmpq *norm2 = pby_mechanism_value(m, PBY_ROLE_NORM),
               *d = pby_mechanism_value(m, PBY_ROLE_SENSITIVITY);
    PBY_FMPQ(square, part);
    PBY_ARB(root);
    if (norm2 != NULL)
        fmpq_set(square, norm2);
    else
        fmpq_mul(square, d, d);
    fmpq_div(square, square, pby_mechanism_value(m, PBY_ROLE_VARIANCE));
    fmpq_mul_si(part, pby_mechanism_value(m, PBY_ROLE_VARIANCE), 3);
    fmpq_inv(part, part);
    if (fmpq_cmp_si(part, 1) >= 0)
        return false;
    fmpq_neg(part, part);
    fmpq_add_si(part, part, 1);
    arb_set_fmpq(root, part, prec);
    arb_sqrt(root, root, prec);
    arb_add_ui(root, root, 1, prec);
    fmpq_mul_2exp(square, square, 1);
    arb_set_fmpq(mu, square, prec);
    arb_div(mu, mu, root, prec);
    arb_sqrt(mu, mu, prec);
    return true;
}

/* Raises mu to what the vertex of two errors needs; false where one of them is not seen to be above 0. */
static bool raise_to_vertex(arb_t mu, const arb_t alpha, const arb_t beta, slong prec)
{
    PBY_ARB(x, y, rest);
    arb_add(rest, alpha, beta, prec);
    arb_sub_ui(rest, rest, 1, prec);
    if (arb_is_nonnegative(rest))
        return true;
    if (!arb_is_positive(alpha) || !arb_is_positive(beta))
        return false;
    upper_quantile(x, alpha, prec);
    upper_quantile(y, beta, prec);
    arb_add(x, x, y, prec);
    if (!arb_is_finite(x))
        return false;
    pby_raise_to(mu, x, prec);
    return true;
}

/* True if every two neighbouring ratios are seen to be in one order, so that no vertex is missed. */
static bool is_sorted(const pby_pair *pair, slong prec)
{
    PBY_ARB(p, q, x);
    int order = 0;
    for (size_t i = 0; i + 1 < pair->count; i++) {
        pby_expsum_get_arb(p, pair->atoms[i].p, prec);
        pby_expsum_get_arb(q, pair->atoms[i + 1].q, prec);
        arb_mul(x, p, q, prec);
        pby_expsum_get_arb(p, pair->atoms[i + 1].p, prec);
        pby_expsum_get_arb(q, pair->atoms[i].q, prec);
        arb_submul(x, p, q, prec);
        const int sign = arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : 0;
        if (sign == 0 || sign == -order)
            return false;
        order = sign;
    }
    return true;
}

/* The trade-off of a pair of atoms is a polygon, and that of Gaussians is convex: the vertices decide. A
 * reversed pair has the same ones with the errors exchanged, and the wrong order of the atoms has none below
 * the line of blind guesses. */
static bool of_atoms(arb_t mu, pby_pair *pair, slong prec)
{
    if (pair->curve != NULL || pair->count > VERTICES_MAX || pby_pair_gather(pair, NULL) != PBY_OK ||
        !is_sorted(pair, prec))
        return false;
    PBY_ARB(p, q, norm_p, norm_q, x, other_p, other_q);
    bool good = true;
    pby_expsum_get_arb(norm_p, pair->norm_p, prec);
    pby_expsum_get_arb(norm_q, pair->norm_q, prec);
    for (size_t i = 0; i + 1 < pair->count && good; i++) {
        pby_expsum_get_arb(x, pair->atoms[i].p, prec);
        arb_div(x, x, norm_p, prec);
        arb_add(p, p, x, prec);
        pby_expsum_get_arb(x, pair->atoms[i].q, prec);
        arb_div(x, x, norm_q, prec);
        arb_add(q, q, x, prec);
        arb_sub_ui(other_p, p, 1, prec);
        arb_neg(other_p, other_p);
        arb_sub_ui(other_q, q, 1, prec);
        arb_neg(other_q, other_q);
        good = raise_to_vertex(mu, q, other_p, prec) && raise_to_vertex(mu, other_q, p, prec);
    }
    return good;
}

static bool of_pairs(arb_t mu, const pby_mechanism *m, pby_neighbours relation, slong prec)
{
    pby_pairs pairs = {NULL, 0};
    PBY_PRIVACY(p, m);
    bool good = p.paired && !p.unlisted && pby_mechanism_pairs(&pairs, m, relation, NULL) == PBY_OK &&
                pairs.count > 0;
    arb_zero(mu);
    for (size_t i = 0; i < pairs.count && good; i++)
        good = of_atoms(mu, &pairs.pair[i], prec);
    pby_pairs_clear(&pairs);
    return good;
}

/* The upper end of the largest loss of a spec; false where it is infinite or not known. */
static bool largest_loss(arb_t out, const pby_spec *spec, pby_neighbours relation, unsigned digits)
{
    pby_enclosure epsilon;
    pby_enclosure_init(&epsilon);
    PBY_MPQ(zero);
    const bool good = pby_loss_epsilon(&epsilon, spec, relation, zero, digits, NULL) == PBY_OK &&
                      mpfr_number_p(epsilon.hi) && mpfr_sgn(epsilon.hi) >= 0;
    if (good)
        arb_set_interval_mpfr(out, epsilon.hi, epsilon.hi, pby_precision_for_digits(digits));
    pby_enclosure_clear(&epsilon);
    return good;
}

static bool of_use(arb_t mu, const pby_mechanism *m, pby_neighbours relation, unsigned digits, slong prec)
{
    if (of_gaussian(mu, m, prec) || of_discrete_gaussian(mu, m, prec) || of_laplace(mu, m, prec) ||
        of_pairs(mu, m, relation, prec))
        return true;
    pby_spec *alone;
    PBY_ARB(epsilon);
    if (pby_spec_of(&alone, m, 1, NULL) != PBY_OK)
        return false;
    const bool good = largest_loss(epsilon, alone, relation, digits);
    pby_spec_free(alone);
    if (good)
        of_largest(mu, epsilon, prec);
    return good;
}

/* ---- a list ----------------------------------------------------------------------------------- */

/* The root of the sum of the squares of all uses' mus; +inf where one of them has none that is known. */
static void added(arb_t mu, const pby_spec *spec, pby_neighbours relation, unsigned digits, slong prec)
{
    PBY_ARB(one, sum);
    bool good = true;
    for (size_t i = 0; i < spec->count && good; i++) {
        good = of_use(one, &spec->use[i].mechanism, relation, digits, prec);
        arb_mul(one, one, one, prec);
        arb_mul_ui(one, one, spec->use[i].times, prec);
        arb_add(sum, sum, one, prec);
    }
    arb_pos_inf(mu);
    if (good && arb_is_finite(sum))
        arb_sqrt(mu, sum, prec);
}

static void above(arb_t mu, const pby_spec *spec, pby_neighbours relation, unsigned digits, slong prec)
{
    PBY_ARB(one, epsilon);
    added(mu, spec, relation, digits, prec);
    if (!pby_spec_is_single(spec) && largest_loss(epsilon, spec, relation, digits)) {
        of_largest(one, epsilon, prec);
        if (!arb_is_finite(mu) || arb_lt(one, mu))
            arb_set(mu, one);
    }
}

/* A mu whose delta at the epsilon is below the one given, close to the greatest such; 0 where there is none.
 */
static void below_at(arf_t mu, const fmpq_t epsilon, const arb_t delta, slong prec)
{
    PBY_ARB(x, value);
    PBY_ARF(low, high, middle);
    arf_set_si(high, 64);
    arf_zero(mu);
    for (int i = 0; i < BISECTIONS; i++) {
        arf_add(middle, low, high, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_mul_2exp_si(middle, middle, -1);
        arb_set_arf(x, middle);
        gaussian_delta(value, x, epsilon, prec);
        arf_swap(arb_lt(value, delta) ? low : high, middle);
    }
    arf_set(mu, low);
}

/* Returns the number of epsilons that are asked of: of different mechanisms those up to FAR times a mu.
 * Beyond, a Gaussian's delta is below 1e-4, which takes minutes on a grid. */
static size_t worth_asking(mpq_t *epsilon, size_t count, const pby_spec *spec, const arb_t mu)
{
    enum { FAR = 4 };
    const double far = FAR * arf_get_d(arb_midref(mu), ARF_RND_UP);
    size_t asked = 1;
    while (asked < count && mpq_get_d(epsilon[asked]) <= far)
        asked++;
    return spec->count > 1 && arb_is_finite(mu) ? asked : count;
}

/* The greatest of them at some epsilons; what is not answered there tells nothing. `limit` is an upper
 * bound. */
static void below(arb_t mu, const arb_t limit, const pby_spec *spec, pby_neighbours relation, unsigned digits,
                  slong prec)
{
    static const char *const at[] = {"0", "1/8", "1/4", "1/2", "1", "3/2", "2", "4"};
    enum { COUNT = sizeof at / sizeof *at };
    pby_enclosure delta[COUNT];
    mpq_t epsilon[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        pby_enclosure_init(&delta[i]);
        mpq_init(epsilon[i]);
        mpq_set_str(epsilon[i], at[i], 10);
    }
    const size_t count = worth_asking(epsilon, COUNT, spec, limit);
    const bool good = pby_loss(delta, PBY_ASK_DELTA, spec, relation, epsilon[0],
                               &(pby_loss_options){.digits = digits, .count = count}, NULL) == PBY_OK;
    PBY_FMPQ(x);
    PBY_ARB(least);
    PBY_ARF(one, most);
    for (size_t i = 0; i < count && good; i++) {
        if (mpfr_sgn(delta[i].lo) <= 0)
            continue;
        fmpq_set_mpq(x, epsilon[i]);
        arb_set_interval_mpfr(least, delta[i].lo, delta[i].lo, prec);
        below_at(one, x, least, prec);
        if (arf_cmp(one, most) > 0)
            arf_swap(one, most);
    }
    arb_set_arf(mu, most);
    for (size_t i = 0; i < COUNT; i++) {
        pby_enclosure_clear(&delta[i]);
        mpq_clear(epsilon[i]);
    }
}

/* True if the divergence of order 2 is infinite: a mu would bound it by mu^2, so that there is none. */
static bool has_none(const pby_spec *spec, pby_neighbours relation, unsigned digits)
{
    pby_enclosure divergence;
    PBY_MPQ(two);
    pby_enclosure_init(&divergence);
    mpq_set_ui(two, 2, 1);
    const bool none = pby_loss_renyi(&divergence, NULL, spec, relation, two, digits, NULL) == PBY_OK &&
                      mpfr_inf_p(divergence.lo) != 0;
    pby_enclosure_clear(&divergence);
    return none;
}

/* The upper bound is the value itself: of Gaussians of all records, and of one use that is not loose and was
 * not bounded by its largest loss alone. */
static bool is_reached(const pby_spec *spec, pby_neighbours relation, slong prec)
{
    bool gaussian = true;
    for (size_t i = 0; i < spec->count; i++)
        gaussian = gaussian && pby_gauss_gathers(&spec->use[i].mechanism);
    if (gaussian || !pby_spec_is_single(spec))
        return gaussian;
    PBY_ARB(mu);
    const pby_mechanism *m = &spec->use[0].mechanism;
    PBY_PRIVACY(p, m);
    return of_laplace(mu, m, prec) ||
           (!pby_mechanism_loose(m) && !p.searched && of_pairs(mu, m, relation, prec));
}

static slong working_precision(unsigned digits)
{
    return 2 * pby_precision_for_digits(digits) + PBY_PRECISION_FIRST;
}

/* Refuses a list one use of which has no loss that is known. One use takes no grid. */
static pby_status check_uses(const pby_spec *spec, pby_neighbours relation, pby_error *err)
{
    pby_enclosure some;
    PBY_MPQ(one);
    pby_enclosure_init(&some);
    mpq_set_ui(one, 1, 1);
    pby_status status = PBY_OK;
    for (size_t i = 0; i < spec->count && status == PBY_OK; i++) {
        pby_spec *alone;
        status = pby_spec_of(&alone, &spec->use[i].mechanism, 1, err);
        if (status == PBY_OK)
            status = pby_loss_delta(&some, alone, relation, one, 1, err);
        pby_spec_free(alone);
    }
    pby_enclosure_clear(&some);
    return status;
}

pby_status pby_loss_mu_above(arb_t mu, const pby_spec *spec, pby_neighbours relation, unsigned digits,
                             pby_error *err)
{
    PBY_TRY(check_uses(spec, relation, err));
    above(mu, spec, relation, digits, working_precision(digits));
    return PBY_OK;
}

pby_status pby_loss_mu_added(arb_t mu, const pby_spec *spec, pby_neighbours relation, unsigned digits,
                             pby_error *err)
{
    PBY_TRY(check_uses(spec, relation, err));
    added(mu, spec, relation, digits, working_precision(digits));
    return PBY_OK;
}

pby_status pby_loss_mu(pby_enclosure *mu, const pby_spec *spec, pby_neighbours relation, unsigned digits,
                       pby_error *err)
{
    const slong prec = working_precision(digits);
    pby_enclosure lower;
    PBY_ARB(ball, least);
    PBY_MPQ(none);
    pby_enclosure_init(&lower);
    /* A spec or a relation that has no loss at all is refused as any question about it would be. */
    pby_status status = pby_loss_delta(&lower, spec, relation, none, 1, err);
    if (status == PBY_OK) {
        above(ball, spec, relation, digits, prec);
        pby_enclosure_set_arb(mu, ball, digits);
        if (!arb_is_finite(ball) && has_none(spec, relation, digits)) {
            mpfr_set_inf(mu->lo, 1);
        } else if (!arb_is_finite(ball) || !is_reached(spec, relation, prec)) {
            below(least, ball, spec, relation, digits, prec);
            pby_enclosure_set_arb(&lower, least, digits);
            mpfr_swap(mu->lo, lower.lo);
        }
    }
    pby_enclosure_clear(&lower);
    return status;
}
