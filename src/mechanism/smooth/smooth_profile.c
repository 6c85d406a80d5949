/* SPDX-License-Identifier: MIT */
#include "mechanism/smooth/smooth_profile.h"

#include <math.h>

#include "number/ball.h"
#include "number/scoped.h"

void pby_smooth_first(fmpq_t first, const pby_smooth *s)
{
    PBY_FMPQ(half);
    fmpq_inv(first, s->decay);
    fmpq_sub_si(first, first, 1);
    fmpq_div_2exp(half, s->eps, 1);
    fmpq_add(first, first, half);
}

/* ---- from above ------------------------------------------------------------------------------- */

/* part = (r exp(-x))^(r/(1-r)) */
static void fall(arb_t part, const pby_smooth *s, const fmpq_t x, slong prec)
{
    PBY_FMPQ(power);
    PBY_ARB(rate);
    fmpq_sub_si(power, s->decay, 1);
    fmpq_neg(power, power);
    fmpq_div(power, s->decay, power);
    arb_set_fmpq(part, s->decay, prec);
    arb_log(part, part, prec);
    arb_set_fmpq(rate, x, prec);
    arb_sub(part, part, rate, prec);
    arb_set_fmpq(rate, power, prec);
    arb_mul(part, part, rate, prec);
    arb_exp(part, part, prec);
}

/* V = exp(-(r h)/(1 + exp(h)))/(1 + exp(-r h)), h = eps/2 */
static void weight(arb_t v, const pby_smooth *s, slong prec)
{
    PBY_FMPQ(half, scaled);
    PBY_ARB(x);
    fmpq_div_2exp(half, s->eps, 1);
    fmpq_mul(scaled, half, s->decay);
    pby_exp_fmpq(x, half, prec);
    arb_add_ui(x, x, 1, prec);
    arb_set_fmpq(v, scaled, prec);
    arb_div(v, v, x, prec);
    arb_neg(v, v);
    arb_exp(v, v, prec);
    fmpq_neg(scaled, scaled);
    pby_exp_fmpq(x, scaled, prec);
    arb_add_ui(x, x, 1, prec);
    arb_div(v, v, x, prec);
}

void pby_smooth_bound(arb_t delta, const pby_smooth *s, const fmpq_t e, slong prec)
{
    PBY_FMPQ(x);
    PBY_ARB(part, still);
    /* the answers differ: below them, and above them */
    fmpq_div_2exp(x, s->eps, 1);
    fmpq_sub(x, e, x);
    fall(delta, s, x, prec);
    fmpq_div_2exp(x, s->eps, 2);
    fmpq_add(x, e, x);
    fall(part, s, x, prec);
    arb_add(delta, delta, part, prec);
    weight(part, s, prec);
    arb_mul(delta, delta, part, prec);
    /* they do not */
    fall(still, s, e, prec);
    arb_mul_2exp_si(still, still, 1);
    arb_max(delta, delta, still, prec);
    fmpq_sub_si(x, s->decay, 1);
    fmpq_neg(x, x);
    arb_set_fmpq(part, x, prec);
    arb_mul(delta, delta, part, prec);
}

/* ---- from below ------------------------------------------------------------------------------- */

/* S = jump r^falls, S' = r S, the answers `apart` apart. */
struct input {
    int64_t jump, falls, apart;
};

/* Searches the jumps up to the range, and a few powers of r, for the input where the largest integer up to S'
 * is nearest to it. A bad guess costs sharpness and no truth. */
static struct input best_input(const pby_smooth *s)
{
    enum { JUMPS = 1024, FALLS = 6 };
    const double r = fmpq_get_d(s->decay);
    struct input best = {s->range, 0, 0};
    double share = 0;
    for (int64_t jump = s->range; jump >= 1 && jump > s->range - JUMPS; jump--)
        for (int64_t falls = 0; falls < FALLS; falls++) {
            const double scale = (double)jump * pow(r, (double)(falls + 1)),
                         down = floor(scale * (1 - 1e-12));
            if (down / scale > share) {
                share = down / scale;
                best = (struct input){jump, falls, (int64_t)down};
            }
        }
    return best;
}

/* rate = eps/(2 jump r^falls) */
static void rate_of(fmpq_t rate, const pby_smooth *s, const struct input *in, int64_t falls)
{
    PBY_FMPQ(scale);
    fmpq_pow_si(scale, s->decay, falls);
    fmpq_div_2exp(rate, s->eps, 1);
    fmpq_div(rate, rate, scale);
    fmpq_set_si(scale, in->jump, 1);
    fmpq_div(rate, rate, scale);
}

/* The outcome "at most -m": exp(-m rate) over 1 + exp(-rate). */
static void outcome(pby_expsum_t low, pby_expsum_t norm, const fmpq_t rate, int64_t m)
{
    PBY_FMPQ(x);
    pby_expsum_zero(low);
    pby_expsum_one(norm);
    fmpq_neg(x, rate);
    pby_expsum_add_term_si(norm, 1, x);
    fmpq_set_si(x, -m, 1);
    fmpq_mul(x, x, rate);
    pby_expsum_add_term_si(low, 1, x);
}

/* P of rate l and at most -m; Q of rate l', `apart` higher. */
static pby_status low_pair(pby_pair *pair, const fmpq_t l, const fmpq_t other, int64_t m, int64_t apart,
                           pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    outcome(p, pair->norm_p, l, m);
    outcome(q, pair->norm_q, other, m + apart);
    const pby_status status = pby_pair_append_rest(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

pby_status pby_smooth_low(pby_pair *pair, const pby_smooth *s, const fmpq_t e, pby_error *err)
{
    const struct input in = best_input(s);
    PBY_FMPQ(l, other);
    rate_of(l, s, &in, in.falls);
    rate_of(other, s, &in, in.falls + 1);
    const double x = fmpq_get_d(l), y = fmpq_get_d(other);
    const double level = log(tanh(x / 2) / tanh(y / 2)) + y * (double)in.apart;
    const double m = floor((fmpq_get_d(e) - level) / (y - x)) + 1;
    const int64_t least = m >= 1 && m < 0x1p50 ? (int64_t)m : 1;
    return low_pair(pair, l, other, least, in.apart, err);
}

/* sum += c exp(-rate k) */
static void add_power(pby_expsum_t sum, slong c, const fmpq_t rate, int64_t k)
{
    PBY_FMPQ(x);
    fmpq_set_si(x, -k, 1);
    fmpq_mul(x, x, rate);
    pby_expsum_add_term_si(sum, c, x);
}

/* The outcome "from -m to k": under the narrower noise around 0, of rate l, and under the wider, of the rate
 * `other`, around `apart`, which k does not exceed. */
static pby_status near_pair(pby_pair *pair, const fmpq_t l, const fmpq_t other, int64_t m, int64_t k,
                            int64_t apart, pby_error *err)
{
    pby_expsum_t p, q;
    pby_expsum_init(p);
    pby_expsum_init(q);
    pby_expsum_one(pair->norm_p);
    add_power(pair->norm_p, 1, l, 1);
    pby_expsum_one(pair->norm_q);
    add_power(pair->norm_q, 1, other, 1);
    pby_expsum_set(p, pair->norm_p);
    add_power(p, -1, l, m + 1);
    add_power(p, -1, l, k + 1);
    add_power(q, 1, other, apart - k);
    add_power(q, -1, other, apart + m + 1);
    const pby_status status = pby_pair_append_rest(pair, p, q, err);
    pby_expsum_clear(q);
    pby_expsum_clear(p);
    return status;
}

pby_status pby_smooth_near(pby_pair *pair, const pby_smooth *s, const fmpq_t e, pby_error *err)
{
    const struct input in = best_input(s);
    PBY_FMPQ(l, other);
    rate_of(l, s, &in, in.falls + 1);
    rate_of(other, s, &in, in.falls);
    const double x = fmpq_get_d(l), y = fmpq_get_d(other),
                 left = log(tanh(x / 2) / tanh(y / 2)) + y * (double)in.apart - fmpq_get_d(e);
    const double m = floor(left / (x - y)), k = fmin(floor(left / (x + y)), (double)in.apart);
    return near_pair(pair, l, other, m >= 0 && m < 0x1p50 ? (int64_t)m : 0, k >= 0 ? (int64_t)k : 0, in.apart,
                     err);
}

pby_status pby_smooth_shift(pby_pair *pair, const pby_smooth *s, pby_error *err)
{
    PBY_FMPQ(half);
    fmpq_div_2exp(half, s->eps, 1);
    return low_pair(pair, half, half, 0, 1, err);
}
