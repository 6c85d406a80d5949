/* SPDX-License-Identifier: MIT */
/* The accuracy of choices and of reports, against enumerations of their own. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "probity/experimental/accuracy.h"
#include "tests/accuracy/trimmed.h"
#include "tests/spec.h"

enum { DIGITS = 12, USERS_MAX = 24 };

static void ask(pby_noisy_accuracy *a, const char *text, uint64_t n, uint64_t support, const char *beta,
                const char *gamma)
{
    pby_spec *spec = spec_of(text);
    const pby_input_class inputs = {n, support, NULL};
    pby_error err;
    mpq_t b, g;
    mpq_inits(b, g, NULL);
    if (beta != NULL)
        mpq_set_str(b, beta, 10);
    if (gamma != NULL)
        mpq_set_str(g, gamma, 10);
    cr_assert_eq(
        pby_accuracy_noisy(a, spec, &inputs, beta != NULL ? b : NULL, gamma != NULL ? g : NULL, DIGITS, &err),
        PBY_OK, "%s: %s", text, err.text);
    mpq_clears(b, g, NULL);
    pby_spec_free(spec);
}

static void expect(const pby_noisy_accuracy *a, double chance, const char *text)
{
    const double lo = mpfr_get_d(a->chance.lo, MPFR_RNDN), hi = mpfr_get_d(a->chance.hi, MPFR_RNDN);
    cr_assert(lo <= chance * (1 + 1e-9) + 1e-300 && chance <= hi * (1 + 1e-9),
              "%s: %.12g not in [%.12g, %.12g]", text, chance, lo, hi);
    cr_assert(hi - lo <= 1e-9 * hi, "%s", text);
}

/* ---- a choice --------------------------------------------------------------------------------- */

/* The chance that a candidate is chosen that is tau or more below the best, by its definition. */
static double missed(const double *score, size_t n, double rate, double tau)
{
    double best = score[0], all = 0, bad = 0;
    for (size_t i = 1; i < n; i++)
        best = fmax(best, score[i]);
    for (size_t i = 0; i < n; i++) {
        const double weight = exp(rate * (score[i] - best));
        all += weight;
        bad += score[i] <= best - tau ? weight : 0;
    }
    return bad / all;
}

/* Over all tables of four scores from 0 to 4 the worst chance is that of the formula, and is reached. */
Test(accuracy_share, no_table_of_scores_is_worse)
{
    static const struct {
        const char *spec;
        double rate;
    } specs[] = {{"exponential:eps=1", 0.5}, {"exponential:eps=1,sensitivity=1/2,scores=monotone", 2}};
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    for (size_t k = 0; k < 2; k++) {
        double worst = 0;
        for (int code = 0; code < 5 * 5 * 5 * 5; code++) {
            const double score[4] = {code % 5, code / 5 % 5, code / 25 % 5, code / 125};
            worst = fmax(worst, missed(score, 4, specs[k].rate, 3));
        }
        ask(&a, specs[k].spec, 1, 4, "3", NULL);
        expect(&a, worst, specs[k].spec);
        cr_assert_eq(mpq_sgn(a.release.alpha.value), 0);
    }
    pby_noisy_accuracy_clear(&a);
}

/* The beta that a gamma allows is met, and a little less is not enough. */
Test(accuracy_share, a_chance_decides_how_far_a_choice_may_be)
{
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    ask(&a, "exponential:eps=1", 1, 100, NULL, "1/1000");
    const double beta = mpq_get_d(a.release.beta.value);
    cr_assert(fabs(beta - 2 * log(99 * 999.0)) < 1e-7, "%g", beta);
    cr_assert(mpq_cmp_ui(a.release.gamma, 1, 1000) <= 0);
    ask(&a, "exponential:eps=1", 1, 1, NULL, "1/1000");
    cr_assert_eq(mpq_sgn(a.release.beta.value), 0, "one candidate is the best");
    ask(&a, "exponential:eps=1", 1, 2, NULL, "1/2");
    cr_assert_eq(mpq_sgn(a.release.beta.value), 0);
    pby_noisy_accuracy_clear(&a);
}

/* ---- reports ---------------------------------------------------------------------------------- */

/* The law of the number of reports of v among users of whom c have it: user by user. */
static void count_law(double *law, size_t n, size_t c, double p, double q)
{
    memset(law, 0, (USERS_MAX + 1) * sizeof *law);
    law[0] = 1;
    for (size_t i = 0; i < n; i++) {
        const double yes = i < c ? p : q;
        for (size_t j = i + 1; j-- > 0;) {
            law[j + 1] += law[j] * yes;
            law[j] *= 1 - yes;
        }
    }
}

/* A hair is added, so that what is exactly beta off is not farther; no other place is that near. */
static double worst_chance(size_t n, double p, double q, double beta)
{
    double worst = 0, law[USERS_MAX + 1];
    for (size_t c = 0; c <= n; c++) {
        double chance = 0;
        count_law(law, n, c, p, q);
        for (size_t j = 0; j <= n; j++) {
            const double share = ((double)j / (double)n - q) / (p - q);
            chance += fabs(share - (double)c / (double)n) > beta + 1e-9 ? law[j] : 0;
        }
        worst = fmax(worst, chance);
    }
    return worst;
}

Test(accuracy_share, no_answers_of_users_are_worse)
{
    static const struct {
        const char *spec;
        double g, k;
    } specs[] = {
        {"rr:odds=3", 3, 2}, {"rr:eps=1/2", 1.6487212707001282, 2}, {"krr:eps=1,k=4", 2.718281828459045, 4}};
    static const char *const betas[] = {"1/10", "3/10", "1/2", "2"};
    static const double beta[] = {0.1, 0.3, 0.5, 2};
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    for (size_t k = 0; k < 3; k++)
        for (size_t b = 0; b < 4; b++)
            for (size_t n = 1; n <= 20; n += n < 4 ? 1 : 4) {
                const double p = specs[k].g / (specs[k].g + specs[k].k - 1),
                             q = 1 / (specs[k].g + specs[k].k - 1);
                ask(&a, specs[k].spec, n, 1, betas[b], NULL);
                expect(&a, worst_chance(n, p, q, beta[b]), specs[k].spec);
            }
    pby_noisy_accuracy_clear(&a);
}

/* g/(g+k-1), and sqrt(g/n)/(g-1) for two answers. */
Test(accuracy_share, truth_and_standard_error)
{
    pby_enclosure truth, deviation;
    pby_spec *spec = spec_of("rr:odds=4");
    pby_error err;
    pby_enclosure_init(&truth);
    pby_enclosure_init(&deviation);
    cr_assert_eq(pby_accuracy_share(&truth, &deviation, spec, 9, 12, &err), PBY_OK, "%s", err.text);
    cr_assert(fabs(mpfr_get_d(truth.lo, MPFR_RNDN) - 0.8) < 1e-10);
    const double expected = 2.0 / 9;
    cr_assert(fabs(mpfr_get_d(deviation.lo, MPFR_RNDN) - expected) < 1e-10);
    pby_spec_free(spec);
    spec = spec_of("krr:eps=1,k=4");
    cr_assert_eq(pby_accuracy_share(&truth, &deviation, spec, 1, 12, &err), PBY_OK);
    const double g = exp(1), p = g / (g + 3), q = 1 / (g + 3);
    cr_assert(fabs(mpfr_get_d(deviation.hi, MPFR_RNDN) - sqrt(fmax(p * (1 - p), q * (1 - q))) / (p - q)) <
              1e-10);
    cr_assert_eq(pby_accuracy_share(&truth, &deviation, spec, 0, 12, &err), PBY_BAD);
    pby_spec_free(spec);
    spec = spec_of("geometric:eps=1");
    cr_assert_eq(pby_accuracy_share(&truth, &deviation, spec, 1, 12, &err), PBY_BAD);
    pby_spec_free(spec);
    pby_enclosure_clear(&deviation);
    pby_enclosure_clear(&truth);
}

/* Many users have Hoeffding's bound, from which the beta of a gamma comes. */
Test(accuracy_share, many_users_have_a_bound)
{
    pby_noisy_accuracy a;
    pby_noisy_accuracy_init(&a);
    ask(&a, "rr:odds=3", 100000, 1, "1/50", NULL);
    const double bound = 2 * exp(-2 * 100000 * 0.0004 * 0.25), hi = mpfr_get_d(a.chance.hi, MPFR_RNDN);
    cr_assert(mpfr_sgn(a.chance.lo) == 0 && fabs(hi - bound) < 1e-9 * bound, "%g", hi);
    ask(&a, "rr:odds=3", 100000, 1, NULL, "1/100");
    cr_assert(fabs(mpq_get_d(a.release.beta.value) - 2 * sqrt(log(200) / 200000)) < 1e-9);
    cr_assert(mpq_cmp_ui(a.release.gamma, 1, 100) <= 0);
    pby_noisy_accuracy_clear(&a);
}

/* ---- the mean error ---------------------------------------------------------------------------------- */

/* The law of the reports of n users, c of whom have the answer, by adding one user at a time. */
static double mean_error(int n, int c, double p, double q, double gamma)
{
    double law[32] = {1};
    trimmed_outcome outcome[32];
    for (int u = 0; u < n; u++)
        for (int j = u + 1; j >= 0; j--)
            law[j] = law[j] * (1 - (u < c ? p : q)) + (j > 0 ? law[j - 1] * (u < c ? p : q) : 0);
    for (int j = 0; j <= n; j++)
        outcome[j] = (trimmed_outcome){fabs((j - n * q) / (p - q) - c) / n, law[j]};
    return trimmed_mean(outcome, (size_t)n + 1, gamma);
}

Test(share, mean_error_is_that_of_the_worst_truth)
{
    static const char *const specs[] = {"rr:odds=3", "krr:eps=1,k=4",
                                        "rappor:bits=4,f=1/2,p=3/4,q=1/4,reports=1"};
    static const char *const gammas[] = {"0", "1/100", "1/3"};
    static const double levels[] = {0, 0.01, 1.0 / 3};
    const double e = exp(1), p[] = {0.75, e / (e + 3), 0.625}, q[] = {0.25, 1 / (e + 3), 0.375};
    for (size_t s = 0; s < 3; s++)
        for (size_t g = 0; g < 3; g++)
            for (int n = 1; n <= 13; n += 4) {
                const trimmed_ends found = trimmed_found(specs[s], (uint64_t)n, 1, gammas[g]);
                double most = 0;
                for (int c = 0; c <= n; c++)
                    most = fmax(most, mean_error(n, c, p[s], q[s], levels[g]));
                cr_assert_float_eq(most, found.lo, 1e-9, "%s, %d, %s: %.12f", specs[s], n, gammas[g], most);
                cr_assert_float_eq(found.hi, found.lo, 1e-9);
            }
}

/* The error for many users lies between that of one truth and the deviation, and so does that of a mean,
 * where users are between. */
Test(share, mean_error_of_many_lies_between)
{
    const trimmed_ends few = trimmed_found("rr:odds=3", 500, 1, "0"),
                       many = trimmed_found("rr:odds=3", 501, 1, "0");
    cr_assert(many.lo < few.lo && few.hi < many.hi && many.lo > few.lo * 0.99, "%f %f", many.lo, many.hi);
    const trimmed_ends bit = trimmed_found("onebit:odds=3,hi=1", 8, 1, "0"),
                       share = trimmed_found("rr:odds=3", 8, 1, "0");
    cr_assert(fabs(bit.lo - share.lo) < 1e-9 && bit.hi > bit.lo * 1.1);
}

/* ---- one bit of users on a grid --------------------------------------------------------------- */

/* The chance that n users with these steps of m are too far off, one user at a time. */
static double too_far(const int *step, int n, int m, double odds, double off)
{
    const double p = odds / (odds + 1), q = 1 / (odds + 1);
    double law[USERS_MAX + 1] = {1}, mean = 0, chance = 0;
    for (int i = 0; i < n; i++) {
        const double r = q + (p - q) * step[i] / m;
        mean += r;
        for (int j = i + 1; j >= 0; j--)
            law[j] = law[j] * (1 - r) + (j > 0 ? law[j - 1] * r : 0);
    }
    for (int j = 0; j <= n; j++)
        chance += fabs(j - mean) > off * n * (p - q) ? law[j] : 0;
    return chance;
}

/* The greatest over all users, whose steps fall. */
static double worst_users(int *step, int at, int n, int m, double odds, double off)
{
    if (at == n)
        return too_far(step, n, m, odds, off);
    double most = 0;
    for (int k = at == 0 ? m : step[at - 1]; k >= 0; k--) {
        step[at] = k;
        most = fmax(most, worst_users(step, at + 1, n, m, odds, off));
    }
    return most;
}

/* Both ends are those of all values that users may have, within a few hundredths. */
Test(accuracy_share, one_bit_of_all_values)
{
    static const struct {
        const char *spec;
        int n, m;
        double odds, width;
        const char *beta;
        double off;
    } cases[] = {{"onebit:odds=50,hi=4", 8, 4, 50, 4, "4/5", 0.2},
                 {"onebit:odds=3,hi=3", 6, 3, 3, 3, "7/5", 1.4 / 3},
                 {"onebit:odds=9,hi=5", 5, 5, 9, 5, "9/5", 0.36},
                 {"onebit:odds=5,hi=1", 9, 1, 5, 1, "3/10", 0.3},
                 {"onebit:odds=50,hi=4", 4, 4, 50, 4, "1/100", 0.0025}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int step[USERS_MAX];
        pby_noisy_accuracy a;
        pby_noisy_accuracy_init(&a);
        ask(&a, cases[i].spec, (uint64_t)cases[i].n, 1, cases[i].beta, NULL);
        const double worst = worst_users(step, 0, cases[i].n, cases[i].m, cases[i].odds, cases[i].off),
                     lo = mpfr_get_d(a.chance.lo, MPFR_RNDD), hi = mpfr_get_d(a.chance.hi, MPFR_RNDU);
        cr_assert(lo <= worst * (1 + 1e-9) && worst <= hi * (1 + 1e-9), "%s: %g not in [%g, %g]",
                  cases[i].spec, worst, lo, hi);
        cr_assert(i == 4 || hi - lo < 0.05 * hi, "%s: [%g, %g]", cases[i].spec, lo, hi);
        pby_noisy_accuracy_clear(&a);
    }
}
