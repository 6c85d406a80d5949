/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/coqfile.h"
#include "certificate/document.h"
#include "probity/certificate.h"
#include "probity/experimental/certified.h"
#include "tests/certificate/make.h"
#include "tests/cli/outputs.h"
#include "tests/spec.h"

/* The theorem of a spec, or NULL where there is none. */
static char *theorem(const char *spec, const char *epsilon, pby_error *err)
{
    pby_spec *s;
    pby_certificate *c;
    pby_neighbours relation;
    char *text, *out;
    mpq_t e;
    mpq_init(e);
    cr_assert_eq(mpq_set_str(e, epsilon, 10), 0);
    cr_assert_eq(pby_spec_parse(&s, &spec, 1, err), PBY_OK, "%s", err->text);
    cr_assert_eq(pby_spec_neighbours(&relation, s, err), PBY_OK, "%s", err->text);
    cr_assert_eq(pby_certify(&text, s, relation, e, err), PBY_OK, "%s", err->text);
    cr_assert_eq(pby_verify(&c, text, strlen(text), err), PBY_OK, "%s", err->text);
    const pby_status status = pby_certificate_theorem(&out, c, err);
    cr_assert_eq(status == PBY_OK, out != NULL);
    pby_certificate_free(c);
    free(text);
    pby_spec_free(s);
    mpq_clear(e);
    return out;
}

/* Every spec of the list that make prove compiles has a theorem about its own delta, in both orders or for
 * all neighbours. */
Test(theorem, states_the_certified_delta)
{
    pby_error err;
    FILE *list = fopen("proofs/certificates.txt", "r");
    char name[64], spec[128], epsilon[32];
    int rows = 0;
    cr_assert_not_null(list);
    for (; fscanf(list, "%63s %127s %31s", name, spec, epsilon) == 3; rows++) {
        char *text = theorem(spec, epsilon, &err);
        cr_assert_not_null(text, "%s: %s", spec, err.text);
        if (strstr(text, "From Probity Require Import") == NULL) {
            cr_assert_not_null(strstr(text, "private outcomes epsilon delta (law 0) (law 1)"), "%s", spec);
            cr_assert_not_null(strstr(text, "private outcomes epsilon delta (law 1) (law 0)"), "%s", spec);
        } else {
            cr_assert_not_null(strstr(text, "epsilon delta"), "%s", spec);
            cr_assert(strstr(text, "Z.abs (x - y)") != NULL || strstr(text, "one_record") != NULL ||
                          strstr(text, "Rabs (s i - u i)") != NULL,
                      "%s", spec);
        }
        cr_assert_not_null(strstr(text, spec), "%s", spec);
        free(text);
    }
    fclose(list);
    cr_assert_eq(rows, 21);
    /* (exp(1) - exp(1/2)) / (1 + exp(1)) = 0.28764913664... */
    char *text = theorem("rr:eps=1", "1/2", &err);
    cr_assert_not_null(strstr(text, "delta is at most 0.28764913"), "%s", text);
    free(text);
}

static void says(const char *spec, const char *epsilon, const char *const *parts)
{
    pby_error err;
    char *text = theorem(spec, epsilon, &err);
    cr_assert_not_null(text, "%s: %s", spec, err.text);
    for (; *parts != NULL; parts++)
        cr_assert_not_null(strstr(text, *parts), "%s: %s in %s", spec, *parts, text);
    free(text);
}

/* The last theorem has the spec, the relation and the numbers of the certificate. */
Test(theorem, ends_with_the_certificate)
{
    static const char *const last[][3] = {
        {"rr:eps=1", "1/2",
         "Theorem certified : certificate \"rr:eps=1\" \"local\" (1/2) "
         "(28764913664496792493/100000000000000000000).\nProof. exact proved. Qed.\n"},
        {"geometric:eps=2,sensitivity=3", "1/3",
         "Theorem certified : certificate \"geometric:eps=2,sensitivity=3\" \"add-remove\" (1/3) "
         "(58274782850955051363/100000000000000000000).\nProof. exact proved. Qed.\n"}};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        pby_error err;
        char *text = theorem(last[i][0], last[i][1], &err);
        cr_assert_not_null(text, "%s", err.text);
        const size_t size = strlen(text), tail = strlen(last[i][2]);
        cr_expect_str_eq(text + (size > tail ? size - tail : 0), last[i][2]);
        free(text);
    }
}

/* No mass of a law is missing: an outcome that is left out could tell the truths apart. */
Test(theorem, says_that_no_mass_is_missing)
{
    says("tgeometric:eps=1,bound=6,sensitivity=2", "1",
         (const char *[]){"sum p outcomes = 1", "Lemma whole_0 : whole (law 0).",
                          "Lemma whole_2 : whole (law 2).", "  whole (law 1) /\\\n",
                          "exact (conj whole_0 (conj whole_1 (conj whole_2 (conj forward_1 "
                          "(conj backward_1 (conj forward_2 backward_2)))))).",
                          NULL});
    says("krr:eps=1,k=5", "1/2",
         (const char *[]){"exact (conj whole_0 (conj whole_1 (conj forward_1 backward_1))).", NULL});
    says("threshold:eps=1,T=20", "1",
         (const char *[]){"certain (bars (map (fun k => gated rate rate_positive 20 (x k)) keys))", NULL});
    says("stlap:eps=1/2,q=40", "1/2",
         (const char *[]){"certain (bars (map (fun k => shrunk rate q positive large (x k)) keys))", NULL});
    says("geometric:eps=1", "1/2", (const char *[]){"certain (noisy rate rate_positive x)", NULL});
    says("exponential:eps=1", "1/2", (const char *[]){"certain (exponential n s rate some)", NULL});
}

/* Coq proves what a file says; that it says what the spec does is seen here. */
Test(theorem, is_about_the_mechanism_of_the_spec)
{
    says("geometric:eps=2,sensitivity=3", "1/3",
         (const char *[]){"Definition rate : R := 2/3.", "Definition epsilon : R := 1/3.",
                          "(fun x y => (Z.abs (x - y) <= 3)%Z) epsilon delta", "rate_positive 3 1)", NULL});
    says("geometric:eps=1/2", "1/4",
         (const char *[]){"Definition rate : R := 1/2.", "(fun x y => (Z.abs (x - y) <= 1)%Z) epsilon delta",
                          "one_record epsilon delta", NULL});
    says("threshold:eps=1/2,T=8", "2",
         (const char *[]){"Definition rate : R := 1/2.", "gated rate rate_positive 8 (x k)",
                          "Definition epsilon : R := 2.", "one_record epsilon delta", NULL});
    says("stlap:eps=1/100,q=500", "1/100",
         (const char *[]){"Definition q : R := 500.", "Definition epsilon : R := 1/100.",
                          "shrunk epsilon q positive large (x k)", "one_record epsilon delta", NULL});
    says("exponential:eps=3,sensitivity=1/2", "1",
         (const char *[]){"Definition rate : R := 3.", "Definition moves : R := 1/2.",
                          "private epsilon delta (exponential n s rate some) (exponential n u rate some)",
                          NULL});
}

static void refused(const char *spec, const char *epsilon, const char *why)
{
    pby_error err;
    cr_assert_null(theorem(spec, epsilon, &err), "%s", spec);
    cr_assert_not_null(strstr(err.text, why), "%s: %s", spec, err.text);
}

Test(theorem, is_refused_where_there_is_none)
{
    refused("laplace:scale=1", "1/2", "theorem");
    refused("geometric:eps=1,sample=1/2", "1/4", "no sample");
    refused("geometric:eps=1,theta=1/100", "1/4", "no theta");
    refused("geometric:eps=1", "1", "delta is above 0");
    refused("threshold:eps=1,T=20,sensitivity=2", "1", "sensitivity=1");
    refused("exponential:eps=1,scores=monotone", "1/2", "scores=general");
    refused("2*rr:eps=1", "1/2", "theorem");
    refused("rr:eps=1", "1", "delta is above 0");
    refused("stlap:eps=1/100,q=500", "1/200", "outcomes");
    refused("stlap:eps=1/2,tau=1/75,n=3000,bars=3", "1/2", "public q");
}

Test(theorem, the_command_writes_both_or_nothing)
{
    char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE], out[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(file, folder, "x.v");
    pby_folder_path(out, folder, "x.json");
    const pby_run *r =
        PBY_RUN(NULL, "certify", "laplace:scale=1", "--epsilon", "1/2", "--coq", file, "-o", out);
    cr_assert_eq(r->status, 2);
    cr_assert_eq(pby_folder_entries(folder), 0);
    r = PBY_RUN(NULL, "certify", "rr:eps=1", "--epsilon", "1/2", "--coq", file, "-o", out);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(pby_folder_entries(folder), 2);
    cr_assert_not_null(strstr(pby_file_text(file), "Theorem forward_1"));
    cr_assert_not_null(strstr(pby_file_text(out), "\"theorem\": \"sha256:"));
    r = PBY_RUN(NULL, "verify", out);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "not compiled (give --coq FILE.v)"), "%s", r->out);
    pby_folder_remove(folder);
}

/* Before Coq is asked: another file than the one whose digest the certificate has, and what has no theorem.
 */
Test(theorem, verify_knows_the_file)
{
    char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE], out[PBY_PATH_SIZE], other[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(file, folder, "x.v");
    pby_folder_path(other, folder, "y.v");
    pby_folder_path(out, folder, "x.json");
    cr_assert_eq(PBY_RUN(NULL, "certify", "rr:eps=1", "--epsilon", "1/2", "--coq", file, "-o", out)->status,
                 0);
    pby_write_file(other, "Theorem certified : True. Proof. exact I. Qed.\n");
    PBY_REFUSED(1, "theorem: the file is not the one that was written with the certificate", NULL, "verify",
                out, "--coq", other);
    cr_assert_eq(PBY_RUN(NULL, "certify", "laplace:scale=1", "--epsilon", "1/2", "-o", out)->status, 0);
    PBY_REFUSED(2, "theorem", NULL, "verify", out, "--coq", other);
    pby_folder_remove(folder);
}

Test(theorem, its_digest_is_no_other_text)
{
    char *text = pby_make_certificate("rr:eps=1", PBY_LOCAL, "1/2"), *bound;
    pby_error err;
    cr_assert_eq(pby_coqfile_bind(&bound, text, "a theorem", &err), PBY_OK);
    cr_assert_eq(pby_verify(NULL, bound, strlen(bound), &err), PBY_OK, "%s", err.text);
    for (const char *const *bad = (const char *const[]){"sha256:00", "", "md5:00", NULL}; *bad != NULL;
         bad++) {
        json_t *root = json_loads(bound, 0, NULL);
        json_object_set_new(root, "theorem", json_string(*bad));
        cr_assert_eq(pby_document_seal(root, NULL), PBY_OK);
        char *edited = pby_certificate_encode(root);
        cr_expect_eq(pby_verify(NULL, edited, strlen(edited), &err), PBY_NO, "%s", *bad);
        free(edited);
        json_decref(root);
    }
    free(bound);
    free(text);
}
