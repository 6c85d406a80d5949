/* SPDX-License-Identifier: MIT */
#include "tests/spec.h"

#include <criterion/criterion.h>

pby_spec *spec_of(const char *text)
{
    return spec_of_both(text, NULL);
}

pby_spec *spec_of_both(const char *first, const char *second)
{
    const char *const texts[] = {first, second};
    pby_spec *spec = NULL;
    pby_error err = {.text = ""};
    cr_assert_eq(pby_spec_parse(&spec, texts, second == NULL ? 1 : 2, &err), PBY_OK, "%s", err.text);
    return spec;
}
