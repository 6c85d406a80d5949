/* SPDX-License-Identifier: MIT */
#include "audit/trace/two_laws.h"

#include <criterion/criterion.h>
#include <math.h>

#include "number/scoped.h"

static double density(pby_trace_law law, double t, double c, double s)
{
    const double x = (t - c) / s;
    return law == PBY_TRACE_LAPLACE ? exp(-fabs(x)) / (2 * s) : exp(-x * x / 2) / (s * sqrt(2 * M_PI));
}

/* The integral of the positive part of p - exp(e) q by the trapezoidal rule: an independent route. */
static double integral(pby_trace_law law, const double c[2], const double s[2], int p, double e)
{
    const double from = -400, to = 400, step = 1.0 / 1024;
    double sum = 0;
    for (double t = from; t < to; t += step) {
        const double x = density(law, t, c[p], s[p]) - exp(e) * density(law, t, c[1 - p], s[1 - p]);
        sum += x > 0 ? x : 0;
    }
    return sum * step;
}

Test(audit_trace_laws, the_bound_is_the_divergence)
{
    static const struct {
        pby_trace_law law;
        slong c[2], s[2], e;
    } cases[] = {{PBY_TRACE_LAPLACE, {0, 0}, {10, 5}, 4}, {PBY_TRACE_LAPLACE, {0, 3}, {5, 4}, 2},
                 {PBY_TRACE_LAPLACE, {3, 0}, {1, 4}, 0},  {PBY_TRACE_GAUSS, {0, 0}, {2, 1}, 4},
                 {PBY_TRACE_GAUSS, {1, -4}, {3, 4}, 3},   {PBY_TRACE_GAUSS, {0, 30}, {3, 4}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int reverse = 0; reverse < 2; reverse++) {
            pby_two_laws l = {.law = cases[i].law};
            PBY_FMPQ(e);
            PBY_ARB(delta);
            double c[2], s[2];
            pby_two_laws_init(&l);
            for (int j = 0; j < 2; j++) {
                fmpq_set_si(l.centre[j], cases[i].c[j], 1);
                fmpq_set_si(l.scale[j], cases[i].s[j], 1);
                c[j] = (double)cases[i].c[j];
                s[j] = (double)cases[i].s[j];
            }
            fmpq_set_si(e, cases[i].e, 4);
            pby_two_laws_delta(delta, &l, reverse, e, 128);
            const double got = arf_get_d(arb_midref(delta), ARF_RND_NEAR),
                         want = integral(l.law, c, s, reverse, (double)cases[i].e / 4);
            cr_assert(arb_rel_accuracy_bits(delta) > 60);
            cr_assert(fabs(got - want) < 1e-6, "case %zu reverse %d: %.9f and %.9f", i, reverse, got, want);
            pby_two_laws_clear(&l);
        }
}
