/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "certificate/certified_operand.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "probity/enclosure.h"
#include "probity/report.h"
#include "report/self_checking.h"

enum { NEIGHBOURS, DIGITS, JSON, REPORT, SELF_CHECKING, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [NEIGHBOURS] = {PBY_OPTION_NEIGHBOURS},
    [DIGITS] = {.name = "--digits",
                .shown = "N",
                .expected = "an integer from 1 to 1000",
                .help = "significant digits of the numbers, 1 to 1000 (9)"},
    [JSON] = {.name = "--json",
              .help =
                  "one JSON object: spec, family, what, neighbours, worst_pair, loss (delta, epsilon and "
                  "rho, each {\"lo\": \"...\", \"hi\": \"...\"}, the first two with \"at\"), accuracy, and "
                  "proved"},
    [REPORT] = {.name = "--report",
                .shown = "FILE",
                .expected = "a file for the HTML page",
                .completes = "file",
                .help =
                    "also writes one HTML page that needs nothing from outside: the noise, the worst pair, "
                    "the profile, the published claim, the accuracy, and how to cite it"},
    [SELF_CHECKING] =
        {.name = "--self-checking",
         .help = "with --report: the page recomputes its losses in a browser, offline, and marks them "
                 "(docs/web.md); needs the page that make web made"},
};

/* Puts the module and its script into the page, if it shall check itself. */
static pby_status make_checking(char **page, const pby_option *options, pby_error *err)
{
    char *with = NULL;
    if (options[SELF_CHECKING].value == NULL)
        return PBY_OK;
    PBY_TRY(pby_report_checking(&with, *page, err));
    free(*page);
    *page = with;
    return PBY_OK;
}

static pby_status explain(const pby_spec *spec, pby_neighbours relation, const pby_option *options,
                          unsigned digits, pby_error *err)
{
    const char *path = options[REPORT].value;
    char *text = NULL, *page = NULL;
    pby_status status = options[SELF_CHECKING].value != NULL ? pby_report_ready(err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_report_page_ready(path, err);
    if (status == PBY_OK)
        status = pby_report_explanation(&text, path == NULL ? NULL : &page, spec, relation, digits,
                                        pby_option_form(&options[JSON]), err);
    if (status == PBY_OK)
        status = make_checking(&page, options, err);
    if (status == PBY_OK)
        status = pby_report_page_write(path, page, err);
    free(page);
    return pby_print_report(text, status);
}

static pby_status run_explain(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_spec *spec = NULL;
    unsigned digits;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK)
        status = pby_option_digits(&digits, options[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK && options[SELF_CHECKING].value != NULL && options[REPORT].value == NULL)
        status = pby_fail(err, PBY_BAD, "--self-checking: expected --report FILE beside it");
    if (status == PBY_OK && operands == 0)
        status =
            pby_fail(err, PBY_BAD, "explain: expected a SPEC such as stlap:eps=1/2,q=40, or a certificate");
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one SPEC, not two", err);
    pby_neighbours relation = (pby_neighbours)-1;
    if (status == PBY_OK)
        status = pby_operand_certified(&spec, &relation, operands, argv, err);
    if (status == PBY_OK && (options[NEIGHBOURS].value != NULL || relation == (pby_neighbours)-1))
        status = pby_option_neighbours(&relation, options[NEIGHBOURS].value, spec, err);
    if (status == PBY_OK)
        status = explain(spec, relation, options, digits, err);
    pby_spec_free(spec);
    return status;
}

static const char help[] =
    "probity explain: what a mechanism is, what it costs, and where that is proved\n"
    "\n"
    "usage: probity explain SPEC|CERTIFICATE [--neighbours R] [--digits N] [--json]\n"
    "                       [--report FILE [--self-checking]]\n"
    "\n"
    "Prints what the mechanism releases and which noise it adds; what neighbouring inputs are; the pair of\n"
    "inputs with the largest loss; the loss (delta at the epsilon of the SPEC, epsilon at delta 1e-6, and\n"
    "the rho of zCDP, where it is known); the accuracy; and where the proofs are: a page of docs/theory,\n"
    "and the kernel functions whose contracts make prove proves.\n"
    "\n"
    "  SPEC             a mechanism, such as stlap:eps=1/2,q=40, or K uses of one, K*SPEC; a certificate,\n"
    "                   which is a file, stands for its own\n";

static const char end[] = "\n"
                          "examples:\n"
                          "  probity explain stlap:eps=1/2,q=40\n"
                          "  probity explain 100*dgauss:sigma2=100 --json\n"
                          "  probity explain stlap:eps=1/2,q=40 --report stlap.html\n";

const pby_command pby_command_explain = {
    "explain", "describe a mechanism, and where it is proved", help, known, end, run_explain};
