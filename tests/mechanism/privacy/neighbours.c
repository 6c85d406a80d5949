/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "mechanism/family.h"
#include "mechanism/shared/selection.h"
#include "tests/mechanism/examples.h"

/* The distances that mechanisms assume between two histograms. */
Test(neighbours, distances)
{
    static const struct {
        const char *spec;
        int64_t apart[2];
    } rows[] = {{"geometric:eps=1", {1, 1}},
                {"geometric:eps=1,sensitivity=7", {7, 7}},
                {"threshold:eps=1,T=3,sensitivity=2", {2, 2}},
                {"range:eps=1,L=3", {1, 1}},
                {"stlap:eps=1,q=3", {1, 2}},
                {"stlap:eps=1,tau=1/4,n=9,bars=2", {1, 2}},
                {"partition:eps=1,delta=1/9", {1, 2}},
                {"buckethist:eps=1,q=3,bound=9,width=1", {1, 2}},
                {"dgauss:sigma2=3,sensitivity=2", {2, 2}},
                {"laplace:scale=3,grid=1/2", {1, 1}},
                {"laplace:scale=3,grid=1/2,sensitivity=5/2", {2, 2}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_spec *spec = NULL;
        cr_assert_eq(pby_spec_parse(&spec, &rows[i].spec, 1, NULL), PBY_OK);
        const pby_mechanism *m = &spec->use[0].mechanism;
        for (int relation = PBY_ADD_REMOVE; relation <= PBY_SUBSTITUTE; relation++) {
            const int64_t apart = rows[i].apart[relation];
            cr_assert_eq(pby_mechanism_distance(m, (pby_neighbours)relation), apart, "%s", rows[i].spec);
            cr_assert_eq(pby_mechanism_spans(m, (pby_neighbours)relation, NULL),
                         apart > relation ? PBY_OK : PBY_BAD, "%s", rows[i].spec);
        }
        pby_spec_free(spec);
    }
}

/* The move of so many records, in the squares of counts and in bars, is compared with norm2 and
 * dimensions. */
Test(neighbours, lengths)
{
    static const struct {
        const char *spec;
        int64_t apart;
        int64_t most[2]; /* records of a user, by relation */
    } rows[] = {{"dgauss:sigma2=3,norm2=1", 1, {1, 0}},
                {"dgauss:sigma2=3,norm2=2", 1, {1, 1}},
                {"dgauss:sigma2=3,norm2=2,dimensions=1", 1, {1, 0}},
                {"dgauss:sigma2=3,norm2=9", 3, {3, 2}},
                {"dgauss:sigma2=3,norm2=18,dimensions=3", 3, {3, 1}},
                {"dgauss:sigma2=3,norm2=18,dimensions=6", 4, {4, 3}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_spec *spec = NULL;
        pby_error err;
        cr_assert_eq(pby_spec_parse(&spec, &rows[i].spec, 1, NULL), PBY_OK);
        const pby_mechanism *m = &spec->use[0].mechanism;
        for (int relation = PBY_ADD_REMOVE; relation <= PBY_SUBSTITUTE; relation++) {
            const pby_neighbours by = (pby_neighbours)relation;
            cr_assert_eq(pby_mechanism_distance(m, by), rows[i].apart, "%s", rows[i].spec);
            cr_assert_eq(pby_mechanism_spans(m, by, NULL), rows[i].most[relation] > 0 ? PBY_OK : PBY_BAD);
            for (int64_t records = 1; records <= 5; records++)
                cr_assert_eq(pby_mechanism_lengths(m, by, (uint64_t)records, &err),
                             records <= rows[i].most[relation] ? PBY_OK : PBY_BAD, "%s: %d", rows[i].spec,
                             (int)records);
        }
        pby_spec_free(spec);
        cr_assert_not_null(strstr(err.text, "norm2=50 or more, and dimensions=10 or more"), "%s", err.text);
    }
}

/* A family without a sensitivity takes a record to be in one bar, and a changed one in two; or in several, by
 * as much in each. */
Test(neighbours, distances_of_every_family_that_releases_a_histogram)
{
    PBY_EACH_EXAMPLE(example)
    {
        pby_spec *spec = NULL;
        cr_assert_eq(pby_spec_parse(&spec, &example, 1, NULL), PBY_OK);
        const pby_mechanism *m = &spec->use[0].mechanism;
        const bool counts = m->family->release != NULL && m->family->takes != PBY_TAKES_ANSWERS,
                   sensitive = pby_family_with(m->family, PBY_ROLE_SENSITIVITY) < PBY_PARAMETERS_MAX;
        for (int relation = PBY_ADD_REMOVE; relation <= PBY_SUBSTITUTE && counts; relation++) {
            const int64_t apart = pby_mechanism_distance(m, (pby_neighbours)relation);
            const fmpq *each = pby_mechanism_value(m, PBY_ROLE_EACH);
            const int64_t in_bars = each == NULL ? 1
                                                 : pby_mechanism_integer(m, PBY_ROLE_EACH) *
                                                       pby_mechanism_integer(m, PBY_ROLE_DIMENSIONS);
            cr_assert(sensitive ? apart >= 1 : apart == (relation + 1) * in_bars, "%s", example);
        }
        pby_spec_free(spec);
    }
}
