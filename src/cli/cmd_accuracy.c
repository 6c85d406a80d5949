/* SPDX-License-Identifier: MIT */
#include "probity/experimental/accuracy.h"
#include "probity/experimental/reports.h"

#include "accuracy/terms.h"
#include "certificate/certified_operand.h"
#include "cli/advice.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/accuracy/report_then.h"

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
    DENSITY,
    WITHIN,
    BETWEEN,
    SENSITIVITY,
    NEIGHBOURS,
    THETA,
    INPUT,
    ALPHA,
    NOT_PRIVATE,
    AVERAGE,
    ZEROS,
    RELATIVE,
    TAILS,
    THEN,
    SIGMA,
    TAU,
    DIGITS,
    JSON,
    OPTIONS
};

enum { BETA_OR_GAMMA = 1, N_OR_RECORDS };

static const pby_option known[OPTIONS + 1] = {
    [N] = {.name = "--n",
           .shown = "N",
           .expected = "the number of records",
           .alternative = N_OR_RECORDS,
           .help = "the number of records; noise needs none (dgauss), but for the mode"},
    [RECORDS] = {.name = "--records",
                 .shown = "N",
                 .expected = "the number of records",
                 .alternative = N_OR_RECORDS,
                 .help = "the same as --n"},
    [SUPPORT] =
        {.name = "--support",
         .shown = "T",
         .expected = "the most bars that are occupied",
         .help = "the largest number of occupied bars; if every bar gets noise, the number of bars (1); of "
                 "a choice by scores, candidates; of above, questions"},
    [BUCKET] = {.name = "--bucket",
                .shown = "W",
                .expected = "the width of a bucket, a rational from 0 on",
                .help = "points are first moved to the middle of buckets of this width (0)"},
    [WIDTH] = {.name = "--width", .expected = "--bucket", .alternative = PBY_OPTION_RENAMED},
    [BETA] = {.name = "--beta",
              .shown = "B",
              .expected = "how far a count may be off, a rational from 0 on",
              .alternative = BETA_OR_GAMMA,
              .help = "for noise: the error; tgeometric and range use their own bound if it is left out"},
    [GAMMA] = {.name = "--gamma",
               .shown = "G",
               .expected = "a rational from 0 to 1",
               .alternative = BETA_OR_GAMMA,
               .help = "for noise: the least beta that is exceeded with probability at most G"},
    [STATISTIC] = {.name = "--statistic",
                   .shown = "S",
                   .expected = "names such as max,range",
                   .completes = "statistic",
                   .help = "statistics of the release, such as max,median; all that are defined if left out"},
    [K] = {.name = "--k",
           .shown = "K",
           .expected = "an integer from 1 on",
           .help = "for max_k and min_k: an integer from 1 on (see probity stat --help)"},
    [Q] = {.name = "--q",
           .shown = "P",
           .expected = "a rational from 0 to 1 such as 9/10",
           .help = "for quantile: a rational from 0 to 1"},
    [ETA] = {.name = "--eta",
             .shown = "H",
             .expected = "the price of a move by one, a rational from 0 on",
             .help = "also the accuracy if records may be dropped, and moved by one at a price of H"},
    [DENSITY] = {.name = "--density",
                 .shown = "L",
                 .expected = "the least density around the quantile, a rational above 0",
                 .help =
                     "of fbquantile, with --within: also the chance of other data, for a density from L on "
                     "around the quantile"},
    [WITHIN] = {.name = "--within",
                .shown = "R",
                .expected = "how far around the quantile, a rational above 0",
                .help = "with --density: how far around the quantile that density reaches"},
    [BETWEEN] =
        {.name = "--between",
         .help = "compares two histograms or distributions A and B, CSV of KEY,MASS: how far all but a "
                 "fraction gamma of the mass must move (lossy), its mean (--average), the total variation; "
                 "and the distortions of A into B: drop, move, with --eta drop-move"},
    [SENSITIVITY] =
        {.name = "--sensitivity",
         .help = "the sensitivity of a random query, for theta= of geometric and laplace, from a table of "
                 "laws: its first line names the answers, then INPUT,CHANCE,... in each line"},
    [NEIGHBOURS] =
        {.name = "--neighbours",
         .shown = "all|next|TABLE",
         .expected = "all, next or the name of a table",
         .completes = "all next file",
         .help = "of --sensitivity: all pairs of inputs, each line and the next, or a table of 0 and 1"},
    [THETA] = {.name = "--theta",
               .shown = "T",
               .expected = "a rational from 0 on, below 1",
               .help = "of --sensitivity: the mass that may move any distance (0)"},
    [INPUT] = {.name = "--input",
               .shown = "IN.csv",
               .expected = "a file of KEY,COUNT",
               .completes = "file",
               .help =
                   "the error of a statistic on these data, from the exact distribution of its answer; not "
                   "private"},
    [ALPHA] = {.name = "--alpha",
               .shown = "A",
               .expected = "the part of the records that may be dropped, a rational from 0 to 1",
               .help = "of --input: with a part A of the records dropped (0)"},
    [NOT_PRIVATE] = {.name = "--not-private",
                     .help = "of --input: says that you know the answer to be secret"},
    [AVERAGE] = {.name = "--average",
                 .help = "the mean error, but for a mass G of the largest, at the worst over all inputs"},
    [ZEROS] = {.name = "--zeros",
               .shown = "N",
               .expected = "the number of bars of 0",
               .help = "how many of N empty bars pass a threshold, and whether any does"},
    [RELATIVE] = {.name = "--relative",
                  .shown = "H",
                  .expected = "a part of a count, a rational above 0",
                  .help = "the chance that a bar passes and is off by more than a part H of its count"},
    [TAILS] = {.name = "--tails",
               .shown = "P",
               .expected = "the expectation of a mean, a rational above 0 and below 1",
               .help =
                   "without a SPEC: how far the mean of --n independent variables from 0 to 1 with the "
                   "expectation P goes from it, by more than --beta: published bounds, and exactly of coins"},
    [THEN] = {.name = "--then",
              .help = "without a SPEC: the accuracy of one mechanism behind another, the errors being means, "
                      "from those of the two, ALPHA,BETA,GAMMA each"},
    [SIGMA] = {.name = "--sigma",
               .shown = "S",
               .expected = "a distance, a rational from 0 on or inf",
               .help = "of --then: the distortion sensitivity of the first function at the alpha of the "
                       "second mechanism"},
    [TAU] = {.name = "--tau",
             .shown = "T",
             .expected = "a distance, a rational from 0 on or inf",
             .help = "of --then: how far the outputs of the second mechanism are apart in the mean, but for "
                     "the gamma of the first, on two laws within its beta"},
    [DIGITS] = {.name = "--digits",
                .shown = "D",
                .expected = "an integer from 1 to 1000",
                .help = "significant digits, 1 to 1000 (9)"},
    [JSON] = {.name = "--json", .help = "one JSON object"},
};

static pby_status read_digits(unsigned *out, const pby_spec *spec, const pby_option *digits, pby_error *err)
{
    pby_accuracy_kind kind;
    const pby_status status = pby_accuracy_kind_of(&kind, spec, err);
    if (status != PBY_OK)
        return status;
    return digits->value != NULL && !pby_accuracy_noisy_kind(kind)
               ? pby_option_unread(digits, pby_accuracy_of_noise, err)
               : pby_option_digits(out, digits->value, PBY_DIGITS_DEFAULT, err);
}

static pby_status run_release(const pby_option *o, int operands, char **argv, pby_error *err)
{
    pby_accuracy_asked asked = {.n = o[o[RECORDS].value != NULL ? RECORDS : N].value,
                                .support = o[SUPPORT].value,
                                .width = o[BUCKET].value,
                                .beta = o[BETA].value,
                                .gamma = o[GAMMA].value,
                                .eta = o[ETA].value,
                                .statistics = o[STATISTIC].value,
                                .k = o[K].value,
                                .q = o[Q].value,
                                .density = o[DENSITY].value,
                                .within = o[WITHIN].value};
    pby_spec *spec = NULL;
    char *text = NULL;
    pby_status status = operands > 0
                            ? pby_operand_certified(&spec, NULL, operands, argv, err)
                            : pby_fail(err, PBY_BAD, "accuracy: expected a SPEC such as stlap:eps=1/2,q=40");
    if (status == PBY_OK)
        status = read_digits(&asked.digits, spec, &o[DIGITS], err);
    if (status == PBY_OK)
        status = pby_report_accuracy(&text, spec, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_accuracy(err, "accuracy", o[RECORDS].value != NULL);
    pby_spec_free(spec);
    return pby_print_report(text, status);
}

static pby_status run_between(const pby_option *o, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {N,          RECORDS,     SUPPORT, BUCKET, BETA,       STATISTIC,
                                K,          Q,           DENSITY, WITHIN, DIGITS,     THETA,
                                NEIGHBOURS, SENSITIVITY, INPUT,   ALPHA,  NOT_PRIVATE};
    char *text = NULL;
    pby_status status =
        pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it with a SPEC, not --between", err);
    if (status == PBY_OK && operands < 2)
        status = pby_fail(err, PBY_BAD, "accuracy --between: expected two files of KEY,MASS");
    if (status == PBY_OK)
        status = pby_operands_at_most(2, operands, argv, "two files", err);
    if (status != PBY_OK)
        return status;
    const pby_between_asked asked = {argv[0], argv[1], o[GAMMA].value, o[ETA].value,
                                     o[AVERAGE].value != NULL};
    status = pby_report_between(&text, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return pby_print_report(text, status);
}

/* The data are secret: who asks says that the answer will stay so. */
static pby_status run_given(const pby_option *o, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {N, RECORDS, SUPPORT, BUCKET, BETA, ETA, DENSITY, WITHIN, AVERAGE};
    pby_given_asked asked = {.input = o[INPUT].value,
                             .statistic = o[STATISTIC].value,
                             .k = o[K].value,
                             .q = o[Q].value,
                             .alpha = o[ALPHA].value,
                             .gamma = o[GAMMA].value,
                             .not_private = o[NOT_PRIVATE].value != NULL};
    pby_spec *spec = NULL;
    char *text = NULL;
    pby_status status = pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it without --input", err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "accuracy --input: expected a SPEC such as stlap:eps=1/2,q=40");
    if (status == PBY_OK)
        status = pby_operand_certified(&spec, NULL, operands, argv, err);
    if (status == PBY_OK)
        status = pby_option_digits(&asked.digits, o[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_report_given(&text, spec, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    pby_spec_free(spec);
    return pby_print_report(text, status);
}

static pby_status run_average(const pby_option *o, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {BUCKET, BETA, STATISTIC, K, Q, ETA, DENSITY, WITHIN};
    pby_average_asked asked = {.support = o[SUPPORT].value,
                               .gamma = o[GAMMA].value,
                               .n = o[o[RECORDS].value != NULL ? RECORDS : N].value};
    pby_spec *spec = NULL;
    char *text = NULL;
    pby_status status =
        pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it without --average", err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "accuracy --average: expected a SPEC such as geometric:eps=1/2");
    if (status == PBY_OK)
        status = pby_operand_certified(&spec, NULL, operands, argv, err);
    if (status == PBY_OK)
        status = pby_option_digits(&asked.digits, o[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_report_average(&text, spec, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_accuracy(err, "accuracy --average", o[RECORDS].value != NULL);
    pby_spec_free(spec);
    return pby_print_report(text, status);
}

static pby_status run_passing(const pby_option *o, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {N, RECORDS, SUPPORT, BUCKET,  BETA,   GAMMA,  STATISTIC,
                                K, Q,       ETA,     DENSITY, WITHIN, AVERAGE};
    pby_passing_asked asked = {.zeros = o[ZEROS].value, .relative = o[RELATIVE].value};
    pby_spec *spec = NULL;
    char *text = NULL;
    pby_status status =
        pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it without --zeros or --relative", err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "accuracy: expected a SPEC such as threshold:eps=1,T=20");
    if (status == PBY_OK)
        status = pby_operand_certified(&spec, NULL, operands, argv, err);
    if (status == PBY_OK)
        status = pby_option_digits(&asked.digits, o[DIGITS].value, PBY_DIGITS_DEFAULT, err);
    if (status == PBY_OK)
        status = pby_report_passing(&text, spec, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    pby_spec_free(spec);
    return pby_print_report(text, status);
}

static pby_status run_sensitivity(const pby_option *o, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {N,   RECORDS, SUPPORT, BUCKET,  BETA,   GAMMA, STATISTIC, K,          Q,
                                ETA, DENSITY, WITHIN,  AVERAGE, DIGITS, INPUT, ALPHA,     NOT_PRIVATE};
    char *text = NULL;
    pby_status status =
        pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it without --sensitivity", err);
    if (status == PBY_OK && operands < 1)
        status = pby_fail(err, PBY_BAD, "accuracy --sensitivity: expected a table of laws");
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one table", err);
    if (status != PBY_OK)
        return status;
    const pby_sensitivity_asked asked = {argv[0], o[NEIGHBOURS].value, o[THETA].value};
    status = pby_report_sensitivity(&text, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return pby_print_report(text, status);
}

static pby_status run_tails(const pby_option *o, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {SUPPORT,  BUCKET,  GAMMA,       STATISTIC,  K,     Q,           ETA,
                                DENSITY,  WITHIN,  AVERAGE,     INPUT,      ALPHA, NOT_PRIVATE, ZEROS,
                                RELATIVE, BETWEEN, SENSITIVITY, NEIGHBOURS, THETA};
    pby_tails_asked asked = {
        .mean = o[TAILS].value, .n = o[o[RECORDS].value != NULL ? RECORDS : N].value, .beta = o[BETA].value};
    char *text = NULL;
    PBY_TRY(pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it without --tails", err));
    PBY_TRY(pby_operands_at_most(0, operands, argv, "nothing beside --tails", err));
    PBY_TRY(pby_option_digits(&asked.digits, o[DIGITS].value, PBY_DIGITS_DEFAULT, err));
    const pby_status status = pby_report_tails(&text, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_accuracy(err, "accuracy --tails", o[RECORDS].value != NULL);
    return pby_print_report(text, status);
}

static pby_status run_then(const pby_option *o, int operands, char **argv, pby_error *err)
{
    static const int wrong[] = {N,          RECORDS, SUPPORT,     BUCKET,   BETA,    GAMMA,
                                STATISTIC,  K,       Q,           ETA,      DENSITY, WITHIN,
                                INPUT,      ALPHA,   AVERAGE,     ZEROS,    BETWEEN, SENSITIVITY,
                                NEIGHBOURS, THETA,   NOT_PRIVATE, RELATIVE, DIGITS};
    char *text = NULL;
    PBY_TRY(pby_options_unread(o, wrong, sizeof wrong / sizeof *wrong, "it without --then", err));
    if (operands < 2)
        return pby_fail(err, PBY_BAD, "accuracy --then: expected ALPHA,BETA,GAMMA of two mechanisms");
    PBY_TRY(pby_operands_at_most(2, operands, argv, "two accuracies", err));
    const pby_then_asked asked = {argv[0], argv[1], o[SIGMA].value, o[TAU].value};
    const pby_status status = pby_report_then(&text, &asked, pby_option_form(&o[JSON]), err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return pby_print_report(text, status);
}

static pby_status run_accuracy(int argc, char **argv, pby_error *err)
{
    static const int of_then[] = {SIGMA, TAU};
    static const int of_laws[] = {NEIGHBOURS, THETA}, of_input[] = {ALPHA, NOT_PRIVATE};
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status != PBY_OK)
        return status;
    if (options[THEN].value != NULL)
        return run_then(options, operands, argv, err);
    PBY_TRY(pby_options_unread(options, of_then, 2, "it with --then", err));
    if (options[TAILS].value != NULL)
        return run_tails(options, operands, argv, err);
    if (options[BETWEEN].value != NULL)
        return run_between(options, operands, argv, err);
    if (options[SENSITIVITY].value != NULL)
        return run_sensitivity(options, operands, argv, err);
    status = pby_options_unread(options, of_laws, 2, "it with --sensitivity", err);
    if (status == PBY_OK && options[INPUT].value != NULL)
        return run_given(options, operands, argv, err);
    if (status == PBY_OK)
        status = pby_options_unread(options, of_input, 2, "it with --input", err);
    if (status == PBY_OK && (options[ZEROS].value != NULL || options[RELATIVE].value != NULL))
        return run_passing(options, operands, argv, err);
    if (status == PBY_OK && options[AVERAGE].value != NULL)
        return run_average(options, operands, argv, err);
    return status == PBY_OK ? run_release(options, operands, argv, err) : status;
}

static const char help[] =
    "probity accuracy: compute the accuracy of a release or its statistic\n"
    "\n"
    "usage: probity accuracy SPEC... [--n N] [--support T] [--bucket W] [--beta B | --gamma G]\n"
    "                        [--statistic NAMES] [--k K] [--q P] [--eta H] [--digits D] [--json]\n"
    "       probity accuracy SPEC --input IN.csv --statistic NAME --not-private [--alpha A]\n"
    "                        [--gamma G] [--json]\n"
    "       probity accuracy SPEC --average [--support T | --n N] [--gamma G] [--digits D] [--json]\n"
    "       probity accuracy threshold:... [--zeros N] [--relative H] [--json]\n"
    "       probity accuracy --tails P --n N --beta B [--digits D] [--json]\n"
    "       probity accuracy --then A1,B1,G1 A2,B2,G2 --sigma S --tau T [--json]\n"
    "       probity accuracy --between A.csv B.csv [--gamma G] [--average] [--eta H] [--json]\n"
    "       probity accuracy --sensitivity LAWS.csv [--neighbours all|next|TABLE] [--theta T] [--json]\n"
    "\n"
    "Prints the flexible accuracy (alpha, beta, gamma): if a fraction alpha of the records is dropped, the\n"
    "answer is within beta of the exact one, except with probability gamma. Numbers are exact; alpha is the\n"
    "least unless it is \"at most\". gamma is the upper end of an enclosure. A composition shows sigma, the\n"
    "distortion sensitivity, and tau, the error sensitivity.\n"
    "\n"
    "  SPEC             or its certificate, a file\n"
    "                   stlap, buckethist, partition: they remove records and add none. beta is how far\n"
    "                   records move, for points within the bound\n"
    "                   geometric, tgeometric, dgauss, laplace on a grid, range: beta is the largest\n"
    "                   difference of a count, or of the answer to a query\n"
    "                   exponential, power, noisymax, permuteflip: beta is how far the choice is below the\n"
    "                   best; rr, krr, rappor, onebit: how far the estimate is off; above: an answer;\n"
    "                   fbquantile: the value, on typical data; depth, fbsupport,\n"
    "                   fbsteiner: levels\n"
    "                   threshold, alone or before stlap, geometric or range (threshold:... M): also the\n"
    "                   accuracy of the set of kept bars, and of statistics if all keys are numbers\n";

static const char end[] = "\n"
                          "example:\n"
                          "  probity accuracy geometric:eps=1/2 --support 12 --gamma 1e-6\n";

const pby_command pby_command_accuracy = {
    "accuracy", "compute the accuracy of a release or its statistic", help, known, end, run_accuracy};
