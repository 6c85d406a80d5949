/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/advice.h"
#include "cli/certified.h"
#include "cli/cmd_release.h"
#include "cli/cmd_stat.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/separated.h"
#include "io/file.h"
#include "number/integer.h"
#include "probity/certificate.h"
#include "probity/rational.h"
#include "release/permission.h"
#include "release/receipt.h"
#include "release/release_file.h"

enum {
    KEYS,
    COUNTS,
    BY,
    USER,
    CONTRIBUTIONS,
    SUM,
    MEAN,
    VARIANCE,
    QUANTILE,
    FILTER,
    GROUP,
    TRUNCATE,
    STAT,
    K,
    Q,
    LEDGER,
    AFTER,
    TIMING_SAFE,
    RANGE,
    QUERIES,
    ALONG,
    SCATTER,
    ROUNDS,
    UTILITY,
    KEEP,
    STEP,
    SEPARATOR,
    TIMES,
    OUTPUT,
    JSON,
    QUIET,
    OPTIONS
};
enum { TABLE = 1, MEASURE };

static const pby_option known[OPTIONS + 1] = {
    [KEYS] = {.name = "--keys",
              .shown = "COLUMN,...",
              .expected = "the name of a column in the first line, or several",
              .help = "the columns that name a bar, by their names in the first line"},
    [COUNTS] = {.name = "--counts",
                .shown = "COLUMN",
                .expected = "the name of a column in the first line",
                .help = "the column of a bar's count, by its name in the first line"},
    [BY] = {.name = "--by",
            .shown = "COLUMN,...",
            .expected = "the names of columns in the first line, or NAME:LO:HI:WIDTH",
            .help = "counts raw records, one a row, by group; NAME:LO:HI:WIDTH takes numbers in buckets"},
    [USER] = {.name = "--user",
              .shown = "COLUMN",
              .expected = "the name of a column in the first line",
              .help = "the column that names the user of a record: the unit of privacy is a user"},
    [CONTRIBUTIONS] = {.name = "--contributions",
                       .shown = "C",
                       .expected = "an integer from 1 on",
                       .help = "with --user: counts at most C records of each user"},
    [SUM] = {.name = "--sum",
             .shown = "NAME:LO:HI:STEP",
             .expected = "NAME:LO:HI:STEP, a column of numbers",
             .alternative = MEASURE,
             .help = "the sum of a column of raw records, by one spec, geometric or dgauss"},
    [MEAN] = {.name = "--mean",
              .shown = "NAME:LO:HI:STEP",
              .expected = "NAME:LO:HI:STEP, a column of numbers",
              .alternative = MEASURE,
              .help = "the mean of such a column, by two specs"},
    [VARIANCE] = {.name = "--variance",
                  .shown = "NAME:LO:HI:STEP",
                  .expected = "NAME:LO:HI:STEP, a column of numbers",
                  .alternative = MEASURE,
                  .help = "the variance of such a column, by three specs"},
    [QUANTILE] = {.name = "--quantile",
                  .shown = "NAME:LO:HI:STEP",
                  .expected = "NAME:LO:HI:STEP, a column of numbers",
                  .alternative = MEASURE,
                  .help = "the quantiles --q of such a column, by a spec of exponential each"},
    [FILTER] = {.name = "--filter",
                .shown = "LIST",
                .expected = "the name of a file with one KEY a line",
                .alternative = TABLE,
                .completes = "file",
                .help = "counts only the keys of a public file, one KEY a line: the bars are those"},
    [GROUP] = {.name = "--group-by",
               .shown = "MAP",
               .expected = "the name of a file with KEY,GROUP a line",
               .alternative = TABLE,
               .completes = "file",
               .help = "counts each key under a name: the public file MAP has KEY,GROUP a line"},
    [TRUNCATE] = {.name = "--truncate",
                  .shown = "C",
                  .expected = "an integer from 1 on",
                  .help = "takes every count above C for C, after the filter or the groups"},
    [STAT] = {.name = "--statistic",
              .shown = "NAME",
              .expected = "the name of a statistic, such as max or median",
              .completes = "statistic",
              .help = "only this statistic of the release (see probity stat)"},
    [K] = {.name = "--k",
           .shown = "K",
           .expected = "an integer from 1 on",
           .help = "of --statistic max_k and min_k: an integer from 1 on"},
    [Q] = {.name = "--q",
           .shown = "P,...",
           .expected = "a rational from 0 to 1 such as 9/10",
           .help = "of --statistic quantile: a rational from 0 to 1; of --quantile: the quantiles, above 0 "
                   "and below 1"},
    [LEDGER] =
        {.name = "--ledger",
         .shown = "LEDGER",
         .expected = "the name of a file that probity ledger init made",
         .completes = "file",
         .help = "charges a budget before any noise is drawn; refused if that would overspend (exit status "
                 "1)"},
    [AFTER] = {.name = "--after",
               .shown = "DIGEST",
               .expected = "a digest that the ledger had",
               .help = "refuses a ledger that has not had this last digest, as an older copy has not"},
    [TIMING_SAFE] = {.name = "--timing-safe", .help = "time and memory accesses reveal no draw and no count"},
    [RANGE] = {.name = "--range",
               .shown = "LO:HI",
               .expected = "LO:HI, two rationals",
               .help = "moves scores of exponential and the like into this range, which is public"},
    [QUERIES] = {.name = "--queries",
                 .shown = "TABLE",
                 .expected = "the name of a file with KIND,ANSWER,... a line",
                 .completes = "file",
                 .help = "the table of queries of a SPEC of smalldb (see probity smalldb)"},
    [ALONG] = {.name = "--along",
               .shown = "A,B,...",
               .expected = "integers separated by commas, such as 3,-2",
               .help = "of fbquantile: turns points into A x + B y + ..."},
    [SCATTER] = {.name = "--scatter",
                 .shown = "TABLE",
                 .expected = "the name of a file with KEY,NEW,CHANCE a line",
                 .alternative = TABLE,
                 .completes = "file",
                 .help = "moves every record at random: the public file TABLE has KEY,NEW,CHANCE a line"},
    [ROUNDS] = {.name = "--rounds",
                .shown = "K",
                .expected = "an integer from 1 on",
                .help = "of choosing: how many bars are chosen; all if left out"},
    [UTILITY] = {.name = "--utility",
                 .shown = "COLUMN",
                 .expected = "the name of a column in the first line",
                 .help = "keeps bars by this column: threshold:...,of=utility M"},
    [KEEP] = {.name = "--keep",
              .shown = "LIST",
              .expected = "the name of a file with one KEY a line",
              .completes = "file",
              .help = "a threshold publishes these public keys whatever they count"},
    [STEP] = {.name = "--step",
              .shown = "R",
              .expected = "a rational above 0 such as 1/4",
              .help = "counts are multiples of R; sensitivity, T and C are in such steps"},
    [SEPARATOR] = {.name = "--separator",
                   .shown = "C",
                   .expected = "one character such as ';' or '|', or tab",
                   .help = "what separates the fields of the input, for a comma: ';', '|' or tab"},
    [TIMES] = {.name = "-n",
               .shown = "N",
               .expected = "an integer from 1 to 4096",
               .help =
                   "N uses of the SPEC, at most 4096, at N prices: so many points of fbquantile, depth and "
                   "fbsupport"},
    [OUTPUT] = {.name = "-o",
                .shown = "OUT.csv",
                .expected = "the name of a file to write",
                .completes = "file",
                .help = "where to write; - or nothing is standard output"},
    [JSON] = {.name = "--json",
              .help =
                  "one JSON object: release, the rows or the statistic's value; spec; certificate; spent. "
                  "With -o OUT.csv, output in place of release"},
    [QUIET] = {.name = "--quiet",
               .help = "leaves out the lines on standard error that say how the input was read and what the "
                       "certificate states"},
};

static const pby_arguments names = {
    .by = "--by",
    .user = "--user",
    .contributions = "--contributions",
    .value = "--sum, --mean, --variance, --quantile",
    .quantiles = "--q",
    .keys = "--keys",
    .counts = "--counts",
    .filter = "--filter",
    .group = "--group-by",
    .truncate = "--truncate",
    .statistic = "--statistic",
    .ledger = "--ledger",
    .timing_safe = "--timing-safe",
    .range = "--range",
    .queries = "--queries",
    .along = "--along",
    .scatter = "--scatter",
    .rounds = "--rounds",
    .utility = "--utility",
    .keep = "--keep",
    .step = "--step",
};

/* LO:HI, the ends of what scores are moved into. */
static pby_status read_range(pby_score_range *range, const char *text, pby_error *err)
{
    static const char expected[] = "LO:HI, two rationals of at most 40 digits with LO < HI, such as 0:100";
    const char *colon = strchr(text, ':');
    char *lo = colon == NULL ? NULL : strndup(text, (size_t)(colon - text));
    const bool good = lo != NULL && pby_rational_parse(range->lo, "--range", lo, NULL) == PBY_OK &&
                      pby_rational_parse(range->hi, "--range", colon + 1, NULL) == PBY_OK &&
                      mpq_cmp(range->lo, range->hi) < 0;
    free(lo);
    return good ? PBY_OK : pby_refuse(err, "--range", text, expected);
}

static pby_status read_statistic(pby_statistic *out, const pby_option *options, pby_error *err)
{
    const pby_status status =
        pby_statistic_parse(out, options[STAT].value, options[K].value, options[Q].value, err);
    if (status == PBY_BAD)
        pby_advise_name(err, "statistic", "--statistic");
    return status;
}

/* Reads the request beside the mechanism; the statistic and the keys are set where there are such. */
static pby_status read_request(pby_pipeline *p, pby_statistic *statistic, pby_key_names *keys,
                               pby_score_range *range, pby_project *along, mpq_t step,
                               const pby_option *options, const char *in, pby_error *err)
{
    unsigned long limit, rounds = 0;
    pby_status status =
        pby_integer_parse(&limit, "--truncate", options[TRUNCATE].value, 1, INT64_MAX, INT64_MAX, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&rounds, "--rounds", options[ROUNDS].value, 1, INT64_MAX, 0, err);
    if (status == PBY_OK && options[STAT].value != NULL)
        status = read_statistic(statistic, options, err);
    else if (status == PBY_OK &&
             (options[K].value != NULL || (options[Q].value != NULL && options[QUANTILE].value == NULL)))
        status = pby_fail(err, PBY_BAD, "release: expected --statistic NAME beside --k or --q");
    if (status == PBY_OK && options[KEYS].value != NULL)
        status = pby_key_names_parse(keys, "--keys", options[KEYS].value, err);
    if (status == PBY_OK && options[RANGE].value != NULL)
        status = read_range(range, options[RANGE].value, err);
    if (status == PBY_OK && options[ALONG].value != NULL)
        status = pby_project_parse(along, "--along", options[ALONG].value, err);
    if (status == PBY_OK && options[STEP].value != NULL)
        status = pby_rational_parse(step, "--step", options[STEP].value, err);
    if (status == PBY_OK && options[STEP].value != NULL && mpq_sgn(step) <= 0)
        status = pby_refuse(err, "--step", options[STEP].value, "a rational above 0 such as 1/4");
    if (status == PBY_OK)
        *p = (pby_pipeline){.names = &names,
                            .in = pby_path_named(in),
                            .out = pby_path_named(options[OUTPUT].value),
                            .keys = options[KEYS].value == NULL ? NULL : keys,
                            .counts = options[COUNTS].value,
                            .utility = options[UTILITY].value,
                            .step = options[STEP].value == NULL ? NULL : step,
                            .keep = options[KEEP].value,
                            .user = options[USER].value,
                            .moment = options[SUM].value != NULL        ? PBY_MOMENT_SUM
                                      : options[MEAN].value != NULL     ? PBY_MOMENT_MEAN
                                      : options[VARIANCE].value != NULL ? PBY_MOMENT_VARIANCE
                                      : options[QUANTILE].value != NULL ? PBY_MOMENT_QUANTILE
                                                                        : PBY_MOMENT_NONE,
                            .quantiles = options[Q].value,
                            .json = options[JSON].value != NULL,
                            .timing_safe = options[TIMING_SAFE].value != NULL,
                            .filter = options[FILTER].value,
                            .group = options[GROUP].value,
                            .limit = (int64_t)limit,
                            .rounds = rounds,
                            .queries = options[QUERIES].value,
                            .range = options[RANGE].value == NULL ? NULL : range,
                            .along = options[ALONG].value == NULL ? NULL : along,
                            .statistic = options[STAT].value == NULL ? NULL : statistic};
    return status;
}

/* ---- the release ------------------------------------------------------------------------------ */

/* Once the file is there: a failure says so. */
static pby_status print_receipt(const pby_pipeline *p, pby_error *err)
{
    json_t *object;
    pby_error why = PBY_NO_ERROR;
    pby_status status = pby_receipt_json(&object, p, &why);
    if (status == PBY_OK)
        status = pby_print_json(object, &why);
    if (status == PBY_OK)
        status = pby_print_end(&why);
    return status == PBY_OK
               ? PBY_OK
               : pby_fail(err, PBY_FAILED, "released to %.200s, but its receipt could not be written: %s",
                          p->out, why.text);
}

static pby_status release_shown(pby_pipeline *p, pby_error *err)
{
    pby_progress progress, reading;
    pby_progress_begin_share(&progress, "released", 0);
    pby_progress_begin_share(&reading, "read", 0);
    p->observer = pby_progress_observer(&progress);
    if (p->table != NULL)
        p->table->records->observer = pby_progress_observer(&reading);
    pby_status status = p->json ? pby_print_ready(err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_release_file(p, err);
    pby_progress_end(&reading);
    pby_progress_end(&progress);
    return status == PBY_OK && p->json && !pby_pipeline_object(p) ? print_receipt(p, err) : status;
}

/* Prints the assumptions about the input, only once the release is whole: a refusal is one line. */
static void tell_layout(const pby_pipeline *p, const char *in)
{
    char *text = pby_layout_text(&p->learned->layout, in, p->learned->named, pby_budget_rows(p->budget));
    if (text != NULL)
        fprintf(stderr, "probity: %s\n", text);
    free(text);
}

/* `in` is what the input is called, and what p reads may be made of it. */
static pby_status release_named(const pby_permission *permission, pby_pipeline *p, const char *in, bool quiet,
                                pby_error *err)
{
    pby_learned learned = {.numbers = false};
    p->budget = &permission->budget;
    p->learned = &learned;
    const pby_status status = release_shown(p, err);
    if (status == PBY_OK && !quiet)
        tell_layout(p, in);
    if (status == PBY_OK && !quiet && permission->certificate != NULL)
        pby_tell_certified("released under a certificate", permission->certificate);
    if (status == PBY_OK)
        pby_stat_warn(learned.mixed && !pby_pipeline_object(p));
    return status;
}

pby_status pby_release_command(const pby_permission *permission, pby_pipeline *p, bool quiet, pby_error *err)
{
    return release_named(permission, p, p->in, quiet, err);
}

pby_status pby_ledger_option_after(pby_ledger *ledger, const pby_option *after, pby_error *err)
{
    if (after->value == NULL)
        return PBY_OK;
    if (ledger == NULL)
        return pby_refuse(err, after->name, after->value, "--ledger beside it");
    const pby_status status = pby_ledger_after(ledger, after->value, err);
    if (status == PBY_BAD)
        pby_advise_name(err, "after", after->name);
    return status;
}

/* Raw records, which are read once everything else has been checked. */
static pby_status open_records(pby_table **out, const pby_pipeline *p, const pby_option *options,
                               pby_error *err)
{
    const char *path = p->group != NULL ? p->group : p->filter;
    const pby_map map = {.path = path, .grouped = p->group != NULL};
    pby_records_options records = {
        .by = options[BY].value,
        .user = p->user,
        .value = p->moment == PBY_MOMENT_NONE ? NULL : options[SUM + (int)p->moment - 1].value,
        .map = path == NULL ? NULL : &map};
    pby_csv_input *in;
    *out = NULL;
    if (records.by == NULL && records.value == NULL)
        return options[CONTRIBUTIONS].value == NULL
                   ? PBY_OK
                   : pby_refuse(err, "--contributions", options[CONTRIBUTIONS].value, "--by beside it");
    if (p->scatter != NULL)
        return pby_refuse(err, "--scatter", p->scatter->path, "none of raw records");
    if (p->keys != NULL || p->counts != NULL)
        return pby_refuse(err, p->keys != NULL ? "--keys" : "--counts",
                          p->keys != NULL ? p->keys->text : p->counts, "none of raw records");
    unsigned long contributions;
    pby_status status = pby_integer_parse(&contributions, "--contributions", options[CONTRIBUTIONS].value, 1,
                                          PBY_CONTRIBUTIONS_MAX, 0, err);
    if (status == PBY_OK)
        status = pby_csv_input_open(&in, p->in, err);
    records.contributions = contributions;
    return status == PBY_OK
               ? pby_table_records_of(out, in, p->in == NULL ? "-" : p->in, &records, p->names, err)
               : status;
}

/* A SPEC names the table of chances, where its own first word does not. */
static pby_status ask(pby_permission **out, const char *const *texts, size_t count,
                      const pby_scatter *scatter, const char *ledger, pby_error *err)
{
    static const char family[] = "scatter:";
    char first[sizeof "scatter:table=" + sizeof scatter->digest.sha256];
    if (scatter == NULL || pby_permission_is_file(texts[0]) ||
        strncmp(texts[0], family, sizeof family - 1) == 0)
        return pby_permission_ask(out, texts, count, ledger, names.ledger, err);
    const char **all = calloc(count + 1, sizeof *all);
    if (all == NULL)
        return pby_no_memory(err);
    snprintf(first, sizeof first, "scatter:table=%s", scatter->digest.sha256);
    all[0] = first;
    memcpy(all + 1, texts, count * sizeof *all);
    const pby_status status = pby_permission_ask(out, all, count + 1, ledger, names.ledger, err);
    free(all);
    return status;
}

static pby_status release(const char *const *texts, size_t count, pby_pipeline *p, const pby_option *options,
                          pby_error *err)
{
    const char *ledger = options[LEDGER].value;
    pby_permission *permission = NULL;
    pby_table *table = NULL;
    pby_separated separated = {.fd = -1};
    const char *const in = p->in;
    pby_status status = pby_release_apart(p, pby_permission_is_file(texts[0]) ? texts[0] : NULL, ledger, err);
    if (status == PBY_OK && options[SEPARATOR].value != NULL)
        status = pby_separated_open(&separated, p->in, options[SEPARATOR].value, err);
    if (separated.fd >= 0)
        p->in = separated.path;
    if (status == PBY_OK)
        status = ask(&permission, texts, count, p->scatter, ledger, err);
    if (status == PBY_OK)
        status = pby_ledger_option_after(pby_permission_ledger(permission), &options[AFTER], err);
    if (status == PBY_OK)
        status = open_records(&table, p, options, err);
    p->table = table;
    if (status == PBY_OK)
        status = release_named(permission, p, in, options[QUIET].value != NULL, err);
    if (status != PBY_OK)
        pby_separated_name(&separated, err);
    pby_separated_close(&separated);
    p->in = in;
    pby_table_free(table);
    pby_permission_close(permission);
    return status;
}

/* The text of so many uses of a mechanism, for free(3). */
static pby_status several(char **out, const char *times, char *const *texts, int count, pby_error *err)
{
    unsigned long uses;
    *out = NULL;
    const pby_status status = pby_integer_parse(&uses, "-n", times, 1, PBY_RELEASE_USES_MAX, 1, err);
    if (status != PBY_OK)
        return status;
    if (pby_permission_is_file(texts[0]))
        return pby_refuse(err, "-n", times, "none beside a certificate, which states the uses");
    if (count != 1 || strchr(texts[0], '*') != NULL)
        return pby_refuse(err, "-n", times, "one mechanism, used once");
    return asprintf(out, "%lu*%s", uses, texts[0]) < 0 ? pby_no_memory(err) : PBY_OK;
}

/* Releases a mechanism as it stands, or --times uses of it. */
static pby_status release_uses(char *const *texts, int count, pby_pipeline *p, const pby_option *options,
                               pby_error *err)
{
    const char *times = options[TIMES].value;
    char *uses = NULL;
    if (times == NULL)
        return release((const char *const *)texts, (size_t)count, p, options, err);
    pby_status status = several(&uses, times, texts, count, err);
    if (status == PBY_OK)
        status = release((const char *const[]){uses}, 1, p, options, err);
    free(uses);
    return status;
}

/* The data stand behind what they are released with. */
static pby_status check_order(int operands, char **argv, pby_error *err)
{
    char expected[256];
    const size_t length = operands == 2 ? strlen(argv[0]) : 0;
    if (length < 5 || strcmp(argv[0] + length - 4, ".csv") != 0 || !pby_permission_is_file(argv[0]) ||
        strchr(argv[1], ':') == NULL || pby_permission_is_file(argv[1]))
        return PBY_OK;
    snprintf(expected, sizeof expected,
             "a certificate or a SPEC first, and then the data: probity release %.80s %.80s", argv[1],
             argv[0]);
    return pby_refuse(err, "argument", argv[0], expected);
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_arguments named = names;
    pby_pipeline pipeline = {.names = &names};
    pby_statistic statistic;
    pby_key_names keys = {.count = 0};
    pby_score_range range;
    pby_project along;
    pby_scatter *scatter = NULL;
    mpq_t step;
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status =
            pby_fail(err, PBY_BAD, "release: expected a certificate or a SPEC such as stlap:eps=1/2,q=40");
    if (status == PBY_OK)
        status = check_order(operands, argv, err);
    if (status != PBY_OK)
        return status;
    const int in = pby_permission_count(operands, argv);
    status = pby_operands_at_most(in + 1, operands, argv, "FILE|SPEC... and IN.csv, nothing more", err);
    mpq_inits(range.lo, range.hi, step, NULL);
    if (status == PBY_OK)
        status = read_request(&pipeline, &statistic, &keys, &range, &along, step, options,
                              operands > in ? argv[in] : NULL, err);
    if (status == PBY_OK && options[SCATTER].value != NULL)
        status = pby_scatter_read(&scatter, options[SCATTER].value, names.scatter, pipeline.in, err);
    pipeline.scatter = scatter;
    if (status == PBY_OK && pipeline.moment != PBY_MOMENT_NONE)
        named.value = options[SUM + (int)pipeline.moment - 1].name;
    pipeline.names = &named;
    if (status == PBY_OK)
        status = release_uses(argv, in, &pipeline, options, err);
    pby_scatter_free(scatter);
    mpq_clears(range.lo, range.hi, step, NULL);
    pby_key_names_clear(&keys);
    return status;
}

static const char help[] =
    "probity release: one private release of a histogram\n"
    "\n"
    "usage: probity release FILE|SPEC... [IN.csv] [--keys COLUMN,...] [--counts COLUMN] [--step R]\n"
    "                       [--separator C] [--utility COLUMN] [--keep LIST]\n"
    "                       [--by COLUMN,...] [--user COLUMN --contributions C]\n"
    "                       [--sum V|--mean V|--variance V|--quantile V --q P,...] [--truncate C]\n"
    "                       [--filter LIST|--group-by MAP|--scatter TABLE]\n"
    "                       [--statistic NAME [--k K|--q P]] [--ledger LEDGER [--after DIGEST]]\n"
    "                       [--timing-safe] [-o OUT.csv] [--json] [--quiet]\n"
    "\n"
    "  stlap, geometric, dgauss, laplace with a grid\n"
    "                     the same keys in the same order, which are public\n"
    "  threshold          KEY,COUNT of the bars that passed, sorted by key\n"
    "  partition          KEY of the bars that passed, sorted\n"
    "  range              KEY,LOW,HIGH of every bar, or KEY,, where nothing may be published\n"
    "  buckethist         reads points, and writes CENTRE,COUNT of the buckets\n"
    "  rr, krr, onebit    read an answer a line, and write a report\n"
    "  exponential, power, noisymax, permuteflip\n"
    "                     read CANDIDATE,SCORE a line, moved into --range LO:HI, and write one\n"
    "  ptr, smooth        the answer of --statistic NAME\n"
    "  choosing           KEY,COUNT of --rounds K bars, as they are chosen\n"
    "  smalldb            as probity smalldb, with --queries TABLE\n"
    "  fbquantile, depth, fbsupport: read points, and write one; -n N of them at N prices;\n"
    "                     --along A,B,... turns points into A x + B y + ... for fbquantile\n"
    "  K*M, M of these    K uses, up to 4096, with columns each: COUNT_1,...,COUNT_K, or PRESENT_1,...,\n"
    "                     LOW_1,HIGH_1,...; empty where a bar did not pass\n"
    "  threshold:... M    M of the bars that pass: noise, range, or a choice by counts\n"
    "\n"
    "  FILE             a certificate, if the argument names a file that exists or ends in .json; nothing\n"
    "                   is released unless it holds (exit status 1)\n"
    "  SPEC             otherwise, a mechanism\n"
    "  IN.csv           rows of key,count; - or nothing is standard input\n";

static const char end[] =
    "\n"
    "Checked before it is charged; written whole or not at all.\n"
    "Neighbours are those of the certificate or the ledger, else of the SPEC. Tables must not come from the\n"
    "data.\n"
    "\n"
    "example:\n"
    "  probity release certificate.json counts.csv --ledger census.ledger -o noisy.csv\n";

const pby_command pby_command_release = {"release", "one private release of a histogram", help, known, end,
                                         run};
