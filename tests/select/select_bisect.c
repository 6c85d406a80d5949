/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "select/select_bisect.h"

/* WITHIN from `within` on, BEYOND up to `beyond`, UNTOLD between (or all that mirrored). */
struct line {
    int64_t within, beyond;
    bool rising;
    int asked;
};

static pby_status judge(pby_decision *verdict, int64_t i, const void *what, pby_error *err)
{
    struct line *line = (struct line *)(uintptr_t)what;
    (void)err;
    line->asked++;
    if (line->rising)
        *verdict = i >= line->within ? PBY_WITHIN : i <= line->beyond ? PBY_BEYOND : PBY_NEITHER;
    else
        *verdict = i <= line->within ? PBY_WITHIN : i >= line->beyond ? PBY_BEYOND : PBY_NEITHER;
    return PBY_OK;
}

static void expect(struct line line, pby_candidates c, int64_t within, int64_t beyond)
{
    pby_edge edge;
    cr_assert_eq(pby_edge_find(&edge, judge, &line, &c, line.rising, NULL), PBY_OK);
    cr_assert_eq(edge.within, within, "within %ld, not %ld (start %ld)", (long)edge.within, (long)within,
                 (long)c.start);
    cr_assert_eq(edge.beyond, beyond, "beyond %ld, not %ld (start %ld)", (long)edge.beyond, (long)beyond,
                 (long)c.start);
}

Test(select_search, finds_the_edge_from_any_start)
{
    for (int64_t at = 2; at <= 40; at++)
        for (int64_t start = 0; start <= 50; start++) {
            expect((struct line){at, at - 1, true, 0}, (pby_candidates){1, 1, 40, start, false}, at, at - 1);
            expect((struct line){at - 1, at, false, 0}, (pby_candidates){1, 1, 40, start, false}, at - 1, at);
        }
}

Test(select_search, halves_where_the_edge_may_be_anywhere)
{
    for (int64_t at = 2; at <= 40; at++) {
        expect((struct line){at, at - 1, true, 0}, (pby_candidates){1, 1, 40, 20, true}, at, at - 1);
        expect((struct line){at - 1, at, false, 0}, (pby_candidates){1, 1, 40, 20, true}, at - 1, at);
    }
}

Test(select_search, tells_a_band_of_untold_from_both_sides)
{
    for (int64_t start = 0; start <= 50; start += 5) {
        expect((struct line){23, 17, true, 0}, (pby_candidates){1, 1, 40, start, false}, 23, 17);
        expect((struct line){17, 23, false, 0}, (pby_candidates){1, 1, 40, start, false}, 17, 23);
    }
}

Test(select_search, none_is_zero)
{
    expect((struct line){1, 0, true, 0}, (pby_candidates){1, 1, 40, 0, false}, 1, 0);
    expect((struct line){41, 40, true, 0}, (pby_candidates){1, 1, 40, 0, false}, 0, 40);
    expect((struct line){0, 1, false, 0}, (pby_candidates){1, 1, 40, 0, false}, 0, 1);
    expect((struct line){40, 41, false, 0}, (pby_candidates){1, 1, 40, 9, false}, 40, 0);
    expect((struct line){1, 0, true, 0}, (pby_candidates){5, 1, 4, 0, false}, 0, 0);
    expect((struct line){50, 0, true, 0}, (pby_candidates){1, 1, 40, 0, false}, 0, 0);
}

Test(select_search, keeps_to_its_stride)
{
    expect((struct line){20, 19, true, 0}, (pby_candidates){3, 2, 41, 0, false}, 21, 19);
    expect((struct line){20, 19, true, 0}, (pby_candidates){4, 2, 41, 30, false}, 20, 18);
}

Test(select_search, asks_logarithmically_often)
{
    struct line line = {777777, 777776, true, 0};
    const pby_candidates c = {1, 1, 1 << 30, 0, false};
    pby_edge edge;
    cr_assert_eq(pby_edge_find(&edge, judge, &line, &c, true, NULL), PBY_OK);
    cr_assert_eq(edge.within, 777777);
    cr_assert_leq(line.asked, 45);
}

/* 3 is WITHIN between two that are not: an order would have missed it. */
static pby_status lone(pby_decision *verdict, int64_t i, const void *what, pby_error *err)
{
    (void)what;
    (void)err;
    *verdict = i == 3 || i > 9 ? PBY_WITHIN : PBY_BEYOND;
    return PBY_OK;
}

Test(select_search, a_scan_relies_on_no_order)
{
    const pby_candidates c = {1, 1, 40, 0, false};
    pby_edge edge;
    cr_assert_eq(pby_edge_scan(&edge, lone, NULL, &c, NULL), PBY_OK);
    cr_assert_eq(edge.within, 3);
    cr_assert_eq(edge.beyond, 2);
}

static pby_status broken(pby_decision *verdict, int64_t i, const void *what, pby_error *err)
{
    (void)what;
    *verdict = PBY_BEYOND;
    return i > 4 ? pby_fail(err, PBY_FAILED, "broken") : PBY_OK;
}

Test(select_search, passes_a_failure_on)
{
    const pby_candidates c = {1, 1, 40, 0, false};
    pby_edge edge;
    pby_error err;
    cr_assert_eq(pby_edge_find(&edge, broken, NULL, &c, true, &err), PBY_FAILED);
    cr_assert_eq(pby_edge_scan(&edge, broken, NULL, &c, &err), PBY_FAILED);
}
