/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probity/certificate.h"
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
    pby_folder_remove(folder);
}
