#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "number/text.h"
#include "probity/estimate.h"
#include "probity/rational.h"

enum { ERROR, CANDIDATES, DIGITS, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [ERROR] = {"--error", "a rational above 0 and below 1", 0, NULL},
    [CANDIDATES] = {"--candidates", "the name of a file of values, one a line", 0, NULL},
    [DIGITS] = {"--digits", "an integer from 1 to 1000", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

#define ERROR_DEFAULT "1/20"

/* What is printed. */
struct answer {
    const pby_spec *spec;
    const pby_reports *reports;
    const pby_estimates *estimates;
    mpq_t error;
    unsigned digits;
    const char *candidates; /* the name of a file; NULL for the answers themselves */
};

static void print_estimate(const pby_estimate *e, unsigned digits)
{
    char count[32];
    printf("\n");
    pby_print_line("truth", e->name);
    snprintf(count, sizeof count, "%" PRIu64, e->seen);
    pby_print_line("reports", count);
    pby_print_enclosure("estimate", &e->value, digits, "unbiased");
    if (e->empty)
        pby_print_line("interval", "none: no truth explains these reports at this error");
    else
        pby_print_enclosure("interval", &e->interval, digits, "of these users");
    pby_print_enclosure("population", &e->population, digits, "of which they are a random sample");
    pby_print_enclosure("variance", &e->variance, digits, "of the estimate, in this interval");
    pby_print_enclosure("  at most", &e->most, digits, "over all truths");
    pby_print_enclosure("  at least", &e->least, digits, NULL);
}

static pby_status print_lines(const struct answer *a, pby_error *err)
{
    char count[32];
    snprintf(count, sizeof count, "%" PRIu64, pby_reports_count(a->reports));
    pby_print_line("mechanism", pby_spec_text(a->spec));
    pby_print_line("reports", count);
    const pby_status status = pby_print_exact("error", a->error, err);
    for (size_t i = 0; i < pby_estimates_count(a->estimates) && status == PBY_OK; i++)
        print_estimate(pby_estimates_at(a->estimates, i), a->digits);
    return status;
}

static json_t *estimate_json(const pby_estimate *e, unsigned digits)
{
    return json_pack(
        "{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "truth", e->name, "reports",
        (json_int_t)e->seen, "estimate", pby_json_enclosure(&e->value, digits), "interval",
        e->empty ? json_null() : pby_json_enclosure(&e->interval, digits), "population",
        pby_json_enclosure(&e->population, digits), "variance", pby_json_enclosure(&e->variance, digits),
        "variance_most", pby_json_enclosure(&e->most, digits), "variance_least",
        pby_json_enclosure(&e->least, digits), "variance_none", pby_json_enclosure(&e->none, digits),
        "variance_all", pby_json_enclosure(&e->all, digits));
}

static pby_status print_json(const struct answer *a, pby_error *err)
{
    json_t *list = json_array();
    pby_status status = list == NULL ? pby_no_memory(err) : PBY_OK;
    for (size_t i = 0; i < pby_estimates_count(a->estimates) && status == PBY_OK; i++)
        if (json_array_append_new(list, estimate_json(pby_estimates_at(a->estimates, i), a->digits)) != 0)
            status = pby_no_memory(err);
    if (status != PBY_OK) {
        json_decref(list);
        return status;
    }
    return pby_print_json(json_pack("{s:s, s:I, s:o, s:o}", "mechanism", pby_spec_text(a->spec), "reports",
                                    (json_int_t)pby_reports_count(a->reports), "error",
                                    pby_exact_json(a->error), "estimates", list),
                          err);
}

static pby_status read_error(mpq_t error, const char *value, pby_error *err)
{
    const pby_status status =
        pby_rational_parse(error, "--error", value == NULL ? ERROR_DEFAULT : value, err);
    if (status == PBY_OK && (mpq_sgn(error) <= 0 || mpq_cmp_ui(error, 1, 1) >= 0))
        return pby_refuse(err, "--error", value, known[ERROR].expected);
    return status;
}

/* The candidates of a file, each a line, for free(3) together. */
static pby_status read_candidates(char ***out, size_t *count, char **text, const char *path, pby_error *err)
{
    size_t size, room = 1;
    *count = 0;
    pby_status status = pby_file_read_table(text, &size, path, err);
    for (size_t i = 0; i < size && status == PBY_OK; i++)
        room += (*text)[i] == '\n';
    *out = status == PBY_OK ? calloc(room, sizeof **out) : NULL;
    if (status == PBY_OK && *out == NULL)
        status = pby_no_memory(err);
    char *rest = *text;
    while (status == PBY_OK && rest != NULL && *rest != '\0') {
        char *line = strsep(&rest, "\n");
        line[strcspn(line, "\r")] = '\0';
        (*out)[(*count)++] = line;
    }
    return status;
}

static pby_status estimate(pby_estimates **out, const pby_reports *reports, const struct answer *a,
                           pby_error *err)
{
    char **candidates = NULL, *text = NULL;
    size_t count;
    if (a->candidates == NULL)
        return pby_estimates_new(out, reports, a->error, a->digits, err);
    pby_status status = read_candidates(&candidates, &count, &text, a->candidates, err);
    if (status == PBY_OK)
        status = pby_estimates_candidates(out, reports, (const char *const *)candidates, count, a->error,
                                          a->digits, err);
    free(candidates);
    free(text);
    return status;
}

static pby_status answer(struct answer *a, bool json, const char *path, pby_error *err)
{
    pby_reports *reports = NULL;
    pby_estimates *estimates = NULL;
    pby_status status = pby_reports_new(&reports, a->spec, err);
    if (status == PBY_OK)
        status = pby_reports_read(reports, pby_path_named(path), err);
    if (status == PBY_OK)
        status = estimate(&estimates, reports, a, err);
    if (status == PBY_OK) {
        a->reports = reports;
        a->estimates = estimates;
        status = json ? print_json(a, err) : print_lines(a, err);
    }
    pby_estimates_free(estimates);
    pby_reports_free(reports);
    return status;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    pby_spec *spec = NULL;
    struct answer a = {.digits = PBY_DIGITS_DEFAULT};
    int operands;
    mpq_init(a.error);
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "estimate: expected a SPEC such as rr:eps=1");
    if (status == PBY_OK)
        status = pby_operands_at_most(2, operands, argv, "one SPEC and one file", err);
    if (status == PBY_OK)
        status = read_error(a.error, options[ERROR].value, err);
    if (status == PBY_OK)
        status = pby_option_digits(&a.digits, options[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_spec_parse(&spec, (const char *const *)argv, 1, err);
    a.spec = spec;
    a.candidates = options[CANDIDATES].value;
    if (status == PBY_OK)
        status = answer(&a, options[JSON].value != NULL, operands > 1 ? argv[1] : NULL, err);
    pby_spec_free(spec);
    mpq_clear(a.error);
    return status;
}

static const char help[] =
    "probity estimate: what the reports of users say about their truths\n"
    "\n"
    "usage: probity estimate SPEC [REPORTS.csv] [--candidates F] [--error BETA]\n"
    "                               [--digits N] [--json]\n"
    "\n"
    "Estimates from the reports of a local mechanism, one of each user: the share of the users whose\n"
    "truth is an answer, or the mean of their values. The estimate is unbiased, and may lie outside of\n"
    "the possible. It costs no privacy.\n"
    "\n"
    "  SPEC             what the reports were released with: rr:eps=E, krr:eps=E,k=K, onebit:eps=E,hi=H\n"
    "                   or rappor:..., of which the share of users whose value has a bit is estimated\n"
    "  REPORTS.csv      a report a line, with or without a header; - or nothing is standard input. A\n"
    "                   line that the mechanism cannot have produced is refused\n"
    "  --candidates F   of rappor: the values that users have, one a line; the share of each is estimated\n"
    "                   by exact least squares. Every value must be listed, or the estimates are biased\n"
    "  --error BETA     the chance that an interval may fail, above 0 and below 1 (1/20)\n"
    "  --digits N       significant digits (9)\n"
    "  --json           one JSON object\n"
    "\n"
    "For each answer (of rr for the answer 1 alone), or for the mean:\n"
    "\n"
    "  estimate         the unbiased estimate of its share, or of the mean\n"
    "  interval         surrounds the share or mean of these users, whatever their truths are\n"
    "  population       surrounds that of the population, if the users are a random sample of it\n"
    "  variance         the exact variance of the estimate for the truths in the interval, and at most\n"
    "                   and at least over all truths\n"
    "\n"
    "The intervals of all answers hold together, but for a chance of at most BETA; so do those of the\n"
    "population.\n"
    "\n"
    "examples:\n"
    "  probity release rr:eps=1 answers.csv | probity estimate rr:eps=1\n"
    "  probity estimate krr:eps=3/2,k=3 reports.csv --error 1e-3 --json\n";

const pby_command pby_command_estimate = {"estimate", "what the reports of users say about their truths",
                                          help, run};
