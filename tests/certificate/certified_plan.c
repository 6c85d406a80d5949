/* SPDX-License-Identifier: MIT */
#include "certificate/certified_plan.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/document.h"

static const char text[] = "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"customer\"\nrows = 4\n"
                           "[budget]\nepsilon = 2\n[columns.amount]\nlow = 0\nhigh = 60\nstep = 1\n"
                           "[groupings.shops]\nby = [\"shop\"]\ngroups = [\"north\", \"south\"]\n"
                           "groups_per_user = 2\nrows_per_group = 2\n"
                           "[[statistics]]\nname = \"visits\"\nkind = \"count\"\ngroup = \"shops\"\n"
                           "[[statistics]]\nname = \"spend\"\nkind = \"mean\"\nof = \"amount\"\n"
                           "group = \"shops\"\n";

static const char gaussian[] =
    "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"customer\"\nrows = 2\n"
    "[budget]\nmu = \"1/3\"\n[[statistics]]\nname = \"n\"\nkind = \"count\"\n";

static const char concentrated[] =
    "format = \"probity-plan\"\nversion = 1\n[unit]\nuser = \"customer\"\nrows = 2\n"
    "[budget]\nrho = \"1/8\"\n[[statistics]]\nname = \"n\"\nkind = \"count\"\n";

static json_t *certificate_of(const char *source)
{
    pby_release_plan *plan;
    pby_plan_choice choice;
    char *written;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_plan_parse(&plan, "p", NULL, source, strlen(source), &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_plan_choose(&choice, plan, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_certify_plan(&written, plan, &choice, &err), PBY_OK, "%s", err.text);
    json_t *root = json_loads(written, 0, NULL);
    cr_assert_not_null(root);
    free(written);
    pby_plan_choice_clear(&choice);
    pby_plan_free(plan);
    return root;
}

static json_t *certificate(void)
{
    return certificate_of(text);
}

/* Asks verify about the document with its digest made anew; the document is taken. */
static pby_status verdict(json_t *root, pby_error *err)
{
    cr_assert_eq(pby_document_seal(root, err), PBY_OK);
    char *written = pby_certificate_encode(root);
    const pby_status status = pby_verify(NULL, written, strlen(written), err);
    free(written);
    json_decref(root);
    return status;
}

Test(certified_plan, holds)
{
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(verdict(certificate(), &err), PBY_OK, "%s", err.text);
}

/* The certificate of a budget of rho states a rho. */
Test(certified_plan, of_a_rho)
{
    pby_error err = PBY_NO_ERROR;
    json_t *root = certificate_of(concentrated);
    cr_assert_eq(json_integer_value(json_object_get(root, "version")), PBY_CERTIFICATE_CLAIMING);
    cr_assert_str_eq(json_string_value(json_object_get(root, "unit")), "user by customer");
    cr_assert_eq(verdict(root, &err), PBY_OK, "%s", err.text);
}

/* A member of the plan in the certificate, by its path. */
static json_t *member(json_t *root, const char *table, const char *name)
{
    json_t *plan = json_object_get(root, "plan"), *outer = json_object_get(plan, table);
    return name == NULL ? outer : json_object_get(outer, name);
}

static void denied(json_t *root, const char *why)
{
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(verdict(root, &err), PBY_NO, "%s", why);
    cr_assert_not_null(strstr(err.text, why), "%s", err.text);
}

/* Looser bounds, another budget, other users or less noise than the list has are found out. */
Test(certified_plan, forged_plans_are_denied)
{
    json_t *root = certificate();
    json_object_set_new(member(root, "groupings", "shops"), "rows_per_group", json_integer(3));
    denied(root, "another list of mechanisms");
    root = certificate();
    json_object_set_new(member(root, "columns", "amount"), "high", json_string("61"));
    denied(root, "another list of mechanisms");
    root = certificate();
    json_object_set_new(member(root, "horizon", NULL), "times", json_integer(2));
    denied(root, "another list of mechanisms");
    root = certificate();
    json_object_set_new(member(root, "unit", NULL), "user", json_string("visitor"));
    denied(root, "another unit of privacy");
    root = certificate();
    json_object_set_new(member(root, "budget", NULL), "epsilon", json_string("1"));
    denied(root, "another epsilon");
    root = certificate();
    json_object_set_new(json_array_get(member(root, "noise", NULL), 0), "eps", json_string("1/2"));
    denied(root, "another list of mechanisms");
    root = certificate();
    json_object_set_new(member(root, "unit", NULL), "neighbours", json_string("substitute"));
    denied(root, "plan: ");
}

Test(certified_plan, forged_plans_of_a_rho_are_denied)
{
    json_t *root = certificate_of(concentrated);
    json_object_set_new(member(root, "budget", NULL), "rho", json_string("1/9"));
    denied(root, "a smaller rho");
    root = certificate_of(concentrated);
    json_object_set_new(member(root, "unit", NULL), "rows", json_integer(3));
    denied(root, "another list of mechanisms");
    root = certificate_of(concentrated);
    json_object_set_new(root, "unit", json_string("user by visitor"));
    denied(root, "another unit of privacy");
    root = certificate_of(concentrated);
    json_object_del(root, "unit");
    denied(root, "another unit of privacy");
    root = certificate_of(concentrated);
    json_object_set_new(json_object_get(root, "claim"), "xi", json_string("1/2"));
    denied(root, "a rho");
    root = certificate_of(concentrated);
    json_t *other = certificate();
    json_object_set(root, "plan", json_object_get(other, "plan"));
    json_decref(other);
    denied(root, "another list of mechanisms");
}

Test(certified_plan, of_a_mu_and_forged)
{
    pby_error err = PBY_NO_ERROR;
    json_t *root = certificate_of(gaussian);
    cr_assert_eq(json_integer_value(json_object_get(root, "version")), PBY_CERTIFICATE_CLAIMING);
    cr_assert_eq(verdict(root, &err), PBY_OK, "%s", err.text);
    root = certificate_of(gaussian);
    json_object_set_new(member(root, "budget", NULL), "mu", json_string("1/4"));
    denied(root, "a smaller mu");
    root = certificate_of(gaussian);
    json_object_set_new(member(root, "unit", NULL), "rows", json_integer(3));
    denied(root, "another list of mechanisms");
    root = certificate_of(gaussian);
    json_object_del(member(root, "budget", NULL), "mu");
    json_object_set_new(member(root, "budget", NULL), "rho", json_string("1/3"));
    denied(root, "a rho");
}

/* Everything has one spelling, and what is no plan is none. */
Test(certified_plan, other_spellings_are_denied)
{
    json_t *root = certificate();
    json_object_set_new(member(root, "budget", NULL), "epsilon", json_string("4/2"));
    denied(root, "canonical form");
    root = certificate();
    json_object_set_new(json_object_get(root, "plan"), "more", json_integer(1));
    denied(root, "key 'more'");
    root = certificate();
    json_array_clear(member(root, "noise", NULL));
    denied(root, "noise: expected one of each quantity");
    root = certificate();
    json_object_set_new(root, "plan", json_string("none"));
    denied(root, "expected an object");
    root = certificate();
    json_object_del(member(root, "groupings", "shops"), "groups_per_user");
    denied(root, "plan: ");
}

/* delta of the certificate must be within that of the plan's budget. */
Test(certified_plan, a_smaller_delta_than_certified_is_denied)
{
    json_t *root = certificate();
    json_object_set_new(root, "epsilon", json_string("1"));
    json_object_set_new(member(root, "budget", NULL), "epsilon", json_string("1"));
    json_object_set_new(root, "delta", json_pack("{s:s, s:s}", "lo", "0.1", "hi", "0.2"));
    denied(root, "a smaller delta");
}
