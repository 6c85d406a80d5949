/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "mechanism/range/range_potential.h"
#include "tests/law/make.h"
#include "tests/mechanism/divisions.h"

/* The potential of two bars that move by s and t, and of each alone, is what the outcomes say. */
static void check(const char *rate_text, slong reach, int s, int t)
{
    fmpq_t rate, epsilon;
    arb_t want;
    pby_range_noise noise;
    fmpq_init(rate);
    fmpq_init(epsilon);
    arb_init(want);
    set_text(rate, rate_text);
    pby_range_noise_init(&noise, rate, reach, s + t, 128);
    arb_ptr one = _arb_vec_init(t + 1), both = _arb_vec_init(s + t + 1);
    const division alone = {{t}, 1}, two = {{s, t}, 2};
    division_loss loss;
    pby_range_one(one, &noise, t);
    pby_range_join(both, &noise, one, t, s);
    divisions_loss_init(&loss, &alone, rate, reach);
    pby_range_infinite(want, &noise, t);
    cr_assert(arb_overlaps(want, loss.infinite));
    for (int k = 0; k <= t; k++) {
        fmpq_mul_si(epsilon, rate, k);
        divisions_delta(want, &loss, rate, epsilon);
        cr_assert(arb_overlaps(want, one + k) && arb_rel_accuracy_bits(one + k) > 60, "%d of %d", k, t);
    }
    divisions_loss_clear(&loss);
    divisions_loss_init(&loss, &two, rate, reach);
    for (int k = 0; k <= s + t; k++) {
        fmpq_mul_si(epsilon, rate, k);
        divisions_delta(want, &loss, rate, epsilon);
        cr_assert(arb_overlaps(want, both + k) && arb_rel_accuracy_bits(both + k) > 60, "%d of %d and %d", k,
                  s, t);
    }
    divisions_loss_clear(&loss);
    _arb_vec_clear(both, s + t + 1);
    _arb_vec_clear(one, t + 1);
    pby_range_noise_clear(&noise);
    arb_clear(want);
    fmpq_clear(epsilon);
    fmpq_clear(rate);
}

/* Moves below, at and beyond the reach, and beyond all that is common. */
Test(range_potential, is_that_of_the_outcomes)
{
    static const char *const rate[] = {"1/50", "1/3", "2"};
    for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
        for (slong reach = 1; reach <= 4; reach++)
            for (int s = 1; s <= 6; s++)
                for (int t = 1; t <= 6; t++)
                    check(rate[i], reach, s, t);
}
