/* SPDX-License-Identifier: MIT */
#include "cli/advice.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/cli/run.h"

static const pby_option known[] = {{.name = "--delta"}, {.name = "--uses"}, {.name = NULL}};

static void becomes(const char *text, const char *expected)
{
    pby_error err = {.status = PBY_BAD};
    snprintf(err.text, sizeof err.text, "%s", text);
    pby_advise_options(&err, known);
    cr_expect_str_eq(err.text, expected);
}

Test(advice, an_argument_at_the_beginning_is_an_option)
{
    becomes("delta '1': expected less", "--delta '1': expected less");
    becomes("uses: expected an integer", "--uses: expected an integer");
    becomes("delta is negative", "delta is negative");
    becomes("deltas: expected", "deltas: expected");
    becomes("epsilon '1': expected delta", "epsilon '1': expected delta");
    becomes("--delta '1': expected less", "--delta '1': expected less");
    becomes("", "");
}

Test(advice, phrases_stand_anywhere_and_nothing_overflows)
{
    becomes("rho: expected epsilon and delta, because x", "--rho: expected --epsilon and --delta, because x");
    pby_error err = {.status = PBY_BAD};
    memset(err.text, 'x', PBY_ERROR_SIZE - 20);
    strcpy(err.text + PBY_ERROR_SIZE - 60, "beta: expected this or gamma, since");
    pby_advise(&err);
    cr_expect_lt(strlen(err.text), PBY_ERROR_SIZE);
    cr_expect_not_null(strstr(err.text, "--beta: expected this or --gamma"));
}

/* The command's own words for what the library refuses. */
Test(advice, the_command_names_options)
{
    PBY_REFUSED(2, "probity: --delta '1': expected a rational from 0 to below 1", NULL, "select", "stlap",
                "--epsilon", "1", "--delta", "1");
    PBY_REFUSED(2, "probity: --rho: expected --epsilon and --delta, because no stlap has a finite rho", NULL,
                "select", "stlap", "--rho", "1");
    PBY_REFUSED(2, "--beta: expected this or --gamma, since the noise has no end", NULL, "accuracy",
                "geometric:eps=1", "--records", "100", "--support", "10");
    PBY_REFUSED(2, "--counts COLUMN chooses another column; raw records, one a row, are counted by release",
                "a,1\nb,x\n", "release", "geometric:eps=1");
}
