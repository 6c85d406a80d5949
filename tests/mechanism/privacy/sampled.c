/* SPDX-License-Identifier: MIT */
/* Releases of a sample: the counts are thinned, and the noise is added to what is left. */
#include <criterion/criterion.h>
#include <string.h>

#include "law/sampler.h"
#include "law/thinning.h"
#include "mechanism/run/noise_bars.h"
#include "probity/experimental/parts.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"
#include "tests/spec.h"

enum { BARS = 40, USES = 3 };

static void fill(int64_t *counts)
{
    for (int i = 0; i < BARS; i++)
        counts[i] = i % 3 == 0 ? 0 : 37 * i;
}

/* From one source: counts thinned, then the noise of the law, use after use. */
static void expect(int64_t *noisy, const char *law, const char *rate, const int64_t *counts)
{
    pby_spec *spec = spec_of(law);
    pby_sampler *sampler;
    pby_thinning *thinning;
    pby_entropy *source = seeded(3);
    fmpq_t q;
    fmpq_init(q);
    set_text(q, rate);
    cr_assert_eq(pby_sampler_new(&sampler, spec, NULL), PBY_OK);
    cr_assert_eq(pby_thinning_new(&thinning, q, NULL), PBY_OK);
    for (int u = 0; u < USES; u++) {
        int64_t noise[BARS];
        cr_assert_eq(pby_thinning_draw(thinning, source, counts, noisy + u * BARS, BARS, NULL), PBY_OK);
        cr_assert_eq(pby_draw_many(sampler, source, noise, BARS, NULL), PBY_OK);
        for (int i = 0; i < BARS; i++)
            noisy[u * BARS + i] += noise[i];
    }
    fmpq_clear(q);
    pby_entropy_free(source);
    pby_thinning_free(thinning);
    pby_sampler_free(sampler);
    pby_spec_free(spec);
}

Test(release_sampled, every_use_thins_the_counts_anew)
{
    static const char *const cases[][3] = {
        {"geometric:eps=1/2,sample=1/3", "geometric:eps=1/2", "1/3"},
        {"dgauss:sigma2=9,sample=1/100", "dgauss:sigma2=9", "1/100"},
        {"laplace:scale=3,grid=1,sample=3/4", "laplace:scale=3,grid=1", "3/4"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int64_t counts[BARS], noisy[BARS], expected[USES * BARS];
        pby_spec *spec = spec_of(cases[c][0]);
        pby_release *release;
        fill(counts);
        expect(expected, cases[c][1], cases[c][2], counts);
        cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(3), NULL), PBY_OK);
        for (int u = 0; u < USES; u++) {
            cr_assert_eq(pby_release_counts(release, counts, noisy, BARS, NULL), PBY_OK);
            cr_assert_eq(memcmp(noisy, expected + u * BARS, sizeof noisy), 0, "%s, use %d", cases[c][0], u);
        }
        pby_release_free(release);
        pby_spec_free(spec);
    }
}

/* A limit comes first: a count of 1000 behind a limit of 4 has at most 4 records to sample. */
Test(release_sampled, a_limit_is_before_the_sample)
{
    pby_spec *spec = spec_of("laplace:scale=1/1000,grid=1,sample=1/2");
    pby_release *release;
    int64_t counts[BARS];
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(3), NULL), PBY_OK);
    cr_assert_eq(pby_release_most(release), PBY_THINNED_MAX);
    cr_assert_eq(pby_release_truncate(release, 4, NULL), PBY_OK);
    cr_assert_eq(pby_release_most(release), INT64_MAX);
    int64_t most = 0, sum = 0;
    for (int i = 0; i < BARS; i++)
        counts[i] = i % 2 == 0 ? INT64_MAX : 1000;
    cr_assert_eq(pby_release_counts(release, counts, counts, BARS, NULL), PBY_OK);
    for (int i = 0; i < BARS; i++) {
        most = counts[i] > most ? counts[i] : most;
        sum += counts[i];
    }
    cr_assert(most <= 4 && sum > 0 && sum < 4 * BARS);
    pby_release_free(release);
    pby_spec_free(spec);
}

/* The threshold sees all records, and the mechanism behind it a sample of what passed. */
Test(release_sampled, a_gate_sees_all_records)
{
    pby_spec *spec = spec_of("threshold:eps=1000,T=50 laplace:scale=1/1000,grid=1,sample=1/100");
    pby_release *release;
    int64_t counts[BARS], noisy[BARS];
    for (int i = 0; i < BARS; i++)
        counts[i] = i % 2 == 0 ? 100 : 10;
    cr_assert_eq(pby_release_with(&release, spec, PBY_ADD_REMOVE, seeded(3), NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, counts, noisy, BARS, NULL), PBY_OK);
    for (int i = 0; i < BARS; i++)
        cr_assert(i % 2 == 0 ? noisy[i] >= 0 && noisy[i] < 20 : noisy[i] == PBY_SUPPRESSED, "bar %d: %lld", i,
                  (long long)noisy[i]);
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(release_sampled, refused)
{
    static const struct {
        const char *spec, *expected;
        pby_neighbours relation;
    } cases[] = {
        {"geometric:eps=1,sensitivity=2,sample=1/3", "counts are sampled one by one", PBY_ADD_REMOVE},
        {"laplace:scale=1,grid=1,sensitivity=2,sample=1/3", "counts are sampled one by one", PBY_ADD_REMOVE},
        {"dgauss:sigma2=1,sensitivity=3,sample=1/3", "counts are sampled one by one", PBY_ADD_REMOVE},
        {"geometric:eps=1,theta=1/100,sample=1/3", "a random query is made of all records", PBY_ADD_REMOVE},
        {"geometric:eps=1,sensitivity=2,sample=1/3", "add-remove", PBY_SUBSTITUTE},
        {"gauss:sigma2=1,sample=1/3", "histogram", PBY_ADD_REMOVE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of(cases[i].spec);
        pby_release *release = NULL;
        pby_error err;
        cr_assert_eq(pby_release_new(&release, spec, cases[i].relation, &err), PBY_BAD, "%s", cases[i].spec);
        cr_assert_not_null(strstr(err.text, cases[i].expected), "%s", err.text);
        cr_assert_null(release);
        pby_spec_free(spec);
    }
    pby_spec *spec = spec_of("geometric:eps=1,sample=1/3");
    pby_release *release;
    pby_error err;
    cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_release_timing_safe(release, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "takes longer for a larger count"), "%s", err.text);
    pby_release_free(release);
    pby_spec_free(spec);
}
