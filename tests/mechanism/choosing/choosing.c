/* SPDX-License-Identifier: MIT */
/* Histograms of chosen bars by their definition, in doubles: every sequence of choices, and the noisy count
 * of the bar that differs. */
#include <criterion/criterion.h>
#include <math.h>

#include "probity.h"
#include "probity/experimental/losses.h"
#include "tests/mechanism/curve.h"
#include "tests/spec.h"

enum { BARS = 4 };

struct walk {
    double x[BARS], y[BARS]; /* the counts of two neighbours, which differ in bar 0 */
    double eps, counts, e;
    int rounds;
};

/* The noisy count lies on the side of its own input with the chance 1/(1+a), under each of the two. */
static double counted(const struct walk *w, double p, double q)
{
    const double a = exp(-w->counts), more = 1 / (1 + a);
    return fmax(0, p * more - exp(w->e) * q * (1 - more)) + fmax(0, p * (1 - more) - exp(w->e) * q * more);
}

/* All orders of choices from here on, taken being those behind us. */
static double walk(const struct walk *w, unsigned taken, int round, double p, double q)
{
    double sum = 0, weight_p = 0, weight_q = 0;
    if (round == w->rounds)
        return (taken & 1) != 0 ? counted(w, p, q) : fmax(0, p - exp(w->e) * q);
    for (int i = 0; i < BARS; i++)
        if ((taken >> i & 1) == 0) {
            weight_p += exp(w->eps * w->x[i]);
            weight_q += exp(w->eps * w->y[i]);
        }
    for (int i = 0; i < BARS; i++)
        if ((taken >> i & 1) == 0)
            sum += walk(w, taken | 1u << i, round + 1, p * exp(w->eps * w->x[i]) / weight_p,
                        q * exp(w->eps * w->y[i]) / weight_q);
    return sum;
}

static double upper(const char *text, double e)
{
    mpq_t epsilon;
    pby_enclosure delta;
    mpq_init(epsilon);
    pby_enclosure_init(&delta);
    pby_spec *spec = spec_of(text);
    mpq_set_d(epsilon, e);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, epsilon, 9, NULL), PBY_OK);
    const double hi = mpfr_get_d(delta.hi, MPFR_RNDU);
    cr_assert_float_eq(mpfr_get_d(delta.lo, MPFR_RNDD), hi, 1e-8);
    pby_spec_free(spec);
    pby_enclosure_clear(&delta);
    mpq_clear(epsilon);
    return hi;
}

Test(choosing, no_order_of_few_bars_loses_more)
{
    static const double at[] = {0, .25, .75, 1.25, 2};
    for (int e = 0; e < 5; e++) {
        const double bound = upper("choosing:eps=1,counts=1/2", at[e]);
        for (int code = 0; code < 256; code++)
            for (int rounds = 1; rounds <= BARS; rounds++)
                for (int back = 0; back < 2; back++) {
                    struct walk w = {.eps = 1, .counts = .5, .e = at[e], .rounds = rounds};
                    for (int i = 0, c = code; i < BARS; i++, c /= 4)
                        w.x[i] = w.y[i] = c % 4;
                    *(back ? &w.x[0] : &w.y[0]) += 1;
                    const double seen = walk(&w, 0, 0, 1, 1);
                    cr_assert_leq(seen, bound + 1e-12, "%d rounds of %d at %g: %g above %g", rounds, code,
                                  at[e], seen, bound);
                }
    }
}

/* The place of a bar of weight c among n of weight 1, all chosen, and its count: near the bound. */
static double place(double eps, double counts, double e, int n, int back)
{
    const struct walk w = {.counts = counts, .e = e};
    const double c = exp(eps);
    double sum = 0, one = 1, other = 1;
    for (int left = n; left >= 0; left--) {
        const double p = one / (1 + left), q = other * c / (c + left);
        sum += back ? counted(&w, q, p) : counted(&w, p, q);
        one *= left / (1.0 + left);
        other *= left / (c + left);
    }
    return sum;
}

Test(choosing, many_bars_come_as_near_as_one_likes)
{
    static const double at[] = {0, .25, .75, 1.25, 2};
    for (int e = 0; e < 5; e++) {
        const double bound = upper("choosing:eps=1,counts=1/2", at[e]);
        const double seen = fmax(place(1, .5, at[e], 20000, 0), place(1, .5, at[e], 20000, 1));
        cr_assert_leq(seen, bound + 1e-12);
        cr_assert_geq(seen, bound - 1e-4, "at %g: %g for %g", at[e], seen, bound);
    }
}

Test(choosing, its_direct_route_is_another)
{
    check_direct("choosing:eps=1/2,counts=1/3", "1/4");
    check_direct("choosing:eps=2,counts=1", "3/2");
}

Test(choosing, a_changed_record_is_not_what_it_is_about)
{
    pby_spec *spec = spec_of("choosing:eps=1,counts=1");
    pby_enclosure delta;
    mpq_t one;
    pby_error err;
    mpq_init(one);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_SUBSTITUTE, one, 9, &err), PBY_BAD);
    pby_enclosure_clear(&delta);
    mpq_clear(one);
    pby_spec_free(spec);
}

/* Its divergences are finite below order c/(c - 1), c = exp(eps), and infinite from there on: 1.58 at eps
 * = 1.
 */
Test(choosing, no_rho_is_finite)
{
    pby_spec *spec = spec_of("choosing:eps=1,counts=1");
    pby_enclosure rho;
    mpq_t xi;
    mpq_init(xi);
    pby_enclosure_init(&rho);
    cr_assert_eq(pby_loss_zcdp(&rho, NULL, spec, PBY_ADD_REMOVE, xi, 9, NULL), PBY_OK);
    cr_assert(mpfr_inf_p(rho.lo) && mpfr_sgn(rho.lo) > 0);
    pby_enclosure_clear(&rho);
    mpq_clear(xi);
    pby_spec_free(spec);
}

/* The divergence of order 3/2 by its definition: log(p^a q^(1-a)/(a p + (1-a) q))/(a - 1), and that of two
 * outcomes. */
Test(choosing, renyi_divergences_are_those_of_clock_and_count)
{
    const double c = exp(1), a = 1.5, w = 1 / (1 + exp(-.5));
    const double forward = log(pow(c, 1 - a) / (a + (1 - a) * c)) / (a - 1),
                 backward = log(pow(c, a) / (a * c + 1 - a)) / (a - 1),
                 count = log(w * exp((a - 1) * .5) + (1 - w) * exp(-(a - 1) * .5)) / (a - 1);
    pby_pairs pairs;
    arb_t ball;
    fmpq_t order;
    arb_init(ball);
    fmpq_init(order);
    fmpq_set_si(order, 3, 2);
    pairs_of(&pairs, "choosing:eps=1,counts=1/2");
    for (int i = 0; i < 2; i++) {
        const pby_curve *curve = pairs.pair[i].curve;
        cr_assert_eq(curve->class->renyi(ball, curve, order, 128, NULL), PBY_OK);
        cr_assert_float_eq(arf_get_d(arb_midref(ball), ARF_RND_NEAR), (i == 0 ? forward : backward) + count,
                           1e-12);
    }
    pby_pairs_clear(&pairs);
    fmpq_clear(order);
    arb_clear(ball);
}
