#include "cli/accuracy_answer.h"

#include <stdlib.h>
#include <string.h>

#include "cli/between.h"
#include "cli/command.h"
#include "cli/options.h"

enum {
    N,
    RECORDS,
    SUPPORT,
    BUCKET,
    WIDTH,
    BETA,
    GAMMA,
    STATISTIC,
    K,
    Q,
    ETA,
    BETWEEN,
    AVERAGE,
    DIGITS,
    JSON,
    OPTIONS
};

enum { BETA_OR_GAMMA = 1, N_OR_RECORDS };

static const pby_option known[OPTIONS + 1] = {
    [N] = {"--n", "the number of records", N_OR_RECORDS, NULL},
    [RECORDS] = {"--records", "the number of records", N_OR_RECORDS, NULL},
    [SUPPORT] = {"--support", "the most bars that are occupied", 0, NULL},
    [BUCKET] = {"--bucket", "the width of a bucket, a rational from 0 on", 0, NULL},
    [WIDTH] = {"--width", "--bucket", PBY_OPTION_RENAMED, NULL},
    [BETA] = {"--beta", "how far a count may be off, a rational from 0 on", BETA_OR_GAMMA, NULL},
    [GAMMA] = {"--gamma", "a rational from 0 to 1", BETA_OR_GAMMA, NULL},
    [STATISTIC] = {"--statistic", "names such as max,range", 0, NULL},
    [K] = {"--k", "an integer from 1 on", 0, NULL},
    [Q] = {"--q", "a rational from 0 to 1 such as 9/10", 0, NULL},
    [ETA] = {"--eta", "the price of a move by one, a rational from 0 on", 0, NULL},
    [BETWEEN] = {"--between", NULL, 0, NULL},
    [AVERAGE] = {"--average", NULL, 0, NULL},
    [DIGITS] = {"--digits", "an integer from 1 to 1000", 0, NULL},
    [JSON] = {"--json", NULL, 0, NULL},
};

static const char DEFAULT_STATISTICS[] = "max,min,range,support,mode,median";

/* ---- questions ---------------------------------------------------------------------------------- */

static pby_status read_statistic(pby_accuracy_question *q, const pby_option *o, const char *name,
                                 bool *k_read, bool *q_read, pby_error *err)
{
    const bool k = strcmp(name, "max_k") == 0 || strcmp(name, "min_k") == 0,
               share = strcmp(name, "quantile") == 0;
    *k_read |= k;
    *q_read |= share;
    pby_statistic s;
    pby_status status = pby_statistic_parse(&s, name, k ? o[K].value : NULL, share ? o[Q].value : NULL, err);
    if (status == PBY_OK && q->asks_statistics)
        status = pby_statistic_admitted(q->spec, &s, err);
    for (size_t i = 0; i < q->statistics && status == PBY_OK; i++)
        if (q->statistic[i].name == s.name)
            status = pby_refuse(err, "--statistic", name, "each name once");
    if (status == PBY_OK)
        q->statistic[q->statistics++] = s;
    return status;
}

/* A list of names separated by commas; each option must be read by one of them. */
static pby_status read_statistics(pby_accuracy_question *q, const pby_option *o, pby_error *err)
{
    bool k_read = false, q_read = false;
    q->asks_statistics = o[STATISTIC].value != NULL;
    char *names = strdup(q->asks_statistics ? o[STATISTIC].value : DEFAULT_STATISTICS);
    char *rest = names, *name;
    pby_status status = names != NULL ? PBY_OK : pby_no_memory(err);
    while (status == PBY_OK && (name = strsep(&rest, ",")) != NULL)
        status = read_statistic(q, o, name, &k_read, &q_read, err);
    free(names);
    if (status == PBY_OK && o[K].value != NULL && !k_read)
        status = pby_refuse(err, "--k", o[K].value, "it with --statistic max_k or min_k");
    if (status == PBY_OK && o[Q].value != NULL && !q_read)
        status = pby_refuse(err, "--q", o[Q].value, "it with --statistic quantile");
    return status;
}

/* The first of the options that is given, which the question does not read. */
static pby_status refuse_options(const pby_option *options, const int *wrong, size_t count,
                                 const char *expected, pby_error *err)
{
    pby_status status = PBY_OK;
    for (size_t i = 0; i < count && status == PBY_OK; i++)
        status = pby_option_unread(&options[wrong[i]], expected, err);
    return status;
}

static pby_status read_terms(pby_accuracy_question *q, const pby_option *o, pby_error *err)
{
    const pby_accuracy_options at = {&o[N], &o[RECORDS], &o[SUPPORT], &o[BUCKET], &o[BETA], &o[GAMMA]};
    const bool noisy = pby_accuracy_noisy_kind(q->kind);
    pby_status status = noisy ? pby_option_unread(&o[ETA], pby_accuracy_of_moves, err)
                              : pby_option_unread(&o[DIGITS], pby_accuracy_of_noise, err);
    if (status == PBY_OK)
        status = pby_accuracy_terms_read(&q->at, &at, q->kind, "accuracy", err);
    if (status == PBY_OK)
        status = pby_option_from_0(q->eta, &o[ETA], err);
    q->asks_eta = o[ETA].value != NULL;
    return status == PBY_OK ? pby_option_digits(&q->digits, o[DIGITS].value, PBY_DIGITS_DEFAULT, err)
                            : status;
}

static pby_status read_question(pby_accuracy_question *q, const pby_option *o, int operands, char **argv,
                                pby_error *err)
{
    q->json = o[JSON].value != NULL;
    pby_status status = operands > 0
                            ? pby_spec_parse(&q->spec, (const char *const *)argv, (size_t)operands, err)
                            : pby_fail(err, PBY_BAD, "accuracy: expected a SPEC such as stlap:eps=1/2,q=40");
    if (status == PBY_OK)
        status = pby_accuracy_kind_of(&q->kind, q->spec, err);
    if (status == PBY_OK)
        status = read_terms(q, o, err);
    return status == PBY_OK ? read_statistics(q, o, err) : status;
}

static pby_status run_release(const pby_option *options, int operands, char **argv, pby_error *err)
{
    pby_accuracy_question q = {.spec = NULL};
    pby_accuracy_terms_init(&q.at);
    mpq_init(q.eta);
    pby_status status = read_question(&q, options, operands, argv, err);
    if (status == PBY_OK)
        status = pby_accuracy_answer(&q, err);
    mpq_clear(q.eta);
    pby_accuracy_terms_clear(&q.at);
    pby_spec_free(q.spec);
    return status;
}

static pby_status run_between(const pby_option *options, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {N, RECORDS, SUPPORT, BUCKET, BETA, STATISTIC, K, Q, DIGITS};
    pby_status status =
        refuse_options(options, wrong, sizeof wrong / sizeof *wrong, "it with a SPEC, not --between", err);
    if (status == PBY_OK && operands < 2)
        status = pby_fail(err, PBY_BAD, "accuracy --between: expected two files of KEY,MASS");
    if (status == PBY_OK)
        status = pby_operands_at_most(2, operands, argv, "two files", err);
    if (status != PBY_OK)
        return status;
    const pby_between_asked asked = {argv[0],
                                     argv[1],
                                     options[GAMMA].value,
                                     options[ETA].value,
                                     options[AVERAGE].value != NULL,
                                     options[JSON].value != NULL};
    return pby_between_run(&asked, err);
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    static const int wrong[] = {AVERAGE};
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status != PBY_OK)
        return status;
    if (options[BETWEEN].value != NULL)
        return run_between(options, operands, argv, err);
    status = refuse_options(options, wrong, 1, "it with --between", err);
    return status == PBY_OK ? run_release(options, operands, argv, err) : status;
}

static const char help[] =
    "probity accuracy: how accurate a release or its statistic is\n"
    "\n"
    "usage: probity accuracy SPEC... --n N --support T [--bucket W] [--beta B | --gamma G] [--statistic "
    "NAMES]\n"
    "                        [--k K] [--q P] [--eta H] [--digits D] [--json]\n"
    "       probity accuracy --between A.csv B.csv [--gamma G] [--average] [--eta H] [--json]\n"
    "\n"
    "Prints the flexible accuracy (alpha, beta, gamma): if a fraction alpha of the records is dropped from\n"
    "the data, the answer is within beta of the exact one, except with probability gamma. All numbers are\n"
    "exact and follow from the distribution of the noise; the paper's alpha is printed beside them. alpha\n"
    "is the least on such inputs as long as the noise is within beta, unless it is marked \"at most\". A\n"
    "probability is enclosed, and gamma is its upper end. A composition shows its terms: sigma, the\n"
    "distortion sensitivity, and tau, the error sensitivity.\n"
    "\n"
    "  SPEC             stlap, buckethist, partition: they remove records and add none. beta is how far\n"
    "                   records move in the maximum norm (the largest difference of a coordinate), for\n"
    "                   points within the bound\n"
    "                   geometric, tgeometric, dgauss, laplace on a grid, range: beta is the largest\n"
    "                   difference of a count, or of the answer to a query\n"
    "                   exponential, noisymax, permuteflip: beta is how far the chosen score is below the\n"
    "                   best; rr, krr: how far the estimate of an answer's share is off; above: an answer\n"
    "                   threshold, alone or before stlap, geometric or range (threshold:... M): also the\n"
    "                   accuracy of the set of kept bars, and of statistics if all keys are numbers\n"
    "  --n N            the number of records, or --records N; noise without a threshold needs it only for\n"
    "                   the mode\n"
    "  --support T      the largest number of occupied bars; if every bar gets noise, the number of bars\n"
    "                   (1); of a choice by scores, candidates; of above, questions\n"
    "  --bucket W       points are first moved to the middle of buckets of this width (0)\n"
    "  --beta B         for noise: the error; tgeometric and range use their own bound if it is left out\n"
    "  --gamma G        for noise: the least beta that is exceeded with probability at most G\n"
    "  --statistic S    statistics of the release, such as max,median; if left out, all that need no\n"
    "                   option and are defined: for points in several dimensions, only support and mode\n"
    "  --k K, --q P     for max_k and min_k, and for quantile; see probity stat --help\n"
    "  --eta H          also the accuracy, for any statistic, if records may be dropped and moved, with a\n"
    "                   price of H for a move by one\n"
    "  --digits D       significant digits of a probability, 1 to 1000 (9)\n"
    "\n"
    "  --between A B    compares two histograms or distributions, CSV of KEY,MASS, instead of a mechanism.\n"
    "                   For the normalised distributions: the distance that all but a fraction gamma of\n"
    "                   the mass must move (lossy), its mean (average), and the total variation. For the\n"
    "                   histograms: the distortions of A into B: drop, move, and with --eta drop-move.\n"
    "                   Keys are numbers; or points, at most 1024, with the largest difference of a\n"
    "                   coordinate as distance; or names, which have no distance. If one key is a name,\n"
    "                   all are. If a number is not defined, none is printed with the reason; the manual\n"
    "                   page says more\n"
    "  --gamma G        the fraction of the mass that need not move, a rational from 0 to 1 (0)\n"
    "  --average        the mean as well; if G is above 0, of at most 32768 numbers\n"
    "  --json           one JSON object; rationals as strings, infinity as \"inf\", none and unknown as "
    "null\n"
    "\n"
    "examples:\n"
    "  probity accuracy stlap:eps=1/2,q=40 --n 3000 --support 3\n"
    "  probity accuracy stlap:eps=1/2,q=40 --n 3000 --support 3 --bucket 1/2 --statistic max,max_k --k 500\n"
    "  probity accuracy geometric:eps=1/2 --support 12 --gamma 1e-6\n"
    "  probity accuracy --between counts.csv noisy.csv --gamma 1/100 --eta 1/10\n";

const pby_command pby_command_accuracy = {"accuracy", "how accurate a release or its statistic is", help,
                                          run};
