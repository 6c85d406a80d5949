/* SPDX-License-Identifier: MIT */
/* Matrix mechanisms, against all steps that a record may be in and sums over all outcomes, in doubles. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "probity/compat.h"
#include "tests/cli/run.h"
#include "tests/spec.h"

static void ask(double *lo, double *hi, pby_question question, const char *text, const char *at)
{
    pby_spec *spec = spec_of(text);
    pby_decimals d;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_loss_text(&d, NULL, question, spec, PBY_ADD_REMOVE, at, NULL, 12, &err), PBY_OK,
                 "%s: %s", text, err.text);
    *lo = strtod(d.lo, NULL);
    *hi = strtod(d.hi, NULL);
    pby_spec_free(spec);
}

static void expect(pby_question question, const char *text, const char *at, double answer, double error)
{
    double lo, hi;
    ask(&lo, &hi, question, text, at);
    cr_assert(fabs(lo - answer) <= error && fabs(hi - answer) <= error, "%s: [%.12g, %.12g], not %.12g", text,
              lo, hi, answer);
}

/* ---- the worst steps ----------------------------------------------------------------------------- */

enum { STEPS_MOST = 9 };

struct stream {
    int steps, participations, separation, count;
    double band[STEPS_MOST];
};

/* The squared length of what a record in the steps of a set moves; -1 where it may not be in these. */
static double squared(const struct stream *s, unsigned set)
{
    double row[STEPS_MOST] = {0}, sum = 0;
    int last = -STEPS_MOST, members = 0;
    for (int i = 0; i < s->steps; i++) {
        if (!(set >> i & 1))
            continue;
        if (i - last < s->separation || ++members > s->participations)
            return -1;
        last = i;
        for (int j = 0; j < s->count && i + j < s->steps; j++)
            row[i + j] += s->band[j];
    }
    for (int t = 0; t < s->steps; t++)
        sum += row[t] * row[t];
    return sum;
}

static double worst(const struct stream *s)
{
    double most = 0;
    for (unsigned set = 0; set < 1u << s->steps; set++)
        most = fmax(most, squared(s, set));
    return most;
}

static void print(char *text, size_t size, const struct stream *s)
{
    int n = snprintf(text, size, "matrix:sigma2=2,steps=%d,participations=%d,separation=%d,bands=", s->steps,
                     s->participations, s->separation);
    for (int j = 0; j < s->count; j++)
        n += snprintf(text + n, size - (size_t)n, "%s%.2f", j == 0 ? "" : ";", s->band[j]);
}

/* Bands that fall and bands that rise and fall, columns that overlap and do not. */
Test(family_matrix, no_steps_are_worse)
{
    uint64_t state = 1;
    for (int round = 0; round < 60; round++) {
        struct stream s = {.band = {0}};
        int *const part[] = {&s.steps, &s.participations, &s.separation, &s.count};
        const int most[] = {STEPS_MOST, 4, 4, 5};
        for (int i = 0; i < 4; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            *part[i] = 1 + (int)(state >> 33) % most[i];
        }
        s.count = s.count < s.steps ? s.count : s.steps;
        for (int j = 0; j < s.count; j++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            s.band[j] = (double)((state >> 33) % 100) / 100;
            if (round % 2 == 0 && j > 0)
                s.band[j] = fmin(s.band[j], s.band[j - 1]);
        }
        s.band[0] = fmax(s.band[0], 0.01);
        char text[256];
        print(text, sizeof text, &s);
        expect(PBY_ASK_RHO, text, NULL, worst(&s) / 4, 1e-9);
    }
}

/* Numbers that were computed elsewhere. */
Test(family_matrix, known_answers)
{
    expect(PBY_ASK_RHO, "matrix:sigma2=1,steps=8,bands=sqrt,participations=2,separation=4", NULL,
           18034413.0 / 4194304 / 2, 1e-10);
    expect(PBY_ASK_EPSILON, "matrix:sigma2=4,steps=8,bands=sqrt,participations=2,separation=4", "1e-6",
           5.09192388, 1e-8);
    expect(PBY_ASK_RHO, "matrix:sigma2=1,steps=12,bands=sqrt,width=4,participations=3,separation=4", NULL,
           1143.0 / 512, 1e-10);
    expect(PBY_ASK_RHO, "matrix:sigma2=1,steps=5,bands=1;0;3/2;0;0,participations=2", NULL, 4.75, 1e-10);
}

Test(family_matrix, is_a_gaussian_and_several_are_one)
{
    expect(PBY_ASK_MU, "matrix:sigma2=4,steps=2,bands=1;1/2,sensitivity=2", NULL, sqrt(1.25), 1e-10);
    expect(PBY_ASK_RHO, "3*matrix:sigma2=4,steps=2,bands=1;1/2 gauss:sigma2=1", NULL, 3 * 1.25 / 8 + 0.5,
           1e-10);
}

/* The columns of one group of samples, as a list of Gaussians. */
Test(family_matrix, samples_are_a_list)
{
    static const char *const same[] = {
        "matrix:sigma2=4,steps=20,bands=1;1/2;3/8;5/16,separation=4,sample=1/10",
        "5*gauss:sigma2=1024/381,sample=1/10",
        "matrix:sigma2=4,steps=18,bands=1;1/2;3/8;5/16,separation=4,sample=1/10",
        "4*gauss:sigma2=1024/381,sample=1/10 gauss:sigma2=16/5,sample=1/10"};
    for (size_t i = 0; i < 4; i += 2) {
        double lo[2], hi[2];
        ask(&lo[0], &hi[0], PBY_ASK_DELTA, same[i], "1/2");
        ask(&lo[1], &hi[1], PBY_ASK_DELTA, same[i + 1], "1/2");
        cr_assert(lo[0] <= hi[1] && lo[1] <= hi[0] && hi[0] - lo[0] < 0.011 * hi[0],
                  "%s: [%g, %g] and [%g, %g]", same[i], lo[0], hi[0], lo[1], hi[1]);
    }
}

/* ---- a grid -------------------------------------------------------------------------------------- */

/* The hockey-stick divergence of discrete noise on two integers that move by v and w, outcome by outcome. */
static double summed(double sigma2, int v, int w, double epsilon)
{
    enum { FAR = 80 };
    double all = 0, excess = 0;
    for (int k = -FAR; k <= FAR; k++)
        all += exp(-k * k / (2 * sigma2));
    for (int i = -FAR; i <= FAR; i++)
        for (int j = -FAR; j <= FAR; j++) {
            const double p = exp(-(i * i + j * j) / (2 * sigma2));
            const double q = exp(-((i - v) * (i - v) + (j - w) * (j - w)) / (2 * sigma2));
            excess += fmax(0, p - exp(epsilon) * q);
        }
    return excess / all / all;
}

Test(family_matrix, a_grid_is_enclosed)
{
    static const struct {
        const char *text;
        double sigma2;
        int v, w;
    } known[] = {{"matrix:sigma2=16,steps=2,bands=1;1/2,grid=1/2", 64, 2, 1},
                 {"matrix:sigma2=25,steps=2,bands=2;1,participations=2,grid=1", 25, 2, 3},
                 {"matrix:sigma2=9,steps=2,bands=sqrt,sensitivity=3,grid=1/2", 36, 6, 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int tenths = 0; tenths <= 10; tenths += 5) {
            char at[8];
            double lo, hi;
            snprintf(at, sizeof at, "%d/10", tenths);
            const double delta = summed(known[i].sigma2, known[i].v, known[i].w, tenths / 10.0);
            ask(&lo, &hi, PBY_ASK_DELTA, known[i].text, at);
            cr_assert(lo <= delta * (1 + 1e-9) && delta <= hi * (1 + 1e-9),
                      "%s at %s: [%.10g, %.10g], not %.10g", known[i].text, at, lo, hi, delta);
            cr_assert_lt(hi - lo, 0.2 * hi, "%s at %s: [%g, %g]", known[i].text, at, lo, hi);
        }
}

/* The divergence of order 1 of discrete noise is that of continuous noise, and no divergence is above its
 * line. */
Test(family_matrix, rho_on_a_grid_lies_below_that_of_the_line)
{
    double lo, hi;
    ask(&lo, &hi, PBY_ASK_RHO, "matrix:sigma2=1,steps=2,bands=1;1/2,grid=1/2", NULL);
    cr_assert(lo <= 0.625 && fabs(hi - 0.625) < 1e-9, "[%.9g, %.9g]", lo, hi);
}

/* On a fine grid next to nothing is lost. */
Test(family_matrix, a_fine_grid_is_nearly_continuous)
{
    double lo, hi;
    ask(&lo, &hi, PBY_ASK_EPSILON, "matrix:sigma2=100,steps=4096,bands=sqrt,grid=1/4096", "1e-6");
    cr_assert(lo > 0.7995 && hi < 0.7996 && hi - lo < 1e-5, "[%.9g, %.9g]", lo, hi);
}

/* ---- refusals ------------------------------------------------------------------------------------ */

Test(family_matrix, refuses_what_does_not_go_together)
{
    static const char *const refused[][2] = {
        {"matrix:sigma2=1,steps=3,bands=1;x", "matrix:bands '1;x'"},
        {"matrix:sigma2=1,steps=3,bands=", "matrix:bands ''"},
        {"matrix:sigma2=1,steps=3,bands=0;0", "not all 0"},
        {"matrix:sigma2=1,steps=3,bands=1;-1", "rationals from 0 on"},
        {"matrix:sigma2=1,steps=3,bands=1;1;1;1", "matrix:steps '3'"},
        {"matrix:sigma2=1,steps=4097,bands=1", "at most 4096"},
        {"matrix:sigma2=1,steps=3,bands=1,width=2", "bands=sqrt alone"},
        {"matrix:sigma2=1,steps=9,bands=1;1/3,grid=1/64", "multiple"},
        {"matrix:sigma2=1,steps=9,bands=0;1,grid=1", "first of the bands"},
        {"matrix:sigma2=1/9,steps=9,bands=1,grid=1", "square of the grid"},
        {"matrix:sigma2=9,steps=9,bands=1,grid=1,sensitivity=1/2", "a whole sensitivity"},
        {"matrix:sigma2=1,steps=25,bands=1;2,participations=2", "at most 24"},
        {"matrix:sigma2=1,steps=9,bands=1;1,sample=1/2", "separation"},
        {"matrix:sigma2=1,steps=9,bands=1,sample=1/2,participations=2", "without participations"},
        {"matrix:sigma2=1,steps=9,bands=1,sample=1/2,grid=1", "sample or grid"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        PBY_REFUSED(2, refused[i][1], NULL, "loss", refused[i][0], "--epsilon", "1");
}

Test(family_matrix, the_text_of_bands_is_canonical)
{
    pby_spec *spec = spec_of("matrix:sigma2=4,bands=1.0;0.50;6/16,steps=3,separation=1");
    cr_assert_str_eq(pby_spec_text(spec), "matrix:sigma2=4,steps=3,bands=1;1/2;3/8");
    pby_spec_free(spec);
}
