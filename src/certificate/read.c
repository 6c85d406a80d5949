/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/certified_deployment.h"
#include "certificate/certified_plan.h"
#include "certificate/divergence_claim.h"
#include "certificate/document.h"
#include "certificate/proof.h"
#include "certificate/unit.h"
#include "io/digest.h"
#include "number/scoped.h"

static pby_status check_head(const json_t *root, pby_error *err)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    if (format == NULL)
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "not a certificate: it has no format");
    if (strcmp(format, PBY_CERTIFICATE_FORMAT) != 0)
        return pby_certificate_deny(err, "format", format, "'" PBY_CERTIFICATE_FORMAT "'");
    const json_t *version = json_object_get(root, "version");
    if (!json_is_integer(version))
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "field 'version' is not an integer");
    if (json_integer_value(version) != PBY_CERTIFICATE_VERSION &&
        json_integer_value(version) != PBY_CERTIFICATE_CLAIMING)
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "version '%lld': expected %d or %d",
                           (long long)json_integer_value(version), PBY_CERTIFICATE_VERSION,
                           PBY_CERTIFICATE_CLAIMING);
    return PBY_OK;
}

static bool claims(const json_t *root)
{
    return json_integer_value(json_object_get(root, "version")) == PBY_CERTIFICATE_CLAIMING;
}

/* A certificate of version 2 has a claim in the place of epsilon and delta. */
static pby_status check_claiming(const json_t *root, pby_error *err)
{
    static const char *const fields[] = {"claim",      "computed_with", "digest",  "format",
                                         "neighbours", "spec",          "version", "deployment",
                                         "plan",       "signature",     "unit"};
    PBY_TRY(pby_certificate_object(root, "certificate", fields, sizeof fields / sizeof *fields, 4, err));
    return pby_document_tools_check(root, err);
}

static pby_status check_fields(const json_t *root, pby_error *err)
{
    static const char *const fields[] = {"computed_with", "delta",     "digest",  "epsilon",  "format",
                                         "neighbours",    "spec",      "version", "accuracy", "plan",
                                         "proof",         "signature", "theorem", "unit",     "deployment"};
    static const char *const ends[] = {"hi", "lo"};
    if (!json_is_object(root))
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "not a certificate: it is not a JSON object");
    pby_status status = check_head(root, err);
    if (status == PBY_OK && claims(root))
        return check_claiming(root, err);
    if (status == PBY_OK)
        status = pby_certificate_object(root, "certificate", fields, sizeof fields / sizeof *fields, 7, err);
    if (status == PBY_OK)
        status = pby_certificate_object(json_object_get(root, "delta"), "delta", ends, 2, 0, err);
    return status == PBY_OK ? pby_document_tools_check(root, err) : status;
}

static pby_status read_spec(pby_certificate *c, const json_t *root, pby_error *err)
{
    const char *text;
    PBY_TRY(pby_certificate_string(&text, root, "spec", err));
    PBY_TRY(pby_certificate_verdict(pby_spec_parse(&c->spec, &text, 1, err), err));
    if (strcmp(text, pby_spec_text(c->spec)) != 0)
        return pby_certificate_deny(err, "spec", text, "its canonical text");
    return PBY_OK;
}

static pby_status read_neighbours(pby_certificate *c, const json_t *root, pby_error *err)
{
    const char *text;
    PBY_TRY(pby_certificate_string(&text, root, "neighbours", err));
    return pby_certificate_verdict(pby_neighbours_parse(&c->relation, "neighbours", text, err), err);
}

static pby_status read_epsilon(pby_certificate *c, const json_t *root, pby_error *err)
{
    const pby_status status = pby_certificate_rational(c->epsilon, root, "epsilon", err);
    if (status == PBY_OK)
        c->epsilon_text = mpq_get_str(NULL, 10, c->epsilon);
    return status;
}

/* A unit that is not stated is a record. */
static pby_status read_unit(pby_certificate *c, const json_t *root, pby_error *err)
{
    static const char expected[] = "'" PBY_CERTIFICATE_USER "' and the name of a column";
    const size_t size = strlen(PBY_CERTIFICATE_USER);
    const char *text;
    if (json_object_get(root, "unit") == NULL)
        return PBY_OK;
    const pby_status status = pby_certificate_string(&text, root, "unit", err);
    if (status != PBY_OK)
        return status;
    if (strncmp(text, PBY_CERTIFICATE_USER, size) != 0 || pby_unit_check("unit", text + size, NULL) != PBY_OK)
        return pby_certificate_deny(err, "unit", text, expected);
    c->user = strdup(text + size);
    return c->user != NULL ? PBY_OK : pby_no_memory(err);
}

static pby_status read_theorem(pby_certificate *c, const json_t *root, pby_error *err)
{
    const char *text;
    if (json_object_get(root, "theorem") == NULL)
        return PBY_OK;
    PBY_TRY(pby_certificate_string(&text, root, "theorem", err));
    if (strncmp(text, "sha256:", 7) != 0 || !pby_digest_is(text + 7))
        return pby_certificate_deny(err, "theorem", text, "sha256: and 64 hexadecimal digits");
    strcpy(c->theorem, text);
    return PBY_OK;
}

/* A delta is a probability, and the writer cuts its enclosure to what one can be. */
static pby_status read_delta(pby_certificate *c, const json_t *delta, pby_error *err)
{
    static const char expected[] = "a decimal from 0 to 1";
    PBY_TRY(pby_certificate_decimal(c->delta.lo, &c->lo_text, delta, "delta", "lo", MPFR_RNDU, err));
    PBY_TRY(pby_certificate_decimal(c->delta.hi, &c->hi_text, delta, "delta", "hi", MPFR_RNDD, err));
    if (*c->lo_text == '-')
        return pby_certificate_deny(err, "delta.lo", c->lo_text, expected);
    return mpfr_cmp_ui(c->delta.hi, 1) <= 0 ? PBY_OK
                                            : pby_certificate_deny(err, "delta.hi", c->hi_text, expected);
}

static pby_status read_values(pby_certificate *c, const json_t *root, pby_error *err)
{
    PBY_TRY(read_spec(c, root, err));
    PBY_TRY(read_neighbours(c, root, err));
    PBY_TRY(read_unit(c, root, err));
    if (claims(root)) {
        PBY_TRY(pby_divergence_read(c, json_object_get(root, "claim"), err));
        return pby_certificate_read_plan(c, json_object_get(root, "plan"), err);
    }
    PBY_TRY(read_epsilon(c, root, err));
    PBY_TRY(read_delta(c, json_object_get(root, "delta"), err));
    PBY_TRY(pby_accuracy_read(c, json_object_get(root, "accuracy"), err));
    PBY_TRY(read_theorem(c, root, err));
    PBY_TRY(pby_certificate_read_plan(c, json_object_get(root, "plan"), err));
    return pby_proof_read(c, json_object_get(root, "proof"), err);
}

static pby_status check_canonical(const json_t *root, const char *text, size_t length, pby_error *err)
{
    char *again = pby_certificate_encode(root);
    if (again == NULL)
        return pby_no_memory(err);
    const size_t size = strlen(again), shorter = size < length ? size : length;
    size_t at = 0;
    while (at < shorter && again[at] == text[at])
        at++;
    free(again);
    return at == size && at == length
               ? PBY_OK
               : pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                             "not in canonical form: byte %zu is not the one that belongs there", at);
}

static pby_status check_digest(bool *holds, const json_t *root, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    const char *text;
    pby_status status = pby_certificate_string(&text, root, "digest", err);
    if (status == PBY_OK)
        status = pby_certificate_digest(digest, root, err);
    *holds = status == PBY_OK && strcmp(text, digest) == 0;
    return status;
}

pby_status pby_certificate_read(pby_certificate **out, bool *digest_holds, const char *text, size_t length,
                                pby_error *err)
{
    json_error_t why;
    *out = NULL;
    if (length > PBY_CERTIFICATE_SIZE_MAX)
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "not a certificate: longer than %d bytes",
                           PBY_CERTIFICATE_SIZE_MAX);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (root == NULL)
        return pby_json_spent(&why, text) ? pby_no_memory(err)
                                          : pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                                                        "not a certificate: line %d is not JSON", why.line);
    pby_certificate *c = calloc(1, sizeof *c);
    if (c == NULL) {
        json_decref(root);
        return pby_no_memory(err);
    }
    mpq_inits(c->epsilon, c->width, (mpq_ptr)0);
    pby_enclosure_init(&c->delta);
    pby_accuracy_init(&c->accuracy);
    pby_status status = check_fields(root, err);
    if (status == PBY_OK)
        status = check_canonical(root, text, length, err);
    if (status == PBY_OK)
        status = read_values(c, root, err);
    if (status == PBY_OK)
        status = check_digest(digest_holds, root, err);
    if (status == PBY_OK)
        status = pby_signature_read(c->signer, root, err);
    if (status == PBY_OK)
        status = pby_certified_deployment_read(c, json_object_get(root, "deployment"), err);
    json_decref(root);
    if (status == PBY_OK)
        *out = c;
    else
        pby_certificate_free(c);
    return status;
}

void pby_certificate_free(pby_certificate *c)
{
    if (c == NULL)
        return;
    pby_spec_free(c->spec);
    mpq_clears(c->epsilon, c->width, (mpq_ptr)0);
    pby_enclosure_clear(&c->delta);
    pby_accuracy_clear(&c->accuracy);
    free(c->epsilon_text);
    free(c->value_text);
    free(c->lo_text);
    free(c->hi_text);
    free(c->user);
    free(c->proof);
    free(c->deployment);
    free(c);
}
