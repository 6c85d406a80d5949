/* SPDX-License-Identifier: MIT */
/* Robust noise behind another mechanism: what it costs, and what it does to a release. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "law/sampler.h"
#include "mechanism/family.h"
#include "mechanism/run/noise_bars.h"
#include "probity.h"
#include "probity/compat.h"
#include "tests/claims/decide.h"
#include "tests/cli/run.h"
#include "tests/law/fit.h"

static pby_spec *spec_of(const char *text)
{
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s: %s", text, err.text);
    return spec;
}

/* Whatever is asked: delta, epsilon, a composition, a ledger's list.
 * claims: Robust/Theorem 2 */
Test(robust_step, costs_nothing)
{
    static const char *const cases[][2] = {
        {"geometric:eps=1", "geometric:eps=1 robust:rho=2,eps=1/2"},
        {"stlap:eps=1/2,q=40", "stlap:eps=1/2,q=40 robust:rho=1,eps=1"},
        {"7*geometric:eps=1/3 dgauss:sigma2=9", "7*geometric:eps=1/3 dgauss:sigma2=9 robust:rho=1,eps=1"},
        {"pure:eps=1", "pure:eps=1 robust:rho=5/2,eps=1,grid=1/2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *alone = spec_of(cases[i][0]), *behind = spec_of(cases[i][1]);
        pby_decimals one, other;
        cr_assert_str_eq(pby_spec_text(behind), cases[i][1]);
        cr_assert_eq(pby_loss_delta_text(&one, alone, PBY_ADD_REMOVE, "1/4", 9, NULL), PBY_OK);
        cr_assert_eq(pby_loss_delta_text(&other, behind, PBY_ADD_REMOVE, "1/4", 9, NULL), PBY_OK);
        cr_assert(claims_eq_text(CLAIMS_ALL, other.lo, one.lo) &&
                      claims_eq_text(CLAIMS_ALL, other.hi, one.hi),
                  "%s", cases[i][1]);
        pby_spec_free(behind);
        pby_spec_free(alone);
    }
}

/* Alone it has no loss, and it stands nowhere but behind numbers. */
Test(robust_step, refusals)
{
    static const char *const refused[] = {"robust:rho=1,eps=1 geometric:eps=1",
                                          "geometric:eps=1 2*robust:rho=1,eps=1",
                                          "geometric:eps=1 robust:rho=1,eps=1 robust:rho=1,eps=1",
                                          "geometric:eps=1 robust:rho=1,eps=1 geometric:eps=1",
                                          "krr:eps=1,k=3 robust:rho=1,eps=1",
                                          "above:eps=1 robust:rho=1,eps=1",
                                          "exponential:eps=1 robust:rho=1,eps=1",
                                          "partition:eps=1,delta=1/10 robust:rho=1,eps=1",
                                          "robust:rho=1/2,eps=1",
                                          "robust:rho=1,eps=0"};
    pby_error err;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        pby_spec *spec;
        cr_assert_eq(pby_spec_parse(&spec, &refused[i], 1, &err), PBY_BAD, "%s", refused[i]);
    }
    pby_spec *alone = spec_of("robust:rho=1,eps=1");
    pby_decimals x;
    cr_assert_eq(pby_loss_delta_text(&x, alone, PBY_ADD_REMOVE, "1", 9, &err), PBY_BAD);
    cr_assert(strstr(err.text, "alone it is not private") != NULL, "%s", err.text);
    cr_assert_eq(pby_loss_epsilon_text(&x, alone, PBY_ADD_REMOVE, "1/10", 9, &err), PBY_BAD);
    cr_assert(strstr(err.text, "alone it is not private") != NULL, "%s", err.text);
    pby_release *release;
    cr_assert_eq(pby_release_new(&release, alone, PBY_ADD_REMOVE, &err), PBY_BAD);
    pby_spec_free(alone);
    pby_spec *behind = spec_of("geometric:eps=1 robust:rho=1,eps=1");
    pby_sampler *sampler;
    cr_assert_eq(pby_sampler_new(&sampler, behind, &err), PBY_BAD);
    pby_spec_free(behind);
}

/* The noise of the spec alone is the geometric law at the rate of the scale. */
Test(robust_step, draws_geometric_noise_of_its_scale)
{
    pby_spec *spec = spec_of("robust:rho=1,eps=1"), *same = spec_of("laplace:scale=131072/60705,grid=1");
    pby_sampler *sampler, *other;
    cr_assert_eq(pby_sampler_new(&sampler, spec, NULL), PBY_OK);
    cr_assert_eq(pby_sampler_new(&other, same, NULL), PBY_OK);
    pby_entropy *one = seeded(7), *two = seeded(7);
    int64_t x[500], y[500];
    cr_assert_eq(pby_draw_many(sampler, one, x, 500, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(other, two, y, 500, NULL), PBY_OK);
    cr_assert_eq(memcmp(x, y, sizeof x), 0);
    pby_entropy_free(one);
    pby_entropy_free(two);
    pby_sampler_free(other);
    pby_sampler_free(sampler);
    pby_spec_free(same);
    pby_spec_free(spec);
}

/* From one stream of words: what the mechanism releases, and behind it the draws of the last step. */
Test(robust_step, adds_its_draws_to_what_is_released)
{
    enum { N = 64 };
    pby_spec *spec = spec_of("geometric:eps=1 robust:rho=3,eps=1/2"), *first = spec_of("geometric:eps=1"),
             *second = spec_of("robust:rho=3,eps=1/2");
    pby_release *release;
    pby_sampler *sampler;
    int64_t counts[N], noisy[N], expected[N], noise[N];
    for (size_t i = 0; i < N; i++)
        counts[i] = (int64_t)i * 10;
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(3), NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, counts, noisy, N, NULL), PBY_OK);
    pby_entropy *words = seeded(3);
    cr_assert_eq(pby_sampler_new(&sampler, first, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(sampler, words, noise, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++)
        expected[i] = counts[i] + noise[i];
    pby_sampler_free(sampler);
    cr_assert_eq(pby_sampler_new(&sampler, second, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(sampler, words, noise, N, NULL), PBY_OK);
    for (size_t i = 0; i < N; i++)
        cr_assert_eq(noisy[i], expected[i] + noise[i]);
    pby_sampler_free(sampler);
    pby_entropy_free(words);
    pby_release_free(release);
    pby_spec_free(second);
    pby_spec_free(first);
    pby_spec_free(spec);
}

/* A number is rounded to the grid; draws are multiples of it, and centred. */
Test(robust_step, an_answer_is_rounded_and_gets_noise)
{
    pby_spec *spec = spec_of("geometric:eps=1 robust:rho=1,eps=8,grid=1/4");
    pby_release *release;
    mpq_t number, out, sum;
    mpq_inits(number, out, sum, NULL);
    mpq_set_si(number, -7, 5); /* between -6/4 and -5/4, nearer to the first */
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(9), NULL), PBY_OK);
    int equal = 0;
    for (int i = 0; i < 200; i++) {
        cr_assert_eq(pby_release_take_last(out, release, number, NULL), PBY_OK);
        mpq_set_si(sum, -3, 2);
        equal += mpq_equal(out, sum) ? 1 : 0;
        cr_assert(mpz_cmp_ui(mpq_denref(out), 4) <= 0 && mpz_cmp_ui(mpq_denref(out), 3) != 0);
    }
    /* rate above 1: the chance of no noise is above 0.46, and 30 of 200 or fewer below 1e-18 */
    cr_assert_gt(equal, 30);
    mpq_clears(number, out, sum, NULL);
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(robust_step, of_the_command)
{
    const pby_run *run = PBY_RUN("1,1000\n2,2000\n", "release", "geometric:eps=1 robust:rho=1,eps=30", "-",
                                 "--statistic", "max");
    cr_assert_eq(run->status, 0, "%s", run->err);
    PBY_REFUSED(2, "--statistic 'max': expected keys that are all numbers", "a,1000\nb,2000\n", "release",
                "geometric:eps=1 robust:rho=1,eps=1", "-", "--statistic", "max");
    PBY_REFUSED(2, "--statistic 'support': expected a number behind the last step", "1,1000\n", "release",
                "geometric:eps=1 robust:rho=1,eps=1", "-", "--statistic", "support");
    PBY_REFUSED(2, "expected the grid of the mechanism in front of it", "1,1000\n", "release",
                "geometric:eps=1 robust:rho=1,eps=1,grid=1/2", "-");
    PBY_REFUSED(2, "expected a mechanism in front of it", "1,1000\n", "release", "robust:rho=1,eps=1", "-");
    PBY_REFUSED(2, "expected a mechanism in front of it", NULL, "loss", "robust:rho=1,eps=1", "--delta", "0");
    run = PBY_RUN(NULL, "explain", "robust:rho=1,eps=1");
    cr_assert_eq(run->status, 0, "%s", run->err);
    cr_assert(strstr(run->out, "privacy     none of its own") != NULL &&
              strstr(run->out, "scale       131072/60705\n") != NULL);
}
