/* A dossier held against itself: digests, the signature, the plan, the verdicts, and the page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/dossier/dossier.h"
#include "audit/dossier/page.h"
#include "audit/dossier/result.h"
#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/document.h"
#include "io/digest.h"
#include "io/file.h"
#include "report/sheet.h"

enum { PAGE_LIMIT = 1 << 28 };

static pby_status deny(pby_error *err, const char *why)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "dossier: %s", why);
}

bool pby_dossier_is(const char *text, size_t length)
{
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const bool is = strcmp(pby_json_string(root, "format"), "probity-dossier") == 0;
    json_decref(root);
    return is;
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

static pby_status check_audits(const json_t *dossier, const pby_audit_plan *plan, pby_error *err)
{
    const json_t *results = json_object_get(dossier, "results"),
                 *not_run = json_object_get(dossier, "not_run");
    if (json_array_size(results) + json_array_size(not_run) != plan->audits)
        return deny(err, "its results are not those of its plan");
    for (size_t i = 0; i < plan->audits; i++) {
        const pby_planned_audit *a = &plan->audit[i];
        const json_t *result = only_of(results, a->name), *none = only_of(not_run, a->name);
        pby_error why = PBY_NO_ERROR;
        if ((result == NULL) == (none == NULL))
            return deny(err, "its results are not those of its plan");
        const pby_status status = result == NULL ? PBY_OK : pby_result_check(result, plan, a, &why);
        if (status != PBY_OK)
            return pby_fail_by(err, status, PBY_REASON_CERTIFICATE, "dossier: %s: %s", a->name, why.text);
    }
    return PBY_OK;
}

pby_status pby_dossier_check(const json_t *dossier, pby_error *err)
{
    static const char *const fields[] = {"computed_with", "digest",      "format",  "made",    "not_run",
                                         "plan",          "plan_sha256", "results", "version", "signature"};
    pby_audit_plan *plan = NULL;
    pby_error why = PBY_NO_ERROR;
    pby_status status =
        pby_certificate_object(dossier, "dossier", fields, sizeof fields / sizeof *fields, 1, err);
    if (status == PBY_OK && (json_integer_value(json_object_get(dossier, "version")) != 1 ||
                             pby_json_string(dossier, "made")[0] == '\0' ||
                             !pby_digest_is(pby_json_string(dossier, "plan_sha256"))))
        return deny(err, "of another version than 1, or without its date and the digest of its plan");
    if (status != PBY_OK)
        return status;
    status = pby_audit_plan_new(&plan, json_object_get(dossier, "plan"), false, &why);
    if (status != PBY_OK)
        return pby_fail_by(err, status == PBY_BAD ? PBY_NO : status, PBY_REASON_CERTIFICATE,
                           "dossier: plan: %s", why.text);
    status = check_audits(dossier, plan, err);
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

static pby_status tell(char **report, const json_t *dossier, const char *signer, bool page,
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
    pby_sheet_text(&s, "digest", "digest", pby_json_string(dossier, "digest"));
    if (signer[0] != '\0')
        pby_sheet_line(&s, "signed by", "%s%s", signer,
                       public_key == NULL ? " (give --key to require one)" : "");
    else
        pby_sheet_line(&s, "signed by", "nobody");
    pby_sheet_text(&s, NULL, "signer", signer);
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
        status = tell(report, dossier, signer, page, public_key, form, err);
    json_decref(dossier);
    return status;
}
