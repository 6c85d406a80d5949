/* SPDX-License-Identifier: MIT */
#include "probity/experimental/experiment.h"

#include <string.h>

#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "number/integer.h"

enum { PANEL, SEED, SETS, TUNING, OUTPUT, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [PANEL] = {.name = "--panel",
               .shown = "N",
               .expected = "an integer from 1 to 6",
               .completes = "1 2 3 4 5 6",
               .help = "one panel, 1 to 6; all if left out"},
    [SEED] = {.name = "--seed",
              .shown = "HEX",
              .expected = "64 hexadecimal digits",
              .help = "64 hexadecimal digits that decide the data; zeros if left out"},
    [SETS] = {.name = "--sets",
              .shown = "N",
              .expected = "an integer from 1 to 10000",
              .help = "data sets of each panel, 1 to 10000; 100 if left out"},
    [TUNING] = {.name = "--tuning",
                .shown = "T",
                .expected = "best or cited",
                .completes = "best cited",
                .help =
                    "best, the least noise that exact losses allow (the default), or cited, the constants of "
                    "the papers that proposed the mechanisms; its files are figure4-cited..."},
    [OUTPUT] = {.name = "-o",
                .shown = "FOLDER",
                .expected = "a folder",
                .completes = "folder",
                .help =
                    "gets the tables as CSV and the plots as SVG: central.csv, central.svg; figure1.csv, "
                    "figure1.svg; figure4.csv, figure4-N.svg of each panel; it is made if it is not there"},
    [JSON] = {.name = "--json", .help = "one JSON object: rows, and what they were made with"},
};

static void show(void *what, uint64_t done, uint64_t total)
{
    (void)total;
    pby_progress_at(what, done);
}

static pby_status run_figure4(const pby_option *options, pby_error *err)
{
    unsigned long panel, sets;
    char *text = NULL;
    pby_progress progress;
    pby_status status = pby_integer_parse(&panel, "--panel", options[PANEL].value, 1, 6, 0, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&sets, "--sets", options[SETS].value, 1, 10000, 100, err);
    const char *tuning = options[TUNING].value != NULL ? options[TUNING].value : "best";
    if (status == PBY_OK && strcmp(tuning, "best") != 0 && strcmp(tuning, "cited") != 0)
        status = pby_refuse(err, "--tuning", tuning, "best or cited");
    if (status != PBY_OK)
        return status;
    pby_progress_begin_share(&progress, "figure 4", (panel == 0 ? 6 : 1) * sets * 8 + (panel == 0 ? 24 : 8));
    const pby_figure4_asked asked = {.panel = (unsigned)panel,
                                     .seed = options[SEED].value,
                                     .sets = (unsigned)sets,
                                     .folder = options[OUTPUT].value,
                                     .progress = show,
                                     .what = &progress,
                                     .cited = strcmp(tuning, "cited") == 0};
    status = pby_report_figure4(&text, &asked, pby_option_form(&options[JSON]), err);
    pby_progress_end(&progress);
    if (status != PBY_OK && !pby_advise_name(err, "folder", "-o"))
        pby_advise_options(err, known);
    return pby_print_report(text, status);
}

/* An experiment that has no options but -o and --json. */
static pby_status run_plain(pby_status (*report)(char **text, const char *folder, pby_report_form form,
                                                 pby_error *err),
                            const pby_option *options, pby_error *err)
{
    char *text = NULL;
    const pby_status status = report(&text, options[OUTPUT].value, pby_option_form(&options[JSON]), err);
    if (status != PBY_OK)
        (void)pby_advise_name(err, "folder", "-o");
    return pby_print_report(text, status);
}

static pby_status run_figure1(const pby_option *options, pby_error *err)
{
    return run_plain(pby_report_figure1, options, err);
}

static pby_status run_central(const pby_option *options, pby_error *err)
{
    return run_plain(pby_report_central_local, options, err);
}

/* Each experiment, and the options that it reads beside -o and --json, as bits. */
static const struct {
    const char *name;
    pby_status (*run)(const pby_option *options, pby_error *err);
    unsigned reads;
} experiments[] = {
    {"central", run_central, 0},
    {"figure1", run_figure1, 0},
    {"figure4", run_figure4, 1U << PANEL | 1U << SEED | 1U << SETS | 1U << TUNING},
};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

static const char names[] = "central, figure1 or figure4";

static pby_status check_options(size_t which, const pby_option *options, pby_error *err)
{
    for (size_t i = 0; i < OUTPUT; i++)
        if (options[i].value != NULL && (experiments[which].reads >> i & 1) == 0)
            return pby_fail(err, PBY_BAD, "%s '%s': expected none with %s", options[i].name, options[i].value,
                            experiments[which].name);
    return PBY_OK;
}

static pby_status run_experiment(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    PBY_TRY(pby_options_parse(options, known, argc, argv, &operands, err));
    if (operands == 0)
        return pby_fail(err, PBY_BAD, "experiment: expected %s", names);
    size_t which = 0;
    while (which < EXPERIMENTS && strcmp(argv[0], experiments[which].name) != 0)
        which++;
    if (which == EXPERIMENTS)
        return pby_refuse(err, "EXPERIMENT", argv[0], names);
    PBY_TRY(pby_operands_at_most(1, operands, argv, "one experiment", err));
    PBY_TRY(check_options(which, options, err));
    return experiments[which].run(options, err);
}

static const char help[] =
    "probity experiment: recompute the experiments of papers\n"
    "\n"
    "usage: probity experiment central [-o FOLDER] [--json]\n"
    "       probity experiment figure1 [-o FOLDER] [--json]\n"
    "       probity experiment figure4 [--panel N] [--seed HEX] [--sets N] [--tuning best|cited]\n"
    "                                  [-o FOLDER] [--json]\n"
    "\n"
    "central is section 7.2 of Differential Privacy: Ideas, Concepts and Advances: the error of a mean of\n"
    "bits where a curator adds noise, and where each user does, and how many users make up for it.\n"
    "\n"
    "figure1 is Figure 1 of Suppression Strikes Back: the threshold that its Theorem 5 asks for at\n"
    "delta = 10^-4 to 10^-19, the least of the exact law, and the least count that any mechanism shows.\n"
    "\n"
    "figure4 is Figure 4 of Flexible Accuracy for Differential Privacy: the error of max, max_500 and mode\n"
    "on six kinds of data, by stlap and seven others at delta = 2^-20, for epsilon from 1/20 to 1. Where\n"
    "the paper averages over runs, the error on each data set is enclosed from the exact law of the answer;\n"
    "only choosing is run. Every mechanism has the parameters that probity select finds for it, or the\n"
    "constants of its own paper. What the paper leaves out is printed. The data are made up, and nothing\n"
    "here is a release.\n"
    "\n";

static const char end[] = "\n"
                          "examples:\n"
                          "  probity experiment central\n"
                          "  probity experiment figure1 -o plots\n"
                          "  probity experiment figure4 --sets 5\n"
                          "  probity experiment figure4 --panel 4 -o plots\n";

const pby_command pby_command_experiment = {
    "experiment", "recompute the experiments of papers", help, known, end, run_experiment};
