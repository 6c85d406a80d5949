/* SPDX-License-Identifier: MIT */
#include "audit/count/relation.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/audit/mechanisms.h"

static pby_outcome read(const char *text)
{
    pby_outcome o;
    pby_outcome_read(&o, text, strlen(text));
    return o;
}

Test(audit_relation, its_value_is_that_of_the_operation)
{
    static const double values[PBY_OPERATIONS] = {8, -4, 12, 1.0 / 3};
    const pby_outcome o = read("2,x,6");
    double value;
    for (int operation = 0; operation < PBY_OPERATIONS; operation++) {
        cr_assert(pby_relation_value(&value, &(pby_relation){0, 2, operation}, &o));
        cr_assert_eq(value, values[operation]);
    }
}

/* A file of counts is not trusted: it may name no such coordinate, or no such operation. */
Test(audit_relation, has_no_value_where_there_are_no_two_numbers)
{
    static const pby_relation none[] = {{0, 1, PBY_SUM},  {1, 2, PBY_SUM},     {0, 3, PBY_SUM},
                                        {-1, 0, PBY_SUM}, {1e300, 0, PBY_SUM}, {0, 2, PBY_OPERATIONS},
                                        {0, 2, -1},       {2, 0, PBY_RATIO},   {NAN, 0, PBY_SUM}};
    const pby_outcome o = read("0,x,6");
    double value;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        cr_assert(!pby_relation_value(&value, &none[i], &o), "%zu", i);
}

Test(audit_relation, is_named)
{
    char name[PBY_RELATION_NAME_SIZE];
    pby_relation_name(name, &(pby_relation){8, 2, PBY_DIFFERENCE});
    cr_assert_str_eq(name, "coordinate 9 - coordinate 3");
    pby_relation_name(name, &(pby_relation){-1e300, 1e300, 17});
    cr_assert_lt(strlen(name), sizeof name);
}

enum { EXAMPLES = 1500, LENGTH = 6, AT = 1, OTHER = 4 };

/* The coordinates at two places have wide noise in common, which one operation takes away; what is left tells
 * the side. */
static void must_learn(pby_operation operation)
{
    static pby_outcome outcome[EXAMPLES];
    static char text[EXAMPLES][256];
    static int side[EXAMPLES];
    specimen_random *random = specimen_random_new(31);
    for (size_t k = 0; k < EXAMPLES; k++) {
        side[k] = (int)(k & 1);
        double v[LENGTH];
        for (size_t i = 0; i < LENGTH; i++)
            v[i] = 1 + 100 * specimen_uniform(random);
        const double left = 2 + side[k], shared = v[AT];
        v[OTHER] = operation == PBY_SUM          ? left - shared
                   : operation == PBY_DIFFERENCE ? left + shared
                   : operation == PBY_PRODUCT    ? left / shared
                                                 : left * shared;
        size_t at = 0;
        for (size_t i = 0; i < LENGTH; i++)
            at += (size_t)sprintf(text[k] + at, i == 0 ? "%.9g" : ",%.9g", v[i]);
        pby_outcome_read(&outcome[k], text[k], at);
    }
    pby_relation r;
    cr_assert_eq(pby_relation_learn(&r, outcome, side, EXAMPLES, NULL), PBY_OK);
    cr_assert(r.first == OTHER && r.second == AT && (pby_operation)r.operation == operation, "%d",
              (int)operation);
    specimen_random_free(random);
}

Test(audit_relation, of_two_coordinates_that_share_their_noise_is_learned)
{
    for (int operation = 0; operation < PBY_OPERATIONS; operation++)
        must_learn((pby_operation)operation);
}

Test(audit_relation, none_is_learned_without_two_numbers)
{
    const pby_outcome outcome[] = {read("1,x"), read("2,y")};
    const int side[] = {0, 1};
    pby_relation r;
    cr_assert_eq(pby_relation_learn(&r, outcome, side, 2, NULL), PBY_OK);
    cr_assert_eq(r.operation, PBY_OPERATIONS);
}
