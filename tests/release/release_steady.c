/* SPDX-License-Identifier: MIT */
/* Answers of statistics and chosen bars, drawn and compared with their laws by the definition, in doubles. A
 * frequency of n draws is 7 standard deviations off with a chance below 1e-11. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "probity/experimental/parts.h"
#include "tests/cli/run.h"
#include "tests/law/fit.h"
#include "tests/spec.h"

enum { BARS = 3 };

static pby_release *open_release(const char *text, pby_spec **spec, pby_neighbours relation)
{
    pby_release *r = NULL;
    pby_error err;
    *spec = spec_of(text);
    cr_assert_eq(pby_release_with(&r, *spec, relation, seeded(18), &err), PBY_OK, "%s", err.text);
    return r;
}

static void check_frequencies(const long *seen, const double *law, size_t n, long draws, const char *what)
{
    for (size_t i = 0; i < n; i++) {
        const double mean = law[i] * (double)draws;
        cr_assert_leq(fabs((double)seen[i] - mean), 7 * sqrt(mean * (1 - law[i])) + 1e-9,
                      "%s: answer %zu %ld times in %ld, expected %g", what, i, seen[i], draws, mean);
    }
}

static void check_answers(const char *text, const pby_statistic *s, pby_neighbours relation,
                          const int64_t x[BARS], const double law[BARS + 1], long draws)
{
    pby_spec *spec;
    pby_error err;
    pby_release *r = open_release(text, &spec, relation);
    long seen[BARS + 1] = {0};
    for (long i = 0; i < draws; i++) {
        size_t answer;
        cr_assert_eq(pby_release_answer(r, s, x, BARS, &answer, &err), PBY_OK, "%s", err.text);
        cr_assert_leq(answer, BARS);
        seen[answer]++;
    }
    check_frequencies(seen, law, BARS + 1, draws, text);
    pby_release_free(r);
    pby_spec_free(spec);
}

/* P(R > t) of the two-sided geometric law of rate eps */
static double beyond(double eps, double t)
{
    const double a = exp(-eps);
    return t >= 0 ? pow(a, t + 1) / (1 + a) : 1 - pow(a, -t) / (1 + a);
}

/* ---- ptr --------------------------------------------------------------------------------------------- */

static void check_ptr(const int64_t x[BARS], pby_neighbours relation, pby_statistic s, size_t answer,
                      double radius)
{
    double law[BARS + 1];
    const double shown = beyond(0.5, 2 - radius);
    for (size_t i = 0; i <= BARS; i++)
        law[i] = (1 - shown) / (BARS + 1) + (i == answer ? shown : 0);
    check_answers("ptr:eps=1/2,T=2,answers=4", &s, relation, x, law, 20000);
}

Test(steady, ptr_publishes_by_its_law)
{
    const pby_statistic mode = {.name = PBY_STATISTIC_MODE}, max = {.name = PBY_STATISTIC_MAX, .k = 1},
                        min_3 = {.name = PBY_STATISTIC_MIN_K, .k = 3};
    check_ptr((int64_t[]){9, 4, 2}, PBY_ADD_REMOVE, mode, 0, 5);
    check_ptr((int64_t[]){9, 4, 2}, PBY_SUBSTITUTE, mode, 0, 2);
    check_ptr((int64_t[]){0, 0, 0}, PBY_ADD_REMOVE, mode, BARS, 0);
    check_ptr((int64_t[]){5, 5, 5}, PBY_ADD_REMOVE, max, 2, 4);
    check_ptr((int64_t[]){1, 6, 9}, PBY_ADD_REMOVE, min_3, 1, 1);
}

/* ---- smooth ------------------------------------------------------------------------------------------ */

/* answer is 0 for none, else a bar's number from 1 on; noise beyond the ends is moved there. */
static void check_smooth(const int64_t x[BARS], pby_statistic s, int answer, double scale)
{
    double law[BARS + 1];
    const double rate = 1 / (2 * scale);
    for (int i = 0; i <= BARS; i++) {
        const double above = i == 0 ? 1 : beyond(rate, i - 1 - answer), over = beyond(rate, i - answer);
        law[i == 0 ? BARS : i - 1] = above - (i == BARS ? 0 : over);
    }
    check_answers("smooth:eps=1,decay=1/2,range=3", &s, PBY_ADD_REMOVE, x, law, 500);
}

/* With decay 1/2: (0, 0, 4): bar 3 falls out after 3 changes, so that one more moves the answer by 3, and 3/8
 * is less than what one new record in an empty histogram would move. */
Test(steady, smooth_publishes_by_its_law)
{
    const pby_statistic max = {.name = PBY_STATISTIC_MAX, .k = 1}, mode = {.name = PBY_STATISTIC_MODE};
    check_smooth((int64_t[]){0, 0, 4}, max, 3, 3 / 8.);
    check_smooth((int64_t[]){2, 0, 0}, max, 1, 2); /* one record in bar 3 */
    check_smooth((int64_t[]){0, 0, 0}, max, 0, 3);
    check_smooth((int64_t[]){2, 0, 1}, mode, 1, 1); /* one more in bar 3, and then one decides */
}

/* ---- choosing ---------------------------------------------------------------------------------------- */

Test(steady, choosing_takes_bars_by_their_weights_and_adds_noise)
{
    enum { DRAWS = 20000, ORDERS = BARS * BARS };
    const int64_t x[BARS] = {2, 1, 0};
    long seen[ORDERS] = {0}, noise[3] = {0};
    double law[ORDERS] = {0}, w[BARS];
    pby_spec *spec;
    pby_release *r = open_release("choosing:eps=3/4,counts=1/2", &spec, PBY_ADD_REMOVE);
    for (int d = 0; d < DRAWS; d++) {
        size_t bars[2];
        int64_t noisy[2];
        cr_assert_eq(pby_release_chosen(r, x, BARS, 2, bars, noisy, NULL), PBY_OK);
        cr_assert(bars[0] < BARS && bars[1] < BARS && bars[0] != bars[1]);
        seen[BARS * bars[0] + bars[1]]++;
        const int64_t off = noisy[1] - x[bars[1]];
        noise[off < 0 ? 0 : off == 0 ? 1 : 2]++;
    }
    for (int i = 0; i < BARS; i++)
        w[i] = exp(0.75 * (double)x[i]);
    for (int i = 0; i < BARS; i++)
        for (int j = 0; j < BARS; j++)
            law[BARS * i + j] = i == j ? 0 : w[i] / (w[0] + w[1] + w[2]) * w[j] / (w[0] + w[1] + w[2] - w[i]);
    check_frequencies(seen, law, ORDERS, DRAWS, "choosing");
    const double more = beyond(0.5, 0);
    check_frequencies(noise, (double[]){more, 1 - 2 * more, more}, 3, DRAWS, "its counts");
    pby_release_free(r);
    pby_spec_free(spec);
}

/* ---- refusals ---------------------------------------------------------------------------------------- */

Test(steady, what_the_law_is_not_about_is_refused)
{
    const pby_statistic median = {.name = PBY_STATISTIC_MEDIAN}, max = {.name = PBY_STATISTIC_MAX, .k = 1};
    const int64_t x[4] = {1, 2, 3, 4};
    size_t answer, bars[4];
    int64_t noisy[4];
    pby_error err;
    pby_spec *spec;
    pby_release *r = open_release("ptr:eps=1,T=2,answers=4", &spec, PBY_ADD_REMOVE);
    cr_assert_eq(pby_release_answer(r, &median, x, 3, &answer, &err), PBY_BAD);
    cr_assert_eq(pby_release_answer(r, &max, x, 4, &answer, &err), PBY_BAD, "one answer too many");
    cr_assert_eq(pby_release_answer(r, &max, x, 2, &answer, &err), PBY_BAD, "one too few");
    cr_assert_eq(pby_release_chosen(r, x, 3, 1, bars, noisy, &err), PBY_BAD);
    cr_assert_eq(pby_release_counts(r, x, noisy, 3, &err), PBY_BAD);
    pby_release_free(r);
    pby_spec_free(spec);
    r = open_release("smooth:eps=1,decay=1/2,range=3", &spec, PBY_SUBSTITUTE);
    cr_assert_eq(pby_release_answer(r, &max, x, 3, &answer, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "add-remove"), "%s", err.text);
    pby_release_free(r);
    pby_spec_free(spec);
    r = open_release("choosing:eps=1,counts=1", &spec, PBY_ADD_REMOVE);
    cr_assert_eq(pby_release_chosen(r, x, 4, 5, bars, noisy, &err), PBY_BAD);
    cr_assert_eq(pby_release_chosen(r, (int64_t[]){1, -1}, 2, 1, bars, noisy, &err), PBY_BAD);
    cr_assert_eq(pby_release_answer(r, &max, x, 3, &answer, &err), PBY_BAD);
    pby_release_free(r);
    pby_spec_free(spec);
}

Test(steady, the_command_publishes_keys)
{
    static const char data[] = "town,n\nrome,0\noslo,5000\n";
    const pby_run *r = PBY_RUN(data, "release", "ptr:eps=40,T=3,answers=3", "--statistic", "mode", "--quiet");
    cr_assert_str_eq(r->out, "oslo\n", "%s", r->err);
    r = PBY_RUN("1,0\n2,9\n", "release", "smooth:eps=99,decay=1/9,range=2", "--statistic", "max_k", "--k",
                "3", "--quiet", "--json");
    cr_assert_not_null(strstr(r->out, "{\"release\": \"2\""), "%s%s", r->out, r->err);
    r = PBY_RUN("1,0\n2,0\n", "release", "ptr:eps=40,T=1,answers=3", "--statistic", "max_k", "--k", "30",
                "--quiet");
    cr_assert_str_eq(r->out, "none\n", "%s", r->err);
    r = PBY_RUN(data, "release", "choosing:eps=40,counts=40", "--quiet");
    cr_assert_str_eq(r->out, "oslo,5000\nrome,0\n", "%s", r->err);
    r = PBY_RUN(data, "release", "choosing:eps=40,counts=40", "--quiet", "--rounds", "1", "--json");
    cr_assert_not_null(strstr(r->out, "[{\"key\": \"oslo\", \"count\": 5000}]"), "%s", r->out);
    PBY_REFUSED(2, "whose answer SPEC", data, "release", "ptr:eps=1,T=3,answers=3");
    PBY_REFUSED(2, "the number of bars and one more", data, "release", "ptr:eps=1,T=3,answers=4",
                "--statistic", "max");
    PBY_REFUSED(2, "--rounds", data, "release", "geometric:eps=1", "--rounds", "1");
    PBY_REFUSED(2, "rounds: expected at most", data, "release", "choosing:eps=1,counts=1", "--rounds", "3");
    PBY_REFUSED(2, "--truncate", data, "release", "choosing:eps=1,counts=1", "--truncate", "3");
    PBY_REFUSED(2, "timing-safe", data, "release", "choosing:eps=1,counts=1", "--timing-safe");
}
