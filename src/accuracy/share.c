/* SPDX-License-Identifier: MIT */
/* The accuracy of the estimated share of an answer among n users, from their reports.
 *
 * A report is the answer v with chance p if that is the truth, and with chance q if not. With J reports of v,
 * (J/n - q)/(p - q) is an unbiased estimate of the share c/n of users whose truth it is. J is the sum of
 * binomials of c users and of n - c others: the estimate is farther than beta from c/n when
 * |J - n q - c (p - q)| > beta n (p - q), and the chance is the greatest over c = 0, ..., n. Beyond
 * EXACT_MOST users Hoeffding's inequality bounds it: at most 2 exp(-2 n beta^2 (p - q)^2).
 * docs/theory/response.md. */
#include <math.h>

#include "accuracy/accuracy.h"
#include "accuracy/alike.h"
#include "accuracy/average.h"
#include "accuracy/chance.h"
#include "accuracy/row.h"
#include "mechanism/shared/estimator.h"
#include "number/ball.h"
#include "number/scoped.h"
#include "number/text.h"

enum { EXACT_MOST = 500 };

struct share {
    pby_expsum_t p, q, norm; /* the chances over the norm */
    fmpq_t at;               /* beta in widths, or gamma */
    fmpq_t width;            /* of what is estimated: 1 for a share */
    bool between;            /* users may be between: a mean is estimated */
    uint64_t steps;          /* from one end to the other, where they may */
    uint64_t n;
    bool turned; /* they are those of the reports that are not the answer */
};

/* True if 2 q < 1. */
static bool small(const struct share *s)
{
    pby_expsum_t x;
    pby_expsum_init(x);
    pby_expsum_sub(x, s->norm, s->q);
    pby_expsum_sub(x, x, s->q);
    const bool below = pby_expsum_sign(x) > 0;
    pby_expsum_clear(x);
    return below;
}

/* Where q is not below 1/2, those without the answer are counted: the estimate is off by as much. */
static void make_small(struct share *s)
{
    s->turned = !small(s);
    if (!s->turned)
        return;
    pby_expsum_sub(s->p, s->norm, s->p);
    pby_expsum_sub(s->q, s->norm, s->q);
    pby_expsum_swap(s->p, s->q);
}

static void set_width(struct share *s, const pby_mechanism *m)
{
    PBY_FMPQ(lo, hi);
    s->between = m->family->estimator->range != NULL;
    s->steps = s->between ? (uint64_t)m->family->most(m) : 1;
    if (s->between)
        m->family->estimator->range(lo, hi, m);
    else
        fmpq_set_ui(hi, 1, 1);
    fmpq_sub(s->width, hi, lo);
}

static pby_status share_init(struct share *s, const pby_mechanism *m, uint64_t n, pby_error *err)
{
    pby_chances c;
    s->n = n;
    pby_expsum_init(s->p);
    pby_expsum_init(s->q);
    pby_expsum_init(s->norm);
    fmpq_init(s->at);
    fmpq_init(s->width);
    set_width(s, m);
    pby_chances_init(&c, m);
    pby_expsum_set(s->p, c.p);
    pby_expsum_set(s->q, c.q);
    pby_expsum_set(s->norm, c.norm);
    pby_chances_clear(&c);
    if (pby_expsum_equal(s->p, s->q))
        return pby_mechanism_refuse(m, "reports that say something", err);
    make_small(s);
    return PBY_OK;
}

static void share_clear(struct share *s)
{
    fmpq_clear(s->width);
    fmpq_clear(s->at);
    pby_expsum_clear(s->norm);
    pby_expsum_clear(s->q);
    pby_expsum_clear(s->p);
}

static void chances_of(arb_t p, arb_t q, const struct share *s, slong prec)
{
    PBY_ARB(norm);
    pby_expsum_get_arb(norm, s->norm, prec);
    pby_expsum_get_arb(p, s->p, prec);
    pby_expsum_get_arb(q, s->q, prec);
    arb_div(p, p, norm, prec);
    arb_div(q, q, norm, prec);
}

/* ---- the exact chance ------------------------------------------------------------------------- */

/* out += factor x */
static void add_times(pby_expsum_t out, const pby_expsum_t x, const fmpq_t factor)
{
    pby_expsum_t term;
    PBY_FMPQ(zero);
    pby_expsum_init(term);
    pby_expsum_mul_term(term, x, factor, zero);
    pby_expsum_add(out, out, term);
    pby_expsum_clear(term);
}

/* The sign of n q + (c + d n) (p - q) - j, d being beta or its negative. */
static int sign_at(const struct share *s, int64_t c, const fmpq_t d, int64_t j)
{
    pby_expsum_t x;
    pby_expsum_init(x);
    PBY_FMPQ(place, factor);
    fmpq_set_si(factor, (slong)s->n, 1);
    fmpq_mul(place, d, factor);
    fmpq_add_si(place, place, c);
    add_times(x, s->p, place);
    fmpq_sub(factor, factor, place);
    add_times(x, s->q, factor);
    fmpq_set_si(factor, -j, 1);
    add_times(x, s->norm, factor);
    const int sign = pby_expsum_sign(x);
    pby_expsum_clear(x);
    return sign;
}

/* The least j from `from` on that n q + (c + d n) (p - q) is below, or is not above; at most n + 1. The place
 * rises with c, and so do the answers. */
static int64_t first_past(const struct share *s, int64_t c, const fmpq_t d, bool strictly, int64_t from)
{
    int64_t j = from;
    while (j <= (int64_t)s->n) {
        const int sign = sign_at(s, c, d, j);
        if (sign < 0 || (sign == 0 && !strictly))
            break;
        j++;
    }
    return j;
}

/* f[j] = C(n, j) q^j (1-q)^(n-j) */
static void binomial(arb_ptr f, slong n, const arb_t q, const arb_t rest, slong prec)
{
    PBY_ARB(ratio);
    arb_div(ratio, q, rest, prec);
    arb_pow_ui(f, rest, (ulong)n, prec);
    for (slong j = 0; j < n; j++) {
        arb_mul(f + j + 1, f + j, ratio, prec);
        arb_mul_si(f + j + 1, f + j + 1, n - j, prec);
        arb_div_si(f + j + 1, f + j + 1, j + 1, prec);
    }
}

/* One user more has the answer: f (1-p + p z)/(1-q + q z), in place, inverse being 1/(1-q). The division runs
 * upwards, which does not magnify errors, as q is below 1/2. */
static void move_user(arb_ptr f, slong n, const arb_t p, const arb_t q, const arb_t rest_p,
                      const arb_t inverse, slong prec)
{
    PBY_ARB(before, quotient, t);
    for (slong j = 0; j <= n; j++) {
        arb_set(before, quotient);
        if (j < n) {
            arb_mul(t, q, before, prec);
            arb_sub(quotient, f + j, t, prec);
            arb_mul(quotient, quotient, inverse, prec);
        } else {
            arb_zero(quotient);
        }
        arb_mul(f + j, quotient, rest_p, prec);
        arb_addmul(f + j, before, p, prec);
    }
}

/* The sum of f outside of low .. high - 1. */
static void outside(arb_t out, arb_srcptr f, slong n, int64_t low, int64_t high, slong prec)
{
    arb_zero(out);
    for (slong j = 0; j < low && j <= n; j++)
        arb_add(out, out, f + j, prec);
    for (slong j = n; j >= high && j >= low; j--)
        arb_add(out, out, f + j, prec);
}

/* Each user that moves costs the bits of 1/(1 - 2q). */
static slong guard_bits(const struct share *s)
{
    PBY_ARB(p, q);
    chances_of(p, q, s, PBY_PRECISION_FIRST);
    const double room = 1 - 2 * arf_get_d(arb_midref(q), ARF_RND_NEAR);
    return 96 + (slong)ceil(-log2(room) * (double)s->n);
}

/* A question about the law f of the reports where the truth of c users is the answer, for c = 0, 1, ... */
typedef void ask_law(arb_t out, void *asked, const struct share *s, slong c, arb_srcptr f, slong prec);

/* The greatest over all c. */
static void over_truths(arb_t ball, const struct share *s, ask_law *ask, void *asked, slong work)
{
    const slong n = (slong)s->n;
    arb_ptr f = _arb_vec_init(n + 1);
    PBY_ARB(p, q, rest_p, rest_q, inverse, one);
    chances_of(p, q, s, work);
    arb_sub_ui(rest_p, p, 1, work);
    arb_neg(rest_p, rest_p);
    arb_sub_ui(rest_q, q, 1, work);
    arb_neg(rest_q, rest_q);
    arb_inv(inverse, rest_q, work);
    binomial(f, n, q, rest_q, work);
    arb_zero(ball);
    for (slong c = 0; c <= n; c++) {
        ask(one, asked, s, c, f, work);
        pby_raise_to(ball, one, work);
        if (c < n)
            move_user(f, n, p, q, rest_p, inverse, work);
    }
    _arb_vec_clear(f, n + 1);
}

/* Where the estimate is not farther off than beta. */
struct near {
    fmpq_t minus;
    int64_t low, high;
};

static void ask_chance(arb_t out, void *asked, const struct share *s, slong c, arb_srcptr f, slong prec)
{
    struct near *near = asked;
    near->low = first_past(s, c, near->minus, false, near->low);
    near->high = first_past(s, c, s->at, true, near->high);
    outside(out, f, (slong)s->n, near->low, near->high, prec);
}

static pby_status exact_chance(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct share *s = what;
    struct near near = {.low = 0, .high = 0};
    fmpq_init(near.minus);
    fmpq_neg(near.minus, s->at);
    over_truths(ball, s, ask_chance, &near, prec + guard_bits(s));
    fmpq_clear(near.minus);
    return PBY_OK;
}

/* ---- Hoeffding -------------------------------------------------------------------------------- */

/* 2 exp(-2 n beta^2 (p - q)^2), no more than 1 */
static void hoeffding(arb_t ball, const struct share *s, slong prec)
{
    PBY_ARB(p, q);
    chances_of(p, q, s, prec);
    arb_sub(p, p, q, prec);
    arb_mul_fmpz(p, p, fmpq_numref(s->at), prec);
    arb_div_fmpz(p, p, fmpq_denref(s->at), prec);
    arb_sqr(p, p, prec);
    arb_mul_ui(p, p, s->n, prec);
    arb_mul_si(p, p, -2, prec);
    arb_exp(ball, p, prec);
    arb_mul_2exp_si(ball, ball, 1);
    arb_one(q);
    arb_min(ball, ball, q, prec);
}

/* sqrt(log(2/gamma)/(2 n))/(p - q) */
static pby_status beta_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct share *s = what;
    PBY_ARB(p, q);
    chances_of(p, q, s, prec);
    arb_sub(p, p, q, prec);
    arb_set_fmpz(ball, fmpq_denref(s->at));
    arb_mul_2exp_si(ball, ball, 1);
    arb_div_fmpz(ball, ball, fmpq_numref(s->at), prec);
    arb_log(ball, ball, prec);
    arb_div_ui(ball, ball, s->n, prec);
    arb_mul_2exp_si(ball, ball, -1);
    arb_sqrt(ball, ball, prec);
    arb_div(ball, ball, p, prec);
    return PBY_OK;
}

/* ---- the answers ------------------------------------------------------------------------------ */

/* The ball goes on up to Hoeffding's bound. */
static void raise_to_hoeffding(arb_t ball, const struct share *s, slong prec)
{
    PBY_ARB(bound);
    hoeffding(bound, s, prec);
    arb_union(ball, ball, bound, prec);
}

/* For a mean, users at the ends and users that are alike give a known lower bound of the worst case; for few
 * users a bound over all of them lies above it. */
static pby_status raise_to_alike(arb_t ball, const struct share *s, unsigned digits, pby_error *err)
{
    const slong prec = pby_precision_for_digits(digits);
    const pby_alike alike = {s->p, s->q, s->norm, s->at, s->n, s->steps};
    PBY_ARB(least, most);
    pby_status status = pby_enclose(least, pby_alike_least, &alike, digits, err);
    if (status == PBY_OK)
        status = pby_enclose(most, pby_alike_most, &alike, digits, err);
    pby_raise_to(ball, least, prec);
    hoeffding(least, s, prec);
    arb_min(most, most, least, prec);
    arb_union(ball, ball, most, prec);
    return status;
}

static pby_status set_chance(pby_noisy_accuracy *out, const struct share *s, unsigned digits, pby_error *err)
{
    const pby_alike alike = {.n = s->n, .steps = s->steps};
    const bool between = s->between && s->steps > 1;
    pby_status status = PBY_OK;
    PBY_ARB(ball);
    if (s->n <= EXACT_MOST)
        status = pby_enclose(ball, exact_chance, s, digits, err);
    if (status == PBY_OK && between && s->n <= EXACT_MOST && pby_alike_few(&alike))
        status = raise_to_alike(ball, s, digits, err);
    else if (s->n > EXACT_MOST || between)
        raise_to_hoeffding(ball, s, pby_precision_for_digits(digits));
    if (status == PBY_OK)
        status = pby_chance_set(&out->chance, out->release.gamma, ball, digits, err);
    return status;
}

pby_status pby_accuracy_of_share(pby_noisy_accuracy *out, const pby_mechanism *m, uint64_t n, mpq_srcptr beta,
                                 mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    struct share s;
    mpq_ptr at = out->release.beta.value;
    PBY_MPQ(width);
    pby_status status = share_init(&s, m, n, err);
    if (status == PBY_OK && gamma != NULL && (mpq_sgn(gamma) <= 0 || mpq_cmp_ui(gamma, 1, 1) > 0))
        status = pby_refuse_mpq(err, "gamma", gamma, "a rational above 0 and at most 1");
    fmpq_get_mpq(width, s.width);
    if (status == PBY_OK && gamma != NULL) {
        fmpq_set_mpq(s.at, gamma);
        status = pby_decimal_above(at, beta_of, &s, err);
        mpq_mul(at, at, width);
    } else if (status == PBY_OK) {
        mpq_set(at, beta);
    }
    if (status == PBY_OK) {
        fmpq_set_mpq(s.at, at);
        fmpq_div(s.at, s.at, s.width);
        status = set_chance(out, &s, digits, err);
    }
    if (status == PBY_OK && gamma != NULL && mpq_cmp(out->release.gamma, gamma) > 0)
        mpq_set(out->release.gamma, gamma);
    share_clear(&s);
    return status;
}

/* width sqrt(max(p(1-p), q(1-q))/n)/(p - q); of a mean the greatest is 1/4, where a report is as likely 0
 * as 1.
 */
static pby_status deviation_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct share *s = what;
    PBY_ARB(p, q, t);
    chances_of(p, q, s, prec);
    arb_mul(t, p, p, prec);
    arb_sub(t, p, t, prec);
    arb_mul(ball, q, q, prec);
    arb_sub(ball, q, ball, prec);
    pby_raise_to(ball, t, prec);
    if (s->between) {
        arb_one(ball);
        arb_mul_2exp_si(ball, ball, -2);
    }
    arb_div_ui(ball, ball, s->n, prec);
    arb_sqrt(ball, ball, prec);
    arb_sub(p, p, q, prec);
    arb_div(ball, ball, p, prec);
    arb_set_fmpq(t, s->width, prec);
    arb_mul(ball, ball, t, prec);
    return PBY_OK;
}

static pby_status truth_of(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    const struct share *s = what;
    PBY_ARB(q);
    chances_of(ball, q, s, prec);
    if (s->turned) {
        arb_sub_ui(ball, q, 1, prec);
        arb_neg(ball, ball);
    }
    return PBY_OK;
}

pby_status pby_accuracy_share(pby_enclosure *truth, pby_enclosure *deviation, const pby_spec *spec,
                              uint64_t n, unsigned digits, pby_error *err)
{
    const pby_mechanism *m;
    const pby_accuracy_row *row;
    pby_status status = pby_spec_single(&m, spec, "one mechanism, used once", err);
    if (status == PBY_OK)
        status = pby_accuracy_row_of(&row, m, err);
    if (status == PBY_OK && row->kind != PBY_ACCURACY_SHARE && row->kind != PBY_ACCURACY_MEAN)
        status = pby_family_lacks(m, "reports to estimate a share from", err);
    if (status == PBY_OK && n == 0)
        status = pby_refuse(err, "n", "0", "at least 1 report");
    if (status != PBY_OK)
        return status;
    struct share s;
    PBY_ARB(ball);
    status = share_init(&s, m, n, err);
    if (status == PBY_OK)
        status = pby_enclose(ball, truth_of, &s, digits, err);
    if (status == PBY_OK) {
        pby_enclosure_set_arb(truth, ball, digits);
        status = pby_enclose(ball, deviation_of, &s, digits, err);
    }
    if (status == PBY_OK)
        pby_enclosure_set_arb(deviation, ball, digits);
    share_clear(&s);
    return status;
}

/* ---- the mean error ---------------------------------------------------------------------------------- */

/* More users than this are not summed over. */
enum { SUMMED_MOST = 1 << 20 };

/* The mean of |J - place| over the law f of J, but for gamma of the farthest: from both ends inwards, the
 * steps between distances times what lies beyond, less gamma. Of two distances that are too near to be told
 * apart either may come first, which changes no more than twice their difference. */
static void trimmed(arb_t out, arb_srcptr f, slong n, const arb_t place, const fmpq_t gamma, slong prec)
{
    slong low = 0, high = n;
    PBY_ARB(level, beyond, below, above, step, part, zero);
    arb_set_fmpq(level, gamma, prec);
    arb_zero(out);
    arb_set(below, place); /* place - low, and high - place */
    arb_sub_si(above, place, n, prec);
    arb_neg(above, above);
    while (low <= high) {
        const bool left = arf_cmp(arb_midref(below), arb_midref(above)) >= 0;
        arb_add(beyond, beyond, f + (left ? low++ : high--), prec);
        arb_ptr far = left ? below : above;
        arb_set(step, far);
        arb_sub_ui(far, far, 1, prec);
        arb_max(part, below, above, prec);
        if (low <= high)
            arb_sub(step, step, part, prec);
        arb_sub(part, beyond, level, prec);
        pby_raise_to(part, zero, prec);
        arb_addmul(out, step, part, prec);
        if (!arb_is_nonnegative(step)) {
            arb_add_error(out, step);
            arb_add_error(out, step);
        }
    }
}

/* The mean of |J - n q - c (p - q)|. */
static void ask_mean(arb_t out, void *asked, const struct share *s, slong c, arb_srcptr f, slong prec)
{
    const fmpq *gamma = asked;
    PBY_ARB(p, q, place);
    chances_of(p, q, s, prec);
    arb_mul_ui(place, q, s->n, prec);
    arb_sub(p, p, q, prec);
    arb_addmul_si(place, p, c, prec);
    trimmed(out, f, (slong)s->n, place, gamma, prec);
}

/* out times width/(n (p - q)) */
static void to_estimates(arb_t out, const struct share *s, slong prec)
{
    PBY_ARB(p, q);
    chances_of(p, q, s, prec);
    arb_sub(p, p, q, prec);
    arb_div(out, out, p, prec);
    arb_div_ui(out, out, s->n, prec);
    arb_mul_fmpz(out, out, fmpq_numref(s->width), prec);
    arb_div_fmpz(out, out, fmpq_denref(s->width), prec);
}

static pby_status exact_mean(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    struct share s = *(const struct share *)what;
    const slong work = prec + guard_bits(&s);
    over_truths(ball, &s, ask_mean, s.at, work);
    to_estimates(ball, &s, work);
    return PBY_OK;
}

/* Computes exact_mean for the case that all users have the answer, or none. */
static pby_status mean_of_one_truth(arb_t ball, const void *what, slong prec, pby_error *err)
{
    (void)err;
    struct share s = *(const struct share *)what;
    const slong n = (slong)s.n;
    arb_ptr f = _arb_vec_init(n + 1);
    arb_t chance[2], rest, one;
    arb_init(chance[0]);
    arb_init(chance[1]);
    arb_init(rest);
    arb_init(one);
    chances_of(chance[1], chance[0], &s, prec);
    arb_zero(ball);
    for (int all = 0; all <= 1; all++) {
        arb_sub_ui(rest, chance[all], 1, prec);
        arb_neg(rest, rest);
        binomial(f, n, chance[all], rest, prec);
        ask_mean(one, s.at, &s, all * n, f, prec);
        pby_raise_to(ball, one, prec);
    }
    to_estimates(ball, &s, prec);
    arb_clear(one);
    arb_clear(rest);
    arb_clear(chance[1]);
    arb_clear(chance[0]);
    _arb_vec_clear(f, n + 1);
    return PBY_OK;
}

/* No mean error is above the deviation, which bounds it where not all truths are summed over. */
static pby_status mean_of(arb_t beta, const struct share *s, unsigned digits, pby_error *err)
{
    pby_status status = PBY_OK;
    if (s->n <= EXACT_MOST)
        status = pby_enclose(beta, exact_mean, s, digits, err);
    else if (s->n <= SUMMED_MOST)
        status = pby_enclose(beta, mean_of_one_truth, s, digits, err);
    if (status != PBY_OK || (s->n <= EXACT_MOST && !s->between))
        return status;
    PBY_ARB(most);
    status = pby_enclose(most, deviation_of, s, digits, err);
    arb_union(beta, beta, most, pby_precision_for_digits(digits));
    return status;
}

pby_status pby_mean_of_share(arb_t beta, const pby_mean *of, pby_error *err)
{
    struct share s;
    if (of->n == 0)
        return pby_refuse(err, "n", "0", "at least 1 report");
    pby_status status = share_init(&s, of->mechanism, of->n, err);
    fmpq_set(s.at, of->gamma);
    if (status == PBY_OK)
        status = mean_of(beta, &s, of->digits, err);
    share_clear(&s);
    return status;
}
