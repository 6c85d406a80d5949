/* SPDX-License-Identifier: MIT */
#include "audit/count/tally.h"
#include "probity/experimental/auditing.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/audit/mechanisms.h"

static pby_audit *fresh(void)
{
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    return audit;
}

static void add(pby_audit *audit, pby_side side, const char *text)
{
    cr_assert_eq(pby_audit_add(audit, side, text, strlen(text), NULL), PBY_OK);
}

static char *written(const pby_audit *audit)
{
    char *text;
    cr_assert_eq(pby_audit_write(&text, audit, NULL), PBY_OK);
    return text;
}

/* Which stage an output is in depends on its place alone; about three in four places judge, and of late ones
 * fifteen in sixteen. */
Test(audit_tally, parts_are_by_place)
{
    uint64_t stage[PBY_STAGES] = {0};
    for (uint64_t i = 0; i < 100000; i++)
        stage[pby_audit_stage(0, i)]++;
    cr_assert(74000 < stage[PBY_JUDGING] && stage[PBY_JUDGING] < 76000);
    cr_assert(11500 < stage[PBY_ORDERING] && stage[PBY_ORDERING] < 13500);
    uint64_t late = 0;
    for (uint64_t i = 0; i < 100000; i++)
        late += pby_audit_stage(0, PBY_MANY + i) == PBY_JUDGING;
    cr_assert(93300 < late && late < 94200);
    size_t same = 0;
    for (uint64_t i = 0; i < 1000; i++)
        same += pby_audit_stage(0, i) == pby_audit_stage(1, i);
    cr_assert(500 < same && same < 690, "the sides are not split alike");
}

Test(audit_tally, a_carriage_return_does_not_count)
{
    pby_audit *a = fresh(), *b = fresh();
    add(a, PBY_LEFT, "12");
    add(a, PBY_LEFT, "");
    add(b, PBY_LEFT, "12\r");
    add(b, PBY_LEFT, "\r");
    char *x = written(a), *y = written(b);
    cr_assert_str_eq(x, y);
    free(y);
    free(x);
    pby_audit_free(b);
    pby_audit_free(a);
}

/* Found by fuzzing: a zero byte ended the label, and an empty label was lost on the way. */
Test(audit_tally, a_zero_byte_is_a_byte)
{
    pby_audit *audit = fresh(), *back;
    cr_assert_eq(pby_audit_add(audit, PBY_LEFT, "\0", 1, NULL), PBY_OK);
    cr_assert_eq(pby_audit_add(audit, PBY_LEFT, "a\0b", 3, NULL), PBY_OK);
    char *x = written(audit);
    cr_assert_not_null(strstr(x, "\"a?b\""));
    cr_assert_eq(pby_audit_read(&back, x, strlen(x), NULL), PBY_OK);
    char *y = written(back);
    cr_assert_str_eq(x, y);
    free(y);
    free(x);
    pby_audit_free(back);
    pby_audit_free(audit);
}

/* Written, read and counted on gives the same as counting all along, the learned score included. */
Test(audit_tally, resuming_equals_one_run)
{
    const specimen *s = specimen_find("sparse vector 6");
    for (size_t first = 500; first <= 12000; first += 11500) {
        specimen_random *random = specimen_random_new(3);
        pby_audit *whole = fresh(), *resumed;
        specimen_count(whole, s, 1, first, random);
        char *state = written(whole);
        cr_assert_eq(pby_audit_read(&resumed, state, strlen(state), NULL), PBY_OK);
        free(state);
        specimen_random *again = specimen_random_new(4), *and_again = specimen_random_new(4);
        specimen_count(whole, s, 1, 9000, again);
        specimen_count(resumed, s, 1, 9000, and_again);
        cr_assert_eq(whole->learning, PBY_LEARNED);
        char *x = written(whole), *y = written(resumed);
        cr_assert_str_eq(x, y);
        free(y);
        free(x);
        specimen_random_free(and_again);
        specimen_random_free(again);
        specimen_random_free(random);
        pby_audit_free(resumed);
        pby_audit_free(whole);
    }
}

/* Merging in either order gives the same counts, and nothing is lost. */
Test(audit_tally, merging_commutes)
{
    const specimen *s = specimen_find("sparse vector 6");
    specimen_random *random = specimen_random_new(9);
    pby_audit *a = fresh(), *b = fresh(), *ab = fresh(), *ba = fresh();
    specimen_count(a, s, 1, 3000, random);
    specimen_count(b, s, 1, 2000, random);
    cr_assert_eq(pby_audit_merge(ab, a, NULL), PBY_OK);
    cr_assert_eq(pby_audit_merge(ab, b, NULL), PBY_OK);
    cr_assert_eq(pby_audit_merge(ba, b, NULL), PBY_OK);
    cr_assert_eq(pby_audit_merge(ba, a, NULL), PBY_OK);
    cr_assert_eq(pby_audit_outputs(ab, PBY_LEFT), 5000);
    cr_assert_eq(ab->waiting[0], 5000);
    for (unsigned f = 0; f < PBY_FEATURES; f++) {
        cr_assert_eq(ab->table[f].used, ba->table[f].used);
        cr_assert_eq(ab->table[f].level, ba->table[f].level);
        uint64_t sum[2] = {0, 0};
        for (size_t i = 0; i < ab->table[f].room; i++)
            sum[0] += ab->table[f].cell[i].count[0][PBY_JUDGING];
        for (size_t i = 0; i < ba->table[f].room; i++)
            sum[1] += ba->table[f].cell[i].count[0][PBY_JUDGING];
        cr_assert_eq(sum[0], sum[1]);
    }
    cr_assert_eq(ab->seen[1][PBY_JUDGING], a->seen[1][PBY_JUDGING] + b->seen[1][PBY_JUDGING]);
    pby_audit_free(ba);
    pby_audit_free(ab);
    pby_audit_free(b);
    pby_audit_free(a);
    specimen_random_free(random);
}

Test(audit_tally, different_models_cancel_and_equal_ones_add_up)
{
    const specimen *s = specimen_find("sparse vector 6");
    specimen_random *random = specimen_random_new(10);
    pby_audit *a = fresh(), *b = fresh(), *c;
    specimen_count(a, s, 1, PBY_PILOT + 100, random);
    specimen_count(b, s, 1, PBY_PILOT + 100, random);
    cr_assert_eq(a->learning, PBY_LEARNED);
    char *text = written(a);
    cr_assert_eq(pby_audit_read(&c, text, strlen(text), NULL), PBY_OK);
    free(text);
    cr_assert_eq(pby_audit_merge(c, a, NULL), PBY_OK);
    cr_assert_eq(c->learning, PBY_LEARNED);
    cr_assert_eq(c->scored[0][PBY_JUDGING], 2 * a->scored[0][PBY_JUDGING]);
    cr_assert_eq(pby_audit_merge(a, b, NULL), PBY_OK);
    cr_assert_eq(a->learning, PBY_UNLEARNED);
    cr_assert(a->table[PBY_FEATURE_SCORE].closed);
    pby_audit *small = fresh();
    specimen_count(small, s, 1, 50, random);
    const uint64_t before = b->scored[0][PBY_JUDGING];
    cr_assert_eq(pby_audit_merge(b, small, NULL), PBY_OK);
    cr_assert_gt(b->scored[0][PBY_JUDGING], before, "what waited is scored by what was learned");
    cr_assert_eq(pby_audit_merge(small, c, NULL), PBY_OK);
    cr_assert_eq(small->learning, PBY_LEARNED);
    pby_audit_free(small);
    pby_audit_free(c);
    pby_audit_free(b);
    pby_audit_free(a);
    specimen_random_free(random);
}
