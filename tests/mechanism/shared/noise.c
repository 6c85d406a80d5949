/* SPDX-License-Identifier: MIT */
#include "mechanism/shared/noise.h"

#include <criterion/criterion.h>

#include "kernel/histogram.h"
#include "kernel/silent.h"
#include "mechanism/run/timing_safe.h"
#include "tests/law/make.h"

/* The word at the lower end draws the law's least value. */
static pby_entropy *lowest(void)
{
    static const uint64_t word[2] = {1, 1};
    pby_entropy *source = NULL;
    cr_assert_eq(pby_entropy_tape(&source, word, 2, NULL), PBY_OK);
    return source;
}

/* A sampler whose law has come to say less than its table draws: the kernel's answer keeps the noise from the
 * counts. */
Test(noise, a_draw_below_its_law_releases_nothing)
{
    const int64_t counts[2] = {50, 60};
    for (int raised = 0; raised < 2; raised++) {
        pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
        s->law->lo += raised;
        int64_t noisy[2] = {7, 7};
        pby_entropy *source = lowest();
        const pby_status status = pby_noise_occupied(pby_shrink, s, source, counts, noisy, 2, NULL);
        cr_assert_eq(status, raised ? PBY_FAILED : PBY_OK);
        cr_assert_eq(noisy[0], raised ? 7 : 10);
        pby_entropy_free(source);
        s->law->lo -= raised;
        pby_sampler_free(s);
    }
}

Test(noise, a_draw_above_zero_releases_nothing)
{
    const int64_t counts[2] = {50, 60};
    pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
    s->first += 41; /* every value of the table, from 1 on */
    int64_t noisy[2] = {7, 7};
    pby_entropy *source = lowest();
    pby_error err;
    cr_assert_eq(pby_noise_occupied(pby_shrink, s, source, counts, noisy, 2, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "a draw left the range of its law, and nothing is released");
    cr_assert(noisy[0] == 7 && noisy[1] == 7);
    pby_entropy_free(source);
    pby_sampler_free(s);
}

/* Noise without a least value has no bound to give the kernel. */
Test(noise, a_law_without_an_end_is_no_noise_that_never_adds)
{
    const int64_t counts[2] = {50, 60};
    pby_sampler *s = make_sampler(make_geometric("1"));
    int64_t noisy[2] = {7, 7};
    pby_entropy *source = lowest();
    cr_assert_eq(pby_noise_occupied(pby_shrink, s, source, counts, noisy, 2, NULL), PBY_FAILED);
    cr_assert_eq(noisy[0], 7);
    pby_entropy_free(source);
    pby_sampler_free(s);
}

Test(noise, the_silent_release_asks_too)
{
    const int64_t counts[2] = {50, 60};
    for (int raised = 0; raised < 2; raised++) {
        pby_sampler *s = make_sampler(make_stlap("1/2", "40"));
        cr_assert_eq(pby_sampler_timing_safe(s, NULL), PBY_OK);
        s->law->lo += raised;
        int64_t noisy[2] = {7, 7};
        pby_entropy *source = lowest();
        const pby_status status = pby_silent_release(pby_silent_shrink, s, source, counts, noisy, 2, NULL);
        cr_assert_eq(status, raised ? PBY_FAILED : PBY_OK);
        cr_assert_eq(noisy[0], raised ? 7 : 10);
        pby_entropy_free(source);
        s->law->lo -= raised;
        pby_sampler_free(s);
    }
}
