/* SPDX-License-Identifier: MIT */
#include "report/proof_receipt.h"

#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/document.h"
#include "certificate/proof.h"
#include "report/sheet.h"

/* The texts are printable: pby_proof_open refuses others. */
static void print_statement(pby_sheet *s, const json_t *receipt)
{
    const json_t *said = json_object_get(receipt, "statement");
    const char *epsilon = pby_json_string(said, "epsilon"), *delta = pby_json_string(said, "delta");
    const char *spec = json_string_value(json_object_get(said, "spec"));
    pby_sheet_line(s, "proof", "%s: (%s, %s)", pby_json_string(said, "mechanism"), epsilon, delta);
    pby_sheet_text(s, NULL, "mechanism", pby_json_string(said, "mechanism"));
    pby_sheet_text(s, NULL, "epsilon", epsilon);
    pby_sheet_text(s, NULL, "delta", delta);
    if (spec != NULL)
        pby_sheet_text(s, "spec", "spec", spec);
    pby_sheet_text(s, "words", "words", pby_json_string(said, "words"));
}

static void print_proof(pby_sheet *s, const json_t *receipt, const char *signer, bool required)
{
    const size_t sources = json_object_size(json_object_get(receipt, "sources"));
    pby_sheet_member(s, "holds", json_true());
    print_statement(s, receipt);
    pby_sheet_line(s, "sources", "%zu file%s, by their digests", sources, sources == 1 ? "" : "s");
    pby_sheet_text(s, "digest", "digest", pby_json_string(receipt, "digest"));
    if (signer[0] != '\0')
        pby_sheet_line(s, "signed by", "%s%s", signer, required ? "" : " (give --key to require one)");
    else
        pby_sheet_line(s, "signed by", "nobody");
    pby_sheet_text(s, NULL, "signer", signer);
    pby_sheet_line(s, "stated", "by its author: what was proved, the sources, the tools and the goals");
    pby_sheet_line(s, "not rerun", "the proof: probity prove DIR --against FILE proves the sources again");
    pby_sheet_line(s, "checked",
                   "every byte of the form, the digest%s, and that the spec is that of its numbers",
                   signer[0] != '\0' ? " and the signature" : "");
}

pby_status pby_proof_receipt_verify(char **told, const char *text, size_t size, const char *key,
                                    pby_report_form form, pby_error *err)
{
    char signer[PBY_SIGNER_SIZE];
    json_t *receipt;
    pby_sheet s;
    *told = NULL;
    pby_status status = pby_proof_open(&receipt, signer, text, size, err);
    if (status == PBY_OK && key != NULL)
        status = pby_document_signed_by(receipt, key, err);
    if (status == PBY_OK) {
        pby_sheet_begin(&s, form);
        print_proof(&s, receipt, signer, key != NULL);
        status = pby_sheet_end(told, &s, PBY_OK, err);
    }
    json_decref(receipt);
    return status;
}
