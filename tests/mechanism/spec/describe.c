/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "probity.h"

static pby_error err;

static pby_spec *parse(const char *text)
{
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s: %s", text, err.text);
    return spec;
}

Test(describe, families_are_found_by_place_and_by_name)
{
    cr_assert_geq(pby_family_count(), 17);
    for (size_t i = 0; i < pby_family_count(); i++) {
        const pby_family *f = pby_family_at(i);
        cr_assert_eq(pby_family_named(pby_family_name(f)), f);
        cr_assert_str_not_empty(pby_family_summary(f));
    }
    cr_assert_null(pby_family_at(pby_family_count()));
    cr_assert_null(pby_family_named("gauß"));
    cr_assert_null(pby_family_named(""));
}

/* The description of a parameter agrees with the parser: a required one cannot be left out, and a default is
 * the same as leaving it out. */
Test(describe, parameters_are_those_of_the_parser)
{
    for (size_t i = 0; i < pby_family_count(); i++) {
        const pby_family *f = pby_family_at(i);
        pby_family_parameter p;
        for (size_t j = 0; j < pby_family_parameters(f); j++) {
            char text[128];
            cr_assert(pby_family_parameter_at(&p, f, j));
            cr_assert_not_null(p.role, "%s:%s has a role without a name", pby_family_name(f), p.name);
            cr_assert_str_not_empty(p.meaning);
            cr_assert(!p.required || p.fallback == NULL);
            snprintf(text, sizeof text, "%s:no_such_parameter=1", pby_family_name(f));
            pby_spec *spec;
            const char *const texts[] = {text};
            cr_assert_eq(pby_spec_parse(&spec, texts, 1, &err), PBY_BAD);
            cr_assert_not_null(strstr(err.text, p.name), "%s", err.text);
        }
        cr_assert(!pby_family_parameter_at(&p, f, pby_family_parameters(f)));
        cr_assert_null(p.name);
    }
}

Test(describe, a_default_is_what_is_left_out)
{
    pby_family_parameter p;
    const pby_family *f = pby_family_named("geometric");
    cr_assert(pby_family_parameter_at(&p, f, 0));
    cr_assert_str_eq(p.name, "eps");
    cr_assert_str_eq(p.role, "epsilon");
    cr_assert(p.required);
    cr_assert(pby_family_parameter_at(&p, f, 1));
    cr_assert_str_eq(p.name, "sensitivity");
    cr_assert_str_eq(p.fallback, "1");
    pby_spec *spec = parse("geometric:eps=1,sensitivity=1");
    cr_assert_str_eq(pby_spec_text(spec), "geometric:eps=1");
    pby_spec_free(spec);
    f = pby_family_named("stlap");
    cr_assert(pby_family_parameter_at(&p, f, 1));
    cr_assert(!p.required && p.fallback == NULL, "q may be left out for tau");
}

/* Every example parses, has a loss between the neighbours that the family is about and between no others, and
 * is released where the family says so. */
Test(describe, examples_do_what_the_family_says)
{
    static const pby_neighbours all[] = {PBY_ADD_REMOVE, PBY_SUBSTITUTE, PBY_LOCAL};
    for (size_t i = 0; i < pby_family_count(); i++) {
        const pby_family *f = pby_family_at(i);
        const char *const *examples = pby_family_examples(f);
        cr_assert_not_null(examples[0], "%s", pby_family_name(f));
        bool released = false;
        for (; *examples != NULL; examples++) {
            pby_spec *spec = parse(*examples);
            pby_neighbours relation;
            pby_release *release;
            cr_assert_eq(pby_spec_neighbours(&relation, spec, &err), PBY_OK);
            cr_assert(pby_family_about(f, relation), "%s", *examples);
            for (size_t r = 0; r < 3; r++)
                if (pby_release_new(&release, spec, all[r], &err) == PBY_OK) {
                    cr_assert(pby_family_about(f, all[r]), "%s", *examples);
                    cr_assert_eq(pby_release_form_of(release), pby_family_form(f), "%s", *examples);
                    cr_assert_eq(pby_bucketing_wanted(spec), pby_family_takes(f) == PBY_TAKES_POINTS &&
                                                                 pby_family_form(f) != PBY_RELEASE_POINT);
                    released = true;
                    pby_release_free(release);
                }
            pby_spec_free(spec);
        }
        cr_assert_eq(released, pby_family_releases(f), "%s", pby_family_name(f));
    }
}
