/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "number/integer.h"
#include "probity/experimental/reports.h"

enum { METRIC, ALPHA, DISTANCE, DIGITS, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [METRIC] = {.name = "--metric",
                .shown = "M",
                .expected = "line, discrete or the name of a table",
                .completes = "line discrete file",
                .help =
                    "line: inputs are numbers, d their difference. discrete: 1 between any two. A table: its "
                    "first line names the inputs, then INPUT,DISTANCE,... a line"},
    [ALPHA] = {.name = "--alpha",
               .shown = "A",
               .expected = "a rational from 0 on",
               .help = "a verdict too: exit status 1 if it is not private at A"},
    [DISTANCE] = {.name = "--distance",
                  .shown = "N",
                  .expected = "an integer from 1 on",
                  .help = "the greatest distance that is tried, an integer from 1 to 1000 (1)"},
    [DIGITS] = {.name = "--digits",
                .shown = "N",
                .expected = "an integer from 1 to 1000",
                .help = "significant digits, 9 if left out"},
    [JSON] = {.name = "--json", .help = "one JSON object: alpha, worst, holds"},
};

/* Reads the question; a SPEC has a colon and is no file. */
static pby_status read_asked(pby_condensed_asked *asked, pby_spec **spec, const pby_option *o,
                             const char *what, pby_error *err)
{
    const bool mechanism = strchr(what, ':') != NULL && access(what, F_OK) != 0;
    *asked = (pby_condensed_asked){.metric = o[METRIC].value, .alpha = o[ALPHA].value};
    pby_status status = pby_option_digits(&asked->digits, o[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&asked->distance, "--distance", o[DISTANCE].value, 1, 1000, 1, err);
    if (status != PBY_OK)
        return status;
    if (mechanism && o[METRIC].value != NULL)
        return pby_refuse(err, "--metric", o[METRIC].value, "a channel; of a mechanism give --distance");
    if (mechanism) {
        status = pby_spec_parse(spec, &what, 1, err);
        asked->spec = *spec;
        return status;
    }
    asked->channel = what;
    if (o[DISTANCE].value != NULL)
        return pby_refuse(err, "--distance", o[DISTANCE].value, "a mechanism; of a channel give --metric");
    return o[METRIC].value == NULL
               ? pby_fail(err, PBY_BAD, "condensed: expected --metric line, discrete or a table")
               : PBY_OK;
}

static pby_status run_condensed(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_condensed_asked asked;
    pby_spec *spec = NULL;
    char *text = NULL;
    bool holds = true;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "condensed: expected the table of a channel, or a SPEC");
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one channel or SPEC", err);
    if (status == PBY_OK)
        status = read_asked(&asked, &spec, options, argv[0], err);
    if (status == PBY_OK) {
        status = pby_report_condensed(&text, &holds, &asked, pby_option_form(&options[JSON]), err);
        if (status != PBY_OK)
            pby_advise_options(err, known);
    }
    pby_spec_free(spec);
    if (text != NULL)
        status = pby_print_report(text, status);
    return status == PBY_OK && !holds ? pby_fail(err, PBY_NO, "not private at alpha %s", options[ALPHA].value)
                                      : status;
}

static const char help[] =
    "probity condensed: compute privacy that falls with a distance\n"
    "\n"
    "usage: probity condensed CHANNEL.csv --metric line|discrete|METRIC.csv [--alpha A] [--digits N]\n"
    "                         [--json]\n"
    "       probity condensed SPEC [--distance N] [--alpha A] [--digits N] [--json]\n"
    "\n"
    "A channel is alpha-private for a metric d if no output's chance on an input x is above\n"
    "exp(alpha d(x, y)) times its chance on an input y. Computes the least such alpha, and inputs that\n"
    "need it. With the discrete metric this is local privacy at epsilon = alpha.\n"
    "\n"
    "  CHANNEL.csv      a first line that names the outputs, then INPUT,CHANCE,... a line, rationals that\n"
    "                   add up to 1\n"
    "  SPEC             a mechanism: d counts neighbours, from 1 to N; a local one has d = 1 alone\n";

static const char end[] = "\n"
                          "A table is compared exactly. - is standard input.\n"
                          "\n"
                          "examples:\n"
                          "  probity condensed channel.csv --metric line --alpha 1/2\n"
                          "  probity condensed geometric:eps=1/2 --distance 20\n";

const pby_command pby_command_condensed = {
    "condensed", "compute privacy that falls with a distance", help, known, end, run_condensed};
