/* SPDX-License-Identifier: MIT */
#include "audit/bound/bound.h"

#include <math.h>

#include "audit/bound/bound_tail.h"
#include "audit/bound/guess.h"
#include "number/scoped.h"

enum { WORK = 96, STEPS = 60, ROUGH_STEPS = 36, JOINT_STEPS = 20, EPSILON_MAX = 700 };

/* The proof is tried this far below the guess, in logs of probability, one value after the other. */
static const double slack[] = {0.05, 0.2, 1, 3};

/* ---- Clopper-Pearson -------------------------------------------------------------------------- */

/* About the p at which the tail from x on has this log, by halving. */
static double find(uint64_t n, uint64_t x, double log_error, int steps)
{
    double a = 0, b = (double)x / (double)n;
    for (int i = 0; i < steps; i++) {
        const double p = (a + b) / 2;
        if (pby_guess_above(n, p, x) <= log_error)
            a = p;
        else
            b = p;
    }
    return a;
}

void pby_clopper_lower(arb_t lower, uint64_t n, uint64_t x, const fmpq_t error)
{
    pby_binomial_tail tail;
    pby_binomial_tail_init(&tail, n, x);
    PBY_ARB(chance, allowed);
    arb_set_fmpq(allowed, error, WORK);
    double p = x == 0 ? 0 : find(n, x, log(pby_guess_of(error)) - 0x1p-14, STEPS);
    bool proved = false;
    for (int i = 0; i < STEPS && !proved && p > 0; i++) {
        p *= 1 - ldexp(1, i - 40 < -1 ? i - 40 : -1);
        arb_set_d(lower, p);
        pby_binomial_tail_bound(chance, &tail, lower);
        proved = arb_le(chance, allowed);
    }
    if (!proved)
        arb_zero(lower);
    pby_binomial_tail_clear(&tail);
}

void pby_clopper_upper(arb_t upper, uint64_t n, uint64_t x, const fmpq_t error)
{
    pby_clopper_lower(upper, n, n - x, error);
    arb_sub_ui(upper, upper, 1, ARF_PREC_EXACT);
    arb_neg(upper, upper);
}

/* ---- the two bounds split --------------------------------------------------------------------- */

/* P(E) >= p and Q(E) <= q, but for the share's error. */
static void ends(arb_t p, arb_t q, const pby_evidence *e, const pby_share *share)
{
    PBY_FMPQ(part);
    fmpq_set_si(part, share->split, PBY_SPLITS);
    fmpq_mul(part, part, share->error);
    pby_clopper_lower(p, e->n, e->x, part);
    fmpq_sub(part, share->error, part);
    pby_clopper_upper(q, e->m, e->y, part);
}

/* The lower end of a ball, exactly; -inf for one below 0 or none at all. */
static void lower_end(arb_t x)
{
    arb_get_lbound_arf(arb_midref(x), x, WORK);
    mag_zero(arb_radref(x));
    if (arf_is_nan(arb_midref(x)) || arf_sgn(arb_midref(x)) < 0)
        arb_neg_inf(x);
}

static void split_epsilon(arb_t epsilon, const pby_evidence *e, const fmpq_t delta, const pby_share *share)
{
    PBY_ARB(q, d);
    ends(epsilon, q, e, share);
    arb_set_fmpq(d, delta, WORK);
    arb_sub(epsilon, epsilon, d, WORK);
    if (arb_is_positive(epsilon)) {
        arb_div(epsilon, epsilon, q, WORK);
        arb_log(epsilon, epsilon, WORK);
        lower_end(epsilon);
    } else {
        arb_neg_inf(epsilon);
    }
}

static void split_delta(arb_t delta, const pby_evidence *e, const fmpq_t epsilon, const pby_share *share)
{
    PBY_ARB(q, factor);
    ends(delta, q, e, share);
    arb_set_fmpq(factor, epsilon, WORK);
    arb_exp(factor, factor, WORK);
    arb_submul(delta, q, factor, WORK);
    lower_end(delta);
}

static double error_of_p(const pby_share *share)
{
    return pby_guess_of(share->error) * share->split / PBY_SPLITS;
}

static void guess_ends(double *p, double *q, const pby_evidence *e, const pby_share *share)
{
    const double error = pby_guess_of(share->error);
    *p = e->x == 0 ? 0 : find(e->n, e->x, log(error_of_p(share)), ROUGH_STEPS);
    *q = 1 - (e->y == e->m ? 0 : find(e->m, e->m - e->y, log(error - error_of_p(share)), ROUGH_STEPS));
}

/* ---- the joint bound, searched in doubles ----------------------------------------------------- */

static double joint_epsilon(const pby_evidence *e, double delta, double log_c)
{
    double a = 0, b = 1;
    if (pby_joint_guess(e, 0, delta, log_c) >= 0)
        return -INFINITY;
    while (pby_joint_guess(e, b, delta, log_c) < 0 && b < EPSILON_MAX) {
        a = b;
        b *= 2;
    }
    for (int i = 0; i < JOINT_STEPS; i++) {
        const double middle = (a + b) / 2;
        if (pby_joint_guess(e, middle, delta, log_c) < 0)
            a = middle;
        else
            b = middle;
    }
    return a;
}

static double joint_delta(const pby_evidence *e, double epsilon, double log_c)
{
    double a = 0, b = (double)e->x / (double)e->n;
    if (pby_joint_guess(e, epsilon, 0, log_c) >= 0)
        return -INFINITY;
    for (int i = 0; i < JOINT_STEPS; i++) {
        const double middle = (a + b) / 2;
        if (pby_joint_guess(e, epsilon, middle, log_c) < 0)
            a = middle;
        else
            b = middle;
    }
    return a;
}

/* ---- what is asked for ------------------------------------------------------------------------ */

double pby_guess_epsilon(const pby_evidence *e, double delta, const pby_share *share)
{
    if (share->split == 0)
        return joint_epsilon(e, delta, pby_joint_level(pby_guess_of(share->error)));
    double p, q;
    guess_ends(&p, &q, e, share);
    return p <= delta ? -INFINITY : log((p - delta) / q);
}

double pby_guess_delta(const pby_evidence *e, double epsilon, const pby_share *share)
{
    if (share->split == 0)
        return joint_delta(e, epsilon, pby_joint_level(pby_guess_of(share->error)));
    double p, q;
    guess_ends(&p, &q, e, share);
    return p - exp(epsilon) * q;
}

void pby_refuted_epsilon(arb_t epsilon, const pby_evidence *e, const fmpq_t delta, const pby_share *share)
{
    if (share->split != 0) {
        split_epsilon(epsilon, e, delta, share);
        return;
    }
    const double log_c = pby_joint_level(pby_guess_of(share->error));
    PBY_ARB(d);
    arb_set_fmpq(d, delta, WORK);
    bool proved = false;
    for (size_t i = 0; i < sizeof slack / sizeof *slack && !proved; i++) {
        const double guess = joint_epsilon(e, pby_guess_of(delta), log_c - slack[i]);
        if (!(guess >= 0))
            break;
        arb_set_d(epsilon, guess);
        proved = pby_joint_refutes(e, epsilon, d, share->error);
    }
    if (!proved)
        arb_neg_inf(epsilon);
}

void pby_refuted_delta(arb_t delta, const pby_evidence *e, const fmpq_t epsilon, const pby_share *share)
{
    if (share->split != 0) {
        split_delta(delta, e, epsilon, share);
        return;
    }
    const double log_c = pby_joint_level(pby_guess_of(share->error));
    PBY_ARB(at);
    arb_set_fmpq(at, epsilon, WORK);
    bool proved = false;
    for (size_t i = 0; i < sizeof slack / sizeof *slack && !proved; i++) {
        const double guess = joint_delta(e, pby_guess_of(epsilon), log_c - slack[i]);
        if (!(guess >= 0))
            break;
        arb_set_d(delta, guess);
        proved = pby_joint_refutes(e, at, delta, share->error);
    }
    if (!proved)
        arb_neg_inf(delta);
}
