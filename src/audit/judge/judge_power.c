/* SPDX-License-Identifier: MIT */
#include "audit/judge/judge_power.h"

#include <math.h>

#include "audit/bound/bound.h"
#include "audit/bound/bound_tail.h"
#include "audit/bound/guess.h"
#include "number/scoped.h"
#include "probity/audit.h"

enum { WORK = 96, STEPS = 64, EXACT_MOST = 10000000 };

/* Each of the two counts may be worse than is counted on with this chance, in hundredths: (1 - 0.29)^2 > 1/2.
 */
enum { MISSED = 29 };

/* The part of its error that an audit may use on the first of its events, in hundredths, and the bounds that
 * it has. */
enum { FIRST_SHARE = 45 };
static const unsigned splits[] = {32, 4, 60, 0};

void pby_power_target(fmpq_t target, const fmpq_t epsilon)
{
    PBY_FMPQ(one_more);
    fmpq_add_si(one_more, epsilon, 1);
    fmpq_add(target, epsilon, epsilon);
    if (fmpq_is_zero(epsilon) || fmpq_cmp(one_more, target) < 0)
        fmpq_set(target, one_more);
}

struct claim {
    fmpq_t epsilon, delta;
    pby_share share;
    arb_t q;   /* how often the best event is missed */
    double qd; /* about the same */
};

static void claim_init(struct claim *c, const fmpq_t epsilon, const fmpq_t delta, const fmpq_t error)
{
    PBY_ARB(kept);
    arb_init(c->q);
    PBY_FMPQ(target);
    fmpq_init(c->epsilon);
    fmpq_init(c->delta);
    fmpq_init(c->share.error);
    fmpq_set(c->epsilon, epsilon);
    fmpq_set(c->delta, delta);
    fmpq_set_si(c->share.error, FIRST_SHARE, 100);
    fmpq_mul(c->share.error, c->share.error, error);
    pby_power_target(target, epsilon);
    arb_set_fmpq(c->q, target, WORK);
    arb_exp(c->q, c->q, WORK);
    arb_add_ui(c->q, c->q, 1, WORK);
    arb_set_fmpq(kept, delta, WORK);
    arb_sub_ui(kept, kept, 1, WORK);
    arb_neg(kept, kept);
    arb_div(c->q, kept, c->q, WORK);
    c->qd = arf_get_d(arb_midref(c->q), ARF_RND_NEAR);
}

static void claim_clear(struct claim *c)
{
    fmpq_clear(c->share.error);
    fmpq_clear(c->delta);
    fmpq_clear(c->epsilon);
    arb_clear(c->q);
}

/* About the least k that n outputs miss no more than, but for the chance that is allowed. */
static uint64_t guess_misses(const struct claim *c, uint64_t n)
{
    const double mean = (double)n * c->qd, reach = 2 * sqrt(mean) + 2;
    uint64_t a = mean > reach ? (uint64_t)(mean - reach) : 0, b = (uint64_t)(mean + reach);
    b = b < n ? b : n;
    while (a < b) {
        const uint64_t k = a + (b - a) / 2;
        if (pby_guess_above(n, c->qd, k + 1) <= log(MISSED / 100.0))
            b = k;
        else
            a = k + 1;
    }
    return a;
}

/* A k with P[Bin(n, q) > k] <= MISSED/100, proved. */
static uint64_t misses(const struct claim *c, uint64_t n)
{
    uint64_t k = guess_misses(c, n), step = 1;
    bool proved = false;
    PBY_ARB(chance, allowed);
    arb_set_ui(allowed, MISSED);
    arb_div_ui(allowed, allowed, 100, WORK);
    for (; !proved && k < n; k += proved ? 0 : step, step *= 2) {
        pby_binomial_tail tail;
        pby_binomial_tail_init(&tail, n, k + 1);
        pby_binomial_tail_bound(chance, &tail, c->q);
        proved = arb_le(chance, allowed);
        pby_binomial_tail_clear(&tail);
    }
    return k < n ? k : n;
}

/* True if the bound of a split proves that the evidence refutes the claim. */
static bool proves(struct claim *c, const pby_evidence *e, unsigned split)
{
    c->share.split = split;
    if (!(pby_guess_epsilon(e, pby_guess_of(c->delta), &c->share) > pby_guess_of(c->epsilon)))
        return false;
    PBY_ARB(lower, claimed);
    arb_set_fmpq(claimed, c->epsilon, WORK);
    pby_refuted_epsilon(lower, e, c->delta, &c->share);
    return arb_is_finite(lower) && arb_gt(lower, claimed);
}

bool pby_power_suffices(uint64_t left, uint64_t right, const fmpq_t epsilon, const fmpq_t delta,
                        const fmpq_t error)
{
    struct claim c;
    bool yes = false;
    if (left == 0 || right == 0)
        return false;
    claim_init(&c, epsilon, delta, error);
    const uint64_t l = misses(&c, left), r = misses(&c, right);
    const pby_evidence of[] = {{left, left - l, right, r}, {right, right - r, left, l}};
    for (size_t i = 0; i < 2 && !yes; i++)
        for (size_t s = 0; s < sizeof splits / sizeof *splits && !yes; s++)
            yes = proves(&c, &of[i], splits[s]);
    claim_clear(&c);
    return yes;
}

/* ---- how many would --------------------------------------------------------------------------- */

/* The judges that the normal law asks for: the ratio of p to q is seen within z standard errors, and z is
 * where the product of two tails at z/sqrt(2) each is the level of the joint bound. */
static double normal_judges(const struct claim *c)
{
    const double log_c = pby_joint_level(pby_guess_of(c->share.error)), p = 1 - c->qd, q = c->qd;
    const double gap = log((p - pby_guess_of(c->delta)) / q) - pby_guess_of(c->epsilon);
    double z = sqrt(-2 * log_c);
    for (int i = 0; i < 8; i++)
        z = sqrt(2 * fmax(1, -log_c - log(3.14159 * z * z)));
    return z * z * ((1 - p) / p + (1 - q) / q) / (gap * gap);
}

static bool guess_suffices(struct claim *c, double judges)
{
    const uint64_t n = (uint64_t)judges, k = guess_misses(c, n);
    const pby_evidence e = {n, n - k, n, k};
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        c->share.split = splits[i];
        if (pby_guess_epsilon(&e, pby_guess_of(c->delta), &c->share) > pby_guess_of(c->epsilon))
            return true;
    }
    return false;
}

uint64_t pby_power_outputs(const fmpq_t epsilon, const fmpq_t delta, const fmpq_t error)
{
    struct claim c;
    claim_init(&c, epsilon, delta, error);
    double judges = c.qd > 0 ? fmax(2, normal_judges(&c)) : INFINITY;
    for (int i = 0; i < STEPS && judges < EXACT_MOST && guess_suffices(&c, judges); i++)
        judges /= 1.1;
    for (int i = 0; i < STEPS && judges < EXACT_MOST && !guess_suffices(&c, judges); i++)
        judges *= 1.1;
    claim_clear(&c);
    double outputs = ceil(1.05 * 4 / 3 * judges);
    const double round = pow(10, fmax(0, floor(log10(outputs)) - 1));
    outputs = ceil(outputs / round) * round;
    return outputs < (double)PBY_AUDIT_OUTPUTS_MAX ? (uint64_t)outputs : 0;
}
