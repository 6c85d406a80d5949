/* SPDX-License-Identifier: MIT */
#include "probity/experimental/microdata.h"
#include "probity/experimental/reports.h"

#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "number/integer.h"

enum { BARS, EPSILON, DIGITS, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [BARS] = {.name = "--bars",
              .shown = "M",
              .expected = "an integer from 1 on",
              .help = "the number of bars"},
    [EPSILON] = {.name = "--epsilon",
                 .shown = "E",
                 .expected = "a rational above 0",
                 .help = "for least: the epsilon; if left out, the mechanism's eps. gmicrodata needs it"},
    [DIGITS] = {.name = "--digits",
                .shown = "N",
                .expected = "an integer from 1 to 1000",
                .help = "significant digits, 9 if left out"},
    [JSON] = {.name = "--json", .help = "one JSON object"},
};

static pby_status weights(const char *path, const pby_option *options, pby_error *err)
{
    char *text;
    const pby_status status = pby_report_weights(&text, path, pby_option_form(&options[JSON]), err);
    return pby_print_report(text, status);
}

static pby_status errors(const pby_option *options, int operands, char **argv, pby_error *err)
{
    unsigned long bars;
    unsigned digits;
    pby_spec *spec;
    char *text;
    if (options[BARS].value == NULL)
        return pby_fail(err, PBY_BAD, "microdata error: expected --bars M");
    pby_status status = pby_integer_parse(&bars, "--bars", options[BARS].value, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_option_digits(&digits, options[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_operand_spec(&spec, "microdata error", operands, argv, err);
    if (status != PBY_OK)
        return status;
    status = pby_report_weights_errors(&text, spec, bars, options[EPSILON].value, digits,
                                       pby_option_form(&options[JSON]), err);
    pby_spec_free(spec);
    return pby_print_report(text, status);
}

static pby_status run_microdata(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status != PBY_OK)
        return status;
    if (operands > 0 && strcmp(argv[0], "error") == 0)
        return errors(options, operands - 1, argv + 1, err);
    if (operands == 0 || strcmp(argv[0], "weights") != 0)
        return operands == 0 ? pby_fail(err, PBY_BAD, "microdata: expected weights or error")
                             : pby_refuse(err, "microdata", argv[0], "weights or error");
    status = pby_operands_at_most(2, operands, argv, "weights and one file", err);
    for (size_t i = BARS; i <= DIGITS && status == PBY_OK; i++)
        if (options[i].value != NULL)
            status = pby_refuse(err, options[i].name, options[i].value, "it with error alone");
    return status == PBY_OK ? weights(operands > 1 ? argv[1] : NULL, options, err) : status;
}

static const char help[] =
    "probity microdata: fit weights to noisy bars and their noisy total\n"
    "\n"
    "usage: probity microdata weights [IN.csv] [--json]\n"
    "       probity microdata error SPEC --bars M [--epsilon E] [--digits N] [--json]\n"
    "\n"
    "weights reads a release of microdata, tmicrodata or gmicrodata: KEY,COUNT, the total last. It writes\n"
    "KEY,WEIGHT: the weights from 0 on that add up to the total, or to 0 if that is negative, and are\n"
    "nearest to the bars by least squares. They are exact rationals, and the conditions of the best\n"
    "weights are checked. This costs no privacy.\n"
    "\n"
    "error encloses the mean squared errors of such weights, for M bars:\n"
    "  total        of their sum, at the worst data\n"
    "  bar          a bound for every bar, at any data\n"
    "  least        what some bar has at least, at some data, by any mechanism of the same epsilon and\n"
    "               delta whose sum is as good as total\n"
    "  clipped, and its total\n"
    "               the errors if bars alone were measured at the same loss, and clipped at 0: of a bar, at\n"
    "               the worst data, and of the sum of M empty bars. Not for tmicrodata\n"
    "\n"
    "  IN.csv           - or nothing is standard input\n"
    "  SPEC             a mechanism such as microdata:eps=1\n";

static const char end[] = "\n"
                          "examples:\n"
                          "  probity release microdata:eps=1 counts.csv | probity microdata weights\n"
                          "  probity microdata error microdata:eps=1 --bars 1000\n";

const pby_command pby_command_microdata = {
    "microdata", "fit weights to noisy bars and their noisy total", help, known, end, run_microdata};
