/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "probity/key.h"
#include "tests/certificate/make.h"

/* RFC 8032, section 7.1, TEST 1: its secret and its public key. */
#define SECRET "probity-ed25519-secret:9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60\n"
#define PUBLIC "probity-ed25519-public:d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a\n"

/* The secret one in upper case. */
#define UPPER "probity-ed25519-secret:9D61B19DEFFD5A60BA844AF492EC2CC44449C5697B326919703BAC031CAE7F60\n"

static char *signed_by(const char *text, const char *secret)
{
    char *out;
    pby_error err;
    cr_assert_eq(pby_certificate_sign(&out, text, strlen(text), secret, &err), PBY_OK, "%s", err.text);
    return out;
}

static char *example(void)
{
    return pby_make_certificate("stlap:eps=1/2,q=40", PBY_ADD_REMOVE, "1/2");
}

Test(certificate_sign, names_the_key_that_signed)
{
    char *plain = example(), *text = signed_by(plain, SECRET);
    pby_certificate *c;
    pby_error err;
    cr_assert_eq(pby_verify(&c, plain, strlen(plain), &err), PBY_OK);
    cr_assert_null(pby_certificate_signer(c));
    pby_certificate_free(c);
    cr_assert_eq(pby_verify_signed(&c, text, strlen(text), PUBLIC, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_certificate_signer(c),
                     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    pby_certificate_free(c);
    cr_assert_eq(pby_verify_signed(NULL, plain, strlen(plain), PUBLIC, &err), PBY_NO);
    free(text);
    free(plain);
}

Test(certificate_sign, tells_one_kind_of_key_from_the_other)
{
    char secret[PBY_KEY_SIZE], public_key[PBY_KEY_SIZE];
    cr_assert_eq(pby_key_generate(secret, public_key, NULL), PBY_OK);
    cr_assert(pby_key_is_secret(secret) && !pby_key_is_secret(public_key) && !pby_key_is_secret(""));
    cr_assert(pby_key_is_public(public_key) && !pby_key_is_public(secret) && !pby_key_is_public(""));
    secret[PBY_KEY_SIZE - 3] = 'x';
    cr_assert(!pby_key_is_secret(secret));
}

/* Ed25519 is deterministic: signing again, over a signature or not, gives the same bytes. */
Test(certificate_sign, replaces_a_signature)
{
    char secret[PBY_KEY_SIZE], public_key[PBY_KEY_SIZE];
    char *plain = example(), *once = signed_by(plain, SECRET);
    cr_assert_eq(pby_key_generate(secret, public_key, NULL), PBY_OK);
    char *other = signed_by(once, secret), *again = signed_by(other, SECRET);
    cr_assert_str_eq(again, once);
    cr_assert_str_neq(other, once);
    cr_assert_eq(pby_verify_signed(NULL, other, strlen(other), public_key, NULL), PBY_OK);
    cr_assert_eq(pby_verify_signed(NULL, other, strlen(other), PUBLIC, NULL), PBY_NO);
    free(again);
    free(other);
    free(once);
    free(plain);
}

/* The signed bytes are those of the file without the signature's line. */
Test(certificate_sign, the_rest_of_the_file_is_the_unsigned_one)
{
    char *plain = example(), *text = signed_by(plain, SECRET);
    char *line = strstr(text, "  \"signature\": \""), *end = strchr(line, '\n');
    memmove(line, end + 1, strlen(end + 1) + 1);
    cr_assert_str_eq(text, plain);
    free(text);
    free(plain);
}

/* A certificate whose numbers are right, and whose digest was made anew, but that says another thing than was
 * signed. */
Test(certificate_sign, no_byte_can_be_changed)
{
    char *plain = example(), *text = signed_by(plain, SECRET);
    pby_error err;
    json_t *object = json_loads(text, 0, NULL);
    json_object_set_new(json_object_get(object, "computed_with"), "probity", json_string("9.9"));
    cr_assert_eq(pby_verdict(object, &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "signature"), "%s", err.text);
    const size_t at = (size_t)(strstr(text, "ed25519:") - text) + 8, length = strlen(text);
    for (size_t i = at; text[i] != '"'; i++) {
        const char before = text[i];
        text[i] = before == '0' ? '1' : '0';
        cr_assert_eq(pby_verify(NULL, text, length, &err), PBY_NO, "byte %zu", i);
        text[i] = before;
    }
    cr_assert_eq(pby_verify(NULL, text, length, &err), PBY_OK);
    free(text);
    free(plain);
}

Test(certificate_sign, refuses_what_is_no_signature)
{
    static const char *const texts[] = {"", "ed25519:", "ed25519:00:00", "rsa:00", "x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pby_error err;
        json_t *object = pby_make_json();
        json_object_set_new(object, "signature", json_string(texts[i]));
        cr_assert_eq(pby_verdict(object, &err), PBY_NO);
        cr_assert_not_null(strstr(err.text, "signature"), "%s", err.text);
    }
    json_t *object = pby_make_json();
    json_object_set_new(object, "signature", json_integer(1));
    cr_assert_eq(pby_verdict(object, NULL), PBY_NO);
}

Test(certificate_sign, refuses_other_keys_and_other_files)
{
    static const char *const keys[] = {"", PUBLIC, "probity-ed25519-secret:", SECRET " ", UPPER};
    char *plain = example(), *out;
    pby_error err;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        cr_assert_eq(pby_certificate_sign(&out, plain, strlen(plain), keys[i], &err), PBY_BAD, "%zu", i);
        cr_assert_null(out);
        cr_assert_null(strstr(err.text, "9d61"));
    }
    cr_assert_eq(pby_certificate_sign(&out, "{}", 2, SECRET, &err), PBY_NO);
    cr_assert_eq(pby_verify_signed(NULL, plain, strlen(plain), SECRET, &err), PBY_BAD);
    memcpy(strstr(plain, "sha256:") + 7, "0000", 4);
    cr_assert_eq(pby_certificate_sign(&out, plain, strlen(plain), SECRET, &err), PBY_NO);
    free(plain);
}
