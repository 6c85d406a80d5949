/* SPDX-License-Identifier: MIT */
/* Laws of answers and their errors against enumeration of all noisy histograms of three bars, in doubles. */
#include "lab/experiment/experiment_answer.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "lab/experiment/contest.h"
#include "law/laws.h"
#include "tests/claims/decide.h"

enum { BARS = 3, REACH = 40 };

static const pby_statistic statistics[] = {{.name = PBY_STATISTIC_MAX, .k = 1},
                                           {.name = PBY_STATISTIC_MAX_K, .k = 3},
                                           {.name = PBY_STATISTIC_MODE, .k = 1}};

/* P(noise = k) of the law, from its cdf in doubles. */
static double mass(const pby_law *law, int64_t k)
{
    arb_t hi, lo;
    arb_init(hi);
    arb_init(lo);
    pby_law_cdf_arb(hi, law, k, 64);
    pby_law_cdf_arb(lo, law, k - 1, 64);
    const double out = arf_get_d(arb_midref(hi), ARF_RND_NEAR) - arf_get_d(arb_midref(lo), ARF_RND_NEAR);
    arb_clear(lo);
    arb_clear(hi);
    return out;
}

/* Sets out to the chances that 0 .. most is published of a bar. */
static void bar_law(double *out, int most, const pby_law *law, int64_t count, int64_t threshold,
                    int64_t shift)
{
    for (int v = 0; v <= most; v++)
        out[v] = 0;
    if (count == 0)
        out[0] = 1;
    for (int64_t k = -REACH; k <= REACH && count > 0; k++) {
        const int64_t noisy = count + k, shown = noisy >= threshold ? noisy - shift : 0;
        out[shown > 0 ? shown : 0] += mass(law, k);
    }
}

static void check(const pby_law *law, int64_t lo, int64_t hi, int64_t threshold, int64_t shift)
{
    enum { MOST = REACH + 5 };
    static double bar[BARS][MOST + 1];
    pby_noisy_bars bars;
    cr_assert_eq(pby_noisy_bars_init(&bars, law, lo, hi, threshold, shift, NULL), PBY_OK);
    for (size_t s = 0; s < sizeof statistics / sizeof *statistics; s++)
        for (int code = 0; code < 125; code += 3) {
            const int64_t x[BARS] = {code % 5, code / 5 % 5, code / 25};
            double slow[BARS + 1] = {0};
            int64_t y[BARS];
            for (int i = 0; i < BARS; i++)
                bar_law(bar[i], MOST, law, x[i], threshold, shift);
            for (y[0] = 0; y[0] <= MOST; y[0]++)
                for (y[1] = 0; y[1] <= MOST; y[1]++)
                    for (y[2] = 0; y[2] <= MOST; y[2]++)
                        slow[pby_answer_of(&statistics[s], y, BARS)] += bar[0][y[0]] * bar[1][y[1]] *
                                                                        bar[2][y[2]];
            arb_ptr fast = _arb_vec_init(BARS + 2);
            pby_answer_law(fast, &statistics[s], &bars, x, BARS);
            for (int i = 0; i <= BARS; i++)
                cr_assert(claims_le_d(CLAIMS_ALL,
                                      fabs(arf_get_d(arb_midref(fast + i), ARF_RND_NEAR) - slow[i]), 1e-11),
                          "%s of %d, answer %d: %g for %g", pby_statistic_text(statistics[s].name), code, i,
                          arf_get_d(arb_midref(fast + i), ARF_RND_NEAR), slow[i]);
            cr_assert_lt(arf_get_d(arb_midref(fast + BARS + 1), ARF_RND_NEAR), 1e-11);
            _arb_vec_clear(fast, BARS + 2);
        }
    pby_noisy_bars_clear(&bars);
}

/* claims: Flex/Figure 4 */
Test(answer, the_law_of_truncated_noise_is_that_of_all_histograms)
{
    pby_law *law;
    fmpq_t eps, q;
    fmpq_init(eps);
    fmpq_init(q);
    fmpq_set_si(eps, 1, 2);
    fmpq_set_si(q, 5, 1);
    cr_assert_eq(pby_law_stlap(&law, eps, q, NULL), PBY_OK);
    check(law, -5, 0, 1, 0);
    pby_law_free(law);
    fmpq_clear(q);
    fmpq_clear(eps);
}

Test(answer, the_law_behind_a_threshold_is_that_of_all_histograms)
{
    pby_law *law;
    fmpq_t eps;
    fmpq_init(eps);
    fmpq_set_si(eps, 1, 1);
    cr_assert_eq(pby_law_geometric(&law, eps, NULL), PBY_OK);
    check(law, -35, 35, 3, 0);
    check(law, -35, 35, 3, 2);
    pby_law_free(law);
    fmpq_clear(eps);
}

/* Flexible answers, by dropping records in every way. */
Test(answer, flexible_answers_are_those_of_what_is_left)
{
    for (size_t s = 0; s < sizeof statistics / sizeof *statistics; s++)
        for (int code = 0; code < 125; code++)
            for (int64_t most = 0; most <= 4; most++) {
                const int64_t x[BARS] = {code % 5, code / 5 % 5, code / 25};
                bool fast[BARS + 1], slow[BARS + 1] = {false};
                int64_t y[BARS];
                for (y[0] = 0; y[0] <= x[0]; y[0]++)
                    for (y[1] = 0; y[1] <= x[1]; y[1]++)
                        for (y[2] = 0; y[2] <= x[2]; y[2]++)
                            if (x[0] + x[1] + x[2] - y[0] - y[1] - y[2] <= most)
                                slow[pby_answer_of(&statistics[s], y, BARS)] = true;
                pby_answer_flexible(fast, &statistics[s], x, BARS, most);
                for (int i = 0; i <= BARS; i++)
                    cr_assert_eq(fast[i], slow[i], "%s of %d less %d, answer %d",
                                 pby_statistic_text(statistics[s].name), code, (int)most, i);
            }
}

Test(answer, distances_are_to_the_nearest)
{
    const bool flags[] = {false, false, true, false, false, false, true, false};
    const size_t far[] = {7, 1, 0, 1, 2, 1, 0, 1};
    size_t seen[8];
    pby_answer_far(seen, flags, 7);
    cr_assert_arr_eq(seen, far, sizeof far);
}

/* ---- contestants ------------------------------------------------------------------------------ */

static double middle(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* A small data set: the error of each contestant whose law is around the answer, by its definition. claims:
 * Flex/Figure 4 */
Test(contest, errors_are_those_of_the_definitions)
{
    const int64_t x[] = {0, 9, 40, 2, 0, 1};
    const size_t n = sizeof x / sizeof *x;
    const double eps = .5;
    pby_setting setting;
    pby_data_set d;
    pby_score score;
    pby_score_init(&score);
    cr_assert_eq(pby_setting_init(&setting, "1/2", n, PBY_TUNING_BEST, NULL), PBY_OK);
    cr_assert_eq(pby_data_set_init(&d, &statistics[2], x, n, 200, NULL), PBY_OK);
    cr_assert_eq(d.answer, 3);
    /* mode: the radius is the lead of 31 over the bar before, less 1 */
    cr_assert_eq(d.radius, 30);
    double weights = 0, error = 0;
    for (size_t i = 0; i <= n; i++) {
        const double w = exp(-eps / (2 * (double)n) * fabs((double)i - 3));
        weights += w;
        error += w * (i == 0 ? (double)n : fabs((double)i - 3));
    }
    cr_assert_eq(pby_contest(&score, PBY_CONTESTANT_EXPONENTIAL, &setting, &d, NULL), PBY_OK);
    cr_assert(claims_le_d(CLAIMS_ALL, fabs(middle(score.error) - error / weights / (double)n), 1e-12));
    const double a = exp(-eps), shown = 1 - pow(a, 30 - (double)setting.threshold) / (1 + a);
    error = (double)(n + 2 + 1 + 0 + 1 + 2 + 3) / (double)(n + 1);
    cr_assert_eq(pby_contest(&score, PBY_CONTESTANT_PTR, &setting, &d, NULL), PBY_OK);
    cr_assert_float_eq(middle(score.error), (1 - shown) * error / (double)n, 1e-12);
    cr_assert_float_eq(middle(score.none), (1 - shown) / (double)(n + 1), 1e-12);
    double scale = 0;
    for (size_t i = 1; i <= n; i++)
        scale = fmax(scale, (double)i * pow(fmpq_get_d(setting.decay), (double)d.jumps[i]));
    const double rate = eps / (2 * scale), b = exp(-rate);
    error = 0;
    for (int k = -4000; k <= 4000; k++) {
        const int at = 3 + k < 1 ? 1 : 3 + k > (int)n ? (int)n : 3 + k;
        error += (1 - b) / (1 + b) * pow(b, abs(k)) * abs(at - 3);
    }
    cr_assert_eq(pby_contest(&score, PBY_CONTESTANT_SMOOTH, &setting, &d, NULL), PBY_OK);
    cr_assert_float_eq(middle(score.error), error / (double)n, 1e-10);
    pby_data_set_clear(&d);
    pby_setting_clear(&setting);
    pby_score_clear(&score);
}

/* exp(-eps |i - f|/B) over the answers 0 .. B: no two answers and no output have a ratio above exp(eps), and
 * some have exactly that. */
Test(contest, the_doubled_exponential_loses_epsilon)
{
    for (int n = 2; n <= 300; n += 7) {
        double most = 0;
        for (int v = 0; v <= n; v++) {
            double one = 0, zero = 0;
            for (int r = 0; r <= n; r++)
                one += exp(-fabs((double)(v - r)) / (double)n), zero += exp(-(double)r / n);
            for (int r = 0; r <= n; r++)
                most = fmax(most,
                            fabs(-fabs((double)(v - r)) / (double)n - log(one) + (double)r / n + log(zero)));
        }
        cr_assert_float_eq(most, 1, 1e-9, "%d bars: %.12g", n, most);
    }
}
