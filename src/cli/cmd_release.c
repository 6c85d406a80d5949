/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/certified.h"
#include "cli/cmd_release.h"
#include "cli/cmd_stat.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "io/file.h"
#include "number/integer.h"
#include "probity/certificate.h"
#include "probity/experimental/ledgers.h"
#include "release/permission.h"
#include "release/receipt.h"
#include "release/release_file.h"
#include "release/release_request.h"
#include "table/csv/separated.h"
#include "table/row/csv_row.h"

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
static void print_layout(const pby_pipeline *p, const char *in)
{
    char *text = pby_layout_text(&p->learned->layout, in, p->learned->named, pby_budget_rows(p->budget));
    if (text != NULL)
        fprintf(stderr, "probity: %s\n", text);
    free(text);
}

/* No program can see in the data whose they are. */
void pby_tell_part(const char *part)
{
    fprintf(stderr, "probity: charged for the part '%s' alone: the data must be of nobody else\n", part);
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
        print_layout(p, in);
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

/* Hands the value of an option to the ledger, which calls it by `name`. */
static pby_status option_of_ledger(pby_ledger *ledger, const pby_option *option, const char *name,
                                   pby_status (*use)(pby_ledger *, const char *, pby_error *), pby_error *err)
{
    if (option->value == NULL)
        return PBY_OK;
    if (ledger == NULL)
        return pby_refuse(err, option->name, option->value, "--ledger beside it");
    const pby_status status = use(ledger, option->value, err);
    if (status == PBY_BAD)
        pby_advise_name(err, name, option->name);
    return status;
}

pby_status pby_ledger_option_after(pby_ledger *ledger, const pby_option *after, pby_error *err)
{
    return option_of_ledger(ledger, after, "after", pby_ledger_after, err);
}

pby_status pby_ledger_option_part(pby_ledger *ledger, const pby_option *part, pby_error *err)
{
    return option_of_ledger(ledger, part, "part", pby_ledger_for_part, err);
}

/* Raw records, which are read once everything else has been checked. */
static pby_status open_records(pby_table **out, const pby_pipeline *p, const pby_option *options,
                               pby_error *err)
{
    const char *path = p->group != NULL ? p->group : p->filter;
    const pby_map map = {.path = path, .grouped = p->group != NULL};
    pby_records_options records = {
        .by = options[PBY_ARG_BY].value,
        .user = p->user,
        .value = p->moment == PBY_MOMENT_NONE ? NULL : options[PBY_ARG_SUM + (int)p->moment - 1].value,
        .map = path == NULL ? NULL : &map};
    pby_csv_input *in;
    *out = NULL;
    if (records.by == NULL && records.value == NULL)
        return options[PBY_ARG_CONTRIBUTIONS].value == NULL
                   ? PBY_OK
                   : pby_refuse(err, "--contributions", options[PBY_ARG_CONTRIBUTIONS].value,
                                "--by beside it");
    if (p->scatter != NULL)
        return pby_refuse(err, "--scatter", p->scatter->path, "none of raw records");
    if (p->keys != NULL || p->counts != NULL)
        return pby_refuse(err, p->keys != NULL ? "--keys" : "--counts",
                          p->keys != NULL ? p->keys->text : p->counts, "none of raw records");
    unsigned long contributions;
    pby_status status = pby_integer_parse(&contributions, "--contributions",
                                          options[PBY_ARG_CONTRIBUTIONS].value, 1, PBY_CONTRIBUTIONS_MAX, 0,
                                          err);
    if (status == PBY_OK)
        status = pby_csv_input_open(&in, p->in, err);
    records.contributions = contributions;
    return status == PBY_OK
               ? pby_table_records_of(out, in, p->in == NULL ? "-" : p->in, &records, p->names, err)
               : status;
}

/* A SPEC names the table of chances, where its own first word does not. */
static pby_status ask_permission(pby_permission **out, const char *const *texts, size_t count,
                                 const pby_scatter *scatter, const char *ledger, pby_error *err)
{
    static const char family[] = "scatter:";
    char first[sizeof "scatter:table=" + sizeof scatter->digest.sha256];
    if (scatter == NULL || pby_file_is_meant(texts[0]) || strncmp(texts[0], family, sizeof family - 1) == 0)
        return pby_permission_ask(out, texts, count, ledger, "--ledger", err);
    const char **all = calloc(count + 1, sizeof *all);
    if (all == NULL)
        return pby_no_memory(err);
    snprintf(first, sizeof first, "scatter:table=%s", scatter->digest.sha256);
    all[0] = first;
    memcpy(all + 1, texts, count * sizeof *all);
    const pby_status status = pby_permission_ask(out, all, count + 1, ledger, "--ledger", err);
    free(all);
    return status;
}

static pby_status release(const char *const *texts, size_t count, pby_pipeline *p, const pby_option *options,
                          pby_error *err)
{
    const char *ledger = options[PBY_ARG_LEDGER].value;
    pby_permission *permission = NULL;
    pby_table *table = NULL;
    pby_separated separated = {.fd = -1};
    const char *const in = p->in;
    pby_status status = pby_release_apart(p, pby_file_is_meant(texts[0]) ? texts[0] : NULL, ledger, err);
    if (status == PBY_OK && options[PBY_ARG_SEPARATOR].value != NULL)
        status = pby_separated_open(&separated, p->in, options[PBY_ARG_SEPARATOR].value, err);
    if (separated.fd >= 0)
        p->in = separated.path;
    if (status == PBY_OK)
        status = ask_permission(&permission, texts, count, p->scatter, ledger, err);
    if (status == PBY_OK)
        status = pby_ledger_option_after(pby_permission_ledger(permission), &options[PBY_ARG_AFTER], err);
    if (status == PBY_OK)
        status = pby_ledger_option_part(pby_permission_ledger(permission), &options[PBY_ARG_PART], err);
    if (status == PBY_OK)
        status = open_records(&table, p, options, err);
    p->table = table;
    if (status == PBY_OK)
        status = release_named(permission, p, in, options[PBY_ARG_QUIET].value != NULL, err);
    if (status == PBY_OK && options[PBY_ARG_QUIET].value == NULL && options[PBY_ARG_PART].value != NULL)
        pby_tell_part(options[PBY_ARG_PART].value);
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
    if (pby_file_is_meant(texts[0]))
        return pby_refuse(err, "-n", times, "none beside a certificate, which states the uses");
    if (count != 1 || strchr(texts[0], '*') != NULL)
        return pby_refuse(err, "-n", times, "one mechanism, used once");
    return asprintf(out, "%lu*%s", uses, texts[0]) < 0 ? pby_no_memory(err) : PBY_OK;
}

/* Releases a mechanism as it stands, or --times uses of it. */
static pby_status release_uses(char *const *texts, int count, pby_pipeline *p, const pby_option *options,
                               pby_error *err)
{
    const char *times = options[PBY_ARG_TIMES].value;
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
    char expected[PBY_ERROR_SIZE];
    const size_t length = operands == 2 ? strlen(argv[0]) : 0;
    if (length < 5 || strcmp(argv[0] + length - 4, ".csv") != 0 || !pby_file_is_meant(argv[0]) ||
        strchr(argv[1], ':') == NULL || pby_file_is_meant(argv[1]))
        return PBY_OK;
    snprintf(expected, sizeof expected,
             "a certificate or a SPEC first, and then the data: probity release %s %s",
             pby_excerpt_of(argv[1], 80).text, pby_excerpt_of(argv[0], 80).text);
    return pby_refuse(err, "argument", argv[0], expected);
}

static pby_status run_release(int argc, char **argv, pby_error *err)
{
    pby_option options[PBY_ARGS + 1];
    pby_release_request r;
    int operands;
    PBY_TRY(pby_options_parse(options, pby_argument_rows, argc, argv, &operands, err));
    if (operands == 0)
        return pby_fail(err, PBY_BAD, "release: expected a certificate or a SPEC such as stlap:eps=1/2,q=40");
    PBY_TRY(check_order(operands, argv, err));
    const int in = pby_permission_count(operands, argv);
    PBY_TRY(pby_operands_at_most(in + 1, operands, argv, "FILE|SPEC... and IN.csv, nothing more", err));
    pby_release_request_init(&r);
    pby_status status = pby_release_request_read(&r, options, operands > in ? argv[in] : NULL, err);
    if (status == PBY_BAD)
        pby_advise_name(err, "statistic", "--statistic");
    if (status == PBY_OK)
        status = release_uses(argv, in, &r.pipeline, options, err);
    pby_release_request_clear(&r);
    if (status == PBY_BAD && options[PBY_ARG_SEPARATOR].value != NULL &&
        strstr(err->text, PBY_ROW_COMMA) != NULL)
        return pby_option_unread(&options[PBY_ARG_SEPARATOR],
                                 "what stands between the key and the count on each line", err);
    return status;
}

static const char help[] =
    "probity release: make one private release of a histogram\n"
    "\n"
    "usage: probity release FILE|SPEC... [IN.csv] [--keys COLUMN,...] [--counts COLUMN] [--step R]\n"
    "                       [--separator C] [--utility COLUMN] [--keep LIST]\n"
    "                       [--by COLUMN,...] [--user COLUMN --contributions C]\n"
    "                       [--sum V|--mean V|--variance V|--quantile V --q P,...] [--truncate C]\n"
    "                       [--filter LIST|--group-by MAP|--scatter TABLE]\n"
    "                       [--statistic NAME [--k K|--q P]]\n"
    "                       [--ledger LEDGER [--after DIGEST] [--part PART]]\n"
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
    "  fbquantile, depth, fbsupport, fbsteiner: read points, and write one; -n N at N prices;\n"
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

const pby_command pby_command_release = {
    "release", "make one private release of a histogram", help, pby_argument_rows, end, run_release};
