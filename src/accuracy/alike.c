/* SPDX-License-Identifier: MIT */
/* Let T be the sum of the users' steps. J has the mean mu = n q + (p - q) T/steps. Of all users with this T
 * those who are alike have the heaviest tails: where low <= mu <= high, integers, the chance that J is
 * outside low .. high is at most that of a binomial of n trials with this mean ([Hoe56], Theorem 5). Where T
 * is a multiple of n some users are alike, and otherwise nearly so, which bounds the worst from below. */
#include "accuracy/alike.h"

#include "number/ball.h"
#include "number/scoped.h"

/* Products of balls that are worth their time. */
enum { WORK = 1 << 21 };

static uint64_t times(uint64_t x, uint64_t y)
{
    return y > 0 && x > WORK / y ? WORK + 1 : x * y;
}

bool pby_alike_few(const pby_alike *a)
{
    return times(times(a->n, a->n), a->steps) <= WORK;
}

/* True if users who are only nearly alike are summed too. */
static bool has_time(const pby_alike *a)
{
    return times(times(times(a->n, a->n), a->n), a->steps) <= WORK;
}

/* ---- where the estimate is near enough -------------------------------------------------------- */

/* The sign of n q + (T/steps + d n)(p - q) - j. */
static int sign_at(const pby_alike *a, uint64_t sum, const fmpq_t d, int64_t j)
{
    pby_expsum_t x, term;
    pby_expsum_init(x);
    pby_expsum_init(term);
    PBY_FMPQ(place, factor, zero);
    fmpq_set_ui(place, sum, a->steps);
    fmpq_mul_ui(factor, d, a->n);
    fmpq_add(place, place, factor);
    pby_expsum_mul_term(x, a->p, place, zero);
    fmpq_set_ui(factor, a->n, 1);
    fmpq_sub(factor, factor, place);
    pby_expsum_mul_term(term, a->q, factor, zero);
    pby_expsum_add(x, x, term);
    fmpq_set_si(factor, -j, 1);
    pby_expsum_mul_term(term, a->norm, factor, zero);
    pby_expsum_add(x, x, term);
    const int sign = pby_expsum_sign(x);
    pby_expsum_clear(term);
    pby_expsum_clear(x);
    return sign;
}

/* Where J is near: low .. high - 1. Both rise with T. */
struct near {
    fmpq_t minus;
    int64_t low, high;
};

static void find_near(struct near *near, const pby_alike *a, uint64_t sum)
{
    const int64_t n = (int64_t)a->n;
    while (near->low <= n && sign_at(a, sum, near->minus, near->low) > 0)
        near->low++;
    while (near->high <= n && sign_at(a, sum, a->off, near->high) >= 0)
        near->high++;
}

/* True if low <= mu <= high - 1, as the theorem asks. */
static bool has_mean(const struct near *near, const pby_alike *a, uint64_t sum)
{
    PBY_FMPQ(zero);
    return sign_at(a, sum, zero, near->low) >= 0 && sign_at(a, sum, zero, near->high - 1) <= 0;
}

/* ---- chances ---------------------------------------------------------------------------------- */

/* r = q + (p - q) of/among */
static void report(arb_t r, const pby_alike *a, uint64_t of, uint64_t among, slong prec)
{
    PBY_ARB(x);
    pby_expsum_get_arb(r, a->p, prec);
    arb_mul_ui(r, r, of, prec);
    pby_expsum_get_arb(x, a->q, prec);
    arb_mul_ui(x, x, among - of, prec);
    arb_add(r, r, x, prec);
    pby_expsum_get_arb(x, a->norm, prec);
    arb_mul_ui(x, x, among, prec);
    arb_div(r, r, x, prec);
}

/* f = (1 - r + r z)^n */
static void binomial(arb_ptr f, slong n, const arb_t r, slong prec)
{
    PBY_ARB(rest, ratio);
    arb_sub_ui(rest, r, 1, prec);
    arb_neg(rest, rest);
    arb_div(ratio, r, rest, prec);
    arb_pow_ui(f, rest, (ulong)n, prec);
    for (slong j = 0; j < n; j++) {
        arb_mul(f + j + 1, f + j, ratio, prec);
        arb_mul_si(f + j + 1, f + j + 1, n - j, prec);
        arb_div_si(f + j + 1, f + j + 1, j + 1, prec);
    }
}

/* f *= (1 - r + r z)^times, of degree `degree` before */
static void add_users(arb_ptr f, slong degree, uint64_t times, const arb_t r, slong prec)
{
    PBY_ARB(rest);
    arb_sub_ui(rest, r, 1, prec);
    arb_neg(rest, rest);
    for (; times > 0; times--, degree++) {
        arb_mul(f + degree + 1, f + degree, r, prec);
        for (slong j = degree; j > 0; j--) {
            arb_mul(f + j, f + j, rest, prec);
            arb_addmul(f + j, f + j - 1, r, prec);
        }
        arb_mul(f, f, rest, prec);
    }
}

static void outside(arb_t out, arb_srcptr f, slong n, const struct near *near, slong prec)
{
    arb_zero(out);
    for (slong j = 0; j < near->low && j <= n; j++)
        arb_add(out, out, f + j, prec);
    for (slong j = n; j >= near->high && j >= near->low; j--)
        arb_add(out, out, f + j, prec);
}

/* Users of which each has the step T/n, or `extra` one more than the others. */
static void of_steps(arb_t chance, arb_ptr f, const pby_alike *a, uint64_t sum, const struct near *near,
                     slong prec)
{
    const uint64_t step = sum / a->n, extra = sum % a->n;
    PBY_ARB(r);
    report(r, a, step, a->steps, prec);
    binomial(f, (slong)(a->n - extra), r, prec);
    if (extra > 0) {
        report(r, a, step + 1, a->steps, prec);
        add_users(f, (slong)(a->n - extra), extra, r, prec);
    }
    outside(chance, f, (slong)a->n, near, prec);
}

/* Alike, whether there are such users or not; 1 where the theorem does not apply. */
static void of_mean(arb_t chance, arb_ptr f, const pby_alike *a, uint64_t sum, const struct near *near,
                    slong prec)
{
    if (!has_mean(near, a, sum)) {
        arb_one(chance);
        return;
    }
    PBY_ARB(r);
    report(r, a, sum, a->n * a->steps, prec);
    binomial(f, (slong)a->n, r, prec);
    outside(chance, f, (slong)a->n, near, prec);
}

typedef void chance_of(arb_t chance, arb_ptr f, const pby_alike *a, uint64_t sum, const struct near *near,
                       slong prec);

/* The greatest over T = 0, by, 2 by, ..., n steps. */
static void over_sums(arb_t ball, const pby_alike *a, uint64_t by, chance_of *ask, slong prec)
{
    arb_ptr f = _arb_vec_init((slong)a->n + 2);
    struct near near = {.low = 0, .high = 0};
    PBY_ARB(one);
    fmpq_init(near.minus);
    fmpq_neg(near.minus, a->off);
    arb_zero(ball);
    for (uint64_t sum = 0; sum <= a->n * a->steps; sum += by) {
        find_near(&near, a, sum);
        ask(one, f, a, sum, &near, prec);
        pby_raise_to(ball, one, prec);
    }
    fmpq_clear(near.minus);
    _arb_vec_clear(f, (slong)a->n + 2);
}

pby_status pby_alike_least(arb_t ball, const void *alike, slong prec, pby_error *err)
{
    (void)err;
    const pby_alike *a = alike;
    over_sums(ball, a, has_time(a) ? 1 : a->n, of_steps, prec);
    return PBY_OK;
}

pby_status pby_alike_most(arb_t ball, const void *alike, slong prec, pby_error *err)
{
    (void)err;
    over_sums(ball, alike, 1, of_mean, prec);
    return PBY_OK;
}
