/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/lattice.h"
#include "probity/experimental/parts.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "probity.h"

static pby_release *release_of(const char *text, pby_spec **spec)
{
    static const uint8_t seed[PBY_SEED_SIZE] = {19};
    const char *const texts[] = {text};
    pby_release *release;
    pby_entropy *source;
    pby_neighbours relation;
    pby_error err;
    cr_assert_eq(pby_spec_parse(spec, texts, 1, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spec_neighbours(&relation, *spec, &err), PBY_OK);
    cr_assert_eq(pby_entropy_seeded(&source, seed, &err), PBY_OK);
    cr_assert_eq(pby_release_with(&release, *spec, relation, source, &err), PBY_OK, "%s", err.text);
    return release;
}

static void add(pby_release *release, const char *x)
{
    const char *const record[] = {x};
    pby_error err;
    cr_assert_eq(pby_release_record_text(release, record, &err), PBY_OK, "%s", err.text);
}

/* Rounded down, and moved into -3 .. 6: five records at the ends and three within. */
Test(mechanism_lattice, records_are_rounded_down_and_moved_into_the_grid)
{
    static const char *const x[] = {"-1e30", "-3", "-5/2", "0.999", "2", "6.5", "7", "1e40"};
    static const int64_t sorted[] = {-3, -3, -3, 0, 2, 6, 6, 6};
    for (size_t m = 1; m <= 8; m++) {
        char text[96];
        pby_spec *spec;
        int64_t point = 99;
        snprintf(text, sizeof text, "fbquantile:eps=1000,q=%zu/8,n=8,bound=10,low=-3", m);
        pby_release *release = release_of(text, &spec);
        cr_assert_eq(pby_release_dimension(release), 1);
        for (size_t i = 0; i < 8; i++)
            add(release, x[(3 * i) % 8]);
        cr_assert_eq(pby_release_point(release, &point, NULL), PBY_OK);
        cr_assert_eq(point, sorted[m - 1], "rank %zu: %ld", m, (long)point);
        pby_release_free(release);
        pby_spec_free(spec);
    }
}

Test(mechanism_lattice, another_number_of_records_is_refused_and_none_other)
{
    pby_spec *spec;
    pby_error err;
    int64_t point;
    pby_release *release = release_of("fbquantile:eps=1,q=1/2,n=2,bound=4", &spec);
    cr_assert_eq(pby_release_point(release, &point, &err), PBY_BAD);
    add(release, "1");
    cr_assert_eq(pby_release_scored(release, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "data of n records"), "%s", err.text);
    add(release, "1");
    cr_assert_eq(pby_release_point(release, &point, &err), PBY_OK, "%s", err.text);
    add(release, "1");
    cr_assert_eq(pby_release_point(release, &point, &err), PBY_BAD);
    pby_release_clear_records(release);
    add(release, "1");
    add(release, "3");
    cr_assert_eq(pby_release_point(release, &point, &err), PBY_OK, "%s", err.text);
    cr_assert(point >= 0 && point < 4);
    pby_release_free(release);
    pby_spec_free(spec);
}

/* This release refuses the inputs of others, and others refuse its records. */
Test(mechanism_lattice, counts_and_scores_are_no_records)
{
    static const char *const x[] = {"1"};
    pby_spec *spec;
    pby_error err;
    int64_t point;
    pby_release *release = release_of("fbquantile:eps=1,q=1/2,n=2,bound=4", &spec);
    cr_assert_eq(pby_release_counts(release, &(int64_t){1}, &point, 1, &err), PBY_BAD);
    cr_assert_eq(pby_release_score_text(release, "1", &err), PBY_BAD);
    cr_assert_eq(pby_release_timing_safe(release, &err), PBY_BAD);
    const char *const none[] = {"one"};
    cr_assert_eq(pby_release_record_text(release, none, &err), PBY_BAD);
    cr_assert_null(strstr(err.text, "one"), "%s", err.text);
    pby_release_free(release);
    pby_spec_free(spec);
    release = release_of("geometric:eps=1", &spec);
    cr_assert_eq(pby_release_dimension(release), 0);
    cr_assert_eq(pby_release_record_text(release, x, &err), PBY_BAD);
    cr_assert_eq(pby_release_point(release, &point, &err), PBY_BAD);
    pby_release_free(release);
    pby_spec_free(spec);
}

/* 4000 draws against the chances exp(-fall/2)/norm: a chi-square of 3 degrees above 80 has a chance below
 * 1e-16. */
Test(mechanism_lattice, draws_have_the_chances_of_their_scores)
{
    enum { DRAWS = 4000, SIDE = 4 };
    static const double fall[SIDE] = {1, 0, 1, 2};
    pby_spec *spec;
    double seen[SIDE] = {0}, norm = 0, square = 0;
    pby_release *release = release_of("fbquantile:eps=1,q=2/3,n=3,bound=4", &spec);
    add(release, "0");
    add(release, "1");
    add(release, "2");
    for (int i = 0; i < DRAWS; i++) {
        int64_t point;
        cr_assert_eq(pby_release_point(release, &point, NULL), PBY_OK);
        cr_assert(point >= 0 && point < SIDE);
        seen[point]++;
    }
    for (int t = 0; t < SIDE; t++)
        norm += exp(-fall[t] / 2);
    for (int t = 0; t < SIDE; t++) {
        const double mean = DRAWS * exp(-fall[t] / 2) / norm;
        square += (seen[t] - mean) * (seen[t] - mean) / mean;
    }
    cr_assert_lt(square, 80);
    pby_release_free(release);
    pby_spec_free(spec);
}
