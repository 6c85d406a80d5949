/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "probity/experimental/auditing.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "probity/audit.h"

/* The allocation of JSON after so many fails, and no other. */
static size_t before;
static bool failed;

static void *failing(size_t size)
{
    if (before == 0 && !failed) {
        failed = true;
        return NULL;
    }
    before -= before > 0;
    return malloc(size);
}

typedef pby_status writer(char **text, const void *what);

static pby_status write_counts(char **text, const void *audit)
{
    return pby_audit_write(text, audit, NULL);
}

static pby_status write_verdict(char **text, const void *verdict)
{
    return pby_verdict_json(text, verdict, NULL);
}

/* Whichever allocation fails, there is no text or all of it. */
static void is_whole_or_none(writer *write, const void *what)
{
    char *whole, *text;
    size_t none = 0;
    cr_assert_eq(write(&whole, what), PBY_OK);
    json_set_alloc_funcs(failing, free);
    for (size_t n = 0; failed || n == 0; n++) {
        before = n;
        failed = false;
        const pby_status status = write(&text, what);
        none += text == NULL;
        cr_assert_eq(status, text == NULL ? PBY_FAILED : PBY_OK);
        cr_assert(text == NULL || strcmp(text, whole) == 0, "allocation %zu", n);
        free(text);
    }
    cr_assert_gt(none, 60);
    free(whole);
}

static pby_audit *some_outputs(void)
{
    static const char *const output[] = {"0.5,1", "0.25,2", "word"};
    pby_audit *audit;
    cr_assert_eq(pby_audit_new(&audit, NULL), PBY_OK);
    for (size_t i = 0; i < 60; i++)
        cr_assert_eq(pby_audit_add(audit, i % 2 == 0 ? PBY_LEFT : PBY_RIGHT, output[i % 3],
                                   strlen(output[i % 3]), NULL),
                     PBY_OK);
    return audit;
}

Test(json, texts)
{
    char *text = pby_json_text(json_pack("{s:[i], s:s}", "one", 1, "two", "\xc3\xa9"), JSON_COMPACT);
    cr_assert_str_eq(text, "{\"one\":[1],\"two\":\"\xc3\xa9\"}");
    cr_assert_null(pby_json_text(NULL, 0));
    free(text);
}

Test(json, appends_or_is_gone)
{
    json_t *list = pby_json_append(json_array(), json_integer(7));
    cr_assert_eq(json_integer_value(json_array_get(list, 0)), 7);
    cr_assert_null(pby_json_append(list, NULL));
    cr_assert_null(pby_json_append(NULL, json_integer(7)));
}

Test(json, counts_are_whole_or_none)
{
    pby_audit *audit = some_outputs();
    is_whole_or_none(write_counts, audit);
    pby_audit_free(audit);
}

Test(json, counts_that_miss_some_are_whole_or_none)
{
    pby_audit *audit = some_outputs();
    pby_audit_missing(audit, PBY_LEFT, 3);
    is_whole_or_none(write_counts, audit);
    pby_audit_free(audit);
}

Test(json, a_verdict_is_whole_or_none)
{
    pby_audit *audit = some_outputs();
    pby_verdict *verdict;
    cr_assert_eq(pby_audit_features(audit, "-bits", NULL), PBY_OK);
    mpq_t epsilon, error;
    mpq_inits(epsilon, error, (mpq_ptr)0);
    mpq_set_ui(error, 1, 100);
    cr_assert_eq(pby_audit_judge(&verdict, audit, pby_value_rational(epsilon), pby_value_rational(epsilon),
                                 pby_value_rational(error), NULL),
                 PBY_OK);
    is_whole_or_none(write_verdict, verdict);
    pby_verdict_free(verdict);
    pby_audit_free(audit);
    mpq_clears(epsilon, error, (mpq_ptr)0);
}

static const char sample[] =
    "{\"a\": [{}, {\"long name of more than 20 characters\": \"\\u00e9\\n and text\"}, "
    "-1, 2.5e3, true, null], \"b\": \"\"}";

/* Jansson takes a string that had no memory for a wrong token. */
Test(json, reading_without_memory_is_no_wrong_text)
{
    json_t *root = NULL;
    size_t none = 0;
    json_set_alloc_funcs(failing, free);
    for (size_t n = 0; failed || n == 0; n++) {
        before = n;
        failed = false;
        const pby_status status = pby_json_read(&root, sample, strlen(sample), NULL);
        none += root == NULL;
        cr_assert_eq(status, root == NULL ? PBY_FAILED : PBY_OK, "allocation %zu", n);
        json_decref(root);
    }
    cr_assert_gt(none, 20);
}

Test(json, a_wrong_text_is_no_want_of_memory)
{
    static const char signs[] = "\"\\{}[]:,x0-.\x01\xff\n ";
    char text[sizeof sample];
    size_t wrong = 0;
    for (size_t at = 0; at < strlen(sample); at++)
        for (size_t i = 0; i < sizeof signs; i++) {
            json_t *root;
            strcpy(text, sample);
            text[at] = signs[i];
            cr_assert_eq(pby_json_read(&root, text, strlen(sample), NULL), PBY_OK, "%s", text);
            wrong += root == NULL;
            json_decref(root);
            cr_assert_eq(pby_json_read(&root, sample, at, NULL), PBY_OK);
            cr_assert_null(root);
        }
    cr_assert_gt(wrong, 500);
}

Test(json, a_member_beside_a_list_is_named)
{
    const char *const known[] = {"a", "b", NULL}, *const none[] = {NULL};
    json_t *object = json_pack("{s:i,s:i}", "b", 1, "a", 2);
    cr_assert_null(pby_json_unknown(object, known));
    cr_assert_not_null(pby_json_unknown(object, none));
    cr_assert_eq(json_object_set_new(object, "ab", json_true()), 0);
    cr_assert_str_eq(pby_json_unknown(object, known), "ab");
    cr_assert_null(pby_json_unknown(NULL, known));
    json_decref(object);
}
