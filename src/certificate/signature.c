/* SPDX-License-Identifier: MIT */
/* The signature in a certificate: ed25519:KEY:PROOF, both in hexadecimal. What is signed is the canonical
 * bytes of the certificate without a signature. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"

#define SIGNATURE "ed25519:"

enum {
    KEY = crypto_sign_PUBLICKEYBYTES,
    PROOF = crypto_sign_BYTES,
    PROOF_SIZE = sizeof SIGNATURE - 1 + 2 * KEY + 1 + 2 * PROOF + 1 /* with its NUL */
};

static const char *const signature_field[] = {"signature", NULL};

bool pby_hex_read(unsigned char *out, size_t n, const char *text)
{
    size_t size = 0;
    return strspn(text, "0123456789abcdef") >= 2 * n &&
           sodium_hex2bin(out, n, text, 2 * n, NULL, &size, NULL) == 0 && size == n;
}

static void sign_bytes(char text[PROOF_SIZE], const char *bytes,
                       const unsigned char seed[crypto_sign_SEEDBYTES])
{
    unsigned char whole[crypto_sign_SECRETKEYBYTES], key[KEY], proof[PROOF];
    char *at = text + sizeof SIGNATURE - 1;
    crypto_sign_seed_keypair(key, whole, seed);
    crypto_sign_detached(proof, NULL, (const unsigned char *)bytes, strlen(bytes), whole);
    sodium_memzero(whole, sizeof whole);
    memcpy(text, SIGNATURE, sizeof SIGNATURE - 1);
    sodium_bin2hex(at, 2 * KEY + 1, key, KEY);
    at[2 * KEY] = ':';
    sodium_bin2hex(at + 2 * KEY + 1, 2 * PROOF + 1, proof, PROOF);
}

pby_status pby_signature_set(json_t *root, const unsigned char *seed, pby_error *err)
{
    char proof[PROOF_SIZE];
    char *bytes = pby_certificate_without(root, signature_field);
    if (bytes == NULL)
        return pby_no_memory(err);
    sign_bytes(proof, bytes, seed);
    free(bytes);
    return json_object_set_new(root, "signature", json_string(proof)) == 0 ? PBY_OK : pby_no_memory(err);
}

static bool read_proof(unsigned char key[KEY], unsigned char proof[PROOF], const char *text)
{
    const char *at = text + sizeof SIGNATURE - 1;
    return strlen(text) == PROOF_SIZE - 1 && memcmp(text, SIGNATURE, sizeof SIGNATURE - 1) == 0 &&
           at[2 * KEY] == ':' && pby_hex_read(key, KEY, at) && pby_hex_read(proof, PROOF, at + 2 * KEY + 1);
}

pby_status pby_signature_read(char signer[PBY_SIGNER_SIZE], const json_t *root, pby_error *err)
{
    unsigned char key[KEY], proof[PROOF];
    const char *text;
    if (json_object_get(root, "signature") == NULL)
        return PBY_OK;
    const pby_status status = pby_certificate_string(&text, root, "signature", err);
    if (status != PBY_OK)
        return status;
    if (!read_proof(key, proof, text))
        return pby_certificate_deny(err, "signature", text,
                                    "ed25519:, a public key, a colon and a signature");
    char *bytes = pby_certificate_without(root, signature_field);
    if (bytes == NULL)
        return pby_no_memory(err);
    const bool valid = crypto_sign_verify_detached(proof, (const unsigned char *)bytes, strlen(bytes), key) ==
                       0;
    free(bytes);
    if (!valid)
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                           "signature: not that of this certificate by the key that it names");
    sodium_bin2hex(signer, PBY_SIGNER_SIZE, key, KEY);
    return PBY_OK;
}
