/* SPDX-License-Identifier: MIT */
/* The accuracy of the running totals of a matrix mechanism.
 *
 * A mechanism releases C x + Z, and the totals that are computed from it are off by B Z, B having the
 * numbers b_j of 1/((1 - z) C(z)) on its diagonals: the total of step t by a sum of variance sigma2 (b_0^2
 * + ... + b_t^2), which grows with t. The chance that some total is off by more than beta lies between that
 * of the last one and the sum of all. On a grid the noise is discrete: it is compared with what a little
 * continuous noise makes of it (docs/theory/matrix.md), and totals are published in thousandths. */
#include <arb_poly.h>

#include "accuracy/chance.h"
#include "accuracy/row.h"
#include "mechanism/matrix/bands.h"
#include "mechanism/matrix/family_matrix.h"
#include "mechanism/matrix/matrix_below.h"
#include "number/ball.h"
#include "number/erfc.h"
#include "number/scoped.h"
#include "number/text.h"

/* Rounding adds at most 1/THOUSAND to a total on a grid. */
enum { THOUSAND = 1000, BETA_BITS = 60, SEARCH_PREC = 128, SPARE = 4 };

struct totals {
    pby_bands bands;
    fmpq_t sigma2, beta;
    fmpq_t in_steps; /* sigma2 in squared steps of the grid */
    bool discrete;
};

/* variance[t] = sigma2 (b_0^2 + ... + b_t^2) */
static void set_variances(arb_ptr variance, const struct totals *s, slong prec)
{
    const slong n = (slong)s->bands.steps;
    PBY_ARB(unit, sum, factor);
    arb_poly_t c;
    arb_poly_init(c);
    arb_set_fmpz(unit, s->bands.unit_den);
    arb_div_fmpz(unit, unit, s->bands.unit_num, prec);
    for (slong j = 0; j < s->bands.count; j++) {
        arb_mul_fmpz(sum, unit, s->bands.band + j, prec);
        arb_poly_set_coeff_arb(c, j, sum);
    }
    arb_poly_inv_series(c, c, n, prec);
    arb_zero(sum);
    arb_zero(unit);
    arb_set_fmpq(factor, s->sigma2, prec);
    for (slong t = 0; t < n; t++) {
        arb_poly_get_coeff_arb(variance + t, c, t);
        arb_add(unit, unit, variance + t, prec);
        arb_addmul(sum, unit, unit, prec);
        arb_mul(variance + t, sum, factor, prec);
    }
    arb_poly_clear(c);
}

/* out = erfc(x/sqrt(2 variance)), the chance that a Gaussian is farther off than x */
static void farther(arb_t out, const arb_t x, const arb_t variance, slong prec)
{
    PBY_ARB(root);
    arb_mul_2exp_si(root, variance, 1);
    arb_sqrt(root, root, prec);
    arb_div(root, x, root, prec);
    pby_erfc(out, root, prec);
}

/* The discrete noise of a total with continuous noise of variance `added` in each step, all in squared
 * steps, is Gaussian up to the factor. The part that is added is taken to be within `room`, SPARE of its
 * deviations farther out than beta is of the total's. */
struct smoothing {
    arb_t variance, added, factor, room;
};

static void smooth(struct smoothing *w, const struct totals *s, const arb_t variance, const arb_t beta,
                   slong prec)
{
    PBY_FMPQ(added, ratio);
    pby_matrix_smoothing(added, w->factor, s->in_steps, s->bands.steps);
    fmpq_div(ratio, added, s->in_steps);
    arb_mul_fmpz(w->added, variance, fmpq_numref(ratio), prec);
    arb_div_fmpz(w->added, w->added, fmpq_denref(ratio), prec);
    arb_add(w->variance, variance, w->added, prec);
    arb_sqrt(w->room, variance, prec);
    arb_div(w->room, beta, w->room, prec);
    arb_add_ui(w->room, w->room, SPARE, prec);
    arb_sqrt(w->added, w->added, prec);
    arb_mul(w->room, w->room, w->added, prec);
    arb_sqr(w->added, w->added, prec);
}

static void smoothing_init(struct smoothing *w)
{
    arb_init(w->variance);
    arb_init(w->added);
    arb_init(w->factor);
    arb_init(w->room);
}

static void smoothing_clear(struct smoothing *w)
{
    arb_clear(w->variance);
    arb_clear(w->added);
    arb_clear(w->factor);
    arb_clear(w->room);
}

/* At most the chance of one total: exp(-K)^-1 P(off by more than beta - room) + P(more than room was
 * added), or that of any noise whose exponential moments are at most a Gaussian's. */
static void discrete_most(arb_t out, const struct totals *s, const arb_t variance, const arb_t beta,
                          slong prec)
{
    struct smoothing w;
    PBY_ARB(x, y);
    smoothing_init(&w);
    smooth(&w, s, variance, beta, prec);
    arb_sqr(out, beta, prec);
    arb_div(out, out, variance, prec);
    arb_mul_2exp_si(out, out, -1);
    arb_neg(out, out);
    arb_exp(out, out, prec);
    arb_mul_2exp_si(out, out, 1);
    arb_sub(x, beta, w.room, prec);
    if (arb_is_positive(x)) {
        farther(x, x, w.variance, prec);
        arb_div(x, x, w.factor, prec);
        farther(y, w.room, w.added, prec);
        arb_add(x, x, y, prec);
        arb_min(out, out, x, prec);
    }
    smoothing_clear(&w);
}

static void discrete_least(arb_t out, const struct totals *s, const arb_t variance, const arb_t beta,
                           slong prec)
{
    struct smoothing w;
    PBY_ARB(x);
    smoothing_init(&w);
    smooth(&w, s, variance, beta, prec);
    arb_add(x, beta, w.room, prec);
    farther(out, x, w.variance, prec);
    arb_mul(out, out, w.factor, prec);
    farther(x, w.room, w.added, prec);
    arb_sub(out, out, x, prec);
    arb_zero(x);
    arb_max(out, out, x, prec);
    smoothing_clear(&w);
}

/* The chance of the last total, at least. */
static pby_status least_chance(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct totals *s = what;
    const slong n = (slong)s->bands.steps;
    PBY_FMPQ(at, slack);
    PBY_ARB(beta);
    arb_ptr variance = _arb_vec_init(n);
    set_variances(variance, s, prec);
    fmpq_set_si(slack, s->discrete, THOUSAND);
    fmpq_add(at, s->beta, slack);
    arb_set_fmpq(beta, at, prec);
    if (s->discrete)
        discrete_least(ball, s, variance + n - 1, beta, prec);
    else
        farther(ball, beta, variance + n - 1, prec);
    _arb_vec_clear(variance, n);
    return PBY_OK;
}

/* The chances of all totals together, at most 1. */
static void sum_of_chances(arb_t ball, const struct totals *s, arb_srcptr variance, slong prec)
{
    PBY_FMPQ(at, slack);
    PBY_ARB(beta, one);
    fmpq_set_si(slack, s->discrete, THOUSAND);
    fmpq_sub(at, s->beta, slack);
    arb_set_fmpq(beta, at, prec);
    arb_zero(ball);
    for (slong t = 0; t < (slong)s->bands.steps && fmpq_sgn(at) > 0; t++) {
        if (s->discrete)
            discrete_most(one, s, variance + t, beta, prec);
        else
            farther(one, beta, variance + t, prec);
        arb_add(ball, ball, one, prec);
    }
    arb_one(one);
    if (fmpq_sgn(at) > 0)
        arb_min(ball, ball, one, prec);
    else
        arb_one(ball);
}

static pby_status most_chance(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct totals *s = what;
    arb_ptr variance = _arb_vec_init((slong)s->bands.steps);
    set_variances(variance, s, prec);
    sum_of_chances(ball, s, variance, prec);
    _arb_vec_clear(variance, (slong)s->bands.steps);
    return PBY_OK;
}

/* ---- the beta that is asked for ------------------------------------------------------------------ */

static bool is_enough(struct totals *s, const fmpz_t beta, arb_srcptr variance, slong prec, const arb_t gamma)
{
    PBY_ARB(chance);
    fmpz_set(fmpq_numref(s->beta), beta);
    fmpz_one(fmpq_denref(s->beta));
    sum_of_chances(chance, s, variance, prec);
    return arb_le(chance, gamma);
}

/* Balls that hold the variances to some bits: the numbers of 1/C lose more, the more steps there are. */
static slong good_precision(arb_ptr variance, const struct totals *s)
{
    const slong n = (slong)s->bands.steps;
    slong prec = SEARCH_PREC;
    set_variances(variance, s, prec);
    while (arb_rel_accuracy_bits(variance + n - 1) < SEARCH_PREC / 2 && prec < PBY_PRECISION_MAX) {
        prec *= 2;
        set_variances(variance, s, prec);
    }
    return prec;
}

/* The least whole number that is passed with a chance of at most gamma. */
static pby_status find_beta(struct totals *s, mpq_srcptr gamma, pby_error *err)
{
    if (mpq_sgn(gamma) <= 0 || mpq_cmp_ui(gamma, 1, 1) >= 0)
        return pby_refuse_mpq(err, "gamma", gamma, "a rational above 0 and below 1");
    PBY_FMPZ(below, enough, middle);
    PBY_FMPQ(level);
    PBY_ARB(most);
    arb_ptr variance = _arb_vec_init((slong)s->bands.steps);
    const slong prec = good_precision(variance, s);
    fmpq_set_mpq(level, gamma);
    arb_set_fmpq(most, level, prec);
    fmpz_one(enough);
    while (fmpz_bits(enough) < BETA_BITS && !is_enough(s, enough, variance, prec, most)) {
        fmpz_set(below, enough);
        fmpz_mul_2exp(enough, enough, 1);
    }
    for (fmpz_sub(middle, enough, below); fmpz_cmp_si(middle, 1) > 0; fmpz_sub(middle, enough, below)) {
        fmpz_fdiv_q_2exp(middle, middle, 1);
        fmpz_add(middle, middle, below);
        fmpz_set(is_enough(s, middle, variance, prec, most) ? enough : below, middle);
    }
    fmpz_set(fmpq_numref(s->beta), enough);
    _arb_vec_clear(variance, (slong)s->bands.steps);
    return PBY_OK;
}

/* ---- the accuracy -------------------------------------------------------------------------------- */

static pby_status totals_init(struct totals *s, const pby_mechanism *m, mpq_srcptr beta, pby_error *err)
{
    const fmpq *grid = pby_mechanism_value(m, PBY_ROLE_GRID);
    *s = (struct totals){.discrete = grid != NULL};
    fmpq_init(s->sigma2);
    fmpq_init(s->beta);
    fmpq_init(s->in_steps);
    fmpq_set(s->sigma2, &m->value[PBY_MATRIX_SIGMA2]);
    if (beta != NULL)
        fmpq_set_mpq(s->beta, beta);
    if (grid != NULL) {
        fmpq_div(s->in_steps, s->sigma2, grid);
        fmpq_div(s->in_steps, s->in_steps, grid);
    }
    PBY_TRY(pby_bands_of(&s->bands, m, err));
    return !fmpz_is_zero(s->bands.band) ? PBY_OK
                                        : pby_mechanism_refuse(m,
                                                               "a first of the bands that is not 0: totals "
                                                               "cannot be had from the others",
                                                               err);
}

static void totals_clear(struct totals *s)
{
    pby_bands_clear(&s->bands);
    fmpq_clear(s->in_steps);
    fmpq_clear(s->beta);
    fmpq_clear(s->sigma2);
}

pby_status pby_accuracy_of_totals(pby_noisy_accuracy *out, const pby_mechanism *m, mpq_srcptr beta,
                                  mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    struct totals s;
    PBY_ARB(ball, most);
    pby_status status = totals_init(&s, m, beta, err);
    if (status == PBY_OK && gamma != NULL)
        status = find_beta(&s, gamma, err);
    if (status == PBY_OK)
        status = pby_enclose(ball, least_chance, &s, digits, err);
    if (status == PBY_OK)
        status = pby_enclose(most, most_chance, &s, digits, err);
    arb_union(ball, ball, most, pby_precision_for_digits(digits));
    if (status == PBY_OK)
        status = pby_chance_set(&out->chance, out->release.gamma, ball, digits, err);
    if (status == PBY_OK && gamma != NULL && mpq_cmp(out->release.gamma, gamma) > 0)
        mpq_set(out->release.gamma, gamma);
    fmpq_get_mpq(out->release.beta.value, s.beta);
    totals_clear(&s);
    return status;
}
