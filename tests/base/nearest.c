/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const names[] = {"loss", "release", "eps", "sensitivity", "--epsilon", "q", NULL};

static void finds(const char *text, const char *expected)
{
    const char *found = pby_nearest(text, names);
    if (expected == NULL)
        cr_assert_null(found, "%s: %s", text, found);
    else
        cr_assert_str_eq(found == NULL ? "none" : found, expected, "%s", text);
}

Test(nearest, one_or_two_letters_off)
{
    finds("los", "loss");
    finds("losss", "loss");
    finds("lsos", "loss");
    finds("boss", "loss");
    finds("relaese", "release");
    finds("rlaese", "release");
    finds("--epsilno", "--epsilon");
}

Test(nearest, cut_short_or_spelt_out)
{
    finds("epsilon", "eps");
    finds("sens", "sensitivity");
    finds("--eps", "--epsilon");
    finds("rel", "release");
}

Test(nearest, great_or_small)
{
    finds("LOSS", "loss");
    finds("Eps", "eps");
    finds("Q", "q");
    finds("Relaese", "release");
    finds("EPSILON", "eps");
}

Test(nearest, no_guesses)
{
    finds("", NULL);
    finds("x", NULL);
    finds("quarterly", NULL);
    finds("--", NULL);
    finds("--e", NULL);
    finds("a name of more letters than any name has, by far", NULL);
}

Test(nearest, the_closest_wins_and_then_the_first)
{
    const char *const close[] = {"abcf", "abce", "abde", NULL};
    cr_assert_str_eq(pby_nearest("abce", close), "abce");
    cr_assert_str_eq(pby_nearest("abcd", close), "abcf");
}

Test(nearest, a_suggestion_is_whole_or_absent)
{
    char text[64] = "one of them", small[26] = "one of them";
    pby_suggest(text, sizeof text, "losss", names);
    cr_assert_str_eq(text, "one of them; did you mean loss?");
    pby_suggest(small, sizeof small, "losss", names);
    cr_assert_str_eq(small, "one of them");
    pby_suggest(text, sizeof text, "quarterly", names);
    cr_assert_str_eq(text, "one of them; did you mean loss?");
}

Test(nearest, a_name_is_found_or_refused_with_the_list)
{
    pby_error err;
    size_t i = 7;
    cr_assert_eq(pby_name_find(&i, names, "it", "eps", &err), PBY_OK);
    cr_assert_eq(i, 2);
    cr_assert_eq(pby_name_find(&i, names, "it", "esp", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "it 'esp': expected one of loss, release, eps, sensitivity, --epsilon, q; "
                               "did you mean eps?");
    cr_assert_eq(pby_refuse_name(&err, "it", "", names), PBY_BAD);
    cr_assert_str_eq(err.text, "it '': expected one of loss, release, eps, sensitivity, --epsilon, q");
}

Test(nearest, a_list_that_is_too_long_is_cut)
{
    enum { MANY = 40 };
    const char *many[MANY + 1] = {NULL};
    for (size_t i = 0; i < MANY; i++)
        many[i] = "a name of thirty bytes or so ..";
    pby_error err;
    cr_assert_eq(pby_refuse_name(&err, "it", "x", many), PBY_BAD);
    cr_assert_eq(strlen(err.text), sizeof err.text - 1);
}
