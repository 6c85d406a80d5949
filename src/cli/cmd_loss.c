/* SPDX-License-Identifier: MIT */
#include "probity/experimental/losses.h"
#include "probity/loss.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/advice.h"
#include "cli/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "mechanism/spec/events.h"
#include "number/integer.h"

enum {
    EPSILON,
    DELTA,
    ORDER,
    ZCDP,
    MU,
    PROFILE,
    XI,
    GROUP,
    CONVERSION,
    COMPOSITION,
    WIDTH,
    PLOT,
    EVENTS,
    NEIGHBOURS,
    DIGITS,
    JSON,
    OPTIONS
};
enum { THE_QUESTION = 1 };

static const pby_option known[OPTIONS + 1] = {
    [EPSILON] = {.name = "--epsilon",
                 .shown = "E",
                 .expected = "a rational such as 1/2 or 0.5",
                 .alternative = THE_QUESTION,
                 .help = "delta at this epsilon; E is a rational, possibly negative"},
    [DELTA] = {.name = "--delta",
               .shown = "D",
               .expected = "a rational such as 1e-6",
               .alternative = THE_QUESTION,
               .help = "the least epsilon whose delta is at most D, a rational from 0 to 1"},
    [ORDER] = {.name = "--order",
               .shown = "A",
               .expected = "a rational from 1 on, or inf",
               .alternative = THE_QUESTION,
               .help =
                   "the Renyi divergence of order A, a rational from 1 on, or inf. If outputs of one input "
                   "are impossible on the other, it is inf, and the approximate divergence is printed too: "
                   "the divergence given events of probability at least 1 - delta"},
    [ZCDP] = {.name = "--zcdp",
              .alternative = THE_QUESTION,
              .help = "the least rho with D_a <= rho a for every order a > 1"},
    [MU] = {.name = "--mu",
            .alternative = THE_QUESTION,
            .help = "the least mu of Gaussian differential privacy: no test tells neighbours apart better "
                    "than N(mu, 1) from N(0, 1)"},
    [PROFILE] =
        {.name = "--profile",
         .shown = "LO:HI:N",
         .expected = "LO:HI:N, such as 0:2:201",
         .alternative = THE_QUESTION,
         .help = "delta at N epsilons from LO to HI, as CSV: epsilon,delta_lo,delta_hi, and wider (yes or "
                 "no) if some enclosures stay wider than requested"},
    [XI] = {.name = "--xi",
            .shown = "X",
            .expected = "a rational from 0 on",
            .help = "with --zcdp: the least rho with D_a <= X + rho a"},
    [GROUP] = {.name = "--group",
               .shown = "K",
               .expected = "an integer from 1 to 1000000",
               .help = "between inputs at most K neighbours apart; the spec of the group is printed too"},
    [CONVERSION] = {.name = "--conversion",
                    .shown = "C",
                    .expected = "a name such as zcdp-to-approx-classical",
                    .completes =
                        "pure-to-renyi pure-to-renyi-classical pure-to-zcdp pure-to-zcdp-classical "
                        "renyi-to-approx renyi-to-approx-classical zcdp-to-approx zcdp-to-approx-classical "
                        "zcdp-to-approx-bs",
                    .help =
                        "the result of a conversion instead of the exact loss: an upper bound; C is "
                        "pure-to-renyi, pure-to-zcdp, renyi-to-approx or zcdp-to-approx, one of these with "
                        "-classical at its end, or zcdp-to-approx-bs, the formula of Bun and Steinke"},
    [COMPOSITION] =
        {.name = "--composition",
         .shown = "T",
         .expected = "exact, basic, advanced or optimal",
         .completes = "exact basic advanced optimal",
         .help = "how several uses compose: exact (the default), or the upper bound of a theorem: basic, "
                 "advanced or optimal"},
    [WIDTH] = {.name = "--width",
               .shown = "W",
               .expected = "a rational above 0 and below 1, such as 1/1000",
               .help =
                   "the widest enclosure of an exact composition on a grid, relative to its smaller end; a "
                   "rational above 0 and below 1 (1/100)"},
    [PLOT] = {.name = "--plot",
              .shown = "FILE",
              .expected = "a file that ends in .svg or .png",
              .completes = "file",
              .help = "the same (0:2:201 if left out) as a picture, FILE.svg or FILE.png; needs gnuplot"},
    [EVENTS] = {.name = "--events",
                .shown = "FILE",
                .expected = "a file with a tree of events, as JSON",
                .completes = "file",
                .help =
                    "in place of SPEC: a tree of events as JSON, the way other accountants describe a run "
                    "(docs/events.md)"},
    [NEIGHBOURS] = {PBY_OPTION_NEIGHBOURS},
    [DIGITS] = {.name = "--digits",
                .shown = "N",
                .expected = "an integer from 1 to 1000",
                .help = "significant digits of the answer, 1 to 1000 (9)"},
    [JSON] = {.name = "--json",
              .help =
                  "one JSON object: spec, neighbours, what was given (epsilon, delta, order or xi) and what "
                  "is enclosed (delta, epsilon, renyi, rho, mu, or a list under profile) as {\"lo\": "
                  "\"...\", \"hi\": \"...\"}; claimed with its source, here (holds, fails or undecided), "
                  "row and refuted if there is one"},
};

/* The option that asks; NULL where a profile is asked for. */
static const pby_option *find_question(const pby_option *options)
{
    for (int i = EPSILON; i <= MU; i++)
        if (options[i].value != NULL)
            return &options[i];
    return NULL;
}

static pby_status read_events(pby_spec **out, const char *path, pby_error *err)
{
    enum { LONGEST = 1 << 24 };
    char *text = NULL;
    size_t size = 0;
    pby_error why = PBY_NO_ERROR;
    pby_status status = pby_file_read(&text, &size, path, LONGEST, &why);
    if (status == PBY_OK && size > LONGEST)
        status = pby_fail(&why, PBY_BAD, "expected at most 16 MiB");
    if (status == PBY_OK)
        status = pby_spec_of_events(out, text, size, &why);
    free(text);
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "--events '%.200s': %s", path, why.text);
}

static bool by_theorem(const char *composition)
{
    return composition != NULL && strcmp(composition, "exact") != 0;
}

static pby_status check_options(const pby_option *options, const pby_option *question, int operands,
                                pby_error *err)
{
    if (options[EVENTS].value != NULL && operands > 0)
        return pby_refuse(err, "--events", options[EVENTS].value, "no SPEC beside it");
    if (options[EVENTS].value == NULL && operands == 0)
        return pby_fail(err, PBY_BAD, "loss: expected a SPEC such as stlap:eps=1/2,q=40");
    if (question == NULL && options[PROFILE].value == NULL && options[PLOT].value == NULL)
        return pby_fail(
            err, PBY_BAD,
            "loss: expected one of --epsilon E and --delta D, or --order A, --zcdp, --mu, --profile "
            "LO:HI:N or --plot FILE");
    if (options[XI].value != NULL && options[ZCDP].value == NULL)
        return pby_refuse(err, "--xi", options[XI].value, "--zcdp beside it");
    if (options[MU].value != NULL && options[CONVERSION].value != NULL)
        return pby_refuse(err, "--conversion", options[CONVERSION].value, "none beside --mu");
    if (options[COMPOSITION].value != NULL &&
        (options[CONVERSION].value != NULL ||
         (options[EPSILON].value == NULL && options[DELTA].value == NULL)))
        return pby_refuse(err, "--composition", options[COMPOSITION].value,
                          "--epsilon or --delta beside it, and no --conversion");
    if (options[WIDTH].value != NULL &&
        (options[CONVERSION].value != NULL || options[ORDER].value != NULL || options[ZCDP].value != NULL ||
         options[MU].value != NULL || by_theorem(options[COMPOSITION].value)))
        return pby_refuse(err, "--width", options[WIDTH].value,
                          "the exact composition, asked for delta or epsilon");
    if (options[PLOT].value != NULL && question != NULL)
        return pby_refuse(err, "--plot", options[PLOT].value, "--profile LO:HI:N beside it, or no question");
    return PBY_OK;
}

static pby_status read_spec(pby_spec **out, const char *events, int operands, char **argv, pby_error *err)
{
    return events != NULL ? read_events(out, events, err)
                          : pby_spec_parse(out, (const char *const *)argv, (size_t)operands, err);
}

static pby_status read_request(pby_loss_request *asked, const pby_spec *spec, const pby_option *o,
                               pby_error *err)
{
    *asked = (pby_loss_request){
        .conversion = o[CONVERSION].value, .composition = o[COMPOSITION].value, .width.text = o[WIDTH].value};
    pby_status status = o[DIGITS].value == NULL ? PBY_OK
                                                : pby_option_digits(&asked->digits, o[DIGITS].value, 1, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&asked->group, "--group", o[GROUP].value, 1, PBY_GROUP_MAX, 1, err);
    return status == PBY_OK ? pby_option_neighbours(&asked->relation, o[NEIGHBOURS].value, spec, err)
                            : status;
}

/* A plot alone is not printed as well. The reason of what stays wider is in the JSON, and beside the column.
 */
static pby_status answer_profile(char **text, const pby_spec *spec, const pby_loss_request *asked,
                                 const pby_option *o, pby_error *err)
{
    const bool json = o[JSON].value != NULL;
    const char *wider;
    const pby_status status = pby_report_profile(json || o[PROFILE].value != NULL ? text : NULL, &wider, spec,
                                                 asked, o[PLOT].value, pby_option_form(&o[JSON]), err);
    if (status == PBY_OK && wider != NULL && !json)
        fprintf(stderr, "probity: wider: %s\n", wider);
    return status;
}

/* Options that a refusal of the library may name. */
static const pby_option named[] = {{.name = "--epsilon"}, {.name = "--delta"}, {.name = "--order"},
                                   {.name = "--xi"},      {.name = "--width"}, {.name = "--composition"},
                                   {.name = "--profile"}, {.name = "--plot"},  {.name = NULL}};

static pby_status answer(const pby_spec *spec, const pby_option *question, const pby_option *o,
                         pby_error *err)
{
    static const pby_question kinds[] = {PBY_ASK_DELTA, PBY_ASK_EPSILON, PBY_ASK_RENYI, PBY_ASK_RHO,
                                         PBY_ASK_MU};
    pby_loss_request asked;
    char *text = NULL;
    pby_status status = read_request(&asked, spec, o, err);
    if (status != PBY_OK)
        return status;
    pby_clock waiting;
    pby_clock_begin(&waiting, "loss");
    if (question == NULL) {
        asked.at.text = o[PROFILE].value;
        status = answer_profile(&text, spec, &asked, o, err);
    } else {
        asked.ask = kinds[question - o];
        asked.at.text = question == &o[ZCDP] ? o[XI].value : question->value;
        status = pby_report_loss(&text, spec, &asked, pby_option_form(&o[JSON]), err);
    }
    pby_clock_end(&waiting);
    if (status != PBY_OK)
        pby_advise_options(err, named);
    return text == NULL ? status : pby_print_report(text, status);
}

static pby_status run_loss(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_spec *spec = NULL;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status != PBY_OK)
        return status;
    const pby_option *question = find_question(options);
    status = check_options(options, question, operands, err);
    if (status == PBY_OK)
        status = read_spec(&spec, options[EVENTS].value, operands, argv, err);
    if (status == PBY_OK)
        status = answer(spec, question, options, err);
    pby_spec_free(spec);
    return status;
}

static const char help[] =
    "probity loss: compute the privacy loss of a mechanism, enclosed\n"
    "\n"
    "usage: probity loss SPEC... (--epsilon E | --delta D | --order A | --zcdp [--xi X] | --mu) [OPTIONS]\n"
    "       probity loss SPEC... (--profile LO:HI:N | --plot FILE) [OPTIONS]\n"
    "\n"
    "Computes the loss from the exact output distribution on the worst neighbouring inputs. The answer is\n"
    "an enclosure [lo, hi]: the true value lies between the two decimals, which are rounded outwards. If a\n"
    "paper gives a formula for the same number, its value is printed as 'claimed', and is not used: the\n"
    "two enclosures say that the formula holds here or fails here, and the ledger of claims that it is\n"
    "refuted in general.\n"
    "\n"
    "  SPEC             a mechanism, such as stlap:eps=1/2,q=40; several compose, and so do 3*SPEC\n";

static const char end[] =
    "\n"
    "examples:\n"
    "  probity loss stlap:eps=1/2,q=40 --epsilon 1/2\n"
    "  probity loss stlap:eps=1/2,q=40 --delta 1e-6 --digits 20\n"
    "  probity loss geometric:eps=2,sensitivity=4 --epsilon 0.5 --neighbours substitute --json\n"
    "  probity loss laplace:scale=2 --zcdp\n"
    "  probity loss zcdp:rho=1/20 --delta 1e-6 --conversion zcdp-to-approx-classical\n"
    "  probity loss 10000*dgauss:sigma2=10000 --delta 1e-6\n"
    "  probity loss 100*laplace:scale=10 --delta 1e-6 --width 1e-5\n"
    "  probity loss 100*laplace:scale=10 --delta 1e-6 --composition advanced\n"
    "  probity loss stlap:eps=1/2,q=40 --plot delta.svg\n";

const pby_command pby_command_loss = {
    "loss", "compute the privacy loss of a mechanism, enclosed", help, known, end, run_loss};
