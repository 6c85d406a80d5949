#include <criterion/criterion.h>
#include <string.h>

#include "curve.h"
#include "mechanism/family.h"

/* A pair for every shift up to the sensitivity; one where the supports are disjoint. */
static void check_pairs(const char *spec, size_t count, size_t atoms_of_last)
{
    pby_pairs pairs;
    pairs_of(&pairs, spec);
    cr_assert_eq(pairs.count, count, "%s", spec);
    cr_assert_eq(pairs.pair[count - 1].count, atoms_of_last, "%s", spec);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(pairs.pair[i].direction, PBY_BOTH);
    pby_pairs_clear(&pairs);
}

Test(tgeometric, a_pair_for_every_shift)
{
    check_pairs("tgeometric:eps=1,bound=3", 1, 8);
    check_pairs("tgeometric:eps=1,bound=3,sensitivity=4", 4, 11);
    check_pairs("tgeometric:eps=1,bound=3,sensitivity=6", 6, 13);
    check_pairs("tgeometric:eps=1,bound=3,sensitivity=7", 1, 14);
    check_pairs("tgeometric:eps=1,bound=3,sensitivity=2000000000", 1, 14);
}

Test(tgeometric, too_many_outcomes_are_refused)
{
    pby_spec *spec = NULL;
    pby_pairs pairs = {NULL, 0};
    pby_error err;
    const char *text = "tgeometric:eps=1,bound=1000000,sensitivity=1000";
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    const pby_mechanism *m = &spec->use[0].mechanism;
    cr_assert_eq(m->family->pairs(&pairs, m, PBY_ADD_REMOVE, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "tgeometric"), "%s", err.text);
    pby_pairs_clear(&pairs);
    pby_spec_free(spec);
}

/* A pair that would not fit in memory is refused before it is made. */
Test(tgeometric, so_is_a_sensitivity_of_two_billion)
{
    pby_spec *spec = NULL;
    pby_pairs pairs = {NULL, 0};
    pby_error err;
    const char *text = "geometric:eps=1,sensitivity=2000000000";
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    const pby_mechanism *m = &spec->use[0].mechanism;
    cr_assert_eq(m->family->pairs(&pairs, m, PBY_ADD_REMOVE, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "outcomes"), "%s", err.text);
    pby_pairs_clear(&pairs);
    pby_spec_free(spec);
}
