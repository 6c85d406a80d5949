/* SPDX-License-Identifier: MIT */
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
    [EPSILON] = {"--epsilon", "a rational such as 1/2 or 0.5", THE_QUESTION, NULL},
    [DELTA] = {"--delta", "a rational such as 1e-6", THE_QUESTION, NULL},
    [ORDER] = {"--order", "a rational from 1 on, or inf", THE_QUESTION, NULL},
    [ZCDP] = {"--zcdp", NULL, THE_QUESTION, NULL},
    [MU] = {"--mu", NULL, THE_QUESTION, NULL},
    [PROFILE] = {"--profile", "LO:HI:N, such as 0:2:201", THE_QUESTION, NULL},
    [XI] = {"--xi", "a rational from 0 on", 0, NULL},
    [GROUP] = {"--group", "an integer from 1 to 1000000", 0, NULL},
    [CONVERSION] = {"--conversion", "a name such as zcdp-to-approx-classical", 0, NULL},
    [COMPOSITION] = {"--composition", "exact, basic, advanced or optimal", 0, NULL},
    [WIDTH] = {"--width", "a rational above 0 and below 1, such as 1/1000", 0, NULL},
    [PLOT] = {"--plot", "a file that ends in .svg or .png", 0, NULL},
    [EVENTS] = {"--events", "a file with a tree of events, as JSON", 0, NULL},
    [NEIGHBOURS] = {"--neighbours", "add-remove, substitute or local", 0, NULL},
    [DIGITS] = {"--digits", "an integer from 1 to 1000", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
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

static pby_status run(int argc, char **argv, pby_error *err)
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
    "probity loss: the privacy loss of a mechanism, enclosed\n"
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
    "  SPEC             a mechanism, such as stlap:eps=1/2,q=40; several compose, and so do 3*SPEC\n"
    "  --epsilon E      delta at this epsilon; E is a rational, possibly negative\n"
    "  --delta D        the least epsilon whose delta is at most D, a rational from 0 to 1\n"
    "  --order A        the Renyi divergence of order A, a rational from 1 on, or inf. If outputs of one\n"
    "                   input are impossible on the other, it is inf, and the approximate divergence is\n"
    "                   printed too: the divergence given events of probability at least 1 - delta\n"
    "  --zcdp           the least rho with D_a <= rho a for every order a > 1\n"
    "  --xi X           with --zcdp: the least rho with D_a <= X + rho a\n"
    "  --mu             the least mu of Gaussian differential privacy: no test tells neighbours apart\n"
    "                   better than N(mu, 1) from N(0, 1)\n"
    "  --profile LO:HI:N  delta at N epsilons from LO to HI, as CSV: epsilon,delta_lo,delta_hi, and wider\n"
    "                   (yes or no) if some enclosures stay wider than requested\n"
    "  --plot FILE      the same (0:2:201 if left out) as a picture, FILE.svg or FILE.png; needs gnuplot\n"
    "  --group K        between inputs at most K neighbours apart; the spec of the group is printed too\n"
    "  --conversion C   the result of a conversion instead of the exact loss: an upper bound; C is\n"
    "                   pure-to-renyi, pure-to-zcdp, renyi-to-approx or zcdp-to-approx, or one of these\n"
    "                   with -classical at its end\n"
    "  --composition T  how several uses compose: exact (the default), or the upper bound of a theorem:\n"
    "                   basic, advanced or optimal\n"
    "  --width W        the widest enclosure of an exact composition on a grid, relative to its smaller\n"
    "                   end; a rational above 0 and below 1 (1/100)\n"
    "  --events FILE    in place of SPEC: a tree of events as JSON, the way other accountants describe a\n"
    "                   run (docs/events.md)\n"
    "  --neighbours R   add-remove (one record more or fewer), substitute (one changed) or local (any two\n"
    "                   values of one user); by default the first of these that the SPEC allows\n"
    "  --digits N       significant digits of the answer, 1 to 1000 (9)\n"
    "  --json           one JSON object: spec, neighbours, what was given (epsilon, delta, order or xi)\n"
    "                   and what is enclosed (delta, epsilon, renyi, rho, mu, or a list under profile) as\n"
    "                   {\"lo\": \"...\", \"hi\": \"...\"}; claimed with its source, here (holds, fails or\n"
    "                   undecided), row and refuted if there is one\n"
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

const pby_command pby_command_loss = {"loss", "the privacy loss of a mechanism, enclosed", help, run};
