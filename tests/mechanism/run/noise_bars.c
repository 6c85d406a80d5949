/* SPDX-License-Identifier: MIT */
#include "probity/experimental/parts.h"
#include "probity/release.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/spec.h"

Test(release, in_place_and_in_chunks)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_release *release = NULL;
    int64_t bars[] = {0, 1, 1000, 0, INT64_MAX};
    const int64_t before[] = {0, 1, 1000, 0, INT64_MAX};
    cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, bars, bars, 2, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, bars + 2, bars + 2, 3, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, bars, bars, 0, NULL), PBY_OK);
    for (size_t i = 0; i < 5; i++)
        cr_assert(bars[i] <= before[i] && before[i] - bars[i] <= 40 && bars[i] >= 0);
    cr_assert_eq(bars[0], 0);
    cr_assert_eq(bars[3], 0);
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(release, two_releases_differ)
{
    pby_spec *spec = spec_of("stlap:eps=1/100,q=1000");
    int64_t x[64], y[2][64];
    for (size_t i = 0; i < 64; i++)
        x[i] = 5000;
    for (size_t j = 0; j < 2; j++) {
        pby_release *release = NULL;
        cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
        cr_assert_eq(pby_release_counts(release, x, y[j], 64, NULL), PBY_OK);
        pby_release_free(release);
    }
    cr_assert_neq(memcmp(y[0], y[1], sizeof y[0]), 0, "equal with a chance below 2^-300");
    pby_spec_free(spec);
}

Test(release, a_negative_count_is_refused_without_saying_it)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40");
    pby_release *release = NULL;
    const int64_t x[] = {5, -77123, 5};
    int64_t y[3] = {9, 9, 9};
    pby_error err;
    cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
    cr_assert_eq(pby_release_counts(release, x, y, 3, &err), PBY_BAD);
    cr_assert_null(strstr(err.text, "77123"), "the error shows a count");
    cr_assert(y[0] == 0 && y[1] == 0 && y[2] == 0, "the output was not wiped");
    pby_release_free(release);
    pby_spec_free(spec);
}

Test(release, what_cannot_be_released_is_refused)
{
    pby_spec *spec = spec_of("stlap:eps=1/2,q=40 geometric:eps=1");
    pby_release *release = NULL;
    pby_error err;
    cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, &err), PBY_BAD);
    cr_assert_null(release);
    cr_assert_not_null(strstr(err.text, "one mechanism"), "%s", err.text);
    pby_spec_free(spec);
}

/* Both ends of a range around the largest count fit, and a limit below it lifts that bound. */
Test(release, the_largest_count)
{
    static const struct {
        const char *spec;
        int64_t limit, most;
    } cases[] = {{"stlap:eps=1,q=4", INT64_MAX, INT64_MAX},
                 {"threshold:eps=1,T=5 geometric:eps=1", INT64_MAX, INT64_MAX},
                 {"range:eps=1,L=7", INT64_MAX, INT64_MAX - 14},
                 {"range:eps=1,L=7", INT64_MAX - 13, INT64_MAX - 14},
                 {"range:eps=1,L=7", INT64_MAX - 14, INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of(cases[i].spec);
        pby_release *release = NULL;
        int64_t x[] = {cases[i].most}, y[1];
        cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, NULL), PBY_OK);
        cr_assert_eq(pby_release_truncate(release, cases[i].limit, NULL), PBY_OK);
        cr_assert_eq(pby_release_most(release), cases[i].most, "case %zu", i);
        cr_assert_eq(pby_release_counts(release, x, y, 1, NULL), PBY_OK);
        if (cases[i].most < INT64_MAX) {
            x[0]++;
            cr_assert_eq(pby_release_counts(release, x, y, 1, NULL), PBY_BAD);
        }
        pby_release_free(release);
        pby_spec_free(spec);
    }
}

/* Two histograms of one size are never 1 apart. */
Test(release, a_changed_record_moves_two_bars)
{
    static const struct {
        const char *spec;
        bool spans;
    } cases[] = {{"geometric:eps=1", false},
                 {"geometric:eps=1,sensitivity=2", true},
                 {"threshold:eps=1,T=5", false},
                 {"threshold:eps=1,T=5,sensitivity=2", true},
                 {"range:eps=1,L=5", false},
                 {"range:eps=1,L=5,sensitivity=3", true},
                 {"threshold:eps=1,T=5 geometric:eps=1", false},
                 {"stlap:eps=1,q=4", true},
                 {"partition:eps=1,delta=1/9", true},
                 {"buckethist:eps=1,q=4,bound=9,width=1", true},
                 {"dgauss:sigma2=4", false},
                 {"dgauss:sigma2=4,sensitivity=2", true},
                 {"3*geometric:eps=1", false},
                 {"laplace:scale=4,grid=1/2", false},
                 {"laplace:scale=4,grid=1/2,sensitivity=2", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_spec *spec = spec_of(cases[i].spec);
        pby_release *release = NULL;
        pby_error err = {.text = ""};
        cr_assert_eq(pby_release_new(&release, spec, PBY_SUBSTITUTE, &err), cases[i].spans ? PBY_OK : PBY_BAD,
                     "%s", cases[i].spec);
        cr_assert(cases[i].spans || strstr(err.text, "expected sensitivity=2: with substitute") != NULL, "%s",
                  err.text);
        pby_release_free(release);
        cr_assert_eq(pby_release_new(&release, spec, PBY_ADD_REMOVE, &err), PBY_OK, "%s", err.text);
        pby_release_free(release);
        pby_spec_free(spec);
    }
}
