/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "audit/judge/verdict.h"
#include "probity/audit.h"
#include "probity/experimental/auditing.h"
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
    cr_assert_eq(occurrences(page, "role=\"img\""), 2, "two drawings");
    cr_assert_eq(occurrences(page, "<svg"), occurrences(page, "</svg>"));
    cr_assert_eq(occurrences(page, "nan"), 0);
    cr_assert_eq(occurrences(page, "<table"), occurrences(page, "</table>"));
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

/* The page in small letters, from the end of its style on; for free(3). */
static char *words_of(const pby_verdict *v)
{
    char *page;
    cr_assert_eq(pby_verdict_html(&page, v, &(pby_report){.how = "probity audit"}, NULL), PBY_OK);
    char *body = strdup(strstr(page, "<body>"));
    for (char *c = body; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    free(page);
    return body;
}

/* Where nothing was shown nobody is accused and nothing refuted, in any word of the page. */
Test(audit_report, accuses_nobody_of_what_was_not_shown)
{
    static const size_t outputs[] = {3000, 30};
    static const char *const title[] = {"consistent: no violation was shown",
                                        "inconclusive: nothing could be shown"};
    for (size_t i = 0; i < 2; i++) {
        pby_verdict *v = verdict_on("truncated geometric", "1", outputs[i]);
        char *page = words_of(v);
        cr_expect_not_null(strstr(page, title[i]));
        cr_expect_eq(occurrences(page, "accus"), 0, "%s", title[i]);
        cr_expect_eq(occurrences(page, "refut"), 0, "%s", title[i]);
        cr_expect_eq(occurrences(page, "too often"), 0, "%s", title[i]);
        cr_expect_not_null(strstr(page, "what to try next"));
        free(page);
        pby_verdict_free(v);
    }
}

Test(audit_report, says_in_plain_words_what_gives_the_input_away)
{
    pby_verdict *v = verdict_on("floating laplace", "0.1", 20000);
    char *page = words_of(v);
    cr_expect_not_null(strstr(page, "the last bits or digits of a number in the output reveal the input."));
    cr_expect_not_null(strstr(page, "--features tail"));
    free(page);
    pby_verdict_free(v);
    v = verdict_on("noisy histogram 2", "0.1", 3000);
    page = words_of(v);
    cr_expect_null(strstr(page, "last bits or digits"));
    cr_expect_not_null(strstr(page, "reveal the input"));
    free(page);
    pby_verdict_free(v);
}

/* An audit of outputs that are given. */
static pby_verdict *verdict_of(const char *(*output)(int side, int i), const char *kinds)
{
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    for (int i = 0; i < 2000; i++)
        for (int side = 0; side < 2; side++) {
            const char *text = output(side, i);
            cr_assert_eq(pby_audit_add(audit, side == 0 ? PBY_LEFT : PBY_RIGHT, text, strlen(text), NULL),
                         PBY_OK);
        }
    cr_assert_eq(pby_audit_features(audit, kinds, NULL), PBY_OK);
    pby_verdict *v = specimen_verdict(audit, "1", "0", "1e-6");
    pby_audit_free(audit);
    return v;
}

static const char *own_word(int side, int i)
{
    return i % 2 == 0 ? "both" : side == 0 ? "mine" : "yours";
}

Test(audit_report, says_that_an_output_is_impossible_on_the_other_side)
{
    pby_verdict *v = verdict_of(own_word, "output");
    char *page = words_of(v);
    cr_expect_not_null(
        strstr(page, "an output that is impossible on the other side, or all but impossible, occurred"));
    free(page);
    pby_verdict_free(v);
}

/* 100 is the most frequent, then 9, then 11, 10 and the words. */
static const char *some_number(int side, int i)
{
    static const char *const texts[] = {"100", "9", "100", "word",  "11", "9",    "100", "-2.5", "10", "9",
                                        "100", "9", "100", "other", "11", "word", "100", "1e2",  "10", "11"};
    return side == 1 && i % 40 == 0 ? "9" : texts[i % 20];
}

Test(audit_report, bars_of_numbers_stand_in_their_order)
{
    static const char *const order[] = {"-2.5", "9", "10", "11", "100", "1e2", "word", "other"};
    pby_verdict *v = verdict_of(some_number, "output");
    cr_assert_eq(v->bars, 8);
    for (size_t i = 0; i < v->bars; i++)
        cr_expect_str_eq(v->bar[i].text, order[i], "bar %zu", i);
    pby_verdict_free(v);
}

Test(audit_report, tells_the_date_the_mechanism_and_what_was_read)
{
    static const pby_report_source source[] = {{"outputs on the left", "a<b.txt", "0123abcd"}};
    const pby_report about = {
        .mechanism = "Laplace & sons", .date = "2026-01-02 03:04 UTC", .source = source, .sources = 1};
    pby_verdict *v = verdict_on("noisy histogram 2", "0.1", 3000);
    char *page, *bare;
    cr_assert_eq(pby_verdict_html(&page, v, &about, NULL), PBY_OK);
    cr_expect_not_null(
        strstr(page, "Privacy audit of <strong>Laplace &amp; sons</strong>, 2026-01-02 03:04 UTC"));
    cr_expect_not_null(
        strstr(page, "<td>outputs on the left</td><td class=\"event\"><code>a&lt;b.txt</code>"));
    cr_expect_not_null(strstr(page, "0123abcd"));
    cr_assert_eq(pby_verdict_html(&bare, v, &(pby_report){.how = NULL}, NULL), PBY_OK);
    cr_expect_null(strstr(bare, "What was read"));
    cr_expect_null(strstr(bare, "How to run it again"));
    free(bare);
    free(page);
    pby_verdict_free(v);
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

/* The lines say what the JSON says. */
Test(audit_report, lines_tell_the_verdict)
{
    pby_verdict *v = verdict_on("sparse vector 5", "0.1", 5000);
    char *text, line[256];
    cr_assert_eq(pby_verdict_lines(&text, v, NULL), PBY_OK);
    cr_expect(strncmp(text, "verdict     violation\nclaim       epsilon 0.1, delta 0\n", 54) == 0, "%s",
              text);
    snprintf(line, sizeof line, "\nshown       epsilon > %s at delta 0\n", pby_verdict_epsilon_lower(v));
    cr_expect_not_null(strstr(text, line), "%s", text);
    cr_expect_not_null(strstr(text, pby_verdict_event(v)));
    cr_expect_not_null(strstr(text, "\nsamples     10000 outputs\n"));
    cr_expect_null(strstr(text, "\nlooks "));
    cr_expect_eq(text[strlen(text) - 1], '\n');
    free(text);
    pby_verdict_free(v);
}
