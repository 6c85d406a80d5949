/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/document.h"
#include "certificate/secret_key.h"
#include "cli/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "deployment/deployment_file.h"
#include "io/file.h"
#include "io/spool.h"
#include "report/deployment_result.h"
#include "report/report_deployment.h"

enum { OUTPUT, SIGN, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [OUTPUT] = {.name = "-o",
                .shown = "RESULT",
                .expected = "the name of a file to write",
                .completes = "file",
                .help =
                    "writes the file and the judgement of its claims as one document as well, which probity "
                    "verify judges again"},
    [SIGN] = {.name = "--sign",
              .shown = "KEY",
              .expected = "the name of a file that probity keygen wrote",
              .completes = "file",
              .help = "signs RESULT with the secret key in that file (see probity keygen)"},
    [JSON] = {.name = "--json",
              .help =
                  "one JSON object: name, claims (name, kind, verdict, given, lo, hi, reason), notices and "
                  "not_covered"},
};

/* The status of the verdicts: a claim that does not hold, else one that is open or something uncovered. */
static pby_status conclude(const pby_deployment_counts *n, pby_error *err)
{
    if (n->fail > 0)
        return pby_fail(err, PBY_NO, "%zu of %zu claims: not kept by the published mechanisms", n->fail,
                        n->hold + n->fail + n->open);
    if (n->open > 0)
        return pby_fail(err, PBY_INCONCLUSIVE, "%zu of %zu claims: open", n->open, n->hold + n->open);
    return n->uncovered > 0 ? pby_fail(err, PBY_INCONCLUSIVE,
                                       "%zu of the parts of it: not covered by a claim", n->uncovered)
                            : PBY_OK;
}

/* The document of the judgement, signed if a key is given, in the file of -o. */
static pby_status write_result(const pby_deployment *d, json_t *judgement, const char *path,
                               const char *secret, pby_error *err)
{
    json_t *root;
    PBY_TRY(pby_deployment_result(&root, d, judgement, err));
    pby_status status = secret == NULL ? PBY_OK : pby_document_sign(root, secret, err);
    char *text = status == PBY_OK ? pby_certificate_encode(root) : NULL;
    json_decref(root);
    if (status == PBY_OK)
        status = text == NULL ? pby_no_memory(err) : pby_spool_text(path, text, "", err);
    free(text);
    return status;
}

static pby_status judge(pby_deployment *d, const char *secret, const pby_option *options, pby_error *err)
{
    const char *path = options[OUTPUT].value;
    pby_deployment_counts counts;
    char *text = NULL;
    json_t *judgement = NULL;
    pby_clock waiting;
    pby_clock_begin(&waiting, "claims");
    pby_status status = pby_deployment_judge(path == NULL ? NULL : &judgement, &text, &counts, d,
                                             pby_option_form(&options[JSON]), err);
    pby_clock_end(&waiting);
    if (status == PBY_OK && path != NULL)
        status = write_result(d, judgement, path, secret, err);
    if (status != PBY_OK) {
        free(text);
        return status;
    }
    PBY_TRY(pby_print_report(text, status));
    return conclude(&counts, err);
}

/* Refuses options that do not go together, before anything is computed. */
static pby_status check_options(const char *path, const pby_option *o, pby_error *err)
{
    if (o[OUTPUT].value == NULL)
        return o[SIGN].value == NULL
                   ? PBY_OK
                   : pby_option_unread(&o[SIGN], "-o RESULT beside it, which is signed", err);
    if (pby_path_named(o[OUTPUT].value) == NULL)
        return pby_refuse(err, "-o", o[OUTPUT].value, "the name of a file; the lines are printed");
    if (pby_path_named(path) != NULL)
        PBY_TRY(pby_output_apart(o[OUTPUT].value, path, "the deployment", err));
    return o[SIGN].value == NULL ? PBY_OK : pby_output_apart(o[OUTPUT].value, o[SIGN].value, "the key", err);
}

static pby_status check(const char *path, const pby_option *options, pby_error *err)
{
    pby_secret_key key;
    pby_deployment *d = NULL;
    PBY_TRY(check_options(path, options, err));
    PBY_TRY(pby_secret_key_read(&key, "--sign", options[SIGN].value, err));
    pby_status status = pby_deployment_file(&d, path, err);
    if (status == PBY_OK)
        status = judge(d, key.text, options, err);
    pby_secret_key_clear(&key);
    pby_deployment_free(d);
    return status;
}

static pby_status run_deployment(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    PBY_TRY(pby_options_parse(options, known, argc, argv, &operands, err));
    if (operands == 0 || strcmp(argv[0], "check") != 0)
        return operands == 0 ? pby_fail(err, PBY_BAD, "deployment: expected check FILE")
                             : pby_refuse(err, "deployment", argv[0], "check, and the name of a file");
    PBY_TRY(pby_operands_at_most(2, operands, argv, "one FILE", err));
    return check(operands > 1 ? argv[1] : NULL, options, err);
}

static const char help[] =
    "probity deployment: recompute the claims of a deployment\n"
    "\n"
    "usage: probity deployment check [FILE] [-o RESULT [--sign KEY]] [--json]\n"
    "\n"
    "Reads a file that describes a deployment (docs/deployment.md) and judges every claim in it:\n"
    "\n"
    "  holds          the published mechanisms lose no more than is claimed\n"
    "  does not hold  a published law loses more, whatever else was done\n"
    "  open           too little is published; the line says what is missing, or what was found\n"
    "\n"
    "Also says which claims imply each other, what one entity loses over all periods, and what is not\n"
    "covered by any claim.\n"
    "\n"
    "  FILE             JSON, docs/deployment.schema.json; - or nothing is standard input\n";

static const char end[] =
    "\n"
    "Exit status: 0 every claim holds; 1 a claim does not hold; 4 none fails, and one is open or something\n"
    "is not covered; 2 a bad file; 3 the machine failed.\n"
    "\n"
    "example:\n"
    "  probity deployment check docs/deployments/google-mobility.json\n"
    "  probity deployment check meta-urls.json -o judged.json --sign signing; probity verify judged.json\n";

const pby_command pby_command_deployment = {
    "deployment", "recompute the claims of a deployment", help, known, end, run_deployment};
