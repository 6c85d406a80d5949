/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "deployment/deployment.h"
#include "io/file.h"

enum { JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [JSON] = {.name = "--json",
              .help =
                  "one JSON object: name, claims (name, kind, verdict, given, lo, hi, reason), notices and "
                  "not_covered"},
};

static pby_status read_deployment(pby_deployment **out, const char *path, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    pby_error why = PBY_NO_ERROR;
    pby_status status = pby_file_read(&text, &size, path, PBY_DEPLOYMENT_SIZE_MAX, &why);
    *out = NULL;
    if (status == PBY_OK)
        status = pby_deployment_read(out, text, size, &why);
    free(text);
    return status == PBY_OK
               ? PBY_OK
               : pby_fail_by(err, status, why.reason, "%.100s: %s", pby_path_text(path), why.text);
}

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

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_deployment *d = NULL;
    pby_deployment_counts counts;
    char *text = NULL;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status != PBY_OK)
        return status;
    if (operands == 0 || strcmp(argv[0], "check") != 0)
        return operands == 0 ? pby_fail(err, PBY_BAD, "deployment: expected check FILE")
                             : pby_refuse(err, "deployment", argv[0], "check, and the name of a file");
    PBY_TRY(pby_operands_at_most(2, operands, argv, "one FILE", err));
    status = read_deployment(&d, operands > 1 ? argv[1] : NULL, err);
    if (status != PBY_OK)
        return status;
    pby_clock waiting;
    pby_clock_begin(&waiting, "claims");
    status = pby_report_deployment(&text, &counts, d, pby_option_form(&options[JSON]), err);
    pby_clock_end(&waiting);
    pby_deployment_free(d);
    status = pby_print_report(text, status);
    return status == PBY_OK ? conclude(&counts, err) : status;
}

static const char help[] =
    "probity deployment: the claims of a deployment, recomputed\n"
    "\n"
    "usage: probity deployment check [FILE] [--json]\n"
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
    "  probity deployment check docs/deployments/google-mobility.json\n";

const pby_command pby_command_deployment = {
    "deployment", "the claims of a deployment, recomputed", help, known, end, run};
