#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "mechanism/family.h"
#include "number/integer.h"
#include "probity/condensed.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "table/matrix.h"

enum { METRIC, ALPHA, DISTANCE, DIGITS, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [METRIC] = {"--metric", "line, discrete or the name of a table", 0, NULL},
    [ALPHA] = {"--alpha", "a rational from 0 on", 0, NULL},
    [DISTANCE] = {"--distance", "an integer from 1 on", 0, NULL},
    [DIGITS] = {"--digits", "an integer from 1 to 1000", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

/* What is answered of either: the least alpha, and who needs it. */
struct answer {
    pby_decimals alpha;
    char *x, *y, *output; /* of a channel; NULL of a mechanism */
    unsigned long apart;  /* of a mechanism */
    bool holds;
};

/* ---- a channel --------------------------------------------------------------------------------- */

static pby_status numbers_new(mpq_t **out, size_t n, pby_error *err)
{
    *out = calloc(n + 1, sizeof **out);
    for (size_t i = 0; *out != NULL && i < n; i++)
        mpq_init((*out)[i]);
    return *out == NULL ? pby_no_memory(err) : PBY_OK;
}

static void numbers_free(mpq_t *x, size_t n)
{
    for (size_t i = 0; x != NULL && i < n; i++)
        mpq_clear(x[i]);
    free(x);
}

static char *name_of(const pby_names *names, size_t i)
{
    size_t size;
    const uint8_t *name = pby_names_get(names, i, &size);
    return strndup((const char *)name, size);
}

/* Inputs are numbers. */
static pby_status line_metric(mpq_t *d, const pby_matrix *channel, pby_error *err)
{
    const size_t n = pby_names_count(channel->rows);
    mpq_t *at;
    pby_status status = numbers_new(&at, n, err);
    for (size_t i = 0; i < n && status == PBY_OK; i++) {
        char *name = name_of(channel->rows, i);
        status = name == NULL ? pby_no_memory(err) : PBY_OK;
        if (status == PBY_OK && pby_rational_parse(at[i], "input", name, NULL) != PBY_OK)
            status = pby_refuse(err, "--metric", "line", "a channel whose inputs are numbers");
        free(name);
    }
    for (size_t i = 0; i < n * n && status == PBY_OK; i++) {
        mpq_sub(d[i], at[i / n], at[i % n]);
        mpq_abs(d[i], d[i]);
    }
    numbers_free(at, n);
    return status;
}

/* The distances of a table, by the names of the inputs. */
static pby_status table_metric(mpq_t *d, const pby_matrix *channel, const char *path, pby_error *err)
{
    const size_t n = pby_names_count(channel->rows);
    pby_matrix table;
    pby_status status = pby_matrix_read(&table, path, err);
    for (size_t i = 0; i < n * n && status == PBY_OK; i++) {
        size_t size;
        const uint8_t *name = pby_names_get(channel->rows, i / n, &size);
        const size_t row = pby_names_find(table.rows, name, size);
        name = pby_names_get(channel->rows, i % n, &size);
        const size_t column = pby_names_find(table.columns, name, size);
        if (row == PBY_NO_NAME || column == PBY_NO_NAME)
            status = pby_refuse(err, "--metric", path, "a row and a column for every input of the channel");
        else
            mpq_set(d[i], table.value[row * pby_names_count(table.columns) + column]);
    }
    pby_matrix_clear(&table);
    return status;
}

static pby_status fill_metric(mpq_t *d, const pby_matrix *channel, const char *metric, pby_error *err)
{
    const size_t n = pby_names_count(channel->rows);
    if (strcmp(metric, "line") == 0)
        return line_metric(d, channel, err);
    if (strcmp(metric, "discrete") != 0)
        return table_metric(d, channel, pby_path_named(metric), err);
    for (size_t i = 0; i < n * n; i++)
        mpq_set_ui(d[i], i / n == i % n ? 0 : 1, 1);
    return PBY_OK;
}

static pby_status judge_channel(struct answer *a, const pby_matrix *channel, mpq_t *d, mpq_srcptr alpha,
                                unsigned digits, pby_error *err)
{
    const size_t inputs = pby_names_count(channel->rows), outputs = pby_names_count(channel->columns);
    pby_condensed_pair worst = {0, 0, 0}, other;
    pby_enclosure least;
    pby_enclosure_init(&least);
    pby_status status =
        pby_condensed_least(&least, &worst, *channel->value, *d, inputs, outputs, digits, err);
    if (status == PBY_OK && alpha != NULL)
        status = pby_condensed_holds(&a->holds, &other, *channel->value, *d, inputs, outputs, alpha, err);
    if (status == PBY_OK) {
        pby_decimals_set(&a->alpha, &least, digits);
        a->x = name_of(channel->rows, worst.x);
        a->y = name_of(channel->rows, worst.y);
        a->output = name_of(channel->columns, worst.output);
        if (a->x == NULL || a->y == NULL || a->output == NULL)
            status = pby_no_memory(err);
    }
    pby_enclosure_clear(&least);
    return status;
}

static pby_status ask_channel(struct answer *a, const char *path, const char *metric, mpq_srcptr alpha,
                              unsigned digits, pby_error *err)
{
    pby_matrix channel;
    mpq_t *d = NULL;
    pby_status status = pby_matrix_read(&channel, pby_path_named(path), err);
    const size_t n = status == PBY_OK ? pby_names_count(channel.rows) : 0;
    if (status == PBY_OK && n > 1 << 14)
        status = pby_fail(err, PBY_BAD, "channel: expected at most 16384 inputs");
    if (status == PBY_OK)
        status = numbers_new(&d, n * n, err);
    if (status == PBY_OK)
        status = fill_metric(d, &channel, metric, err);
    if (status == PBY_OK)
        status = judge_channel(a, &channel, d, alpha, digits, err);
    numbers_free(d, n * n);
    pby_matrix_clear(&channel);
    return status;
}

/* ---- a mechanism ------------------------------------------------------------------------------- */

/* epsilon/distance at delta 0, of inputs so many neighbours apart. */
static pby_status need_of(pby_enclosure *need, const pby_spec *spec, pby_neighbours relation,
                          unsigned long distance, unsigned digits, pby_error *err)
{
    mpq_t zero;
    mpq_init(zero);
    const pby_status status =
        distance == 1 ? pby_loss_epsilon(need, spec, relation, zero, digits + 3, err)
                      : pby_loss_group_epsilon(need, NULL, spec, relation, distance, zero, digits + 3, err);
    mpq_clear(zero);
    if (status == PBY_OK) {
        mpfr_div_ui(need->lo, need->lo, distance, MPFR_RNDD);
        mpfr_div_ui(need->hi, need->hi, distance, MPFR_RNDU);
    }
    return status;
}

static pby_status ask_mechanism(struct answer *a, const char *text, unsigned long most, mpq_srcptr alpha,
                                unsigned digits, pby_error *err)
{
    pby_spec *spec;
    pby_neighbours relation;
    pby_enclosure worst, need;
    pby_status status = pby_spec_parse(&spec, &text, 1, err);
    if (status != PBY_OK)
        return status;
    pby_enclosure_init(&worst);
    pby_enclosure_init(&need);
    status = pby_spec_neighbours(&relation, spec, err);
    if (status == PBY_OK && relation == PBY_LOCAL && most > 1)
        status = pby_fail(err, PBY_BAD,
                          "--distance '%lu': expected 1 of a local mechanism: any two values are", most);
    for (unsigned long s = 1; s <= most && status == PBY_OK; s++) {
        status = need_of(&need, spec, relation, s, digits, err);
        if (status == PBY_OK && (s == 1 || mpfr_greater_p(need.lo, worst.hi))) {
            mpfr_swap(worst.lo, need.lo);
            mpfr_swap(worst.hi, need.hi);
            a->apart = s;
        } else if (status == PBY_OK && mpfr_greater_p(need.hi, worst.hi))
            mpfr_set(worst.hi, need.hi, MPFR_RNDU);
    }
    if (status == PBY_OK) {
        pby_decimals_set(&a->alpha, &worst, digits);
        a->holds = alpha == NULL || mpfr_cmp_q(worst.hi, alpha) <= 0;
        if (!a->holds && mpfr_cmp_q(worst.lo, alpha) <= 0)
            status =
                pby_fail(err, PBY_FAILED, "--alpha: undecided: its bounds do not meet; try more --digits");
    }
    pby_enclosure_clear(&need);
    pby_enclosure_clear(&worst);
    pby_spec_free(spec);
    return status;
}

/* ---- the command ------------------------------------------------------------------------------- */

static pby_status print(const struct answer *a, const char *alpha, bool json, pby_error *err)
{
    if (json) {
        json_t *worst = a->x != NULL ? json_pack("{s:s, s:s, s:s}", "x", a->x, "y", a->y, "output", a->output)
                                     : json_pack("{s:I}", "distance", (json_int_t)a->apart);
        json_t *object =
            json_pack("{s:{s:s, s:s}, s:o}", "alpha", "lo", a->alpha.lo, "hi", a->alpha.hi, "worst", worst);
        if (alpha == NULL)
            return pby_print_json(object, err);
        const pby_status status = pby_json_set(object, "holds", json_boolean(a->holds), err);
        if (status == PBY_OK)
            return pby_print_json(object, err);
        json_decref(object);
        return status;
    }
    pby_print_ends("alpha", a->alpha.lo, a->alpha.hi, "the least for which it is private");
    if (a->x != NULL)
        printf("worst       inputs '%s' and '%s', output '%s'\n", a->x, a->y, a->output);
    else
        printf("worst       inputs at distance %lu\n", a->apart);
    if (alpha != NULL)
        pby_print_line("verdict", a->holds ? "it holds" : "violated");
    return PBY_OK;
}

static pby_status ask(struct answer *a, const pby_option *options, const char *what, mpq_srcptr alpha,
                      pby_error *err)
{
    unsigned digits;
    unsigned long most;
    const char *metric = options[METRIC].value;
    const bool spec = strchr(what, ':') != NULL && access(what, F_OK) != 0;
    pby_status status = pby_option_digits(&digits, options[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_integer_parse(&most, "--distance", options[DISTANCE].value, 1, 1000, 1, err);
    if (status != PBY_OK)
        return status;
    if (spec)
        return metric != NULL
                   ? pby_refuse(err, "--metric", metric, "a channel; of a mechanism give --distance")
                   : ask_mechanism(a, what, most, alpha, digits, err);
    if (options[DISTANCE].value != NULL)
        return pby_refuse(err, "--distance", options[DISTANCE].value,
                          "a mechanism; of a channel give --metric");
    return metric == NULL ? pby_fail(err, PBY_BAD, "condensed: expected --metric line, discrete or a table")
                          : ask_channel(a, what, metric, alpha, digits, err);
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    struct answer a = {.holds = true};
    int operands;
    mpq_t alpha;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "condensed: expected the table of a channel, or a SPEC");
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one channel or SPEC", err);
    if (status != PBY_OK)
        return status;
    const char *text = options[ALPHA].value;
    mpq_init(alpha);
    if (text != NULL)
        status = pby_rational_parse(alpha, "--alpha", text, err);
    if (status == PBY_OK && mpq_sgn(alpha) < 0)
        status = pby_refuse(err, "--alpha", text, "a rational from 0 on");
    if (status == PBY_OK)
        status = ask(&a, options, argv[0], text == NULL ? NULL : alpha, err);
    if (status == PBY_OK)
        status = print(&a, text, options[JSON].value != NULL, err);
    if (status == PBY_OK && !a.holds)
        status = pby_fail(err, PBY_NO, "not private at alpha %s", text);
    free(a.x);
    free(a.y);
    free(a.output);
    mpq_clear(alpha);
    return status;
}

static const char help[] =
    "probity condensed: privacy that falls with a distance\n"
    "\n"
    "usage: probity condensed CHANNEL.csv --metric line|discrete|METRIC.csv [--alpha A] [--digits N]\n"
    "                         [--json]\n"
    "       probity condensed SPEC [--distance N] [--alpha A] [--digits N] [--json]\n"
    "\n"
    "A channel is alpha-private for a metric d if no output's chance on an input x is above\n"
    "exp(alpha d(x, y)) times its chance on an input y. Computes the least such alpha, and inputs that\n"
    "need it. With the discrete metric this is local privacy at epsilon = alpha.\n"
    "\n"
    "  CHANNEL.csv  a first line that names the outputs, then INPUT,CHANCE,... a line, rationals that add\n"
    "               up to 1\n"
    "  --metric M   line: inputs are numbers, d their difference. discrete: 1 between any two. A table: its\n"
    "               first line names the inputs, then INPUT,DISTANCE,... a line\n"
    "  SPEC         a mechanism: d counts neighbours, from 1 to N; a local one has d = 1 alone\n"
    "  --distance N an integer from 1 to 1000; 1 if left out\n"
    "  --alpha A    a verdict too: exit status 1 if it is not private at A\n"
    "  --digits N   significant digits, 9 if left out\n"
    "  --json       one JSON object: alpha, worst, holds\n"
    "\n"
    "A table is compared exactly. - is standard input.\n"
    "\n"
    "examples:\n"
    "  probity condensed channel.csv --metric line --alpha 1/2\n"
    "  probity condensed geometric:eps=1/2 --distance 20\n";

const pby_command pby_command_condensed = {"condensed", "privacy that falls with a distance", help, run};
