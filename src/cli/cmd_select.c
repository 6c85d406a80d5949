/* SPDX-License-Identifier: MIT */
#include "base/excerpt.h"
#include "probity/experimental/certified.h"
#include "probity/select.h"

#include <stdlib.h>
#include <string.h>

#include "certificate/choice_certifiable.h"
#include "cli/advice.h"
#include "cli/clock.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/spool.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "probity/certificate.h"
#include "probity/rational.h"

enum {
    EPSILON,
    DELTA,
    RHO,
    MU,
    NEIGHBOURS,
    USES,
    RESOLUTION,
    RECORDS,
    BOUND,
    DIMENSION,
    ALPHA,
    BETA,
    CERTIFY,
    DIGITS,
    JSON,
    OPTIONS
};

static const pby_option known[OPTIONS + 1] = {
    [EPSILON] = {.name = "--epsilon",
                 .shown = "E",
                 .expected = "a rational such as 1/2 or 0.5",
                 .help = "the target: a rational above 0"},
    [DELTA] =
        {.name = "--delta",
         .shown = "D",
         .expected = "a rational such as 1e-6",
         .help = "the target: a rational from 0 to below 1; 0 if left out, where a mechanism can have that"},
    [RHO] = {.name = "--rho",
             .shown = "R",
             .expected = "a rational such as 1/2",
             .help = "in place of --epsilon and --delta: the least noise that is R-zCDP, a rational above 0, "
                     "by the upper end of probity loss --zcdp; of a family in which that is finite"},
    [MU] = {.name = "--mu",
            .shown = "M",
            .expected = "a rational such as 1/2",
            .help = "in their place: the least noise that is M-Gaussian differentially private, by the upper "
                    "end of probity loss --mu"},
    [NEIGHBOURS] = {PBY_OPTION_NEIGHBOURS},
    [USES] = {.name = "--uses",
              .shown = "K",
              .expected = "how often the mechanism is used",
              .help =
                  "K uses of the mechanism, composed exactly, must stay within the target together; most: "
                  "as many as suffice, of a mechanism whose parameters are given"},
    [RESOLUTION] =
        {.name = "--resolution",
         .shown = "S",
         .expected = "the step of a parameter that is not an integer",
         .help = "the step of a parameter that is not an integer; if left out, the power of ten that gives "
                 "it four digits (a base two)"},
    [RECORDS] = {.name = "--records",
                 .shown = "N",
                 .expected = "how many points there are",
                 .help = "of buckethist: the number of points"},
    [BOUND] = {.name = "--bound",
               .shown = "B",
               .expected = "where the coordinates end",
               .help = "of buckethist: the points lie in [0, B)^M"},
    [DIMENSION] = {.name = "--dimension",
                   .shown = "M",
                   .expected = "how many coordinates a point has",
                   .help = "of buckethist: the number of coordinates of a point (1)"},
    [ALPHA] = {.name = "--alpha",
               .shown = "A",
               .expected = "the part of the points that may be dropped",
               .alternative = 1,
               .help = "of buckethist: the fraction of the points that may be dropped; the smallest distance "
                       "that points move is chosen"},
    [BETA] = {.name = "--beta",
              .shown = "W",
              .expected = "how far a coordinate may be moved",
              .alternative = 1,
              .help = "of buckethist: how far a coordinate may be moved; the smallest fraction that may be "
                      "dropped is chosen"},
    [CERTIFY] = {.name = "--certify",
                 .shown = "FILE",
                 .expected = "the name of a file to write",
                 .completes = "file",
                 .help =
                     "writes the certificate of the choice, within the target (see certify); not of promises "
                     "(zcdp, rdp), of a rho that is only bounded, nor of other mus than that of gauss"},
    [DIGITS] = {.name = "--digits",
                .shown = "N",
                .expected = "an integer from 1 to 1000",
                .help = "significant digits of the losses, 9 if left out"},
    [JSON] = {.name = "--json",
              .help = "one JSON object: what was asked, and the choice, the next better "
                      "value and the recipe, each with its spec, value and certified loss"},
};

static void show(void *progress, uint64_t asked)
{
    pby_progress_at(progress, asked);
}

/* The quantity that the target is about, and that its certificate states. */
static pby_question question_of(const pby_option *options)
{
    return options[RHO].value != NULL ? PBY_ASK_RHO : options[MU].value != NULL ? PBY_ASK_MU : PBY_ASK_DELTA;
}

/* Opens the file of --certify, if that was given, before the search. */
static pby_status open_certificate(pby_spool **file, const char *family, const pby_option *options,
                                   pby_error *err)
{
    const char *path = options[CERTIFY].value, *uses = options[USES].value;
    if (path == NULL)
        return PBY_OK;
    if (pby_path_named(path) == NULL)
        return pby_refuse(err, "--certify", path, "the name of a file");
    PBY_TRY(
        pby_choice_certifiable(family, uses != NULL && strcmp(uses, "most") == 0, question_of(options), err));
    return pby_spool_open(file, path, err);
}

/* The choice meets a target that no decimal of a certificate states: one just below it would do. */
static pby_status refuse_target(const pby_option *target, mpq_srcptr most, pby_error *err)
{
    char below[PBY_DECIMAL_SIZE];
    mpfr_t x;
    mpfr_init2(x, 256);
    mpfr_set_q(x, most, MPFR_RNDD);
    pby_decimal(below, x, PBY_CERTIFICATE_DIGITS, true);
    mpfr_clear(x);
    return pby_fail(err, PBY_BAD,
                    "%s '%s': expected a decimal of at most %d digits, because the choice meets it exactly "
                    "and a certificate states a decimal; %s %s has one",
                    target->name, PBY_EXCERPT(target->value), PBY_CERTIFICATE_DIGITS, target->name, below);
}

/* Returns PBY_OK if the upper end of a certificate of rho or mu, which is rounded up to 20 digits, is within
 * the target. */
static pby_status check_end(const char *text, const pby_option *target, pby_error *err)
{
    pby_certificate *c = NULL;
    PBY_MPQ(end, most);
    pby_status status = pby_verify(&c, text, strlen(text), err);
    if (status == PBY_OK)
        status = pby_rational_parse(end, "hi", pby_certificate_divergence_hi(c), err);
    if (status == PBY_OK)
        status = pby_rational_parse(most, target->name, target->value, err);
    if (status == PBY_OK && mpq_cmp(end, most) > 0)
        status = refuse_target(target, most, err);
    pby_certificate_free(c);
    return status;
}

static pby_status certificate_of(char **text, const pby_spec *chosen, pby_neighbours relation,
                                 const pby_option *options, pby_error *err)
{
    const pby_certify_words target = {.delta = options[DELTA].value == NULL ? "0" : options[DELTA].value};
    const pby_question question = question_of(options);
    if (question == PBY_ASK_DELTA)
        return pby_certify_text(text, chosen, relation, options[EPSILON].value, &target, err);
    PBY_TRY(pby_certify_divergence_text(text, chosen, relation, question,
                                        question == PBY_ASK_RHO ? "0" : NULL, err));
    return check_end(*text, &options[question == PBY_ASK_RHO ? RHO : MU], err);
}

/* The certificate of what was chosen. */
static pby_status certify(pby_spool *file, const pby_spec *chosen, const pby_option *options, pby_error *err)
{
    pby_neighbours relation;
    char *text = NULL;
    if (chosen == NULL)
        return pby_fail(err, PBY_BAD, "--certify: expected --alpha or --beta, which choose the buckets");
    pby_status status = pby_option_neighbours(&relation, options[NEIGHBOURS].value, chosen, err);
    if (status != PBY_OK)
        return status;
    pby_clock waiting;
    pby_clock_begin(&waiting, "certificate");
    status = certificate_of(&text, chosen, relation, options, err);
    pby_clock_end(&waiting);
    if (status == PBY_OK)
        status = pby_spool_write(file, text, strlen(text), err);
    free(text);
    return status;
}

static pby_status read_question(pby_select_asked *asked, pby_neighbours *relation, const pby_option *o,
                                pby_error *err)
{
    *asked = (pby_select_asked){.epsilon = o[EPSILON].value,
                                .delta = o[DELTA].value,
                                .rho = o[RHO].value,
                                .mu = o[MU].value,
                                .relation = o[NEIGHBOURS].value == NULL ? NULL : relation,
                                .resolution = o[RESOLUTION].value,
                                .records = o[RECORDS].value,
                                .bound = o[BOUND].value,
                                .dimension = o[DIMENSION].value,
                                .alpha = o[ALPHA].value,
                                .beta = o[BETA].value,
                                .asking = show};
    pby_status status = pby_option_neighbours(relation, o[NEIGHBOURS].value, NULL, err);
    if (status == PBY_OK && o[USES].value != NULL && strcmp(o[USES].value, "most") == 0)
        asked->uses = PBY_USES_MOST;
    else if (status == PBY_OK)
        status = pby_integer_parse(&asked->uses, "--uses", o[USES].value, 1, 1000000000, 1, err);
    return status == PBY_OK ? pby_option_digits(&asked->digits, o[DIGITS].value, PBY_DIGITS_DEFAULT, err)
                            : status;
}

/* The certificate appears when the answer does. */
static pby_status answer(const char *family, const pby_option *options, pby_error *err)
{
    pby_select_asked asked;
    pby_neighbours relation;
    pby_spec *chosen = NULL;
    pby_spool *file = NULL;
    char *text = NULL;
    pby_progress progress;
    pby_status status = read_question(&asked, &relation, options, err);
    if (status == PBY_OK)
        status = open_certificate(&file, family, options, err);
    pby_progress_begin(&progress, "candidates asked", 0);
    asked.what = &progress;
    if (status == PBY_OK)
        status = pby_report_choice(&text, &chosen, family, &asked, pby_option_form(&options[JSON]), err);
    pby_progress_end(&progress);
    if (status == PBY_OK && file != NULL)
        status = certify(file, chosen, options, err);
    if (status == PBY_OK && file != NULL) {
        status = pby_spool_commit(file, err);
        file = NULL;
    }
    pby_spool_abort(file);
    pby_spec_free(chosen);
    return pby_print_report(text, status);
}

static pby_status run_select(int argc, char **argv, pby_error *err)
{
    pby_option options[OPTIONS + 1];
    int operands;
    pby_status status = pby_options_parse(options, known, argc, argv, &operands, err);
    if (status == PBY_OK && operands == 0)
        status = pby_fail(err, PBY_BAD, "select: expected a FAMILY such as stlap");
    if (status == PBY_OK)
        status = pby_operands_at_most(1, operands, argv, "one FAMILY, not two", err);
    if (status != PBY_OK)
        return status;
    status = answer(argv[0], options, err);
    if (status == PBY_BAD)
        pby_advise_options(err, known);
    return status;
}

static const char help[] =
    "probity select: choose the best parameters that provably suffice\n"
    "\n"
    "usage: probity select FAMILY --epsilon E [--delta D] [--uses K] [--neighbours R] [--resolution S]\n"
    "                      [--certify FILE] [--digits N] [--json]\n"
    "       probity select FAMILY (--rho R | --mu M) [--uses K] [--neighbours R] [--resolution S] ...\n"
    "       probity select buckethist --epsilon E --delta D --records N --bound B [--dimension M]\n"
    "                      [--alpha A | --beta W] [--uses K] ...\n"
    "\n"
    "Finds the least noise whose certified delta at E is at most D, shows that one step less exceeds D,\n"
    "and says why everything beyond that exceeds it too. Where the worst neighbours are not known it\n"
    "chooses by the upper bound, and says that one step less is not shown to suffice. It also prints\n"
    "what the published recipe would choose.\n"
    "\n"
    "  FAMILY           what is chosen: stlap (the least q), threshold and gthreshold (the least T),\n"
    "                   range (the least L), tgeometric (the least bound), geometric, exponential,\n"
    "                   noisymax, permuteflip, above (these three by their bounds), rr, krr, onebit (the\n"
    "                   greatest eps), power (the greatest base), sparse (by its bound: the least sigma2\n"
    "                   with questions, gap or answer-rate, else the greatest rate), laplace (the least\n"
    "                   scale), rappor (the least f), gauss and dgauss (the least sigma2), partition (the\n"
    "                   greatest delta, and its table of chances), zcdp (the greatest rho), gdp (mu), rdp\n"
    "                   (eps). With that parameter given, as in gauss:sigma2=4: the greatest sample of\n"
    "                   geometric, laplace, gauss and dgauss. Others may be fixed: laplace:sensitivity=3.\n"
    "                   An eps that is not chosen is E/K if left out; between substitute neighbours E/(2K)\n"
    "                   for stlap, buckethist and partition, where a changed record counts in two bars\n"
    "  buckethist       the least q, and how wide the buckets should be: --records N points of [0, B)^M,\n"
    "                   given by --bound B and --dimension M (1 if left out). With --beta the smallest\n"
    "                   fraction that may be dropped, with --alpha the smallest distance that points move,\n"
    "                   with neither a table of both. With given buckets, as in\n"
    "                   buckethist:bound=100,width=1, the least q\n";

static const char end[] =
    "\n"
    "If no candidate meets the request, it is refused with the reason (exit status 2).\n"
    "\n"
    "examples:\n"
    "  probity select stlap --epsilon 1/2 --delta 1e-6\n"
    "  probity select dgauss --epsilon 1 --delta 1e-6 --uses 100 --certify year.json\n"
    "  probity select gauss --mu 1/2 --uses 10\n"
    "  probity select buckethist --epsilon 1 --delta 1e-6 --records 1e6 --bound 100 --alpha 1/100\n";

const pby_command pby_command_select = {
    "select", "choose the best parameters that provably suffice", help, known, end, run_select};
