/* SPDX-License-Identifier: MIT */
/* The joint bound: two p-values multiplied, for every value that Q(E) may have. */
#include <math.h>

#include "audit/bound/bound.h"
#include "audit/bound/bound_tail.h"
#include "audit/bound/guess.h"
#include "number/scoped.h"

enum { WORK = 96, DEPTH = 64, CELLS_MAX = 20000 };

double pby_joint_level(double error)
{
    double log_c = log(error);
    for (int i = 0; i < 60; i++)
        log_c = log(error) - log1p(-log_c);
    return log_c;
}

static double log_product(const pby_evidence *e, double epsilon, double delta, double q)
{
    return pby_guess_above(e->n, exp(epsilon) * q + delta, e->x) + pby_guess_below(e->m, q, e->y);
}

/* Four standard errors of a frequency. */
static double margin(uint64_t n, uint64_t x)
{
    const double p = (double)x / (double)n;
    return 4 * sqrt((p * (1 - p) + 1 / (double)n) / (double)n);
}

/* The product is unimodal in q between the two places where one of the tails stops mattering. */
double pby_joint_guess(const pby_evidence *e, double epsilon, double delta, double log_c)
{
    const double p = (double)e->x / (double)e->n, q = (double)e->y / (double)e->m;
    if (q >= (p - delta) * exp(-epsilon))
        return -log_c;
    double a = fmax(0, q - margin(e->m, e->y));
    double b = fmin(1, (p - delta + margin(e->n, e->x)) * exp(-epsilon));
    const double golden = 0.6180339887498949;
    for (int i = 0; i < 18; i++) {
        const double left = b - golden * (b - a), right = a + golden * (b - a);
        if (log_product(e, epsilon, delta, left) < log_product(e, epsilon, delta, right))
            a = left;
        else
            b = right;
    }
    return log_product(e, epsilon, delta, (a + b) / 2) - log_c;
}

/* c with c (1 - log c) <= error, proved. */
static bool level(arb_t c, const fmpq_t error)
{
    PBY_ARB(left, right);
    arb_set_fmpq(right, error, WORK);
    arb_set_d(c, exp(pby_joint_level(pby_guess_of(error))) * (1 - 1e-9));
    arb_log(left, c, WORK);
    arb_sub_ui(left, left, 1, WORK);
    arb_neg(left, left);
    arb_mul(left, left, c, WORK);
    return arb_is_positive(c) && arb_le(left, right);
}

struct cover {
    const pby_evidence *e;
    pby_binomial_tail p, q; /* x or more, and y or fewer */
    arb_t factor, delta, c; /* exp(epsilon), delta and the level */
    double epsilon_d, delta_d, log_c;
};

/* True if every q in [a, b] falls: the first tail grows with q and the second shrinks, so that their
 * values at b and at a bound them both. Doubles say when trying is worth it. */
static bool falls(const struct cover *k, double a, double b)
{
    const pby_evidence *e = k->e;
    if (pby_guess_above(e->n, exp(k->epsilon_d) * b + k->delta_d, e->x) + pby_guess_below(e->m, a, e->y) >
        k->log_c)
        return false;
    PBY_ARB(q, p, tail);
    arb_set_d(q, b);
    arb_mul(p, q, k->factor, WORK);
    arb_add(p, p, k->delta, WORK);
    pby_binomial_tail_bound(tail, &k->p, p);
    arb_set_d(q, a);
    pby_binomial_tail_bound_mirrored(p, &k->q, q);
    arb_mul(tail, tail, p, WORK);
    return arb_le(tail, k->c);
}

/* [0, 1] is halved until every piece falls. */
static bool covers(const struct cover *k)
{
    double from[DEPTH + 1], to[DEPTH + 1];
    int depth = 0;
    from[0] = 0;
    to[0] = 1;
    for (int tried = 0; tried < CELLS_MAX; tried++) {
        const double a = from[depth], b = to[depth];
        if (falls(k, a, b)) {
            if (--depth < 0)
                return true;
        } else if (depth == DEPTH) {
            return false;
        } else {
            from[depth] = a + (b - a) / 2;
            to[depth + 1] = a + (b - a) / 2;
            from[++depth] = a;
        }
    }
    return false;
}

bool pby_joint_refutes(const pby_evidence *e, const arb_t epsilon, const arb_t delta, const fmpq_t error)
{
    struct cover k = {.e = e};
    pby_binomial_tail_init(&k.p, e->n, e->x);
    pby_binomial_tail_init(&k.q, e->m, e->m - e->y);
    arb_init(k.factor);
    arb_init(k.delta);
    arb_init(k.c);
    arb_exp(k.factor, epsilon, WORK);
    arb_set(k.delta, delta);
    bool refuted = level(k.c, error);
    if (refuted) {
        k.epsilon_d = arf_get_d(arb_midref(epsilon), ARF_RND_UP);
        k.delta_d = arf_get_d(arb_midref(delta), ARF_RND_UP);
        k.log_c = log(arf_get_d(arb_midref(k.c), ARF_RND_DOWN));
        refuted = covers(&k);
    }
    arb_clear(k.c);
    arb_clear(k.delta);
    arb_clear(k.factor);
    pby_binomial_tail_clear(&k.q);
    pby_binomial_tail_clear(&k.p);
    return refuted;
}
