#include "probity/release.h"

#include <stdlib.h>
#include <string.h>
#include <sodium.h>
#include <unistd.h>

#include "cli/budget.h"
#include "certificate/certificate.h"
#include "cli/command.h"
#include "cli/csv.h"
#include "cli/file.h"
#include "cli/options.h"
#include "cli/points.h"
#include "cli/progress.h"
#include "cli/publish.h"
#include "cli/spool.h"
#include "probity/certificate.h"

enum { CHUNK = 1 << 14 };
enum { LEDGER, TIMING_SAFE, OUTPUT, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [LEDGER] = {"--ledger", "the name of a file that probity ledger init made", 0, NULL},
    [TIMING_SAFE] = {"--timing-safe", NULL, 0, NULL},
    [OUTPUT] = {"-o", "the name of a file to write", 0, NULL},
};

/* Where the permission comes from: a certificate that holds, or a spec that the caller answers for. */
struct permission {
    pby_certificate *certificate;
    pby_spec *own;
    const pby_spec *spec;
};

static int names_file(const char *text)
{
    const size_t size = strlen(text);
    return access(text, F_OK) == 0 || (size >= 5 && strcmp(text + size - 5, ".json") == 0);
}

static pby_status read_certificate(struct permission *permission, const char *path, pby_error *err)
{
    char *text;
    size_t size;
    pby_status status = pby_file_read(&text, &size, path, PBY_CERTIFICATE_LIMIT, err);
    if (status != PBY_OK)
        return status;
    status = pby_verify(&permission->certificate, text, size, err);
    if (status == PBY_OK)
        permission->spec = pby_certificate_spec(permission->certificate);
    free(text);
    return status;
}

static pby_status ask_permission(struct permission *permission, const char *text, pby_error *err)
{
    *permission = (struct permission){NULL, NULL, NULL};
    if (names_file(text))
        return read_certificate(permission, text, err);
    const pby_status status = pby_certificate_spec_parse(&permission->own, text, err);
    permission->spec = permission->own;
    return status;
}

/* Counts and noisy counts share one buffer, which is wiped. */
static pby_status release_rows(pby_csv *csv, pby_spool *spool, pby_release *release, pby_publish *publish,
                               uint64_t rows, pby_error *err)
{
    pby_progress progress;
    int64_t *counts = malloc(CHUNK * sizeof *counts);
    if (counts == NULL)
        return pby_no_memory(err);
    pby_status status = PBY_OK;
    size_t n = 1;
    pby_progress_begin(&progress, "bars released", rows);
    for (uint64_t done = 0; status == PBY_OK && n > 0; done += n) {
        status = pby_csv_next_chunk(csv, counts, CHUNK, &n, err);
        if (status == PBY_OK && n > 0)
            status = pby_release_counts(release, counts, counts, n, err);
        if (status == PBY_OK && n > 0)
            status = pby_publish_chunk(publish, csv, spool, counts, n, err);
        pby_progress_at(&progress, done);
    }
    pby_progress_end(&progress);
    sodium_memzero(counts, CHUNK * sizeof *counts);
    free(counts);
    return status == PBY_OK ? pby_publish_end(publish, spool, err) : status;
}

static pby_status release_histogram(pby_release *release, const pby_budget *budget, const char *in, pby_spool *spool,
                                    pby_error *err)
{
    pby_csv *csv = NULL;
    pby_publish *publish = NULL;
    uint64_t rows;
    pby_status status = pby_csv_open(&csv, in, err);
    if (status == PBY_OK)
        status = pby_csv_scan(csv, &rows, err);
    if (status == PBY_OK)
        status = pby_release_size(release, pby_csv_records(csv), rows, err);
    if (status == PBY_OK)
        status = pby_publish_new(&publish, pby_release_form_of(release), pby_release_reach(release), err);
    if (status == PBY_OK)
        status = pby_budget_spend(budget, err);
    if (status == PBY_OK)
        status = release_rows(csv, spool, release, publish, rows, err);
    pby_publish_free(publish);
    pby_csv_free(csv);
    return status;
}

/* The output is opened before the input is read, so that a target that cannot be is told at once. */
static pby_status release_file(const pby_budget *budget, bool timing_safe, const char *in, const char *out,
                               pby_error *err)
{
    const pby_spec *spec = budget->spec;
    pby_release *release;
    pby_spool *spool;
    pby_status status = pby_release_new(&release, spec, err);
    if (status != PBY_OK)
        return status;
    if (timing_safe)
        status = pby_release_timing_safe(release, err);
    if (status == PBY_OK)
        status = pby_spool_open(&spool, out, err);
    if (status == PBY_OK) {
        status = pby_bucketing_wanted(spec) ? pby_release_points(budget, release, in, spool, err)
                                         : release_histogram(release, budget, in, spool, err);
        if (status == PBY_OK)
            status = pby_spool_commit(spool, err);
        else
            pby_spool_abort(spool);
    }
    pby_release_free(release);
    return status;
}

static const char *standard_as_null(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0 ? NULL : path;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    struct permission permission;
    pby_budget budget = {NULL, NULL};
    int operands;
    memcpy(options, known, sizeof options);
    pby_status status = pby_options_parse(options, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD,
                          "release: expected a certificate or a SPEC such as stlap:eps=1/2,q=40");
    if (status == PBY_OK)
        status = pby_operands_at_most(2, operands, argv, "FILE|SPEC and IN.csv, nothing more", err);
    if (status != PBY_OK)
        return status;
    status = ask_permission(&permission, argv[0], err);
    if (status == PBY_OK)
        status = pby_budget_open(&budget, options[LEDGER].value, permission.spec, permission.certificate, err);
    if (status == PBY_OK)
        status = release_file(&budget, options[TIMING_SAFE].value != NULL,
                              standard_as_null(operands > 1 ? argv[1] : NULL),
                              standard_as_null(options[OUTPUT].value), err);
    pby_budget_close(&budget);
    pby_spec_free(permission.own);
    pby_certificate_free(permission.certificate);
    return status;
}

static const char help[] =
    "probity release: one private release of a histogram\n"
    "\n"
    "usage: probity release FILE|SPEC [IN.csv] [--ledger LEDGER] [--timing-safe] [-o OUT.csv]\n"
    "\n"
    "Reads a histogram, adds the mechanism's noise with words from the system's generator, and writes what\n"
    "may be published. Every release spends privacy anew: two releases of one histogram compose.\n"
    "\n"
    "  stlap, geometric   the same keys in the same order, with other counts; the keys are public\n"
    "  threshold          KEY,COUNT of the bars that passed, sorted by key\n"
    "  partition          KEY of the bars that passed, sorted\n"
    "  range              KEY,LOW,HIGH of every bar, or KEY,, where nothing may be published\n"
    "  buckethist         reads points, one a line, and writes CENTRE,COUNT of the buckets\n"
    "  'threshold:... M'  a threshold, a space and a mechanism M that keeps its bars: M is applied to the bars\n"
    "                     that pass the threshold, and KEY,COUNT of these is written, sorted by key\n"
    "\n"
    "  FILE         a certificate, if the argument names a file that exists or ends in .json; it is\n"
    "               verified first, and nothing is released unless it holds (exit status 1)\n"
    "  SPEC         otherwise, a mechanism such as stlap:eps=1/2,q=40\n"
    "  IN.csv       rows of key,count (buckethist: of coordinates) with an optional header; - or nothing is\n"
    "               standard input\n"
    "  --ledger LEDGER\n"
    "               records the release in a budget (see probity ledger) after the input was checked and before\n"
    "               any noise is drawn; nothing is released if it would overspend (exit status 1)\n"
    "  --timing-safe\n"
    "               neither the time nor the memory that the draws and the counts touch tells them; for stlap,\n"
    "               buckethist and geometric (docs/timing.md says what is covered)\n"
    "  -o OUT.csv   where to write; - or nothing is standard output\n"
    "\n"
    "The input is checked to its end before anything is written. Refused: a count that is negative,\n"
    "fractional, missing or beyond 9223372036854775807, a key that occurs twice, an input without a row.\n"
    "The output appears whole or not at all.\n"
    "\n"
    "examples:\n"
    "  probity release certificate.json counts.csv -o noisy.csv\n"
    "  probity release stlap:eps=1/2,q=40 < counts.csv > noisy.csv\n"
    "  probity release certificate.json counts.csv --ledger census.ledger -o noisy.csv\n";

const pby_command pby_command_release = {"release", "one private release of a histogram", help, run};
