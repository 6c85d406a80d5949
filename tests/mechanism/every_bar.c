/* SPDX-License-Identifier: MIT */
/* Releases that add noise to every bar: their law is that of the sampler, bar by bar and use by use. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/sampler.h"
#include "mechanism/run/noise_bars.h"
#include "probity/experimental/losses.h"
#include "probity/experimental/parts.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "tests/law/fit.h"
#include "tests/spec.h"

enum { BARS = 300 };

/* Draws noise with the sampler from a seed. */
static void draw(int64_t *noise, size_t n, const char *text, uint8_t seed)
{
    pby_spec *spec = spec_of(text);
    pby_sampler *sampler;
    pby_entropy *source = seeded(seed);
    cr_assert_eq(pby_sampler_new(&sampler, spec, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(sampler, source, noise, n, NULL), PBY_OK);
    pby_entropy_free(source);
    pby_sampler_free(sampler);
    pby_spec_free(spec);
}

static void fill(int64_t *counts)
{
    for (int i = 0; i < BARS; i++)
        counts[i] = i % 3 == 0 ? 0 : 7 * i;
}

/* Released from the same seed, a count of x is the steps of x and the noise. */
static void check_steps(const char *text, int64_t up, int64_t down)
{
    int64_t counts[BARS], noise[BARS], noisy[BARS];
    pby_spec *spec = spec_of(text);
    pby_release *release;
    mpq_t unit;
    mpq_init(unit);
    fill(counts);
    draw(noise, BARS, text, 5);
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(5), NULL), PBY_OK);
    cr_assert_eq(pby_release_form_of(release), PBY_RELEASE_COUNTS);
    cr_assert_eq(pby_release_uses(release), 1);
    pby_release_unit(unit, release);
    cr_assert_eq(mpq_cmp_si(unit, down, (unsigned long)up), 0, "%s", text);
    cr_assert_eq(pby_release_counts(release, counts, noisy, BARS, NULL), PBY_OK);
    for (int i = 0; i < BARS; i++) /* floor(x up / down + 1/2) */
        cr_assert_eq(noisy[i], (2 * counts[i] * up + down) / (2 * down) + noise[i], "%s: bar %d", text, i);
    mpq_clear(unit);
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(every_bar, gets_the_noise_of_the_law)
{
    check_steps("geometric:eps=1/3", 1, 1);
    check_steps("dgauss:sigma2=50", 1, 1);
    check_steps("dgauss:sigma2=1/3", 1, 1);
    check_steps("laplace:scale=5,grid=1", 1, 1);
    check_steps("laplace:scale=5,grid=1/4", 4, 1);
    check_steps("laplace:scale=50,grid=5", 1, 5);
    check_steps("laplace:scale=50,grid=3/2", 2, 3);
}

/* The second use draws where the first has ended. */
Test(every_bar, several_uses_are_several_draws)
{
    static const char *const specs[][2] = {{"3*dgauss:sigma2=50", "dgauss:sigma2=50"},
                                           {"3*geometric:eps=1", "geometric:eps=1"}};
    for (size_t k = 0; k < 2; k++) {
        int64_t counts[BARS], noise[3 * BARS], noisy[BARS];
        pby_spec *spec = spec_of(specs[k][0]);
        pby_release *release;
        fill(counts);
        draw(noise, 3 * BARS, specs[k][1], 9);
        cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(9), NULL), PBY_OK);
        cr_assert_eq(pby_release_uses(release), 3);
        for (int u = 0; u < 3; u++) {
            cr_assert_eq(pby_release_counts(release, counts, noisy, BARS, NULL), PBY_OK);
            for (int i = 0; i < BARS; i++)
                cr_assert_eq(noisy[i], counts[i] + noise[u * BARS + i]);
        }
        pby_release_free(release);
        pby_spec_free(spec);
    }
}

Test(every_bar, refusals)
{
    static const struct {
        const char *spec, *expected;
        pby_neighbours relation;
    } cases[] = {{"dgauss:sigma2=5", "expected sensitivity=2", PBY_SUBSTITUTE},
                 {"laplace:scale=5,grid=1", "expected sensitivity=2", PBY_SUBSTITUTE},
                 {"laplace:scale=5,grid=1,sensitivity=1/2", "expected sensitivity=1", PBY_ADD_REMOVE},
                 {"laplace:scale=5,grid=2,sensitivity=2", "expected a grid of 1, 1/2, 1/3", PBY_SUBSTITUTE},
                 {"laplace:scale=5,grid=2/3,sensitivity=2", "expected a grid of 1, 1/2, 1/3", PBY_ADD_REMOVE},
                 {"laplace:scale=5", "expected a grid to draw on", PBY_ADD_REMOVE},
                 {"4097*geometric:eps=1", "up to 4096", PBY_ADD_REMOVE},
                 {"2*gauss:sigma2=4", "expected one use", PBY_ADD_REMOVE},
                 {"threshold:eps=1,T=5 laplace:scale=1,grid=1/2", "a threshold in front of", PBY_ADD_REMOVE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of(cases[i].spec);
        pby_release *release;
        pby_error err = {.text = ""};
        cr_assert_eq(pby_release_new(&release, spec, cases[i].relation, &err), PBY_BAD, "%s", cases[i].spec);
        cr_assert_not_null(strstr(err.text, cases[i].expected), "%s", err.text);
        pby_spec_free(spec);
    }
}

Test(every_bar, timing_safe_where_nothing_is_rounded)
{
    static const struct {
        const char *spec;
        pby_status status;
    } cases[] = {{"dgauss:sigma2=50", PBY_OK},
                 {"3*dgauss:sigma2=50", PBY_OK},
                 {"laplace:scale=5,grid=1", PBY_OK},
                 {"laplace:scale=5,grid=1/2", PBY_BAD}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t counts[3] = {0, 1000, 1000000};
        int64_t noisy[3];
        pby_spec *spec = spec_of(cases[i].spec);
        pby_release *release;
        cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
        cr_assert_eq(pby_release_timing_safe(release, NULL), cases[i].status, "%s", cases[i].spec);
        cr_assert_eq(pby_release_counts(release, counts, noisy, 3, NULL), PBY_OK);
        if (cases[i].status == PBY_OK) /* beyond 400 the chance is below exp(-80) */
            for (int b = 0; b < 3; b++)
                cr_assert(llabs(noisy[b] - counts[b]) <= 400, "%s", cases[i].spec);
        pby_release_free(release);
        pby_spec_free(spec);
    }
}

/* ---- several bars ------------------------------------------------------------------------------ */

static void delta_at(pby_enclosure *delta, const char *text, const char *epsilon_text)
{
    pby_spec *spec = spec_of(text);
    mpq_t epsilon;
    mpq_init(epsilon);
    cr_assert_eq(pby_rational_parse(epsilon, "epsilon", epsilon_text, NULL), PBY_OK);
    cr_assert_eq(pby_loss_delta(delta, spec, PBY_ADD_REMOVE, epsilon, 9, NULL), PBY_OK);
    mpq_clear(epsilon);
    pby_spec_free(spec);
}

/* docs/theory/geometric.md: bars that move by 1 and 1, or by 1 and 2, lose no more than one that moves by the
 * sum. */
Test(every_bar, one_bar_of_discrete_gaussian_noise_is_the_worst)
{
    static const char *const sigmas[] = {"1/10", "1/3", "1", "7/2", "30"}, *const epsilons[] = {
                                                                               "-1", "0", "1/3", "1", "3"};
    for (size_t s = 0; s < 5; s++)
        for (size_t e = 0; e < 5; e++)
            for (size_t k = 0; k < 2; k++) {
                char several[128], one[128];
                pby_enclosure less, more;
                if (k == 0)
                    snprintf(several, sizeof several, "2*dgauss:sigma2=%s", sigmas[s]);
                else
                    snprintf(several, sizeof several, "dgauss:sigma2=%s dgauss:sigma2=%s,sensitivity=2",
                             sigmas[s], sigmas[s]);
                snprintf(one, sizeof one, "dgauss:sigma2=%s,sensitivity=%zu", sigmas[s], k + 2);
                pby_enclosure_init(&less);
                pby_enclosure_init(&more);
                delta_at(&less, several, epsilons[e]);
                delta_at(&more, one, epsilons[e]);
                cr_assert(mpfr_lessequal_p(less.lo, more.hi), "%s, %s at %s", several, one, epsilons[e]);
                pby_enclosure_clear(&more);
                pby_enclosure_clear(&less);
            }
}
