/* SPDX-License-Identifier: MIT */
#include "audit/dossier/described.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/dossier/dossier.h"
#include "audit/dossier/dossier_page.h"
#include "audit/dossier/dossier_plan.h"
#include "base/json.h"
#include "certificate/document.h"

/* A deployment of one mechanism, with claims of each kind. */
#define FILE_TEXT                                                                                          \
    "{\"format\": \"probity-deployment\", \"version\": 1, \"name\": \"d\", \"unit\": {\"entity\": "        \
    "\"user\", \"neighbours\": \"add-remove\"}, \"mechanisms\": [{\"name\": \"m\", \"spec\": "             \
    "\"gauss:sigma2=2\"}], \"claims\": [{\"name\": \"p\", \"kind\": \"pure\", \"epsilon\": \"0.5\"}, "     \
    "{\"name\": \"a\", \"kind\": \"approx\", \"epsilon\": \"1\", \"delta\": \"1e-6\"}, {\"name\": \"z\", " \
    "\"kind\": \"zcdp\", \"rho\": \"0.25\"}, {\"name\": \"x\", \"kind\": \"zcdp\", \"rho\": \"1\", "       \
    "\"xi\": \"0.1\"}, {\"name\": \"g\", \"kind\": \"gdp\", \"mu\": \"0.8\"}, {\"name\": \"r\", "          \
    "\"kind\": \"renyi\", \"order\": \"2\", \"epsilon\": \"1\"}]}"

static json_t *plan_with(const char *deployment, const char *claim, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text,
             "{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", \"scope\": \"s\", %s%s%s"
             "\"audits\": [{\"name\": \"n\", \"claim\": {%s}, \"command\": \"m {input}\", %s\"inputs\": "
             "[\"0\", \"1\"], \"outputs\": 10}]}",
             deployment[0] == '\0' ? "" : "\"deployment\": ", deployment, deployment[0] == '\0' ? "" : ", ",
             claim, rest);
    json_t *root = json_loads(text, 0, NULL);
    cr_assert_not_null(root, "%s", text);
    return root;
}

static pby_status read_plan(json_t *root, bool here, pby_error *err)
{
    pby_audit_plan *plan = NULL;
    const pby_status status = pby_audit_plan_new(&plan, root, here, err);
    pby_audit_plan_free(plan);
    return status;
}

static const json_t *audit_of(const json_t *root)
{
    return json_array_get(json_object_get(root, "audits"), 0);
}

/* The numbers are written beside the name, and then the plan needs nothing from outside. */
Test(described, a_claim_by_name_gets_its_numbers)
{
    static const char *const cases[][3] = {{"p", "epsilon", "0.5"},
                                           {"a", "epsilon", "1"},
                                           {"a", "delta", "1e-6"},
                                           {"z", "rho", "0.25"},
                                           {"g", "mu", "0.8"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char claim[64];
        snprintf(claim, sizeof claim, "\"deployment\": \"%s\"", cases[i][0]);
        json_t *root = plan_with(FILE_TEXT, claim, "");
        pby_error err = PBY_NO_ERROR;
        cr_assert_eq(read_plan(root, false, &err), PBY_BAD, "a plan that was run has numbers");
        cr_assert_eq(read_plan(root, true, &err), PBY_OK, "%s", err.text);
        cr_expect_str_eq(pby_json_string(json_object_get(audit_of(root), "claim"), cases[i][1]), cases[i][2]);
        cr_expect_str_eq(pby_json_string(audit_of(root), "neighbours"), "add-remove");
        cr_expect_eq(read_plan(root, false, &err), PBY_OK, "%s", err.text);
        json_decref(root);
    }
}

Test(described, the_file_takes_the_place_of_its_name)
{
    char path[] = "/tmp/probity-test-XXXXXX", name[64];
    const int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, FILE_TEXT, strlen(FILE_TEXT)) == (ssize_t)strlen(FILE_TEXT));
    close(fd);
    snprintf(name, sizeof name, "\"%s\"", path);
    json_t *root = plan_with(name, "\"deployment\": \"p\"", "");
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(read_plan(root, false, &err), PBY_BAD, "a name leads out of the document");
    cr_assert_str_eq(err.text, "deployment: expected an object");
    cr_assert_eq(read_plan(root, true, &err), PBY_OK, "%s", err.text);
    cr_assert(json_is_object(json_object_get(root, "deployment")));
    json_decref(root);
    unlink(path);
}

Test(described, what_does_not_agree_is_refused_by_its_place)
{
    static const struct {
        const char *deployment, *claim, *rest, *expected;
    } cases[] = {
        {"", "\"deployment\": \"p\"", "",
         "audits[0].claim.deployment: expected it together with the plan's member deployment"},
        {FILE_TEXT, "\"deployment\": \"q\"", "",
         "audits[0].claim.deployment 'q': expected the name of a claim of the deployment"},
        {FILE_TEXT, "\"deployment\": 1", "",
         "audits[0].claim.deployment '': expected the name of a claim of the deployment"},
        {FILE_TEXT, "\"deployment\": \"r\"", "",
         "audits[0].claim.deployment 'r': expected a claim of epsilon, of epsilon and delta, of rho, "
         "or of mu"},
        {FILE_TEXT, "\"deployment\": \"x\"", "",
         "audits[0].claim.deployment 'x': expected a claim of epsilon, of epsilon and delta, of rho, "
         "or of mu"},
        {FILE_TEXT, "\"deployment\": \"p\", \"epsilon\": \"2\"", "",
         "audits[0].claim.epsilon '2': expected '0.5', as the deployment has"},
        {FILE_TEXT, "\"deployment\": \"p\", \"delta\": \"1/2\"", "",
         "audits[0].claim.delta: not a number of the deployment's claim"},
        {FILE_TEXT, "\"deployment\": \"z\", \"mu\": \"9\"", "",
         "audits[0].claim.mu: not a number of the deployment's claim"},
        {FILE_TEXT, "\"deployment\": \"p\"", "\"neighbours\": \"substitute\", ",
         "audits[0].neighbours 'substitute': expected 'add-remove', as the deployment has"},
        {"{}", "\"epsilon\": \"1\"", "", "deployment: format: not there: expected 'probity-deployment'"},
        {"7", "\"epsilon\": \"1\"", "", "deployment: expected the name of a file, or its object"},
        {"\"/no/such/file\"", "\"epsilon\": \"1\"", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *root = plan_with(cases[i].deployment, cases[i].claim, cases[i].rest);
        pby_error err = PBY_NO_ERROR;
        cr_expect_eq(read_plan(root, true, &err), PBY_BAD, "case %zu", i);
        if (cases[i].expected != NULL)
            cr_expect_str_eq(err.text, cases[i].expected);
        json_decref(root);
    }
}

static json_t *load(void)
{
    json_t *dossier = json_load_file("tests/vectors/dossier-deployment.json", 0, NULL);
    cr_assert_not_null(dossier);
    cr_assert_eq(pby_dossier_check(dossier, NULL), PBY_OK);
    return dossier;
}

static void refused(json_t *dossier, const char *expected)
{
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_document_seal(dossier, NULL), PBY_OK);
    cr_expect_eq(pby_dossier_check(dossier, &err), PBY_NO);
    cr_expect(strstr(err.text, expected) != NULL, "%s", err.text);
    json_decref(dossier);
}

/* The judgement is a consequence of the file: neither can be left out, added or changed alone. */
Test(described, a_judgement_is_computed_again)
{
    json_t *dossier = load();
    json_t *claims = json_object_get(json_object_get(dossier, "deployment"), "claims");
    json_object_set_new(json_array_get(claims, 1), "verdict", json_string("holds"));
    refused(dossier, "deployment.claims[1].verdict");
    dossier = load();
    json_object_del(dossier, "deployment");
    refused(dossier, "do not have the same deployment");
    dossier = load();
    json_object_del(json_object_get(dossier, "plan"), "deployment");
    refused(dossier, "claim.deployment");
    dossier = load();
    json_t *file = json_object_get(json_object_get(dossier, "plan"), "deployment");
    json_object_set_new(file, "title", json_string("another"));
    refused(dossier, "deployment.digest");
}

Test(described, the_page_has_the_deployment_and_escapes_it)
{
    json_t *dossier = load(), *plan = json_object_get(dossier, "plan");
    char *page = NULL;
    json_object_set_new(json_object_get(plan, "deployment"), "title", json_string("<script>1</script>"));
    cr_assert_eq(pby_dossier_page(&page, dossier, NULL), PBY_OK);
    cr_expect(strstr(page, "<script>1") == NULL && strstr(page, "&lt;script&gt;1") != NULL);
    cr_expect_not_null(strstr(page, "A claim of the deployment does not hold"));
    cr_expect_not_null(strstr(page, "epsilon 182.5, claimed 0.5"));
    cr_expect_not_null(strstr(page, "<p>By no claim of the deployment:</p>"));
    cr_expect_eq(pby_described_unkept(dossier), 1);
    free(page);
    json_decref(dossier);
}
