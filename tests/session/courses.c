/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/run.h"

#define SPEC "memobit:odds=1000000000000,hi=4,drift=2"
#define SEED "--seed", "0000000000000000000000000000000000000000000000000000000000000001"

/* At these odds a report is turned with chance 1e-12. A value that stays at an end is that end in every
 * round, and one that rises is 1 from some round on. */
Test(courses, a_line_of_bits_for_a_line_of_values)
{
    const pby_run *r = PBY_RUN("0,0,0\n4,4\r\n2,3,4,3", "report", SPEC, "--once", SEED);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(strncmp(r->out, "0,0,0\n1,1\n", 10), 0, "%s", r->out);
    const char *last = r->out + 10;
    cr_assert_eq(strlen(last), 8);
    cr_assert(last[4] == '1' && last[2] == last[6] && last[0] <= last[2], "%s", last);
}

/* Values of a user who does not change are one bit, however often. */
Test(courses, a_value_that_stays_is_one_bit)
{
    for (int i = 0; i < 20; i++) {
        const pby_run *r = PBY_RUN("1,1,1,1\n", "report", "memobit:eps=1/10,hi=2,drift=0", "--once");
        cr_assert(strcmp(r->out, "0,0,0,0\n") == 0 || strcmp(r->out, "1,1,1,1\n") == 0, "%s", r->out);
    }
}

/* Nothing is printed where one line cannot be, and no value is shown. */
Test(courses, refusals)
{
    PBY_REFUSED(2, "line 2: a value (not shown): expected one from lo to hi", "1,2\n1,5\n", "report", SPEC,
                "--once");
    PBY_REFUSED(2, "line 1: the values (not shown): expected none farther", "0,3\n", "report", SPEC,
                "--once");
    PBY_REFUSED(2, "line 1: round 2: expected a value", "0,\n", "report", SPEC, "--once");
    PBY_REFUSED(2, "one use of rappor", "0\n", "report", "2*" SPEC, "--once");
    PBY_REFUSED(2, "expected a mechanism that has a histogram release", "0\n", "release", SPEC);
}
