/* SPDX-License-Identifier: MIT */
/* An envelope of DSSE is refused on one line, or it holds a statement that can be signed again. A statement
 * is refused, or signed it opens as itself, and with a byte of its signature changed it does not. Few bytes
 * have their own signature, so what is a statement is signed here by a key of the tests. */
#include "certificate/envelope.h"

#include <stdint.h>
#include <string.h>

#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* RFC 8032, section 7.1, TEST 1. */
static const char secret[] =
    "probity-ed25519-secret:9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60\n";

static void must_refuse(pby_status status, const pby_error *err)
{
    must(status == PBY_NO && err->text[0] != '\0' && strchr(err->text, '\n') == NULL, "no, on one line");
}

static void open_as_it_is(const char *text, size_t size)
{
    char signer[PBY_SIGNER_SIZE];
    json_t *statement = NULL;
    pby_error err = PBY_NO_ERROR;
    const pby_status status = pby_envelope_open(&statement, signer, text, size, &err);
    if (status != PBY_OK) {
        must_refuse(status, &err);
        return;
    }
    char *again = json_dumps(statement, 0), *signed_again = NULL;
    must(again != NULL && pby_envelope_sign(&signed_again, again, strlen(again), secret, NULL) == PBY_OK,
         "what was opened is a statement");
    free(signed_again);
    free(again);
    json_decref(statement);
}

/* Changes a character of the signature, which is the text behind "sig" and base64. */
static void spoil(char *envelope)
{
    char *at = strstr(envelope, "\"sig\": \"");
    must(at != NULL, "an envelope has a signature");
    at += strlen("\"sig\": \"");
    *at = *at == 'A' ? 'B' : 'A';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    char *envelope = NULL, signer[PBY_SIGNER_SIZE];
    json_t *statement = NULL;
    pby_error err = PBY_NO_ERROR;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    must(!(pby_statement_is(root) && pby_envelope_is(root)), "one of the two");
    json_decref(root);
    open_as_it_is(text, size);
    const pby_status status = pby_envelope_sign(&envelope, text, size, secret, &err);
    if (status != PBY_OK) {
        must_refuse(status, &err);
        return 0;
    }
    json_t *given = json_loadb(text, size, 0, NULL);
    must(pby_envelope_open(&statement, signer, envelope, strlen(envelope), NULL) == PBY_OK, "it opens");
    must(json_equal(given, statement), "as itself");
    json_decref(statement);
    json_decref(given);
    statement = NULL;
    spoil(envelope);
    must(pby_envelope_open(&statement, signer, envelope, strlen(envelope), NULL) == PBY_NO &&
             statement == NULL,
         "a spoilt signature is refused");
    free(envelope);
    return 0;
}
