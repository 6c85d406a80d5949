/* SPDX-License-Identifier: MIT */
/* The mean error of a noisy maximum, between two ends (docs/theory/average.md).
 *
 * The chance W_m of an error of m or more is at most that of others that are all m below the best, who have
 * it. So the best of m (W_m - gamma) is the mean error of some scores, and none have more than the sum over m
 * >= 1 of max(0, W_m - gamma). If that takes the first M of them, the sum of W_m is the mean of the greatest
 * noise of the others, less that of the best, cut at 0 and M:
 *
 *     sum over t of (1 - F(t)^(n-1)) (F(t) - F(t - M)). */
#include <math.h>

#include "law/law_exponential.h"
#include "mechanism/noisymax/noisymax.h"
#include "number/ball.h"
#include "number/scoped.h"

/* More terms than this are not added up. */
#define TERMS_MAX 4000000

struct question {
    const pby_mechanism *mechanism;
    pby_max_noise noise;
    uint64_t others;
    const fmpq *gamma;
    int64_t m;       /* of W_m */
    int64_t reach;   /* how far is summed */
    double r, level; /* rate and gamma, about */
};

/* ---- chances ---------------------------------------------------------------------------------------- */

static pby_status worse(arb_t chance, const void *what, slong prec, pby_error *err)
{
    const struct question *q = what;
    PBY_FMPQ(beta);
    fmpq_set_si(beta, q->m - 1, 1);
    return pby_max_worse(chance, q->mechanism, q->others + 1, beta, prec, err);
}

/* About the chance W_m, in steps of many values, to begin searches with: a bad guess costs time or width, and
 * no truth. */
static double about(const struct question *q, double m)
{
    enum { STEPS = 2048 };
    const double r = q->r, a = exp(-r), g = q->noise.one_sided ? 1 : 1 + a, far = 40 / r;
    const double step = fmax(1, floor(far / STEPS));
    double wrong = 0, all = 0;
    const int64_t last = (int64_t)floor(far / step);
    for (int64_t i = q->noise.one_sided ? 0 : -last; i <= last; i++) {
        const double t = (double)i * step, k = t + m;
        const double mass = exp(-r * fabs(t));
        const double some = k >= 0 ? -expm1((double)q->others * log1p(-exp(-r * k) / g))
                                   : -expm1((double)q->others * (r * (k - 1) - log(g)));
        wrong += mass * (k < 0 && q->noise.one_sided ? 1 : some);
        all += mass;
    }
    return wrong / all;
}

/* About the m up to `last` at which m (W_m - gamma) is greatest: it rises, and then falls. */
static int64_t guess_best(const struct question *q, int64_t last)
{
    double low = 1, high = (double)last;
    while (high - low > 2) {
        const double a = floor(low + (high - low) / 3), b = ceil(high - (high - low) / 3);
        if (a * (about(q, a) - q->level) < b * (about(q, b) - q->level))
            low = a;
        else
            high = b;
    }
    double best = low;
    for (int i = 0; low + i <= high; i++) {
        const double m = low + i;
        if (m * (about(q, m) - q->level) > best * (about(q, best) - q->level))
            best = m;
    }
    return (int64_t)best;
}

/* The last m whose chance is above gamma, from a guess on; -1 where none is the last. */
static pby_status find_last(int64_t *last, struct question *q, pby_error *err)
{
    int64_t low = 0, high = q->reach + 1;
    pby_status status = PBY_OK;
    *last = -1;
    if (fmpq_is_zero(q->gamma))
        return PBY_OK;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(about(q, (double)middle) > q->level ? &low : &high) = middle;
    }
    int64_t above = -1, at = low,
            step = 1; /* W of above is more than gamma, if it is not -1; that of past is not */
    int64_t past = -1;
    while (status == PBY_OK && (above < 0 || past < 0 || past - above > 1)) {
        int sign = 1;
        q->m = at;
        if (at > 0)
            status = pby_compare(&sign, worse, q, q->gamma, err);
        *(sign > 0 ? &above : &past) = at;
        if (above >= 0 && past >= 0)
            at = above + (past - above) / 2;
        else
            at = sign > 0 ? at + step : at - step > 0 ? at - step : 0;
        step *= 2;
    }
    *last = above;
    return status;
}

/* ---- the lower end ---------------------------------------------------------------------------------- */

/* m (W_m - gamma) */
static pby_status mean_at(arb_t out, struct question *q, int64_t m, slong prec, pby_error *err)
{
    PBY_ARB(gamma);
    q->m = m;
    const pby_status status = worse(out, q, prec, err);
    arb_set_fmpq(gamma, q->gamma, prec);
    arb_sub(out, out, gamma, prec);
    arb_mul_si(out, out, m, prec);
    return status;
}

/* Steps from m to the next integer on one side, as long as that has more. */
static pby_status climb(arb_t best, int64_t *m, struct question *q, int64_t step, slong prec, pby_error *err)
{
    PBY_ARB(next);
    pby_status status = *m + step > 0 ? mean_at(next, q, *m + step, prec, err) : PBY_OK;
    while (status == PBY_OK && *m + step > 0 && arb_gt(next, best)) {
        arb_set(best, next);
        *m += step;
        status = mean_at(next, q, *m + step, prec, err);
    }
    if (*m + step > 0)
        pby_raise_to(best, next, prec); /* the ball, where they are as much */
    return status;
}

/* The best of m that a guess finds, or 0. With one other candidate it is the mean: W is log-concave there,
 * and no m has more where the next on both sides have not. */
static pby_status lower_end(arb_t out, struct question *q, int64_t last, slong prec, pby_error *err)
{
    int64_t m = guess_best(q, last);
    PBY_ARB(zero);
    pby_status status = mean_at(out, q, m, prec, err);
    if (q->others == 1 && status == PBY_OK)
        status = climb(out, &m, q, 1, prec, err);
    if (q->others == 1 && status == PBY_OK)
        status = climb(out, &m, q, -1, prec, err);
    pby_raise_to(out, zero, prec);
    return status;
}

/* ---- the upper end ---------------------------------------------------------------------------------- */

/* out = F(t), and rest = 1 - F(t) */
static void cdf(arb_t out, arb_t rest, const struct question *q, int64_t t, slong prec)
{
    PBY_ARB(small, g);
    pby_minus_rates(g, q->noise.rate, 1, prec);
    arb_exp(g, g, prec);
    arb_add_ui(g, g, 1, prec);
    pby_minus_rates(small, q->noise.rate, t >= 0 ? t + 1 : -t, prec);
    arb_exp(small, small, prec);
    if (q->noise.one_sided && t < 0)
        arb_zero(small);
    else if (!q->noise.one_sided)
        arb_div(small, small, g, prec);
    arb_set(t >= 0 ? rest : out, small);
    arb_sub_ui(small, small, 1, prec);
    arb_neg(t >= 0 ? out : rest, small);
}

/* out += something from 0 to times a^e/(1-a) */
static void add_rest(arb_t out, const struct question *q, uint64_t times, int64_t e, slong prec)
{
    PBY_ARB(rest, zero);
    pby_minus_rates(rest, q->noise.rate, 1, prec);
    arb_expm1(rest, rest, prec);
    arb_neg(zero, rest);
    pby_minus_rates(rest, q->noise.rate, e, prec);
    arb_exp(rest, rest, prec);
    arb_mul_ui(rest, rest, times, prec);
    arb_div(rest, rest, zero, prec);
    arb_zero(zero);
    arb_union(rest, rest, zero, prec);
    arb_add(out, out, rest, prec);
}

/* Above reach 1 - F^others is at most others a^(t+1); below -reach F is at most a^-t. */
static void upper_end(arb_t out, const struct question *q, int64_t last, slong prec)
{
    PBY_ARB(below, above, some, before, unused);
    arb_zero(out);
    for (int64_t t = q->noise.one_sided ? 0 : -q->reach; t <= q->reach; t++) {
        cdf(below, above, q, t, prec);
        arb_set(some, above);
        pby_once_of(some, q->others, prec);
        if (last >= 0) {
            cdf(before, unused, q, t - last, prec);
            arb_sub(below, below, before, prec);
        }
        arb_addmul(out, some, below, prec);
    }
    add_rest(out, q, q->others, q->reach + 2, prec);
    add_rest(out, q, 1, q->reach + 1, prec);
    if (last >= 0) {
        arb_set_fmpq(some, q->gamma, prec);
        arb_mul_si(some, some, last, prec);
        arb_sub(out, out, some, prec);
    }
}

pby_status pby_max_between(arb_t mean, const pby_mechanism *m, uint64_t candidates, const fmpq_t gamma,
                           slong prec, pby_error *err)
{
    struct question q = {.mechanism = m, .others = candidates - 1, .gamma = gamma};
    int64_t last = 0;
    PBY_ARB(upper);
    pby_max_noise_init(&q.noise, m);
    q.r = fmpq_get_d(q.noise.rate);
    q.level = fmpq_get_d(gamma);
    q.reach = pby_decay_length(q.noise.rate, prec * 7 / 10 + 1); /* log 2 < 7/10 */
    if (q.reach < TERMS_MAX / 4)
        q.reach += pby_decay_length(q.noise.rate, (slong)FLINT_BIT_COUNT(candidates));
    pby_status status = q.reach < TERMS_MAX / 2
                            ? PBY_OK
                            : pby_mechanism_refuse(m, "noise of which some million values are enough", err);
    if (status == PBY_OK)
        status = find_last(&last, &q, err);
    if (status == PBY_OK && last != 0)
        status = lower_end(mean, &q, last > 0 ? last : q.reach, prec, err);
    if (status == PBY_OK && last != 0 && q.others > 1) {
        upper_end(upper, &q, last, prec);
        arb_union(mean, mean, upper, prec);
    }
    pby_max_noise_clear(&q.noise);
    return status;
}
