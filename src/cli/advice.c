/* SPDX-License-Identifier: MIT */
#include "cli/advice.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "table/row/csv_row.h"
#include "table/row/no_column.h"

#define COUNT_FIRST "; raw records, one a row, are counted by release SPEC --by COLUMN"
#define CHOOSE      "; --keys COLUMN and --counts COLUMN choose the columns"

static const struct {
    const char *library, *command;
} advice[] = {
    {PBY_ROW_COMMA, "a comma and a count after the key" COUNT_FIRST},
    {PBY_ROW_COUNT,
     "a whole number from 0 to 9223372036854775807; --counts COLUMN chooses another column" COUNT_FIRST},
    {PBY_ROW_END, "the end of the line; --keys COLUMN and --counts COLUMN choose two of the columns, release "
                  "SPEC --by COLUMN counts raw records"},
    {PBY_ROW_SEMICOLON, PBY_ROW_SEMICOLON "; release takes such a table with --separator ';'"},
    {PBY_ROW_TAB, PBY_ROW_TAB "; release takes such a table with --separator tab"},
    {PBY_ROW_PIPE, PBY_ROW_PIPE "; release takes such a table with --separator '|'"},
    {PBY_NO_COLUMN_SEMICOLON, PBY_NO_COLUMN_SEMICOLON "; release takes such a table with --separator ';'"},
    {PBY_NO_COLUMN_TAB, PBY_NO_COLUMN_TAB "; release takes such a table with --separator tab"},
    {PBY_ROW_NEGATIVE, PBY_ROW_NEGATIVE "; --counts COLUMN chooses another column"},
    {PBY_ROW_DECIMAL, PBY_ROW_DECIMAL "; --step 1/100 takes multiples of 1/100, --counts COLUMN another "
                                      "column"},
    {PBY_ROW_SWAPPED, "a whole number, but it stands in column 1" CHOOSE " by their names in the first line"},
    {PBY_ROW_GROUPED_END, PBY_ROW_GROUPED_END CHOOSE},
    {"not a certificate: line 1 is not JSON",
     "not a certificate, as probity certify -o FILE makes one: line 1 is not JSON"},
    {"values=1 of users who report once", "values=1 with --once"},
    {"and 100*SPEC is a hundred", "and 100*SPEC is a hundred; --mu, --zcdp and --profile take no number"},
    {"beta: expected this or gamma", "--beta: expected this or --gamma"},
    {"rho: expected mechanisms of bounded loss", "--zcdp: expected mechanisms of bounded loss"},
    {"rho: expected a largest loss, less xi", "--zcdp: expected a largest loss, less xi"},
    {"rho: expected epsilon and delta, because", "--rho: expected --epsilon and --delta, because"},
    {"count_to: ", "--count-to: "},
    {"k: expected a number of records", "--k: expected a number of records"},
    {"inputs: expected support, how many", ": expected --support, how many"},
    {"inputs: expected n, how many users report, and no support",
     ": expected --n, how many users report, and no --support"},
    {"inputs: expected n and support:", ": expected --n and --support:"},
    {"it with the statistic max_k or min_k", "it with --statistic max_k or min_k"},
    {"it with the statistic quantile", "it with --statistic quantile"},
    {"epsilon: expected this and delta, rho, or mu",
     "select: expected --epsilon E and --delta D, --rho R, or --mu M"},
    {"it in place of epsilon and delta", "it in place of --epsilon and --delta"},
    {"buckets: expected records and bound", "select buckethist: expected --records N and --bound B"},
    {"it with a plan of buckets alone", "it with select buckethist --records N --bound B alone"},
    {"its bounds do not meet; try more digits", "its bounds do not meet; try more --digits"},
    {"(of any other epsilon and delta alone", "(of any other --epsilon and --delta alone"},
};

/* Puts `to` in the place of size bytes at `at`; what no longer fits is cut off. */
static void replace(pby_error *err, char *at, size_t size, const char *to)
{
    char rest[PBY_ERROR_SIZE];
    snprintf(rest, sizeof rest, "%s", at + size);
    snprintf(at, sizeof err->text - (size_t)(at - err->text), "%s%s", to, rest);
}

void pby_advise(pby_error *err)
{
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        char *at = strstr(err->text, advice[i].library);
        if (at != NULL) {
            replace(err, at, strlen(advice[i].library), advice[i].command);
            return;
        }
    }
}

/* The name of an argument stands before a value in quotes, or before a colon. */
static bool begins(const char *text, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && (text[length] == ':' || strncmp(text + length, " '", 2) == 0);
}

bool pby_advise_name(pby_error *err, const char *argument, const char *option)
{
    if (!begins(err->text, argument))
        return false;
    replace(err, err->text, strlen(argument), option);
    return true;
}

void pby_advise_options(pby_error *err, const pby_option *known)
{
    pby_advise(err);
    for (; known->name != NULL; known++)
        if (pby_advise_name(err, known->name + 2, known->name))
            return;
}

void pby_advise_accuracy(pby_error *err, const char *command, bool records)
{
    const struct {
        const char *argument, *option;
    } names[] = {{"", command},
                 {"n", records ? "--records" : "--n"},
                 {"support", "--support"},
                 {"width of buckets", "--bucket"},
                 {"beta", "--beta"},
                 {"tails", "--tails"},
                 {"gamma", "--gamma"},
                 {"eta", "--eta"},
                 {"statistics", "--statistic"},
                 {"k of statistics", "--k"},
                 {"q of statistics", "--q"}};
    pby_advise(err);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (pby_advise_name(err, names[i].argument, names[i].option))
            return;
}
