/* SPDX-License-Identifier: MIT */
#include "certificate/envelope.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/readable.h"
#include "certificate/document.h"
#include "io/digest.h"

#define PAYLOAD_TYPE   "application/vnd.in-toto+json"
#define STATEMENT_TYPE "https://in-toto.io/Statement/v1"

enum {
    KEY = crypto_sign_PUBLICKEYBYTES,
    PROOF = crypto_sign_BYTES,
    BASE64 = sodium_base64_VARIANT_ORIGINAL,
    NAME_MAX_BYTES = 255
};

static pby_status deny(pby_error *err, const char *why)
{
    return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "statement: %s", why);
}

bool pby_statement_is(const json_t *root)
{
    return strcmp(pby_json_string(root, "_type"), STATEMENT_TYPE) == 0;
}

bool pby_envelope_is(const json_t *root)
{
    return strcmp(pby_json_string(root, "payloadType"), PAYLOAD_TYPE) == 0;
}

/* ---- the statement ---------------------------------------------------------------------------- */

/* Such text is shown, and whoever wrote it may be a stranger. */
static bool is_name(const char *text)
{
    return text[0] != '\0' && strlen(text) <= NAME_MAX_BYTES && pby_readable_ascii(text);
}

/* A subject is a file that lies beside the envelope: its name leads to no other folder. */
static bool is_subject(const json_t *subject)
{
    const char *name = pby_json_string(subject, "name");
    return is_name(name) && name[0] != '.' && strchr(name, '/') == NULL &&
           pby_digest_is(pby_json_string(json_object_get(subject, "digest"), "sha256"));
}

static pby_status check_statement(const json_t *statement, pby_error *err)
{
    const json_t *subjects = json_object_get(statement, "subject");
    const size_t count = json_array_size(subjects);
    if (strcmp(pby_json_string(statement, "_type"), STATEMENT_TYPE) != 0)
        return deny(err, "_type: expected " STATEMENT_TYPE);
    if (count == 0 || count > PBY_SUBJECTS_MAX)
        return deny(err, "subject: expected a list of 1 to 1000 files");
    for (size_t i = 0; i < count; i++)
        if (!is_subject(json_array_get(subjects, i)))
            return deny(err,
                        "subject: expected for each the name of a file without a folder, and its SHA-256");
    return is_name(pby_json_string(statement, "predicateType"))
               ? PBY_OK
               : deny(err, "predicateType: expected what the statement is about");
}

/* ---- the envelope ----------------------------------------------------------------------------- */

/* The bytes that are signed, for free(3): both lengths stand before what they are of, so that no other type
 * and payload have the same. */
static char *authenticated(size_t *size, const void *payload, size_t length)
{
    char head[128];
    const int n =
        snprintf(head, sizeof head, "DSSEv1 %zu %s %zu ", strlen(PAYLOAD_TYPE), PAYLOAD_TYPE, length);
    char *out = malloc((size_t)n + length);
    if (out == NULL)
        return NULL;
    memcpy(out, head, (size_t)n);
    memcpy(out + n, payload, length);
    *size = (size_t)n + length;
    return out;
}

/* The bytes in base64, for free(3). */
static char *encoded(const void *bytes, size_t length)
{
    const size_t size = sodium_base64_encoded_len(length, BASE64);
    char *text = malloc(size);
    return text == NULL ? NULL : sodium_bin2base64(text, size, bytes, length, BASE64);
}

static json_t *taken_string(char *text)
{
    json_t *string = text == NULL ? NULL : json_string(text);
    free(text);
    return string;
}

static char *envelope(const char *payload, size_t length, const char *keyid, const unsigned char proof[PROOF])
{
    json_t *root = json_pack("{s:o, s:s, s:[{s:s, s:o}]}", "payload", taken_string(encoded(payload, length)),
                             "payloadType", PAYLOAD_TYPE, "signatures", "keyid", keyid, "sig",
                             taken_string(encoded(proof, PROOF)));
    char *text = root == NULL ? NULL : pby_certificate_encode(root);
    json_decref(root);
    return text;
}

static pby_status sign(char **out, const char *text, size_t length,
                       const unsigned char seed[crypto_sign_SEEDBYTES], pby_error *err)
{
    unsigned char whole[crypto_sign_SECRETKEYBYTES], key[KEY], proof[PROOF];
    char keyid[PBY_SIGNER_SIZE];
    size_t size;
    char *bytes = authenticated(&size, text, length);
    if (bytes == NULL)
        return pby_no_memory(err);
    crypto_sign_seed_keypair(key, whole, seed);
    crypto_sign_detached(proof, NULL, (const unsigned char *)bytes, size, whole);
    sodium_memzero(whole, sizeof whole);
    free(bytes);
    sodium_bin2hex(keyid, sizeof keyid, key, KEY);
    *out = envelope(text, length, keyid, proof);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

pby_status pby_envelope_sign(char **out, const char *text, size_t length, const char *secret, pby_error *err)
{
    unsigned char seed[crypto_sign_SEEDBYTES];
    *out = NULL;
    pby_status status = pby_secret_read(seed, secret, err);
    if (status == PBY_OK) {
        json_t *statement;
        status = pby_json_read(&statement, text, length, err);
        if (status == PBY_OK)
            status = check_statement(statement, err);
        json_decref(statement);
    }
    if (status == PBY_OK)
        status = sign(out, text, length, seed, err);
    sodium_memzero(seed, sizeof seed);
    return status;
}

/* Base64 of at most `size` bytes, and nothing behind it. */
static bool decode(unsigned char *out, size_t size, size_t *length, const char *text)
{
    return sodium_base642bin(out, size, text, strlen(text), NULL, length, NULL, BASE64) == 0;
}

static bool is_signed(const char *payload, size_t length, const json_t *signature, pby_status *status,
                      pby_error *err)
{
    unsigned char key[KEY], proof[PROOF];
    size_t proof_length, size;
    const char *keyid = pby_json_string(signature, "keyid");
    if (strlen(keyid) != 2 * KEY || !pby_hex_read(key, KEY, keyid) ||
        !decode(proof, PROOF, &proof_length, pby_json_string(signature, "sig")) || proof_length != PROOF)
        return false;
    char *bytes = authenticated(&size, payload, length);
    if (bytes == NULL)
        *status = pby_no_memory(err);
    const bool valid = bytes != NULL &&
                       crypto_sign_verify_detached(proof, (const unsigned char *)bytes, size, key) == 0;
    free(bytes);
    return valid;
}

/* The payload of an envelope whose signature is valid, parsed. */
static pby_status open_envelope(json_t **statement, const json_t *root, const char *text, char *payload,
                                size_t room, pby_error *err)
{
    const json_t *signatures = json_object_get(root, "signatures"), *first = json_array_get(signatures, 0);
    size_t length;
    pby_status status = PBY_OK;
    if (json_object_size(root) != 3 || strcmp(pby_json_string(root, "payloadType"), PAYLOAD_TYPE) != 0 ||
        json_array_size(signatures) != 1 || json_object_size(first) != 2)
        return deny(err, "expected payload, payloadType " PAYLOAD_TYPE " and one of signatures");
    if (!decode((unsigned char *)payload, room, &length, text))
        return deny(err, "payload: expected base64");
    if (!is_signed(payload, length, first, &status, err))
        return status != PBY_OK
                   ? status
                   : deny(err, "the signature is not that of these bytes by the key that it names");
    PBY_TRY(pby_json_read(statement, payload, length, err));
    return check_statement(*statement, err);
}

pby_status pby_envelope_open(json_t **statement, char signer[PBY_SIGNER_SIZE], const char *text,
                             size_t length, pby_error *err)
{
    *statement = NULL;
    signer[0] = '\0';
    if (sodium_init() < 0)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY, "libsodium cannot be used");
    json_t *root;
    PBY_TRY(pby_json_read(&root, text, length, err));
    char *payload = malloc(length + 1);
    pby_status status = payload == NULL ? pby_no_memory(err)
                                        : open_envelope(statement, root, pby_json_string(root, "payload"),
                                                        payload, length + 1, err);
    if (status == PBY_OK)
        memcpy(signer, pby_json_string(json_array_get(json_object_get(root, "signatures"), 0), "keyid"),
               PBY_SIGNER_SIZE);
    else {
        json_decref(*statement);
        *statement = NULL;
    }
    free(payload);
    json_decref(root);
    return status;
}

pby_status pby_envelope_signed_by(const char *signer, const char *public_key, pby_error *err)
{
    char expected[PBY_SIGNER_SIZE];
    const pby_status status = pby_signer_read(expected, public_key, err);
    return status != PBY_OK || strcmp(signer, expected) == 0
               ? status
               : pby_certificate_deny(err, "signature by", signer, expected);
}
