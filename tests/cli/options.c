/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/run.h"

#define SPEC "stlap:eps=1/2,q=40"

static char expected[4096];

static void same_answer(const char *const *arguments)
{
    const pby_run *r = pby_run_command(NULL, arguments);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, expected);
}

Test(options, stand_anywhere_in_either_form)
{
    strcpy(expected, PBY_RUN(NULL, "loss", SPEC, "--epsilon", "1/3", "--digits", "12", "--json")->out);
    cr_assert_not_null(strstr(expected, "\"delta\": {\"lo\": \"0.0"));
    same_answer(PBY_ARGUMENTS("loss", "--json", "--digits", "12", "--epsilon", "1/3", SPEC));
    same_answer(PBY_ARGUMENTS("loss", "--epsilon=1/3", SPEC, "--digits=12", "--json"));
    same_answer(PBY_ARGUMENTS("loss", "--epsilon=1/3", "--digits=12", "--json", "--", SPEC));
}

Test(options, of_one_letter_take_a_value_in_either_form)
{
    const char *seed = "0000000000000000000000000000000000000000000000000000000000000001";
    strcpy(expected, PBY_RUN(NULL, "draw", SPEC, "-n", "4", "--seed", seed)->out);
    cr_assert_gt(strlen(expected), 8);
    same_answer(PBY_ARGUMENTS("draw", "-n4", "--seed", seed, SPEC));
}

Test(options, a_value_may_be_negative)
{
    const pby_run *r = PBY_RUN(NULL, "loss", SPEC, "--epsilon", "-2");
    cr_assert_eq(r->status, 0);
    cr_assert_not_null(strstr(r->out, "0.86466"));
}

Test(options, refuses_what_it_does_not_know)
{
    PBY_REFUSED(2,
                "option '--epsilno': not known; did you mean --epsilon? expected an option such as --help, ",
                NULL, "loss", SPEC, "--epsilno", "1");
    PBY_REFUSED(2, "did you mean --epsilon?", NULL, "loss", SPEC, "--epsilno", "1");
    PBY_REFUSED(2, "option '-x'", NULL, "loss", SPEC, "--epsilon", "1", "-x");
    PBY_REFUSED(2, "option '--seed'", NULL, "loss", SPEC, "--epsilon", "1", "--seed", "00");
    PBY_REFUSED(2, "option '--=1'", NULL, "loss", SPEC, "--=1");
    PBY_REFUSED(2, "option '--epsilon1'", NULL, "loss", SPEC, "--epsilon1");
}

Test(options, refuses_a_missing_or_superfluous_value)
{
    PBY_REFUSED(2, "--epsilon '': expected a value after it: a rational", NULL, "loss", SPEC, "--epsilon");
    PBY_REFUSED(2, "--epsilon '': expected a value after it: a rational", NULL, "loss", SPEC, "--epsilon",
                "--json");
    PBY_REFUSED(2, "--json '1': expected no value", NULL, "loss", SPEC, "--epsilon", "1", "--json=1");
    PBY_REFUSED(2, "-o '': expected a value", NULL, "certify", SPEC, "--epsilon", "1", "-o");
}

Test(options, refuses_one_given_twice_and_two_that_exclude_each_other)
{
    PBY_REFUSED(2, "--epsilon '2': expected it once, not twice", NULL, "loss", SPEC, "--epsilon=1",
                "--epsilon=2");
    PBY_REFUSED(2, "--json '': expected it once", NULL, "loss", SPEC, "--epsilon=1", "--json", "--json");
    PBY_REFUSED(2, "--delta '1/9': expected one of --epsilon and --delta, not both", NULL, "loss", SPEC,
                "--epsilon=1", "--delta=1/9");
}
