/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"

#define SPEC "stlap:eps=1/2,q=40"

Test(loss_command, answers_in_aligned_lines)
{
    const pby_run *r = PBY_RUN(NULL, "loss", SPEC, "--epsilon", "1/2");
    cr_assert_eq(r->status, 0);
    cr_assert_str_empty(r->err);
    const char *answer = "mechanism   stlap:eps=1/2,q=40\n"
                         "neighbours  add-remove\n"
                         "epsilon     1/2\n"
                         "delta       [1.47266186e-05, 1.47266187e-05]\n"
                         "claimed     [1.47266186e-05, 1.47266187e-05]  ";
    cr_assert_eq(strncmp(r->out, answer, strlen(answer)), 0, "%s", r->out);
}

Test(loss_command, an_exact_answer_is_one_number)
{
    const pby_run *r = PBY_RUN(NULL, "loss", "geometric:eps=1", "--epsilon", "1");
    cr_assert_not_null(strstr(r->out, "\ndelta       0\n"), "%s", r->out);
    cr_assert_null(strstr(r->out, "claimed"));
}

static json_t *json_answer(const char *const *arguments)
{
    const pby_run *r = pby_run_command(NULL, arguments);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(strcspn(r->out, "\n") + 1, r->out_size, "not one line: %s", r->out);
    json_t *object = json_loadb(r->out, r->out_size, JSON_REJECT_DUPLICATES, NULL);
    cr_assert(json_is_object(object), "%s", r->out);
    return object;
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    cr_assert_not_null(text, "no text under %s", name);
    return text;
}

Test(loss_command, json_tells_the_question_and_the_enclosure)
{
    json_t *o = json_answer(PBY_ARGUMENTS("loss", SPEC, "--epsilon", "0.5", "--digits", "20", "--json"));
    cr_assert_str_eq(text_of(o, "spec"), SPEC);
    cr_assert_str_eq(text_of(o, "neighbours"), "add-remove");
    cr_assert_str_eq(text_of(o, "epsilon"), "0.5");
    cr_assert_str_eq(text_of(json_object_get(o, "delta"), "lo"), "1.4726618650060221601e-05");
    cr_assert_str_eq(text_of(json_object_get(o, "delta"), "hi"), "1.4726618650060221602e-05");
    cr_assert_not_null(strstr(text_of(json_object_get(o, "claimed"), "source"), "Flex/Corollary 3"));
    cr_assert_str_eq(text_of(json_object_get(o, "claimed"), "hi"), "1.4726618650060221602e-05");
    cr_assert_str_eq(text_of(json_object_get(o, "claimed"), "here"), "holds");
    cr_assert_str_eq(text_of(json_object_get(o, "claimed"), "row"), "Flex/Corollary 3");
    cr_assert(json_is_true(json_object_get(json_object_get(o, "claimed"), "refuted")));
    cr_assert_eq(json_object_size(o), 5);
    json_decref(o);
}

static void says(const char *text, const char *const *arguments)
{
    const pby_run *r = pby_run_command(NULL, arguments);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, text), "%s", r->out);
}

Test(loss_command, a_claim_says_where_it_holds)
{
    says("Flex/Corollary 3: fails here; refuted in general\n",
         PBY_ARGUMENTS("loss", "stlap:eps=1/2,tau=1/75,n=3000,bars=3", "--epsilon", "1/2"));
    says("Thresh/Theorem 2: fails here; refuted in general\n",
         PBY_ARGUMENTS("loss", "range:eps=1,L=20,sensitivity=10", "--epsilon", "1"));
    says("Thresh/Theorem 2: fails here; refuted in general\n",
         PBY_ARGUMENTS("explain", "range:eps=1,L=20,sensitivity=10"));
    says("Thresh/Lemma 2: holds here\n", PBY_ARGUMENTS("loss", "range:eps=1,L=20", "--epsilon", "1"));
}

Test(loss_command, json_without_a_claim_has_none)
{
    json_t *o =
        json_answer(PBY_ARGUMENTS("loss", SPEC, "--epsilon", "1/3", "--neighbours", "substitute", "--json"));
    cr_assert_str_eq(text_of(o, "neighbours"), "substitute");
    cr_assert_eq(json_object_size(o), 4);
    json_decref(o);
}

Test(loss_command, asks_for_epsilon_too)
{
    json_t *o = json_answer(PBY_ARGUMENTS("loss", SPEC, "--delta", "1e-5", "--json"));
    cr_assert_str_eq(text_of(o, "delta"), "1e-5");
    const double lo = strtod(text_of(json_object_get(o, "epsilon"), "lo"), NULL);
    const double hi = strtod(text_of(json_object_get(o, "epsilon"), "hi"), NULL);
    cr_assert(0.5 < lo && lo <= hi && hi - lo < 1e-7, "[%g, %g]", lo, hi);
    json_decref(o);
}

/* Outcomes that only one of the two inputs can give have a chance of 6.4e-06. */
Test(loss_command, epsilon_is_infinite_below_the_impossible_mass)
{
    json_t *o = json_answer(PBY_ARGUMENTS("loss", SPEC, "--delta", "1e-6", "--json"));
    cr_assert_str_eq(text_of(json_object_get(o, "epsilon"), "lo"), "inf");
    cr_assert_str_eq(text_of(json_object_get(o, "epsilon"), "hi"), "inf");
    json_decref(o);
}

Test(loss_command, takes_absurd_numbers_in_good_part)
{
    cr_assert_eq(PBY_RUN(NULL, "loss", SPEC, "--epsilon", "1e10000")->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "loss", SPEC, "--epsilon", "-1e10000")->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "loss", SPEC, "--epsilon", "1e-10000")->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "loss", SPEC, "--delta", "1e-10000")->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "loss", SPEC, "--epsilon", "1", "--digits", "1000")->status, 0);
}

/* Parameters whose answers are far from 1 on either side: tiny, or as near to a bound as digits tell. */
Test(loss_command, takes_absurd_parameters_in_good_part)
{
    static const struct {
        const char *spec, *question, *value, *answer;
    } asked[] = {
        {"gauss:sigma2=1e4000", "--epsilon", "1", "delta       [0, 2."},
        {"gauss:sigma2=1e17", "--epsilon", "1",
         "delta       [8.61987287e-21714724095162618, 8.61987288e-21714724095162618]"},
        {"gauss:sigma2=1e-4000", "--epsilon", "1", "delta       [0.999999999, 1]"},
        {"3*dgauss:sigma2=1", "--epsilon", "1e4000", "delta       [0, 1."},
        {"3*dgauss:sigma2=1e120", "--delta", "1e-6", "epsilon     [-1.00000"},
        {"3*laplace:scale=1e40", "--epsilon", "1e-4000", "delta       [7.4"},
        {"stlap:eps=1/2,tau=1/3,n=30,bars=2147483647", "--epsilon", "1/2", "delta       [0."},
        {"threshold:eps=1e300,T=3", "--epsilon", "1", "delta       [0.999999999, 1]"},
        {"threshold:eps=1e300,T=3", "--epsilon", "1e300", "claimed     [0, 2."},
        {"threshold:eps=1e300,T=3", "--delta", "1e-6", "epsilon     [9.99999999e+299, 1.00000001e+300]"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const pby_run *r = PBY_RUN(NULL, "loss", asked[i].spec, asked[i].question, asked[i].value);
        cr_assert_eq(r->status, 0, "%s: %s", asked[i].spec, r->err);
        cr_assert_not_null(strstr(r->out, asked[i].answer), "%s: %s", asked[i].spec, r->out);
    }
    PBY_REFUSED(2, "expected a SPEC of smaller losses", NULL, "loss", "2000*geometric:eps=1e4000", "--delta",
                "1e-6");
}

Test(loss_command, refuses_numbers_that_are_none)
{
    const char *none[] = {"nan", "NaN",    "inf", "-inf", "",        " 1", "1 ",
                          "1,5", "0x1p-1", "1/0", "--",   "1e10001", "."};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        char option[64] = "--epsilon=";
        strcat(option, none[i]);
        PBY_REFUSED(2, "--epsilon '", NULL, "loss", SPEC, option);
    }
    PBY_REFUSED(2, "--delta '-1/9': expected a rational from 0 on", NULL, "loss", SPEC, "--delta", "-1/9");
}

Test(loss_command, refuses_more_digits_than_may_be_read)
{
    static char option[6000];
    strcpy(option, "--epsilon=");
    memset(option + 10, '7', 5000);
    option[5010] = '\0';
    PBY_REFUSED(2, "expected at most 4096 digits", NULL, "loss", SPEC, option);
}

Test(loss_command, refuses_other_bad_arguments)
{
    PBY_REFUSED(2, "loss: expected a SPEC", NULL, "loss", "--epsilon", "1");
    PBY_REFUSED(2, "loss: expected one of --epsilon E and --delta D", NULL, "loss", SPEC);
    PBY_REFUSED(2, "--neighbours 'both': expected", NULL, "loss", SPEC, "--epsilon", "1", "--neighbours",
                "both");
    const char *digits[] = {"0", "-1", "1001", "1/2", "nine", "", "1e99"};
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
        PBY_REFUSED(2, "expected an integer from 1 to 1000", NULL, "loss", SPEC, "--epsilon", "1", "--digits",
                    digits[i]);
}

Test(loss_command, reads_events)
{
    static const char *const trees[][2] = {
        {"docs/events/training.json", "mechanism   10000*gauss:sigma2=4,sample=1/100\n"},
        {"docs/events/mixed.json",
         "mechanism   250*gauss:sigma2=9/4,sample=1/25 gauss:sigma2=64 laplace:scale=20\n"},
        {"docs/events/queries.json", "mechanism   40*laplace:scale=10 laplace:scale=1/2,sample=1/10\n"}};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        const pby_run *r = PBY_RUN(NULL, "loss", "--events", trees[i][0], "--epsilon", "1/2");
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_eq(strncmp(r->out, trees[i][1], strlen(trees[i][1])), 0, "%s", r->out);
    }
    PBY_REFUSED(2, "--events 'docs/events/training.json': expected no SPEC", NULL, "loss", SPEC, "--events",
                "docs/events/training.json", "--epsilon", "1");
    PBY_REFUSED(2, "--events 'none.json'", NULL, "loss", "--events", "none.json", "--epsilon", "1");
    PBY_REFUSED(2, "--events '-': line 2: expected", "{\n", "loss", "--events", "-", "--epsilon", "1");
    PBY_REFUSED(2, "neighbours 'substitute': expected add-remove", NULL, "loss", "--events",
                "docs/events/training.json", "--epsilon", "1", "--neighbours", "substitute");
}

Test(loss_command, refuses_specs_that_are_none)
{
    const char *none[] = {"",
                          ":",
                          "stlap",
                          "stlap:",
                          "nosuch:eps=1",
                          "stlap:eps=1",
                          "stlap:eps=1,q=0",
                          "stlap:eps=nan,q=1",
                          "stlap:eps=-1,q=1",
                          "stlap:eps=1,q=1,q=2",
                          "stlap:eps=1,q=1,z=2",
                          "stlap:eps=1,q=1e15",
                          "0*geometric:eps=1",
                          "-1*geometric:eps=1",
                          "stlap:eps=1,q=4 "};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        PBY_REFUSED(2, "expected", NULL, "loss", none[i], "--epsilon", "1");
}

Test(loss_command, widths)
{
    const pby_run *r =
        PBY_RUN(NULL, "loss", "50*laplace:scale=10", "--epsilon", "1", "--width", "1e-4", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\"width\": \"1e-4\""), "%s", r->out);
    cr_assert_null(strstr(r->out, "wider"), "%s", r->out);
    r = PBY_RUN(NULL, "loss", "2*partition:eps=1,delta=1/100", "--delta", "199/10000");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "\nepsilon     [1.99106551, 2.00000001]\n"), "%s", r->out);
    r = PBY_RUN(NULL, "loss", "stlap:eps=1,tau=3/4,n=400,bars=2", "--epsilon", "1");
    cr_assert_not_null(strstr(r->out, "\nwider       neither finer grids"), "%s", r->out);
    PBY_REFUSED(2, "--width '0': expected a rational above 0 and below 1", NULL, "loss", "2*pure:eps=1",
                "--delta", "1e-3", "--width", "0");
    PBY_REFUSED(2, "--width '1': expected a rational above 0 and below 1", NULL, "loss", "2*pure:eps=1",
                "--delta", "1e-3", "--width", "1");
    PBY_REFUSED(2, "--width 'a': expected a rational", NULL, "loss", "2*pure:eps=1", "--delta", "1e-3",
                "--width", "a");
    PBY_REFUSED(2, "--width '1/2': expected the exact composition", NULL, "loss", "2*pure:eps=1", "--zcdp",
                "--width", "1/2");
    PBY_REFUSED(2, "expected a greater width", NULL, "loss", "100*laplace:scale=10", "--epsilon", "1",
                "--width", "1e-40");
}

/* An infinite part and a finite one with a radius are infinity. */
Test(loss_command, an_infinite_divergence_is_told)
{
    says("\nrenyi       inf\n", PBY_ARGUMENTS("loss", "choosing:eps=1,counts=1/2", "--order", "3"));
}

/* A lower end of about exp(-1e11): its exact middle with the upper one has that many bits. */
Test(loss_command, ends_far_apart_take_little_memory)
{
    says("\ndelta       [0, 1]\n",
         PBY_ARGUMENTS("loss", "fbsupport:eps=1e11,level=3,x=1,y=0,bound=4", "--epsilon", "1"));
}

/* Ends that no grid brings together have another reason where the worst neighbours are not known. */
Test(loss_command, says_why_an_enclosure_is_wide)
{
    static const char *const loose[] = {"1000*noisymax:eps=1/100", "50*sparse:rate=1/10",
                                        "3*fbsupport:eps=1/2,level=3,x=1,y=0,bound=4"};
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++) {
        const pby_run *r = PBY_RUN(NULL, "loss", loose[i], "--epsilon", "1");
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_not_null(strstr(r->out,
                                  "\nwider       the worst neighbours are not known: from what some lose "
                                  "to a bound on all (probity explain)\n"),
                           "%s", r->out);
    }
    const pby_run *r = PBY_RUN(NULL, "explain", "sparse:rate=1/10");
    cr_assert_not_null(strstr(r->out, "  wider     the worst neighbours are not known"), "%s", r->out);
}
