/* SPDX-License-Identifier: MIT */
/* The accuracy on given data, against an enumeration of all noise and of all records that may be dropped. */
#include <arb.h>
#include <criterion/criterion.h>
#include <flint/ulong_extras.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "law/law.h"
#include "mechanism/family.h"
#include "mechanism/run/noise_bars.h"
#include "probity.h"
#include "probity/experimental/parts.h"
#include "tests/law/fit.h"

enum { BARS = 3, FAR = 60 };

static pby_spec *spec_of(const char *text)
{
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    return spec;
}

/* The bar of a statistic, BARS for none; a count that is not above 0 holds no record. */
static size_t answer_of(const pby_statistic *s, const int64_t *y)
{
    int64_t held[BARS];
    size_t found, bars[BARS];
    for (size_t i = 0; i < BARS; i++)
        held[i] = y[i] > 0 ? y[i] : 0;
    cr_assert_eq(pby_statistic_bars(bars, &found, s, held, BARS, NULL), PBY_OK);
    return found == 0 ? BARS : bars[0];
}

/* The noise of a mechanism, and the counts that it publishes. */
struct machine {
    double mass[2 * FAR + 1];
    bool occupied;
    int64_t least;
};

static void machine_of(struct machine *m, const pby_spec *spec)
{
    const pby_mechanism *of = &spec->use[0].mechanism;
    pby_law *law;
    arb_t ball;
    arb_init(ball);
    cr_assert_eq(of->family->law(&law, of, NULL), PBY_OK);
    for (int64_t k = -FAR; k <= FAR; k++) {
        arb_zero(ball);
        if (k >= law->lo && k <= law->hi)
            pby_law_mass_arb(ball, law, k, 128);
        m->mass[k + FAR] = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    }
    const fmpq *least = pby_mechanism_value(of, PBY_ROLE_LEAST);
    m->least = least == NULL ? INT64_MIN : fmpz_get_si(fmpq_numref(least));
    m->occupied = least != NULL || strcmp(of->family->name, "stlap") == 0;
    pby_law_free(law);
    arb_clear(ball);
}

static int64_t publish(const struct machine *m, int64_t x, int64_t noise)
{
    if (m->occupied && x == 0)
        return 0;
    return x + noise < m->least ? 0 : x + noise;
}

static void law_of(double *chance, const struct machine *m, const pby_statistic *s, const int64_t *x)
{
    memset(chance, 0, (BARS + 1) * sizeof *chance);
    for (int64_t a = -FAR; a <= FAR; a++)
        for (int64_t b = -FAR; b <= FAR && m->mass[a + FAR] > 0; b++)
            for (int64_t c = -FAR; c <= FAR && m->mass[b + FAR] > 0; c++) {
                const int64_t y[BARS] = {publish(m, x[0], a), publish(m, x[1], b), publish(m, x[2], c)};
                if (m->mass[c + FAR] > 0)
                    chance[answer_of(s, y)] += m->mass[a + FAR] * m->mass[b + FAR] * m->mass[c + FAR];
            }
}

static void explain(bool *good, const pby_statistic *s, const int64_t *x, int64_t may_go)
{
    memset(good, 0, (BARS + 1) * sizeof *good);
    for (int64_t a = 0; a <= x[0]; a++)
        for (int64_t b = 0; b <= x[1]; b++)
            for (int64_t c = 0; c <= x[2]; c++) {
                const int64_t y[BARS] = {a, b, c};
                if (x[0] + x[1] + x[2] - a - b - c <= may_go)
                    good[answer_of(s, y)] = true;
            }
}

static double apart(const double *at, size_t i, size_t j)
{
    if (i == j)
        return 0;
    return i == BARS || j == BARS ? at[BARS - 1] - at[0] : fabs(at[i] - at[j]);
}

/* The farthest answers are left out, gamma in all; what is left is averaged, and the greatest is beta. */
static void flexible_of(double *mean, double *beta, const double *chance, const double *off, double gamma)
{
    double left[BARS + 1];
    memcpy(left, chance, sizeof left);
    for (size_t round = 0; round <= BARS; round++) {
        size_t far = BARS + 1;
        for (size_t i = 0; i <= BARS; i++)
            if (left[i] > 0 && (far > BARS || off[i] > off[far]))
                far = i;
        if (far > BARS)
            break;
        const double part = left[far] < gamma ? left[far] : gamma;
        left[far] -= part;
        gamma -= part;
        if (left[far] > 0)
            break;
    }
    *mean = *beta = 0;
    for (size_t i = 0; i <= BARS; i++) {
        *mean += left[i] * off[i];
        if (left[i] > 0 && off[i] > *beta)
            *beta = off[i];
    }
}

static double middle(const pby_enclosure *x)
{
    return (mpfr_get_d(x->lo, MPFR_RNDN) + mpfr_get_d(x->hi, MPFR_RNDN)) / 2;
}

static void check(const char *text, const pby_statistic *s, const int64_t *x, const char *alpha,
                  const char *gamma)
{
    static const double at[BARS] = {-1, 0.5, 4};
    pby_spec *spec = spec_of(text);
    pby_given_accuracy a;
    struct machine m;
    mpq_t place[BARS], part, lost;
    double chance[BARS + 1], off[BARS + 1], error = 0, mean, beta;
    bool good[BARS + 1];
    mpq_inits(part, lost, NULL);
    for (size_t i = 0; i < BARS; i++) {
        mpq_init(place[i]);
        mpq_set_d(place[i], at[i]);
    }
    cr_assert(mpq_set_str(part, alpha, 10) == 0 && mpq_set_str(lost, gamma, 10) == 0);
    pby_given_accuracy_init(&a);
    cr_assert_eq(pby_accuracy_given(&a, spec, s, x, *place, BARS, part, lost, 12, NULL), PBY_OK);
    machine_of(&m, spec);
    law_of(chance, &m, s, x);
    const int64_t records = x[0] + x[1] + x[2];
    explain(good, s, x, (int64_t)floor((double)records * mpq_get_d(part) + 1e-9));
    cr_assert_eq(a.truth, answer_of(s, x));
    for (size_t i = 0; i <= BARS; i++) {
        cr_assert_float_eq(middle(&a.law[i]), chance[i], 1e-9, "%s, %zu: %g not %g", text, i,
                           middle(&a.law[i]), chance[i]);
        cr_assert_eq(a.explained[i], good[i], "%s: answer %zu", text, i);
        error += chance[i] * apart(at, i, a.truth);
        off[i] = INFINITY;
        for (size_t j = 0; j <= BARS; j++)
            if (good[j] && apart(at, i, j) < off[i])
                off[i] = apart(at, i, j);
    }
    flexible_of(&mean, &beta, chance, off, mpq_get_d(lost));
    cr_assert_float_eq(middle(&a.error), error, 1e-8, "%s: %g not %g", text, middle(&a.error), error);
    cr_assert_float_eq(middle(&a.flexible), mean, 1e-8, "%s: %g not %g", text, middle(&a.flexible), mean);
    cr_assert(a.least);
    cr_assert_float_eq(mpq_get_d(a.beta), beta, 1e-12, "%s: %g not %g", text, mpq_get_d(a.beta), beta);
    pby_given_accuracy_clear(&a);
    for (size_t i = 0; i < BARS; i++)
        mpq_clear(place[i]);
    mpq_clears(part, lost, NULL);
    pby_spec_free(spec);
}

Test(given, is_what_an_enumeration_finds)
{
    static const char *const specs[] = {"stlap:eps=1,q=5", "geometric:eps=2", "threshold:eps=3/2,T=4",
                                        "dgauss:sigma2=2"};
    static const char *const alphas[] = {"0", "1/5", "1/2", "1"}, *const gammas[] = {"0", "1/100", "1/3"};
    static const pby_statistic statistics[] = {{.name = PBY_STATISTIC_MAX, .k = 1},
                                               {.name = PBY_STATISTIC_MIN_K, .k = 3},
                                               {.name = PBY_STATISTIC_MODE},
                                               {.name = PBY_STATISTIC_MAX_K, .k = 4},
                                               {.name = PBY_STATISTIC_MIN, .k = 1},
                                               {.name = PBY_STATISTIC_MEDIAN},
                                               {.name = PBY_STATISTIC_QUANTILE, .num = 3, .den = 4},
                                               {.name = PBY_STATISTIC_QUANTILE, .num = 1, .den = 1},
                                               {.name = PBY_STATISTIC_QUANTILE, .num = 0, .den = 1},
                                               {.name = PBY_STATISTIC_QUANTILE, .num = 2, .den = 7}};
    flint_rand_t state;
    flint_randinit(state);
    for (int round = 0; round < 60; round++) {
        const int64_t x[BARS] = {(int64_t)n_randint(state, 9), (int64_t)n_randint(state, 7),
                                 (int64_t)n_randint(state, 8)};
        const char *spec = specs[round % 4];
        const bool ends = round % 4 == 0; /* else gamma 0 leaves answers of any chance */
        check(spec, &statistics[round / 4 % 10], x, alphas[n_randint(state, 4)],
              gammas[ends ? n_randint(state, 3) : 1 + n_randint(state, 2)]);
    }
    flint_randclear(state);
}

/* Seeded releases against the law: a frequency is off by more than eps with a chance of at most
 * 2 exp(-2 n eps^2), below 1e-9 here for all answers together. */
Test(given, releases_have_the_law)
{
    enum { RELEASES = 20000 };
    static const int64_t x[BARS] = {30, 28, 29};
    const pby_statistic mode = {.name = PBY_STATISTIC_MODE};
    pby_spec *spec = spec_of("geometric:eps=1/2");
    pby_given_accuracy a;
    pby_release *release;
    mpq_t at[BARS], zero;
    size_t seen[BARS + 1] = {0};
    mpq_init(zero);
    for (size_t i = 0; i < BARS; i++) {
        mpq_init(at[i]);
        mpq_set_ui(at[i], i, 1);
    }
    pby_given_accuracy_init(&a);
    cr_assert_eq(pby_accuracy_given(&a, spec, &mode, x, *at, BARS, zero, zero, 9, NULL), PBY_OK);
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(11), NULL), PBY_OK);
    for (int i = 0; i < RELEASES; i++) {
        int64_t y[BARS];
        cr_assert_eq(pby_release_counts(release, x, y, BARS, NULL), PBY_OK);
        seen[answer_of(&mode, y)]++;
    }
    const double slack = sqrt(log(8e9) / 2 / RELEASES); /* 0.024 */
    for (size_t i = 0; i <= BARS; i++)
        cr_assert_float_eq((double)seen[i] / RELEASES, middle(&a.law[i]), slack);
    pby_release_free(release);
    pby_given_accuracy_clear(&a);
    for (size_t i = 0; i < BARS; i++)
        mpq_clear(at[i]);
    mpq_clear(zero);
    pby_spec_free(spec);
}

static pby_status ask(pby_accuracy_answer *answer, const pby_spec *spec, const pby_statistic *statistic,
                      const int64_t *counts, const char *const *at, size_t n, const char *alpha,
                      unsigned digits, pby_error *err)
{
    pby_value places[8] = {{NULL, NULL}};
    for (size_t i = 0; i < n; i++)
        places[i].text = at[i];
    const pby_accuracy_request request = {.ask = PBY_ACCURACY_GIVEN,
                                          .statistic = statistic,
                                          .counts = counts,
                                          .at = places,
                                          .bars = n,
                                          .alpha = {.text = alpha},
                                          .digits = digits};
    return pby_accuracy_ask(answer, spec, &request, err);
}

/* An impossible answer has no chance at all, so beta is exact at gamma 0. */
Test(given, what_cannot_happen_has_no_chance)
{
    static const int64_t x[] = {540, 500, 490, 0, 60, 1};
    static const char *const at[] = {"1", "2", "3", "4", "5", "6"};
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    const pby_statistic max = {.name = PBY_STATISTIC_MAX}, range = {.name = PBY_STATISTIC_RANGE},
                        median = {.name = PBY_STATISTIC_MEDIAN};
    pby_error err;
    pby_accuracy_answer answer;
    pby_accuracy_answer_init(&answer);
    cr_assert_eq(ask(&answer, spec, &max, x, at, 6, "1/1000", 9, NULL), PBY_OK);
    cr_assert_str_eq(answer.beta, "0"); /* 6 or 5, and the one record there may be dropped */
    cr_assert_str_eq(answer.flexible.hi, "0");
    cr_assert_eq(ask(&answer, spec, &median, x, at, 6, "0", 9, NULL), PBY_OK);
    cr_assert_str_eq(answer.beta, "0"); /* at most 80 of 1591 records go */
    cr_assert_str_eq(answer.error.hi, "0");
    cr_assert_eq(ask(&answer, spec, &range, x, at, 6, "0", 9, &err), PBY_BAD);
    cr_assert_str_eq(err.text,
                     "statistic 'range': expected max, min, max_k, min_k, mode, median or quantile");
    pby_spec_free(spec);
    spec = spec_of("laplace:scale=2,grid=1/2");
    cr_assert_eq(ask(&answer, spec, &max, x, at, 6, "0", 9, &err), PBY_BAD);
    pby_accuracy_answer_clear(&answer);
    pby_spec_free(spec);
}

/* ---- answers that are published ---------------------------------------------------------------------- */

/* Seeded answers against the law, as above. */
static void check_answers(const char *text, const pby_statistic *s, const int64_t *x, int answers)
{
    pby_spec *spec = spec_of(text);
    pby_given_accuracy a;
    pby_release *release;
    mpq_t at[BARS], zero;
    size_t seen[BARS + 1] = {0};
    double sum = 0;
    mpq_init(zero);
    for (size_t i = 0; i < BARS; i++) {
        mpq_init(at[i]);
        mpq_set_ui(at[i], i, 1);
    }
    pby_given_accuracy_init(&a);
    cr_assert_eq(pby_accuracy_given(&a, spec, s, x, *at, BARS, zero, zero, 9, NULL), PBY_OK, "%s", text);
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(12), NULL), PBY_OK);
    for (int i = 0; i < answers; i++) {
        size_t answer;
        cr_assert_eq(pby_release_answer(release, s, x, BARS, &answer, NULL), PBY_OK);
        seen[answer]++;
    }
    const double slack = sqrt(log(8e9) / 2 / answers); /* 0.054 of 4000, 0.2 of 300 */
    for (size_t i = 0; i <= BARS; i++) {
        cr_assert_float_eq((double)seen[i] / answers, middle(&a.law[i]), slack, "%s: %zu", text, i);
        sum += middle(&a.law[i]);
    }
    cr_assert_float_eq(sum, 1, 1e-8);
    pby_release_free(release);
    pby_given_accuracy_clear(&a);
    for (size_t i = 0; i < BARS; i++)
        mpq_clear(at[i]);
    mpq_clear(zero);
    pby_spec_free(spec);
}

Test(given, published_answers_have_the_law)
{
    const pby_statistic max = {.name = PBY_STATISTIC_MAX_K, .k = 3}, mode = {.name = PBY_STATISTIC_MODE};
    check_answers("ptr:eps=1/2,T=4,answers=4", &max, (const int64_t[]){9, 7, 1}, 4000);
    check_answers("ptr:eps=1,T=2,answers=4", &mode, (const int64_t[]){3, 9, 2}, 4000);
    check_answers("ptr:eps=1,T=2,answers=4", &max, (const int64_t[]){0, 0, 0}, 4000);
    check_answers("smooth:eps=2,decay=1/2,range=3", &mode, (const int64_t[]){12, 1, 0}, 300);
    check_answers("smooth:eps=1,decay=4/5,range=3", &max, (const int64_t[]){0, 0, 0}, 300);
}

/* The chance of ptr by its definition, in doubles. */
Test(given, a_tested_answer_by_its_radius)
{
    const pby_statistic max = {.name = PBY_STATISTIC_MAX_K, .k = 3};
    static const int64_t x[] = {9, 7, 1}; /* the second bar; 2 records more make it the third: radius 1 */
    static const char *const at[] = {"1", "2", "3"};
    pby_spec *spec = spec_of("ptr:eps=1/2,T=4,answers=4");
    pby_accuracy_answer answer;
    const double a = exp(-0.5), shown = pow(a, 4) / (1 + a);
    pby_accuracy_answer_init(&answer);
    cr_assert_eq(ask(&answer, spec, &max, x, at, 3, "0", 12, NULL), PBY_OK);
    /* none is 2 from every bar, the others are 1 away */
    cr_assert_float_eq(strtod(answer.error.lo, NULL), (1 - shown) * (2 + 1 + 1) / 4, 1e-9);
    pby_accuracy_answer_clear(&answer);
    pby_spec_free(spec);
}

/* max_3 of 9, 7, 1 is bar 2; behind one record more another makes it bar 3. S is the greatest d decay^far[d].
 */
Test(given, a_smoothed_answer_by_its_scale)
{
    const pby_statistic max = {.name = PBY_STATISTIC_MAX_K, .k = 3};
    static const int64_t x[] = {9, 7, 1};
    static const char *const at[] = {"1", "2", "3"};
    pby_spec *spec = spec_of("smooth:eps=1,decay=4/5,range=3");
    pby_accuracy_answer answer;
    double scale = 0;
    int64_t far[BARS + 1];
    cr_assert_eq(pby_statistic_jumps(far, &max, x, BARS, NULL), PBY_OK);
    cr_assert_eq(far[1], 1);
    for (int d = 1; d <= BARS; d++)
        scale = fmax(scale, d * pow(0.8, (double)far[d]));
    const double a = exp(-1 / (2 * scale)), end = 1 / (1 + a), mass = (1 - a) / (1 + a);
    pby_accuracy_answer_init(&answer);
    cr_assert_eq(ask(&answer, spec, &max, x, at, 3, "0", 12, NULL), PBY_OK);
    /* none is 0 and 2 from every bar; bar 3 is the last */
    cr_assert_float_eq(strtod(answer.error.lo, NULL), 2 * end * a * a + mass * a + end * a, 1e-9);
    pby_accuracy_answer_clear(&answer);
    pby_spec_free(spec);
}
