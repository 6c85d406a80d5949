/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "tests/law/make.h"
#include "tests/loss/ask.h"
#include "tests/mechanism/outcomes.h"
#include "tests/mechanism/sized.h"

/* The pairs are those of the worst input: no neighbours are further apart, and some are as far. */
static void check(const sized *s, const char *at)
{
    char spec[SIZED_TEXT];
    arb_t bound, worst, answer;
    fmpq_t epsilon;
    arb_init(bound);
    arb_init(worst);
    arb_init(answer);
    fmpq_init(epsilon);
    set_text(epsilon, at);
    sized_spec(spec, s);
    sized_worst(worst, s, PBY_ADD_REMOVE, epsilon);
    outcomes_bound(bound, spec, PBY_ADD_REMOVE, epsilon);
    outcomes_check(bound, worst, 1, spec);
    ask_delta(answer, spec, epsilon, 30);
    cr_assert(arb_overlaps(answer, worst), "%s: the answer does not surround the truth", spec);
    cr_assert_gt(arb_rel_accuracy_bits(answer), 90, "%s: the answer is wide", spec);
    fmpq_clear(epsilon);
    arb_clear(answer);
    arb_clear(worst);
    arb_clear(bound);
}

/* Sizes that fill the bars, and sizes that do not. */
Test(stlap_inputs, the_worst_of_all_inputs_on_a_grid)
{
    static const char *const eps[] = {"1/2", "2"}, *const tau[] = {"1/6", "1/2", "3/4", "8/9"};
    for (size_t e = 0; e < sizeof eps / sizeof *eps; e++)
        for (size_t t = 0; t < sizeof tau / sizeof *tau; t++)
            for (slong n = 1; n <= 4; n++)
                for (int bars = 1; bars <= 3; bars++) {
                    const sized s = {eps[e], tau[t], n, bars};
                    check(&s, "1/4");
                    check(&s, eps[e]);
                }
}

/* Each of these was once answered by bars that its records cannot fill. */
Test(stlap_inputs, records_that_do_not_fill_the_bars)
{
    check(&(sized){"1/2", "3/4", 2, 4}, "1/2");
    check(&(sized){"1", "1/2", 4, 3}, "1");
    check(&(sized){"1", "1/2", 3, 3}, "1");
    check(&(sized){"1/2", "1/2", 5, 3}, "0");
}

/* Many records in few bars are spread in few ways. Of the first, the answer was once from 9e-36 to 0.124. */
Test(stlap_inputs, many_records_in_few_bars)
{
    check(&(sized){"20", "1/2", 18, 3}, "20");
    check(&(sized){"1", "3/4", 40, 2}, "1");
}

/* n records occupy no more than n bars beside the one that gets the record, however many there are. */
Test(stlap_inputs, as_many_bars_as_there_can_be)
{
    fmpq_t epsilon;
    arb_t many, four;
    fmpq_init(epsilon);
    arb_init(many);
    arb_init(four);
    fmpq_set_si(epsilon, 1, 2);
    ask_delta(many, "stlap:eps=1/2,tau=1/2,n=3,bars=2147483647", epsilon, 20);
    ask_delta(four, "stlap:eps=1/2,tau=1/2,n=3,bars=4", epsilon, 20);
    cr_assert(arb_equal(many, four));
    ask_delta(four, "stlap:eps=1/2,tau=1/2,n=3,bars=1", epsilon, 20);
    cr_assert(arb_gt(many, four));
    arb_clear(four);
    arb_clear(many);
    fmpq_clear(epsilon);
}
