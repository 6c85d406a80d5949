/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cli/advice.h"
#include "cli/cmd_release.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "number/integer.h"
#include "probity/experimental/reports.h"
#include "release/databases.h"
#include "release/permission.h"
#include "release/release_file.h"

enum { QUERIES, SIZE, LEDGER, OUTPUT, ALPHA, RECORDS, BETA, JSON, QUIET, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [QUERIES] =
        {.name = "--queries",
         .shown = "TABLE",
         .expected = "the name of a file with KIND,ANSWER,... a line",
         .completes = "file",
         .help = "public: a header, then KIND,ANSWER,... a line, what each query answers about a record of "
                 "the kind, a rational from 0 to 1"},
    [SIZE] = {.name = "--size",
              .shown = "M",
              .expected = "an integer from 1 on",
              .help = "the records of the database, public; at most a million databases are tried"},
    [LEDGER] = {.name = "--ledger",
                .shown = "LEDGER",
                .expected = "the name of a file that probity ledger init made",
                .completes = "file",
                .help = "records the release in a budget first; nothing is released if it would overspend"},
    [OUTPUT] = {.name = "-o",
                .shown = "OUT.csv",
                .expected = "the name of a file to write",
                .completes = "file",
                .help = "where to write KEY,COUNT; - or nothing is standard output"},
    [ALPHA] = {.name = "--alpha",
               .shown = "A",
               .expected = "how far the best database may be off, a rational above 0 and up to 1",
               .help = "releases nothing and reads no data: the size that some database has whose average "
                       "answers are all within A of the data's, for --size"},
    [RECORDS] = {.name = "--records",
                 .shown = "N",
                 .expected = "the number of records in the data, an integer from 1 on",
                 .help = "of --alpha, with --beta: also the error of the release for data of N records"},
    [BETA] = {.name = "--beta",
              .shown = "B",
              .expected = "the chance that the error is larger, a rational above 0 and below 1",
              .help = "with --records: the chance that the error is larger"},
    [JSON] = {.name = "--json",
              .help = "one JSON object on standard output, with the SHA-256 of the table of queries"},
    [QUIET] = {.name = "--quiet",
               .help = "leaves out the line on standard error that says how the input was read"},
};

static const pby_arguments names = {.options = true, .value = PBY_ARG_SUM};

/* A certificate has its own size and table. */
static pby_status ask_permission(pby_permission **out, const char *text, const pby_option *options,
                                 pby_error *err)
{
    const char *ledger = options[LEDGER].value;
    unsigned long size;
    pby_spec *spec;
    if (pby_file_is_meant(text))
        return options[SIZE].value == NULL
                   ? pby_permission_ask(out, &text, 1, ledger, known[LEDGER].name, err)
                   : pby_refuse(err, "--size", options[SIZE].value,
                                "none beside a certificate, which states it");
    pby_status status = pby_integer_parse(&size, "--size", options[SIZE].value, 1, PBY_DATABASES_MAX, 0, err);
    if (status == PBY_OK)
        status = pby_databases_spec(&spec, text, options[QUERIES].value, known[QUERIES].name, size, err);
    return status == PBY_OK ? pby_permission_of(out, spec, ledger, known[LEDGER].name, err) : status;
}

static pby_status release(const char *text, const char *in, const pby_option *options, pby_error *err)
{
    pby_permission *permission = NULL;
    pby_pipeline pipeline = {.names = &names,
                             .in = pby_path_named(in),
                             .out = pby_path_named(options[OUTPUT].value),
                             .json = options[JSON].value != NULL,
                             .limit = INT64_MAX,
                             .queries = options[QUERIES].value};
    if (pipeline.queries == NULL)
        return pby_fail(err, PBY_BAD, "smalldb: expected --queries TABLE");
    pby_status status =
        pby_release_apart(&pipeline, pby_file_is_meant(text) ? text : NULL, options[LEDGER].value, err);
    if (status == PBY_OK)
        status = ask_permission(&permission, text, options, err);
    if (status == PBY_OK)
        status = pby_release_command(permission, &pipeline, true, err);
    pby_permission_close(permission);
    return status;
}

static pby_status run_size(const pby_option *o, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {SIZE, LEDGER, OUTPUT, QUIET};
    const pby_smalldb_asked asked = {argv[0], o[QUERIES].value, o[ALPHA].value, o[RECORDS].value,
                                     o[BETA].value};
    char *text = NULL;
    PBY_TRY(pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it without --alpha", err));
    PBY_TRY(pby_operands_at_most(1, operands, argv, "a SPEC and no data beside --alpha", err));
    if (asked.queries == NULL)
        return pby_fail(err, PBY_BAD, "smalldb: expected --queries TABLE");
    if ((asked.records == NULL) != (asked.beta == NULL))
        return pby_fail(err, PBY_BAD, "smalldb: expected --records and --beta, or neither");
    const pby_status status = pby_report_smalldb(&text, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return pby_print_report(text, status);
}

static pby_status run_smalldb(int argc, char **argv, pby_error *err)
{
    static const int of_size[] = {RECORDS, BETA};
    pby_option options[OPTIONS + 1];
    int operands;
    PBY_TRY(pby_options_parse(options, known, argc, argv, &operands, err));
    if (operands == 0)
        PBY_TRY(pby_fail(err, PBY_BAD, "smalldb: expected a certificate or a SPEC such as smalldb:eps=1"));
    if (options[ALPHA].value != NULL)
        return run_size(options, operands, argv, err);
    PBY_TRY(pby_options_unread(options, of_size, 2, "it with --alpha", err));
    PBY_TRY(pby_operands_at_most(2, operands, argv, "FILE|SPEC and IN.csv, nothing more", err));
    PBY_TRY(release(argv[0], operands > 1 ? argv[1] : NULL, options, err));
    if (options[QUIET].value == NULL)
        fprintf(stderr, "probity: a record is in one row; kinds, queries and size are public\n");
    return PBY_OK;
}

static const char help[] =
    "probity smalldb: a small synthetic database that answers queries as the data do\n"
    "\n"
    "usage: probity smalldb FILE|SPEC [IN.csv] --queries TABLE [--size M] [--ledger LEDGER]\n"
    "                       [-o OUT.csv] [--json] [--quiet]\n"
    "       probity smalldb SPEC --queries TABLE --alpha A [--records N --beta B] [--json]\n"
    "\n"
    "Chooses one of all databases of M records by the exponential mechanism. The score of a database is\n"
    "minus the number of records in the data times the error of its worst average answer. Every query of\n"
    "the table may then be asked of the released database at no further cost.\n"
    "\n"
    "  FILE             a certificate of smalldb, if the argument names a file or ends in .json. It names\n"
    "                   the table by its SHA-256, and no other is taken\n"
    "  SPEC             otherwise smalldb:eps=E[,size=M][,queries=SHA256][,sensitivity=D]. Size and table\n"
    "                   are those of the options unless the SPEC has them; a ledger records both. A D\n"
    "                   below 1 is taken where the answers of no query differ by more\n"
    "  IN.csv           rows of key,count, a key being a kind of record; - or nothing is standard input.\n"
    "                   Keys that the table lacks are not counted\n";

static const char end[] =
    "\n"
    "examples:\n"
    "  probity smalldb smalldb:eps=1 people.csv --queries queries.csv --size 5\n"
    "  probity smalldb smalldb:eps=1 --queries queries.csv --alpha 1/5 --records 10000 --beta 1/20\n"
    "  probity smalldb certificate.json people.csv --queries queries.csv --ledger census.ledger\n";

const pby_command pby_command_smalldb = {
    "smalldb", "release a small database that answers queries as the data do", help, known, end, run_smalldb};
