/* SPDX-License-Identifier: MIT */
/* A receipt of probity prove on the command line: certify takes it for its own spec alone. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/document.h"
#include "tests/cli/outputs.h"

static char folder[PBY_PATH_SIZE], key[PBY_PATH_SIZE], proof[PBY_PATH_SIZE], out[PBY_PATH_SIZE];

static void write_receipt(int version)
{
    json_t *root = json_pack("{s:s, s:i, s:{s:s}, s:{s:s, s:s, s:s, s:s, s:s}, s:{s:s}, s:i, s:[]}", "format",
                             "probity-proof", "version", version, "sources", "mine.c", "sha256:00",
                             "statement", "mechanism", "mine", "epsilon", "1/2", "delta", "0", "spec",
                             "pure:eps=1/2", "words", "for mode = 0 and no other value: it is private",
                             "tools", "frama-c", "25.0", "goals", 12, "lemmas");
    if (version > 1)
        json_object_set_new(root, "mechanism",
                            json_pack("{s:s, s:s, s:{s:s}}", "name", "mine", "digest", "sha256:77", "texts",
                                      "mine.c", "sha256:78"));
    cr_assert_eq(pby_document_seal(root, NULL), PBY_OK);
    char *text = pby_certificate_encode(root);
    pby_write_file(proof, text);
    free(text);
    json_decref(root);
    cr_assert_eq(PBY_RUN(NULL, "prove", "sign", proof, "--key", key)->status, 0);
}

static void make_files(void)
{
    pby_folder_make(folder);
    pby_folder_path(key, folder, "key");
    pby_folder_path(proof, folder, "proof.json");
    pby_folder_path(out, folder, "certificate.json");
    cr_assert_eq(PBY_RUN(NULL, "keygen", "-o", key)->status, 0);
    write_receipt(2);
}

static void remove_files(void)
{
    pby_folder_remove(folder);
}

TestSuite(cli_proof, .init = make_files, .fini = remove_files);

Test(cli_proof, is_taken_for_its_own_spec_and_shown)
{
    const pby_run *r =
        PBY_RUN(NULL, "certify", "pure:eps=1/2", "--epsilon", "1/2", "--proof", proof, "-o", out);
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN(NULL, "verify", out);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "mine: (1/2, 0), signed, not rerun"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "of pure:eps=1/2, the compiled texts sha256:77"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "for mode = 0 and no other value"), "%s", r->out);
}

/* A regression: the receipt of a small epsilon passed in the certificate of something else. */
Test(cli_proof, is_refused_for_another_spec)
{
    PBY_REFUSED(2, "proof.json': proof: of 'mine', pure:eps=1/2: expected one of krr:eps=2,k=60", NULL,
                "certify", "krr:eps=2,k=60", "--epsilon", "2", "--proof", proof, "-o", out);
    PBY_REFUSED(2, "expected one of 2*pure:eps=1/2", NULL, "certify", "2*pure:eps=1/2", "--epsilon", "1",
                "--proof", proof, "-o", out);
    write_receipt(1);
    PBY_REFUSED(2, "names no spec", NULL, "certify", "pure:eps=1/2", "--epsilon", "1/2", "--proof", proof,
                "-o", out);
    cr_assert_eq(pby_folder_entries(folder), 3, "no certificate");
}

Test(cli_proof, is_verified_by_itself)
{
    char public[PBY_PATH_SIZE], other[PBY_PATH_SIZE], other_public[PBY_PATH_SIZE];
    pby_folder_path(public, folder, "key.pub");
    pby_folder_path(other, folder, "other");
    pby_folder_path(other_public, folder, "other.pub");
    cr_assert_eq(PBY_RUN(NULL, "keygen", "-o", other)->status, 0);
    const pby_run *r = PBY_RUN(NULL, "verify", proof, "--key", public);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_expect_not_null(strstr(r->out, "proof       mine: (1/2, 0)"), "%s", r->out);
    cr_expect_not_null(strstr(r->out, "the digest and the signature"), "%s", r->out);
    cr_expect_not_null(strstr(r->out, "not rerun   the proof"), "%s", r->out);
    r = PBY_RUN(NULL, "verify", proof, "--json");
    cr_expect_not_null(strstr(r->out, "\"holds\": true, \"mechanism\": \"mine\""), "%s", r->out);
    PBY_REFUSED(1, "signature", NULL, "verify", proof, "--key", other_public);
    PBY_REFUSED(2, "it only of a certificate", NULL, "verify", proof, "--prove", folder);
}
