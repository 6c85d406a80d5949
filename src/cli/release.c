#include "probity/release.h"

#include <stdlib.h>
#include <string.h>
#include <sodium.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/csv.h"
#include "cli/file.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/spool.h"
#include "probity/certificate.h"

enum { CHUNK = 1 << 14 };
enum { OUTPUT, OPTIONS };

static const pby_option known[OPTIONS + 1] = {[OUTPUT] = {"-o", "the name of a file to write", 0, NULL}};

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
    const pby_status status = pby_spec_parse(&permission->own, &text, 1, err);
    permission->spec = permission->own;
    return status;
}

/* Counts and noisy counts share one buffer, which is wiped. */
static pby_status release_rows(pby_csv *csv, pby_spool *spool, pby_release *release, uint64_t rows,
                               pby_error *err)
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
            status = pby_csv_write_chunk(csv, spool, counts, n, err);
        pby_progress_at(&progress, done);
    }
    pby_progress_end(&progress);
    sodium_memzero(counts, CHUNK * sizeof *counts);
    free(counts);
    return status;
}

/* The output is opened before the input is read, so that a target that cannot be is told at once. */
static pby_status release_file(pby_release *release, const char *in, const char *out, pby_error *err)
{
    pby_spool *spool;
    pby_csv *csv = NULL;
    uint64_t rows;
    pby_status status = pby_spool_open(&spool, out, err);
    if (status != PBY_OK)
        return status;
    status = pby_csv_open(&csv, in, err);
    if (status == PBY_OK)
        status = pby_csv_scan(csv, &rows, err);
    if (status == PBY_OK)
        status = release_rows(csv, spool, release, rows, err);
    pby_csv_free(csv);
    if (status == PBY_OK)
        return pby_spool_commit(spool, err);
    pby_spool_abort(spool);
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
    pby_release *release = NULL;
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
        status = pby_release_new(&release, permission.spec, err);
    if (status == PBY_OK)
        status = release_file(release, standard_as_null(operands > 1 ? argv[1] : NULL),
                              standard_as_null(options[OUTPUT].value), err);
    pby_release_free(release);
    pby_spec_free(permission.own);
    pby_certificate_free(permission.certificate);
    return status;
}

static const char help[] =
    "probity release: one private release of a histogram\n"
    "\n"
    "usage: probity release FILE|SPEC [IN.csv] [-o OUT.csv]\n"
    "\n"
    "Reads a histogram, adds the mechanism's noise with words from the system's generator, and writes the\n"
    "released histogram: the same keys in the same order. Every release spends privacy anew: two releases\n"
    "of one histogram compose.\n"
    "\n"
    "  FILE         a certificate, if the argument names a file that exists or ends in .json; it is\n"
    "               verified first, and nothing is released unless it holds (exit status 1)\n"
    "  SPEC         otherwise, a mechanism such as stlap:eps=1/2,q=40\n"
    "  IN.csv       rows of key,count with an optional header; - or nothing is standard input\n"
    "  -o OUT.csv   where to write; - or nothing is standard output\n"
    "\n"
    "The input is checked to its end before anything is written. Refused: a count that is negative,\n"
    "fractional, missing or beyond 9223372036854775807, a key that occurs twice, an input without a row.\n"
    "The output appears whole or not at all.\n"
    "\n"
    "examples:\n"
    "  probity release certificate.json counts.csv -o noisy.csv\n"
    "  probity release stlap:eps=1/2,q=40 < counts.csv > noisy.csv\n";

const pby_command pby_command_release = {"release", "one private release of a histogram", help, run};
