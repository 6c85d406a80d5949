/* SPDX-License-Identifier: MIT */
/* A receipt of probity prove in a certificate: it is signed, and shows no less than the certificate says. */
#include "certificate/proof.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/document.h"
#include "probity/key.h"
#include "probity/report.h"
#include "tests/certificate/make.h"
#include "tests/edits.h"

#define SECRET "probity-ed25519-secret:9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60\n"
#define SIGNER "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"

/* A receipt as the driver writes it, with its digest. */
static char *receipt(const char *epsilon, const char *delta)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    json_t *root = json_pack("{s:s, s:i, s:{s:s}, s:{s:s, s:s, s:s, s:s}, s:{s:s}, s:i, s:[]}", "format",
                             "probity-proof", "version", 1, "sources", "count.c", "sha256:00", "statement",
                             "mechanism", "count", "epsilon", epsilon, "delta", delta, "words",
                             "what was proved", "tools", "frama-c", "25.0", "goals", 107, "lemmas");
    cr_assert_eq(pby_certificate_digest(digest, root, NULL), PBY_OK);
    cr_assert_eq(json_object_set_new(root, "digest", json_string(digest)), 0);
    char *text = pby_certificate_encode(root);
    json_decref(root);
    return text;
}

static char *signed_receipt(const char *epsilon, const char *delta)
{
    pby_error err = PBY_NO_ERROR;
    char *plain = receipt(epsilon, delta), *out;
    cr_assert_eq(pby_proof_sign(&out, plain, strlen(plain), SECRET, &err), PBY_OK, "%s", err.text);
    free(plain);
    return out;
}

static char *example(void)
{
    return pby_make_certificate("geometric:eps=1/2", PBY_ADD_REMOVE, "1/2");
}

/* The refusal of a receipt, or "". */
static const char *refusal(const char *proof)
{
    static pby_error err;
    char *certificate = example(), *bound = NULL;
    err.text[0] = '\0';
    const pby_status status = pby_proof_bind(&bound, certificate, proof, strlen(proof), &err);
    cr_assert(status == PBY_OK ? bound != NULL : status == PBY_NO && bound == NULL);
    free(bound);
    free(certificate);
    return err.text;
}

Test(certificate_proof, a_certificate_holds_with_a_signed_receipt_in_it)
{
    pby_error err = PBY_NO_ERROR;
    char *plain = example(), *proof = signed_receipt("1/2", "0"), *bound, *text, *shown, *again;
    pby_certificate *c;
    cr_assert_eq(pby_proof_bind(&bound, plain, proof, strlen(proof), &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_certificate_sign(&text, bound, strlen(bound), SECRET, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_verify(&c, text, strlen(text), &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_certificate_proof(c), proof);
    cr_assert_eq(pby_report_certificate(&shown, c, NULL, PBY_REPORT_LINES, &err), PBY_OK);
    cr_assert_not_null(strstr(shown, "count: (1/2, 0), signed, not rerun"));
    cr_assert_not_null(strstr(shown, "signed by " SIGNER));
    free(shown);
    pby_proof_set_rerun(c);
    cr_assert_eq(pby_report_certificate(&shown, c, NULL, PBY_REPORT_LINES, &err), PBY_OK);
    cr_assert_not_null(strstr(shown, "signed, proved again"));
    cr_assert_eq(pby_proof_bind(&again, text, proof, strlen(proof), &err), PBY_BAD);
    pby_certificate_free(c);
    free(shown);
    free(text);
    free(bound);
    free(proof);
    free(plain);
}

Test(certificate_proof, refuses_what_shows_less_or_is_not_signed)
{
    char *larger = signed_receipt("51/100", "0"), *unsigned_one = receipt("1/2", "0"),
         *failing = signed_receipt("1/2", "1e-9"), *smaller = signed_receipt("1/3", "0"),
         *garbled = signed_receipt("1/2\033[2J", "0");
    cr_expect_str_empty(refusal(smaller));
    cr_expect_not_null(strstr(refusal(larger), "a larger epsilon"));
    cr_expect_not_null(strstr(refusal(failing), "a larger delta"));
    cr_expect_not_null(strstr(refusal(unsigned_one), "without a signature"));
    cr_expect_not_null(strstr(refusal(garbled), "not printable"));
    cr_expect_not_null(strstr(refusal("{}"), "not a receipt"));
    cr_expect_not_null(strstr(refusal("[1"), "not a receipt"));
    free(larger);
    free(unsigned_one);
    free(failing);
    free(smaller);
    free(garbled);
}

/* Every byte of the receipt counts: a number, a digest of a source, the signature. */
Test(certificate_proof, refuses_a_receipt_that_was_changed)
{
    static const char *const places[] = {"107", "sha256:00", "25.0", "ed25519:d7", "\"count\""};
    char *proof = signed_receipt("1/2", "0");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *at = strstr(proof, places[i]) + strlen(places[i]) - 2;
        const char was = *at;
        *at = was == '1' ? '2' : '1';
        cr_expect_str_not_empty(refusal(proof), "%s", places[i]);
        *at = was;
    }
    cr_expect_str_empty(refusal(proof));
    free(proof);
}

static void try_receipt(json_t *edited, const char *path, const char *what, void *with)
{
    size_t *tried = with;
    json_t *proof = json_object_get(edited, "proof");
    static const char *const whole[] = {"proof", NULL};
    if (!pby_edit_within(path, whole) || strcmp(path, "proof.digest") == 0 || proof == NULL)
        return; /* a certificate needs no receipt */
    ++*tried;
    if (json_is_object(proof))
        cr_assert_eq(pby_document_seal(proof, NULL), PBY_OK);
    cr_assert_eq(pby_document_seal(edited, NULL), PBY_OK);
    char *text = pby_certificate_encode(edited);
    pby_error err = PBY_NO_ERROR;
    cr_expect_eq(pby_verify(NULL, text, strlen(text), &err), PBY_NO, "%s, %s: accepted", path, what);
    cr_expect(err.text[0] != '\0' && strchr(err.text, '\n') == NULL, "%s, %s: one line", path, what);
    free(text);
}

/* All that a receipt says is its signer's statement: who edits it and computes the digests again has no
 * signature for it. */
Test(certificate_proof, every_edit_of_a_receipt_is_refused)
{
    char *certificate = example(), *proof = signed_receipt("1/2", "0"), *bound = NULL;
    size_t tried = 0;
    cr_assert_eq(pby_proof_bind(&bound, certificate, proof, strlen(proof), NULL), PBY_OK);
    cr_assert_eq(pby_verify(NULL, bound, strlen(bound), NULL), PBY_OK);
    json_t *root = json_loads(bound, 0, NULL);
    cr_assert_not_null(root);
    pby_edits(root, try_receipt, &tried);
    cr_assert_gt(tried, 40);
    json_decref(root);
    free(bound);
    free(proof);
    free(certificate);
}
