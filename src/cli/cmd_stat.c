/* SPDX-License-Identifier: MIT */
#include "cli/cmd_stat.h"
#include "probity/experimental/reports.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "number/integer.h"

enum { K, Q, QUASI, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [K] = {.name = "--k",
           .shown = "K",
           .expected = "an integer from 1 on",
           .help = "for max_k and min_k: an integer from 1 on; of anonymity: exit status 1 if the smallest "
                   "class is below K"},
    [Q] = {.name = "--q",
           .shown = "P",
           .expected = "a rational from 0 to 1 such as 9/10",
           .help = "for quantile: a rational from 0 to 1"},
    [QUASI] = {.name = "--quasi",
               .shown = "COLUMN,...",
               .expected = "names of columns separated by commas",
               .help = "of anonymity: the columns in which the records of a class agree"},
    [JSON] = {.name = "--json",
              .help = "one JSON object: statistic, k or q, order (numbers or rows) and value"},
};

void pby_stat_warn(bool mixed)
{
    if (mixed)
        fputs("probity: some keys are numbers and others are not: the bars stand in the order of the rows\n",
              stderr);
}

static pby_status anonymity(const pby_option *options, const char *path, pby_error *err)
{
    unsigned long k;
    uint64_t least = 0;
    char *text = NULL;
    if (options[QUASI].value == NULL)
        return pby_fail(err, PBY_BAD, "anonymity: expected --quasi COLUMN,...");
    if (options[Q].value != NULL)
        return pby_refuse(err, "--q", options[Q].value, "no such option for anonymity");
    pby_status status = pby_integer_parse(&k, "--k", options[K].value, 1, ULONG_MAX, 0, err);
    if (status == PBY_OK)
        status = pby_report_anonymity(&text, &least, path, options[QUASI].value,
                                      pby_option_form(&options[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_name(err, "quasi", "--quasi");
    status = pby_print_report(text, status);
    return status == PBY_OK && least > 0 && least < k ? pby_fail(err, PBY_NO, "not %lu-anonymous", k)
                                                      : status;
}

static pby_status statistic(const char *name, const pby_option *options, const char *path, pby_error *err)
{
    pby_statistic asked;
    bool mixed = false;
    char *text = NULL;
    if (options[QUASI].value != NULL)
        return pby_refuse(err, "--quasi", options[QUASI].value, "it with anonymity alone");
    pby_status status = pby_statistic_parse(&asked, name, options[K].value, options[Q].value, err);
    if (status == PBY_OK)
        status = pby_report_statistic(&text, &mixed, &asked, path, pby_option_form(&options[JSON]), err);
    pby_stat_warn(mixed && options[JSON].value == NULL);
    return pby_print_report(text, status);
}

static pby_status separator(const pby_option *options, const char *path, pby_error *err)
{
    char *text = NULL;
    for (int i = K; i <= QUASI; i++)
        if (options[i].value != NULL)
            return pby_refuse(err, options[i].name, options[i].value, "no such option for separator");
    const pby_status status = pby_report_separator(&text, path, pby_option_form(&options[JSON]), err);
    return pby_print_report(text, status);
}

static pby_status run_stat(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "stat: expected the NAME of a statistic, such as max or median");
    if (status == PBY_OK)
        status = pby_operands_at_most(2, operands, argv, "one NAME and one file", err);
    if (status != PBY_OK)
        return status;
    const char *path = operands > 1 ? argv[1] : NULL;
    if (strcmp(argv[0], "separator") == 0)
        return separator(options, path, err);
    return strcmp(argv[0], "anonymity") == 0 ? anonymity(options, path, err)
                                             : statistic(argv[0], options, path, err);
}

static const char help[] =
    "probity stat: compute a statistic of a histogram\n"
    "\n"
    "usage: probity stat NAME [IN.csv] [--k K|--q P] [--json]\n"
    "       probity stat separator [IN.csv] [--json]\n"
    "       probity stat anonymity [IN.csv] --quasi COLUMN,... [--k K] [--json]\n"
    "\n"
    "Computes a statistic of a histogram. For a release, this costs no privacy. The input is CSV,\n"
    "KEY,COUNT, with or without a header; standard input if no file is given. If every key is a number,\n"
    "the bars are at those positions, in increasing order. Otherwise they are in the order of the rows;\n"
    "standard error says so if the statistic needs an order and some keys are numbers. If every key is a\n"
    "point of several coordinates, as buckethist releases them, there is no order, and only support and\n"
    "mode are answered. A count below 0, which noise can produce, is taken as 0.\n"
    "\n"
    "  max, min         the last and the first occupied bar\n"
    "  max_k, min_k     the last and the first bar that holds at least K records\n"
    "  range            the maximum minus the minimum, of positions or of row numbers\n"
    "  support          the occupied bars, one per line\n"
    "  mode             the first of the bars with the most records\n"
    "  median           the first occupied bar with at least half of all records in it or before it\n"
    "  quantile         the same for the fraction P\n"
    "\n";

static const char end[] =
    "\n"
    "A bar is printed by its key, quoted as in CSV if needed. If there is no such bar, as in an empty\n"
    "histogram, the answer is none (in JSON null, and [] for support), and the exit status is 0.\n"
    "\n"
    "separator is about points whose last coordinate is one of two labels: the normal and the level of the\n"
    "hyperplane farthest from both sets, exactly, and the margin, the distance of their hulls. The set of\n"
    "the smaller label has normal z above the level. none if the hulls meet or fewer than two labels occur.\n"
    "\n"
    "anonymity is about a table of records, one per line, whose first line names the columns. Records that\n"
    "agree in the columns of --quasi are a class; the answer is the size of the smallest class, and how\n"
    "many classes there are of each size. With --k, exit status 1 if it is below K. The answer describes\n"
    "the records themselves: it is not private, and k-anonymity is no privacy guarantee.\n"
    "\n"
    "examples:\n"
    "  probity stat anonymity people.csv --quasi zip,born,sex\n"
    "  probity stat max noisy.csv\n"
    "  probity stat max_k --k 500 noisy.csv\n"
    "  probity release stlap:eps=1/2,q=40 counts.csv | probity stat quantile --q 9/10 --json\n";

const pby_command pby_command_stat = {"stat",  "compute a statistic of a histogram", help, known, end,
                                      run_stat};
