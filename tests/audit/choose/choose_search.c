/* SPDX-License-Identifier: MIT */
#include "audit/choose/choose_search.h"
#include "probity/experimental/auditing.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/audit/mechanisms.h"

struct choice {
    pby_event event[PBY_EVENTS];
    size_t count;
};

static void choose(struct choice *c, const pby_audit *audit)
{
    fmpq_t epsilon, delta, error;
    fmpq_init(epsilon);
    fmpq_init(delta);
    fmpq_init(error);
    fmpq_set_si(epsilon, 1, 10);
    fmpq_set_si(error, 1, 1000000);
    for (size_t i = 0; i < PBY_EVENTS; i++)
        pby_event_init(&c->event[i]);
    cr_assert_eq(pby_events_choose(c->event, &c->count, audit, epsilon, delta, error, NULL), PBY_OK);
    fmpq_clear(error);
    fmpq_clear(delta);
    fmpq_clear(epsilon);
}

static void drop(struct choice *c)
{
    for (size_t i = 0; i < PBY_EVENTS; i++)
        pby_event_clear(&c->event[i]);
}

/* No bound could forgive an event that depends on the outputs that judge it. The judges' counts are turned
 * upside down, and the choice stays the same. */
Test(audit_search, the_choice_does_not_see_the_judges)
{
    static const char *const names[] = {"laplace", "noisy histogram 2", "sparse vector 3", "sparse vector 5",
                                        "rappor once"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        pby_audit *audit;
        struct choice before, after;
        specimen_random *random = specimen_random_new(31);
        cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
        specimen_count(audit, specimen_find(names[k]), 0.5, 3000, random);
        cr_assert_eq(pby_audit_settle(audit, NULL), PBY_OK);
        choose(&before, audit);
        for (unsigned f = 0; f < PBY_FEATURES; f++)
            for (size_t i = 0; i < audit->table[f].room; i++) {
                pby_tally_cell *cell = &audit->table[f].cell[i];
                const uint64_t left = cell->count[0][PBY_JUDGING];
                if (pby_cell_chosen(cell) == 0)
                    continue;
                cell->count[0][PBY_JUDGING] = cell->count[1][PBY_JUDGING] * 3;
                cell->count[1][PBY_JUDGING] = left * 7 + i % 5;
            }
        choose(&after, audit);
        cr_assert_eq(before.count, after.count);
        for (size_t i = 0; i < before.count; i++) {
            const pby_event *a = &before.event[i], *b = &after.event[i];
            cr_assert(a->feature == b->feature && a->level == b->level && a->accused == b->accused &&
                      a->range == b->range && a->lo == b->lo && a->hi == b->hi && a->count == b->count &&
                      a->share.split == b->share.split && fmpq_equal(a->share.error, b->share.error));
            if (a->count > 0)
                cr_assert_arr_eq(a->key, b->key, a->count * sizeof *a->key);
        }
        drop(&after);
        drop(&before);
        pby_audit_free(audit);
        specimen_random_free(random);
    }
}

Test(audit_search, the_shares_add_up_to_the_error)
{
    pby_audit *audit;
    struct choice c;
    fmpq_t sum, error;
    fmpq_init(sum);
    fmpq_init(error);
    fmpq_set_si(error, 1, 1000000);
    specimen_random *random = specimen_random_new(32);
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    specimen_count(audit, specimen_find("noisy histogram 1"), 1, 500, random);
    choose(&c, audit);
    cr_assert_eq(c.count, PBY_EVENTS);
    for (size_t i = 0; i < c.count; i++)
        fmpq_add(sum, sum, c.event[i].share.error);
    cr_assert(fmpq_equal(sum, error));
    drop(&c);
    pby_audit_free(audit);
    specimen_random_free(random);
    fmpq_clear(error);
    fmpq_clear(sum);
}

/* An event holds the keys that its counts came from, at every level. */
Test(audit_search, an_event_counts_what_it_holds)
{
    pby_audit *audit;
    struct choice c;
    specimen_random *random = specimen_random_new(33);
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    specimen_count(audit, specimen_find("laplace"), 1, 20000, random);
    choose(&c, audit);
    for (size_t i = 0; i < c.count; i++) {
        const pby_event *e = &c.event[i];
        const pby_evidence all = pby_event_count(e, audit, 7),
                           judged = pby_event_count(e, audit, 1u << PBY_JUDGING);
        const pby_evidence chosen = pby_event_count(e, audit, 3);
        cr_assert_eq(all.n, 20000);
        cr_assert_eq(all.x, judged.x + chosen.x);
        cr_assert_eq(all.y, judged.y + chosen.y);
        cr_assert(judged.x <= judged.n && judged.y <= judged.m);
        char *text = pby_event_text(e, audit);
        cr_assert_str_not_empty(text);
        free(text);
    }
    drop(&c);
    pby_audit_free(audit);
    specimen_random_free(random);
}

static pby_audit *shifted(const char *specimen_name, double epsilon, size_t n)
{
    pby_audit *audit;
    specimen_random *random = specimen_random_new(34);
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    specimen_count(audit, specimen_find(specimen_name), epsilon, n, random);
    specimen_random_free(random);
    return audit;
}

/* A half line comes out as one, in words. */
Test(audit_search, finds_the_half_line_of_laplace)
{
    pby_audit *audit = shifted("laplace", 1, 20000);
    pby_verdict *v = specimen_verdict(audit, "0.5", "0", "1e-6");
    cr_assert(pby_verdict_violation(v));
    cr_assert(strstr(pby_verdict_event(v), "coordinate 1 ") == pby_verdict_event(v), "%s",
              pby_verdict_event(v));
    pby_verdict_free(v);
    pby_audit_free(audit);
}

/* At place k of 2 .. 6 a number below 100: uniform on the right, on the left twice as often below 5 k. */
static void add_low(pby_audit *audit, int side, specimen_random *random)
{
    char line[64] = "F,F,F,F,F,";
    const int place = 2 + (int)(5 * specimen_uniform(random)), low = 5 * place;
    const bool more = side == 0 && specimen_uniform(random) < low / (100.0 - low);
    char *const at = line + (size_t)(2 * (place - 1));
    const int length = sprintf(at, "%d", (int)((more ? low : 100) * specimen_uniform(random)));
    const size_t all = (size_t)(at - line) + (size_t)length;
    cr_assert_eq(pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, line, all, NULL), PBY_OK);
}

static bool holds(const pby_event *e, uint64_t place, double value)
{
    return pby_event_holds(e, (place - 1) << 58 | pby_key_of(value) >> 6, 0);
}

Test(audit_search, finds_a_half_line_at_each_place)
{
    pby_audit *audit;
    struct choice c;
    specimen_random *random = specimen_random_new(35);
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    for (int i = 0; i < 40000; i++)
        for (int side = 0; side < 2; side++)
            add_low(audit, side, random);
    choose(&c, audit);
    size_t i = 0;
    while (i < c.count && c.event[i].feature != PBY_FEATURE_FIRST)
        i++;
    cr_assert_lt(i, c.count);
    const pby_event *e = &c.event[i];
    cr_assert_eq(e->accused, PBY_LEFT);
    cr_assert(holds(e, 6, 20) && holds(e, 5, 20) && !holds(e, 2, 20) && !holds(e, 6, 80));
    char *text = pby_event_text(e, audit);
    cr_assert_not_null(strstr(text, "at place "), "%s", text);
    free(text);
    drop(&c);
    pby_audit_free(audit);
    specimen_random_free(random);
}
