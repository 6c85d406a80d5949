#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "probity/key.h"

#define SECRET "probity-ed25519-secret:"
#define PUBLIC "probity-ed25519-public:"
#define SIGNATURE "ed25519:"

enum {
    SEED = crypto_sign_SEEDBYTES,
    KEY = crypto_sign_PUBLICKEYBYTES,
    PREFIX = sizeof SECRET - 1,
    PROOF = crypto_sign_BYTES,
    PROOF_SIZE = sizeof SIGNATURE - 1 + 2 * KEY + 1 + 2 * PROOF + 1 /* ed25519:KEY:PROOF and NUL */
};

static const char *const signature_field[] = {"signature", NULL};

/* Exactly 2n hexadecimal digits in lower case. */
static bool read_hex(unsigned char *out, size_t n, const char *text)
{
    size_t size = 0;
    return strspn(text, "0123456789abcdef") >= 2 * n &&
           sodium_hex2bin(out, n, text, 2 * n, NULL, &size, NULL) == 0 && size == n;
}

static bool read_key(unsigned char out[KEY], const char *prefix, const char *text)
{
    return strncmp(text, prefix, PREFIX) == 0 && read_hex(out, KEY, text + PREFIX) &&
           (strcmp(text + PREFIX + 2 * KEY, "\n") == 0 || text[PREFIX + 2 * KEY] == '\0');
}

static void write_key(char text[PBY_KEY_SIZE], const char *prefix, const unsigned char key[KEY])
{
    memcpy(text, prefix, PREFIX);
    sodium_bin2hex(text + PREFIX, 2 * KEY + 1, key, KEY);
    memcpy(text + PREFIX + 2 * KEY, "\n", 2);
}

pby_status pby_key_generate(char secret[PBY_KEY_SIZE], char public_key[PBY_KEY_SIZE], pby_error *err)
{
    unsigned char seed[SEED], whole[crypto_sign_SECRETKEYBYTES], key[KEY];
    if (sodium_init() < 0)
        return pby_fail(err, PBY_FAILED, "no entropy for a key");
    randombytes_buf(seed, sizeof seed);
    crypto_sign_seed_keypair(key, whole, seed);
    write_key(secret, SECRET, seed);
    write_key(public_key, PUBLIC, key);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(whole, sizeof whole);
    return PBY_OK;
}

bool pby_key_is_secret(const char *text)
{
    unsigned char seed[SEED];
    const bool is = read_key(seed, SECRET, text);
    sodium_memzero(seed, sizeof seed);
    return is;
}

bool pby_key_is_public(const char *text)
{
    unsigned char key[KEY];
    return read_key(key, PUBLIC, text);
}

/* ---- signing ---------------------------------------------------------------------------------- */

/* What is signed: the canonical bytes of the certificate without a signature. */
static void sign_bytes(char text[PROOF_SIZE], const char *bytes, const unsigned char seed[SEED])
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

static pby_status add_signature(char **out, json_t *root, const unsigned char seed[SEED], pby_error *err)
{
    char proof[PROOF_SIZE];
    char *bytes = pby_certificate_without(root, signature_field);
    if (bytes == NULL)
        return pby_no_memory(err);
    sign_bytes(proof, bytes, seed);
    free(bytes);
    if (json_object_set_new(root, "signature", json_string(proof)) == 0)
        *out = pby_certificate_encode(root);
    return *out != NULL ? PBY_OK : pby_no_memory(err);
}

pby_status pby_certificate_sign(char **out, const char *text, size_t length, const char *secret, pby_error *err)
{
    unsigned char seed[SEED];
    pby_certificate *c;
    int digest_holds;
    *out = NULL;
    if (sodium_init() < 0)
        return pby_fail(err, PBY_FAILED, "libsodium cannot be used");
    if (!read_key(seed, SECRET, secret)) {
        sodium_memzero(seed, sizeof seed);
        return pby_fail(err, PBY_BAD, "secret key (not shown): expected " SECRET " and %d digits", 2 * KEY);
    }
    pby_status status = pby_certificate_read(&c, &digest_holds, text, length, err);
    pby_certificate_free(c);
    if (status == PBY_OK && !digest_holds)
        status = pby_fail(err, PBY_NO, "digest: the file is not the one that was written");
    if (status == PBY_OK) {
        json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
        status = root == NULL ? pby_no_memory(err) : add_signature(out, root, seed, err);
        json_decref(root);
    }
    sodium_memzero(seed, sizeof seed);
    return status;
}

/* ---- checking --------------------------------------------------------------------------------- */

static bool read_proof(unsigned char key[KEY], unsigned char proof[PROOF], const char *text)
{
    const char *at = text + sizeof SIGNATURE - 1;
    return strlen(text) == PROOF_SIZE - 1 && memcmp(text, SIGNATURE, sizeof SIGNATURE - 1) == 0 &&
           at[2 * KEY] == ':' && read_hex(key, KEY, at) && read_hex(proof, PROOF, at + 2 * KEY + 1);
}

pby_status pby_signature_read(pby_certificate *c, const json_t *root, pby_error *err)
{
    unsigned char key[KEY], proof[PROOF];
    const char *text;
    if (json_object_get(root, "signature") == NULL)
        return PBY_OK;
    const pby_status status = pby_certificate_string(&text, root, "signature", err);
    if (status != PBY_OK)
        return status;
    if (!read_proof(key, proof, text))
        return pby_certificate_deny(err, "signature", text, "ed25519:, a public key, a colon and a signature");
    char *bytes = pby_certificate_without(root, signature_field);
    if (bytes == NULL)
        return pby_no_memory(err);
    const int bad = crypto_sign_verify_detached(proof, (const unsigned char *)bytes, strlen(bytes), key);
    free(bytes);
    if (bad)
        return pby_fail(err, PBY_NO, "signature: not that of this certificate by the key that it names");
    sodium_bin2hex(c->signer, sizeof c->signer, key, KEY);
    return PBY_OK;
}

pby_status pby_verify_signed(pby_certificate **out, const char *text, size_t length, const char *public_key,
                             pby_error *err)
{
    unsigned char key[KEY];
    char expected[PBY_SIGNER_SIZE];
    pby_certificate *c = NULL;
    if (out != NULL)
        *out = NULL;
    if (!read_key(key, PUBLIC, public_key))
        return pby_fail(err, PBY_BAD, "public key (not shown): expected " PUBLIC " and %d digits", 2 * KEY);
    sodium_bin2hex(expected, sizeof expected, key, KEY);
    pby_status status = pby_verify(&c, text, length, err);
    if (status == PBY_OK && c->signer[0] == '\0')
        status = pby_fail(err, PBY_NO, "signature: there is none, expected one by %s", expected);
    else if (status == PBY_OK && strcmp(c->signer, expected) != 0)
        status = pby_certificate_deny(err, "signature by", c->signer, expected);
    if (status == PBY_OK && out != NULL)
        *out = c;
    else
        pby_certificate_free(c);
    return status;
}
