/* SPDX-License-Identifier: MIT */
#include "audit/choose/event.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 20 };

/* The first coordinate is one of 1, 2, 3 ...: doubles that are no neighbours, and so as many ranges. */
static void list_integers(pby_event *event)
{
    pby_event_init(event);
    event->feature = PBY_FEATURE_VALUE;
    event->key = malloc(CELLS * sizeof *event->key);
    cr_assert_not_null(event->key);
    for (size_t i = 0; i < CELLS; i++)
        event->key[i] = pby_key_of((double)(i + 1));
    event->count = CELLS;
}

Test(audit_event, a_line_names_a_few_ranges_and_how_many_more)
{
    pby_event event;
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    list_integers(&event);
    char *text = pby_event_text(&event, audit);
    cr_assert_str_eq(text, "coordinate 1 = 1 or = 2 or = 3 or = 4 or = 5 or = 6 or in 14 more ranges");
    free(text);
    pby_event_clear(&event);
    pby_audit_free(audit);
}

Test(audit_event, every_range_can_be_had)
{
    pby_event event;
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    char expected[256] = "coordinate 1 = 1";
    list_integers(&event);
    for (size_t i = 2, at = strlen(expected); i <= CELLS; i++)
        at += (size_t)snprintf(expected + at, sizeof expected - at, " or = %zu", i);
    char *ranges = pby_event_ranges(&event, audit);
    cr_assert_str_eq(ranges, expected);
    free(ranges);
    event.range = true;
    ranges = pby_event_ranges(&event, audit);
    cr_assert_str_empty(ranges);
    free(ranges);
    pby_event_clear(&event);
    pby_audit_free(audit);
}

/* ---- cuts of coarse cells --------------------------------------------------------------------- */

static pby_audit *audit_of(const double *value, size_t n)
{
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    for (size_t i = 0; i < n; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.17g", value[i]);
        cr_assert_eq(pby_audit_add(audit, PBY_LEFT, text, strlen(text), NULL), PBY_OK);
    }
    return audit;
}

static void says(const pby_audit *audit, unsigned level, double from, double to, const char *expected)
{
    pby_event event;
    pby_event_init(&event);
    event.feature = PBY_FEATURE_VALUE;
    event.range = true;
    event.level = level;
    event.lo = from == -INFINITY ? 0 : pby_key_of(from) >> level;
    event.hi = to == INFINITY ? UINT64_MAX >> level : pby_key_of(to) >> level;
    char *text = pby_event_text(&event, audit);
    cr_expect_str_eq(text, expected);
    free(text);
    pby_event_clear(&event);
}

/* At level 50 the first cell above 0 begins at 5.562684646268003e-309, and at level 61 the last ends at
 * 2^513: the one means above 0 and the other nothing, unless there are outputs that far out. */
Test(audit_event, a_cut_far_from_every_output_is_told_in_words)
{
    static const double plain[] = {-3, -0.25, 0, 0.5, 2, 1e6}, far[] = {-1e-200, 1e-310, 0.5, 1e200};
    pby_audit *audit = audit_of(plain, 6);
    says(audit, 50, 0x1p-1024, INFINITY, "coordinate 1 > 0");
    says(audit, 50, -INFINITY, 0, "coordinate 1 <= 0");
    says(audit, 50, 0, INFINITY, "coordinate 1 >= 0");
    says(audit, 50, -INFINITY, -0x1p-1024, "coordinate 1 < 0");
    says(audit, 50, 0, 0, "coordinate 1 = 0");
    says(audit, 50, 0x1p-1024, 1, "coordinate 1 in (0, 1.25)");
    says(audit, 50, -3, 0, "coordinate 1 in [-3, 0]");
    says(audit, 61, 2, 0x1p500, "coordinate 1 >= 2");
    says(audit, 61, 0.5, INFINITY, "coordinate 1 > 0");
    says(audit, 61, -INFINITY, 0x1p500, "coordinate 1 any");
    pby_audit_free(audit);
    audit = audit_of(far, 4);
    says(audit, 50, 0x1p-1024, INFINITY, "coordinate 1 >= 5.562684646268003e-309");
    says(audit, 61, -INFINITY, 0x1p500, "coordinate 1 < 2.6815615859885194e+154");
    pby_audit_free(audit);
}
