/* SPDX-License-Identifier: MIT */
#include "mechanism/run/timing_safe.h"

#include <criterion/criterion.h>
#include <string.h>

#include "mechanism/run/noise_bars.h"
#include "tests/spec.h"

enum { BARS = 4 };

/* A timing-safe release from a tape of so many words. */
static pby_status release(const char *text, size_t words, const int64_t *counts, int64_t *noisy,
                          pby_error *err)
{
    static const uint64_t tape[2 * BARS] = {1, UINT64_MAX - 5, 77, UINT64_MAX / 3, 2};
    pby_spec *spec = spec_of(text);
    pby_entropy *source = NULL;
    pby_release *r = NULL;
    cr_assert_eq(pby_entropy_tape(&source, tape, words, NULL), PBY_OK);
    cr_assert_eq(pby_release_with(&r, spec, PBY_ADD_REMOVE, source, NULL), PBY_OK);
    pby_status status = pby_release_timing_safe(r, err);
    if (status == PBY_OK)
        status = pby_release_counts(r, counts, noisy, BARS, err);
    pby_release_free(r);
    pby_spec_free(spec);
    return status;
}

/* The empty bar draws like any other: three words do not suffice for four bars, and it stays empty. */
Test(silent_release, draws_for_every_bar_and_keeps_the_empty_ones)
{
    const int64_t counts[BARS] = {0, 1, 100, INT64_MAX};
    int64_t noisy[BARS];
    cr_assert_eq(release("stlap:eps=1/2,q=40", 3, counts, noisy, NULL), PBY_FAILED);
    cr_assert_eq(release("stlap:eps=1/2,q=40", BARS, counts, noisy, NULL), PBY_OK);
    cr_assert_eq(noisy[0], 0);
    cr_assert_eq(noisy[1], 1, "the word at the upper end takes nothing away");
    cr_assert_eq(noisy[2], 60, "the word at the lower end takes 40 away");
    cr_assert(noisy[3] <= INT64_MAX - 10 && noisy[3] >= INT64_MAX - 30);
}

/* A word for every magnitude, and one for the signs, of which the second is set: only the word at the upper
 * end is not 0, and it is far. */
Test(silent_release, geometric_noise_is_drawn_for_every_bar)
{
    const int64_t counts[BARS] = {0, 10, 100, INT64_MAX};
    int64_t noisy[BARS];
    cr_assert_eq(release("geometric:eps=3", BARS, counts, noisy, NULL), PBY_FAILED);
    cr_assert_eq(release("geometric:eps=3", BARS + 1, counts, noisy, NULL), PBY_OK);
    cr_assert(noisy[0] == 0 && noisy[1] < 0 && noisy[2] == 100 && noisy[3] == INT64_MAX);
}

Test(silent_release, a_negative_count_is_refused_and_wipes)
{
    const int64_t counts[BARS] = {1, 2, -3, 4};
    int64_t noisy[BARS] = {9, 9, 9, 9};
    pby_error err;
    cr_assert_eq(release("stlap:eps=1/2,q=40", BARS, counts, noisy, &err), PBY_BAD);
    cr_assert(noisy[0] == 0 && noisy[3] == 0);
}

Test(silent_release, what_publishes_some_bars_only_is_refused)
{
    const int64_t counts[BARS] = {1, 2, 3, 4};
    int64_t noisy[BARS];
    pby_error err;
    cr_assert_eq(release("threshold:eps=1,T=5", BARS, counts, noisy, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "timing-safe"), "%s", err.text);
}

/* Every answer takes a word of the silent sampler, and what comes out are answers. */
Test(silent_release, answers_of_users)
{
    static const uint64_t tape[] = {0, UINT64_MAX - 1, 5, UINT64_MAX - 2};
    const int64_t answers[BARS] = {1, 1, 0, 0}, wrong[BARS] = {0, 2, 0, 1};
    int64_t given[BARS];
    pby_spec *spec = spec_of("rr:eps=1");
    pby_entropy *source = NULL;
    pby_release *r = NULL;
    pby_error err;
    cr_assert_eq(pby_entropy_tape(&source, tape, BARS, NULL), PBY_OK);
    cr_assert_eq(pby_release_with(&r, spec, PBY_LOCAL, source, NULL), PBY_OK);
    cr_assert_eq(pby_release_timing_safe(r, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_release_counts(r, wrong, given, BARS, &err), PBY_BAD);
    cr_assert_eq(given[0], 0, "wiped");
    cr_assert_eq(pby_release_counts(r, answers, given, BARS, &err), PBY_OK);
    cr_assert(given[0] == 1 && given[1] == 0 && given[2] == 0 && given[3] == 1);
    cr_assert_eq(pby_entropy_used(source), BARS);
    pby_release_free(r);
    pby_spec_free(spec);
}
