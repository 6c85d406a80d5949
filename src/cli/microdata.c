#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/file.h"
#include "mechanism/family.h"
#include "number/integer.h"
#include "probity/microdata.h"
#include "table/measured.h"

enum { BARS, EPSILON, DIGITS, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [BARS] = {"--bars", "an integer from 1 on", 0, NULL},
    [EPSILON] = {"--epsilon", "a rational above 0", 0, NULL},
    [DIGITS] = {"--digits", "an integer from 1 to 1000", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

/* ---- weights ----------------------------------------------------------------------------------- */

static pby_status print_weights(const pby_measured *in, const pby_weights *w, pby_error *err)
{
    pby_status status = PBY_OK;
    if (in->header != NULL)
        printf("%s,weight\n", in->header);
    for (size_t i = 0; i < in->count && status == PBY_OK; i++) {
        char *text = NULL;
        status = pby_weights_get_text(&text, w, i, err);
        if (status == PBY_OK)
            printf("%s,%s\n", in->field[i], text);
        free(text);
    }
    return status;
}

static json_t *text_json(char *text)
{
    json_t *value = text == NULL ? NULL : json_string(text);
    free(text);
    return value;
}

static json_t *bars_json(const pby_measured *in, const pby_weights *w)
{
    json_t *list = json_array();
    for (size_t i = 0; i < in->count; i++) {
        char *text = NULL;
        if (pby_weights_get_text(&text, w, i, NULL) != PBY_OK)
            text = NULL;
        list = pby_json_append(list, json_pack("{s:s, s:o}", "key", in->key[i], "weight", text_json(text)));
    }
    return list;
}

static pby_status print_object(const pby_measured *in, const pby_weights *w, pby_error *err)
{
    char *level = NULL;
    const pby_status status = pby_weights_level_text(&level, w, err);
    if (status != PBY_OK)
        return status;
    return pby_print_json(json_pack("{s:I, s:o, s:I, s:o}", "total",
                                    (json_int_t)(in->total > 0 ? in->total : 0), "level", text_json(level),
                                    "positive", (json_int_t)pby_weights_positive(w), "weights",
                                    bars_json(in, w)),
                          err);
}

static pby_status weights(const char *path, bool json, pby_error *err)
{
    pby_measured in;
    pby_weights *w = NULL;
    pby_status status = pby_measured_read(&in, pby_path_named(path), err);
    if (status == PBY_OK)
        status = pby_weights_new(&w, in.bar, in.count, in.total, err);
    if (status == PBY_OK)
        status = json ? print_object(&in, w, err) : print_weights(&in, w, err);
    pby_weights_free(w);
    pby_measured_clear(&in);
    return status;
}

/* ---- errors ------------------------------------------------------------------------------------ */

static const struct line {
    const char *name, *member, *note; /* member of the JSON object */
    pby_weights_error_kind kind;
} lines[] = {
    {"total", "total", "squared error of the total of all weights, at the worst data", PBY_WEIGHTS_TOTAL},
    {"bar", "bar", "no bar's weight has a greater squared error", PBY_WEIGHTS_BAR},
    {"least", "least", "what some bar has at least, however it is made, if the total is that good",
     PBY_WEIGHTS_LEAST},
    {"clipped", "clipped_bar", "of a bar, if bars alone were measured and clipped at 0",
     PBY_WEIGHTS_CLIPPED_BAR},
    {"  total", "clipped_total", "and of the sum of all bars, on data without records",
     PBY_WEIGHTS_CLIPPED_TOTAL},
};
enum { LINES = sizeof lines / sizeof *lines };

struct request {
    const pby_spec *spec;
    unsigned long bars;
    const char *epsilon;
    unsigned digits;
};

/* Whether a line is to be told: bars alone do not lose the same where noise is clipped, and without an
 * epsilon there is no bound on all mechanisms. */
static bool told(const struct request *r, const struct line *line)
{
    const pby_mechanism *m = &r->spec->use[0].mechanism;
    if (line->kind == PBY_WEIGHTS_LEAST)
        return r->epsilon != NULL || pby_mechanism_value(m, PBY_ROLE_EPSILON) != NULL;
    return line->kind < PBY_WEIGHTS_CLIPPED_BAR || pby_mechanism_value(m, PBY_ROLE_MOST) == NULL;
}

static pby_status print_errors(const struct request *r, pby_decimals *x, bool json, pby_error *err)
{
    json_t *object =
        json ? json_pack("{s:s, s:I}", "spec", pby_spec_text(r->spec), "bars", (json_int_t)r->bars) : NULL;
    pby_status status = PBY_OK;
    if (!json) {
        pby_print_line("mechanism", pby_spec_text(r->spec));
        printf("bars        %lu\n", r->bars);
    }
    for (size_t i = 0; i < LINES && status == PBY_OK; i++) {
        if (!told(r, &lines[i]))
            continue;
        if (json)
            status = pby_json_set(object, lines[i].member,
                                  json_pack("{s:s, s:s}", "lo", x[i].lo, "hi", x[i].hi), err);
        else
            pby_print_ends(lines[i].name, x[i].lo, x[i].hi, lines[i].note);
    }
    if (json && status == PBY_OK)
        return pby_print_json(object, err);
    json_decref(object);
    return status;
}

static pby_status errors(const struct request *r, bool json, pby_error *err)
{
    static pby_decimals x[LINES];
    pby_status status = PBY_OK;
    for (size_t i = 0; i < LINES && status == PBY_OK; i++)
        if (told(r, &lines[i]))
            status =
                pby_weights_error_text(&x[i], lines[i].kind, r->spec, r->bars, r->epsilon, r->digits, err);
    return status == PBY_OK ? print_errors(r, x, json, err) : status;
}

static pby_status run_errors(const pby_option *options, int operands, char **argv, pby_error *err)
{
    struct request r = {.epsilon = options[EPSILON].value};
    pby_spec *spec;
    if (options[BARS].value == NULL)
        return pby_fail(err, PBY_BAD, "microdata error: expected --bars M");
    pby_status status = pby_integer_parse(&r.bars, "--bars", options[BARS].value, 1, INT64_MAX, 1, err);
    if (status == PBY_OK)
        status = pby_option_digits(&r.digits, options[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_operand_spec(&spec, "microdata error", operands, argv, err);
    if (status != PBY_OK)
        return status;
    r.spec = spec;
    status = errors(&r, options[JSON].value != NULL, err);
    pby_spec_free(spec);
    return status;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status != PBY_OK)
        return status;
    if (operands > 0 && strcmp(argv[0], "error") == 0)
        return run_errors(options, operands - 1, argv + 1, err);
    if (operands == 0 || strcmp(argv[0], "weights") != 0)
        return operands == 0 ? pby_fail(err, PBY_BAD, "microdata: expected weights or error")
                             : pby_refuse(err, "microdata", argv[0], "weights or error");
    status = pby_operands_at_most(2, operands, argv, "weights and one file", err);
    for (size_t i = BARS; i <= DIGITS && status == PBY_OK; i++)
        if (options[i].value != NULL)
            status = pby_refuse(err, options[i].name, options[i].value, "it with error alone");
    return status == PBY_OK ? weights(operands > 1 ? argv[1] : NULL, options[JSON].value != NULL, err)
                            : status;
}

static const char help[] =
    "probity microdata: weights that fit noisy bars and their noisy total\n"
    "\n"
    "usage: probity microdata weights [IN.csv] [--json]\n"
    "       probity microdata error SPEC --bars M [--epsilon E] [--digits N] [--json]\n"
    "\n"
    "weights reads a release of microdata, tmicrodata or gmicrodata: KEY,COUNT, the total last. It writes\n"
    "KEY,WEIGHT: the weights from 0 on that add up to the total, or to 0 if that is negative, and are\n"
    "nearest to the bars by least squares. They are exact rationals, and the conditions of the best\n"
    "weights are checked. This costs no privacy.\n"
    "\n"
    "error encloses the mean squared errors of such weights, for M bars:\n"
    "  total        of their sum, at the worst data\n"
    "  bar          a bound for every bar, at any data\n"
    "  least        what some bar has at least, at some data, by any mechanism of the same epsilon and\n"
    "               delta whose sum is as good as total\n"
    "  clipped, and its total\n"
    "               the errors if bars alone were measured at the same loss, and clipped at 0: of a bar, at\n"
    "               the worst data, and of the sum of M empty bars. Not for tmicrodata\n"
    "\n"
    "  IN.csv       - or nothing is standard input\n"
    "  SPEC         a mechanism such as microdata:eps=1\n"
    "  --bars M     an integer from 1 on\n"
    "  --epsilon E  for least: the epsilon; if left out, the mechanism's eps. gmicrodata needs it\n"
    "  --digits N   significant digits, 9 if left out\n"
    "  --json       one JSON object\n"
    "\n"
    "examples:\n"
    "  probity release microdata:eps=1 counts.csv | probity microdata weights\n"
    "  probity microdata error microdata:eps=1 --bars 1000\n";

const pby_command pby_command_microdata = {"microdata", "weights that fit noisy bars and their noisy total",
                                           help, run};
