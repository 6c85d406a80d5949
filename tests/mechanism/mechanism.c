/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/family.h"
#include "tests/spec.h"

Test(mechanism, parameters_by_name)
{
    const pby_family *stlap = &pby_family_stlap;
    cr_assert_eq(pby_family_parameters(stlap), 6);
    cr_assert_eq(pby_family_find(stlap, "eps"), 0);
    cr_assert_eq(pby_family_find(stlap, "bars"), 4);
    cr_assert_eq(pby_family_find(stlap, "sensitivity"), PBY_PARAMETERS_MAX);
    cr_assert_eq(pby_family_find(stlap, ""), PBY_PARAMETERS_MAX);
}

/* Every family's parameters end before the room for them does, or fill it. */
Test(mechanism, every_family_counts_its_parameters)
{
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const size_t count = pby_family_parameters(pby_families[i]);
        cr_assert(count > 0 && count <= PBY_PARAMETERS_MAX, "%s", pby_families[i]->name);
        for (size_t j = 0; j < count; j++)
            cr_assert_eq(pby_family_find(pby_families[i], pby_families[i]->parameters[j].name), j, "%s",
                         pby_families[i]->name);
    }
}

Test(mechanism, values_that_were_given)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    const pby_mechanism *m = &spec->use[0].mechanism;
    cr_assert_eq(pby_mechanism_value(m, PBY_ROLE_LOSES), &m->value[1]);
    cr_assert_null(pby_mechanism_value(m, PBY_ROLE_SHARE), "not given");
    cr_assert_null(pby_mechanism_value(m, PBY_ROLE_LEAST), "not a parameter");
    cr_assert_null(pby_mechanism_value(m, PBY_ROLE_NONE));
    cr_assert_eq(pby_mechanism_size(m), 0);
    pby_spec_free(spec);
    spec = spec_of("stlap:eps=1/2,tau=1/75,n=3000,bars=3");
    cr_assert_eq(pby_mechanism_size(&spec->use[0].mechanism), 3000);
    pby_spec_free(spec);
}

/* Only families that add noise to every bar alike may be silent, and they publish counts. */
Test(mechanism, what_is_silent_publishes_every_bar)
{
    for (size_t i = 0; pby_families[i] != NULL; i++)
        cr_assert(pby_families[i]->silent == NULL ||
                      (pby_families[i]->release != NULL && (pby_families[i]->form == PBY_RELEASE_COUNTS ||
                                                            pby_families[i]->form == PBY_RELEASE_TOTAL)),
                  "%s", pby_families[i]->name);
}
