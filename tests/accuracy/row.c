/* SPDX-License-Identifier: MIT */
/* Which mechanisms have which accuracy, and behind which of them a statistic has a meaning. */
#include <criterion/criterion.h>

#include "mechanism/family.h"
#include "tests/accuracy/make.h"
#include "tests/spec.h"

Test(accuracy_row, every_mechanism_that_draws_has_a_kind)
{
    static const struct {
        const char *first, *second;
        pby_accuracy_kind kind;
    } rows[] = {{"stlap:eps=1,q=3", NULL, PBY_ACCURACY_DROPS},
                {"buckethist:eps=1,q=3,bound=2,width=1", NULL, PBY_ACCURACY_DROPS},
                {"partition:eps=1,delta=1/9", NULL, PBY_ACCURACY_HIDES},
                {"geometric:eps=1", NULL, PBY_ACCURACY_NOISY},
                {"tgeometric:eps=1,bound=3", NULL, PBY_ACCURACY_QUERY},
                {"dgauss:sigma2=3", NULL, PBY_ACCURACY_QUERY},
                {"laplace:scale=1,grid=1/2", NULL, PBY_ACCURACY_QUERY},
                {"range:eps=1,L=3", NULL, PBY_ACCURACY_NOISY},
                {"exponential:eps=1", NULL, PBY_ACCURACY_CHOICE},
                {"3*above:eps=1", NULL, PBY_ACCURACY_STREAM},
                {"above:eps=1", "geometric:eps=1", PBY_ACCURACY_STREAM},
                {"noisymax:eps=1", NULL, PBY_ACCURACY_CHOICE},
                {"permuteflip:eps=1", NULL, PBY_ACCURACY_CHOICE},
                {"rr:odds=3", NULL, PBY_ACCURACY_SHARE},
                {"krr:eps=1,k=3", NULL, PBY_ACCURACY_SHARE},
                {"onebit:eps=1,hi=3", NULL, PBY_ACCURACY_MEAN},
                {"rappor:bits=8,f=1/2", NULL, PBY_ACCURACY_SHARE},
                {"fbquantile:eps=1,q=1/2,n=5,bound=9", NULL, PBY_ACCURACY_POINT},
                {"depth:eps=1,level=5,bound=9", NULL, PBY_ACCURACY_POINT},
                {"threshold:eps=1,T=3", NULL, PBY_ACCURACY_GATED},
                {"threshold:eps=1,T=3", "stlap:eps=1,q=3", PBY_ACCURACY_BEHIND},
                {"threshold:eps=1,T=3", "geometric:eps=1", PBY_ACCURACY_BEHIND},
                {"threshold:eps=1,T=3", "range:eps=1,L=3", PBY_ACCURACY_BEHIND}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_spec *spec = spec_of_both(rows[i].first, rows[i].second);
        pby_accuracy_kind kind;
        cr_assert_eq(pby_accuracy_kind_of(&kind, spec, NULL), PBY_OK);
        cr_assert_eq(kind, rows[i].kind, "%s", rows[i].first);
        pby_spec_free(spec);
    }
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_family *family = pby_families[i];
        /* The answer of a statistic and chosen bars are as good as the data let them be: no class of inputs
         * has an accuracy. A session draws the noise of running totals, and no release does. */
        const bool draws = family->law != NULL || family->rate != NULL || family->estimator != NULL ||
                           family->stream != NULL || family->lattice != NULL ||
                           family->accuracy.kind == PBY_ACCURACY_TOTALS;
        cr_assert_eq(family->accuracy.has, family->form < PBY_RELEASE_STATISTIC && draws, "%s", family->name);
    }
}

/* Points (0.1, 9.2) and (0.9, 0.2) fall into the cubes (0.5, 9.5) and (0.5, 0.5), whose order is not theirs.
 */
Test(accuracy_row, statistics_that_read_an_order_need_a_line)
{
    static const char *const names[] = {"max", "min", "range", "median", "support", "mode"};
    static const struct {
        const char *spec;
        bool admitted[6];
    } rows[] = {
        {"buckethist:eps=1,q=3,bound=10,width=1", {true, true, true, true, true, true}},
        {"buckethist:eps=1,q=3,bound=10,width=1,dimension=2", {false, false, false, false, true, true}},
        {"stlap:eps=1,q=3", {true, true, true, true, true, true}},
        {"partition:eps=1,delta=1/9", {true, true, true, false, true, false}},
        {"range:eps=1,L=3", {false, false, false, false, false, false}},
        {"dgauss:sigma2=1", {false, false, false, false, false, false}},
        {"exponential:eps=1", {false, false, false, false, false, false}},
        {"rr:eps=1", {false, false, false, false, false, false}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pby_spec *spec = spec_of(rows[i].spec);
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            pby_statistic s;
            cr_assert_eq(pby_statistic_parse(&s, names[j], NULL, NULL, NULL), PBY_OK);
            cr_assert_eq(pby_statistic_admitted(spec, &s, NULL), rows[i].admitted[j] ? PBY_OK : PBY_BAD,
                         "%s of %s", names[j], rows[i].spec);
        }
        pby_spec_free(spec);
    }
}
