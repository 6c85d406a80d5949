/* SPDX-License-Identifier: MIT */
#include "certificate/proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/json.h"
#include "base/readable.h"
#include "certificate/certificate.h"
#include "certificate/document.h"
#include "probity/rational.h"

#define FORMAT "probity-proof"

static pby_status deny(pby_error *err, const char *why)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "proof: %s", why);
}

static json_int_t version_of(const json_t *receipt)
{
    return json_integer_value(json_object_get(receipt, "version"));
}

/* Version 1 named no spec and no compiled text. Such receipts stand in certificates, and stay readable. */
static pby_status check_members(const json_t *receipt, pby_error *err)
{
    static const char *const fields[] = {"digest",    "format", "goals",   "lemmas",    "sources",
                                         "statement", "tools",  "version", "mechanism", "signature"};
    static const char *const first[] = {"digest",    "format", "goals",   "lemmas",   "sources",
                                        "statement", "tools",  "version", "signature"};
    static const char *const named[] = {"digest", "name", "texts"};
    if (version_of(receipt) == 1)
        return pby_certificate_object(receipt, "proof", first, sizeof first / sizeof *first, 1, err);
    if (version_of(receipt) != PBY_PROOF_VERSION)
        return deny(err, "a receipt of another version than 1 and 2");
    const pby_status status =
        pby_certificate_object(receipt, "proof", fields, sizeof fields / sizeof *fields, 1, err);
    return status == PBY_OK ? pby_certificate_object(json_object_get(receipt, "mechanism"), "proof.mechanism",
                                                     named, sizeof named / sizeof *named, 0, err)
                            : status;
}

pby_status pby_proof_check(const json_t *receipt, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    const char *format = json_string_value(json_object_get(receipt, "format"));
    if (format == NULL || strcmp(format, FORMAT) != 0)
        return deny(err, "not a receipt that probity prove wrote");
    pby_status status = check_members(receipt, err);
    if (status == PBY_OK)
        status = pby_certificate_digest(digest, receipt, err);
    const char *said = json_string_value(json_object_get(receipt, "digest"));
    if (status == PBY_OK && (said == NULL || strcmp(said, digest) != 0))
        return deny(err, "its digest is not that of the receipt that was written");
    return status;
}

/* Refuses a receipt whose shown texts are not printable: whoever wrote it may be a stranger. */
static pby_status check_words(const json_t *receipt, pby_error *err)
{
    static const char *const shown[] = {"mechanism", "words", "epsilon", "delta"};
    const json_t *mechanism = json_object_get(receipt, "mechanism");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const json_t *text = json_object_get(json_object_get(receipt, "statement"), shown[i]);
        if (!json_is_string(text))
            return deny(err, "its statement has no mechanism, words, epsilon and delta");
        if (!pby_readable_ascii(json_string_value(text)))
            return deny(err, "its statement has a character that is not printable");
    }
    return mechanism == NULL || pby_readable_ascii(json_string_value(json_object_get(mechanism, "digest")))
               ? PBY_OK
               : deny(err, "its mechanism has no digest");
}

/* statement.NAME, a rational or a decimal from 0 on. */
static pby_status read_number(mpq_t out, const json_t *receipt, const char *name, pby_error *err)
{
    const char *text = json_string_value(json_object_get(json_object_get(receipt, "statement"), name));
    if (text == NULL || pby_rational_parse(out, name, text, NULL) != PBY_OK || mpq_sgn(out) < 0)
        return deny(err, "its statement has no epsilon and delta");
    return PBY_OK;
}

/* The receipt promises no less than the certificate. */
static pby_status compare(const pby_certificate *c, mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err)
{
    if (mpq_cmp(epsilon, c->epsilon) > 0)
        return deny(err, "it shows a larger epsilon than the certificate states");
    return mpfr_cmp_q(c->delta.hi, delta) < 0
               ? deny(err, "it shows a larger delta than the certificate states")
               : PBY_OK;
}

/* A proof of epsilon and delta is a proof of pure:eps or approx:eps,delta, and of nothing else: it does not
 * show which noise the code draws. */
static pby_status check_spec(const json_t *receipt, mpq_srcptr epsilon, mpq_srcptr delta, pby_error *err)
{
    char *text = NULL;
    const char *said = json_string_value(json_object_get(json_object_get(receipt, "statement"), "spec"));
    const int size = mpq_sgn(delta) == 0 ? gmp_asprintf(&text, "pure:eps=%Qd", epsilon)
                                         : gmp_asprintf(&text, "approx:eps=%Qd,delta=%Qd", epsilon, delta);
    if (size < 0)
        return pby_no_memory(err);
    const bool same = said != NULL && strcmp(said, text) == 0;
    free(text);
    return same ? PBY_OK : deny(err, "its spec is not the one of its epsilon and delta");
}

/* A proof without a loss has no spec. */
static pby_status check_statement(const json_t *receipt, pby_error *err)
{
    mpq_t epsilon, delta;
    mpq_inits(epsilon, delta, (mpq_ptr)0);
    pby_status status = read_number(epsilon, receipt, "epsilon", err);
    if (status == PBY_OK)
        status = read_number(delta, receipt, "delta", err);
    if (status == PBY_OK && version_of(receipt) != 1 && (mpq_sgn(epsilon) > 0 || mpq_sgn(delta) > 0))
        status = check_spec(receipt, epsilon, delta, err);
    mpq_clears(epsilon, delta, (mpq_ptr)0);
    return status;
}

bool pby_proof_is(const json_t *root)
{
    return strcmp(pby_json_string(root, "format"), FORMAT) == 0;
}

pby_status pby_proof_open(json_t **out, char signer[PBY_SIGNER_SIZE], const char *text, size_t length,
                          pby_error *err)
{
    signer[0] = '\0';
    pby_status status = pby_document_read(out, text, length, err);
    if (status == PBY_OK)
        status = pby_proof_check(*out, err);
    if (status == PBY_OK)
        status = pby_signature_read(signer, *out, err);
    if (status == PBY_OK)
        status = check_words(*out, err);
    if (status == PBY_OK)
        status = check_statement(*out, err);
    if (status != PBY_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

/* Version 2 is held to the spec of the certificate, which is all that it proves. */
static pby_status check_claim(const pby_certificate *c, const json_t *receipt, pby_error *err)
{
    mpq_t epsilon, delta;
    mpq_inits(epsilon, delta, (mpq_ptr)0);
    pby_status status = read_number(epsilon, receipt, "epsilon", err);
    if (status == PBY_OK)
        status = read_number(delta, receipt, "delta", err);
    if (status == PBY_OK && version_of(receipt) != 1)
        status = check_spec(receipt, epsilon, delta, err);
    if (status == PBY_OK)
        status = compare(c, epsilon, delta, err);
    mpq_clears(epsilon, delta, (mpq_ptr)0);
    const char *spec = json_string_value(json_object_get(json_object_get(receipt, "statement"), "spec"));
    return status == PBY_OK && version_of(receipt) != 1 && strcmp(spec, pby_spec_text(c->spec)) != 0
               ? deny(err, "it is of another spec than the certificate")
               : status;
}

pby_status pby_proof_read(pby_certificate *c, const json_t *receipt, pby_error *err)
{
    if (receipt == NULL)
        return PBY_OK;
    pby_status status = pby_proof_check(receipt, err);
    if (status == PBY_OK)
        status = pby_signature_read(c->prover, receipt, err);
    if (status == PBY_OK && c->prover[0] == '\0')
        return deny(err, "a receipt without a signature; probity prove --sign KEY signs one");
    if (status == PBY_OK)
        status = check_words(receipt, err);
    if (status == PBY_OK)
        status = check_claim(c, receipt, err);
    if (status == PBY_OK) {
        c->proof = pby_certificate_encode(receipt);
        status = c->proof != NULL ? PBY_OK : pby_no_memory(err);
    }
    return status;
}

/* A receipt is an argument here: one for something else is refused as such, whoever signed it. */
static pby_status check_subject(const json_t *root, const json_t *receipt, pby_error *err)
{
    const char *wanted = json_string_value(json_object_get(root, "spec"));
    const json_t *statement = json_object_get(receipt, "statement");
    const char *name = json_string_value(json_object_get(statement, "mechanism"));
    const char *spec = json_string_value(json_object_get(statement, "spec"));
    const pby_status status = pby_proof_check(receipt, err);
    if (status != PBY_OK)
        return status;
    if (!pby_readable_ascii(name) || (spec != NULL && !pby_readable_ascii(spec)))
        return deny(err, "its statement has a character that is not printable");
    if (version_of(receipt) == 1)
        return pby_fail(err, PBY_BAD,
                        "proof: a receipt of version 1, which names no spec: expected one that this version "
                        "of probity prove writes");
    if (spec == NULL)
        return pby_fail(err, PBY_BAD, "proof: '%.60s' is proved to lose nothing: expected a proof of %s",
                        name, PBY_EXCERPT(wanted));
    return strcmp(spec, wanted) == 0 ? PBY_OK
                                     : pby_fail(err, PBY_BAD, "proof: of '%.60s', %s: expected one of %s",
                                                name, PBY_EXCERPT(spec), PBY_EXCERPT(wanted));
}

static pby_status set_proof(json_t *root, json_t *receipt, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    if (json_object_get(root, "signature") != NULL)
        return pby_fail(err, PBY_BAD, "certificate: signed already, expected one without a signature");
    if (json_object_set(root, "proof", receipt) != 0 || pby_certificate_digest(digest, root, err) != PBY_OK ||
        json_object_set_new(root, "digest", json_string(digest)) != 0)
        return pby_no_memory(err);
    return PBY_OK;
}

pby_status pby_proof_bind(char **out, const char *certificate, const char *receipt, size_t length,
                          pby_error *err)
{
    pby_certificate *c = NULL;
    bool whole;
    json_t *root = json_loads(certificate, JSON_REJECT_DUPLICATES, NULL);
    json_t *proof = json_loadb(receipt, length, JSON_REJECT_DUPLICATES, NULL);
    *out = NULL;
    pby_status status = root == NULL    ? pby_no_memory(err)
                        : proof == NULL ? deny(err, "not a receipt that probity prove wrote")
                                        : check_subject(root, proof, err);
    if (status == PBY_OK)
        status = set_proof(root, proof, err);
    if (status == PBY_OK) {
        *out = pby_certificate_encode(root);
        status = *out == NULL ? pby_no_memory(err)
                              : pby_certificate_read(&c, &whole, *out, strlen(*out), err);
    }
    if (status != PBY_OK) {
        free(*out);
        *out = NULL;
    }
    pby_certificate_free(c);
    json_decref(root);
    json_decref(proof);
    return status;
}

void pby_proof_set_rerun(pby_certificate *c)
{
    c->rerun = true;
}

bool pby_proof_is_rerun(const pby_certificate *c)
{
    return c->rerun;
}

const char *pby_proof_signer(const pby_certificate *c)
{
    return c->prover;
}
