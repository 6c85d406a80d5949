#include "probity/accuracy.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/between.h"
#include "cli/command.h"
#include "cli/exact.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "probity/rational.h"

enum { N, SUPPORT, WIDTH, STATISTIC, K, Q, ETA, BETWEEN, GAMMA, AVERAGE, JSON, OPTIONS };

static const pby_option known[OPTIONS + 1] = {
    [N] = {"--n", "the number of records", 0, NULL},
    [SUPPORT] = {"--support", "the most bars that are occupied", 0, NULL},
    [WIDTH] = {"--width", "the width of a bucket, a rational from 0 on", 0, NULL},
    [STATISTIC] = {"--statistic", "names such as max,range", 0, NULL},
    [K] = {"--k", "an integer from 1 on", 0, NULL},
    [Q] = {"--q", "a rational from 0 to 1 such as 9/10", 0, NULL},
    [ETA] = {"--eta", "the price of a move by one, a rational from 0 on", 0, NULL},
    [BETWEEN] = {"--between", NULL, 0, NULL},
    [GAMMA] = {"--gamma", "a rational from 0 to 1", 0, NULL},
    [AVERAGE] = {"--average", NULL, 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

static const char DEFAULT_STATISTICS[] = "max,min,range,support,mode,median";

enum { STATISTICS_MAX = 32 };

/* The question, and the answer for the released histogram. */
struct request {
    pby_spec *spec;
    mpq_t width, eta, claimed;
    pby_input_class inputs;
    uint64_t bar_loss;
    pby_accuracy release;
    pby_statistic statistic[STATISTICS_MAX];
    size_t statistics;
    const pby_option *options;
};

/* ---- answers ------------------------------------------------------------------------------------ */

static json_t *json_accuracy(const pby_accuracy *a)
{
    return json_pack("{s:o, s:o, s:o}", "alpha", pby_distance_json(&a->alpha), "beta",
                     pby_distance_json(&a->beta), "gamma", pby_exact_json(a->gamma));
}

/* (alpha, beta, gamma) on one line, or as a member of an object. */
static pby_status tell(json_t *object, const char *name, const pby_accuracy *a, pby_error *err)
{
    if (object != NULL)
        return json_object_set_new(object, name, json_accuracy(a)) == 0 ? PBY_OK : pby_no_memory(err);
    char *alpha = pby_exact_text(a->alpha.value), *beta = pby_exact_text(a->beta.value);
    char *gamma = pby_exact_text(a->gamma);
    const pby_status status = alpha != NULL && beta != NULL && gamma != NULL ? PBY_OK : pby_no_memory(err);
    if (status == PBY_OK)
        printf("%-12s(%s, %s, %s)\n", name, a->alpha.infinite ? "inf" : alpha,
               a->beta.infinite ? "inf" : beta, gamma);
    free(alpha);
    free(beta);
    free(gamma);
    return status;
}

static pby_status tell_statistics(json_t *object, const struct request *r, pby_error *err)
{
    pby_status status = PBY_OK;
    pby_accuracy a;
    pby_accuracy_init(&a);
    for (size_t i = 0; i < r->statistics && status == PBY_OK; i++) {
        pby_accuracy_statistic(&a, &r->release, &r->statistic[i]);
        status = tell(object, pby_statistic_text(r->statistic[i].name), &a, err);
    }
    pby_accuracy_clear(&a);
    return status;
}

static pby_status tell_drop_move(json_t *object, const struct request *r, pby_error *err)
{
    if (r->options[ETA].value == NULL)
        return PBY_OK;
    pby_accuracy a;
    pby_accuracy_init(&a);
    pby_accuracy_drop_move(&a, &r->release, r->eta);
    const pby_status status = tell(object, object == NULL ? "drop-move" : "drop_move", &a, err);
    pby_accuracy_clear(&a);
    return status;
}

static pby_status print_text(const struct request *r, pby_error *err)
{
    char loss[32];
    snprintf(loss, sizeof loss, "%llu", (unsigned long long)r->bar_loss);
    pby_print_line("mechanism", pby_spec_text(r->spec));
    pby_print_line("distortion", "drop");
    pby_print_line("bar loss", loss);
    pby_print_line("accuracy", "(alpha, beta, gamma)");
    pby_status status = tell(NULL, "release", &r->release, err);
    char *claimed = pby_exact_text(r->claimed);
    if (status == PBY_OK && claimed == NULL)
        status = pby_no_memory(err);
    if (status == PBY_OK)
        printf("%-12s%s  alpha as threshold times support over n\n", "claimed", claimed);
    free(claimed);
    if (status == PBY_OK)
        status = tell_statistics(NULL, r, err);
    return status == PBY_OK ? tell_drop_move(NULL, r, err) : status;
}

static pby_status print_json(const struct request *r, pby_error *err)
{
    json_t *statistics = json_object();
    json_t *object =
        json_pack("{s:s, s:I, s:I, s:o, s:s, s:I, s:o, s:{s:o, s:s}, s:O}", "spec", pby_spec_text(r->spec), "n",
                  (json_int_t)r->inputs.n, "support", (json_int_t)r->inputs.support, "width",
                  pby_exact_json(r->width), "distortion", "drop", "bar_loss", (json_int_t)r->bar_loss, "release",
                  json_accuracy(&r->release), "claimed", "alpha", pby_exact_json(r->claimed), "source",
                  "threshold times support over n", "statistics", statistics);
    pby_status status = object == NULL ? pby_no_memory(err) : tell_statistics(statistics, r, err);
    if (status == PBY_OK)
        status = tell_drop_move(object, r, err);
    json_decref(statistics);
    if (status != PBY_OK) {
        json_decref(object);
        return status;
    }
    return pby_print_json(object, err);
}

/* ---- questions ---------------------------------------------------------------------------------- */

static pby_status read_rational(mpq_t q, const pby_option *option, pby_error *err)
{
    if (option->value == NULL)
        return PBY_OK;
    const pby_status status = pby_rational_parse(q, option->name, option->value, err);
    return status == PBY_OK && mpq_sgn(q) < 0 ? pby_refuse(err, option->name, option->value,
                                                           "a rational from 0 on")
                                              : status;
}

static pby_status read_statistic(struct request *r, const char *name, bool *k_read, bool *q_read,
                                 pby_error *err)
{
    const bool k = strcmp(name, "max_k") == 0 || strcmp(name, "min_k") == 0, q = strcmp(name,
                                                                                        "quantile") == 0;
    *k_read |= k;
    *q_read |= q;
    if (r->statistics == STATISTICS_MAX)
        return pby_refuse(err, "--statistic", name, "at most 32 names");
    return pby_statistic_parse(&r->statistic[r->statistics++], name, k ? r->options[K].value : NULL,
                               q ? r->options[Q].value : NULL, err);
}

/* A list of names separated by commas; each option must be read by one of them. */
static pby_status read_statistics(struct request *r, pby_error *err)
{
    const pby_option *o = r->options;
    bool k_read = false, q_read = false;
    char *names = strdup(o[STATISTIC].value == NULL ? DEFAULT_STATISTICS : o[STATISTIC].value);
    char *rest = names, *name;
    pby_status status = names != NULL ? PBY_OK : pby_no_memory(err);
    while (status == PBY_OK && (name = strsep(&rest, ",")) != NULL)
        status = read_statistic(r, name, &k_read, &q_read, err);
    free(names);
    if (status == PBY_OK && o[K].value != NULL && !k_read)
        status = pby_refuse(err, "--k", o[K].value, "it with --statistic max_k or min_k");
    if (status == PBY_OK && o[Q].value != NULL && !q_read)
        status = pby_refuse(err, "--q", o[Q].value, "it with --statistic quantile");
    return status;
}

static pby_status read_request(struct request *r, int operands, char **argv, pby_error *err)
{
    const pby_option *o = r->options;
    unsigned long n, support;
    if (o[N].value == NULL || o[SUPPORT].value == NULL)
        return pby_fail(err, PBY_BAD,
                        "accuracy: expected --n and --support: alpha is a part of n records, lost "
                                      "by as many bars as are occupied");
    pby_status status = pby_option_integer(&n, "--n", o[N].value, 1, INT_MAX, 0, err);
    if (status == PBY_OK)
        status = pby_option_integer(&support, "--support", o[SUPPORT].value, 1, INT_MAX, 0, err);
    if (status == PBY_OK)
        status = read_rational(r->width, &o[WIDTH], err);
    if (status == PBY_OK)
        status = read_rational(r->eta, &o[ETA], err);
    if (status == PBY_OK)
        status = read_statistics(r, err);
    if (status != PBY_OK)
        return status;
    r->inputs = (pby_input_class){n, support, r->width};
    return pby_operand_spec(&r->spec, "accuracy", operands, argv, err);
}

static pby_status run_release(const pby_option *options, int operands, char **argv, pby_error *err)
{
    struct request r = {.options = options};
    mpq_inits(r.width, r.eta, r.claimed, NULL);
    pby_accuracy_init(&r.release);
    pby_status status = read_request(&r, operands, argv, err);
    if (status == PBY_OK)
        status = pby_accuracy_release(&r.release, &r.bar_loss, r.spec, &r.inputs, err);
    if (status == PBY_OK)
        status = pby_accuracy_claimed(r.claimed, r.spec, &r.inputs, err);
    if (status == PBY_OK)
        status = options[JSON].value != NULL ? print_json(&r, err) : print_text(&r, err);
    pby_accuracy_clear(&r.release);
    mpq_clears(r.width, r.eta, r.claimed, NULL);
    pby_spec_free(r.spec);
    return status;
}

/* An option that the question does not read. */
static pby_status refuse_options(const pby_option *options, const int *wrong, size_t count,
                                 const char *expected,
                                 pby_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (options[wrong[i]].value != NULL)
            return pby_refuse(err, options[wrong[i]].name, options[wrong[i]].value, expected);
    return PBY_OK;
}

static pby_status run_between(const pby_option *options, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {N, SUPPORT, WIDTH, STATISTIC, K, Q};
    pby_status status = refuse_options(options, wrong, sizeof wrong / sizeof *wrong,
                                       "it with a SPEC, not --between", err);
    if (status == PBY_OK && operands < 2)
        status = pby_fail(err, PBY_BAD, "accuracy --between: expected two files of POINT,MASS");
    if (status == PBY_OK)
        status = pby_operands_at_most(2, operands, argv, "two files", err);
    if (status != PBY_OK)
        return status;
    const pby_between asked = {argv[0], argv[1], options[GAMMA].value, options[ETA].value,
                               options[AVERAGE].value != NULL, options[JSON].value != NULL};
    return pby_between_run(&asked, err);
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    static const int wrong[] = {GAMMA, AVERAGE};
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status != PBY_OK)
        return status;
    if (options[BETWEEN].value != NULL)
        return run_between(options, operands, argv, err);
    status = refuse_options(options, wrong, sizeof wrong / sizeof *wrong, "it with --between", err);
    return status == PBY_OK ? run_release(options, operands, argv, err) : status;
}

static const char help[] =
    "probity accuracy: what a release or a statistic of it is good for\n"
    "\n"
    "usage: probity accuracy SPEC --n N --support T [--width W] [--statistic NAMES] [--k K] [--q P]\n"
    "                        [--eta H] [--json]\n"
    "       probity accuracy --between A.csv B.csv [--gamma G] [--average] [--eta H] [--json]\n"
    "\n"
    "Flexible accuracy: (alpha, beta, gamma) says that the answer is right to within beta, but for a part\n"
    "gamma of the probability, for the data with a part alpha of the records dropped. All numbers are\n"
    "exact, and follow from the law of the noise; what the paper states for alpha stands beside them.\n"
    "\n"
    "  SPEC             a mechanism that releases a histogram and only takes records away\n"
    "  --n N            the number of records\n"
    "  --support T      the most bars that are occupied\n"
    "  --width W        the width of the buckets that points are moved to the middle of (0)\n"
    "  --statistic S    statistics of the release, such as max,median; each that needs no more, if left out\n"
    "  --k K, --q P     of max_k and min_k, and of quantile; see probity stat --help\n"
    "  --eta H          also the accuracy, for any statistic, when records may be dropped and moved, a\n"
    "                   move by one being charged H\n"
    "\n"
    "  --between A B    measures two histograms or laws, CSV of POINT,MASS, instead of a mechanism: the\n"
    "                   distance that all but a part gamma of the mass must go (lossy) and its mean\n"
    "                   (average) between the laws that they are in proportion to, their total variation,\n"
    "                   and the distortions of A into B: drop, move, and with --eta drop-move\n"
    "  --gamma G        the part of the mass that may stay, a rational from 0 to 1 (0)\n"
    "  --average        the mean as well; with G above 0 of at most 8192 points\n"
    "  --json           one JSON object; rationals as strings, infinity as \"inf\"\n"
    "\n"
    "examples:\n"
    "  probity accuracy stlap:eps=1/2,q=40 --n 3000 --support 3\n"
    "  probity accuracy stlap:eps=1/2,q=40 --n 3000 --support 3 --width 1/2 --statistic max,max_k --k 500\n"
    "  probity accuracy --between counts.csv noisy.csv --gamma 1/100 --eta 1/10\n";

const pby_command pby_command_accuracy = {"accuracy", "what a release or a statistic of it is good for",
                                          help, run};
