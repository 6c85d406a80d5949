/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/audit.h"
#include "probity/experimental/auditing.h"
#include "probity/experimental/draw.h"
#include "tests/audit/binomial.h"
#include "tests/audit/mechanisms.h"
#include "tests/spec.h"

static pby_conformance *test_of(const pby_spec *spec)
{
    pby_conformance *test;
    cr_assert_eq(pby_conformance_new(&test, spec, NULL), PBY_OK);
    return test;
}

static void add(pby_conformance *test, int64_t value)
{
    char text[32];
    const int length = snprintf(text, sizeof text, "%lld", (long long)value);
    cr_assert_eq(pby_conformance_add(test, text, (size_t)length, NULL), PBY_OK);
}

static bool violates(pby_conformance *test, const char *error)
{
    mpq_t a;
    bool violation;
    char *text;
    mpq_init(a);
    mpq_set_str(a, error, 10);
    cr_assert_eq(pby_conformance_judge(&violation, &text, test, pby_value_rational(a), NULL), PBY_OK);
    cr_assert_not_null(strstr(text, violation ? "\"violation\"" : "\"consistent\""));
    free(text);
    mpq_clear(a);
    return violation;
}

/* Draws of one law judged against another, the same unless it is broken. */
static bool mistaken(const char *drawn, const char *law, size_t n, int64_t shift, uint64_t seed)
{
    uint8_t bytes[PBY_SEED_SIZE] = {0};
    memcpy(bytes, &seed, sizeof seed);
    pby_spec *a = spec_of(drawn), *b = spec_of(law);
    pby_conformance *test = test_of(b);
    pby_sampler *sampler;
    pby_entropy *source;
    int64_t *noise = malloc(n * sizeof *noise);
    cr_assert_eq(pby_sampler_new(&sampler, a, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_seeded(&source, bytes, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(sampler, source, noise, n, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++)
        add(test, noise[i] + shift);
    const bool answer = violates(test, "1/1000000000");
    free(noise);
    pby_entropy_free(source);
    pby_sampler_free(sampler);
    pby_conformance_free(test);
    pby_spec_free(b);
    pby_spec_free(a);
    return answer;
}

Test(audit_conform, our_own_draws_follow_their_laws)
{
    static const char *const laws[] = {"geometric:eps=1/10", "geometric:eps=3",          "stlap:eps=1/2,q=40",
                                       "stlap:eps=1/2,q=3",  "tgeometric:eps=1,bound=5", "dgauss:sigma2=10"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        cr_assert(!mistaken(laws[i], laws[i], 50000, 0, 40 + i), "%s", laws[i]);
}

Test(audit_conform, another_law_is_told_apart)
{
    cr_assert(mistaken("geometric:eps=1/10", "geometric:eps=1/9", 50000, 0, 50));
    cr_assert(mistaken("geometric:eps=1/10", "geometric:eps=1/10", 50000, 1, 51));
    cr_assert(mistaken("stlap:eps=1/2,q=40", "stlap:eps=1/2,q=41", 50000, 0, 52));
    cr_assert(mistaken("dgauss:sigma2=10", "dgauss:sigma2=11", 50000, 0, 53));
}

/* One impossible value is enough. */
Test(audit_conform, a_value_outside_the_support_is_a_violation)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_conformance *test = test_of(spec);
    add(test, -20);
    cr_assert(!violates(test, "1/1000"));
    add(test, 1);
    cr_assert(violates(test, "1/1000"));
    pby_conformance_free(test);
    pby_spec_free(spec);
}

/* Only even values of a law that has odd ones. */
Test(audit_conform, a_comb_is_seen)
{
    pby_spec *spec = spec_of("geometric:eps=1/10");
    pby_conformance *test = test_of(spec);
    specimen_random *random = specimen_random_new(54);
    for (int i = 0; i < 20000; i++) {
        int64_t value = 0;
        while (specimen_uniform(random) < 0.904837418)
            value++;
        while (specimen_uniform(random) < 0.904837418)
            value--;
        add(test, value / 2 * 2);
    }
    cr_assert(violates(test, "1/1000000"));
    specimen_random_free(random);
    pby_conformance_free(test);
    pby_spec_free(spec);
}

/* For any sample size, small ones included: the law itself is rejected in at most a tenth of the tests. */
Test(audit_conform, the_law_itself_is_seldom_rejected)
{
    enum { TESTS = 400 };
    size_t rejected = 0;
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_sampler *sampler;
    pby_entropy *source;
    const uint8_t seed[PBY_SEED_SIZE] = {55};
    cr_assert_eq(pby_sampler_new(&sampler, spec, NULL), PBY_OK);
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
    for (size_t i = 0; i < TESTS; i++) {
        pby_conformance *test = test_of(spec);
        int64_t noise[60];
        const size_t n = 1 + i % 60;
        cr_assert_eq(pby_draw_many(sampler, source, noise, n, NULL), PBY_OK);
        for (size_t k = 0; k < n; k++)
            add(test, noise[k]);
        rejected += violates(test, "1/10");
        pby_conformance_free(test);
    }
    cr_assert(binomial_believable(TESTS, rejected, 0.1), "%zu", rejected);
    pby_entropy_free(source);
    pby_sampler_free(sampler);
    pby_spec_free(spec);
}

Test(audit_conform, refusals)
{
    static const char *const bad[] = {
        "", "x", "1.5", " 1", "99999999999999999999", "1e3", "0x10", "1234567890123456789012345"};
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_conformance *test = test_of(spec);
    mpq_t error;
    bool violation;
    char *text;
    mpq_init(error);
    mpq_set_ui(error, 1, 10);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(pby_conformance_add(test, bad[i], strlen(bad[i]), NULL), PBY_BAD, "%s", bad[i]);
    cr_assert_eq(pby_conformance_judge(&violation, &text, test, pby_value_rational(error), NULL), PBY_BAD,
                 "nothing was counted");
    cr_assert_eq(pby_conformance_add(test, "-3\r", 3, NULL), PBY_OK);
    mpq_set_ui(error, 1, 1);
    cr_assert_eq(pby_conformance_judge(&violation, &text, test, pby_value_rational(error), NULL), PBY_BAD);
    mpq_clear(error);
    pby_conformance_free(test);
    pby_spec_free(spec);
}
