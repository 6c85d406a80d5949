#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "probity/audit.h"
#include "tests/audit/mechanisms.h"

static pby_verdict *verdict_on(const char *name, const char *epsilon, size_t n)
{
    return specimen_judge(specimen_find(name), epsilon, n, "1e-6", 71);
}

static size_t occurrences(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)) != NULL; text += strlen(what))
        n++;
    return n;
}

Test(audit_report, is_one_page_that_needs_nothing_else)
{
    pby_verdict *v = verdict_on("noisy histogram 2", "0.1", 3000);
    char *page;
    cr_assert_eq(pby_verdict_html(&page, v, &(pby_report){.how = "probity audit '<a> & b'"}, NULL), PBY_OK);
    static const char *const absent[] = {"http:", "https:", "<script", "<link", "src=", "url(", "@import"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        cr_assert_null(strstr(page, absent[i]), "%s", absent[i]);
    cr_assert_not_null(strstr(page, "Violation: the claim is refuted"));
    cr_assert_not_null(strstr(page, "&lt;a&gt; &amp; b"), "what it quotes is escaped");
    cr_assert_not_null(strstr(page, pby_verdict_epsilon_lower(v)));
    cr_assert_eq(occurrences(page, "<svg"), 2);
    cr_assert_eq(occurrences(page, "</svg>"), 2);
    cr_assert_eq(occurrences(page, "nan"), 0);
    cr_assert_eq(occurrences(page, "<table>"), occurrences(page, "</table>"));
    free(page);
    pby_verdict_free(v);
}

Test(audit_report, draws_the_certified_curve_where_it_is_known)
{
    const char *text = "geometric:eps=1";
    pby_spec *spec;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    pby_verdict *v = verdict_on("truncated geometric", "1", 2000);
    char *page;
    cr_assert_eq(pby_verdict_html(&page, v, &(pby_report){.certified = spec}, NULL), PBY_OK);
    cr_assert_not_null(strstr(page, "Consistent: no violation was shown"));
    cr_assert_not_null(strstr(page, "<polyline class=\"certified\""));
    cr_assert_not_null(strstr(page, "geometric:eps=1"));
    free(page);
    pby_verdict_free(v);
    pby_spec_free(spec);
}

Test(audit_report, json_has_the_promised_keys)
{
    static const char *const keys[] = {"verdict",          "epsilon_lower",   "delta_lower", "event",
                                       "samples",          "error",           "method",      "claim",
                                       "smallest_visible", "largest_visible", "events",      "profile"};
    pby_verdict *v = verdict_on("sparse vector 5", "0.1", 5000);
    char *text;
    cr_assert_eq(pby_verdict_json(&text, v, NULL), PBY_OK);
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        cr_assert_not_null(json_object_get(object, keys[i]), "%s", keys[i]);
    cr_assert_str_eq(json_string_value(json_object_get(object, "verdict")), "violation");
    cr_assert_str_eq(json_string_value(json_object_get(object, "error")), "1e-06");
    cr_assert(json_is_string(json_object_get(json_object_get(object, "event"), "ranges")));
    cr_assert_eq(json_integer_value(json_object_get(object, "samples")), 10000);
    json_decref(object);
    free(text);
    pby_verdict_free(v);
}
