/* SPDX-License-Identifier: MIT */
/* The library as a program meets it: what is wrong is refused with a line that says so, never an abort; and
 * freeing nothing does nothing. */
#include <criterion/criterion.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "probity/experimental/auditing.h"
#include "probity/experimental/losses.h"
#include "tests/spec.h"

static pby_error err;

static void refused(pby_status status, const char *what)
{
    cr_expect_eq(status, PBY_BAD, "%s: %d", what, (int)status);
    cr_expect_eq(err.status, PBY_BAD, "%s", what);
    cr_expect_str_not_empty(err.text, "%s", what);
    err = (pby_error){.status = PBY_OK};
}

Test(library, freeing_nothing_does_nothing)
{
    pby_spec_free(NULL);
    pby_sampler_free(NULL);
    pby_entropy_free(NULL);
    pby_release_free(NULL);
    pby_bucketing_free(NULL);
    pby_certificate_free(NULL);
    pby_choice_free(NULL);
    pby_measure_free(NULL);
    pby_audit_free(NULL);
    pby_verdict_free(NULL);
    pby_conformance_free(NULL);
    pby_ledger_close(NULL);
}

/* The headers have the version that the Makefile gives the library. */
Test(library, one_version)
{
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d%s", PBY_VERSION_MAJOR, PBY_VERSION_MINOR, PBY_VERSION_PATCH,
             PBY_VERSION_STAGE);
    cr_assert_str_eq(text, pby_version());
    cr_assert_str_eq(text, PBY_VERSION);
}

Test(library, a_spec_of_nothing)
{
    pby_spec *spec;
    refused(pby_spec_parse(&spec, NULL, 0, &err), "no text at all");
    cr_assert_null(spec);
    spec = (pby_spec *)&err;
    const char *const texts[] = {"geometric:eps=1", "geomtric:eps=1"};
    refused(pby_spec_parse(&spec, texts, 2, &err), "a misspelt family");
    cr_assert_null(spec);
    cr_assert_eq(pby_spec_parse(&spec, texts + 1, 1, NULL), PBY_BAD, "the text is not wanted");
}

Test(library, losses_out_of_range)
{
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_enclosure x;
    mpq_t q;
    pby_enclosure_init(&x);
    mpq_init(q);
    mpq_set_si(q, -1, 2);
    refused(pby_loss_epsilon(&x, spec, PBY_ADD_REMOVE, q, 9, &err), "a negative delta");
    refused(pby_loss_renyi(&x, NULL, spec, PBY_ADD_REMOVE, q, 9, &err), "a negative order");
    refused(pby_loss_zcdp(&x, NULL, spec, PBY_ADD_REMOVE, q, 9, &err), "a negative xi");
    refused(pby_loss_convert(&x, "nothing-to-nothing", PBY_ASK_DELTA, spec, PBY_ADD_REMOVE, q, 9, &err),
            "no such conversion");
    mpq_clear(q);
    pby_enclosure_clear(&x);
    pby_spec_free(spec);
}

Test(library, more_digits_than_there_may_be_are_as_many_as_there_may_be)
{
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_enclosure x;
    mpq_t epsilon;
    char most[PBY_DECIMAL_SIZE], more[PBY_DECIMAL_SIZE];
    pby_enclosure_init(&x);
    mpq_init(epsilon);
    mpq_set_ui(epsilon, 1, 3);
    cr_assert_eq(pby_loss_delta(&x, spec, PBY_ADD_REMOVE, epsilon, PBY_DIGITS_MAX, &err), PBY_OK);
    pby_decimal(most, x.lo, PBY_DIGITS_MAX, true);
    cr_assert_eq(pby_loss_delta(&x, spec, PBY_ADD_REMOVE, epsilon, UINT_MAX, &err), PBY_OK);
    pby_decimal(more, x.lo, UINT_MAX, true);
    cr_assert_str_eq(most, more);
    cr_assert_eq(pby_loss_delta(&x, spec, PBY_ADD_REMOVE, epsilon, 0, &err), PBY_OK);
    cr_assert(mpfr_cmp(x.lo, x.hi) <= 0);
    mpq_clear(epsilon);
    pby_enclosure_clear(&x);
    pby_spec_free(spec);
}

Test(library, targets_out_of_range)
{
    pby_choice *choice = (pby_choice *)&err; /* what fails leaves NULL, whatever stood there */
    mpq_t half, none;
    mpq_inits(half, none, NULL);
    mpq_set_ui(half, 1, 2);
    pby_target target = {
        .epsilon = half, .delta = half, .relation = PBY_ADD_REMOVE, .uses = 1, .resolution = NULL};
    refused(pby_select(&choice, "no-such-family", &target, &err), "no such family");
    cr_expect_null(choice);
    refused(pby_select(&choice, "pure", &target, &err), "nothing to choose");
    target.epsilon = none;
    refused(pby_select(&choice, "stlap", &target, &err), "no epsilon");
    target.epsilon = half;
    target.uses = 0;
    refused(pby_select(&choice, "stlap", &target, &err), "no uses");
    mpq_clears(half, none, NULL);
}

Test(library, releases_and_draws_that_cannot_be)
{
    pby_spec *guarantee = spec_of("pure:eps=1"), *stlap = spec_of("stlap:eps=1/2,q=40");
    pby_release *release = (pby_release *)&err;
    pby_sampler *sampler = (pby_sampler *)&err;
    const int64_t negative = -1;
    int64_t noisy = 17;
    refused(pby_release_new(&release, guarantee, PBY_ADD_REMOVE, &err), "a guarantee releases nothing");
    refused(pby_sampler_new(&sampler, guarantee, &err), "a guarantee has no noise");
    cr_expect_null(release);
    cr_expect_null(sampler);
    cr_assert_eq(pby_release_new(&release, stlap, PBY_ADD_REMOVE, &err), PBY_OK);
    refused(pby_release_counts(release, &negative, &noisy, 1, &err), "a negative count");
    pby_release_free(release);
    pby_spec_free(stlap);
    pby_spec_free(guarantee);
}

Test(library, audits_of_nothing)
{
    pby_audit *audit;
    pby_verdict *verdict = (pby_verdict *)&err;
    mpq_t claim, delta, error;
    mpq_inits(claim, delta, error, NULL);
    mpq_set_ui(error, 1, 1000);
    cr_assert_eq(pby_audit_new(&audit, &err), PBY_OK);
    refused(pby_audit_judge(&verdict, audit, pby_value_rational(claim), pby_value_rational(delta),
                            pby_value_rational(error), &err),
            "no outputs");
    cr_expect_null(verdict);
    cr_assert_eq(pby_audit_add(audit, PBY_LEFT, "1", 1, &err), PBY_OK);
    cr_assert_eq(pby_audit_add(audit, PBY_RIGHT, "2", 1, &err), PBY_OK);
    mpq_set_ui(error, 1, 2);
    refused(pby_audit_judge(&verdict, audit, pby_value_rational(claim), pby_value_rational(delta),
                            pby_value_rational(error), &err),
            "an error of one half");
    mpq_set_si(delta, -1, 1);
    mpq_set_ui(error, 1, 1000);
    refused(pby_audit_judge(&verdict, audit, pby_value_rational(claim), pby_value_rational(delta),
                            pby_value_rational(error), &err),
            "a negative delta");
    mpq_clears(claim, delta, error, NULL);
    pby_audit_free(audit);
}

Test(library, no_certificate_holds_by_accident)
{
    pby_certificate *c;
    const char *const texts[] = {"", "{}", "[]", "null", "{\"format\": \"probity-certificate\"}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_assert_eq(pby_verify(&c, texts[i], strlen(texts[i]), &err), PBY_NO, "%s", texts[i]);
        cr_assert_null(c);
    }
}

Test(library, numbers_that_are_none)
{
    mpq_t q;
    mpq_init(q);
    refused(pby_rational_parse(q, "x", "", &err), "empty");
    refused(pby_rational_parse(q, "x", "1/0", &err), "1/0");
    refused(pby_rational_parse(q, "x", "nan", &err), "nan");
    mpq_clear(q);
    pby_statistic s;
    refused(pby_statistic_parse(&s, "mean", NULL, NULL, &err), "no such statistic");
    refused(pby_statistic_parse(&s, "quantile", NULL, "3/2", &err), "a share above 1");
    pby_composition by;
    refused(pby_composition_parse(&by, "--composition", "magic", &err), "no such theorem");
}

/* ---- threads ----------------------------------------------------------------------------------- */

/* A certificate of each kind of route: a sum, an integral, an exact composition and a grid. */
enum { KINDS = 5, THREADS = 4 };
static const char *const kinds[KINDS] = {"stlap:eps=1/2,q=40", "gauss:sigma2=4", "dgauss:sigma2=4",
                                         "3*geometric:eps=1/10", "10*dgauss:sigma2=50"};

static char *certificate_of(const char *text)
{
    pby_spec *spec = NULL;
    char *certificate = NULL;
    mpq_t epsilon;
    mpq_init(epsilon);
    mpq_set_ui(epsilon, 1, 4);
    if (pby_spec_parse(&spec, &text, 1, NULL) == PBY_OK &&
        pby_certify(&certificate, spec, PBY_ADD_REMOVE, epsilon, NULL) == PBY_OK &&
        pby_verify(NULL, certificate, strlen(certificate), NULL) != PBY_OK) {
        free(certificate);
        certificate = NULL;
    }
    pby_spec_free(spec);
    mpq_clear(epsilon);
    return certificate;
}

/* Every kind, each thread beginning with another one; how many came out as expected. */
struct thread {
    pthread_t id;
    char *const *expected;
    int first, same;
};

static void *certify_all(void *what)
{
    struct thread *t = what;
    for (int i = 0; i < KINDS; i++) {
        const int kind = (i + t->first) % KINDS;
        char *certificate = certificate_of(kinds[kind]);
        t->same += certificate != NULL && strcmp(certificate, t->expected[kind]) == 0;
        free(certificate);
    }
    pby_thread_end();
    return NULL;
}

Test(library, threads_certify_the_same)
{
    char *expected[KINDS];
    struct thread thread[THREADS];
    for (int i = 0; i < KINDS; i++) {
        expected[i] = certificate_of(kinds[i]);
        cr_assert_not_null(expected[i], "%s", kinds[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        thread[i] = (struct thread){.expected = expected, .first = i};
        cr_assert_eq(pthread_create(&thread[i].id, NULL, certify_all, &thread[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_join(thread[i].id, NULL), 0);
        cr_expect_eq(thread[i].same, KINDS);
    }
    for (int i = 0; i < KINDS; i++)
        free(expected[i]);
}
