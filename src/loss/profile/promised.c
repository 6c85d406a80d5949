/* SPDX-License-Identifier: MIT */
#include "loss/profile/promised.h"

#include <math.h>
#include <stdlib.h>

#include "loss/divergence/divergence_zcdp.h"
#include "loss/divergence/spectrum.h"
#include "loss/profile/one_order.h"
#include "number/ball.h"
#include "number/scoped.h"

/* ---- the orders of a promise --------------------------------------------------------------------- */

/* The promise at one order: xi + rho a. */
static void at_order(pby_one_order *out, const pby_promise *line, const fmpq_t order)
{
    fmpq_set(out->order, order);
    fmpq_mul(out->most, line->rho, order);
    fmpq_add(out->most, out->most, line->xi);
}

/* order = 1 + 2^t, to some bits, or the last order of the promise where that is less. */
static void set_order(fmpq_t order, const pby_promise *line, double t)
{
    enum { BITS = 30 };
    const double whole = floor(t);
    fmpq_set_si(order, (slong)ldexp(exp2(t - whole), BITS), 1);
    const slong places = (slong)whole - BITS;
    if (places >= 0)
        fmpq_mul_2exp(order, order, (flint_bitcnt_t)places);
    else
        fmpq_div_2exp(order, order, (flint_bitcnt_t)-places);
    fmpq_add_si(order, order, 1);
    if (line->bounded && fmpq_cmp(order, line->most) > 0)
        fmpq_set(order, line->most);
}

/* About log delta of the best coins of an order. */
static double height(const pby_promise *line, const fmpq_t epsilon, double t)
{
    enum { PREC = 53 };
    pby_one_order one;
    PBY_FMPQ(order);
    PBY_ARB(ball);
    pby_one_order_init(&one);
    set_order(order, line, t);
    at_order(&one, line, order);
    pby_one_order_delta(ball, &one, epsilon, PREC);
    arb_get_ubound_arf(arb_midref(ball), ball, PREC);
    mag_zero(arb_radref(ball));
    arb_log(ball, ball, PREC);
    const double y = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    pby_one_order_clear(&one);
    return y;
}

/* The order whose bound is about the least, by golden sections: a search in floating point, since any order
 * gives a bound. */
static void best_order(fmpq_t order, const pby_promise *line, const fmpq_t epsilon)
{
    enum { STEPS = 48 };
    const double share = 0.6180339887498949;
    double low = -20, high = 40;
    if (fmpq_is_zero(line->rho)) {
        fmpq_set(order, line->most);
        return;
    }
    /* The best order is about epsilon/(2 rho), which a tiny rho puts beyond 2^40. */
    fmpq_div(order, epsilon, line->rho);
    high += (double)fmpz_bits(fmpq_numref(order));
    high -= fmin((double)fmpz_bits(fmpq_denref(order)) - 1, high - 40);
    double a = high - share * (high - low), b = low + share * (high - low);
    double at_a = height(line, epsilon, a), at_b = height(line, epsilon, b);
    for (int i = 0; i < STEPS; i++) {
        if (at_a <= at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - share * (high - low);
            at_a = height(line, epsilon, a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + share * (high - low);
            at_b = height(line, epsilon, b);
        }
    }
    set_order(order, line, (low + high) / 2);
}

/* ---- coins that keep it at every order ------------------------------------------------------------ */

/* One use of the coins, in one order and in the other. */
static pby_status coin_pairs(pby_pairs *out, const arb_t p, const arb_t q, bool both, pby_error *err)
{
    PBY_TRY(pby_pairs_init(out, both ? 2 : 1, err));
    PBY_TRY(pby_pair_two_balls(&out->pair[0], p, q, err));
    if (both)
        return pby_pair_two_balls(&out->pair[1], q, p, err);
    return PBY_OK;
}

/* Sets *kept if D_a <= xi + rho a for every a > 1, in both orders: their least rho at xi is at most rho. */
static pby_status keeps_line(bool *kept, const pby_promise *line, const arb_t p, const arb_t q,
                             pby_error *err)
{
    enum { DIGITS = 15 };
    pby_pairs pairs = {NULL, 0};
    pby_spectrum s;
    PBY_ARB(rho, most);
    *kept = false;
    pby_status status = coin_pairs(&pairs, p, q, true, err);
    if (status == PBY_OK) {
        status = pby_spectrum_of_pairs(&s, &pairs, err);
        if (status == PBY_OK)
            status = pby_zcdp_rho(rho, &s, line->xi, DIGITS, err);
        pby_spectrum_clear(&s);
    }
    arb_set_fmpq(most, line->rho, 2 * PBY_PRECISION_FIRST);
    *kept = status == PBY_OK && arb_le(rho, most);
    pby_pairs_clear(&pairs);
    return status;
}

/* The best coins of one order, p moved towards q until they keep the promise; p = q = 0 where none do. */
static pby_status find_coins(arb_t p, arb_t q, const pby_promise *line, const fmpq_t order,
                             const fmpq_t epsilon, slong prec, pby_error *err)
{
    enum { FIRST = 40, STEP = 4, LAST = 4 };
    pby_one_order one;
    bool kept = fmpq_is_zero(line->rho);
    pby_status status = PBY_OK;
    PBY_FMPQ(x, y);
    PBY_ARB(start, gap);
    pby_one_order_init(&one);
    at_order(&one, line, order);
    pby_one_order_coins(x, y, &one, epsilon, prec);
    arb_set_fmpq(p, x, 4 * prec);
    arb_set_fmpq(q, y, 4 * prec);
    arb_set(start, p);
    for (int places = FIRST; !kept && places >= LAST && status == PBY_OK; places -= STEP) {
        arb_sub(gap, start, q, 4 * prec);
        arb_mul_2exp_si(gap, gap, -places);
        arb_sub(p, start, gap, 4 * prec);
        status = keeps_line(&kept, line, p, q, err);
    }
    if (!kept) {
        arb_zero(p);
        arb_zero(q);
    }
    pby_one_order_clear(&one);
    return status;
}

size_t pby_promise_tries(const pby_spec *spec)
{
    enum { FEW_USES = 32, DENSE = 192, SPARSE = 16, ENDLESS = 6 };
    bool endless = false, some = false;
    uint64_t uses = 0;
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        uses += spec->use[i].times;
        PBY_PRIVACY(p, m);
        if (p.paired)
            continue;
        some = true;
        endless = endless || pby_mechanism_value(m, PBY_ROLE_RHO) != NULL;
    }
    return !some ? 0 : endless ? ENDLESS : uses <= FEW_USES ? DENSE : SPARSE;
}

/* Where to look for coins of a delta of about exp(-depth): at epsilon = depth/(A-1) for one order, and else
 * at the order 1 + sqrt(depth/rho) and epsilon = xi + 2 sqrt(rho depth), about the best ones. */
static void place_of(fmpq_t order, fmpq_t epsilon, const pby_promise *line, const fmpq_t depth)
{
    enum { PREC = 53 };
    if (fmpq_is_zero(line->rho)) {
        fmpq_sub_si(order, line->most, 1);
        fmpq_div(epsilon, depth, order);
        fmpq_set(order, line->most);
        return;
    }
    PBY_ARB(root);
    fmpq_div(order, depth, line->rho);
    arb_set_fmpq(root, order, PREC);
    arb_sqrt(root, root, PREC);
    arf_get_fmpq(order, arb_midref(root));
    fmpq_mul(epsilon, order, line->rho);
    fmpq_mul_2exp(epsilon, epsilon, 1);
    fmpq_add(epsilon, epsilon, line->xi);
    fmpq_add_si(order, order, 1);
    if (line->bounded && fmpq_cmp(order, line->most) > 0)
        fmpq_set(order, line->most);
}

/* Depths from 1/4 to about 40, denser at first. */
pby_status pby_promise_coins(pby_pairs *out, const pby_promise *line, size_t c, size_t tries, pby_error *err)
{
    enum { PREC = 64 };
    PBY_FMPQ(order, epsilon, depth);
    PBY_ARB(p, q);
    *out = (pby_pairs){NULL, 0};
    fmpq_set_ui(epsilon, 10 * c * (3 * c + tries), tries * tries);
    fmpq_set_si(depth, 1, 4);
    fmpq_add(depth, depth, epsilon);
    place_of(order, epsilon, line, depth);
    pby_status status = find_coins(p, q, line, order, epsilon, PREC, err);
    if (status == PBY_OK && !arb_is_zero(p))
        status = coin_pairs(out, p, q, false, err);
    if (status != PBY_OK)
        pby_pairs_clear(out);
    return status;
}

/* ---- the profile --------------------------------------------------------------------------------- */

/* A search beyond this sum of xi and rho does not settle: the chances of the best coins differ from 0 and 1
 * by less than exp(-100). */
enum { SEARCHED_MOST = 100 };

struct promise_profile {
    pby_profile base;
    pby_promise line;
    pby_profile *conversion; /* an upper bound that holds however great or small the promise is */
    bool single, searched;
};

static bool is_searched(const pby_promise *line)
{
    PBY_FMPQ(sum);
    fmpq_add(sum, line->xi, line->rho);
    return fmpq_cmp_si(sum, SEARCHED_MOST) <= 0;
}

static const struct promise_profile *as_promise(const pby_profile *p)
{
    return (const struct promise_profile *)p;
}

/* ball = all from the lower end to the lesser upper end of ball and of the conversion. */
static void reach_down(arb_t ball, arb_t converted, const arb_t lower, slong prec)
{
    pby_to_upper_end(ball, prec);
    pby_to_upper_end(converted, prec);
    arb_min(converted, ball, converted, prec);
    arb_set(ball, lower);
    pby_to_lower_end(ball, prec);
    arb_union(ball, ball, converted, prec);
}

static pby_status profile_delta_to(arb_t ball, const pby_profile *p, const fmpq_t epsilon, unsigned digits,
                                   pby_error *err)
{
    const struct promise_profile *of = as_promise(p);
    const slong prec = pby_precision_for_digits(digits);
    pby_status status = PBY_OK;
    pby_one_order one;
    PBY_FMPQ(order, size);
    PBY_ARB(x, converted, heads, lower);
    pby_one_order_init(&one);
    fmpq_abs(size, epsilon);
    status = pby_profile_delta(converted, of->conversion, size, digits, err);
    arb_set(ball, converted);
    if (of->searched && status == PBY_OK) {
        best_order(order, &of->line, size);
        at_order(&one, &of->line, order);
        pby_one_order_delta(ball, &one, size, prec);
    }
    if (of->searched && of->single && status == PBY_OK) {
        status = find_coins(heads, lower, &of->line, order, size, prec, err);
        pby_exp_fmpq(x, size, prec);
        arb_mul(lower, lower, x, prec);
        arb_sub(lower, heads, lower, prec);
        arb_zero(x);
        arb_max(lower, lower, x, prec);
    }
    reach_down(ball, converted, lower, prec);
    if (fmpq_sgn(epsilon) < 0) { /* D(x) = 1 - x + x D(1/x) */
        pby_exp_fmpq(x, epsilon, prec);
        arb_sub_ui(ball, ball, 1, prec);
        arb_mul(ball, ball, x, prec);
        arb_add_ui(ball, ball, 1, prec);
    }
    pby_one_order_clear(&one);
    return status;
}

/* The least epsilon of coins whose delta is at most the level: p - x q = level. Below 0 it is that of the
 * coins in the other order, whose delta is 1 - x + x (p - q/x). No coins say nothing. */
static void coins_epsilon(arb_t out, const arb_t p, const arb_t q, const fmpq_t level, bool below, slong prec)
{
    PBY_ARB(by);
    arb_set_fmpq(out, level, prec);
    if (below) {
        arb_add(out, out, q, prec);
        arb_sub_ui(out, out, 1, prec);
        arb_sub_ui(by, p, 1, prec);
    } else {
        arb_sub(out, p, out, prec);
        arb_set(by, q);
    }
    arb_div(out, out, by, prec);
    if (arb_is_positive(out))
        arb_log(out, out, prec);
    else
        arb_neg_inf(out);
}

/* The least epsilon of a mechanism that says nothing: log(1 - level). */
static void trivial_epsilon(arb_t out, const fmpq_t level, slong prec)
{
    arb_set_fmpq(out, level, prec);
    arb_neg(out, out);
    arb_log1p(out, out, prec);
}

/* The least epsilon by one order. */
static pby_status order_epsilon(arb_t ball, const pby_promise *line, const fmpq_t order, const fmpq_t level,
                                unsigned digits, pby_error *err)
{
    pby_one_order one;
    pby_profile *p = NULL;
    pby_one_order_init(&one);
    at_order(&one, line, order);
    pby_status status = pby_profile_of_order(&p, &one, err);
    if (status == PBY_OK)
        status = pby_profile_epsilon(ball, p, level, digits, err);
    if (p != NULL)
        pby_profile_free(p);
    pby_one_order_clear(&one);
    return status;
}

/* About xi + rho + 2 sqrt(rho log(1/level)), where to begin. */
static void classical_epsilon(fmpq_t epsilon, const pby_promise *line, const fmpq_t level)
{
    enum { PREC = 53 };
    PBY_ARB(x, y);
    arb_set_fmpq(x, level, PREC);
    arb_log(x, x, PREC);
    arb_neg(x, x);
    arb_set_fmpq(y, line->rho, PREC);
    arb_mul(x, x, y, PREC);
    arb_mul_2exp_si(x, x, 2);
    if (arf_sgn(arb_midref(x)) < 0)
        arb_zero(x);
    mag_zero(arb_radref(x));
    arb_sqrt(x, x, PREC);
    arb_add(x, x, y, PREC);
    arb_set_fmpq(y, line->xi, PREC);
    arb_add(x, x, y, PREC);
    arf_get_fmpq(epsilon, arb_midref(x));
}

/* Finds an order that is about the best at the epsilon of the level: the best order of an epsilon changes
 * little with it, so that a few turns are enough. */
static pby_status settle_order(fmpq_t order, arb_t ball, const pby_promise *line, const fmpq_t level,
                               unsigned digits, pby_error *err)
{
    enum { TURNS = 4, ROUGH = 6 };
    pby_status status = PBY_OK;
    PBY_FMPQ(epsilon);
    classical_epsilon(epsilon, line, level);
    best_order(order, line, epsilon);
    for (int i = 0; i < TURNS && status == PBY_OK && !fmpq_is_zero(line->rho); i++) {
        status = order_epsilon(ball, line, order, level, i == TURNS - 2 ? 12 : ROUGH, err);
        if (status != PBY_OK || !arb_is_finite(ball))
            break;
        arf_get_fmpq(epsilon, arb_midref(ball));
        fmpq_abs(epsilon, epsilon);
        best_order(order, line, epsilon);
    }
    if (status == PBY_OK)
        status = order_epsilon(ball, line, order, level, digits, err);
    return status;
}

static pby_status profile_epsilon_to(arb_t ball, const pby_profile *p, const fmpq_t level, unsigned digits,
                                     pby_error *err)
{
    const struct promise_profile *of = as_promise(p);
    const slong prec = pby_precision_for_digits(digits);
    fmpq_t epsilon;
    if (fmpq_sgn(level) == 0 || fmpq_cmp_si(level, 1) >= 0) {
        arb_pos_inf(ball); /* no loss is the largest; and from 1 on every epsilon will do */
        if (fmpq_sgn(level) != 0)
            arb_neg(ball, ball);
        return PBY_OK;
    }
    PBY_FMPQ(order);
    fmpq_init(epsilon);
    PBY_ARB(heads, tails, lower, converted);
    arb_neg_inf(lower);
    pby_status status = pby_profile_epsilon(converted, of->conversion, level, digits, err);
    arb_set(ball, converted);
    if (of->searched && status == PBY_OK)
        status = settle_order(order, ball, &of->line, level, digits, err);
    if (status == PBY_OK && arb_is_finite(ball)) {
        arf_get_fmpq(epsilon, arb_midref(ball));
        const bool below = fmpq_sgn(epsilon) < 0;
        fmpq_abs(epsilon, epsilon);
        if (of->searched && of->single) {
            status = find_coins(heads, tails, &of->line, order, epsilon, prec, err);
            coins_epsilon(lower, heads, tails, level, below, prec);
        }
        /* Equal outputs on all inputs keep every promise: 1 - exp(epsilon) <= level. */
        if (arf_is_neg_inf(arb_midref(lower)))
            trivial_epsilon(lower, level, prec);
        reach_down(ball, converted, lower, prec);
    }
    fmpq_clear(epsilon);
    return status;
}

static void profile_free(pby_profile *p)
{
    struct promise_profile *of = (struct promise_profile *)p;
    fmpq_clear(of->line.xi);
    fmpq_clear(of->line.rho);
    fmpq_clear(of->line.most);
    pby_profile_free(of->conversion);
    free(p);
}

static const pby_profile_class promise_profile = {
    .delta_to = profile_delta_to,
    .epsilon_to = profile_epsilon_to,
    .free = profile_free,
};

static pby_status one_order_profile(pby_profile **out, const pby_promise *line, pby_error *err)
{
    pby_one_order one;
    pby_one_order_init(&one);
    at_order(&one, line, line->most);
    const pby_status status = pby_profile_of_order(out, &one, err);
    pby_one_order_clear(&one);
    return status;
}

pby_status pby_profile_of_promise(pby_profile **out, const pby_promise *line, bool single,
                                  pby_profile *conversion, pby_error *err)
{
    const bool searched = is_searched(line);
    *out = NULL;
    if (searched && line->bounded && fmpq_is_zero(line->rho)) {
        pby_profile_free(conversion);
        return one_order_profile(out, line, err);
    }
    struct promise_profile *p = calloc(1, sizeof *p);
    if (p == NULL) {
        pby_profile_free(conversion);
        return pby_no_memory(err);
    }
    p->base.class = &promise_profile;
    p->conversion = conversion;
    p->searched = searched;
    p->single = single;
    fmpq_init(p->line.xi);
    fmpq_init(p->line.rho);
    fmpq_init(p->line.most);
    fmpq_set(p->line.xi, line->xi);
    fmpq_set(p->line.rho, line->rho);
    fmpq_set(p->line.most, line->most);
    p->line.bounded = line->bounded;
    *out = &p->base;
    return PBY_OK;
}
