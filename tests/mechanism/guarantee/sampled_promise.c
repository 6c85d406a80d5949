/* SPDX-License-Identifier: MIT */
/* Promises of pure and approximate privacy on a Poisson sample, against sums over the four outcomes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "probity/compat.h"

static void ask(double *lo, double *hi, pby_question question, const char *text, const char *at)
{
    pby_spec *spec = NULL;
    pby_decimals d;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK, "%s", text);
    cr_assert_eq(pby_loss_text(&d, NULL, question, spec, PBY_ADD_REMOVE, at, "1/1000000000", 12, NULL),
                 PBY_OK);
    *lo = strtod(d.lo, NULL);
    *hi = strtod(d.hi, NULL);
    pby_spec_free(spec);
}

/* The worse of ((1-q)Q + qP, Q) and its reverse, P and Q the worst that are (e, d)-private. */
static double delta_of(double e, double d, double q, double epsilon)
{
    const double x = exp(epsilon), big = (1 - d) * exp(e) / (1 + exp(e)), small = (1 - d) / (1 + exp(e));
    const double P[] = {d, big, small, 0}, Q[] = {0, small, big, d};
    double removal = 0, addition = 0;
    for (int i = 0; i < 4; i++) {
        const double mixed = (1 - q) * Q[i] + q * P[i];
        removal += fmax(0, mixed - x * Q[i]);
        addition += fmax(0, Q[i] - x * mixed);
    }
    return fmax(removal, addition);
}

Test(sampled_promise, is_the_sampled_pair)
{
    static const struct {
        const char *spec, *epsilon;
        double e, d, q;
    } known[] = {
        {"pure:eps=1,sample=1/10", "1/10", 1, 0, 0.1},
        {"pure:eps=1,sample=1/10", "0", 1, 0, 0.1},
        {"pure:eps=2,sample=1/2", "1/2", 2, 0, 0.5},
        {"approx:eps=1,delta=1/100,sample=1/4", "1/5", 1, 0.01, 0.25},
        {"approx:eps=3,delta=1/10,sample=1/3", "1", 3, 0.1, 1.0 / 3},
        {"approx:eps=1/2,delta=1/100,sample=1", "1/4", 0.5, 0.01, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double lo, hi, e = strtod(known[i].epsilon, NULL);
        const char *slash = strchr(known[i].epsilon, '/');
        if (slash != NULL)
            e /= strtod(slash + 1, NULL);
        const double expected = delta_of(known[i].e, known[i].d, known[i].q, e);
        ask(&lo, &hi, PBY_ASK_DELTA, known[i].spec, known[i].epsilon);
        cr_assert(lo <= expected * (1 + 1e-10) && expected <= hi * (1 + 1e-10) && hi - lo < 1e-8,
                  "%s: [%g, %g] and %g", known[i].spec, lo, hi, expected);
    }
}

Test(sampled_promise, known_answers)
{
    static const struct {
        const char *spec, *delta;
        double epsilon;
    } known[] = {
        {"approx:eps=6.8,delta=4.08e-8,sample=0.124", "5.0592e-9", 4.72036378},
        {"pure:eps=1,sample=1/10", "0", 0.158565079},
        {"10*approx:eps=1,delta=1e-6,sample=1/10", "1e-5", 1.32882222},
        {"10*approx:eps=1,delta=1e-6,sample=1/10", "1e-4", 1.11367075},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double lo, hi;
        ask(&lo, &hi, PBY_ASK_EPSILON, known[i].spec, known[i].delta);
        cr_assert(fabs(lo - known[i].epsilon) < 1e-8 && fabs(hi - known[i].epsilon) < 1e-8,
                  "%s: [%.10g, %.10g]", known[i].spec, lo, hi);
    }
}
