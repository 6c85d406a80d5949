/* SPDX-License-Identifier: MIT */
#include "probity/experimental/estimate.h"
#include "probity/experimental/reports.h"

#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"

enum { ERROR, CANDIDATES, DIGITS, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [ERROR] = {.name = "--error",
               .shown = "BETA",
               .expected = "a rational above 0 and below 1",
               .help = "the chance that an interval may fail, above 0 and below 1 (1/20)"},
    [CANDIDATES] =
        {.name = "--candidates",
         .shown = "F",
         .expected = "the name of a file of values, one a line",
         .completes = "file",
         .help = "of rappor: the values that users have, one a line; the share of each is estimated by "
                 "exact least squares. Every value must be listed, or the estimates are biased"},
    [DIGITS] = {.name = "--digits",
                .shown = "N",
                .expected = "an integer from 1 to 1000",
                .help = "significant digits (9)"},
    [JSON] = {.name = "--json", .help = "one JSON object"},
};

static pby_status run_estimate(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_spec *spec = NULL;
    char *text = NULL;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "estimate: expected a SPEC such as rr:eps=1");
    if (status == PBY_OK)
        status = pby_operands_at_most(2, operands, argv, "one SPEC and one file", err);
    if (status != PBY_OK)
        return status;
    pby_estimates_asked asked = {.reports = operands > 1 ? argv[1] : NULL,
                                 .candidates = options[CANDIDATES].value,
                                 .error = options[ERROR].value};
    status = pby_option_digits(&asked.digits, options[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_spec_parse(&spec, (const char *const *)argv, 1, err);
    if (status == PBY_OK)
        status = pby_report_estimates(&text, spec, &asked, pby_option_form(&options[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_name(err, "error", "--error");
    pby_spec_free(spec);
    return pby_print_report(text, status);
}

static const char help[] =
    "probity estimate: estimate the users' values from their local reports\n"
    "\n"
    "usage: probity estimate SPEC [REPORTS.csv] [--candidates F] [--error BETA]\n"
    "                               [--digits N] [--json]\n"
    "\n"
    "Estimates from the reports of a local mechanism, one of each user: the share of the users whose\n"
    "truth is an answer, or the mean of their values. The estimate is unbiased, and may lie outside of\n"
    "the possible. It costs no privacy.\n"
    "\n"
    "  SPEC             what the reports were released with: rr:eps=E, krr:eps=E,k=K, onebit:eps=E,hi=H\n"
    "                   or rappor:..., of which the share of users whose value has a bit is estimated\n"
    "  REPORTS.csv      a report a line, with or without a header; - or nothing is standard input. A\n"
    "                   line that the mechanism cannot have produced is refused\n";

static const char end[] =
    "\n"
    "For each answer (of rr for the answer 1 alone), or for the mean:\n"
    "\n"
    "  estimate         the unbiased estimate of its share, or of the mean\n"
    "  interval         surrounds the share or mean of these users, whatever their truths are\n"
    "  population       surrounds that of the population, if the users are a random sample of it\n"
    "  variance         the exact variance of the estimate for the truths in the interval, and at most\n"
    "                   and at least over all truths\n"
    "\n"
    "The intervals of all answers hold together, but for a chance of at most BETA; so do those of the\n"
    "population.\n"
    "\n"
    "examples:\n"
    "  probity release rr:eps=1 answers.csv | probity estimate rr:eps=1\n"
    "  probity estimate krr:eps=3/2,k=3 reports.csv --error 1e-3 --json\n";

const pby_command pby_command_estimate = {
    "estimate", "estimate the users' values from their local reports", help, known, end, run_estimate};
