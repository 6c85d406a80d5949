/* SPDX-License-Identifier: MIT */
/* One request asks what the functions of their own answer, with numbers as text or as rationals. */
#include "probity/experimental/losses.h"
#include "probity/loss.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "number/scoped.h"

static pby_spec *spec_of(const char *text)
{
    pby_spec *spec = NULL;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK, "%s", text);
    return spec;
}

static void expect_same(const pby_answer *answer, const pby_enclosure *expected, unsigned digits)
{
    pby_decimals text;
    pby_decimals_set(&text, expected, digits);
    cr_expect(mpfr_equal_p(answer->value.lo, expected->lo) && mpfr_equal_p(answer->value.hi, expected->hi));
    cr_expect_str_eq(answer->text.lo, text.lo);
    cr_expect_str_eq(answer->text.hi, text.hi);
}

static pby_status ask_alone(pby_enclosure *out, pby_question ask, const pby_spec *spec, mpq_srcptr at,
                            unsigned digits)
{
    switch (ask) {
    case PBY_ASK_DELTA:
        return pby_loss_delta(out, spec, PBY_ADD_REMOVE, at, digits, NULL);
    case PBY_ASK_EPSILON:
        return pby_loss_epsilon(out, spec, PBY_ADD_REMOVE, at, digits, NULL);
    case PBY_ASK_RENYI:
        return pby_loss_renyi(out, NULL, spec, PBY_ADD_REMOVE, at, digits, NULL);
    case PBY_ASK_RHO:
        return pby_loss_zcdp(out, NULL, spec, PBY_ADD_REMOVE, at, digits, NULL);
    default:
        return pby_loss_mu(out, spec, PBY_ADD_REMOVE, digits, NULL);
    }
}

Test(loss_ask, a_request_answers_as_the_function_of_each_question)
{
    static const struct {
        pby_question ask;
        const char *at;
        unsigned over, under;
    } cases[] = {{PBY_ASK_DELTA, "1/2", 1, 2},
                 {PBY_ASK_EPSILON, "1e-3", 1, 1000},
                 {PBY_ASK_RENYI, "3", 3, 1},
                 {PBY_ASK_RHO, "0", 0, 1},
                 {PBY_ASK_MU, NULL, 0, 1}};
    pby_spec *spec = spec_of("2*geometric:eps=1");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PBY_MPQ(at);
        pby_enclosure alone, several;
        pby_answer answer;
        mpq_set_ui(at, cases[i].over, cases[i].under);
        pby_enclosure_init(&alone);
        pby_enclosure_init(&several);
        pby_answer_init(&answer);
        cr_assert_eq(ask_alone(&alone, cases[i].ask, spec, at, 7), PBY_OK);
        const pby_loss_request text = {.ask = cases[i].ask, .at.text = cases[i].at, .digits = 7};
        cr_assert_eq(pby_loss_ask(&answer, spec, &text, NULL), PBY_OK);
        expect_same(&answer, &alone, 7);
        const pby_loss_request rational = {.ask = cases[i].ask, .at.rational = at, .digits = 7};
        cr_assert_eq(pby_loss_ask(&answer, spec, &rational, NULL), PBY_OK);
        expect_same(&answer, &alone, 7);
        cr_assert_eq(pby_loss(&several, cases[i].ask, spec, PBY_ADD_REMOVE, at,
                              &(pby_loss_options){.digits = 7}, NULL),
                     PBY_OK);
        expect_same(&answer, &several, 7);
        cr_expect_eq(answer.has_approximate, cases[i].ask == PBY_ASK_RENYI || cases[i].ask == PBY_ASK_RHO);
        pby_answer_clear(&answer);
        pby_enclosure_clear(&several);
        pby_enclosure_clear(&alone);
    }
    pby_spec_free(spec);
}

/* The divergence of order infinity of geometric noise is its epsilon. */
Test(loss_ask, an_order_that_is_left_out_is_infinity)
{
    pby_spec *spec = spec_of("geometric:eps=1/2");
    pby_answer answer;
    pby_answer_init(&answer);
    const pby_loss_request none = {.ask = PBY_ASK_RENYI}, inf = {.ask = PBY_ASK_RENYI, .at.text = "inf"};
    cr_assert_eq(pby_loss_ask(&answer, spec, &none, NULL), PBY_OK);
    cr_expect_str_eq(answer.text.lo, "0.5");
    cr_expect_str_eq(answer.text.hi, "0.5");
    cr_assert_eq(pby_loss_ask(&answer, spec, &inf, NULL), PBY_OK);
    cr_expect_str_eq(answer.text.hi, "0.5");
    pby_answer_clear(&answer);
    pby_spec_free(spec);
}

Test(loss_ask, a_theorem_a_conversion_and_a_group_are_members_of_the_request)
{
    static const struct {
        const char *spec;
        pby_loss_request request;
        const char *hi;
    } cases[] = {
        {"3*geometric:eps=1/2", {.ask = PBY_ASK_EPSILON, .at.text = "0", .composition = "basic"}, "1.5"},
        {"zcdp:rho=1/2", {.ask = PBY_ASK_RHO, .conversion = "gauss-to-zcdp"}, NULL},
        {"geometric:eps=1/2", {.ask = PBY_ASK_EPSILON, .at.text = "0", .group = 3}, "1.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of(cases[i].spec);
        pby_answer answer;
        pby_error err = PBY_NO_ERROR;
        pby_answer_init(&answer);
        const pby_status status = pby_loss_ask(&answer, spec, &cases[i].request, &err);
        cr_expect_eq(status, cases[i].hi == NULL ? PBY_BAD : PBY_OK, "%s", err.text);
        if (cases[i].hi != NULL)
            cr_expect_str_eq(answer.text.hi, cases[i].hi);
        pby_answer_clear(&answer);
        pby_spec_free(spec);
    }
}

Test(loss_ask, a_claim_stands_beside_delta_alone)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_answer answer;
    pby_answer_init(&answer);
    const pby_loss_request delta = {.at.text = "1/2"}, epsilon = {.ask = PBY_ASK_EPSILON, .at.text = "1e-6"};
    cr_assert_eq(pby_loss_ask(&answer, spec, &delta, NULL), PBY_OK);
    cr_expect_not_null(answer.source);
    cr_expect_neq(answer.claimed_text.hi[0], '\0');
    cr_assert_eq(pby_loss_ask(&answer, spec, &epsilon, NULL), PBY_OK);
    cr_expect_null(answer.source);
    cr_expect_eq(answer.claimed_text.hi[0], '\0');
    pby_answer_clear(&answer);
    pby_spec_free(spec);
}

Test(loss_ask, a_request_is_refused_by_the_member_that_is_wrong)
{
    PBY_MPQ(two);
    mpq_set_ui(two, 2, 1);
    const struct {
        pby_loss_request request;
        const char *expected;
    } cases[] = {
        {{.ask = (pby_question)17}, "ask: expected"},
        {{.ask = PBY_ASK_DELTA}, "epsilon: expected one"},
        {{.ask = PBY_ASK_EPSILON}, "delta: expected one"},
        {{.ask = PBY_ASK_EPSILON, .at.rational = two}, "delta: expected a rational from 0 on, at most 1"},
        {{.ask = PBY_ASK_EPSILON, .at.text = "2"}, "delta '2': expected a rational from 0 on, at most 1"},
        {{.at.text = "1", .width.rational = two}, "width: expected a rational above 0 and below 1"},
        {{.at.text = "1", .composition = "x"}, "composition 'x': expected"},
        {{.at.text = "1", .conversion = "x"}, "conversion 'x': expected"},
    };
    pby_spec *spec = spec_of("geometric:eps=1");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_answer answer;
        pby_error err = PBY_NO_ERROR;
        pby_answer_init(&answer);
        cr_expect_eq(pby_loss_ask(&answer, spec, &cases[i].request, &err), PBY_BAD);
        cr_expect(strstr(err.text, cases[i].expected) == err.text, "%s", err.text);
        pby_answer_clear(&answer);
    }
    pby_spec_free(spec);
}

Test(loss_ask, an_epsilon_and_a_delta_need_a_value)
{
    pby_spec *spec = spec_of("geometric:eps=1");
    pby_enclosure out;
    pby_error err = PBY_NO_ERROR;
    pby_enclosure_init(&out);
    cr_expect_eq(pby_loss(&out, PBY_ASK_DELTA, spec, PBY_ADD_REMOVE, NULL, NULL, &err), PBY_BAD);
    cr_expect_eq(pby_loss(&out, PBY_ASK_EPSILON, spec, PBY_ADD_REMOVE, NULL, NULL, &err), PBY_BAD);
    cr_expect_eq(pby_loss(&out, PBY_ASK_MU, spec, PBY_ADD_REMOVE, NULL, NULL, &err), PBY_OK);
    pby_enclosure_clear(&out);
    pby_spec_free(spec);
}
