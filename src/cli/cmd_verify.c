/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <unistd.h>

#include "audit/dossier/dossier.h"
#include "base/json.h"
#include "certificate/certified_deployment.h"
#include "certificate/coqfile.h"
#include "certificate/envelope.h"
#include "certificate/proof.h"
#include "cli/clock.h"
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/statement.h"
#include "deployment/deployment_file.h"
#include "io/file.h"
#include "io/spool.h"
#include "mechanism/family.h"
#include "probity/certificate.h"
#include "probity/experimental/certified.h"
#include "probity/key.h"
#include "report/deployment_result.h"
#include "report/proof_receipt.h"

enum { KEY, PROVE, COQ, DEPLOYMENT, JSON, OPTIONS };
enum kind { CERTIFICATE, DOSSIER, STATEMENT, RECEIPT, RESULT };

static const pby_option known[OPTIONS + 1] = {
    [KEY] = {.name = "--key",
             .shown = "KEY.pub",
             .expected = "the name of a file KEY.pub that probity keygen wrote",
             .completes = "file",
             .help = "the certificate must also be signed with the key of this public key"},
    [PROVE] = {.name = "--prove",
               .shown = "DIR",
               .expected = "the folder with the sources of the proof",
               .completes = "folder",
               .help =
                   "proves the receipt in the certificate again, on the sources in that folder; without this "
                   "a receipt is only signed (see probity prove)"},
    [COQ] = {.name = "--coq",
             .shown = "FILE.v",
             .expected = "the name of the file that probity certify --coq wrote",
             .completes = "file",
             .help = "compiles the theorem that probity certify --coq wrote, in a clean folder, and asks Coq "
                     "and coqchk whether it proves what the certificate says; needs Coq and Interval"},
    [DEPLOYMENT] = {.name = "--deployment",
                    .shown = "FILE",
                    .expected = "the file of the deployment that the certificate is about",
                    .completes = "file",
                    .help = "the certificate must be about the deployment that this file describes "
                            "(docs/deployment.md)"},
    [JSON] = {.name = "--json",
              .help = "one JSON object: holds, and what the certificate says, or the reason"},
};

/* Prints as JSON, where that is asked for, the reason why the document does not hold. */
static pby_status report_failure(pby_status verdict, const pby_option *options, pby_error *err)
{
    if (verdict != PBY_NO || options[JSON].value == NULL)
        return verdict;
    const pby_status printed = pby_print_json(json_pack("{s:b, s:s}", "holds", 0, "reason", err->text), err);
    return printed == PBY_OK ? verdict : printed;
}

static pby_status report(pby_status verdict, const pby_certificate *c, const pby_option *options,
                         pby_error *err)
{
    char *text;
    if (verdict != PBY_OK)
        return report_failure(verdict, options, err);
    const pby_status status =
        pby_report_certificate(&text, c, options[KEY].value == NULL ? "(give --key to require one)" : NULL,
                               pby_option_form(&options[JSON]), err);
    return pby_print_report(text, status);
}

/* The public key in a file, for free(3). */
static pby_status read_key(char **key, const char *path, pby_error *err)
{
    size_t size;
    PBY_TRY(pby_file_read(key, &size, path, PBY_KEY_SIZE, err));
    if (!pby_key_is_public(*key))
        return pby_refuse(err, "--key", path, "a public key, the file KEY.pub of probity keygen -o KEY");
    return PBY_OK;
}

static pby_status verify(pby_certificate **c, const char *text, size_t size, const char *key_path,
                         pby_error *err)
{
    char *key = NULL;
    if (key_path == NULL)
        return pby_verify(c, text, size, err);
    pby_status status = read_key(&key, key_path, err);
    if (status == PBY_OK)
        status = pby_verify_signed(c, text, size, key, err);
    free(key);
    return status;
}

/* Hands a text to a program of the driver, in a file that is there as long as it runs. */
static pby_status hand_over(const char *text, const char *about,
                            pby_status (*program)(const char *, const char *, pby_error *), pby_error *err)
{
    char path[] = "/tmp/probity-driver-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0)
        return pby_fail(err, PBY_FAILED, "%s: no temporary file", about);
    close(file);
    pby_status status = pby_spool_text(path, text, "", err);
    if (status == PBY_OK)
        status = program(about, path, err);
    unlink(path);
    return status;
}

/* Proves what the receipt in the certificate says once more, on the sources in that folder. */
static pby_status prove(pby_certificate *c, const char *folder, pby_error *err)
{
    if (folder == NULL)
        return PBY_OK;
    if (pby_certificate_proof(c) == NULL)
        return pby_refuse(err, "--prove", folder, "it only of a certificate that has a proof");
    PBY_TRY(hand_over(pby_certificate_proof(c), folder, pby_driver_rerun, err));
    pby_proof_set_rerun(c);
    return PBY_OK;
}

/* Compiles the theorem of the certificate: it must state what this program would write. */
static pby_status compile(pby_certificate *c, const char *path, pby_error *err)
{
    char *text, *wanted;
    size_t size;
    if (path == NULL)
        return PBY_OK;
    PBY_TRY(pby_file_read(&text, &size, path, PBY_CERTIFICATE_SIZE_MAX, err));
    pby_status status = pby_coqfile_check(c, text, size, err);
    free(text);
    PBY_TRY(status);
    PBY_TRY(pby_certificate_theorem(&wanted, c, err));
    status = hand_over(wanted, path, pby_driver_theorem, err);
    free(wanted);
    if (status == PBY_OK)
        pby_coqfile_set_compiled(c);
    return status;
}

/* The public key that is asked for, if one is, of a file that is no certificate. */
static pby_status read_options(char **key, const pby_option *options, pby_error *err)
{
    *key = NULL;
    for (size_t i = PROVE; i <= DEPLOYMENT; i++)
        if (options[i].value != NULL)
            return pby_option_unread(&options[i], "it only of a certificate", err);
    return options[KEY].value == NULL ? PBY_OK : read_key(key, options[KEY].value, err);
}

/* Verifies a document that tells what was checked: a dossier, a receipt, or the judgement of a deployment. */
static pby_status verify_document(enum kind kind, const char *text, size_t size, const char *path,
                                  const pby_option *options, pby_error *err)
{
    const pby_report_form form = pby_option_form(&options[JSON]);
    char *key, *told = NULL;
    pby_status status = read_options(&key, options, err);
    if (status == PBY_OK)
        status = kind == DOSSIER   ? pby_dossier_verify(&told, text, size, path, key, form, err)
                 : kind == RECEIPT ? pby_proof_receipt_verify(&told, text, size, key, form, err)
                                   : pby_deployment_result_verify(&told, text, size, key, form, err);
    free(key);
    return status == PBY_OK ? pby_print_report(told, status) : report_failure(status, options, err);
}

static pby_status verify_statement(const char *text, size_t size, const char *path, const pby_option *options,
                                   pby_error *err)
{
    char *key;
    pby_status status = read_options(&key, options, err);
    if (status == PBY_OK)
        status = pby_statement_verify(text, size, path, key, options[JSON].value != NULL, err);
    free(key);
    return report_failure(status, options, err);
}

/* Holds the deployment that the certificate names against the file that is given. */
static pby_status compare(const pby_certificate *c, const char *path, pby_error *err)
{
    pby_deployment *d;
    if (path == NULL)
        return PBY_OK;
    PBY_TRY(pby_deployment_file(&d, path, err));
    const pby_status status = pby_certified_deployment_compare(c, d, err);
    pby_deployment_free(d);
    return status;
}

static pby_status verify_certificate(const char *text, size_t size, const pby_option *options, pby_error *err)
{
    pby_certificate *c = NULL;
    pby_clock waiting;
    pby_clock_begin(&waiting, "verifying");
    pby_status status = verify(&c, text, size, options[KEY].value, err);
    pby_clock_end(&waiting);
    if (status == PBY_OK)
        status = prove(c, options[PROVE].value, err);
    if (status == PBY_OK)
        status = compile(c, options[COQ].value, err);
    if (status == PBY_OK)
        status = compare(c, options[DEPLOYMENT].value, err);
    status = report(status, c, options, err);
    pby_certificate_free(c);
    return status;
}

/* A file is of the kind that it says it is; whatever says nothing is held for a certificate. */
static pby_status kind_of(enum kind *kind, const char *text, size_t size, pby_error *err)
{
    json_t *root;
    PBY_TRY(pby_json_read(&root, text, size, err));
    *kind = pby_dossier_is(root)             ? DOSSIER
            : pby_envelope_is(root)          ? STATEMENT
            : pby_proof_is(root)             ? RECEIPT
            : pby_deployment_result_is(root) ? RESULT
                                             : CERTIFICATE;
    json_decref(root);
    return PBY_OK;
}

static pby_status verify_any(const char *text, size_t size, const char *path, const pby_option *options,
                             pby_error *err)
{
    enum kind kind;
    PBY_TRY(kind_of(&kind, text, size, err));
    switch (kind) {
    case DOSSIER:
    case RECEIPT:
    case RESULT:
        return verify_document(kind, text, size, path, options, err);
    case STATEMENT:
        return verify_statement(text, size, path, options, err);
    case CERTIFICATE:
    default:
        return verify_certificate(text, size, options, err);
    }
}

static pby_status run_verify(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    char *text = NULL;
    size_t size;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one FILE, not two", err);
    const char *path = status == PBY_OK && operands > 0 ? argv[0] : NULL;
    if (path != NULL && access(path, F_OK) != 0 && pby_family_meant(path) != NULL)
        status = pby_refuse(err, "FILE", path,
                            "a certificate; probity certify SPEC --epsilon E -o FILE makes one");
    if (status == PBY_OK)
        status = pby_file_read(&text, &size, path, PBY_DOSSIER_SIZE_MAX, err);
    if (status != PBY_OK)
        return status;
    status = verify_any(text, size, path, options, err);
    free(text);
    return status;
}

static const char help[] =
    "probity verify: recompute a certificate\n"
    "\n"
    "usage: probity verify [FILE] [--key KEY.pub] [--prove DIR] [--coq FILE.v] [--deployment FILE]\n"
    "                      [--json]\n"
    "\n"
    "Recomputes delta from the mechanism's exact distribution, by a different method than the one that\n"
    "wrote the certificate, and compares. It trusts no number in the file. The certificate holds if its\n"
    "two decimals enclose the recomputed delta, are as close to each other as they should be, and no byte\n"
    "of the file was changed. If it holds, prints what it says and what was checked, and exits with 0.\n"
    "Otherwise prints the reason on standard error and exits with 1.\n"
    "\n"
    "  FILE             the certificate, or the dossier.json of probity audit --dossier, whose verdicts\n"
    "                   are held against their counts, or the signed statement of a release, whose files\n"
    "                   must have the SHA-256 stated where they lie beside it, or a receipt of probity\n"
    "                   prove, whose form, digest and signature are checked, or the result of probity\n"
    "                   deployment check -o, whose claims are judged again; - or nothing is standard\n"
    "                   input\n";

static const char end[] = "\n"
                          "examples:\n"
                          "  probity verify certificate.json\n"
                          "  probity certify geometric:eps=1 --epsilon 1 | probity verify --json\n";

const pby_command pby_command_verify = {"verify", "recompute a certificate", help, known, end, run_verify};
