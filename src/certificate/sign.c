/* SPDX-License-Identifier: MIT */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/document.h"
#include "certificate/proof.h"
#include "probity/experimental/entropy.h"
#include "probity/key.h"

#define SECRET "probity-ed25519-secret:"
#define PUBLIC "probity-ed25519-public:"

enum { SEED = crypto_sign_SEEDBYTES, KEY = crypto_sign_PUBLICKEYBYTES, PREFIX = sizeof SECRET - 1 };

static bool read_key(unsigned char out[KEY], const char *prefix, const char *text)
{
    return strncmp(text, prefix, PREFIX) == 0 && pby_hex_read(out, KEY, text + PREFIX) &&
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
    uint64_t words[SEED / sizeof(uint64_t)];
    pby_entropy *source;
    pby_status status =
        pby_entropy_system(&source, err); /* libsodium's own generator aborts without entropy */
    if (status == PBY_OK)
        status = pby_entropy_words(source, words, sizeof words / sizeof *words, err);
    pby_entropy_free(source);
    if (status != PBY_OK)
        return status;
    memcpy(seed, words, sizeof seed);
    sodium_memzero(words, sizeof words);
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

static pby_status add_signature(char **out, const char *text, size_t length, const unsigned char seed[SEED],
                                pby_error *err)
{
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const pby_status status = root == NULL ? pby_no_memory(err) : pby_signature_set(root, seed, err);
    if (status == PBY_OK)
        *out = pby_certificate_encode(root);
    json_decref(root);
    return status == PBY_OK && *out == NULL ? pby_no_memory(err) : status;
}

static pby_status check_certificate(const char *text, size_t length, pby_error *err)
{
    pby_certificate *c;
    bool digest_holds;
    const pby_status status = pby_certificate_read(&c, &digest_holds, text, length, err);
    pby_certificate_free(c);
    return status == PBY_OK && !digest_holds ? pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                                                           "digest: the file is not the one that was written")
                                             : status;
}

static pby_status check_receipt(const char *text, size_t length, pby_error *err)
{
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const pby_status status = pby_proof_check(root, err);
    json_decref(root);
    return status;
}

pby_status pby_secret_read(unsigned char *seed, const char *secret, pby_error *err)
{
    if (sodium_init() < 0)
        return pby_fail_by(err, PBY_FAILED, PBY_REASON_ENTROPY, "libsodium cannot be used");
    return read_key(seed, SECRET, secret)
               ? PBY_OK
               : pby_fail(err, PBY_BAD, "secret key (not shown): expected " SECRET " and %d digits", 2 * KEY);
}

/* Signs what the check lets pass. */
static pby_status sign_checked(char **out, const char *text, size_t length, const char *secret,
                               pby_status (*check)(const char *, size_t, pby_error *), pby_error *err)
{
    unsigned char seed[SEED];
    *out = NULL;
    pby_status status = pby_secret_read(seed, secret, err);
    if (status == PBY_OK)
        status = check(text, length, err);
    if (status == PBY_OK)
        status = add_signature(out, text, length, seed, err);
    sodium_memzero(seed, sizeof seed);
    return status;
}

pby_status pby_document_sign(json_t *root, const char *secret, pby_error *err)
{
    unsigned char seed[SEED];
    pby_status status = pby_secret_read(seed, secret, err);
    if (status == PBY_OK)
        status = pby_signature_set(root, seed, err);
    sodium_memzero(seed, sizeof seed);
    return status;
}

pby_status pby_certificate_sign(char **out, const char *text, size_t length, const char *secret,
                                pby_error *err)
{
    return sign_checked(out, text, length, secret, check_certificate, err);
}

pby_status pby_proof_sign(char **out, const char *text, size_t length, const char *secret, pby_error *err)
{
    return sign_checked(out, text, length, secret, check_receipt, err);
}

/* ---- checking --------------------------------------------------------------------------------- */

pby_status pby_signer_read(char signer[PBY_SIGNER_SIZE], const char *public_key, pby_error *err)
{
    unsigned char key[KEY];
    if (!read_key(key, PUBLIC, public_key))
        return pby_fail(err, PBY_BAD, "public key (not shown): expected " PUBLIC " and %d digits", 2 * KEY);
    sodium_bin2hex(signer, PBY_SIGNER_SIZE, key, KEY);
    return PBY_OK;
}

/* PBY_NO unless who signed ("": nobody) is who was expected. */
static pby_status compare_signers(const char *signer, const char *expected, pby_error *err)
{
    if (signer[0] == '\0')
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE,
                           "signature: there is none, expected one by %s", expected);
    return strcmp(signer, expected) == 0 ? PBY_OK
                                         : pby_certificate_deny(err, "signature by", signer, expected);
}

pby_status pby_document_signed_by(const json_t *root, const char *public_key, pby_error *err)
{
    char expected[PBY_SIGNER_SIZE], signer[PBY_SIGNER_SIZE] = "";
    pby_status status = pby_signer_read(expected, public_key, err);
    if (status == PBY_OK)
        status = pby_signature_read(signer, root, err);
    return status == PBY_OK ? compare_signers(signer, expected, err) : status;
}

pby_status pby_verify_signed(pby_certificate **out, const char *text, size_t length, const char *public_key,
                             pby_error *err)
{
    char expected[PBY_SIGNER_SIZE];
    pby_certificate *c = NULL;
    if (out != NULL)
        *out = NULL;
    pby_status status = pby_signer_read(expected, public_key, err);
    if (status == PBY_OK)
        status = pby_verify(&c, text, length, err);
    if (status == PBY_OK)
        status = compare_signers(c->signer, expected, err);
    if (status == PBY_OK && out != NULL)
        *out = c;
    else
        pby_certificate_free(c);
    return status;
}
