/* SPDX-License-Identifier: MIT */
#include "mechanism/above/above.h"
#include "probity/experimental/losses.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probity/certificate.h"
#include "probity/enclosure.h"
#include "probity/loss.h"
#include "probity/select.h"
#include "tests/claims/decide.h"

/* The law of the first answer that reaches the threshold, from the definition: a sum over the threshold's
 * noise and products over the answers, in long double. Answers are relative to the threshold. */
enum { REACH = 160, FAR = REACH + 40, MOST = 4 };

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
static void first_above(long double *law, const long *answer, size_t n, double eps, long d, bool monotone)
{
    const long double a = expl(-(long double)eps / (2 * d)),
                      b = expl(-(long double)eps / ((monotone ? 2 : 4) * d));
    static long double reaches[2 * FAR + 1], masses[2 * REACH + 1], last_a, last_b;
    if (a != last_a || b != last_b) {
        for (long t = -FAR; t <= FAR; t++)
            reaches[t + FAR] = upper(b, t);
        for (long t = -REACH; t <= REACH; t++)
            masses[t + REACH] = mass(a, t);
        last_a = a;
        last_b = b;
    }
    for (size_t k = 0; k <= n; k++)
        law[k] = 0;
    for (long t = -REACH; t <= REACH; t++) {
        long double below = masses[t + REACH];
        for (size_t k = 0; k < n; k++) {
            const long double yes = reaches[t - answer[k] + FAR];
            law[k] += below * yes;
            below *= 1 - yes;
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

static void loss_of(double *lo, double *hi, const pby_spec *spec, double epsilon)
{
    pby_error err;
    pby_enclosure delta;
    mpq_t e;
    mpq_init(e);
    mpq_set_d(e, epsilon);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_ADD_REMOVE, e, 9, &err), PBY_OK, "%s", err.text);
    *lo = mpfr_get_d(delta.lo, MPFR_RNDD);
    *hi = mpfr_get_d(delta.hi, MPFR_RNDU);
    pby_enclosure_clear(&delta);
    mpq_clear(e);
}

static void loss(double *lo, double *hi, const char *text, double epsilon)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s", err.text);
    loss_of(lo, hi, spec, epsilon);
    pby_spec_free(spec);
}

enum { EPSILONS = 7 };

static const double at_epsilon[EPSILONS] = {-0.75, -0.5, 0, 0.25, 0.75, 1.5, 7};

struct worst {
    double eps;
    long d;
    bool monotone;
    long double found[EPSILONS];
};

/* All answers from -3 d to d on the one input, and all on the other that differ by at most d; of monotone
 * queries those that are all higher, or all lower. */
static void walk(struct worst *w, long *x, long *y, size_t at, size_t n)
{
    if (at == n) {
        long double p[MOST + 1], q[MOST + 1];
        first_above(p, x, n, w->eps, w->d, w->monotone);
        first_above(q, y, n, w->eps, w->d, w->monotone);
        for (size_t i = 0; i < EPSILONS; i++) {
            w->found[i] = fmaxl(w->found[i], hockey(p, q, n + 1, at_epsilon[i]));
            if (w->monotone)
                w->found[i] = fmaxl(w->found[i], hockey(q, p, n + 1, at_epsilon[i]));
        }
        return;
    }
    for (x[at] = -3 * w->d; x[at] <= w->d; x[at]++)
        for (y[at] = x[at] - (w->monotone ? 0 : w->d); y[at] <= x[at] + w->d; y[at] += w->d)
            walk(w, x, y, at + 1, n);
}

/* No stream of two answers is worse than the pair, where queries move either way and where they only rise. */
Test(above, no_stream_is_worse_than_the_pair)
{
    static const struct {
        const char *spec;
        double eps;
        long d;
        bool monotone;
    } rows[] = {{"above:eps=1", 1, 1, false},
                {"above:eps=4", 4, 1, false},
                {"above:eps=2,sensitivity=2", 2, 2, false},
                {"above:eps=1,queries=monotone", 1, 1, true},
                {"above:eps=2,sensitivity=2,queries=monotone", 2, 2, true},
                {"above:eps=12,sensitivity=3,queries=monotone", 12, 3, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        long x[MOST], y[MOST];
        struct worst w = {.eps = rows[i].eps, .d = rows[i].d, .monotone = rows[i].monotone};
        walk(&w, x, y, 0, 2);
        for (size_t j = 0; j < EPSILONS; j++) {
            double lo, hi;
            loss(&lo, &hi, rows[i].spec, at_epsilon[j]);
            cr_assert(w.found[j] <= hi + 1e-12L, "%s at %g: %Lg above %g", rows[i].spec, at_epsilon[j],
                      w.found[j], hi);
            cr_assert_leq(lo, hi, "%s at %g", rows[i].spec, at_epsilon[j]);
        }
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
    first_above(p, x, LONG, 1, 1, false);
    first_above(q, y, LONG, 1, 1, false);
    cr_assert(logl(p[LONG - 1] / q[LONG - 1]) > 0.95L, "%Lg", logl(p[LONG - 1] / q[LONG - 1]));
    cr_assert(logl(p[LONG - 1] / q[LONG - 1]) <= 1 + 1e-9L);
    loss(&lo, &hi, "above:eps=1", 1);
    cr_assert_eq(hi, 0);
}

/* Monotone queries: the longer the stream that rises by one, the nearer to e the loss from fewer records to
 * more; the other way it never passes e/2, so that of two hundred streams of 50 answers neither way is above
 * the pair. */
Test(above, rising_answers_lose_half_as_much_the_other_way)
{
    enum { LONG = 50, STREAMS = 200 };
    uint64_t state = 7;
    long double greatest[2] = {0, 0};
    double lo, hi[9];
    for (int i = 0; i < 9; i++)
        loss(&lo, &hi[i], "above:eps=1,queries=monotone", i / 4.0 - 1);
    for (int i = 0; i < STREAMS; i++) {
        long x[LONG], y[LONG];
        long double p[LONG + 1], q[LONG + 1];
        for (size_t j = 0; j < LONG; j++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            x[j] = (long)(state >> 60) - (i % 2 == 0 ? 12 : 4);
            y[j] = x[j] + (i < 4 ? (j + 1 < LONG) : (long)(state >> 59 & 1));
        }
        first_above(p, x, LONG, 1, 1, true);
        first_above(q, y, LONG, 1, 1, true);
        for (size_t k = 0; k <= LONG; k++) {
            greatest[0] = fmaxl(greatest[0], logl(p[k] / q[k]));
            greatest[1] = fmaxl(greatest[1], logl(q[k] / p[k]));
        }
        for (int k = 0; k < 9; k++) {
            cr_assert(hockey(p, q, LONG + 1, k / 4.0 - 1) <= hi[k] + 1e-12L, "%d at %d", i, k);
            cr_assert(hockey(q, p, LONG + 1, k / 4.0 - 1) <= hi[k] + 1e-12L, "%d at %d", i, k);
        }
    }
    cr_assert(greatest[0] > 0.9L && greatest[0] <= 1 + 1e-9L, "%Lg", greatest[0]);
    cr_assert(greatest[1] > 0.4L && greatest[1] <= 0.5L + 1e-9L, "%Lg", greatest[1]);
}

/* Against a threshold that is known and answers at it: `more` that must stay below, and then without an end
 * one that must stay below and one that counts. On the other input the former are higher and the latter
 * lower. Built from its end. */
static long double known_threshold(int more, double epsilon)
{
    long double chance[2] = {0, 0};
    const long double b = expl(-0.25L), stays = 1 / (1 + b);
    for (int i = 0; i < 400 + more; i++) {
        const bool counts = i % 2 == 0 && i < 400;
        const long double below[2] = {counts ? 1 - stays : stays, counts ? 1 - b * stays : b * stays};
        for (int k = 0; k < 2; k++)
            chance[k] = (counts ? 1 - below[k] : 0) + below[k] * chance[k];
    }
    return chance[0] - expl((long double)epsilon) * chance[1];
}

/* That is what the bound allows up to three quarters of eps. */
Test(above, a_known_threshold_reaches_the_bound)
{
    for (int more = 0; more < 4; more++) {
        double lo, hi;
        const double epsilon = more / 4.0;
        loss(&lo, &hi, "above:eps=1", epsilon);
        cr_assert(fabsl(known_threshold(more, epsilon) - hi) < 1e-8L, "%g: %Lg, %g", epsilon,
                  known_threshold(more, epsilon), hi);
    }
}

/* Two records, of which one may come and the other go: answers move from -1 to 1, or from 0 to 2, or from -2
 * to 0. The bound holds for all streams of three answers in a box. Of changed records it says nothing. */
Test(above, a_group_of_monotone_queries_is_within_its_bound)
{
    enum { BOX = 5 * 5 * 5, MOVES = 27 };
    long double worst[EPSILONS] = {0};
    for (long down = 0; down <= 2; down++)
        for (int code = 0; code < BOX * MOVES; code++) {
            const int b = code % BOX, m = code / BOX;
            const long x[3] = {b % 5 - 3, b / 5 % 5 - 3, b / 25 - 3};
            const long y[3] = {x[0] - down + m % 3, x[1] - down + m / 3 % 3, x[2] - down + m / 9};
            long double p[4], q[4];
            first_above(p, x, 3, 1, 1, true);
            first_above(q, y, 3, 1, 1, true);
            for (size_t i = 0; i < EPSILONS; i++)
                worst[i] = fmaxl(worst[i], hockey(p, q, 4, at_epsilon[i]));
        }
    const char *text = "above:eps=1,queries=monotone";
    pby_spec *spec, *group;
    pby_error err;
    pby_enclosure delta;
    mpq_t e;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    cr_assert_eq(pby_spec_group(&group, spec, 2, NULL), PBY_OK);
    cr_assert_str_eq(pby_spec_text(group), "above:eps=2,sensitivity=2");
    for (size_t i = 0; i < EPSILONS; i++) {
        double lo, hi;
        loss_of(&lo, &hi, group, at_epsilon[i]);
        cr_assert(lo <= hi && worst[i] <= hi + 1e-12L, "%g: %Lg not in [%g, %g]", at_epsilon[i], worst[i], lo,
                  hi);
        cr_assert(at_epsilon[i] < 0 || at_epsilon[i] > 1 || lo > 0.05, "%g: %g", at_epsilon[i], lo);
    }
    mpq_init(e);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_loss_delta(&delta, group, PBY_SUBSTITUTE, e, 9, &err), PBY_BAD);
    pby_enclosure_clear(&delta);
    mpq_clear(e);
    pby_spec_free(group);
    pby_spec_free(spec);
}

/* A changed record moves counts both ways. */
Test(above, monotone_queries_are_about_add_remove)
{
    pby_spec *spec;
    pby_error err;
    pby_enclosure delta;
    mpq_t e;
    const char *text = "above:eps=1,queries=monotone";
    mpq_init(e);
    pby_enclosure_init(&delta);
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    cr_assert_eq(pby_loss_delta(&delta, spec, PBY_SUBSTITUTE, e, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "queries=general"), "%s", err.text);
    pby_enclosure_clear(&delta);
    pby_spec_free(spec);
    mpq_clear(e);
}

/* Never more than pure privacy at the same eps allows, alone and together. */
Test(above, it_costs_less_than_pure_privacy)
{
    static const double at[] = {0, 0.5, 1};
    double lo, above, pure;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        loss(&lo, &above, "above:eps=1", at[i]);
        loss(&lo, &pure, "pure:eps=1", at[i]);
        cr_assert_leq(above, pure);
    }
    loss(&lo, &above, "20*above:eps=1/5", 0.5);
    loss(&lo, &pure, "20*pure:eps=1/5", 0.5);
    cr_assert_lt(above, pure);
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

/* select finds the greatest eps of twenty positive answers by exact composition of the bound.
 * claims: Survey/Theorem 6.4 */
Test(above, select_composes_the_bound)
{
    pby_choice *choice;
    pby_error err;
    mpq_t epsilon, delta;
    mpq_inits(epsilon, delta, NULL);
    mpq_set_ui(epsilon, 3, 1);
    mpq_set_str(delta, "1/1000000", 10);
    const pby_target target = {.relation = PBY_ADD_REMOVE, .epsilon = epsilon, .delta = delta, .uses = 20};
    double lo, hi;
    cr_assert_eq(pby_select(&choice, "above:queries=monotone", &target, &err), PBY_OK, "%s", err.text);
    loss(&lo, &hi, pby_spec_text(choice->chosen.spec), 3);
    cr_assert(claims_le_d(CLAIMS_ALL, hi, 1e-6));
    loss(&lo, &hi, pby_spec_text(choice->better.spec), 3);
    cr_assert_gt(hi, 1e-6);
    cr_assert_gt(mpq_get_d(choice->chosen.value), 3.0 / 20);
    pby_choice_free(choice);
    mpq_clears(epsilon, delta, NULL);
}

/* Certificates of one use and of several are verified, wide as they are. */
Test(above, certificates_hold)
{
    static const char *const specs[] = {"above:eps=1", "3*above:eps=1/2,sensitivity=2",
                                        "2*above:eps=1/2,sensitivity=2,queries=monotone"};
    for (size_t i = 0; i < 3; i++) {
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
