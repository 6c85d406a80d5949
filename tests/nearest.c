#include "nearest.h"

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
