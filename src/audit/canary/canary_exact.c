/* SPDX-License-Identifier: MIT */
/* Bounds the number of correct guesses under (epsilon, delta)-privacy, by linear programming.
 *
 * Let p_i be the chance of i correct guesses out of r, and E = exp(epsilon). The events "this canary is
 * guessed rightly, and the number of correct guesses is in a set J" give, summed over the canaries,
 *
 *     the sum over i = 1 .. r of max(0, i/r p_i - E (r-i+1)/r p_(i-1))  <=  D = delta m / r.
 *
 * The greatest chance of c or more is a linear programme. Any solution of its dual is a proof: numbers u, y
 * and 0 <= a_i <= y with
 *
 *     u + a_j j/r - a_(j+1) E (r-j)/r  >=  (1 if j >= c, else 0)     for j = 0 .. r, a_0 = a_(r+1) = 0,
 *
 * show that the chance is at most u + y D. Up to c the largest a_i that the lines below c allow are taken,
 * and from r down to c the least that the others need; u and y are good if these meet
 * (docs/theory/canaries.md).
 */
#include <math.h>

#include "audit/bound/guess.h"
#include "audit/canary/canary_bound.h"
#include "number/ball.h"
#include "number/scoped.h"

enum { WORK = 96, STEPS = 80 };

/* ---- in doubles -------------------------------------------------------------------------------- */

/* The largest a_c that the lines below c allow, and whether y cut an a_i on the way. */
static double most_guess(const pby_canary_guesses *g, double grow, double u, double y, bool *cut)
{
    const double n = (double)g->made;
    double a = 0;
    *cut = false;
    for (uint64_t j = 0; j < g->correct; j++) {
        a = (u * n + a * (double)j) / (grow * (n - (double)j));
        *cut = *cut || a > y;
        a = fmin(a, y);
    }
    return a;
}

/* The least a_c that the other lines need is this times 1 - u; the largest of the a_i on the way is `largest`
 * times 1 - u. */
static double least_guess(const pby_canary_guesses *g, double grow, double *largest)
{
    const double n = (double)g->made;
    double a = 0;
    *largest = 0;
    for (uint64_t j = g->made; j >= g->correct && a < 1e280; j--) {
        a = (n + a * grow * (n - (double)j)) / (double)j;
        *largest = fmax(*largest, a);
    }
    return a;
}

/* A claim and its guesses, in doubles. */
struct rough {
    const pby_canary_guesses *g;
    double grow, d, error, least, largest;
};

static struct rough rough(const pby_canary_guesses *g, double epsilon, double delta, double error)
{
    struct rough x = {.g = g, .grow = exp(epsilon), .error = error};
    x.d = delta * (double)g->canaries / (double)g->made;
    x.least = least_guess(g, x.grow, &x.largest);
    return x;
}

/* Returns the margin by which the two chains of a_i meet, for u = error - y D; it is concave in y. */
static double margin(const struct rough *x, double y, bool *cut)
{
    const double u = x->error - (x->d > 0 ? y * x->d : 0);
    if (u <= 0 || !(x->largest * (1 - u) <= y))
        return -INFINITY;
    return most_guess(x->g, x->grow, u, y, cut) - x->least * (1 - u);
}

/* The y with the largest margin, or one with a margin that is not negative: first the least that is possible,
 * with a little to spare. A larger one costs u, and gains only where y has cut the chain. */
static double find_y(const struct rough *x)
{
    bool cut = true;
    if (x->d == 0)
        return INFINITY;
    double low = x->largest * (1 - x->error) / (1 - x->largest * x->d) * (1 + 1e-12), high = x->error / x->d;
    if (!(x->largest * x->d < 1) || !(low < high) || margin(x, low, &cut) >= 0 || !cut)
        return low;
    for (int i = 0; i < STEPS; i++) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;
        const double a = margin(x, left, &cut), b = margin(x, right, &cut);
        if (a >= 0 || b >= 0)
            return a >= 0 ? left : right;
        if (a < b)
            low = left;
        else
            high = right;
    }
    return low;
}

/* Randomised response alone, whose count is binomial, may be right so often already. */
static bool guess_exact(const pby_canary_guesses *g, double epsilon, double delta, double error)
{
    if (g->correct == 0 || pby_guess_above(g->made, 1 / (1 + exp(-epsilon)), g->correct) > log(error) + 1e-9)
        return false;
    bool cut;
    const struct rough x = rough(g, epsilon, delta, error);
    return margin(&x, find_y(&x), &cut) >= 0;
}

/* ---- the proof --------------------------------------------------------------------------------- */

/* An a_c that the lines j = 0 .. c-1 allow; y is +inf where there is no D to pay. */
static void most_below(arb_t a, const pby_canary_guesses *g, const arb_t u, const arb_t y, const arb_t grow)
{
    PBY_ARB(whole);
    arb_mul_ui(whole, u, g->made, WORK);
    arb_zero(a);
    for (uint64_t j = 0; j < g->correct; j++) {
        arb_mul_ui(a, a, j, WORK);
        arb_add(a, a, whole, WORK);
        arb_div_ui(a, a, g->made - j, WORK);
        arb_div(a, a, grow, WORK);
        pby_to_lower_end(a, WORK);
        if (arb_gt(a, y))
            arb_set(a, y);
    }
}

/* An a_c that the lines j = r .. c need, and whether no a_i on the way is above y. */
static bool least_above(arb_t a, const pby_canary_guesses *g, const arb_t u, const arb_t y, const arb_t grow)
{
    bool within = true;
    PBY_ARB(whole);
    arb_sub_ui(whole, u, 1, WORK);
    arb_neg(whole, whole);
    arb_mul_ui(whole, whole, g->made, WORK);
    arb_zero(a);
    for (uint64_t j = g->made; j >= g->correct && within; j--) {
        arb_mul_ui(a, a, g->made - j, WORK);
        arb_mul(a, a, grow, WORK);
        arb_add(a, a, whole, WORK);
        arb_div_ui(a, a, j, WORK);
        pby_to_upper_end(a, WORK);
        within = arb_le(a, y);
    }
    return within;
}

static bool meet(const pby_canary_guesses *g, const arb_t u, const arb_t y, const arb_t grow)
{
    PBY_ARB(most, least);
    most_below(most, g, u, y, grow);
    return least_above(least, g, u, y, grow) && arb_ge(most, least);
}

static double about(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

static bool refutes_exact(const pby_canary_guesses *g, const arb_t epsilon, const fmpq_t delta,
                          const fmpq_t error)
{
    if (g->correct == 0)
        return false;
    PBY_ARB(u, y, d, grow);
    arb_exp(grow, epsilon, WORK);
    arb_set_fmpq(d, delta, WORK);
    arb_set_fmpq(u, error, WORK);
    const struct rough x = rough(g, about(epsilon), about(d), about(u));
    const double price = find_y(&x);
    bool yes = fmpq_is_zero(delta);
    arb_pos_inf(y);
    if (!yes && isfinite(price) && price > 0) {
        arb_set_d(y, price);
        arb_mul_ui(d, d, g->canaries, WORK);
        arb_div_ui(d, d, g->made, WORK);
        arb_submul(u, y, d, WORK);
        yes = arb_is_positive(u);
    }
    pby_to_lower_end(u, WORK);
    yes = yes && meet(g, u, y, grow);
    return yes;
}

const pby_canary_bound pby_canary_exact = {"exact", guess_exact, refutes_exact};
