/* SPDX-License-Identifier: MIT */
/* Every member of a certificate is edited, and its digest computed again, as a forger would. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/document.h"
#include "certificate/proof.h"
#include "tests/edits.h"

struct tried {
    const char *name;
    size_t accepted;
};

/* The versions of what computed it are the author's statement, and nobody can recompute them. So are the
 * texts of a plan that move no sensitivity, and what errors are scaled by. */
static const char *const stated[] = {"computed_with", NULL};
static const char *const stated_plan[] = {"computed_with",
                                          "plan.groupings.shops.by",
                                          "plan.groupings.shops.expect",
                                          "plan.groupings.shops.groups",
                                          "plan.statistics[].name",
                                          "plan.statistics[].weight",
                                          "plan.unit.expect",
                                          NULL};

/* Edits that say something else which is true, and is computed again: geometric noise of epsilon 1 is private
 * at 2 and at 11 as well, a certificate need not speak of accuracy or of a plan, one that says less digits
 * encloses delta too, a column's
 * greatest bound alone moves a sum, a mean has the count in it, two rows in each of two groups are no more
 * than four, and 1 + rho a is above what rho a is above. */
static bool is_true(const char *name, const char *path, const char *what)
{
    static const char *const other[][3] = {
        {"geometric", "epsilon", "another first byte"},
        {"geometric", "epsilon", "a byte more"},
        {"accuracy-noise", "accuracy", "left out"},
        {"planned", "plan", "left out"},
        {"planned", "plan.columns.amount.low", "another first byte"},
        {"claims/planned-mu", "plan.statistics[]", "left out"},
        {"claims/planned-mu", "plan.unit.rows", "left out"},
        {"claims/planned-mu", "plan.unit.rows", "one more"},
        {"claims/planned-mu", "plan", "left out"},
        {"claims/planned-mu", "plan.columns.amount.low", "another first byte"},
        {"claims/planned-rho", "claim.rho.lo", "cut short"},
        {"claims/planned-rho", "plan.statistics[]", "left out"},
        {"claims/planned-rho", "plan.unit.rows", "left out"},
        {"claims/planned-rho", "plan.unit.rows", "one more"},
        {"claims/planned-rho", "plan", "left out"},
        {"claims/planned-rho", "plan.columns.amount.low", "another first byte"},
        {"claims/renyi", "claim.epsilon.lo", "cut short"},
        {"claims/rho", "claim.xi", "another first byte"},
        {"stlap-inputs", "delta.hi", "cut short"},
        {"stlap-inputs", "delta.lo", "cut short"}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (strcmp(name, other[i][0]) == 0 && strcmp(path, other[i][1]) == 0 &&
            strcmp(what, other[i][2]) == 0)
            return true;
    return false;
}

static void try_certificate(json_t *edited, const char *path, const char *what, void *with)
{
    struct tried *t = with;
    pby_error err = PBY_NO_ERROR;
    json_object_del(edited, "signature");
    cr_assert_eq(pby_document_seal(edited, NULL), PBY_OK);
    char *text = pby_certificate_encode(edited);
    cr_assert_not_null(text);
    pby_edit_keep(t->name, text);
    const pby_status status = pby_verify(NULL, text, strlen(text), &err);
    free(text);
    if (status == PBY_OK) {
        t->accepted++;
        const bool planned = strstr(t->name, "planned") != NULL;
        cr_expect(strcmp(path, "digest") == 0 || pby_edit_within(path, planned ? stated_plan : stated) ||
                      is_true(t->name, path, what),
                  "%s: %s, %s: accepted", t->name, path, what);
        return;
    }
    cr_expect_eq(status, PBY_NO, "%s: %s, %s: %s", t->name, path, what, err.text);
    cr_expect(err.text[0] != '\0' && strchr(err.text, '\n') == NULL, "%s, %s: one line", path, what);
}

Test(resealed, every_edit_of_a_certificate_is_refused_or_a_statement)
{
    static const char *const names[] = {"geometric",
                                        "stlap",
                                        "accuracy-noise",
                                        "stlap-inputs",
                                        "threshold",
                                        "rr",
                                        "planned",
                                        "claims/mu",
                                        "claims/renyi",
                                        "claims/rho",
                                        "claims/planned-rho",
                                        "claims/planned-mu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        struct tried t = {.name = names[i]};
        snprintf(path, sizeof path, "tests/vectors/%s.json", names[i]);
        json_t *certificate = json_load_file(path, 0, NULL);
        cr_assert_not_null(certificate);
        cr_assert(pby_edits(certificate, try_certificate, &t) > 40 && t.accepted > 0, "%s", names[i]);
        json_decref(certificate);
    }
}

/* The pairs of noisymax only dominate, and what some neighbours lose was once known to be less than it
 * is known to be today: a lower end below that is true, and the line of the route says that it is no more. */
Test(resealed, a_lower_end_far_below_is_marked_and_none_is_outside_of_what_a_delta_can_be)
{
    static const char *const refused[][2] = {{"-0.05", NULL}, {"-1e-05", NULL}, {NULL, "1.01"}, {"0", "2"}};
    json_t *certificate = json_load_file("tests/vectors/noisymax.json", 0, NULL);
    json_t *delta = json_object_get(certificate, "delta");
    cr_assert_eq(json_object_set_new(delta, "lo", json_string("0")), 0);
    cr_assert_eq(pby_document_seal(certificate, NULL), PBY_OK);
    char *text = pby_certificate_encode(certificate);
    pby_certificate *c = NULL;
    cr_assert_eq(pby_verify(&c, text, strlen(text), NULL), PBY_OK);
    cr_assert_not_null(strstr(pby_certificate_route(c), "the lower end is a bound"));
    pby_certificate_free(c);
    free(text);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        pby_error err = PBY_NO_ERROR;
        json_t *edited = json_deep_copy(certificate), *ends = json_object_get(edited, "delta");
        if (refused[i][0] != NULL)
            cr_assert_eq(json_object_set_new(ends, "lo", json_string(refused[i][0])), 0);
        if (refused[i][1] != NULL)
            cr_assert_eq(json_object_set_new(ends, "hi", json_string(refused[i][1])), 0);
        cr_assert_eq(pby_document_seal(edited, NULL), PBY_OK);
        text = pby_certificate_encode(edited);
        cr_assert_eq(pby_verify(NULL, text, strlen(text), &err), PBY_NO);
        cr_assert_not_null(strstr(err.text, "expected a decimal from 0 to 1"), "%s", err.text);
        free(text);
        json_decref(edited);
    }
    json_decref(certificate);
}

static void try_receipt(json_t *edited, const char *path, const char *what, void *with)
{
    size_t *tried = with;
    char signer[PBY_SIGNER_SIZE];
    json_t *read = NULL;
    pby_error err = PBY_NO_ERROR;
    if (strcmp(path, "digest") == 0 || strcmp(path, "signature") == 0)
        return; /* sealed again; and without a signature it is a stranger's, who may state what he likes */
    cr_assert_eq(pby_document_seal(edited, NULL), PBY_OK);
    char *text = pby_certificate_encode(edited);
    cr_assert_not_null(text);
    pby_edit_keep("receipt", text);
    ++*tried;
    cr_expect_eq(pby_proof_open(&read, signer, text, strlen(text), &err), PBY_NO, "%s, %s: accepted", path,
                 what);
    cr_expect(read == NULL && err.text[0] != '\0' && strchr(err.text, '\n') == NULL, "%s, %s: one line", path,
              what);
    free(text);
}

/* A receipt of probity prove that stands by itself. */
Test(resealed, every_edit_of_a_signed_receipt_is_refused)
{
    size_t tried = 0;
    json_t *receipt = json_load_file("tests/vectors/proof.json", 0, NULL);
    cr_assert_not_null(receipt);
    pby_edits(receipt, try_receipt, &tried);
    cr_assert_gt(tried, 40);
    json_decref(receipt);
}

static pby_status open_edited(const char *member, const char *value, char signer[PBY_SIGNER_SIZE],
                              pby_error *err)
{
    json_t *receipt = json_load_file("tests/vectors/proof.json", 0, NULL), *read = NULL;
    cr_assert_not_null(receipt);
    json_object_del(receipt, "signature");
    if (member != NULL)
        cr_assert_eq(json_object_set_new(json_object_get(receipt, "statement"), member, json_string(value)),
                     0);
    cr_assert_eq(pby_document_seal(receipt, NULL), PBY_OK);
    char *text = pby_certificate_encode(receipt);
    const pby_status status = pby_proof_open(&read, signer, text, strlen(text), err);
    free(text);
    json_decref(read);
    json_decref(receipt);
    return status;
}

Test(resealed, a_receipt_of_nobody_has_the_spec_of_its_numbers_and_texts_that_can_be_shown)
{
    char signer[PBY_SIGNER_SIZE];
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(open_edited(NULL, NULL, signer, &err), PBY_OK, "%s", err.text);
    cr_expect_str_empty(signer);
    cr_expect_eq(open_edited("epsilon", "1/4", signer, &err), PBY_NO);
    cr_expect_not_null(strstr(err.text, "its spec is not the one"), "%s", err.text);
    cr_expect_eq(open_edited("delta", "1e-9", signer, &err), PBY_NO);
    cr_expect_eq(open_edited("epsilon", "-1", signer, &err), PBY_NO);
    cr_expect_eq(open_edited("words", "proved\nand more", signer, &err), PBY_NO);
    cr_expect_not_null(strstr(err.text, "not printable"), "%s", err.text);
}
