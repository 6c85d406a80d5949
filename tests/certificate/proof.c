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

/* A receipt as the driver writes it, with its digest; of version 1, or of this one with a spec. */
static char *receipt_of(const char *epsilon, const char *delta, const char *spec)
{
    char digest[PBY_DIGEST_TEXT_SIZE];
    json_t *root = json_pack("{s:s, s:i, s:{s:s}, s:{s:s, s:s, s:s, s:s}, s:{s:s}, s:i, s:[]}", "format",
                             "probity-proof", "version", 1, "sources", "count.c", "sha256:00", "statement",
                             "mechanism", "count", "epsilon", epsilon, "delta", delta, "words",
                             "what was proved", "tools", "frama-c", "25.0", "goals", 107, "lemmas");
    if (spec != NULL) {
        cr_assert_eq(json_object_set_new(root, "version", json_integer(2)), 0);
        cr_assert_eq(json_object_set_new(json_object_get(root, "statement"), "spec", json_string(spec)), 0);
        cr_assert_eq(json_object_set_new(root, "mechanism",
                                         json_pack("{s:s, s:s, s:{s:s}}", "name", "count", "digest",
                                                   "sha256:77", "texts", "count.c", "sha256:78")),
                     0);
    }
    cr_assert_eq(pby_certificate_digest(digest, root, NULL), PBY_OK);
    cr_assert_eq(json_object_set_new(root, "digest", json_string(digest)), 0);
    char *text = pby_certificate_encode(root);
    json_decref(root);
    return text;
}

static char *sign(char *plain)
{
    pby_error err = PBY_NO_ERROR;
    char *out;
    cr_assert_eq(pby_proof_sign(&out, plain, strlen(plain), SECRET, &err), PBY_OK, "%s", err.text);
    free(plain);
    return out;
}

static char *signed_receipt(const char *epsilon, const char *delta, const char *spec)
{
    return sign(receipt_of(epsilon, delta, spec));
}

static char *example(void)
{
    return pby_make_certificate("pure:eps=1/2", PBY_ADD_REMOVE, "1/2");
}

static char *good(void)
{
    return signed_receipt("1/2", "0", "pure:eps=1/2");
}

/* The refusal of a receipt by a certificate, or "". */
static const char *refusal_by(char *certificate, const char *proof, pby_status verdict)
{
    static pby_error err;
    char *bound = NULL;
    err.text[0] = '\0';
    const pby_status status = pby_proof_bind(&bound, certificate, proof, strlen(proof), &err);
    cr_expect_eq(status, verdict, "%s", err.text);
    cr_assert(status == PBY_OK ? bound != NULL : bound == NULL);
    cr_assert_null(strchr(err.text, '\n'));
    free(bound);
    free(certificate);
    return err.text;
}

static const char *refusal(const char *proof)
{
    return refusal_by(example(), proof, PBY_NO);
}

Test(certificate_proof, a_certificate_holds_with_a_signed_receipt_in_it)
{
    pby_error err = PBY_NO_ERROR;
    char *plain = example(), *proof = good(), *bound, *text, *shown, *again;
    pby_certificate *c;
    cr_assert_eq(pby_proof_bind(&bound, plain, proof, strlen(proof), &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_certificate_sign(&text, bound, strlen(bound), SECRET, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_verify(&c, text, strlen(text), &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(pby_certificate_proof(c), proof);
    cr_assert_eq(pby_report_certificate(&shown, c, NULL, PBY_REPORT_LINES, &err), PBY_OK);
    cr_assert_not_null(strstr(shown, "count: (1/2, 0), signed, not rerun"));
    cr_assert_not_null(strstr(shown, "of pure:eps=1/2, the compiled texts sha256:77"), "%s", shown);
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
    char *unsigned_one = receipt_of("1/2", "0", "pure:eps=1/2"), *accepted = good(),
         *failing = signed_receipt("1/2", "1e-9", "pure:eps=1/2"),
         *smaller = signed_receipt("1/3", "0", "pure:eps=1/2"),
         *garbled = signed_receipt("1/2\033[2J", "0", "pure:eps=1/2");
    cr_expect_str_empty(refusal_by(example(), accepted, PBY_OK));
    cr_expect_not_null(strstr(refusal(failing), "its spec is not the one of its epsilon and delta"));
    cr_expect_not_null(strstr(refusal(smaller), "its spec is not the one of its epsilon and delta"));
    cr_expect_not_null(strstr(refusal(unsigned_one), "without a signature"));
    cr_expect_not_null(strstr(refusal(garbled), "not printable"));
    cr_expect_not_null(strstr(refusal("{}"), "not a receipt"));
    cr_expect_not_null(strstr(refusal("[1"), "not a receipt"));
    cr_expect_not_null(
        strstr(refusal_by(pby_make_certificate("pure:eps=1/2", PBY_ADD_REMOVE, "1/4"), accepted, PBY_NO),
               "a larger epsilon"));
    free(unsigned_one);
    free(accepted);
    free(failing);
    free(smaller);
    free(garbled);
}

/* A proof of one mechanism is no proof of another, though it shows a smaller epsilon and delta. */
Test(certificate_proof, refuses_a_receipt_for_another_spec)
{
    char *proof = good(), *fails = signed_receipt("1/2", "1e-9", "approx:eps=1/2,delta=1/1000000000"),
         *nothing = sign(receipt_of("0", "0", NULL));
    cr_expect_str_eq(refusal_by(pby_make_certificate("krr:eps=2,k=60", PBY_LOCAL, "2"), proof, PBY_BAD),
                     "proof: of 'count', pure:eps=1/2: expected one of krr:eps=2,k=60");
    cr_expect_not_null(
        strstr(refusal_by(pby_make_certificate("geometric:eps=1/2", PBY_ADD_REMOVE, "1/2"), proof, PBY_BAD),
               "expected one of geometric:eps=1/2"));
    cr_expect_not_null(strstr(refusal_by(example(), fails, PBY_BAD), "expected one of pure:eps=1/2"));
    cr_expect_str_empty(refusal_by(
        pby_make_certificate("approx:eps=1/2,delta=1/1000000000", PBY_ADD_REMOVE, "1/2"), fails, PBY_OK));
    cr_expect_not_null(strstr(refusal_by(example(), nothing, PBY_BAD), "names no spec"));
    free(proof);
    free(fails);
    free(nothing);
}

/* The certificate with a receipt in it that nobody compared with its spec. */
static char *forged(const char *spec, const char *proof)
{
    char *certificate = pby_make_certificate(spec, PBY_ADD_REMOVE, "1/2");
    json_t *root = json_loads(certificate, 0, NULL);
    cr_assert_eq(json_object_set_new(root, "proof", json_loads(proof, 0, NULL)), 0);
    cr_assert_eq(pby_document_seal(root, NULL), PBY_OK);
    char *text = pby_certificate_encode(root);
    json_decref(root);
    free(certificate);
    return text;
}

/* Certificates with a receipt of version 1 were written for any spec: they hold, and are shown as what they
 * are. One of version 2 holds for its own spec alone. */
Test(certificate_proof, a_receipt_of_the_first_version_is_still_read)
{
    pby_error err = PBY_NO_ERROR;
    pby_certificate *c;
    char *shown, *proof = sign(receipt_of("1/2", "0", NULL)), *text = forged("geometric:eps=1/2", proof);
    cr_assert_eq(pby_verify(&c, text, strlen(text), &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_report_certificate(&shown, c, NULL, PBY_REPORT_LINES, &err), PBY_OK);
    cr_assert_not_null(strstr(shown, "of no spec and no text: a receipt of version 1"), "%s", shown);
    pby_certificate_free(c);
    free(shown);
    free(text);
    free(proof);
    proof = good();
    text = forged("geometric:eps=1/2", proof);
    cr_assert_eq(pby_verify(NULL, text, strlen(text), &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "another spec than the certificate"), "%s", err.text);
    free(text);
    free(proof);
}

/* Every byte of the receipt counts: a number, a digest of a source, the signature. */
Test(certificate_proof, refuses_a_receipt_that_was_changed)
{
    static const char *const places[] = {"107",        "sha256:00", "sha256:77",   "25.0",
                                         "ed25519:d7", "\"count\"", "pure:eps=1/2"};
    char *proof = good();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *at = strstr(proof, places[i]) + strlen(places[i]) - 2;
        const char was = *at;
        *at = was == '1' ? '2' : '1';
        cr_expect_str_not_empty(refusal(proof), "%s", places[i]);
        *at = was;
    }
    cr_expect_str_empty(refusal_by(example(), proof, PBY_OK));
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
    char *certificate = example(), *proof = good(), *bound = NULL;
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
