/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "law/laws.h"
#include "tests/law/fit.h"
#include "tests/law/make.h"

enum { COUNT = 5 * PBY_BULK_BLOCK + 321 };

static const uint8_t seed[PBY_SEED_SIZE] = {1, 2, 3};

static void run(pby_sampler *s, const uint8_t *key, unsigned threads, int64_t *noise, size_t count)
{
    pby_bulk *bulk = NULL;
    cr_assert_eq(pby_bulk_new(&bulk, s, key, threads, NULL), PBY_OK);
    cr_assert_eq(pby_bulk_draw(bulk, noise, count, NULL), PBY_OK);
    pby_bulk_free(bulk);
}

/* The tails of a small rate read further words, and still no block disturbs another. */
Test(bulk, a_seeded_run_does_not_depend_on_the_threads)
{
    pby_sampler *s = make_sampler(make_geometric("1/1000"));
    int64_t *one = malloc(COUNT * sizeof *one), *many = malloc(COUNT * sizeof *many);
    run(s, seed, 1, one, COUNT);
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        memset(many, 0, COUNT * sizeof *many);
        run(s, seed, threads, many, COUNT);
        cr_assert_eq(memcmp(one, many, COUNT * sizeof *one), 0, "%u threads", threads);
    }
    free(many);
    free(one);
    pby_sampler_free(s);
}

/* Block by block as the header says: the first from the seed itself, the others from keys of their own. */
Test(bulk, blocks_have_streams_of_their_own)
{
    pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
    int64_t *noise = malloc(COUNT * sizeof *noise), *block = malloc(PBY_BULK_BLOCK * sizeof *block);
    pby_entropy *source = NULL;
    run(s, seed, 2, noise, COUNT);
    cr_assert_eq(pby_entropy_seeded(&source, seed, NULL), PBY_OK);
    cr_assert_eq(pby_draw_many(s, source, block, PBY_BULK_BLOCK, NULL), PBY_OK);
    cr_assert_eq(memcmp(noise, block, PBY_BULK_BLOCK * sizeof *block), 0);
    for (size_t i = 1; i <= 5; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_neq(memcmp(noise + i * PBY_BULK_BLOCK, noise + j * PBY_BULK_BLOCK, 300 * sizeof *noise),
                          0);
    pby_entropy_free(source);
    free(block);
    free(noise);
    pby_sampler_free(s);
}

/* Calls go on where the last one ended, in whole blocks. */
Test(bulk, calls_continue_the_run)
{
    pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
    int64_t *whole = malloc(COUNT * sizeof *whole), *parts = malloc(COUNT * sizeof *parts);
    pby_bulk *bulk = NULL;
    run(s, seed, 3, whole, COUNT);
    cr_assert_eq(pby_bulk_new(&bulk, s, seed, 2, NULL), PBY_OK);
    cr_assert_eq(pby_bulk_draw(bulk, parts, 2 * PBY_BULK_BLOCK, NULL), PBY_OK);
    cr_assert_eq(pby_bulk_draw(bulk, parts, 0, NULL), PBY_OK);
    cr_assert_eq(pby_bulk_draw(bulk, parts + 2 * PBY_BULK_BLOCK, COUNT - 2 * PBY_BULK_BLOCK, NULL), PBY_OK);
    cr_assert_eq(memcmp(whole, parts, COUNT * sizeof *whole), 0);
    pby_bulk_free(bulk);
    free(parts);
    free(whole);
    pby_sampler_free(s);
}

/* Without a seed the threads differ from each other and from run to run. */
Test(bulk, unseeded_runs_differ)
{
    pby_sampler *s = make_sampler(make_geometric("1/10"));
    int64_t *one = malloc(COUNT * sizeof *one), *two = malloc(COUNT * sizeof *two);
    run(s, NULL, 2, one, COUNT);
    run(s, NULL, 2, two, COUNT);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            cr_assert_neq(memcmp(one + i * PBY_BULK_BLOCK, two + j * PBY_BULK_BLOCK, 300 * sizeof *one), 0);
    free(two);
    free(one);
    pby_sampler_free(s);
}

Test(bulk, absurd_numbers_of_threads_are_refused)
{
    pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
    pby_bulk *bulk = NULL;
    cr_assert_eq(pby_bulk_new(&bulk, s, seed, 0, NULL), PBY_BAD);
    cr_assert_eq(pby_bulk_new(&bulk, s, seed, PBY_THREADS_MAX + 1, NULL), PBY_BAD);
    cr_assert_null(bulk);
    pby_sampler_free(s);
}

/* From two values to a million, drawn through the guide: each width against the exact law. */
Test(bulk, every_width_fits_its_law)
{
    pby_sampler *s = make_sampler(make_stlap("1", "1/3"));
    check_fit(s, 100000, s->law->lo, s->law->hi, 1, 41);
    pby_sampler_free(s);
    s = make_sampler(make_stlap("1/100000", "200000"));
    check_fit(s, 300000, -200000, 0, 5000, 42);
    pby_sampler_free(s);
}
