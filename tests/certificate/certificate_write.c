/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "probity/rational.h"
#include "tests/certificate/make.h"

static const struct {
    const char *spec, *epsilon;
    pby_neighbours relation;
} cases[] = {
    {"stlap:eps=1/2,q=40", "1/2", PBY_ADD_REMOVE},
    {"stlap:eps=2,q=7/3", "2", PBY_SUBSTITUTE},
    {"stlap:eps=1/2,q=40", "-1/3", PBY_ADD_REMOVE},
    {"stlap:eps=1/2,q=40", "1000", PBY_ADD_REMOVE},
    {"geometric:eps=1", "1", PBY_ADD_REMOVE}, /* delta is 0 exactly */
    {"geometric:eps=2,sensitivity=4", "1/2", PBY_ADD_REMOVE},
    {"stlap:eps=1,q=1", "1", PBY_ADD_REMOVE},          /* 1/2 exactly, known to a ball only */
    {"stlap:eps=1,q=1/3", "3", PBY_ADD_REMOVE},        /* 1 exactly */
    {"stlap:eps=1/2,q=100000", "1/2", PBY_ADD_REMOVE}, /* below 1e-10000 */
};

Test(certificate_write, what_is_certified_verifies)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pby_error err;
        pby_certificate *c;
        char *text = pby_make_certificate(cases[i].spec, cases[i].relation, cases[i].epsilon);
        cr_assert_eq(pby_verify(&c, text, strlen(text), &err), PBY_OK, "%s: %s", cases[i].spec, err.text);
        cr_assert_str_eq(pby_spec_text(pby_certificate_spec(c)), cases[i].spec);
        cr_assert_eq(pby_certificate_neighbours(c), cases[i].relation);
        cr_assert_str_eq(pby_certificate_epsilon(c), cases[i].epsilon);
        pby_certificate_free(c);
        free(text);
    }
}

Test(certificate_write, the_same_question_has_the_same_bytes)
{
    char *a = pby_make_certificate("stlap:q=40.0,eps=0.5", PBY_ADD_REMOVE, "5e-1");
    char *b = pby_make_certificate("stlap:eps=1/2,q=40", PBY_ADD_REMOVE, "1/2");
    cr_assert_str_eq(a, b);
    free(a);
    free(b);
}

/* Other versions of the arithmetic may have written a golden certificate; all else is the same. */
static void same_but_for_versions(const char *name, const char *spec, pby_neighbours relation,
                                  const char *epsilon)
{
    char *golden = pby_golden(name), *text = pby_make_certificate(spec, relation, epsilon);
    json_t *a = json_loads(golden, 0, NULL), *b = json_loads(text, 0, NULL);
    const char *versions[] = {"computed_with", "digest"};
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(json_object_del(a, versions[i]), 0);
        cr_assert_eq(json_object_del(b, versions[i]), 0);
    }
    cr_assert(json_equal(a, b), "%s", text);
    json_decref(a);
    json_decref(b);
    free(golden);
    free(text);
}

Test(certificate_write, agrees_with_the_golden_ones)
{
    same_but_for_versions("stlap.json", "stlap:eps=1/2,q=40", PBY_ADD_REMOVE, "1/2");
    same_but_for_versions("stlap-substitute.json", "stlap:eps=2,q=7/3", PBY_SUBSTITUTE, "2");
    same_but_for_versions("geometric.json", "geometric:eps=1", PBY_ADD_REMOVE, "1");
}

Test(certificate_write, an_exact_zero_is_written_as_one)
{
    char *text = pby_make_certificate("geometric:eps=1", PBY_ADD_REMOVE, "1");
    cr_assert_not_null(strstr(text, "\"hi\": \"0\",\n"));
    cr_assert_not_null(strstr(text, "\"lo\": \"0\"\n"));
    free(text);
}

Test(certificate_write, never_claims_more_than_one)
{
    char *text = pby_make_certificate("stlap:eps=1,q=1/3", PBY_ADD_REMOVE, "3");
    cr_assert_not_null(strstr(text, "\"hi\": \"1\",\n"), "%s", text);
    free(text);
}

/* An epsilon of 1e5000 is read, but its lowest terms have 5001 digits. */
Test(certificate_write, refuses_what_could_not_be_read_back)
{
    const char *spec_text = "geometric:eps=1";
    pby_error err;
    pby_spec *spec;
    char *text;
    mpq_t epsilon;
    mpq_init(epsilon);
    cr_assert_eq(pby_spec_parse(&spec, &spec_text, 1, &err), PBY_OK);
    cr_assert_eq(pby_rational_parse(epsilon, "epsilon", "1e5000", &err), PBY_OK);
    cr_assert_eq(pby_certify(&text, spec, PBY_ADD_REMOVE, epsilon, &err), PBY_BAD);
    cr_assert_null(text);
    cr_assert_not_null(strstr(err.text, "at most 4096 digits"), "%s", err.text);
    pby_spec_free(spec);
    mpq_clear(epsilon);
}

/* sha256sum over the file without the digest's line, as docs/certificate.md says. */
Test(certificate_write, the_digest_is_that_of_the_other_lines)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    json_t *object = json_pack("{s:s, s:s, s:s}", "epsilon", "1/2", "digest", "x", "delta", "0");
    cr_assert_eq(pby_certificate_digest(digest, object, NULL), PBY_OK);
    cr_assert_str_eq(digest, "sha256:18ccfd24f333c47cf03d7e065aa80d4940b82d368d01c3b3f96e6a567145d548");
    cr_assert_str_eq(json_string_value(json_object_get(object, "digest")), "x");
    json_decref(object);
}
