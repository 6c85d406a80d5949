/* SPDX-License-Identifier: MIT */
/* Checks that every family must pass, with its examples. A family brings its own tests only for its own
 * mathematics. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/shared/selection.h"
#include "probity.h"
#include "probity/experimental/losses.h"
#include "tests/mechanism/examples.h"

Test(families, each_has_examples_of_its_own)
{
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_family *family = pby_families[i];
        cr_assert(family->examples != NULL && family->examples[0] != NULL, "%s has no example", family->name);
        for (const char *const *example = family->examples; *example != NULL; example++) {
            const size_t length = strlen(family->name);
            cr_assert(strncmp(*example, family->name, length) == 0 && (*example)[length] == ':', "%s: %s",
                      family->name, *example);
        }
    }
}

/* The manual has at least one form of its specs, and each parameter in some form. */
Test(families, each_has_its_place_in_the_manual)
{
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_family *family = pby_families[i];
        const size_t length = strlen(family->name);
        unsigned seen = 0;
        cr_assert(family->manual != NULL && family->manual[0] != NULL, "%s is not in the manual",
                  family->name);
        for (const char *const *form = family->manual; *form != NULL; form += 2) {
            cr_assert(strncmp(*form, family->name, length) == 0 && (*form)[length] == ':', "%s", *form);
            cr_assert_not_null(form[1], "%s has no words", *form);
            for (size_t j = 0; j < pby_family_parameters(family); j++) {
                char text[64];
                snprintf(text, sizeof text, "%s=", family->parameters[j].name);
                seen |= (unsigned)(strstr(*form, text) != NULL) << j;
            }
        }
        cr_assert_eq(seen, (1u << pby_family_parameters(family)) - 1, "%s", family->name);
    }
}

/* The chosen number is one of the parameters, and a loss that is never 0 has a reason. */
Test(families, what_is_chosen_is_a_parameter)
{
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_select_row *row = pby_families[i]->select;
        if (row == NULL)
            continue;
        cr_assert_lt(pby_family_with(pby_families[i], row->chosen), PBY_PARAMETERS_MAX, "%s",
                     pby_families[i]->name);
        cr_assert(row->recipe < PBY_RECIPES && row->rho_recipe < PBY_RECIPES);
        cr_assert(row->never_zero != NULL || row->rho_monotone != NULL, "%s", pby_families[i]->name);
    }
}

Test(families, no_parameter_is_without_a_role_or_shares_one)
{
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_family *family = pby_families[i];
        for (size_t j = 0; j < pby_family_parameters(family); j++) {
            const pby_role role = family->parameters[j].role;
            if (role != PBY_ROLE_NONE)
                cr_assert_eq(pby_family_with(family, role), j, "%s: two of the role of %s", family->name,
                             family->parameters[j].name);
        }
    }
}

/* The canonical text is a fixed point, and each example is written in it. */
Test(families, an_example_is_read_and_printed_as_it_stands)
{
    PBY_EACH_EXAMPLE(example)
    {
        pby_spec *spec;
        pby_error err;
        cr_assert_eq(pby_spec_parse(&spec, &example, 1, &err), PBY_OK, "%s: %s", example, err.text);
        cr_assert_str_eq(pby_spec_text(spec), example);
        pby_spec_free(spec);
    }
}

/* delta falls as epsilon grows, and epsilon(delta(e)) is no more than e. */
Test(families, the_loss_of_an_example_is_a_profile)
{
    PBY_EACH_EXAMPLE(example)
    {
        pby_spec *spec;
        pby_error err;
        pby_enclosure low, high;
        mpq_t one, two;
        mpq_inits(one, two, NULL);
        mpq_set_ui(one, 1, 4);
        mpq_set_ui(two, 3, 2);
        pby_enclosure_init(&low);
        pby_enclosure_init(&high);
        cr_assert_eq(pby_spec_parse(&spec, &example, 1, &err), PBY_OK);
        for (int relation = PBY_ADD_REMOVE; relation <= PBY_LOCAL; relation++) {
            if (pby_loss_delta(&low, spec, (pby_neighbours)relation, one, 9, &err) != PBY_OK)
                continue;
            cr_assert_eq(pby_loss_delta(&high, spec, (pby_neighbours)relation, two, 9, &err), PBY_OK, "%s",
                         example);
            cr_assert(mpfr_cmp(high.lo, low.hi) <= 0, "%s: delta grows", example);
            cr_assert(mpfr_sgn(low.lo) >= 0 && mpfr_cmp_ui(low.lo, 1) <= 0 && mpfr_cmp(low.lo, low.hi) <= 0,
                      "%s", example);
        }
        pby_spec_free(spec);
        pby_enclosure_clear(&high);
        pby_enclosure_clear(&low);
        mpq_clears(one, two, NULL);
    }
}

/* The certificate of each example, between the first neighbours that it is about, holds. A promise about
 * Renyi divergences alone has none. */
Test(families, an_example_is_certified_and_verified)
{
    PBY_EACH_EXAMPLE(example)
    {
        pby_spec *spec;
        pby_neighbours relation;
        pby_error err;
        char *text = NULL;
        mpq_t epsilon;
        mpq_init(epsilon);
        mpq_set_ui(epsilon, 1, 2);
        cr_assert_eq(pby_spec_parse(&spec, &example, 1, &err), PBY_OK);
        cr_assert_eq(pby_spec_neighbours(&relation, spec, &err), PBY_OK, "%s: %s", example, err.text);
        PBY_PRIVACY(privacy, &spec->use[0].mechanism);
        const bool paired = privacy.paired;
        cr_assert_eq(pby_certify(&text, spec, relation, epsilon, &err), paired ? PBY_OK : PBY_BAD, "%s: %s",
                     example, err.text);
        if (paired)
            cr_assert_eq(pby_verify(NULL, text, strlen(text), &err), PBY_OK, "%s: %s", example, err.text);
        free(text);
        pby_spec_free(spec);
        mpq_clear(epsilon);
    }
}
