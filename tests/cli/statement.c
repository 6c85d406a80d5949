/* SPDX-License-Identifier: MIT */
/* Statements of in-toto in envelopes of DSSE. The signature below is not ours: Python's cryptography made it
 * from the seed 00 01 ... 1f over the bytes that DSSE prescribes. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/cli/run.h"

#define SEED   "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define PUBLIC "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
#define HASH   "95cc8e8ec552664096b998c62dfd5dfd0a41c96154de6814d918d1ca34bfc225" /* of "bytes\n" */
#define STATEMENT                                                                                        \
    "{\"_type\": \"https://in-toto.io/Statement/v1\", \"subject\": [{\"name\": \"a.txt\", \"digest\": "  \
    "{\"sha256\": \"" HASH "\"}}], \"predicateType\": \"https://in-toto.io/attestation/test-result/v0.1" \
    "\", \"predicate\": {\"result\": \"PASSED\"}}\n"
#define PAYLOAD                                                                                        \
    "eyJfdHlwZSI6ICJodHRwczovL2luLXRvdG8uaW8vU3RhdGVtZW50L3YxIiwgInN1YmplY3QiOiBbeyJuYW1lIjogImEudHh0" \
    "IiwgImRpZ2VzdCI6IHsic2hhMjU2IjogIjk1Y2M4ZThlYzU1MjY2NDA5NmI5OThjNjJkZmQ1ZGZkMGE0MWM5NjE1NGRlNjgx" \
    "NGQ5MThkMWNhMzRiZmMyMjUifX1dLCAicHJlZGljYXRlVHlwZSI6ICJodHRwczovL2luLXRvdG8uaW8vYXR0ZXN0YXRpb24v" \
    "dGVzdC1yZXN1bHQvdjAuMSIsICJwcmVkaWNhdGUiOiB7InJlc3VsdCI6ICJQQVNTRUQifX0K"
#define SIGNATURE "T6Xwn7MJ5jrFn4Sm1tynYWGqWheFQINEb96gT22KVEoxBCNMjnkpZXpywScp5/yzUV9Am94bwt4w9DaDbCB+BQ=="
#define TYPE      "application/vnd.in-toto+json"
#define ENVELOPE                                                                                  \
    "{\n  \"payload\": \"" PAYLOAD "\",\n  \"payloadType\": \"" TYPE "\",\n  \"signatures\": [\n" \
    "    {\n      \"keyid\": \"" PUBLIC "\",\n      \"sig\": \"" SIGNATURE "\"\n    }\n  ]\n}\n"

static char folder[PBY_PATH_SIZE], key[PBY_PATH_SIZE], public_key[PBY_PATH_SIZE], file[PBY_PATH_SIZE],
    subject[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(key, folder, "key");
    pby_folder_path(public_key, folder, "key.pub");
    pby_folder_path(file, folder, "s.json");
    pby_folder_path(subject, folder, "a.txt");
    pby_write_file(key, "probity-ed25519-secret:" SEED "\n");
    cr_assert_eq(chmod(key, 0600), 0);
    pby_write_file(public_key, "probity-ed25519-public:" PUBLIC "\n");
    pby_write_file(subject, "bytes\n");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(statement_command, .init = setup, .fini = teardown);

/* The envelope with the first `from` in it changed to `to`. */
static const char *changed(const char *from, const char *to)
{
    static char out[4096];
    const char *at = strstr(ENVELOPE, from);
    cr_assert_not_null(at);
    snprintf(out, sizeof out, "%.*s%s%s", (int)(at - ENVELOPE), ENVELOPE, to, at + strlen(from));
    return out;
}

Test(statement_command, is_signed_as_others_sign_it)
{
    pby_write_file(file, STATEMENT);
    const pby_run *r = PBY_RUN(NULL, "prove", "sign", file, "--key", key);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert(pby_file_is(file, ENVELOPE));
}

Test(statement_command, holds_with_its_files_beside_it)
{
    pby_write_file(file, ENVELOPE);
    const pby_run *r = PBY_RUN(NULL, "verify", file, "--key", public_key);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "the statement is signed by " PUBLIC "\n"
                             "predicate   https://in-toto.io/attestation/test-result/v0.1\n"
                             "subject     " HASH "  a.txt\n"
                             "checked     the signature, and the bytes of the files that are here; not what "
                             "the statement says of them\n");
    r = PBY_RUN(NULL, "verify", file, "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(r->out, "{\"holds\": true, \"signer\": \"" PUBLIC "\", \"predicate_type\": "
                             "\"https://in-toto.io/attestation/test-result/v0.1\", \"subjects\": [{\"name\": "
                             "\"a.txt\", \"sha256\": \"" HASH "\", \"here\": true}]}\n");
    cr_assert_eq(remove(subject), 0);
    r = PBY_RUN(NULL, "verify", file);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "  a.txt (not here)\n"));
}

Test(statement_command, is_refused_with_another_file_or_key)
{
    pby_write_file(file, ENVELOPE);
    pby_write_file(subject, "byteS\n");
    PBY_REFUSED(1, "subject a.txt: its SHA-256 is", NULL, "verify", file);
    pby_write_file(subject, "bytes\n");
    pby_write_file(public_key, "probity-ed25519-public:" SEED "\n");
    PBY_REFUSED(1, "expected " SEED, NULL, "verify", file, "--key", public_key);
    PBY_REFUSED(2, "--prove", NULL, "verify", file, "--prove", folder);
}

/* Each byte of payload, key and signature counts, and so does the form. */
Test(statement_command, is_refused_when_changed)
{
    PBY_REFUSED(1, "the signature is not that of these bytes", changed("eyJfdHlw", "eyJfdHlx"), "verify");
    PBY_REFUSED(1, "the signature is not that of these bytes", changed("T6Xw", "T6Xx"), "verify");
    PBY_REFUSED(1, "the signature is not that of these bytes", changed("03a1", "03a2"), "verify");
    PBY_REFUSED(1, "the signature is not that of these bytes", changed("BQ==", "B"), "verify");
    PBY_REFUSED(1, "payload: expected base64", changed("eyJf", "e*Jf"), "verify");
    PBY_REFUSED(1, "expected payload, payloadType", changed("\"payload\":", "\"more\": 1, \"payload\":"),
                "verify");
    PBY_REFUSED(1, "not a certificate", changed("in-toto+json", "in-toto+JSON"), "verify");
}

/* A subject that would name a file elsewhere, or has no digest to compare, is not signed. */
Test(statement_command, with_a_bad_subject_is_not_signed)
{
    static const char *const bad[][2] = {
        {"\"a.txt\"", "\"../a.txt\""}, {"\"a.txt\"", "\".a\""}, {"\"a.txt\"", "\"a\\u0007\""},
        {"\"a.txt\"", "\"\""},         {"95cc", "95C"},         {"\"predicateType\"", "\"type\""},
        {"[{", "[], \"x\": [{"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[2048];
        const char *at = strstr(STATEMENT, bad[i][0]);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - STATEMENT), STATEMENT, bad[i][1],
                 at + strlen(bad[i][0]));
        pby_write_file(file, text);
        PBY_REFUSED(1, "statement: ", NULL, "prove", "sign", file, "--key", key);
        cr_assert(pby_file_is(file, text));
    }
}
