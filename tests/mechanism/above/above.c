#include "mechanism/above/above.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probity/certificate.h"
#include "probity/enclosure.h"
#include "probity/loss.h"

/* The law of the first answer that reaches the threshold, from the definition: a sum over the threshold's
 * noise and products over the answers, in long double. Answers are relative to the threshold. */
enum { REACH = 400, MOST = 4 };

static long double mass(long double a, long t)
{
    return (1 - a) / (1 + a) * powl(a, labs(t));
}

/* P(V >= t) */
static long double upper(long double a, long t)
{
    return t > 0 ? powl(a, t) / (1 + a) : 1 - powl(a, 1 - t) / (1 + a);
}

/* law[k] for k < n: the k-th is the first; law[n]: none is. */
static void first_above(long double *law, const long *answer, size_t n, double eps, long d)
{
    const long double a = expl(-(long double)eps / (2 * d)), b = expl(-(long double)eps / (4 * d));
    for (size_t k = 0; k <= n; k++)
        law[k] = 0;
    for (long t = -REACH; t <= REACH; t++) {
        long double below = mass(a, t);
        for (size_t k = 0; k < n; k++) {
            law[k] += below * upper(b, t - answer[k]);
            below *= 1 - upper(b, t - answer[k]);
        }
        law[n] += below;
    }
}

static long double hockey(const long double *p, const long double *q, size_t n, double epsilon)
{
    long double delta = 0;
    for (size_t i = 0; i < n; i++)
        delta += fmaxl(0, p[i] - expl(epsilon) * q[i]);
    return delta;
}

static void loss(double *lo, double *hi, const char *text, double epsilon)
{
    pby_spec *spec;
    pby_error err;
    pby_enclosure delta;
    mpq_t e;
    mpq_init(e);
    mpq_set_d(e, epsilon);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, e, 9, &err), PBY_OK, "%s", err.text);
    *lo = mpfr_get_d(delta.lo, MPFR_RNDD);
    *hi = mpfr_get_d(delta.hi, MPFR_RNDU);
    pby_enclosure_clear(&delta);
    pby_spec_free(spec);
    mpq_clear(e);
}

struct worst {
    const char *spec;
    double eps;
    long d;
    double epsilon, lo, hi;
    long double found;
};

/* All answers from -2 to 2 on the one input, and all on the other that differ by at most d. */
static void walk(struct worst *w, long *x, long *y, size_t at, size_t n)
{
    if (at == n) {
        long double p[MOST + 1], q[MOST + 1];
        first_above(p, x, n, w->eps, w->d);
        first_above(q, y, n, w->eps, w->d);
        w->found = fmaxl(w->found, hockey(p, q, n + 1, w->epsilon));
        return;
    }
    for (x[at] = -2; x[at] <= 2; x[at]++)
        for (y[at] = x[at] - w->d; y[at] <= x[at] + w->d; y[at] += w->d)
            walk(w, x, y, at + 1, n);
}

/* No stream of two answers is worse than the pair, and one of one answer is as bad as the attained pairs. */
Test(above, no_stream_is_worse_than_the_pair)
{
    static const struct {
        const char *spec;
        double eps;
        long d;
    } rows[] = {{"above:eps=1", 1, 1}, {"above:eps=4", 4, 1}, {"above:eps=2,sensitivity=2", 2, 2}};
    static const double at[] = {-0.5, 0, 0.25, 0.75, 1.5};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < sizeof at / sizeof *at; j++)
            for (size_t n = 1; n <= 2; n++) {
                long x[MOST], y[MOST];
                struct worst w = {rows[i].spec, rows[i].eps, rows[i].d, at[j], 0, 0, 0};
                loss(&w.lo, &w.hi, w.spec, w.epsilon);
                walk(&w, x, y, 0, n);
                cr_assert(w.found <= w.hi + 1e-12L, "%s at %g: %Lg above %g", w.spec, w.epsilon, w.found,
                          w.hi);
                cr_assert(w.found >= w.lo - 1e-9L, "%s at %g: %Lg below %g", w.spec, w.epsilon, w.found,
                          w.lo);
            }
}

/* A long stream comes near the pure loss, which the pair allows and no more: answers that the neighbour has
 * one lower, and behind them one that it has one higher. */
Test(above, a_long_stream_comes_near_the_pure_loss)
{
    enum { LONG = 100 };
    long x[LONG], y[LONG];
    long double p[LONG + 1], q[LONG + 1];
    double lo, hi;
    for (size_t i = 0; i + 1 < LONG; i++) {
        x[i] = 0;
        y[i] = 1;
    }
    x[LONG - 1] = 0;
    y[LONG - 1] = -1;
    first_above(p, x, LONG, 1, 1);
    first_above(q, y, LONG, 1, 1);
    cr_assert(logl(p[LONG - 1] / q[LONG - 1]) > 0.95L, "%Lg", logl(p[LONG - 1] / q[LONG - 1]));
    cr_assert(logl(p[LONG - 1] / q[LONG - 1]) <= 1 + 1e-9L);
    loss(&lo, &hi, "above:eps=1", 1);
    cr_assert_eq(hi, 0);
}

/* Never more than pure privacy at the same eps allows, alone and together. */
Test(above, it_costs_less_than_pure_privacy)
{
    static const double at[] = {0, 0.5, 1};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        double lo, above, pure;
        loss(&lo, &above, "above:eps=1", at[i]);
        loss(&lo, &pure, "pure:eps=1", at[i]);
        cr_assert_leq(above, pure);
        loss(&lo, &above, "20*above:eps=1/5", at[i]);
        loss(&lo, &pure, "20*pure:eps=1/5", at[i]);
        cr_assert_lt(above, pure);
    }
}

/* The two laws: rate eps/(2 D) for the threshold, half of it for the answers. */
Test(above, the_laws)
{
    pby_spec *spec;
    const char *text = "above:eps=3,sensitivity=2";
    pby_law *law[2];
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    cr_assert_eq(pby_above_threshold(&law[0], &spec->use[0].mechanism, NULL), PBY_OK);
    cr_assert_eq(pby_above_answer(&law[1], &spec->use[0].mechanism, NULL), PBY_OK);
    for (int i = 0; i < 2; i++) {
        const long double a = expl(i == 0 ? -3.0L / 4 : -3.0L / 8);
        arb_t ball;
        arb_init(ball);
        pby_law_mass_arb(ball, law[i], 5, 64);
        cr_assert(fabsl(arf_get_d(arb_midref(ball), ARF_RND_NEAR) - mass(a, 5)) < 1e-12L);
        arb_clear(ball);
        pby_law_free(law[i]);
    }
    pby_spec_free(spec);
}

/* Certificates of one use and of several are verified, wide as they are. */
Test(above, certificates_hold)
{
    static const char *const specs[] = {"above:eps=1", "3*above:eps=1/2,sensitivity=2"};
    for (size_t i = 0; i < 2; i++) {
        pby_spec *spec;
        pby_error err;
        char *text;
        mpq_t epsilon;
        mpq_init(epsilon);
        mpq_set_ui(epsilon, 1, 2);
        cr_assert_eq(pby_spec_parse(&spec, &specs[i], 1, NULL), PBY_OK);
        cr_assert_eq(pby_certify(&text, spec, PBY_ADD_REMOVE, epsilon, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_verify(NULL, text, strlen(text), &err), PBY_OK, "%s", err.text);
        free(text);
        pby_spec_free(spec);
        mpq_clear(epsilon);
    }
}
