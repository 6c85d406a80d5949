/* SPDX-License-Identifier: MIT */
/* A dossier held against itself: digests, the signature, the plan, the verdicts, and the page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/dossier/dossier.h"
#include "audit/dossier/dossier_page.h"
#include "audit/dossier/result.h"
#include "audit/dossier/stated.h"
#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/differ.h"
#include "certificate/document.h"
#include "io/digest.h"
#include "io/file.h"
#include "report/sheet.h"

enum { PAGE_LIMIT = 1 << 28 };

static pby_status deny(pby_error *err, const char *why)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "dossier: %s", why);
}

bool pby_dossier_is(const json_t *root)
{
    return strcmp(pby_json_string(root, "format"), "probity-dossier") == 0;
}

/* The one member of a list whose `audit` is this name; NULL for none or several. */
static const json_t *only_of(const json_t *list, const char *name)
{
    const json_t *found = NULL;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(pby_json_string(json_array_get(list, i), "audit"), name) == 0) {
            if (found != NULL)
                return NULL;
            found = json_array_get(list, i);
        }
    return found;
}

/* Why an audit was not run. */
static pby_status check_reason(const json_t *none, pby_error *err)
{
    return json_object_size(none) == 2 && pby_json_string(none, "reason")[0] != '\0'
               ? PBY_OK
               : pby_differ_deny(err, "not_run", "the audit and its reason");
}

typedef pby_status check_result(const json_t *result, const pby_audit_plan *plan, const pby_planned_audit *a,
                                pby_error *err);

static pby_status check_each(const json_t *dossier, const pby_audit_plan *plan, check_result *check,
                             pby_error *err)
{
    const json_t *results = json_object_get(dossier, "results"),
                 *not_run = json_object_get(dossier, "not_run");
    for (size_t i = 0; i < plan->audits; i++) {
        const pby_planned_audit *a = &plan->audit[i];
        const json_t *result = only_of(results, a->name), *none = only_of(not_run, a->name);
        pby_error why = PBY_NO_ERROR;
        if ((result == NULL) == (none == NULL))
            return deny(err, "its results are not those of its plan");
        const pby_status status = result == NULL ? check_reason(none, &why) : check(result, plan, a, &why);
        if (status != PBY_OK)
            return pby_fail_by(err, status, PBY_REASON_CERTIFICATE, "dossier: %s: %s", a->name, why.text);
    }
    return PBY_OK;
}

/* All that takes no time is looked at before anything is recomputed. */
static pby_status check_audits(const json_t *dossier, const pby_audit_plan *plan, pby_error *err)
{
    const json_t *results = json_object_get(dossier, "results"),
                 *not_run = json_object_get(dossier, "not_run");
    if (!json_is_array(results) || !json_is_array(not_run) ||
        json_array_size(results) + json_array_size(not_run) != plan->audits)
        return deny(err, "its results are not those of its plan");
    const pby_status status = check_each(dossier, plan, pby_result_belongs, err);
    return status == PBY_OK ? check_each(dossier, plan, pby_result_check, err) : status;
}

static pby_status check_form(const json_t *dossier, pby_error *err)
{
    static const char *const fields[] = {"computed_with", "digest", "format",      "made",
                                         "not_run",       "plan",   "plan_sha256", "results",
                                         "version",       "stated", "deployment",  "signature"};
    static const char *const once[] = {"computed_with", "digest",      "format",  "made",    "not_run",
                                       "plan",          "plan_sha256", "results", "version", "signature"};
    const json_int_t version = json_integer_value(json_object_get(dossier, "version"));
    if (strcmp(pby_json_string(dossier, "format"), "probity-dossier") != 0)
        return deny(err, "format: expected probity-dossier");
    if (version < 1 || version > PBY_DOSSIER_VERSION)
        return deny(err, "of another version than 1 and 2");
    pby_status status =
        version == 1
            ? pby_certificate_object(dossier, "dossier", once, sizeof once / sizeof *once, 1, err)
            : pby_certificate_object(dossier, "dossier", fields, sizeof fields / sizeof *fields, 2, err);
    if (status == PBY_OK)
        status = pby_stated_date(dossier, "made", err);
    if (status == PBY_OK)
        status = pby_document_tools_check(dossier, err);
    if (status == PBY_OK && !pby_digest_is(pby_json_string(dossier, "plan_sha256")))
        return deny(err, "plan_sha256: expected a SHA-256");
    return status == PBY_OK && version > 1 ? pby_stated_check(dossier, pby_stated_dossier, NULL, err)
                                           : status;
}

/* The judgement of the deployment is computed again, from the file in the plan. */
static pby_status check_judgement(const json_t *dossier, const pby_audit_plan *plan, pby_error *err)
{
    const json_t *stated = json_object_get(dossier, "deployment");
    json_t *computed = NULL;
    pby_error why = PBY_NO_ERROR;
    if ((stated != NULL) != (plan->deployment != NULL))
        return deny(err, "its plan and its judgement do not have the same deployment");
    if (stated == NULL)
        return PBY_OK;
    PBY_TRY(pby_described_judge(&computed, plan->deployment, err));
    const pby_status status = pby_differ("deployment", stated, computed, &why);
    json_decref(computed);
    return status == PBY_OK ? status
                            : pby_fail_by(err, status, PBY_REASON_CERTIFICATE, "dossier: %s", why.text);
}

pby_status pby_dossier_check(const json_t *dossier, pby_error *err)
{
    pby_audit_plan *plan = NULL;
    pby_error why = PBY_NO_ERROR;
    pby_status status = check_form(dossier, err);
    if (status != PBY_OK)
        return status;
    status = pby_audit_plan_new(&plan, json_object_get(dossier, "plan"), false, &why);
    if (status != PBY_OK)
        return pby_fail_by(err, status == PBY_BAD ? PBY_NO : status, PBY_REASON_CERTIFICATE,
                           "dossier: plan: %s", why.text);
    status = check_audits(dossier, plan, err);
    if (status == PBY_OK)
        status = check_judgement(dossier, plan, err);
    pby_audit_plan_free(plan);
    return status;
}

/* The page in the folder of the file: *is_there says whether there is one; PBY_NO where it is another. */
static pby_status check_page(bool *is_there, const json_t *dossier, const char *path, pby_error *err)
{
    char *beside = NULL, *page = NULL, *text = NULL;
    size_t size = 0;
    *is_there = false;
    if (pby_path_named(path) == NULL)
        return PBY_OK;
    const char *slash = strrchr(path, '/');
    if (asprintf(&beside, "%.*sdossier.html", slash == NULL ? 0 : (int)(slash - path + 1), path) < 0)
        return pby_no_memory(err);
    pby_status status = PBY_OK;
    if (access(beside, F_OK) == 0) {
        *is_there = true;
        status = pby_file_read(&text, &size, beside, PAGE_LIMIT, err);
        if (status == PBY_OK)
            status = pby_dossier_page(&page, dossier, err);
        if (status == PBY_OK && (strlen(page) != size || memcmp(page, text, size) != 0))
            status = deny(err, "the page beside it is not the one that belongs to it");
    }
    free(page);
    free(text);
    free(beside);
    return status;
}

/* True if every result has the counts of its profile, which version 1 lacks. */
static bool recounts_profiles(const json_t *dossier)
{
    const json_t *results = json_object_get(dossier, "results");
    for (size_t i = 0; i < json_array_size(results); i++)
        if (json_integer_value(json_object_get(json_array_get(results, i), "version")) == 1)
            return false;
    return true;
}

/* True if a verdict is about rho or mu, and so about one epsilon, which the author picked. */
static bool states_points(const json_t *dossier)
{
    const json_t *results = json_object_get(dossier, "results");
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *claim =
            json_object_get(json_object_get(json_array_get(results, i), "verdict"), "claim");
        if (json_object_get(claim, "rho") != NULL || json_object_get(claim, "mu") != NULL)
            return true;
    }
    return false;
}

static void print_deployment(pby_sheet *s, const json_t *dossier)
{
    const json_t *judgement = json_object_get(dossier, "deployment");
    if (judgement == NULL)
        return;
    pby_sheet_line(s, "deployment",
                   "%s: %zu of %zu claims not kept by the mechanisms that it states; recomputed",
                   pby_json_string(judgement, "name"), pby_described_unkept(dossier),
                   json_array_size(json_object_get(judgement, "claims")));
    pby_sheet_text(s, NULL, "deployment", pby_json_string(judgement, "name"));
    pby_sheet_number(s, NULL, "not_kept", pby_described_unkept(dossier));
}

static pby_status print_dossier(char **report, const json_t *dossier, const char *signer, bool page,
                                const char *public_key, pby_report_form form, pby_error *err)
{
    pby_sheet s;
    const pby_dossier_sum sum = pby_dossier_count(dossier);
    pby_sheet_begin(&s, form);
    pby_sheet_member(&s, "holds", json_true());
    pby_sheet_text(&s, "dossier", "title", pby_json_string(json_object_get(dossier, "plan"), "title"));
    pby_sheet_text(&s, "made", "made", pby_json_string(dossier, "made"));
    pby_sheet_line(&s, "claims", "%zu: %zu refuted, %zu consistent, %zu inconclusive, %zu not run",
                   sum.claims, sum.refuted, sum.consistent, sum.inconclusive, sum.not_run);
    pby_sheet_number(&s, NULL, "claims", sum.claims);
    pby_sheet_number(&s, NULL, "refuted", sum.refuted);
    print_deployment(&s, dossier);
    pby_sheet_text(&s, "digest", "digest", pby_json_string(dossier, "digest"));
    if (signer[0] != '\0')
        pby_sheet_line(&s, "signed by", "%s%s", signer,
                       public_key == NULL ? " (give --key to require one)" : "");
    else
        pby_sheet_line(&s, "signed by", "nobody");
    pby_sheet_text(&s, NULL, "signer", signer);
    pby_sheet_line(&s, "stated", "by its author: the plan, the counts, names, dates and versions%s%s",
                   states_points(dossier) ? ", at which epsilon a rho or mu is judged" : "",
                   recounts_profiles(dossier) ? "" : "; of version 1 the profiles, too");
    pby_sheet_line(&s, "checked", "digests, the plan, every verdict against its counts%s",
                   page ? ", the page beside it" : "; no page is beside it");
    return pby_sheet_end(report, &s, PBY_OK, err);
}

pby_status pby_dossier_verify(char **report, const char *text, size_t length, const char *path,
                              const char *public_key, pby_report_form form, pby_error *err)
{
    char signer[PBY_SIGNER_SIZE] = "";
    json_t *dossier = NULL;
    bool page = false;
    *report = NULL;
    pby_status status = pby_document_read(&dossier, text, length, err);
    if (status == PBY_OK)
        status = pby_signature_read(signer, dossier, err);
    if (status == PBY_OK && public_key != NULL)
        status = pby_document_signed_by(dossier, public_key, err);
    if (status == PBY_OK)
        status = pby_dossier_check(dossier, err);
    if (status == PBY_OK)
        status = check_page(&page, dossier, path, err);
    if (status == PBY_OK)
        status = print_dossier(report, dossier, signer, page, public_key, form, err);
    json_decref(dossier);
    return status;
}
