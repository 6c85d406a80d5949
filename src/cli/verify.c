#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "accuracy/row.h"
#include "cli/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "number/text.h"
#include "probity/certificate.h"
#include "probity/key.h"

enum { KEY, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [KEY] = {"--key", "the name of a file KEY.pub that probity keygen wrote", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

/* Of the accuracy that a certificate states. */
static pby_accuracy_kind kind_of(const pby_certificate *c)
{
    pby_accuracy_kind kind = PBY_ACCURACY_DROPS;
    return pby_accuracy_kind_of(&kind, pby_certificate_spec(c), NULL) == PBY_OK ? kind : PBY_ACCURACY_DROPS;
}

/* How the accuracy was checked: whether gamma is a chance, which noise has that may go too far. */
static const char *accuracy_route(const pby_certificate *c)
{
    const pby_accuracy_kind kind = kind_of(c);
    if (!pby_accuracy_is_histogram(kind))
        return "alpha and beta exactly, gamma at the worst input to 40 digits";
    return kind == PBY_ACCURACY_DROPS || kind == PBY_ACCURACY_HIDES
               ? "exactly, from the end of the noise's range"
               : "alpha and beta exactly, gamma by the tails of the noise to 40 digits";
}

/* What the support counts. */
static const char *counted(pby_accuracy_kind kind)
{
    return kind == PBY_ACCURACY_QUERY    ? "answer"
           : kind == PBY_ACCURACY_CHOICE ? "candidate"
           : kind == PBY_ACCURACY_STREAM ? "question"
           : kind == PBY_ACCURACY_POINT  ? "point"
                                         : "bar";
}

/* "alpha 1/25, beta 0, gamma 0 on 1000 records in at most 2 bars": the accuracy in one line. */
static char *accuracy_text(const pby_certificate *c)
{
    char gamma[PBY_DECIMAL_SIZE], records[48] = "";
    const pby_input_class *inputs;
    const pby_accuracy *accuracy = pby_certificate_accuracy(c, &inputs);
    char *text = NULL;
    if (accuracy == NULL)
        return NULL;
    pby_mpq_text(gamma, accuracy->gamma);
    if (inputs->n > 0)
        snprintf(records, sizeof records, "%" PRIu64 " records in ", inputs->n);
    const int length = kind_of(c) == PBY_ACCURACY_SHARE
                           ? gmp_asprintf(&text, "alpha %Qd, beta %Qd, gamma %s of %lu users",
                                          accuracy->alpha.value, accuracy->beta.value, gamma,
                                          (unsigned long)inputs->n)
                           : gmp_asprintf(&text, "alpha %Qd, beta %Qd, gamma %s on %sat most %lu %s%s",
                                          accuracy->alpha.value, accuracy->beta.value, gamma, records,
                                          (unsigned long)inputs->support, counted(kind_of(c)),
                                          inputs->support == 1 ? "" : "s");
    return length < 0 ? NULL : text;
}

static void print_checked(const pby_certificate *c, int key)
{
    pby_print_line("checked", "every byte of the form and the digest");
    printf("%-12sdelta by %s\n", "", pby_certificate_route(c));
    if (pby_certificate_accuracy(c, NULL) != NULL)
        printf("%-12saccuracy, %s\n", "", accuracy_route(c));
    if (pby_certificate_signer(c) != NULL)
        printf("%-12ssignature by %s%s\n", "", pby_certificate_signer(c),
               key ? "" : " (give --key to require one)");
}

static void print_certificate(const pby_certificate *c, int key)
{
    char *accuracy = accuracy_text(c);
    puts("the certificate holds: recomputed from the spec");
    pby_print_line("mechanism", pby_spec_text(pby_certificate_spec(c)));
    pby_print_line("neighbours", pby_neighbours_text(pby_certificate_neighbours(c)));
    pby_print_line("epsilon", pby_certificate_epsilon(c));
    pby_print_ends("delta", pby_certificate_delta_lo(c), pby_certificate_delta_hi(c), NULL);
    if (accuracy != NULL)
        pby_print_line("accuracy", accuracy);
    print_checked(c, key);
    free(accuracy);
}

/* NULL on failure. */
static json_t *describe(const pby_certificate *c, pby_error *err)
{
    pby_status status = PBY_OK;
    char *accuracy = accuracy_text(c);
    json_t *object = json_pack("{s:b, s:s, s:s, s:s, s:{s:s, s:s}, s:s}", "holds", 1, "spec",
                               pby_spec_text(pby_certificate_spec(c)), "neighbours",
                               pby_neighbours_text(pby_certificate_neighbours(c)), "epsilon",
                               pby_certificate_epsilon(c), "delta", "lo", pby_certificate_delta_lo(c), "hi",
                               pby_certificate_delta_hi(c), "route", pby_certificate_route(c));
    if (accuracy != NULL)
        status = pby_json_set(object, "accuracy", json_string(accuracy), err);
    if (status == PBY_OK && pby_certificate_signer(c) != NULL)
        status = pby_json_set(object, "signer", json_string(pby_certificate_signer(c)), err);
    free(accuracy);
    if (status == PBY_OK)
        return object;
    json_decref(object);
    return NULL;
}

static pby_status report(pby_status verdict, const pby_certificate *c, const pby_option *options,
                         pby_error *err)
{
    if (options[JSON].value == NULL) {
        if (verdict == PBY_OK)
            print_certificate(c, options[KEY].value != NULL);
        return verdict;
    }
    if (verdict != PBY_OK && verdict != PBY_NO)
        return verdict;
    const pby_status status = pby_print_json(
        verdict == PBY_OK ? describe(c, err) : json_pack("{s:b, s:s}", "holds", 0, "reason", err->text), err);
    return status == PBY_OK ? verdict : status;
}

static pby_status verify(pby_certificate **c, const char *text, size_t size, const char *key_path,
                         pby_error *err)
{
    char *key;
    size_t key_size;
    if (key_path == NULL)
        return pby_verify(c, text, size, err);
    pby_status status = pby_file_read(&key, &key_size, key_path, PBY_KEY_SIZE, err);
    if (status != PBY_OK)
        return status;
    if (pby_key_is_public(key))
        status = pby_verify_signed(c, text, size, key, err);
    else
        status =
            pby_refuse(err, "--key", key_path, "a public key, the file KEY.pub of probity keygen -o KEY");
    free(key);
    return status;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_certificate *c = NULL;
    char *text = NULL;
    size_t size;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one FILE, not two", err);
    if (status == PBY_OK)
        status = pby_file_read(&text, &size, operands == 0 ? NULL : argv[0], PBY_CERTIFICATE_SIZE_MAX, err);
    if (status != PBY_OK)
        return status;
    pby_clock waiting;
    pby_clock_begin(&waiting, "verifying");
    status = verify(&c, text, size, options[KEY].value, err);
    pby_clock_end(&waiting);
    status = report(status, c, options, err);
    pby_certificate_free(c);
    free(text);
    return status;
}

static const char help[] =
    "probity verify: recomputes a certificate\n"
    "\n"
    "usage: probity verify [FILE] [--key KEY.pub] [--json]\n"
    "\n"
    "Recomputes delta from the mechanism's exact distribution, by a different method than the one that\n"
    "wrote the certificate, and compares. It trusts no number in the file. The certificate holds if its\n"
    "two decimals enclose the recomputed delta, are as close to each other as they should be, and no byte\n"
    "of the file was changed. If it holds, prints what it says and what was checked, and exits with 0.\n"
    "Otherwise prints the reason on standard error and exits with 1.\n"
    "\n"
    "  FILE            the certificate; - or nothing is standard input\n"
    "  --key KEY.pub   the certificate must also be signed with the key of this public key\n"
    "  --json          one JSON object: holds, and what the certificate says, or the reason\n"
    "\n"
    "examples:\n"
    "  probity verify certificate.json\n"
    "  probity certify geometric:eps=1 --epsilon 1 | probity verify --json\n";

const pby_command pby_command_verify = {"verify", "recomputes a certificate", help, run};
