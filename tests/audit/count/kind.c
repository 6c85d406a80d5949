/* SPDX-License-Identifier: MIT */
#include "audit/count/kind.h"
#include "probity/experimental/auditing.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "audit/choose/event.h"
#include "audit/judge/verdict.h"
#include "tests/audit/mechanisms.h"

static unsigned parsed(const char *text)
{
    unsigned kinds = 0;
    cr_assert_eq(pby_kinds_parse(&kinds, "--features", text, NULL), PBY_OK, "%s", text);
    return kinds;
}

Test(audit_kind, names_select_or_leave_out)
{
    char text[PBY_EVENT_KINDS_TEXT_SIZE];
    cr_assert_eq(parsed("bits"), 1u << PBY_EVENT_BITS);
    cr_assert_eq(parsed("value,tail"), 1u << PBY_EVENT_VALUE | 1u << PBY_EVENT_TAIL);
    cr_assert_eq(parsed("-bits"), PBY_EVENT_KINDS_ALL & ~(1u << PBY_EVENT_BITS));
    cr_assert_eq(parsed("-bits,-output"),
                 PBY_EVENT_KINDS_ALL & ~(1u << PBY_EVENT_BITS | 1u << PBY_EVENT_OUTPUT));
    pby_kinds_text(text, PBY_EVENT_KINDS_ALL);
    cr_assert_eq(parsed(text), PBY_EVENT_KINDS_ALL, "%s", text);
}

Test(audit_kind, a_wrong_name_is_refused_with_the_nearest)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"tails", "--features 'tails': expected one of output, shape, order, value, tail, bits, score; did "
                  "you "
                  "mean tail?"},
        {"-bit", "'bit': expected one of output, shape, order, value, tail, bits, score; did you mean bits?"},
        {"", "expected one of"},
        {"tail,", "expected one of"},
        {"-", "expected one of"},
        {"tail,-bits", "not both"},
        {"-bits,tail", "not both"},
        {"-output,-shape,-order,-value,-tail,-bits,-score", "expected some kind of event to be left"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "separated by commas"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        unsigned kinds;
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(pby_kinds_parse(&kinds, "--features", wrong[i].text, &err), PBY_BAD, "%s",
                     wrong[i].text);
        cr_assert_not_null(strstr(err.text, wrong[i].says), "%s", err.text);
    }
}

Test(audit_kind, every_feature_has_one)
{
    for (unsigned f = 0; f < PBY_FEATURES; f++) {
        const pby_event_kind set = pby_kind_of_set(f), half_line = pby_kind_of_half_line(f);
        cr_assert(set == half_line || (set == PBY_EVENT_VALUE && half_line == PBY_EVENT_TAIL), "feature %u",
                  f);
    }
    cr_assert_eq(pby_kind_of_set(PBY_FEATURE_BITS), PBY_EVENT_BITS);
    cr_assert_eq(pby_kind_of_set(PBY_FEATURE_GRID), PBY_EVENT_BITS);
    cr_assert_eq(pby_kind_of_half_line(PBY_FEATURE_VALUE), PBY_EVENT_TAIL);
    cr_assert_eq(pby_kind_of_half_line(PBY_FEATURE_SUM), PBY_EVENT_TAIL);
}

/* The verdict on a specimen, by some kinds of event. */
static pby_verdict *judged_by(const char *kinds, const char *name, const char *epsilon, size_t n)
{
    pby_audit *audit;
    specimen_random *random = specimen_random_new(29);
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    specimen_count(audit, specimen_find(name), atof(epsilon), n, random);
    cr_assert_eq(pby_audit_settle(audit, NULL), PBY_OK);
    cr_assert_eq(pby_audit_features(audit, kinds, NULL), PBY_OK);
    pby_verdict *v = specimen_verdict(audit, epsilon, "0", "1e-6");
    pby_audit_free(audit);
    specimen_random_free(random);
    return v;
}

/* Every event that is judged is of a kind that was asked for; and a kind that is there is not missed. */
Test(audit_kind, only_events_of_these_kinds_are_judged)
{
    static const char *const kinds[] = {"output", "shape", "order", "value", "tail", "bits", "score"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        pby_verdict *v = judged_by(kinds[i], "noisy histogram 2", "0.1", 4000);
        cr_assert_gt(v->events, 0, "%s", kinds[i]);
        for (size_t e = 0; e < v->events; e++)
            cr_assert_str_eq(pby_kind_name(pby_event_kind_of(&v->event[e].event)), kinds[i], "%s",
                             v->event[e].text);
        pby_verdict_free(v);
    }
}

/* Laplace noise of the right scale out of floating-point arithmetic: the bits tell the input, the scale does
 * not; and neither does the profile, which half lines alone are drawn from. */
Test(audit_kind, scale_and_floating_point_are_judged_apart)
{
    pby_verdict *v = judged_by("bits", "floating laplace", "0.1", 20000);
    cr_assert(pby_verdict_violation(v));
    pby_verdict_free(v);
    v = judged_by("tail", "floating laplace", "0.1", 20000);
    cr_assert(!pby_verdict_violation(v), "%s", pby_verdict_event(v));
    arb_t at, lower, seen, upper;
    arb_init(at);
    arb_init(lower);
    arb_init(seen);
    arb_init(upper);
    arb_set_d(at, 0.1);
    pby_empirical_at(lower, seen, upper, &v->profile, at, &v->error);
    cr_assert_lt(arf_get_d(arb_midref(seen), ARF_RND_NEAR), 0.05);
    arb_clear(upper);
    arb_clear(seen);
    arb_clear(lower);
    arb_clear(at);
    pby_verdict_free(v);
    v = judged_by("tail", "noisy histogram 2", "0.1", 4000);
    cr_assert(pby_verdict_violation(v));
    pby_verdict_free(v);
}
