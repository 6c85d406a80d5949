/* SPDX-License-Identifier: MIT */
#include "report/deployment_result.h"

#include <string.h>

#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/differ.h"
#include "certificate/document.h"
#include "report/report_deployment.h"
#include "report/sheet.h"

#define FORMAT "probity-deployment-result"

pby_status pby_deployment_result(json_t **out, const pby_deployment *d, json_t *judgement, pby_error *err)
{
    *out = json_pack("{s:s, s:i, s:O, s:o, s:o}", "format", FORMAT, "version", PBY_DEPLOYMENT_RESULT_VERSION,
                     "deployment", d->root, "judgement", judgement, "computed_with", pby_document_tools());
    const pby_status status = pby_document_seal(*out, err);
    if (status == PBY_OK)
        return PBY_OK;
    json_decref(*out);
    *out = NULL;
    return status;
}

bool pby_deployment_result_is(const json_t *root)
{
    return strcmp(pby_json_string(root, "format"), FORMAT) == 0;
}

/* ---- verifying ---------------------------------------------------------------------------------- */

static pby_status check_form(const json_t *root, pby_error *err)
{
    static const char *const fields[] = {"computed_with", "deployment", "digest",   "format",
                                         "judgement",     "version",    "signature"};
    const json_t *version = json_object_get(root, "version");
    if (!pby_deployment_result_is(root))
        return pby_differ_deny(err, "format", FORMAT);
    PBY_TRY(pby_certificate_object(root, "result", fields, sizeof fields / sizeof *fields, 1, err));
    if (!json_is_integer(version) || json_integer_value(version) != PBY_DEPLOYMENT_RESULT_VERSION)
        return pby_differ_deny(err, "version", "1, the only one known");
    return pby_document_tools_check(root, err);
}

static pby_status read_deployment(pby_deployment **out, const json_t *root, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    const pby_status status = pby_deployment_of_json(out, json_object_get(root, "deployment"), &why);
    return status == PBY_OK ? PBY_OK
                            : pby_fail_by(err, status == PBY_BAD ? PBY_NO : status, PBY_REASON_CERTIFICATE,
                                          "deployment: %s", why.text);
}

/* The claims, judged from the file in the document. */
static pby_status rejudge(pby_deployment_counts *counts, const json_t *root, pby_error *err)
{
    pby_deployment *d;
    json_t *computed = NULL;
    PBY_TRY(read_deployment(&d, root, err));
    pby_status status = pby_deployment_judge(&computed, NULL, counts, d, PBY_REPORT_JSON, err);
    if (status == PBY_OK)
        status = pby_differ("judgement", json_object_get(root, "judgement"), computed, err);
    json_decref(computed);
    pby_deployment_free(d);
    return pby_certificate_verdict(status, err);
}

static void print_deployment(pby_sheet *s, const json_t *root, const pby_deployment_counts *n,
                             const char *signer, bool required)
{
    const json_t *judgement = json_object_get(root, "judgement"),
                 *claims = json_object_get(judgement, "claims");
    if (s->lines != NULL)
        fputs("the judgement holds: every claim judged again from the file in it\n", s->lines);
    pby_sheet_member(s, "holds", json_true());
    pby_sheet_text(s, "deployment", "name", pby_json_string(judgement, "name"));
    for (size_t i = 0; i < json_array_size(claims) && s->lines != NULL; i++) {
        const json_t *claim = json_array_get(claims, i);
        pby_sheet_line(s, i == 0 ? "claims" : "", "%s %s: %s", pby_json_string(claim, "name"),
                       pby_json_string(claim, "verdict"), pby_json_string(claim, "reason"));
    }
    pby_sheet_line(s, "in all", "%zu hold, %zu do not, %zu open; %zu not covered", n->hold, n->fail, n->open,
                   n->uncovered);
    pby_sheet_member(s, "judgement", json_deep_copy(judgement));
    pby_sheet_text(s, "digest", "digest", pby_json_string(root, "digest"));
    pby_sheet_line(s, "signed by", "%s%s", signer[0] == '\0' ? "nobody" : signer,
                   signer[0] == '\0' || required ? "" : " (give --key to require one)");
    pby_sheet_text(s, NULL, "signer", signer);
    pby_sheet_line(s, "stated", "by its author: all that the file says of the deployment, and versions");
    pby_sheet_line(s, "checked", "every byte of the form, the digest%s, and every verdict",
                   signer[0] == '\0' ? "" : ", the signature");
}

pby_status pby_deployment_result_verify(char **told, const char *text, size_t length, const char *public_key,
                                        pby_report_form form, pby_error *err)
{
    char signer[PBY_SIGNER_SIZE] = "";
    pby_deployment_counts counts;
    json_t *root = NULL;
    pby_sheet s;
    *told = NULL;
    pby_status status = pby_document_read(&root, text, length, err);
    if (status == PBY_OK)
        status = pby_signature_read(signer, root, err);
    if (status == PBY_OK && public_key != NULL)
        status = pby_document_signed_by(root, public_key, err);
    if (status == PBY_OK)
        status = check_form(root, err);
    if (status == PBY_OK)
        status = rejudge(&counts, root, err);
    if (status == PBY_OK) {
        pby_sheet_begin(&s, form);
        print_deployment(&s, root, &counts, signer, public_key != NULL);
        status = pby_sheet_end(told, &s, PBY_OK, err);
    }
    json_decref(root);
    return status;
}
