/* SPDX-License-Identifier: MIT */
#include "certificate/certified_deployment.h"

#include <string.h>

#include "base/excerpt.h"
#include "base/json.h"
#include "certificate/document.h"
#include "deployment/deployment.h"
#include "io/digest.h"
#include "probity/experimental/certified.h"

/* ---- the member --------------------------------------------------------------------------------- */

static const char *const copied[] = {"horizon", "model", "name", "unit"};

/* The members of the file that are copied, and the file's digest. */
static pby_status member_of(json_t **out, const pby_deployment *d, pby_error *err)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    PBY_TRY(pby_certificate_digest(digest, d->root, err));
    json_t *member = json_pack("{s:s}", "digest", digest);
    bool whole = member != NULL;
    for (size_t i = 0; i < sizeof copied / sizeof *copied && whole; i++) {
        json_t *value = json_object_get(d->root, copied[i]);
        whole = value == NULL || json_object_set_new(member, copied[i], json_deep_copy(value)) == 0;
    }
    if (whole) {
        *out = member;
        return PBY_OK;
    }
    json_decref(member);
    return pby_no_memory(err);
}

/* Nobody is a user of one event or of one record: a unit of such is less than a user. */
static bool is_less_than_a_user(const pby_deployment *d)
{
    return d->entity != NULL && (strcmp(d->entity, "event") == 0 || strcmp(d->entity, "record") == 0);
}

/* Why a deployment cannot be what such a certificate is about; NULL where it can. */
static const char *at_odds(const pby_deployment *d, pby_neighbours relation, bool user)
{
    return d->has_relation && d->relation != relation ? "it has other neighbours than the certificate"
           : user && is_less_than_a_user(d)           ? "it protects less than a user, the certificate's unit"
                                                      : NULL;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static pby_status check_certificate(const pby_certificate *c, const pby_deployment *d, pby_error *err)
{
    const char *why = at_odds(d, c->relation, c->user != NULL);
    return why == NULL ? PBY_OK : pby_fail(err, PBY_BAD, "deployment: %s: %s", PBY_EXCERPT(d->name), why);
}

pby_status pby_certified_deployment_bind(char **out, const char *certificate, const pby_deployment *d,
                                         pby_error *err)
{
    pby_certificate *c;
    bool whole;
    json_t *member = NULL;
    *out = NULL;
    PBY_TRY(pby_certificate_read(&c, &whole, certificate, strlen(certificate), err));
    pby_status status = check_certificate(c, d, err);
    pby_certificate_free(c);
    PBY_TRY(status);
    PBY_TRY(member_of(&member, d, err));
    json_t *root = json_loads(certificate, JSON_REJECT_DUPLICATES, NULL);
    json_object_del(root, "signature"); /* it was about another text */
    status = pby_json_set(root, "deployment", member, err);
    if (status == PBY_OK)
        status = pby_document_seal(root, err);
    if (status == PBY_OK && (*out = pby_certificate_encode(root)) == NULL)
        status = pby_no_memory(err);
    json_decref(root);
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* The member as a deployment of its own, which says nothing else. */
static pby_status read_member(pby_deployment **out, const json_t *member, pby_error *err)
{
    json_t *alone = json_pack("{s:s, s:i}", "format", "probity-deployment", "version", 1);
    bool whole = alone != NULL;
    for (size_t i = 0; i < sizeof copied / sizeof *copied && whole; i++) {
        json_t *value = json_object_get(member, copied[i]);
        whole = value == NULL || json_object_set(alone, copied[i], value) == 0;
    }
    const pby_status status = whole ? pby_deployment_of_json(out, alone, err) : pby_no_memory(err);
    json_decref(alone);
    return status;
}

static pby_status deny(pby_error *err, const char *why)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "deployment: %.400s", why);
}

static pby_status check_member(const pby_certificate *c, const json_t *member, pby_error *err)
{
    const char *digest = pby_json_string(member, "digest");
    pby_deployment *d;
    pby_error why = PBY_NO_ERROR;
    if (strncmp(digest, "sha256:", 7) != 0 || !pby_digest_is(digest + 7))
        return pby_certificate_deny(err, "deployment.digest", digest, "sha256: and 64 hexadecimal digits");
    const pby_status status = read_member(&d, member, &why);
    if (status != PBY_OK)
        return status == PBY_BAD ? deny(err, why.text) : pby_fail(err, status, "%s", why.text);
    const char *odd = at_odds(d, c->relation, c->user != NULL);
    pby_deployment_free(d);
    return odd == NULL ? PBY_OK : deny(err, odd);
}

pby_status pby_certified_deployment_read(pby_certificate *c, const json_t *member, pby_error *err)
{
    static const char *const fields[] = {"digest", "name", "horizon", "model", "unit"};
    if (member == NULL)
        return PBY_OK;
    PBY_TRY(pby_certificate_object(member, "deployment", fields, sizeof fields / sizeof *fields, 3, err));
    PBY_TRY(check_member(c, member, err));
    c->deployment = pby_json_text(json_deep_copy(member), JSON_COMPACT | JSON_SORT_KEYS);
    return c->deployment != NULL ? PBY_OK : pby_no_memory(err);
}

pby_status pby_certified_deployment_signed(const pby_certificate *c, pby_error *err)
{
    return c->deployment == NULL || c->signer[0] != '\0'
               ? PBY_OK
               : deny(err, "nothing computes it, and nobody signed it: expected a signature");
}

pby_status pby_certified_deployment_compare(const pby_certificate *c, const pby_deployment *d, pby_error *err)
{
    json_t *member = NULL;
    if (c->deployment == NULL)
        return deny(err, "the certificate is about none");
    PBY_TRY(member_of(&member, d, err));
    json_t *stated = json_loads(c->deployment, 0, NULL);
    const bool same = json_equal(stated, member);
    json_decref(stated);
    json_decref(member);
    return same ? PBY_OK : deny(err, "the file is not the one that the certificate is about");
}

const char *pby_certificate_deployment(const pby_certificate *c)
{
    return c->deployment;
}

pby_status pby_certify_deployment(char **text, const char *certificate, const char *file, size_t length,
                                  pby_error *err)
{
    pby_deployment *d;
    *text = NULL;
    PBY_TRY(pby_deployment_read(&d, file, length, err));
    const pby_status status = pby_certified_deployment_bind(text, certificate, d, err);
    pby_deployment_free(d);
    return status;
}
