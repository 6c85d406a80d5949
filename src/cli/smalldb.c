#include <stdio.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/release.h"
#include "io/file.h"
#include "number/integer.h"
#include "release/databases.h"
#include "release/permission.h"

enum { QUERIES, SIZE, LEDGER, OUTPUT, JSON, QUIET, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [QUERIES] = {"--queries", "the name of a file with KIND,ANSWER,... a line", 0, NULL},
    [SIZE] = {"--size", "an integer from 1 on", 0, NULL},
    [LEDGER] = {"--ledger", "the name of a file that probity ledger init made", 0, NULL},
    [OUTPUT] = {"-o", "the name of a file to write", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
    [QUIET] = {"--quiet", NULL, 0, NULL},
};

static const pby_arguments names = {
    .ledger = "--ledger",
    .queries = "--queries",
    .size = "--size",
};

static pby_status read_request(pby_pipeline *p, const pby_option *options, const char *in, pby_error *err)
{
    unsigned long size;
    if (options[QUERIES].value == NULL || options[SIZE].value == NULL)
        return pby_fail(err, PBY_BAD, "smalldb: expected --queries TABLE and --size M");
    const pby_status status =
        pby_integer_parse(&size, "--size", options[SIZE].value, 1, PBY_DATABASES_MAX, 1, err);
    *p = (pby_pipeline){.names = &names,
                        .in = pby_path_named(in),
                        .out = pby_path_named(options[OUTPUT].value),
                        .json = options[JSON].value != NULL,
                        .limit = INT64_MAX,
                        .queries = options[QUERIES].value,
                        .size = size};
    return status;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_pipeline pipeline;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status =
            pby_fail(err, PBY_BAD, "smalldb: expected a certificate or a SPEC such as exponential:eps=1");
    if (status != PBY_OK)
        return status;
    const int in = pby_permission_count(operands, argv);
    status = pby_operands_at_most(in + 1, operands, argv, "FILE|SPEC and IN.csv, nothing more", err);
    if (status == PBY_OK)
        status = read_request(&pipeline, options, operands > in ? argv[in] : NULL, err);
    if (status == PBY_OK)
        status = pby_release_command((const char *const *)argv, (size_t)in, &pipeline, options[LEDGER].value,
                                     true, err);
    if (status == PBY_OK && options[QUIET].value == NULL)
        fprintf(stderr, "probity: a record is in one row; kinds, queries and size are public\n");
    return status;
}

static const char help[] =
    "probity smalldb: a small synthetic database that answers queries as the data do\n"
    "\n"
    "usage: probity smalldb FILE|SPEC [IN.csv] --queries TABLE --size M [--ledger LEDGER]\n"
    "                       [-o OUT.csv] [--json] [--quiet]\n"
    "\n"
    "Chooses one of all databases of M records by the exponential mechanism. The score of a database is\n"
    "minus the number of records in the data times the error of its worst average answer. Every query of\n"
    "the table may then be asked of the released database at no further cost.\n"
    "\n"
    "  FILE         a certificate of exponential, if the argument names a file or ends in .json\n"
    "  SPEC         otherwise exponential:eps=E; its loss, certificate, selection and audit are as ever. A\n"
    "               sensitivity below 1 is taken where the answers of no query differ by more\n"
    "  IN.csv       rows of key,count, a key being a kind of record; - or nothing is standard input. Keys\n"
    "               that the table lacks are not counted\n"
    "  --queries TABLE\n"
    "               public: a header, then KIND,ANSWER,... a line, what each query answers about a record\n"
    "               of the kind, a rational from 0 to 1\n"
    "  --size M     the records of the database, public; at most a million databases are tried\n"
    "  --ledger LEDGER\n"
    "               records the release in a budget first; nothing is released if it would overspend\n"
    "  -o OUT.csv   where to write KEY,COUNT; - or nothing is standard output\n"
    "  --json       one JSON object on standard output, with the SHA-256 of the table of queries\n"
    "  --quiet      leaves out the line on standard error that says how the input was read\n"
    "\n"
    "examples:\n"
    "  probity smalldb exponential:eps=1 people.csv --queries queries.csv --size 5\n"
    "  probity accuracy exponential:eps=1 --support 56 --gamma 1/20\n";

const pby_command pby_command_smalldb = {"smalldb", "a small database that answers queries as the data do",
                                         help, run};
