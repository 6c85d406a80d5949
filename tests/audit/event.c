#include "audit/event.h"

#include <criterion/criterion.h>
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
    list_integers(&event);
    char *text = pby_event_text(&event, NULL);
    cr_assert_str_eq(text, "coordinate 1 = 1 or = 2 or = 3 or = 4 or = 5 or = 6 or in 14 more ranges");
    free(text);
    pby_event_clear(&event);
}

Test(audit_event, every_range_can_be_had)
{
    pby_event event;
    char expected[256] = "coordinate 1 = 1";
    list_integers(&event);
    for (size_t i = 2, at = strlen(expected); i <= CELLS; i++)
        at += (size_t)snprintf(expected + at, sizeof expected - at, " or = %zu", i);
    char *ranges = pby_event_ranges(&event);
    cr_assert_str_eq(ranges, expected);
    free(ranges);
    event.range = true;
    ranges = pby_event_ranges(&event);
    cr_assert_str_empty(ranges);
    free(ranges);
    pby_event_clear(&event);
}
