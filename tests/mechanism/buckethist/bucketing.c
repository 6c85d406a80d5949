/* SPDX-License-Identifier: MIT */
#include "probity/experimental/bucketing.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/claims/decide.h"
#include "tests/kernel/stream.h"
#include "tests/spec.h"

static size_t only_bar(const pby_bucketing *p)
{
    size_t n, found = SIZE_MAX;
    const int64_t *counts = pby_bucketing_counts(p, &n);
    for (size_t i = 0; i < n; i++)
        if (counts[i] != 0) {
            cr_assert(counts[i] == 1 && found == SIZE_MAX, "one record, one bucket");
            found = i;
        }
    cr_assert_neq(found, SIZE_MAX);
    return found;
}

/* The bucket of a point is the one whose centre is within w/2, the upper one on a border. */
static void check_point(const char *spec_text, const char *width, size_t dimension, uint64_t *state)
{
    pby_spec *spec = spec_of(spec_text);
    pby_bucketing *p = NULL;
    mpq_t x[3], c[3], w, half;
    mpq_inits(x[0], x[1], x[2], c[0], c[1], c[2], w, half, NULL);
    mpq_set_str(w, width, 10);
    mpq_div_2exp(half, w, 1);
    cr_assert_eq(pby_bucketing_new(&p, spec, NULL), PBY_OK);
    cr_assert_eq(pby_bucketing_dimension(p), dimension);
    for (size_t j = 0; j < dimension; j++) {
        mpq_set_ui(x[j], stream_next(state) % 1000000, 1 + stream_next(state) % 3 * 99999);
        mpq_canonicalize(x[j]);
        while (mpq_cmp_ui(x[j], 5, 1) >= 0)
            mpq_div_2exp(x[j], x[j], 1);
    }
    cr_assert_eq(pby_bucketing_add(p, (const mpq_t *)x, NULL), PBY_OK);
    pby_bucketing_centre(c, p, only_bar(p));
    for (size_t j = 0; j < dimension; j++) {
        mpq_sub(c[j], x[j], c[j]);
        cr_assert(claims_lt(CLAIMS_ALL, c[j], half));
        mpq_add(c[j], c[j], half);
        cr_assert(mpq_sgn(c[j]) >= 0);
    }
    pby_bucketing_free(p);
    mpq_clears(x[0], x[1], x[2], c[0], c[1], c[2], w, half, NULL);
    pby_spec_free(spec);
}

/* claims: Flex/Claim 4 */
Test(bucketing, a_point_is_within_half_a_width_of_its_centre)
{
    uint64_t state = 5;
    for (int i = 0; i < 200; i++) {
        check_point("buckethist:eps=1,q=4,bound=5,width=1/3", "1/3", 1, &state);
        check_point("buckethist:eps=1,q=4,bound=5,width=0.7,dimension=2", "7/10", 2, &state);
        check_point("buckethist:eps=1,q=4,bound=5,width=5/4,dimension=3", "5/4", 3, &state);
    }
}

static pby_bucketing *make(const char *text, pby_spec **spec)
{
    pby_bucketing *p = NULL;
    *spec = spec_of(text);
    cr_assert_eq(pby_bucketing_new(&p, *spec, NULL), PBY_OK);
    return p;
}

static pby_status add(pby_bucketing *p, const char *text, pby_error *err)
{
    mpq_t x[1];
    mpq_init(x[0]);
    mpq_set_str(x[0], text, 10);
    mpq_canonicalize(x[0]);
    const pby_status status = pby_bucketing_add(p, (const mpq_t *)x, err);
    mpq_clear(x[0]);
    return status;
}

/* A border belongs to the upper bucket, and one part in 10^40 below it does not. */
Test(bucketing, borders_are_exact)
{
    pby_spec *spec;
    pby_bucketing *p = make("buckethist:eps=1,q=4,bound=1,width=1/10", &spec);
    size_t n;
    const int64_t *counts = pby_bucketing_counts(p, &n);
    cr_assert_eq(n, 10);
    cr_assert_eq(add(p, "3/10", NULL), PBY_OK);
    cr_assert_eq(counts[3], 1);
    cr_assert_eq(
        add(p, "2999999999999999999999999999999999999999/10000000000000000000000000000000000000000", NULL),
        PBY_OK);
    cr_assert_eq(counts[2], 1);
    cr_assert_eq(add(p, "0", NULL), PBY_OK);
    cr_assert_eq(counts[0], 1);
    pby_bucketing_free(p);
    pby_spec_free(spec);
}

Test(bucketing, outside)
{
    pby_spec *spec;
    pby_error err;
    size_t n;
    pby_bucketing *p = make("buckethist:eps=1,q=4,bound=5,width=2", &spec);
    const int64_t *counts = pby_bucketing_counts(p, &n);
    cr_assert_eq(add(p, "5", &err), PBY_BAD);
    cr_assert_eq(add(p, "-77123/1000000", &err), PBY_BAD);
    cr_assert_null(strstr(err.text, "77123"), "the error shows a point");
    cr_assert(counts[0] == 0 && counts[1] == 0 && counts[2] == 0);
    pby_bucketing_free(p);
    pby_spec_free(spec);
    p = make("buckethist:eps=1,q=4,bound=5,width=2,outside=clamp", &spec);
    counts = pby_bucketing_counts(p, &n);
    cr_assert_eq(add(p, "5", NULL), PBY_OK);
    cr_assert_eq(add(p, "100000000000000000000000000000000", NULL), PBY_OK);
    cr_assert_eq(add(p, "-1/3", NULL), PBY_OK);
    cr_assert(n == 3 && counts[0] == 1 && counts[1] == 0 && counts[2] == 2);
    cr_assert_not_null(strstr(pby_spec_text(spec), "outside=clamp"));
    pby_bucketing_free(p);
    pby_spec_free(spec);
}

/* 001 Algorithm 3 calls its output a histogram over [0, B); where w does not divide B it is not one.
 * claims: Flex/Algorithm 3 */
Test(bucketing, the_last_centre_may_lie_outside)
{
    pby_spec *spec;
    mpq_t c[1];
    mpq_init(c[0]);
    pby_bucketing *p = make("buckethist:eps=1,q=4,bound=1,width=3/4", &spec);
    pby_bucketing_centre(c, p, 1);
    cr_assert(claims_is(CLAIMS_ALL, mpq_cmp_si(c[0], 9, 8) == 0 && mpq_cmp_si(c[0], 1, 1) > 0));
    pby_bucketing_free(p);
    mpq_clear(c[0]);
    pby_spec_free(spec);
}

/* ---- more cubes than have a count each -------------------------------------------------------- */

/* A point whose first and last coordinates fall into the buckets a and b of three, the others into the first.
 */
static void add_corner(pby_bucketing *p, mpq_t *x, size_t dimension, unsigned long a, unsigned long b)
{
    mpq_set_ui(x[0], 2 * a + 1, 2);
    mpq_set_ui(x[dimension - 1], 3 * b + 1, 3);
    cr_assert_eq(pby_bucketing_add(p, (const mpq_t *)x, NULL), PBY_OK);
}

/* 3^39 cubes, against an array of those nine that can be hit. */
Test(bucketing, only_cubes_that_hold_a_point_are_bars)
{
    enum { DIMENSION = 39, POINTS = 5000 };
    pby_spec *spec;
    pby_bucketing *p = make("buckethist:eps=1,q=4,bound=3,width=1,dimension=39", &spec);
    int64_t model[3][3] = {{0}};
    uint64_t state = 3;
    mpq_t x[DIMENSION];
    size_t n, bar = 0;
    for (size_t j = 0; j < DIMENSION; j++)
        mpq_init(x[j]);
    cr_assert(!pby_bucketing_whole(p));
    for (int i = 0; i < POINTS; i++) {
        const unsigned long a = stream_next(&state) % 3, b = stream_next(&state) % 3;
        if (a == 1 && b == 1)
            continue;
        add_corner(p, x, DIMENSION, a, b);
        model[a][b]++;
    }
    cr_assert_eq(pby_bucketing_close(p, NULL), PBY_OK);
    const int64_t *counts = pby_bucketing_counts(p, &n);
    cr_assert_eq(n, 8);
    for (unsigned long a = 0; a < 3; a++)
        for (unsigned long b = 0; b < 3; b++)
            if (model[a][b] > 0) {
                cr_assert_eq(counts[bar], model[a][b], "%lu %lu", a, b);
                pby_bucketing_centre(x, p, bar++);
                cr_assert(mpq_cmp_ui(x[0], 2 * a + 1, 2) == 0 &&
                          mpq_cmp_ui(x[DIMENSION - 1], 2 * b + 1, 2) == 0);
                cr_assert_eq(mpq_cmp_ui(x[1], 1, 2), 0);
            }
    for (size_t j = 0; j < DIMENSION; j++)
        mpq_clear(x[j]);
    pby_bucketing_free(p);
    pby_spec_free(spec);
}

/* The finest cubes that there may be, their last one, and no point at all. */
Test(bucketing, the_ends_of_very_many_cubes)
{
    pby_spec *spec;
    mpq_t c[1], last;
    size_t n;
    mpq_inits(c[0], last, NULL);
    pby_bucketing *p = make("buckethist:eps=1,q=4,bound=1,width=1/4000000000000000000", &spec);
    cr_assert_eq(add(p, "3999999999999999999/4000000000000000000", NULL), PBY_OK);
    cr_assert_eq(add(p, "0", NULL), PBY_OK);
    cr_assert_eq(add(p, "1", NULL), PBY_BAD);
    cr_assert_eq(pby_bucketing_close(p, NULL), PBY_OK);
    const int64_t *counts = pby_bucketing_counts(p, &n);
    cr_assert(n == 2 && counts[0] == 1 && counts[1] == 1);
    pby_bucketing_centre(c, p, 1);
    mpq_set_str(last, "7999999999999999999/8000000000000000000", 10);
    cr_assert(mpq_equal(c[0], last));
    pby_bucketing_free(p);
    p = NULL;
    cr_assert_eq(pby_bucketing_new(&p, spec, NULL), PBY_OK);
    cr_assert_eq(pby_bucketing_close(p, NULL), PBY_OK);
    (void)pby_bucketing_counts(p, &n);
    cr_assert_eq(n, 0);
    pby_bucketing_free(p);
    mpq_clears(c[0], last, NULL);
    pby_spec_free(spec);
}

Test(bucketing, refused)
{
    static const char *const bad[] = {"buckethist:eps=1,q=4,bound=1e10,width=1,dimension=2",
                                      "buckethist:eps=1,q=4,bound=3,width=1,dimension=40",
                                      "buckethist:eps=1,q=4,bound=2,width=1,dimension=63",
                                      "buckethist:eps=1,q=4,bound=2,width=2,dimension=63",
                                      "buckethist:eps=1,q=4,bound=9,width=1,outside=drop",
                                      "buckethist:eps=1,q=4,bound=1e30,width=1e-30"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pby_spec *spec;
        cr_assert_eq(pby_spec_parse(&spec, &bad[i], 1, NULL), PBY_BAD, "%s", bad[i]);
    }
    pby_spec *spec = spec_of("stlap:eps=1,q=4");
    pby_bucketing *p;
    cr_assert_eq(pby_bucketing_new(&p, spec, NULL), PBY_BAD);
    pby_spec_free(spec);
}
