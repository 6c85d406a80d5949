/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/certificate/make.h"

static void denied(const char *text, size_t length, const char *reason)
{
    pby_error err;
    pby_certificate *c;
    cr_assert_eq(pby_verify(&c, text, length, &err), PBY_NO, "%s: %s", reason, err.text);
    cr_assert_eq(err.status, PBY_NO);
    cr_assert_null(c);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
    cr_assert_eq(pby_verify(NULL, text, length, NULL), PBY_NO);
}

static void denied_json(json_t *object, const char *reason)
{
    pby_error err;
    cr_assert_eq(pby_verdict(object, &err), PBY_NO, "%s", reason);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
}

static json_t *with(const char *name, json_t *value)
{
    json_t *object = pby_make_json();
    json_object_set_new(object, name, value);
    return object;
}

Test(certificate_read, refuses_what_is_no_json)
{
    const char *texts[] = {"",
                           "\n",
                           "{",
                           "}",
                           "{]",
                           "nul",
                           "\xff\xfe",
                           "{\"format\": \"probity-certificate\",}",
                           "{\"a\": 1, \"a\": 1}",
                           "{\"a\": \"\\u0000\"}",
                           "{\"a\": 1e999999}",
                           "{\"version\": 99999999999999999999}",
                           "{} {}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        denied(texts[i], strlen(texts[i]), "is not JSON");
    denied("{}\0", 3, "is not JSON");
}

Test(certificate_read, refuses_json_that_is_no_certificate)
{
    denied("[]\n", 3, "not a JSON object");
    denied("{}\n", 3, "no format");
    denied("{\"format\": 1}\n", 14, "no format");
    denied("{\"format\": \"other\"}\n", 20, "format 'other': expected 'probity-certificate'");
}

Test(certificate_read, refuses_a_text_beyond_its_limit)
{
    char *text = malloc(PBY_CERTIFICATE_SIZE_MAX + 1);
    memset(text, ' ', PBY_CERTIFICATE_SIZE_MAX + 1);
    denied(text, PBY_CERTIFICATE_SIZE_MAX + 1, "longer than");
    denied(text, PBY_CERTIFICATE_SIZE_MAX, "is not JSON");
    memset(text, '[', PBY_CERTIFICATE_SIZE_MAX);
    denied(text, PBY_CERTIFICATE_SIZE_MAX, "is not JSON");
    free(text);
}

Test(certificate_read, refuses_another_version)
{
    denied_json(with("version", json_integer(0)), "version '0': expected 1 or 2");
    denied_json(with("version", json_integer(3)), "version '3': expected 1 or 2");
    denied_json(with("version", json_integer(2)), "certificate has no field 'claim'");
    denied_json(with("version", json_real(1.0)), "'version' is not an integer");
    denied_json(with("version", json_string("1")), "'version' is not an integer");
}

Test(certificate_read, refuses_a_field_too_many_or_too_few)
{
    static const char *const fields[] = {"computed_with", "delta", "epsilon", "neighbours", "spec"};
    denied_json(with("note", json_string("")), "certificate 'note': expected no such field");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        json_t *object = pby_make_json();
        json_object_del(object, fields[i]);
        denied_json(object, fields[i]);
        denied_json(with(fields[i], json_integer(1)), " is not a");
        denied_json(with(fields[i], json_null()), " is not a");
    }
    json_t *object = pby_make_json();
    json_object_set_new(json_object_get(object, "delta"), "mid", json_string("0"));
    denied_json(object, "delta 'mid': expected no such field");
    object = pby_make_json();
    json_object_del(json_object_get(object, "delta"), "lo");
    denied_json(object, "delta has no field 'lo'");
    object = pby_make_json();
    json_object_del(object, "digest");
    denied_json(object, "no field 'digest'");
}

Test(certificate_read, refuses_other_spellings)
{
    denied_json(with("spec", json_string("stlap:eps=0.5,q=40")), "canonical text");
    denied_json(with("spec", json_string("stlap:q=40,eps=1/2")), "canonical text");
    denied_json(with("spec", json_string("stlap:eps=1/2,q=40 ")), "");
    denied_json(with("spec", json_string("nosuch:eps=1")), "nosuch");
    denied_json(with("spec", json_string("")), "");
    denied_json(with("epsilon", json_string("0.5")), "lowest terms");
    denied_json(with("epsilon", json_string("2/4")), "lowest terms");
    denied_json(with("epsilon", json_string("+1/2")), "lowest terms");
    denied_json(with("epsilon", json_string("nan")), "epsilon 'nan'");
    denied_json(with("neighbours", json_string("any")), "neighbours 'any'");
}

Test(certificate_read, refuses_decimals_that_are_none)
{
    const char *texts[] = {"nan",
                           "inf",
                           "",
                           "-0",
                           "+0",
                           "0.0",
                           "00",
                           "0x0",
                           " 0",
                           "0 ",
                           "1e0",
                           "1e-5",
                           "1E-05",
                           "1/2",
                           "1.47266186500602216015e-05",
                           "1.4726618650060221600e-05",
                           "1.4726618650060221602e-5",
                           "1e-99999999999999999999",
                           "0.00000000000000000000000000000000000000000000000000000000"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *object = pby_make_json();
        json_object_set_new(json_object_get(object, "delta"), "hi", json_string(texts[i]));
        denied_json(object, "expected a decimal of at most 20 digits");
    }
}

Test(certificate_read, refuses_versions_that_are_none)
{
    const char *texts[] = {"",      "x",
                           "1.2 3", "v1",
                           "1.2\n", "1.23456789012345678901234567890123456789012345678901234567890123456789"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *object = pby_make_json();
        json_object_set_new(json_object_get(object, "computed_with"), "mpfr", json_string(texts[i]));
        denied_json(object, "expected a version");
    }
    json_t *object = pby_make_json();
    json_object_del(json_object_get(object, "computed_with"), "arb");
    denied_json(object, "computed_with has no field 'arb'");
}

/* It says what it was computed with, and may have been computed with something else than this. */
Test(certificate_read, takes_the_versions_of_another_machine)
{
    json_t *object = pby_make_json();
    json_object_set_new(json_object_get(object, "computed_with"), "mpfr", json_string("9.9.9-p14+x~y"));
    cr_assert_eq(pby_verdict(object, NULL), PBY_OK);
}

Test(certificate_read, refuses_another_form_of_the_same_content)
{
    json_t *object = pby_make_json();
    char *compact = json_dumps(object, JSON_SORT_KEYS | JSON_COMPACT);
    char *no_newline = json_dumps(object, JSON_SORT_KEYS | JSON_INDENT(2));
    denied(compact, strlen(compact), "not in canonical form");
    denied(no_newline, strlen(no_newline), "not in canonical form");
    free(compact);
    free(no_newline);
    json_decref(object);
    char *golden = pby_golden("stlap.json");
    strcat(golden, "\n");
    denied(golden, strlen(golden), "not in canonical form");
    free(golden);
}
