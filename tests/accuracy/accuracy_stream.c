/* SPDX-License-Identifier: MIT */
/* The accuracy of a session, against all streams of a few answers in a box. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "probity/experimental/accuracy.h"
#include "tests/accuracy/trimmed.h"
#include "tests/claims/decide.h"
#include "tests/spec.h"

enum { REACH = 120, MOST = 3 };

struct model {
    double a, b; /* exp(-rate) of the threshold's noise and of an answer's */
    long beta;
    size_t k;
    double next; /* the chance that the rest of the session is right */
};

static double mass(double a, long t)
{
    return (1 - a) / (1 + a) * pow(a, (double)labs(t));
}

static double upper(double b, long t)
{
    return t > 0 ? pow(b, (double)t) / (1 + b) : 1 - pow(b, (double)(1 - t)) / (1 + b);
}

/* The chance that every answer of the stream is right; behind a right answer above the next use begins. */
static double right(const struct model *m, const long *q)
{
    double sum = 0;
    for (long t = -REACH; t <= REACH; t++) {
        double here = mass(m->a, t);
        for (size_t i = 0; i < m->k && here > 0; i++) {
            const double yes = upper(m->b, t - q[i]);
            sum += q[i] >= -m->beta ? here * yes * m->next : 0;
            here *= q[i] <= m->beta ? 1 - yes : 0;
        }
        sum += here;
    }
    return sum;
}

/* The least over all streams of k answers from -beta - 2 to beta + 2. */
static double worst(const struct model *m, long *q, size_t at)
{
    double least = 1;
    if (at == m->k)
        return right(m, q);
    for (q[at] = -m->beta - 2; q[at] <= m->beta + 2; q[at]++)
        least = fmin(least, worst(m, q, at + 1));
    return least;
}

static void ask(pby_noisy_accuracy *a, const char *text, uint64_t k, const char *beta, const char *gamma)
{
    pby_spec *spec = spec_of(text);
    const pby_input_class inputs = {1, k, NULL};
    pby_error err;
    mpq_t b, g;
    mpq_inits(b, g, NULL);
    mpq_set_str(b, beta != NULL ? beta : "0", 10);
    mpq_set_str(g, gamma != NULL ? gamma : "0", 10);
    cr_assert_eq(
        pby_accuracy_noisy(a, spec, &inputs, beta != NULL ? b : NULL, gamma != NULL ? g : NULL, 12, &err),
        PBY_OK, "%s: %s", text, err.text);
    mpq_clears(b, g, NULL);
    pby_spec_free(spec);
}

static void expect(const pby_noisy_accuracy *a, double chance, const char *text)
{
    cr_assert(claims_le_d(CLAIMS_ALL, mpfr_get_d(a->chance.lo, MPFR_RNDD), chance + 1e-11) &&
                  claims_le_d(CLAIMS_ALL, chance - 1e-11, mpfr_get_d(a->chance.hi, MPFR_RNDU)),
              "%s: %.14g not in [%.14g, %.14g]", text, chance, mpfr_get_d(a->chance.lo, MPFR_RNDD),
              mpfr_get_d(a->chance.hi, MPFR_RNDU));
}

/* No stream is worse than what is enclosed, and one is as bad: for up to three answers a use, and two
 * uses.
 * claims: Survey/Theorem 6.3; Survey/Theorem 6.5 */
Test(accuracy_stream, the_worst_stream_is_enclosed)
{
    static const struct {
        const char *one, *two;
        double eps;
        int share;
    } rows[] = {{"above:eps=1", "2*above:eps=1", 1, 4},
                {"above:eps=3", "2*above:eps=3", 3, 4},
                {"above:eps=1,queries=monotone", "2*above:eps=1,queries=monotone", 1, 2}};
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 1; k <= MOST; k++) {
            long q[MOST];
            struct model m = {exp(-rows[i].eps / 2), exp(-rows[i].eps / rows[i].share), 2, k, 1};
            const double one = worst(&m, q, 0);
            ask(&a, rows[i].one, k, "5/2", NULL);
            expect(&a, 1 - one, rows[i].one);
            m.next = one;
            ask(&a, rows[i].two, k, "2", NULL);
            expect(&a, 1 - worst(&m, q, 0), rows[i].two);
        }
    pby_noisy_accuracy_clear(&a);
}

/* ---- the sparse vector ------------------------------------------------------------------------ */

enum { Z_MOST = 30, ASKED_MOST = 4, BETA = 1 };

/* Gaussian noise of variances 4 and 16. */
struct stages {
    int tops, questions; /* of one stage; 0 questions: any number */
    size_t asked;
    long gap;
};

static double gauss(long k, double sigma2)
{
    static double norm[2];
    double *total = &norm[sigma2 > 4];
    if (*total == 0)
        for (long i = -200; i <= 200; i++)
            *total += exp(-(double)(i * i) / (2 * sigma2));
    return exp(-(double)(k * k) / (2 * sigma2)) / *total;
}

static double gauss_upper(long t)
{
    static double tail[401];
    if (tail[0] == 0)
        for (long i = 400; i >= 0; i--)
            tail[i] = gauss(i - 200, 16) + (i < 400 ? tail[i + 1] : 0);
    return tail[t + 200];
}

static double begin_stage(const struct stages *m, const long *q, size_t at, int stages);

/* The chance that what is still asked is all right. */
static double go(const struct stages *m, const long *q, size_t at, long z, int tops, int asked, int stages)
{
    if (at == m->asked)
        return 1;
    if (tops == m->tops || (m->questions > 0 && asked == m->questions))
        return begin_stage(m, q, at, stages - 1);
    const long compared = m->gap > 0 && q[at] < -m->gap ? -m->gap : q[at];
    const double yes = gauss_upper(z - compared);
    double sum = 0;
    if (q[at] >= -BETA)
        sum += yes * go(m, q, at + 1, z, tops + 1, asked + 1, stages);
    if (q[at] <= BETA)
        sum += (1 - yes) * go(m, q, at + 1, z, tops, asked + 1, stages);
    return sum;
}

static double begin_stage(const struct stages *m, const long *q, size_t at, int stages)
{
    double sum = 0;
    if (stages == 0)
        return 1;
    for (long z = -Z_MOST; z <= Z_MOST; z++)
        sum += gauss(z, 4) * go(m, q, at, z, 0, 0, stages);
    return sum;
}

static double worst_of_stages(const struct stages *m, long *q, size_t at, int stages)
{
    static const long answers[] = {-BETA - 2, -BETA - 1, 0, BETA + 1, BETA + 2};
    double least = 1;
    if (at == m->asked)
        return begin_stage(m, q, 0, stages);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        q[at] = answers[i];
        least = fmin(least, worst_of_stages(m, q, at + 1, stages));
    }
    return least;
}

/* Checks Gaussian noise by brute force, with several positive answers under one threshold, with stages
 * that end with their questions or with their tops, and with a gap. */
Test(accuracy_stream, the_worst_sparse_stream_is_enclosed)
{
    static const struct {
        const char *spec;
        uint64_t support;
        int stages;
        struct stages m;
    } rows[] = {
        {"sparse:sigma2=4,questions=3", 3, 1, {1, 3, 3, 0}},
        {"sparse:sigma2=4,tops=2,questions=3", 5, 1, {2, 3, 3, 0}},
        {"sparse:sigma2=4,tops=2,questions=9", 3, 1, {2, 9, 3, 0}},
        {"sparse:sigma2=4,tops=3,questions=3", 3, 1, {3, 3, 3, 0}},
        {"2*sparse:sigma2=4,questions=2", 2, 2, {1, 2, 4, 0}},
        {"sparse:sigma2=4,gap=1", 3, 1, {1, 0, 3, 1}},
        {"sparse:sigma2=4,answer-sigma2=16,tops=3,gap=2", 3, 1, {3, 0, 3, 2}},
    };
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        long q[ASKED_MOST];
        ask(&a, rows[i].spec, rows[i].support, "1", NULL);
        expect(&a, 1 - worst_of_stages(&rows[i].m, q, 0, rows[i].stages), rows[i].spec);
    }
    ask(&a, "sparse:sigma2=100,tops=2,questions=50", 50, NULL, "1/20");
    cr_assert_leq(mpfr_get_d(a.chance.hi, MPFR_RNDU), 0.05 + 1e-9);
    pby_noisy_accuracy less;
    char beta[24];
    snprintf(beta, sizeof beta, "%d", (int)a.reach - 1);
    pby_noisy_accuracy_init(&less);
    ask(&less, "sparse:sigma2=100,tops=2,questions=50", 50, beta, NULL);
    cr_assert_gt(mpfr_get_d(less.chance.lo, MPFR_RNDD), 0.05);
    pby_noisy_accuracy_clear(&less);
    pby_noisy_accuracy_clear(&a);
}

/* With a gap no beta makes answers that are raised to it right. */
Test(accuracy_stream, a_gap_leaves_a_chance)
{
    pby_spec *spec = spec_of("sparse:sigma2=4,gap=1");
    const pby_input_class inputs = {1, 9, NULL};
    pby_noisy_accuracy a;
    pby_error err;
    mpq_t gamma;
    mpq_init(gamma);
    mpq_set_ui(gamma, 1, 20);
    pby_noisy_accuracy_init(&a);
    cr_assert_eq(pby_accuracy_noisy(&a, spec, &inputs, NULL, gamma, 9, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "raised"), "%s", err.text);
    pby_noisy_accuracy_clear(&a);
    mpq_clear(gamma);
    pby_spec_free(spec);
}

/* Values have noise of their own: they are all within beta with a chance that multiplies.
 * claims: Survey/Theorem 6.8 */
Test(accuracy_stream, values_count_as_well)
{
    pby_noisy_accuracy a, b;
    pby_noisy_accuracy_init(&a);
    pby_noisy_accuracy_init(&b);
    ask(&a, "3*above:eps=1", 10, "9", NULL);
    ask(&b, "3*above:eps=1 3*geometric:eps=1/2", 10, "9", NULL);
    const double far = 2 * exp(-5) / (1 + exp(-0.5));
    expect(&b, 1 - (1 - mpfr_get_d(a.chance.lo, MPFR_RNDN)) * pow(1 - far, 3), "values");
    pby_noisy_accuracy_clear(&b);
    pby_noisy_accuracy_clear(&a);
}

/* The beta that a gamma allows is met, and one less is not enough; it is far below the paper's
 * 8 (log k + log(2/gamma))/eps. */
Test(accuracy_stream, a_chance_decides_how_far)
{
    static const char *const specs[] = {"above:eps=1", "4*above:eps=1/4 4*geometric:eps=1/8"};
    pby_noisy_accuracy a, less;
    pby_noisy_accuracy_init(&a);
    pby_noisy_accuracy_init(&less);
    for (size_t i = 0; i < 2; i++) {
        char beta[32];
        ask(&a, specs[i], 1000, NULL, "1/20");
        cr_assert(mpfr_cmp_d(a.chance.hi, 0.05) <= 0);
        snprintf(beta, sizeof beta, "%lu", (unsigned long)a.reach - 1);
        ask(&less, specs[i], 1000, beta, NULL);
        cr_assert(mpfr_cmp_d(less.chance.lo, 0.05) > 0, "%s", specs[i]);
    }
    ask(&a, "above:eps=1", 1000, NULL, "1/20");
    cr_assert(mpq_cmp_ui(a.release.beta.value, 38, 1) == 0);
    cr_assert_lt(38, 8 * (log(1000) + log(40)));
    ask(&a, "above:eps=40", 1, NULL, "1/2");
    cr_assert_eq(mpq_sgn(a.release.beta.value), 0);
    pby_noisy_accuracy_clear(&less);
    pby_noisy_accuracy_clear(&a);
}

Test(accuracy_stream, refusals)
{
    static const char *const specs[] = {"2*above:eps=1 geometric:eps=1", "above:eps=1 above:eps=1/2"};
    for (size_t i = 0; i < 2; i++) {
        pby_spec *spec = spec_of(specs[i]);
        pby_accuracy_kind kind;
        pby_error err;
        cr_assert_eq(pby_accuracy_kind_of(&kind, spec, &err), PBY_BAD);
        cr_assert_not_null(strstr(err.text, "K*above"), "%s", err.text);
        pby_spec_free(spec);
    }
}

/* ---- the mean error ---------------------------------------------------------------------------------- */

/* Two questions to above: the mean of the farthest that an answer is off, in doubles. An answer that is above
 * ends the use. */
static double mean_of_two(int x, int y, double threshold, double answer, double gamma)
{
    enum { FAR = 60 };
    const int query[] = {x, y};
    const double a = exp(-threshold), b = exp(-answer);
    trimmed_outcome outcome[3] = {{0, 0}, {0, 0}, {0, 0}}; /* above at once, above at last, never */
    for (int z = -FAR; z <= FAR; z++) {
        double above[2], mass = (1 - a) / (1 + a) * pow(a, abs(z));
        for (int i = 0; i < 2; i++) {
            const int k = z - query[i]; /* the noise is k or more */
            above[i] = k > 0 ? pow(b, k) / (1 + b) : 1 - pow(b, 1 - k) / (1 + b);
        }
        outcome[0].chance += mass * above[0];
        outcome[1].chance += mass * (1 - above[0]) * above[1];
        outcome[2].chance += mass * (1 - above[0]) * (1 - above[1]);
    }
    outcome[0].error = fmax(0, -x);
    outcome[1].error = fmax(fmax(0, x), -y);
    outcome[2].error = fmax(0, fmax(x, y));
    return trimmed_mean(outcome, 3, gamma);
}

/* No two queries have a mean error beyond the upper end, and some have the lower one. */
Test(stream, mean_error_lies_between)
{
    static const char *const gammas[] = {"0", "1/10"};
    static const double levels[] = {0, 0.1};
    for (size_t g = 0; g < 2; g++) {
        const trimmed_ends found = trimmed_found("above:eps=4", 1, 2, gammas[g]);
        double most = 0;
        for (int x = -12; x <= 12; x++)
            for (int y = -12; y <= 12; y++)
                most = fmax(most, mean_of_two(x, y, 2, 1, levels[g]));
        cr_assert_leq(most, found.hi + 1e-9, "%s: %f", gammas[g], most);
        cr_assert_geq(most, found.lo - 1e-9, "%s: %f", gammas[g], most);
    }
}
