/* SPDX-License-Identifier: MIT */
#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "lab/random/report_random.h"

enum {
    MECHANISM,
    ALPHA,
    OMEGA,
    GAMMA,
    BETA,
    GAMMA1,
    RHO,
    EPSILON,
    THETA,
    UTILITIES,
    NEW_UTILITIES,
    NEIGHBOURS,
    NEW_NEIGHBOURS,
    DIGITS,
    JSON,
    OPTIONS
};

static const pby_option known[OPTIONS + 1] = {
    [MECHANISM] = {.name = "--mechanism",
                   .shown = "TABLE",
                   .expected = "the name of a table",
                   .completes = "file",
                   .help = "the table of the mechanism; the function itself if left out"},
    [ALPHA] = {.name = "--alpha",
               .shown = "A",
               .expected = "a rational from 0 on",
               .help =
                   "sigma, the distortion sensitivity: how far a key must be moved, at random, to explain "
                   "any move of its value by A (0)"},
    [OMEGA] = {.name = "--omega",
               .shown = "W",
               .expected = "a rational from 0 on",
               .help = "relaxes sigma: the values need only be within W, but for the mass of --gamma"},
    [GAMMA] = {.name = "--gamma",
               .shown = "G",
               .expected = "a rational from 0 to 1",
               .help = "the mass that may be elsewhere, of --omega and --beta"},
    [BETA] = {.name = "--beta",
              .shown = "B",
              .expected = "a rational from 0 on",
              .help =
                  "tau, the error sensitivity, in place of sigma: how far the mechanism's value at a key is "
                  "from the function's at a key within B, which may move by A, but for a mass G"},
    [GAMMA1] = {.name = "--gamma1",
                .shown = "G1",
                .expected = "a rational from 0 to 1",
                .help =
                    "with --beta, at most G: the keys are within B but for a mass G1, and tau is enclosed"},
    [RHO] = {.name = "--rho",
             .shown = "R",
             .expected = "a rational from 0 on",
             .help =
                 "the least delta for which the table is (T, R, E, delta)-robust: whatever the laws of two "
                 "keys, where those of the values are within R but for a mass T, no set of values is told "
                 "apart by more. At most 12 values; keys may be any names"},
    [EPSILON] = {.name = "--epsilon",
                 .shown = "E",
                 .expected = "a rational from 0 on",
                 .help = "the epsilon of --rho; with --new-utilities, the least T for it"},
    [THETA] = {.name = "--theta",
               .shown = "T",
               .expected = "a rational from 0 to 1",
               .help =
                   "a mass or a chance T that is free (0); with --new-utilities and --epsilon, status 1 if "
                   "the two do not hold together"},
    [UTILITIES] =
        {.name = "--utilities",
         .shown = "U.csv",
         .expected = "the name of a table",
         .completes = "file",
         .help = "tells whether a query survives the table, with KEY,UTILITY a line behind a header: of "
                 "its answer on each KEY, from 0 on. Without --new-utilities: the least epsilon of any "
                 "query of NEW at T = 0. Keys may be any names"},
    [NEW_UTILITIES] =
        {.name = "--new-utilities",
         .shown = "V.csv",
         .expected = "the name of a table",
         .completes = "file",
         .help = "the same of the query that is asked of NEW. Prints the least epsilon such that, on every "
                 "key, the two are within exp(epsilon) of each other but for a chance T (0), and the worst "
                 "pair"},
    [NEIGHBOURS] =
        {.name = "--neighbours",
         .shown = "N.csv",
         .expected = "the name of a table of 0 and 1",
         .completes = "file",
         .help =
             "tells whether the table keeps neighbours, with --new-neighbours: how many steps from "
             "neighbour to neighbour apart two neighbouring keys are behind it, but for a mass of --theta. "
             "A first line of keys, then KEY,0 or 1,... a line. Keys may be any names"},
    [NEW_NEIGHBOURS] = {.name = "--new-neighbours",
                        .shown = "M.csv",
                        .expected = "the name of a table of 0 and 1",
                        .completes = "file",
                        .help = "the same of the new keys"},
    [DIGITS] = {.name = "--digits",
                .shown = "D",
                .expected = "an integer from 1 to 1000",
                .help = "significant digits of delta or epsilon (9)"},
    [JSON] = {.name = "--json", .help = "one JSON object"},
};

static pby_status refuse_beside_neighbours(const pby_option *o, pby_error *err)
{
    static const int wrong[] = {MECHANISM, ALPHA,   OMEGA,     GAMMA,         BETA,  GAMMA1,
                                RHO,       EPSILON, UTILITIES, NEW_UTILITIES, DIGITS};
    return pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it without --neighbours", err);
}

/* Refuses the options that the question does not read. */
static pby_status refuse_unread(const pby_option *o, pby_error *err)
{
    const bool projects = o[UTILITIES].value != NULL, robust = o[RHO].value != NULL,
               tau = !robust && o[BETA].value != NULL, sigma = !projects && !robust && !tau;
    const struct {
        bool read;
        int option;
        const char *expected;
    } rules[] = {
        {false, NEW_NEIGHBOURS, "it with --neighbours"},
        {!projects, RHO, "it without --utilities"},
        {!projects, BETA, "it without --utilities"},
        {!projects, ALPHA, "it without --utilities"},
        {!projects, GAMMA, "it without --utilities"},
        {projects, NEW_UTILITIES, "it with --utilities"},
        {!projects || o[NEW_UTILITIES].value != NULL, EPSILON, "it with --new-utilities"},
        {!projects || o[NEW_UTILITIES].value != NULL, THETA, "it with --new-utilities"},
        {robust || projects, EPSILON, "it with --rho or --utilities"},
        {robust || projects, THETA, "it with --rho or --utilities"},
        {robust || projects, DIGITS, "it with --rho or --utilities"},
        {!robust, ALPHA, "it without --rho"},
        {!robust, BETA, "it without --rho"},
        {!robust, GAMMA, "it without --rho"},
        {tau, MECHANISM, "it with --beta"},
        {tau, GAMMA1, "it with --beta"},
        {sigma, OMEGA, "it without --rho, --beta and --utilities"},
    };
    if (o[NEIGHBOURS].value != NULL)
        return refuse_beside_neighbours(o, err);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!rules[i].read && o[rules[i].option].value != NULL)
            return pby_option_unread(&o[rules[i].option], rules[i].expected, err);
    return PBY_OK;
}

static pby_status run_projection(const pby_option *o, const char *table, unsigned digits, pby_error *err)
{
    const pby_projection_asked asked = {
        table, o[UTILITIES].value, o[NEW_UTILITIES].value, o[EPSILON].value, o[THETA].value, digits};
    char *text = NULL;
    const pby_status status = pby_report_projection(&text, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return pby_print_report(text, status);
}

static pby_status run_keeping(const pby_option *o, const char *table, pby_error *err)
{
    const pby_keeping_asked asked = {table, o[NEIGHBOURS].value, o[NEW_NEIGHBOURS].value, o[THETA].value};
    char *text = NULL;
    const pby_status status = pby_report_keeping(&text, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return pby_print_report(text, status);
}

static pby_status run_random(int argc, char **argv, pby_error *err)
{
    pby_option o[OPTIONS + 1];
    pby_random_asked asked = {.table = NULL};
    char *text = NULL;
    int operands;
    pby_status status = pby_options_parse(o, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "random: expected a table of KEY,NEW,CHANCE");
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one table", err);
    if (status == PBY_OK)
        status = refuse_unread(o, err);
    if (status == PBY_OK)
        status = pby_option_digits(&asked.digits, o[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status != PBY_OK)
        return status;
    if (o[NEIGHBOURS].value != NULL)
        return run_keeping(o, argv[0], err);
    if (o[UTILITIES].value != NULL)
        return run_projection(o, argv[0], asked.digits, err);
    asked.table = argv[0];
    asked.mechanism = o[MECHANISM].value;
    asked.alpha = o[ALPHA].value;
    asked.omega = o[OMEGA].value;
    asked.gamma = o[GAMMA].value;
    asked.beta = o[BETA].value;
    asked.gamma1 = o[GAMMA1].value;
    asked.rho = o[RHO].value;
    asked.epsilon = o[EPSILON].value;
    asked.theta = o[THETA].value;
    status = pby_report_random(&text, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return pby_print_report(text, status);
}

static const char help[] =
    "probity random: compute the sensitivities of a random function\n"
    "\n"
    "usage: probity random TABLE [--alpha A] [--omega W] [--gamma G] [--json]\n"
    "       probity random TABLE --beta B [--mechanism TABLE] [--alpha A] [--gamma G] [--gamma1 G1]\n"
    "                      [--json]\n"
    "       probity random TABLE --rho R --epsilon E [--theta T] [--digits D] [--json]\n"
    "       probity random TABLE --neighbours N.csv --new-neighbours M.csv [--theta T] [--json]\n"
    "       probity random TABLE --utilities U.csv [--new-utilities V.csv [--epsilon E] [--theta T]]\n"
    "                      [--digits D] [--json]\n"
    "\n"
    "A random function is a table of KEY,NEW,CHANCE, as release --scatter reads it: the value at KEY is NEW\n"
    "with that chance, a rational. Keys are numbers, and lie as far apart as they differ. Everything is\n"
    "decided by linear programmes in exact rationals.\n"
    "\n";

static const char end[] = "\n"
                          "example:\n"
                          "  probity random table.csv --beta 1 --gamma 1/10\n";

const pby_command pby_command_random = {
    "random", "compute the sensitivities of a random function", help, known, end, run_random};
