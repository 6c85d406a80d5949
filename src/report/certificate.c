/* SPDX-License-Identifier: MIT */
/* A certificate that holds: what it says, and what was checked. */
#include "probity/certificate.h"
#include "probity/experimental/certified.h"

#include <inttypes.h>
#include <stdlib.h>

#include "accuracy/row.h"
#include "base/json.h"
#include "certificate/certified_plan.h"
#include "certificate/coqfile.h"
#include "certificate/proof.h"
#include "number/text.h"
#include "report/report_deployment.h"
#include "report/sheet.h"

/* Returns the kind of the accuracy that a certificate states. */
static pby_accuracy_kind kind_of(const pby_certificate *c)
{
    pby_accuracy_kind kind = PBY_ACCURACY_DROPS;
    return pby_accuracy_kind_of(&kind, pby_certificate_spec(c), NULL) == PBY_OK ? kind : PBY_ACCURACY_DROPS;
}

/* Returns the way in which the accuracy was checked. gamma is a chance for noise that may go too far. */
static const char *accuracy_route(pby_accuracy_kind kind)
{
    if (!pby_accuracy_is_histogram(kind))
        return "alpha and beta exactly, gamma at the worst input to 40 digits";
    return kind == PBY_ACCURACY_DROPS || kind == PBY_ACCURACY_HIDES
               ? "exactly, from the end of the noise's range"
               : "alpha and beta exactly, gamma by the tails of the noise to 40 digits";
}

/* Returns the name of the things that the support counts. */
static const char *counted(pby_accuracy_kind kind)
{
    return kind == PBY_ACCURACY_QUERY    ? "answer"
           : kind == PBY_ACCURACY_CHOICE ? "candidate"
           : kind == PBY_ACCURACY_STREAM ? "question"
           : kind == PBY_ACCURACY_POINT  ? "point"
                                         : "bar";
}

/* "alpha 1/25, beta 0, gamma 0 on 1000 records in at most 2 bars": the accuracy in one line. */
static char *accuracy_text(const pby_accuracy *accuracy, const pby_input_class *inputs,
                           pby_accuracy_kind kind)
{
    char gamma[PBY_DECIMAL_SIZE], records[48] = "";
    char *text = NULL;
    pby_mpq_text(gamma, accuracy->gamma);
    if (inputs->n > 0)
        snprintf(records, sizeof records, "%" PRIu64 " records in ", inputs->n);
    const int length = kind == PBY_ACCURACY_SHARE
                           ? gmp_asprintf(&text, "alpha %Qd, beta %Qd, gamma %s of %" PRIu64 " users",
                                          accuracy->alpha.value, accuracy->beta.value, gamma, inputs->n)
                           : gmp_asprintf(&text,
                                          "alpha %Qd, beta %Qd, gamma %s on %sat most %" PRIu64 " %s%s",
                                          accuracy->alpha.value, accuracy->beta.value, gamma, records,
                                          inputs->support, counted(kind), inputs->support == 1 ? "" : "s");
    return length < 0 ? NULL : text;
}

static void print_accuracy(pby_sheet *s, const pby_certificate *c)
{
    const pby_input_class *inputs;
    const pby_accuracy *accuracy = pby_certificate_accuracy(c, &inputs);
    if (accuracy == NULL)
        return;
    char *text = accuracy_text(accuracy, inputs, kind_of(c));
    if (text == NULL)
        s->short_of_memory = true;
    else
        pby_sheet_text(s, "accuracy", "accuracy", text);
    free(text);
}

/* The mechanism that the receipt is about, and its spec; a receipt of version 1 has neither. */
static void print_subject(pby_sheet *s, const json_t *receipt)
{
    const char *digest = json_string_value(json_object_get(json_object_get(receipt, "mechanism"), "digest"));
    const char *spec = json_string_value(json_object_get(json_object_get(receipt, "statement"), "spec"));
    if (digest == NULL || spec == NULL) {
        pby_sheet_line(s, "", "of no spec and no text: a receipt of version 1 names neither");
        return;
    }
    pby_sheet_line(s, "", "of %s, the compiled texts %s", spec, digest);
    pby_sheet_text(s, NULL, "proved_text", digest);
}

/* Prints the statement of the receipt in the certificate, and if it was only signed or proved again here. */
static void print_proof(pby_sheet *s, const pby_certificate *c)
{
    if (pby_certificate_proof(c) == NULL)
        return;
    const char *how = pby_proof_is_rerun(c) ? "signed, proved again" : "signed, not rerun";
    json_t *receipt = json_loads(pby_certificate_proof(c), 0, NULL);
    const json_t *said = json_object_get(receipt, "statement");
    pby_sheet_line(s, "proof", "%s: (%s, %s), %s", json_string_value(json_object_get(said, "mechanism")),
                   json_string_value(json_object_get(said, "epsilon")),
                   json_string_value(json_object_get(said, "delta")), how);
    print_subject(s, receipt);
    pby_sheet_line(s, "", "%s", json_string_value(json_object_get(said, "words")));
    pby_sheet_line(s, "", "signed by %s", pby_proof_signer(c));
    json_decref(receipt);
    pby_sheet_text(s, NULL, "proof", how);
    pby_sheet_text(s, NULL, "prover", pby_proof_signer(c));
}

/* The file of Coq that was written with it, and whether Coq accepted that here. */
static void print_theorem(pby_sheet *s, const pby_certificate *c)
{
    const char *how = pby_coqfile_is_compiled(c) ? "proved by Coq, and checked again by coqchk"
                                                 : "not compiled (give --coq FILE.v)";
    const char *digest = pby_coqfile_digest(c);
    if (digest[0] == '\0' && !pby_coqfile_is_compiled(c))
        return;
    pby_sheet_line(s, "theorem", "%s", how);
    pby_sheet_line(s, "", "%s", digest[0] == '\0' ? "the certificate names no file of Coq" : digest);
    pby_sheet_text(s, NULL, "theorem", how);
}

/* The quantity that is certified. */
static const char *subject(const pby_certificate *c)
{
    const pby_question question = pby_certificate_question(c);
    return question == PBY_ASK_RHO     ? "rho"
           : question == PBY_ASK_RENYI ? "renyi"
           : question == PBY_ASK_MU    ? "mu"
                                       : "delta";
}

/* "device, what one gives in a day; model central, trusted: Wikimedia; every day" */
static void put_deployment(FILE *out, const json_t *said)
{
    static const char *const spans[] = {"from", "to", "every", "periods", "releases"};
    const json_t *unit = json_object_get(said, "unit"), *model = json_object_get(said, "model"),
                 *horizon = json_object_get(said, "horizon");
    const char *entity = pby_json_string(unit, "entity"), *period = pby_json_string(unit, "period"),
               *kind = pby_json_string(model, "kind");
    fprintf(out, "%s%s%s", entity[0] == '\0' ? "a unit not stated" : entity,
            period[0] == '\0' ? "" : ", what one gives in a ", period);
    fprintf(out, "; model %s, trusted: ", kind[0] == '\0' ? "not stated" : kind);
    pby_deployment_put_trusted(out, model, "not stated");
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (pby_json_string(horizon, spans[i])[0] != '\0')
            fprintf(out, "; %s %s", spans[i], pby_json_string(horizon, spans[i]));
}

/* The deployment that the certificate is about, in the words of whoever signed. */
static void print_deployment(pby_sheet *s, const pby_certificate *c)
{
    const char *text = pby_certificate_deployment(c);
    json_t *said = text == NULL ? NULL : json_loads(text, 0, NULL);
    if (said == NULL) {
        s->short_of_memory = s->short_of_memory || text != NULL;
        return;
    }
    pby_sheet_line(s, "deployment", "%s, as the signer states it", pby_json_string(said, "name"));
    if (s->lines != NULL) {
        char *words = NULL;
        size_t size;
        FILE *out = open_memstream(&words, &size);
        if (out != NULL)
            put_deployment(out, said);
        if (out == NULL || fclose(out) != 0)
            s->short_of_memory = true;
        else
            pby_sheet_line(s, "", "%s", words);
        free(words);
    }
    pby_sheet_line(s, "", "%s", pby_json_string(said, "digest"));
    pby_sheet_member(s, "deployment", said);
}

static void print_loss(pby_sheet *s, const pby_certificate *c)
{
    const pby_question question = pby_certificate_question(c);
    if (question == PBY_ASK_DELTA) {
        pby_sheet_text(s, "epsilon", "epsilon", pby_certificate_epsilon(c));
        pby_sheet_ends(s, "delta", "delta", pby_certificate_delta_lo(c), pby_certificate_delta_hi(c), NULL);
        return;
    }
    const char *given = question == PBY_ASK_RHO ? "xi" : "order";
    if (question != PBY_ASK_MU)
        pby_sheet_text(s, given, given, pby_certificate_value(c));
    pby_sheet_ends(s, subject(c), subject(c), pby_certificate_divergence_lo(c),
                   pby_certificate_divergence_hi(c), NULL);
}

static void print_checked(pby_sheet *s, const pby_certificate *c, const char *note)
{
    pby_sheet_line(s, "checked", "every byte of the form and the digest");
    pby_sheet_line(s, "", "%s by %s", subject(c), pby_certificate_route(c));
    if (pby_certificate_plan(c)[0] != '\0') {
        pby_sheet_line(s, "", "the mechanisms and their sensitivities, derived from the plan again;");
        pby_sheet_line(s, "", "its names, groups, expected rows and weights are as its author states them");
        pby_sheet_text(s, "plan", "plan", pby_certificate_plan(c));
    }
    if (pby_certificate_accuracy(c, NULL) != NULL)
        pby_sheet_line(s, "", "accuracy, %s", accuracy_route(kind_of(c)));
    if (pby_certificate_signer(c) == NULL)
        return;
    pby_sheet_line(s, "", "signature by %s%s%s", pby_certificate_signer(c), note == NULL ? "" : " ",
                   note == NULL ? "" : note);
    pby_sheet_text(s, NULL, "signer", pby_certificate_signer(c));
}

/* A record is the unit where none is stated. */
static void print_unit(pby_sheet *s, const char *user)
{
    if (user == NULL)
        return;
    pby_sheet_line(s, "unit", "user by %s", user);
    pby_sheet_member(s, "user", json_string(user));
}

pby_status pby_report_certificate(char **text, const pby_certificate *c, const char *note,
                                  pby_report_form form, pby_error *err)
{
    pby_sheet s;
    pby_sheet_begin(&s, form);
    if (s.lines != NULL)
        fputs("the certificate holds: recomputed from the spec\n", s.lines);
    pby_sheet_member(&s, "holds", json_true());
    pby_sheet_text(&s, "mechanism", "spec", pby_spec_text(pby_certificate_spec(c)));
    pby_sheet_text(&s, "neighbours", "neighbours", pby_neighbours_text(pby_certificate_neighbours(c)));
    print_unit(&s, pby_certificate_user(c));
    print_loss(&s, c);
    pby_sheet_text(&s, NULL, "route", pby_certificate_route(c));
    print_accuracy(&s, c);
    print_proof(&s, c);
    print_theorem(&s, c);
    print_deployment(&s, c);
    print_checked(&s, c, note);
    return pby_sheet_end(text, &s, PBY_OK, err);
}
