/* SPDX-License-Identifier: MIT */
/* Guesses as coins of randomised response, with a term for delta.
 *
 * q = 1 / (1 + exp(-epsilon)). The chance of c or more correct guesses is said to be at most P[Bin(r, q) >=
 * c] + 2 m delta max over 1 <= i <= c of P[c - i <= Bin(r, q) < c] / i.
 */
#include <math.h>

#include "audit/bound/bound_tail.h"
#include "audit/bound/guess.h"
#include "audit/canary/canary_bound.h"
#include "number/scoped.h"

enum { WORK = 96 };

static bool guess_independent(const pby_canary_guesses *g, double epsilon, double delta, double error)
{
    const uint64_t r = g->made, c = g->correct;
    if (c == 0)
        return false;
    const double q = 1 / (1 + exp(-epsilon)), odds = exp(-epsilon);
    const double above = exp(pby_guess_above(r, q, c));
    double mass = exp(pby_guess_mass(r, q, c - 1));
    double sum = 0, most = 0;
    for (uint64_t k = c; delta > 0 && k-- > 0;) {
        sum += mass;
        most = fmax(most, sum / (double)(c - k));
        mass *= (double)k / (double)(r - k + 1) * odds;
        if (mass < most / 2 && (double)k < (double)r * q) /* it only falls from here on */
            break;
    }
    return above + 2 * (double)g->canaries * delta * most <= error;
}

/* most = at least the largest of the means of the masses just below c; 0 < q < 1. */
static void largest_mean(arb_t most, const pby_canary_guesses *g, const arb_t q)
{
    pby_binomial_tail tail;
    PBY_ARB(mass, sum, mean, odds);
    pby_binomial_tail_init(&tail, g->made, g->correct - 1);
    pby_binomial_mass(mass, &tail, q);
    pby_binomial_tail_clear(&tail);
    arb_sub_ui(odds, q, 1, WORK);
    arb_neg(odds, odds);
    arb_div(odds, odds, q, WORK);
    arb_zero(most);
    for (uint64_t k = g->correct; k-- > 0;) {
        arb_add(sum, sum, mass, WORK);
        arb_div_ui(mean, sum, g->correct - k, WORK);
        arb_max(most, most, mean, WORK);
        arb_mul_ui(mass, mass, k, WORK);
        arb_div_ui(mass, mass, g->made - k + 1, WORK);
        arb_mul(mass, mass, odds, WORK);
    }
}

static bool refutes_independent(const pby_canary_guesses *g, const arb_t epsilon, const fmpq_t delta,
                                const fmpq_t error)
{
    if (g->correct == 0)
        return false;
    pby_binomial_tail tail;
    PBY_ARB(q, chance, term, allowed);
    arb_neg(q, epsilon);
    arb_exp(q, q, WORK);
    arb_add_ui(q, q, 1, WORK);
    arb_inv(q, q, WORK);
    pby_binomial_tail_init(&tail, g->made, g->correct);
    pby_binomial_tail_bound(chance, &tail, q);
    pby_binomial_tail_clear(&tail);
    if (!fmpq_is_zero(delta)) {
        largest_mean(term, g, q);
        arb_mul_ui(term, term, g->canaries, WORK);
        arb_mul_2exp_si(term, term, 1);
        arb_set_fmpq(allowed, delta, WORK);
        arb_addmul(chance, term, allowed, WORK);
    }
    arb_set_fmpq(allowed, error, WORK);
    return arb_le(chance, allowed);
}

const pby_canary_bound pby_canary_independent = {"independent", guess_independent, refutes_independent};
