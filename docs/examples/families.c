/* SPDX-License-Identifier: MIT */
/* The families of mechanisms: what each takes and gives, its parameters, and an example. This file is C and
 * C++.
 *
 *     cc -std=c11 $(pkg-config --cflags probity) families.c $(pkg-config --libs probity) -o families
 *
 * It prints:
 *     geometric: two-sided geometric noise (discrete Laplace)
 *       reads counts, releases every bar; neighbours add-remove, substitute
 *       eps: eps=E, the loss at the given sensitivity, a rational above 0; required
 *       sensitivity: sensitivity=D, the most that a query moves; 1 if left out
 *     ...
 */
#include <probity.h>
#include <stdio.h>

static const char *reads(pby_input input)
{
    switch (input) {
    case PBY_TAKES_COUNTS:
        return "counts";
    case PBY_TAKES_POINTS:
        return "points";
    case PBY_TAKES_ANSWERS:
        return "answers";
    case PBY_TAKES_SCORES:
        return "candidates with scores";
    }
    return "";
}

static const char *releases(pby_release_form form)
{
    switch (form) {
    case PBY_RELEASE_COUNTS:
        return "every bar";
    case PBY_RELEASE_PASSED:
        return "the bars that pass";
    case PBY_RELEASE_PRESENT:
        return "the names of the bars that pass";
    case PBY_RELEASE_RANGES:
        return "an interval for every bar";
    case PBY_RELEASE_PASSED_RANGES:
        return "an interval for the bars that pass";
    case PBY_RELEASE_ANSWERS:
        return "an answer for every user";
    case PBY_RELEASE_CANDIDATE:
        return "one candidate";
    case PBY_RELEASE_PASSED_CANDIDATE:
        return "one of the bars that pass";
    case PBY_RELEASE_TOTAL:
        return "every bar and their total";
    case PBY_RELEASE_POINT:
        return "a point of a public grid";
    case PBY_RELEASE_STATISTIC:
        return "the answer of a statistic";
    case PBY_RELEASE_CHOSEN:
        return "some bars, one after the other";
    }
    return "";
}

static void print_neighbours(const pby_family *family)
{
    const char *before = "neighbours ";
    for (int i = PBY_ADD_REMOVE; i <= PBY_LOCAL; i++)
        if (pby_family_about(family, (pby_neighbours)i)) {
            printf("%s%s", before, pby_neighbours_text((pby_neighbours)i));
            before = ", ";
        }
    puts("");
}

static void print_parameters(const pby_family *family)
{
    pby_family_parameter p;
    for (size_t i = 0; pby_family_parameter_at(&p, family, i); i++) {
        printf("  %s: %s", p.name, p.meaning);
        if (p.required)
            printf("; required");
        if (p.fallback != NULL)
            printf("; %s if left out", p.fallback);
        puts("");
    }
}

int main(void)
{
    for (size_t i = 0; i < pby_family_count(); i++) {
        const pby_family *family = pby_family_at(i);
        printf("%s: %s\n  ", pby_family_name(family), pby_family_summary(family));
        if (pby_family_releases(family))
            printf("reads %s, releases %s; ", reads(pby_family_takes(family)),
                   releases(pby_family_form(family)));
        print_neighbours(family);
        print_parameters(family);
        printf("  such as %s\n", pby_family_examples(family)[0]);
    }
    return 0;
}
