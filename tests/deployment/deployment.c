/* SPDX-License-Identifier: MIT */
/* Deployments in files: the five worked examples, verdicts on small files, and what is refused. */
#include "deployment/deployment.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "report/report_deployment.h"

static char *report(const char *text, pby_deployment_counts *counts, pby_report_form form)
{
    pby_deployment *d;
    pby_error err = PBY_NO_ERROR;
    char *out;
    cr_assert_eq(pby_deployment_read(&d, text, strlen(text), &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_deployment_judge(NULL, &out, counts, d, form, &err), PBY_OK, "%s", err.text);
    pby_deployment_free(d);
    return out;
}

static char *read_all(const char *folder, const char *name, const char *end)
{
    char path[128], *text;
    size_t size;
    pby_error err = PBY_NO_ERROR;
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, end);
    cr_assert_eq(pby_file_read(&text, &size, path, 1 << 20, &err), PBY_OK, "%s", err.text);
    return text;
}

static const char *const examples[] = {"apple-lookup-hints", "census-redistricting", "google-mobility",
                                       "meta-urls", "wikimedia-current"};

static void check_examples(const char *folder)
{
    static const int statuses[] = {4, 4, 0, 4, 4};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        pby_deployment_counts counts;
        char *text = read_all(folder, examples[i], "json"),
             *expected = read_all("tests/vectors/deployments", examples[i], "txt");
        char *out = report(text, &counts, PBY_REPORT_LINES);
        const size_t size = strlen(out), tail = strlen(expected);
        cr_assert(size > tail && strcmp(out + size - tail, expected) == 0, "%s:\n%s", examples[i], out);
        cr_assert_eq(pby_deployment_status(&counts), statuses[i]);
        free(out);
        free(text);
        free(expected);
    }
}

Test(deployment, the_five_examples_to_the_byte)
{
    check_examples("tests/vectors/deployments");
    check_examples("docs/deployments");
}

/* ---- small files ------------------------------------------------------------------------------ */

#define HEAD "{\"format\": \"probity-deployment\", \"version\": 1, \"name\": \"d\", "
#define UNIT "\"unit\": {\"entity\": \"user\", \"neighbours\": \"add-remove\"}, "

static void expect(const char *text, const char *line)
{
    pby_deployment_counts counts;
    char *out = report(text, &counts, PBY_REPORT_LINES);
    cr_assert_not_null(strstr(out, line), "expected '%s' in\n%s", line, out);
    free(out);
}

#define NOISE                                                                                       \
    "\"mechanisms\": [{\"name\": \"m\", \"spec\": \"2*laplace:scale=100/11 laplace:scale=50/11\", " \
    "\"times\": \"5\"}, {\"name\": \"h\", \"spec\": \"2*pure:eps=11/100 pure:eps=11/50\"}], "

/* The laws lose 2.2, and all is at most 2.64. */
Test(deployment, a_law_refutes_and_a_guarantee_does_not)
{
    expect(HEAD UNIT NOISE "\"claims\": [{\"name\": \"c\", \"kind\": \"pure\", \"epsilon\": \"2.64\"}]}",
           "c           holds: epsilon 2.64, claimed 2.64\n");
    expect(HEAD UNIT NOISE "\"claims\": [{\"name\": \"c\", \"kind\": \"pure\", \"epsilon\": \"2.63\"}]}",
           "c           open: not implied: epsilon 2.64, claimed 2.63\n");
    expect(HEAD UNIT NOISE "\"claims\": [{\"name\": \"c\", \"kind\": \"pure\", \"epsilon\": \"2.19\"}]}",
           "c           does not hold: epsilon [2.2, 2.64], claimed 2.19; as published\n");
}

#define ONE(SPEC, BOUNDS) "\"mechanisms\": [{\"name\": \"m\", \"spec\": \"" SPEC "\"" BOUNDS "}], "
#define APPROX(E, D) \
    "\"claims\": [{\"name\": \"c\", \"kind\": \"approx\", \"epsilon\": \"" E "\", \"delta\": \"" D "\"}]}"
#define PURE(E) "\"claims\": [{\"name\": \"c\", \"kind\": \"pure\", \"epsilon\": \"" E "\"}]}"

/* Ten groups of one each do not move one count by ten. */
Test(deployment, a_law_refutes_only_where_its_sensitivity_is_reached)
{
#define TEN "laplace:scale=10,sensitivity=10"
    expect(HEAD UNIT ONE(TEN, "") APPROX("0.5", "0.1"),
           "does not hold: delta [0.221199216, 0.221199217] at 0.5");
    expect(HEAD UNIT ONE(TEN, ", \"bounds\": {\"groups\": \"10\", \"per_group\": \"1\"}")
               APPROX("0.5", "0.1"),
           "open: not implied: delta [0.221199216, 0.221199217] at 0.5, claimed 0.1\n");
    expect(HEAD UNIT ONE(TEN, ", \"bounds\": {\"contributions\": \"10\"}") APPROX("0.5", "0.1"),
           "does not hold: delta [0.221199216, 0.221199217] at 0.5, claimed 0.1\n");
    expect(HEAD UNIT ONE(TEN, ", \"bounds\": {\"groups\": \"10\", \"per_group\": \"1\"}") PURE("0.9"),
           "does not hold: epsilon 1, claimed 0.9\n");
}

Test(deployment, bounds_that_the_spec_does_not_cover_leave_it_open)
{
    expect(HEAD UNIT ONE("laplace:scale=10", ", \"bounds\": {\"contributions\": \"3\"}") PURE("1"),
           "open: the spec of m has sensitivity 1, and the sum that one unit moves is 3\n");
    expect(HEAD UNIT ONE("laplace:scale=10", ", \"bounds\": {\"per_group\": \"1\"}") PURE("1"),
           "open: the bounds of m leave the sum that one unit moves without an end\n");
    expect(HEAD UNIT ONE("gauss:sigma2=10,sensitivity=2",
                         ", \"bounds\": {\"groups\": \"3\", \"per_group\": \"2\", \"contributions\": \"3\"}")
               APPROX("3", "0.1"),
           "open: the spec of m has a squared sensitivity of 4, and the sum of squares that one unit "
           "moves is 5\n");
    expect(HEAD UNIT ONE("laplace:scale=10", ", \"bounds\": {\"contributions\": \"1\", \"enforced\": false}")
               PURE("1"),
           "open: the bounds of m are not enforced\n");
    /* A changed record leaves one bar and enters another. */
    expect(HEAD "\"unit\": {\"entity\": \"user\", \"neighbours\": \"substitute\"}, " ONE(
               "laplace:scale=10", ", \"bounds\": {\"contributions\": \"1\"}") PURE("1"),
           "open: the spec of m has sensitivity 1, and the sum that one unit moves is 2\n");
}

Test(deployment, a_claim_that_is_rounded_down_is_told)
{
    expect(HEAD UNIT ONE("gauss:sigma2=3",
                         "") "\"claims\": [{\"name\": \"c\", \"kind\": \"zcdp\", \"rho\": \"0.166\"}]}",
           "does not hold: rho 1/6, claimed 0.166; as published\n");
    expect(HEAD UNIT ONE("laplace:scale=3", "") PURE("0.33"),
           "does not hold: epsilon 1/3, claimed 0.33; as published; but for rounding\n");
}

/* Between integers the divergence of the discrete law is below a D^2/(2 sigma2), which refutes nothing. */
Test(deployment, a_bound_on_a_law_does_not_refute)
{
    expect(HEAD UNIT ONE("dgauss:sigma2=1/4", "") "\"claims\": [{\"name\": \"c\", \"kind\": \"renyi\", "
                                                  "\"order\": \"3/2\", \"epsilon\": \"2.99\"}]}",
           "open: not implied: epsilon 3 at order 3/2, claimed 2.99\n");
}

Test(deployment, parallel_parts_count_once_and_twice_under_substitute)
{
#define PARTS                                                                               \
    "\"mechanisms\": [{\"name\": \"a\", \"spec\": \"laplace:scale=1\"}, {\"name\": \"b\", " \
    "\"spec\": \"laplace:scale=2\"}, {\"name\": \"c\", \"spec\": \"laplace:scale=4\"}], "   \
    "\"composition\": {\"parallel\": [[\"a\", \"b\"]]}, "
    expect(HEAD UNIT PARTS PURE("1.25"), "holds: epsilon 1.25, claimed 1.25\n");
    expect(HEAD "\"unit\": {\"entity\": \"user\", \"neighbours\": \"substitute\"}, " PARTS PURE("1.25"),
           "open: not implied: epsilon 1.75, claimed 1.25\n");
}

Test(deployment, conversions_never_refute)
{
#define TWO(A, B) "\"claims\": [" A ", " B "]}"
    expect(HEAD TWO("{\"name\": \"a\", \"kind\": \"zcdp\", \"rho\": \"7.7\"}",
                    "{\"name\": \"b\", \"kind\": \"approx\", \"epsilon\": \"34.33\", \"delta\": \"1e-10\", "
                    "\"follows\": \"a\", \"by\": \"zcdp-to-approx-classical\"}"),
           "by zcdp-to-approx-classical epsilon is [34.330738");
    expect(HEAD TWO("{\"name\": \"a\", \"kind\": \"approx\", \"epsilon\": \"1\", \"delta\": \"0.1\"}",
                    "{\"name\": \"b\", \"kind\": \"gdp\", \"mu\": \"1\", \"follows\": \"a\"}"),
           "b           open: no gdp follows from a alone\n");
    expect(HEAD TWO("{\"name\": \"a\", \"kind\": \"pure\", \"epsilon\": \"1\"}",
                    "{\"name\": \"b\", \"kind\": \"gdp\", \"mu\": \"1.2321\", \"follows\": \"a\"}"),
           "b           holds: mu [1.23203538, 1.23203539], claimed 1.2321; given a\n");
}

Test(deployment, what_rests_on_a_claim_that_fails_is_open)
{
    expect(
        HEAD UNIT ONE("laplace:scale=1", "") TWO(
            "{\"name\": \"a\", \"kind\": \"pure\", \"epsilon\": \"0.5\"}",
            "{\"name\": \"b\", \"kind\": \"approx\", \"epsilon\": \"1\", \"delta\": \"1e-6\", \"follows\": "
            "\"a\"}"),
        "b           open: a does not hold\n");
    expect(HEAD TWO("{\"name\": \"a\", \"kind\": \"pure\", \"epsilon\": \"1\", \"follows\": \"b\"}",
                    "{\"name\": \"b\", \"kind\": \"pure\", \"epsilon\": \"1\", \"follows\": \"a\"}"),
           "open: it rests on itself by");
}

Test(deployment, adaptive_uses_are_bounded_by_rho)
{
#define MANY(MORE) \
    HEAD UNIT "\"mechanisms\": [{\"name\": \"m\", \"spec\": \"dgauss:sigma2=100\", \"times\": \"9\"}], " MORE
    expect(MANY() APPROX("1.5", "1e-5"), "; if the list was fixed\n");
    expect(MANY("\"composition\": {\"adaptive\": false}, ") APPROX("1.5", "1e-5"), "claimed 1e-5\n");
    /* zcdp:rho=0.045 at 1.5, as the promise of the sum has it */
    expect(MANY("\"composition\": {\"adaptive\": true}, ") APPROX("1.5", "1e-5"), "holds: delta [");
    expect(MANY("\"composition\": {\"adaptive\": true}, ") APPROX("1.2", "1e-5"),
           "open: not implied: delta [");
}

Test(deployment, json_has_every_verdict)
{
    pby_deployment_counts counts;
    char *text = read_all("tests/vectors/deployments", "meta-urls", "json");
    char *out = report(text, &counts, PBY_REPORT_JSON);
    json_t *root = json_loads(out, 0, NULL);
    const json_t *gdp = json_array_get(json_object_get(root, "claims"), 2);
    cr_assert_eq(json_array_size(json_object_get(root, "claims")), 4);
    cr_assert_str_eq(json_string_value(json_object_get(gdp, "verdict")), "open");
    cr_assert_str_eq(json_string_value(json_object_get(gdp, "lo")), "0.38157568");
    cr_assert_str_eq(json_string_value(json_object_get(gdp, "hi")), "0.381575681");
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(gdp, "given"), 0)), "type");
    cr_assert_eq(json_array_size(json_object_get(root, "notices")), 2);
    json_decref(root);
    free(out);
    free(text);
}

/* ---- bad files -------------------------------------------------------------------------------- */

static void refused(const char *text, const char *line)
{
    pby_deployment *d;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_deployment_read(&d, text, strlen(text), &err), PBY_BAD, "%s", text);
    cr_assert_null(d);
    cr_assert_not_null(strstr(err.text, line), "expected '%s' in '%s'", line, err.text);
}

Test(deployment, a_bad_member_is_named_with_its_value)
{
#define CLAIM(C) HEAD "\"claims\": [" C "]}"
    refused("[]", "expected a JSON object");
    refused("{\"a\": 1, \"a\": 2}", "line 1: expected JSON");
    refused("{\"a\": \"b\\\n", "near '\"b\\ '");
    refused("{}", "format: not there: expected 'probity-deployment'");
    refused("{\"format\": \"probity-deployment\", \"version\": 2}", "version '2': expected 1");
    refused("{\"format\": \"probity-deployment\", \"version\": 1, \"name\": \"A b\"}",
            "name 'A b': expected small");
    refused(HEAD "\"claim\": []}", "member 'claim': expected a member of a deployment");
    refused(HEAD "\"unit\": {\"people\": \"user\"}}", "unit.member 'people': expected");
    refused(HEAD "\"unit\": {\"neighbours\": \"near\"}}", "unit.neighbours 'near': expected");
    refused(HEAD "\"model\": {\"kind\": \"global\"}}", "model.kind 'global': expected central");
    refused(HEAD "\"horizon\": {\"periods\": \"0\"}}",
            "horizon.periods '0': expected a text with an integer");
    refused(HEAD "\"horizon\": {\"periods\": 12}}", "horizon.periods '12': expected a text with an integer");
    refused(HEAD "\"mechanisms\": [{\"name\": \"m\", \"spec\": \"laplace\"}]}", "mechanisms[0].spec: ");
    refused(HEAD "\"mechanisms\": [{\"name\": \"m\"}, {\"name\": \"m\"}]}",
            "mechanisms[1].name 'm': expected a name");
    refused(HEAD "\"mechanisms\": [{\"name\": \"m\", \"from\": [\"x\"]}]}",
            "mechanisms[0].from 'x': expected names");
    refused(CLAIM("{\"name\": \"c\", \"kind\": \"pure\"}"), "claims[0].epsilon: not there: expected it");
    refused(CLAIM("{\"name\": \"c\", \"kind\": \"pure\", \"epsilon\": 1}"),
            "claims[0].epsilon '1': expected a text");
    refused(CLAIM("{\"name\": \"c\", \"kind\": \"pure\", \"epsilon\": \"1\", \"delta\": \"0\"}"),
            "claims[0].delta '0': expected none");
    refused(CLAIM("{\"name\": \"c\", \"kind\": \"approx\", \"epsilon\": \"1\", \"delta\": \"1\"}"),
            "claims[0].delta '1': expected a text with a rational from 0 to below 1");
    refused(CLAIM("{\"name\": \"c\", \"kind\": \"zcdp\", \"rho\": \"-1\"}"), "claims[0].rho '-1': expected");
    refused(CLAIM("{\"name\": \"c\", \"kind\": \"f\", \"rho\": \"1\"}"),
            "claims[0].kind 'f': expected pure, approx");
    refused(CLAIM("{\"name\": \"c\", \"kind\": \"zcdp\", \"rho\": \"1\", \"about\": [\"m\"]}"),
            "claims[0].about 'm': expected names of mechanisms");
    refused(CLAIM("{\"name\": \"c\", \"kind\": \"zcdp\", \"rho\": \"1\", \"by\": \"zcdp-to-approx\"}"),
            "claims[0].by 'zcdp-to-approx': expected follows beside it");
    refused(HEAD "\"not_private\": \"x\"}", "not_private 'x': expected a list of texts");
    refused(HEAD "\"title\": \"a\\nb\"}", "title 'a\\x0ab': expected a text");
    refused(HEAD "\"steps\": [{\"what\": \"w\", \"charged\": \"m\"}]}",
            "steps[0].charged 'm': expected the name");
    refused(HEAD "\"composition\": {\"parallel\": [[\"m\"]]}}", "composition.parallel 'm': expected names");
}
