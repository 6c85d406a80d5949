/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "audit/bound/guess.h"
#include "audit/canary/canary_bound.h"

enum { STEPS = 48, PARAMETER_MAX = 256 };

/* The proof is tried this much below the guess, relative to it, one value after the other. */
static const double below[] = {1e-10, 1e-7, 1e-4, 1e-2, 0.1, 0.5};

/* About the greatest parameter that is refuted, from one that is. */
static double climb(const pby_canary_bound *bound, const pby_canary_guesses *g, double from, double delta,
                    double error)
{
    double low = from, high = from + 1;
    while (high < PARAMETER_MAX && bound->guess(g, high, delta, error)) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < STEPS; i++) {
        const double middle = (low + high) / 2;
        if (bound->guess(g, middle, delta, error))
            low = middle;
        else
            high = middle;
    }
    return low;
}

void pby_canary_greatest(arb_t parameter, size_t *which, const pby_canary_bound *bound,
                         const pby_canary_guesses *g, size_t n, const fmpq_t delta, const fmpq_t error)
{
    const double d = pby_guess_of(delta), t = pby_guess_of(error);
    double best = -1;
    bool proved = false;
    *which = 0;
    for (size_t i = n; i-- > 0;) { /* the short lists, which cost little, come first */
        const double level = fmax(0, best);
        if (bound->guess(&g[i], level, d, t)) {
            best = climb(bound, &g[i], level, d, t);
            *which = i;
        }
    }
    for (size_t i = 0; i < sizeof below / sizeof *below && !proved && best >= 0; i++) {
        arb_set_d(parameter, best * (1 - below[i]));
        proved = bound->refutes(&g[*which], parameter, delta, error);
    }
    if (!proved)
        arb_neg_inf(parameter);
}
