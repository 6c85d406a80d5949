/* SPDX-License-Identifier: MIT */
/* pby_accuracy_ask against the functions that it asks, which other tests hold against enumerations. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "probity/rational.h"
#include "tests/spec.h"

static pby_error err;

static void is(pby_status status)
{
    cr_assert_eq(status, PBY_OK, "%s", err.text);
}

static void are(const pby_accuracy_words *words, const char *alpha, const char *beta, const char *gamma)
{
    cr_assert_str_eq(words->alpha, alpha);
    cr_assert_str_eq(words->beta, beta);
    cr_assert_str_eq(words->gamma, gamma);
}

static void refused(const char *text, const pby_accuracy_request *request, const char *reason)
{
    pby_accuracy_answer a;
    pby_spec *spec = spec_of(text);
    pby_accuracy_answer_init(&a);
    cr_assert_eq(pby_accuracy_ask(&a, spec, request, &err), PBY_BAD, "%s", text);
    cr_assert_not_null(strstr(err.text, reason), "%s: %s", text, err.text);
    pby_accuracy_answer_clear(&a);
    pby_spec_free(spec);
}

Test(accuracy_ask, of_records_that_are_dropped)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    const pby_statistic max = {.name = PBY_STATISTIC_MAX};
    const pby_accuracy_request request = {
        .ask = PBY_ACCURACY_STATISTIC, .n = 3000, .support = 3, .statistic = &max};
    pby_accuracy_answer a;
    pby_accuracy_answer_init(&a);
    is(pby_accuracy_ask(&a, spec, &request, &err));
    cr_assert_eq(a.kind, PBY_ACCURACY_DROPS);
    cr_assert_eq(a.bar_loss, 40);
    are(&a.release, "0.04", "0", "0");
    are(&a.seen, "2/75", "0", "0");
    are(&a.statistic, "2/75", "0", "0");
    cr_assert_str_eq(a.claimed, "0.04");
    cr_assert(a.least && a.unknown == NULL);
    cr_assert_str_empty(a.chance.hi);
    pby_accuracy_answer_clear(&a);
    pby_spec_free(spec);
}

/* A number may be a text or a rational, and one answer may be asked into again. */
Test(accuracy_ask, of_noise_by_text_and_by_rational)
{
    pby_spec *spec = spec_of("geometric:eps=1"), *drops = spec_of("stlap:eps=1/2,q=40");
    pby_accuracy_request request = {.n = 1000, .support = 10, .beta = {.text = "20"}, .digits = 9};
    pby_noisy_accuracy expected;
    pby_accuracy_answer a;
    mpq_t beta;
    mpq_init(beta);
    mpq_set_ui(beta, 20, 1);
    pby_noisy_accuracy_init(&expected);
    pby_accuracy_answer_init(&a);
    is(pby_accuracy_noisy(&expected, spec, &(pby_input_class){.n = 1000, .support = 10}, beta, NULL, 9,
                          &err));
    is(pby_accuracy_ask(&a, spec, &request, &err));
    cr_assert(mpfr_equal_p(a.of.chance.hi, expected.chance.hi) &&
              mpfr_equal_p(a.of.chance.lo, expected.chance.lo));
    cr_assert_str_eq(a.release.beta, "20");
    cr_assert(atof(a.chance.hi) < 1e-6 && atof(a.chance.lo) > 0);
    is(pby_accuracy_ask(&a, drops, &(pby_accuracy_request){.n = 3000, .support = 3}, &err));
    cr_assert_str_empty(a.chance.hi);
    request.beta = (pby_value){.rational = beta};
    is(pby_accuracy_ask(&a, spec, &request, &err));
    cr_assert_str_eq(a.release.beta, "20");
    cr_assert_null(a.claimed);
    pby_accuracy_answer_clear(&a);
    pby_noisy_accuracy_clear(&expected);
    mpq_clear(beta);
    pby_spec_free(drops);
    pby_spec_free(spec);
}

Test(accuracy_ask, of_users_and_of_a_statistic_of_noise)
{
    pby_spec *answers = spec_of("krr:eps=1,k=4"), *noise = spec_of("geometric:eps=1");
    pby_statistic statistic = {.name = PBY_STATISTIC_MODE};
    pby_accuracy_request request = {.n = 100, .support = 1, .gamma = {.text = "1/20"}, .digits = 7};
    pby_decimals text;
    pby_enclosure x, y;
    pby_accuracy_answer a;
    pby_accuracy_answer_init(&a);
    pby_enclosure_init(&x);
    pby_enclosure_init(&y);
    is(pby_accuracy_share(&x, &y, answers, 100, 7, &err));
    is(pby_accuracy_ask(&a, answers, &request, &err));
    cr_assert(mpfr_equal_p(a.truth.lo, x.lo) && mpfr_equal_p(a.deviation.hi, y.hi));
    pby_decimals_set(&text, &y, 7);
    cr_assert_str_eq(a.deviation_text.hi, text.hi);
    request = (pby_accuracy_request){.ask = PBY_ACCURACY_STATISTIC,
                                     .n = 1000,
                                     .support = 12,
                                     .beta = {.text = "3"},
                                     .statistic = &statistic};
    is(pby_accuracy_ask(&a, noise, &request, &err));
    cr_assert_null(a.unknown);
    cr_assert_str_eq(a.statistic.beta, "0");
    statistic.name = PBY_STATISTIC_MEDIAN;
    is(pby_accuracy_ask(&a, noise, &request, &err));
    cr_assert_not_null(a.unknown);
    cr_assert_null(a.statistic.alpha);
    pby_enclosure_clear(&y);
    pby_enclosure_clear(&x);
    pby_accuracy_answer_clear(&a);
    pby_spec_free(noise);
    pby_spec_free(answers);
}

Test(accuracy_ask, refusals)
{
    const pby_statistic max = {.name = PBY_STATISTIC_MAX};
    refused("geometric:eps=1", &(pby_accuracy_request){.n = 9, .support = 10, .beta = {.text = "x"}},
            "beta 'x'");
    refused("geometric:eps=1", &(pby_accuracy_request){.ask = (pby_accuracy_question)9, .support = 10},
            "ask: expected a question");
    refused("stlap:eps=1,q=3", &(pby_accuracy_request){.n = 9, .support = 3, .gamma = {.text = "1/9"}},
            "gamma: expected none");
    refused("stlap:eps=1,q=3", &(pby_accuracy_request){.ask = PBY_ACCURACY_STATISTIC, .n = 9, .support = 3},
            "statistic: expected one");
    refused("stlap:eps=1,q=3", &(pby_accuracy_request){.ask = PBY_ACCURACY_AVERAGE, .n = 9, .support = 3},
            "stlap");
    refused("stlap:eps=1,q=3", &(pby_accuracy_request){.ask = PBY_ACCURACY_GIVEN, .statistic = &max},
            "counts: expected at least one bar");
}
